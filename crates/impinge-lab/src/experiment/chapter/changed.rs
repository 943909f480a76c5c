//! A volume of the library with one thing changed: what takes part in an experiment is compared with all else equal.

use impinge::geom::bound::{
    Bound, Family, FrameMotion, Kinds, LocalRay, Moments, Obb, Overlaps, Pack,
};
use impinge::geom::glam::Vec3A;
use impinge::geom::simd::{Simd, vector};
use std::fmt::Debug;
use std::marker::PhantomData;

/// What is changed; what an implementation does not say stays.
pub(super) trait Change<B: Bound>: Copy + Debug + PartialEq + Send + Sync + 'static {
    const NAME: &'static str;

    #[inline(always)]
    fn size(volume: &B) -> f32 {
        volume.size()
    }

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &B::Query, pack: &B::Pack, margin: f32) -> Overlaps<S> {
        B::overlaps(simd, query, pack, margin)
    }
}

/// The larger of two volumes is the one of the larger surface, as in the chapter's pseudocode, and not the one of the longest side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SizeIsArea;

impl<B: Bound> Change<B> for SizeIsArea {
    const NAME: &'static str = "by area";

    #[inline(always)]
    fn size(volume: &B) -> f32 {
        volume.area()
    }
}

/// "SAT lite": the six axes of the boxes, without the nine products of their edges (G. van den Bergen, "Efficient collision detection of
/// complex deformable models using AABB trees", 1997).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SixAxes;

impl Change<Obb> for SixAxes {
    const NAME: &'static str = "OBB, six axes";

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &Obb, pack: &Pack<15>, margin: f32) -> Overlaps<S> {
        axes::<S, false>(simd, query, pack, margin)
    }
}

/// All fifteen, always: the six are not looked at before the nine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FifteenAxes;

impl Change<Obb> for FifteenAxes {
    const NAME: &'static str = "OBB, always fifteen axes";

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &Obb, pack: &Pack<15>, margin: f32) -> Overlaps<S> {
        axes::<S, true>(simd, query, pack, margin)
    }
}

/// The gaps along the axes of both boxes, and if `EDGES`, along the products of their edges.
#[inline(always)]
fn axes<S: Simd, const EDGES: bool>(
    simd: S,
    query: &Obb,
    pack: &Pack<15>,
    margin: f32,
) -> Overlaps<S> {
    // No closures: the compiler would not give them the instruction set of the traversal.
    let center = [pack.row(simd, 0), pack.row(simd, 1), pack.row(simd, 2)];
    let offset = vector::sub(simd, vector::splat(simd, query.center.to_array()), center);
    let other = [
        vector::splat(simd, query.axes[0].to_array()),
        vector::splat(simd, query.axes[1].to_array()),
        vector::splat(simd, query.axes[2].to_array()),
    ];
    let reach = vector::splat(simd, query.half.to_array());
    let half = [pack.row(simd, 12), pack.row(simd, 13), pack.row(simd, 14)];
    let zero = simd.splat32(0.0);
    let (mut along, mut turn, mut spread) = ([zero; 3], [[zero; 3]; 3], [[zero; 3]; 3]);
    for i in 0..3 {
        let row = 3 + 3 * i;
        let axis = [pack.row(simd, row), pack.row(simd, row + 1), pack.row(simd, row + 2)];
        along[i] = vector::dot(simd, offset, axis);
        for j in 0..3 {
            turn[i][j] = vector::dot(simd, axis, other[j]);
            spread[i][j] = simd.abs32(turn[i][j]);
        }
    }
    let mut separation = simd.splat32(f32::NEG_INFINITY);
    for i in 0..3 {
        let gap = simd.sub32(simd.abs32(along[i]), half[i]);
        let gap = simd.sub32(gap, vector::dot(simd, spread[i], reach));
        separation = simd.max32(separation, gap);
        let away = vector::dot(simd, along, [turn[0][i], turn[1][i], turn[2][i]]);
        let gap = simd.sub32(simd.abs32(away), reach[i]);
        let gap =
            simd.sub32(gap, vector::dot(simd, [spread[0][i], spread[1][i], spread[2][i]], half));
        separation = simd.max32(separation, gap);
    }
    let mut gap = separation;
    if EDGES {
        for i in 0..3 {
            let (p, q) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (r, s) = ((j + 1) % 3, (j + 2) % 3);
                let away =
                    simd.subtract_product32(simd.mul32(along[q], turn[p][j]), along[p], turn[q][j]);
                let one = simd.subtract_product32(simd.abs32(away), half[p], spread[q][j]);
                let one = simd.subtract_product32(one, half[q], spread[p][j]);
                let one = simd.subtract_product32(one, reach[r], spread[i][s]);
                gap = simd.max32(gap, simd.subtract_product32(one, reach[s], spread[i][r]));
            }
        }
    }
    Overlaps { mask: !simd.greater32(gap, simd.splat32(margin)) & 0xff, separation }
}

/// The volume with the change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Changed<B, C>(B, PhantomData<C>);

fn plain<B: Bound, C>(changed: &[Changed<B, C>]) -> Vec<B> {
    changed.iter().map(|one| one.0).collect()
}

impl<B: Bound, C: Change<B>> Bound for Changed<B, C> {
    type Pack = B::Pack;
    type Query = B::Query;
    type RayQuery = B::RayQuery;
    const NAME: &'static str = C::NAME;
    const EMPTY: B::Pack = B::EMPTY;
    const USES_MOMENTS: bool = B::USES_MOMENTS;
    const MERGES_EXACTLY: bool = B::MERGES_EXACTLY;
    const EMPTY_IS_MISSED: bool = B::EMPTY_IS_MISSED;
    const KINDS: usize = B::KINDS;

    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        Self(B::fit(points, moments, error), PhantomData)
    }

    fn merge(parts: &[Self]) -> Self {
        Self(B::merge(&plain(parts)), PhantomData)
    }

    fn fit_as(kind: usize, points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        Self(B::fit_as(kind, points, moments, error), PhantomData)
    }

    fn merge_as(kind: usize, parts: &[Self]) -> Self {
        Self(B::merge_as(kind, &plain(parts)), PhantomData)
    }

    fn choose(family: &Family<'_, Self>) -> usize {
        let kinds = |kinds: &Kinds<Self>| kinds.map(|one| one.map(|one| one.0));
        let whole = family.whole.map(kinds);
        let children: Vec<_> =
            family.children.iter().map(|(own, leaf)| (kinds(own), *leaf)).collect();
        B::choose(&Family { whole: whole.as_ref(), children: &children })
    }

    #[inline(always)]
    fn get(pack: &B::Pack, lane: usize) -> Self {
        Self(B::get(pack, lane), PhantomData)
    }

    fn set(self, pack: &mut B::Pack, lane: usize) {
        self.0.set(pack, lane);
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        self.0.numbers(out);
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        B::from_numbers(from).map(|one| Self(one, PhantomData))
    }

    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        self.0.contains(point, margin)
    }

    fn area(&self) -> f32 {
        self.0.area()
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        C::size(&self.0)
    }

    #[inline(always)]
    fn moved(&self, motion: &FrameMotion) -> B::Query {
        self.0.moved(motion)
    }

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &B::Query, pack: &B::Pack, margin: f32) -> Overlaps<S> {
        C::overlaps(simd, query, pack, margin)
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &B::Query, pack: &B::Pack) -> S::F32x8 {
        B::distances(simd, query, pack)
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &B::Pack) -> S::F32x8 {
        B::support_values(simd, direction, pack)
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &B::Pack) -> S::F32x8 {
        B::point_distances(simd, point, pack)
    }

    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> B::RayQuery {
        B::ray_query(ray)
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(
        simd: S,
        ray: &B::RayQuery,
        end: f32,
        pack: &B::Pack,
    ) -> (u32, S::F32x8) {
        B::ray_entries(simd, ray, end, pack)
    }
}
