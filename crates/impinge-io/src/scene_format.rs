//! Scene formats, and how they are detected.

use crate::error::{Error, ErrorKind, Place};
use crate::format::{self, Format};
use crate::text::BYTE_ORDER_MARK;
use std::path::Path;

/// A file format of a scene, or of a single mesh that becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneFormat {
    /// Stereolithography: a part per solid.
    Stl,
    /// Wavefront OBJ: a part per object, or per group where there are no objects.
    Obj,
    /// The Polygon File Format: one part.
    Ply,
    /// The Object File Format: one part.
    Off,
    /// glTF 2.0 as JSON, with its buffers inside or beside it.
    Gltf,
    /// glTF 2.0 as one binary file.
    Glb,
    /// The Unified Robot Description Format.
    Urdf,
    /// COLLADA 1.4 or 1.5: its triangles and polygons.
    Collada,
    /// A scene file of this project: parts, files and poses in TOML.
    Toml,
}

impl SceneFormat {
    /// All formats.
    pub const ALL: [Self; 9] = [
        Self::Stl,
        Self::Obj,
        Self::Ply,
        Self::Off,
        Self::Gltf,
        Self::Glb,
        Self::Urdf,
        Self::Collada,
        Self::Toml,
    ];

    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stl => Format::Stl.name(),
            Self::Obj => Format::Obj.name(),
            Self::Ply => Format::Ply.name(),
            Self::Off => Format::Off.name(),
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
            Self::Urdf => "URDF",
            Self::Collada => "COLLADA",
            Self::Toml => "scene file",
        }
    }

    /// The file extension, in lower case and without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Stl => Format::Stl.extension(),
            Self::Obj => Format::Obj.extension(),
            Self::Ply => Format::Ply.extension(),
            Self::Off => Format::Off.extension(),
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Urdf => "urdf",
            Self::Collada => "dae",
            Self::Toml => "toml",
        }
    }

    /// The mesh format, if it is one.
    pub(crate) fn mesh(self) -> Option<Format> {
        match self {
            Self::Stl => Some(Format::Stl),
            Self::Obj => Some(Format::Obj),
            Self::Ply => Some(Format::Ply),
            Self::Off => Some(Format::Off),
            _ => None,
        }
    }

    fn of_mesh(format: Format) -> Self {
        match format {
            Format::Stl => Self::Stl,
            Format::Obj => Self::Obj,
            Format::Ply => Self::Ply,
            Format::Off => Self::Off,
        }
    }
}

/// Detects the format of a scene by its content where that is unmistakable, else by its extension.
///
/// ```
/// use impinge_io::{SceneFormat, detect_scene};
/// assert_eq!(detect_scene(b"glTF\x02\0\0\0", "model.bin")?, SceneFormat::Glb);
/// assert_eq!(detect_scene(b"<robot name='r'/>", "r.xml")?, SceneFormat::Urdf);
/// assert_eq!(detect_scene(b"[[part]]", "plant.toml")?, SceneFormat::Toml);
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn detect_scene(bytes: &[u8], path: impl AsRef<Path>) -> Result<SceneFormat, Error> {
    let path = path.as_ref();
    if bytes.starts_with(b"glTF") {
        return Ok(SceneFormat::Glb);
    }
    if let Some(format) = format::by_content(bytes) {
        return Ok(SceneFormat::of_mesh(format));
    }
    let start = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    if start.first() == Some(&b'{') {
        return Ok(SceneFormat::Gltf);
    }
    if start.first() == Some(&b'<')
        && let Some(format) = by_root_element(start, path)?
    {
        return Ok(format);
    }
    if format::is_foreign(bytes) {
        return Err(unknown(bytes, path));
    }
    by_extension(path).map_or_else(
        || format::detect(bytes, path).map(SceneFormat::of_mesh).map_err(|_| unknown(bytes, path)),
        Ok,
    )
}

/// The format by the extension, in any case.
pub(crate) fn by_extension(path: &Path) -> Option<SceneFormat> {
    let extension = path.extension()?.to_str()?;
    SceneFormat::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
}

/// The format of an XML file by its first element, behind declarations and comments.
fn by_root_element(mut rest: &[u8], path: &Path) -> Result<Option<SceneFormat>, Error> {
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'!', ..] => b">",
            _ => break,
        };
        let Some(at) = rest.windows(end.len()).position(|window| window == end) else { break };
        rest = &rest[at + end.len()..];
    }
    let name: Vec<u8> =
        rest.iter().skip(1).copied().take_while(|b| b.is_ascii_alphanumeric()).collect();
    let xacro = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xacro"));
    match name.as_slice() {
        b"robot" if xacro => {
            let message =
                "it is a xacro macro file: run `xacro FILE -o robot.urdf` and give it that file";
            let error = Error::new(ErrorKind::Unsupported, Place::File, message);
            Err(error.in_file(&path.display().to_string()))
        }
        b"robot" => Ok(Some(SceneFormat::Urdf)),
        b"COLLADA" => Ok(Some(SceneFormat::Collada)),
        _ => Ok(None),
    }
}

/// The error of a file of no known format.
fn unknown(bytes: &[u8], path: &Path) -> Error {
    let known: Vec<_> = SceneFormat::ALL
        .iter()
        .map(|format| format!("{} (.{})", format.name(), format.extension()))
        .collect();
    format::unknown(bytes, path, &known)
}
