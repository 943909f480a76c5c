//! One thing against a lazy tree: a volume, a ray, a point. One loop; what is asked is a test of eight volumes.

use super::{Lane, LazyTree};
use crate::Probe;
use impinge_geom::bound::{Bound, LANES, LocalRay};
use impinge_geom::glam::Vec3A;
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::ops::ControlFlow;

/// A key, and the node and lane that it is of.
pub(super) type Entry = (f32, u32, usize);

/// What is asked of the volumes of a node.
trait Ask<B: Bound> {
    /// Which lanes may matter, and in which order: the least key first. `limit` is that of the visitor.
    fn ask<S: Simd>(&self, simd: S, pack: &B::Pack, limit: f32) -> (u32, S::F32x8);
}

impl<B: Bound> LazyTree<B> {
    /// Visits the items of all leaves whose volumes may overlap the query, or until `visit` breaks off, as
    /// [`traverse::volume`](crate::traverse::volume) does.
    pub fn volume(
        &mut self,
        query: &B::Query,
        margin: f32,
        probe: &mut impl Probe,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let ask = Overlapping::<B> { query: *query, margin };
        self.descend(&ask, f32::INFINITY, probe, |items| {
            visit(items)?;
            ControlFlow::Continue(f32::INFINITY)
        })
    }

    /// Visits the items of leaves, near ones first, until none is left within the limit that `visit` answers with, as
    /// [`traverse::volume_nearest`](crate::traverse::volume_nearest) does.
    pub fn volume_nearest(
        &mut self,
        query: &B::Query,
        margin: f32,
        probe: &mut impl Probe,
        mut visit: impl FnMut(&[u32]) -> f32,
    ) {
        let ask = Near::<B> { query: *query, margin };
        let visit = |items: &[u32]| ControlFlow::Continue(visit(items));
        let _ = self.descend(&ask, f32::INFINITY, probe, visit);
    }

    /// Visits the items of leaves that may be near a point, near ones first, until none is left within the limit that `visit` answers
    /// with, as [`traverse::point`](crate::traverse::point) does.
    pub fn point(
        &mut self,
        point: Vec3A,
        margin: f32,
        probe: &mut impl Probe,
        mut visit: impl FnMut(&[u32]) -> f32,
    ) {
        let visit = |items: &[u32]| ControlFlow::Continue(visit(items));
        let _ = self.descend(&Point { point, margin }, f32::INFINITY, probe, visit);
    }

    /// Visits the items of leaves that the ray may meet, in about the order in which it does, until none is left before the end that
    /// `visit` answers with, in steps of the ray, as [`traverse::ray`](crate::traverse::ray) does.
    pub fn ray(
        &mut self,
        ray: &LocalRay,
        probe: &mut impl Probe,
        mut visit: impl FnMut(&[u32]) -> f32,
    ) {
        let visit = |items: &[u32]| ControlFlow::Continue(visit(items));
        let _ = self.descend(&Along::<B> { query: B::ray_query(ray) }, ray.end, probe, visit);
    }

    fn descend(
        &mut self,
        ask: &impl Ask<B>,
        limit: f32,
        probe: &mut impl Probe,
        visit: impl FnMut(&[u32]) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut stack = std::mem::take(&mut self.waiting);
        stack.clear();
        let flow = self.descend_with(&mut stack, ask, limit, probe, visit);
        self.waiting = stack;
        flow
    }

    fn descend_with(
        &mut self,
        stack: &mut Vec<Entry>,
        ask: &impl Ask<B>,
        mut limit: f32,
        probe: &mut impl Probe,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut next = (!self.nodes.is_empty()).then_some(0);
        loop {
            if let Some(node) = next {
                let content = &self.nodes[node as usize];
                let (mask, keys) = dispatch(Asked { ask, volumes: &content.volumes, limit });
                probe.volumes(content.count);
                let mut left = mask & content.live();
                let base = stack.len();
                while left != 0 {
                    let lane = left.trailing_zeros() as usize % LANES;
                    left &= left - 1;
                    let mut place = stack.len();
                    stack.push((keys[lane], node, lane));
                    // The least on top.
                    while place > base && stack[place - 1].0 < stack[place].0 {
                        stack.swap(place - 1, place);
                        place -= 1;
                    }
                }
            }
            let Some((key, node, lane)) = stack.pop() else { return ControlFlow::Continue(()) };
            next = None;
            if key > limit {
                continue;
            }
            next = self.open(node as usize, lane);
            if let Lane::Items(part) = self.nodes[node as usize].lanes[lane] {
                probe.leaves();
                limit = visit(&self.order[part.range()])?;
            }
        }
    }
}

/// The test of one node, where the instructions are chosen.
struct Asked<'a, B: Bound, A> {
    ask: &'a A,
    volumes: &'a B::Pack,
    limit: f32,
}

impl<B: Bound, A: Ask<B>> Kernel for Asked<'_, B, A> {
    type Output = (u32, [f32; LANES]);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (u32, [f32; LANES]) {
        let (mask, keys) = self.ask.ask(simd, self.volumes, self.limit);
        (mask, simd.store32(keys))
    }
}

struct Overlapping<B: Bound> {
    query: B::Query,
    margin: f32,
}

impl<B: Bound> Ask<B> for Overlapping<B> {
    #[inline(always)]
    fn ask<S: Simd>(&self, simd: S, pack: &B::Pack, _: f32) -> (u32, S::F32x8) {
        let found = B::overlaps(simd, &self.query, pack, self.margin);
        (found.mask, simd.splat32(0.0))
    }
}

struct Near<B: Bound> {
    query: B::Query,
    margin: f32,
}

impl<B: Bound> Ask<B> for Near<B> {
    #[inline(always)]
    fn ask<S: Simd>(&self, simd: S, pack: &B::Pack, limit: f32) -> (u32, S::F32x8) {
        within(simd, B::distances(simd, &self.query, pack), self.margin, limit)
    }
}

struct Point {
    point: Vec3A,
    margin: f32,
}

impl<B: Bound> Ask<B> for Point {
    #[inline(always)]
    fn ask<S: Simd>(&self, simd: S, pack: &B::Pack, limit: f32) -> (u32, S::F32x8) {
        within(simd, B::point_distances(simd, self.point, pack), self.margin, limit)
    }
}

struct Along<B: Bound> {
    query: B::RayQuery,
}

impl<B: Bound> Ask<B> for Along<B> {
    #[inline(always)]
    fn ask<S: Simd>(&self, simd: S, pack: &B::Pack, limit: f32) -> (u32, S::F32x8) {
        B::ray_entries(simd, &self.query, limit, pack)
    }
}

/// The bounds of the distances that are not beyond the limit.
#[inline(always)]
pub(super) fn within<S: Simd>(
    simd: S,
    distances: S::F32x8,
    margin: f32,
    limit: f32,
) -> (u32, S::F32x8) {
    let bounds = simd.sub32(distances, simd.splat32(margin));
    (!simd.greater32(bounds, simd.splat32(limit)), bounds)
}
