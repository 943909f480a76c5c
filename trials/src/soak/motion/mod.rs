//! Motion: times of impact of the kernel against exact arithmetic.

mod vertices;

use super::progress::Progress;
use super::{Failures, Hash};

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many vertex–face and edge–edge queries.
    #[arg(long, default_value_t = 1_000_000)]
    pub vertices: u64,
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
    vertices::print(&report);
    println!("hash {}", report.hash);
    report.failures.print();
    println!("wrong: {}", report.failures.count);
    report
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(inject_fault: bool) -> Options {
        Options { vertices: 4_000, seed: 3, start: 0, inject_fault }
    }

    #[test]
    fn short_soak() {
        let report = run(&options(false));
        assert!(report.passed());
        assert!(report.vertices.iter().all(|[misses, hits]| *misses > 5 && *hits > 5));
        assert_eq!(report.hash, run(&options(false)).hash);
    }

    #[test]
    fn an_injected_fault_is_noticed() {
        let report = run(&options(true));
        assert!(!report.passed());
        assert!(report.failures.count >= 5);
    }
}
