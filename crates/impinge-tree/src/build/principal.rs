//! Top-down at the mean along the principal axis.
//!
//! S. Gottschalk, M. Lin and D. Manocha, "OBBTree" (1996), section 4. The axis is that of the centres of the items' boxes;
//! where the mean leaves one side empty the next axis is tried, as there.

use super::binned::partition;
use super::reference::Reference;
use impinge_geom::bound::principal_axes;
use impinge_geom::glam::DVec3;

/// Reorders the list around the mean along the axis of the widest spread; zero if no axis parts it.
pub(super) fn split(list: &mut [Reference]) -> usize {
    let mut sum = DVec3::ZERO;
    for reference in list.iter() {
        sum += center(reference);
    }
    let mean = sum / list.len() as f64;
    let mut covariance = [0.0; 6];
    for reference in list.iter() {
        let d = center(reference) - mean;
        let products = [d.x * d.x, d.y * d.y, d.z * d.z, d.x * d.y, d.y * d.z, d.z * d.x];
        for (sum, product) in covariance.iter_mut().zip(products) {
            *sum += product;
        }
    }
    for axis in principal_axes(covariance) {
        let at = partition(list, |r| (center(r) - mean).dot(axis) < 0.0);
        if at != 0 && at != list.len() {
            return at;
        }
    }
    0
}

#[inline(always)]
fn center(reference: &Reference) -> DVec3 {
    reference.center().truncate().as_dvec3()
}
