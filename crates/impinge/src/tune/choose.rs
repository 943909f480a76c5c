//! The search: count, price, keep what is near the best.

use super::question::{Memory, Question};
use super::{AnyMesh, Calibration, Candidate, Choice, Triangles, Volume, Work};
use crate::mesh::MeshError;
use impinge_tree::{Builder, Counts, Covering, build::Measure};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What to try, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct TuneOptions<'o> {
    /// The largest number of samples whose work is counted; if more are given, evenly spaced ones. Finalists are timed on more: give some hundreds if you have them.
    pub samples: usize,
    /// How often both hierarchies are refitted per query: 0 for rigid bodies, 1 for bodies that deform between any two queries.
    pub updates: f64,
    /// The volumes to try.
    pub volumes: &'o [Volume],
    /// The builders to try. Without weights [`Builder::Weighted`] is the sweep by area, so it is not among the default ones.
    pub builders: &'o [Builder],
    /// The numbers of children per node to try.
    pub widths: &'o [usize],
    /// The number of finalists: the cheapest candidates that do different work are timed in turns and the fastest is chosen, because where F is nearly equal it cannot
    /// tell which is faster. With 0 the counted work alone decides. All finalists are in memory at once, within a gigabyte: fewer are timed for large bodies.
    pub finalists: usize,
    /// No new candidate is started after this time.
    pub budget: Option<Duration>,
    /// No new candidate is started once this is set, from another thread.
    pub stop: Option<&'o AtomicBool>,
}

/// The default one first, the slowest to build last.
const BUILDERS: [Builder; 15] = [
    Builder::BinnedSah,
    Builder::Morton,
    Builder::Midpoint,
    Builder::Median,
    Builder::PrincipalMean,
    Builder::Spheres(Covering::Octree),
    Builder::Agglomerative,
    Builder::Sweep(Measure::Area),
    Builder::Sweep(Measure::Minkowski),
    Builder::Sweep(Measure::Volume),
    Builder::Spheres(Covering::VertexCovering),
    Builder::Spheres(Covering::TriangleTiling),
    Builder::Insertion,
    Builder::RandomInsertion { seed: 1 },
    Builder::Spheres(Covering::MedialAxis),
];
/// Eight first: it is hardly ever beaten.
const WIDTHS: [usize; 3] = [8, 4, 2];

/// Volumes and widths that cost more than this times the best with the first builder are not tried with the others.
const NEAR: f64 = 1.6;
/// How many of them are tried with the other builders, at most.
const KEPT: usize = 6;
/// Rounds of the finalists: the minimum, then until this time is over, and the maximum.
pub(super) const ROUNDS: usize = 7;
const PATIENCE: Duration = Duration::from_millis(400);
const MOST_ROUNDS: usize = 101;
/// How long a finalist is asked in each of its turns, about.
const PORTION: Duration = Duration::from_millis(2);
/// What the hierarchies of all finalists but two may take.
const MOST_BYTES: usize = 1 << 30;
/// Updates for each question, so that sums stay finite.
const MOST_UPDATES: f64 = 1e9;

impl Default for TuneOptions<'_> {
    /// Rigid bodies, everything tried, no limit of time.
    fn default() -> Self {
        Self {
            samples: 64,
            updates: 0.0,
            volumes: &Volume::ALL,
            builders: &BUILDERS,
            widths: &WIDTHS,
            finalists: 20,
            budget: None,
            stop: None,
        }
    }
}

/// Chooses the cheapest hierarchy for a question about two bodies, which may be the same.
///
/// All volumes and widths are tried with the first builder; those close to the best, with every other builder. Work is counted, not timed,
/// except for the finalists, and for support tables on the best of them where overlap is asked: without finalists and time limit, the choice is the same on every
/// machine for the same arguments. Bodies are rejected for the same reasons as by [`Mesh::new`](crate::Mesh::new).
///
/// ```
/// use impinge::{geom::ray::Ray, tune::{self, Calibration, TuneOptions, Prices, Question, Triangles}};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let body = Triangles { vertices: &corners, triangles: &[[0, 1, 2]] };
/// let rays = [Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0])?];
/// let prices = Calibration::with_prices("all alike", |_, _| Prices { step: 10.0, leaf: 20.0, ..Prices::default() });
/// let options = TuneOptions { finalists: 0, ..TuneOptions::default() };
/// let choice = tune::choose(body, body, &Question::Ray(&rays), &prices, &options)?;
/// assert_eq!(choice.best().width, 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn choose(
    a: Triangles<'_>,
    b: Triangles<'_>,
    question: &Question<'_>,
    calibration: &Calibration,
    options: &TuneOptions<'_>,
) -> Result<Choice, MeshError> {
    let begin = options.budget.map(|_| Instant::now());
    let over = || {
        let late = begin.zip(options.budget).is_some_and(|(begin, most)| begin.elapsed() >= most);
        late || options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    };
    let same = std::ptr::eq(a.vertices, b.vertices) && std::ptr::eq(a.triangles, b.triangles);
    let mut search =
        Search { a, b, same, question, calibration, options, memory: Memory::default() };
    let default = [Volume::default()];
    let volumes = if options.volumes.is_empty() { &default } else { options.volumes };
    let widths = if options.widths.is_empty() { &WIDTHS[..1] } else { options.widths };
    let (&first, others) = options.builders.split_first().unwrap_or((&BUILDERS[0], &[]));
    let all: Vec<(Volume, usize)> = widths
        .iter()
        .flat_map(|&width| volumes.iter().map(move |&volume| (volume, width)))
        .collect();
    let (mut table, mut skipped) = (Vec::new(), 0);
    search.try_all(first, &all, &over, &mut table, &mut skipped)?;
    sort(&mut table);
    let limit = table.first().map_or(0.0, Candidate::predicted) * NEAR;
    let near = table.iter().take_while(|one| one.predicted() <= limit).take(KEPT);
    let kept: Vec<(Volume, usize)> = near.map(|one| (one.volume, one.width)).collect();
    for &builder in others {
        search.try_all(builder, &kept, &over, &mut table, &mut skipped)?;
    }
    sort(&mut table);
    if !over() {
        search.time_finalists(&mut table)?;
    }
    // The first candidate is always tried.
    let best = table.first().copied().ok_or(MeshError::NoTriangles)?;
    let supports = if over() { 0 } else { search.support_levels(&best)? };
    let (asked, processor) = (question.asked(), calibration.processor().to_string());
    let samples = question.samples().div_ceil(search.stride());
    Ok(Choice { asked, processor, samples, skipped, best, supports, table })
}

/// The cheapest first; between equals, the one that was tried first.
fn sort(table: &mut [Candidate]) {
    table.sort_by(|a, b| a.predicted().total_cmp(&b.predicted()));
}

pub(super) struct Search<'s> {
    a: Triangles<'s>,
    b: Triangles<'s>,
    /// True if both are one body: it is built once.
    same: bool,
    pub(super) question: &'s Question<'s>,
    calibration: &'s Calibration,
    pub(super) options: &'s TuneOptions<'s>,
    pub(super) memory: Memory,
}

impl Search<'_> {
    /// Every how many-th sample is asked.
    fn stride(&self) -> usize {
        self.question.samples().div_ceil(self.options.samples.max(1)).max(1)
    }

    /// Tries a builder with these volumes and widths, and adds them to the table. The first of all is tried in any case.
    fn try_all(
        &mut self,
        builder: Builder,
        list: &[(Volume, usize)],
        over: &dyn Fn() -> bool,
        table: &mut Vec<Candidate>,
        skipped: &mut usize,
    ) -> Result<(), MeshError> {
        if !table.is_empty() && over() {
            *skipped += list.len();
            return Ok(());
        }
        let a = self.a.grouped(builder)?;
        // Rays do not ask B.
        let lone = self.same || matches!(self.question, Question::Ray(_));
        let b = if lone { None } else { Some(self.b.grouped(builder)?) };
        for &(volume, width) in list {
            if !table.is_empty() && over() {
                *skipped += 1;
                continue;
            }
            let a = AnyMesh::fitted(&a, volume, width);
            let b = b.as_ref().map(|b| AnyMesh::fitted(b, volume, width));
            let work = self.work(&a, b.as_ref());
            let prices = self.calibration.prices(self.question.asked(), volume);
            table.push(Candidate { volume, builder, width, work, prices, timed: None });
        }
        Ok(())
    }

    /// Times the first of the table, in turns, so that what else the machine does hits all alike, and puts the fastest first.
    ///
    /// Of those that do the same work with the same volume and width, which two builders often bring about, one is enough.
    fn time_finalists(&mut self, table: &mut Vec<Candidate>) -> Result<(), MeshError> {
        if self.options.finalists < 2 || table.len() < 2 || self.question.samples() == 0 {
            return Ok(());
        }
        let (mut finalists, mut others) = (Vec::<Candidate>::new(), Vec::new());
        for one in table.drain(..) {
            let room = finalists.len() < self.options.finalists;
            let is_new = room && !finalists.iter().any(|other| other.is_like(&one));
            if is_new { finalists.push(one) } else { others.push(one) }
        }
        let mut meshes = Vec::new();
        let mut bytes = 0;
        for &one in finalists.iter() {
            let pair = self.fitted(one.volume, one.builder, one.width)?;
            bytes += pair.0.bytes() + pair.1.as_ref().map_or(0, AnyMesh::bytes);
            if bytes > MOST_BYTES && meshes.len() >= 2 {
                break;
            }
            meshes.push(pair);
        }
        let mut unseen = finalists.split_off(meshes.len());
        self.time(&mut finalists, &meshes)?;
        finalists.sort_by(|a, b| a.timed.unwrap_or(0.0).total_cmp(&b.timed.unwrap_or(0.0)));
        table.append(&mut finalists);
        unseen.append(&mut others);
        sort(&mut unseen);
        table.append(&mut unseen);
        Ok(())
    }

    /// The least time of a question with each of the finalists, in turns.
    ///
    /// Before each a neutral hierarchy is asked, untimed: of two that do nearly the same work the second would find the processor's branches
    /// predicted by the first, and seem faster than it is, by up to a sixth.
    fn time(
        &mut self,
        finalists: &mut [Candidate],
        meshes: &[(AnyMesh, Option<AnyMesh>)],
    ) -> Result<(), MeshError> {
        let neutral = self.fitted(Volume::default(), Builder::default(), 2)?;
        let cheapest = finalists.iter().map(Candidate::predicted).fold(f64::INFINITY, f64::min);
        let stride = self.timed_stride(cheapest);
        let asked = self.question.samples().div_ceil(stride).max(1) as f64;
        let mut ask = |(a, b): &(AnyMesh, Option<AnyMesh>)| {
            self.question.ask(a, b.as_ref().unwrap_or(a), stride, &mut self.memory, &mut ());
        };
        let begin = Instant::now();
        for round in 0..MOST_ROUNDS {
            if round >= ROUNDS && begin.elapsed() >= PATIENCE {
                break;
            }
            for (one, pair) in finalists.iter_mut().zip(meshes) {
                ask(&neutral);
                let start = Instant::now();
                ask(pair);
                // Bodies that deform are fitted again besides: that is not repeated here.
                let updates = one.prices.update * one.work.updates;
                let seen = start.elapsed().as_secs_f64() * 1e9 / asked + updates;
                one.timed = Some(one.timed.map_or(seen, |least| least.min(seen)));
            }
        }
        Ok(())
    }

    /// Every how many-th sample is timed: of short questions more than are counted. The processor would learn by heart which way the branches of
    /// a few go, and what it learns depends on luck more than on the hierarchy.
    pub(super) fn timed_stride(&self, nanoseconds: f64) -> usize {
        let most = (PORTION.as_nanos() as f64 / nanoseconds.max(1.0)) as usize;
        self.question.samples().div_ceil(most.max(self.options.samples).max(1)).max(1)
    }

    /// Both bodies in a hierarchy; one where both are the same, and for rays, which do not ask B.
    pub(super) fn fitted(
        &self,
        volume: Volume,
        builder: Builder,
        width: usize,
    ) -> Result<(AnyMesh, Option<AnyMesh>), MeshError> {
        let a = AnyMesh::fitted(&self.a.grouped(builder)?, volume, width);
        if self.same || matches!(self.question, Question::Ray(_)) {
            return Ok((a, None));
        }
        Ok((a, Some(AnyMesh::fitted(&self.b.grouped(builder)?, volume, width))))
    }

    /// The mean work of a question; without B, A is asked about itself.
    fn work(&mut self, a: &AnyMesh, b: Option<&AnyMesh>) -> Work {
        let stride = self.stride();
        let mut counts = Counts::default();
        self.question.ask(a, b.unwrap_or(a), stride, &mut self.memory, &mut counts);
        let count = self.question.samples().div_ceil(stride).max(1) as f64;
        let volumes = a.volume_count() + b.map_or(0, AnyMesh::volume_count);
        let updates = self.options.updates;
        let updates = if updates > 0.0 { updates.min(MOST_UPDATES) } else { 0.0 };
        Work {
            updates: updates * volumes as f64,
            steps: counts.steps as f64 / count,
            leaves: counts.leaves as f64 / count,
            primitives: counts.primitives as f64 / count,
        }
    }
}
