//! The pose of one mesh relative to another, with a scale.

use impinge_geom::Pose;
use impinge_geom::glam::DVec3;

/// The pose of B in A's frame: B is scaled about its own origin, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScaledPose {
    /// The motion.
    pub pose: Pose,
    /// The scale; positive.
    pub scale: f64,
}

impl ScaledPose {
    /// Where B, scaled and placed in the world, is in the frame of A, which is scaled and placed, too.
    pub(crate) fn between(
        (pose_a, scale_a): (&Pose, f64),
        (pose_b, scale_b): (&Pose, f64),
    ) -> Self {
        let pose = pose_a.relative(pose_b);
        if scale_a == 1.0 {
            return Self { pose, scale: scale_b };
        }
        // Within the limits of scales and places no translation is refused.
        let translation = (pose.translation() / scale_a).to_array();
        let pose = pose.with_translation(translation).unwrap_or(pose);
        Self { pose, scale: scale_b / scale_a }
    }

    /// Transforms a point of B to A's frame: the one function through which B's vertices enter it.
    #[inline(always)]
    pub fn transform_point(&self, p: DVec3) -> DVec3 {
        self.pose.transform_point(p * self.scale)
    }

    /// Where A is in the frame of B.
    pub(super) fn inverse(&self) -> Self {
        let (back, scale) = (self.pose.inverse(), 1.0 / self.scale);
        // What has a place can be seen from there.
        let pose = back.with_translation((back.translation() * scale).to_array()).unwrap_or(back);
        Self { pose, scale }
    }

    /// Where the corners of a triangle of B are.
    #[inline(always)]
    pub(super) fn map_corners(&self, [a, b, c]: [DVec3; 3]) -> [DVec3; 3] {
        [self.transform_point(a), self.transform_point(b), self.transform_point(c)]
    }
}

impl From<Pose> for ScaledPose {
    fn from(pose: Pose) -> Self {
        Self { pose, scale: 1.0 }
    }
}
