//! Do two oriented boxes overlap? Three ways, one table, beside the figures of the literature.
//!
//! S. Gottschalk, M. C. Lin and D. Manocha ("OBBTree", 1996) test fifteen axes; the lecture that compares this with GJK and with
//! linear programming gives 6.26, 66.3 and 217 µs per test on the machine of its time. What can be compared are ratios.

use super::linear_program::boxes_overlap;
use crate::generate::random::Random;
use crate::oracle::{Place, polytope};
use impinge::geom::glam::DVec3;
use impinge::geom::pair::{self, box_box};
use impinge::geom::shape::Cuboid;
use impinge::geom::{GeometryError, Pose, Shape};
use std::hint::black_box;
use std::time::Instant;

/// Options of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many pairs.
    #[arg(long, default_value_t = 100_000)]
    pub pairs: usize,
    /// Rounds, of which the fastest counts.
    #[arg(long, default_value_t = 7)]
    pub rounds: usize,
    /// Every seed gives other pairs.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

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
fn pairs(options: &Options) -> Result<Vec<Pair>, GeometryError> {
    let mut random = Random::new(options.seed);
    (0..options.pairs)
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
    literature: Option<f64>,
    test: fn(&Pair) -> bool,
}

const METHODS: [Method; 5] = [
    Method {
        name: "SAT, fifteen axes",
        literature: Some(6.26),
        test: |pair| box_box::overlap_axes(&pair.boxes[0], &pair.boxes[1], &pair.pose),
    },
    Method {
        name: "GJK, as hulls",
        literature: Some(66.3),
        test: |pair| {
            let [a, b] = &pair.hulls;
            pair::overlap(a, b, &pair.pose, &mut pair::Cache::default())
        },
    },
    Method {
        name: "LP, Seidel",
        literature: Some(217.0),
        test: |pair| boxes_overlap(&pair.corners[0], &pair.corners[1], &mut 0),
    },
    Method {
        name: "SAT lite, six axes",
        literature: None,
        test: |pair| box_box::overlap_lite(&pair.boxes[0], &pair.boxes[1], &pair.pose),
    },
    Method {
        name: "exact verdict",
        literature: None,
        test: |pair| {
            let [a, b] = &pair.shapes;
            pair::overlap(a, b, &pair.pose, &mut pair::Cache::default())
        },
    },
];

/// Nanoseconds per pair and the answers of each method.
fn time(pairs: &[Pair], rounds: usize) -> Vec<(f64, Vec<bool>)> {
    let mut best: Vec<(f64, Vec<bool>)> = METHODS.iter().map(|_| (f64::MAX, Vec::new())).collect();
    let mut answers = Vec::with_capacity(pairs.len());
    // The methods take turns, so that a slow moment of the machine hits all of them.
    for _ in 0..rounds.max(1) {
        for (method, (least, kept)) in METHODS.iter().zip(&mut best) {
            answers.clear();
            let start = Instant::now();
            answers.extend(pairs.iter().map(|pair| (method.test)(black_box(pair))));
            let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / pairs.len() as f64;
            *least = least.min(nanoseconds);
            kept.clone_from(&answers);
        }
    }
    best
}

/// Runs the measurement and prints the table. True if the exact verdict is right on a sample, and SAT and GJK agree with it but for
/// one pair in a thousand at most.
pub fn run(options: &Options) -> bool {
    let pairs = match pairs(options) {
        Ok(pairs) if !pairs.is_empty() => pairs,
        Ok(_) => return false,
        Err(error) => {
            println!("{error}");
            return false;
        }
    };
    let found = time(&pairs, options.rounds);
    let exact = &found[4].1;
    let base = found[0].0;
    println!(
        "{:<20} {:>9} {:>8} {:>12} {:>8} {:>10} {:>10}",
        "method", "ns", "ratio", "lecture µs", "ratio", "overlaps", "agree"
    );
    let mut fine = true;
    for (index, (method, (nanoseconds, answers))) in METHODS.iter().zip(&found).enumerate() {
        let agree = answers.iter().zip(exact).filter(|(x, y)| x == y).count();
        let lecture = method.literature.map_or("".into(), |x| format!("{x}"));
        let ratio = method.literature.map_or("".into(), |x| format!("{:.1}", x / 6.26));
        println!(
            "{:<20} {nanoseconds:>9.1} {:>8.2} {lecture:>12} {ratio:>8} {:>10} {agree:>10}",
            method.name,
            nanoseconds / base,
            answers.iter().filter(|x| **x).count(),
        );
        // SAT lite is meant to miss some gaps.
        fine &= index == 3 || agree * 1000 >= pairs.len() * 999;
    }
    let sample = pairs.len().min(2000);
    let right = pairs.iter().zip(exact).take(sample).filter(|(pair, answer)| {
        let place = polytope::place(&pair.corners[0], &pair.corners[1]).0;
        **answer == (place != Place::Outside)
    });
    let right = right.count();
    let (axes, programs) = operations(&pairs);
    println!(
        "{} pairs, one thread, the fastest of {} rounds; the exact verdict is right on {right} of {sample}",
        pairs.len(),
        options.rounds
    );
    println!(
        "per pair: {axes:.2} axes until one parts or all fail to; {programs:.2} smaller programs in the LP"
    );
    fine && right == sample
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

    #[test]
    fn the_methods_agree() {
        assert!(run(&Options { pairs: 3000, rounds: 1, seed: 2 }));
    }
}
