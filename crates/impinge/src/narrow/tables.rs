//! When the support table of a mesh is made: after a step, by what the step would have looked up.
//!
//! A question about two meshes looks into their tables [at a glance](crate::mesh::SeparatingAxisCache) if they are there, and makes none. Those that had to do without
//! are counted here, mesh by mesh, after all answers of a step are in; so it does not matter in which order threads found them.

use super::PairResult;
use crate::mesh::Mesh;
use crate::mid::PartPair;
use crate::scene::Slot;
use impinge_tree::parallel;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

/// A table takes as long to make as this many questions that it saves, and one more for this many vertices.
const WORTH: (u64, u64) = (100, 4);

/// How often tables were missed that are not there.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// By the address of the mesh. While a mesh is known here no other one has its address.
    missed: BTreeMap<usize, (Weak<Mesh>, u64)>,
}

impl Tables {
    /// Counts what was missed in a step, and makes the tables that would have been of use so often that making them would have paid: whatever is asked
    /// later, no more than twice the time is spent that would have been enough.
    pub(super) fn count(&mut self, slots: &[Slot], part_pairs: &[PartPair], found: &[PairResult]) {
        let missed = part_pairs.iter().zip(found).filter(|(_, found)| found.missed_table);
        for mesh in missed.flat_map(|(pair, _)| [0, 1].map(|side| mesh(slots, pair, side))) {
            let Some(mesh) = mesh.filter(|mesh| !mesh.has_support_table()) else { continue };
            let new = || (Arc::downgrade(mesh), 0);
            self.missed.entry(Arc::as_ptr(mesh) as usize).or_insert_with(new).1 += 1;
        }
        let mut worth = Vec::new();
        self.missed.retain(|_, (mesh, times)| {
            // What is gone, or has got its table from someone else, is not waited for.
            let Some(mesh) = mesh.upgrade().filter(|mesh| !mesh.has_support_table()) else {
                return false;
            };
            let (least, share) = WORTH;
            let waits = *times <= least + mesh.vertices().len() as u64 / share;
            if !waits {
                worth.push(mesh);
            }
            waits
        });
        parallel::tasks(worth.len(), |k| {
            worth[k].support_table();
        });
    }
}

/// The mesh on one side of a job.
fn mesh<'s>(slots: &'s [Slot], pair: &PartPair, side: usize) -> Option<&'s Arc<Mesh>> {
    let body = slots.get(pair.bodies[side].index as usize)?.body.as_ref()?;
    let child = body.geometry.children().get(pair.children[side] as usize)?;
    Some(child.part.as_mesh()?.mesh())
}
