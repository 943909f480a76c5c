//! Rays from inside closed meshes: every one must hit.

use super::progress::Progress;
use super::{Failures, Hash, describe};
use crate::generate::meshes::{Aim, Mesh, mesh};
use crate::oracle::{Point, ray as oracle};
use impinge::geom::FeatureKind;
use impinge::geom::glam::DVec3;
use impinge::geom::ray::{Ray, TriangleHit, triangle};
use impinge_lab::Random;

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many rays.
    #[arg(long, default_value_t = 10_000_000)]
    pub rays: u64,
    /// Every seed gives other meshes and rays.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of the first, to repeat a part of a run.
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// Ignore hits on edges and vertices: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// The number of rays after which the mesh changes.
const PER_MESH: u64 = 10_000;
/// One ray in this many is checked against the oracle, triangle by triangle.
const EXACTLY: u64 = 1009;

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Rays by aim.
    pub counts: [u64; Aim::ALL.len()],
    /// Rays that hit more than one triangle at the first point: those through edges and vertices.
    pub shared: u64,
    /// Leaks and wrong answers.
    pub failures: Failures,
    /// Rays checked triangle by triangle.
    pub exact: u64,
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

/// A mesh with its corners as the kernel takes them.
struct Target {
    mesh: Mesh,
    corners: Vec<[DVec3; 3]>,
}

impl Target {
    fn new(seed: u64, number: u64) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0xa076_1d64_78bd_642f).wrapping_add(number));
        let mesh = mesh(number, &mut random);
        let corners =
            mesh.triangles.iter().map(|t| mesh.corners(*t).map(DVec3::from_array)).collect();
        Self { mesh, corners }
    }
}

/// Runs the soak and prints what it found.
pub fn run(options: &Options) -> Report {
    let mut report = Report::default();
    let mut progress = Progress::new("rays", options.rays);
    let mut target = Target::new(options.seed, options.start / PER_MESH);
    let mut done = 0;
    while done < options.rays && progress.go_on(done) {
        let index = options.start + done;
        if index.is_multiple_of(PER_MESH) {
            target = Target::new(options.seed, index / PER_MESH);
        }
        one(options, index, &target, &mut report);
        done += 1;
    }
    report.finished = done == options.rays;
    let seconds = progress.end(done);
    print(&report, done, seconds);
    report
}

fn one(options: &Options, index: u64, target: &Target, report: &mut Report) {
    let aim = (index % Aim::ALL.len() as u64) as usize;
    let mut random =
        Random::new(options.seed.wrapping_mul(0xe703_7ed1_a0b4_28db).wrapping_add(index));
    let (origin, direction) = target.mesh.ray(Aim::ALL[aim], &mut random);
    report.counts[aim] += 1;
    let mut fail = |what: String| {
        let (name, aim) = (target.mesh.name, Aim::ALL[aim].name());
        report.failures.add(|| {
            let ray = describe(&[origin, direction]);
            format!("ray {index} ({name}, {aim}): {what}\n  origin and direction{ray}")
        });
    };
    let ray = match Ray::new(origin, direction) {
        Ok(ray) => ray,
        Err(error) => return fail(error.to_string()),
    };
    let counts = |hit: &TriangleHit| !options.inject_fault || hit.feature.kind == FeatureKind::Face;
    let mut hits = 0;
    for (number, corners) in target.corners.iter().enumerate() {
        if let Some(hit) = triangle(&ray, corners).filter(counts) {
            hits += 1;
            report.hash.byte(number as u8);
            report.hash.number(hit.t);
            if let Some(what) = implausible(&hit, &ray) {
                fail(what);
            }
        }
    }
    if hits == 0 {
        fail("a leak: no triangle is hit".into());
    }
    report.shared += u64::from(hits > 1);
    if index.is_multiple_of(EXACTLY) {
        report.exact += 1;
        let wrong = exactly(target, &origin, &direction, &ray);
        wrong.into_iter().for_each(fail);
    }
}

/// What is wrong with the numbers of a hit.
fn implausible(hit: &TriangleHit, ray: &Ray) -> Option<String> {
    let sum: f64 = hit.barycentric.iter().sum();
    let weights = hit.barycentric.iter().all(|w| *w >= 0.0) && (sum - 1.0).abs() < 1e-12;
    let reached = ray.origin() + ray.direction() * hit.t;
    let scale = hit.point.abs().max_element() + ray.origin().abs().max_element();
    let apart = reached.distance(hit.point);
    let fine = weights && hit.t >= 0.0 && hit.t.is_finite() && apart <= 1e-9 * scale;
    (!fine).then(|| format!("{hit:?} of a ray that reaches {reached:?}"))
}

/// Every triangle on which kernel and oracle differ, and an even number of triangles pierced from inside.
fn exactly(target: &Target, origin: &Point, direction: &Point, ray: &Ray) -> Vec<String> {
    let mut wrong = Vec::new();
    let (mut pierced, mut faces_only) = (0, true);
    for (triangle_of, corners) in target.mesh.triangles.iter().zip(&target.corners) {
        let points = target.mesh.corners(*triangle_of);
        let hit = triangle(ray, corners);
        let truth = oracle::meets(origin, direction, &points);
        pierced += u64::from(truth == Some(true));
        faces_only &=
            truth.is_some() && hit.is_none_or(|hit| hit.feature.kind == FeatureKind::Face);
        if truth.is_some_and(|truth| truth != hit.is_some()) {
            wrong.push(format!("{hit:?}, exact arithmetic says {truth:?}{}", describe(&points)));
        }
    }
    if faces_only && pierced % 2 == 0 {
        wrong.push(format!("{pierced} faces are pierced from inside"));
    }
    wrong
}

fn print(report: &Report, done: u64, seconds: f64) {
    println!("{:<24} {:>11}", "aimed at", "rays");
    for (aim, count) in Aim::ALL.iter().zip(&report.counts) {
        println!("{:<24} {count:>11}", aim.name());
    }
    println!(
        "{done} rays in {seconds:.1} s, {} of them hit several triangles; {} checked triangle by triangle; hash {}",
        report.shared, report.exact, report.hash
    );
    report.failures.print();
    println!("wrong: {}", report.failures.count);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_soak() {
        let report = run(&Options { rays: 60_000, seed: 3, start: 0, inject_fault: false });
        assert!(report.passed());
        assert!(report.exact >= 59 && report.shared > 20_000);
    }

    #[test]
    fn an_injected_fault_is_noticed() {
        let report = run(&Options { rays: 1000, seed: 3, start: 0, inject_fault: true });
        assert!(report.failures.count > 100);
    }
}
