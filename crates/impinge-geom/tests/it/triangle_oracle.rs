//! Triangle pairs in exact arithmetic, by brute force on the nine differences of corners.
//!
//! Two convex bodies A and B meet iff the origin is in A − B, their relative interiors meet with no plane holding both iff it
//! is in the interior of A − B, and their distance is that of the origin to A − B. Here A − B is the hull of nine points; no
//! orientation predicate, plane test or interval appears.

use crate::integers::{Vector, cross, dot, integers, minus, sign};
use crate::random::scaled;
use glam::DVec3;
use impinge_geom::triangle::TriangleVerdict;
use num_bigint::BigInt;

/// The nine differences `a_i − b_j` as integers, and their common exponent.
pub(crate) fn differences(a: &[DVec3; 3], b: &[DVec3; 3]) -> (Vec<Vector>, i32) {
    let (v, exponent) = integers(&[a[0], a[1], a[2], b[0], b[1], b[2]]);
    ((0..9).map(|k| minus(&v[k / 3], &v[3 + k % 3])).collect(), exponent)
}

/// The verdict by the position of the origin with respect to the hull of the differences.
pub(crate) fn oracle_verdict(a: &[DVec3; 3], b: &[DVec3; 3]) -> TriangleVerdict {
    let (points, _) = differences(a, b);
    let mut determinants = [[[0; 9]; 9]; 9];
    let mut interior = true;
    for i in 0..9 {
        for j in i + 1..9 {
            let normal = cross(&points[i], &points[j]);
            let signs = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|k| sign(&dot(&normal, &points[k])));
            determinants[i][j] = signs;
            // A plane through the origin with all points on one closed side keeps the origin out of the interior.
            let split = signs.contains(&1) && signs.contains(&-1);
            interior &= split || normal.iter().all(|c| *c == BigInt::ZERO);
        }
    }
    let spans_space = determinants.iter().flatten().flatten().any(|s| *s != 0);
    if interior && spans_space {
        TriangleVerdict::Crossing
    } else if origin_in_hull(&points, &determinants) {
        TriangleVerdict::Touching
    } else {
        TriangleVerdict::Separated
    }
}

/// Carathéodory: the origin is in the hull iff it is in a simplex of at most four of the points.
fn origin_in_hull(points: &[Vector], determinants: &[[[i32; 9]; 9]; 9]) -> bool {
    let zero = |v: &Vector| v.iter().all(|c| *c == BigInt::ZERO);
    for i in 0..9 {
        if zero(&points[i]) {
            return true;
        }
        for j in i + 1..9 {
            let ij = cross(&points[i], &points[j]);
            if zero(&ij) {
                if dot(&points[i], &points[j]) < BigInt::ZERO {
                    return true;
                }
                continue;
            }
            for k in j + 1..9 {
                if determinants[i][j][k] == 0 {
                    let around = [cross(&points[j], &points[k]), cross(&points[k], &points[i])];
                    if around.iter().all(|n| dot(&ij, n) > BigInt::ZERO) {
                        return true;
                    }
                    continue;
                }
                for l in k + 1..9 {
                    let signs = [
                        determinants[j][k][l],
                        -determinants[i][k][l],
                        determinants[i][j][l],
                        -determinants[i][j][k],
                    ];
                    if !(signs.contains(&1) && signs.contains(&-1)) {
                        return true;
                    }
                }
            }
        }
    }
    false
}

/// The squared distance of the origin from the hull of the points, as a fraction; for triangles that are separated.
///
/// The nearest point of the hull is the foot of the perpendicular on the span of one, two or three of the points; every foot
/// inside its simplex is a point of the hull, so the least of all is right.
fn squared_distance(points: &[Vector]) -> (BigInt, BigInt) {
    let mut best: Option<(BigInt, BigInt)> = None;
    let mut offer = |numerator: BigInt, denominator: BigInt| {
        if best.as_ref().is_none_or(|(n, d)| &numerator * d < n * &denominator) {
            best = Some((numerator, denominator));
        }
    };
    for (i, p) in points.iter().enumerate() {
        offer(dot(p, p), BigInt::from(1));
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            let u = minus(q, p);
            let (square, along) = (dot(&u, &u), -dot(p, &u));
            if square == BigInt::ZERO {
                continue;
            }
            if along >= BigInt::ZERO && along <= square {
                offer(dot(p, p) * &square - &along * &along, square);
            }
            for r in points.iter().skip(j + 1) {
                let normal = cross(&u, &minus(r, p));
                // The origin's foot is inside iff the three triangles that it forms turn the same way.
                let turns =
                    [(p, q), (q, r), (r, p)].map(|(s, t)| sign(&dot(&normal, &cross(s, t))));
                let square = dot(&normal, &normal);
                if square != BigInt::ZERO && !turns.contains(&-1) {
                    let height = dot(&normal, p);
                    offer(&height * &height, square);
                }
            }
        }
    }
    best.unwrap_or((BigInt::ZERO, BigInt::from(1)))
}

/// The distance of triangles that are separated, or of a triangle and a point, to about 2^-60 of itself.
pub(crate) fn oracle_distance(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let (points, exponent) = differences(a, b);
    let (numerator, denominator) = squared_distance(&points);
    if numerator == BigInt::ZERO {
        return 0.0;
    }
    // 140 digits of the quotient, by an even shift, give 70 of the root.
    let mut shift = 140 + denominator.bits() as i64 - numerator.bits() as i64;
    shift += shift & 1;
    let quotient = if shift >= 0 {
        (numerator << shift as u64) / denominator
    } else {
        numerator / (denominator << (-shift) as u64)
    };
    let root = quotient.sqrt();
    let drop = root.bits() - 64;
    let digits = (root >> drop).iter_u64_digits().next().unwrap_or(0);
    scaled(digits as f64, drop as i32 + exponent - (shift / 2) as i32)
}
