//! Do two oriented boxes overlap? By separating axes, by GJK and by linear programming.
//!
//! S. Gottschalk, M. C. Lin and D. Manocha ("OBBTree", 1996) test fifteen axes; the lecture that compares this with GJK and with
//! linear programming gives 6.26, 66.3 and 217 µs per test on the machine of its time. What can be compared are ratios.

mod linear_program;

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use impinge::geom::glam::DVec3;
use impinge::geom::pair::{self, box_box};
use impinge::geom::shape::Cuboid;
use impinge::geom::{GeometryError, Pose, Shape, Verdict as Position};
use linear_program::boxes_overlap;
use std::hint::black_box;
use std::time::Instant;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "obb-overlap",
    title: "Overlap of two oriented boxes: separating axes, GJK, linear programming",
    document: Document::Lecture,
    place: "OBB overlap tests: comparison",
    models: ModelUse::Unused,
    revision: 1,
    work,
};

/// One pair in every form that a method asks for.
struct Pair {
    boxes: [Cuboid; 2],
    shapes: [Shape; 2],
    hulls: [Shape; 2],
    pose: Pose,
    corners: [[[f64; 3]; 8]; 2],
}

impl Pair {
    fn new(half: [[f64; 3]; 2], pose: Pose) -> Result<Self, GeometryError> {
        let boxes = [Cuboid::new(half[0])?, Cuboid::new(half[1])?];
        let own = boxes.map(|cuboid| cuboid.vertices().map(|p| p.to_array()));
        Ok(Self {
            boxes,
            shapes: [Shape::cuboid(half[0])?, Shape::cuboid(half[1])?],
            hulls: [Shape::hull(&own[0])?, Shape::hull(&own[1])?],
            pose,
            corners: [own[0], own[1].map(|p| pose.map(DVec3::from_array(p)).to_array())],
        })
    }
}

/// Boxes of random sizes in random orientations: a third apart, a third close to touching, a third overlapping.
fn pairs(count: usize, seed: u64) -> Result<Vec<Pair>, GeometryError> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|index| {
            let half: [[f64; 3]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.between(0.2, 1.0)));
            let (rotation, n) = (random.quaternion(), random.direction());
            // Along n, the boxes reach this far from their centres.
            let turned = Pose::new(rotation, [0.0; 3])?;
            let back = turned.turn_back(DVec3::from_array(n)).to_array();
            let reach = |half: [f64; 3], n: [f64; 3]| -> f64 {
                half.iter().zip(n).map(|(h, x)| h * x.abs()).sum()
            };
            let touching = reach(half[0], n) + reach(half[1], back);
            let factor = match index % 3 {
                0 => random.between(1.05, 2.0),
                1 => random.between(0.7, 1.0),
                _ => random.between(0.1, 0.7),
            };
            let pose = Pose::new(rotation, n.map(|x| x * touching * factor))?;
            Pair::new(half, pose)
        })
        .collect()
}

/// A method, as a function of a pair.
struct Method {
    name: &'static str,
    /// Microseconds.
    published: Option<f64>,
    test: fn(&Pair) -> bool,
}

const METHODS: [Method; 5] = [
    Method {
        name: "separating axes, 15",
        published: Some(6.26),
        test: |pair| box_box::overlap_axes(&pair.boxes[0], &pair.boxes[1], &pair.pose),
    },
    Method {
        name: "GJK, as hulls",
        published: Some(66.3),
        test: |pair| {
            let [a, b] = &pair.hulls;
            pair::overlap(a, b, &pair.pose, &mut pair::Cache::default())
        },
    },
    Method {
        name: "linear programming",
        published: Some(217.0),
        test: |pair| boxes_overlap(&pair.corners[0], &pair.corners[1], &mut 0),
    },
    Method {
        name: "separating axes, 6 (lite)",
        published: None,
        test: |pair| box_box::overlap_lite(&pair.boxes[0], &pair.boxes[1], &pair.pose),
    },
    Method {
        name: "exact, with 15 axes first",
        published: None,
        test: |pair| {
            let [a, b] = &pair.shapes;
            pair::overlap(a, b, &pair.pose, &mut pair::Cache::default())
        },
    },
];

/// The nanoseconds per pair and the answers of a method.
#[derive(Clone, Debug)]
struct Timed {
    nanoseconds: f64,
    answers: Vec<bool>,
}

/// The methods take turns, so that a slow moment of the machine hits all of them; the fastest round counts.
fn time(pairs: &[Pair], rounds: u64, session: &Session<'_>) -> Result<Vec<Timed>, LabError> {
    let none = Timed { nanoseconds: f64::MAX, answers: Vec::new() };
    let mut best = vec![none; METHODS.len()];
    let mut answers = Vec::with_capacity(pairs.len());
    for round in 0..rounds {
        for (method, kept) in METHODS.iter().zip(&mut best) {
            session.step(method.name, round, rounds)?;
            answers.clear();
            let start = Instant::now();
            answers.extend(pairs.iter().map(|pair| (method.test)(black_box(pair))));
            let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / pairs.len() as f64;
            kept.nanoseconds = kept.nanoseconds.min(nanoseconds);
            kept.answers.clone_from(&answers);
        }
    }
    Ok(best)
}

/// What the kernel says, exactly.
fn truth(pairs: &[Pair]) -> Vec<bool> {
    let exact = |Pair { shapes: [a, b], pose, .. }: &Pair| {
        pair::verdict(a, b, pose, &mut pair::Cache::default()) != Position::Separated
    };
    pairs.iter().map(exact).collect()
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let count = session.pick(20_000, 100_000, 1_000_000);
    let rounds = session.pick(5, 7, 9);
    session.step("making pairs of boxes", 0, rounds)?;
    let pairs = pairs(count, session.seed).map_err(LabError::failed)?;
    let timed = time(&pairs, rounds, session)?;
    let truth = truth(&pairs);
    let agree = |timed: &Timed| timed.answers.iter().zip(&truth).filter(|(x, y)| x == y).count();
    let first = timed[0].nanoseconds;
    let mut table = Table::new("times", "Methods on the same pairs")
        .column("method", "")
        .varying("time", "ns")
        .varying("over separating axes", "")
        .column("published time", "µs")
        .column("published over separating axes", "")
        .column("says overlap", "")
        .column("agrees with the exact verdict", "");
    for (method, one) in METHODS.iter().zip(&timed) {
        table.row([
            method.name.into(),
            one.nanoseconds.into(),
            (one.nanoseconds / first).into(),
            method.published.into(),
            method.published.map(|time| time / 6.26).into(),
            one.answers.iter().filter(|x| **x).count().into(),
            agree(one).into(),
        ]);
    }
    let (axes, programs) = operations(&pairs);
    let mut work = Table::new("steps", "Steps per pair").column("steps", "").column("mean", "");
    work.row(["axes until one parts, or all fifteen".into(), axes.into()]);
    work.row(["programs in fewer variables".into(), programs.into()]);
    let mut finding = Finding {
        setting: format!(
            "{count} pairs of boxes in random orientations, a third apart, a third near touching, a third overlapping; one thread, the \
             fastest of {rounds} rounds in which the methods take turns. GJK is ours, exact where rounding decides, on hulls of eight \
             corners; the linear program is Seidel's, in three variables."
        ),
        tables: vec![table, work],
        charts: vec![chart(&timed)],
        ..Finding::default()
    };
    judge(&mut finding, &timed, truth.len(), agree, axes);
    Ok(finding)
}

fn judge(
    finding: &mut Finding,
    timed: &[Timed],
    count: usize,
    agree: impl Fn(&Timed) -> usize,
    axes: f64,
) {
    let ratio = |k: usize| timed[k].nanoseconds / timed[0].nanoseconds;
    let (gjk, program) = (ratio(1), ratio(2));
    let order = 1.0 < gjk && gjk < program;
    finding.claim(
        "separating axes are the fastest, then GJK, then linear programming",
        format!("1 : {gjk:.1} : {program:.1} in time"),
        if order { Verdict::Reproduced } else { Verdict::Differs },
        "",
    );
    for (name, ours, published) in
        [("GJK", gjk, 66.3 / 6.26), ("linear programming", program, 217.0 / 6.26)]
    {
        // Half as much again is near, between machines that are decades apart.
        let near = (published / 1.5..=published * 1.5).contains(&ours);
        let why = if near {
            ""
        } else {
            "The programs and the machine are others; which of them it is was not tried."
        };
        finding.claim(
            format!("{name} takes {published:.1} times as long as separating axes"),
            format!("{ours:.1} times"),
            if near { Verdict::Reproduced } else { Verdict::Differs },
            why,
        );
    }
    let wrong: Vec<usize> = timed[..3].iter().map(|one| count - agree(one)).collect();
    finding.claim(
        "the axis test has a simple guard against arithmetic error and no special cases",
        format!(
            "of {count} pairs, fifteen axes differ from the exact verdict on {}, GJK on {}, linear programming on {}; {axes:.1} axes \
             are looked at on average, fifteen at most",
            wrong[0], wrong[1], wrong[2]
        ),
        if wrong[0] * 1000 <= count { Verdict::Reproduced } else { Verdict::Differs },
        "",
    );
}

/// The lecture's table as a picture, every time over that of separating axes.
fn chart(timed: &[Timed]) -> Chart {
    let first = timed[0].nanoseconds;
    let at = |k: usize| (k + 1) as f64;
    let ours = timed[..3].iter().enumerate().map(|(k, one)| (at(k), one.nanoseconds / first));
    let published = METHODS.iter().enumerate();
    let published = published.filter_map(|(k, method)| Some((at(k), method.published? / 6.26)));
    let panel = Panel {
        title: "Time of a test, over that of separating axes".into(),
        across: Axis::named("method", ["separating axes", "GJK", "linear programming"]),
        up: Axis::logarithmic("time over that of separating axes"),
        series: vec![
            Series::line("measured", ours.collect()),
            Series::published("lecture (250 MHz R4400)", published.collect()),
        ],
        legend: Corner::UpperLeft,
    };
    Chart { name: "times".into(), panels: vec![panel] }
}

/// The mean number of axes that a test needs, faces first, and of smaller programs that the linear program solves.
fn operations(pairs: &[Pair]) -> (f64, f64) {
    let (mut axes, mut programs) = (0, 0);
    for pair in pairs {
        axes += axes_tested(pair);
        boxes_overlap(&pair.corners[0], &pair.corners[1], &mut programs);
    }
    (axes as f64 / pairs.len() as f64, programs as f64 / pairs.len() as f64)
}

/// How many of the fifteen axes are looked at until one parts the corners.
fn axes_tested(pair: &Pair) -> u64 {
    let own = [DVec3::X, DVec3::Y, DVec3::Z];
    let other = own.map(|axis| pair.pose.turn(axis));
    let products = own.iter().flat_map(|u| other.iter().map(move |v| u.cross(*v)));
    let mut count = 0;
    for axis in own.iter().chain(&other).copied().chain(products) {
        count += 1;
        let range = |points: &[[f64; 3]; 8]| {
            points
                .iter()
                .map(|p| axis.dot(DVec3::from_array(*p)))
                .fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
        };
        let ((low_a, high_a), (low_b, high_b)) = (range(&pair.corners[0]), range(&pair.corners[1]));
        if low_a > high_b || low_b > high_a {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn the_methods_agree_with_the_exact_verdict() {
        let pairs = pairs(3000, 2).unwrap();
        let truth = truth(&pairs);
        let timed = time(&pairs, 1, &Session::new(Size::Quick, 2)).unwrap();
        let differ = |k: usize| timed[k].answers.iter().zip(&truth).filter(|(x, y)| x != y).count();
        assert_eq!([differ(0), differ(1), differ(2), differ(4)], [0; 4]);
        // Six axes are meant to miss some gaps.
        assert!((1..300).contains(&differ(3)), "{}", differ(3));
        assert!(truth.iter().filter(|meet| **meet).count() > 1000);
        let axes = operations(&pairs).0;
        assert!((5.0..15.0).contains(&axes), "{axes}");
    }
}
