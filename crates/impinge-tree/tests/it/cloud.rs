//! Triangles for tests, made from a seed, and trees over them.

use impinge_geom::bound::{Aabb, Bound, Frame};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_tree::{Builder, ItemGeometry, Items, Surface, Tree, build};

/// xorshift64* (S. Vigna, 2016).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() >> 16) as usize % end
    }

    pub(crate) fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }
}

/// Triangles in a frame.
pub(crate) struct Cloud {
    pub(crate) frame: Frame,
    pub(crate) corners: Vec<[Vec3A; 3]>,
}

impl Cloud {
    /// Small triangles near the surface of a ball; some lie on one another, some are points.
    pub(crate) fn new(seed: u64, count: usize) -> Self {
        let mut random = Random::new(seed);
        let mut corners: Vec<[DVec3; 3]> = Vec::new();
        for _ in 0..count {
            let center = random.vector().normalize_or(DVec3::X) * 3.0;
            let triangle = [0, 1, 2].map(|_| center + random.vector() * 0.1);
            corners.push(match random.below(12) {
                0 => [triangle[0]; 3],
                1 => corners.last().copied().unwrap_or(triangle),
                _ => triangle,
            });
        }
        let all = || corners.iter().flatten().copied();
        let low = all().fold(DVec3::INFINITY, DVec3::min);
        let frame = Frame::new(low, all().fold(DVec3::NEG_INFINITY, DVec3::max));
        let corners = corners.iter().map(|t| t.map(|p| frame.local(p))).collect();
        Self { frame, corners }
    }

    /// The points in an order of the triangles.
    pub(crate) fn points(&self, order: &[u32]) -> Vec<Vec3A> {
        order.iter().flat_map(|&item| self.corners[item as usize]).collect()
    }

    pub(crate) fn geometry<'g>(&'g self, points: &'g [Vec3A]) -> ItemGeometry<'g> {
        ItemGeometry { frame: &self.frame, points, points_per_item: 3, surface: Surface::Triangles }
    }

    /// Boxes and points.
    pub(crate) fn items(&self) -> Items {
        let boxes = self.corners.iter().map(|t| Aabb::of_points(t)).collect();
        let points = self.corners.as_flattened().to_vec();
        Items { boxes, points, ..Items::default() }
    }

    pub(crate) fn tree<B: Bound>(&self, builder: Builder) -> Tree<B> {
        let topology = build(&self.items(), builder, 8);
        assert_eq!(topology.validate(), Ok(()));
        let points = self.points(topology.order());
        Tree::fit(&topology, &self.geometry(&points), 8, 8)
    }
}
