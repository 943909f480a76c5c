//! Section 25.2.3, the cost function t = nv·cv + np·cp + nu·cu (equation 25.3): predicted against measured.
//!
//! Prices are measured once, on the reference bodies of `impinge::tune`; what they predict is other bodies, hierarchies and placements.

mod update;

use super::approach::Approach;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::random::Random;
use crate::session::Session;
use crate::setting::prices;
use crate::table::Table;
use crate::timing::{ROUNDS, Spread, fastest};
use impinge::geom::bound::Obb;
use impinge::mesh::{Mesh, MeshBuilder, ScaledPose, Scratch};
use impinge::tree::{Builder, Counts, Probe};
use impinge::tune::{AnyMesh, Calibration, QuestionKind, Volume, Work};
use std::collections::HashSet;
use std::hint::black_box;
use update::Update;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "cost-model",
    title: "The cost function of hierarchies: predicted against measured time",
    document: Document::Chapter,
    place: "section 25.2.3, equation 25.3",
    models: ModelUse::Instead,
    revision: 3,
    work,
};

/// One hierarchy, asked one question many times.
struct Row {
    model: String,
    volume: Volume,
    builder: Builder,
    width: usize,
    asked: QuestionKind,
    situation: &'static str,
    work: Work,
    /// Microseconds per query.
    predicted: f64,
    measured: f64,
}

const SITUATIONS: [(&str, f64); 3] = [("hit", -0.05), ("near miss", 0.01), ("far miss", 0.3)];
const QUESTIONS: [QuestionKind; 3] =
    [QuestionKind::Overlap, QuestionKind::Pairs, QuestionKind::Distance];
/// Children to a node.
const WIDTHS: [usize; 2] = [2, 8];
const BUILDERS: [Builder; 3] = [Builder::PrincipalMean, Builder::BinnedSah, Builder::Morton];

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let calibrations = prices::calibrations(session)?;
    let calibration = &prices::median(&calibrations);
    let models = session
        .models(session.pick(4_000, 16_000, 60_000), session.pick(20_000, 100_000, 1_000_000))?;
    let mut rows = Vec::new();
    let mut updates = Vec::new();
    for (k, model) in models.iter().enumerate() {
        queries(session, model, calibration, &mut rows, [k, models.len()])?;
        updates.extend(update::updated(session, model, calibration)?);
    }
    let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    let mut finding = Finding {
        setting: format!(
            "Prices of a test of volumes (up to eight at a time), of a pair of leaves (up to eight by eight triangles), of a pair of triangles decided in f64, of an update and of a query, by least squares on the reference bodies of the library; with them {} times of queries and {} of updates are predicted from exact counts, for {} hierarchies over {}: {} volumes, builders {}, {} children to a node, bodies that meet, nearly do, or are apart.",
            rows.len(),
            updates.len(),
            hierarchies(&rows),
            names.join(", "),
            Volume::ALL.len(),
            BUILDERS.map(Builder::name).join(", "),
            WIDTHS.map(|width| width.to_string()).join(" and ")
        ),
        tables: vec![table(&rows), prices::table(calibration, &QUESTIONS), update::table(&updates)],
        charts: vec![chart(&rows, &updates)],
        ..Finding::default()
    };
    judge(&mut finding, &rows, &updates, &calibrations);
    Ok(finding)
}

fn queries(
    session: &Session<'_>,
    model: &Model,
    calibration: &Calibration,
    rows: &mut Vec<Row>,
    [at, of]: [usize; 2],
) -> Result<(), LabError> {
    let Model { name, vertices, triangles } = model;
    let (mut random, mut scratch) = (Random::new(session.seed), Scratch::default());
    let plain: Mesh<Obb> = model.mesh()?;
    let approaches = (0..session.pick(8, 20, 60))
        .map(|_| Approach::random(&plain, &plain, &mut random, &mut scratch))
        .collect::<Result<Vec<_>, _>>()?;
    for (k, builder) in BUILDERS.into_iter().enumerate() {
        let grouped = MeshBuilder::new(vertices, triangles, builder).map_err(LabError::failed)?;
        for volume in Volume::ALL {
            session.step(name, (at * BUILDERS.len() + k) as u64, (of * BUILDERS.len()) as u64)?;
            for width in WIDTHS {
                let mesh = AnyMesh::fitted(&grouped, volume, width);
                for (situation, gap) in SITUATIONS {
                    let places = approaches
                        .iter()
                        .map(|approach| approach.at(gap).map(ScaledPose::from))
                        .collect::<Result<Vec<_>, _>>()?;
                    for asked in [
                        QuestionKind::Overlap,
                        if gap < 0.0 { QuestionKind::Pairs } else { QuestionKind::Distance },
                    ] {
                        let (work, measured) = ask(session, &mesh, asked, &places)?;
                        let predicted = calibration.prices(asked, volume).of(&work) / 1e3;
                        rows.push(Row {
                            model: name.clone(),
                            volume,
                            builder,
                            width,
                            asked,
                            situation,
                            work,
                            predicted,
                            measured,
                        });
                    }
                }
            }
        }
    }
    Ok(())
}

/// How many hierarchies were asked: each answers several questions in several situations.
fn hierarchies(rows: &[Row]) -> usize {
    let of = |row: &Row| (row.model.clone(), row.volume.to_string(), row.builder.name(), row.width);
    rows.iter().map(of).collect::<HashSet<_>>().len()
}

/// The mean work of a query, and its time in microseconds.
fn ask(
    session: &Session<'_>,
    mesh: &AnyMesh,
    asked: QuestionKind,
    places: &[ScaledPose],
) -> Result<(Work, f64), LabError> {
    let mut counts = Counts::default();
    all(mesh, asked, places, &mut counts)?;
    let mut again = || {
        let _ = black_box(all(mesh, asked, places, &mut ()));
    };
    let time = fastest(session.pick(ROUNDS, ROUNDS, 7), &mut [&mut again])[0];
    let over = places.len().max(1) as f64;
    let work = Work {
        updates: 0.0,
        steps: counts.steps as f64 / over,
        leaves: counts.leaves as f64 / over,
        primitives: counts.primitives as f64 / over,
    };
    Ok((work, time / over / 1e3))
}

fn all(
    mesh: &AnyMesh,
    asked: QuestionKind,
    places: &[ScaledPose],
    probe: &mut impl Probe,
) -> Result<(), LabError> {
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    for place in places {
        match asked {
            QuestionKind::Overlap => {
                black_box(mesh.overlap(mesh, place, &mut scratch, probe))
                    .map_err(LabError::failed)?;
            }
            QuestionKind::Pairs => mesh
                .pairs(mesh, place, &mut scratch, &mut found, probe)
                .map_err(LabError::failed)?,
            _ => {
                black_box(mesh.distance(mesh, place, &mut scratch, probe))
                    .map_err(LabError::failed)?;
            }
        }
    }
    Ok(())
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new("queries", "Work per query, and its time")
        .column("model", "")
        .column("volume", "")
        .column("builder", "")
        .column("children", "")
        .column("question", "")
        .column("situation", "")
        .column("nv: steps of up to eight volumes", "")
        .column("np: pairs of leaves", "")
        .column("pairs of triangles in f64", "")
        .varying("predicted", "µs")
        .varying("measured", "µs")
        .varying("predicted / measured", "");
    for Row { model, volume, builder, width, asked, situation, work, predicted, measured } in rows {
        table.row([
            model.as_str().into(),
            volume.to_string().into(),
            builder.name().into(),
            (*width).into(),
            asked.name().into(),
            (*situation).into(),
            work.steps.into(),
            work.leaves.into(),
            work.primitives.into(),
            (*predicted).into(),
            (*measured).into(),
            (predicted / measured).into(),
        ]);
    }
    table
}

fn chart(rows: &[Row], updates: &[Update]) -> Chart {
    let panel = |title: &str, series: Vec<Series>| {
        let all = series.iter().flat_map(|series| &series.points);
        let [low, high] = all
            .fold([f64::MAX, 0.0], |[low, high], (x, y)| [x.min(*y).min(low), x.max(*y).max(high)]);
        let mut series = series;
        series.push(
            Series::published(
                "equation 25.3: measured as predicted",
                vec![(low, low), (high, high)],
            )
            .colored(13),
        );
        Panel {
            title: title.into(),
            across: Axis::logarithmic("predicted time [µs]"),
            up: Axis::logarithmic("measured time [µs]"),
            series,
            legend: Corner::Beside,
        }
    };
    let of = |asked: QuestionKind| -> Vec<Series> {
        Volume::ALL
            .into_iter()
            .map(|volume| {
                let kept = rows.iter().filter(|row| row.volume == volume && row.asked == asked);
                Series::points(
                    volume.to_string(),
                    kept.map(|row| (row.predicted, row.measured)).collect(),
                )
            })
            .collect()
    };
    let refits = Volume::ALL
        .into_iter()
        .map(|volume| {
            let kept = updates.iter().filter(|update| update.volume == volume);
            Series::points(
                volume.to_string(),
                kept.map(|update| (update.predicted, update.measured)).collect(),
            )
        })
        .collect();
    Chart {
        name: "predicted".into(),
        panels: vec![
            panel("Do the bodies meet?", of(QuestionKind::Overlap)),
            panel("Which triangles meet?", of(QuestionKind::Pairs)),
            panel("How far are they apart?", of(QuestionKind::Distance)),
            panel("All volumes fitted again", refits),
        ],
    }
}

/// The median, and the share of the values within a factor of one.
fn spread(mut ratios: Vec<f64>, factor: f64) -> (f64, f64) {
    ratios.sort_by(f64::total_cmp);
    let within = ratios.iter().filter(|ratio| (1.0 / factor..=factor).contains(*ratio)).count();
    (
        ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN),
        within as f64 / ratios.len().max(1) as f64,
    )
}

/// Work of a volume over work of another in the same hierarchy and situation, by question "overlap"; the mean.
fn work_ratio(rows: &[Row], over: Volume, under: Volume, pick: impl Fn(&Work) -> f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for row in rows.iter().filter(|row| {
        row.volume == over && row.asked == QuestionKind::Overlap && row.situation != "far miss"
    }) {
        let same = |other: &&Row| {
            other.volume == under
                && (&other.model, other.builder, other.width, other.asked, other.situation)
                    == (&row.model, row.builder, row.width, row.asked, row.situation)
        };
        if let Some(other) = rows.iter().find(same).filter(|other| pick(&other.work) > 0.0) {
            sum += pick(&row.work) / pick(&other.work);
            count += 1.0;
        }
    }
    sum / count
}

fn judge(finding: &mut Finding, rows: &[Row], updates: &[Update], calibrations: &[Calibration]) {
    let (median, near) = spread(rows.iter().map(|row| row.predicted / row.measured).collect(), 1.5);
    let (update, _) = spread(updates.iter().map(|one| one.predicted / one.measured).collect(), 1.5);
    finding.claim(
        "t = nv·cv + np·cp + nu·cu evaluates the performance of hierarchies",
        format!(
            "with prices from other bodies, the prediction is {median:.2} times the measured time at the median of {} rows, and within a factor of 1.5 for {:.0} % of them; updates {update:.2} times at the median.",
            rows.len(),
            100.0 * near
        ),
        match (near, (0.75..1.35).contains(&median)) {
            (0.8.., true) => Verdict::Reproduced,
            (0.5.., _) => Verdict::Partly,
            _ => Verdict::Differs,
        },
        "A price for decisions in f64 and one for the query itself are added; what a test costs is not one number, since branches and caches take part.",
    );
    let [steps, leaves] =
        [(|work: &Work| work.steps) as fn(&Work) -> f64, |work: &Work| work.leaves].map(|pick| {
            [Volume::Aabb, Volume::Sphere].map(|volume| work_ratio(rows, volume, Volume::Obb, pick))
        });
    finding.claim(
        "nv and np are lower for oriented boxes than for boxes along the axes and spheres",
        format!(
            "boxes along the axes take {:.2} times the nv and {:.2} times the np of oriented boxes, spheres {:.2} and {:.2} times (bodies that meet or nearly do).",
            steps[0], leaves[0], steps[1], leaves[1]
        ),
        Verdict::of(steps.iter().chain(&leaves).filter(|ratio| **ratio > 1.0).count(), 4),
        "",
    );
    let price = |volume: Volume| -> Vec<f64> {
        calibrations.iter().map(|one| one.prices(QuestionKind::Overlap, volume).step).collect()
    };
    let [sphere, aabb, obb] = [Volume::Sphere, Volume::Aabb, Volume::Obb].map(price);
    let over_obb =
        |simple: &[f64]| Spread::of(simple.iter().zip(&obb).map(|(a, b)| a / b).collect());
    let shares = [over_obb(&sphere), over_obb(&aabb)];
    let [sphere, aabb, obb] = [sphere, aabb, obb.clone()].map(Spread::of);
    finding.claim(
        "spheres have a fast overlap test and so have boxes along the axes, oriented boxes slower ones",
        format!("cv is {sphere} ns for spheres, {aabb} ns for boxes along the axes and {obb} ns for oriented boxes, each for up to eight at a time, with what surrounds the test (median and middle half of {} calibrations).", obb.repeats),
        Verdict::of(shares.iter().filter(|share| share.is_faster()).count(), shares.len()),
        "Between bodies that are turned, a box along the axes of one is tested as a turned box in the frame of the other.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;
    use crate::session::Size;

    #[test]
    fn counts_repeat_and_spreads_are_those_of_the_list() {
        let model = Model::generate(ModelShape::Torus, 300);
        let plain: Mesh<Obb> = model.mesh().unwrap();
        let (mut random, mut scratch) = (Random::new(1), Scratch::default());
        let approach = Approach::random(&plain, &plain, &mut random, &mut scratch).unwrap();
        let places =
            [ScaledPose::from(approach.at(-0.05).unwrap()), approach.at(0.01).unwrap().into()];
        let grouped = MeshBuilder::new(&model.vertices, &model.triangles, Builder::Morton).unwrap();
        let session = Session::new(Size::Quick, 1);
        for volume in Volume::ALL {
            let mesh = AnyMesh::fitted(&grouped, volume, 8);
            for asked in QUESTIONS {
                let (work, time) = ask(&session, &mesh, asked, &places).unwrap();
                assert_eq!(work, ask(&session, &mesh, asked, &places).unwrap().0);
                assert!(work.steps >= 1.0 && time > 0.0, "{volume} {asked}");
            }
        }
        assert_eq!(spread(vec![0.5, 3.0, 1.0, 1.2], 1.5), (1.2, 0.5));
    }
}
