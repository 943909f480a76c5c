//! Where the origin lies in the difference of two polytopes, given by points: certified from f64 where that is certain, else exact.
//!
//! The linear program of [`super::linear`] runs on f64 first, as a guess. Its dual direction certifies that the polytopes are
//! apart if it parts them by more than the rounding error of the products. Its weights certify that the interiors meet: if
//! all weights are at least t, the difference of the polytopes holds, around the point x − y that the weights make, t times
//! every edge vector and its opposite, hence a ball; and the origin is in it if x − y is shorter than the ball's radius.
//! What neither certifies goes to the rational program.

use super::{Place, Point, linear};

/// Which of the ways decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A certificate in f64.
    Certified,
    /// The rational program.
    Rational,
}

/// Where the origin lies in the difference of the hulls of A and B.
pub fn place(a: &[Point], b: &[Point]) -> (Place, Way) {
    match certified(a, b) {
        Some(place) => (place, Way::Certified),
        None => (linear::rational(a, b), Way::Rational),
    }
}

/// Whether every point of A lies in the hull of B.
pub fn contained(a: &[Point], b: &[Point]) -> bool {
    a.iter().all(|point| place(&[*point], b).0 != Place::Outside)
}

/// The answer, if f64 arithmetic is certain of it.
fn certified(a: &[Point], b: &[Point]) -> Option<Place> {
    let largest = a.iter().chain(b).flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !(1e-150..1e150).contains(&largest) {
        return None;
    }
    // An approximate scale is enough for a guess: what it finds is certified on the coordinates themselves.
    let shrink = |points: &[Point]| -> Vec<Point> {
        points.iter().map(|p| p.map(|x| x / largest)).collect()
    };
    let guess = linear::solve::<f64>(&shrink(a), &shrink(b))?;
    if parted(a, b, guess.direction, largest) {
        return Some(Place::Outside);
    }
    let t = guess.t.filter(|t| *t > 1e-9)?;
    meet(a, b, &guess.weights, t, largest).then_some(Place::Inside)
}

/// Whether the direction parts the points by more than rounding errors: three products of at most |n|₁ · largest on both sides, each
/// with an error of at most 3 · 2^-53 of that.
fn parted(a: &[Point], b: &[Point], n: Point, largest: f64) -> bool {
    let along = |p: &Point| n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
    let far = a.iter().map(along).fold(f64::MIN, f64::max);
    let near = b.iter().map(along).fold(f64::MAX, f64::min);
    let error = 8.0 * f64::EPSILON * largest * n.iter().map(|x| x.abs()).sum::<f64>();
    near - far > error && error.is_normal()
}

/// Whether the weights certify a common interior point.
fn meet(a: &[Point], b: &[Point], weights: &[f64], t: f64, largest: f64) -> bool {
    let (of_a, of_b) = weights.split_at(a.len().min(weights.len()));
    let (x, least_a) = combination(a, of_a, t);
    let (y, least_b) = combination(b, of_b, t);
    let miss = length([x[0] - y[0], x[1] - y[1], x[2] - y[2]]);
    // The sums have at most a hundred terms, each with a few roundings.
    let error = 1e-13 * largest;
    let radius = ball(a, b, largest);
    0.5 * least_a.min(least_b) * radius > miss + error
}

/// The combination with these weights beyond t, divided by their sum, and the least divided weight.
fn combination(points: &[Point], weights: &[f64], t: f64) -> (Point, f64) {
    let weights: Vec<f64> = weights.iter().map(|w| w.max(0.0) + t).collect();
    let sum: f64 = weights.iter().sum();
    let point =
        std::array::from_fn(|c| points.iter().zip(&weights).map(|(p, w)| p[c] * (w / sum)).sum());
    (point, t / sum)
}

/// The radius of a ball inside the octahedron of three edge vectors and their opposites: |det| over the sum of the cross products.
fn ball(a: &[Point], b: &[Point], largest: f64) -> f64 {
    let edges = |points: &[Point]| -> Vec<Point> {
        let first = points[0];
        points.iter().map(|p| std::array::from_fn(|c| p[c] - first[c])).collect()
    };
    let all: Vec<Point> = edges(a).into_iter().chain(edges(b)).collect();
    let best = |value: &dyn Fn(&Point) -> f64| {
        all.iter()
            .copied()
            .reduce(|p, q| if value(&q) > value(&p) { q } else { p })
            .unwrap_or_default()
    };
    let u = best(&|p| length(*p));
    let v = best(&|p| length(cross(u, *p)));
    let w = best(&|p| dot(cross(u, v), *p).abs());
    let volume = dot(cross(u, v), w).abs();
    let area = length(cross(u, v)) + length(cross(v, w)) + length(cross(w, u));
    // Only where rounding cannot matter: the factor of two in the caller covers what is left of it.
    if volume > 1e-9 * largest * area { volume / area } else { 0.0 }
}

fn cross(u: Point, v: Point) -> Point {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

fn dot(u: Point, v: Point) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

fn length(u: Point) -> f64 {
    dot(u, u).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_lab::Random;

    fn cube(center: Point, half: f64) -> Vec<Point> {
        (0..8_usize)
            .map(|i| {
                std::array::from_fn(|c| center[c] + if i >> c & 1 == 1 { half } else { -half })
            })
            .collect()
    }

    #[test]
    fn cubes() {
        let still = cube([0.0; 3], 1.0);
        let cases = [
            (Place::Inside, 1.5),
            (Place::Inside, 2.0_f64.next_down()),
            (Place::Boundary, 2.0),
            (Place::Outside, 2.0_f64.next_up().next_up()),
            (Place::Outside, 3.0),
        ];
        for (expected, shift) in cases {
            for other in [[shift, 0.0, 0.0], [0.0, shift, 0.5], [shift, shift, shift]] {
                assert_eq!(place(&still, &cube(other, 1.0)).0, expected, "{other:?}");
            }
        }
        assert!(contained(&cube([0.5, 0.5, 0.0], 0.5), &still));
        assert!(!contained(&cube([0.5, 0.5, 0.6], 0.5), &still));
        assert!(!contained(&still, &cube([0.5; 3], 0.5)));
    }

    #[test]
    fn certificates_agree_with_rationals() {
        let mut random = Random::new(3);
        let mut certified = 0;
        for round in 0..400 {
            let mut points = |shift: f64| -> Vec<Point> {
                let count = 1 + random.below(8);
                (0..count)
                    .map(|_| {
                        let p = if round % 2 == 0 { random.point() } else { random.grid(2) };
                        [p[0] + shift, p[1], p[2]]
                    })
                    .collect()
            };
            let (a, b) = (points(0.0), points(f64::from(round % 3)));
            let (found, way) = place(&a, &b);
            if way == Way::Certified {
                certified += 1;
                assert_eq!(found, linear::rational(&a, &b), "{a:?} {b:?}");
            }
        }
        assert!(certified > 200, "{certified}");
    }
}
