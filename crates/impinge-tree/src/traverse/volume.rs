//! One volume against a tree: the leaves it may overlap, or that may be near it.
//!
//! The volume is that of something which has no tree of its own: a shape, a piece of a ray. It comes as a
//! [`Bound::Query`], in the frame of the tree.

use crate::{Probe, Tree};
use impinge_geom::bound::Bound;
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::ops::ControlFlow;

/// The remaining volumes. Keep it between queries, so that they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct Places {
    entries: Vec<(f32, u32)>,
}

/// Visits all leaves whose volumes may overlap the query, or until `visit` stops. The order is always the same.
///
/// ```
/// use impinge_geom::bound::{Aabb, Bound, Frame, RelativeFrame};
/// use impinge_geom::{Pose, glam::{DVec3, Vec3A}};
/// use impinge_tree::{Builder, ItemGeometry, Items, Surface, Tree, build, traverse};
/// let frame = Frame::new(DVec3::ZERO, DVec3::ONE);
/// let points: Vec<Vec3A> = (0..64).map(|k| frame.local(DVec3::X * f64::from(k) / 63.0)).collect();
/// let boxes = points.iter().map(|p| Aabb::of_points(&[*p])).collect();
/// let topology = build(&Items { boxes, ..Items::default() }, Builder::BinnedSah, 1);
/// let points: Vec<Vec3A> = topology.order().iter().map(|&k| points[k as usize]).collect();
/// let surface = Surface::Points;
/// let geometry = ItemGeometry { frame: &frame, points: &points, points_per_item: 1, surface };
/// let tree: Tree<Aabb> = Tree::fit(&topology, &geometry, 8, 1);
/// let motion = RelativeFrame::new(&frame, &frame, &Pose::IDENTITY, 1.0).a_to_b;
/// let query = Aabb::of_points(&[frame.local(DVec3::ZERO), frame.local(DVec3::X * 0.1)]).moved(&motion);
/// let mut found: Vec<u32> = Vec::new();
/// let _ = traverse::volume(&tree, &query, motion.margin, &mut Default::default(), &mut (), |leaf| {
///     found.extend(tree.leaf(leaf));
///     std::ops::ControlFlow::Continue(())
/// });
/// found.sort();
/// assert_eq!(found, [0, 1, 2, 3, 4, 5, 6]);
/// ```
pub fn volume<B: Bound>(
    tree: &Tree<B>,
    query: &B::Query,
    margin: f32,
    places: &mut Places,
    probe: &mut impl Probe,
    visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if tree.is_empty() {
        return ControlFlow::Continue(());
    }
    places.entries.clear();
    dispatch(Overlapping { tree, query, margin, places: &mut places.entries, probe, visit })
}

struct Overlapping<'d, B: Bound, P, F> {
    tree: &'d Tree<B>,
    query: &'d B::Query,
    margin: f32,
    places: &'d mut Vec<(f32, u32)>,
    probe: &'d mut P,
    visit: F,
}

impl<B: Bound, P: Probe, F: FnMut(u32) -> ControlFlow<()>> Kernel for Overlapping<'_, B, P, F> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { tree, query, margin, places, probe, mut visit } = self;
        places.push((0.0, 0));
        // Entries are nodes here; node 0 holds the root alone.
        while let Some((_, node)) = places.pop() {
            let node = &tree.nodes[node as usize];
            let found = B::overlaps(simd, query, &node.volumes, margin);
            probe.volumes(node.count);
            let mut left = found.mask & node.live();
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let child = node.children[lane % 8];
                match child.leaf() {
                    Some(leaf) => {
                        probe.leaves();
                        if visit(leaf).is_break() {
                            return ControlFlow::Break(());
                        }
                    }
                    None => places.push((0.0, child.0)),
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Visits leaves, near ones first, until none is left within the limit. Distances are in units of the tree's frame.
///
/// `visit` returns the new limit; `margin` is that of the motion that took the query into the tree's frame.
pub fn volume_nearest<B: Bound>(
    tree: &Tree<B>,
    query: &B::Query,
    margin: f32,
    places: &mut Places,
    probe: &mut impl Probe,
    visit: impl FnMut(u32) -> f32,
) {
    if tree.is_empty() {
        return;
    }
    places.entries.clear();
    dispatch(Near { tree, query, margin, places: &mut places.entries, probe, visit });
}

struct Near<'d, B: Bound, P, F> {
    tree: &'d Tree<B>,
    query: &'d B::Query,
    margin: f32,
    places: &'d mut Vec<(f32, u32)>,
    probe: &'d mut P,
    visit: F,
}

impl<B: Bound, P: Probe, F: FnMut(u32) -> f32> Kernel for Near<'_, B, P, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, query, margin, places, probe, mut visit } = self;
        let mut limit = f32::INFINITY;
        places.push((0.0, 0));
        while let Some((bound, place)) = places.pop() {
            if bound > limit {
                continue;
            }
            let (node, lane) = tree.at(place);
            let child = node.children[lane];
            let Some(next) = child.node() else {
                probe.leaves();
                limit = visit(child.leaf().unwrap_or_default());
                continue;
            };
            let node = &tree.nodes[next as usize];
            let distances = B::distances(simd, query, &node.volumes);
            let bounds = simd.sub32(distances, simd.splat32(margin));
            probe.volumes(node.count);
            let far = simd.greater32(bounds, simd.splat32(limit));
            let bounds = simd.store32(bounds);
            let mut left = node.live() & !far;
            let first = places.len();
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let new = (bounds[lane as usize % 8], next * 8 + lane);
                let mut place = places.len();
                places.push(new);
                // The nearest on top.
                while place > first && places[place - 1].0 < new.0 {
                    places[place] = places[place - 1];
                    place -= 1;
                }
                places[place] = new;
            }
        }
    }
}
