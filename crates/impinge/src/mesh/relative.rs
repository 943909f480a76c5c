//! Where one mesh is, seen from another.

use impinge_geom::Pose;
use impinge_geom::glam::DVec3;

/// The placement of B in A's frame: B is scaled about its own origin, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relative {
    /// The motion.
    pub pose: Pose,
    /// The factor; positive.
    pub scale: f64,
}

impl Relative {
    /// Where a point of B is in A's frame: the one function through which B's vertices enter it.
    #[inline(always)]
    pub fn map(&self, p: DVec3) -> DVec3 {
        self.pose.map(p * self.scale)
    }

    /// Where the corners of a triangle of B are.
    #[inline(always)]
    pub(super) fn map_corners(&self, [a, b, c]: [DVec3; 3]) -> [DVec3; 3] {
        [self.map(a), self.map(b), self.map(c)]
    }
}

impl From<Pose> for Relative {
    fn from(pose: Pose) -> Self {
        Self { pose, scale: 1.0 }
    }
}
