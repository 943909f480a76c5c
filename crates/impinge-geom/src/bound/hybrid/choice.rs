//! The choice of the kind of volume for the children of a node.
//!
//! The cost of a kind is F = C + Σ X·p: the price C of a test against eight of it, and for each child the price X of going on with
//! it times the probability p that it is not parted. The node is opened where something meets its own volume, so p is a ratio of
//! two measures of positions: those in which what comes meets the child's volume, and those in which it meets the whole.
//! What comes is of about the size of the children, since the larger of two is opened, and of their tightest kind.
//!
//! Bodies A and B in random positions meet in proportion to V(A) + V(B) + (S(A)·M(B) + S(B)·M(A)) / 4π, volume, surface and
//! integral of the mean curvature (the principal kinematic formula; L. Santaló, "Integral geometry and geometric probability", 1976,
//! III.15). But surfaces that nearly touch lie face to face, and then the positions are those of two parallel boxes, along the axes of the
//! child's oriented box: a volume that sticks out of a flat piece along its normal is met much more often. The flatter the
//! child, the more the second measure counts.

use super::super::{Bound, Family, Kinds, MOST_KINDS};
use super::{Hybrid, Kind, Obb};
use glam::Vec3A;
use std::f32::consts::PI;

/// Prices of the work, in instructions or any other unit: only ratios matter.
///
/// The defaults are instructions on x86-64 with AVX2, counted by callgrind over descents of two trees and rounded: the tests with all
/// that a step of a descent does, and of what follows the next step, or eight triangles against eight.
///
/// ```
/// use impinge_geom::bound::KindPrices;
/// let prices = KindPrices::default();
/// assert!(prices.sphere < prices.aabb && prices.aabb < prices.obb);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindPrices {
    /// One volume against eight axis-aligned boxes.
    pub aabb: f32,
    /// One volume against eight oriented boxes.
    pub obb: f32,
    /// One volume against eight spheres.
    pub sphere: f32,
    /// Descending into a child that is a node.
    pub node: f32,
    /// Descending into a child that is a leaf.
    pub leaf: f32,
    /// Descending into the root.
    pub root: f32,
}

impl Default for KindPrices {
    fn default() -> Self {
        Self { aabb: 250.0, obb: 450.0, sphere: 130.0, node: 400.0, leaf: 800.0, root: 6000.0 }
    }
}

/// Volume, surface and integral of the mean curvature.
#[derive(Clone, Copy, Debug, Default)]
struct Measures {
    volume: f32,
    surface: f32,
    curvature: f32,
}

impl Measures {
    fn of(volume: &Hybrid) -> Self {
        let half = match volume {
            Hybrid::Aabb(volume) => (volume.high - volume.low) * 0.5,
            Hybrid::Obb(volume) => volume.half,
            Hybrid::Sphere(ball) => {
                let r = ball.radius();
                return Self {
                    volume: 4.0 / 3.0 * PI * r * r * r,
                    surface: 4.0 * PI * r * r,
                    curvature: 4.0 * PI * r,
                };
            }
        };
        Self {
            volume: 8.0 * half.x * half.y * half.z,
            surface: 8.0 * (half.x * half.y + half.y * half.z + half.z * half.x),
            curvature: 2.0 * PI * (half.x + half.y + half.z),
        }
    }

    /// In proportion to how many positions of two bodies they meet.
    fn meets(&self, other: &Self) -> f32 {
        let crossed = self.surface * other.curvature + other.surface * self.curvature;
        self.volume + other.volume + crossed / (4.0 * PI)
    }

    /// The one that meets itself least.
    fn tightest<'h>(kinds: impl Iterator<Item = &'h Hybrid>) -> Self {
        let all = kinds.map(Self::of);
        all.min_by(|a, b| a.meets(a).total_cmp(&b.meets(b))).unwrap_or_default()
    }
}

impl KindPrices {
    fn of(&self, kind: Kind) -> f32 {
        match kind {
            Kind::Aabb => self.aabb,
            Kind::Obb => self.obb,
            Kind::Sphere => self.sphere,
        }
    }

    /// The cheapest kind for the children of a node, as an index.
    pub fn choose(&self, family: &Family<'_, Hybrid>) -> usize {
        let visit = Visit::of(family);
        let cost = |index: usize| {
            let mut sum = self.of(Kind::of(index));
            for (kinds, leaf) in family.children {
                let price = match (family.whole, leaf) {
                    (None, _) => self.root,
                    (Some(_), true) => self.leaf,
                    (Some(_), false) => self.node,
                };
                let volume = kinds[index % MOST_KINDS].as_ref();
                sum += volume.map_or(0.0, |volume| price * visit.probability(volume, kinds));
            }
            sum
        };
        let costs: [f32; Kind::ALL.len()] = std::array::from_fn(cost);
        (0..costs.len()).min_by(|&i, &j| costs[i].total_cmp(&costs[j])).unwrap_or(0)
    }
}

/// What comes to a node, and in how many positions it meets the whole of it.
struct Visit {
    query: Query,
    /// In any position; none for the root.
    random: Option<f32>,
    /// Face to face.
    aligned: Option<f32>,
}

impl Visit {
    fn of(family: &Family<'_, Hybrid>) -> Self {
        let query = Query::of(family.children);
        let tightest = |kinds: &Kinds<Hybrid>| Measures::tightest(kinds.iter().flatten());
        let random = family.whole.map(|kinds| tightest(kinds).meets(&query.measures));
        let aligned = family.whole.and_then(frame).map(|own| sums(own.half, query.half));
        Self { query, random, aligned }
    }

    /// How likely a child is met as the given one of its kinds.
    fn probability(&self, volume: &Hybrid, kinds: &Kinds<Hybrid>) -> f32 {
        let meets = |volume: &Hybrid| Measures::of(volume).meets(&self.query.measures);
        let met = meets(volume) * slack(volume);
        // What comes to the root is where it meets the largest kind.
        let Some(random) = self.random else {
            return ratio(met, kinds.iter().flatten().map(meets).fold(0.0, f32::max));
        };
        let likely = ratio(met, random);
        let (Some(own), Some(aligned)) = (frame(kinds), self.aligned) else { return likely };
        let facing = ratio(sums(along(volume, &own), self.query.half), aligned);
        let flat = 1.0 - ratio(own.half.z, own.half.y);
        likely + (facing - likely) * flat * flat
    }
}

/// What the test against eight of a kind leaves together that a perfect one would part, as a factor: of the fifteen axes of two boxes
/// the aligned ones are tried along six.
fn slack(volume: &Hybrid) -> f32 {
    match volume {
        Hybrid::Aabb(_) => 1.1,
        Hybrid::Obb(_) | Hybrid::Sphere(_) => 1.0,
    }
}

/// What comes: the mean of the tightest volumes of the children, and of the half sides of their boxes, sorted.
#[derive(Clone, Copy, Debug, Default)]
struct Query {
    measures: Measures,
    half: Vec3A,
}

impl Query {
    fn of(children: &[(Kinds<Hybrid>, bool)]) -> Self {
        let mut query = Self::default();
        let share = 1.0 / children.len().max(1) as f32;
        for (kinds, _) in children {
            let own = Measures::tightest(kinds.iter().flatten());
            query.measures.volume += own.volume * share;
            query.measures.surface += own.surface * share;
            query.measures.curvature += own.curvature * share;
            query.half += frame(kinds).map_or(Vec3A::ZERO, |own| own.half) * share;
        }
        query
    }
}

/// The oriented box among the kinds, its axes sorted by length.
fn frame(kinds: &Kinds<Hybrid>) -> Option<Obb> {
    kinds.iter().flatten().find_map(|volume| match volume {
        Hybrid::Obb(own) => {
            let mut order = [0, 1, 2];
            order.sort_by(|&i, &j| own.half[j].total_cmp(&own.half[i]));
            let half = Vec3A::from(order.map(|i| own.half[i]));
            Some(Obb { axes: order.map(|i| own.axes[i]), half, ..*own })
        }
        _ => None,
    })
}

/// How far a volume extends along the axes of the box of the same geometry.
fn along(volume: &Hybrid, own: &Obb) -> Vec3A {
    match volume {
        Hybrid::Aabb(volume) => {
            let half = (volume.high - volume.low) * 0.5;
            Vec3A::from(own.axes.map(|axis| axis.abs().dot(half)))
        }
        Hybrid::Obb(_) => own.half,
        Hybrid::Sphere(ball) => Vec3A::splat(ball.radius()),
    }
}

/// The volume of the positions in which two parallel boxes meet, an eighth of it.
fn sums(a: Vec3A, b: Vec3A) -> f32 {
    let sum = a + b;
    sum.x * sum.y * sum.z
}

fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { (part / whole).min(1.0) } else { 1.0 }
}

/// The kind that costs least for a volume without relatives.
pub(super) fn alone(make: impl Fn(usize) -> Hybrid) -> Hybrid {
    let kinds = std::array::from_fn(|kind| Some(make(kind)));
    let family = Family { whole: None, children: &[(kinds, false)] };
    let kind = Hybrid::choose(&family);
    kinds.get(kind).copied().flatten().unwrap_or_else(|| make(0))
}
