//! What a builder sees of the geometry.

use impinge_geom::bound::{Aabb, Moments};

/// The things to be grouped: a box for each, and the moments of its surface where a split along principal axes is wanted.
#[derive(Clone, Debug, Default)]
pub struct Items {
    /// In the frame of the body.
    pub boxes: Vec<Aabb>,
    /// Empty, or one for each box.
    pub moments: Vec<Moments>,
}
