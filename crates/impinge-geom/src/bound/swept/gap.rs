//! The one routine that measures all pairs of cores, and the calls of it.

use super::{Lanes, Point, SegmentCore, SweptCore, SweptPack, load, splat};
use crate::bound::{LANES, LocalRay, MeasuredRay};
use crate::simd::{Kernel, Simd, dispatch, vector};
use glam::Vec3A;
use std::marker::PhantomData;

/// A direction shorter than this is taken for one of this length: its gap only becomes smaller.
const SHORTEST: f32 = 1e-15;

/// The gap between two cores along a direction, from A to B; at most their distance.
#[inline(always)]
fn gap_along<S: Simd, A: SweptCore<N>, B: SweptCore<M>, const N: usize, const M: usize>(
    simd: S,
    a: &Lanes<S, N>,
    b: &Lanes<S, M>,
    n: [S::F32x8; 3],
) -> S::F32x8 {
    let back = vector::sub(simd, vector::splat(simd, [0.0; 3]), n);
    let between = vector::dot(simd, n, vector::sub(simd, b[0], a[0]));
    let reach = simd.add32(A::spread(simd, a, n), B::spread(simd, b, back));
    let length = simd.sqrt32(vector::dot(simd, n, n));
    simd.div32(simd.sub32(between, reach), simd.max32(length, simd.splat32(SHORTEST)))
}

/// A lower bound on the distance of two cores of any kind; negative where they overlap along the line of their centres.
///
/// Exact up to rounding between a point and any core whose [`SweptCore::nearest`] is exact, and in the limit between all others.
#[inline(always)]
pub fn gap<S: Simd, A: SweptCore<N>, B: SweptCore<M>, const N: usize, const M: usize>(
    simd: S,
    a: &Lanes<S, N>,
    b: &Lanes<S, M>,
) -> S::F32x8 {
    let (mut p, mut q) = (A::ball(simd, a).0, B::ball(simd, b).0);
    let middles = gap_along::<S, A, B, N, M>(simd, a, b, vector::sub(simd, q, p));
    let rounds = match (A::ROUNDS, B::ROUNDS) {
        (0, 0) => return middles,
        (0, _) | (_, 0) => 1,
        (i, j) => i.max(j),
    };
    for _ in 0..rounds {
        q = B::nearest(simd, b, p);
        p = A::nearest(simd, a, q);
    }
    let last = gap_along::<S, A, B, N, M>(simd, a, b, vector::sub(simd, q, p));
    simd.max32(middles, last)
}

/// One core of a kind against eight of another. A call of its own: inlined into every traversal, it would make programs large for the
/// little that the call costs beside it.
struct Gaps<'g, A, B, const N: usize, const M: usize> {
    a: &'g [Vec3A; N],
    b: &'g SweptPack<M>,
    kinds: PhantomData<(A, B)>,
}

impl<A: SweptCore<N>, B: SweptCore<M>, const N: usize, const M: usize> Kernel
    for Gaps<'_, A, B, N, M>
{
    type Output = [f32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f32; LANES] {
        simd.store32(gap::<S, A, B, N, M>(simd, &splat(simd, self.a), &load(simd, self.b)))
    }
}

#[inline(never)]
fn called<A: SweptCore<N>, B: SweptCore<M>, const N: usize, const M: usize>(
    a: &[Vec3A; N],
    b: &SweptPack<M>,
) -> [f32; LANES] {
    dispatch(Gaps { a, b, kinds: PhantomData::<(A, B)> })
}

/// At most the distances of one core from eight.
#[inline(always)]
pub(super) fn gaps<S: Simd, A: SweptCore<N>, B: SweptCore<M>, const N: usize, const M: usize>(
    simd: S,
    a: &[Vec3A; N],
    b: &SweptPack<M>,
) -> S::F32x8 {
    if A::ROUNDS == 0 && B::ROUNDS == 0 {
        // Two points are two lines of code.
        return gap::<S, A, B, N, M>(simd, &splat(simd, a), &load(simd, b));
    }
    simd.load32(&called::<A, B, N, M>(a, b))
}

/// A ray against eight.
struct Entries<'r, C, const N: usize> {
    ray: &'r LocalRay,
    pack: &'r SweptPack<N>,
    kind: PhantomData<C>,
}

#[inline(never)]
pub(super) fn entries_of<C: SweptCore<N>, const N: usize>(
    ray: &LocalRay,
    pack: &SweptPack<N>,
    kind: PhantomData<C>,
) -> (u32, [f32; LANES]) {
    dispatch(Entries { ray, pack, kind })
}

impl<C: SweptCore<N>, const N: usize> Kernel for Entries<'_, C, N> {
    type Output = (u32, [f32; LANES]);

    /// The ray is a segment as any other core; it enters no earlier than the ball around the volume, and from
    /// there no earlier than after some steps as long as the distance that is left.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (u32, [f32; LANES]) {
        let Self { ray, pack, .. } = self;
        let core = load(simd, pack);
        let wide = simd.add32(simd.load32(&pack.radius), simd.splat32(ray.margin));
        let MeasuredRay { origin, direction, end, step } = ray.measured();
        let half = direction * (end * 0.5);
        let segment = splat(simd, &[origin + half, half]);
        let away = gap::<S, SegmentCore, C, 2, N>(simd, &segment, &core);
        let missed = simd.greater32(away, wide);
        let zero = simd.splat32(0.0);
        let (middle, outer) = C::ball(simd, &core);
        let origin = vector::splat(simd, origin.to_array());
        let direction = vector::splat(simd, direction.to_array());
        let to_middle = vector::sub(simd, middle, origin);
        let along = vector::dot(simd, to_middle, direction);
        let beside = vector::sub(simd, to_middle, vector::scale(simd, direction, along));
        let outer = simd.add32(outer, wide);
        let square = simd.sub32(simd.mul32(outer, outer), vector::dot(simd, beside, beside));
        let chord = simd.sqrt32(simd.max32(square, zero));
        let mut entry = simd.max32(simd.sub32(along, chord), zero);
        for _ in 0..C::RAY_STEPS {
            let at = vector::add(simd, origin, vector::scale(simd, direction, entry));
            let left = simd.sub32(gap::<S, Point, C, 1, N>(simd, &[at], &core), wide);
            entry = simd.add32(entry, simd.max32(left, zero));
        }
        let late = simd.greater32(entry, simd.splat32(end));
        let entry = simd.div32(entry, simd.splat32(step));
        (!(missed | late) & ((1 << LANES) - 1), simd.store32(entry))
    }
}
