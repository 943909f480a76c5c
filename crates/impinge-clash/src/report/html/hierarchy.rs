//! The volumes of hierarchies at each depth, to look at: for the meshes of parts that have findings, as long as there is room.
//!
//! Two forms are enough to draw every volume. A *rounded box*, Σ (±half + radius·direction) along three axes, is a box, a sphere, an
//! ellipsoid, a segment, rectangle or box that is swept by a sphere. Everything else is written as corners and faces.

use super::packed::Packed;
use super::volume::{Drawing, Form, Volume};
use crate::report::Run;
use impinge::geom::bound::{
    Aabb, ConvexHull, Dop14, Dop18, Dop26, Dop36, EllipsoidBound, Frame, Hybrid, Lss, Obb, ObbRss,
    RoundedBox, Rss, Sphere, SphericalShell, Tss,
};
use impinge::geom::glam::{DVec3, Mat3, Quat, Vec3, Vec3A};
use impinge::mesh::{BvhSettings, Mesh, MeshBuilder};
use impinge::tree::parallel;
use serde::Serialize;
use std::sync::Arc;

/// Levels with more volumes than this are left out: they would be a fog.
const MOST_BOXES: usize = 2048;
/// The same for volumes that are stored as corners and faces.
const MOST_BODIES: usize = 72;
/// What all hierarchies may take before compression, in bytes.
const MOST_BYTES: usize = 6 << 20;
/// How many triangles are grouped for it: this takes time.
const MOST_TRIANGLES: usize = 250_000;
/// How many meshes have volumes that are stored as corners and faces, which take longest.
const MOST_MESHES_WITH_BODIES: usize = 16;

/// The hierarchies of one mesh.
#[derive(Serialize)]
pub(super) struct HierarchyEntry {
    mesh: usize,
    /// Corner of the cube in which positions are quantised, and its side.
    low: [f64; 3],
    side: f64,
    volumes: Vec<VolumeEntry>,
}

#[derive(Serialize)]
struct VolumeEntry {
    name: &'static str,
    form: Form,
    /// How many drawings each level has, the root first.
    levels: Vec<usize>,
    /// Of bodies: all corners and faces.
    corners: usize,
    faces: usize,
}

/// Packs the hierarchies of meshes that have findings, in the order of findings.
pub(super) fn pack(
    run: &Run<'_>,
    meshes: &[Arc<Mesh>],
    mesh_of: &[usize],
    packed: &mut Packed,
) -> Vec<HierarchyEntry> {
    let chosen = meshes_with_findings(run, meshes, mesh_of);
    let made = parallel::tasks(chosen.len(), |k| {
        let mut own = Packed::default();
        let with_bodies = k < MOST_MESHES_WITH_BODIES;
        let entry = pack_mesh(chosen[k], &meshes[chosen[k]], with_bodies, &mut own);
        entry.map(|entry| (entry, own))
    });
    let (mut entries, mut bytes) = (Vec::new(), 0);
    for (entry, own) in made.into_iter().flatten() {
        if bytes + own.len() <= MOST_BYTES {
            bytes += own.len();
            packed.append(&own);
            entries.push(entry);
        }
    }
    entries
}

/// The meshes of parts with findings, each once, as many as there is time for.
fn meshes_with_findings(run: &Run<'_>, meshes: &[Arc<Mesh>], mesh_of: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; meshes.len()];
    let (mut chosen, mut triangles) = (Vec::new(), 0);
    for part in run.outcome.findings.iter().flat_map(|finding| &finding.parts) {
        let Some(&index) = mesh_of.get(*part) else { continue };
        if !std::mem::replace(&mut seen[index], true) {
            triangles += meshes[index].triangles().len();
            if triangles <= MOST_TRIANGLES || chosen.is_empty() {
                chosen.push(index);
            }
        }
    }
    chosen
}

fn pack_mesh(
    index: usize,
    mesh: &Mesh,
    with_bodies: bool,
    packed: &mut Packed,
) -> Option<HierarchyEntry> {
    let corners: Vec<[f64; 3]> = mesh.vertices().iter().map(DVec3::to_array).collect();
    let BvhSettings { builder, width, .. } = BvhSettings::default();
    let grouped = MeshBuilder::new(&corners, mesh.triangles(), builder).ok()?;
    let used = mesh.triangles().as_flattened().iter().map(|&k| mesh.vertices()[k as usize]);
    let [low, high] = super::scene::box_of(used);
    // Spheres stick out of the box by no more than its diagonal.
    let side = 3.0 * (high - low).length();
    let low = 0.5 * low + 0.5 * high - DVec3::splat(0.5 * side);
    let cube = Cube { low, side };
    let mut volumes = Vec::new();
    macro_rules! each {
        ($($volume:ty),*) => { $(
            volumes.push(levels::<$volume>(&grouped.mesh(width), &cube, packed));
        )* };
    }
    each!(Obb, Aabb, Sphere, Rss, ObbRss, Hybrid, Lss, RoundedBox, EllipsoidBound);
    if with_bodies {
        each!(Tss, ConvexHull, Dop14, Dop18, Dop26, Dop36, SphericalShell);
    }
    Some(HierarchyEntry { mesh: index, low: low.to_array(), side, volumes })
}

/// The cube in which positions are quantised to 16 bits.
struct Cube {
    low: DVec3,
    side: f64,
}

impl Cube {
    fn length(&self, x: f64) -> u16 {
        // A cast of what is too large gives the largest.
        (x / self.side * 65_535.0).round() as u16
    }

    fn point(&self, p: DVec3) -> [u16; 3] {
        (p - self.low).to_array().map(|x| self.length(x))
    }
}

/// All levels of one hierarchy.
fn levels<B: Volume>(mesh: &Mesh<B>, cube: &Cube, packed: &mut Packed) -> VolumeEntry {
    let tree = mesh.tree();
    let most = if B::FORM == Form::Box { MOST_BOXES } else { MOST_BODIES };
    let (mut counts, mut drawings, mut last) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let level = tree.level(counts.len());
        if level == last || level.len() > most {
            break;
        }
        let before = drawings.len();
        for &place in &level {
            if let Some(volume) = tree.volume(place) {
                volume.draw(&mut drawings);
            }
        }
        counts.push(drawings.len() - before);
        last = level;
    }
    let mut entry =
        VolumeEntry { name: B::TITLE, form: B::FORM, levels: counts, corners: 0, faces: 0 };
    match B::FORM {
        Form::Box => pack_boxes(&drawings, tree.frame(), cube, packed),
        Form::Body => pack_bodies(&drawings, tree.frame(), cube, packed, &mut entry),
    }
    entry
}

/// Thirteen columns: centre, rotation, half sides, radii.
fn pack_boxes(drawings: &[Drawing], frame: &Frame, cube: &Cube, packed: &mut Packed) {
    let mut columns: [Vec<u16>; 13] = Default::default();
    for drawing in drawings {
        let Drawing::Box { center, axes, half, radii } = drawing else { continue };
        let [x, y, z] = axes.map(Vec3::from);
        // A mirrored frame looks the same with one axis turned round.
        let z = if x.cross(y).dot(z) < 0.0 { -z } else { z };
        let turn = Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let middle = cube.point(in_mesh(frame, *center));
        let lengths = |v: Vec3A| v.to_array().map(|x| cube.length(f64::from(x) / frame.factor()));
        let turn = turn.to_array().map(|x| ((x * 0.5 + 0.5) * 65_535.0).round() as u16);
        let numbers = middle.into_iter().chain(turn).chain(lengths(*half)).chain(lengths(*radii));
        columns.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
    }
    for column in columns {
        packed.differences(column.into_iter());
    }
}

/// Corners and faces of each, then where corners are, then the faces.
fn pack_bodies(
    drawings: &[Drawing],
    frame: &Frame,
    cube: &Cube,
    packed: &mut Packed,
    entry: &mut VolumeEntry,
) {
    let mut sizes: [Vec<u16>; 2] = Default::default();
    let mut corners: [Vec<u16>; 3] = Default::default();
    let mut faces: [Vec<u32>; 3] = Default::default();
    for drawing in drawings {
        let Drawing::Body { points, triangles } = drawing else { continue };
        sizes[0].push(points.len() as u16);
        sizes[1].push(triangles.len() as u16);
        for point in points {
            let steps = cube.point(in_mesh(frame, *point));
            corners.iter_mut().zip(steps).for_each(|(column, step)| column.push(step));
        }
        for triangle in triangles {
            faces.iter_mut().zip(triangle).for_each(|(column, &k)| column.push(u32::from(k)));
        }
    }
    (entry.corners, entry.faces) = (corners[0].len(), faces[0].len());
    sizes.into_iter().chain(corners).for_each(|column| packed.differences(column.into_iter()));
    faces.iter().for_each(|column| packed.column(column, 2));
}

/// From the frame of the tree into coordinates of the mesh.
fn in_mesh(frame: &Frame, point: Vec3A) -> DVec3 {
    frame.center() + point.as_dvec3() / frame.factor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_holds_the_mesh() {
        // A strip of a hundred squares.
        let corners: Vec<[f64; 3]> =
            (0..202).map(|k| [f64::from(k / 2), f64::from(k % 2), 0.0]).collect();
        let faces: Vec<[u32; 3]> = (0..200)
            .map(|k| if k % 2 == 0 { [k, k + 1, k + 2] } else { [k + 1, k, k + 2] })
            .collect();
        let mesh: Mesh = Mesh::new(&corners, &faces).unwrap();
        let mut packed = Packed::default();
        let entry = pack_mesh(0, &mesh, true, &mut packed).unwrap();
        assert_eq!(entry.volumes.len(), 16);
        for volume in &entry.volumes {
            // The pair of volumes draws two of each.
            let first = if volume.name == ObbRss::TITLE { 2 } else { 1 };
            assert_eq!(volume.levels[0], first, "{}", volume.name);
            assert!(volume.levels.is_sorted() && volume.levels.len() >= 2, "{}", volume.name);
        }
        assert!(packed.len() > 0);
    }
}
