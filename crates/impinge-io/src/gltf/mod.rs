//! glTF 2.0, as JSON with its buffers inside or beside it, or as one binary file.
//!
//! After the specification of the Khronos Group (glTF 2.0, revision 2.0.1, 2021), section by section: `container.rs` is the
//! binary file (4), `buffer.rs` bytes (3.6.1), `accessor.rs` numbers in them (3.6.2), `primitive.rs` triangles (3.7.2),
//! `nodes.rs` the tree and its transforms (3.5). Every primitive mode that holds triangles is read; lines and points are left
//! out, with a note. Positions that are equal become one vertex: files repeat them for each normal, and a solid would come
//! apart there. An extension that a file requires and that is unknown is rejected by name, because without it the
//! model would not be the model.

mod accessor;
mod buffer;
mod container;
mod nodes;
mod primitive;

use crate::error::{Error, ErrorKind};
use crate::json::{Json, Kind, Value};
use crate::loader::Loader;
use crate::scene::SceneData;
use crate::scene_format::SceneFormat;
use crate::text::quoted;
use crate::unit::{Unit, UnitSource};
use buffer::Buffers;
use std::path::Path;

/// Extensions that change nothing about triangles, or that are read. Materials and textures of any kind are others.
const KNOWN: [&str; 10] = [
    "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing",
    "KHR_accessor_float64",
    "KHR_lights_punctual",
    "KHR_lights_image_based",
    "EXT_lights_image_based",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "KHR_animation_pointer",
    "KHR_node_selectability",
];

/// Extensions that people meet, and what to do about them.
const CURES: [(&str, &str); 4] = [
    (
        "KHR_draco_mesh_compression",
        "export it without Draco compression, or run `gltf-transform copy`",
    ),
    (
        "EXT_meshopt_compression",
        "export it without meshopt compression, or run `gltf-transform copy`",
    ),
    (
        "KHR_meshopt_compression",
        "export it without meshopt compression, or run `gltf-transform copy`",
    ),
    ("MSFT_lod", "export it with one level of detail"),
];

/// A document: the lists of its root, each with its items.
pub(super) struct Document<'j> {
    nodes: Vec<Value<'j>>,
    meshes: Vec<Value<'j>>,
    accessors: Vec<Value<'j>>,
    views: Vec<Value<'j>>,
    materials: Vec<Value<'j>>,
    buffers: Buffers<'j>,
}

/// Reads either kind.
pub(crate) fn parse(
    loader: &Loader<'_>,
    bytes: &[u8],
    format: SceneFormat,
    path: &Path,
) -> Result<SceneData, Error> {
    let (text, base, chunk) = if format == SceneFormat::Glb {
        let container = container::open(bytes)?;
        (container.json, Some(container.json_at), container.binary)
    } else {
        (bytes, None, None)
    };
    let json = Json::parse(text, base)?;
    let root = json.root();
    let name = path.display().to_string();
    let mut scene = SceneData {
        files: vec![name.clone()],
        unit: Unit::Metre,
        unit_source: UnitSource::File,
        ..SceneData::default()
    };
    check_version(root)?;
    check_extensions(root, &mut scene, &name)?;
    let document = Document {
        nodes: list(root, "nodes")?,
        meshes: list(root, "meshes")?,
        accessors: list(root, "accessors")?,
        views: list(root, "bufferViews")?,
        materials: list(root, "materials")?,
        buffers: Buffers::new(list(root, "buffers")?, chunk, loader, path),
    };
    for (member, what) in [("animations", "animations"), ("skins", "skins")] {
        if root.get(member).is_some_and(|value| value.items().next().is_some()) {
            let message = format!("{what} are not supported: parts are placed as the nodes state");
            scene.note(crate::scene::Severity::Note, &name, message);
        }
    }
    nodes::read(&document, root, loader, &name, &mut scene)?;
    Ok(scene)
}

fn check_version(root: Value<'_>) -> Result<(), Error> {
    if root.kind() != Kind::Object {
        let message = "a glTF file is a JSON object, `{…}`: this file is in another format";
        return Err(root.error(ErrorKind::Malformed, message));
    }
    let Some(asset) = root.get("asset") else {
        let message = "the glTF has no `asset`, which states its version: it is damaged, or JSON of another kind";
        return Err(root.error(ErrorKind::Malformed, message));
    };
    let stated = asset.get("minVersion").or_else(|| asset.get("version"));
    let version = stated.and_then(Value::text).unwrap_or_default();
    if version.split('.').next() != Some("2") {
        let message = format!(
            "the version is {}, not 2.0: export it as glTF 2.0",
            quoted(version.as_bytes())
        );
        return Err(stated.unwrap_or(asset).error(ErrorKind::Unsupported, message));
    }
    Ok(())
}

fn check_extensions(root: Value<'_>, scene: &mut SceneData, file: &str) -> Result<(), Error> {
    let known = |name: &str| {
        let prefixes = ["KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_"];
        KNOWN.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
    };
    for required in root.get("extensionsRequired").into_iter().flat_map(Value::items) {
        let name = required.text().unwrap_or_default();
        if !known(&name) {
            let cure = CURES.iter().find(|(cured, _)| *cured == name);
            let cure = cure.map_or("export it without that extension", |(_, cure)| *cure);
            let message = format!(
                "the file requires the extension {}, which is not supported: {cure}",
                quoted(name.as_bytes())
            );
            return Err(required.error(ErrorKind::Unsupported, message));
        }
    }
    for used in root.get("extensionsUsed").into_iter().flat_map(Value::items) {
        let name = used.text().unwrap_or_default();
        if !known(&name) {
            let message = format!("the extension {} is ignored", quoted(name.as_bytes()));
            scene.note(crate::scene::Severity::Note, file, message);
        }
    }
    Ok(())
}

/// The items of a list of the root; none if it is missing.
fn list<'j>(root: Value<'j>, name: &str) -> Result<Vec<Value<'j>>, Error> {
    let Some(value) = root.get(name) else { return Ok(Vec::new()) };
    if value.kind() != Kind::Array {
        let message = format!("`{name}` is not a list: the file is damaged; export it again");
        return Err(value.error(ErrorKind::Malformed, message));
    }
    Ok(value.items().collect())
}

/// The item of a list that a value names; `what` is what the list holds.
pub(super) fn item<'j>(
    list: &[Value<'j>],
    value: Value<'_>,
    what: &str,
) -> Result<(usize, Value<'j>), Error> {
    let Some(index) = value.index() else {
        let message = format!(
            "the index of the {what} is not a whole number: the file is damaged; export it again"
        );
        return Err(value.error(ErrorKind::Malformed, message));
    };
    match list.get(index) {
        Some(&item) => Ok((index, item)),
        None => {
            let message = format!(
                "{what} {index} is referenced here, but the file has {}, counted from 0: the file is damaged; export it again",
                list.len()
            );
            Err(value.error(ErrorKind::Index, message))
        }
    }
}

/// A whole number that must be there, or may be left out if there is a default.
pub(super) fn whole(owner: Value<'_>, name: &str, default: Option<u64>) -> Result<u64, Error> {
    let Some(value) = owner.get(name) else {
        return default.ok_or_else(|| {
            let message = format!("`{name}` is missing here: the file is damaged; export it again");
            owner.error(ErrorKind::Malformed, message)
        });
    };
    value.index().map(|index| index as u64).ok_or_else(|| {
        let message =
            format!("`{name}` is not a whole number: the file is damaged; export it again");
        value.error(ErrorKind::Malformed, message)
    })
}

/// A list of exactly `N` finite numbers; none if the member is missing.
pub(super) fn numbers<const N: usize>(
    owner: Value<'_>,
    name: &str,
) -> Result<Option<[f64; N]>, Error> {
    let Some(value) = owner.get(name) else { return Ok(None) };
    let mut result = [0.0; N];
    let mut items = value.items();
    for slot in &mut result {
        let number = items.next().and_then(Value::number).filter(|v| v.abs() <= crate::LARGEST);
        let Some(number) = number else {
            let message =
                format!("`{name}` is not a list of {N} numbers up to 2^250: export it again");
            return Err(value.error(ErrorKind::Number, message));
        };
        *slot = number;
    }
    if items.next().is_some() {
        let message = format!("`{name}` has more than {N} numbers: export it again");
        return Err(value.error(ErrorKind::Number, message));
    }
    Ok(Some(result))
}
