//! Pairs of small, dirty meshes: every answer of the hierarchies against exact brute force.
//!
//! Volumes and builders take turns, one of each to a pair; the policies and orders of descent all answer. Every pair of
//! triangles is decided by the oracle on the coordinates in A's frame; all queries must agree with that.

use super::progress::Progress;
use super::{Failures, Hash, standing};
use crate::generate::dirty::{Body, Kind};
use crate::generate::placed::{Case, case, corners};
use crate::oracle::closed::Standing;
use crate::oracle::{Place, Point, distance, triangle as oracle};
use impinge::geom::bound::{Aabb, Bound, Obb, ObbRss, Rss};
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::{self as kernel, TriangleDistance, TriangleVerdict};
use impinge::geom::{Certainty, Verdict};
use impinge::mesh::{self, Mesh, Mode, Relation, Scratch};
use impinge::tree::Builder;
use impinge::tree::traverse::{Order, Policy};
use impinge_lab::Random;

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many pairs.
    #[arg(long, default_value_t = 100_000)]
    pub pairs: u64,
    /// Every seed gives other pairs.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of the first, to repeat a part of a run.
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// Falsify some of the answers: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// One pair in this many has its distance checked by exact arithmetic; all have it checked by brute force.
const DISTANCE: u64 = 20;
/// With an injected fault, one pair in this many is answered falsely.
const FAULT: u64 = 97;
/// How many builders take turns.
const BUILDERS: usize = Builder::ALL.len();

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Pairs by the kind of A, and by the deepest place of any two triangles: apart, touching, crossing.
    pub counts: [[u64; 3]; Kind::ALL.len()],
    /// Pairs of triangles decided exactly, and those among them that meet.
    pub triangles: [u64; 2],
    /// Pairs by volume and builder.
    pub hierarchies: [[u64; BUILDERS]; 4],
    /// Pairs of solids by how they relate, in the order of [`Standing::ALL`].
    pub standings: [u64; 5],
    /// Wrong answers.
    pub failures: Failures,
    /// Pairs whose distance was checked by exact arithmetic.
    pub distances: u64,
    /// The largest error of a distance as a fraction of what is allowed.
    pub worst: f64,
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
    let mut scratch = Scratch::default();
    let mut progress = Progress::new("pairs of meshes", options.pairs);
    let mut done = 0;
    while done < options.pairs && progress.go_on(done) {
        one(options, options.start + done, &mut scratch, &mut report);
        done += 1;
    }
    report.finished = done == options.pairs;
    let seconds = progress.end(done);
    print(&report, done, seconds);
    report
}

/// What is true of a pair.
struct Truth {
    corners: [Vec<[Point; 3]>; 2],
    /// The pairs of triangles that meet, in order.
    pairs: Vec<(u32, u32, Place)>,
    /// The least distance of two triangles, and the first pair that has it.
    least: ([u32; 2], TriangleDistance),
    /// How the solids relate, where that is known.
    standing: Option<Standing>,
}

/// What was answered.
struct Answer {
    pairs: Vec<(u32, u32, Place)>,
    overlaps: [bool; 3],
    distances: [mesh::MeshDistance; 2],
    surfaces: Relation,
    solids: Relation,
}

fn one(options: &Options, index: u64, scratch: &mut Scratch, report: &mut Report) {
    let seed = options.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(index);
    let case = case(&mut Random::new(seed));
    let truth = truth(&case, report);
    let (volume, builder) = ((index % 4) as usize, (index / 4) as usize % BUILDERS);
    report.hierarchies[volume][builder] += 1;
    let ask = [ask::<Aabb>, ask::<Obb>, ask::<Rss>, ask::<ObbRss>][volume];
    let mut wrong = Vec::new();
    let policy = Policy::ALL[(index / 4) as usize / BUILDERS % 3];
    match ask(&case, Builder::ALL[builder], policy, scratch) {
        Ok(mut answer) => {
            if options.inject_fault && index.is_multiple_of(FAULT) {
                falsify(&mut answer, truth.standing, index / FAULT);
            }
            take(&mut report.hash, &answer);
            wrong = compare(&answer, &truth);
            if wrong.is_empty() && index.is_multiple_of(DISTANCE) && truth.pairs.is_empty() {
                report.distances += 1;
                match exact_distance(&answer, &truth) {
                    Ok(error) => report.worst = report.worst.max(error),
                    Err(what) => wrong.push(what),
                }
            }
        }
        Err(error) => wrong.push(error),
    }
    let deepest = truth.pairs.iter().map(|pair| pair.2).max().unwrap_or(Place::Outside);
    let [a, b] = case.bodies.each_ref().map(|body| body.kind.name());
    report.counts[kind_index(&case.bodies[0])][deepest as usize] += 1;
    if !wrong.is_empty() {
        let (volume, builder) = (["AABB", "OBB", "RSS", "OBBRSS"][volume], Builder::ALL[builder]);
        let placing = case.placing.name();
        report.failures.add(|| {
            format!(
                "pair {index} ({a} against {b}, {placing}, {volume}, {builder:?}): {}",
                wrong.join("; ")
            )
        });
    }
}

fn kind_index(body: &Body) -> usize {
    Kind::ALL.iter().position(|kind| *kind == body.kind).unwrap_or(0)
}

/// Every pair of triangles, exactly.
fn truth(case: &Case, report: &mut Report) -> Truth {
    let corners = corners(&case.bodies, &case.place);
    let boxes = corners.each_ref().map(|list| list.iter().map(bounds).collect::<Vec<_>>());
    let slack = slack(&corners);
    let mut pairs = Vec::new();
    let mut least: Option<([u32; 2], TriangleDistance)> = None;
    for (i, a) in corners[0].iter().enumerate() {
        for (j, b) in corners[1].iter().enumerate() {
            // Boxes that are apart need no arithmetic, so this is as exact as the oracle.
            let gap = gap(&boxes[0][i], &boxes[1][j]);
            let place = if gap > 0.0 { Place::Outside } else { oracle::place(a, b) };
            if place != Place::Outside {
                pairs.push((i as u32, j as u32, place));
            }
            // What is farther than the best by more than distances may be wrong is not measured.
            if least.is_none_or(|(_, found)| gap <= found.distance + slack) {
                let found = kernel::distance(&a.map(DVec3::from_array), &b.map(DVec3::from_array));
                if least.is_none_or(|(_, best)| found.distance < best.distance) {
                    least = Some(([i as u32, j as u32], found));
                }
            }
        }
    }
    let standing = standing::truth(case)
        .or_else(|| standing::by_volume(&case.bodies, &corners, !pairs.is_empty()));
    if let Some(standing) = standing {
        report.standings[standing as usize] += 1;
    }
    report.triangles[0] += (corners[0].len() * corners[1].len()) as u64;
    report.triangles[1] += pairs.len() as u64;
    let nothing = TriangleDistance {
        distance: f64::INFINITY,
        points: [DVec3::ZERO; 2],
        features: [impinge::geom::Feature::vertex(0); 2],
    };
    Truth { corners, pairs, least: least.unwrap_or(([0; 2], nothing)), standing }
}

type Bounds = [Point; 2];

fn bounds(triangle: &[Point; 3]) -> Bounds {
    let fold = |pick: fn(f64, f64) -> f64| -> Point {
        std::array::from_fn(|c| pick(pick(triangle[0][c], triangle[1][c]), triangle[2][c]))
    };
    [fold(f64::min), fold(f64::max)]
}

/// The largest gap along an axis, at most the distance; positive iff the boxes have no common point.
fn gap(a: &Bounds, b: &Bounds) -> f64 {
    (0..3).fold(0.0, |most: f64, c| most.max(a[0][c] - b[1][c]).max(b[0][c] - a[1][c]))
}

/// More than any distance of two of the triangles may be wrong by.
fn slack(corners: &[Vec<[Point; 3]>; 2]) -> f64 {
    let coordinates = corners.iter().flatten().flatten().flatten();
    1e-11 * coordinates.fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// All that is asked of a pair.
fn ask<B: Bound>(
    case: &Case,
    builder: Builder,
    policy: Policy,
    scratch: &mut Scratch,
) -> Result<Answer, String> {
    let build = |body: &Body| {
        Mesh::<B>::with_builder(&body.vertices, &body.triangles, builder)
            .map_err(|error| error.to_string())
    };
    let (a, b, place) = (build(&case.bodies[0])?, build(&case.bodies[1])?, &case.place);
    let mut found = Vec::new();
    mesh::pairs_with(&a, &b, place, policy, scratch, &mut found, &mut ());
    let pairs = found
        .into_iter()
        .map(|(i, j, verdict)| match verdict {
            TriangleVerdict::Separated => (i, j, Place::Outside),
            TriangleVerdict::Touching => (i, j, Place::Boundary),
            TriangleVerdict::Crossing => (i, j, Place::Inside),
        })
        .collect();
    let overlaps =
        Policy::ALL.map(|policy| mesh::overlap_with(&a, &b, place, policy, scratch, &mut ()));
    let distances = [Order::DepthFirst, Order::BestFirst]
        .map(|order| mesh::distance_with(&a, &b, place, order, scratch, &mut ()));
    let [surfaces, solids] =
        [Mode::Surface, Mode::Solid].map(|mode| mesh::verdict(&a, &b, place, mode, scratch));
    Ok(Answer { pairs, overlaps, distances, surfaces, solids })
}

/// A small lie, another each time.
fn falsify(answer: &mut Answer, standing: Option<Standing>, which: u64) {
    match which % 4 {
        0 => {
            if answer.pairs.pop().is_none() {
                answer.pairs.push((0, 0, Place::Boundary));
            }
        }
        1 => {
            let told = if standing.is_some() { &mut answer.solids } else { &mut answer.surfaces };
            told.verdict = match told.verdict {
                Verdict::Touching => Verdict::Separated,
                _ => Verdict::Touching,
            };
        }
        2 => answer.overlaps[(which / 3 % 3) as usize] ^= true,
        _ => {
            let distance = &mut answer.distances[(which / 3 % 2) as usize].distance;
            *distance = distance.next_up();
        }
    }
}

fn take(hash: &mut Hash, answer: &Answer) {
    for (i, j, place) in &answer.pairs {
        hash.byte(*i as u8);
        hash.byte(*j as u8);
        hash.byte(*place as u8);
    }
    answer.overlaps.iter().for_each(|overlap| hash.byte(u8::from(*overlap)));
    answer.distances.iter().for_each(|found| hash.number(found.distance));
    for answer in [answer.surfaces, answer.solids] {
        hash.byte(standing::answered(answer.verdict) as u8);
    }
}

/// What is wrong with the answers.
fn compare(answer: &Answer, truth: &Truth) -> Vec<String> {
    let mut wrong = Vec::new();
    if answer.pairs != truth.pairs {
        let lost = truth.pairs.iter().filter(|pair| !answer.pairs.contains(pair)).count();
        let made_up = answer.pairs.iter().filter(|pair| !truth.pairs.contains(pair)).count();
        wrong.push(format!("of {} pairs {lost} are missing, {made_up} wrong", truth.pairs.len()));
    }
    for (policy, overlap) in Policy::ALL.iter().zip(answer.overlaps) {
        if overlap == truth.pairs.is_empty() {
            wrong.push(format!("overlap is {overlap} by {policy:?}"));
        }
    }
    let deepest = truth.pairs.iter().map(|pair| pair.2).max();
    let surfaces = match deepest {
        None | Some(Place::Outside) => Standing::Separated,
        Some(Place::Boundary) => Standing::Touching,
        Some(Place::Inside) => Standing::Penetrating,
    };
    if standing::answered(answer.surfaces.verdict) != surfaces {
        wrong.push(format!("the surfaces are {:?}, not {surfaces:?}", answer.surfaces));
    }
    let solids = standing::answered(answer.solids.verdict);
    if let Some(standing) = truth.standing
        && (solids != standing || answer.solids.certainty != Certainty::Exact)
    {
        wrong.push(format!("the solids are {:?}, not {standing:?}", answer.solids));
    }
    let (triangles, least) = &truth.least;
    for (order, found) in ["depth first", "best first"].iter().zip(&answer.distances) {
        let zero = found.distance == 0.0;
        if found.distance != least.distance || zero == truth.pairs.is_empty() {
            wrong.push(format!(
                "{order} the distance is {:e}, by brute force {:e}",
                found.distance, least.distance
            ));
        } else if found.triangles != *triangles || found.points != least.points {
            wrong.push(format!("{order} it is between {:?}, not {triangles:?}", found.triangles));
        }
    }
    wrong
}

/// The error of the distance as a fraction of what is allowed, or what is wrong.
fn exact_distance(answer: &Answer, truth: &Truth) -> Result<f64, String> {
    let found = answer.distances[0];
    let [a, b] = &truth.corners;
    let boxes = truth.corners.each_ref().map(|list| list.iter().map(bounds).collect::<Vec<_>>());
    let slack = slack(&truth.corners);
    let mut least: Option<(dashu_ratio::RBig, [usize; 2])> = None;
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            if gap(&boxes[0][i], &boxes[1][j]) > found.distance + slack {
                continue;
            }
            let square = distance::squared(x, y);
            if least.as_ref().is_none_or(|(best, _)| square < *best) {
                least = Some((square, [i, j]));
            }
        }
    }
    let Some((square, [i, j])) = least else { return Err("nothing is near".into()) };
    let [k, l] = found.triangles.map(|triangle| triangle as usize);
    let allowed = distance::tolerance(found.distance, &a[i], &b[j]).max(distance::tolerance(
        found.distance,
        &a[k],
        &b[l],
    ));
    let exact = distance::root(&square);
    if distance::within(found.distance, &square, allowed) {
        Ok((found.distance - exact).abs() / allowed)
    } else {
        Err(format!("the distance is {:e}, exactly {exact:e}, allowed {allowed:e}", found.distance))
    }
}

fn print(report: &Report, done: u64, seconds: f64) {
    println!("{:<16} {:>11} {:>11} {:>11}", "kind of A", "apart", "touching", "crossing");
    let mut totals = [0; 3];
    for (kind, counts) in Kind::ALL.iter().zip(&report.counts) {
        println!("{:<16} {:>11} {:>11} {:>11}", kind.name(), counts[0], counts[1], counts[2]);
        totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    println!("{:<16} {:>11} {:>11} {:>11}", "all", totals[0], totals[1], totals[2]);
    for (name, counts) in ["AABB", "OBB", "RSS", "OBBRSS"].iter().zip(&report.hierarchies) {
        println!("{name:<7} {counts:?} pairs by builder: {:?}", Builder::ALL);
    }
    println!(
        "{} pairs of triangles decided exactly, {} of them meet; {} distances checked exactly, worst error {:.1e} of the allowed",
        report.triangles[0], report.triangles[1], report.distances, report.worst
    );
    let [separated, touching, penetrating, a_in_b, b_in_a] = report.standings;
    println!(
        "solids: {separated} separated, {touching} touching, {penetrating} penetrating, {a_in_b} A in B, {b_in_a} B in A"
    );
    println!("{done} pairs of meshes in {seconds:.1} s; hash {}", report.hash);
    report.failures.print();
    println!("wrong: {}", report.failures.count);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(inject_fault: bool) -> Options {
        Options { pairs: 1500, seed: 5, start: 0, inject_fault }
    }

    #[test]
    fn short_soak() {
        let report = run(&options(false));
        assert!(report.passed());
        assert!(report.distances > 10);
        // Every kind meets, and all three places are common.
        assert!(report.counts.iter().all(|counts| counts.iter().sum::<u64>() > 50));
        assert!(report.standings.iter().all(|count| *count >= 1), "{:?}", report.standings);
        for place in 0..3 {
            assert!(report.counts.iter().map(|counts| counts[place]).sum::<u64>() > 100);
        }
    }

    #[test]
    fn an_injected_fault_is_noticed() {
        let report = run(&options(true));
        assert!(!report.passed());
        assert_eq!(report.failures.count, 16);
    }
}
