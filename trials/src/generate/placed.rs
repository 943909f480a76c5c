//! Pairs of small meshes, placed so that answers are hard: aligned, nested, or brought to within units in the last place of contact.

use super::dirty::{Body, Kind, Solid, body};
use crate::oracle::Point;
use crate::oracle::closed::Block;
use impinge::geom::glam::DVec3;
use impinge::geom::{Pose, triangle};
use impinge::mesh::ScaledPose;
use impinge_lab::Random;

/// How B comes to where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placing {
    /// Not moved.
    Identity,
    /// Moved by whole numbers of the grid.
    Grid,
    /// Turned so that the axes are exchanged exactly, and moved on the grid.
    Exchanged,
    /// Turned by 90° as far as f64 can, and moved on the grid.
    Quarter,
    /// Turned and moved anyhow.
    Anyhow,
    /// Moved until the closest points meet, up to a few units in the last place.
    Contact,
    /// One much smaller than the other, and near its middle.
    Nested,
}

impl Placing {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Identity,
        Self::Grid,
        Self::Exchanged,
        Self::Quarter,
        Self::Anyhow,
        Self::Contact,
        Self::Nested,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Grid => "on the grid",
            Self::Exchanged => "axes exchanged",
            Self::Quarter => "quarter turn",
            Self::Anyhow => "anyhow",
            Self::Contact => "within ulps",
            Self::Nested => "nested",
        }
    }
}

/// Two meshes and where the second is.
#[derive(Clone, Debug)]
pub struct Case {
    /// The meshes, each in its own frame.
    pub bodies: [Body; 2],
    /// How B comes to where it is.
    pub placing: Placing,
    /// Where B is in A's frame.
    pub place: ScaledPose,
}

/// The unit of the coordinates and the place of their origin, the same for both bodies.
#[derive(Clone, Copy, Debug)]
struct World {
    unit: f64,
    origin: Point,
}

impl World {
    fn any(random: &mut Random) -> Self {
        let unit = match random.below(6) {
            0 => 1e-3,
            1 => 1e3,
            2 => random.power(-10, 10),
            _ => 1.0,
        };
        let far = match random.below(4) {
            0 => 1e7,
            1 => 1e3 * unit,
            _ => 0.0,
        };
        Self { unit, origin: random.grid(1).map(|x| x * far) }
    }

    /// Rounded, but never out of order along an axis.
    fn map(&self, p: Point) -> Point {
        std::array::from_fn(|c| self.unit * p[c] + self.origin[c])
    }

    fn take(&self, body: &mut Body) {
        body.vertices.iter_mut().for_each(|p| *p = self.map(*p));
        if let Solid::Blocks(blocks) = &mut body.solid {
            for block in blocks {
                *block = Block { low: self.map(block.low), high: self.map(block.high) };
            }
        }
    }
}

/// A pair; half of them of two meshes of one kind.
pub fn case(random: &mut Random) -> Case {
    let kinds = Kind::ALL.len() as u64;
    let first = Kind::ALL[random.below(kinds) as usize];
    let second = if random.one_in(2) { first } else { Kind::ALL[random.below(kinds) as usize] };
    let world = World::any(random);
    let mut bodies = [body(first, random), body(second, random)];
    if random.one_in(10) {
        bodies[1] = bodies[0].clone();
    }
    bodies.iter_mut().for_each(|body| world.take(body));
    let placing = Placing::ALL[random.below(7) as usize];
    let place = place(placing, &bodies, &world, random);
    Case { bodies, placing, place }
}

fn place(placing: Placing, bodies: &[Body; 2], world: &World, random: &mut Random) -> ScaledPose {
    let half = 0.5_f64.sqrt();
    let sign = |random: &mut Random| if random.one_in(2) { 1.0 } else { -1.0 };
    let on_grid = |random: &mut Random, reach: i64| random.grid(reach).map(|x| x * world.unit);
    let exchange = |random: &mut Random| match random.below(4) {
        0 => [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
            [random.below(3) as usize],
        _ => std::array::from_fn(|_| 0.5 * sign(random)),
    };
    let one = [1.0, 0.0, 0.0, 0.0];
    let ratio =
        if random.one_in(3) { [0.5, 0.7, 3.0, 1e-3, 1e3][random.below(5) as usize] } else { 1.0 };
    match placing {
        Placing::Identity => about(world, one, [0.0; 3], 1.0),
        Placing::Grid => {
            let by = on_grid(random, 4);
            about(world, one, by, 1.0)
        }
        Placing::Exchanged => {
            let by = on_grid(random, 4);
            about(world, exchange(random), by, 1.0)
        }
        Placing::Quarter => {
            let mut turn = [half, 0.0, 0.0, 0.0];
            turn[1 + random.below(3) as usize] = half * sign(random);
            let by = on_grid(random, 4);
            about(world, turn, by, 1.0)
        }
        Placing::Anyhow => {
            let reach = [0.0, 0.5, 1.5, 4.0][random.below(4) as usize] * world.unit;
            let by = random.point().map(|x| x * reach);
            about(world, random.quaternion(), by, ratio)
        }
        Placing::Contact => {
            let turn = match random.below(3) {
                0 => one,
                1 => exchange(random),
                _ => random.quaternion(),
            };
            let by = if random.one_in(2) {
                on_grid(random, 8)
            } else {
                random.direction().map(|x| 8.0 * x * world.unit)
            };
            contact(bodies, &about(world, turn, by, ratio), turn, random)
        }
        Placing::Nested => {
            let turn = if random.one_in(2) { exchange(random) } else { random.quaternion() };
            let small = [1e-6_f64, 0.01, 0.125, 0.3][random.below(4) as usize];
            let ratio: f64 = if random.one_in(2) { small } else { 1.0 / small };
            let reach = world.unit * ratio.max(1.0) * random.unit();
            let by = random.point().map(|x| x * reach);
            about(world, turn, by, ratio)
        }
    }
}

/// Scaled and turned about the world's origin, then moved.
fn about(world: &World, turn: [f64; 4], by: Point, scale: f64) -> ScaledPose {
    let pose = Pose::new(turn, [0.0; 3]).unwrap_or_default();
    let moved = pose.transform_point(DVec3::from_array(world.origin) * scale);
    let back = DVec3::from_array(world.origin) - moved;
    relative(turn, (back + DVec3::from_array(by)).to_array(), scale)
}

fn relative(turn: [f64; 4], translation: Point, scale: f64) -> ScaledPose {
    ScaledPose { pose: Pose::new(turn, translation).unwrap_or_default(), scale }
}

/// Moves B so that the closest points fall together, but for up to three units in the last place of the translation.
fn contact(
    bodies: &[Body; 2],
    from: &ScaledPose,
    turn: [f64; 4],
    random: &mut Random,
) -> ScaledPose {
    let [a, b] = corners(bodies, from);
    let mut best = (f64::INFINITY, DVec3::ZERO);
    for x in &a {
        for y in &b {
            let found = triangle::distance(&x.map(DVec3::from_array), &y.map(DVec3::from_array));
            if found.distance < best.0 {
                best = (found.distance, found.points[0] - found.points[1]);
            }
        }
    }
    let to = (from.pose.translation() + best.1).to_array();
    let limit = random.whole(0, 3);
    relative(turn, to.map(|x| random.nudge(x, limit)), from.scale)
}

/// The triangles of both in A's frame: the coordinates on which verdicts are given.
pub fn corners(bodies: &[Body; 2], place: &ScaledPose) -> [Vec<[Point; 3]>; 2] {
    let [a, b] = bodies;
    let moved: Vec<Point> = b
        .vertices
        .iter()
        .map(|p| place.transform_point(DVec3::from_array(*p)).to_array())
        .collect();
    let triangles = |body: &Body, points: &[Point]| -> Vec<[Point; 3]> {
        body.triangles.iter().map(|face| face.map(|vertex| points[vertex as usize])).collect()
    };
    [triangles(a, &a.vertices), triangles(b, &moved)]
}
