//! Polytopes in one frame: every candidate axis and every pair of features.

use super::vector::{Vector, cross, dot, length, segment_segment, sub};
use crate::convex::format::Shape;

/// A convex polytope with what its features are made of.
pub(super) struct Polytope {
    pub(super) vertices: Vec<Vector>,
    pub(super) triangles: Vec<[usize; 3]>,
    /// Each edge once.
    pub(super) edges: Vec<[usize; 2]>,
}

/// A candidate direction for separation, as vertex indices, so that it can be redone exactly.
#[derive(Clone, Copy)]
pub(super) enum Axis {
    FaceOfA([usize; 3]),
    FaceOfB([usize; 3]),
    Edges([usize; 2], [usize; 2]),
}

/// Corners and triangles of a box.
pub(super) fn box_as_hull(shape: &Shape) -> Shape {
    let Shape::Box { half } = shape else { return shape.clone() };
    // Bit k of the index is the sign of coordinate k.
    let corner = |index: usize| -> Vector {
        std::array::from_fn(|axis| if index >> axis & 1 == 1 { half[axis] } else { -half[axis] })
    };
    let vertices = (0..8).map(corner).collect();
    let mut triangles = Vec::new();
    for axis in 0..3 {
        let (next, last) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let top = 1 << axis;
        triangles.push([top, top + next, top + next + last]);
        triangles.push([top, top + next + last, top + last]);
        triangles.push([0, last, next + last]);
        triangles.push([0, next + last, next]);
    }
    Shape::Hull { vertices, triangles }
}

impl Polytope {
    /// A hull or a box with its vertices mapped. A capsule has no vertices and gives an empty polytope.
    pub(super) fn new(shape: &Shape, map: impl Fn(Vector) -> Vector) -> Polytope {
        let Shape::Hull { vertices, triangles } = box_as_hull(shape) else {
            return Polytope { vertices: Vec::new(), triangles: Vec::new(), edges: Vec::new() };
        };
        let triangles: Vec<[usize; 3]> =
            triangles.iter().map(|corners| corners.map(|index| index as usize)).collect();
        let edges = triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .filter(|[from, to]| from < to)
            .collect();
        Polytope { vertices: vertices.into_iter().map(map).collect(), triangles, edges }
    }

    /// Least and greatest value of the vertices along a direction.
    fn interval(&self, direction: Vector) -> (f64, f64) {
        self.vertices.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &vertex| {
            let value = dot(vertex, direction);
            (low.min(value), high.max(value))
        })
    }

    /// Two edge vectors of a triangle.
    fn sides(&self, corners: [usize; 3]) -> (Vector, Vector) {
        let [a, b, c] = corners.map(|index| self.vertices[index]);
        (sub(b, a), sub(c, a))
    }
}

/// All axes along which two polytopes can be separated, if they can be at all: the normals of the faces of both and
/// the cross products of their edges.
pub(super) fn axes<'a>(a: &'a Polytope, b: &'a Polytope) -> impl Iterator<Item = Axis> + 'a {
    let faces_a = a.triangles.iter().map(|&corners| Axis::FaceOfA(corners));
    let faces_b = b.triangles.iter().map(|&corners| Axis::FaceOfB(corners));
    let edges =
        a.edges.iter().flat_map(|&edge| b.edges.iter().map(move |&other| Axis::Edges(edge, other)));
    faces_a.chain(faces_b).chain(edges)
}

/// The two vectors whose cross product is the axis.
pub(super) fn factors(a: &Polytope, b: &Polytope, axis: Axis) -> (Vector, Vector) {
    match axis {
        Axis::FaceOfA(corners) => a.sides(corners),
        Axis::FaceOfB(corners) => b.sides(corners),
        Axis::Edges([from, to], [start, end]) => {
            (sub(a.vertices[to], a.vertices[from]), sub(b.vertices[end], b.vertices[start]))
        }
    }
}

/// Gap between the two along a unit direction or its opposite, negative if the intervals overlap.
pub(super) fn gap(a: &Polytope, b: &Polytope, direction: Vector) -> f64 {
    let ((low_a, high_a), (low_b, high_b)) = (a.interval(direction), b.interval(direction));
    (low_b - high_a).max(low_a - high_b)
}

/// Greatest gap over all axes. Minus the penetration depth if the two overlap: the faces of their Minkowski difference
/// are perpendicular to these axes.
pub(super) fn separation(a: &Polytope, b: &Polytope) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for axis in axes(a, b) {
        let (u, v) = factors(a, b, axis);
        let normal = cross(u, v);
        let size = length(normal);
        // The direction of nearly parallel edges is noise, and a neighbouring face normal does as well.
        if size > 1e-12 {
            best = best.max(gap(a, b, normal.map(|value| value / size)));
        }
    }
    best
}

/// Distance of two polytopes that are apart: the least over all vertex–face and edge–edge pairs.
pub(super) fn distance(a: &Polytope, b: &Polytope) -> f64 {
    let mut squared = f64::INFINITY;
    for &edge in &a.edges {
        for &other in &b.edges {
            let segments =
                (edge.map(|index| a.vertices[index]), other.map(|index| b.vertices[index]));
            squared = squared.min(segment_segment(segments.0, segments.1));
        }
    }
    squared.min(vertices_faces(a, b)).min(vertices_faces(b, a)).sqrt()
}

/// Least squared distance from a vertex of `points` to the inside of a triangle of `faces`; where the nearest point of
/// a triangle is on its border, a pair of edges is as close.
fn vertices_faces(points: &Polytope, faces: &Polytope) -> f64 {
    let mut best = f64::INFINITY;
    for &corners in &faces.triangles {
        let (u, v) = faces.sides(corners);
        let normal = cross(u, v);
        let squared = dot(normal, normal);
        let [a, b, c] = corners.map(|index| faces.vertices[index]);
        for &point in &points.vertices {
            let inside = |from: Vector, to: Vector| {
                dot(cross(sub(to, from), sub(point, from)), normal) >= 0.0
            };
            if inside(a, b) && inside(b, c) && inside(c, a) {
                let across = dot(sub(point, a), normal);
                best = best.min(across * across / squared);
            }
        }
    }
    best
}
