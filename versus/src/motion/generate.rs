//! The inputs of `motion`, made from a seed. All numbers but rotations are `f32` values, as those of `convex`.

use super::format::{Hull, Input};
use crate::convex::format::{Kind, Shape};
use crate::convex::generate as convex;
use crate::mesh::model::Model;
use crate::random::{Random, single};

fn point(random: &mut Random, size: f64) -> [f64; 3] {
    std::array::from_fn(|_| single(random.between(-size, size)))
}

/// The hulls of `convex`. B starts 4 away from A's centre in a random direction and moves 6 towards a point near it.
/// Numbers: unit quaternion w x y z and translation of B in A, then its motion.
pub fn hull_linear(seed: u64, count: usize) -> Input {
    convex_pairs(
        "hull linear",
        bodies(Kind::Hull, seed),
        &mut Random::new(seed ^ 0x4c1),
        count,
        false,
    )
}

/// The same, where B also turns about its origin. Numbers: as above, then the rotation vector of the turn in A's frame, up to 1.7 radians long.
pub fn hull_rotating(seed: u64, count: usize) -> Input {
    convex_pairs(
        "hull rotating",
        bodies(Kind::Hull, seed),
        &mut Random::new(seed ^ 0x4c2),
        count,
        true,
    )
}

/// The same for boxes, as hulls whose last corner is the half extents.
pub fn box_rotating(seed: u64, count: usize) -> Input {
    convex_pairs(
        "box rotating",
        bodies(Kind::Box, seed),
        &mut Random::new(seed ^ 0x4c3),
        count,
        true,
    )
}

/// The bodies of `convex` as corners and triangles.
fn bodies(kind: Kind, seed: u64) -> Vec<Hull> {
    let shapes = convex::input(kind, seed, 1).shapes.into_iter();
    shapes
        .filter_map(|shape| match shape {
            Shape::Hull { vertices, triangles } => Some((vertices, triangles)),
            Shape::Box { half } => Some(corners(half)),
            _ => None,
        })
        .collect()
}

/// A box, counter-clockwise from outside; corner k has the signs of its bits.
fn corners(half: [f64; 3]) -> Hull {
    let corner =
        |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] });
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn convex_pairs(
    case: &str,
    hulls: Vec<Hull>,
    random: &mut Random,
    count: usize,
    turns: bool,
) -> Input {
    let (mut pairs, mut numbers) = (Vec::new(), Vec::new());
    for _ in 0..count {
        pairs.push([random.below(hulls.len()) as u32, random.below(hulls.len()) as u32]);
        let rotation: [f64; 4] = random.direction();
        let away: [f64; 3] = random.direction();
        let target = point(random, 1.8);
        let from = away.map(|x| single(4.0 * x));
        let motion: [f64; 3] = std::array::from_fn(|k| single(1.5 * (target[k] - from[k])));
        let mut all = [&rotation[..], &from[..], &motion[..]].concat();
        if turns {
            all.extend(point(random, 1.0));
        }
        numbers.push(all);
    }
    Input { case: case.into(), hulls, pairs, numbers }
}

/// A mesh with a diagonal of 1 against itself: B starts 1.5 away in a random direction and orientation and moves 1.7 back with noise of 0.3. Numbers as for
/// hulls; with a turn, a rotation vector within 1.
pub fn meshes(model: &Model, turns: bool, seed: u64, count: usize) -> Input {
    let mut random = Random::new(seed ^ 0x3e5);
    let (centre, scale) = (model.mesh.centre(), 1.0 / model.mesh.diameter());
    let place = |p: &[f64; 3]| [0, 1, 2].map(|k| single((p[k] - centre[k]) * scale));
    let mesh: Hull =
        (model.mesh.vertices.iter().map(place).collect(), model.mesh.triangles.clone());
    let numbers = (0..count)
        .map(|_| {
            let rotation: [f64; 4] = random.direction();
            let away: [f64; 3] = random.direction();
            let (noise, turn) = (point(&mut random, 0.3), point(&mut random, 1.0));
            let from = away.map(|x| single(1.5 * x));
            let motion: [f64; 3] = std::array::from_fn(|k| single(noise[k] - 1.7 * away[k]));
            let mut all = [&rotation[..], &from[..], &motion[..]].concat();
            if turns {
                all.extend(turn);
            }
            all
        })
        .collect();
    let kind = if turns { "screw" } else { "linear" };
    let case = format!("mesh {kind} {}", model.name);
    Input { case, hulls: vec![mesh], pairs: vec![[0, 0]; count], numbers }
}

/// A sphere against a triangle. Numbers: centre, radius, three corners, motion of the sphere.
pub fn sphere_triangle(seed: u64, count: usize) -> Input {
    let mut random = Random::new(seed ^ 0x57);
    let numbers: Vec<Vec<f64>> = (0..count)
        .map(|_| {
            let corners = [(); 3].map(|()| point(&mut random, 1.0));
            let away: [f64; 3] = random.direction();
            let center = away.map(|x| single(3.0 * x));
            let target = point(&mut random, 1.2);
            let motion: [f64; 3] = std::array::from_fn(|k| single(1.5 * (target[k] - center[k])));
            let radius = [single(random.between(0.1, 0.4))];
            [&center[..], &radius, &corners.concat(), &motion].concat()
        })
        .collect();
    without_hulls("sphere triangle", numbers)
}

/// Coordinates within 1, motion within 0.1, the features within 0.1 of each other. Numbers: four points at the start, four at
/// the end; a vertex and a triangle, or two edges.
pub fn vertices(edges: bool, seed: u64, count: usize) -> Input {
    let mut random = Random::new(seed ^ if edges { 0xee } else { 0xf });
    let numbers = (0..count).map(|_| near(edges, &mut random)).collect();
    without_hulls(if edges { "edge-edge" } else { "vertex-face" }, numbers)
}

fn near(edges: bool, random: &mut Random) -> Vec<f64> {
    let mut start = [(); 4].map(|()| point(random, 1.0));
    let offset = point(random, 0.1);
    let [s, t, w] = [(); 3].map(|()| random.between(0.0, 1.0));
    let mix = |a: [f64; 3], b: [f64; 3], t: f64, k: usize| a[k] + t * (b[k] - a[k]);
    if edges {
        let shift: [f64; 3] = std::array::from_fn(|k| {
            mix(start[0], start[1], s, k) - mix(start[2], start[3], t, k) + offset[k]
        });
        for corner in &mut start[2..] {
            *corner = std::array::from_fn(|k| single(corner[k] + shift[k]));
        }
    } else {
        let [_, a, b, c] = start;
        let sum = s + t + w;
        start[0] =
            std::array::from_fn(|k| single((s * a[k] + t * b[k] + w * c[k]) / sum + offset[k]));
    }
    let end = start.map(|corner| {
        let step = point(random, 0.1);
        std::array::from_fn::<f64, 3, _>(|k| single(corner[k] + step[k]))
    });
    [start, end].concat().concat()
}

/// Motion in one plane, exactly or nearly: in turns a plane across an axis; the same with coordinates along the axis a few representable numbers off; that plane
/// through the origin, where a few numbers off are the smallest there are; a tilted plane, rounded; and a tilted plane on a grid, exactly. Coordinates are not
/// `f32` values. Numbers as for [`vertices`].
pub fn coplanar(edges: bool, seed: u64, count: usize) -> Input {
    let mut random = Random::new(seed ^ if edges { 0xc0e } else { 0xc0f });
    let numbers = (0..count).map(|index| in_plane(index % 5, edges, &mut random)).collect();
    without_hulls(if edges { "edge-edge coplanar" } else { "vertex-face coplanar" }, numbers)
}

fn in_plane(kind: usize, edges: bool, random: &mut Random) -> Vec<f64> {
    let mut flat = near(edges, random);
    let tilted: [[f64; 3]; 2] = if kind == 4 {
        [(); 2].map(|()| std::array::from_fn(|_| random.below(19) as f64 - 9.0))
    } else {
        [(); 2].map(|()| random.direction())
    };
    let height = if kind == 2 { 0.0 } else { random.between(-1.0, 1.0) };
    for point in flat.chunks_exact_mut(3) {
        match kind {
            0 => point[2] = height,
            1 | 2 => point[2] = off(height, random),
            _ => {
                // On the grid all products are exact.
                let unit = if kind == 4 { 2f64.powi(20) } else { 1.0 };
                let [s, t] =
                    [point[0], point[1]].map(|x| if kind == 4 { (x * unit).round() } else { x });
                let place = |k: usize| (s * tilted[0][k] + t * tilted[1][k]) / unit;
                point.copy_from_slice(&[place(0), place(1), place(2)]);
            }
        }
    }
    flat
}

/// A number up to three representable ones off.
fn off(mut value: f64, random: &mut Random) -> f64 {
    for _ in 0..random.below(4) {
        value = if random.below(2) == 0 { value.next_up() } else { value.next_down() };
    }
    value
}

fn without_hulls(case: &str, numbers: Vec<Vec<f64>>) -> Input {
    let pairs = vec![[0, 0]; numbers.len()];
    Input { case: case.into(), hulls: Vec::new(), pairs, numbers }
}
