//! Certified bounds of the signed distance of two convex bodies, by sampling all directions.
//!
//! For the unit direction n let σ(n) be the gap between A and B seen along n: the least n·b minus the greatest n·a. The signed
//! distance is the maximum of σ over the sphere of directions, whether the bodies are apart or not. Every sample is a lower
//! bound. The sphere is cut into cells, and any point d of the difference B − A has σ(n) ≤ n·d, whose maximum over the cap
//! around a cell is elementary: an upper bound. Good choices of d are the difference of the support points at the cell's centre, and
//! its mean with the d of the cell that this one was cut from, weighted so that it is most nearly parallel to the
//! centre: where two or more support points tie, only a mean is. The cell with the highest upper bound is cut into four until
//! the two bounds meet.

use super::Point;
use super::solid::{Placed, dot};
use std::collections::BinaryHeap;

/// An interval that holds the signed distance.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// A sample.
    pub low: f64,
    /// No direction gives more.
    pub high: f64,
    /// The direction of the sample, from A to B.
    pub direction: Point,
    /// How many directions were looked at.
    pub samples: usize,
}

/// A square on a face of the cube around the sphere, with its upper bound.
struct Cell {
    high: f64,
    d: Point,
    face: usize,
    center: [f64; 2],
    half: f64,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Cell {}
impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cell {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.high.total_cmp(&other.high)
    }
}

/// The unit direction of a point on a face of the cube.
fn direction(face: usize, [u, v]: [f64; 2]) -> Point {
    let side = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
    let mut n = [0.0; 3];
    (n[face / 2], n[(face / 2 + 1) % 3], n[(face / 2 + 2) % 3]) = (side, u, v);
    let length = dot(n, n).sqrt();
    n.map(|x| x / length)
}

/// At least the greatest value of n·d over all n within this angle from n₀, through cos θ ≥ 1 − θ²/2 and sin θ ≤ θ.
fn greatest(d: Point, n: Point, angle: f64) -> f64 {
    let along = dot(d, n);
    let across: Point = std::array::from_fn(|c| d[c] - along * n[c]);
    let (across, length) = (dot(across, across).sqrt(), dot(d, d).sqrt());
    let shortening = (-along).max(0.0) * 0.5 * angle * angle;
    (along + shortening + across * angle).min(length)
}

/// The mean of two vectors that is least across n.
fn mean(u: Point, v: Point, n: Point) -> Point {
    let across = |d: Point| -> Point {
        let along = dot(d, n);
        std::array::from_fn(|c| d[c] - along * n[c])
    };
    let from = across(u);
    let step = across(std::array::from_fn(|c| v[c] - u[c]));
    let square = dot(step, step);
    let part = if square > 0.0 { (-dot(from, step) / square).clamp(0.0, 1.0) } else { 0.0 };
    std::array::from_fn(|c| u[c] + part * (v[c] - u[c]))
}

/// Bounds that are at most `width` apart, unless `limit` directions do not suffice.
pub fn signed_distance(a: &Placed, b: &Placed, width: f64, limit: usize) -> Bounds {
    let radii = a.radius + b.radius;
    let mut best = Bounds { low: f64::MIN, high: f64::MAX, direction: [0.0; 3], samples: 0 };
    let mut heap = BinaryHeap::new();
    let look =
        |face: usize, center: [f64; 2], half: f64, known: Option<&Cell>, best: &mut Bounds| {
            let n = direction(face, center);
            let (p, q) = (a.support(n), b.support(n.map(|x| -x)));
            let own: Point = std::array::from_fn(|c| q[c] - p[c]);
            best.samples += 1;
            let value = dot(own, n);
            if value > best.low {
                (best.low, best.direction) = (value, n);
            }
            // No corner is farther from the centre than √2 · half, and seen from the origin, at least 1 away, the angle is no greater.
            let angle = std::f64::consts::SQRT_2 * half;
            let mut cell = Cell { high: greatest(own, n, angle), d: own, face, center, half };
            if let Some(known) = known {
                for d in [known.d, mean(own, known.d, n)] {
                    let high = greatest(d, n, angle);
                    if high < cell.high {
                        (cell.high, cell.d) = (high, d);
                    }
                }
                cell.high = cell.high.min(known.high);
            }
            cell
        };
    for face in 0..6 {
        let cell = look(face, [0.0; 2], 1.0, None, &mut best);
        heap.push(cell);
    }
    while let Some(cell) = heap.pop() {
        best.high = cell.high.max(best.low);
        if best.high - best.low <= width || best.samples >= limit {
            break;
        }
        let half = 0.5 * cell.half;
        for (s, t) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let center = [cell.center[0] + s * half, cell.center[1] + t * half];
            let child = look(cell.face, center, half, Some(&cell), &mut best);
            if child.high > best.low {
                heap.push(child);
            }
        }
    }
    Bounds { low: best.low - radii, high: best.high - radii, ..best }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::solid::Solid;

    fn check(a: &Placed, b: &Placed, truth: f64) {
        let bounds = signed_distance(a, b, 1e-7, 1_000_000);
        assert!(bounds.high - bounds.low <= 1e-7, "{bounds:?}");
        assert!(bounds.low - 1e-14 <= truth && truth <= bounds.high + 1e-14, "{truth} {bounds:?}");
    }

    fn at(mut placed: Placed, translation: Point) -> Placed {
        placed.translation = translation;
        placed
    }

    #[test]
    fn known_distances() {
        let point = Solid::Points(vec![[0.0; 3]]);
        let ball = Placed::still(point, 1.0);
        check(&ball, &at(ball.clone(), [3.0, 4.0, 0.0]), 3.0);
        check(&ball, &at(ball.clone(), [0.3, 0.4, 0.0]), -1.5);
        let cylinder = Placed::still(Solid::Cylinder(1.0, 2.0), 0.0);
        check(&cylinder, &at(ball.clone(), [0.5, 0.1, 3.5]), 0.5);
        check(&cylinder, &at(ball.clone(), [4.0, 3.0, 0.0]), 3.0);
        check(&cylinder, &at(ball.clone(), [0.75, 0.0, 0.0]), -1.25);
        let cone = Placed::still(Solid::Cone(1.0, 1.0), 0.0);
        check(&cone, &at(ball.clone(), [0.0, 0.0, 4.0]), 2.0);
        let ellipsoid = Placed::still(Solid::Ellipsoid([1.0, 2.0, 3.0]), 0.0);
        check(&ellipsoid, &at(ball.clone(), [0.0, 0.0, 7.0]), 3.0);
        check(&ellipsoid, &at(ball.clone(), [0.0, 0.0, 0.0]), -2.0);
        let tapered = Placed::still(Solid::Tapered(2.0, 1.0, 3.0), 0.0);
        check(&tapered, &at(ball.clone(), [0.0, 0.0, 7.0]), 2.0);
        check(&tapered, &at(ball, [0.0, 0.0, -7.0]), 1.0);
    }

    #[test]
    fn narrow_bounds_hold_the_exact_distance() {
        let mut random = impinge_lab::Random::new(4);
        let mut narrow = 0;
        for _ in 0..200 {
            let mut triangle = |shift: f64| -> [Point; 3] {
                std::array::from_fn(|_| random.point().map(|x| x + shift))
            };
            let (a, b) = (triangle(0.0), triangle(1.0));
            let exact = crate::oracle::distance::squared(&a, &b);
            if exact > dashu_ratio::RBig::ZERO {
                let truth = crate::oracle::distance::root(&exact);
                let [a, b] = [a, b].map(|t| Placed::still(Solid::Points(t.to_vec()), 0.0));
                let bounds = signed_distance(&a, &b, 1e-13, 100_000);
                let found = bounds.low - 1e-14..=bounds.high + 1e-14;
                assert!(found.contains(&truth), "{truth} {bounds:?}");
                narrow += usize::from(bounds.high - bounds.low < 1e-12);
            }
        }
        assert!(narrow > 100, "{narrow}");
    }
}
