//! Motion: times of impact of the kernel against exact arithmetic, and against samples with certified gaps between them.

mod bodies;
mod bullets;
mod pairs;
mod rigid;
mod schedule;
mod triangles;
mod vertices;

use super::parallel::{self, Rounds};
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
    /// How many rigid motions of convex shapes.
    #[arg(long, default_value_t = 100_000)]
    pub rigid: u64,
    /// How many rigid motions of meshes, against meshes and shapes.
    #[arg(long, default_value_t = 2_000)]
    pub meshes: u64,
    /// How many bullets, at thin walls, spinning rods and meshes.
    #[arg(long, default_value_t = 10_000)]
    pub bullets: u64,
    /// Every seed gives other motions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of the first of each part, to go on with a run or to repeat a piece of it.
    #[arg(long, default_value_t = 0)]
    pub start: u64,
    /// How many threads; all processors if it is 0. The result is the same for any number.
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Falsify some of the kernel's answers: the soak must notice.
    #[arg(long)]
    pub inject_fault: bool,
}

/// With an injected fault, one motion in this many is answered falsely.
const FAULT: u64 = 97;

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
    /// What those bounds save in scenes.
    pub schedule: schedule::Counts,
    /// Rigid motions of shapes, and of meshes.
    pub rigid: [rigid::Counts; 2],
    /// Bullets, swept and with speculative contacts.
    pub bullets: bullets::Counts,
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

    /// Takes in the report of a later block.
    fn append(&mut self, other: Self) {
        let add = |sums: &mut Vec<[u64; 2]>, more: Vec<[u64; 2]>| {
            sums.resize(sums.len().max(more.len()), [0; 2]);
            for (sum, [misses, hits]) in sums.iter_mut().zip(more) {
                *sum = [sum[0] + misses, sum[1] + hits];
            }
        };
        add(&mut self.vertices, other.vertices);
        add(&mut self.pairs, other.pairs);
        for (side, rigid) in other.rigid.into_iter().enumerate() {
            self.triangles[side] += other.triangles[side];
            self.rigid[side].append(rigid);
        }
        self.steps += other.steps;
        self.bounds += other.bounds;
        self.saved += other.saved;
        self.schedule.append(other.schedule);
        self.bullets.append(other.bullets);
        self.failures.append(other.failures);
        self.hash.append(other.hash);
    }
}

/// A part of the soak: its name, how many rounds, how many of them at once, and one of them.
type Part = (&'static str, u64, u64, fn(&Options, u64, &mut Report));

/// Runs the soak and prints what it found.
pub fn run(options: &Options) -> Report {
    let mut report = Report { finished: true, ..Report::default() };
    let parts: [Part; 7] = [
        ("vertex-face and edge-edge queries", options.vertices, 256, vertices::one),
        ("translations", options.pairs * pairs::Kind::ALL.len() as u64, 256, pairs::one),
        ("moving triangles", options.triangles, 256, triangles::one),
        ("bounds on the time to impact", options.bounds, 256, triangles::bound),
        ("rigid motions of shapes", options.rigid, 64, rigid::shapes),
        ("rigid motions of meshes", options.meshes, 8, rigid::meshes),
        ("bullets", options.bullets, 8, bullets::one),
    ];
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if options.threads == 0 { all() } else { options.threads };
    for (name, count, block, one) in parts {
        let mut progress = Progress::new(name, count);
        let work = |range: std::ops::Range<u64>| {
            let mut part = Report::default();
            range.for_each(|index| one(options, options.start + index, &mut part));
            part
        };
        let rounds = Rounds { count, block, threads };
        let done = parallel::run(rounds, &mut progress, work, |part| report.append(part));
        report.finished &= done == count;
        if count > 0 {
            println!("{done} {name} in {:.1} s", progress.end(done));
        }
        if done < count {
            println!("to go on with them: --start {}", options.start + done);
        }
    }
    print(&report);
    report
}

fn print(report: &Report) {
    vertices::print(report);
    pairs::print(report);
    let [apart, contact] = report.triangles;
    let steps = report.steps as f64 / contact.max(1) as f64;
    if apart + contact > 0 {
        println!(
            "moving triangles: {apart} apart, {contact} in contact, {steps:.1} steps of advancement each"
        );
    }
    if report.bounds > 0 {
        let saved = report.saved as f64 / report.bounds as f64;
        println!("bounds: {}, of 200 queries {saved:.1} saved", report.bounds);
    }
    report.schedule.print();
    for (name, counts) in ["shapes", "meshes"].into_iter().zip(&report.rigid) {
        counts.print(name);
    }
    report.bullets.print();
    println!("hash {}", report.hash);
    report.failures.print();
    println!("wrong: {}", report.failures.count);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(inject_fault: bool, threads: usize) -> Options {
        Options {
            vertices: 4_000,
            pairs: 60,
            triangles: 400,
            bounds: 400,
            rigid: 300,
            meshes: 120,
            bullets: 60,
            seed: 3,
            start: 0,
            threads,
            inject_fault,
        }
    }

    #[test]
    fn short_soak() {
        let report = run(&options(false, 2));
        assert!(report.passed());
        // Two kinds touch by construction and are never apart.
        assert!(report.vertices.iter().all(|[misses, hits]| misses + hits > 200 && *hits > 5));
        assert!(report.vertices.iter().filter(|[misses, _]| *misses > 5).count() >= 12);
        assert!(report.pairs.iter().all(|[misses, hits]| *misses > 2 && *hits > 2));
        assert!(report.triangles[1] > 10 && report.bounds == 400);
        for counts in &report.rigid {
            assert!(counts.free > 10 && counts.meets > 10 && counts.begins > 2, "{counts:?}");
        }
        assert!(report.bullets.meet > 20 && report.bullets.passed[0] == 0, "{:?}", report.bullets);
        assert_eq!(report.hash, run(&options(false, 1)).hash);
    }

    #[test]
    fn an_injected_fault_is_noticed_in_every_part() {
        let all = options(true, 2);
        let none = Options {
            vertices: 0,
            pairs: 0,
            triangles: 0,
            bounds: 0,
            rigid: 0,
            meshes: 0,
            bullets: 0,
            ..all
        };
        let parts = [
            Options { vertices: 400, ..none },
            Options { pairs: 40, ..none },
            Options { triangles: 400, ..none },
            // Few pairs of boxes ever meet.
            Options { bounds: 4_000, ..none },
            Options { rigid: 400, ..none },
            Options { meshes: 200, ..none },
            Options { bullets: 8, ..none },
        ];
        for part in parts {
            assert!(run(&part).failures.count >= 1, "{part:?}");
        }
    }
}
