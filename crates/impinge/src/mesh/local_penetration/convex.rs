//! Two convex solids: the deepest common point by linear programming.
//!
//! The distance to the surface of a convex X from inside is the least height under one of its planes. So the depth below X is the largest t for which a
//! point p exists with n · p + t ≤ o for all planes of X and n · p ≤ o for all planes of Y: a linear program in four unknowns. `program` solves it, with
//! a certificate for the upper end. The lower end is the distance of the point from the mesh itself. Where the planes of flat wedges leave more to
//! rounding than was asked for, cells are searched instead.

use super::cell::Plane;
use super::directed::{Directed, rounding_of};
use super::program::{Constraint, Program};
use super::{Accuracy, SurfaceDepth};
use crate::mesh::{Mesh, ScaledPose, Scratch};
use impinge_geom::DAabb;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;

/// The share of the rounding by which the offset of a plane may be wrong.
const OF_A_PLANE: f64 = 0.125;

/// How deep the common points of two convex solids lie, in A's frame; none if they are not convex, or nothing was found.
pub(super) fn depths_of_convex<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> Option<[SurfaceDepth; 2]> {
    let (of_a, of_b) = (a.half_spaces()?, b.half_spaces()?);
    let a_in_b = b_in_a.inverse();
    let rounding = rounding_of(a, b, b_in_a);
    let around = DAabb::of_points(b.used_vertices().map(|p| b_in_a.transform_point(p)));
    let low = a.bounds().low.max(around.low) - rounding;
    let high = a.bounds().high.min(around.high) + rounding;
    if low.cmpgt(high).any() {
        return None;
    }
    // About the middle offsets are small, and so is what rounding makes of them.
    let middle = 0.5 * low + 0.5 * high;
    let planes_of_a = of_a.iter().map(|plane| (plane.normal, -plane.height(middle)));
    let middle_in_b = a_in_b.transform_point(middle);
    let there = |plane: &Plane| {
        (b_in_a.pose.rotate(plane.normal), -plane.height(middle_in_b) * b_in_a.scale)
    };
    let planes = [planes_of_a.collect::<Vec<_>>(), of_b.iter().map(there).collect()];
    let half = 0.5 * (high - low);
    let margin = OF_A_PLANE * rounding;
    let accuracy = Accuracy::default();
    let deepest = |own: usize| {
        let bound = |&(normal, offset): &(DVec3, f64)| Constraint::new(normal, 1.0, offset);
        let within = |&(normal, offset): &(DVec3, f64)| Constraint::new(normal, 0.0, offset);
        let constraints = planes[own].iter().map(bound).chain(planes[1 - own].iter().map(within));
        let found = Program::new(half, constraints.collect()).solve(margin)?;
        // Below zero the planes of X would have to be moved outwards to leave a common point.
        (found.upper >= 0.0).then_some((middle + found.point, found.upper))
    };
    let (point, upper) = deepest(0)?;
    let value = Directed::new(a, b, b_in_a, &accuracy, scratch).near(point).distance;
    let below_a = SurfaceDepth { value, upper: upper.max(value), point };
    let (point, upper) = deepest(1)?;
    let there = a_in_b.transform_point(point);
    let near = Directed::new(b, a, &a_in_b, &accuracy, scratch).near(there);
    let value = near.distance * b_in_a.scale;
    let below_b = SurfaceDepth { value, upper: upper.max(value), point };
    Some([below_a, below_b])
}
