//! Many rays through a tree at a time.
//!
//! A single ray waits: for memory, and for the outcome of each test before the next can begin. Here a handful of rays take turns. All that
//! stand at nodes are tested in one run without a branch, then each is moved on, and what it will read next is asked for while the
//! others have their turn; leaves are collected and visited together in the same way. Each ray visits what it would visit alone.

use super::ray::{enlarge, sorted};
use crate::Tree;
use crate::tree::Child;
use impinge_geom::bound::{Bound, LANES, LocalRay};
use impinge_geom::simd::{Kernel, Simd, dispatch};

/// How many rays are under way. More would not fit into the nearest cache with all they read.
pub const SLOTS: usize = 16;

/// So many leaves are visited at a time, if there are.
const TOGETHER: usize = 8;

/// What is done with the leaves that rays reach. The rays under way are known by their slots, below [`SLOTS`].
///
/// The functions run inside the traversal's dispatched function: implementations mark them, and all they call with lanes,
/// `#[inline(always)]`.
pub trait VisitRays {
    /// The next ray, which gets the slot; none if all are under way or done.
    fn next(&mut self, slot: usize) -> Option<LocalRay>;

    /// Leaves that rays may meet before their ends, as slots and leaves; a slot is there at most once. Ends may be moved nearer.
    fn leaves<S: Simd>(&mut self, simd: S, visits: &[(u32, u32)], rays: &mut [LocalRay; SLOTS]);

    /// A leaf that will be visited: time to fetch what it holds.
    fn soon<S: Simd>(&self, simd: S, leaf: u32);

    /// All leaves along the ray were visited.
    fn done(&mut self, slot: usize);
}

/// The nodes that rays still have to look at. Keep it between queries: then they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct RayStacks {
    entries: [Vec<u64>; SLOTS],
}

/// Takes the rays that the visitor gives out through the tree.
pub fn rays<B: Bound>(tree: &Tree<B>, stacks: &mut RayStacks, visitor: &mut impl VisitRays) {
    dispatch(Together { tree, stacks, visitor });
}

struct Together<'t, B: Bound, V> {
    tree: &'t Tree<B>,
    stacks: &'t mut RayStacks,
    visitor: &'t mut V,
}

impl<B: Bound, V: VisitRays> Kernel for Together<'_, B, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, stacks, visitor } = self;
        let Some(first) = tree.nodes.first() else { return };
        let mut turns = Turns {
            tree,
            visitor,
            stacks,
            root: first.children[0],
            rays: [LocalRay::NOWHERE; SLOTS],
            tops: [0; SLOTS],
            nodes: [(0, 0); SLOTS],
            node_count: 0,
            leaves: [(0, 0); SLOTS],
            leaf_count: 0,
            masks: [0; SLOTS],
            entries: [[0.0; LANES]; SLOTS],
        };
        for slot in 0..SLOTS {
            turns.begin(simd, slot);
        }
        while turns.node_count + turns.leaf_count > 0 {
            if turns.leaf_count >= TOGETHER || turns.node_count == 0 {
                turns.visit_leaves(simd);
            }
            turns.visit_nodes(simd);
        }
    }
}

/// The rays under way, and where each of them stands.
struct Turns<'t, B: Bound, V> {
    tree: &'t Tree<B>,
    visitor: &'t mut V,
    stacks: &'t mut RayStacks,
    root: Child,
    rays: [LocalRay; SLOTS],
    tops: [usize; SLOTS],
    /// Slots, and the nodes they stand at.
    nodes: [(u32, u32); SLOTS],
    node_count: usize,
    /// Slots, and the leaves they stand at.
    leaves: [(u32, u32); SLOTS],
    leaf_count: usize,
    /// What was hit of the nodes, and where.
    masks: [u32; SLOTS],
    entries: [[f32; LANES]; SLOTS],
}

impl<B: Bound, V: VisitRays> Turns<'_, B, V> {
    /// Begins the next ray in a slot, if there is one.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, simd: S, slot: usize) {
        if let Some(ray) = self.visitor.next(slot) {
            self.rays[slot % SLOTS] = ray;
            self.tops[slot % SLOTS] = 0;
            self.arrive(simd, slot, self.root);
        }
    }

    /// Notes that a ray goes on at a child, and asks for that.
    #[inline(always)]
    fn arrive<S: Simd>(&mut self, simd: S, slot: usize, child: Child) {
        if let Some(leaf) = child.leaf() {
            self.visitor.soon(simd, leaf);
            self.leaves[self.leaf_count % SLOTS] = (slot as u32, leaf);
            self.leaf_count += 1;
        } else {
            if let Some(node) = self.tree.nodes.get(child.0 as usize) {
                simd.fetch(node);
            }
            self.nodes[self.node_count % SLOTS] = (slot as u32, child.0);
            self.node_count += 1;
        }
    }

    /// Goes on with the next child of a ray that is not beyond what it has found; if there is none, with another ray.
    #[inline(always)]
    fn go_on<S: Simd>(&mut self, simd: S, slot: usize) {
        let slot = slot % SLOTS;
        let end = self.rays[slot].end.to_bits();
        while let Some(top) = self.tops[slot].checked_sub(1) {
            self.tops[slot] = top;
            let Some(&next) = self.stacks.entries[slot].get(top) else { break };
            if (next >> 32) as u32 <= end {
                self.arrive(simd, slot, Child(next as u32));
                return;
            }
        }
        simd.apart(Another { turns: self, slot });
    }

    #[inline(always)]
    fn visit_leaves<S: Simd>(&mut self, simd: S) {
        let (leaves, count) = (self.leaves, std::mem::take(&mut self.leaf_count).min(SLOTS));
        self.visitor.leaves(simd, &leaves[..count], &mut self.rays);
        for &(slot, _) in &leaves[..count] {
            self.go_on(simd, slot as usize);
        }
    }

    #[inline(always)]
    fn visit_nodes<S: Simd>(&mut self, simd: S) {
        let (nodes, count) = (self.nodes, std::mem::take(&mut self.node_count).min(SLOTS));
        let all = self.tree.nodes.as_slice();
        for (k, &(slot, node)) in nodes.iter().enumerate().take(count) {
            let Some(node) = all.get(node as usize) else { continue };
            let ray = &self.rays[slot as usize % SLOTS];
            let (mask, places) = B::ray_entries(simd, ray, &node.volumes);
            self.masks[k] = if B::EMPTY_IS_MISSED { mask } else { mask & node.live() };
            self.entries[k] = simd.store32(places);
        }
        for (k, &(slot, node)) in nodes.iter().enumerate().take(count) {
            let (slot, hit) = (slot as usize % SLOTS, self.masks[k]);
            let Some(node) = all.get(node as usize) else { continue };
            if hit == 0 {
                self.go_on(simd, slot);
            } else if hit & (hit - 1) == 0 {
                let child = node.children[hit.trailing_zeros() as usize % LANES];
                self.arrive(simd, slot, child);
            } else {
                let (stack, top) = (&mut self.stacks.entries[slot], self.tops[slot]);
                if stack.len() < top + LANES {
                    enlarge(stack);
                }
                let room = stack.get_mut(top..top + LANES).and_then(|room| room.try_into().ok());
                let Some(room) = room else { continue };
                let (nearest, _, pushed) = sorted(hit, &self.entries[k], &node.children, room);
                self.tops[slot] = top + pushed;
                self.arrive(simd, slot, Child(nearest as u32));
            }
        }
    }
}

/// The end of a ray and the begin of another, apart from the loops.
struct Another<'a, 't, B: Bound, V> {
    turns: &'a mut Turns<'t, B, V>,
    slot: usize,
}

impl<B: Bound, V: VisitRays> Kernel for Another<'_, '_, B, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.turns.visitor.done(self.slot);
        self.turns.begin(simd, self.slot);
    }
}
