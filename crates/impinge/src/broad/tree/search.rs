//! The tree against itself.

use super::super::writer::Writer;
use super::pack::{Lanes, Pack};
use super::shape::{NONE, Shape};
use impinge_geom::simd::{Kernel, Simd, vector};

/// Two packs of a level, perhaps the same one, of which something may overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) level: u32,
    pub(super) a: u32,
    pub(super) b: u32,
}

/// Opens nodes, level by level, until there are enough tasks to share, or none but small ones.
pub(super) struct Widen<'a, 'b, const CHANGED: bool>(pub(super) Search<'a, 'b, CHANGED>);

impl<const CHANGED: bool> Kernel for Widen<'_, '_, CHANGED> {
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

/// Finds all pairs below some tasks; with `CHANGED` only those of which at least one changed.
pub(super) struct Search<'a, 'b, const CHANGED: bool> {
    pub(super) shape: &'a Shape,
    pub(super) stack: &'a mut Vec<Task>,
    pub(super) writer: &'a mut Writer<'b>,
}

impl<const CHANGED: bool> Kernel for Search<'_, '_, CHANGED> {
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

impl<const CHANGED: bool> Search<'_, '_, CHANGED> {
    /// The children of a node with each other.
    #[inline(always)]
    fn node<S: Simd>(&mut self, simd: S, level: usize, a: usize) {
        let pack = &self.shape.levels[level][a];
        let count = (self.shape.levels[level - 1].len() - 8 * a).min(8);
        let changed = self.changed(level, a);
        let lanes = pack.lanes(simd);
        for lane in 0..count {
            let later = 0xFE << lane & self.allowed(changed, lane, changed);
            let mask = simd.touching32(&pack.splat(simd, lane), &lanes) & later;
            self.push(simd, level - 1, 8 * a + lane, 8 * a, mask);
            if changed >> lane & 1 == 1 {
                self.push(simd, level - 1, 8 * a + lane, 8 * a + lane, 1);
            }
        }
    }

    /// The children of two nodes.
    #[inline(always)]
    fn nodes<S: Simd>(&mut self, simd: S, level: usize, a: usize, b: usize) {
        let packs = &self.shape.levels[level];
        let changed = [self.changed(level, a), self.changed(level, b)];
        let lanes = packs[b].lanes(simd);
        let mut near = self.near(simd, level, &packs[a], b, changed);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let allowed = self.allowed(changed[0], lane, changed[1]);
            let mask = simd.touching32(&packs[a].splat(simd, lane), &lanes) & allowed;
            self.push(simd, level - 1, 8 * a + lane, 8 * b, mask);
        }
    }

    /// The boxes of a pack with each other.
    #[inline(always)]
    fn leaf<S: Simd>(&mut self, simd: S, count: &mut usize, a: usize) {
        let (pack, indices) = (&self.shape.levels[0][a], &self.shape.indices[a]);
        let changed = self.changed(0, a);
        let lanes = pack.lanes(simd);
        for lane in 0..7 {
            let later = 0xFE << lane & self.allowed(changed, lane, changed);
            let mask = simd.touching32(&pack.splat(simd, lane), &lanes) & later;
            self.write(simd, count, [a, lane], mask, a, indices);
        }
    }

    /// The boxes of two packs.
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, count: &mut usize, a: usize, b: usize) {
        let packs = &self.shape.levels[0];
        let changed = [self.changed(0, a), self.changed(0, b)];
        let lanes = packs[b].lanes(simd);
        let mut near = self.near(simd, 0, &packs[a], b, changed);
        let indices = &self.shape.indices[b];
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let allowed = self.allowed(changed[0], lane, changed[1]);
            let mask = simd.touching32(&packs[a].splat(simd, lane), &lanes) & allowed;
            self.write(simd, count, [a, lane], mask, b, indices);
        }
    }

    /// The lanes of a pack that overlap the bound of another, and may give something.
    #[inline(always)]
    fn near<S: Simd>(
        &self,
        simd: S,
        level: usize,
        pack: &Pack,
        other: usize,
        changed: [u32; 2],
    ) -> u32 {
        let bound: Lanes<S> = self.shape.levels[level + 1][other / 8].splat(simd, other % 8);
        let mask = simd.touching32(&pack.lanes(simd), &bound);
        if CHANGED && changed[1] == 0 { mask & changed[0] } else { mask }
    }

    /// Lanes of a pack below which something changed.
    #[inline(always)]
    fn changed(&self, level: usize, at: usize) -> u32 {
        if CHANGED { u32::from(self.shape.changed[level][at]) } else { 0xFF }
    }

    /// The lanes that a lane may make a pair with.
    #[inline(always)]
    fn allowed(&self, changed: u32, lane: usize, others: u32) -> u32 {
        if !CHANGED || changed >> lane & 1 == 1 { 0xFF } else { others }
    }

    #[inline(always)]
    fn push<S: Simd>(&mut self, simd: S, level: usize, a: usize, first: usize, mut mask: u32) {
        while mask != 0 {
            let b = first as u32 + mask.trailing_zeros();
            self.stack.push(Task { level: level as u32, a: a as u32, b });
            if let Some(pack) = self.shape.levels[level].get(b as usize) {
                simd.fetch(pack);
            }
            mask &= mask - 1;
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
        if self.shape.has_fixed && self.shape.moving[a] >> lane & 1 == 0 {
            mask &= u32::from(self.shape.moving[b]);
        }
        if mask != 0 {
            self.writer.write(simd, count, mask, self.shape.indices[a][lane & 7], indices);
        }
    }
}

/// Finds the boxes that overlap one.
pub(super) struct Query<'a> {
    pub(super) shape: &'a Shape,
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
        stack.extend(self.shape.levels.len().checked_sub(1).map(|top| (top, 0)));
        while let Some((level, at)) = stack.pop() {
            let Some(pack) = self.shape.levels[level].get(at) else { continue };
            let mut mask = simd.touching32(&pack.lanes(simd), &lanes);
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                if level > 0 {
                    stack.push((level - 1, 8 * at + lane));
                } else if self.shape.indices[at][lane] != NONE {
                    (self.found)(self.shape.indices[at][lane]);
                }
            }
        }
    }
}
