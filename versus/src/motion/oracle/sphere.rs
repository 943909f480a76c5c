//! A sphere that moves on a line against a triangle: the distance of its centre is a convex function of time.

use super::{Point, Truth};

fn minus(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The distance of a point from a segment.
fn from_segment(p: Point, a: Point, b: Point) -> f64 {
    let (edge, to) = (minus(b, a), minus(p, a));
    let t = (dot(to, edge) / dot(edge, edge)).clamp(0.0, 1.0);
    let off = [0, 1, 2].map(|k| to[k] - t * edge[k]);
    dot(off, off).sqrt()
}

/// The distance of a point from a triangle: from its plane if it is above it, else from its edges.
fn from_triangle(p: Point, [a, b, c]: [Point; 3]) -> f64 {
    let (u, v, w) = (minus(b, a), minus(c, a), minus(p, a));
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    let determinant = uu * vv - uv * uv;
    let (s, t) = (
        (vv * dot(w, u) - uv * dot(w, v)) / determinant,
        (uu * dot(w, v) - uv * dot(w, u)) / determinant,
    );
    let edges = from_segment(p, a, b).min(from_segment(p, b, c)).min(from_segment(p, c, a));
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        let off = [0, 1, 2].map(|k| w[k] - s * u[k] - t * v[k]);
        edges.min(dot(off, off).sqrt())
    } else {
        edges
    }
}

/// The truth of one query of `sphere triangle`.
pub fn truth(numbers: &[f64]) -> Truth {
    let point = |at: usize| [numbers[at], numbers[at + 1], numbers[at + 2]];
    let (center, radius, motion) = (point(0), numbers[3], point(13));
    let corners = [point(4), point(7), point(10)];
    let gap =
        |t: f64| from_triangle([0, 1, 2].map(|k| center[k] + t * motion[k]), corners) - radius;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let (one, other) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if gap(one) < gap(other) { high = other } else { low = one }
    }
    let least = 0.5 * (low + high);
    let margin = gap(least).abs();
    if gap(least) > 0.0 {
        return Truth { time: None, margin };
    }
    let (mut before, mut after) = (0.0, least);
    if gap(0.0) <= 0.0 {
        return Truth { time: Some(0.0), margin };
    }
    for _ in 0..60 {
        let middle = 0.5 * (before + after);
        if gap(middle) > 0.0 { before = middle } else { after = middle }
    }
    Truth { time: Some(after), margin }
}
