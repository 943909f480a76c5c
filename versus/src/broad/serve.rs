//! The two cases of a recording, for adapters written in Rust. `peers/broad/boxes.hpp` is its C++ twin.

use std::io;

use super::record::{BoxData, PairSet, Recording};
use crate::serve::{Adapter, Clock};

/// A broad phase that has boxes in it, and the list of all pairs of those that meet.
pub trait Finder: Sized {
    /// The system's own type of box. Boxes are converted before any round.
    type Extent;

    /// Takes in the boxes that moved, and lists all pairs anew or keeps the list complete.
    fn step(&mut self, moved: &[(u32, Self::Extent)]);

    /// The pairs, each once.
    fn pairs(&self) -> &[[u32; 2]];

    /// Called after it was built, before the first frame and with the clock stopped; the boxes must be those of the first frame
    /// when it returns.
    fn settle(&mut self, _recording: &Recording<Self::Extent>) {}

    /// Back to the first frame, before a round; false if it is to be built anew for that.
    fn rewind(&mut self, _first: &[Self::Extent]) -> bool {
        false
    }
}

/// Serves both cases as the system of that name. `build` makes a broad phase of boxes, from nothing, and lists the pairs.
pub fn serve<F: Finder>(
    (system, version): (&str, &str),
    recording: &Recording,
    convert: impl Fn(&BoxData) -> F::Extent,
    build: impl Fn(&[F::Extent]) -> F,
) -> io::Result<()> {
    let converted = recording.map(convert);
    let Recording { name, first, frames } = &converted;
    let mut kept: Option<F> = None;
    // All systems work on boxes in `f32`, which these boxes are.
    let mut adapter = Adapter::new(system, version, "f32");
    let frame_answers = PairSet::WIDTH * frames.len();
    adapter.add_watched(
        &format!("{name} frame"),
        Clock::Process,
        frame_answers,
        |answers, watch| {
            let rewound = kept.take().and_then(|mut finder| finder.rewind(first).then_some(finder));
            let mut finder = rewound.unwrap_or_else(|| {
                let mut finder = build(first);
                finder.settle(&converted);
                finder
            });
            for (answer, moved) in answers.chunks_exact_mut(PairSet::WIDTH).zip(frames) {
                watch.start();
                finder.step(moved);
                watch.stop();
                answer.copy_from_slice(&PairSet::of(finder.pairs()).values());
            }
            kept = Some(finder);
        },
    );
    let scratch = format!("{name} scratch");
    adapter.add_watched(&scratch, Clock::Process, PairSet::WIDTH, |answers, watch| {
        watch.start();
        let finder = build(first);
        watch.stop();
        answers.copy_from_slice(&PairSet::of(finder.pairs()).values());
    });
    adapter.serve()
}
