//! Adversarial triangle pairs.

use crate::oracle::Point;
use impinge_lab::Random;

/// A pair of triangles.
pub type Pair = [[Point; 3]; 2];

/// How a pair is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Random coordinates.
    Generic,
    /// Both in one plane, exactly.
    Coplanar,
    /// One common vertex.
    SharedVertex,
    /// Two common vertices.
    SharedEdge,
    /// Touching, then some coordinates moved by a few representable steps.
    Ulps,
    /// Long and thin.
    Sliver,
    /// At least one without area: a segment.
    Segment,
    /// At least one is a single point.
    Dot,
    /// Coordinates from -2 to 2.
    Grid,
    /// From subnormal numbers to 2^250, one scale per pair.
    Scaled,
    /// Scales mixed between triangles, vertices or coordinates.
    Mixed,
    /// Far from the origin, in units of the last place there.
    Far,
    /// A vertex of one exactly in the face, edge or vertex of the other.
    VertexFace,
    /// Two edges exactly through a common point.
    EdgeEdge,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Generic,
        Self::Coplanar,
        Self::SharedVertex,
        Self::SharedEdge,
        Self::Ulps,
        Self::Sliver,
        Self::Segment,
        Self::Dot,
        Self::Grid,
        Self::Scaled,
        Self::Mixed,
        Self::Far,
        Self::VertexFace,
        Self::EdgeEdge,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Coplanar => "coplanar",
            Self::SharedVertex => "shared vertex",
            Self::SharedEdge => "shared edge",
            Self::Ulps => "a few ulps",
            Self::Sliver => "sliver",
            Self::Segment => "segment",
            Self::Dot => "point",
            Self::Grid => "small grid",
            Self::Scaled => "extreme scale",
            Self::Mixed => "mixed scales",
            Self::Far => "far away",
            Self::VertexFace => "vertex on face",
            Self::EdgeEdge => "edge on edge",
        }
    }
}

/// A pair of this kind, the triangles and their vertices in random order.
pub fn pair(kind: Kind, random: &mut Random) -> Pair {
    let mut pair = match kind {
        Kind::Generic => [triangle(random), triangle(random)],
        Kind::Coplanar => coplanar(random),
        Kind::SharedVertex => {
            let mut pair = any(random);
            pair[1][0] = pair[0][0];
            pair
        }
        Kind::SharedEdge => {
            let mut pair = any(random);
            (pair[1][0], pair[1][1]) = (pair[0][0], pair[0][1]);
            pair
        }
        Kind::Ulps => ulps(random),
        Kind::Sliver => {
            [sliver(random), if random.one_in(2) { sliver(random) } else { triangle(random) }]
        }
        Kind::Segment => segment(random),
        Kind::Dot => dot(random),
        Kind::Grid => [grid(random, 2), grid(random, 2)],
        Kind::Scaled => {
            let scale = random.power(-1074, 250);
            touching(random).map(|t| t.map(|p| p.map(|x| limited(x * scale))))
        }
        Kind::Mixed => mixed(random),
        Kind::Far => far(random),
        Kind::VertexFace => vertex_face(random),
        Kind::EdgeEdge => edge_edge(random),
    };
    if random.one_in(2) {
        pair.swap(0, 1);
    }
    pair.map(|mut triangle| {
        triangle.rotate_left(random.below(3) as usize);
        if random.one_in(2) {
            triangle.swap(0, 1);
        }
        triangle
    })
}

/// Keeps a coordinate within the magnitudes that the kernel's constructors accept.
fn limited(x: f64) -> f64 {
    let largest = impinge_lab::random::power_of_two(250);
    x.clamp(-largest, largest)
}

fn triangle(random: &mut Random) -> [Point; 3] {
    std::array::from_fn(|_| random.point())
}

fn grid(random: &mut Random, limit: i64) -> [Point; 3] {
    std::array::from_fn(|_| random.grid(limit))
}

/// A pair without relation: real, or on a grid.
fn any(random: &mut Random) -> Pair {
    if random.one_in(2) {
        [triangle(random), triangle(random)]
    } else {
        [grid(random, 4), grid(random, 4)]
    }
}

/// A pair that touches exactly, in some way.
fn touching(random: &mut Random) -> Pair {
    match random.below(4) {
        0 => vertex_face(random),
        1 => edge_edge(random),
        2 => coplanar(random),
        _ => any(random),
    }
}

/// o + s·u + t·v with small whole numbers is exact; so is one constant coordinate.
fn coplanar(random: &mut Random) -> Pair {
    if random.one_in(3) {
        let (axis, level) = (random.below(3) as usize, random.between(-1.0, 1.0));
        return [triangle(random), triangle(random)].map(|t| {
            t.map(|mut p| {
                p[axis] = level;
                p
            })
        });
    }
    let size = 1 << random.below(21);
    let reach = if random.one_in(2) { 3 } else { 1 << 20 };
    let [o, u, v] = [random.grid(size), random.grid(size), random.grid(size)];
    let mut place = || -> Point {
        let (s, t) = (random.whole(-reach, reach) as f64, random.whole(-reach, reach) as f64);
        std::array::from_fn(|c| o[c] + s * u[c] + t * v[c])
    };
    std::array::from_fn(|_| std::array::from_fn(|_| place()))
}

fn ulps(random: &mut Random) -> Pair {
    let mut pair = touching(random);
    for _ in 0..1 + random.below(4) {
        let x =
            &mut pair[random.below(2) as usize][random.below(3) as usize][random.below(3) as usize];
        *x = random.nudge(*x, 3);
    }
    pair
}

/// A point, an edge, and a third vertex hardly off the edge.
fn sliver(random: &mut Random) -> [Point; 3] {
    let (p, q, off) = (random.point(), random.point(), random.point());
    let (t, width) = (random.between(-0.5, 1.5), random.power(-60, -8));
    [p, q, std::array::from_fn(|c| p[c] + t * (q[c] - p[c]) + width * off[c])]
}

/// A segment against a triangle or a segment, often through an exact point of it.
fn segment(random: &mut Random) -> Pair {
    let mut pair = touching(random);
    for triangle in &mut pair {
        triangle[2] = match random.below(3) {
            0 => triangle[random.below(2) as usize],
            // The midpoint is exact for small whole numbers.
            1 => std::array::from_fn(|c| 0.5 * (triangle[0][c] + triangle[1][c])),
            _ => std::array::from_fn(|c| 2.0 * triangle[1][c] - triangle[0][c]),
        };
        if random.one_in(2) {
            break;
        }
    }
    pair
}

/// A single point, often exactly in the other triangle.
fn dot(random: &mut Random) -> Pair {
    let mut pair = touching(random);
    pair[1] = [pair[1][0]; 3];
    if random.one_in(5) {
        pair[0] = [pair[0][random.below(3) as usize]; 3];
    }
    pair
}

fn mixed(random: &mut Random) -> Pair {
    let mut pair = touching(random);
    let (low, high) = if random.one_in(2) { (-1074, 249) } else { (-40, 40) };
    match random.below(3) {
        0 => {
            for triangle in &mut pair {
                let scale = random.power(low, high);
                *triangle = triangle.map(|p| p.map(|x| limited(x * scale)));
            }
        }
        1 => {
            for point in pair.iter_mut().flatten() {
                let scale = random.power(low, high);
                *point = point.map(|x| limited(x * scale));
            }
        }
        _ => {
            for x in pair.iter_mut().flatten().flatten() {
                *x = limited(*x * random.power(low, high));
            }
        }
    }
    pair
}

/// Small whole numbers of the unit in the last place at a far offset.
fn far(random: &mut Random) -> Pair {
    let exponent = random.whole(-200, 249) as i32;
    let offset: Point = std::array::from_fn(|_| {
        random.whole(-1, 1) as f64 * impinge_lab::random::power_of_two(exponent)
    });
    let unit = impinge_lab::random::power_of_two(exponent - 52) * random.power(0, 20);
    touching(random).map(|t| t.map(|p| std::array::from_fn(|c| limited(offset[c] + unit * p[c]))))
}

/// A triangle whose vertices are multiples of 2^k, and a point of it with weights in units of 2^-k.
fn point_in_triangle(random: &mut Random) -> ([Point; 3], Point) {
    let (bits, size) = if random.one_in(2) { (2, 4) } else { (12, 1 << 20) };
    let parts = 1_i64 << bits;
    let base = grid(random, size);
    let first = random.whole(0, parts);
    let second = random.whole(0, parts - first);
    let weights = match random.below(4) {
        // On an edge, on a vertex, anywhere.
        0 => [first, parts - first, 0],
        1 => [parts, 0, 0],
        _ => [first, second, parts - first - second],
    };
    let point = std::array::from_fn(|c| (0..3).map(|i| weights[i] as f64 * base[i][c]).sum());
    (base.map(|p| p.map(|x| x * parts as f64)), point)
}

fn vertex_face(random: &mut Random) -> Pair {
    let (face, point) = point_in_triangle(random);
    let reach = 1 << (4 + random.below(30));
    let [u, v] = [random.grid(reach), random.grid(reach)];
    let at = |w: Point| std::array::from_fn(|c| point[c] + w[c]);
    [face, [point, at(u), at(v)]]
}

fn edge_edge(random: &mut Random) -> Pair {
    let (face, point) = point_in_triangle(random);
    let reach = 1 << (4 + random.below(30));
    let [u, v] = [random.grid(reach), random.grid(reach)];
    let factor = random.whole(1, 5) as f64;
    [
        face,
        [
            std::array::from_fn(|c| point[c] + u[c]),
            std::array::from_fn(|c| point[c] - factor * u[c]),
            std::array::from_fn(|c| point[c] + v[c]),
        ],
    ]
}
