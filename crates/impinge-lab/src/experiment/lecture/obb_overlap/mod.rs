//! Do two oriented boxes overlap? By separating axes, by GJK and by linear programming.
//!
//! S. Gottschalk, M. C. Lin and D. Manocha ("OBBTree", 1996) test fifteen axes; the lecture that compares this with GJK and with
//! linear programming gives 6.26, 66.3 and 217 µs per test on the machine of its time. What can be compared are ratios.

mod axes;
mod linear_program;
mod special;

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::setting::boxes::Boxes;
use crate::table::Table;
use crate::timing::{Rounds, Spread, repeated};
use impinge::geom::glam::DVec3;
use impinge::geom::pair::{self, box_box};
use impinge::geom::shape::Cuboid;
use impinge::geom::{GeometryError, Pose, Shape, Verdict as Position};
use linear_program::boxes_overlap;
use std::hint::black_box;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "obb-overlap",
    title: "Overlap of two oriented boxes: separating axes, GJK, linear programming",
    document: Document::Lecture,
    place: "OBB overlap tests: comparison",
    models: ModelUse::Unused,
    revision: 2,
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
            corners: [
                own[0],
                own[1].map(|p| pose.transform_point(DVec3::from_array(p)).to_array()),
            ],
        })
    }

    /// In any orientation: a third apart, a third close to touching, a third overlapping.
    fn random(index: usize, random: &mut Random) -> Result<Self, GeometryError> {
        let boxes = Boxes::random(random)?;
        let factor = match index % 3 {
            0 => random.between(1.05, 2.0),
            1 => random.between(0.7, 1.0),
            _ => random.between(0.1, 0.7),
        };
        Self::new(boxes.half, boxes.at(factor)?)
    }

    /// What the kernel says, exactly.
    fn meets(&self) -> bool {
        let [a, b] = &self.shapes;
        pair::verdict(a, b, &self.pose, &mut pair::Cache::default()) != Position::Separated
    }

    /// How far they are apart, over the half diagonals of both.
    fn gap(&self) -> f64 {
        let [a, b] = &self.shapes;
        let size: f64 = self.boxes.iter().map(|cuboid| cuboid.half().length()).sum();
        let gap = pair::distance(a, b, &self.pose, &mut pair::Cache::default()).distance;
        gap / size.max(f64::MIN_POSITIVE)
    }
}

/// A method, as a function of a pair.
struct Method {
    name: &'static str,
    /// Microseconds.
    published: Option<f64>,
    test: fn(&Pair) -> bool,
}

const METHODS: [Method; 6] = [
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
    Method {
        name: "separating axes, 15, as in the lecture",
        published: None,
        test: |pair| axes::overlap(&pair.boxes, &pair.pose, axes::GUARD),
    },
];

/// A published time over that of separating axes.
fn published(method: &Method) -> Option<f64> {
    Some(method.published? / METHODS[0].published?)
}

/// What became of many pairs, in the order of [`METHODS`].
#[derive(Clone, Debug, Default)]
struct Tally {
    pairs: usize,
    times: Rounds,
    /// Pairs that are said to overlap.
    overlaps: [usize; METHODS.len()],
    /// Answers that are not the exact verdict.
    wrong: [usize; METHODS.len()],
    /// Axes until one parts, or all fifteen.
    axes: u64,
    /// Smaller programs that the linear program solves.
    programs: u64,
}

impl Tally {
    fn add(&mut self, pairs: &[Pair], rounds: usize) {
        for pair in pairs {
            let meets = pair.meets();
            for (k, method) in METHODS.iter().enumerate() {
                let overlap = (method.test)(pair);
                self.overlaps[k] += usize::from(overlap);
                self.wrong[k] += usize::from(overlap != meets);
            }
            self.axes += axes_tested(pair);
            boxes_overlap(&pair.corners[0], &pair.corners[1], &mut self.programs);
        }
        let mut asked = METHODS.map(|method| {
            move || {
                let meet = pairs.iter().filter(|pair| (method.test)(black_box(pair))).count();
                let _ = black_box(meet);
            }
        });
        let mut works = asked.each_mut().map(|ask| ask as &mut dyn FnMut());
        self.times.add(&repeated(rounds, &mut works));
        self.pairs += pairs.len();
    }

    /// Of all pairs, for each.
    fn mean(&self, sum: f64) -> f64 {
        sum / self.pairs.max(1) as f64
    }

    /// The time of a method over that of separating axes, over the rounds.
    fn ratio(&self, method: usize) -> Spread {
        Spread::of(self.times.ratios(method, 0))
    }
}

/// Pairs that are made and timed together: few enough to show progress.
const BATCH: usize = 4000;

fn measure(session: &Session<'_>, count: usize, rounds: usize) -> Result<Tally, LabError> {
    let mut random = Random::new(session.seed);
    let mut tally = Tally::default();
    for first in (0..count).step_by(BATCH) {
        session.step("pairs of boxes", first as u64, count as u64)?;
        let pairs = (first..count.min(first + BATCH))
            .map(|index| Pair::random(index, &mut random))
            .collect::<Result<Vec<_>, _>>()
            .map_err(LabError::failed)?;
        tally.add(&pairs, rounds);
    }
    Ok(tally)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let count = session.pick(20_000, 100_000, 1_000_000);
    let rounds = session.pick(5, 7, 9);
    let tally = measure(session, count, rounds)?;
    let special = special::measure(session, session.pick(2_000, 10_000, 50_000))?;
    let mut steps = Table::new("steps", "Steps per pair").column("steps", "").column("mean", "");
    let [axes, programs] = [tally.axes, tally.programs].map(|sum| tally.mean(sum as f64));
    steps.row(["axes until one parts, or all fifteen".into(), axes.into()]);
    steps.row(["programs in fewer variables".into(), programs.into()]);
    let mut finding = Finding {
        setting: format!(
            "{count} pairs of boxes in random orientations, a third apart, a third near touching, a third overlapping; one thread, the \
             fastest of {rounds} rounds in which the methods take turns. GJK is ours, exact where rounding decides, on hulls of eight \
             corners; the linear program is Seidel's, in three variables. Then {} pairs with parallel or coincident faces, edges and \
             vertices, tiny tilts and boxes without a thickness, apart from the clock.",
            special.iter().map(|found| found.pairs).sum::<usize>()
        ),
        tables: vec![times_table(&tally), steps, special::table(&special)],
        charts: vec![chart(&tally)],
        ..Finding::default()
    };
    judge_times(&mut finding, &tally);
    special::judge(&mut finding, &tally, &special);
    Ok(finding)
}

fn times_table(tally: &Tally) -> Table {
    let mut table = Table::new("times", "Methods on the same pairs")
        .column("method", "")
        .varying("time", "ns")
        .varying("over separating axes", "")
        .column("published time", "µs")
        .column("published over separating axes", "")
        .column("says overlap", "")
        .column("agrees with the exact verdict", "");
    let least = tally.times.least();
    for (k, method) in METHODS.iter().enumerate() {
        table.row([
            method.name.into(),
            tally.mean(least[k]).into(),
            tally.ratio(k).median.into(),
            method.published.into(),
            published(method).into(),
            tally.overlaps[k].into(),
            (tally.pairs - tally.wrong[k]).into(),
        ]);
    }
    table
}

/// Within this factor a ratio of times is the published one, between machines that are decades apart.
const NEAR: f64 = 2.0;

fn judge_times(finding: &mut Finding, tally: &Tally) {
    let (gjk, program) = (tally.ratio(1), tally.ratio(2));
    // A tenth apart, beyond what the rounds differ by.
    let order = 1.1 < gjk.low && 1.1 * gjk.high < program.low;
    finding.claim(
        "separating axes are the fastest, then GJK, then linear programming",
        format!("1 : {gjk} : {program} in time (median and middle half of {} rounds)", gjk.repeats),
        Verdict::holds(order),
        "",
    );
    for (name, ours, method) in
        [("GJK", gjk, &METHODS[1]), ("linear programming", program, &METHODS[2])]
    {
        let published = published(method).unwrap_or(f64::NAN);
        let near = ours.is_within_factor(NEAR, published);
        let why = if near {
            ""
        } else {
            "Programs and machine differ; which of them explains it was not tried."
        };
        finding.claim(
            format!("{name} takes {published:.1} times as long as separating axes"),
            format!("{ours} times"),
            Verdict::holds(near),
            why,
        );
    }
}

/// The lecture's table as a picture, every time over that of separating axes.
fn chart(tally: &Tally) -> Chart {
    let at = |k: usize| (k + 1) as f64;
    let ours = (0..3).map(|k| (at(k), tally.ratio(k).median));
    let stated = METHODS.iter().enumerate();
    let stated = stated.filter_map(|(k, method)| Some((at(k), published(method)?)));
    let panel = Panel {
        title: "Time of a test, over that of separating axes".into(),
        across: Axis::named("method", ["separating axes", "GJK", "linear programming"]),
        up: Axis::logarithmic("time over that of separating axes"),
        series: vec![
            Series::line("measured", ours.collect()),
            Series::published("lecture (250 MHz R4400)", stated.collect()),
        ],
        legend: Corner::UpperLeft,
    };
    Chart { name: "times".into(), panels: vec![panel] }
}

/// How many of the fifteen axes are looked at until one parts the corners.
fn axes_tested(pair: &Pair) -> u64 {
    let own = [DVec3::X, DVec3::Y, DVec3::Z];
    let other = own.map(|axis| pair.pose.rotate(axis));
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
        let tally = measure(&Session::new(Size::Quick, 2), 3000, 1).unwrap();
        let wrong = tally.wrong;
        assert_eq!([wrong[0], wrong[1], wrong[2], wrong[4], wrong[5]], [0; 5]);
        // Six axes are meant to miss some gaps.
        assert!((1..300).contains(&wrong[3]), "{}", wrong[3]);
        assert!(tally.overlaps[0] > 1000);
        let axes = tally.mean(tally.axes as f64);
        assert!((5.0..15.0).contains(&axes), "{axes}");
    }
}
