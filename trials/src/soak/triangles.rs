//! Triangle pairs: the kernel's verdicts and distances against exact arithmetic.

use super::progress::Progress;
use super::{Failures, Hash, describe};
use crate::generate::triangles::{Kind, Pair, pair};
use crate::oracle::{Place, Point, distance, triangle as oracle};
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::{self as kernel, TriangleVerdict};
use impinge_lab::Random;

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many pairs.
    #[arg(long, default_value_t = 10_000_000)]
    pub pairs: u64,
    /// Every seed gives other pairs.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of the first, to repeat a part of a run.
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// Falsify some of the kernel's answers: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// One pair in this many has the oracle itself checked by the rational linear program.
const RATIONAL: u64 = 1000;
/// One pair in this many has its distance checked.
const DISTANCE: u64 = 100;
/// With an injected fault, one pair in this many is answered falsely.
const FAULT: u64 = 997;

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Pairs by kind and by place.
    pub counts: [[u64; 3]; Kind::ALL.len()],
    /// Wrong verdicts, distances and points.
    pub failures: Failures,
    /// Pairs with checked distances.
    pub distances: u64,
    /// The largest error of a distance as a fraction of what is allowed.
    pub worst: f64,
    /// Pairs on which the oracle itself was checked.
    pub rational: u64,
    /// The hash over all verdicts and distances.
    pub hash: Hash,
    /// Whether all pairs were done.
    pub finished: bool,
}

impl Report {
    /// Everything was done, and nothing was wrong.
    pub fn passed(&self) -> bool {
        self.finished && self.failures.count == 0
    }
}

/// Runs the soak and prints what it found.
pub fn run(options: &Options) -> Report {
    let mut report = Report::default();
    let mut progress = Progress::new("pairs", options.pairs);
    let mut done = 0;
    while done < options.pairs && progress.go_on(done) {
        one(options, options.start + done, &mut report);
        done += 1;
    }
    report.finished = done == options.pairs;
    let seconds = progress.end(done);
    print(&report, done, seconds);
    report
}

/// The pair with this number.
fn numbered(options: &Options, index: u64) -> (usize, Pair) {
    let kind = (index % Kind::ALL.len() as u64) as usize;
    let mut random =
        Random::new(options.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(index));
    (kind, pair(Kind::ALL[kind], &mut random))
}

fn one(options: &Options, index: u64, report: &mut Report) {
    let (kind, [a, b]) = numbered(options, index);
    let truth = oracle::place(&a, &b);
    report.counts[kind][truth as usize] += 1;
    let [x, y] = [a, b].map(|triangle| triangle.map(DVec3::from_array));
    let mut answer = match kernel::verdict(&x, &y) {
        TriangleVerdict::Separated => Place::Outside,
        TriangleVerdict::Touching => Place::Boundary,
        TriangleVerdict::Crossing => Place::Inside,
    };
    if options.inject_fault && index.is_multiple_of(FAULT) {
        answer = if answer == Place::Boundary { Place::Outside } else { Place::Boundary };
    }
    report.hash.byte(answer as u8);
    let mut fail = |what: String| {
        let name = Kind::ALL[kind].name();
        report.failures.add(|| {
            format!("pair {index} ({name}): {what}\n  A{}\n  B{}", describe(&a), describe(&b))
        });
    };
    if answer != truth {
        fail(format!("verdict {answer:?}, exact arithmetic says {truth:?}"));
    }
    if index.is_multiple_of(RATIONAL) {
        report.rational += 1;
        let slow = oracle::rational(&a, &b);
        if slow != truth {
            fail(format!("the oracle itself says {truth:?}, the rational program {slow:?}"));
        }
    }
    // One in a hundred, of every kind in turn.
    if (index / Kind::ALL.len() as u64).is_multiple_of(DISTANCE) {
        report.distances += 1;
        let found = kernel::distance(&x, &y);
        report.hash.number(found.distance);
        let points = found.points.map(|p| p.to_array());
        match check_distance(&a, &b, truth, found.distance, &points) {
            Ok(error) => report.worst = report.worst.max(error),
            Err(what) => fail(what),
        }
    }
}

/// The error of the distance as a fraction of what is allowed, or what is wrong.
fn check_distance(
    a: &[Point; 3],
    b: &[Point; 3],
    truth: Place,
    found: f64,
    points: &[Point; 2],
) -> Result<f64, String> {
    if (found == 0.0) != (truth != Place::Outside) || found.is_nan() || found < 0.0 {
        return Err(format!("distance {found:?} of a pair that is {truth:?}"));
    }
    let square = distance::squared(a, b);
    let tolerance = distance::tolerance(found, a, b);
    let exact = distance::root(&square);
    if !distance::within(found, &square, tolerance) {
        return Err(format!(
            "distance {found:?}, exact arithmetic says {exact:?}, allowed {tolerance:e}"
        ));
    }
    // A point can be no better than the rounding of its coordinates.
    let largest = a.iter().chain(b).flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let slack = tolerance + 4.0 * f64::EPSILON * largest;
    for (name, triangle, point) in [("A", a, points[0]), ("B", b, points[1])] {
        let off = distance::squared(triangle, &[point; 3]);
        if !point.iter().all(|x| x.is_finite()) || !distance::within(0.0, &off, slack) {
            let off = distance::root(&off);
            return Err(format!("the point {point:?} is {off:e} off {name}, allowed {slack:e}"));
        }
    }
    let between = distance::squared(&[points[0]; 3], &[points[1]; 3]);
    if !distance::within(found, &between, 2.0 * slack) {
        return Err(format!("the points {points:?} are not {found:?} apart"));
    }
    Ok((found - exact).abs() / tolerance)
}

fn print(report: &Report, done: u64, seconds: f64) {
    println!("{:<16} {:>11} {:>11} {:>11}", "kind", "separated", "touching", "crossing");
    let mut totals = [0; 3];
    for (kind, counts) in Kind::ALL.iter().zip(&report.counts) {
        println!("{:<16} {:>11} {:>11} {:>11}", kind.name(), counts[0], counts[1], counts[2]);
        totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    println!("{:<16} {:>11} {:>11} {:>11}", "all", totals[0], totals[1], totals[2]);
    println!(
        "{done} pairs in {seconds:.1} s; {} distances, worst error {:.3} of the allowed; oracle checked on {}; hash {}",
        report.distances, report.worst, report.rational, report.hash
    );
    report.failures.print();
    println!("wrong: {}", report.failures.count);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(inject_fault: bool) -> Options {
        Options { pairs: 30_000, seed: 5, start: 0, inject_fault }
    }

    #[test]
    fn short_soak() {
        let report = run(&options(false));
        assert!(report.passed());
        assert!(report.distances > 200 && report.rational == 30);
        // Every kind meets, and all three verdicts are common.
        assert!(report.counts.iter().all(|counts| counts.iter().sum::<u64>() > 2000));
        for place in 0..3 {
            assert!(report.counts.iter().map(|counts| counts[place]).sum::<u64>() > 1500);
        }
        assert_eq!(report.hash, run(&options(false)).hash);
    }

    #[test]
    fn an_injected_fault_is_noticed() {
        let report = run(&options(true));
        assert!(!report.passed());
        assert_eq!(report.failures.count, 31);
    }

    #[test]
    fn a_wrong_distance_is_noticed() {
        let a = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let b = a.map(|[x, y, z]: Point| [x, y, z + 2.0]);
        let points = [[0.25, 0.25, 0.0], [0.25, 0.25, 2.0]];
        let check = |found, points| check_distance(&a, &b, Place::Outside, found, points);
        assert!(check(2.0, &points).is_ok());
        assert!(check(2.0 + 1e-11, &points).is_err());
        assert!(check(0.0, &points).is_err());
        assert!(check(f64::NAN, &points).is_err());
        assert!(check(2.0, &[[0.25, 0.25, 0.0], [0.5, 0.25, 2.0]]).is_err());
        assert!(check(2.0, &[[0.25, -0.25, 0.0], [0.25, 0.25, 2.0]]).is_err());
    }
}
