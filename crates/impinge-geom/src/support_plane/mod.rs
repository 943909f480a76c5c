//! Support planes: what a bounding volume leaves out, cut off by a plane that touches the body.
//!
//! A. Vogiannou, K. Moustakas, D. Tzovaras and M. G. Strintzis, "Enhancing bounding volumes using support plane mappings for
//! collision detection" (2010). A *support plane* touches a body and has all of it on one side. A *mapping* gives, for a
//! direction, the plane of a set whose normal is closest to it: of all support planes ([`VertexMapping`]), of those on faces of
//! the hull ([`FaceMapping`]), or of a sampled set that is looked up in constant time ([`PlaneTable`]). Two bodies with volumes R₁, R₂ and
//! planes E₁, E₂ are apart if R₁ or R₂ has no point below both planes, which [`rejects`] finds by weak
//! duality; the tests hold it to the theorem as it is printed.
//!
//! [`SupportTable`] is a stronger and cheaper relative: it bounds the support value of the body along any direction, and
//! [`TablePair`] searches for a separating axis of two of them.
//!
//! Bodies need not be convex: their support planes are those of their hulls.

mod axes;
mod bounded;
mod dual;
mod enclosure;
mod exact;
mod grid;
mod nested;
mod plane_table;
mod support_table;

pub use axes::{Reflection, TablePair};
pub use bounded::{enclosed_volume, is_bounded, region};
pub use dual::{misses, rejects, rejects_common};
pub use enclosure::{Enclosure, Side};
pub use exact::{FaceMapping, VertexMapping};
pub use grid::Grid;
pub use nested::NestedHulls;
pub use plane_table::PlaneTable;
pub use support_table::SupportTable;

use crate::Pose;
use crate::number::tolerance::SUPPORT_MARGIN;
use glam::DVec3;

/// A plane n·x = offset that touches a body; the body is where n·x ≤ offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportPlane {
    /// The unit normal n, away from the body.
    pub normal: DVec3,
    /// The height of the plane along its normal.
    pub offset: f64,
    /// A point where the plane touches the body.
    pub point: DVec3,
}

impl SupportPlane {
    /// The plane through a point.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, support_plane::SupportPlane};
    /// let plane = SupportPlane::through(DVec3::ONE, DVec3::Z);
    /// assert_eq!((plane.height(DVec3::ZERO), plane.height(DVec3::Z * 3.0)), (-1.0, 2.0));
    /// ```
    pub fn through(point: DVec3, normal: DVec3) -> Self {
        Self { normal, offset: normal.dot(point), point }
    }

    /// The height of a point above the plane.
    #[inline(always)]
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The plane after scaling the body about its origin and moving it. As accurate as the rows of the pose are orthonormal, which
    /// [`Pose::from_rows`] requires within 1e-12.
    #[inline]
    pub fn moved(&self, pose: &Pose, scale: f64) -> Self {
        let normal = pose.rotate(self.normal);
        let offset = self.offset * scale + normal.dot(pose.translation());
        Self { normal, offset, point: pose.transform_point(self.point * scale) }
    }
}

/// The error bound of a test, for f64 planes and volumes with coordinates up to `largest`, all in one frame.
///
/// ```
/// assert!(impinge_geom::support_plane::margin(1000.0) < 1e-11);
/// ```
pub fn margin(largest: f64) -> f64 {
    SUPPORT_MARGIN * f64::EPSILON * largest
}

/// Like [`margin`], for planes from a [`PlaneTable`], which holds normals in f32. `largest` is relative to the centre of the tables.
pub fn table_margin(largest: f64) -> f64 {
    SUPPORT_MARGIN * f64::from(f32::EPSILON) * largest
}
