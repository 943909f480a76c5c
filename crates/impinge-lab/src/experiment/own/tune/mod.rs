//! What `impinge::tune` chooses, beside a trial of everything that it could have chosen.

mod trial;

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::session::Session;
use crate::setting::{bodies, placements, prices};
use crate::table::Table;
use crate::timing::{Spread, arithmetic};
use impinge::Mesh;
use impinge::geom::bound::Obb;
use impinge::mesh::ScaledPose;
use impinge::tune::{self, Calibration, Choice, Question, QuestionKind, Triangles};
use std::time::{Duration, Instant};
use trial::{BvhSettings, Care, Trial};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "tune",
    title: "What tune chooses, beside a trial of all volumes, builders and widths",
    document: Document::Impinge,
    place: "the lecture's cost function F = Nu·Cu + Nv·Cv + Np·Cp, used to choose",
    models: ModelUse::Added,
    revision: 4,
    work,
};

/// How much slower than the best a choice may be.
const ALLOWED: f64 = 0.10;
/// Questions about all triangles are asked at every sixth placement.
const LONGER: usize = 6;

/// A choice and the trial beside it.
#[derive(Debug)]
struct Outcome {
    body: String,
    situation: &'static str,
    choice: Choice,
    /// How long it took to choose.
    took: Duration,
    trial: Trial,
}

impl Outcome {
    /// How much slower than the best the choice is.
    fn loss(&self) -> f64 {
        self.spread().median - 1.0
    }

    /// The time of the choice over that of the best.
    fn spread(&self) -> Spread {
        Spread::of(self.trial.losses.clone())
    }

    /// True unless it is slower than allowed by more than its spread.
    fn is_within(&self) -> bool {
        !self.spread().is_above(1.0 + ALLOWED)
    }
}

/// How much is asked.
#[derive(Clone, Copy)]
struct Scope {
    triangles: usize,
    /// Placements per situation.
    queries: usize,
    /// Every nth body is measured.
    one_in: usize,
    care: Care,
}

fn measured(
    session: &Session<'_>,
    calibration: &Calibration,
    scope: Scope,
) -> Result<Vec<Outcome>, LabError> {
    let models = bodies::of(session, scope.triangles, 100_000)?;
    let mut outcomes = Vec::new();
    let chosen: Vec<&Model> = models.iter().step_by(scope.one_in.max(1)).collect();
    for (k, model) in chosen.iter().enumerate() {
        session.step(&model.name, k as u64, chosen.len() as u64)?;
        outcomes.extend(compared(model, calibration, scope, session)?);
    }
    Ok(outcomes)
}

/// The choices for a body, in each situation; none if it does not meet its copy.
fn compared(
    model: &Model,
    calibration: &Calibration,
    scope: Scope,
    session: &Session<'_>,
) -> Result<Vec<Outcome>, LabError> {
    let mesh: Mesh<Obb> = model.mesh()?;
    let [hit, near, far] = placements::placements(&mesh, scope.queries, session.seed);
    if hit.is_empty() {
        return Ok(Vec::new());
    }
    // Those that take long are asked less often.
    let few = |all: &[ScaledPose]| all.iter().copied().step_by(LONGER).collect::<Vec<_>>();
    let mixed: Vec<ScaledPose> = [&hit, &near, &far].into_iter().flatten().copied().collect();
    let (met, apart) = (few(&hit), few(&[near.clone(), far.clone()].concat()));
    let questions = [
        ("hit", Question::Overlap(&hit)),
        ("near miss", Question::Overlap(&near)),
        ("far miss", Question::Overlap(&far)),
        ("all three", Question::Overlap(&mixed)),
        ("pairs", Question::Pairs(&met)),
        ("distance", Question::Distance(&apart)),
    ];
    let body = Triangles { vertices: &model.vertices, triangles: &model.triangles };
    let mut choices = Vec::new();
    for (situation, question) in &questions {
        session.step(&format!("{}, {situation}", model.name), 0, 0)?;
        let start = Instant::now();
        let choice = tune::choose(body, body, question, calibration, &tune::TuneOptions::default())
            .map_err(LabError::failed)?;
        choices.push((*situation, choice, start.elapsed()));
    }
    let asked = questions.map(|(_, question)| question);
    let chosen: Vec<BvhSettings> = choices.iter().map(|(_, c, _)| c.best().into()).collect();
    let trials = trial::all(body, &asked, &chosen, scope.care).map_err(LabError::failed)?;
    let outcomes = choices.into_iter().zip(trials).map(|((situation, choice, took), trial)| {
        Outcome { body: model.name.clone(), situation, choice, took, trial }
    });
    Ok(outcomes.collect())
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let milliseconds = session.pick(10, 50, 200);
    let scope = Scope {
        triangles: session.pick(400, 2_000, 6_000),
        queries: session.pick(12, 60, 240),
        one_in: session.pick(6, 1, 1),
        care: Care { runs: session.pick(3, 5, 5), patience: Duration::from_millis(milliseconds) },
    };
    let calibration = prices::median(&prices::calibrations(session)?);
    let outcomes = measured(session, &calibration, scope)?;
    let mut finding = Finding {
        setting: format!(
            "Bodies of about {} triangles against copies of themselves, {} placements for each question; every candidate timed, the ten fastest \
             and the chosen one again in turns, the fastest of {} runs or more. Processor: {}.",
            scope.triangles,
            scope.queries,
            3 * scope.care.runs,
            calibration.processor()
        ),
        tables: vec![
            choices_table(&outcomes),
            reasons_table(&outcomes),
            prices::table(&calibration, &QuestionKind::ALL),
        ],
        charts: vec![chart(&outcomes)],
        ..Finding::default()
    };
    judge(&mut finding, &outcomes);
    Ok(finding)
}

fn choices_table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new("choices", "What is chosen, and the best of all that could be")
        .column("body", "")
        .column("question", "")
        .varying("chosen", "")
        .varying("predicted", "µs")
        .varying("time", "µs")
        .varying("best of all", "")
        .varying("time", "µs")
        .varying("default", "µs")
        .varying("loss", "%");
    for one in outcomes {
        table.row([
            one.body.as_str().into(),
            one.situation.into(),
            one.trial.chosen.hierarchy.to_string().into(),
            (one.choice.best().predicted() * 1e-3).into(),
            one.trial.chosen.microseconds.into(),
            one.trial.best.hierarchy.to_string().into(),
            one.trial.best.microseconds.into(),
            one.trial.default.microseconds.into(),
            (100.0 * one.loss()).into(),
        ]);
    }
    table
}

fn reasons_table(outcomes: &[Outcome]) -> Table {
    let mut table = Table::new("reasons", "The reasons that it gives")
        .column("body", "")
        .column("question", "")
        .varying("reason", "");
    for one in outcomes {
        let reason = one.choice.reason();
        table.row([one.body.as_str().into(), one.situation.into(), reason.to_string().into()]);
    }
    table
}

fn judge(finding: &mut Finding, outcomes: &[Outcome]) {
    let count = outcomes.len();
    let within = outcomes.iter().filter(|one| one.is_within()).count();
    let worst = outcomes.iter().map(Outcome::loss).fold(0.0, f64::max);
    let losses: Vec<Vec<f64>> = outcomes.iter().map(|one| one.trial.losses.clone()).collect();
    let mean = Spread::of_means(&losses, |values| arithmetic(values));
    let took = outcomes.iter().map(|one| one.took.as_secs_f64()).sum::<f64>() / count.max(1) as f64;
    let tried = outcomes.first().map_or(0, |one| one.trial.tried);
    // Single choices go by prices that are times themselves: one of a dozen may be a bad one in one run, and another in the next.
    finding.claim(
        "choices are within 10 % of the best of all hierarchies, in the mean",
        format!(
            "{mean} times the time of the best in the mean (median and middle half of {} rounds or more); {within} of {count} choices among {tried} hierarchies each are within it, or not beyond their spread, the worst loses {:.1} %; a choice took {took:.1} s",
            mean.repeats,
            100.0 * worst,
        ),
        match count {
            0 => Verdict::NotTried,
            _ => Verdict::holds(!mean.is_above(1.0 + ALLOWED)),
        },
        if within == count { "" } else { "Short questions on few placements are partly luck, and a busy machine adds to it." },
    );
    let slower = outcomes.iter().filter(|one| one.trial.gain.is_slower()).count();
    finding.claim(
        "choosing pays: the default is not the fastest everywhere",
        format!("the default takes a tenth more time than what was chosen, or more still, beyond the spread, on {slower} of {count}"),
        match count {
            0 => Verdict::NotTried,
            _ if 4 * slower >= count => Verdict::Reproduced,
            _ => Verdict::Differs,
        },
        "",
    );
}

/// Times of what is chosen and of the default over that of the best; and the prediction beside the measured time.
fn chart(outcomes: &[Outcome]) -> Chart {
    let questions = ["hit", "near miss", "far miss", "all three", "pairs", "distance"];
    let at = |one: &Outcome| {
        let place = questions.iter().position(|question| *question == one.situation);
        place.map_or(0.0, |place| (place + 1) as f64)
    };
    let over = |value: fn(&Outcome) -> f64| -> Vec<(f64, f64)> {
        outcomes.iter().map(|one| (at(one), value(one) / one.trial.best.microseconds)).collect()
    };
    let shifted =
        |points: Vec<(f64, f64)>, by: f64| points.into_iter().map(|(x, y)| (x + by, y)).collect();
    let predicted = outcomes
        .iter()
        .map(|one| (one.choice.best().predicted() * 1e-3, one.trial.chosen.microseconds));
    let ends: Vec<(f64, f64)> = {
        let times = outcomes.iter().map(|one| one.trial.chosen.microseconds);
        let (low, high) = times.fold((f64::MAX, 0.0), |(l, h), x| (f64::min(l, x), f64::max(h, x)));
        vec![(low, low), (high, high)]
    };
    Chart {
        name: "choices".into(),
        panels: vec![
            Panel {
                title: "Chosen and default, over the best of all".into(),
                across: Axis::named("question", questions),
                up: Axis::linear("time over that of the best"),
                series: vec![
                    Series::points(
                        "chosen",
                        shifted(over(|one| one.trial.chosen.microseconds), -0.1),
                    ),
                    Series::points(
                        "default",
                        shifted(over(|one| one.trial.default.microseconds), 0.1),
                    ),
                ],
                legend: Corner::UpperRight,
            },
            Panel {
                title: "Predicted and measured".into(),
                across: Axis::logarithmic("predicted time F [µs]"),
                up: Axis::logarithmic("measured time [µs]"),
                series: vec![
                    Series::points("chosen hierarchies", predicted.collect()),
                    Series::published("as predicted", ends),
                ],
                legend: Corner::UpperLeft,
            },
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn every_body_is_chosen_for_and_tried() {
        let unit = |_, _| tune::Prices { step: 1.0, leaf: 2.0, ..tune::Prices::default() };
        let calibration = Calibration::with_prices("made up", unit);
        let care = Care { runs: 1, patience: Duration::ZERO };
        let scope = Scope { triangles: 100, queries: 1, one_in: 6, care };
        let outcomes = measured(&Session::new(Size::Quick, 1), &calibration, scope).unwrap();
        assert_eq!(outcomes.len(), 2 * 6);
        assert!(outcomes.iter().all(|one| one.trial.tried == 270 && one.loss().is_finite()));
        assert!(!choices_table(&outcomes).csv().contains("NaN"));
        assert!(chart(&outcomes).svg().unwrap().contains("near miss"));
        let mut finding = Finding::default();
        judge(&mut finding, &[]);
        assert_eq!(finding.claims[0].verdict, Verdict::NotTried);
    }
}
