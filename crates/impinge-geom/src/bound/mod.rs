//! Bounding volumes in f32, packed eight per node.
//!
//! A volume lives in a body's [`Frame`] and certainly contains its geometry. A test between two volumes may report separate ones as
//! overlapping, never the reverse: every comparison leaves room for rounding (the `margin` of a [`FrameMotion`]).
//!
//! To add a volume: one file here that implements [`Bound`], one line below.

mod aabb;
mod ellipsoid;
mod fit;
mod frame;
mod hybrid;
mod kdop;
mod obb;
mod obb_rss;
mod ray;
mod rss;
mod shell;
pub mod swept;

pub use aabb::Aabb;
pub use ellipsoid::EllipsoidBound;
pub use fit::{Moments, principal_axes};
pub use frame::{Far, Frame, FrameMotion, RelativeFrame};
pub use hybrid::{Hybrid, HybridPack, HybridQuery, KindPrices};
pub use kdop::{Dop14, Dop18, Dop26, Dop36, Kdop};
pub use obb::{Obb, ObbFit};
pub use obb_rss::ObbRss;
pub use ray::{LocalRay, MeasuredRay};
pub use rss::Rss;
pub use shell::SphericalShell;
pub use swept::{ConvexHull, Lss, RoundedBox, Sphere, SphereFit, Tss};

use crate::simd::Simd;
use glam::Vec3A;
use std::fmt::Debug;

/// Number of volumes tested at a time.
pub const LANES: usize = 8;

/// Eight volumes side by side: `rows[k][i]` is the k-th number of volume i.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Pack<const N: usize> {
    /// One row per number of the volume.
    pub rows: [[f32; LANES]; N],
}

impl<const N: usize> Pack<N> {
    /// All numbers zero.
    pub const ZERO: Self = Self { rows: [[0.0; LANES]; N] };

    /// The numbers of one volume.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> [f32; N] {
        let mut numbers = [0.0; N];
        for (number, row) in numbers.iter_mut().zip(&self.rows) {
            *number = row[lane % LANES];
        }
        numbers
    }

    /// Replaces the numbers of one volume.
    pub fn set(&mut self, lane: usize, numbers: [f32; N]) {
        for (row, number) in self.rows.iter_mut().zip(numbers) {
            row[lane % LANES] = number;
        }
    }

    /// One row in lanes.
    #[inline(always)]
    pub fn row<S: Simd>(&self, simd: S, row: usize) -> S::F32x8 {
        simd.load32(&self.rows[row])
    }
}

/// The result of [`Bound::overlaps`] for eight volumes.
#[derive(Clone, Copy)]
pub struct Overlaps<S: Simd> {
    /// The lanes that may overlap, one bit each.
    pub mask: u32,
    /// How far each lane is from being separated; smaller is deeper. It orders the search and decides nothing.
    pub separation: S::F32x8,
}

/// The largest number of kinds of volumes in one hierarchy.
pub const MOST_KINDS: usize = 3;

/// The volumes of one geometry, by kind: those of [`Bound::KINDS`], of which a node chooses one.
pub type Kinds<B> = [Option<B>; MOST_KINDS];

/// A node whose children are about to be fitted.
#[derive(Clone, Copy, Debug)]
pub struct Family<'f, B> {
    /// The volumes of the whole node; empty for the root, which has no parent.
    pub whole: Option<&'f Kinds<B>>,
    /// The volumes of each child, and whether it is a leaf.
    pub children: &'f [(Kinds<B>, bool)],
}

/// A bounding volume: how it is fitted, and how one is tested against eight.
///
/// All functions that take lanes are `#[inline(always)]`, since they run inside one dispatched traversal.
pub trait Bound: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Eight abreast.
    type Pack: Copy + Debug + PartialEq + Send + Sync;
    /// The volume in another body's frame.
    type Query: Copy;
    /// A ray as it is tested against many volumes, see [`Bound::ray_query`].
    type RayQuery: Copy + Send + Sync;
    /// The name in tables and messages.
    const NAME: &'static str;
    /// Lanes without a volume.
    const EMPTY: Self::Pack;
    /// True if [`Bound::fit`] looks at the moments of the surface.
    const USES_MOMENTS: bool = true;
    /// True if the volume merged from others is as tight as one fitted to all their points: parents are then not fitted.
    const MERGES_EXACTLY: bool = false;

    /// A volume of the points, grown by `error` on all sides. `moments` are those of the surface they stand for.
    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self;
    /// True if no ray meets [`Bound::EMPTY`], and lanes that are missed are entered at infinity.
    const EMPTY_IS_MISSED: bool = false;
    /// True if meshes of it are made for rays: they keep the indices of the triangles in the order of the leaves.
    const FOR_RAYS: bool = false;

    /// A volume that contains the given ones.
    fn merge(parts: &[Self]) -> Self;

    /// How many kinds there are to choose from for each node; at most [`MOST_KINDS`].
    const KINDS: usize = 1;
    /// [`Bound::fit`] of the given kind.
    fn fit_as(_kind: usize, points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        Self::fit(points, moments, error)
    }
    /// [`Bound::merge`] of the given kind.
    fn merge_as(_kind: usize, parts: &[Self]) -> Self {
        Self::merge(parts)
    }
    /// The kind that the children of a node are given, all the same.
    fn choose(_family: &Family<'_, Self>) -> usize {
        0
    }

    /// The volume in one lane.
    fn get(pack: &Self::Pack, lane: usize) -> Self;
    /// Puts the volume into one lane.
    fn set(self, pack: &mut Self::Pack, lane: usize);
    /// The numbers, in the order in which they are saved.
    fn numbers(&self, out: &mut Vec<f32>);
    /// The volume from its saved numbers, or `None` if they are too few or not those of a volume. The rest is left in `from`.
    fn from_numbers(from: &mut &[f32]) -> Option<Self>;

    /// True if the point is inside, within the margin.
    fn contains(&self, point: Vec3A, margin: f32) -> bool;
    /// Half the surface area, up to a common factor: what a node costs.
    fn area(&self) -> f32;
    /// The longest side: which of two volumes is opened first.
    fn size(&self) -> f32;
    /// The size of the volume in one lane, roughly.
    #[inline(always)]
    fn size_in(pack: &Self::Pack, lane: usize) -> f32 {
        Self::get(pack, lane).size()
    }

    /// The volume carried into another frame.
    fn moved(&self, motion: &FrameMotion) -> Self::Query;
    /// Which of the eight may overlap the query.
    fn overlaps<S: Simd>(
        simd: S,
        query: &Self::Query,
        pack: &Self::Pack,
        margin: f32,
    ) -> Overlaps<S>;
    /// Lower bounds of the distances from the query; at most `margin` above the true ones.
    fn distances<S: Simd>(simd: S, query: &Self::Query, pack: &Self::Pack) -> S::F32x8;
    /// How far the volumes reach along a direction, measured from the origin; at most a margin of the frame too little.
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &Self::Pack) -> S::F32x8;
    /// Lower bounds of the distances from a point; at most a margin of the frame above the true ones.
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &Self::Pack) -> S::F32x8;
    /// The ray as the tests want it.
    fn ray_query(ray: &LocalRay) -> Self::RayQuery;
    /// The lanes that the ray may meet before the end, which is in steps, and where it enters each at the earliest.
    fn ray_entries<S: Simd>(
        simd: S,
        query: &Self::RayQuery,
        end: f32,
        pack: &Self::Pack,
    ) -> (u32, S::F32x8);
}
