//! An oriented box for overlap and a swept rectangle for distance.
//!
//! As the OBBRSS of FCL (J. Pan, S. Chitta and D. Manocha, "FCL: A general purpose library for collision and proximity queries",
//! 2012): boxes part best, rectangles with a radius bound distances best where bodies are round.

use super::fit::Moments;
use super::rss::RssPack;
use super::{Bound, FrameMotion, LocalRay, Obb, Overlaps, Pack, Rss};
use crate::simd::Simd;
use glam::Vec3A;

/// Both volumes of one geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObbRss {
    /// Used for overlap.
    pub obb: Obb,
    /// Used for distance.
    pub rss: Rss,
}

/// Eight of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObbRssPack {
    obb: Pack<15>,
    rss: RssPack,
}

impl Bound for ObbRss {
    type Pack = ObbRssPack;
    type Query = Self;
    type RayQuery = LocalRay;
    const NAME: &'static str = "OBB+RSS";
    const EMPTY: ObbRssPack = ObbRssPack { obb: Obb::EMPTY, rss: Rss::EMPTY };

    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        Self { obb: Obb::fit(points, moments, error), rss: Rss::fit(points, moments, error) }
    }

    fn merge(parts: &[Self]) -> Self {
        let obbs: Vec<_> = parts.iter().map(|part| part.obb).collect();
        let rsses: Vec<_> = parts.iter().map(|part| part.rss).collect();
        Self { obb: Obb::merge(&obbs), rss: Rss::merge(&rsses) }
    }

    #[inline(always)]
    fn get(pack: &ObbRssPack, lane: usize) -> Self {
        Self { obb: Obb::get(&pack.obb, lane), rss: Rss::get(&pack.rss, lane) }
    }

    fn set(self, pack: &mut ObbRssPack, lane: usize) {
        self.obb.set(&mut pack.obb, lane);
        self.rss.set(&mut pack.rss, lane);
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        self.obb.numbers(out);
        self.rss.numbers(out);
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        Some(Self { obb: Obb::from_numbers(from)?, rss: Rss::from_numbers(from)? })
    }

    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        self.obb.contains(point, margin) && self.rss.contains(point, margin)
    }

    fn area(&self) -> f32 {
        self.obb.area()
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        self.obb.size()
    }

    #[inline(always)]
    fn moved(&self, motion: &FrameMotion) -> Self {
        Self { obb: self.obb.moved(motion), rss: self.rss.moved(motion) }
    }

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &Self, pack: &ObbRssPack, margin: f32) -> Overlaps<S> {
        Obb::overlaps(simd, &query.obb, &pack.obb, margin)
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &Self, pack: &ObbRssPack) -> S::F32x8 {
        Rss::distances(simd, &query.rss, &pack.rss)
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &ObbRssPack) -> S::F32x8 {
        Obb::support_values(simd, direction, &pack.obb)
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &ObbRssPack) -> S::F32x8 {
        Rss::point_distances(simd, point, &pack.rss)
    }

    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> LocalRay {
        *ray
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(
        simd: S,
        ray: &LocalRay,
        end: f32,
        pack: &ObbRssPack,
    ) -> (u32, S::F32x8) {
        Obb::ray_entries(simd, ray, end, &pack.obb)
    }
}
