//! How a joint moves what is below it.

use impinge::geom::GeometryError;
use impinge::geom::glam::DVec3;
use impinge::{Motion, MotionPath, Pose, RigidMotion};

/// How a joint moves everything below it, in world coordinates, with the tree in its reference position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// Nothing.
    Fixed,
    /// A rotation about a line, in radians.
    Turn {
        /// A point of the line.
        point: DVec3,
        /// The unit vector along it; positive angles turn counter-clockwise seen from its tip.
        axis: DVec3,
    },
    /// A translation: by this much per unit of position.
    Slide {
        /// The way.
        along: DVec3,
    },
}

impl Freedom {
    /// A rotation about a line; the direction may have any length.
    pub fn turn(point: impl Into<DVec3>, axis: impl Into<DVec3>) -> Result<Self, GeometryError> {
        let (point, axis) = (point.into(), axis.into());
        // The kernel's own checks of both.
        RigidMotion::screw(&Pose::IDENTITY, axis, point, 0.0, 0.0)?;
        let largest = axis.abs().max_element();
        Ok(Self::Turn { point, axis: (axis / largest).normalize() })
    }

    /// A translation by `along` per unit of position.
    pub fn slide(along: impl Into<DVec3>) -> Result<Self, GeometryError> {
        let along = along.into();
        RigidMotion::linear(&Pose::IDENTITY, along)?;
        Ok(Self::Slide { along })
    }

    /// The displacement of everything below the joint when it moves `by` this much from its reference position.
    ///
    /// ```
    /// use impinge::geom::glam::DVec3;
    /// use impinge_robot::Freedom;
    /// let turn = Freedom::turn([1.0, 0.0, 0.0], [0.0, 0.0, 9.0])?;
    /// let moved = turn.moved(std::f64::consts::PI).transform_point(DVec3::ZERO);
    /// assert!((moved - DVec3::new(2.0, 0.0, 0.0)).length() < 1e-15);
    /// # Ok::<(), impinge::geom::GeometryError>(())
    /// ```
    pub fn moved(&self, by: f64) -> Pose {
        self.way(0.0, by).map_or(Pose::IDENTITY, |way| way.pose(1.0))
    }

    /// From one position to another, both relative to the reference position.
    fn way(&self, from: f64, to: f64) -> Result<RigidMotion, GeometryError> {
        let start = || if from == 0.0 { Pose::IDENTITY } else { self.moved(from) };
        match *self {
            Self::Fixed => Ok(RigidMotion::still(&Pose::IDENTITY)),
            // About the point that was given, which is near the body, and not the one of the axis that is nearest to the origin.
            Self::Turn { point, axis } => {
                RigidMotion::turning(&start(), point, DVec3::ZERO, axis * (to - from))
            }
            Self::Slide { along } => {
                let start = Pose::from_translation((along * from).to_array())?;
                RigidMotion::linear(&start, along * (to - from))
            }
        }
    }

    /// Through key frames of increasing time and a position each, relative to the reference position, at a constant rate between them. Times are mapped to
    /// 0 to 1. A single frame is a body at rest.
    pub fn path(&self, frames: &[(f64, f64)]) -> Result<MotionPath, GeometryError> {
        let mut pieces = Vec::with_capacity(frames.len());
        for two in frames.windows(2) {
            pieces.push((two[1].0 - two[0].0, self.way(two[0].1, two[1].1)?));
        }
        if let [(_, only)] = frames {
            pieces.push((1.0, RigidMotion::still(&self.moved(*only))));
        }
        MotionPath::of_pieces(&pieces)
    }
}
