//! When do two convex bodies meet that move: conservative advancement, bilateral advancement, root finding between samples, and certified directions.
//!
//! The steps are counted in distance queries and in evaluations of a gap along a direction, which are one support point per body. Which motions meet, and when, is
//! known from the certified query with a tolerance a thousand times finer.

use super::super::{Experiment, ModelUse};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{ROUNDS, Spread, repeated_watched};
use impinge::geom::glam::DVec3;
use impinge::geom::hull::Hull;
use impinge::geom::motion::impact::{Settings, ShapeImpact, impact};
use impinge::geom::motion::{Motion, MovingShape, RigidMotion};
use impinge::geom::pair::{self, Cache};
use impinge::geom::support::Support;
use impinge::{Pose, Shape};
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "continuous",
    title: "Conservative and bilateral advancement and root finding for two convex bodies that move",
    document: Document::Chapter,
    place: "section 25.8, conservative advancement",
    models: ModelUse::Unused,
    revision: 1,
    work,
};

/// Bodies nearer than this count as touching, for the methods without a certificate; bodies are about one in size.
const TARGET: f64 = 1e-6;

/// Steps of an advancement, samples of root finding.
const STEPS: u32 = 2_000;
const SAMPLES: u32 = 32;

/// Two hulls, the second of which moves.
struct Trial {
    hulls: [Hull; 2],
    shapes: [Shape; 2],
    motion: RigidMotion,
    /// No point of the second one is faster.
    speed: f64,
    linear: DVec3,
    turn: DVec3,
    reach: f64,
}

/// What a method found, and how much it asked.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    time: Option<f64>,
    distances: u32,
    evaluations: u32,
}

impl Trial {
    fn new(angle: f64, random: &mut Random) -> Result<Self, LabError> {
        let mut hull = || {
            let points: Vec<[f64; 3]> =
                (0..32).map(|_| random.direction().map(|x| 0.5 * x)).collect();
            Hull::new(&points).map_err(LabError::failed)
        };
        let hulls = [hull()?, hull()?];
        let shapes = hulls.clone().map(|hull| Shape::Hull(Arc::new(hull)));
        let away = DVec3::from_array(random.direction()) * 2.0;
        let aim = DVec3::from_array(random.point()) * 0.9;
        let linear = (aim - away) * 1.5;
        let turn = DVec3::from_array(random.direction()) * (angle * random.unit());
        let start = Pose::new(random.quaternion(), away.to_array()).map_err(LabError::failed)?;
        let motion =
            RigidMotion::turning(&start, DVec3::ZERO, linear, turn).map_err(LabError::failed)?;
        let reach = hulls[1].vertices().iter().map(|p| p.length()).fold(0.0, f64::max);
        let speed = linear.length() + turn.length() * reach;
        Ok(Self { hulls, shapes, motion, speed, linear, turn, reach })
    }

    /// The distance at a time, and its direction.
    fn distance(&self, t: f64, cache: &mut Cache) -> (f64, DVec3) {
        let found = pair::distance(&self.shapes[0], &self.shapes[1], &self.motion.pose(t), cache);
        (found.distance, found.normal)
    }

    /// The gap along a direction at a time.
    fn gap(&self, normal: DVec3, t: f64) -> f64 {
        let pose = self.motion.pose(t);
        let far_a = self.hulls[0].support(normal).point;
        let far_b = self.hulls[1].support(pose.inverse_rotate(-normal)).point;
        normal.dot(pose.transform_point(far_b) - far_a)
    }

    /// B. Mirtich (1996): as far as the distance lasts at the greatest speed of any point, or of any point along the direction of the closest ones.
    fn conservative(&self, along: bool, cache: &mut Cache) -> Found {
        let (mut t, mut found) = (0.0, Found::default());
        while found.distances < STEPS {
            let (distance, normal) = self.distance(t, cache);
            found.distances += 1;
            if distance <= TARGET {
                return Found { time: Some(t), ..found };
            }
            let closing = -normal.dot(self.linear) + normal.cross(self.turn).length() * self.reach;
            let speed = if along { closing } else { self.speed };
            // The direction of a distance stays separating while the gap along it is positive.
            if speed <= 0.0 || t + distance / speed > 1.0 {
                return found;
            }
            t += distance / speed;
        }
        Found { time: Some(t), ..found }
    }

    /// E. Catto (2013): the direction of the closest points is kept; where its gap closes within the time left is found by false position and halving. Where the
    /// gap is open at the end, the bodies are said to stay apart.
    fn bilateral(&self, cache: &mut Cache) -> Found {
        let (mut t, mut found) = (0.0, Found::default());
        while found.distances < STEPS {
            let (distance, normal) = self.distance(t, cache);
            found.distances += 1;
            if distance <= 2.0 * TARGET {
                return Found { time: Some(t), ..found };
            }
            let (mut low, mut high) =
                ((t, distance - TARGET), (1.0, self.gap(normal, 1.0) - TARGET));
            found.evaluations += 1;
            if high.1 > 0.0 {
                return found;
            }
            for round in 0..50 {
                let share = if round % 2 == 0 { low.1 / (low.1 - high.1) } else { 0.5 };
                let middle = low.0 + share * (high.0 - low.0);
                let gap = self.gap(normal, middle) - TARGET;
                found.evaluations += 1;
                if gap > 0.0 {
                    low = (middle, gap)
                } else {
                    high = (middle, gap)
                }
                if gap.abs() <= 0.25 * TARGET {
                    break;
                }
            }
            if low.0 <= t {
                return Found { time: Some(t), ..found };
            }
            t = low.0;
        }
        Found { time: Some(t), ..found }
    }

    /// The first of evenly spaced samples in contact, and halving between it and the one before.
    fn sampled(&self, cache: &mut Cache) -> Found {
        let mut found = Found::default();
        let meets = |t: f64, cache: &mut Cache| {
            pair::overlap(&self.shapes[0], &self.shapes[1], &self.motion.pose(t), cache)
        };
        for k in 0..=SAMPLES {
            found.distances += 1;
            let t = f64::from(k) / f64::from(SAMPLES);
            if meets(t, cache) {
                let (mut low, mut high) = ((t - 1.0 / f64::from(SAMPLES)).max(0.0), t);
                while high - low > TARGET / self.speed {
                    let middle = 0.5 * (low + high);
                    found.distances += 1;
                    if meets(middle, cache) { high = middle } else { low = middle }
                }
                return Found { time: Some(high), ..found };
            }
        }
        found
    }

    /// impinge's own: directions followed with a bound of second order. Its steps are not told by the query.
    fn certified(&self, tolerance: f64, cache: &mut Cache) -> Found {
        let (a, b) = (
            MovingShape::new(&self.shapes[0], &Pose::IDENTITY),
            MovingShape::new(&self.shapes[1], &self.motion),
        );
        let settings = Settings { tolerance, ..Settings::default() };
        let time = match impact(&a, &b, [0.0, 1.0], &settings, cache) {
            ShapeImpact::Free => None,
            ShapeImpact::Meeting => Some(0.0),
            ShapeImpact::Meets(contact) => Some(contact.interval[0]),
        };
        Found { time, ..Found::default() }
    }
}

/// How a method did on all motions of a kind.
#[derive(Clone, Debug)]
struct Row {
    motions: &'static str,
    method: &'static str,
    distances: f64,
    evaluations: f64,
    microseconds: f64,
    /// The time of impinge's own over this one's.
    ours: Spread,
    missed: usize,
    late: usize,
}

const METHODS: [&str; 5] = [
    "conservative, greatest speed",
    "conservative, along the direction",
    "bilateral",
    "samples and halving",
    "impinge",
];

fn ask(trial: &Trial, method: usize, cache: &mut Cache) -> Found {
    match method {
        0 => trial.conservative(false, cache),
        1 => trial.conservative(true, cache),
        2 => trial.bilateral(cache),
        3 => trial.sampled(cache),
        _ => trial.certified(TARGET / trial.speed, cache),
    }
}

fn rows(session: &Session<'_>, count: usize) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    for (motions, angle) in
        [("linear", 0.0), ("turning by up to 1", 1.0), ("tumbling by up to 12", 12.0)]
    {
        let mut random = Random::new(session.seed);
        let trials =
            (0..count).map(|_| Trial::new(angle, &mut random)).collect::<Result<Vec<_>, _>>()?;
        let mut cache = Cache::default();
        let truth: Vec<Option<f64>> =
            trials.iter().map(|trial| trial.certified(1e-9, &mut cache).time).collect();
        let mut found: [Vec<Found>; METHODS.len()] = Default::default();
        let mut caches = METHODS.map(|_| Cache::default());
        let mut works: Vec<_> = (0..)
            .zip(found.iter_mut().zip(&mut caches))
            .map(|(method, (found, cache))| {
                let trials = &trials;
                move || *found = trials.iter().map(|trial| ask(trial, method, cache)).collect()
            })
            .collect();
        let mut works: Vec<&mut dyn FnMut()> =
            works.iter_mut().map(|work| work as &mut dyn FnMut()).collect();
        let rounds = session.pick(ROUNDS, 7, 9);
        let times = repeated_watched(rounds, &mut works, session, motions)?;
        for (method, (name, found)) in METHODS.into_iter().zip(&found).enumerate() {
            let mean = |value: fn(&Found) -> u32| {
                found.iter().map(|found| f64::from(value(found))).sum::<f64>() / count as f64
            };
            let pairs = || found.iter().map(|found| found.time).zip(&truth);
            let late = |(found, truth): &(Option<f64>, &Option<f64>)| matches!((found, truth), (Some(time), Some(true_time)) if *time > true_time + 2e-6);
            rows.push(Row {
                motions,
                method: name,
                distances: mean(|found| found.distances),
                evaluations: mean(|found| found.evaluations),
                microseconds: times.least()[method] * 1e-3 / count as f64,
                ours: times.ratio(METHODS.len() - 1, method),
                missed: pairs().filter(|(found, truth)| found.is_none() && truth.is_some()).count(),
                late: pairs().filter(late).count(),
            });
        }
    }
    Ok(rows)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let count = session.pick(300, 2_000, 20_000);
    let rows = rows(session, count)?;
    let mut table = Table::new("methods", "Means over the motions; missed and late of all")
        .column("motions", "")
        .column("method", "")
        .column("distance queries", "")
        .column("gaps along a direction", "")
        .varying("time", "µs")
        .column("missed", "")
        .column("late", "");
    for row in &rows {
        table.row([
            row.motions.into(),
            row.method.into(),
            row.distances.into(),
            row.evaluations.into(),
            row.microseconds.into(),
            row.missed.into(),
            row.late.into(),
        ]);
    }
    let mut finding = Finding {
        setting: format!(
            "{count} motions of each kind of two hulls of 32 points on a sphere of diameter 1: the second starts 2 away and moves three, past or into the first; \
             contact within {TARGET:e} of the size. impinge's own steps are not counted, only timed."
        ),
        tables: vec![table],
        ..Finding::default()
    };
    judge(&mut finding, &rows);
    Ok(finding)
}

fn judge(finding: &mut Finding, rows: &[Row]) {
    let of = |method: usize| rows.iter().filter(move |row| row.method == METHODS[method]);
    let wrong = |method: usize| of(method).map(|row| row.missed + row.late).sum::<usize>();
    finding.claim(
        "conservative advancement never passes a contact",
        format!(
            "{} missed or late by the greatest speed, {} along the direction, {} by impinge",
            wrong(0),
            wrong(1),
            wrong(4)
        ),
        Verdict::holds(wrong(0) + wrong(1) + wrong(4) == 0),
        "",
    );
    let distances = |method: usize| of(method).map(|row| row.distances).collect::<Vec<_>>();
    let (greatest, along, bilateral) = (distances(0), distances(1), distances(2));
    let fewer = (0..greatest.len()).all(|k| along[k] <= greatest[k] && bilateral[k] <= along[k]);
    finding.claim(
        "following a direction to where its gap closes takes fewer distance queries than advancing by a bound of the speed",
        format!("{bilateral:.1?} queries for the three kinds of motion, {along:.1?} with the bound along the direction, {greatest:.1?} with the greatest speed"),
        Verdict::holds(fewer),
        "",
    );
    finding.claim(
        "bilateral advancement and root finding between samples miss contacts",
        format!("{} missed or late by bilateral advancement, {} by {SAMPLES} samples and halving", wrong(2), wrong(3)),
        match (wrong(2) > 0, wrong(3) > 0) {
            (true, true) => Verdict::Reproduced,
            (false, false) => Verdict::Differs,
            _ => Verdict::Partly,
        },
        "Both look at the end of a span and not at what is between: a contact that begins and ends there is passed.",
    );
    let ratios: Vec<Spread> = of(0).map(|row| row.ours).collect();
    let faster = ratios.iter().filter(|ratio| ratio.is_faster()).count();
    let told: Vec<String> = ratios.iter().map(Spread::to_string).collect();
    finding.claim(
        "a bound of second order along a direction that turns with the bodies is faster than conservative advancement, with the same certainty",
        format!("{} of its time by the greatest speed, for the three kinds of motion", told.join(", ")),
        Verdict::of(faster, ratios.len()),
        "",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn conservative_methods_pass_nothing_and_a_late_answer_is_told() {
        let session = Session::new(Size::Quick, 1);
        let mut rows = rows(&session, 40).unwrap();
        assert_eq!(rows.len(), 15);
        for row in
            rows.iter().filter(|row| row.method.starts_with("cons") || row.method == "impinge")
        {
            assert_eq!(row.missed + row.late, 0, "{row:?}");
        }
        rows[0].late = 1;
        let mut finding = Finding::default();
        judge(&mut finding, &rows);
        assert_eq!(finding.claims[0].verdict, Verdict::Differs);
    }
}
