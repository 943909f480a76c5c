//! The model as the viewer gets it: every mesh once, every part as a mesh in its place.
//!
//! Positions are 16-bit steps along the sides of the mesh's box. Vertices come in the order in which triangles first name them, and an
//! index is stored as its distance to the newest vertex so far: mostly small numbers.

use super::hierarchy::{self, HierarchyEntry};
use super::motion::{self, MotionTracks};
use super::packed::{Packed, width_of};
use crate::model::Model;
use crate::report::Run;
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge::mesh::Mesh;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// What stands before the columns. `viewer/src/scene.ts` reads it.
#[derive(Serialize)]
struct Header {
    /// Positions in the scene are relative to this, so that f32 is precise enough.
    origin: [f64; 3],
    /// The axis that points up, as formats have it: glTF says y, the others mostly z.
    up: &'static str,
    meshes: Vec<MeshEntry>,
    parts: Vec<PartEntry>,
    hierarchies: Vec<HierarchyEntry>,
    /// One for each finding.
    curves: Vec<CurveEntry>,
    /// How parts move, if they do.
    motion: Option<MotionTracks>,
}

#[derive(Serialize)]
struct CurveEntry {
    segments: usize,
    /// A corner of its box in the scene, and the way to the opposite one.
    low: [f64; 3],
    size: [f64; 3],
}

#[derive(Serialize)]
struct MeshEntry {
    vertices: usize,
    triangles: usize,
    /// A corner of its box, and the way to the opposite one.
    low: [f64; 3],
    size: [f64; 3],
    /// Bytes of each index.
    width: usize,
}

#[derive(Serialize)]
struct PartEntry {
    mesh: usize,
    /// Three rows of four: mesh coordinates into the scene's, less the origin.
    place: [f64; 12],
}

/// The scene of a run, compressed, as text.
pub(super) fn text(run: &Run<'_>) -> String {
    let model = run.model;
    let DAabb { low, high } = model.bounds();
    let origin = 0.5 * low + 0.5 * high;
    let (meshes, mesh_of) = unique_meshes(model);
    let mut packed = Packed::default();
    let entries = meshes.iter().map(|mesh| pack_mesh(mesh, &mut packed)).collect();
    let place = |part: usize| PartEntry { mesh: mesh_of[part], place: place(model, part, origin) };
    let hierarchies = hierarchy::pack(run, &meshes, &mesh_of, &mut packed);
    let header = Header {
        origin: origin.to_array(),
        up: up(model),
        meshes: entries,
        parts: (0..model.parts.len()).map(place).collect(),
        hierarchies,
        curves: run
            .outcome
            .findings
            .iter()
            .map(|one| pack_curve(&one.curve, &mut packed))
            .collect(),
        motion: motion::tracks(model),
    };
    // Plain fields and finite numbers: this does not fail.
    let header = serde_json::to_string(&header).unwrap_or_default();
    packed.text(&impinge_io::shown_json(&impinge_io::printable_json(header)))
}

/// Each mesh once, and the one that each part has.
fn unique_meshes(model: &Model) -> (Vec<Arc<Mesh>>, Vec<usize>) {
    let mut meshes: Vec<Arc<Mesh>> = Vec::new();
    let mut known: HashMap<*const Mesh, usize> = HashMap::new();
    let mesh_of = model.parts.iter().map(|part| {
        let mesh = part.instance.mesh();
        *known.entry(Arc::as_ptr(mesh)).or_insert_with(|| {
            meshes.push(mesh.clone());
            meshes.len() - 1
        })
    });
    let mesh_of = mesh_of.collect();
    (meshes, mesh_of)
}

fn place(model: &Model, part: usize, origin: DVec3) -> [f64; 12] {
    let instance = &model.parts[part].instance;
    let at = instance.to_world(DVec3::ZERO);
    let columns = DVec3::AXES.map(|axis| instance.pose().rotate(axis) * instance.scale());
    let at = at - origin;
    let row = |k: usize| [columns[0][k], columns[1][k], columns[2][k], at[k]];
    let rows = [row(0), row(1), row(2)];
    std::array::from_fn(|k| rows[k / 4][k % 4])
}

fn up(model: &Model) -> &'static str {
    let gltf = |file: &str| {
        let file = file.to_ascii_lowercase();
        file.ends_with(".glb") || file.ends_with(".gltf")
    };
    let count = model.parts.iter().filter(|part| gltf(&part.file)).count();
    if 2 * count > model.parts.len() { "y" } else { "z" }
}

/// The corners of the box of points.
pub(super) fn box_of(points: impl Iterator<Item = DVec3>) -> [DVec3; 2] {
    let all = points.fold(None, |so_far: Option<[DVec3; 2]>, p| {
        Some(so_far.map_or([p, p], |[low, high]| [low.min(p), high.max(p)]))
    });
    all.unwrap_or([DVec3::ZERO; 2])
}

fn pack_mesh(mesh: &Mesh, packed: &mut Packed) -> MeshEntry {
    let (order, codes) = by_first_use(mesh);
    let positions: Vec<DVec3> = order.iter().map(|&k| mesh.vertices()[k as usize]).collect();
    let [low, size] = pack_points(&positions, packed);
    let width = width_of(codes.iter().copied().max().unwrap_or(0));
    packed.column(&codes, width);
    MeshEntry {
        vertices: positions.len(),
        triangles: mesh.triangles().len(),
        low: low.to_array(),
        size: size.to_array(),
        width,
    }
}

/// Three columns of 16-bit steps along the sides of the points' box, which is given back: a corner and the way to the opposite one.
fn pack_points(points: &[DVec3], packed: &mut Packed) -> [DVec3; 2] {
    let [low, high] = box_of(points.iter().copied());
    let size = high - low;
    for axis in 0..3 {
        let step = |p: &DVec3| {
            let part = if size[axis] > 0.0 { (p[axis] - low[axis]) / size[axis] } else { 0.0 };
            (part * 65_535.0).round() as u16
        };
        packed.differences(points.iter().map(step));
    }
    [low, size]
}

fn pack_curve(curve: &[[DVec3; 2]], packed: &mut Packed) -> CurveEntry {
    let [low, size] = pack_points(curve.as_flattened(), packed);
    CurveEntry { segments: curve.len(), low: low.to_array(), size: size.to_array() }
}

/// The vertices in the order in which triangles first name them, and for each corner how far its vertex is behind the newest: 0 is a new one.
fn by_first_use(mesh: &Mesh) -> (Vec<u32>, Vec<u32>) {
    let mut place = vec![u32::MAX; mesh.vertices().len()];
    let (mut order, mut codes) = (Vec::new(), Vec::with_capacity(3 * mesh.triangles().len()));
    for &vertex in mesh.triangles().as_flattened() {
        let newest = order.len() as u32;
        let place = &mut place[vertex as usize];
        if *place == u32::MAX {
            *place = newest;
            order.push(vertex);
            codes.push(0);
        } else {
            codes.push(newest - *place);
        }
    }
    (order, codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_told_from_the_newest_vertex() {
        let corners = [[9.0; 3], [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mesh: Mesh = Mesh::new(&corners, &[[3, 1, 2], [3, 2, 4]]).unwrap();
        let (order, codes) = by_first_use(&mesh);
        // The first vertex is not used, and not told.
        assert_eq!(order, [3, 1, 2, 4]);
        assert_eq!(codes, [0, 0, 0, 3, 1, 0]);
    }
}
