//! Two hulls, one of which moves on a line: all normals of faces and products of edges as moving separating axes, in f64.

use super::{Point, Truth};
use crate::convex::format::Pair;
use crate::motion::format::Hull;

fn minus(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Directions of edges, each once.
fn edges(points: &[Point], triangles: &[[u32; 3]]) -> Vec<Point> {
    let sides = triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
    let once = sides.filter(|[from, to]| from < to);
    once.map(|[from, to]| minus(points[to as usize], points[from as usize])).collect()
}

fn normals(points: &[Point], triangles: &[[u32; 3]]) -> Vec<Point> {
    let corner = |index: u32| points[index as usize];
    let normal =
        |[a, b, c]: &[u32; 3]| cross(minus(corner(*b), corner(*a)), minus(corner(*c), corner(*a)));
    triangles.iter().map(normal).collect()
}

/// The truth of one query of `hull linear`.
pub fn truth(hulls: &[Hull], [a, b]: [u32; 2], numbers: &[f64]) -> Truth {
    let pair = Pair {
        a,
        b,
        rotation: [numbers[0], numbers[1], numbers[2], numbers[3]],
        translation: [numbers[4], numbers[5], numbers[6]],
    };
    let motion = [numbers[7], numbers[8], numbers[9]];
    let (points_a, triangles_a) = &hulls[a as usize];
    let (points_b, triangles_b) = &hulls[b as usize];
    let points_b: Vec<Point> = points_b.iter().map(|p| pair.map(*p)).collect();
    let (edges_a, edges_b) = (edges(points_a, triangles_a), edges(&points_b, triangles_b));
    let mut axes = normals(points_a, triangles_a);
    axes.extend(normals(&points_b, triangles_b));
    axes.extend(edges_a.iter().flat_map(|u| edges_b.iter().map(|v| cross(*u, *v))));
    let (mut first, mut last, mut parted) = (0.0f64, 1.0f64, f64::NEG_INFINITY);
    for axis in axes {
        let length = dot(axis, axis).sqrt();
        if length < 1e-9 {
            continue;
        }
        let axis = axis.map(|x| x / length);
        let extent = |points: &[Point]| {
            points
                .iter()
                .map(|p| dot(*p, axis))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |m, x| (m.0.min(x), m.1.max(x)))
        };
        let ((low_a, high_a), (low_b, high_b)) = (extent(points_a), extent(&points_b));
        let speed = dot(axis, motion);
        let (one, other) = ((low_a - high_b) / speed, (high_a - low_b) / speed);
        if speed.abs() < 1e-12 {
            parted = parted.max((low_b - high_a).max(low_a - high_b));
            continue;
        }
        first = first.max(one.min(other));
        last = last.min(one.max(other));
    }
    let meets = first <= last && parted <= 0.0;
    // A graze of length dt is at most |motion| dt deep.
    let margin = (last - first).abs().max(parted.max(0.0)) * dot(motion, motion).sqrt();
    Truth { time: meets.then_some(first), margin }
}
