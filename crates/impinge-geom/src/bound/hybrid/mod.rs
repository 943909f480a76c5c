//! A volume of one of several kinds, chosen for each node of a hierarchy by what it is expected to cost.
//!
//! S. Gottschalk, M. Lin and D. Manocha, "OBBTree" (1996), section 2, weigh volumes by F = Nv·Cv + Np·Cp: a tight volume costs more
//! and is tested less often. Which wins differs from part to part of a body: oriented boxes on curved surfaces, boxes along the axes
//! where walls are aligned or nothing is, spheres about what is round. Here all eight children of a node are of one kind, so that
//! one is tested against eight as in a hierarchy of that kind; the kinds are a closed set. [`choice`] says which is taken.
//!
//! The test goes by the kinds of the two: what has sides comes as an oriented box, whose axes are those of the frame if it is along
//! them, so that two queries, box and ball, meet three packs. The price of a test is that of the eight, whatever comes: see [`mixed`].

mod choice;
mod convert;
mod mixed;

pub use choice::KindPrices;

use super::aabb::TurnedAabb;
use super::fit::Moments;
use super::swept::SweptPack;
use super::{Aabb, Bound, Family, FrameMotion, LANES, LocalRay, Obb, Overlaps, Pack, Sphere};
use crate::simd::Simd;
use glam::Vec3A;

/// A volume of one of several kinds.
///
/// ```
/// use impinge_geom::{bound::{Bound, Hybrid, Moments}, glam::Vec3A};
/// let corner = |k: u32| Vec3A::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32);
/// let fit = |points: &[Vec3A]| Hybrid::fit(points, &Moments::of_points(points), 0.0);
/// let ball: Vec<Vec3A> = (0..8).map(|k| (corner(k) - 0.5).normalize()).chain(Vec3A::AXES).collect();
/// assert!(matches!(fit(&ball), Hybrid::Sphere(_)));
/// // A rod aslant.
/// let rod: Vec<Vec3A> = (0..8).map(|k| corner(k) + Vec3A::splat(k as f32 * 5.0)).collect();
/// assert!(matches!(fit(&rod), Hybrid::Obb(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hybrid {
    /// An axis-aligned box: cheap.
    Aabb(Aabb),
    /// An oriented box: tight, and the most expensive.
    Obb(Obb),
    /// A sphere: the cheapest.
    Sphere(Sphere),
}

/// Eight volumes of one kind. It is as large as eight oriented boxes, whatever it holds: all nodes have one size.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a pointer would cost each test a visit to memory")]
pub enum HybridPack {
    /// Axis-aligned boxes.
    Aabb {
        /// How large each of the eight is, roughly.
        sizes: Sizes,
        /// The boxes.
        pack: Pack<6>,
    },
    /// Oriented boxes.
    Obb {
        /// How large each of the eight is, roughly.
        sizes: Sizes,
        /// The boxes.
        pack: Pack<15>,
    },
    /// Spheres.
    Sphere {
        /// How large each of the eight is, roughly.
        sizes: Sizes,
        /// The spheres.
        pack: SweptPack<1>,
    },
}

/// The upper halves of the bits of eight numbers in f32.
type Sizes = [u16; LANES];

impl HybridPack {
    /// The sizes of the volumes, roughly: they say which of two is opened first, and need not be looked for by kind.
    #[inline(always)]
    fn sizes(&self) -> &Sizes {
        match self {
            Self::Aabb { sizes, .. } | Self::Obb { sizes, .. } | Self::Sphere { sizes, .. } => {
                sizes
            }
        }
    }

    fn sizes_mut(&mut self) -> &mut Sizes {
        match self {
            Self::Aabb { sizes, .. } | Self::Obb { sizes, .. } | Self::Sphere { sizes, .. } => {
                sizes
            }
        }
    }
}

/// A [`Hybrid`] in another body's frame.
#[derive(Clone, Copy, Debug)]
pub enum HybridQuery {
    /// A box of any orientation.
    Box(Obb),
    /// A sphere.
    Ball(Sphere),
}

/// The kinds, in the order of [`Bound::KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Aabb,
    Obb,
    Sphere,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Aabb, Self::Obb, Self::Sphere];

    fn of(index: usize) -> Self {
        Self::ALL[index.min(Self::ALL.len() - 1)]
    }
}

/// How many numbers a volume is saved as: its kind, and those of the largest kind.
const NUMBERS: usize = 16;

/// Puts a volume into a lane, and tells its size.
fn put<B: Bound>(volume: B, pack: &mut B::Pack, lane: usize) -> f32 {
    volume.set(pack, lane);
    volume.size()
}

impl Bound for Hybrid {
    type Pack = HybridPack;
    type Query = HybridQuery;
    type RayQuery = LocalRay;
    const NAME: &'static str = "hybrid";
    const EMPTY: HybridPack = HybridPack::Obb { sizes: [0; LANES], pack: Obb::EMPTY };
    const KINDS: usize = Kind::ALL.len();

    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        choice::alone(|kind| Self::fit_as(kind, points, moments, error))
    }

    fn merge(parts: &[Self]) -> Self {
        choice::alone(|kind| Self::merge_as(kind, parts))
    }

    fn fit_as(kind: usize, points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        match Kind::of(kind) {
            Kind::Aabb => Self::Aabb(Aabb::fit(points, moments, error)),
            Kind::Obb => Self::Obb(Obb::fit(points, moments, error)),
            Kind::Sphere => Self::Sphere(Sphere::fit(points, moments, error)),
        }
    }

    fn merge_as(kind: usize, parts: &[Self]) -> Self {
        convert::merged(Kind::of(kind), parts)
    }

    fn choose(family: &Family<'_, Self>) -> usize {
        KindPrices::default().choose(family)
    }

    #[inline(always)]
    fn get(pack: &HybridPack, lane: usize) -> Self {
        match pack {
            HybridPack::Aabb { pack, .. } => Self::Aabb(Aabb::get(pack, lane)),
            HybridPack::Obb { pack, .. } => Self::Obb(Obb::get(pack, lane)),
            HybridPack::Sphere { pack, .. } => Self::Sphere(Sphere::get(pack, lane)),
        }
    }

    /// The first volume of a pack gives it its kind; what is of another kind later is put into one of that kind.
    fn set(self, pack: &mut HybridPack, lane: usize) {
        if *pack == Self::EMPTY {
            let sizes = [0; LANES];
            *pack = match self {
                Self::Aabb(_) => HybridPack::Aabb { sizes, pack: Aabb::EMPTY },
                Self::Obb(_) => HybridPack::Obb { sizes, pack: Obb::EMPTY },
                Self::Sphere(_) => HybridPack::Sphere { sizes, pack: Sphere::EMPTY },
            };
        }
        let size = match pack {
            HybridPack::Aabb { pack, .. } => put(self.to_aabb(), pack, lane),
            HybridPack::Obb { pack, .. } => put(self.to_obb(), pack, lane),
            HybridPack::Sphere { pack, .. } => put(self.to_sphere(), pack, lane),
        };
        pack.sizes_mut()[lane % LANES] = (size.to_bits() >> 16) as u16;
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        let end = out.len() + NUMBERS;
        match self {
            Self::Aabb(volume) => {
                out.push(0.0);
                volume.numbers(out);
            }
            Self::Obb(volume) => {
                out.push(1.0);
                volume.numbers(out);
            }
            Self::Sphere(volume) => {
                out.push(2.0);
                volume.numbers(out);
            }
        }
        out.resize(end, 0.0);
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        let (kind, mut own) = from.split_off(..NUMBERS)?.split_first()?;
        let volume = match *kind {
            0.0 => Self::Aabb(Aabb::from_numbers(&mut own)?),
            1.0 => Self::Obb(Obb::from_numbers(&mut own)?),
            2.0 => Self::Sphere(Sphere::from_numbers(&mut own)?),
            _ => return None,
        };
        own.iter().all(|number| *number == 0.0).then_some(volume)
    }

    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        match self {
            Self::Aabb(volume) => volume.contains(point, margin),
            Self::Obb(volume) => volume.contains(point, margin),
            Self::Sphere(volume) => volume.contains(point, margin),
        }
    }

    fn area(&self) -> f32 {
        match self {
            Self::Aabb(volume) => volume.area(),
            Self::Obb(volume) => volume.area(),
            Self::Sphere(volume) => volume.area(),
        }
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        match self {
            Self::Aabb(volume) => volume.size(),
            Self::Obb(volume) => volume.size(),
            Self::Sphere(volume) => volume.size(),
        }
    }

    #[inline(always)]
    fn moved(&self, motion: &FrameMotion) -> HybridQuery {
        match self {
            Self::Aabb(volume) => HybridQuery::Box(convert::turned(volume, motion)),
            Self::Obb(volume) => HybridQuery::Box(volume.moved(motion)),
            Self::Sphere(volume) => HybridQuery::Ball(volume.moved(motion)),
        }
    }

    #[inline(always)]
    fn size_in(pack: &HybridPack, lane: usize) -> f32 {
        f32::from_bits(u32::from(pack.sizes()[lane % LANES]) << 16)
    }

    #[inline(always)]
    fn overlaps<S: Simd>(
        simd: S,
        query: &HybridQuery,
        pack: &HybridPack,
        margin: f32,
    ) -> Overlaps<S> {
        match (query, pack) {
            (HybridQuery::Box(query), HybridPack::Obb { pack, .. }) => {
                Obb::overlaps(simd, query, pack, margin)
            }
            (HybridQuery::Box(query), HybridPack::Aabb { pack, .. }) => {
                Aabb::overlaps(simd, &TurnedAabb::of_box(query), pack, margin)
            }
            (HybridQuery::Ball(query), HybridPack::Sphere { pack, .. }) => {
                Sphere::overlaps(simd, query, pack, margin)
            }
            (HybridQuery::Box(query), HybridPack::Sphere { pack, .. }) => {
                mixed::box_spheres(simd, query, pack).overlaps(simd, margin)
            }
            (HybridQuery::Ball(query), HybridPack::Aabb { pack, .. }) => {
                mixed::ball_aabbs(simd, query, pack).overlaps(simd, margin)
            }
            (HybridQuery::Ball(query), HybridPack::Obb { pack, .. }) => {
                mixed::ball_obbs(simd, query, pack).overlaps(simd, margin)
            }
        }
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &HybridQuery, pack: &HybridPack) -> S::F32x8 {
        match (query, pack) {
            (HybridQuery::Box(query), HybridPack::Obb { pack, .. }) => {
                Obb::distances(simd, query, pack)
            }
            (HybridQuery::Box(query), HybridPack::Aabb { pack, .. }) => {
                Aabb::distances(simd, &TurnedAabb::of_box(query), pack)
            }
            (HybridQuery::Ball(query), HybridPack::Sphere { pack, .. }) => {
                Sphere::distances(simd, query, pack)
            }
            (HybridQuery::Box(query), HybridPack::Sphere { pack, .. }) => {
                mixed::box_spheres(simd, query, pack).distances(simd)
            }
            (HybridQuery::Ball(query), HybridPack::Aabb { pack, .. }) => {
                mixed::ball_aabbs(simd, query, pack).distances(simd)
            }
            (HybridQuery::Ball(query), HybridPack::Obb { pack, .. }) => {
                mixed::ball_obbs(simd, query, pack).distances(simd)
            }
        }
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &HybridPack) -> S::F32x8 {
        match pack {
            HybridPack::Aabb { pack, .. } => Aabb::support_values(simd, direction, pack),
            HybridPack::Obb { pack, .. } => Obb::support_values(simd, direction, pack),
            HybridPack::Sphere { pack, .. } => Sphere::support_values(simd, direction, pack),
        }
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &HybridPack) -> S::F32x8 {
        match pack {
            HybridPack::Aabb { pack, .. } => Aabb::point_distances(simd, point, pack),
            HybridPack::Obb { pack, .. } => Obb::point_distances(simd, point, pack),
            HybridPack::Sphere { pack, .. } => Sphere::point_distances(simd, point, pack),
        }
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
        pack: &HybridPack,
    ) -> (u32, S::F32x8) {
        match pack {
            HybridPack::Aabb { pack, .. } => {
                Aabb::ray_entries(simd, &Aabb::ray_query(ray), end, pack)
            }
            HybridPack::Obb { pack, .. } => Obb::ray_entries(simd, ray, end, pack),
            HybridPack::Sphere { pack, .. } => Sphere::ray_entries(simd, ray, end, pack),
        }
    }
}
