//! The tree against itself.

use super::super::writer::Writer;
use super::pack::{Lanes, Pack};
use super::wide::{NONE, WideTree};
use impinge_geom::simd::{Kernel, Simd, vector};
use std::cmp::Ordering;

/// Two packs of a level, perhaps the same one, of which something may overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) level: u32,
    pub(super) a: u32,
    pub(super) b: u32,
}

/// Opens nodes, level by level, until there are enough tasks to share, or none but small ones.
pub(super) struct Widen<'a, 'b>(pub(super) Search<'a, 'b>);

impl Kernel for Widen<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        const ENOUGH: usize = 512;
        while self.0.stack.len() < ENOUGH && self.0.stack.first().is_some_and(|task| task.level > 1)
        {
            for Task { level, a, b } in std::mem::take(self.0.stack) {
                if a == b {
                    self.0.node(simd, level as usize, a as usize);
                } else {
                    self.0.nodes(simd, level as usize, a as usize, b as usize);
                }
            }
        }
    }
}

/// Finds all pairs below some tasks.
pub(super) struct Search<'a, 'b> {
    pub(super) wide: &'a WideTree,
    pub(super) stack: &'a mut Vec<Task>,
    pub(super) writer: &'a mut Writer<'b>,
}

impl Kernel for Search<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let mut count = 0;
        while let Some(Task { level, a, b }) = self.stack.pop() {
            let level = level as usize;
            match (level, a == b) {
                (0, true) => self.leaf(simd, &mut count, a as usize),
                (0, false) => self.leaves(simd, &mut count, a as usize, b as usize),
                (_, true) => self.node(simd, level, a as usize),
                (_, false) => self.nodes(simd, level, a as usize, b as usize),
            }
            if self.writer.is_full() {
                return;
            }
        }
        self.writer.flush(count);
    }
}

impl Search<'_, '_> {
    /// The children of a node with each other.
    #[inline(always)]
    fn node<S: Simd>(&mut self, simd: S, level: usize, a: usize) {
        let pack = &self.wide.levels[level][a];
        let count = (self.wide.levels[level - 1].len() - 8 * a).min(8);
        let lanes = pack.lanes(simd);
        for lane in 0..count {
            let mask = simd.touching32(&pack.splat(simd, lane), &lanes) & 0xFE << lane;
            self.push(simd, level - 1, 8 * a + lane, 8 * a, mask);
            self.push(simd, level - 1, 8 * a + lane, 8 * a + lane, 1);
        }
    }

    /// The children of two nodes.
    #[inline(always)]
    fn nodes<S: Simd>(&mut self, simd: S, level: usize, a: usize, b: usize) {
        let packs = &self.wide.levels[level];
        let lanes = packs[b].lanes(simd);
        let mut near = self.near(simd, level, &packs[a], b);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let mask = simd.touching32(&packs[a].splat(simd, lane), &lanes);
            self.push(simd, level - 1, 8 * a + lane, 8 * b, mask);
        }
    }

    /// The boxes of a pack with each other.
    #[inline(always)]
    fn leaf<S: Simd>(&mut self, simd: S, count: &mut usize, a: usize) {
        let (pack, indices) = (&self.wide.levels[0][a], &self.wide.indices[a]);
        let lanes = pack.lanes(simd);
        for lane in 0..7 {
            let mask = simd.touching32(&pack.splat(simd, lane), &lanes) & 0xFE << lane;
            self.write(simd, count, [a, lane], mask, a, indices);
        }
    }

    /// The boxes of two packs.
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, count: &mut usize, a: usize, b: usize) {
        let packs = &self.wide.levels[0];
        let lanes = packs[b].lanes(simd);
        let mut near = self.near(simd, 0, &packs[a], b);
        let indices = &self.wide.indices[b];
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let mask = simd.touching32(&packs[a].splat(simd, lane), &lanes);
            self.write(simd, count, [a, lane], mask, b, indices);
        }
    }

    /// The lanes of a pack that overlap the bound of another.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, level: usize, pack: &Pack, other: usize) -> u32 {
        let bound: Lanes<S> = self.wide.levels[level + 1][other / 8].splat(simd, other % 8);
        simd.touching32(&pack.lanes(simd), &bound)
    }

    #[inline(always)]
    fn push<S: Simd>(&mut self, simd: S, level: usize, a: usize, first: usize, mut mask: u32) {
        while mask != 0 {
            let b = first as u32 + mask.trailing_zeros();
            mask &= mask - 1;
            if !self.wide.has_moving_children(level, a)
                && !self.wide.has_moving_children(level, b as usize)
            {
                continue;
            }
            self.stack.push(Task { level: level as u32, a: a as u32, b });
            if let Some(pack) = self.wide.levels[level].get(b as usize) {
                simd.fetch(pack);
            }
        }
    }

    #[inline(always)]
    fn write<S: Simd>(
        &mut self,
        simd: S,
        count: &mut usize,
        [a, lane]: [usize; 2],
        mut mask: u32,
        b: usize,
        indices: &[u32; 8],
    ) {
        if self.wide.has_fixed && self.wide.moving[a] >> lane & 1 == 0 {
            mask &= u32::from(self.wide.moving[b]);
        }
        if mask != 0 {
            self.writer.write(simd, count, mask, self.wide.indices[a][lane & 7], indices);
        }
    }
}

/// Finds the pairs of the changed boxes in some packs with all others: from the root for each, which is less than the nodes that have
/// changed boxes below them.
pub(super) struct Around<'a, 'b> {
    pub(super) wide: &'a WideTree,
    pub(super) leaves: &'a [u32],
    pub(super) writer: &'a mut Writer<'b>,
}

impl Kernel for Around<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (mut count, mut stack) = (0, Vec::with_capacity(128));
        for &leaf in self.leaves {
            let mut changed = self.wide.changed[leaf as usize];
            while changed != 0 {
                let lane = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                if self.wide.indices[leaf as usize][lane & 7] != NONE {
                    self.one(simd, &mut count, &mut stack, [leaf as usize, lane]);
                }
            }
            if self.writer.is_full() {
                return;
            }
        }
        self.writer.flush(count);
    }
}

impl Around<'_, '_> {
    #[inline(always)]
    fn one<S: Simd>(
        &mut self,
        simd: S,
        count: &mut usize,
        stack: &mut Vec<(u32, u32)>,
        [leaf, lane]: [usize; 2],
    ) {
        let wide = self.wide;
        let one = wide.levels[0][leaf].splat(simd, lane);
        let index = wide.indices[leaf][lane & 7];
        let is_fixed = wide.moving[leaf] >> lane & 1 == 0;
        stack.clear();
        stack.push((wide.levels.len() as u32 - 1, 0));
        while let Some((level, at)) = stack.pop() {
            let at = at as usize;
            let mut mask = simd.touching32(&wide.levels[level as usize][at].lanes(simd), &one);
            if level > 0 {
                while mask != 0 {
                    let child = 8 * at as u32 + mask.trailing_zeros();
                    mask &= mask - 1;
                    if is_fixed && !wide.has_moving_children(level as usize - 1, child as usize) {
                        continue;
                    }
                    simd.fetch(&wide.levels[level as usize - 1][child as usize]);
                    stack.push((level - 1, child));
                }
                continue;
            }
            // A pair of two that changed is found from the first.
            let found_later = match at.cmp(&leaf) {
                Ordering::Less => 0xFF,
                Ordering::Equal => (2 << lane) - 1,
                Ordering::Greater => 0,
            };
            mask &= !(u32::from(wide.changed[at]) & found_later);
            if is_fixed {
                mask &= u32::from(wide.moving[at]);
            }
            self.writer.write(simd, count, mask, index, &wide.indices[at]);
        }
    }
}

/// Finds the boxes that overlap one.
pub(super) struct Query<'a> {
    pub(super) wide: &'a WideTree,
    pub(super) corners: [[f32; 3]; 2],
    pub(super) found: &'a mut dyn FnMut(u32),
}

impl Kernel for Query<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let [low, high] = self.corners;
        let lanes = [vector::splat(simd, low), vector::splat(simd, high)];
        let mut stack = Vec::with_capacity(64);
        stack.extend(self.wide.levels.len().checked_sub(1).map(|top| (top, 0)));
        while let Some((level, at)) = stack.pop() {
            let Some(pack) = self.wide.levels[level].get(at) else { continue };
            let mut mask = simd.touching32(&pack.lanes(simd), &lanes);
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                if level > 0 {
                    stack.push((level - 1, 8 * at + lane));
                } else if self.wide.indices[at][lane] != NONE {
                    (self.found)(self.wide.indices[at][lane]);
                }
            }
        }
    }
}
