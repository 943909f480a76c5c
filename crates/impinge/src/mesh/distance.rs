//! The distance between two meshes.

use super::{Mesh, Relative, Scratch};
use impinge_geom::Feature;
use impinge_geom::bound::{Bound, Placement};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::number::outward::round_up;
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, BLOCK, TriangleBlock, TriangleDistance};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, Nearest, Order, Visit};
use std::ops::ControlFlow;

/// How far two meshes are apart, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshDistance {
    /// In A's unit; zero if they meet.
    pub distance: f64,
    /// The closest points, of A and of B, in A's frame.
    pub points: [DVec3; 2],
    /// The triangles, of A and of B, on which they lie.
    pub triangles: [u32; 2],
    /// The vertex, edge or face of those triangles.
    pub features: [Feature; 2],
}

/// The distance between two meshes as surfaces.
pub fn distance<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    scratch: &mut Scratch,
) -> MeshDistance {
    distance_with(a, b, b_in_a, Order::default(), scratch, &mut ())
}

/// The same, in a given order of descent, and telling its work.
pub fn distance_with<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    order: Order,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> MeshDistance {
    let placement = Placement::new(a.tree.frame(), b.tree.frame(), &b_in_a.pose, b_in_a.scale);
    let mut visitor = Closest::new(a, b, b_in_a, &placement);
    let trees = Nearest { a: &a.tree, b: &b.tree, placement: &placement, order };
    let _ = traverse::nearest(trees, &mut scratch.queue, &mut visitor, probe);
    probe.primitives(visitor.decided);
    visitor.best
}

/// Keeps the closest pair so far.
pub(super) struct Closest<'m, B: Bound> {
    a: &'m Mesh<B>,
    b: &'m Mesh<B>,
    b_in_a: &'m Relative,
    placement: &'m Placement,
    moved: (u32, TriangleBlock),
    pub(super) best: MeshDistance,
    /// The best distance in units of A's frame, rounded up, and a little more.
    limit: f32,
    /// The direction between the closest points so far.
    direction: Vec3A,
    /// Pairs of triangles measured in f64.
    decided: u32,
}

impl<'m, B: Bound> Closest<'m, B> {
    /// Begins with the first triangles of both.
    pub(super) fn new(
        a: &'m Mesh<B>,
        b: &'m Mesh<B>,
        b_in_a: &'m Relative,
        placement: &'m Placement,
    ) -> Self {
        let moved = (u32::MAX, TriangleBlock::new(&[]));
        let best = MeshDistance {
            distance: f64::INFINITY,
            points: [DVec3::ZERO; 2],
            triangles: [0; 2],
            features: [Feature::vertex(0); 2],
        };
        let (limit, direction) = (f32::INFINITY, Vec3A::X);
        let mut closest =
            Self { a, b, b_in_a, placement, moved, best, limit, direction, decided: 0 };
        closest.offer(0, 0);
        closest
    }

    fn offer(&mut self, item_a: u32, item_b: u32) {
        self.decided = self.decided.saturating_add(1);
        let corners_a = self.a.corners(item_a);
        let corners_b = self.b_in_a.map_corners(self.b.corners(item_b));
        let found: TriangleDistance = triangle::distance(&corners_a, &corners_b);
        let tie = found.distance == self.best.distance && [item_a, item_b] < self.best.triangles;
        if found.distance < self.best.distance || tie {
            self.best = MeshDistance {
                distance: found.distance,
                points: found.points,
                triangles: [item_a, item_b],
                features: found.features,
            };
            self.limit = round_up(found.distance * self.a.tree.frame().factor());
            let between = found.points[1] - found.points[0];
            self.direction = between.normalize_or_zero().as_vec3a();
        }
    }
}

impl<B: Bound> Visit for Closest<'_, B> {
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, leaf_a: u32, leaf_b: u32) -> ControlFlow<()> {
        let (items_a, items_b) = (self.a.tree.leaf(leaf_a), self.b.tree.leaf(leaf_b));
        let motion = &self.placement.b_to_a;
        if self.moved.0 != leaf_b {
            self.moved = (leaf_b, self.b.blocks[leaf_b as usize].moved(simd, motion));
        }
        let block_a = &self.a.blocks[leaf_a as usize];
        let (live_a, live_b) = ((1 << items_a.len()) - 1, (1 << items_b.len()) - 1);
        let limit = self.limit + motion.margin;
        let near = (block_a, live_a);
        let mut left = triangle::within(simd, near, (&self.moved.1, live_b), self.direction, limit);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            self.offer(items_a[bit % BLOCK], items_b[bit / BLOCK]);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }
}
