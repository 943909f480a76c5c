//! Small meshes as nobody wants them: soups, solids that overlap themselves, copies, slivers, plates in one plane.

use crate::oracle::Point;
use crate::oracle::closed::{Block, side};
use impinge_lab::Random;

/// How a mesh is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Triangles anywhere, some without area, some twice.
    Soup,
    /// Triples of a few points of a grid: shared vertices, non-manifold edges, coplanar faces.
    Tangle,
    /// Triangles around one common edge.
    Fan,
    /// Parallel plates along the axes.
    Plates,
    /// A field of heights, open at its border.
    Patch,
    /// Long and thin triangles.
    Slivers,
    /// Triangles whose sizes differ by factors of a million.
    Sizes,
    /// Aligned boxes on a grid of whole numbers: touching, overlapping, equal.
    Blocks,
    /// One box whose faces are divided.
    Divided,
    /// Tetrahedra, double pyramids, hulls of points.
    Convex,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Soup,
        Self::Tangle,
        Self::Fan,
        Self::Plates,
        Self::Patch,
        Self::Slivers,
        Self::Sizes,
        Self::Blocks,
        Self::Divided,
        Self::Convex,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soup => "soup",
            Self::Tangle => "tangle",
            Self::Fan => "fan",
            Self::Plates => "plates",
            Self::Patch => "patch",
            Self::Slivers => "slivers",
            Self::Sizes => "mixed sizes",
            Self::Blocks => "blocks",
            Self::Divided => "divided box",
            Self::Convex => "convex",
        }
    }
}

/// What is known of a mesh as a solid.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// Nothing: it is open, or meets itself.
    Unknown,
    /// The union of aligned boxes, all turned outwards or all inwards.
    Blocks(Vec<Block>),
    /// A convex body, unless rounding has made it none.
    Convex,
}

/// Vertices and triangles.
#[derive(Clone, Debug)]
pub struct Body {
    /// How it was made.
    pub kind: Kind,
    /// The vertices.
    pub vertices: Vec<Point>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
    /// What is known of it as a solid.
    pub solid: Solid,
}

/// A mesh of 1 to 60 triangles, about one or two units large and around the origin; grids are of whole numbers.
pub fn body(kind: Kind, random: &mut Random) -> Body {
    let mut body =
        Body { kind, vertices: Vec::new(), triangles: Vec::new(), solid: Solid::Unknown };
    match kind {
        Kind::Soup => soup(&mut body, random),
        Kind::Tangle => tangle(&mut body, random),
        Kind::Fan => fan(&mut body, random),
        Kind::Plates => plates(&mut body, random),
        Kind::Patch => patch(&mut body, random),
        Kind::Slivers => slivers(&mut body, random),
        Kind::Sizes => sizes(&mut body, random),
        Kind::Blocks => blocks(&mut body, random),
        Kind::Divided => divided(&mut body, random),
        Kind::Convex => convex(&mut body, random),
    }
    if kind == Kind::Convex || kind == Kind::Blocks || kind == Kind::Divided {
        // Inside out is a solid, too: its winding number is not zero.
        if random.one_in(4) {
            body.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        }
    }
    for k in (1..body.triangles.len()).rev() {
        body.triangles.swap(k, random.below(k as u64 + 1) as usize);
    }
    body
}

/// The number of triangles of an open mesh: often few, often several leaves of a hierarchy.
fn count(random: &mut Random) -> u64 {
    if random.one_in(4) { 1 + random.below(9) } else { 1 + random.below(60) }
}

impl Body {
    fn push(&mut self, corners: [Point; 3]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners);
        self.triangles.push([first, first + 1, first + 2]);
    }

    /// Two triangles, the diagonal either way.
    fn quad(&mut self, [a, b, c, d]: [u32; 4], other: bool) {
        let halves = if other { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] };
        self.triangles.extend(halves);
    }
}

fn soup(body: &mut Body, random: &mut Random) {
    let size = random.between(0.1, 1.0);
    for _ in 0..count(random) {
        let center = random.point();
        let mut corners: [Point; 3] = std::array::from_fn(|_| {
            let around = random.point();
            std::array::from_fn(|c| center[c] + size * around[c])
        });
        match random.below(12) {
            0 => corners[1] = corners[0],
            1 => corners = [corners[0]; 3],
            2 => corners[2] = std::array::from_fn(|c| 0.5 * (corners[0][c] + corners[1][c])),
            _ => {}
        }
        body.push(corners);
        let before = body.triangles[random.below(body.triangles.len() as u64) as usize];
        match random.below(12) {
            0 => body.triangles.push(before),
            1 => body.triangles.push([before[1], before[0], before[2]]),
            2 => {
                let corners = before.map(|vertex| body.vertices[vertex as usize]);
                body.push(corners);
            }
            _ => {}
        }
    }
    body.triangles.truncate(60);
}

fn tangle(body: &mut Body, random: &mut Random) {
    let points = 3 + random.below(20);
    body.vertices = (0..points).map(|_| random.grid(2)).collect();
    for _ in 0..count(random) {
        body.triangles.push(std::array::from_fn(|_| random.below(points) as u32));
    }
}

fn fan(body: &mut Body, random: &mut Random) {
    let [from, to] = if random.one_in(2) {
        [random.grid(2), random.grid(2)]
    } else {
        [random.point(), random.point()]
    };
    body.vertices.extend([from, to]);
    for k in 0..count(random) {
        let tip = if random.one_in(3) { random.grid(2) } else { random.point() };
        body.vertices.push(tip);
        body.triangles.push([0, 1, 2 + k as u32]);
    }
}

fn plates(body: &mut Body, random: &mut Random) {
    let axis = random.below(3) as usize;
    for _ in 0..1 + random.below(3) {
        let (wide, high) = (1 + random.below(3) as u32, 1 + random.below(3) as u32);
        let corner = random.grid(2);
        let first = body.vertices.len() as u32;
        for u in 0..=wide {
            for v in 0..=high {
                let mut point = corner;
                point[(axis + 1) % 3] += f64::from(u);
                point[(axis + 2) % 3] += f64::from(v);
                body.vertices.push(point);
            }
        }
        let at = |u, v| first + u * (high + 1) + v;
        for u in 0..wide {
            for v in 0..high {
                let corners = [at(u, v), at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)];
                body.quad(corners, random.one_in(2));
            }
        }
    }
}

fn patch(body: &mut Body, random: &mut Random) {
    let (wide, high) = (1 + random.below(6) as u32, 1 + random.below(5) as u32);
    let rough = random.between(0.0, 0.6);
    for u in 0..=wide {
        for v in 0..=high {
            let place = [f64::from(u) / 3.0 - 1.0, f64::from(v) / 2.5 - 1.0];
            body.vertices.push([place[0], place[1], rough * random.between(-1.0, 1.0)]);
        }
    }
    for u in 0..wide {
        for v in 0..high {
            let at = |u, v| u * (high + 1) + v;
            let corners = [at(u, v), at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)];
            body.quad(corners, random.one_in(2));
        }
    }
}

fn slivers(body: &mut Body, random: &mut Random) {
    for _ in 0..count(random) {
        let (p, q, off) = (random.point(), random.point(), random.point());
        let (t, width) = (random.between(-0.5, 1.5), random.power(-60, -8));
        body.push([p, q, std::array::from_fn(|c| p[c] + t * (q[c] - p[c]) + width * off[c])]);
    }
}

fn sizes(body: &mut Body, random: &mut Random) {
    for _ in 0..count(random) {
        let (center, size) = (random.point(), random.power(-20, 0));
        body.push(std::array::from_fn(|_| {
            let around = random.point();
            std::array::from_fn(|c| center[c] + size * around[c])
        }));
    }
}

/// The corners of a box: bit 0 is x, bit 1 is y, bit 2 is z; its twelve triangles look outwards.
fn push_block(body: &mut Body, block: &Block, random: &mut Random) {
    let first = body.vertices.len() as u32;
    for corner in 0..8 {
        body.vertices.push(std::array::from_fn(|c| {
            if corner >> c & 1 == 1 { block.high[c] } else { block.low[c] }
        }));
    }
    for [a, b, c, d] in SIDES {
        body.quad([first + a, first + b, first + c, first + d], random.one_in(2));
    }
}

const SIDES: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

fn block(random: &mut Random, reach: i64) -> Block {
    let low = random.grid(2);
    let high = std::array::from_fn(|c| low[c] + random.whole(1, reach) as f64);
    Block { low, high }
}

fn blocks(body: &mut Body, random: &mut Random) {
    let reach = if random.one_in(2) { 2 } else { 5 };
    let mut list: Vec<Block> = Vec::new();
    for _ in 0..1 + random.below(5) {
        let mut next = block(random, reach);
        if let Some(last) = list.last() {
            let axis = random.below(3) as usize;
            match random.below(6) {
                // Beside the last one, face on face.
                0 | 1 => {
                    let long = next.high[axis] - next.low[axis];
                    next = *last;
                    (next.low[axis], next.high[axis]) = (last.high[axis], last.high[axis] + long);
                }
                2 => next = *last,
                _ => {}
            }
        }
        list.push(next);
    }
    list.iter().for_each(|block| push_block(body, block, random));
    body.solid = Solid::Blocks(list);
}

fn divided(body: &mut Body, random: &mut Random) {
    let block = block(random, 4);
    // Where the faces are divided, the same for all that meet in an edge: else the surface would not be closed.
    let middle: Point = std::array::from_fn(|c| {
        block.low[c] + random.whole(1, 7) as f64 / 8.0 * (block.high[c] - block.low[c])
    });
    let corner =
        |bits: u32, c: usize| if bits >> c & 1 == 1 { block.high[c] } else { block.low[c] };
    for [a, b, _, d] in SIDES {
        let first = body.vertices.len() as u32;
        for u in 0..3 {
            for v in 0..3 {
                body.vertices.push(std::array::from_fn(|c| {
                    let (to, step) = if (a ^ b) >> c & 1 == 1 { (b, u) } else { (d, v) };
                    match step {
                        0 => corner(a, c),
                        1 if corner(a, c) != corner(to, c) => middle[c],
                        _ => corner(to, c),
                    }
                }));
            }
        }
        for u in 0..2 {
            for v in 0..2 {
                let at = |u: u32, v: u32| first + u * 3 + v;
                let corners = [at(u, v), at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)];
                body.quad(corners, random.one_in(2));
            }
        }
    }
    body.solid = Solid::Blocks(vec![block]);
}

fn convex(body: &mut Body, random: &mut Random) {
    loop {
        body.vertices = match random.below(4) {
            0 => (0..4).map(|_| random.grid(2)).collect(),
            1 => {
                let around = 3 + random.below(8) as u32;
                let mut points = vec![[0.0, 0.0, random.between(0.2, 1.5)], [0.0, 0.0, -1.0]];
                points.extend((0..around).map(|_| {
                    let [x, y, _] = random.direction();
                    let length = (x * x + y * y).sqrt().max(1e-3);
                    [x / length, y / length, 0.0]
                }));
                points
            }
            _ => (0..4 + random.below(12)).map(|_| random.direction()).collect(),
        };
        if let Some(triangles) = hull(&body.vertices) {
            body.triangles = triangles;
            body.solid = Solid::Convex;
            return;
        }
    }
}

/// The facets of the hull, by looking at every triple; `None` if four points of a facet lie in one plane, or a point is inside.
fn hull(points: &[Point]) -> Option<Vec<[u32; 3]>> {
    let mut facets = Vec::new();
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            for k in j + 1..points.len() {
                let (mut above, mut below, mut level) = (false, false, false);
                for (l, point) in points.iter().enumerate() {
                    if [i, j, k].contains(&l) {
                        continue;
                    }
                    match side(&[points[i], points[j], points[k]], point) {
                        0 => level = true,
                        1 => above = true,
                        _ => below = true,
                    }
                }
                match (above, below) {
                    (true, true) => {}
                    (false, false) => return None,
                    _ if level => return None,
                    (true, false) => facets.push([j as u32, i as u32, k as u32]),
                    (false, true) => facets.push([i as u32, j as u32, k as u32]),
                }
            }
        }
    }
    // Euler: with all points on it, a hull of triangles has two less than twice as many facets.
    (facets.len() + 4 == 2 * points.len() && facets.len() <= 60).then_some(facets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_small_and_valid() {
        let mut random = Random::new(3);
        for round in 0..600 {
            let body = body(Kind::ALL[round % 10], &mut random);
            assert!((1..=60).contains(&body.triangles.len()), "{:?}", body.kind);
            let vertices = body.vertices.len() as u32;
            assert!(body.triangles.iter().flatten().all(|vertex| *vertex < vertices));
        }
    }

    /// The signed volume, six times.
    fn volume(body: &Body) -> f64 {
        let det = |[a, b, c]: [Point; 3]| {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        body.triangles.iter().map(|t| det(t.map(|vertex| body.vertices[vertex as usize]))).sum()
    }

    #[test]
    fn solids_hold_the_volume_of_their_blocks() {
        let mut random = Random::new(4);
        for round in 0..300 {
            let body = body([Kind::Blocks, Kind::Divided][round % 2], &mut random);
            let Solid::Blocks(blocks) = &body.solid else { panic!("blocks") };
            let sum: f64 = blocks
                .iter()
                .map(|block| (0..3).map(|c| block.high[c] - block.low[c]).product::<f64>())
                .sum();
            assert!((volume(&body).abs() - 6.0 * sum).abs() < 1e-9, "{body:?}");
        }
    }
}
