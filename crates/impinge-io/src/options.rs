//! What the reader of a scene is told.

use crate::unit::Unit;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What the reader of a scene is told; the default is to take files at their word.
///
/// ```
/// use impinge_io::{Options, Unit};
/// let options = Options { unit: Some(Unit::Millimetre), ..Options::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The unit of the file's coordinates, against what it says itself. A scene file's unit is that of the scene, and its
    /// parts keep theirs.
    pub unit: Option<Unit>,
    /// Positions of a robot's joints by name, in radians or metres; 0 where none is given.
    pub joints: BTreeMap<String, f64>,
    /// Which geometry of a robot is read.
    pub robot_geometry: RobotGeometry,
    /// The variant of a scene file to read; the scene without any if left out. [`SceneData::variants`](crate::SceneData::variants) names them.
    pub variant: Option<String>,
    /// Folders that `package://NAME/…` is looked up in: either one that is called NAME or one that holds it. The folders above
    /// the file come after them.
    pub packages: Vec<PathBuf>,
}

/// Which geometry of a robot's links is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RobotGeometry {
    /// That for collisions; where a link has none, that for display.
    #[default]
    Collision,
    /// That for display; where a link has none, that for collisions.
    Visual,
}
