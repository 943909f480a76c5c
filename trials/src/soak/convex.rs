//! Convex pairs: polytopes against exact arithmetic, curved shapes against certified bounds.

use super::progress::Progress;
use super::{Failures, Hash, beyond, curved, describe};
use crate::generate::convex::{Case, Placement, polytopes};
use crate::oracle::polytope::{self, Way};
use crate::oracle::solid::{Placed, Solid, dot};
use crate::oracle::{Place, Point, bounds, distance, linear, minkowski};
use impinge::geom::glam::DVec3;
use impinge::geom::{GeometryError, Inside, Shape, SignedDistance, Verdict, pair};
use impinge_lab::Random;

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many pairs of polytopes; for every hundred of them, one pair with a curved shape follows.
    #[arg(long, default_value_t = 1_000_000)]
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

/// One pair in this many has depth, distance, normal and containment checked.
const CLOSELY: u64 = 100;
/// One pair in this many has the oracle itself checked by the rational program.
const RATIONAL: u64 = 500;
/// With an injected fault, one pair in this many is answered falsely.
const FAULT: u64 = 997;
/// Below this times the scale, the sign of a distance is not asked for.
const SIGN: f64 = 1e-12;
/// A depth or distance may be wrong by this times the scale.
const DEPTH: f64 = 1e-9;

/// Below this times the scale, the normal between two points that are apart is not asked to be as good as the distance.
const NEAR: f64 = 1e-6;

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Pairs by placement and place.
    pub counts: [[u64; 3]; Placement::ALL.len()],
    /// Whatever was wrong.
    pub failures: Failures,
    /// Pairs that only rational numbers could decide.
    pub undecided: u64,
    /// Depths checked against the difference's faces.
    pub depths: u64,
    /// Distances checked against certified bounds.
    pub distances: u64,
    /// Pairs of which the kernel says that it is not certain to 1e-9 of the scale; all of them are checked.
    pub doubtful: u64,
    /// Normals of pairs that are hardly apart, along which the gap differs from the distance.
    pub normals: u64,
    /// The largest error of a depth over the scale.
    pub worst: f64,
    /// Pairs with curved shapes.
    pub curved: curved::Report,
    /// The hash over all answers.
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
        let index = options.start + done;
        one(options, index, &mut report);
        if index.is_multiple_of(100) {
            let found =
                curved::one(options.seed, index / 100, &mut report.curved, &mut report.hash);
            if let Err(what) = found {
                report.failures.add(|| what);
            }
        }
        done += 1;
    }
    report.finished = done == options.pairs;
    let seconds = progress.end(done);
    print(&report, done, seconds);
    report
}

/// What the kernel says.
struct Answer {
    overlap: bool,
    verdict: Verdict,
    signed: SignedDistance,
    distance: f64,
}

fn ask(case: &Case) -> Result<Answer, GeometryError> {
    let (a, b, pose) = (case.a.shape()?, case.b.shape()?, case.pose()?);
    let cache = &mut pair::Cache::default();
    let verdict = pair::verdict(&a, &b, &pose, cache);
    Ok(Answer {
        overlap: pair::overlap(&a, &b, &pose, &mut pair::Cache::default()),
        verdict,
        distance: pair::distance(&a, &b, &pose, cache).distance,
        // Only planes and half-spaces have none, and they are not among these shapes.
        signed: pair::signed_distance(&a, &b, &pose, &mut pair::Cache::default())
            .ok_or(GeometryError::Empty { argument: "signed distance" })?,
    })
}

fn one(options: &Options, index: u64, report: &mut Report) {
    let kind = (index % Placement::ALL.len() as u64) as usize;
    let mut random =
        Random::new(options.seed.wrapping_mul(0x9e6c_63d0_876a_68de).wrapping_add(index));
    let case = polytopes(Placement::ALL[kind], &mut random);
    let how = How {
        falsely: options.inject_fault && index.is_multiple_of(FAULT),
        rationally: index.is_multiple_of(RATIONAL),
        // Of every placement in turn.
        closely: (index / Placement::ALL.len() as u64).is_multiple_of(CLOSELY),
    };
    match judge(&case, how, report) {
        Ok(truth) => report.counts[kind][truth as usize] += 1,
        Err(what) => {
            let name = Placement::ALL[kind].name();
            report.failures.add(|| format!("pair {index} ({name}), {what}"));
        }
    }
}

/// How a pair is checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// Falsify the kernel's answer.
    pub falsely: bool,
    /// Check the oracle as well.
    pub rationally: bool,
    /// Check depth, distance, normal and containment; done anyway where the kernel says that it is not certain.
    pub closely: bool,
}

/// Asks the kernel about a pair of polytopes: the truth, or what is wrong.
pub fn judge(case: &Case, how: How, report: &mut Report) -> Result<Place, String> {
    let (Some(a), Some(b)) = (case.a.points(), mapped(case)) else {
        return Err("not a pair of polytopes".into());
    };
    let (truth, way) = polytope::place(&a, &b);
    report.undecided += u64::from(way == Way::Rational);
    let mut answer = ask(case).map_err(|error| error.to_string())?;
    if how.falsely {
        answer.signed.distance =
            if truth == Place::Outside { -1.0 } else { 1.0 } * scale(&a, &b).max(f64::MIN_POSITIVE);
    }
    report.hash.byte(code(answer.verdict));
    report.hash.number(answer.signed.distance);
    let mut wrong = quick(&a, &b, truth, &answer);
    if how.rationally && linear::rational(&a, &b) != truth {
        wrong.push(format!("the oracle itself says {truth:?}, the rational program does not"));
    }
    let doubtful = answer.signed.uncertainty > DEPTH * scale(&a, &b);
    report.doubtful += u64::from(doubtful);
    if how.closely || doubtful {
        let placed = [&a, &b].map(|points| Placed::still(Solid::Points(points.clone()), 0.0));
        wrong.extend(closely(&a, &b, &placed, truth, &answer, report));
        // Triangles and segments are surfaces, which are never contained.
        let solids = case.a.is_solid() && case.b.is_solid();
        wrong.extend(containment(&a, &b, solids, answer.verdict));
    }
    if wrong.is_empty() {
        return Ok(truth);
    }
    Err(format!(
        "{} and {}: {}\n  rotation {:?} translation {:?}\n  A{}\n  B in A{}",
        case.a.name(),
        case.b.name(),
        wrong.join("; "),
        case.rotation,
        case.translation,
        describe(&a),
        describe(&b)
    ))
}

/// B's corners in A. Of a hull they are those that it has in its own frame: a point in the middle of a face is not a corner, though it
/// might stick out by a rounding once it is mapped.
fn mapped(case: &Case) -> Option<Vec<Point>> {
    let pose = case.pose().ok()?;
    let own: Vec<DVec3> = match case.b.shape().ok()? {
        Shape::Hull(hull) => hull.vertices().to_vec(),
        _ => case.b.points()?.into_iter().map(DVec3::from_array).collect(),
    };
    Some(own.into_iter().map(|p| pose.transform_point(p).to_array()).collect())
}

/// The largest coordinate.
fn scale(a: &[Point], b: &[Point]) -> f64 {
    a.iter().chain(b).flatten().fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Separated => 0,
        Verdict::Touching => 1,
        Verdict::Penetrating => 2,
        Verdict::Contained(Inside::A) => 3,
        Verdict::Contained(Inside::B) => 4,
    }
}

/// What is wrong with the verdict, the overlap and the sign.
fn quick(a: &[Point], b: &[Point], truth: Place, answer: &Answer) -> Vec<String> {
    let mut wrong = Vec::new();
    let (d, band) = (answer.signed.distance, SIGN * scale(a, b));
    if answer.overlap != (truth != Place::Outside) {
        wrong.push(format!("overlap {}, exact arithmetic says {truth:?}", answer.overlap));
    }
    let fine = match answer.verdict {
        Verdict::Separated => truth == Place::Outside,
        Verdict::Touching => truth == Place::Boundary,
        Verdict::Penetrating => truth == Place::Inside,
        Verdict::Contained(_) => truth != Place::Outside,
    };
    if !fine {
        wrong.push(format!("verdict {:?}, exact arithmetic says {truth:?}", answer.verdict));
    }
    let sign = match truth {
        Place::Outside => d >= -band,
        Place::Boundary => d.abs() <= band,
        Place::Inside => d <= band,
    };
    if !sign || d.is_nan() {
        wrong.push(format!("signed distance {d:?} of a pair that is {truth:?}, band {band:e}"));
    }
    let gap = answer.distance;
    if beyond((gap - d.max(0.0)).abs(), DEPTH * scale(a, b)) {
        wrong.push(format!("distance {gap:?} beside the signed distance {d:?}"));
    }
    wrong
}

/// What is wrong with depth, distance, normal and containment.
fn closely(
    a: &[Point],
    b: &[Point],
    placed: &[Placed; 2],
    truth: Place,
    answer: &Answer,
    report: &mut Report,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let (d, scale) = (answer.signed.distance, scale(a, b));
    let allowed = DEPTH * scale;
    let along = gap_along(placed, answer.signed.normal.to_array());
    if beyond((along - d).abs(), allowed + answer.signed.uncertainty) {
        // Two points that are hardly apart hardly have a direction: counted, but not held against the kernel.
        if truth == Place::Outside && d.abs() < NEAR * scale {
            report.normals += 1;
        } else {
            wrong.push(format!("signed distance {d:?}, but {along:?} along its normal"));
        }
    }
    let [p, q] = answer.signed.points;
    if beyond((answer.signed.normal.dot(q - p) - d).abs(), allowed) {
        wrong.push(format!("the points {p:?} {q:?} are not {d:?} apart along the normal"));
    }
    if truth == Place::Inside {
        report.depths += 1;
        let Some(square) = minkowski::depth_squared(a, b) else {
            return vec!["the oracle finds no face of the difference".into()];
        };
        let exact = distance::root(&square);
        report.worst = report.worst.max((exact + d).abs() / scale);
        if !distance::within(-d, &square, allowed) {
            wrong.push(format!("depth {:?}, exact arithmetic says {exact:?}", -d));
        }
    } else if truth == Place::Outside {
        report.distances += 1;
        let found = bounds::signed_distance(&placed[0], &placed[1], 0.1 * allowed, 200_000);
        if d < found.low - allowed || d > found.high + allowed {
            wrong.push(format!(
                "distance {d:?} ± {:e} {:?}, certified from {:?} to {:?}",
                answer.signed.uncertainty, answer.signed.certainty, found.low, found.high
            ));
        }
    }
    wrong
}

/// The gap between A and B seen along a direction.
pub fn gap_along(placed: &[Placed; 2], n: Point) -> f64 {
    let opposite = n.map(|x| -x);
    let [a, b] = placed;
    dot(b.support(opposite), n) - dot(a.support(n), n) - a.radius - b.radius
}

/// What is wrong with the answer whether one contains the other.
fn containment(a: &[Point], b: &[Point], solids: bool, verdict: Verdict) -> Option<String> {
    let inside = [solids && polytope::contained(a, b), solids && polytope::contained(b, a)];
    let fine = match verdict {
        Verdict::Contained(Inside::A) => inside[0],
        Verdict::Contained(Inside::B) => inside[1],
        _ => inside == [false, false],
    };
    (!fine).then(|| format!("verdict {verdict:?}, A in B: {}, B in A: {}", inside[0], inside[1]))
}

fn print(report: &Report, done: u64, seconds: f64) {
    println!("{:<16} {:>11} {:>11} {:>11}", "placement", "separated", "touching", "penetrating");
    for (kind, counts) in Placement::ALL.iter().zip(&report.counts) {
        println!("{:<16} {:>11} {:>11} {:>11}", kind.name(), counts[0], counts[1], counts[2]);
    }
    println!(
        "{done} pairs of polytopes in {seconds:.1} s, {} of them decided by rational numbers only; {} depths, worst error {:.1e} of the scale; {} distances; {} intervals wider than 1e-9; {} poor normals between bodies hardly apart",
        report.undecided,
        report.depths,
        report.worst,
        report.distances,
        report.doubtful,
        report.normals
    );
    report.curved.print();
    println!("hash {}", report.hash);
    report.failures.print();
    println!("wrong: {}", report.failures.count);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(inject_fault: bool) -> Options {
        Options { pairs: 4000, seed: 9, start: 0, inject_fault }
    }

    #[test]
    fn short_soak() {
        let report = run(&options(false));
        assert!(report.passed());
        assert!(report.depths > 2 && report.distances > 5 && report.curved.pairs == 40);
        for place in 0..3 {
            assert!(report.counts.iter().map(|counts| counts[place]).sum::<u64>() > 100);
        }
    }

    #[test]
    fn an_injected_fault_is_noticed() {
        assert_eq!(run(&options(true)).failures.count, 5);
    }
}
