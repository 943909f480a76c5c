//! Motion: times of impact of the kernel against exact arithmetic.

mod pairs;
mod triangles;
mod vertices;

use super::progress::Progress;
use super::{Failures, Hash};

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many vertex–face and edge–edge queries.
    #[arg(long, default_value_t = 1_000_000)]
    pub vertices: u64,
    /// How many translations of each kind of pair.
    #[arg(long, default_value_t = 100_000)]
    pub pairs: u64,
    /// How many pairs of triangles with moving corners.
    #[arg(long, default_value_t = 100_000)]
    pub triangles: u64,
    /// How many bounds on the time to impact.
    #[arg(long, default_value_t = 100_000)]
    pub bounds: u64,
    /// Every seed gives other motions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of the first, to repeat a part of a run.
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// Falsify some of the kernel's answers: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// With an injected fault, one motion in this many is answered falsely.
const FAULT: u64 = 997;

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Misses and hits by kind of motion of vertices.
    pub vertices: Vec<[u64; 2]>,
    /// The same by kind of translation.
    pub pairs: Vec<[u64; 2]>,
    /// The same of triangles with moving corners.
    pub triangles: [u64; 2],
    /// Steps of bilateral advancement.
    pub steps: u64,
    /// Bounds on the time to impact.
    pub bounds: u64,
    /// Queries that they save at 100 per unit of time, within two units.
    pub saved: u64,
    /// Wrong answers.
    pub failures: Failures,
    /// The hash over all answers.
    pub hash: Hash,
    /// Whether all motions were done.
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
    let mut report = Report { finished: true, ..Report::default() };
    let mut part = |name: &'static str, count: u64, one: &dyn Fn(&Options, u64, &mut Report)| {
        let mut progress = Progress::new(name, count);
        let mut done = 0;
        while done < count && progress.go_on(done) {
            one(options, options.start + done, &mut report);
            done += 1;
        }
        report.finished &= done == count;
        println!("{done} {name} in {:.1} s", progress.end(done));
    };
    part("vertex-face and edge-edge queries", options.vertices, &vertices::one);
    part("translations", options.pairs * pairs::Kind::ALL.len() as u64, &pairs::one);
    part("moving triangles", options.triangles, &triangles::one);
    part("bounds on the time to impact", options.bounds, &triangles::bound);
    vertices::print(&report);
    pairs::print(&report);
    print(&report);
    report
}

fn print(report: &Report) {
    let [apart, contact] = report.triangles;
    let steps = report.steps as f64 / contact.max(1) as f64;
    println!(
        "moving triangles: {apart} apart, {contact} in contact, {steps:.1} steps of advancement each"
    );
    let (bounds, saved) = (report.bounds, report.saved as f64 / report.bounds.max(1) as f64);
    println!("bounds: {bounds}, of 200 queries {saved:.1} saved");
    println!("hash {}", report.hash);
    report.failures.print();
    println!("wrong: {}", report.failures.count);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(inject_fault: bool) -> Options {
        Options {
            vertices: 4_000,
            pairs: 60,
            triangles: 400,
            bounds: 400,
            seed: 3,
            start: 0,
            inject_fault,
        }
    }

    #[test]
    fn short_soak() {
        let report = run(&options(false));
        assert!(report.passed());
        // Two kinds touch by construction and are never apart.
        assert!(report.vertices.iter().all(|[misses, hits]| misses + hits > 200 && *hits > 5));
        assert!(report.vertices.iter().filter(|[misses, _]| *misses > 5).count() >= 12);
        assert!(report.pairs.iter().all(|[misses, hits]| *misses > 2 && *hits > 2));
        assert!(report.triangles[1] > 10 && report.bounds == 400);
        assert_eq!(report.hash, run(&options(false)).hash);
    }

    #[test]
    fn an_injected_fault_is_noticed() {
        let report = run(&options(true));
        assert!(!report.passed());
        assert!(report.failures.count >= 5);
    }
}
