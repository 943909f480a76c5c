//! Local penetrations of random closed pairs: every interval must be narrow, its lower end must be the depth of a common point, and no point of a dense
//! sample of the common room may lie deeper than its upper end. Every pair that overlaps must be answered.
//!
//! Half of the sample is taken from the box that both share, the other half between points where an edge of one passes through a face of the other, so that
//! overlaps too thin for the first half are met too. Depths are found by brute force over all triangles, without the kernel: plain distances in f64, and
//! the sum of solid angles.

use super::Failures;
use super::progress::Progress;
use crate::generate::dirty::Kind;
use crate::generate::placed::{Case, case, corners};
use impinge::geom::Verdict;
use impinge::geom::glam::DVec3;
use impinge::mesh::{self, Accuracy, LocalPenetration, Mesh, Mode, Scratch};
use impinge_lab::Random;

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many pairs that overlap.
    #[arg(long, default_value_t = 1000)]
    pub pairs: u64,
    /// Every seed gives other pairs.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Points of the common box at which each pair is sampled.
    #[arg(long, default_value_t = 4096)]
    pub samples: u32,
    /// Lower the upper ends of some answers: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// With an injected fault, one pair in this many is answered falsely.
const FAULT: u64 = 7;
/// Intervals may be this wide, as a share of the lower end,
const RELATIVE: f64 = 0.01;
/// or as long as this,
const ABSOLUTE: f64 = 1e-6;
/// or as wide as this share of the largest coordinate: rounding.
const ROUNDING: f64 = 1e-12;
/// Seeds that are tried for one pair that overlaps, at most.
const TRIES: u64 = 1000;

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Pairs that overlap, and how many of them lie one in the other.
    pub pairs: u64,
    /// Pairs of which one lies in the other.
    pub contained: u64,
    /// Pairs that overlap and for which no common point was found.
    pub missing: u64,
    /// Sampled points, and how many of them were common.
    pub samples: [u64; 2],
    /// The widest interval, as a share of what is allowed.
    pub widest: f64,
    /// The largest sampled depth over the upper end of its pair.
    pub nearest: f64,
    /// Wrong answers.
    pub failures: Failures,
    /// Whether all pairs were done.
    pub finished: bool,
}

impl Report {
    /// Everything was done, and nothing was wrong.
    pub fn passed(&self) -> bool {
        self.finished && self.failures.count == 0 && self.missing == 0
    }
}

/// Runs the soak and prints what it found.
pub fn run(options: &Options) -> Report {
    let (mut report, mut scratch) = (Report::default(), Scratch::default());
    let mut progress = Progress::new("pairs of solids", options.pairs);
    let mut tried = 0;
    let limit = options.pairs.saturating_mul(TRIES);
    while report.pairs < options.pairs && tried < limit && progress.go_on(report.pairs) {
        one(options, tried, &mut scratch, &mut report);
        tried += 1;
    }
    report.finished = report.pairs == options.pairs;
    let seconds = progress.end(report.pairs);
    print(&report, seconds);
    report
}

fn print(report: &Report, seconds: f64) {
    report.failures.print();
    let Report { pairs, contained, missing, samples: [points, common], widest, nearest, .. } =
        report;
    println!(
        "{pairs} pairs of closed meshes that overlap, {contained} of them contained, {missing} without a common point; {seconds:.1} s"
    );
    println!(
        "{points} points sampled, {common} common; the deepest at {nearest:.6} of the upper end"
    );
    println!(
        "the widest interval is {widest:.3} of max(1 %, 1e-6); {} wrong",
        report.failures.count
    );
}

fn one(options: &Options, number: u64, scratch: &mut Scratch, report: &mut Report) {
    let mut random = Random::new(options.seed.wrapping_mul(0x9e37_79b9) ^ number);
    let pair = case(&mut random);
    let closed = |kind: Kind| matches!(kind, Kind::Blocks | Kind::Divided | Kind::Convex);
    if !pair.bodies.iter().all(|body| closed(body.kind)) {
        return;
    }
    let made = |k: usize| Mesh::new(&pair.bodies[k].vertices, &pair.bodies[k].triangles);
    let (Ok(a), Ok(b)): (Result<Mesh, _>, Result<Mesh, _>) = (made(0), made(1)) else { return };
    if !a.is_closed() || !b.is_closed() {
        return;
    }
    let verdict = mesh::verdict(&a, &b, &pair.place, Mode::Solid, scratch).verdict;
    if !matches!(verdict, Verdict::Penetrating | Verdict::Contained(_)) {
        return;
    }
    let accuracy = Accuracy { relative: RELATIVE, absolute: ABSOLUTE, ..Accuracy::default() };
    let found = mesh::local_penetration(&a, &b, &pair.place, &accuracy, scratch);
    report.pairs += 1;
    report.contained += u64::from(matches!(verdict, Verdict::Contained(_)));
    let Some(mut found) = found else {
        report.missing += 1;
        return;
    };
    if options.inject_fault && number.is_multiple_of(FAULT) {
        found.depths.iter_mut().for_each(|depth| depth.upper = 0.5 * depth.value);
    }
    judge(&pair, number, &found, options.samples, &mut random, report);
}

fn judge(
    pair: &Case,
    number: u64,
    found: &LocalPenetration,
    samples: u32,
    random: &mut Random,
    report: &mut Report,
) {
    let surfaces = surfaces(pair);
    let slack = ROUNDING * size(&surfaces);
    let kinds = pair.bodies.each_ref().map(|body| body.kind);
    for (k, depth) in found.depths.iter().enumerate() {
        let allowed = (RELATIVE * depth.value).max(ABSOLUTE).max(slack);
        let wide = (depth.upper - depth.value) / allowed;
        report.widest = report.widest.max(wide);
        if !(0.0..=1.0).contains(&wide) {
            report
                .failures
                .add(|| format!("pair {number} {kinds:?}, surface {k}: the interval is {depth:?}"));
        }
        let there = distance(&surfaces[k], depth.point);
        let common = surfaces.iter().all(|faces| {
            distance(faces, depth.point) <= 8.0 * slack || winding(faces, depth.point) > 0.5
        });
        if (there - depth.value).abs() > 8.0 * slack || !common {
            report.failures.add(|| {
                format!("pair {number}, surface {k}: the point of {depth:?} is {there} deep, common: {common}")
            });
        }
    }
    sample(&surfaces, number, found.depths.map(|depth| depth.upper), samples, random, report);
}

/// The triangles of both bodies, in the frame of the first.
fn surfaces(pair: &Case) -> [Vec<[DVec3; 3]>; 2] {
    corners(&pair.bodies, &pair.place)
        .map(|list| list.iter().map(|face| face.map(DVec3::from_array)).collect())
}

/// The largest coordinate.
fn size(surfaces: &[Vec<[DVec3; 3]>; 2]) -> f64 {
    let all = surfaces.iter().flatten().flatten();
    all.fold(0.0, |size: f64, p| size.max(p.abs().max_element()))
}

/// Samples the box that both share: no common point may lie deeper than the upper ends.
fn sample(
    surfaces: &[Vec<[DVec3; 3]>; 2],
    number: u64,
    uppers: [f64; 2],
    samples: u32,
    random: &mut Random,
    report: &mut Report,
) {
    let slack = ROUNDING * size(surfaces);
    let [of_a, of_b] = surfaces.each_ref().map(|faces| ends(faces));
    let (low, high) = (of_a.0.max(of_b.0), of_a.1.min(of_b.1));
    let passing = passing(surfaces);
    for index in 0..samples {
        let point = if index % 2 == 0 || passing.len() < 2 {
            let share = random.point().map(|x| 0.5 * x + 0.5);
            low + (high - low) * DVec3::from_array(share)
        } else {
            between(&passing, random)
        };
        report.samples[0] += 1;
        if !surfaces.iter().all(|faces| winding(faces, point) > 0.5) {
            continue;
        }
        report.samples[1] += 1;
        for (k, upper) in uppers.into_iter().enumerate() {
            let there = distance(&surfaces[k], point);
            report.nearest = report.nearest.max(there / upper.max(slack));
            if there > upper + slack {
                report.failures.add(|| {
                    format!("pair {number}, surface {k}: {point} is {there} deep, the upper end is {upper}")
                });
            }
        }
    }
}

/// Where the edges of either body pass through faces of the other.
fn passing([a, b]: &[Vec<[DVec3; 3]>; 2]) -> Vec<DVec3> {
    let mut points = Vec::new();
    for (edges, faces) in [(a, b), (b, a)] {
        for (p, q) in edges.iter().flat_map(|[p, q, r]| [(p, q), (q, r), (r, p)]) {
            for [u, v, w] in faces {
                let normal = (v - u).cross(w - u);
                let heights = [(p - u).dot(normal), (q - u).dot(normal)];
                if heights[0] * heights[1] >= 0.0 {
                    continue;
                }
                let point = p + (q - p) * (heights[0] / (heights[0] - heights[1]));
                let inner = |s: &DVec3, t: &DVec3| (t - s).cross(point - s).dot(normal) >= 0.0;
                if inner(u, v) && inner(v, w) && inner(w, u) {
                    points.push(point);
                }
            }
        }
    }
    points
}

/// A mean of three of the points with random weights.
fn between(points: &[DVec3], random: &mut Random) -> DVec3 {
    let mut pick = || points[random.below(points.len() as u64) as usize];
    let chosen = [pick(), pick(), pick()];
    let weights = [random.unit(), random.unit(), random.unit()];
    let sum = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    chosen.iter().zip(weights).map(|(p, weight)| *p * (weight / sum)).sum()
}

fn ends(faces: &[[DVec3; 3]]) -> (DVec3, DVec3) {
    let empty = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    faces.iter().flatten().fold(empty, |(low, high), p| (low.min(*p), high.max(*p)))
}

/// The distance to the nearest of the triangles.
fn distance(faces: &[[DVec3; 3]], point: DVec3) -> f64 {
    faces.iter().map(|face| to_triangle(face, point)).fold(f64::INFINITY, f64::min)
}

/// To the plane, if the foot is in the triangle, else to the nearest side.
fn to_triangle(&[a, b, c]: &[DVec3; 3], point: DVec3) -> f64 {
    let normal = (b - a).cross(c - a);
    let inner = |p: DVec3, q: DVec3| (q - p).cross(point - p).dot(normal) >= 0.0;
    if normal.length_squared() > 0.0 && inner(a, b) && inner(b, c) && inner(c, a) {
        return (point - a).dot(normal.normalize()).abs();
    }
    let to_side = |p: DVec3, q: DVec3| {
        let way = q - p;
        let share = (point - p).dot(way) / way.length_squared().max(f64::MIN_POSITIVE);
        point.distance(p + way * share.clamp(0.0, 1.0))
    };
    to_side(a, b).min(to_side(b, c)).min(to_side(c, a))
}

/// The size of the winding number, by the solid angles of all triangles.
fn winding(faces: &[[DVec3; 3]], point: DVec3) -> f64 {
    let angle = |face: &[DVec3; 3]| {
        let [a, b, c] = face.map(|p| (p - point).normalize_or_zero());
        a.dot(b.cross(c)).atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
    };
    (faces.iter().map(angle).sum::<f64>() / std::f64::consts::TAU).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: u64) -> Options {
        Options { pairs, seed: 1, samples: 512, inject_fault: false }
    }

    #[test]
    fn intervals_are_narrow_and_hold_all_samples() {
        let report = run(&options(40));
        assert!(report.passed(), "{report:?}");
        assert!(report.samples[1] > 1000);
    }

    #[test]
    fn the_depth_below_one_surface_bounds_that_below_the_other() {
        // Blocks that are flush by a unit in the last place: the inside of one takes more cells than are opened, that of the other few.
        let mut report = Report::default();
        one(&options(1), 3679, &mut Scratch::default(), &mut report);
        assert!(report.pairs == 1 && report.failures.count == 0, "{report:?}");
    }

    #[test]
    fn a_fault_is_noticed() {
        assert!(run(&Options { inject_fault: true, ..options(40) }).failures.count > 0);
    }
}
