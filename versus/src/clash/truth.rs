//! How two parts relate: all pairs of triangles whose boxes meet, decided by the exact oracle of `trials`, which shares no code with the kernel;
//! for convex solids also whether their interiors meet. No hierarchy.

use std::fmt;
use std::ops::ControlFlow;

use impinge_clash::{Model, ModelPart};
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::closest_point;
use trials::oracle::closed::{Convex, Standing};
use trials::oracle::{Place, triangle};

use super::answers::Pair;
use crate::mesh::blocks::{self, Blocks};
use crate::mesh::model::Mesh;

/// How two surfaces relate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Truth {
    /// No common point; the distance between them in the unit of the model.
    Apart(f64),
    /// The number of pairs of triangles with a common point; none cross.
    Touching(usize),
    /// The number of pairs of triangles that cross.
    Crossing(usize),
}

impl Truth {
    /// Whether there is a common point.
    pub fn meets(self) -> bool {
        !matches!(self, Truth::Apart(_))
    }

    /// Whether what impinge calls the pair can be right. Open parts are surfaces: hard is that triangles cross. Closed ones are
    /// solids, whose faces may lie on each other where the inside is common; there only meeting at all is compared. Of one part
    /// inside another the surface of the inner one may touch but not cross, and has to be inside, see [`holds`].
    pub fn allows(self, kind: Option<&str>, solids: bool, holds: impl Fn() -> bool) -> bool {
        match (kind, solids) {
            (Some("hard"), false) => matches!(self, Truth::Crossing(_)),
            (Some("touching"), false) => matches!(self, Truth::Touching(_)),
            (Some("hard" | "touching" | "duplicate"), _) => self.meets(),
            (Some("contained"), true) => !matches!(self, Truth::Crossing(_)) && holds(),
            (Some("contained"), false) => !self.meets() && holds(),
            _ => !self.meets(),
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Truth::Apart(gap) => write!(formatter, "apart by {gap:.3e}"),
            Truth::Touching(count) => write!(formatter, "touching in {count} pairs of triangles"),
            Truth::Crossing(count) => write!(formatter, "crossing in {count} pairs of triangles"),
        }
    }
}

/// The truth about a pair, on the coordinates that impinge decides about: B's vertices in A's frame as `ScaledPose::transform_point` gives them.
pub fn truth(model: &Model, [a, b]: Pair) -> Truth {
    let (a, b) = (&model.parts[a], &model.parts[b]);
    let relative = a.instance.relative(&b.instance);
    let fixed = surface(a, |point| point);
    let moved = surface(b, |point| relative.transform_point(point));
    let orders = [blocks::order(&fixed), blocks::order(&moved)];
    let (of_a, of_b) =
        (Blocks::new(&fixed, &orders[0], None), Blocks::new(&moved, &orders[1], None));
    let (mut meeting, mut crossing) = (0, 0);
    let _ = of_a.candidates(&of_b, |one, two| {
        let place = triangle::place(&one.map(|p| p.to_array()), &two.map(|p| p.to_array()));
        meeting += usize::from(place != Place::Outside);
        crossing += usize::from(place == Place::Inside);
        ControlFlow::Continue(())
    });
    match (crossing, meeting) {
        (0, 0) => Truth::Apart(of_a.distance(&of_b) * a.instance.scale()),
        (0, _) => Truth::Touching(meeting),
        _ => Truth::Crossing(crossing),
    }
}

/// Whether the interiors of two solids meet, where that is known: if triangles of closed parts cross, and if both are convex, exactly, by a linear program
/// in rational numbers.
pub fn overlap(model: &Model, [a, b]: Pair, truth: Truth) -> Option<bool> {
    let (a, b) = (&model.parts[a], &model.parts[b]);
    if !a.closed || !b.closed {
        return None;
    }
    if matches!(truth, Truth::Crossing(_)) {
        return Some(true);
    }
    let relative = a.instance.relative(&b.instance);
    let fixed = surface(a, |point| point);
    let moved = surface(b, |point| relative.transform_point(point));
    let convex = |mesh: &Mesh| Convex::new(&mesh.vertices, &mesh.triangles);
    let standing = convex(&fixed)?.standing(&convex(&moved)?);
    Some(!matches!(standing, Standing::Separated | Standing::Touching))
}

/// Whether one of the two holds a vertex of the other, or all of them if both are closed: a vertex is inside if the triangles of a
/// closed part are seen from it under a solid angle other than zero. Vertices on the surface, within rounding, do not count.
pub fn holds(model: &Model, [a, b]: Pair) -> bool {
    let parts = [&model.parts[a], &model.parts[b]];
    let surfaces = parts.map(|part| surface(part, |point| part.instance.to_world(point)));
    let inside = |host: usize| {
        let (outer, inner) = (&surfaces[host], &surfaces[1 - host]);
        let triangles: Vec<[DVec3; 3]> =
            (0..outer.triangles.len() as u32).map(|index| corners(outer, index)).collect();
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

fn corners(mesh: &Mesh, triangle: u32) -> [DVec3; 3] {
    mesh.triangles[triangle as usize].map(|vertex| mesh.vertices[vertex as usize].into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_io::{Options, SceneFormat, parse_scene};

    /// Plates in the plane z = 0, 1 wide: the second `x` to the right of the first and `z` above, standing upright.
    fn pair(x: f64, z: f64) -> Truth {
        let text = format!(
            "o flat\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no upright\nv {x} 0.25 {z}\nv {x} 0.5 {z}\nv {x} 0.25 {}\nf 4 5 6\n",
            z + 1.0
        );
        let scene =
            parse_scene(text.as_bytes(), SceneFormat::Obj, "plates", &Options::default()).unwrap();
        truth(&Model::new(&scene), [0, 1])
    }

    #[test]
    fn surfaces_cross_touch_or_are_apart() {
        assert_eq!(pair(0.25, -0.5), Truth::Crossing(1));
        assert_eq!(pair(0.25, 0.0), Truth::Touching(1));
        assert_eq!(pair(0.25, 0.125), Truth::Apart(0.125));
    }

    #[test]
    fn what_is_called_hard_must_cross_unless_parts_are_solid() {
        let [apart, touching, crossing] =
            [Truth::Apart(1.0), Truth::Touching(1), Truth::Crossing(1)];
        let allowed = |kind, solids| {
            [apart, touching, crossing].map(|truth: Truth| truth.allows(kind, solids, || true))
        };
        assert_eq!(allowed(Some("hard"), false), [false, false, true]);
        assert_eq!(allowed(Some("hard"), true), [false, true, true]);
        assert_eq!(allowed(Some("touching"), false), [false, true, false]);
        assert_eq!(allowed(Some("contained"), false), [true, false, false]);
        assert_eq!(allowed(Some("contained"), true), [true, true, false]);
        assert_eq!(allowed(None, true), [true, false, false]);
        assert!(!apart.allows(Some("contained"), true, || false));
    }

    #[test]
    fn a_part_holds_what_is_inside_or_flush() {
        let boxes = |side: f64, x: f64| {
            let text = format!(
                "[[part]]\nbox = [4, 4, 4]\n[[part]]\nbox = [{side}, 1, 1]\ntranslation = [{x}, 0, 0]\n"
            );
            let options = Options::default();
            let scene = parse_scene(text.as_bytes(), SceneFormat::Toml, "boxes", &options);
            holds(&Model::new(&scene.unwrap()), [0, 1])
        };
        assert!(boxes(1.0, 0.0) && boxes(1.0, 1.5) && boxes(4.0, 0.0));
        assert!(!boxes(1.0, 1.75) && !boxes(1.0, 9.0));
    }
}
