//! Top-down at the mean along the principal axis.
//!
//! S. Gottschalk, M. Lin and D. Manocha, "OBBTree" (1996), section 4: the axis of the widest spread of the surface where the
//! items come with moments, else of the centres of their boxes. Where the mean leaves one side empty the next axis is tried, as there.

use super::partition;
use super::reference::Reference;
use crate::parallel::fold;
use impinge_geom::bound::{Moments, principal_axes};
use impinge_geom::glam::DVec3;

/// Reorders the list around the mean along the axis of the widest spread; zero if no axis parts it.
pub(super) fn split(list: &mut [Reference], moments: &[Moments]) -> usize {
    let surface = if moments.is_empty() { None } else { spread_of_surface(list, moments) };
    let (mean, covariance) = surface.unwrap_or_else(|| spread_of_centers(list));
    for axis in principal_axes(covariance) {
        let at = partition(list, |r| (center(r) - mean).dot(axis) < 0.0);
        if at != 0 && at != list.len() {
            return at;
        }
    }
    0
}

/// The mean, in the doubled coordinates of [`Reference::center`], and the covariance; none if the items have no area.
fn spread_of_surface(list: &[Reference], moments: &[Moments]) -> Option<(DVec3, [f64; 6])> {
    let sum = |part: &[Reference]| {
        let mut sum = Moments::default();
        let own = part.iter().filter_map(|r| moments.get(r.id() as usize));
        own.for_each(|moments| sum.add(moments));
        sum
    };
    let sum = fold(list, &sum, &|mut a, b| {
        a.add(&b);
        a
    });
    Some((sum.mean() * 2.0, sum.covariance()?))
}

fn spread_of_centers(list: &[Reference]) -> (DVec3, [f64; 6]) {
    let sum = |part: &[Reference]| part.iter().fold(DVec3::ZERO, |sum, r| sum + center(r));
    let mean = fold(list, &sum, &|a, b| a + b) / list.len() as f64;
    let products = |part: &[Reference]| {
        let mut squares = DVec3::ZERO;
        let mut mixed = DVec3::ZERO;
        for reference in part {
            let d = center(reference) - mean;
            squares += d * d;
            mixed += d * DVec3::new(d.y, d.z, d.x);
        }
        (squares, mixed)
    };
    let (squares, mixed) = fold(list, &products, &|a, b| (a.0 + b.0, a.1 + b.1));
    (mean, [squares.x, squares.y, squares.z, mixed.x, mixed.y, mixed.z])
}

#[inline(always)]
fn center(reference: &Reference) -> DVec3 {
    reference.center().truncate().as_dvec3()
}
