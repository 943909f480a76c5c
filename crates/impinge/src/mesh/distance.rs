//! The distance between two meshes.

use super::mesh_pair::MeshPair;
use super::{Mesh, ScaledPose, Scratch};
use impinge_geom::Feature;
use impinge_geom::bound::{Bound, Far};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::number::outward::round_up;
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, BLOCK, TriangleDistance};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, Nearest, Order, Visit};
use std::ops::ControlFlow;

/// The distance between two meshes, and where it is attained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshDistance {
    /// In A's unit; zero if they meet.
    pub distance: f64,
    /// The closest points, of A and of B, in A's frame.
    pub points: [DVec3; 2],
    /// The triangles, of A and of B, they lie on.
    pub triangles: [u32; 2],
    /// The vertex, edge or face of those triangles.
    pub features: [Feature; 2],
}

/// The distance between two meshes as surfaces.
pub fn distance<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> MeshDistance {
    distance_with(a, b, b_in_a, Order::default(), scratch, &mut ())
}

/// Like [`distance()`], with a descent order and work counters.
pub fn distance_with<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    order: Order,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> MeshDistance {
    let mut pair = MeshPair::new(a, b, b_in_a);
    let far = pair.bring_together();
    let mut visitor = Closest::new(pair, far);
    let placement = visitor.pair.placement;
    let (a, b) = (&visitor.pair.first.tree, &visitor.pair.second.tree);
    let trees = Nearest { a, b, placement: &placement, far, order };
    let _ = traverse::nearest(trees, &mut scratch.queue, &mut visitor, probe);
    probe.primitives(visitor.decided);
    visitor.best
}

/// Keeps the closest pair so far.
pub(super) struct Closest<'m, B: Bound> {
    pub(super) pair: MeshPair<'m, B>,
    /// If the meshes are far apart: along which line.
    far: Option<Far>,
    pub(super) best: MeshDistance,
    /// The best distance in units of the first's frame, rounded up; less the distance of the centres, if they are far apart.
    limit: f32,
    /// The direction between the closest points so far, in that frame.
    direction: Vec3A,
    /// Pairs of triangles measured in f64.
    decided: u32,
}

impl<'m, B: Bound> Closest<'m, B> {
    /// Begins with the first triangles of both.
    pub(super) fn new(pair: MeshPair<'m, B>, far: Option<Far>) -> Self {
        let best = MeshDistance {
            distance: f64::INFINITY,
            points: [DVec3::ZERO; 2],
            triangles: [0; 2],
            features: [Feature::vertex(0); 2],
        };
        let (limit, direction) = (f32::INFINITY, Vec3A::X);
        let mut closest = Self { pair, far, best, limit, direction, decided: 0 };
        closest.offer(0, 0);
        closest
    }

    /// Measures a pair; true if it is closer than all before.
    fn offer(&mut self, item_a: u32, item_b: u32) -> bool {
        self.decided = self.decided.saturating_add(1);
        let (corners_a, corners_b) = self.pair.corners(item_a, item_b);
        let found: TriangleDistance = triangle::distance(&corners_a, &corners_b);
        let tie = found.distance == self.best.distance && [item_a, item_b] < self.best.triangles;
        let better = found.distance < self.best.distance || tie;
        if better {
            self.best = MeshDistance {
                distance: found.distance,
                points: found.points,
                triangles: [item_a, item_b],
                features: found.features,
            };
            let base = self.far.map_or(0.0, |far| far.base);
            self.limit = round_up(self.pair.local_length(found.distance) - base);
            let between = (found.points[1] - found.points[0]).normalize_or_zero();
            self.direction = self.pair.local_direction(between);
        }
        better
    }

    /// The pairs of triangles of two leaves that may be as close as the best so far.
    #[inline(always)]
    fn near<S: Simd>(&mut self, simd: S, leaf_first: u32, leaf_second: u32) -> u64 {
        self.pair.near(simd, (leaf_first, leaf_second), (self.direction, self.far), self.limit)
    }
}

impl<B: Bound> Visit for Closest<'_, B> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(
        &mut self,
        simd: S,
        leaf_first: u32,
        leaf_second: u32,
    ) -> ControlFlow<()> {
        let mut left = self.near(simd, leaf_first, leaf_second);
        if left == 0 {
            return ControlFlow::Continue(());
        }
        let firsts = self.pair.first.tree.leaf(leaf_first);
        let seconds = self.pair.second.tree.leaf(leaf_second);
        // With several to choose from, likely ones first: the others need not be measured then.
        let mut next = left.trailing_zeros() as usize;
        if left & (left - 1) != 0 {
            let (first, second) = self.pair.blocks(simd, leaf_first, leaf_second);
            let (i, j) = triangle::near_corners(simd, first, second);
            next = BLOCK * j + i;
        }
        loop {
            left &= !(1 << next);
            let (a, b) = self.pair.in_order(firsts[next % BLOCK], seconds[next / BLOCK]);
            if self.offer(a, b) && left != 0 {
                left &= self.near(simd, leaf_first, leaf_second);
            }
            if left == 0 {
                break;
            }
            next = left.trailing_zeros() as usize;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn max_distance(&self) -> f32 {
        self.limit
    }
}
