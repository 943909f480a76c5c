//! What a scene graph is made of.

use crate::query::Geometry;
use crate::scene::SceneError;
use impinge_geom::{GeometryError, Pose};

/// The name of a component in its graph. An id that was given never names another component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// Which side a component is on. Components of no party are not tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionGroup {
    /// The one.
    A,
    /// The other.
    B,
}

impl CollisionGroup {
    /// Groups and mask of a component: only those of the other party.
    pub(super) fn groups(party: Option<Self>) -> (u32, u32) {
        match party {
            Some(Self::A) => (0b01, 0b10),
            Some(Self::B) => (0b10, 0b01),
            None => (0, 0),
        }
    }
}

/// A part of a whole: its place in the frame of its parent, and perhaps a geometry.
///
/// ```
/// use impinge::{Pose, geom::Shape, scene::{Component, CollisionGroup}};
/// let joint = Component::joint().at(Pose::from_translation([0.0, 0.0, 2.0])?);
/// let beam = Component::fixed(Shape::cuboid([0.1, 0.1, 2.0])?).of(CollisionGroup::A).scaled(0.5).with_key(3);
/// assert!(joint.geometry.is_none() && beam.geometry.is_some() && beam.scale == 0.5);
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Component {
    /// What it is made of; a joint is made of nothing.
    pub geometry: Option<Geometry>,
    /// Where its frame is in that of its parent.
    pub pose: Pose,
    /// How much larger it is than its parent's unit says, with all that hangs on it.
    pub scale: f64,
    /// True if it moves, with all that hangs on it.
    pub moves: bool,
    /// Its party; that of its parent if it has none.
    pub party: Option<CollisionGroup>,
    /// A number by which [rules](crate::scene::Rules) name it; at first 0.
    pub key: u32,
}

impl Component {
    /// A component that moves.
    pub fn moving(geometry: impl Into<Geometry>) -> Self {
        Self { geometry: Some(geometry.into()), ..Self::joint() }
    }

    /// A component that does not move, unless its parent does.
    pub fn fixed(geometry: impl Into<Geometry>) -> Self {
        Self { moves: false, ..Self::moving(geometry) }
    }

    /// A component without a geometry, for others to hang on; it moves.
    pub fn joint() -> Self {
        let (pose, scale) = (Pose::IDENTITY, 1.0);
        Self { geometry: None, pose, scale, moves: true, party: None, key: 0 }
    }

    /// The same, at a place in its parent's frame.
    pub fn at(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// The same, of this party.
    pub fn of(self, party: CollisionGroup) -> Self {
        Self { party: Some(party), ..self }
    }

    /// The same, so much larger.
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// The same, with this key.
    pub fn with_key(self, key: u32) -> Self {
        Self { key, ..self }
    }

    /// Where it is in the world if its parent's frame is there.
    pub(super) fn placed(&self, (above, size): (Pose, f64)) -> Result<(Pose, f64), SceneError> {
        let (argument, scale) = ("scale", size * self.scale);
        if !scale.is_finite() {
            return Err(GeometryError::NotFinite { argument, index: None }.into());
        }
        if scale <= 0.0 {
            return Err(GeometryError::Negative { argument, value: scale }.into());
        }
        let shift = self.pose.translation() * size;
        let own = self.pose.with_translation(shift.to_array())?;
        let pose = above.compose(&own);
        // Composing does not check; a pose beyond the limits is refused here.
        Ok((pose.with_translation(pose.translation().to_array())?, scale))
    }
}
