//! What stands in the world: a geometry, and where. Everything here is asked of the library; nothing is worked out.

mod feature;

pub(crate) use feature::FeatureName;

use impinge::{Geometry, Pose, RigidMotion};

/// A geometry and where it is.
pub(crate) struct Body {
    pub(crate) geometry: Geometry,
    pub(crate) pose: Pose,
    /// How it moves from there, if it does.
    pub(crate) motion: Option<RigidMotion>,
}
