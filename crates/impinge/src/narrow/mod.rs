//! Narrow phase: how two parts relate. One file per kind of pair.
//!
//! Pairs are decided side by side where the feature `parallel` is on. Every answer has its own place in the list, and no answer
//! depends on what a thread did before, so that the list is the same for any number of threads.

mod answer;
mod manifold;
mod mesh_shape;
mod meshes;
mod shapes;
mod tables;

pub(crate) use manifold::Scratch as ManifoldScratch;

use crate::mesh::SeparatingAxisCache;
use crate::mid::PartPair;
use crate::query::{Flip, MeshRef, PairQuery, Placed, Workspace, ask};
use crate::scene::{SceneSettings, Slot};
use answer::Answer;
use impinge_geom::pair::WarmStart;
use impinge_geom::{Pose, Shape};
use manifold::UnmatchedManifold;
use std::sync::{Mutex, PoisonError};
use tables::Tables;

/// What was found about a pair, and what its next test begins with.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairResult {
    /// None: farther apart than the margin.
    pub(crate) answer: Option<Answer>,
    pub(crate) manifolds: Vec<UnmatchedManifold>,
    pub(crate) warm: WarmStart,
    /// Of two meshes.
    pub(crate) axis_cache: SeparatingAxisCache,
    /// They were seen to be apart at a glance.
    pub(crate) glanced: bool,
    /// They might have been, if both had had tables.
    missed_table: bool,
}

/// The answers of this step and of the one before, and the tools of the threads.
#[derive(Debug, Default)]
pub(crate) struct Narrow {
    /// One for every job.
    pub(crate) found: Vec<PairResult>,
    before: Vec<PairResult>,
    workspace: Mutex<Vec<Workspace>>,
    /// How many jobs of the last step were not answered by the step before.
    pub(crate) decided: usize,
    /// How many of those were seen to be apart at a glance.
    pub(crate) glances: usize,
    tables: Tables,
}

/// Pairs handed to a thread at a time.
const PORTION: usize = 64;

impl Narrow {
    /// Decides all jobs; those in which nothing has changed keep their answer.
    pub(crate) fn decide(
        &mut self,
        slots: &[Slot],
        part_pairs: &[PartPair],
        settings: &SceneSettings,
    ) {
        std::mem::swap(&mut self.found, &mut self.before);
        self.found.clear();
        self.decided = 0;
        for pair in part_pairs {
            let past = pair.before.and_then(|index| self.before.get_mut(index as usize));
            let mut found = past.map(std::mem::take).unwrap_or_default();
            (found.glanced, found.missed_table) = (false, false);
            if pair.changed || pair.before.is_none() {
                self.decided += 1;
                found.answer = None;
                found.manifolds.clear();
            }
            self.found.push(found);
        }
        let workspace = &self.workspace;
        let portion = |part_pairs: &[PartPair], found: &mut [PairResult]| {
            let mut own = lock(workspace).pop().unwrap_or_default();
            for (pair, found) in part_pairs.iter().zip(found) {
                if pair.changed || pair.before.is_none() {
                    look(slots, pair, settings, &mut own, found);
                }
            }
            lock(workspace).push(own);
        };
        in_portions(part_pairs, &mut self.found, &portion);
        self.glances = self.found.iter().filter(|found| found.glanced).count();
    }

    /// Makes the support tables that were missed often enough, for the steps to come.
    pub(crate) fn make_tables(&mut self, slots: &[Slot], part_pairs: &[PartPair]) {
        if self.found.iter().any(|found| found.missed_table) {
            self.tables.count(slots, part_pairs, &self.found);
        }
    }
}

fn lock(workspace: &Mutex<Vec<Workspace>>) -> std::sync::MutexGuard<'_, Vec<Workspace>> {
    // Tools hold nothing but memory: those of a thread that failed are as good as others.
    workspace.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(feature = "parallel")]
fn in_portions(
    part_pairs: &[PartPair],
    found: &mut [PairResult],
    portion: &(dyn Fn(&[PartPair], &mut [PairResult]) + Sync),
) {
    use rayon::iter::{IndexedParallelIterator, ParallelIterator};
    use rayon::slice::{ParallelSlice, ParallelSliceMut};
    let portions = part_pairs.par_chunks(PORTION).zip(found.par_chunks_mut(PORTION));
    portions.for_each(|(part_pairs, found)| portion(part_pairs, found));
}

#[cfg(not(feature = "parallel"))]
fn in_portions(
    part_pairs: &[PartPair],
    found: &mut [PairResult],
    portion: &(dyn Fn(&[PartPair], &mut [PairResult]) + Sync),
) {
    for (part_pairs, found) in part_pairs.chunks(PORTION).zip(found.chunks_mut(PORTION)) {
        portion(part_pairs, found);
    }
}

/// Finds the two parts of a job and decides.
fn look(
    slots: &[Slot],
    pair: &PartPair,
    settings: &SceneSettings,
    workspace: &mut Workspace,
    found: &mut PairResult,
) {
    let part = |side: usize| {
        let body = slots.get(pair.bodies[side].index as usize)?.body.as_ref()?;
        let child = body.geometry.children().get(pair.children[side] as usize)?;
        Some(Placed::new(child.part.as_ref(), &body.geometry.place(child, &body.pose)))
    };
    if let (Some(a), Some(b)) = (part(0), part(1)) {
        between(&a, &b, pair.margin, settings, workspace, found);
    }
}

/// How two parts relate; no answer if they are farther apart than the margin.
pub(crate) fn between(
    a: &Placed<'_>,
    b: &Placed<'_>,
    margin: f64,
    settings: &SceneSettings,
    workspace: &mut Workspace,
    found: &mut PairResult,
) {
    let decide = Decide { margin, settings, workspace, found };
    ask(decide, (a.part, &a.pose), (b.part, &b.pose));
}

/// Decides a pair by its kind.
struct Decide<'d, 'f> {
    margin: f64,
    settings: &'d SceneSettings,
    workspace: &'d mut Workspace,
    found: &'f mut PairResult,
}

impl<'f> PairQuery for Decide<'_, 'f> {
    type Answer = &'f mut PairResult;

    fn shapes(self, a: (&Shape, &Pose), b: (&Shape, &Pose)) -> &'f mut PairResult {
        shapes::decide(a, b, self.margin, self.settings, self.workspace, self.found);
        self.found
    }

    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> &'f mut PairResult {
        mesh_shape::decide(mesh, shape, self.margin, self.settings, self.workspace, self.found);
        self.found
    }

    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> &'f mut PairResult {
        meshes::decide(a, b, self.margin, self.settings, self.workspace, self.found);
        self.found
    }
}

impl Flip for &mut PairResult {
    fn flip(self) -> Self {
        if let Some(answer) = &mut self.answer {
            answer.verdict = answer.verdict.flipped();
            answer.distance = answer.distance.flip();
        }
        self.manifolds.iter_mut().for_each(UnmatchedManifold::flip);
        self
    }
}

impl PairResult {
    /// Ready for another pair.
    pub(crate) fn forget(&mut self) {
        let manifolds = std::mem::take(&mut self.manifolds);
        *self = Self { manifolds, ..Self::default() };
        self.manifolds.clear();
    }
}
