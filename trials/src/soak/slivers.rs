//! Rays at slivers: triangles whose area is a rounding error, and planes that the ray all but lies in.
//!
//! Hit or miss, and where, is compared with fractions: t to 1e-12 of the largest coordinate.

use super::progress::Progress;
use super::{Failures, Hash, describe};
use crate::oracle::{Point, ray as oracle};
use dashu_ratio::RBig;
use impinge::geom::Pose;
use impinge::geom::glam::DVec3;
use impinge::geom::ray::{Ray, triangle, triangle_before};
use impinge::{Mesh, query};
use impinge_lab::Random;

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many rays.
    #[arg(long, default_value_t = 1_000_000)]
    pub rays: u64,
    /// Every seed gives other triangles and rays.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of the first, to repeat a part of a run.
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// Move some hits by a hundred-thousandth of a millionth: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// With an injected fault, one hit in this many is moved.
const FAULT: u64 = 97;
/// How far t may be off, in lengths of the largest coordinate.
const EXACT: f64 = 1e-12;
/// How far the reported point may be beside the true one, likewise.
const BESIDE: f64 = 1e-9;

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Rays that hit.
    pub hits: u64,
    /// Hits in the plane of the triangle.
    pub level: u64,
    /// Wrong answers.
    pub failures: Failures,
    /// The hash over all hits.
    pub hash: Hash,
    /// Whether all rays were done.
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
    let mut progress = Progress::new("rays", options.rays);
    let mut done = 0;
    while done < options.rays && progress.go_on(done) {
        one(options, options.start + done, &mut report);
        done += 1;
    }
    report.finished = done == options.rays;
    let seconds = progress.end(done);
    report.failures.print();
    println!(
        "{done} rays at slivers in {seconds:.1} s: {} hits, {} of them in the plane; hash {}",
        report.hits, report.level, report.hash
    );
    println!("wrong: {}", report.failures.count);
    report
}

fn one(options: &Options, index: u64, report: &mut Report) {
    let mut random =
        Random::new(options.seed.wrapping_mul(0xa076_1d64_78bd_642f).wrapping_add(index));
    let corners = sliver(index, &mut random);
    let (origin, direction) = aimed(&corners, &mut random);
    let mut fail = |what: String| {
        let numbers = describe(&[corners[0], corners[1], corners[2], origin, direction]);
        report.failures.add(|| format!("ray {index}: {what}\n  triangle, origin, way{numbers}"));
    };
    // A direction without length is no ray.
    let Ok(ray) = Ray::new(origin, direction) else { return };
    let truth = oracle::parameter(&origin, &direction, &corners);
    let points = corners.map(DVec3::from_array);
    let mut hit = triangle(&ray, &points);
    if let Some(hit) = &mut hit
        && options.inject_fault
        && index.is_multiple_of(FAULT)
    {
        hit.t *= 1.0 + 1e-11;
    }
    let size = corners.iter().chain([&origin]).flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    match (&hit, &truth) {
        (None, None) => return,
        (Some(hit), Some(truth)) => {
            report.hash.number(hit.t);
            report.hits += 1;
            report.level += u64::from(oracle::meets(&origin, &direction, &corners).is_none());
            if let Some(what) = off(truth, hit.t, hit.point, size, &origin, &direction) {
                fail(format!("{what}, {hit:?}"));
            }
        }
        _ => return fail(format!("{hit:?}, the truth is {truth:?}")),
    }
    let Some(hit) = hit else { return };
    if options.inject_fault {
        return;
    }
    // What asks with a limit, and what goes through a hierarchy, has the same answer.
    if triangle_before(&ray, &points, hit.t) != Some(hit) {
        fail(format!("{hit:?}, and none before its own t"));
    }
    let Ok(mesh) = Mesh::new(&corners, &[[0, 1, 2]]) else { return };
    let found = query::cast_ray(&Pose::IDENTITY, &mesh, &ray);
    if found.map(|found| found.t) != Some(hit.t) {
        fail(format!("{hit:?}, and by the mesh {found:?}"));
    }
}

/// What is wrong with the numbers of a hit.
fn off(
    truth: &RBig,
    t: f64,
    point: DVec3,
    size: f64,
    origin: &Point,
    direction: &Point,
) -> Option<String> {
    let exact = |x: f64| RBig::try_from(x).unwrap_or(RBig::ZERO);
    let way = exact(direction.iter().fold(0.0_f64, |m, x| m.max(x.abs())));
    let magnitude = |x: RBig| if x < RBig::ZERO { -x } else { x };
    if magnitude(exact(t) - truth) * &way > exact(EXACT * size) {
        return Some(format!("t should be {:e}", truth.to_f64().value()));
    }
    let beside = |c: usize| {
        let there = exact(origin[c]) + truth * exact(direction[c]);
        magnitude(exact(point.to_array()[c]) - there) > exact(BESIDE * size)
    };
    (0..3).any(beside).then(|| "the point is beside the ray".into())
}

/// A triangle that is thin in one of many ways.
fn sliver(index: u64, random: &mut Random) -> [Point; 3] {
    let scale = if random.one_in(4) { random.power(-30, 30) } else { 1.0 };
    let [a, b] = [random.point(), random.point()];
    let share = match random.below(3) {
        0 => random.unit(),
        1 => random.power(-40, -1),
        _ => 1.0,
    };
    let on = |s: f64| -> Point { std::array::from_fn(|k| a[k] + s * (b[k] - a[k])) };
    let mut third = on(share);
    match index % 5 {
        // The third corner is on the line through the others, rounded, or a few units beside it.
        0 => {}
        1 => third = third.map(|x| random.nudge(x, 4)),
        // Some way beside it.
        2 => {
            let aside = random.power(-52, -2);
            third = std::array::from_fn(|k| third[k] + aside * random.between(-1.0, 1.0));
        }
        // A grid, where areas of zero and planes along axes are common.
        3 => return [0; 3].map(|_| random.grid(2).map(|x| x * scale)),
        // Any triangle, for rays that graze it.
        _ => third = random.point(),
    }
    let mut corners = [a, b, third];
    corners.rotate_left(random.below(3) as usize);
    corners.map(|p| p.map(|x| x * scale))
}

/// A ray at a point of the triangle, or at one beside it.
fn aimed(corners: &[Point; 3], random: &mut Random) -> (Point, Point) {
    let mut weights = [random.unit(), random.unit(), random.unit()];
    if random.one_in(4) {
        weights[random.below(3) as usize] = 0.0;
    }
    let sum: f64 = weights.iter().sum();
    let between = |weights: &[f64; 3]| -> Point {
        std::array::from_fn(|k| (0..3).map(|i| weights[i] / sum * corners[i][k]).sum())
    };
    let target = between(&weights);
    let size = corners.iter().flatten().fold(1e-300_f64, |m, x| m.max(x.abs()));
    let far = random.power(-2, 6) * size;
    let origin: Point = match random.below(4) {
        // In the plane of the triangle, up to rounding, or a little beside it.
        0 => {
            let aside = if random.one_in(2) { 0.0 } else { random.power(-52, -6) * size };
            let away: [f64; 3] = std::array::from_fn(|_| random.between(-3.0, 3.0));
            let level: Point = std::array::from_fn(|k| {
                target[k]
                    + away[0] * (corners[1][k] - corners[0][k])
                    + away[1] * (corners[2][k] - corners[0][k])
            });
            level.map(|x| x + aside * random.between(-1.0, 1.0))
        }
        1 => random.grid(3).map(|x| x * size),
        _ => {
            let way = random.direction();
            std::array::from_fn(|k| target[k] + far * way[k])
        }
    };
    let length = if random.one_in(4) { random.power(-40, 40) } else { 1.0 };
    (origin, std::array::from_fn(|k| (target[k] - origin[k]) * length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_soak() {
        let report = run(&Options { rays: 12_000, seed: 5, start: 0, inject_fault: false });
        assert!(report.passed());
        assert!(report.hits > 1000 && report.level > 100, "{report:?}");
    }

    #[test]
    fn an_injected_fault_is_noticed() {
        let report = run(&Options { rays: 2000, seed: 5, start: 0, inject_fault: true });
        assert!(report.failures.count > 3);
    }
}
