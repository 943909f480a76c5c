//! Which kind the children of a node are of.
//!
//! The cost of a kind is F = C + X·Σ p: the price C of a test against eight of it, and for each child the price X of going on with
//! it times the probability p that it is not parted. Two convex bodies A and B in random positions meet in proportion to
//! V(A) + V(B) + (S(A)·M(B) + S(B)·M(A)) / 4π, volume, surface and integral of the mean curvature (the principal kinematic formula;
//! L. Santaló, "Integral geometry and geometric probability", 1976, III.15): p is that number for the child's volume by that for the
//! volume of the whole node, which has been met or the node would not be opened. B is whatever comes: of about the size of the
//! children, since the larger of two is opened, and of their tightest kind.

use super::super::{Bound, Family};
use super::{Hybrid, Kind};
use std::f32::consts::PI;

/// What work costs, in instructions or any other unit.
///
/// The defaults are instructions on x86-64 with AVX2, counted by callgrind over descents that end in a miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// One volume against eight boxes along the axes.
    pub aabb: f32,
    /// Against eight oriented boxes.
    pub obb: f32,
    /// Against eight spheres.
    pub sphere: f32,
    /// To go on with a child that is a node.
    pub node: f32,
    /// To go on with a child that is a leaf.
    pub leaf: f32,
    /// To go on with the root.
    pub root: f32,
}

impl Default for Prices {
    fn default() -> Self {
        Self { aabb: 250.0, obb: 450.0, sphere: 130.0, node: 3000.0, leaf: 3000.0, root: 6000.0 }
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

impl Prices {
    fn of(&self, kind: Kind) -> f32 {
        match kind {
            Kind::Aabb => self.aabb,
            Kind::Obb => self.obb,
            Kind::Sphere => self.sphere,
        }
    }

    /// The kind, as an index, that costs least for the children of a node.
    pub fn choose(&self, family: &Family<'_, Hybrid>) -> usize {
        let children = family.children;
        let mut query = Measures::default();
        for (kinds, _) in children {
            let own = Measures::tightest(kinds.iter().flatten());
            let share = 1.0 / children.len() as f32;
            query.volume += own.volume * share;
            query.surface += own.surface * share;
            query.curvature += own.curvature * share;
        }
        let whole = match family.whole {
            Some(kinds) => Measures::tightest(kinds.iter().flatten()).meets(&query),
            None => children
                .iter()
                .flat_map(|(kinds, _)| kinds.iter().flatten())
                .map(|v| Measures::of(v).meets(&query))
                .fold(0.0, f32::max),
        };
        let cost = |index: usize| {
            let mut sum = self.of(Kind::of(index));
            for (kinds, leaf) in children {
                let Some(volume) = &kinds[index] else { continue };
                let met = Measures::of(volume).meets(&query);
                let likely = if whole > 0.0 { (met / whole).min(1.0) } else { 1.0 };
                let price = match (family.whole, leaf) {
                    (None, _) => self.root,
                    (_, true) => self.leaf,
                    (_, false) => self.node,
                };
                sum += likely * price;
            }
            sum
        };
        let costs: Vec<f32> = (0..Hybrid::KINDS).map(cost).collect();
        (0..Hybrid::KINDS).min_by(|&i, &j| costs[i].total_cmp(&costs[j])).unwrap_or(0)
    }
}

/// The kind that costs least for a volume without relatives.
pub(super) fn alone(make: impl Fn(usize) -> Hybrid) -> Hybrid {
    let kinds = std::array::from_fn(|kind| Some(make(kind)));
    let family = Family { whole: None, children: &[(kinds, false)] };
    let kind = Hybrid::choose(&family);
    kinds.get(kind).copied().flatten().unwrap_or_else(|| make(0))
}
