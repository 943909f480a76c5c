//! How broad phases grow from a thousand boxes to a million.

mod mix;

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::clock::Clock;
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::session::Session;
use crate::table::{Cell, Table};
use crate::timing::{ROUNDS, Spread};
use impinge::broad::{
    Aabb, AdaptiveBroadPhase, BroadPhase, BruteForce, DynamicTree, HierarchicalGrid, LooseOctree,
    PairList, Proxies, SpatialHash, SweepAndPrune, UniformGrid,
};
use mix::{Mix, World};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "scenes",
    title: "Every broad phase on four mixes of boxes: time of a frame, time from scratch, memory",
    document: Document::Impinge,
    place: "how broad phases grow",
    models: ModelUse::Unused,
    revision: 4,
    work,
};

/// All of them. The chooser has tried its phases when the measurement ends.
const PHASES: [fn() -> Box<dyn BroadPhase>; 8] = [
    || Box::new(BruteForce),
    || Box::new(SweepAndPrune::default()),
    || Box::new(UniformGrid::default()),
    || Box::new(SpatialHash::default()),
    || Box::new(HierarchicalGrid::default()),
    || Box::new(LooseOctree::default()),
    || Box::new(DynamicTree::default()),
    || Box::new(AdaptiveBroadPhase::default()),
];
/// Updates after which the adaptive phase has tried its phases.
const WARMING: usize = 24;
/// Frames after the first; the mean of their times counts.
const FRAMES: usize = 4;

/// How long a phase may take, in milliseconds.
#[derive(Clone, Copy)]
struct Limits {
    /// Is enough for a phase at one size.
    enough: f64,
    /// A phase that is expected to take longer for a frame is left out.
    longest: f64,
}

/// One phase on one mix at one size.
#[derive(Clone, Copy, Debug)]
struct Point {
    boxes: usize,
    /// Milliseconds of a frame, the least of all passes.
    frame: f64,
    /// The same over the passes after warming up.
    spread: Spread,
    /// Milliseconds of an update that begins with nothing.
    scratch: f64,
    /// Bytes per box that the phase holds.
    bytes: f64,
    /// Pairs in the last frame.
    pairs: usize,
}

/// A phase on one mix, from few boxes to many.
struct Growth {
    mix: Mix,
    phase: &'static str,
    points: Vec<Point>,
    /// Whether it would take too long from here on.
    left_out: bool,
}

fn measured(
    session: &Session<'_>,
    largest: usize,
    limits: Limits,
) -> Result<Vec<Growth>, LabError> {
    let sizes = sizes(largest);
    let of = (Mix::ALL.len() * sizes.len() * PHASES.len()) as u64;
    let (mut all, mut done) = (Vec::new(), 0);
    for mix in Mix::ALL {
        let phase = |make: &fn() -> Box<dyn BroadPhase>| Growth {
            mix,
            phase: make().name(),
            points: Vec::new(),
            left_out: false,
        };
        let mut growths: Vec<Growth> = PHASES.iter().map(phase).collect();
        for &count in &sizes {
            let recording = Recording::new(mix, count, session.seed);
            for (growth, make) in growths.iter_mut().zip(PHASES) {
                session.step(&format!("{}, {}", mix.name(), growth.phase), done, of)?;
                done += 1;
                growth.measure(&recording, make, limits);
            }
            if Some(&count) == sizes.last()
                && let (Some(adaptive), Some(make)) = (growths.last_mut(), PHASES.last())
            {
                session.step(&format!("{}, {} again", mix.name(), adaptive.phase), done, of)?;
                adaptive.repeat(&recording, *make, limits);
            }
        }
        all.extend(growths);
    }
    Ok(all)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let largest = session.pick(10_000, 100_000, 1_000_000);
    let enough = session.pick(40.0, 200.0, 1_000.0);
    let limits = Limits { enough, longest: 2.0 * enough };
    let all = measured(session, largest, limits)?;
    let mut finding = Finding {
        setting: format!(
            "Up to {largest} moving boxes, each of which meets about five others and moves by up to a tenth of its side per frame: near-equal \
             ones, sides over three decades, clumps of a thousand on a floor, and near-equal ones of which one in twenty moves. All \
             pairs are listed in every frame; mean of {FRAMES} frames, least of several rounds."
        ),
        tables: tables(&all),
        charts: vec![Chart {
            name: "frames".into(),
            panels: Mix::ALL.map(|mix| panel(mix, &all)).into(),
        }],
        ..Finding::default()
    };
    judge(&mut finding, &all);
    Ok(finding)
}

/// 1,000, 3,000, 10,000 and so on.
fn sizes(largest: usize) -> Vec<usize> {
    let both = (3..).map(|power| 10_usize.pow(power)).flat_map(|size| [size, 3 * size]);
    both.take_while(|&size| size <= largest).collect()
}

/// Boxes over some frames.
struct Recording {
    first: Vec<Aabb>,
    frames: Vec<Vec<(u32, Aabb)>>,
}

impl Recording {
    fn new(mix: Mix, count: usize, seed: u64) -> Self {
        let mut world = World::new(mix, count, seed);
        let first = world.extents().collect();
        Self { first, frames: (0..FRAMES).map(|_| world.advance()).collect() }
    }
}

impl Growth {
    /// Adds a point, unless that would take too long.
    fn measure(
        &mut self,
        recording: &Recording,
        make: fn() -> Box<dyn BroadPhase>,
        limits: Limits,
    ) {
        if self.left_out {
            return;
        }
        let count = recording.first.len();
        if let Some(last) = self.points.last() {
            // By the growth of the last step; at least as the number of boxes.
            let power = self.points.iter().rev().nth(1).map_or(1.0, |before| {
                let exponent = (last.frame / before.frame).ln()
                    / (last.boxes as f64 / before.boxes as f64).ln();
                exponent.clamp(1.0, 2.0)
            });
            let expected = last.frame * (count as f64 / last.boxes as f64).powf(power);
            if expected > limits.longest {
                self.left_out = true;
                return;
            }
        }
        self.points.push(measure(recording, make(), limits.enough));
    }

    /// Begins anew with the largest size, several times: what a phase decides by the clock may be a bad choice in one of them. The medians
    /// of all count.
    fn repeat(&mut self, recording: &Recording, make: fn() -> Box<dyn BroadPhase>, limits: Limits) {
        let Some(last) = self.points.last_mut() else { return };
        if last.boxes == recording.first.len() {
            let mut medians = vec![last.spread.median];
            let again = || measure(recording, make(), limits.enough).spread.median;
            medians.extend((1..ROUNDS).map(|_| again()));
            last.spread = Spread::of(medians);
        }
    }
}

/// A phase with the boxes in it.
struct Stage {
    proxies: Proxies,
    broad: Box<dyn BroadPhase>,
    pairs: PairList,
}

impl Stage {
    /// Milliseconds for some boxes elsewhere and all pairs.
    fn play<'a>(&mut self, moved: impl IntoIterator<Item = (u32, &'a Aabb)>) -> f64 {
        let start = Clock::start();
        for (index, extent) in moved {
            self.proxies.set(index, *extent);
        }
        self.broad.update(&self.proxies, &mut self.pairs);
        self.proxies.clear_changes();
        start.seconds() * 1e3
    }
}

/// Over the frames again and again, until the adaptive phase has tried its phases or enough time has passed; the least mean counts.
fn measure(recording: &Recording, broad: Box<dyn BroadPhase>, enough: f64) -> Point {
    let (first, count) = (&recording.first, recording.first.len());
    let mut stage = Stage { proxies: Proxies::default(), broad, pairs: PairList::default() };
    let begin = Clock::start();
    let spent = || begin.seconds() * 1e3;
    for extent in first {
        stage.proxies.insert(*extent, true);
    }
    stage.play([]);
    let scratch = spent();
    let (mut frame, mut updates, mut passes) = (f64::INFINITY, 0, Vec::new());
    loop {
        let mut sum = 0.0;
        for moved in &recording.frames {
            sum += stage.play(moved.iter().map(|(index, extent)| (*index, extent)));
        }
        let mean = sum / recording.frames.len().max(1) as f64;
        frame = frame.min(mean);
        // Before, the adaptive phase still tries its phases.
        if updates >= WARMING || passes.is_empty() {
            passes.push(mean);
        }
        updates += recording.frames.len() + 1;
        let limit = if updates < WARMING { 4.0 * enough } else { enough };
        if updates >= 2 * WARMING || spent() > limit {
            break;
        }
        // Back to the first frame; the same boxes move in all frames.
        let back = recording.frames.first().map_or(&[][..], Vec::as_slice);
        stage.play(back.iter().map(|(index, _)| (*index, &first[*index as usize])));
    }
    Point {
        boxes: count,
        frame,
        spread: Spread::of(passes),
        scratch,
        bytes: stage.broad.bytes() as f64 / count as f64,
        pairs: stage.pairs.list().len(),
    }
}

/// Times of a frame, a row per mix and phase and a column per size; and everything.
fn tables(all: &[Growth]) -> Vec<Table> {
    let mut sizes: Vec<usize> = all.iter().flat_map(|g| &g.points).map(|p| p.boxes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut frames = Table::new("frames", "Time of a frame by the number of boxes")
        .column("mix", "")
        .column("phase", "");
    for size in &sizes {
        frames = frames.varying(size.to_string(), "ms");
    }
    let mut rest = Table::new("sizes", "Time from scratch, memory and pairs")
        .column("mix", "")
        .column("phase", "")
        .column("boxes", "")
        .varying("from scratch", "ms")
        .varying("memory per box", "bytes")
        .column("pairs", "");
    for growth in all {
        let mut row: Vec<Cell> = vec![growth.mix.name().into(), growth.phase.into()];
        for size in &sizes {
            let point = growth.points.iter().find(|point| point.boxes == *size);
            row.push(point.map(|point| point.frame).into());
        }
        frames.row(row);
        // The largest says enough, and what is left out has smaller ones.
        if let Some(Point { boxes, scratch, bytes, pairs, .. }) = growth.points.last() {
            rest.row([
                growth.mix.name().into(),
                growth.phase.into(),
                (*boxes).into(),
                (*scratch).into(),
                (*bytes).into(),
                (*pairs).into(),
            ]);
        }
    }
    vec![frames, rest]
}

/// How many points have another number of pairs than others of the same mix and size.
fn disagreements(all: &[Growth]) -> usize {
    let mut count = 0;
    for growth in all {
        for point in &growth.points {
            let same = |other: &&Point| other.boxes == point.boxes;
            let others = all.iter().filter(|other| other.mix == growth.mix);
            let mut found = others.filter_map(|other| other.points.iter().find(same));
            count += usize::from(found.any(|other| other.pairs != point.pairs));
        }
    }
    count
}

/// What trying other phases now and then may cost: wide enough that medians of a few passes decide alike in every run.
const HALF_AGAIN: f64 = 1.5;

fn judge(finding: &mut Finding, all: &[Growth]) {
    let wrong = disagreements(all);
    let points: usize = all.iter().map(|growth| growth.points.len()).sum();
    finding.claim(
        "all phases find the same number of pairs",
        format!("{wrong} of {points} measurements differ from others"),
        Verdict::holds(wrong == 0),
        "",
    );
    let mut told = Vec::new();
    let mut worst: f64 = 1.0;
    let mut passes = usize::MAX;
    for mix in Mix::ALL {
        let own: Vec<&Growth> = all.iter().filter(|growth| growth.mix == mix).collect();
        let largest = own.iter().filter_map(|g| g.points.last()).map(|p| p.boxes).max();
        let at = |growth: &&Growth| {
            let point = growth.points.iter().find(|point| Some(point.boxes) == largest)?;
            Some((growth.phase, point.spread))
        };
        let chooser = own.last().and_then(at);
        let best = own
            .iter()
            .rev()
            .skip(1)
            .filter_map(at)
            .min_by(|a, b| a.1.median.total_cmp(&b.1.median));
        if let (Some((_, chooser)), Some((name, best))) = (chooser, best) {
            // They do not take turns: the quartiles of each bound the ratio, those of the adaptive one over several beginnings.
            let ratio = chooser.median / best.median;
            let least = chooser.low / best.high;
            worst = worst.max(least);
            passes = passes.min(chooser.repeats).min(best.repeats);
            told.push(format!("{}: {ratio:.2} of {name}, at least {least:.2}", mix.name()));
        }
    }
    finding.claim(
        "the adaptive phase takes at most half as long again as the best phase of each mix",
        format!("at the largest size, its median time over the best one's, and by the quartiles of {passes} repeats or more: {}", told.join("; ")),
        Verdict::holds(worst <= HALF_AGAIN),
        if worst > HALF_AGAIN {
            "It tries other phases now and then, which counts here."
        } else {
            ""
        },
    );
}

fn panel(mix: Mix, all: &[Growth]) -> Panel {
    let line = |growth: &Growth| {
        let points = growth.points.iter().map(|p| (p.boxes as f64, p.frame));
        Series::line(growth.phase, points.collect())
    };
    Panel {
        title: format!("Time of a frame, {}", mix.name()),
        across: Axis::logarithmic("boxes"),
        up: Axis::logarithmic("time of a frame [ms]"),
        series: all.iter().filter(|growth| growth.mix == mix).map(line).collect(),
        legend: Corner::Beside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_phases_are_measured_and_agree() {
        let recording = Recording::new(Mix::Floor, 1_000, 1);
        let mut growths: Vec<Growth> = PHASES
            .iter()
            .map(|make| Growth {
                mix: Mix::Floor,
                phase: make().name(),
                points: vec![measure(&recording, make(), 1.0)],
                left_out: false,
            })
            .collect();
        assert_eq!(disagreements(&growths), 0);
        assert!(growths.iter().all(|growth| growth.points[0].pairs > 1_000));
        assert_eq!(tables(&growths)[0].rows.len(), PHASES.len());
        growths[3].points[0].pairs += 1;
        assert_eq!(disagreements(&growths), PHASES.len());
    }

    #[test]
    fn what_takes_too_long_is_left_out() {
        let mut growth =
            Growth { mix: Mix::NearEqual, phase: "", points: Vec::new(), left_out: false };
        let limits = Limits { enough: 1.0, longest: 0.0 };
        for count in [50, 100] {
            let recording = Recording::new(Mix::NearEqual, count, 1);
            growth.measure(&recording, PHASES[0], limits);
        }
        assert_eq!((growth.points.len(), growth.left_out), (1, true));
    }
}
