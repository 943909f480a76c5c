//! Bounding volumes: every kind of them is asked what the tests of the geometry kernel ask, on as many placements as wanted.

use super::Hash;
use super::progress::Progress;
use checks::{Case, Kind, Numbers, Tally, check, each_volume};
use impinge_geom::bound::Bound;
use impinge_lab::Random;

// Written once: the tests of the kernel run them on a few thousand placements.
#[path = "../../../crates/impinge-geom/tests/it/bounds/checks/mod.rs"]
mod checks;

/// Options of the soak.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// How many pairs of bodies, each placed so that they touch in one point, apart, and anywhere; all of them for each volume.
    #[arg(long, default_value_t = 500_000)]
    pub placements: u64,
    /// Every seed gives other placements.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Make some of the volumes too small: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// With an injected fault, the volumes of one placement in this many are too small.
const FAULT: u64 = 97;

type Check = fn(&Case, f64, &mut Numbers<'_>, &mut Tally);

macro_rules! table {
    ($($name:ident: $volume:ty,)*) => {
        [$((<$volume>::NAME, check::<$volume> as Check)),*]
    };
}

/// What the soak found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Of each volume.
    volumes: Vec<(&'static str, Tally)>,
    /// Whether all placements were done.
    pub finished: bool,
}

impl Report {
    /// Everything was done, and nothing was wrong.
    pub fn passed(&self) -> bool {
        self.finished && self.wrong() == 0
    }

    /// How many answers were wrong.
    pub fn wrong(&self) -> u64 {
        self.volumes.iter().map(|(_, tally)| tally.all_wrong()).sum()
    }
}

/// Runs the soak and prints what it found.
pub fn run(options: &Options) -> Report {
    let table = each_volume!(table);
    let mut report = Report {
        volumes: table.iter().map(|(name, _)| (*name, Tally::default())).collect(),
        finished: false,
    };
    let mut progress = Progress::new("placements", options.placements);
    let mut done = 0;
    while done < options.placements && progress.go_on(done) {
        let seed = options.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(done);
        let mut random = Random::new(seed);
        let case = Case::new(&mut Numbers(&mut || random.next()));
        let shrink = if options.inject_fault && done.is_multiple_of(FAULT) { 0.5 } else { 0.0 };
        for ((_, check), (_, tally)) in table.iter().zip(&mut report.volumes) {
            // The same rays and points for each volume.
            let mut random = random.clone();
            check(&case, shrink, &mut Numbers(&mut || random.next()), tally);
        }
        done += 1;
    }
    report.finished = done == options.placements;
    let seconds = progress.end(done);
    print(&report, done, seconds);
    report
}

fn print(report: &Report, done: u64, seconds: f64) {
    let mut hash = Hash::default();
    print!("{:<10}", "asked");
    Kind::ALL.iter().for_each(|kind| print!(" {:>9}", format!("{kind:?}")));
    println!(" {:>8}", "parted");
    for (name, tally) in &report.volumes {
        print!("{name:<10}");
        tally.asked.iter().for_each(|count| print!(" {count:>9}"));
        println!(" {:>7.1}%", 100.0 * tally.parted[1] as f64 / tally.parted[0].max(1) as f64);
        tally.hash.to_le_bytes().into_iter().for_each(|byte| hash.byte(byte));
    }
    for (name, tally) in report.volumes.iter().filter(|(_, tally)| tally.all_wrong() > 0) {
        for text in tally.first.iter().take(3) {
            println!("WRONG {name} {text}");
        }
        for (kind, count) in Kind::ALL.iter().zip(tally.wrong).filter(|(_, count)| *count > 0) {
            println!("WRONG {name} {kind:?}: {count} in all");
        }
    }
    println!("{done} placements of each volume in {seconds:.1} s; hash {hash}");
    println!("wrong: {}", report.wrong());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(inject_fault: bool) -> Options {
        Options { placements: 500, seed: 5, inject_fault }
    }

    #[test]
    fn short_soak() {
        let report = run(&options(false));
        assert!(report.passed());
        assert!(report.volumes.iter().all(|(_, tally)| tally.asked.iter().all(|&n| n >= 500)));
    }

    #[test]
    fn an_injected_fault_is_noticed() {
        let report = run(&options(true));
        assert!(!report.passed());
        assert!(report.volumes.iter().all(|(_, tally)| tally.all_wrong() > 0));
    }
}
