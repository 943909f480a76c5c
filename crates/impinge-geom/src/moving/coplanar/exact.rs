//! The exact stages: coefficients in integers, then the filter on them rounded once, then signs at isolated roots.

use super::Feature;
use super::filter::{self, Filtered, Meeting, Polynomials};
use super::in_plane::{self, InPlane};
use super::polynomial::{Polynomial, rounded};
use super::root::{Root, WIDTH, roots};
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::predicate::dyadic::Dyadic;
use glam::DVec3;
use num_bigint::BigInt;

type Vector = [BigInt; 3];

/// The polynomials of the module's notes in integers, by axis.
struct Exact {
    feature: Feature,
    cubic: Polynomial,
    /// m1, m2, m3, and for edges their sum.
    areas: Vec<[Polynomial; 3]>,
    /// Differences of coordinates: the features are apart along an axis if all have one sign.
    differences: Vec<[Polynomial; 3]>,
}

/// The first time of contact in [0, 1]. Coordinates are finite.
pub(super) fn first_time(feature: Feature, start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<f64> {
    let exact = Exact::new(feature, start, end);
    if exact.cubic.is_zero() {
        return exact.first_time_in_plane();
    }
    let filter = exact.rounded();
    match filter::first_time(feature, &filter) {
        Filtered::Never => return None,
        Filtered::At(time) => return Some(time),
        Filtered::Unknown => {}
    }
    roots(&exact.cubic).into_iter().find_map(|mut root| {
        let meets = exact.may_meet_at(&root, &filter) && exact.meet_at(&mut root);
        meets.then(|| root.lower())
    })
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    let component = |i: usize, j: usize| &a[i] * &b[j] - &a[j] * &b[i];
    [component(1, 2), component(2, 0), component(0, 1)]
}

fn add(a: Vector, b: &Vector) -> Vector {
    let [x, y, z] = a;
    [x + &b[0], y + &b[1], z + &b[2]]
}

fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// Polynomials by axis from coefficients that are vectors.
fn by_axis(coefficients: &[&Vector]) -> [Polynomial; 3] {
    [0, 1, 2]
        .map(|axis| Polynomial::from_scaled(coefficients.iter().map(|c| c[axis].clone()).collect()))
}

impl Exact {
    fn new(feature: Feature, start: &[DVec3; 4], end: &[DVec3; 4]) -> Self {
        let numbers: [f64; 24] = std::array::from_fn(|k| {
            let points = if k < 12 { start } else { end };
            points[k / 3 % 4][k % 3]
        });
        let n = Dyadic::common(numbers);
        let relative = |i: usize, at: usize| -> Vector {
            [0, 1, 2].map(|axis| &n[at + 3 * i + axis] - &n[at + axis])
        };
        let a = [relative(1, 0), relative(2, 0), relative(3, 0)];
        let b = [relative(1, 12), relative(2, 12), relative(3, 12)];
        let area = |i: usize, j: usize| {
            [
                cross(&a[i], &a[j]),
                add(cross(&a[i], &b[j]), &cross(&b[i], &a[j])),
                cross(&b[i], &b[j]),
            ]
        };
        let m = [area(1, 2), area(2, 0), area(0, 1)];
        let cubic = Polynomial::from_scaled(vec![
            dot(&a[0], &m[0][0]),
            dot(&b[0], &m[0][0]) + dot(&a[0], &m[0][1]),
            dot(&b[0], &m[0][1]) + dot(&a[0], &m[0][2]),
            dot(&b[0], &m[0][2]),
        ]);
        let mut areas: Vec<_> = m.iter().map(|[x, y, z]| by_axis(&[x, y, z])).collect();
        let linear = |p: &Vector, q: &Vector| by_axis(&[p, q]);
        let minus = |p: &Vector, q: &Vector| [0, 1, 2].map(|axis| &p[axis] - &q[axis]);
        let differences = match feature {
            Feature::VertexFace => (0..3).map(|i| linear(&a[i], &b[i])).collect(),
            Feature::EdgeEdge => {
                let sum = |j: usize| add(add(m[0][j].clone(), &m[1][j]), &m[2][j]);
                areas.push(by_axis(&[&sum(0), &sum(1), &sum(2)]));
                let zero = [0, 0, 0].map(BigInt::from);
                vec![
                    linear(&minus(&zero, &a[1]), &minus(&zero, &b[1])),
                    linear(&minus(&zero, &a[2]), &minus(&zero, &b[2])),
                    linear(&minus(&a[0], &a[1]), &minus(&b[0], &b[1])),
                    linear(&minus(&a[0], &a[2]), &minus(&b[0], &b[2])),
                ]
            }
        };
        Self { feature, cubic, areas, differences }
    }

    /// False only if the signs of areas in f64 say that the features do not meet at a root.
    fn may_meet_at(&self, root: &Root, filter: &Polynomials) -> bool {
        let (l, r) = root.bounds();
        filter::meeting(self.feature, filter, l, r) != Meeting::No
    }

    /// Whether the features meet at a time at which their points are coplanar.
    fn meet_at(&self, root: &mut Root) -> bool {
        for axis in 0..3 {
            let signs: Vec<i32> = self.areas.iter().map(|area| root.sign_of(&area[axis])).collect();
            if signs.iter().all(|s| *s == 0) {
                continue;
            }
            let opposite = |i: usize, j: usize| signs[i] * signs[j] < 0;
            return match self.feature {
                Feature::VertexFace => !(opposite(0, 1) || opposite(1, 2) || opposite(2, 0)),
                Feature::EdgeEdge => !(opposite(1, 2) || signs[0] * signs[3] > 0),
            };
        }
        // All on a line.
        (0..3).all(|axis| {
            let mut signs = self.differences.iter().map(|d| root.sign_of(&d[axis]));
            let first = signs.next().unwrap_or(0);
            first == 0 || signs.any(|s| s != first)
        })
    }

    /// The first contact where the points are coplanar at all times: the first of the times at which any sign changes.
    /// Between them nothing changes, and contact is closed.
    fn first_time_in_plane(&self) -> Option<f64> {
        let filter = self.rounded();
        let windows = match in_plane::first_time(self.feature, &filter) {
            InPlane::Never => return None,
            InPlane::At(time) => return Some(time),
            InPlane::Unknown(windows) => windows,
        };
        if windows.first().is_some_and(|(l, _)| *l == 0.0) && self.meet_at(&mut Root::zero()) {
            return Some(0.0);
        }
        let polynomials = self.deciding();
        let coefficients: Vec<Vec<f64>> = polynomials
            .iter()
            .map(|p| rounded(&p.coefficients.iter().collect::<Vec<_>>()))
            .collect();
        let mut known: Vec<Option<Vec<Root>>> = vec![None; polynomials.len()];
        windows.into_iter().find_map(|(l, r)| {
            let vanishing = |k: &usize| filter::sign_between(&coefficients[*k], l, r) == 0;
            let mut candidates = Vec::new();
            for k in (0..polynomials.len()).filter(vanishing) {
                candidates.extend(known[k].get_or_insert_with(|| roots(polynomials[k])).clone());
            }
            self.first_of(candidates, l, r, &filter)
        })
    }

    /// Polynomials at whose roots alone contact can begin. Between the roots of all areas along one axis, not all of which vanish identically, no sign along
    /// it changes, and one is not zero: one axis is enough. Where all areas vanish at all times the points are on a line, and coordinates decide.
    fn deciding(&self) -> Vec<&Polynomial> {
        let along = |axis: usize| self.areas.iter().map(move |area| &area[axis]);
        let size = |axis: usize| {
            let bits = along(axis).flat_map(|p| p.coefficients.iter().map(|c| c.bits()));
            bits.max().unwrap_or(0)
        };
        let [x, y, z] = [0, 1, 2].map(size);
        if x.max(y).max(z) == 0 {
            return self.differences.iter().flatten().collect();
        }
        let axis = if x >= y && x >= z {
            0
        } else if y >= z {
            1
        } else {
            2
        };
        // Where points coincide, areas do.
        let mut different: Vec<&Polynomial> = Vec::new();
        for area in along(axis).filter(|p| !p.is_zero()) {
            if !different.iter().any(|other| area.is_multiple_of(other)) {
                different.push(area);
            }
        }
        different
    }

    /// The first of the candidates within [l, r] at which the features meet.
    fn first_of(&self, candidates: Vec<Root>, l: f64, r: f64, filter: &Polynomials) -> Option<f64> {
        let near = |root: &Root| {
            let (lower, upper) = root.bounds();
            lower <= r && upper >= l && self.may_meet_at(root, filter)
        };
        let mut candidates: Vec<(f64, f64, Root)> = candidates
            .into_iter()
            .filter(near)
            .map(|mut root| {
                let time = root.lower();
                (time, (time + WIDTH).min(1.0), root)
            })
            .filter(|(lower, upper, _)| *lower <= r && *upper >= l)
            .collect();
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        candidates.into_iter().find_map(|(lower, upper, mut root)| {
            let quickly = filter::meeting(self.feature, filter, lower, upper);
            (quickly != Meeting::No && self.meet_at(&mut root)).then_some(lower)
        })
    }

    /// The polynomials in f64, each coefficient rounded once.
    fn rounded(&self) -> Polynomials {
        let coefficients: Vec<&BigInt> = self.areas[..3]
            .iter()
            .flatten()
            .flat_map(|polynomial| &polynomial.coefficients)
            .collect();
        let areas = rounded(&coefficients);
        let cubic = rounded(&self.cubic.coefficients.iter().collect::<Vec<_>>());
        let largest = |values: &[f64]| values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let component = |i: usize, axis: usize, j: usize| areas[9 * i + 3 * axis + j];
        let vector = |i: usize, j: usize| {
            DVec3::new(component(i, 0, j), component(i, 1, j), component(i, 2, j))
        };
        Polynomials {
            cubic: [cubic[0], cubic[1], cubic[2], cubic[3]],
            // One rounding of the coefficients and ten of a restriction.
            cubic_error: 16.0 * UNIT_ROUNDOFF * largest(&cubic),
            areas: [0, 1, 2].map(|i| [0, 1, 2].map(|j| vector(i, j))),
            // The same of a sum of three.
            area_error: 48.0 * UNIT_ROUNDOFF * largest(&areas),
        }
    }
}
