//! How broad phases grow from a thousand boxes to a million.

mod mix;

use super::chart::{self, Line, Panel};
use impinge::broad::{
    BroadPhase, BruteForce, Chooser, DynamicTree, Extent, HierarchicalGrid, LooseOctree, Pairs,
    Proxies, SpatialHash, SweepAndPrune, UniformGrid,
};
use mix::{Mix, World};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Options of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Write scenes.csv and scenes.svg into this folder.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The largest number of boxes.
    #[arg(long, default_value_t = 1_000_000)]
    pub largest: usize,
    /// Frames after the first; the mean of their times counts.
    #[arg(long, default_value_t = 4)]
    pub frames: usize,
    /// A phase that is expected to take longer for a frame is left out, in milliseconds.
    #[arg(long, default_value_t = 2_000.0, value_name = "MS")]
    pub longest: f64,
    /// Every seed gives other boxes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// All of them. The chooser has tried its phases when the measurement ends.
const PHASES: [fn() -> Box<dyn BroadPhase>; 8] = [
    || Box::new(BruteForce),
    || Box::new(SweepAndPrune::default()),
    || Box::new(UniformGrid::default()),
    || Box::new(SpatialHash::default()),
    || Box::new(HierarchicalGrid::default()),
    || Box::new(LooseOctree::default()),
    || Box::new(DynamicTree::default()),
    || Box::new(Chooser::default()),
];

/// Updates after which the chooser has tried its phases.
const WARMING: usize = 24;

/// So many milliseconds are enough for a phase at one size.
const ENOUGH: f64 = 1_000.0;

/// One phase on one mix at one size.
#[derive(Clone, Copy, Debug)]
struct Point {
    boxes: usize,
    /// Milliseconds of a frame, and of an update that begins with nothing.
    frame: f64,
    scratch: f64,
    /// Bytes per box that the phase holds.
    bytes: f64,
    /// Pairs in the last frame.
    pairs: usize,
}

/// A phase on one mix, from few boxes to many.
struct Growth {
    mix: Mix,
    phase: &'static str,
    points: Vec<Point>,
    /// Why there are no more points.
    left_out: Option<String>,
}

/// Runs the measurement. True if all phases found as many pairs.
pub fn run(options: &Options) -> bool {
    let mut all: Vec<Growth> = Vec::new();
    for mix in Mix::ALL {
        let phase = |make: &fn() -> Box<dyn BroadPhase>| Growth {
            mix,
            phase: make().name(),
            points: Vec::new(),
            left_out: None,
        };
        let mut growths: Vec<Growth> = PHASES.iter().map(phase).collect();
        for count in sizes(options.largest) {
            let recording = Recording::new(mix, count, options);
            for (growth, make) in growths.iter_mut().zip(PHASES) {
                growth.measure(&recording, make, options.longest);
            }
        }
        all.extend(growths);
    }
    print!("{}", table(&all));
    let written = options.output.as_ref().map_or(Ok(()), |folder| write(folder, &all));
    if let Err(error) = written {
        println!("{error}");
        return false;
    }
    agree(&all)
}

/// 1,000, 3,000, 10,000 and so on.
fn sizes(largest: usize) -> Vec<usize> {
    let both = (3..).map(|power| 10_usize.pow(power)).flat_map(|size| [size, 3 * size]);
    both.take_while(|&size| size <= largest).collect()
}

/// Boxes over some frames.
struct Recording {
    first: Vec<Extent>,
    frames: Vec<Vec<(u32, Extent)>>,
}

impl Recording {
    fn new(mix: Mix, count: usize, options: &Options) -> Self {
        let mut world = World::new(mix, count, options.seed);
        let first = world.extents().collect();
        Self { first, frames: (0..options.frames).map(|_| world.advance()).collect() }
    }
}

impl Growth {
    /// Adds a point, unless that would take too long.
    fn measure(&mut self, recording: &Recording, make: fn() -> Box<dyn BroadPhase>, longest: f64) {
        if self.left_out.is_some() {
            return;
        }
        let count = recording.first.len();
        if let Some(last) = self.points.last() {
            // By the growth of the last step; at least as the number of boxes.
            let before = self.points.iter().rev().nth(1).map_or(1.0, |before| {
                let exponent = (last.frame / before.frame).ln()
                    / (last.boxes as f64 / before.boxes as f64).ln();
                exponent.clamp(1.0, 2.0)
            });
            let expected = last.frame * (count as f64 / last.boxes as f64).powf(before);
            if expected > longest {
                self.left_out = Some(format!("{expected:.0} ms expected at {count}"));
                return;
            }
        }
        self.points.push(measure(recording, make()));
    }
}

/// A phase with the boxes in it.
struct Stage {
    proxies: Proxies,
    broad: Box<dyn BroadPhase>,
    pairs: Pairs,
}

impl Stage {
    /// Milliseconds for some boxes elsewhere and all pairs.
    fn play<'a>(&mut self, moved: impl IntoIterator<Item = (u32, &'a Extent)>) -> f64 {
        let start = processor_time();
        for (index, extent) in moved {
            self.proxies.set(index, *extent);
        }
        self.broad.update(&self.proxies, &mut self.pairs);
        self.proxies.clear_changes();
        processor_time() - start
    }
}

/// Milliseconds that all threads have used so far, whatever else the machine does.
#[cfg(unix)]
fn processor_time() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    1e3 * now.tv_sec as f64 + 1e-6 * now.tv_nsec as f64
}

/// Milliseconds on the wall, where processor time cannot be had.
#[cfg(not(unix))]
fn processor_time() -> f64 {
    static BEGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    1e3 * BEGIN.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

/// Over the frames again and again, until the chooser has tried its phases or enough time has passed; the least mean counts.
fn measure(recording: &Recording, broad: Box<dyn BroadPhase>) -> Point {
    let (first, count) = (&recording.first, recording.first.len());
    let mut stage = Stage { proxies: Proxies::default(), broad, pairs: Pairs::default() };
    let begin = processor_time();
    for extent in first {
        stage.proxies.insert(*extent, true);
    }
    stage.play([]);
    let scratch = processor_time() - begin;
    let (mut frame, mut updates) = (f64::INFINITY, 0);
    loop {
        let mut sum = 0.0;
        for moved in &recording.frames {
            sum += stage.play(moved.iter().map(|(index, extent)| (*index, extent)));
        }
        frame = frame.min(sum / recording.frames.len().max(1) as f64);
        updates += recording.frames.len() + 1;
        let spent = processor_time() - begin;
        if updates >= 2 * WARMING || spent > if updates < WARMING { 4.0 * ENOUGH } else { ENOUGH } {
            break;
        }
        // Back to the first frame; the same boxes move in all frames.
        let back = recording.frames.first().map_or(&[][..], Vec::as_slice);
        stage.play(back.iter().map(|(index, _)| (*index, &first[*index as usize])));
    }
    Point {
        boxes: count,
        frame,
        scratch,
        bytes: stage.broad.bytes() as f64 / count as f64,
        pairs: stage.pairs.list().len(),
    }
}

/// A table in Markdown: a row per mix and phase, a column per size; milliseconds per frame, and the memory at the largest size.
fn table(all: &[Growth]) -> String {
    let mut sizes: Vec<usize> = all.iter().flat_map(|g| &g.points).map(|p| p.boxes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut text = String::from("| mix | phase |");
    sizes.iter().for_each(|size| _ = write!(text, " {size} |"));
    text += " scratch | bytes per box |\n|---|---|";
    text += &"---:|".repeat(sizes.len() + 2);
    for growth in all {
        let _ = write!(text, "\n| {} | {} |", growth.mix.name(), growth.phase);
        for size in &sizes {
            let point = growth.points.iter().find(|point| point.boxes == *size);
            text += &point.map_or(" – |".into(), |point| format!(" {:.3} |", point.frame));
        }
        if let Some(last) = growth.points.last() {
            let _ = write!(text, " {:.1} | {:.0} |", last.scratch, last.bytes);
        }
    }
    text += "\n";
    for growth in all {
        if let Some(reason) = &growth.left_out {
            let _ = writeln!(text, "{}, {}: left out, {reason}", growth.mix.name(), growth.phase);
        }
    }
    text
}

/// Whether every phase found as many pairs as the others.
fn agree(all: &[Growth]) -> bool {
    let mut fine = true;
    for growth in all {
        for point in &growth.points {
            let same = |other: &&Point| other.boxes == point.boxes;
            let others = all.iter().filter(|other| other.mix == growth.mix);
            if others
                .filter_map(|other| other.points.iter().find(same))
                .any(|p| p.pairs != point.pairs)
            {
                let (mix, phase) = (growth.mix.name(), growth.phase);
                println!(
                    "{mix}, {phase}: {} pairs of {} boxes, not as others",
                    point.pairs, point.boxes
                );
                fine = false;
            }
        }
    }
    fine
}

/// The figures, and a chart for each mix.
fn write(folder: &Path, all: &[Growth]) -> Result<(), String> {
    let mut csv = String::from("mix,phase,boxes,frame ms,scratch ms,bytes per box,pairs\n");
    for Growth { mix, phase, points, .. } in all {
        for Point { boxes, frame, scratch, bytes, pairs } in points {
            let mix = mix.name();
            let _ =
                writeln!(csv, "{mix},{phase},{boxes},{frame:.4},{scratch:.4},{bytes:.1},{pairs}");
        }
    }
    let panel = |mix: Mix| Panel {
        title: format!("Time of a frame, {}", mix.name()),
        across: "boxes".into(),
        up: "milliseconds".into(),
        lines: all
            .iter()
            .filter(|growth| growth.mix == mix)
            .map(|growth| Line {
                name: growth.phase.into(),
                points: growth.points.iter().map(|p| (p.boxes as f64, p.frame)).collect(),
            })
            .collect(),
        falling: false,
        even: false,
    };
    let path = folder.join("scenes.csv");
    chart::write(folder, "scenes.svg", &Mix::ALL.map(panel))?;
    std::fs::write(&path, csv).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_phases_are_measured_and_agree() {
        let options =
            Options { output: None, largest: 1_000, frames: 2, longest: 2_000.0, seed: 1 };
        let recording = Recording::new(Mix::Floor, 1_000, &options);
        let growths: Vec<Growth> = PHASES
            .iter()
            .map(|make| Growth {
                mix: Mix::Floor,
                phase: make().name(),
                points: vec![measure(&recording, make())],
                left_out: None,
            })
            .collect();
        assert!(agree(&growths));
        assert!(growths.iter().all(|growth| growth.points[0].pairs > 1_000));
        assert_eq!(table(&growths).lines().count(), 2 + PHASES.len());
    }
}
