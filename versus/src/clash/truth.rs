//! How two parts relate, by exact arithmetic that shares no code with the kernel: all pairs of triangles whose boxes meet, by the oracle of `trials`,
//! and of closed parts the volume that both enclose, by another one. No hierarchy.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use impinge_clash::{Model, ModelPart};
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::closest_point;
use trials::oracle::closed::Standing;
use trials::oracle::common;
use trials::oracle::{Place, Point, triangle};

use super::answers::{Pair, Said};
use crate::mesh::blocks::{self, Blocks};
use crate::mesh::model::Mesh;

/// How two surfaces relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surfaces {
    /// No common point.
    Apart,
    /// The number of pairs of triangles with a common point; none cross.
    Touching(usize),
    /// Some triangles cross.
    Crossing,
}

/// How two parts relate as solids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solids {
    /// One of them is open, which is a surface.
    Open,
    /// Both are closed, and one does not bound a solid as one expects: some points are enclosed twice, or inside out.
    Unknown,
    /// Both bound solids.
    Known(Standing),
}

/// What is true of two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    pub surfaces: Surfaces,
    pub solids: Solids,
}

impl Truth {
    /// Whether the surfaces have a common point.
    pub fn meets(self) -> bool {
        self.surfaces != Surfaces::Apart
    }

    /// Whether what impinge says about the pair is so. Open parts are surfaces: hard is that triangles cross. One inside a closed part must not meet its
    /// surface, and has to be inside, see [`holds`]. Of solids that are not known only meeting at all is compared.
    pub fn allows(self, said: Said, holds: impl Fn() -> bool) -> bool {
        let crosses = self.surfaces == Surfaces::Crossing;
        match (said, self.solids) {
            (Said::Duplicate, _) => self.meets(),
            (Said::Penetrating, Solids::Known(truth)) => truth == Standing::Penetrating,
            (Said::Contained, Solids::Known(truth)) => {
                matches!(truth, Standing::AInB | Standing::BInA)
            }
            (Said::Touching, Solids::Known(truth)) => truth == Standing::Touching,
            (Said::Apart, Solids::Known(truth)) => truth == Standing::Separated,
            (Said::Penetrating, Solids::Open) => crosses,
            (Said::Penetrating, Solids::Unknown) => self.meets(),
            (Said::Touching, _) => self.meets() && !crosses,
            (Said::Contained, Solids::Open) => !self.meets() && holds(),
            (Said::Contained, Solids::Unknown) => !crosses && holds(),
            (Said::Apart, _) => !self.meets(),
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.surfaces {
            Surfaces::Apart => write!(formatter, "surfaces apart")?,
            Surfaces::Touching(count) => write!(formatter, "{count} pairs of triangles touch")?,
            Surfaces::Crossing => write!(formatter, "triangles cross")?,
        }
        match self.solids {
            Solids::Open => Ok(()),
            Solids::Unknown => write!(formatter, ", solids unknown"),
            Solids::Known(standing) => write!(formatter, ", solids {standing:?}"),
        }
    }
}

/// Finds the truth about the pairs of a model.
pub struct Oracle<'m> {
    model: &'m Model,
    /// Of meshes in their own frames, by their addresses.
    orientations: Mutex<BTreeMap<usize, Option<i8>>>,
}

impl<'m> Oracle<'m> {
    /// Nothing is known yet.
    pub fn new(model: &'m Model) -> Oracle<'m> {
        Oracle { model, orientations: Mutex::default() }
    }

    /// The truth about a pair, on the coordinates that impinge decides about.
    pub fn truth(&self, [a, b]: Pair) -> Truth {
        let (a, b) = (&self.model.parts[a], &self.model.parts[b]);
        let [fixed, moved] = placed(a, b);
        let surfaces = surfaces(&fixed, &moved);
        if !a.closed || !b.closed {
            return Truth { surfaces, solids: Solids::Open };
        }
        let own = self.orientation(a, &fixed);
        let moves = moved.vertices.iter().zip(b.instance.mesh().vertices());
        let is_moved = moves.into_iter().any(|(here, there)| *here != there.to_array());
        let others = if is_moved {
            common::orientation(&faces(&moved))
        } else {
            self.orientation(b, &moved)
        };
        let (Some(own), Some(others)) = (own, others) else {
            return Truth { surfaces, solids: Solids::Unknown };
        };
        let found = common::common(&faces(&fixed), &faces(&moved), [own, others]);
        let standing = found.standing(surfaces != Surfaces::Apart);
        Truth { surfaces, solids: Solids::Known(standing) }
    }

    /// As [`common::orientation`], once for each mesh.
    fn orientation(&self, part: &ModelPart, mesh: &Mesh) -> Option<i8> {
        let known = || self.orientations.lock().unwrap_or_else(PoisonError::into_inner);
        let address = Arc::as_ptr(part.instance.mesh()) as usize;
        let found = known().get(&address).copied();
        found.unwrap_or_else(|| {
            let found = common::orientation(&faces(mesh));
            known().insert(address, found);
            found
        })
    }
}

/// How far the surfaces of two parts are apart, in the unit of the model.
pub fn gap(model: &Model, [a, b]: Pair) -> f64 {
    let a = &model.parts[a];
    let [fixed, moved] = placed(a, &model.parts[b]);
    let orders = [blocks::order(&fixed), blocks::order(&moved)];
    let of_a = Blocks::new(&fixed, &orders[0], None);
    of_a.distance(&Blocks::new(&moved, &orders[1], None)) * a.instance.scale()
}

/// Both surfaces in A's frame: B's vertices as `ScaledPose::transform_point` gives them.
fn placed(a: &ModelPart, b: &ModelPart) -> [Mesh; 2] {
    let relative = a.instance.relative(&b.instance);
    [surface(a, |point| point), surface(b, |point| relative.transform_point(point))]
}

fn surfaces(fixed: &Mesh, moved: &Mesh) -> Surfaces {
    let orders = [blocks::order(fixed), blocks::order(moved)];
    let (of_a, of_b) = (Blocks::new(fixed, &orders[0], None), Blocks::new(moved, &orders[1], None));
    let mut meeting = 0;
    let crossing = of_a.candidates(&of_b, |one, two| {
        let place = triangle::place(&one.map(|p| p.to_array()), &two.map(|p| p.to_array()));
        meeting += usize::from(place != Place::Outside);
        if place == Place::Inside { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match (crossing.is_break(), meeting) {
        (true, _) => Surfaces::Crossing,
        (false, 0) => Surfaces::Apart,
        (false, count) => Surfaces::Touching(count),
    }
}

/// Whether one of the two holds a vertex of the other, or all of them if both are closed: a vertex is inside if the triangles of a
/// closed part are seen from it under a solid angle other than zero. Vertices on the surface, within rounding, do not count.
pub fn holds(model: &Model, [a, b]: Pair) -> bool {
    let parts = [&model.parts[a], &model.parts[b]];
    let surfaces = parts.map(|part| surface(part, |point| part.instance.to_world(point)));
    let inside = |host: usize| {
        let (outer, inner) = (&surfaces[host], &surfaces[1 - host]);
        let triangles: Vec<[DVec3; 3]> =
            faces(outer).into_iter().map(|face| face.map(DVec3::from_array)).collect();
        let rounding = 1e-9 * outer.diameter();
        let is_inside = |vertex: &[f64; 3]| {
            let point = DVec3::from_array(*vertex);
            let near = |triangle| closest_point(triangle, point).0.distance(point) <= rounding;
            let on_surface = || triangles.iter().any(near);
            winding(&triangles, point).abs() > 0.5 || on_surface()
        };
        let mut vertices = inner.vertices.iter();
        let found =
            if parts[1 - host].closed { vertices.all(is_inside) } else { vertices.any(is_inside) };
        parts[host].closed && found
    };
    inside(0) || inside(1)
}

/// The number of times that closed surfaces wind about a point: Van Oosterom and Strackee, "The Solid Angle of a Plane Triangle"
/// (1983), summed over the triangles.
fn winding(triangles: &[[DVec3; 3]], point: DVec3) -> f64 {
    let angle = |corners: &[DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner - point);
        let [p, q, r] = [a.length(), b.length(), c.length()];
        let below = p * q * r + a.dot(b) * r + b.dot(c) * p + c.dot(a) * q;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

fn surface(part: &ModelPart, place: impl Fn(DVec3) -> DVec3) -> Mesh {
    let mesh = part.instance.mesh();
    Mesh {
        vertices: mesh.vertices().iter().map(|&point| place(point).to_array()).collect(),
        triangles: mesh.triangles().to_vec(),
    }
}

fn faces(mesh: &Mesh) -> Vec<[Point; 3]> {
    let corner = |vertex: u32| mesh.vertices[vertex as usize];
    mesh.triangles.iter().map(|face| face.map(corner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_io::{LoadOptions, SceneFormat, parse_scene};

    fn model(text: &str, format: SceneFormat) -> Model {
        Model::new(&parse_scene(text.as_bytes(), format, "test", &LoadOptions::default()).unwrap())
    }

    /// Plates in the plane z = 0, 1 wide: the second `x` to the right of the first and `z` above, standing upright.
    fn plates(x: f64, z: f64) -> Model {
        let text = format!(
            "o flat\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no upright\nv {x} 0.25 {z}\nv {x} 0.5 {z}\nv {x} 0.25 {}\nf 4 5 6\n",
            z + 1.0
        );
        model(&text, SceneFormat::Obj)
    }

    #[test]
    fn surfaces_cross_touch_or_are_apart() {
        let pair = |z: f64| Oracle::new(&plates(0.25, z)).truth([0, 1]);
        let open = |surfaces| Truth { surfaces, solids: Solids::Open };
        assert_eq!(pair(-0.5), open(Surfaces::Crossing));
        assert_eq!(pair(0.0), open(Surfaces::Touching(1)));
        assert_eq!(pair(0.125), open(Surfaces::Apart));
        assert_eq!(gap(&plates(0.25, 0.125), [0, 1]), 0.125);
    }

    /// A box 4 wide, and a shape of two boxes in an OBJ file is one part: a bracket around the corner of it.
    fn bracket(x: f64) -> Model {
        let corners = |low: [f64; 3], high: [f64; 3]| {
            let corner = |k: usize| {
                let at = |c: usize| if k >> c & 1 == 0 { low[c] } else { high[c] };
                format!("v {} {} {}\n", at(0), at(1), at(2))
            };
            (0..8).map(corner).collect::<String>()
        };
        let sides = |first: usize| {
            let squares = [
                [0, 2, 3, 1],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 4, 6, 2],
                [1, 3, 7, 5],
            ];
            let face =
                |[p, q, r]: [usize; 3]| format!("f {} {} {}\n", first + p, first + q, first + r);
            let halves = |[p, q, r, s]: [usize; 4]| face([p, q, r]) + &face([p, r, s]);
            squares.into_iter().map(halves).collect::<String>()
        };
        let text = String::from("o block\n")
            + &corners([0.0; 3], [4.0; 3])
            + &sides(1)
            + "o bracket\n"
            + &corners([4.0 + x, 0.0, 0.0], [5.0 + x, 4.0, 4.0])
            + &corners([0.0, 4.0, 0.0], [3.0, 5.0, 4.0])
            + &sides(9)
            + &sides(17);
        model(&text, SceneFormat::Obj)
    }

    #[test]
    fn solids_that_are_not_convex_are_told_apart_by_their_volume() {
        let standing = |x: f64| Oracle::new(&bracket(x)).truth([0, 1]).solids;
        assert_eq!(standing(0.0), Solids::Known(Standing::Touching));
        assert_eq!(standing(1e-9), Solids::Known(Standing::Touching));
        assert_eq!(standing(-1e-9), Solids::Known(Standing::Penetrating));
    }

    #[test]
    fn what_is_said_must_be_so() {
        let all =
            [Said::Penetrating, Said::Contained, Said::Duplicate, Said::Touching, Said::Apart];
        let allowed =
            |surfaces, solids| all.map(|said| Truth { surfaces, solids }.allows(said, || true));
        let [apart, touching, crossing] =
            [Surfaces::Apart, Surfaces::Touching(1), Surfaces::Crossing];
        assert_eq!(allowed(apart, Solids::Open), [false, true, false, false, true]);
        assert_eq!(allowed(touching, Solids::Open), [false, false, true, true, false]);
        assert_eq!(allowed(crossing, Solids::Open), [true, false, true, false, false]);
        let known = |surfaces, standing| allowed(surfaces, Solids::Known(standing));
        assert_eq!(known(touching, Standing::Penetrating), [true, false, true, false, false]);
        assert_eq!(known(touching, Standing::Touching), [false, false, true, true, false]);
        assert_eq!(known(apart, Standing::BInA), [false, true, false, false, false]);
        assert_eq!(known(apart, Standing::Separated), [false, false, false, false, true]);
        assert_eq!(allowed(touching, Solids::Unknown), [true, true, true, true, false]);
        let outside = Truth { surfaces: apart, solids: Solids::Open };
        assert!(!outside.allows(Said::Contained, || false));
    }

    #[test]
    fn a_part_holds_what_is_inside_or_flush() {
        let boxes = |side: f64, x: f64| {
            let text = format!(
                "[[part]]\nbox = [4, 4, 4]\n[[part]]\nbox = [{side}, 1, 1]\ntranslation = [{x}, 0, 0]\n"
            );
            holds(&model(&text, SceneFormat::Toml), [0, 1])
        };
        assert!(boxes(1.0, 0.0) && boxes(1.0, 1.5) && boxes(4.0, 0.0));
        assert!(!boxes(1.0, 1.75) && !boxes(1.0, 9.0));
    }
}
