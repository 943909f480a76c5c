//! Lazy building: a node is split when a query first reaches it.
//!
//! T. Akenine-Möller and others, *Real-Time Rendering*, 4th edition, section 25.2.1: top-down building can wait until a part is needed,
//! which saves time and memory where most parts never are, at the price of queries that do not all take as long.
//!
//! A [`LazyTree`] owns its items. Whatever asks takes it by `&mut`, for asking may split; the splits are those of
//! [`Builder::BinnedSah`](super::Builder::BinnedSah), and each depends on the items of its node alone, so that the answers, and the
//! tree once all is split, do not depend on what was asked before. Volumes are fitted to the points, not merged.

mod one;
mod two;
mod validate;

use super::reference::{Bounds, Reference};
use super::{DEEPEST, binned};
use crate::{ItemGeometry, Surface};
use impinge_geom::bound::{Aabb, Bound, Frame, LANES, Moments};
use impinge_geom::glam::Vec3A;

/// A hierarchy that is split during queries.
///
/// ```
/// use impinge_geom::{Pose, bound::{Aabb, Bound, Frame, RelativeFrame}, glam::{DVec3, Vec3A}};
/// use impinge_tree::{ItemGeometry, LazyTree, Surface};
/// let frame = Frame::new(DVec3::ZERO, DVec3::ONE);
/// let points: Vec<Vec3A> = (0..4096).map(|k| frame.local(DVec3::X * f64::from(k) / 4095.0)).collect();
/// let surface = Surface::Points;
/// let geometry = ItemGeometry { frame: &frame, points: &points, points_per_item: 1, surface };
/// let mut tree: LazyTree<Aabb> = LazyTree::new(&geometry, 8, 4);
/// assert_eq!(tree.node_count(), 1);
///
/// let motion = RelativeFrame::new(&frame, &frame, &Pose::IDENTITY, 1.0).a_to_b;
/// let query = Aabb::of_points(&points[100..102]).moved(&motion);
/// let mut found = Vec::new();
/// let _ = tree.volume(&query, motion.margin, &mut (), |items| {
///     found.extend_from_slice(items);
///     std::ops::ControlFlow::Continue(())
/// });
/// assert!(found.contains(&100) && found.contains(&101));
/// // Only what lies on the way was split.
/// assert!(tree.node_count() < 10);
/// ```
#[derive(Clone, Debug)]
pub struct LazyTree<B: Bound> {
    frame: Frame,
    /// In the order of the items, which never changes.
    points: Vec<Vec3A>,
    points_per_item: usize,
    surface: Kept,
    /// The items in the order of the parts, as far as these are known.
    references: Vec<Reference>,
    /// Their numbers in the same order.
    order: Vec<u32>,
    /// The first holds the root alone; there is none if there are no items.
    nodes: Vec<Node<B>>,
    width: usize,
    leaf: usize,
    /// What queries still have to look at, kept so that they do not allocate.
    waiting: Vec<one::Entry>,
    waiting_pairs: Vec<two::Entry>,
}

/// [`Surface`], owned.
#[derive(Clone, Debug)]
enum Kept {
    Points,
    Triangles,
    Moments(Vec<Moments>),
}

#[derive(Clone, Copy, Debug)]
struct Node<B: Bound> {
    volumes: B::Pack,
    lanes: [Lane; LANES],
    count: u32,
}

impl<B: Bound> Node<B> {
    /// One bit per lane that holds something.
    fn live(&self) -> u32 {
        (1 << self.count) - 1
    }
}

/// What a lane holds.
#[derive(Clone, Copy, Debug)]
enum Lane {
    /// Has been split.
    Node(u32),
    /// Has not been, or is a leaf.
    Items(Part),
}

/// Some items: a part of the order, and how many splits made it.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    first: u32,
    count: u32,
    depth: u32,
}

impl Part {
    fn range(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

impl<B: Bound> LazyTree<B> {
    /// Creates a tree of which only the root exists: `width` children per node (2 to 8), up to `leaf` items per leaf. The geometry is in the
    /// order of the items; it is copied. Points that do not make a whole item are left out, and items beyond 2^32 − 1.
    pub fn new(geometry: &ItemGeometry<'_>, width: usize, leaf: usize) -> Self {
        let points_per_item = geometry.points_per_item;
        let count = geometry.points.len().checked_div(points_per_item).unwrap_or(0);
        let count = count.min(u32::MAX as usize);
        let points = geometry.points[..count * points_per_item].to_vec();
        let boxes = points.chunks_exact(points_per_item.max(1)).map(Aabb::of_points).enumerate();
        let mut tree = Self {
            frame: *geometry.frame,
            points_per_item,
            surface: match geometry.surface {
                Surface::Points => Kept::Points,
                Surface::Triangles => Kept::Triangles,
                Surface::Moments(all) => Kept::Moments(all.to_vec()),
            },
            references: boxes.map(|(item, volume)| Reference::new(item, volume)).collect(),
            points,
            order: (0..count as u32).collect(),
            nodes: Vec::new(),
            width: width.clamp(2, LANES),
            leaf: leaf.max(1),
            waiting: Vec::new(),
            waiting_pairs: Vec::new(),
        };
        if count > 0 {
            tree.push(&[Part { first: 0, count: count as u32, depth: 0 }]);
        }
        tree
    }

    /// The frame of the volumes.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Number of nodes so far; the first holds the root alone.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Number of items.
    pub fn item_count(&self) -> usize {
        self.order.len()
    }

    /// The root volume.
    pub fn root(&self) -> Option<B> {
        self.nodes.first().map(|node| B::get(&node.volumes, 0))
    }

    /// Splits everything that is left.
    pub fn open_all(&mut self) {
        let mut node = 0;
        // Nodes are added at the end.
        while node < self.nodes.len() {
            for lane in 0..self.nodes[node].count as usize {
                self.open(node, lane);
            }
            node += 1;
        }
    }

    /// The node in a lane, split now if it was not before; none if the lane is a leaf.
    fn open(&mut self, node: usize, lane: usize) -> Option<u32> {
        let part = match self.nodes[node].lanes[lane] {
            Lane::Node(below) => return Some(below),
            Lane::Items(part) => part,
        };
        if part.count as usize <= self.leaf {
            return None;
        }
        let below = self.nodes.len() as u32;
        let (parts, count) = self.split(part);
        self.push(&parts[..count]);
        self.nodes[node].lanes[lane] = Lane::Node(below);
        Some(below)
    }

    /// A node of these parts.
    fn push(&mut self, parts: &[Part]) {
        let mut node = Node {
            volumes: B::EMPTY,
            lanes: [Lane::Items(Part::default()); LANES],
            count: parts.len() as u32,
        };
        for (lane, &part) in parts.iter().enumerate() {
            self.fit(part).set(&mut node.volumes, lane);
            node.lanes[lane] = Lane::Items(part);
        }
        self.nodes.push(node);
    }

    /// Up to `width` parts of a part, in order: the largest is split first, as where a topology is gathered into a wide tree.
    fn split(&mut self, whole: Part) -> ([Part; LANES], usize) {
        let mut parts = [Part::default(); LANES];
        let mut areas = [0.0; LANES];
        (parts[0], areas[0]) = (whole, f32::INFINITY);
        let mut count = 1;
        while count < self.width {
            let large = (0..count).filter(|&k| parts[k].count as usize > self.leaf);
            let largest = large.max_by(|&i, &j| areas[i].total_cmp(&areas[j]).then(j.cmp(&i)));
            let Some(place) = largest else { break };
            let part = parts[place];
            let list = &mut self.references[part.range()];
            let at = if part.depth < DEEPEST { binned::split(list, self.leaf) } else { 0 };
            let at = if at == 0 || at >= list.len() { list.len() / 2 } else { at };
            parts.copy_within(place + 1..count, place + 2);
            areas.copy_within(place + 1..count, place + 2);
            let (depth, middle) = (part.depth + 1, at as u32);
            parts[place] = Part { count: middle, depth, ..part };
            parts[place + 1] =
                Part { first: part.first + middle, count: part.count - middle, depth };
            for k in [place, place + 1] {
                areas[k] = Bounds::of(&self.references[parts[k].range()]).area();
            }
            count += 1;
        }
        for place in whole.range() {
            self.order[place] = self.references[place].id();
        }
        (parts, count)
    }

    /// The volume of some items.
    fn fit(&self, part: Part) -> B {
        let items = &self.order[part.range()];
        let own = |&item: &u32| {
            let first = item as usize * self.points_per_item;
            &self.points[first..first + self.points_per_item]
        };
        let points: Vec<Vec3A> = items.iter().flat_map(own).copied().collect();
        let mut moments = Vec::new();
        let surface = match &self.surface {
            Kept::Points => Surface::Points,
            Kept::Triangles => Surface::Triangles,
            Kept::Moments(all) => {
                let of = |&item: &u32| all.get(item as usize).copied().unwrap_or_default();
                moments.extend(items.iter().map(of));
                Surface::Moments(&moments)
            }
        };
        let points_per_item = self.points_per_item;
        let geometry =
            ItemGeometry { frame: &self.frame, points: &points, points_per_item, surface };
        let moments =
            if B::USES_MOMENTS { geometry.moments_of(0, part.count) } else { Moments::default() };
        B::fit(&points, &moments, self.frame.error())
    }
}
