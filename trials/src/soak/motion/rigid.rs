//! Rigid motions of shapes and meshes: the impact against samples of the distance at rest, which other soaks prove.
//!
//! Between two samples nothing is missed: no two points approach each other faster than the sum of the speeds of the two motions, so that a distance d keeps the
//! bodies apart for d over that speed. Where bodies graze each other such steps get too short; there samples are taken at small steps of time, and counted.

use super::bodies::{Body, Way, mesh, shape, way};
use super::{FAULT, Options, Report};
use impinge::geom::Certainty;
use impinge::query::{self, Impact, ImpactSettings, Start, Workspace};
use impinge_lab::Random;

/// What became of the motions.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Never in contact.
    pub free: u64,
    /// First in contact later.
    pub meets: u64,
    /// In contact at the start.
    pub begins: u64,
    /// Met, but within rounding only, or the work ran out: the upper end is not proven.
    pub unproven: u64,
    /// Of these, the numbers of those whose interval is wide because the work was used up.
    pub open: Vec<u64>,
    /// Free spans that are certified from end to end by samples, and those with steps too short for that.
    pub spans: [u64; 2],
    /// Samples taken.
    pub samples: u64,
    /// The widest interval of a first contact, of those that are proven and of the others.
    pub widest: [f64; 2],
    /// Least distances that were compared.
    pub minima: u64,
}

impl Counts {
    pub(super) fn append(&mut self, other: Self) {
        self.free += other.free;
        self.meets += other.meets;
        self.begins += other.begins;
        self.unproven += other.unproven;
        self.open.extend(other.open);
        self.samples += other.samples;
        self.minima += other.minima;
        for side in 0..2 {
            self.spans[side] += other.spans[side];
            self.widest[side] = self.widest[side].max(other.widest[side]);
        }
    }

    pub(super) fn print(&self, name: &str) {
        let Self { free, meets, begins, unproven, open, spans, samples, widest, minima } = self;
        if free + meets + begins == 0 {
            return;
        }
        println!(
            "rigid motions of {name}: {free} free, {meets} meet, {begins} begin in contact; {samples} samples"
        );
        println!(
            "  free spans: {} certified throughout, {} in places by small steps; {unproven} of the contacts not proven, {} of them as the work was used up{}; widest interval {:.1e}, of those {:.1e}; {minima} least distances",
            spans[0],
            spans[1],
            open.len(),
            if open.is_empty() { String::new() } else { format!(" ({open:?})") },
            widest[0],
            widest[1]
        );
    }
}

/// A distance below zero by no more than this is rounding; the coordinates are below 8.
const ROUNDING: f64 = 1e-11;

/// A contact that is not proven comes at least so near.
const NEAR: f64 = 1e-9;

/// Steps are no shorter than this, in time, …
const SHORTEST: f64 = 1e-7;

/// … and after so many of them, which happens where bodies slide along each other, no shorter than this.
const PATIENCE: u32 = 400;
const COARSE: f64 = 1.0 / 1024.0;

/// So much before a contact is not certified by samples: the tolerance of its time.
const LAST: f64 = 1e-6;

/// A least distance is compared for one motion in this many.
const MINIMA: u64 = 8;

struct Trial {
    bodies: [Body; 2],
    ways: [Way; 2],
    speed: f64,
}

impl Trial {
    fn new(make: [Make; 2], random: &mut Random) -> Option<Self> {
        let bodies = [make[0](random)?, make[1](random)?];
        let ways = [way(random, bodies[0].reach)?, way(random, bodies[1].reach)?];
        let speed = ways[0].speed + ways[1].speed;
        Some(Self { bodies, ways, speed })
    }

    fn describe(&self) -> String {
        let [a, b] = &self.bodies;
        let [one, two] = &self.ways;
        format!("\n  a {} {}\n  b {} {}", a.name, one.name, b.name, two.name)
    }

    /// The distance at a time: below zero where the bodies overlap.
    fn gap(&self, t: f64, workspace: &mut Workspace) -> f64 {
        let [a, b] = &self.bodies;
        let [one, two] = [0, 1].map(|side| self.ways[side].motion.pose(t));
        let found = query::distance_with(&one, &a.geometry, &two, &b.geometry, workspace).distance;
        if found > 0.0 {
            return found;
        }
        // Touching is no overlap. The depth only tells rounding from a miss.
        let depth = query::signed_distance_with(&one, &a.geometry, &two, &b.geometry, workspace);
        depth.distance.min(0.0)
    }

    fn meets(&self, t: f64) -> bool {
        let [one, two] = [0, 1].map(|side| self.ways[side].motion.pose(t));
        query::intersects(&one, &self.bodies[0].geometry, &two, &self.bodies[1].geometry)
    }
}

/// One motion of two shapes.
pub(super) fn shapes(options: &Options, index: u64, report: &mut Report) {
    judge_one(options, index, ([shape, shape], 0), report);
}

/// One motion of a mesh, against a mesh or a shape.
pub(super) fn meshes(options: &Options, index: u64, report: &mut Report) {
    let makes: [Make; 2] = match index % 3 {
        0 => [mesh, shape],
        1 => [shape, mesh],
        _ => [mesh, mesh],
    };
    judge_one(options, index, (makes, 1), report);
}

/// Makes a random body.
type Make = fn(&mut Random) -> Option<Body>;

fn judge_one(
    options: &Options,
    index: u64,
    (makes, part): ([Make; 2], usize),
    report: &mut Report,
) {
    let salt = [0x94d0_49bb_1331_11eb, 0xbf58_476d_1ce4_e5b9][part];
    let mut random = Random::new(options.seed.wrapping_mul(salt).wrapping_add(index));
    // Points that a constructor refuses, now and then.
    let Some(trial) = Trial::new(makes, &mut random) else { return };
    let [a, b] = &trial.bodies;
    let [one, two] = [0, 1].map(|side| trial.ways[side].motion.as_ref());
    let mut found = query::impact(one, &a.geometry, two, &b.geometry);
    if options.inject_fault && index.is_multiple_of(FAULT) {
        falsify(&mut found);
    }
    report.hash.number(found.free_until().min(2.0));
    let counts = &mut report.rigid[part];
    let mut workspace = Workspace::default();
    let wrong = judge(&trial, index, &found, counts, &mut workspace)
        .and_then(|()| least(&trial, index, &found, counts, &mut workspace));
    if let Err(what) = wrong {
        let part = ["shapes", "meshes"][part];
        report
            .failures
            .add(|| format!("rigid {part} {index}: {what}; {found:?}{}", trial.describe()));
    }
}

/// A contact comes too late or not at all, or there is one that is none.
fn falsify(found: &mut Impact) {
    match &mut found.first {
        Some(first) if first.interval[0] > 0.0 && first.interval[1] < 0.9 => {
            first.interval = first.interval.map(|t| t + 1e-3);
        }
        Some(_) => *found = Impact { start: Start::Free, first: None },
        None => found.start = Start::Overlapping,
    }
}

fn judge(
    trial: &Trial,
    index: u64,
    found: &Impact,
    counts: &mut Counts,
    workspace: &mut Workspace,
) -> Result<(), String> {
    if (found.start == Start::Free) == trial.meets(0.0) {
        return Err("the start is wrong".into());
    }
    if found.start != Start::Free {
        counts.begins += 1;
        let at_once = found.first.is_some_and(|first| first.interval == [0.0; 2]);
        let gap = trial.gap(0.0, workspace);
        let deep = gap < -NEAR;
        let named = if found.start == Start::Overlapping { gap < ROUNDING } else { !deep };
        return if at_once && named {
            Ok(())
        } else {
            Err(format!("a start with a gap of {gap:e}"))
        };
    }
    let Some(first) = found.first else {
        counts.free += 1;
        return free_up_to(trial, 1.0, counts, workspace).map_err(|what| format!("missed: {what}"));
    };
    counts.meets += 1;
    let [t0, t1] = first.interval;
    if !(0.0 <= t0 && t0 <= t1 && t1 <= 1.0) {
        return Err(format!("the interval {t0:?} to {t1:?}"));
    }
    free_up_to(trial, t0, counts, workspace).map_err(|what| format!("late: {what}"))?;
    let width = t1 - t0;
    let proven = first.certainty == Certainty::Exact;
    counts.widest[usize::from(!proven)] = counts.widest[usize::from(!proven)].max(width);
    if proven {
        let tolerance = ImpactSettings::default().tolerance;
        return if trial.meets(t1) && width <= tolerance {
            Ok(())
        } else {
            Err(format!("no contact at {t1:?}: a gap of {:e}", trial.gap(t1, workspace)))
        };
    }
    counts.unproven += 1;
    if width > ImpactSettings::default().tolerance {
        // The work was used up, and the answer says so: nothing is claimed beyond the lower end.
        counts.open.push(index);
        return Ok(());
    }
    let nearest = (0..=64).map(|k| trial.gap(t0 + width * f64::from(k) / 64.0, workspace));
    let nearest = nearest.fold(f64::INFINITY, f64::min);
    if nearest <= NEAR { Ok(()) } else { Err(format!("a false contact: {nearest:e} apart")) }
}

/// No sample up to a time is in contact.
fn free_up_to(
    trial: &Trial,
    end: f64,
    counts: &mut Counts,
    workspace: &mut Workspace,
) -> Result<(), String> {
    let (mut t, mut certified) = (0.0f64, true);
    for taken in 0u32.. {
        let gap = trial.gap(t, workspace);
        counts.samples += 1;
        if gap.is_nan() || gap < -ROUNDING || (gap <= 0.0 && t + 1e-9 < end) {
            return Err(format!("a gap of {gap:e} at {t:?}"));
        }
        if t >= end {
            break;
        }
        let step = if trial.speed > 0.0 { gap / trial.speed } else { 1.0 };
        let shortest = if taken < PATIENCE { SHORTEST } else { COARSE };
        // The last bit before a contact is never certified.
        certified &= step >= shortest || end - t <= LAST;
        t = (t + step.max(shortest)).min(end);
    }
    counts.spans[usize::from(!certified)] += 1;
    Ok(())
}

/// The least distance on the way: nowhere is it less than the lower end, and it is reached.
fn least(
    trial: &Trial,
    index: u64,
    found: &Impact,
    counts: &mut Counts,
    workspace: &mut Workspace,
) -> Result<(), String> {
    if !index.is_multiple_of(MINIMA) {
        return Ok(());
    }
    let [a, b] = &trial.bodies;
    let [one, two] = [0, 1].map(|side| trial.ways[side].motion.as_ref());
    let least = query::minimum_distance(one, &a.geometry, two, &b.geometry);
    counts.minima += 1;
    let told = least.closest.distance;
    let gap = trial.gap(least.t, workspace).max(0.0);
    if (gap - told).abs() > ROUNDING || least.lower > told {
        return Err(format!("the least distance {least:?} is {gap:e}"));
    }
    if found.first.is_some_and(|first| first.certainty == Certainty::Exact) && told > 0.0 {
        // The interval of the contact may be too short to be found by bisection.
        return if least.lower <= 0.0 { Ok(()) } else { Err(format!("they meet, but {least:?}")) };
    }
    for k in 0..=128 {
        let gap = trial.gap(f64::from(k) / 128.0, workspace).max(0.0);
        if gap < least.lower - ROUNDING {
            return Err(format!("{gap:e} apart at {k}/128, but {least:?}"));
        }
    }
    Ok(())
}
