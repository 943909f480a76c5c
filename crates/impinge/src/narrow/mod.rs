//! How two parts stand to each other: one file for each kind of pair.
//!
//! Pairs are decided side by side where the feature `parallel` is on. Every answer has its own place in the list, and no answer
//! depends on what a thread did before, so that the list is the same for any number of threads.

mod mesh_shape;
mod meshes;
mod shapes;

use crate::contact::Sheet;
use crate::mesh::{Parted, Scratch};
use crate::mid::Job;
use crate::scene::{PairDistance, Part, PartFeature, Settings, Slot};
use impinge_geom::pair::{Cache, WarmStart};
use impinge_geom::{Feature, Inside, Method, Pose, Verdict};
use std::sync::{Mutex, PoisonError};

/// A part in the world.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'p> {
    pub(crate) part: &'p Part,
    pub(crate) pose: Pose,
}

/// What is known of two parts that meet or are within their margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    pub(crate) method: Method,
    pub(crate) distance: Option<PairDistance>,
}

/// What was found about a pair, and what its next test begins with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// None: farther apart than the margin.
    pub(crate) answer: Option<Answer>,
    pub(crate) sheets: Vec<Sheet>,
    pub(crate) warm: WarmStart,
    /// Of two meshes.
    pub(crate) parted: Parted,
    /// They were seen to be apart at a glance.
    pub(crate) glanced: bool,
}

/// What a thread needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    pub(crate) cache: Cache,
    pub(crate) mesh: Scratch,
    pub(crate) contact: crate::contact::Scratch,
}

/// The answers of this step and of the one before, and the tools of the threads.
#[derive(Debug, Default)]
pub(crate) struct Narrow {
    /// One for every job.
    pub(crate) found: Vec<Found>,
    before: Vec<Found>,
    tools: Mutex<Vec<Tools>>,
    /// How many jobs of the last step were not answered by the step before.
    pub(crate) decided: usize,
    /// How many of those were seen to be apart at a glance.
    pub(crate) glances: usize,
}

/// So many pairs are given to a thread at a time.
const PORTION: usize = 64;

impl Narrow {
    /// Decides all jobs; those in which nothing has changed keep their answer.
    pub(crate) fn decide(&mut self, slots: &[Slot], jobs: &[Job], settings: &Settings) {
        std::mem::swap(&mut self.found, &mut self.before);
        self.found.clear();
        self.decided = 0;
        for job in jobs {
            let past = job.before.and_then(|index| self.before.get_mut(index as usize));
            let mut found = past.map(std::mem::take).unwrap_or_default();
            found.glanced = false;
            if job.changed || job.before.is_none() {
                self.decided += 1;
                found.answer = None;
                found.sheets.clear();
            }
            self.found.push(found);
        }
        let tools = &self.tools;
        let portion = |jobs: &[Job], found: &mut [Found]| {
            let mut own = lock(tools).pop().unwrap_or_default();
            for (job, found) in jobs.iter().zip(found) {
                if job.changed || job.before.is_none() {
                    look(slots, job, settings, &mut own, found);
                }
            }
            lock(tools).push(own);
        };
        in_portions(jobs, &mut self.found, &portion);
        self.glances = self.found.iter().filter(|found| found.glanced).count();
    }
}

fn lock(tools: &Mutex<Vec<Tools>>) -> std::sync::MutexGuard<'_, Vec<Tools>> {
    // Tools hold nothing but memory: those of a thread that failed are as good as others.
    tools.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(feature = "parallel")]
fn in_portions(jobs: &[Job], found: &mut [Found], portion: &(dyn Fn(&[Job], &mut [Found]) + Sync)) {
    use rayon::iter::{IndexedParallelIterator, ParallelIterator};
    use rayon::slice::{ParallelSlice, ParallelSliceMut};
    let portions = jobs.par_chunks(PORTION).zip(found.par_chunks_mut(PORTION));
    portions.for_each(|(jobs, found)| portion(jobs, found));
}

#[cfg(not(feature = "parallel"))]
fn in_portions(jobs: &[Job], found: &mut [Found], portion: &(dyn Fn(&[Job], &mut [Found]) + Sync)) {
    for (jobs, found) in jobs.chunks(PORTION).zip(found.chunks_mut(PORTION)) {
        portion(jobs, found);
    }
}

/// Finds the two parts of a job and decides.
fn look(slots: &[Slot], job: &Job, settings: &Settings, tools: &mut Tools, found: &mut Found) {
    let part = |side: usize| {
        let body = slots.get(job.bodies[side].index as usize)?.body.as_ref()?;
        let child = body.collider.children().get(job.children[side] as usize)?;
        Some(Placed { part: &child.part, pose: body.collider.place(child, &body.pose) })
    };
    if let (Some(a), Some(b)) = (part(0), part(1)) {
        between(&a, &b, job.margin, settings, tools, found);
    }
}

/// How two parts stand to each other; no answer if they are farther apart than the margin.
pub(crate) fn between(
    a: &Placed<'_>,
    b: &Placed<'_>,
    margin: f64,
    settings: &Settings,
    tools: &mut Tools,
    found: &mut Found,
) {
    match (a.part, b.part) {
        (Part::Shape(first), Part::Shape(second)) => {
            shapes::decide((first, &a.pose), (second, &b.pose), margin, settings, tools, found);
        }
        (Part::Mesh(mesh), Part::Shape(shape)) => {
            mesh_shape::decide((mesh, &a.pose), (shape, &b.pose), margin, settings, tools, found);
        }
        (Part::Shape(shape), Part::Mesh(mesh)) => {
            mesh_shape::decide((mesh, &b.pose), (shape, &a.pose), margin, settings, tools, found);
            found.flip();
        }
        (Part::Mesh(first), Part::Mesh(second)) => {
            meshes::decide((first, &a.pose), (second, &b.pose), margin, settings, tools, found);
        }
    }
}

impl Found {
    /// The same seen from the other part.
    fn flip(&mut self) {
        if let Some(answer) = &mut self.answer {
            answer.verdict = match answer.verdict {
                Verdict::Contained(Inside::A) => Verdict::Contained(Inside::B),
                Verdict::Contained(Inside::B) => Verdict::Contained(Inside::A),
                other => other,
            };
            if let Some(distance) = &mut answer.distance {
                distance.points.reverse();
                distance.features.reverse();
                distance.normal = -distance.normal;
            }
        }
        self.sheets.iter_mut().for_each(Sheet::flip);
    }
}

/// A feature of a shape.
pub(crate) fn of_shape(feature: Feature) -> PartFeature {
    PartFeature { triangle: None, feature }
}

/// A feature of a triangle.
pub(crate) fn of_triangle(triangle: u32, feature: Feature) -> PartFeature {
    PartFeature { triangle: Some(triangle), feature }
}
