//! A ray through the tree, nearest boxes first.

use super::super::BroadRay;
use super::wide::{NONE, WideTree};
use impinge_geom::simd::{Kernel, Simd, vector};

/// Visits the boxes that a ray may meet. What is visited says where the ray ends from now on, or nothing.
pub(super) struct CastRay<'a> {
    pub(super) wide: &'a WideTree,
    pub(super) ray: &'a BroadRay,
    pub(super) end: f32,
    pub(super) visit: &'a mut dyn FnMut(u32) -> Option<f32>,
}

/// A node that is still to be opened, and where the ray enters it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    step: f32,
    level: u32,
    at: u32,
}

/// Eleven levels hold all boxes that u32 can count; on each at most seven nodes wait beside the one that is opened.
const DEPTH: usize = 96;

impl Kernel for CastRay<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let Some(top) = self.wide.levels.len().checked_sub(1) else { return };
        let ray = self.ray;
        let (near, far) = (vector::splat(simd, ray.near), vector::splat(simd, ray.far));
        let inverse = vector::splat(simd, ray.inverse);
        let ahead = ray.inverse.map(|x| x > 0.0);
        let slack = simd.splat32(1.0 + super::super::ray::SLACK);
        let mut stack = [Entry { step: 0.0, level: top as u32, at: 0 }; DEPTH];
        let mut waiting = 1;
        while waiting > 0 {
            waiting -= 1;
            let Entry { step, level, at } = stack[waiting];
            if step > self.end {
                continue;
            }
            let Some(pack) = self.wide.levels[level as usize].get(at as usize) else { continue };
            let [low, high] = pack.lanes(simd);
            let (mut enter, mut leave) = (simd.splat32(0.0), simd.splat32(self.end));
            for k in 0..3 {
                let (first, last) = if ahead[k] { (low[k], high[k]) } else { (high[k], low[k]) };
                enter = simd.max32(simd.mul32(simd.sub32(first, near[k]), inverse[k]), enter);
                leave = simd.min32(simd.mul32(simd.sub32(last, far[k]), inverse[k]), leave);
            }
            let met = !simd.greater32(enter, simd.mul32(leave, slack)) & 0xFF;
            let entries = simd.or_infinity32(met, enter);
            let (mut keys, mut lanes) = ([0.0; 8], [0; 8]);
            let (_, count) =
                simd.far_first32(entries, &[0, 1, 2, 3, 4, 5, 6, 7], &mut keys, &mut lanes);
            if level > 0 {
                for place in 0..count {
                    let child = 8 * at + lanes[place];
                    stack[waiting] = Entry { step: keys[place], level: level - 1, at: child };
                    waiting += 1;
                }
                continue;
            }
            for place in (0..count).rev() {
                if keys[place] > self.end {
                    break;
                }
                let index = self.wide.indices[at as usize][lanes[place] as usize & 7];
                if index != NONE
                    && let Some(end) = (self.visit)(index)
                {
                    self.end = self.end.min(end);
                }
            }
        }
    }
}
