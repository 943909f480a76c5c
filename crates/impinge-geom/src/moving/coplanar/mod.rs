//! When are four moving points coplanar, and do the features that they span meet then?
//!
//! Let `q1 q2 q3` be the points relative to `p0`; each is linear in time. The four are coplanar at the roots of the cubic
//! `f = q1 · (q2 × q3)`. There the quadratics `m1 = q2 × q3`, `m2 = q3 × q1`, `m3 = q1 × q2` are parallel vectors, and the
//! signs of their components along an axis (any in which one of them is not zero) are the signs of areas:
//!
//! - the vertex `p0` is in the triangle `p1 p2 p3` iff `m1`, `m2`, `m3` have one sign, zeros allowed;
//! - the edges `p0 p1` and `p2 p3` meet iff `m2`, `m3` have one sign, and `−m1`, `m1 + m2 + m3` have one sign.
//!
//! Where all vectors vanish the points are collinear, and coordinates decide. So no polynomial of a degree above three is
//! needed. Three stages:
//!
//! 1. [`filter`]: polynomials in f64 with error bounds, in Bernstein form, subdivided in time;
//! 2. the same with coefficients that are exact up to one rounding ([`exact`]);
//! 3. roots isolated in integers, and the signs at them by refinement, or by a greatest common divisor where they are zero
//!    ([`root`]), with no more digits than it takes ([`fixed_point`]); that there is no common divisor mostly shows modulo a prime ([`modular`]). If `f` vanishes identically, the signs of areas are followed in time first ([`in_plane`]); where rounding hides
//!    them, the candidates are the times at which any sign changes.

mod exact;
mod filter;
mod fixed_point;
mod in_plane;
mod modular;
mod polynomial;
mod root;

use crate::number::error::LARGEST;
use filter::{Filtered, Polynomials};
use glam::DVec3;

/// Which features four points span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    /// `p0` is a vertex, `p1 p2 p3` a triangle.
    VertexFace,
    /// `p0 p1` and `p2 p3` are edges.
    EdgeEdge,
}

/// The first time of contact in [0, 1], never late.
pub(crate) fn first_time(feature: Feature, start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<f64> {
    match filter::first_time(feature, &Polynomials::new(start, end)) {
        Filtered::Never => None,
        Filtered::At(time) => Some(time),
        Filtered::Unknown => decided_exactly(feature, start, end),
    }
}

#[cold]
fn decided_exactly(feature: Feature, start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<f64> {
    let accepted = |p: &DVec3| p.abs().cmple(DVec3::splat(LARGEST)).all();
    if !start.iter().chain(end).all(accepted) {
        return None;
    }
    exact::first_time(feature, start, end)
}
