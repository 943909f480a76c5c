//! An octree whose cells reach beyond their bounds.
//!
//! Ulrich, *Loose octrees*, Game Programming Gems, 2000. A box belongs to the cell that holds its centre, on the deepest level whose
//! cells are not smaller than it; then it sticks out of the cell by half a cell at most, and no box is caught high up in the tree only
//! because it lies on a boundary. What is different here: a node knows the box of what is really below it, which the enlarged cell
//! always contains; levels on which nothing is divided are left out; and a cell with few boxes is not divided. The world has no
//! bounds: the first cell is taken around what there is, and the few boxes that are infinite or nearly so are kept beside the tree.

mod build;
mod search;

use super::generations::{Flow, Generations, Snapshot, by_generations};
use super::lanes::{Lanes, effective_size};
use super::sorted_list::SortedList;
use super::{Aabb, Proxies, hashed_cells::is_cell_size};
use build::Draft;
use search::Task;
use std::ops::Range;

/// A loose octree.
///
/// For boxes of any sizes in clusters with much empty space between them.
///
/// ```
/// use impinge::broad::{BroadPhase, Aabb, LooseOctree, PairList, Proxies};
/// let mut proxies = Proxies::default();
/// for place in [0.0, 0.5, 1e6, 1e6 + 0.5] {
///     proxies.insert(Aabb::new([place; 3], [place + 1.0; 3]), true);
/// }
/// let (mut broad, mut pairs) = (LooseOctree::default(), PairList::default());
/// broad.update(&proxies, &mut pairs);
/// pairs.sort();
/// assert_eq!(pairs.list(), [[0, 1], [2, 3]]);
/// ```
#[derive(Debug, Default)]
pub struct LooseOctree {
    generations: Generations<Octree>,
}

by_generations!(LooseOctree, "loose octree");

/// The tree and what is beside it.
#[derive(Debug, Default)]
struct Octree {
    /// In depth-first order: the first child of a node follows it, and its sibling begins where the child ends.
    nodes: Vec<Node>,
    /// The boxes, in the order of the nodes.
    items: Vec<Lanes>,
    indices: Vec<u32>,
    large: SortedList,
    large_members: Vec<u32>,
    /// The search for pairs in pieces.
    tasks: Vec<Task>,
    drafts: Vec<Draft>,
    sorted: Vec<Draft>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The box of everything in the node and below it.
    bounds: Lanes,
    /// The items of the node itself; those of its children follow.
    own: [u32; 2],
    /// One more than the last node below this one.
    end: u32,
}

impl Snapshot for Octree {
    fn build(&mut self, proxies: &Proxies, members: &[u32]) {
        self.drafts.clear();
        self.large_members.clear();
        for &index in members {
            let extent = proxies.extent(index);
            let size = effective_size(extent);
            if is_cell_size(size) {
                let (low, high) = (extent.low.to_array(), extent.high.to_array());
                let center = [0, 1, 2].map(|k| low[k] * 0.5 + high[k] * 0.5);
                self.drafts.push(Draft { center, size, index });
            } else {
                self.large_members.push(index);
            }
        }
        self.large.build(proxies, &self.large_members);
        self.build_nodes();
        self.fill(proxies);
        self.divide_work();
    }

    fn len(&self) -> usize {
        self.items.len() + self.large.len()
    }

    fn portions(&self) -> usize {
        self.tasks.len() + self.large.len()
    }

    fn pairs_within(
        &self,
        portions: Range<usize>,
        found: &mut impl FnMut(u32, u32) -> Flow,
    ) -> Flow {
        for portion in portions {
            if let Some(&task) = self.tasks.get(portion) {
                self.work(task, found)?;
                continue;
            }
            let position = portion - self.tasks.len();
            self.large.later(position, found)?;
            let (extent, index) = self.large.entry(position);
            self.below(0, &Lanes::new(extent), &mut |other| found(index, other))?;
        }
        Flow::Continue(())
    }

    fn meeting(&self, extent: &Aabb, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        self.below(0, &Lanes::new(extent), found)?;
        self.large.meeting(extent, found)
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.items.capacity() * size_of::<Lanes>()
            + (self.indices.capacity() + self.large_members.capacity()) * size_of::<u32>()
            + self.large.bytes()
            + self.tasks.capacity() * size_of::<Task>()
            + (self.drafts.capacity() + self.sorted.capacity()) * size_of::<Draft>()
    }
}
