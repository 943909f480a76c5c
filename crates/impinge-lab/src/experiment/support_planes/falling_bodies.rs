//! Figure 11: the time to find all collisions in each step of a simulation, by levels with planes.

use super::classic::Grouping;
use super::contenders::Stock;
use super::culling::VOLUMES;
use super::pairs::{own_table, table};
use super::race::{ADDED, FILTER, LEVELS, Label, OLD, OWN, Outcome, Race};
use super::recorded::{Ground, Recorded, published_axis, published_collisions, recorded};
use super::replay::Replay;
use super::unless;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::session::Session;
use crate::table::Table;
use crate::timing::{MARGIN, Spread};

pub(super) const TORUS: Experiment = Experiment {
    name: "spm-torus",
    title: "Time for all collisions of bodies that fall on a torus, by levels with planes",
    document: Document::SupportPlanes,
    place: "figure 11, left",
    models: ModelUse::Instead,
    revision: 2,
    work: torus,
};

pub(super) const PLANE: Experiment = Experiment {
    name: "spm-plane",
    title: "Time for all collisions of bodies that fall on a plane, by levels with planes",
    document: Document::SupportPlanes,
    place: "figure 11, right",
    models: ModelUse::Instead,
    revision: 2,
    work: plane,
};

fn torus(session: &mut Session<'_>) -> Result<Finding, LabError> {
    figure(session, Ground::Torus)
}

fn plane(session: &mut Session<'_>) -> Result<Finding, LabError> {
    figure(session, Ground::Plane)
}

/// Everybody's times on one recording.
pub(super) struct Fall {
    pub(super) ground: Ground,
    pub(super) setting: String,
    /// How much of what is published.
    size: String,
    pub(super) race: Race,
    pub(super) frames: usize,
    /// Of moving bodies, in the frames that were replayed; with the fixed one; and how many were seen to begin.
    collisions: [u64; 3],
    /// Of moving bodies, in all frames of the simulation.
    total: u64,
}

impl Fall {
    /// Replays the recording for every contender that is wanted.
    pub(super) fn measure(
        session: &Session<'_>,
        ground: Ground,
        rounds: usize,
        wanted: fn(&Label) -> bool,
    ) -> Result<Self, LabError> {
        let Recorded { setting, size, replay, total, counted } = recorded(session, ground)?;
        let Replay { models, frames, .. } = &replay;
        let groupings: Vec<Grouping> = models.iter().map(Grouping::new).collect();
        let stock = Stock::new(models, &groupings, session)?;
        let (pairs, tasks) = replay.tasks()?;
        let mut contenders = stock.contenders();
        contenders.retain(|contender| wanted(&contender.label));
        let race = Race::run(&mut contenders, &tasks, rounds, session)?;
        let meetings = replay.meetings(&pairs, &race.meeting);
        let [moving, fixed] = counted;
        if meetings.moving != moving || (replay.fixed.is_some() && meetings.fixed != fixed) {
            return Err(LabError::failed(format!(
                "{} and {} collisions where {moving} and {fixed} were recorded",
                meetings.moving, meetings.fixed
            )));
        }
        let collisions = [moving, fixed, meetings.begun];
        Ok(Self { ground, setting, size, frames: frames.len(), race, collisions, total })
    }

    /// Speed-up by planes or tables over none, by levels from 0.
    fn gains(&self, volume: &str, added: &str) -> Vec<f64> {
        self.race.shares(volume, added).iter().map(|share| 1.0 / share.median).collect()
    }

    /// The fastest trees of a volume with the paper's mappings.
    fn fastest(&self, volume: &str) -> Option<&Outcome> {
        let levels = ADDED[..2].iter().flat_map(|added| (0..=LEVELS).map(move |l| (added, l)));
        let all = levels.filter_map(|(added, l)| self.race.of(OLD, volume, added.name(), l));
        all.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
    }

    /// The time of the best trees of spheres over that of the best of oriented boxes, both with the paper's mappings.
    pub(super) fn spheres_over_boxes(&self) -> Spread {
        let best = self.fastest("sphere").zip(self.fastest("OBB"));
        best.map_or(Spread::of(Vec::new()), |(spheres, boxes)| spheres.over(boxes))
    }

    /// The greatest speed-up by some of [`ADDED`], with what reached it.
    pub(super) fn best(&self, kinds: std::ops::Range<usize>) -> (Spread, String) {
        let mut best = (Spread::of(vec![0.0]), String::new());
        for (volume, _) in VOLUMES {
            for addition in &ADDED[kinds.clone()] {
                let shares = self.race.shares(volume, addition.name());
                for (level, gain) in shares.iter().map(Spread::inverse).enumerate() {
                    if gain.median > best.0.median {
                        best = (gain, format!("{volume} {} on {level} levels", addition.name()));
                    }
                }
            }
        }
        best
    }
}

fn figure(session: &mut Session<'_>, ground: Ground) -> Result<Finding, LabError> {
    let fall = Fall::measure(session, ground, session.pick(3, 2, 1), |_| true)?;
    let mut finding = Finding {
        setting: format!(
            "{} Pairs whose boxes overlap in a frame are handed to every hierarchy in turns ({} in {} frames); the time is that of all pairs of a frame, without the broad phase.",
            fall.setting,
            fall.race.tasks(),
            fall.frames
        ),
        tables: vec![counts(&fall), table(&fall.race), own_table(&fall.race)],
        charts: vec![chart(&fall)],
        ..Finding::default()
    };
    judge(&mut finding, &fall);
    Ok(finding)
}

fn counts(fall: &Fall) -> Table {
    let mut table = Table::new("collisions", "Collisions in the frames that were replayed")
        .column("frames", "")
        .column("pairs with overlapping boxes", "")
        .column("collisions of moving bodies", "")
        .column("of those, seen to begin", "")
        .column("with the fixed body", "")
        .column("of moving bodies, all frames", "")
        .column("published, 14 s", "");
    let [moving, fixed, begun] = fall.collisions;
    let published = published_collisions(fall.ground);
    table.row([
        fall.frames.into(),
        fall.race.tasks().into(),
        moving.into(),
        begun.into(),
        fixed.into(),
        fall.total.into(),
        published.into(),
    ]);
    table
}

fn chart(fall: &Fall) -> Chart {
    let race = &fall.race;
    let points = |values: Vec<f64>, factor: f64| -> Vec<(f64, f64)> {
        values
            .into_iter()
            .enumerate()
            .map(|(level, value)| (level as f64, value * factor))
            .collect()
    };
    let across = || Axis::linear("levels with planes in the hierarchy").within(0.0, LEVELS as f64);
    let flat = |value: f64| vec![(0.0, value), (LEVELS as f64, value)];
    let step = 1e3 / fall.frames.max(1) as f64;
    let (mut times, mut gains) = (Vec::new(), Vec::new());
    let mut most = 0.0_f64;
    for (k, addition) in ADDED.iter().enumerate() {
        for (v, (volume, _)) in VOLUMES.iter().enumerate() {
            let name = format!("{volume} {}", addition.name());
            let seconds = race.seconds(volume, addition.name());
            most = seconds.iter().fold(most, |most, seconds| most.max(seconds * step));
            times.push(Series::line(&name, points(seconds, step)).colored(3 * k + v));
            gains.push(
                Series::line(&name, points(fall.gains(volume, addition.name()), 1.0))
                    .colored(3 * k + v),
            );
        }
    }
    times.push(
        Series::line("impinge's default tree", flat(race.default_seconds() * step)).colored(13),
    );
    if fall.ground == Ground::Torus {
        gains.push(
            Series::published("published: almost an order of magnitude", flat(10.0)).colored(7),
        );
    }
    let mut own: Vec<Series> = ADDED
        .iter()
        .map(|addition| {
            let shares = (0..=2).map(|levels| race.own_share(addition.name(), levels).median);
            Series::line(
                format!("{} on the first levels", addition.name()),
                points(shares.collect(), 1.0),
            )
        })
        .collect();
    for name in FILTER {
        own.push(Series::points(name, vec![(1.0, race.own_share(name, 1).median)]));
    }
    let panel = |title: String, across: Axis, up: Axis, series: Vec<Series>, legend: Corner| {
        Panel { title, across, up, series, legend }
    };
    let axis_end = published_axis(fall.ground);
    Chart {
        name: "steps".into(),
        panels: vec![
            panel(
                format!(
                    "{}: trees of 2010 (the paper's axis: 0 to {axis_end} ms)",
                    fall.ground.name()
                ),
                across(),
                Axis::linear("time for all collisions of a step [ms]").within(0.0, most * 1.05),
                times,
                Corner::Beside,
            ),
            panel(
                "how many times faster than without".into(),
                across(),
                Axis::logarithmic("time at level 0 / time").within(0.5, 12.0),
                gains,
                Corner::Beside,
            ),
            panel(
                "on impinge's default tree".into(),
                Axis::linear("levels with planes or tables").within(0.0, 2.0),
                Axis::linear("time, of that without").within(0.0, 2.0),
                own,
                Corner::Beside,
            ),
        ],
    }
}

fn judge(finding: &mut Finding, fall: &Fall) {
    let race = &fall.race;
    finding.claim(
        "Planes change no answer",
        format!(
            "{} hierarchies give the same {} colliding pairs among {} in {} frames, frame by frame",
            race.outcomes.len(),
            race.meetings(),
            race.tasks(),
            fall.frames
        ),
        // The race has failed otherwise.
        Verdict::Reproduced,
        "",
    );
    let published = published_collisions(fall.ground);
    finding.claim(
        format!("About {published} collisions in 14 s, those with the fixed body left out"),
        format!(
            "{} colliding pairs in all frames together, {:.2} of the published number",
            fall.total,
            fall.total as f64 / published as f64
        ),
        Verdict::NotTried,
        "The paper does not say how bodies start, how long a step is, nor whether a lasting collision counts in each: here distances and frame rate were chosen once, for 600 generated bodies of about a thousand triangles, so that these come near the number, which therefore tests nothing.",
    );
    judge_gain(finding, fall);
    if fall.ground == Ground::Torus {
        let ratio = fall.spheres_over_boxes();
        let verdict = Verdict::holds(ratio.is_faster());
        finding.claim(
            "Spheres with planes are even faster than oriented boxes, on the torus",
            format!("the best spheres take {ratio} times as long as the best oriented boxes, both with the paper's mappings"),
            verdict,
            unless(verdict, "Below the levels with planes the volumes decide, and oriented boxes are tighter."),
        );
    }
    let shares = FILTER.map(|name| race.own_share(name, 1));
    let parted = race.of(OWN, "OBB", FILTER[0], 1).map_or(0.0, |outcome| {
        100.0 * outcome.work.apart as f64 / (race.tasks() - race.meetings()).max(1) as f64
    });
    finding.claim(
        "Planes have more to offer as a mid-phase, before the hierarchies",
        format!(
            "a support table of the whole bodies separates {parted:.0} % of the pairs, and impinge's tree behind it takes {} of its time ({} as in scenes, with axes kept from step to step and looked along only where bodies were apart before)",
            shares[0], shares[1]
        ),
        Verdict::holds(shares.iter().any(Spread::is_faster)),
        "",
    );
}

/// Whether the order of magnitude appears, against the trees of 2010 and against ours.
fn judge_gain(finding: &mut Finding, fall: &Fall) {
    let race = &fall.race;
    let statement = match fall.ground {
        Ground::Torus => "Against standard volumes, almost an order of magnitude is gained",
        Ground::Plane => "Against standard volumes, a significant gain",
    };
    let wanted = match fall.ground {
        // Half of ten, as for all published ratios.
        Ground::Torus => ORDER / 2.0,
        Ground::Plane => 1.0 + MARGIN,
    };
    let verdict = |gain: &Spread| match fall.ground {
        _ if gain.is_above(wanted) => Verdict::Reproduced,
        Ground::Torus if gain.is_above(wanted / 2.0) => Verdict::Partly,
        _ => Verdict::Differs,
    };
    let ((paper, paper_by), (tables, tables_by)) = (fall.best(0..2), fall.best(2..3));
    let by_paper = verdict(&paper);
    finding.claim(
        format!("{statement} (2010's baseline: binary trees, one test at a time)"),
        format!(
            "{}: at most {paper} times as fast with the paper's mappings ({paper_by}); {tables} with support tables ({tables_by})",
            fall.size
        ),
        by_paper,
        unless(by_paper, "Almost an order of magnitude means 5 times or more, partly 2.5; a significant gain means a tenth."),
    );
    let own = race
        .outcomes
        .iter()
        .filter(|outcome| outcome.label.tree == OWN && outcome.label.levels > 0);
    let best = own.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let (gain, by) = best.map_or((Spread::of(Vec::new()), ""), |best| {
        (race.own_share(best.label.added, best.label.levels).inverse(), best.label.added)
    });
    let old = race
        .outcomes
        .iter()
        .filter(|outcome| outcome.label.tree == OLD)
        .map(|outcome| outcome.seconds);
    let old = old.fold(f64::MAX, f64::min) / race.default_seconds();
    let verdict = verdict(&gain);
    finding.claim(
        format!("{statement} (against impinge's default tree)"),
        format!("at most {gain} times as fast ({by}); the fastest of the trees of 2010 takes {old:.1} times as long as impinge's default"),
        verdict,
        unless(verdict, "Testing eight children at once already saves what planes save on a binary tree."),
    );
}

/// What the paper calls almost reached on the torus.
const ORDER: f64 = 10.0;
