//! Where is the origin relative to the difference of two polytopes? Decided in integers.
//!
//! The bodies share a point iff the linear program Σλᵢaᵢ − Σμⱼbⱼ = 0, Σλ = Σμ = 1, λ, μ ≥ 0 is feasible, and their relative
//! interiors meet iff it stays so with all λ, μ ≥ ε for some ε > 0. One column of coefficients for ε turns the second question
//! into an objective. The revised simplex method runs on a basis of five columns in fraction-free integer arithmetic (Edmonds
//! 1967, Bareiss 1968), with Bland's rule (1977), which cannot cycle: it ends on every input.

use crate::predicate::dyadic::ratio;
use crate::predicate::{are_coplanar, integers};
use glam::DVec3;
use num_bigint::{BigInt, Sign};

/// Where the origin lies relative to A − B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The polytopes are disjoint.
    Outside,
    /// They meet in boundary points only, or lie in a common plane.
    Boundary,
    /// Their relative interiors meet and they do not lie in a common plane.
    Interior,
}

/// Equations: three coordinates and two sums.
const ROWS: usize = 5;

/// The exact position of the origin relative to the difference of the hulls of two non-empty lists of points.
pub(crate) fn position(a: &[DVec3], b: &[DVec3]) -> Origin {
    let mut program = Program::new(a, b);
    program.maximise(Phase::Feasibility);
    if program.has_positive_artificial() {
        return Origin::Outside;
    }
    let all: Vec<DVec3> = a.iter().chain(b).copied().collect();
    if are_coplanar(&all) {
        return Origin::Boundary;
    }
    program.remove_artificials();
    if program.maximise(Phase::Interior) { Origin::Interior } else { Origin::Boundary }
}

/// A point of both polytopes, as a point of the first and one of the second: each is a sum of corners with exact weights, rounded.
/// `None` if they are disjoint.
pub(crate) fn common_point(a: &[DVec3], b: &[DVec3]) -> Option<[DVec3; 2]> {
    let mut program = Program::new(a, b);
    program.maximise(Phase::Feasibility);
    if program.has_positive_artificial() {
        return None;
    }
    let mut points = [DVec3::ZERO; 2];
    for row in 0..ROWS {
        let column = program.basis[row];
        let share = ratio(program.value(row).magnitude(), program.determinant.magnitude());
        if let Some(corner) = a.get(column) {
            points[0] += *corner * share;
        } else if let Some(corner) = column.checked_sub(a.len()).and_then(|index| b.get(index)) {
            points[1] += *corner * share;
        }
    }
    Some(points)
}

/// A direction from the first polytope to the second, of any length, along which neither reaches beyond the other; only for
/// polytopes that touch and do not lie in a common plane.
///
/// Where no ε is positive, the prices of the optimum are such a direction: no column has a negative product with them.
pub(crate) fn parting_direction(a: &[DVec3], b: &[DVec3]) -> Option<DVec3> {
    let mut program = Program::new(a, b);
    program.maximise(Phase::Feasibility);
    if program.has_positive_artificial() {
        return None;
    }
    program.remove_artificials();
    if program.maximise(Phase::Interior) {
        return None;
    }
    let row = program.basis.iter().position(|column| *column == program.epsilon())?;
    let prices = &program.inverse[row][..3];
    let largest = prices.iter().map(|price| price.magnitude()).max()?;
    let share = |price: &BigInt| {
        let size = ratio(price.magnitude(), largest);
        if is_positive(price) { -size } else { size }
    };
    Some(DVec3::new(share(&prices[0]), share(&prices[1]), share(&prices[2])))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Minimise the sum of the artificial variables.
    Feasibility,
    /// Maximise ε; stop as soon as it is positive.
    Interior,
}

/// Columns 0..n are λ and μ, column n is ε, columns n + 1 … n + 5 are artificial.
struct Program {
    columns: Vec<[BigInt; ROWS]>,
    basis: [usize; ROWS],
    /// Rows of the inverse of the basis matrix, times `determinant`.
    inverse: [[BigInt; ROWS]; ROWS],
    /// Always positive.
    determinant: BigInt,
}

fn zero() -> BigInt {
    BigInt::ZERO
}

fn is_positive(value: &BigInt) -> bool {
    value.sign() == Sign::Plus
}

impl Program {
    fn new(a: &[DVec3], b: &[DVec3]) -> Self {
        let coordinates: Vec<f64> = a.iter().chain(b).flat_map(|p| p.to_array()).collect();
        let numbers = integers(&coordinates);
        let mut columns: Vec<[BigInt; ROWS]> = Vec::with_capacity(a.len() + b.len() + 1 + ROWS);
        for (index, point) in numbers.chunks_exact(3).enumerate() {
            let [x, y, z] = [0, 1, 2].map(|k| point[k].clone());
            columns.push(if index < a.len() {
                [x, y, z, BigInt::from(1), zero()]
            } else {
                [-x, -y, -z, zero(), BigInt::from(1)]
            });
        }
        let sum = std::array::from_fn(|row| columns.iter().map(|column| &column[row]).sum());
        columns.push(sum);
        let first = columns.len();
        let unit = |k: usize| std::array::from_fn(|row| BigInt::from(i32::from(row == k)));
        columns.extend((0..ROWS).map(unit));
        Self {
            columns,
            basis: std::array::from_fn(|row| first + row),
            inverse: std::array::from_fn(unit),
            determinant: BigInt::from(1),
        }
    }

    fn epsilon(&self) -> usize {
        self.columns.len() - ROWS - 1
    }

    fn is_artificial(&self, column: usize) -> bool {
        column > self.epsilon()
    }

    /// The value of the basic variable of a row, times `determinant`: the right-hand side is (0, 0, 0, 1, 1).
    fn value(&self, row: usize) -> BigInt {
        &self.inverse[row][3] + &self.inverse[row][4]
    }

    fn has_positive_artificial(&self) -> bool {
        (0..ROWS).any(|row| self.is_artificial(self.basis[row]) && is_positive(&self.value(row)))
    }

    fn cost(&self, column: usize, phase: Phase) -> i32 {
        match phase {
            Phase::Feasibility => -i32::from(self.is_artificial(column)),
            Phase::Interior => i32::from(column == self.epsilon()),
        }
    }

    /// Runs to the optimum; true if the objective is positive, which ends the second phase at once.
    fn maximise(&mut self, phase: Phase) -> bool {
        loop {
            let prices: [BigInt; ROWS] = std::array::from_fn(|k| {
                (0..ROWS).map(|row| self.cost(self.basis[row], phase) * &self.inverse[row][k]).sum()
            });
            if phase == Phase::Interior && is_positive(&(&prices[3] + &prices[4])) {
                return true;
            }
            // Bland's rule: the first column that improves the objective enters. ε has no part in the first phase.
            let last = if phase == Phase::Interior { self.epsilon() } else { self.epsilon() - 1 };
            let Some(entering) = (0..=last).find(|column| {
                let reduced = self.cost(*column, phase) * &self.determinant
                    - dot(&prices, &self.columns[*column]);
                is_positive(&reduced)
            }) else {
                return false;
            };
            let direction = self.direction(entering);
            let Some(row) = self.leaving_row(&direction) else {
                return false;
            };
            self.pivot(row, entering, &direction);
        }
    }

    /// The entering column in terms of the basis, times `determinant`.
    fn direction(&self, column: usize) -> [BigInt; ROWS] {
        std::array::from_fn(|row| dot(&self.inverse[row], &self.columns[column]))
    }

    /// The row with the smallest ratio value / direction among positive directions; ties go to the smallest variable.
    fn leaving_row(&self, direction: &[BigInt; ROWS]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for row in (0..ROWS).filter(|row| is_positive(&direction[*row])) {
            best = match best {
                None => Some(row),
                Some(old) => {
                    let left = self.value(row) * &direction[old];
                    let right = self.value(old) * &direction[row];
                    let better = left < right || left == right && self.basis[row] < self.basis[old];
                    Some(if better { row } else { old })
                }
            };
        }
        best
    }

    /// Exchanges the basic variable of the row for the column; all divisions are exact.
    fn pivot(&mut self, row: usize, column: usize, direction: &[BigInt; ROWS]) {
        let pivot_row = self.inverse[row].clone();
        for other in (0..ROWS).filter(|other| *other != row) {
            for (entry, pivot) in self.inverse[other].iter_mut().zip(&pivot_row) {
                let value = &direction[row] * &*entry - &direction[other] * pivot;
                *entry = value / &self.determinant;
            }
        }
        self.determinant = direction[row].clone();
        if self.determinant.sign() == Sign::Minus {
            self.determinant = -&self.determinant;
            for entry in self.inverse.iter_mut().flatten() {
                *entry = -&*entry;
            }
        }
        self.basis[row] = column;
    }

    /// Exchanges artificial variables, all zero by now, for others where the equation is not redundant.
    fn remove_artificials(&mut self) {
        for row in 0..ROWS {
            if !self.is_artificial(self.basis[row]) {
                continue;
            }
            for column in 0..=self.epsilon() {
                let direction = self.direction(column);
                if direction[row].sign() != Sign::NoSign {
                    self.pivot(row, column, &direction);
                    break;
                }
            }
        }
    }
}

fn dot(a: &[BigInt; ROWS], b: &[BigInt; ROWS]) -> BigInt {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(center: [f64; 3], half: f64) -> Vec<DVec3> {
        (0..8)
            .map(|i| {
                let side = |bit: i32| if i >> bit & 1 == 1 { half } else { -half };
                DVec3::from_array(center) + DVec3::new(side(0), side(1), side(2))
            })
            .collect()
    }

    #[test]
    fn tells_one_ulp_apart() {
        let still = cube([0.0; 3], 1.0);
        let two = 2.0f64;
        assert_eq!(position(&still, &cube([two, 0.0, 0.0], 1.0)), Origin::Boundary);
        let shifted = |x: f64| cube([x, 0.5, 0.25], 1.0);
        assert_eq!(position(&still, &shifted(two)), Origin::Boundary);
        let mut near = shifted(two);
        near.iter_mut().filter(|p| p.x < 2.0).for_each(|p| p.x = 1.0f64.next_up());
        assert_eq!(position(&still, &near), Origin::Outside);
        near.iter_mut().filter(|p| p.x < 2.0).for_each(|p| p.x = 1.0f64.next_down());
        assert_eq!(position(&still, &near), Origin::Interior);
        assert_eq!(position(&still, &still), Origin::Interior);
        assert_eq!(position(&still, &cube([0.0; 3], 0.125)), Origin::Interior);
    }

    #[test]
    fn common_points_are_in_both() {
        let still = cube([0.0; 3], 1.0);
        let needle = [DVec3::new(1.0, -1e20, 0.25), DVec3::new(1.0, 3e20, 0.25)];
        let [p, q] = common_point(&still, &needle).unwrap();
        assert_eq!((p.x, p.z), (1.0, 0.25));
        assert!(p.y.abs() <= 1.0 && (p - q).abs().max_element() <= 1e5);
        assert!(common_point(&still, &[DVec3::X * 1.0f64.next_up()]).is_none());
        let corner = [DVec3::ONE, DVec3::splat(2.0)];
        assert_eq!(common_point(&still, &corner), Some([DVec3::ONE; 2]));
    }

    #[test]
    fn parting_directions_part() {
        let still = cube([0.0; 3], 1.0);
        assert_eq!(
            parting_direction(&still, &cube([2.0, 0.5, 0.0], 1.0)).map(|n| n / n.x),
            Some(DVec3::X)
        );
        let [low, high] = [DVec3::new(1.0, 1.0, -1e20), DVec3::new(1.0, 1.0, 1e20)];
        let n = parting_direction(&still, &[low, high, DVec3::new(2.0, 1.0, 0.0)]).unwrap();
        assert!(n.x >= 0.0 && n.y > 0.0 && n.z == 0.0, "{n}");
        assert!(parting_direction(&still, &still).is_none());
    }

    #[test]
    fn treats_flat_and_small_bodies() {
        let still = cube([0.0; 3], 1.0);
        let point = [DVec3::new(1.0, 0.0, 0.0)];
        assert_eq!(position(&still, &point), Origin::Boundary);
        assert_eq!(position(&still, &[DVec3::ZERO]), Origin::Interior);
        assert_eq!(position(&point, &point), Origin::Boundary);
        let across = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0)];
        let upright = [DVec3::new(0.0, -1.0, 0.0), DVec3::new(0.0, 1.0, 0.0)];
        assert_eq!(position(&across, &upright), Origin::Boundary);
        let sheet =
            [DVec3::new(0.0, -1.0, -1.0), DVec3::new(0.0, 1.0, -1.0), DVec3::new(0.0, 0.0, 1.0)];
        assert_eq!(position(&across, &sheet), Origin::Interior);
        assert_eq!(position(&sheet, &sheet), Origin::Boundary);
        let tiny = sheet.map(|p| p * 2f64.powi(-1060));
        assert_eq!(position(&across.map(|p| p * 2f64.powi(-1060)), &tiny), Origin::Interior);
    }
}
