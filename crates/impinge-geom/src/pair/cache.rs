//! Caller-owned caches of pair queries.

use super::manifold::Scratch;
use crate::convex::epa::Polytope;
use glam::DVec3;

/// Scratch memory and warm start of pair queries. Keep one per thread, or one per pair if the pair is queried again and again.
///
/// A query starts from the direction in which the last one ended. For many pairs on one thread, store the small
/// [`WarmStart`] of each and restore it before the query:
///
/// ```
/// use impinge_geom::{Pose, Shape, pair};
/// let (a, b) = (Shape::cuboid([1.0; 3])?, Shape::cylinder(1.0, 1.0)?);
/// let mut cache = pair::Cache::default();
/// let mut warm = pair::WarmStart::default();
/// for step in 0..10 {
///     let pose = Pose::from_translation([4.0 - 0.1 * f64::from(step), 0.0, 0.0])?;
///     cache.set_warm_start(warm);
///     let gap = pair::distance(&a, &b, &pose, &mut cache).distance;
///     warm = cache.warm_start();
///     assert!(gap > 0.0);
/// }
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cache {
    pub(crate) warm: WarmStart,
    pub(crate) polytope: Polytope,
    /// Corners of A and of B, for the exact decision.
    pub(crate) corners: [Vec<DVec3>; 2],
    pub(crate) contact: Scratch,
    /// Of all searches so far.
    pub(crate) steps: u64,
}

/// The direction from B to A in which the last query ended: 24 bytes to keep per pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WarmStart {
    /// Zero: nothing is known.
    pub(crate) axis: DVec3,
}

impl Cache {
    /// The warm start left by the last query.
    pub fn warm_start(&self) -> WarmStart {
        self.warm
    }

    /// Total number of GJK steps so far; each evaluates both support functions. Pairs with closed forms, and pairs decided by their bounding
    /// balls, take none.
    ///
    /// ```
    /// use impinge_geom::{Pose, Shape, pair};
    /// let a = Shape::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// let (pose, mut cache) = (Pose::from_translation([0.5, 0.5, 0.3])?, pair::Cache::default());
    /// assert!(!pair::overlap(&a, &a, &pose, &mut cache));
    /// let first = cache.steps();
    /// assert!(first > 0);
    /// // What separated them the last time does so again.
    /// pair::overlap(&a, &a, &pose, &mut cache);
    /// assert_eq!(cache.steps(), first + 1);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Starts the next query from an earlier warm start; [`WarmStart::default`] starts from scratch.
    pub fn set_warm_start(&mut self, warm: WarmStart) {
        self.warm = warm;
    }
}
