//! Components of a scene graph.

use crate::query::Geometry;
use crate::scene::SceneError;
use impinge_geom::{GeometryError, Pose};

/// The id of a component in its graph. An id never refers to another component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// The collision group of a component: groups are tested against each other. Components without one are not tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionGroup {
    /// The first group.
    A,
    /// The second group.
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

/// A component: its pose in the frame of its parent, and optionally a geometry.
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
    /// The geometry; none for a joint.
    pub geometry: Option<Geometry>,
    /// Its pose in the parent's frame.
    pub pose: Pose,
    /// Its scale relative to the parent, including all descendants.
    pub scale: f64,
    /// True if it moves, with all descendants.
    pub moves: bool,
    /// Its collision group; by default that of its parent.
    pub party: Option<CollisionGroup>,
    /// A number by which [rules](crate::scene::Rules) refer to it; by default 0.
    pub key: u32,
}

impl Component {
    /// A moving component.
    pub fn moving(geometry: impl Into<Geometry>) -> Self {
        Self { geometry: Some(geometry.into()), ..Self::joint() }
    }

    /// A component that is fixed unless its parent moves.
    pub fn fixed(geometry: impl Into<Geometry>) -> Self {
        Self { moves: false, ..Self::moving(geometry) }
    }

    /// A moving component without geometry, as a parent for others.
    pub fn joint() -> Self {
        let (pose, scale) = (Pose::IDENTITY, 1.0);
        Self { geometry: None, pose, scale, moves: true, party: None, key: 0 }
    }

    /// Sets the pose in the parent's frame.
    pub fn at(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }

    /// Sets the collision group.
    pub fn of(self, party: CollisionGroup) -> Self {
        Self { party: Some(party), ..self }
    }

    /// Sets the scale.
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// Sets the key.
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
