//! Meshes: lists, strips and fans of triangles, with or without indices.

use super::accessor::Accessor;
use super::{Document, item, whole};
use crate::error::{Error, ErrorKind};
use crate::json::Value;
use crate::loader::Loader;
use crate::mesh::MeshData;
use crate::number;
use crate::scene::{SceneData, Severity, ShapeData};
use crate::weld::Welder;
use std::collections::HashMap;
use std::sync::Arc;

/// The modes of a primitive that hold triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    List,
    Strip,
    Fan,
}

impl Mode {
    /// The number of triangles that a number of corners makes.
    fn triangles(self, corners: usize) -> usize {
        match self {
            Self::List => corners / 3,
            Self::Strip | Self::Fan => corners.saturating_sub(2),
        }
    }

    /// The corners of a triangle; every other one of a strip runs the other way round (section 3.7.2.1).
    fn corners(self, triangle: usize) -> [usize; 3] {
        match self {
            Self::List => [3 * triangle, 3 * triangle + 1, 3 * triangle + 2],
            Self::Strip => [triangle, triangle + 1 + triangle % 2, triangle + 2 - triangle % 2],
            Self::Fan => [triangle + 1, triangle + 2, 0],
        }
    }
}

/// A mesh of the file as it was read.
#[derive(Clone)]
pub(super) struct Shape {
    pub(super) shape: usize,
    pub(super) materials: Arc<[String]>,
}

/// The accessors and mode of each primitive of a mesh: meshes of the same are one shape.
type Key = Vec<(usize, Option<usize>, Mode)>;

/// Meshes on their way in.
#[derive(Default)]
pub(super) struct Meshes {
    /// By mesh; `Some(None)` if it has no triangles.
    read: HashMap<usize, Option<Shape>>,
    by_key: HashMap<Key, usize>,
}

impl Meshes {
    /// The shape of a mesh; none if it has no triangles.
    pub(super) fn shape(
        &mut self,
        document: &Document<'_>,
        named: Value<'_>,
        loader: &Loader<'_>,
        file: &str,
        scene: &mut SceneData,
    ) -> Result<Option<Shape>, Error> {
        let (index, mesh) = item(&document.meshes, named, "mesh")?;
        if let Some(shape) = self.read.get(&index) {
            return Ok(shape.clone());
        }
        let mut key = Vec::new();
        let mut materials: Vec<String> = Vec::new();
        let mut surfaces = Vec::new();
        for primitive in mesh.get("primitives").into_iter().flat_map(Value::items) {
            let Some(surface) = read_primitive(document, primitive, file, scene)? else { continue };
            key.push((
                surface.positions.index,
                surface.indices.as_ref().map(|a| a.index),
                surface.mode,
            ));
            surfaces.push(surface);
            if let Some(name) = material(document, primitive)?
                && !materials.contains(&name)
                && materials.len() < 16
            {
                materials.push(name);
            }
        }
        let shape = match self.by_key.get(&key) {
            _ if surfaces.is_empty() => None,
            Some(&shape) => Some(shape),
            None => {
                let data = triangles(&surfaces, loader)?;
                let new = (!data.triangles.is_empty()).then(|| {
                    scene.shapes.push(ShapeData::Mesh(data));
                    scene.shapes.len() - 1
                });
                if let Some(shape) = new {
                    self.by_key.insert(key, shape);
                }
                new
            }
        };
        if shape.is_none() {
            scene.note(Severity::Note, file, "a mesh has no triangles, so its nodes are not parts");
        }
        let shape = shape.map(|shape| Shape { shape, materials: materials.into() });
        self.read.insert(index, shape.clone());
        Ok(shape)
    }
}

/// A primitive with triangles.
struct Surface<'d> {
    positions: Accessor<'d>,
    indices: Option<Accessor<'d>>,
    mode: Mode,
}

fn read_primitive<'d>(
    document: &'d Document<'_>,
    primitive: Value<'_>,
    file: &str,
    scene: &mut SceneData,
) -> Result<Option<Surface<'d>>, Error> {
    let mode = match whole(primitive, "mode", Some(4))? {
        4 => Mode::List,
        5 => Mode::Strip,
        6 => Mode::Fan,
        0 => {
            scene.warn(file, "a primitive of points is left out");
            return Ok(None);
        }
        1..=3 => {
            scene.warn(file, "a primitive of lines is left out");
            return Ok(None);
        }
        mode => {
            let message = format!("unknown primitive mode {mode}: export it again");
            return Err(primitive.error(ErrorKind::Malformed, message));
        }
    };
    let Some(named) = primitive.get("attributes").and_then(|value| value.get("POSITION")) else {
        scene.warn(file, "a primitive without positions is left out");
        return Ok(None);
    };
    if primitive.get("targets").is_some() {
        scene.note(Severity::Note, file, "morph targets are ignored: meshes keep their base shape");
    }
    let positions = document.accessor(named, 3)?;
    let indices = match primitive.get("indices") {
        Some(named) => {
            let indices = document.accessor(named, 1)?;
            indices.check_index()?;
            Some(indices)
        }
        None => None,
    };
    let corners = indices.as_ref().map_or(positions.count, |indices| indices.count);
    if mode == Mode::List && corners % 3 != 0 {
        let message =
            format!("{} of {corners} corners are left over in a list of triangles", corners % 3);
        scene.warn(file, message);
    }
    Ok(Some(Surface { positions, indices, mode }))
}

/// The triangles of all primitives of a mesh, with one vertex for equal positions.
fn triangles(surfaces: &[Surface<'_>], loader: &Loader<'_>) -> Result<MeshData, Error> {
    let mut welder = Welder::with_room(0);
    let mut triangles = Vec::new();
    for Surface { positions, indices, mode } in surfaces {
        let corners = indices.as_ref().map_or(positions.count, |indices| indices.count);
        let count = mode.triangles(corners);
        // Vertices are fewer than three for each triangle; closed meshes have half of one.
        loader.budget.elements(count.saturating_add(count / 2))?;
        triangles.reserve(count);
        // The vertex of each position that came; not where few of many are used, as when parts share one list.
        let dense = indices.is_some() && positions.count <= corners.saturating_mul(4);
        let mut known = vec![u32::MAX; if dense { positions.count } else { 0 }];
        for triangle in 0..count {
            let mut places = mode.corners(triangle);
            if let Some(indices) = indices {
                for place in &mut places {
                    *place = indices.whole(*place) as usize;
                }
                // Strips are joined by triangles of no area.
                let [a, b, c] = places;
                if *mode != Mode::List && (a == b || b == c || c == a) {
                    continue;
                }
            }
            let mut corners = [0; 3];
            for (corner, place) in corners.iter_mut().zip(places) {
                *corner = match known.get(place) {
                    Some(&vertex) if vertex != u32::MAX => vertex,
                    _ => vertex(positions, place, indices.as_ref(), &mut welder)?,
                };
                if let Some(slot) = known.get_mut(place) {
                    *slot = *corner;
                }
            }
            triangles.push(corners);
        }
    }
    loader.budget.elements(welder.vertices.len())?;
    if triangles.len() > u32::MAX as usize {
        let message = number::too_many("triangles");
        return Err(surfaces[0].positions.error(ErrorKind::TooMany, message));
    }
    Ok(MeshData::new(welder.vertices, triangles))
}

/// The vertex of a corner.
#[inline]
fn vertex(
    positions: &Accessor<'_>,
    place: usize,
    indices: Option<&Accessor<'_>>,
    welder: &mut Welder,
) -> Result<u32, Error> {
    if place >= positions.count {
        let message = format!(
            "a triangle refers to vertex {place}, but accessor {} has {}, counted from 0: the file is damaged; export it again",
            positions.index, positions.count
        );
        return Err(indices.unwrap_or(positions).error(ErrorKind::Index, message));
    }
    let position = positions.element::<3>(place);
    for value in position {
        if let Err(reason) = number::check(value) {
            let message = format!(
                "vertex {place} of accessor {} holds {value:?}, which {reason}",
                positions.index
            );
            return Err(positions.error(ErrorKind::Number, message));
        }
    }
    welder
        .index(position)
        .ok_or_else(|| positions.error(ErrorKind::TooMany, number::too_many("vertices")))
}

/// The name of a primitive's material.
fn material(document: &Document<'_>, primitive: Value<'_>) -> Result<Option<String>, Error> {
    let Some(named) = primitive.get("material") else { return Ok(None) };
    let (index, material) = item(&document.materials, named, "material")?;
    let name = material.get("name").and_then(Value::text).filter(|name| !name.is_empty());
    Ok(Some(name.map_or_else(|| format!("material {index}"), |name| name.into_owned())))
}
