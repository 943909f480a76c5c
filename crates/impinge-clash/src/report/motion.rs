//! The motion of a run, and what it did to the parts of a finding, as JSON has them.

use super::{Run, certainty_name};
use crate::model::Model;
use crate::motion::{Encounter, Moment, Movement, Start, Tally};
use serde::Serialize;

/// The motion of a run.
#[derive(Serialize)]
pub(super) struct MotionEntry<'d> {
    file: &'d str,
    /// What moments are made of: the time, or one or two joints.
    axes: Vec<AxisEntry<'d>>,
    /// Where the model stands.
    start: Vec<f64>,
    pairs: PairsEntry,
    notes: &'d [String],
}

#[derive(Serialize)]
struct AxisEntry<'d> {
    name: &'d str,
    unit: &'static str,
    from: f64,
    to: f64,
}

#[derive(Serialize)]
struct PairsEntry {
    moving: usize,
    free: usize,
    meeting: usize,
    at_start: usize,
    undecided: usize,
}

/// What happens to two parts on their way.
#[derive(Serialize)]
pub(super) struct EncounterEntry {
    start: &'static str,
    first_contact: Option<ContactEntry>,
    least: Option<LeastEntry>,
    deepest: Option<DeepestEntry>,
    shares: Option<SharesEntry>,
    decided: bool,
    /// Where to look.
    shown: Vec<f64>,
}

#[derive(Serialize)]
struct ContactEntry {
    from: Vec<f64>,
    to: Vec<f64>,
    method: &'static str,
}

#[derive(Serialize)]
struct LeastEntry {
    distance: f64,
    lower: f64,
    at: Vec<f64>,
}

#[derive(Serialize)]
struct DeepestEntry {
    /// Null where it could not be measured.
    depth: Option<f64>,
    at: Vec<f64>,
}

#[derive(Serialize)]
struct SharesEntry {
    free: f64,
    meeting: f64,
    undecided: f64,
}

/// The motion of a run, if it has one.
pub(super) fn motion<'d>(run: &Run<'d>) -> Option<MotionEntry<'d>> {
    let model: &'d Model = run.model;
    let movement = model.motion.as_deref()?;
    let Tally { moving, free, meeting, at_start, undecided } =
        run.outcome.tally.unwrap_or_default();
    Some(MotionEntry {
        file: &movement.name,
        axes: axes(movement),
        start: movement.values(&movement.start()).to_vec(),
        pairs: PairsEntry { moving, free, meeting, at_start, undecided },
        notes: &movement.notes,
    })
}

fn axes<'d>(movement: &'d Movement) -> Vec<AxisEntry<'d>> {
    if movement.axes.is_empty() {
        let [from, to] = movement.time;
        return vec![AxisEntry { name: "time", unit: "s", from, to }];
    }
    let axis = |axis: &'d crate::motion::JointRange| AxisEntry {
        name: &axis.name,
        unit: movement.unit(axis),
        from: axis.from,
        to: axis.to,
    };
    movement.axes.iter().map(axis).collect()
}

/// What happens to the parts of a finding.
pub(super) fn encounter(movement: &Movement, found: &Encounter) -> EncounterEntry {
    let moment = |moment: Moment| movement.values(&moment).to_vec();
    EncounterEntry {
        start: start_name(found.start),
        first_contact: found.meeting.map(|meeting| ContactEntry {
            from: moment(meeting.interval[0]),
            to: moment(meeting.interval[1]),
            method: certainty_name(meeting.certainty),
        }),
        least: found.least.map(|least| LeastEntry {
            distance: least.distance,
            lower: least.lower,
            at: moment(least.at),
        }),
        deepest: found.deepest.map(|deepest| DeepestEntry {
            depth: Some(deepest.depth).filter(|depth| depth.is_finite()),
            at: moment(deepest.at),
        }),
        shares: found.shares.map(|shares| SharesEntry {
            free: shares.free,
            meeting: shares.meeting,
            undecided: shares.undecided,
        }),
        decided: found.decided,
        shown: moment(found.shown),
    }
}

/// How two parts begin, in a word.
pub(super) fn start_name(start: Start) -> &'static str {
    match start {
        Start::Free => "free",
        Start::Leaving => "leaving",
        Start::Approaching => "approaching",
        Start::Overlapping => "overlapping",
    }
}

/// Titles of the columns that a motion adds to CSV.
pub(super) fn csv_titles(run: &Run<'_>) -> String {
    let Some(movement) = run.model.motion.as_deref() else { return String::new() };
    let names: Vec<String> = axes(movement)
        .iter()
        .map(|axis| format!("{} ({})", axis.name.replace([',', '"', '\r', '\n'], " "), axis.unit))
        .collect();
    let unit = run.model.unit;
    let mut titles = String::from(",start");
    for what in ["free up to", "contact at"] {
        names.iter().for_each(|name| titles += &format!(",{what}: {name}"));
    }
    titles += &format!(",least gap ({unit})");
    names.iter().for_each(|name| titles += &format!(",least gap at: {name}"));
    titles + ",decided"
}

/// The cells under these titles.
pub(super) fn csv_cells(run: &Run<'_>, found: Option<&Encounter>) -> Vec<String> {
    let Some(movement) = run.model.motion.as_deref() else { return Vec::new() };
    let count = movement.axes.len().max(1);
    let moment = |moment: Option<Moment>| -> Vec<String> {
        match moment {
            Some(moment) => movement.values(&moment).iter().map(f64::to_string).collect(),
            None => vec![String::new(); count],
        }
    };
    let meeting = found.and_then(|found| found.meeting);
    let least = found.and_then(|found| found.least);
    let mut cells = vec![found.map_or("", |found| start_name(found.start)).to_string()];
    cells.extend(moment(meeting.map(|meeting| meeting.interval[0])));
    cells.extend(moment(meeting.map(|meeting| meeting.interval[1])));
    cells.push(least.map(|least| least.distance.to_string()).unwrap_or_default());
    cells.extend(moment(least.map(|least| least.at)));
    cells.push(found.map(|found| found.decided.to_string()).unwrap_or_default());
    cells
}
