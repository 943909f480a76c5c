//! Adversarial pairs of convex shapes.

use crate::oracle::solid::{Placed, Solid, dot};
use crate::oracle::{Point, bounds};
use impinge::geom::glam::DVec3;
use impinge::geom::{GeometryError, Pose, Shape};
use impinge_lab::Random;
use impinge_lab::random::power_of_two;

/// The form of a body, without its rounding.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Half extents.
    Box(Point),
    /// The hull of points.
    Hull(Vec<Point>),
    /// Three corners.
    Triangle([Point; 3]),
    /// Two ends.
    Segment([Point; 2]),
    /// The origin: a sphere, once rounded.
    Origin,
    /// Half height along z: a capsule, once rounded.
    Axis(f64),
    /// A curved body.
    Curved(Solid),
}

/// A body: a form and the radius by which it is rounded.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The form.
    pub form: Form,
    /// The radius.
    pub radius: f64,
}

impl Body {
    /// The kernel's shape.
    pub fn shape(&self) -> Result<Shape, GeometryError> {
        let core = match &self.form {
            Form::Box(half) => Shape::cuboid(*half),
            Form::Hull(points) => Shape::hull(points),
            Form::Triangle(points) => Shape::triangle(*points),
            Form::Segment(points) => Shape::segment(*points),
            Form::Origin => return Shape::sphere(self.radius),
            Form::Axis(half) => return Shape::capsule(self.radius, *half),
            Form::Curved(Solid::Cylinder(radius, half)) => Shape::cylinder(*radius, *half),
            Form::Curved(Solid::Cone(radius, half)) => Shape::cone(*radius, *half),
            Form::Curved(Solid::Ellipsoid(radii)) => Shape::ellipsoid(*radii),
            Form::Curved(Solid::Tapered(bottom, top, half)) => {
                Shape::tapered_capsule(*bottom, *top, *half)
            }
            Form::Curved(Solid::Points(points)) => Shape::hull(points),
        }?;
        if self.radius > 0.0 { core.rounded(self.radius) } else { Ok(core) }
    }

    /// The oracle's body.
    pub fn solid(&self) -> Solid {
        match &self.form {
            Form::Box(half) => Solid::Points(
                (0..8_usize)
                    .map(|i| {
                        std::array::from_fn(|c| if i >> c & 1 == 1 { half[c] } else { -half[c] })
                    })
                    .collect(),
            ),
            Form::Hull(points) => Solid::Points(points.clone()),
            Form::Triangle(points) => Solid::Points(points.to_vec()),
            Form::Segment(points) => Solid::Points(points.to_vec()),
            Form::Origin => Solid::Points(vec![[0.0; 3]]),
            Form::Axis(half) => Solid::Points(vec![[0.0, 0.0, -half], [0.0, 0.0, *half]]),
            Form::Curved(solid) => solid.clone(),
        }
    }

    /// The points, if the body is the hull of points and not rounded.
    pub fn points(&self) -> Option<Vec<Point>> {
        match self.solid() {
            Solid::Points(points) if self.radius == 0.0 => Some(points),
            _ => None,
        }
    }

    /// Whether it is a solid by its kind, so that it can contain and be contained.
    pub fn is_solid(&self) -> bool {
        self.radius > 0.0 || !matches!(self.form, Form::Triangle(_) | Form::Segment(_))
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        let form = match &self.form {
            Form::Box(_) => "box",
            Form::Hull(_) => "hull",
            Form::Triangle(_) => "triangle",
            Form::Segment(_) => "segment",
            Form::Origin => return "sphere".into(),
            Form::Axis(_) => return "capsule".into(),
            Form::Curved(Solid::Cylinder(..)) => "cylinder",
            Form::Curved(Solid::Cone(..)) => "cone",
            Form::Curved(Solid::Ellipsoid(..)) => "ellipsoid",
            Form::Curved(Solid::Tapered(..)) => "tapered capsule",
            Form::Curved(Solid::Points(..)) => "points",
        };
        if self.radius > 0.0 { format!("rounded {form}") } else { form.into() }
    }

    /// The body enlarged.
    fn scaled(&self, factor: f64) -> Self {
        let point = |p: &Point| p.map(|x| x * factor);
        let form = match &self.form {
            Form::Box(half) => Form::Box(point(half)),
            Form::Hull(points) => Form::Hull(points.iter().map(point).collect()),
            Form::Triangle(points) => Form::Triangle(points.map(|p| point(&p))),
            Form::Segment(points) => Form::Segment(points.map(|p| point(&p))),
            Form::Origin => Form::Origin,
            Form::Axis(half) => Form::Axis(half * factor),
            Form::Curved(solid) => Form::Curved(match solid {
                Solid::Cylinder(r, h) => Solid::Cylinder(r * factor, h * factor),
                Solid::Cone(r, h) => Solid::Cone(r * factor, h * factor),
                Solid::Ellipsoid(radii) => Solid::Ellipsoid(point(radii)),
                Solid::Tapered(b, t, h) => Solid::Tapered(b * factor, t * factor, h * factor),
                Solid::Points(points) => Solid::Points(points.iter().map(point).collect()),
            }),
        };
        Self { form, radius: self.radius * factor }
    }
}

/// How B is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Anywhere near.
    Random,
    /// Along a direction, apart or deep by 1e-16 to 0.1.
    Near,
    /// On a grid, in an orientation that maps the grid to itself: flush, aligned, touching.
    Flush,
    /// Exactly touching, then moved by a few representable steps.
    Ulps,
    /// Any of these, at a scale from 2^-200 to 2^200.
    Scaled,
}

impl Placement {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Random, Self::Near, Self::Flush, Self::Ulps, Self::Scaled];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Near => "near contact",
            Self::Flush => "flush on a grid",
            Self::Ulps => "a few ulps off",
            Self::Scaled => "extreme scale",
        }
    }
}

/// Two bodies, and B's pose in A.
#[derive(Clone, Debug)]
pub struct Case {
    /// The first body.
    pub a: Body,
    /// The second.
    pub b: Body,
    /// A unit quaternion (w, x, y, z).
    pub rotation: [f64; 4],
    /// The translation.
    pub translation: Point,
}

impl Case {
    /// The kernel's pose.
    pub fn pose(&self) -> Result<Pose, GeometryError> {
        Pose::new(self.rotation, self.translation)
    }

    /// B for the oracles. The coordinates of B in A are what the pose makes of them, for the kernel and for the oracles.
    pub fn placed(&self, pose: &Pose) -> [Placed; 2] {
        let columns = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| pose.rotate(axis).to_array());
        let a = Placed::still(self.a.solid(), self.a.radius);
        let b = Placed::still(self.b.solid(), self.b.radius);
        [a, Placed { columns, translation: self.translation, ..b }]
    }
}

/// A pair of polytopes.
pub fn polytopes(placement: Placement, random: &mut Random) -> Case {
    let grid = placement == Placement::Flush
        || placement == Placement::Ulps
        || (placement == Placement::Scaled && random.one_in(2));
    let [a, b] = match random.below(10) {
        0..3 => [0, 0],
        3..6 => [1, 1],
        _ => [random.below(4), random.below(4)],
    }
    .map(|form| Body { form: polytope(form, grid, random), radius: 0.0 });
    place(a, b, placement, grid, random)
}

/// A pair of which at least one is curved or rounded.
pub fn curved(placement: Placement, random: &mut Random) -> Case {
    let grid = matches!(placement, Placement::Flush | Placement::Ulps);
    let other = if random.one_in(3) {
        Body { form: polytope(random.below(4), grid, random), radius: 0.0 }
    } else {
        curved_body(grid, random)
    };
    let mut bodies = [curved_body(grid, random), other];
    if random.one_in(2) {
        bodies.swap(0, 1);
    }
    let [a, b] = bodies;
    place(a, b, placement, grid, random)
}

fn polytope(form: u64, grid: bool, random: &mut Random) -> Form {
    let point = |random: &mut Random| if grid { random.grid(2) } else { random.point() };
    match form {
        0 if grid => Form::Box(std::array::from_fn(|_| 0.5 * random.whole(0, 4) as f64)),
        0 => Form::Box(std::array::from_fn(|_| random.between(0.1, 1.0))),
        1 if grid => Form::Hull((0..1 + random.below(8)).map(|_| point(random)).collect()),
        1 if random.one_in(2) => {
            Form::Hull((0..4 + random.below(13)).map(|_| random.direction()).collect())
        }
        1 => Form::Hull((0..4 + random.below(13)).map(|_| point(random)).collect()),
        2 => Form::Triangle(std::array::from_fn(|_| point(random))),
        _ => Form::Segment(std::array::from_fn(|_| point(random))),
    }
}

fn curved_body(grid: bool, random: &mut Random) -> Body {
    let size = |random: &mut Random| {
        if grid { 0.5 * random.whole(1, 4) as f64 } else { random.between(0.1, 1.0) }
    };
    let form = match random.below(8) {
        0 => Form::Origin,
        1 => Form::Axis(size(random)),
        2 => Form::Curved(Solid::Cylinder(size(random), size(random))),
        3 => Form::Curved(Solid::Cone(size(random), size(random))),
        4 => Form::Curved(Solid::Ellipsoid(std::array::from_fn(|_| size(random)))),
        5 => Form::Curved(Solid::Tapered(size(random), size(random), size(random))),
        _ => polytope(random.below(4), grid, random),
    };
    let bare = matches!(form, Form::Curved(_)) && random.one_in(2);
    Body { radius: if bare { 0.0 } else { size(random) }, form }
}

/// Orientations that permute the axes, as exact quaternions.
const EXACT: [[f64; 4]; 6] = [
    [1.0, 0.0, 0.0, 0.0],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
    [0.5, 0.5, 0.5, 0.5],
    [0.5, -0.5, -0.5, -0.5],
    [0.5, 0.5, -0.5, 0.5],
];

fn place(a: Body, b: Body, placement: Placement, grid: bool, random: &mut Random) -> Case {
    let mut case = Case { a, b, rotation: [1.0, 0.0, 0.0, 0.0], translation: [0.0; 3] };
    if grid {
        case.rotation = EXACT[random.below(6) as usize];
        case.translation = random.grid(5).map(|x| 0.5 * x);
    } else {
        case.rotation = random.quaternion();
        case.translation = random.point().map(|x| 1.5 * x);
    }
    match placement {
        Placement::Near => approach(&mut case, random),
        Placement::Ulps => {
            for x in &mut case.translation {
                *x = if *x == 0.0 && random.one_in(2) { *x } else { random.nudge(*x, 2) };
            }
        }
        Placement::Scaled => {
            if !grid && random.one_in(2) {
                approach(&mut case, random);
            }
            let factor = power_of_two(random.whole(-200, 200) as i32);
            case.a = case.a.scaled(factor);
            case.b = case.b.scaled(factor);
            case.translation = case.translation.map(|x| x * factor);
        }
        Placement::Random | Placement::Flush => {}
    }
    case
}

/// Moves B along the direction of the signed distance until that is about a random small number of either sign.
fn approach(case: &mut Case, random: &mut Random) {
    let size = power_of_two(random.whole(-53, -3) as i32) * (1.0 + random.unit());
    let wanted = if random.one_in(2) { size } else { -size };
    // The direction changes with the place, so twice.
    for limit in [100, 500] {
        let Ok(pose) = case.pose() else { return };
        let [a, b] = case.placed(&pose);
        let n = bounds::signed_distance(&a, &b, 1e-6, limit).direction;
        let gap = dot(b.support(n.map(|x| -x)), n) - dot(a.support(n), n) - a.radius - b.radius;
        for (x, along) in case.translation.iter_mut().zip(n) {
            *x += (wanted - gap) * along;
        }
    }
}
