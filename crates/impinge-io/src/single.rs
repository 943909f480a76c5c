//! A mesh file as a scene: one part, or one for each solid, object or group that it names.

use crate::error::Error;
use crate::loader::Loader;
use crate::mesh::{MeshData, PartRange};
use crate::scene::{SceneData, ScenePart, ShapeData};
use crate::scene_format::SceneFormat;
use crate::unit::{self, Unit, UnitSource};
use crate::{Format, obj, parse_counted};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Reads a mesh file.
pub(crate) fn parse(
    loader: &Loader<'_>,
    bytes: &[u8],
    format: SceneFormat,
    path: &Path,
) -> Result<SceneData, Error> {
    let name = path.display().to_string();
    let format = format.mesh().unwrap_or(Format::Obj);
    let (mesh, mut named, crossed) = match format {
        Format::Obj => obj::parse_named(bytes)?,
        _ => {
            let (mesh, crossed) = parse_counted(bytes, format)?;
            let objects = mesh.parts.clone();
            (mesh, obj::Named { objects, materials: Vec::new() }, crossed)
        }
    };
    let mut scene = SceneData { files: vec![name.clone()], ..SceneData::default() };
    scene.warn_crossed(&name, crossed);
    if let Some(unit) = stated_unit(bytes, format) {
        (scene.unit, scene.unit_source) = (unit, UnitSource::File);
    }
    if mesh.triangles.is_empty() {
        scene.warn(&name, "the file has no triangles, so it contains no parts");
        return Ok(scene);
    }
    let stem = path.file_stem().map_or_else(|| name.clone(), |s| s.to_string_lossy().into_owned());
    let node = scene.add_node(stem.clone(), None);
    // A single name, or none, means a single part: the name of the file says more than that of a solid.
    let distinct = groups(&mesh, &named.objects);
    let Some(distinct) = distinct.filter(|groups| groups.len() > 1) else {
        let own = named.objects.pop().filter(|part| part.triangles.len() == mesh.triangles.len());
        let own = own.map(|part| part.name).filter(|name| is_telling(name)).unwrap_or(stem);
        let materials =
            materials_in(&named.materials, std::slice::from_ref(&(0..mesh.triangles.len())));
        scene.shapes.push(ShapeData::Mesh(mesh));
        scene.parts.push(part(own, node, 0, materials, scene.unit));
        return Ok(scene);
    };
    loader.budget.parts(2 * distinct.len(), 0)?;
    let mut cutter = Cutter { mesh: &mesh, new: vec![u32::MAX; mesh.vertices.len()] };
    for group in distinct {
        let materials = materials_in(&named.materials, &group.runs);
        scene.shapes.push(ShapeData::Mesh(cutter.cut(&group.runs)));
        let node = scene.add_node(group.name.clone(), Some(node));
        let shape = scene.shapes.len() - 1;
        scene.parts.push(part(group.name, node, shape, materials, scene.unit));
    }
    Ok(scene)
}

fn part(
    name: String,
    node: usize,
    shape: usize,
    materials: Arc<[String]>,
    unit: Unit,
) -> ScenePart {
    ScenePart {
        name,
        node,
        shape,
        placement: crate::Placement::IDENTITY,
        materials,
        properties: Arc::default(),
        party: None,
        file: 0,
        unit,
    }
}

/// Does a name say anything? Many exporters write one of these for every file.
fn is_telling(name: &str) -> bool {
    const MEANINGLESS: [&str; 7] =
        ["default", "ascii", "stl", "mesh", "object", "unnamed", "untitled"];
    !name.trim().is_empty() && !MEANINGLESS.contains(&name.trim().to_lowercase().as_str())
}

/// The runs of triangles of one name.
struct Group {
    name: String,
    runs: Vec<std::ops::Range<usize>>,
}

/// Runs of the same name together, in order of first appearance; triangles without a name last. None if nothing is named.
fn groups(mesh: &MeshData, objects: &[PartRange]) -> Option<Vec<Group>> {
    if objects.is_empty() {
        return None;
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    let mut nameless = Vec::new();
    let mut end = 0;
    for object in objects {
        if object.triangles.start > end {
            nameless.push(end..object.triangles.start);
        }
        end = object.triangles.end;
        let index = *by_name.entry(&object.name).or_insert_with(|| {
            groups.push(Group { name: object.name.clone(), runs: Vec::new() });
            groups.len() - 1
        });
        groups[index].runs.push(object.triangles.clone());
    }
    if end < mesh.triangles.len() {
        nameless.push(end..mesh.triangles.len());
    }
    if !nameless.is_empty() {
        groups.push(Group { name: "without name".to_string(), runs: nameless });
    }
    Some(groups)
}

/// How many materials of a part are listed.
const MOST_MATERIALS: usize = 16;

/// The names of the materials that runs of triangles have, both in ascending order.
fn materials_in(materials: &[PartRange], runs: &[std::ops::Range<usize>]) -> Arc<[String]> {
    let mut names: Vec<String> = Vec::new();
    for run in runs {
        let mut at = materials.partition_point(|material| material.triangles.end <= run.start);
        while let Some(material) = materials.get(at).filter(|m| m.triangles.start < run.end) {
            if names.len() < MOST_MATERIALS && !names.contains(&material.name) {
                names.push(material.name.clone());
            }
            at += 1;
        }
    }
    names.into()
}

/// Cuts groups out of a mesh, each with the vertices that it uses, in the order of their use.
struct Cutter<'a> {
    mesh: &'a MeshData,
    /// The new index of each vertex, or `u32::MAX`; cleared after each group by what the group used.
    new: Vec<u32>,
}

impl Cutter<'_> {
    fn cut(&mut self, runs: &[std::ops::Range<usize>]) -> MeshData {
        let mut used: Vec<u32> = Vec::new();
        let mut triangles = Vec::new();
        for triangle in runs.iter().flat_map(|run| &self.mesh.triangles[run.clone()]) {
            triangles.push(triangle.map(|corner| {
                let new = &mut self.new[corner as usize];
                if *new == u32::MAX {
                    *new = used.len() as u32;
                    used.push(corner);
                }
                *new
            }));
        }
        for &corner in &used {
            self.new[corner as usize] = u32::MAX;
        }
        let vertices = used.iter().map(|&corner| self.mesh.vertices[corner as usize]).collect();
        MeshData::new(vertices, triangles)
    }
}

/// The unit that the header or the first comments state.
fn stated_unit(bytes: &[u8], format: Format) -> Option<Unit> {
    match format {
        Format::Stl if crate::stl::begins_like_text(bytes) => {
            unit::stated(bytes.split(|&b| crate::text::is_line_end(b)).next()?)
        }
        Format::Stl => unit::stated(bytes.get(..80)?),
        Format::Obj | Format::Off | Format::Ply => {
            let head = &bytes[..bytes.len().min(4096)];
            let mut lines = head.split(|&b| crate::text::is_line_end(b)).map(<[u8]>::trim_ascii);
            lines.find_map(|line| {
                let comment = line
                    .strip_prefix(b"#")
                    .or_else(|| line.strip_prefix(b"comment "))
                    .or_else(|| line.strip_prefix(b"obj_info "))?;
                unit::stated(comment)
            })
        }
    }
}
