//! Topology → wide tree: groups are gathered up to eight per node, then fitted with volumes.

use crate::fill::{Filling, Inner};
use crate::parallel::join;
use crate::topology::{Group, Topology};
use crate::tree::{Node, NodeChild, Tree};
use impinge_geom::bound::{Aabb, Bound, Family, Frame, LANES, Moments};
use impinge_geom::glam::Vec3A;
use impinge_geom::simd::memory::with_capacity;

/// The geometry of the items, in the order of the leaves.
///
/// ```
/// use impinge_geom::{bound::{Aabb, Bound, Frame, Obb}, glam::{DVec3, Vec3A}};
/// use impinge_tree::{Builder, ItemGeometry, Surface, Tree, build::build_by};
/// // A strip of triangles.
/// let corners = |k: usize| [0.0, 1.0, 0.5].map(|x| DVec3::new(k as f64 + x, x * 2.0, 0.0));
/// let frame = Frame::new(DVec3::ZERO, DVec3::new(50.0, 2.0, 0.0));
/// let local = |k: usize| corners(k).map(|p| frame.local(p));
/// let topology = build_by(50, |k| Aabb::of_points(&local(k)), Builder::BinnedSah, 8);
/// let points: Vec<Vec3A> = topology.order().iter().flat_map(|&k| local(k as usize)).collect();
/// let geometry =
///     ItemGeometry { frame: &frame, points: &points, points_per_item: 3, surface: Surface::Triangles };
/// let tree: Tree<Obb> = Tree::fit(&topology, &geometry, 8, 8);
/// assert_eq!(tree.validate(&geometry), Ok(()));
/// assert!(tree.root().is_some_and(|root| root.contains(frame.local(corners(49)[0]), 0.0)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ItemGeometry<'g> {
    /// The frame in which the points are given.
    pub frame: &'g Frame,
    /// The points of all items, in the order of the leaves, the same number for each item. Items without points count as having none.
    pub points: &'g [Vec3A],
    /// Number of points per item.
    pub points_per_item: usize,
    /// What the points represent.
    pub surface: Surface<'g>,
}

/// The surface whose moments orient volumes with axes of their own.
#[derive(Clone, Copy, Debug, Default)]
pub enum Surface<'g> {
    /// The points themselves.
    #[default]
    Points,
    /// Every three points are the corners of a triangle.
    Triangles,
    /// Given: the moments of each item, in the order of the leaves.
    Moments(&'g [Moments]),
}

impl<'g> ItemGeometry<'g> {
    /// The points of the items at these places of the order.
    pub(crate) fn points_of(&self, first: u32, end: u32) -> &'g [Vec3A] {
        let place = |item: u32| (item as usize).saturating_mul(self.points_per_item);
        self.points.get(place(first)..place(end)).unwrap_or(&[])
    }

    /// The moments of the items at these places.
    pub(crate) fn moments_of(&self, first: u32, end: u32) -> Moments {
        let mut sum = Moments::default();
        match self.surface {
            Surface::Points => {}
            Surface::Triangles => {
                for [a, b, c] in self.points_of(first, end).as_chunks().0 {
                    sum.add(&Moments::of_triangle(a.as_dvec3(), b.as_dvec3(), c.as_dvec3()));
                }
            }
            Surface::Moments(all) => {
                let own = all.get(first as usize..end as usize).unwrap_or(&[]);
                own.iter().for_each(|moments| sum.add(moments));
            }
        }
        sum
    }
}

impl<B: Bound> Tree<B> {
    /// Fills the topology with volumes, `width` children per node (2 to 8). Groups of up to `leaf` items become leaves.
    pub fn fit(
        topology: &Topology,
        geometry: &ItemGeometry<'_>,
        width: usize,
        leaf: usize,
    ) -> Self {
        Self::fit_chosen(topology, geometry, width, leaf, B::choose)
    }

    /// Like [`Tree::fit`], for volumes of several kinds, with a function that chooses the kind for the children of a node. It is not called for
    /// volumes of one kind.
    ///
    /// ```
    /// use impinge_geom::{bound::{Aabb, Bound, Frame}, glam::{DVec3, Vec3A}};
    /// use impinge_tree::{Builder, ItemGeometry, Surface, Tree, build::build_by};
    /// let points: Vec<Vec3A> = (0..64).map(|k| Vec3A::splat(k as f32 / 64.0)).collect();
    /// let frame = Frame::new(DVec3::ZERO, DVec3::ONE);
    /// let topology = build_by(64, |k| Aabb::of_points(&points[k..=k]), Builder::Morton, 8);
    /// let geometry = ItemGeometry { frame: &frame, points: &points, points_per_item: 1, surface: Surface::Points };
    /// let tree = Tree::<Aabb>::fit_chosen(&topology, &geometry, 8, 8, |family| Aabb::choose(family));
    /// assert_eq!(tree, Tree::fit(&topology, &geometry, 8, 8));
    /// ```
    pub fn fit_chosen(
        topology: &Topology,
        geometry: &ItemGeometry<'_>,
        width: usize,
        leaf: usize,
        choose: impl Fn(&Family<'_, B>) -> usize + Sync,
    ) -> Self {
        let inner = if B::MERGES_EXACTLY { Inner::Merged } else { Inner::Fitted };
        let mut tree = Self::shaped(topology, geometry, width, leaf);
        Filling { geometry, inner, fit: &B::fit_as, kinds: B::KINDS, choose: &choose }
            .run(&mut tree);
        tree
    }

    /// Like [`Tree::fit`], with a fit of your own: from points and their moments to a volume that contains the points and everything within
    /// the given error of them.
    ///
    /// ```
    /// use impinge_geom::{bound::{Aabb, Frame, Obb, ObbFit}, glam::{DVec3, Vec3A}};
    /// use impinge_tree::{Builder, ItemGeometry, Surface, Tree, build::build_by};
    /// let points: Vec<Vec3A> = (0..90).map(|k| Vec3A::new(k as f32, (k % 7) as f32, 1.0) / 90.0).collect();
    /// let frame = Frame::new(DVec3::ZERO, DVec3::ONE);
    /// let topology = build_by(30, |k| Aabb::of_points(&points[3 * k..3 * k + 3]), Builder::Morton, 8);
    /// let item = |&k: &u32| points[3 * k as usize..3 * k as usize + 3].to_vec();
    /// let sorted: Vec<Vec3A> = topology.order().iter().flat_map(item).collect();
    /// let geometry =
    ///     ItemGeometry { frame: &frame, points: &sorted, points_per_item: 3, surface: Surface::Points };
    /// let tree = Tree::fit_by(&topology, &geometry, 8, 8, |points, moments, error| {
    ///     Obb::fit_by(points, moments, ObbFit::HullFacets, error)
    /// });
    /// assert_eq!(tree.validate(&geometry), Ok(()));
    /// ```
    pub fn fit_by(
        topology: &Topology,
        geometry: &ItemGeometry<'_>,
        width: usize,
        leaf: usize,
        fit: impl Fn(&[Vec3A], &Moments, f32) -> B + Sync,
    ) -> Self {
        let mut tree = Self::shaped(topology, geometry, width, leaf);
        let fit =
            |_: usize, points: &[Vec3A], moments: &Moments, error: f32| fit(points, moments, error);
        Filling { geometry, inner: Inner::Fitted, fit: &fit, kinds: 1, choose: &B::choose }
            .run(&mut tree);
        tree
    }

    /// The wide tree before it has volumes.
    fn shaped(topology: &Topology, geometry: &ItemGeometry<'_>, width: usize, leaf: usize) -> Self {
        let (groups, width) = (&topology.groups, width.clamp(2, LANES));
        let order = topology.order.clone();
        let mut tree = Self {
            frame: *geometry.frame,
            nodes: with_capacity(groups.len() / 6 + 2),
            starts: vec![0],
            order,
        };
        if groups.is_empty() {
            return tree;
        }
        let mut areas = vec![0.0; groups.len()];
        measure(groups, geometry, &mut areas);
        let opened = Opened { topology, areas: &areas, width, leaf };
        tree.nodes.push(Node { count: 1, ..Node::EMPTY });
        // Nodes and leaves are numbered in depth-first order, so that leaves come in the order of items.
        let mut stack = vec![(0, 0, 0)];
        while let Some((node, lane, group)) = stack.pop() {
            let child = if opened.is_leaf(group) {
                tree.starts.push(groups[group].first + groups[group].count);
                NodeChild::of_leaf(tree.starts.len() as u32 - 2)
            } else {
                let own = tree.nodes.len();
                let (parts, count) = opened.gather(group);
                tree.nodes.push(Node { count: count as u32, ..Node::EMPTY });
                for lane in (0..count).rev() {
                    stack.push((own, lane, parts[lane]));
                }
                NodeChild::of_node(own as u32)
            };
            tree.nodes[node].children[lane] = child;
        }
        tree
    }
}

/// Which groups become the children of a node.
struct Opened<'t> {
    topology: &'t Topology,
    areas: &'t [f32],
    width: usize,
    leaf: usize,
}

impl Opened<'_> {
    fn is_leaf(&self, group: usize) -> bool {
        let group = self.topology.groups[group];
        group.count as usize <= self.leaf || group.second == 0
    }

    /// Up to `width` groups that make up a group, in the order of their items: the largest is opened first.
    fn gather(&self, group: usize) -> ([usize; LANES], usize) {
        let mut parts = [0; LANES];
        let mut count = 0;
        for child in self.topology.children(group).into_iter().flatten() {
            parts[count] = child;
            count += 1;
        }
        while count < self.width {
            let openable = (0..count).filter(|&k| !self.is_leaf(parts[k]));
            let largest = openable.max_by(|&i, &j| {
                self.areas[parts[i]].total_cmp(&self.areas[parts[j]]).then(j.cmp(&i))
            });
            let Some(place) = largest else { break };
            let Some([first, second]) = self.topology.children(parts[place]) else { break };
            parts.copy_within(place + 1..count, place + 2);
            (parts[place], parts[place + 1]) = (first, second);
            count += 1;
        }
        (parts, count)
    }
}

/// Half the surface of the box of each group, the first of which holds all others.
fn measure(groups: &[Group], geometry: &ItemGeometry<'_>, areas: &mut [f32]) -> Aabb {
    let (Some(group), Some((own, below))) = (groups.first(), areas.split_first_mut()) else {
        return Aabb::of_points(&[]);
    };
    let whole = if group.second == 0 {
        Aabb::of_points(geometry.points_of(group.first, group.first + group.count))
    } else {
        let (head, tail) = groups[1..].split_at(group.second as usize - 1);
        let (first, second) = below.split_at_mut(head.len());
        let (a, b) = join(
            group.count as usize,
            || measure(head, geometry, first),
            || measure(tail, geometry, second),
        );
        Aabb { low: a.low.min(b.low), high: a.high.max(b.high) }
    };
    *own = whole.area();
    whole
}
