//! The exact penetration depth of two polytopes, by brute force over the faces of their Minkowski difference.
//!
//! The depth is the least distance from the origin to a plane that supports the difference, and it is attained at a face.
//! Every face's normal is that of a plane through three points of A, or of B, or the product of an edge of A and one of B.
//! Taking all triples and all pairs of points gives all of them and more, and more does no harm: any direction gives an upper
//! bound. f64 picks the candidates that may be least, integers measure them.

use super::Point;
use super::lattice::{big, cross, dot, minus, sign};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// Where a candidate normal comes from: two edge vectors, each between two of all points.
type Source = [(usize, usize); 2];

/// The exact squared depth of hulls whose interiors meet; none if all candidates are degenerate, as for flat differences.
pub fn depth_squared(a: &[Point], b: &[Point]) -> Option<RBig> {
    let points: Vec<Point> = a.iter().chain(b).copied().collect();
    let (whole, exponent) = big(&points);
    let scale = points.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let sources = sources(a.len(), b.len());
    let rough: Vec<f64> = sources.iter().map(|s| approximate(&points, a.len(), *s)).collect();
    let least = rough.iter().copied().filter(|x| !x.is_nan()).fold(f64::MAX, f64::min);
    let mut best: Option<(IBig, IBig)> = None;
    for (source, value) in sources.iter().zip(&rough) {
        // What f64 cannot measure well is NaN, and is measured exactly.
        if *value <= least + 1e-7 * scale || value.is_nan() {
            for (over, under) in exact(&whole, a.len(), *source) {
                let less = best.as_ref().is_none_or(|(o, u)| &over * u < o * &under);
                if less {
                    best = Some((over, under));
                }
            }
        }
    }
    let (over, under) = best?;
    let shift = 2 * exponent.unsigned_abs() as usize;
    Some(if exponent >= 0 {
        RBig::from_parts_signed(over << shift, under)
    } else {
        RBig::from_parts_signed(over, under << shift)
    })
}

/// All candidates, as indices into A's points followed by B's.
fn sources(a: usize, b: usize) -> Vec<Source> {
    let mut found = Vec::new();
    for range in [0..a, a..a + b] {
        for i in range.clone() {
            for j in i + 1..range.end {
                found.extend((j + 1..range.end).map(|k| [(i, j), (i, k)]));
            }
        }
    }
    let pairs =
        |from: usize, to: usize| (from..to).flat_map(move |i| (i + 1..to).map(move |j| (i, j)));
    for first in pairs(0, a) {
        found.extend(pairs(a, a + b).map(|second| [first, second]));
    }
    found
}

/// The least of the two distances along the normal and against it; NaN if the normal is uncertain, infinite if it is zero.
fn approximate(points: &[Point], count: usize, [(i, j), (k, l)]: Source) -> f64 {
    let edge =
        |i: usize, j: usize| -> Point { std::array::from_fn(|c| points[j][c] - points[i][c]) };
    let (u, v) = (edge(i, j), edge(k, l));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = |v: Point| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let size = length(n);
    if size == 0.0 {
        return f64::INFINITY;
    }
    if size < 1e-6 * length(u) * length(v) {
        return f64::NAN;
    }
    let along = |p: &Point| (n[0] * p[0] + n[1] * p[1] + n[2] * p[2]) / size;
    let range = |points: &[Point]| {
        points.iter().map(along).fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)))
    };
    let ((low_a, high_a), (low_b, high_b)) = (range(&points[..count]), range(&points[count..]));
    (high_a - low_b).min(high_b - low_a)
}

/// The squares of the two distances as fractions, over and under; none if the normal is zero.
fn exact(points: &[[IBig; 3]], count: usize, [(i, j), (k, l)]: Source) -> Vec<(IBig, IBig)> {
    let n = cross(&minus(&points[j], &points[i]), &minus(&points[l], &points[k]));
    let square = dot(&n, &n);
    if sign(&square) == 0 {
        return Vec::new();
    }
    let along: Vec<IBig> = points.iter().map(|p| dot(&n, p)).collect();
    let (a, b) = along.split_at(count);
    let (Some(low_a), Some(high_a)) = (a.iter().min(), a.iter().max()) else { return Vec::new() };
    let (Some(low_b), Some(high_b)) = (b.iter().min(), b.iter().max()) else { return Vec::new() };
    [high_a - low_b, high_b - low_a].map(|d| (&d * &d, square.clone())).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::distance::root;

    #[test]
    fn by_hand() {
        let cube: Vec<Point> = (0..8_usize)
            .map(|i| std::array::from_fn(|c| if i >> c & 1 == 1 { 1.0 } else { -1.0 }))
            .collect();
        let moved = |by: Point| -> Vec<Point> {
            cube.iter().map(|p| std::array::from_fn(|c| p[c] + by[c])).collect()
        };
        let depth = |by| depth_squared(&cube, &moved(by)).map(|square| root(&square));
        assert_eq!(depth([1.5, 0.25, 0.0]), Some(0.5));
        assert_eq!(depth([0.0, 0.25, -1.75]), Some(0.25));
        assert_eq!(depth([0.0; 3]), Some(2.0));
        // The tip of a tetrahedron in the cube's face; two parallel segments have no candidate.
        let tip = [[0.0, 0.0, 0.9], [3.0, 0.0, 9.0], [-3.0, 3.0, 9.0], [-3.0, -3.0, 9.0]];
        let found = depth_squared(&cube, &tip).map(|square| root(&square)).unwrap();
        assert!((found - 0.1).abs() < 1e-15);
        let segment = [[0.0; 3], [1.0, 0.0, 0.0]];
        assert!(depth_squared(&segment, &segment).is_none());
    }
}
