//! Shapes whose sizes are up to sixty decades apart: every answer agrees with itself, and what is called exact is so.
//!
//! Where both bodies are points, segments, triangles, boxes or hulls, swept by balls or not, the truth is the exact distance or depth of the points, less the
//! radii: fractions of integers. The other kinds are compared with bounds that are certified in f64, to the rounding of the largest number.

use super::progress::Progress;
use super::{Failures, Hash};
use crate::generate::convex::Case;
use crate::generate::extremes::extremes;
use crate::oracle::solid::{Placed, Solid};
use crate::oracle::{Place, Point, bounds, distance, minkowski, polytope};
use dashu_ratio::RBig;
use impinge::geom::{Certainty, Pose, Verdict};
use impinge::query::{self, Workspace};
use impinge_lab::Random;

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many pairs.
    #[arg(long, default_value_t = 1_000_000)]
    pub pairs: u64,
    /// Every seed gives other pairs.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of the first, to repeat a part of a run.
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// One pair in this many has its distance compared with the truth.
    #[arg(long, default_value_t = 1)]
    pub closely: u64,
    /// Falsify some of the kernel's answers: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// With an injected fault, one pair in this many is answered falsely.
const FAULT: u64 = 97;
/// What is called exact is within this of the truth, times the scale; the documentation says so.
const EXACT: f64 = 1e-12;
/// Rounding of coordinates, as a multiple of the largest of them.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// The points may be farther apart than the distance says by this part of it.
const APART: f64 = 1e-9;
/// Directions that bounds look at.
const LIMIT: usize = 4000;
/// One pair of curved bodies in this many is compared with bounds.
const BOUNDED: u64 = 16;

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Pairs looked at.
    pub pairs: u64,
    /// Those whose distance or depth was compared with a fraction.
    pub compared: u64,
    /// Those that were compared with certified bounds.
    pub bounded: u64,
    /// By certainty: exact, bound, estimate.
    pub certainties: [u64; 3],
    /// Answers that contradict themselves.
    pub contradictions: Failures,
    /// Answers that are called exact and are not, or are beyond their bound.
    pub wrong: Failures,
    /// The hash over all answers.
    pub hash: Hash,
    /// Whether all pairs were done.
    pub finished: bool,
}

impl Report {
    /// Everything was done, and nothing was wrong.
    pub fn passed(&self) -> bool {
        self.finished && self.contradictions.count + self.wrong.count == 0
    }
}

/// Runs the soak and prints what it found.
pub fn run(options: &Options) -> Report {
    let mut report = Report::default();
    let mut progress = Progress::new("pairs", options.pairs);
    let mut workspace = Workspace::default();
    let mut done = 0;
    while done < options.pairs && progress.go_on(done) {
        one(options, options.start + done, &mut workspace, &mut report);
        done += 1;
    }
    report.finished = done == options.pairs;
    let seconds = progress.end(done);
    let [exact, bound, estimate] = report.certainties;
    report.contradictions.print();
    report.wrong.print();
    println!(
        "{done} pairs over 60 decades in {seconds:.1} s: {} contradictions, {} wrong; {} compared with fractions, {} with bounds; \
         {exact} exact, {bound} bounds, {estimate} estimates; hash {}",
        report.contradictions.count,
        report.wrong.count,
        report.compared,
        report.bounded,
        report.hash
    );
    report
}

/// What the kernel says.
#[derive(Clone, Copy, Debug)]
struct Answer {
    verdict: Verdict,
    distance: f64,
    uncertainty: f64,
    certainty: Certainty,
    points: [Point; 2],
}

fn one(options: &Options, index: u64, workspace: &mut Workspace, report: &mut Report) {
    let mut random =
        Random::new(options.seed.wrapping_mul(0xa076_1d64_78bd_642f).wrapping_add(index));
    let case = extremes(index, &mut random);
    let (Ok(a), Ok(b), Ok(pose)) = (case.a.shape(), case.b.shape(), case.pose()) else {
        report.wrong.add(|| format!("pair {index} was refused: {case:?}"));
        return;
    };
    let still = Pose::IDENTITY;
    let relation = query::relation_with(&still, &a, &pose, &b, workspace);
    let found = query::signed_distance_with(&still, &a, &pose, &b, workspace);
    let gap = query::distance_with(&still, &a, &pose, &b, workspace);
    let mut answer = Answer {
        verdict: relation.verdict,
        distance: found.distance,
        uncertainty: found.uncertainty,
        certainty: found.certainty,
        points: found.points.map(|point| point.to_array()),
    };
    if options.inject_fault && index.is_multiple_of(FAULT) {
        answer.distance += 1e-6 * (1.0 + answer.distance.abs());
    }
    report.pairs += 1;
    report.certainties[answer.certainty as usize] += 1;
    report.hash.number(answer.distance);
    if let Some(what) = contradiction(&answer, gap.distance) {
        report.contradictions.add(|| describe(index, &case, &answer, &what));
    }
    if !index.is_multiple_of(options.closely) {
        return;
    }
    let placed = case.placed(&pose);
    let wrong = match [&placed[0].solid, &placed[1].solid] {
        [Solid::Points(_), Solid::Points(_)] => {
            report.compared += 1;
            against_fractions(&case, &pose, &answer)
        }
        _ if (index / 144).is_multiple_of(BOUNDED) => {
            report.bounded += 1;
            against_bounds(&placed, &answer)
        }
        _ => None,
    };
    if let Some(what) = wrong {
        report.wrong.add(|| describe(index, &case, &answer, &what));
    }
}

fn describe(index: u64, case: &Case, answer: &Answer, what: &str) -> String {
    format!(
        "pair {index}, {} and {}: {what}\n  {answer:?}\n  {case:?}",
        case.a.name(),
        case.b.name()
    )
}

/// How an answer contradicts itself, if it does.
fn contradiction(answer: &Answer, gap: f64) -> Option<String> {
    let Answer { verdict, distance, points, certainty, .. } = *answer;
    if distance.is_nan() || points.iter().flatten().any(|x| !x.is_finite()) {
        return Some("a number is none".into());
    }
    let largest = points.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    let fits = match verdict {
        Verdict::Separated => distance > 0.0,
        // Within the band that counts as touching.
        Verdict::Touching => true,
        Verdict::Penetrating => distance <= 0.0,
        Verdict::Contained(_) => distance <= ROUNDING * largest,
    };
    if !fits {
        return Some(format!("{verdict:?} at the distance {distance:e}"));
    }
    if verdict == Verdict::Separated && (gap - distance).abs() > APART * distance {
        return Some(format!("the distance is {gap:e}, the signed distance {distance:e}"));
    }
    if certainty == Certainty::Estimate {
        return None;
    }
    let way: Point = std::array::from_fn(|c| points[1][c] - points[0][c]);
    let size = way.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let apart = if size > 0.0 {
        way.iter().map(|x| (x / size) * (x / size)).sum::<f64>().sqrt() * size
    } else {
        0.0
    };
    let slack = APART * distance.abs() + ROUNDING * largest + answer.uncertainty;
    if (apart - distance.abs()).abs() > slack {
        return Some(format!("the points are {apart:e} apart"));
    }
    None
}

/// The largest coordinate or size.
fn scale(placed: &[Placed; 2]) -> f64 {
    placed[0].scale().max(placed[1].scale())
}

/// What is wrong with the distance of two bodies that are points swept by balls.
fn against_fractions(case: &Case, pose: &Pose, answer: &Answer) -> Option<String> {
    let Solid::Points(a) = case.a.solid() else { return None };
    let Solid::Points(own) = case.b.solid() else { return None };
    let b: Vec<Point> = own.iter().map(|p| pose.transform_point((*p).into()).to_array()).collect();
    let allowed = allowed(&case.placed(pose), answer)?;
    let radii = RBig::try_from(case.a.radius).ok()? + RBig::try_from(case.b.radius).ok()?;
    let core = RBig::try_from(answer.distance).ok()? + radii;
    let (place, _) = polytope::place(&a, &b);
    let square = match place {
        Place::Outside => squared(&a, &b),
        Place::Boundary => RBig::ZERO,
        // A depth that is no minimum over faces, as that of flat bodies, is not compared.
        Place::Inside => minkowski::depth_squared(&a, &b)?,
    };
    let core = if place == Place::Outside { core } else { -core };
    let allowed = RBig::try_from(allowed).ok()?;
    let (low, high) = (&core - &allowed, &core + &allowed);
    let fits = high >= RBig::ZERO
        && square <= &high * &high
        && (low <= RBig::ZERO || &low * &low <= square);
    let truth = || {
        let core = distance::root(&square);
        let core = if place == Place::Outside { core } else { -core };
        core - case.a.radius - case.b.radius
    };
    (!fits).then(|| format!("the truth is {:e}", truth()))
}

/// How far an answer may be off; none if it promises nothing.
fn allowed(placed: &[Placed; 2], answer: &Answer) -> Option<f64> {
    match answer.certainty {
        Certainty::Exact => Some(EXACT * scale(placed)),
        Certainty::Bound => Some(answer.uncertainty + EXACT * scale(placed)),
        Certainty::Estimate => None,
    }
}

/// The exact squared distance of two hulls that have no common point: the least of those of all triangles of their points.
fn squared(a: &[Point], b: &[Point]) -> RBig {
    let triangles = |points: &[Point]| -> Vec<[Point; 3]> {
        match *points {
            [p] => vec![[p; 3]],
            [p, q] => vec![[p, q, q]],
            [p, q, r] => vec![[p, q, r]],
            // The sides of a box, by the bits of its corners.
            ref corners if corners.len() == 8 => {
                [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]
                    .iter()
                    .flat_map(|&[i, j, k, l]| {
                        [[corners[i], corners[j], corners[k]], [corners[i], corners[k], corners[l]]]
                    })
                    .collect()
            }
            ref all => {
                let count = all.len();
                let triples = (0..count).flat_map(|i| {
                    (i + 1..count).flat_map(move |j| (j + 1..count).map(move |k| [i, j, k]))
                });
                triples.map(|triple| triple.map(|k| all[k])).collect()
            }
        }
    };
    let (a, b) = (triangles(a), triangles(b));
    let pairs = a.iter().flat_map(|one| b.iter().map(move |two| (one, two)));
    pairs.map(|(one, two)| distance::squared(one, two)).min().unwrap_or(RBig::ZERO)
}

/// What is wrong with a distance, as far as certified bounds tell.
fn against_bounds(placed: &[Placed; 2], answer: &Answer) -> Option<String> {
    let allowed = allowed(placed, answer)?;
    let scale = scale(placed);
    let truth = bounds::signed_distance(&placed[0], &placed[1], 1e-10 * scale, LIMIT);
    let slack = allowed + 4.0 * EXACT * scale;
    let fits = answer.distance >= truth.low - slack && answer.distance <= truth.high + slack;
    (!fits).then(|| format!("the truth is from {:e} to {:e}", truth.low, truth.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(inject_fault: bool) -> Options {
        Options { pairs: 1440, seed: 1, start: 0, closely: 3, inject_fault }
    }

    /// What it finds in the kernel is reported, and not yet asked to be nothing.
    #[test]
    fn a_short_soak_is_repeatable_and_notices_false_answers() {
        let (report, again) = (run(&options(false)), run(&options(false)));
        assert!(report.finished && report.compared > 100 && report.bounded > 10, "{report:?}");
        assert_eq!(report.hash, again.hash);
        let faulty = run(&options(true));
        let found = |report: &Report| report.contradictions.count + report.wrong.count;
        assert!(found(&faulty) > found(&report) + 3, "{faulty:?}");
    }
}
