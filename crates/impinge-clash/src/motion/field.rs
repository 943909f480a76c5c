//! A pair of parts over the ranges of two joints: every configuration, not a way.
//!
//! The square of both ranges is cut into cells. From the middle of a cell no configuration in it moves a point of either part by more than b, a sum of the arms of
//! both joints times their ways: where the parts are farther apart there than b, the whole cell is free. Cells that are not are halved along the joint that
//! adds more to b, the least certain first, so that what remains is a band around contact. Where parts meet, the nearest configuration to where the model
//! stands is taken, and the first contact on the straight way there is certified as over time.

use super::encounter::{Deepest, Encounter, Least, Meeting, Moment, Shares, Start};
use super::movement::JointRange;
use super::near;
use super::sweep::{Encountered, Followed, moment_on, overlap};
use crate::relation::Wanted;
use impinge::geom::Certainty;
use impinge::query::{self, ImpactSettings, Workspace};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Cells are halved so often, unless the parts are free and only their distance is in question.
const LEVELS: u32 = 12;

/// Cells of free parts are halved so often at most.
const MOST_LEVELS: u32 = 30;

/// Distance queries per unit of `max_steps`.
const QUERIES_PER_STEP: u32 = 5;

/// Configurations at which depths are asked.
const SAMPLES: usize = 24;

/// The least distance is known to this share of what is required.
const LEAST_WITHIN: f64 = 1e-2;

/// A rectangle of configurations.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The parts are at least so far apart in all of it.
    lower: f64,
    /// Their distance in the middle.
    distance: f64,
    level: u32,
    middle: [f64; 2],
    half: [f64; 2],
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Cell {}
impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Cell {
    /// The least bound is the greatest, then the larger cell, then the one of the smaller configuration.
    fn cmp(&self, other: &Self) -> Ordering {
        let order = other.lower.total_cmp(&self.lower).then(other.level.cmp(&self.level));
        order
            .then(other.middle[0].total_cmp(&self.middle[0]))
            .then(other.middle[1].total_cmp(&self.middle[1]))
    }
}

/// What the cells came to.
#[derive(Default)]
struct Found {
    shares: Shares,
    /// Configurations in which the parts meet.
    meeting: Vec<[f64; 2]>,
    /// The least distance that was seen, and where.
    best: Option<(f64, [f64; 2])>,
    /// It is nowhere smaller.
    lower: f64,
    /// False if the work was used up.
    complete: bool,
}

/// None if one joint alone moves the parts relative to each other.
pub(super) fn follow(pair: &Encountered<'_>, workspace: &mut Workspace) -> Option<Followed> {
    let speeds = speeds(pair);
    if speeds.contains(&0.0) {
        return None;
    }
    let start = pair.movement.start();
    let begin = pair.relation_at(start, pair.coarse(), workspace);
    let found = subdivide(pair, speeds, workspace);
    let touches = pair.is_contact(&begin);
    let mut encounter = Encounter {
        start: if touches { Start::Overlapping } else { Start::Free },
        meeting: None,
        least: None,
        deepest: None,
        shares: Some(found.shares),
        decided: found.complete || touches,
        shown: start,
    };
    if touches {
        if overlap(&begin) == 0.0 {
            encounter.start = Start::Leaving;
        }
        let relation = pair.relation_at(start, pair.wanted, workspace);
        return Some(Followed { relation, encounter });
    }
    if let Some(nearest) = nearest(&found.meeting, start, &pair.movement.axes) {
        let goal = Moment { values: nearest };
        let meeting = on_the_way(pair, [start, goal], workspace);
        (encounter.meeting, encounter.shown) = (Some(meeting), meeting.interval[1]);
        encounter.deepest = deepest(pair, &found.meeting, workspace);
        let at = encounter.deepest.map_or(goal, |deepest| deepest.at);
        let mut relation = pair.relation_at(at, pair.wanted, workspace);
        pair.put_at_contact(&mut relation, meeting, workspace);
        return Some(Followed { relation, encounter });
    }
    let required = pair.wanted.clearance;
    let Some((distance, at)) = found.best.filter(|_| found.lower <= required || !found.complete)
    else {
        let relation = crate::relation::PartRelation { distance: None, ..begin };
        return Some(Followed { relation, encounter });
    };
    let at = Moment { values: at };
    encounter.shown = at;
    if found.lower <= 0.0 {
        // Nowhere seen to meet, and not certified to be apart.
        encounter.decided = false;
        let interval = [at, at];
        encounter.meeting = Some(Meeting { interval, certainty: Certainty::Bound });
    }
    encounter.least = Some(Least { distance, lower: found.lower.max(0.0), at });
    let wanted = Wanted { clearance: f64::INFINITY, ..pair.wanted };
    let relation = pair.relation_at(at, wanted, workspace);
    Some(Followed { relation, encounter })
}

/// For each axis: how fast two points of the parts can approach each other.
fn speeds(pair: &Encountered<'_>) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for side in 0..2 {
        let ball = near::ball(pair.model, pair.movement, pair.pair.parts[side]);
        let own = near::speeds(pair.movement, pair.movement.own(&pair.pair, side), &ball);
        sum = [sum[0] + own[0], sum[1] + own[1]];
    }
    sum
}

fn subdivide(pair: &Encountered<'_>, speeds: [f64; 2], workspace: &mut Workspace) -> Found {
    let axes = &pair.movement.axes;
    let required = pair.wanted.clearance.max(0.0);
    let mut work = pair.movement.max_steps.saturating_mul(QUERIES_PER_STEP);
    let mut found = Found::default();
    let whole = [0, 1].map(|k| 0.5 * (axes[k].to - axes[k].from).abs());
    let area = |cell: &Cell| cell.half[0] / whole[0] * (cell.half[1] / whole[1]);
    let mut measure =
        |middle: [f64; 2], half: [f64; 2], level: u32, above: f64, found: &mut Found| {
            let distance = distance(pair, middle, workspace);
            let bound = (speeds[0] * half[0] + speeds[1] * half[1]) * (1.0 + 1e-9);
            if found.best.is_none_or(|(best, _)| distance < best) {
                found.best = Some((distance, middle));
            }
            Cell { lower: above.max(distance - bound), distance, level, middle, half }
        };
    let middle = [0, 1].map(|k| 0.5 * (axes[k].from + axes[k].to));
    let mut cells = BinaryHeap::new();
    cells.push(measure(middle, whole, 0, 0.0, &mut found));
    found.lower = f64::INFINITY;
    found.complete = true;
    while let Some(cell) = cells.pop() {
        let best = found.best.map_or(f64::INFINITY, |best| best.0);
        let told = best > 0.0 && best < required && best - cell.lower <= LEAST_WITHIN * required;
        // All that is left is as far apart as is asked, or known as well.
        if cell.lower > required || (told && cell.lower > 0.0) {
            found.lower = found.lower.min(cell.lower);
            let rest: f64 =
                cells.iter().chain([&cell]).filter(|one| one.lower > required).map(&area).sum();
            found.shares.free += rest;
            found.shares.undecided += cells.iter().chain([&cell]).map(&area).sum::<f64>() - rest;
            break;
        }
        let most =
            if found.meeting.is_empty() && cell.distance > 0.0 { MOST_LEVELS } else { LEVELS };
        if cell.distance <= 0.0 {
            found.meeting.push(cell.middle);
        }
        if cell.level >= most || work < 2 || pair.stopped() {
            found.lower = found.lower.min(cell.lower);
            let Shares { meeting, undecided, .. } = &mut found.shares;
            *(if cell.distance <= required { meeting } else { undecided }) += area(&cell);
            found.complete &= cell.level >= most || cell.distance <= 0.0;
            continue;
        }
        work -= 2;
        let along = usize::from(speeds[1] * cell.half[1] > speeds[0] * cell.half[0]);
        for side in [-0.5, 0.5] {
            let (mut middle, mut half) = (cell.middle, cell.half);
            middle[along] += side * cell.half[along];
            half[along] *= 0.5;
            cells.push(measure(middle, half, cell.level + 1, cell.lower, &mut found));
        }
    }
    if found.lower == f64::INFINITY {
        found.lower = 0.0;
    }
    found
}

/// The distance of the parts in a configuration; zero if they meet.
fn distance(pair: &Encountered<'_>, values: [f64; 2], workspace: &mut Workspace) -> f64 {
    let [a, b] = pair.geometries();
    let movement = pair.movement;
    let pose = |side: usize| {
        let moment = Moment { values };
        let stand = &movement.stands[pair.pair.parts[side]];
        movement.displacement(movement.own(&pair.pair, side), moment).compose(stand)
    };
    let (pose_a, pose_b) = (pose(0), pose(1));
    query::distance_with(&pose_a, a, &pose_b, b, workspace).distance.max(0.0)
}

/// The configuration that is nearest to another one, by shares of the ranges; the first of several.
fn nearest(list: &[[f64; 2]], start: Moment, axes: &[JointRange]) -> Option<[f64; 2]> {
    let far = |values: &[f64; 2]| {
        let share = |k: usize| (values[k] - start.values[k]) / (axes[k].to - axes[k].from);
        share(0) * share(0) + share(1) * share(1)
    };
    list.iter().copied().min_by(|x, y| far(x).total_cmp(&far(y)))
}

/// The first contact on the straight way between two configurations.
fn on_the_way(pair: &Encountered<'_>, ends: [Moment; 2], workspace: &mut Workspace) -> Meeting {
    let [first, second] = pair.chains(ends[0].values, ends[1].values);
    let [a, b] = pair.geometries();
    let settings = ImpactSettings {
        tolerance: pair.movement.precision,
        max_steps: pair.steps([&first, &second]),
        clearance: 0.0,
    };
    let found = query::impact_with(&first, a, &second, b, &settings, workspace);
    let (interval, certainty) =
        found.first.map_or(([1.0; 2], Certainty::Bound), |first| (first.interval, first.certainty));
    Meeting { interval: interval.map(|t| moment_on(ends, t)), certainty }
}

/// The deepest overlap among some of the configurations in which the parts meet.
fn deepest(
    pair: &Encountered<'_>,
    meeting: &[[f64; 2]],
    workspace: &mut Workspace,
) -> Option<Deepest> {
    let stride = meeting.len().div_ceil(SAMPLES).max(1);
    let mut deepest: Option<Deepest> = None;
    for &values in meeting.iter().step_by(stride) {
        let at = Moment { values };
        let depth = overlap(&pair.relation_at(at, pair.coarse(), workspace));
        deepest = Deepest::or_deeper(deepest, depth, at);
    }
    deepest
}
