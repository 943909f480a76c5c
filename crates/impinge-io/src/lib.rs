//! Reads and writes triangle meshes (STL, OBJ, PLY, OFF), and reads scenes (glTF, GLB, URDF, COLLADA, folders and scene files).
//!
//! [`read_scene`] reads any of them as placed parts, see [`SceneData`]. [`read`] reads single meshes, and [`write()`] writes
//! them. The format is detected by content first and extension second. Positions are `f64`, exactly as in the file, and
//! triangles are indices.
//!
//! Files are not trusted. Errors name the file, the line or byte, the reason and a remedy; memory follows the size of the file,
//! never a count that the file claims.
//!
//! ```
//! use impinge_io::{Format, parse};
//!
//! let square = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let mesh = parse(square, Format::Obj, "square.obj")?;
//! assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
//!
//! let error = parse(b"v 0 0 0\nf 1 2 3\n", Format::Obj, "broken.obj").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "broken.obj: line 2: a face refers to vertex 3, but the file has 1: an index is wrong or vertices are missing; \
//!      export it again"
//! );
//! # Ok::<(), impinge_io::Error>(())
//! ```
//!
//! # Scene files
//!
//! A scene file lists models and their poses, in TOML. Lengths are in its `unit`; files it refers to have their own, or the `unit`
//! given for them, and are converted.
//!
//! ```
//! use impinge_io::{LoadOptions, SceneFormat, parse_scene};
//! let text = br#"
//! unit = "mm"                       # metres if it is left out
//!
//! [[part]]
//! box = [10, 20, 5]                 # or sphere = 3, or cylinder = { radius = 4, length = 30 }
//! name = "key"
//! translation = [0, 0, 12.5]
//! rotation = { axis = [0, 0, 1], degrees = 90 }     # or a quaternion [w, x, y, z]
//! party = "mechanics"               # who is responsible for it
//! material = "steel"
//! properties = { drawing = "A-12" }
//!
//! [[part]]
//! sphere = 3                        # file = "ball.stl" for a model: any format, also another scene file
//! name = "ball"
//! places = [{ translation = [50, 0, 0] }, { translation = [-50, 0, 0] }]
//! "#;
//! let scene = parse_scene(text, SceneFormat::Toml, "plant.toml", &LoadOptions::default())?;
//! let names: Vec<_> = scene.parts.iter().map(|part| part.name.as_str()).collect();
//! assert_eq!(names, ["key", "ball #0", "ball #1"]);
//! # Ok::<(), impinge_io::Error>(())
//! ```
//!
//! `[[variant]]` names a variant of the scene; its `[[variant.part]]` tables replace parts of the same `name`, key by key, or add parts.
//! [`LoadOptions::variant`] chooses one.
//!
//! A part that is a file may also have `unit`, `scale` and, for a robot, `joints = { elbow = 1.2 }`; `hidden = true` leaves a part
//! out. Unknown keys are rejected with their line.

pub mod angle;
mod assembly;
mod budget;
mod bytes;
mod collada;
mod error;
mod faces;
mod folder;
mod format;
mod gltf;
mod input;
mod json;
mod loader;
mod lock;
mod mesh;
mod number;
mod obj;
mod off;
mod options;
mod output;
mod placement;
mod ply;
mod polygon;
mod printable;
mod scene;
mod scene_format;
mod single;
mod stl;
mod text;
mod unit;
mod urdf;
mod weld;
mod xml;

pub use error::{Error, ErrorKind, Place};
pub use format::{Encoding, Format, detect};
pub use input::read_file;
pub use loader::{parse_scene, read_scene, read_scenes};
pub use lock::FileLock;
pub use mesh::{MeshData, PartRange};
pub use number::LARGEST;
pub use options::{LoadOptions, RobotGeometry};
pub use output::{check_writable, is_same_file, write_file, write_file_with};
pub use placement::Placement;
pub use printable::{printable, printable_json, printable_lines, shown_json};
pub use scene::{
    Adjacency, JointAxis, JointData, JointKind, MimicData, Note, SceneData, SceneNode, ScenePart,
    Severity, ShapeData,
};
pub use scene_format::{SceneFormat, detect_scene};
pub use unit::{Unit, UnitSource, UnknownUnit};

use ply::encode::Order;
use std::path::Path;

/// Reads a mesh file; the format is detected by content, then by extension, see [`detect`].
///
/// ```no_run
/// let mesh = impinge_io::read("crane.stl")?;
/// println!("{} triangles", mesh.triangles.len());
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn read(path: impl AsRef<Path>) -> Result<MeshData, Error> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes = read_file(path)?;
    parse(&bytes, detect(&bytes, path)?, &name)
}

/// Parses a mesh from bytes; `name` is the file name in errors.
///
/// A polygon of n corners becomes n - 2 triangles: a fan about the first corner where that is correct, as for convex ones, else by ear
/// clipping. A self-crossing one stays a fan. Vertices stay as given, in order, including unused ones; STL has no indices, so equal
/// positions become one vertex, numbered by first appearance.
///
/// ```
/// use impinge_io::{Format, parse};
/// let mesh = parse(b"OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", Format::Off, "triangle.off")?;
/// assert_eq!(mesh.vertices[1], [1.0, 0.0, 0.0]);
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn parse(bytes: &[u8], format: Format, name: &str) -> Result<MeshData, Error> {
    parse_counted(bytes, format).map(|(mesh, _)| mesh).map_err(|error| error.in_file(name))
}

/// Reads a mesh from bytes; also how many faces have no right triangles.
fn parse_counted(bytes: &[u8], format: Format) -> Result<(MeshData, usize), Error> {
    match format {
        Format::Stl => stl::parse(bytes).map(|mesh| (mesh, 0)),
        Format::Obj => obj::parse(bytes),
        Format::Ply => ply::parse(bytes),
        Format::Off => off::parse(bytes),
    }
}

/// Writes a mesh file in the format of its extension: STL and PLY as binary, which for PLY keeps `f64`.
///
/// ```no_run
/// use impinge_io::MeshData;
/// let triangle = MeshData::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
/// impinge_io::write("triangle.ply", &triangle)?;
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn write(path: impl AsRef<Path>, mesh: &MeshData) -> Result<(), Error> {
    let path = path.as_ref();
    let encoding = match format::by_extension(path) {
        Some(Format::Stl) => Encoding::StlBinary,
        Some(Format::Obj) => Encoding::Obj,
        Some(Format::Ply) => Encoding::PlyLittleEndian,
        Some(Format::Off) => Encoding::Off,
        None => return Err(format::unknown_extension(path)),
    };
    write_as(path, mesh, encoding)
}

/// Writes a mesh file in the given encoding, whatever the extension.
pub fn write_as(path: impl AsRef<Path>, mesh: &MeshData, encoding: Encoding) -> Result<(), Error> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes = encode(mesh, encoding, &name)?;
    write_file(path, &bytes)
}

/// Encodes a mesh as bytes; `name` is the file name in errors.
///
/// Every encoding except binary STL keeps each `f64`; all except the two of STL keep vertices and indices. What [`parse`] would reject is rejected here too.
///
/// ```
/// use impinge_io::{Encoding, Format, MeshData, encode, parse};
/// let mesh = MeshData::new(vec![[0.1, 0.2, 0.3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
/// let bytes = encode(&mesh, Encoding::PlyText, "triangle.ply")?;
/// assert_eq!(parse(&bytes, Format::Ply, "triangle.ply")?, mesh);
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn encode(mesh: &MeshData, encoding: Encoding, name: &str) -> Result<Vec<u8>, Error> {
    let bytes = mesh.check().and_then(|()| match encoding {
        Encoding::StlBinary => stl::encode_binary(mesh),
        Encoding::StlText => Ok(stl::encode_text(mesh)),
        Encoding::Obj => Ok(obj::encode(mesh)),
        Encoding::PlyText => Ok(ply::encode::text(mesh)),
        Encoding::PlyLittleEndian => Ok(ply::encode::binary(mesh, Order::LittleEndian)),
        Encoding::PlyBigEndian => Ok(ply::encode::binary(mesh, Order::BigEndian)),
        Encoding::Off => Ok(off::encode(mesh)),
    });
    bytes.map_err(|error| error.in_file(name))
}
