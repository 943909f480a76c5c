//! Everything that could be chosen, timed.
//!
//! With some hundreds of hierarchies the fastest time is partly luck. So all are timed once, builder by builder; then the best of
//! them and the chosen one run again, in turns, so that what else the machine does hits all alike. Before each a neutral one runs, untimed:
//! otherwise one of two equal trees, which some builders bring about, finds the processor's branches predicted by the other and seems faster by
//! up to a sixth.

use crate::clock::Clock;
use crate::timing::{Rounds, Spread};
use impinge::mesh::{MeshError, Scratch};
use impinge::tree::Builder;
use impinge::tune::{AnyMesh, Candidate, Question, Triangles, Volume};
use impinge::{mesh::MeshBuilder, tune};
use std::collections::HashMap;
use std::fmt;
use std::hint::black_box;
use std::time::Duration;

/// What can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BvhSettings {
    pub(super) volume: Volume,
    pub(super) builder: Builder,
    pub(super) width: usize,
}

impl From<&Candidate> for BvhSettings {
    fn from(&Candidate { volume, builder, width, .. }: &Candidate) -> Self {
        Self { volume, builder, width }
    }
}

impl Default for BvhSettings {
    fn default() -> Self {
        Self { volume: Volume::default(), builder: Builder::default(), width: 8 }
    }
}

/// How long a question takes with a hierarchy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed {
    pub(super) hierarchy: BvhSettings,
    pub(super) microseconds: f64,
}

impl fmt::Display for BvhSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.volume, self.builder.name(), self.width)
    }
}

/// One question, tried with everything.
#[derive(Debug)]
pub(super) struct Trial {
    pub(super) chosen: Timed,
    pub(super) best: Timed,
    pub(super) default: Timed,
    /// The time of the chosen one over that of the best, by round.
    pub(super) losses: Vec<f64>,
    /// The time of the default over that of the chosen one.
    pub(super) gain: Spread,
    pub(super) tried: usize,
}

/// How many of the fastest run again.
const FINALISTS: usize = 10;
/// How many times as often as others short questions are repeated, at most.
const MOST: usize = 8;

/// How long everything is timed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Care {
    /// How often each hierarchy is run; the fastest counts.
    pub(super) runs: usize,
    /// Short questions are repeated until this time is over.
    pub(super) patience: Duration,
}

/// Tries everything for each question; `chosen` is what was chosen for each.
pub(super) fn all(
    body: Triangles<'_>,
    questions: &[Question<'_>],
    chosen: &[BvhSettings],
    care: Care,
) -> Result<Vec<Trial>, MeshError> {
    let options = tune::TuneOptions::default();
    let mut times: Vec<Vec<(f64, BvhSettings)>> = questions.iter().map(|_| Vec::new()).collect();
    let neutral = neutral(body)?;
    for &builder in options.builders {
        let grouped = MeshBuilder::new(body.vertices, body.triangles, builder)?;
        let hierarchies: Vec<BvhSettings> = options
            .volumes
            .iter()
            .flat_map(|&volume| {
                options.widths.iter().map(move |&width| BvhSettings { volume, builder, width })
            })
            .collect();
        let meshes: Vec<AnyMesh> = hierarchies
            .iter()
            .map(|one| AnyMesh::fitted(&grouped, one.volume, one.width))
            .collect();
        let meshes: Vec<&AnyMesh> = meshes.iter().collect();
        for (question, times) in questions.iter().zip(&mut times) {
            let seen = in_turns(question, &meshes, &neutral, care).least();
            times.extend(seen.into_iter().zip(hierarchies.clone()));
        }
    }
    let finalists: Vec<Vec<BvhSettings>> = times
        .iter_mut()
        .zip(chosen)
        .map(|(times, &chosen)| {
            times.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut list = vec![chosen];
            let fastest = times.iter().take(FINALISTS).map(|(_, hierarchy)| *hierarchy);
            for hierarchy in [BvhSettings::default()].into_iter().chain(fastest) {
                if !list.contains(&hierarchy) {
                    list.push(hierarchy);
                }
            }
            list
        })
        .collect();
    finals(body, questions, &finalists, times.iter().map(Vec::len), care)
}

/// Runs the finalists of each question again: the chosen one, the default one, and the fastest.
fn finals(
    body: Triangles<'_>,
    questions: &[Question<'_>],
    finalists: &[Vec<BvhSettings>],
    tried: impl Iterator<Item = usize>,
    care: Care,
) -> Result<Vec<Trial>, MeshError> {
    let neutral = neutral(body)?;
    let mut meshes: HashMap<BvhSettings, AnyMesh> = HashMap::new();
    for &builder in tune::TuneOptions::default().builders {
        let mut own = finalists.iter().flatten().filter(|one| one.builder == builder).peekable();
        if own.peek().is_none() {
            continue;
        }
        let grouped = MeshBuilder::new(body.vertices, body.triangles, builder)?;
        for &one in own {
            meshes.entry(one).or_insert_with(|| AnyMesh::fitted(&grouped, one.volume, one.width));
        }
    }
    let mut trials = Vec::new();
    for ((question, list), tried) in questions.iter().zip(finalists).zip(tried) {
        let own: Vec<&AnyMesh> = list.iter().filter_map(|one| meshes.get(one)).collect();
        let times = in_turns(question, &own, &neutral, Care { runs: 3 * care.runs, ..care });
        let least = times.least();
        let timed = |place: usize| Timed { hierarchy: list[place], microseconds: least[place] };
        // The list begins with the chosen one.
        let best = (0..list.len()).min_by(|a, b| least[*a].total_cmp(&least[*b]));
        let default = list.iter().position(|one| *one == BvhSettings::default());
        if let (Some(best), Some(default)) = (best, default) {
            trials.push(Trial {
                chosen: timed(0),
                best: timed(best),
                default: timed(default),
                losses: times.ratios(0, best),
                gain: times.ratio(default, 0),
                tried,
            });
        }
    }
    Ok(trials)
}

/// What runs between those that are timed.
fn neutral(body: Triangles<'_>) -> Result<AnyMesh, MeshError> {
    let grouped = MeshBuilder::new(body.vertices, body.triangles, Builder::default())?;
    Ok(AnyMesh::fitted(&grouped, Volume::default(), 2))
}

/// The times of a question with each mesh, in microseconds; the meshes take turns.
fn in_turns(
    question: &Question<'_>,
    meshes: &[&AnyMesh],
    neutral: &AnyMesh,
    Care { runs, patience }: Care,
) -> Rounds {
    let mut scratch = Scratch::default();
    let mut times = vec![Vec::new(); meshes.len()];
    let begin = Clock::start();
    // The first run warms up. Those of short questions are repeated: a single one of them is over before the clock is certain of it.
    for run in 0..=MOST * runs {
        if run > runs && begin.seconds() >= patience.as_secs_f64() {
            break;
        }
        for (mesh, times) in meshes.iter().zip(&mut times) {
            ask(question, neutral, &mut scratch);
            let start = Clock::start();
            ask(question, mesh, &mut scratch);
            let time = start.seconds() * 1e6 / question.samples().max(1) as f64;
            if run > 0 {
                times.push(time);
            }
        }
    }
    Rounds::of_times(times)
}

/// Asks as users do, without counts.
fn ask(question: &Question<'_>, mesh: &AnyMesh, scratch: &mut Scratch) {
    let mut found = Vec::new();
    match *question {
        Question::Overlap(poses) => {
            for pose in poses {
                let _ = black_box(mesh.overlap(mesh, pose, scratch, &mut ()));
            }
        }
        Question::Pairs(poses) => {
            for pose in poses {
                let _ = black_box(mesh.pairs(mesh, pose, scratch, &mut found, &mut ()));
            }
        }
        Question::Distance(poses) => {
            for pose in poses {
                let _ = black_box(mesh.distance(mesh, pose, scratch, &mut ()));
            }
        }
        Question::Within(tolerance, poses) => {
            for pose in poses {
                let _ = black_box(mesh.within(mesh, pose, tolerance, scratch, &mut ()));
            }
        }
        Question::Ray(rays) => {
            for ray in rays {
                black_box(mesh.ray(ray, scratch, &mut ()));
            }
        }
        _ => {}
    }
}
