//! Boxes that trouble tests with special cases: parallel and coincident faces, edges and vertices, boxes without a thickness.

use super::{Pair, Tally, axes, linear_program};
use crate::error::LabError;
use crate::finding::{Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::setting::boxes::Boxes;
use crate::table::{Cell, Table};
use impinge::geom::glam::DVec3;
use impinge::geom::pair::{self, box_box};
use impinge::geom::{GeometryError, Pose};

/// A kind of pairs.
struct Kind {
    name: &'static str,
    make: fn(&mut Random) -> Result<Pair, GeometryError>,
}

const KINDS: [Kind; 8] = [
    Kind { name: "parallel edges", make: |random| placed(sides(random), quarter(random)?, random) },
    Kind {
        name: "parallel up to rounding",
        make: |random| placed(sides(random), rounded(random)?, random),
    },
    Kind { name: "coincident faces", make: |random| coincident(1, random) },
    Kind { name: "coincident edges", make: |random| coincident(2, random) },
    Kind { name: "coincident vertices", make: |random| coincident(3, random) },
    Kind { name: "tiny tilts", make: |random| placed(sides(random), tilted(random)?, random) },
    Kind {
        name: "degenerate boxes, parallel",
        make: |random| {
            let turned = if random.one_in(2) { quarter(random)? } else { rounded(random)? };
            placed(degenerate(random), turned, random)
        },
    },
    Kind {
        name: "degenerate boxes, turned",
        make: |random| {
            let turned = Pose::new(random.quaternion(), [0.0; 3])?;
            placed(degenerate(random), turned, random)
        },
    },
];

/// A name, and what answers whether the boxes overlap.
type Method = (&'static str, fn(&Pair) -> bool);

const METHODS: [Method; 5] = [
    ("15 axes of the lecture", |pair| axes::overlap(&pair.boxes, &pair.pose, axes::GUARD)),
    ("without the guard", |pair| axes::overlap(&pair.boxes, &pair.pose, 0.0)),
    ("15 axes of impinge", |Pair { boxes: [a, b], pose, .. }| box_box::overlap_axes(a, b, pose)),
    ("GJK", |Pair { hulls: [a, b], pose, .. }| {
        pair::overlap(a, b, pose, &mut pair::Cache::default())
    }),
    ("linear programming", |pair| {
        linear_program::boxes_overlap(&pair.corners[0], &pair.corners[1], &mut 0)
    }),
];

/// Half sides of whole 64ths, so that sums of them are exact.
fn sides(random: &mut Random) -> [[f64; 3]; 2] {
    std::array::from_fn(|_| std::array::from_fn(|_| random.whole(8, 64) as f64 / 64.0))
}

/// Half sides of which at least one is zero: plates, rods and points.
fn degenerate(random: &mut Random) -> [[f64; 3]; 2] {
    let mut half = sides(random);
    let (flat, both) = (random.below(2) as usize, random.one_in(2));
    for (k, half) in half.iter_mut().enumerate() {
        if k == flat || both {
            let first = random.below(3) as usize;
            for axis in 0..=random.below(3) as usize {
                half[(first + axis) % 3] = 0.0;
            }
        }
    }
    half
}

fn sign(random: &mut Random) -> f64 {
    if random.one_in(2) { 1.0 } else { -1.0 }
}

/// One of the 24 turns by quarters, without rounding.
fn quarter(random: &mut Random) -> Result<Pose, GeometryError> {
    let first = random.below(3) as usize;
    let second = (first + 1 + random.below(2) as usize) % 3;
    let (x, y) = (DVec3::AXES[first] * sign(random), DVec3::AXES[second] * sign(random));
    Pose::from_rows([x, y, x.cross(y)].map(|row| row.to_array()), [0.0; 3])
}

/// The same between two bodies that came to one orientation by the same three turns, grouped otherwise: what it is off by is rounding,
/// and not alike in rows and columns.
fn rounded(random: &mut Random) -> Result<Pose, GeometryError> {
    let mut turn = || Pose::new(random.quaternion(), [0.0; 3]);
    let (first, second, third) = (turn()?, turn()?, turn()?);
    let one = first.compose(&second).compose(&third);
    let other = first.compose(&second.compose(&third));
    Ok(one.inverse().compose(&other.compose(&quarter(random)?)))
}

/// By quarters, then by an angle from a thousandth down to next to nothing.
fn tilted(random: &mut Random) -> Result<Pose, GeometryError> {
    let (half, axis) = (random.power(-52, -10), random.direction());
    let length = (1.0 + half * half).sqrt();
    let [x, y, z] = axis.map(|x| x * half / length);
    Ok(Pose::new([1.0 / length, x, y, z], [0.0; 3])?.compose(&quarter(random)?))
}

/// Times the distance of touching along the way.
const FACTORS: [f64; 8] = [0.3, 0.7, 0.95, 0.999, 1.0, 1.001, 1.05, 1.5];

/// Along an axis, within a plane of two, or anywhere.
fn placed(half: [[f64; 3]; 2], turned: Pose, random: &mut Random) -> Result<Pair, GeometryError> {
    let mut way = DVec3::from_array(random.direction());
    let first = random.below(3) as usize;
    for axis in 0..random.below(3) as usize {
        way[(first + axis) % 3] = 0.0;
    }
    let boxes = Boxes { half, turned, way: way.normalize_or(DVec3::X) };
    Pair::new(half, boxes.at(FACTORS[random.below(FACTORS.len() as u64) as usize])?)
}

/// Exactly touching along some axes and overlapping along the rest; or a thousandth apart.
fn coincident(axes: usize, random: &mut Random) -> Result<Pair, GeometryError> {
    let (half, turned) = (sides(random), quarter(random)?);
    let reach = DVec3::from_array(half[0]) + turned.rotate(DVec3::from_array(half[1])).abs();
    let first = random.below(3) as usize;
    let apart = if random.one_in(2) { 1.001 } else { 1.0 };
    let mut place = [0.0; 3];
    for k in 0..3 {
        let axis = (first + k) % 3;
        place[axis] = reach[axis]
            * if k < axes { sign(random) * apart } else { random.whole(-48, 48) as f64 / 64.0 };
    }
    Pair::new(half, turned.with_translation(place)?)
}

/// What a method says of one kind of pairs that is not so.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    /// Pairs that meet and are called apart.
    missed: usize,
    /// Pairs that are apart and are called overlapping.
    reported: usize,
    /// The widest gap of those, over the half diagonals of both boxes.
    widest: f64,
}

/// One kind of pairs.
#[derive(Debug)]
pub(super) struct Found {
    name: &'static str,
    pub(super) pairs: usize,
    meet: usize,
    /// In the order of [`METHODS`].
    errors: [Errors; METHODS.len()],
}

impl Found {
    fn add(&mut self, pair: &Pair) {
        let meet = pair.meets();
        self.pairs += 1;
        self.meet += usize::from(meet);
        for ((_, method), errors) in METHODS.iter().zip(&mut self.errors) {
            match (meet, method(pair)) {
                (true, false) => errors.missed += 1,
                (false, true) => {
                    errors.reported += 1;
                    errors.widest = errors.widest.max(pair.gap());
                }
                _ => {}
            }
        }
    }
}

/// `count` pairs of every kind.
pub(super) fn measure(session: &Session<'_>, count: usize) -> Result<Vec<Found>, LabError> {
    let mut random = Random::new(session.seed);
    let mut all = Vec::new();
    for Kind { name, make } in KINDS {
        let mut found = Found { name, pairs: 0, meet: 0, errors: Default::default() };
        for k in 0..count {
            if k % 500 == 0 {
                session.step(name, k as u64, count as u64)?;
            }
            found.add(&make(&mut random).map_err(LabError::failed)?);
        }
        all.push(found);
    }
    Ok(all)
}

/// The errors of a method over all kinds.
fn errors(all: &[Found], method: usize) -> Errors {
    all.iter().filter_map(|found| found.errors.get(method)).fold(
        Errors::default(),
        |sum, errors| Errors {
            missed: sum.missed + errors.missed,
            reported: sum.reported + errors.reported,
            widest: sum.widest.max(errors.widest),
        },
    )
}

pub(super) fn table(all: &[Found]) -> Table {
    let mut table = Table::new(
        "special",
        "Special pairs: overlaps that are missed, and separated pairs that are reported as overlapping",
    )
    .column("pairs", "")
    .column("of each", "")
    .column("meet", "");
    for (name, _) in METHODS {
        table = table
            .column(format!("missed, {name}"), "")
            .column("called overlapping", "")
            .column("their widest gap", "half diagonals");
    }
    for Found { name, pairs, meet, errors } in all {
        let mut row: Vec<Cell> = vec![(*name).into(), (*pairs).into(), (*meet).into()];
        for Errors { missed, reported, widest } in errors {
            row.extend([(*missed).into(), (*reported).into(), (*widest).into()]);
        }
        table.row(row);
    }
    table
}

/// A gap that is called an overlap may be as wide as this, in half diagonals: the guard reaches the farther, the more two edges are
/// parallel, up to its square root, a thousandth.
const WIDE: f64 = 0.01;

pub(super) fn judge(finding: &mut Finding, tally: &Tally, all: &[Found]) {
    let [lecture, bare, ours, gjk, program] = [0, 1, 2, 3, 4].map(|method| errors(all, method));
    let (pairs, meet) =
        all.iter().fold((0, 0), |(pairs, meet), found| (pairs + found.pairs, meet + found.meet));
    let wrong = tally.wrong[0].max(tally.wrong[5]);
    finding.claim(
        "the axis test has a simple guard against arithmetic error and no special cases for parallel or coincident faces, edges or vertices, \
         nor for degenerate boxes",
        format!(
            "of {pairs} such pairs {meet} meet, of which the lecture's test misses {}, without its guard {}, impinge's fifteen axes {}, GJK \
             {} and linear programming {}; of those that are apart the lecture's test calls {} overlapping, with gaps of up to {:.0e} half \
             diagonals, impinge's {}. Of {} random pairs the lecture's test differs from the exact verdict on {}, impinge's on {}; \
             {:.1} axes are looked at on average, fifteen at most.",
            lecture.missed,
            bare.missed,
            ours.missed,
            gjk.missed,
            program.missed,
            lecture.reported,
            lecture.widest,
            ours.reported,
            tally.pairs,
            tally.wrong[5],
            tally.wrong[0],
            tally.mean(tally.axes as f64)
        ),
        match (lecture.missed, lecture.widest <= WIDE && wrong * 1000 <= tally.pairs) {
            _ if meet == 0 => Verdict::NotTried,
            (0, true) => Verdict::Reproduced,
            (0, false) => Verdict::Partly,
            _ => Verdict::Differs,
        },
        if program.missed > 0 { "A plane parts boxes that touch, so that linear programming calls them apart." } else { "" },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::lecture::obb_overlap;
    use crate::session::Size;

    impl Found {
        /// As if the lecture's test had missed a pair.
        fn with_one_missed(mut self) -> Self {
            self.errors[0].missed += 1;
            self
        }
    }

    #[test]
    fn pairs_are_what_they_are_called() {
        let mut random = Random::new(5);
        for _ in 0..300 {
            let turn = quarter(&mut random).unwrap().rotation();
            let whole = turn.to_cols_array().iter().filter(|x| x.abs() == 1.0).count();
            assert_eq!((whole, turn.determinant()), (3, 1.0));
            assert!(degenerate(&mut random).iter().flatten().any(|half| *half == 0.0));
            for axes in 1..=3 {
                let pair = coincident(axes, &mut random).unwrap();
                let touches = pair.gap() == 0.0;
                assert!(touches || (1e-5..1e-2).contains(&pair.gap()), "{}", pair.gap());
                assert_eq!(pair.meets(), touches);
            }
        }
    }

    #[test]
    fn the_guard_is_needed_and_enough() {
        let all = measure(&Session::new(Size::Quick, 3), 400).unwrap();
        assert_eq!(all.len(), KINDS.len());
        for found in &all {
            let meet = found.meet as f64 / found.pairs as f64;
            assert!((0.1..0.9).contains(&meet), "{} {meet}", found.name);
        }
        let [guarded, bare, ours, gjk] = [0, 1, 2, 3].map(|method| errors(&all, method));
        assert_eq!([guarded.missed, ours.missed, gjk.missed], [0; 3]);
        assert!(
            bare.missed > 0,
            "without the guard, edges that are parallel up to rounding part boxes"
        );
        assert!(guarded.widest < 0.01, "{guarded:?}");
        assert!(guarded.reported >= ours.reported, "{guarded:?} {ours:?}");
    }

    #[test]
    fn a_pair_that_is_missed_decides() {
        let session = Session::new(Size::Quick, 2);
        let tally = obb_overlap::measure(&session, 30, 1).unwrap();
        let special = measure(&session, 100).unwrap();
        let judged = |special: &[Found], tally: &Tally| {
            let mut finding = Finding::default();
            judge(&mut finding, tally, special);
            finding.claims[0].verdict
        };
        assert_eq!(judged(&special, &tally), Verdict::Reproduced);
        assert_eq!(judged(&[], &tally), Verdict::NotTried);
        let worse = Tally { wrong: [1; obb_overlap::METHODS.len()], ..tally.clone() };
        assert_eq!(judged(&special, &worse), Verdict::Partly);
        let missing = special.into_iter().map(|found| found.with_one_missed()).collect::<Vec<_>>();
        assert_eq!(judged(&missing, &tally), Verdict::Differs);
    }
}
