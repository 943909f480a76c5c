//! Figure 10: the time to find out whether two bodies meet, by levels with planes.

use super::addition::Addition;
use super::classic::Grouping;
use super::contenders::Stock;
use super::culling::VOLUMES;
use super::placements::Placements;
use super::race::{ADDED, FILTER, LEVELS, OWN, Race, Task};
use super::unless;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::session::Session;
use crate::table::Table;
use crate::timing::Spread;

pub(super) const PAIRS: Experiment = Experiment {
    name: "spm-pairs",
    title: "Time for two bodies, of which three in five meet, by levels with planes",
    document: Document::SupportPlanes,
    place: "figure 10",
    models: ModelUse::Instead,
    revision: 2,
    work,
};

/// The number of questions after which answers are compared.
const CHUNK: usize = 1_000;

const PUBLISHED: usize = 2_000_000;
/// Placements of a full run: with the published number it would take hours.
const MOST: usize = 240_000;

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let models = session.models(session.pick(3_000, 17_000, 17_000), 20_000)?;
    let count = session.pick(600, 3_000, MOST) / models.len();
    let rounds = session.pick(3, 2, 1);
    let mut all: Option<Race> = None;
    for model in &models {
        let placements = Placements::new(&model.mesh()?, model, count, session.seed)?;
        let groupings = [Grouping::new(model)];
        let stock = Stock::new(std::slice::from_ref(model), &groupings, session)?;
        let tasks: Vec<Task> = placements
            .each()
            .enumerate()
            .map(|(k, (place, _))| Task { models: [0; 2], pair: k, step: 0, place: *place })
            .collect();
        let chunks: Vec<Vec<Task>> = tasks.chunks(CHUNK).map(<[Task]>::to_vec).collect();
        let mut contenders = stock.contenders();
        // There is no step before.
        contenders.retain(|contender| contender.label.added != FILTER[1]);
        let race = Race::run(&mut contenders, &chunks, rounds, session)?;
        match &mut all {
            Some(all) => all.join(race),
            None => all = Some(race),
        }
    }
    let race = all.ok_or_else(|| LabError::Failed("there is no model".into()))?;
    let names: Vec<String> = models
        .iter()
        .map(|model| format!("{} ({} triangles)", model.name, model.triangles.len()))
        .collect();
    let meeting = 100.0 * race.meetings() as f64 / race.tasks().max(1) as f64;
    let mut finding = Finding {
        setting: format!(
            "{} placements of two copies of {}; {meeting:.1} % meet. The paper has {PUBLISHED}; here {MOST} at most, for each of {} hierarchies is asked {} times about each. Trees in the manner of 2010: binary, grouped at medians, one triangle to a leaf, \
             one test at a time in f64. Times are the best of {} rounds in turns. The paper's axes end at 0.1 ms on a Core 2 of 2.4 GHz; values are not in its text.",
            race.tasks(),
            names.join(", "),
            race.outcomes.len(),
            1 + 2 * rounds,
            2 * rounds
        ),
        tables: vec![table(&race), own_table(&race)],
        charts: vec![chart(&race)],
        ..Finding::default()
    };
    judge(&mut finding, &race);
    Ok(finding)
}

/// All trees of 2010, with times relative to those without planes and to the library's default.
pub(super) fn table(race: &Race) -> Table {
    let mut table = Table::new("trees", "Trees in the manner of 2010, for each pair of bodies")
        .column("volume", "")
        .column("added", "")
        .column("levels", "")
        .column("tests of volumes", "")
        .column("looks by what is added", "")
        .column("of those, apart", "")
        .column("tests of triangles", "")
        .column("weighted operations", "")
        .varying("time", "µs")
        .varying("of level 0", "")
        .varying("of impinge's default tree", "");
    let each = 1.0 / race.tasks().max(1) as f64;
    for (volume, _) in VOLUMES {
        for addition in ADDED {
            let seconds = race.seconds(volume, addition.name());
            for levels in 0..=LEVELS {
                let Some(outcome) = race.of(super::race::OLD, volume, addition.name(), levels)
                else {
                    continue;
                };
                let work = &outcome.work;
                table.row([
                    volume.into(),
                    addition.name().into(),
                    levels.into(),
                    (work.volumes as f64 * each).into(),
                    (work.supports as f64 * each).into(),
                    (work.apart as f64 * each).into(),
                    (work.triangles as f64 * each).into(),
                    (work.price * each).into(),
                    (outcome.seconds * each * 1e6).into(),
                    (outcome.seconds / seconds[0]).into(),
                    (outcome.seconds / race.default_seconds()).into(),
                ]);
            }
        }
    }
    table
}

/// The library's own tree, with what can be added to it.
pub(super) fn own_table(race: &Race) -> Table {
    let mut table = Table::new(
        "impinge",
        "impinge's default tree (oriented boxes, eight to a node), for each pair of bodies",
    )
    .column("added", "")
    .column("levels", "")
    .column("looks by what is added", "")
    .column("of those, apart", "")
    .varying("time", "µs")
    .varying("of the default", "");
    let each = 1.0 / race.tasks().max(1) as f64;
    for outcome in race.outcomes.iter().filter(|outcome| outcome.label.tree == OWN) {
        let name = if outcome.label.levels == 0 { "nothing" } else { outcome.label.added };
        table.row([
            name.into(),
            outcome.label.levels.into(),
            (outcome.work.supports as f64 * each).into(),
            (outcome.work.apart as f64 * each).into(),
            (outcome.seconds * each * 1e6).into(),
            (outcome.seconds / race.default_seconds()).into(),
        ]);
    }
    table
}

fn by_level(values: &[f64], factor: f64) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(level, value)| (level as f64, value * factor)).collect()
}

fn chart(race: &Race) -> Chart {
    let each = 1e3 / race.tasks().max(1) as f64;
    let most = VOLUMES
        .iter()
        .flat_map(|(volume, _)| ADDED.iter().flat_map(|added| race.seconds(volume, added.name())))
        .fold(0.0, f64::max);
    let mut panels = Vec::new();
    for addition in ADDED {
        let mut series: Vec<Series> = VOLUMES
            .iter()
            .map(|(volume, _)| {
                Series::line(*volume, by_level(&race.seconds(volume, addition.name()), each))
            })
            .collect();
        let default = race.default_seconds() * each;
        series.push(
            Series::line("impinge's default tree", vec![(0.0, default), (LEVELS as f64, default)])
                .colored(13),
        );
        panels.push(Panel {
            title: format!("{}: time (the paper's axis: 0 to 0.1 ms)", addition.name()),
            across: Axis::linear("levels with planes in the hierarchy"),
            up: Axis::linear("average collision time [ms]").within(0.0, most * each * 1.05),
            series,
            legend: Corner::Beside,
        });
    }
    for addition in ADDED {
        let series = VOLUMES
            .iter()
            .map(|(volume, _)| {
                let prices = race.prices(volume, addition.name());
                let first = prices.first().copied().unwrap_or(1.0);
                Series::line(*volume, by_level(&prices, 1.0 / first))
            })
            .collect();
        panels.push(Panel {
            title: format!("{}: weighted operations", addition.name()),
            across: Axis::linear("levels with planes in the hierarchy"),
            up: Axis::linear("of level 0").within(0.0, 1.5),
            series,
            legend: Corner::Beside,
        });
    }
    Chart { name: "pairs".into(), panels }
}

/// The least of the shares by level, with its level.
fn least(shares: &[Spread]) -> (usize, Spread) {
    let levels = shares.iter().copied().enumerate();
    let best = levels.min_by(|a, b| a.1.median.total_cmp(&b.1.median));
    best.unwrap_or((0, Spread::of(Vec::new())))
}

/// A name, and by levels from 0 what is taken of what level 0 takes.
type Case = (String, Vec<Spread>);

/// The least of each.
fn told(cases: &[Case]) -> String {
    let one = |(name, shares): &Case| {
        let (level, share) = least(shares);
        // Counts have no spread.
        if share.repeats > 1 {
            format!("{name} {share} at {level}")
        } else {
            format!("{name} {:.2} at {level}", share.median)
        }
    };
    cases.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// What is left where something is saved: by a twentieth at least. These times are the least of all rounds, slice by slice, and repeat better
/// than others.
const SAVED: f64 = 0.95;

/// Whether that much is saved in every case.
fn saved(cases: &[Case]) -> Verdict {
    Verdict::of(
        cases.iter().filter(|(_, shares)| least(shares).1.is_below(SAVED)).count(),
        cases.len(),
    )
}

fn judge(finding: &mut Finding, race: &Race) {
    let asked = format!("{} of the published {PUBLISHED} placements", race.tasks());
    let groups = [
        (&ADDED[..2], "The paper's sampled mappings"),
        (&ADDED[2..], "(ours) Support tables with three axes"),
    ];
    for (added, what) in groups {
        let cases = |shares: &dyn Fn(&str, &str) -> Vec<Spread>| -> Vec<Case> {
            let both = |volume: &'static str| {
                let name = |addition: &Addition| addition.name();
                added.iter().map(name).map(move |name| (volume, name))
            };
            let all = VOLUMES.iter().flat_map(|(volume, _)| both(volume));
            all.map(|(volume, name)| (format!("{volume} {name}"), shares(volume, name))).collect()
        };
        let times = cases(&|volume, name| race.shares(volume, name));
        finding.claim(
            format!("{what} make queries on two bodies faster, of which 60 % meet (by a twentieth at least, for every volume)"),
            format!("{asked}: least time, of that without, and the level of it: {}", told(&times)),
            saved(&times),
            unless(saved(&times), "Bodies that meet pay for every look and gain nothing by it."),
        );
        let prices = cases(&|volume, name| {
            let prices = race.prices(volume, name);
            prices.iter().map(|price| Spread::of(vec![price / prices[0]])).collect()
        });
        finding.claim(
            format!("{what} save operations there"),
            format!(
                "{asked}: fewest weighted operations, of those without, and the level of it: {}",
                told(&prices)
            ),
            saved(&prices),
            "",
        );
    }
    let kinds = ADDED.iter().map(|addition| addition.name());
    let shares = kinds.flat_map(|name| [1, 2].map(|levels| race.own_share(name, levels)));
    let (_, best) = least(&shares.collect::<Vec<_>>());
    let filter = race.own_share(FILTER[0], 1);
    let verdict = Verdict::holds(best.is_below(SAVED) || filter.is_below(SAVED));
    finding.claim(
        "(ours) The same on impinge's default tree",
        format!(
            "{asked}: least time of that without: {best} with planes or tables on 1 or 2 levels, {filter} with a support table as a filter before it"
        ),
        verdict,
        unless(verdict, "A tree with eight children to a node is past the first levels within a few tests: there is less to save."),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twentieth_saved_on_some_level_is_saved() {
        let shares =
            |values: &[f64]| values.iter().map(|v| Spread::of(vec![*v])).collect::<Vec<_>>();
        assert_eq!(least(&shares(&[1.0, 0.75, 0.5, 0.75])), (2, Spread::of(vec![0.5])));
        assert_eq!(least(&shares(&[1.0, 2.0])).0, 0);
        let cases = [("a".into(), shares(&[1.0, 0.97])), ("b".into(), shares(&[1.0, 0.8]))];
        assert_eq!((saved(&cases), saved(&cases[1..])), (Verdict::Partly, Verdict::Reproduced));
    }
}
