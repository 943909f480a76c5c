//! LoadOptions of scene readers.

use crate::unit::Unit;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// LoadOptions of scene readers; by default files are taken at their word.
///
/// ```
/// use impinge_io::{LoadOptions, Unit};
/// let options = LoadOptions { unit: Some(Unit::Millimetre), ..LoadOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadOptions {
    /// The unit of the file's coordinates, overriding the file. For a scene file it is the unit of the scene; its
    /// parts keep theirs.
    pub unit: Option<Unit>,
    /// Joint positions of a robot by name, in radians or metres; 0 by default.
    pub joints: BTreeMap<String, f64>,
    /// Which geometry of a robot to read.
    pub robot_geometry: RobotGeometry,
    /// The variant of a scene file to read; the scene without any if left out. [`SceneData::variants`](crate::SceneData::variants) names them.
    pub variant: Option<String>,
    /// Folders in which `package://NAME/…` is looked up: either one called NAME or one that contains it. The folders above
    /// the file come after them.
    pub packages: Vec<PathBuf>,
    /// Whether a model may name files outside of its folder, through `..`, absolute paths or links. A robot's folder is that of its ROS package, if it is in
    /// one; folders in `packages` are allowed in any case.
    pub allow_outside: bool,
}

/// Which geometry of a robot's links to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RobotGeometry {
    /// Collision geometry; where a link has none, visual geometry.
    #[default]
    Collision,
    /// Visual geometry; where a link has none, collision geometry.
    Visual,
}
