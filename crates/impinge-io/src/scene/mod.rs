//! A scene as plain data: placed parts, the shapes they share, and notes on what was read.

mod adjacency;
mod compose;
mod path;
mod primitive;
mod report;

pub use adjacency::Adjacency;
pub(crate) use compose::{Bodies, Insertion, Taken};
pub use report::{Note, Severity};

use crate::mesh::MeshData;
use crate::placement::Placement;
use crate::unit::{Unit, UnitSource};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Placed parts, from one file or several.
///
/// ```
/// use impinge_io::{LoadOptions, SceneFormat, parse_scene};
/// let text = b"o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no right\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 4 5 6\n";
/// let scene = parse_scene(text, SceneFormat::Obj, "pair.obj", &LoadOptions::default())?;
/// assert_eq!(scene.parts.len(), 2);
/// assert_eq!(scene.part_path(1), "pair/right");
/// # Ok::<(), impinge_io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneData {
    /// The parts, in the order of the file.
    pub parts: Vec<ScenePart>,
    /// The shapes; several parts may share one.
    pub shapes: Vec<ShapeData>,
    /// The node tree of the files: a parent always comes before its children.
    pub nodes: Vec<SceneNode>,
    /// The joints of robots: the links they connect touch or overlap by design, see [`SceneData::adjacency`].
    pub joints: Vec<JointData>,
    /// The files that were read, under the names by which they were requested.
    pub files: Vec<String>,
    /// The unit of all placements, and of placed shapes.
    pub unit: Unit,
    /// How the unit is known.
    pub unit_source: UnitSource,
    /// What was left out, assumed or changed.
    pub notes: Vec<Note>,
    /// The variant that was read, see [`LoadOptions::variant`](crate::LoadOptions::variant).
    pub variant: Option<String>,
    /// The names of all variants that a scene file states.
    pub variants: Vec<String>,
}

/// A placed part.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenePart {
    /// The name from the file, or one made from its place in the file; names need not be unique.
    pub name: String,
    /// Its node: an index into [`SceneData::nodes`].
    pub node: usize,
    /// Its shape: an index into [`SceneData::shapes`].
    pub shape: usize,
    /// Its pose.
    pub placement: Placement,
    /// The names of its materials, without repetition.
    pub materials: Arc<[String]>,
    /// Other properties from the file: names and values as text.
    pub properties: Arc<BTreeMap<String, String>>,
    /// The responsible party, if a scene file names one.
    pub party: Option<Arc<str>>,
    /// Its file: an index into [`SceneData::files`].
    pub file: usize,
    /// The unit of that file; the placement's scale includes the conversion to the scene's unit.
    pub unit: Unit,
}

/// A node of a file's tree: an assembly, a link, an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneNode {
    /// Its name, or one made from its place in the file.
    pub name: String,
    /// Its parent; always a smaller index.
    pub parent: Option<usize>,
}

/// The shape of a part, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum ShapeData {
    /// Triangles.
    Mesh(MeshData),
    /// A box centred at the origin, with its full lengths along x, y and z.
    Box {
        /// The lengths of its edges.
        size: [f64; 3],
    },
    /// A cylinder along z, centred at the origin.
    Cylinder {
        /// The radius.
        radius: f64,
        /// From end to end.
        length: f64,
    },
    /// A ball centred at the origin.
    Sphere {
        /// The radius.
        radius: f64,
    },
}

/// A joint between two links of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct JointData {
    /// Its name.
    pub name: String,
    /// Its kind of motion.
    pub kind: JointKind,
    /// The node of the parent link.
    pub parent: usize,
    /// The node of the child link.
    pub child: usize,
    /// The joint position used for the placements: radians or metres, 0 by default.
    pub position: f64,
    /// The joint limits, if the file states them.
    pub limits: Option<[f64; 2]>,
    /// Where in the scene it moves; none if it does not, or if a scale that is not uniform or a mirror image stands above it.
    pub axis: Option<JointAxis>,
    /// The joint that it follows, if it does.
    pub mimic: Option<MimicData>,
}

/// The axis of a joint in the scene, with all joints at their positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointAxis {
    /// A point on it.
    pub point: [f64; 3],
    /// Of unit length.
    pub direction: [f64; 3],
    /// How far the joint moves in the scene for one metre of its position: of joints along an axis.
    pub scale: f64,
}

/// A joint follows another: its position is that of the other times a factor, and an offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MimicData {
    /// The other: an index into [`SceneData::joints`].
    pub joint: usize,
    /// The factor.
    pub multiplier: f64,
    /// The offset, in radians or metres.
    pub offset: f64,
}

/// The kind of motion of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// Rotation about an axis, within limits.
    Revolute,
    /// Rotation about an axis, without limits.
    Continuous,
    /// Translation along an axis.
    Prismatic,
    /// Fixed.
    Fixed,
    /// Free in all directions.
    Floating,
    /// Translation in a plane.
    Planar,
}

impl SceneData {
    /// The file of a part.
    pub fn part_file(&self, part: usize) -> &str {
        let file = self.parts.get(part).and_then(|part| self.files.get(part.file));
        file.map_or("", String::as_str)
    }

    /// Number of triangles of the placed parts; exact primitives count as none.
    pub fn triangle_count(&self) -> usize {
        let count = |part: &ScenePart| match self.shapes.get(part.shape) {
            Some(ShapeData::Mesh(mesh)) => mesh.triangles.len(),
            _ => 0,
        };
        self.parts.iter().map(count).sum()
    }

    /// Which parts belong to one link of a robot or to two links connected by a joint: a checker should not report them. Links without geometry are passed
    /// through, so that the links they connect are adjacent.
    pub fn adjacency(&self) -> Adjacency {
        adjacency::of(self)
    }
}
