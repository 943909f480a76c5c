//! File formats, and how they are detected.

use crate::error::{Error, ErrorKind, Place};
use crate::text::{BYTE_ORDER_MARK, is_line_end, is_space, quoted};
use crate::{off, stl};
use std::path::Path;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Stereolithography, text or binary.
    Stl,
    /// Wavefront OBJ.
    Obj,
    /// The Polygon File Format of Stanford, text or binary of either byte order.
    Ply,
    /// The Object File Format of Geomview, as text.
    Off,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Stl, Self::Obj, Self::Ply, Self::Off];

    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stl => "STL",
            Self::Obj => "OBJ",
            Self::Ply => "PLY",
            Self::Off => "OFF",
        }
    }

    /// The file extension, in lower case and without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Stl => "stl",
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Off => "off",
        }
    }
}

/// How a mesh is encoded in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// Binary STL: `f32`, each triangle by the positions of its corners; parts are lost.
    StlBinary,
    /// Text STL: each triangle by the positions of its corners, with all digits of `f64`; a solid per part.
    StlText,
    /// OBJ with an object per part.
    Obj,
    /// PLY in text; parts are lost.
    PlyText,
    /// Binary PLY, little endian; parts are lost.
    PlyLittleEndian,
    /// Binary PLY, big endian; parts are lost.
    PlyBigEndian,
    /// OFF; parts are lost.
    Off,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 7] = [
        Self::StlBinary,
        Self::StlText,
        Self::Obj,
        Self::PlyText,
        Self::PlyLittleEndian,
        Self::PlyBigEndian,
        Self::Off,
    ];

    /// Its format.
    pub fn format(self) -> Format {
        match self {
            Self::StlBinary | Self::StlText => Format::Stl,
            Self::Obj => Format::Obj,
            Self::PlyText | Self::PlyLittleEndian | Self::PlyBigEndian => Format::Ply,
            Self::Off => Format::Off,
        }
    }
}

/// Detects the format of a file by its content where that is unmistakable, else by its extension, else by how OBJ files begin.
///
/// ```
/// use impinge_io::{Format, detect};
/// assert_eq!(detect(b"ply\nformat ascii 1.0\n", "wrongly-named.stl")?, Format::Ply);
/// assert_eq!(detect(b"# no magic number\n", "part.OBJ")?, Format::Obj);
/// assert!(detect(b"PK\x03\x04", "part.3mf").is_err());
/// # Ok::<(), impinge_io::Error>(())
/// ```
pub fn detect(bytes: &[u8], path: impl AsRef<Path>) -> Result<Format, Error> {
    let path = path.as_ref();
    by_content(bytes)
        .or_else(|| by_extension(path))
        .or_else(|| begins_like_obj(bytes).then_some(Format::Obj))
        .ok_or_else(|| unknown(bytes, path, &mesh_formats()))
}

/// The format by magic words and sizes. PLY comes first: it cannot be mistaken, while a binary STL may begin with anything.
pub(crate) fn by_content(bytes: &[u8]) -> Option<Format> {
    let begins_like_ply = bytes.starts_with(b"ply") && bytes.get(3).is_some_and(|&b| is_space(b));
    if begins_like_ply {
        Some(Format::Ply)
    } else if stl::has_binary_size(bytes) || stl::begins_like_text(bytes) {
        Some(Format::Stl)
    } else if off::begins_with_keyword(bytes) {
        Some(Format::Off)
    } else {
        None
    }
}

/// The format by the extension, in any case.
pub(crate) fn by_extension(path: &Path) -> Option<Format> {
    let extension = path.extension()?.to_str()?;
    Format::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
}

/// Is the first word that is not a comment one that OBJ files begin with?
fn begins_like_obj(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut lines = bytes.split(|&byte| is_line_end(byte)).map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty() && line[0] != b'#') else { return false };
    let word = line.split(|&byte| is_space(byte)).next().unwrap_or_default();
    matches!(word, b"v" | b"vn" | b"vt" | b"f" | b"o" | b"g" | b"mtllib" | b"usemtl" | b"s")
}

/// Files of other kinds that people try: how they begin, what they are, and what to do.
const OTHERS: [(&[u8], &str); 8] = [
    (b"\x1f\x8b", "it is gzip-compressed: unpack it first"),
    (b"PK\x03\x04", "it is a zip archive, as 3MF files are: unpack or export it as one of these"),
    (
        b"glTF",
        "it is a binary glTF, which is a scene: read it as a scene, or export it as one of these",
    ),
    (b"ISO-10303-21", "it is a STEP or IFC file: export its triangles as one of these"),
    (b"<?xml", "it is XML, as COLLADA files are: export it as one of these"),
    (b"<!DOCTYPE", "it is a web page: download the model itself"),
    (b"<html", "it is a web page: download the model itself"),
    (b"version https://git-lfs", "it is a pointer of Git LFS: run `git lfs pull`"),
];

/// Is it a file of another kind for certain, whatever its extension is? XML and glTF are recognised by their own readers.
pub(crate) fn is_foreign(bytes: &[u8]) -> bool {
    let told: [&[u8]; 2] = [b"<?xml", b"glTF"];
    OTHERS.iter().any(|(start, _)| bytes.starts_with(start) && !told.contains(start))
}

/// The error of a file of no known format.
pub(crate) fn unknown(bytes: &[u8], path: &Path, known: &[String]) -> Error {
    let hint = match OTHERS.iter().find(|(start, _)| bytes.starts_with(start)) {
        Some((_, hint)) => *hint,
        None if bytes.is_empty() => "it is empty",
        None => "its content matches none of them",
    };
    let message = format!("unknown format: {hint}, and {}", extensions(path, known));
    Error::new(ErrorKind::UnknownFormat, Place::File, message).in_file(&path.display().to_string())
}

/// The error of a file that cannot be written for want of a known extension.
pub(crate) fn unknown_extension(path: &Path) -> Error {
    let message = format!("unknown format: {}", extensions(path, &mesh_formats()));
    Error::new(ErrorKind::UnknownFormat, Place::File, message).in_file(&path.display().to_string())
}

/// What the extension is, and which are known.
fn extensions(path: &Path, known: &[String]) -> String {
    let given = match path.extension() {
        Some(extension) => {
            format!("its extension is {}", quoted(extension.to_string_lossy().as_bytes()))
        }
        None => "it has no extension".to_string(),
    };
    format!("{given}; known formats are {}", known.join(", "))
}

/// The mesh formats with their extensions.
fn mesh_formats() -> Vec<String> {
    Format::ALL
        .iter()
        .map(|format| format!("{} (.{})", format.name(), format.extension()))
        .collect()
}
