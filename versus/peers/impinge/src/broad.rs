//! Answers the driver about boxes with impinge: `Proxies` and a `BroadPhase`.

use std::io;

use impinge::broad::{
    Aabb, AdaptiveBroadPhase, BroadPhase, DynamicTree, HierarchicalGrid, LooseOctree, PairList,
    Proxies, SpatialHash, SweepAndPrune, UniformGrid,
};
use versus::broad::record::{BoxData, Recording};
use versus::broad::serve::{Finder, serve};

/// Frames until the chooser has tried each of its phases.
const WARMING: usize = 24;

struct Phase {
    proxies: Proxies,
    broad: Box<dyn BroadPhase>,
    pairs: PairList,
}

impl Phase {
    fn build(broad: Box<dyn BroadPhase>, boxes: &[Aabb]) -> Phase {
        let mut phase = Phase { proxies: Proxies::default(), broad, pairs: PairList::default() };
        for entry in boxes {
            phase.proxies.insert(*entry, true);
        }
        phase.update();
        phase
    }

    fn update(&mut self) {
        self.broad.update(&self.proxies, &mut self.pairs);
        self.proxies.clear_changes();
    }
}

impl Finder for Phase {
    type Extent = Aabb;

    fn step(&mut self, moved: &[(u32, Aabb)]) {
        for (index, entry) in moved {
            self.proxies.set(*index, *entry);
        }
        self.update();
    }

    fn pairs(&self) -> &[[u32; 2]] {
        self.pairs.list()
    }

    /// Over the frames a few times: the chooser tries its phases.
    fn settle(&mut self, recording: &Recording<Aabb>) {
        for _ in 0..WARMING.div_ceil(recording.frames.len().max(1)) {
            recording.frames.iter().for_each(|moved| self.step(moved));
            self.rewind(&recording.first);
        }
    }

    fn rewind(&mut self, first: &[Aabb]) -> bool {
        for (index, entry) in first.iter().enumerate() {
            if self.proxies.extent(index as u32) != entry {
                self.proxies.set(index as u32, *entry);
            }
        }
        self.update();
        true
    }
}

fn convert(entry: &BoxData) -> Aabb {
    Aabb::new(entry.low, entry.high)
}

/// The broad phase that a system's name asks for; `impinge` itself is what a caller would take without knowing the boxes.
fn phase(name: &str) -> Box<dyn BroadPhase> {
    match name {
        "impinge-grid" => Box::new(UniformGrid::default()),
        "impinge-levels" => Box::new(HierarchicalGrid::default()),
        "impinge-hash" => Box::new(SpatialHash::default()),
        "impinge-octree" => Box::new(LooseOctree::default()),
        "impinge-tree" => Box::new(DynamicTree::default()),
        "impinge-sweep" => Box::new(SweepAndPrune::default()),
        _ => Box::new(AdaptiveBroadPhase::default()),
    }
}

fn main() -> io::Result<()> {
    let (name, recording) = Recording::from_arguments()?;
    serve((&name, env!("CARGO_PKG_VERSION")), &recording, convert, |boxes| {
        Phase::build(phase(&name), boxes)
    })
}
