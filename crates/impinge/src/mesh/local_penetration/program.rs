//! A linear program in four unknowns: the largest t for a point under planes that may sink with t.
//!
//! The dual simplex method (C. E. Lemke, "The dual method of solving the linear programming problem", 1954): four constraints that hold with equality
//! give a point, and the constraint that it violates most takes the place of one of them, chosen so that t stays a combination of the four with weights
//! that are not negative. A plane that sinks with t and three sides of a box around everything are such a combination to begin with. Here equal weights,
//! which might let the exchange go round in a circle, only end it: the number of steps is bounded, and then there is no answer.
//!
//! By duality the same combination of the offsets is an upper end of t, whatever point was found. What rounding leaves of the combination, and of the
//! offsets, is added.

use impinge_geom::glam::{DMat4, DVec3, DVec4};
use impinge_geom::number::tolerance::UNIT_ROUNDOFF;

/// Exchanges of a constraint, at most; some ten are usual.
const MOST_STEPS: usize = 256;
/// A constraint leaves only if it takes at least this share in the one that enters.
const LEAST_SHARE: f64 = 1e-9;
/// More than a sum of four products loses, as a share of their size.
const LOST: f64 = 16.0 * UNIT_ROUNDOFF;

/// `normal · p + sinks t ≤ offset`, with a unit normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint {
    row: DVec4,
    offset: f64,
}

impl Constraint {
    pub(super) fn new(normal: DVec3, sinks: f64, offset: f64) -> Self {
        Self { row: normal.extend(sinks), offset }
    }
}

/// What was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solution {
    pub(super) point: DVec3,
    /// No point under the planes has a larger t.
    pub(super) upper: f64,
}

/// The constraints; the first of those given sinks, and six of a box follow.
pub(super) struct Program {
    constraints: Vec<Constraint>,
    half: DVec3,
}

impl Program {
    /// All points that matter lie in the box from `-half` to `half`.
    pub(super) fn new(half: DVec3, mut constraints: Vec<Constraint>) -> Self {
        for axis in 0..3 {
            let side = |normal: DVec3| Constraint::new(normal, 0.0, half[axis]);
            constraints.extend([side(DVec3::AXES[axis]), side(-DVec3::AXES[axis])]);
        }
        Self { constraints, half }
    }

    /// The point with the largest t, up to `margin`, by which offsets may be wrong.
    pub(super) fn solve(&self, margin: f64) -> Option<Solution> {
        let mut basis = self.first_basis()?;
        for _ in 0..MOST_STEPS {
            let rows = basis.map(|index: usize| self.constraints[index].row);
            let offsets = DVec4::from_array(basis.map(|index| self.constraints[index].offset));
            // Solves for the weights with which the four rows make a given one.
            let weigh = DMat4::from_cols(rows[0], rows[1], rows[2], rows[3]).inverse();
            let at = weigh.transpose() * offsets;
            let weights = weigh * DVec4::W;
            if !at.is_finite() || !weights.is_finite() {
                return None;
            }
            let Some(entering) = self.most_violated(at, margin) else {
                let upper = self.certified(&rows, offsets, weights.max(DVec4::ZERO), margin);
                return Some(Solution { point: at.truncate(), upper });
            };
            let shares = weigh * self.constraints[entering].row;
            let leaving = leaving(weights, shares)?;
            basis[leaving] = entering;
        }
        None
    }

    /// The first plane, and the sides of the box towards which it sinks.
    fn first_basis(&self) -> Option<[usize; 4]> {
        let sides = self.constraints.len().checked_sub(6)?;
        let normal = self.constraints.first()?.row;
        let side = |axis: usize| sides + 2 * axis + usize::from(normal[axis] >= 0.0);
        Some([0, side(0), side(1), side(2)])
    }

    fn most_violated(&self, at: DVec4, margin: f64) -> Option<usize> {
        let (mut most, mut found) = (margin, None);
        for (index, constraint) in self.constraints.iter().enumerate() {
            let beyond = constraint.row.dot(at) - constraint.offset;
            if beyond > most {
                (most, found) = (beyond, Some(index));
            }
        }
        found
    }

    /// An upper end of t from weights that are not negative.
    fn certified(&self, rows: &[DVec4; 4], offsets: DVec4, weights: DVec4, margin: f64) -> f64 {
        let sum: DVec4 = (0..4).map(|k| rows[k] * weights[k]).sum();
        // Points are in the box, and t is no larger than its diagonal.
        let reach = self.half.extend(2.0 * self.half.length());
        let left = (sum - DVec4::W).abs() + DVec4::splat(LOST * (1.0 + weights.element_sum()));
        let offset = weights.dot(offsets) + weights.dot(offsets.abs()) * LOST;
        offset + margin * weights.element_sum() + left.dot(reach)
    }
}

/// Which of the four leaves: the one whose weight is used up first.
fn leaving(weights: DVec4, shares: DVec4) -> Option<usize> {
    let least = LEAST_SHARE * shares.abs().max_element();
    let mut best: Option<(f64, f64, usize)> = None;
    for k in 0..4 {
        if shares[k] <= least {
            continue;
        }
        let ratio = weights[k].max(0.0) / shares[k];
        // Of equal ones the largest share: the next four are farther from depending on each other.
        if best
            .is_none_or(|(least, share, _)| ratio < least || (ratio == least && shares[k] > share))
        {
            best = Some((ratio, shares[k], k));
        }
    }
    best.map(|(.., k)| k)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(at: DVec3, sinks: f64) -> impl Iterator<Item = Constraint> {
        DVec3::AXES.into_iter().flat_map(move |axis| {
            [1.0, -1.0].map(|sign| Constraint::new(sign * axis, sinks, 1.0 + sign * axis.dot(at)))
        })
    }

    #[test]
    fn the_deepest_point_of_two_cubes() {
        // Half a unit in each other along x, less along y: the deepest point is on the other's face.
        for shift in
            [DVec3::new(1.5, 0.0, 0.0), DVec3::new(1.5, -0.25, 0.1), DVec3::new(0.2, 0.1, 0.0)]
        {
            let constraints = cube(DVec3::ZERO, 1.0).chain(cube(shift, 0.0)).collect();
            let found = Program::new(DVec3::splat(9.0), constraints).solve(1e-12).unwrap();
            let depth = 1f64.min(2.0 - shift.abs().max_element());
            assert!((found.upper - depth).abs() < 1e-10, "{shift} {found:?}");
            let height = 1.0 - found.point.abs().max_element();
            assert!((height - depth).abs() < 1e-10, "{shift} {found:?}");
        }
    }

    #[test]
    fn where_the_planes_leave_no_point_there_is_none() {
        let beside = DVec3::new(2.5, 0.0, 0.0);
        let whole = DVec3::splat(9.0);
        // Cubes half a unit apart: the first would have to be larger by that.
        let constraints = cube(DVec3::ZERO, 1.0).chain(cube(beside, 0.0)).collect();
        let found = Program::new(whole, constraints).solve(1e-12).unwrap();
        assert!((found.upper + 0.5).abs() < 1e-10, "{found:?}");
        // No point is in two cubes that are apart, however large the first is.
        let two = cube(DVec3::ZERO, 0.0).chain(cube(beside, 0.0));
        let constraints = cube(DVec3::ZERO, 1.0).chain(two).collect();
        assert!(Program::new(whole, constraints).solve(1e-12).is_none());
    }
}
