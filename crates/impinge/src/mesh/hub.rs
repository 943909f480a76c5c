//! Faces about a vertex that many share, as in the fan of a polygon.
//!
//! All boxes about such faces hold the vertex, so that a hierarchy has to compare each with each. Seen from the vertex a face is an arc of a great circle,
//! and two faces meet beyond the vertex only if their arcs do: neighbours on the sphere are found in n log n.

use super::Mesh;
use impinge_geom::Pose;
use impinge_geom::bound::{Aabb, Bound, Frame, RelativeFrame};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_tree::{Builder, ItemGeometry, Surface, Tree, build, traverse};
use std::ops::ControlFlow;

/// Vertices of more faces than this are hubs.
const FEW: u32 = 64;
/// By how much boxes about arcs are larger than they need be: more than the rounding to f32 and that of directions.
const MARGIN: f64 = 1e-6;

/// The hubs of a mesh.
#[derive(Debug, Default)]
pub(super) struct Hubs {
    /// The faces by welded vertices; empty if there is no hub.
    faces: Vec<[u32; 3]>,
    is_hub: Vec<bool>,
    /// How many faces each vertex has.
    degrees: Vec<u32>,
}

impl Hubs {
    /// Looks for vertices of many faces; `counts` tells which faces count.
    pub(super) fn new(faces: &[[u32; 3]], vertices: usize, counts: impl Fn(u32) -> bool) -> Self {
        let mut degrees = vec![0u32; vertices];
        for (face, corners) in (0..).zip(faces).filter(|(face, _)| counts(*face)) {
            let _: u32 = face;
            for (k, corner) in corners.iter().enumerate() {
                if !corners[..k].contains(corner) {
                    degrees[*corner as usize] += 1;
                }
            }
        }
        let is_hub: Vec<bool> = degrees.iter().map(|&degree| degree > FEW).collect();
        if !is_hub.contains(&true) {
            return Self::default();
        }
        Self { faces: faces.to_vec(), is_hub, degrees }
    }

    /// True if two faces share a hub.
    #[inline]
    pub(super) fn share(&self, face: u32, other: u32) -> bool {
        if self.faces.is_empty() {
            return false;
        }
        let [f, g] = [self.faces[face as usize], self.faces[other as usize]];
        f.iter().any(|corner| g.contains(corner) && self.is_hub[*corner as usize])
    }

    /// For each leaf of a mesh the hub that all its faces share, if there is one; nothing if there are no hubs. `name` tells which face it is here.
    pub(super) fn of_leaves<B: Bound>(
        &self,
        mesh: &Mesh<B>,
        name: impl Fn(u32) -> u32,
    ) -> Vec<Option<u32>> {
        if self.faces.is_empty() {
            return Vec::new();
        }
        let corners = |face: u32| self.faces.get(name(face) as usize).copied().unwrap_or_default();
        let hub = |leaf: u32| {
            let faces = mesh.tree.leaf(leaf);
            let candidates = corners(*faces.first()?);
            candidates.into_iter().find(|corner| {
                self.is_hub.get(*corner as usize) == Some(&true)
                    && faces.iter().all(|face| corners(*face).contains(corner))
            })
        };
        (0..mesh.blocks.len() as u32).map(hub).collect()
    }

    /// The faces about each hub, ascending, the largest hubs first. `counts` tells which faces count.
    pub(super) fn stars(&self, counts: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
        let mut at: Vec<(u32, u32)> = Vec::new();
        for (face, corners) in (0..).zip(&self.faces).filter(|(face, _)| counts(*face)) {
            for (k, &corner) in corners.iter().enumerate() {
                if self.is_hub[corner as usize] && !corners[..k].contains(&corner) {
                    at.push((corner, face));
                }
            }
        }
        let degree = |vertex: u32| self.degrees[vertex as usize];
        at.sort_unstable_by(|x, y| degree(y.0).cmp(&degree(x.0)).then(x.cmp(y)));
        at.chunk_by(|x, y| x.0 == y.0).map(|star| star.iter().map(|x| x.1).collect()).collect()
    }

    /// The vertex that all faces of a star share, by a corner of its first face.
    pub(super) fn centre(&self, star: &[u32]) -> Option<usize> {
        let first = self.faces.get(*star.first()? as usize)?;
        first
            .iter()
            .position(|corner| star.iter().all(|&face| self.faces[face as usize].contains(corner)))
    }
}

/// Calls `visit` with every two faces of a star whose arcs may meet, by their places in the list, until it says false.
pub(super) fn neighbours(
    centre: DVec3,
    faces: &[[DVec3; 3]],
    visit: &mut dyn FnMut(usize, usize) -> bool,
) {
    let (mut names, mut boxes) = (Vec::with_capacity(faces.len()), Vec::with_capacity(faces.len()));
    for (index, corners) in faces.iter().enumerate() {
        if let Some(extent) = arc_box(centre, corners) {
            names.push(index);
            boxes.push(extent);
        }
    }
    // The boxes are in this frame already, of which the sphere is the unit sphere halved.
    let frame = Frame::new(DVec3::splat(-2.0), DVec3::splat(2.0));
    let topology = build::build_by(boxes.len(), |k| boxes[k], Builder::BinnedSah, LEAF);
    let ends = |&k: &u32| [boxes[k as usize].low, boxes[k as usize].high];
    let points: Vec<Vec3A> = topology.order().iter().flat_map(ends).collect();
    let surface = Surface::Points;
    let geometry = ItemGeometry { frame: &frame, points: &points, points_per_item: 2, surface };
    let tree: Tree<Aabb> = Tree::fit(&topology, &geometry, 8, LEAF);
    let motion = RelativeFrame::new(&frame, &frame, &Pose::IDENTITY, 1.0).a_to_b;
    let (mut others, mut places): (Vec<u32>, _) = (Vec::new(), traverse::Places::default());
    for (index, extent) in (0u32..).zip(&boxes) {
        others.clear();
        let query = extent.moved(&motion);
        let _ = traverse::volume(&tree, &query, motion.margin, &mut places, &mut (), |leaf| {
            let near =
                |other: &&u32| **other > index && extent.intersects(&boxes[**other as usize]);
            others.extend(tree.leaf(leaf).iter().filter(near));
            ControlFlow::Continue(())
        });
        others.sort_unstable();
        if !others.iter().all(|&other| visit(names[index as usize], names[other as usize])) {
            return;
        }
    }
}

/// Arcs in a leaf, at most.
const LEAF: usize = 8;

/// A box about the arc of a face on the unit sphere about a corner of it, at half the size; none if the face is nothing but that corner.
fn arc_box(centre: DVec3, corners: &[DVec3; 3]) -> Option<Aabb> {
    let mut ends = corners.iter().filter(|corner| **corner != centre).map(|corner| {
        let way = *corner - centre;
        (way / way.abs().max_element()).normalize()
    });
    let one = ends.next()?;
    let two = ends.next().unwrap_or(one);
    // The arc bulges out of its chord by this much.
    let bulge = 1.0 - (0.5 * one + 0.5 * two).length();
    let margin = bulge + MARGIN;
    let (low, high) = (one.min(two) - margin, one.max(two) + margin);
    Some(Aabb::new((low * 0.5).as_vec3a(), (high * 0.5).as_vec3a()))
}
