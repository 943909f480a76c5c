//! Section 25.3, the narrow phase: GJK that starts where the last frame ended, axes culled by inner spheres, pairs sorted by type.

mod culling;
mod sorting;

use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{Rounds, Spread, arithmetic, repeated};
use impinge::geom::glam::DVec3;
use impinge::geom::{Pose, Shape, pair};
use std::hint::black_box;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "warm-start",
    title: "The narrow phase: warm starts of GJK, inner spheres, and pairs sorted by type",
    document: Document::Chapter,
    place: "section 25.3",
    models: ModelUse::Unused,
    revision: 2,
    work,
};

/// Corners of the hulls.
const CORNERS: [usize; 3] = [16, 64, 512];
/// What moves between two frames: radians of turning, and of the way around the other body.
const MOTIONS: [f64; 6] = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1];
const QUESTIONS: [&str; 2] = ["overlap", "distance"];

/// One pair of hulls, moving at one speed, asked one question.
struct Row {
    corners: usize,
    motion: f64,
    question: &'static str,
    /// Queries that reach GJK.
    queries: u64,
    /// Steps of GJK, from the centres and from the last frame.
    steps: [u64; 2],
    /// Of the queries from the last frame, those that took one step.
    first: u64,
    /// Times from the centres, and from the last frame.
    times: Rounds,
}

/// A convex body with about `corners` corners, longer than it is thick.
pub(super) fn body(corners: usize, random: &mut Random) -> Result<Shape, LabError> {
    Shape::hull(&points(corners, random)).map_err(LabError::failed)
}

/// Random points of an ellipsoid.
pub(super) fn points(count: usize, random: &mut Random) -> Vec<[f64; 3]> {
    (0..count)
        .map(|_| {
            let [x, y, z] = random.direction();
            [x, 0.6 * y, 0.35 * z]
        })
        .collect()
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let rows = measure(session)?;
    session.step("inner spheres", 1, 3)?;
    let (culling, culled) = culling::measure(session)?;
    session.step("sorted pairs", 2, 3)?;
    let (sorting, sorted) = sorting::measure(session)?;
    let frames = session.pick(400, 2000, 10_000);
    let mut finding = Finding {
        setting: format!(
            "Two convex hulls of random points on an ellipsoid (radii 1, 0.6, 0.35), 0.02 apart at every frame while one turns and goes around the other, {frames} frames at each speed. “Cold” starts GJK at the centres, “warm” with the axis of the last frame. Penetration depth by separating axes of overlapping hulls; a list of pairs of {} kinds of shapes.",
            sorting::KINDS
        ),
        ..Finding::default()
    };
    judge(&mut finding, &rows);
    culling::judge(&mut finding, &culled);
    sorting::judge(&mut finding, &sorted);
    let mut panels = panels(&rows);
    panels.extend([culling::panel(&culled), sorting::panel(&sorted)]);
    finding.charts = vec![Chart { name: "narrow-phase".into(), panels }];
    finding.tables = vec![table(&rows), culling, sorting];
    Ok(finding)
}

/// The poses of B at each frame.
fn path(
    a: &Shape,
    b: &Shape,
    motion: f64,
    frames: usize,
    random: &mut Random,
) -> Result<Vec<Pose>, LabError> {
    let turning = turn(DVec3::from_array(random.direction()), motion)?;
    let circling = turn(DVec3::from_array(random.direction()), motion)?;
    let mut pose = Pose::new(random.quaternion(), [0.0; 3]).map_err(LabError::failed)?;
    let mut side = DVec3::from_array(random.direction());
    let mut cache = pair::Cache::default();
    (0..frames)
        .map(|_| {
            pose = turning.compose(&pose);
            side = circling.rotate(side).normalize();
            let at = |height: f64| {
                pose.with_translation((side * height).to_array()).map_err(LabError::failed)
            };
            // Comes from outside to a gap of 0.02: the distance is never more than the way.
            let mut height = 2.2;
            for _ in 0..40 {
                let gap = pair::distance(a, b, &at(height)?, &mut cache).distance - 0.02;
                if gap < 1e-4 {
                    break;
                }
                height -= gap;
            }
            at(height)
        })
        .collect()
}

/// A turn by a small angle about an axis, by the tangent of its quarter: no sines.
fn turn(axis: DVec3, angle: f64) -> Result<Pose, LabError> {
    let v = axis * (angle / 2.0);
    let norm = (1.0 + v.length_squared()).sqrt();
    let v = v / norm;
    Pose::new([1.0 / norm, v.x, v.y, v.z], [0.0; 3]).map_err(LabError::failed)
}

fn ask(question: &str, a: &Shape, b: &Shape, pose: &Pose, cache: &mut pair::Cache) -> f64 {
    if question == "overlap" {
        f64::from(u8::from(pair::overlap(a, b, pose, cache)))
    } else {
        pair::distance(a, b, pose, cache).distance
    }
}

fn measure(session: &Session<'_>) -> Result<Vec<Row>, LabError> {
    let frames = session.pick(400, 2000, 10_000);
    let mut random = Random::new(session.seed);
    let mut rows = Vec::new();
    let of = (CORNERS.len() * MOTIONS.len()) as u64;
    for corners in CORNERS {
        let (a, b) = (body(corners, &mut random)?, body(corners, &mut random)?);
        for motion in MOTIONS {
            session.step("warm starts", rows.len() as u64 / 2, of)?;
            let poses = path(&a, &b, motion, frames, &mut random)?;
            for question in QUESTIONS {
                rows.push(row([&a, &b], &poses, question, corners, motion)?);
            }
        }
    }
    Ok(rows)
}

fn row(
    [a, b]: [&Shape; 2],
    poses: &[Pose],
    question: &'static str,
    corners: usize,
    motion: f64,
) -> Result<Row, LabError> {
    let (mut cold, mut warm) = (pair::Cache::default(), pair::Cache::default());
    let (mut queries, mut first) = (0, 0);
    for pose in poses {
        cold.set_warm_start(pair::WarmStart::default());
        let before = [cold.steps(), warm.steps()];
        let answers = [ask(question, a, b, pose, &mut cold), ask(question, a, b, pose, &mut warm)];
        if (answers[0] - answers[1]).abs() > 1e-9 {
            return Err(LabError::failed("warm and cold starts give different answers"));
        }
        queries += u64::from(cold.steps() > before[0]);
        first += u64::from(warm.steps() == before[1] + 1);
    }
    let steps = [cold.steps(), warm.steps()];
    let mut from_centers = || {
        for pose in poses {
            cold.set_warm_start(pair::WarmStart::default());
            let _ = black_box(ask(question, a, b, pose, &mut cold));
        }
    };
    let mut from_last = || {
        for pose in poses {
            let _ = black_box(ask(question, a, b, pose, &mut warm));
        }
    };
    let times = repeated(9, &mut [&mut from_centers, &mut from_last]);
    Ok(Row { corners, motion, question, queries, steps, first, times })
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new("starts", "GJK from the centres and from the last frame's axis")
        .column("corners", "")
        .column("question", "")
        .column("motion per frame", "rad")
        .column("queries", "")
        .column("steps, cold", "")
        .column("steps, warm", "")
        .column("ended with the first step, warm", "%")
        .varying("time cold / time warm", "");
    for Row { corners, motion, question, queries, steps, first, times } in rows {
        table.row([
            (*corners).into(),
            (*question).into(),
            (*motion).into(),
            (*queries).into(),
            steps[0].into(),
            steps[1].into(),
            (100.0 * *first as f64 / (*queries).max(1) as f64).into(),
            times.ratio(0, 1).median.into(),
        ]);
    }
    table
}

fn panels(rows: &[Row]) -> Vec<Panel> {
    let series = |value: &dyn Fn(&Row) -> f64| -> Vec<Series> {
        let mut all = Vec::new();
        for question in QUESTIONS {
            for corners in CORNERS {
                let kept =
                    rows.iter().filter(|row| row.question == question && row.corners == corners);
                let points = kept.map(|row| (row.motion, value(row))).collect();
                all.push(Series::line(format!("{question}, {corners} corners"), points));
            }
        }
        all
    };
    let mut speedups = series(&|row| row.times.ratio(0, 1).median);
    let stated = MOTIONS.map(|motion| (motion, 10.0)).to_vec();
    speedups.push(Series::published("stated: an order of magnitude", stated).colored(13));
    let panel = |title: &str, up: Axis, series: Vec<Series>, legend: Corner| Panel {
        title: title.into(),
        across: Axis::logarithmic("motion per frame [rad]"),
        up,
        series,
        legend,
    };
    vec![
        panel(
            "GJK started from the last frame's axis",
            Axis::linear("time cold / time warm").within(0.0, 14.0),
            speedups,
            Corner::Beside,
        ),
        panel(
            "Steps of GJK",
            Axis::linear("steps warm / steps cold").within(0.0, 1.6),
            series(&|row| row.steps[1] as f64 / row.steps[0].max(1) as f64),
            Corner::Beside,
        ),
    ]
}

fn judge(finding: &mut Finding, rows: &[Row]) {
    let overlap = || rows.iter().filter(|row| row.question == "overlap");
    let share = |row: &Row| row.first as f64 / row.queries.max(1) as f64;
    // Motions of up to a hundredth of a radian are those of bodies that turn once in ten seconds, at sixty frames per second.
    let coherent: Vec<&Row> = overlap().filter(|row| row.motion <= 0.01).collect();
    let least = coherent.iter().map(|row| share(row)).fold(1.0, f64::min);
    let slowest = overlap().filter(|row| row.motion == MOTIONS[0]).map(share).fold(1.0, f64::min);
    finding.claim(
        "when temporal coherence is high, GJK started with the separating axis of the previous frame can often terminate in the first step",
        format!(
            "of the overlap queries at least {:.1} % take a single step where the motion is up to 0.01 rad per frame, at least {:.1} % at the slowest motion.",
            100.0 * least,
            100.0 * slowest
        ),
        Verdict::holds(least > 0.5),
        "",
    );
    let best = |question: &str| {
        let kept = rows.iter().filter(|row| row.question == question);
        kept.map(|row| row.times.ratio(0, 1).median).fold(0.0, f64::max)
    };
    // The mean decides: the best of many times may be a lucky one.
    let ratios: Vec<Vec<f64>> = coherent.iter().map(|row| row.times.ratios(0, 1)).collect();
    let mean = Spread::of_means(&ratios, |values| arithmetic(values));
    let steps = |k: usize| coherent.iter().map(|row| row.steps[k]).sum::<u64>() as f64;
    let cold = steps(0) / coherent.iter().map(|row| row.queries).sum::<u64>().max(1) as f64;
    let verdict = match mean.low {
        8.0.. => Verdict::Reproduced,
        3.0.. => Verdict::Partly,
        _ => Verdict::Differs,
    };
    finding.claim(
        "Gregorius reports an order of magnitude speedup",
        format!(
            "where the motion is up to 0.01 rad per frame overlap is {mean} times as fast (mean over {} rows; median and middle half of {} rounds), with {:.1} times fewer steps; at best {:.1} times for overlap and {:.2} times for distance.",
            coherent.len(),
            mean.repeats,
            steps(0) / steps(1).max(1.0),
            best("overlap"),
            best("distance")
        ),
        verdict,
        if verdict == Verdict::Reproduced {
            String::new()
        } else {
            format!("A cold search takes {cold:.1} steps on average: no start saves more than those. For distances the warm axis saves less: the closest features have to be found all the same.")
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warm_starts_take_fewer_steps_where_little_moves() {
        let mut random = Random::new(4);
        let (a, b) = (body(40, &mut random).unwrap(), body(40, &mut random).unwrap());
        let poses = path(&a, &b, 0.001, 60, &mut random).unwrap();
        let slow = row([&a, &b], &poses, "overlap", 40, 0.001).unwrap();
        assert_eq!(slow.queries, 60);
        assert!(slow.steps[1] < slow.steps[0], "{:?}", slow.steps);
        assert!(slow.first > 40, "{}", slow.first);
        let mut cache = pair::Cache::default();
        for pose in &poses {
            let gap = pair::distance(&a, &b, pose, &mut cache).distance;
            assert!((0.01..0.03).contains(&gap), "{gap}");
        }
    }

    #[test]
    fn small_turns_turn_by_their_angle() {
        let quarter = turn(DVec3::Z, 0.1).unwrap().rotate(DVec3::X);
        // tan(angle / 2) = 0.05.
        assert!((quarter.y - 2.0 * 0.05 / 1.0025).abs() < 1e-15);
    }
}
