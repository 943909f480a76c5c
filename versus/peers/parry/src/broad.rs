//! Answers the driver about boxes with parry3d: `Bvh`, refitted as its boxes move and traversed against itself, as rapier's broad
//! phase does.
//!
//! Where all move the tree is traversed whole. Where few do (fewer than one in four), change detection is used as rapier uses it:
//! only paths to changed leaves are refitted, only pairs with a changed leaf are visited, the other pairs are kept.

use std::io;

use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use versus::broad::record::{BoxData, Recording};
use versus::broad::serve::{Finder, serve};

/// A margin that enlarges no box, since it is lost in rounding, but switches change detection on.
const NO_MARGIN: f32 = 1e-30;

struct Tree {
    bvh: Bvh,
    workspace: BvhWorkspace,
    pairs: Vec<[u32; 2]>,
    /// Leaves that moved in this frame and in the one before.
    changed: [Vec<u32>; 2],
    is_changed: Vec<bool>,
}

impl Tree {
    fn build(boxes: &[Aabb]) -> Tree {
        let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, boxes);
        let mut tree = Tree {
            bvh,
            workspace: BvhWorkspace::default(),
            pairs: Vec::new(),
            changed: Default::default(),
            is_changed: vec![false; boxes.len()],
        };
        tree.all_pairs();
        tree
    }

    fn all_pairs(&mut self) {
        let pairs = &mut self.pairs;
        pairs.clear();
        let visit = &mut |a, b| pairs.push([a, b]);
        self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, visit);
    }

    fn changed_pairs(&mut self, moved: &[(u32, Aabb)]) {
        let [now, before] = &mut self.changed;
        std::mem::swap(now, before);
        now.clear();
        for (index, entry) in moved {
            self.bvh.insert_or_update_partially(*entry, *index, NO_MARGIN);
            self.is_changed[*index as usize] = true;
            now.push(*index);
        }
        self.bvh.refit_partial(before, now);
        let is_changed = &self.is_changed;
        let stays = |&[a, b]: &[u32; 2]| !is_changed[a as usize] && !is_changed[b as usize];
        self.pairs.retain(stays);
        let pairs = &mut self.pairs;
        let visit = &mut |a, b| pairs.push([a, b]);
        self.bvh.traverse_bvtt_single_tree::<true>(&mut self.workspace, visit);
        moved.iter().for_each(|(index, _)| self.is_changed[*index as usize] = false);
    }
}

impl Finder for Tree {
    type Extent = Aabb;

    fn step(&mut self, moved: &[(u32, Aabb)]) {
        if 4 * moved.len() < self.is_changed.len() {
            return self.changed_pairs(moved);
        }
        for (index, entry) in moved {
            self.bvh.insert_or_update_partially(*entry, *index, 0.0);
        }
        self.bvh.refit(&mut self.workspace);
        self.all_pairs();
    }

    fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// New leaves count as changed; the first refit says so, the second forgets it.
    fn settle(&mut self, _recording: &Recording<Aabb>) {
        self.bvh.refit(&mut self.workspace);
        self.bvh.refit(&mut self.workspace);
    }
}

fn convert(entry: &BoxData) -> Aabb {
    Aabb::new(Vector::from(entry.low), Vector::from(entry.high))
}

fn main() -> io::Result<()> {
    let (name, recording) = Recording::from_arguments()?;
    serve((&name, "0.31.1"), &recording, convert, Tree::build)
}
