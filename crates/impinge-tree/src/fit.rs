//! Topology → wide tree: groups are gathered up to eight abreast, then each is given its volume.

use crate::Topology;
use crate::join::join;
use crate::tree::{Child, Node, Tree};
use impinge_geom::bound::{Aabb, Bound, Frame, LANES, Moments};
use impinge_geom::glam::Vec3A;

/// What a fit needs to know of the items, in the order of the topology.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<'g> {
    /// The frame in which the points are given.
    pub frame: &'g Frame,
    /// The points of all items, in the order of the leaves, the same number for each item.
    pub points: &'g [Vec3A],
    /// How many points each item has.
    pub points_per_item: usize,
    /// The moments of the items in the order of the leaves, or none.
    pub moments: &'g [Moments],
}

/// What a lane of the wide tree is made from.
#[derive(Clone, Copy)]
struct Lane {
    group: usize,
    child: Child,
}

impl<B: Bound> Tree<B> {
    /// Fills the topology with volumes, `width` children to a node (2 to 8). Groups of up to `leaf` items become leaves.
    pub fn fit(topology: &Topology, geometry: &Geometry<'_>, width: usize, leaf: usize) -> Self {
        let shape = Shape::of(topology, geometry, width.clamp(2, LANES), leaf);
        let sums = sums(topology, geometry);
        let mut nodes = vec![Node::<B>::EMPTY; shape.nodes.len()];
        fill(&mut nodes, &shape.nodes, topology, geometry, &sums);
        Self { frame: *geometry.frame, nodes, starts: shape.starts, order: topology.order.clone() }
    }
}

/// The wide tree before it has volumes.
struct Shape {
    nodes: Vec<Vec<Lane>>,
    starts: Vec<u32>,
}

impl Shape {
    fn of(topology: &Topology, geometry: &Geometry<'_>, width: usize, leaf: usize) -> Self {
        let mut shape = Self { nodes: Vec::new(), starts: vec![0] };
        if topology.groups.is_empty() {
            return shape;
        }
        let areas = areas(topology, geometry);
        shape.nodes.push(Vec::new());
        // Children of a node get neighbouring numbers; nodes are taken up in depth-first order, so that leaves come in the order of items.
        let mut stack = vec![(0, 0, 0)];
        while let Some((node, lane, group)) = stack.pop() {
            let whole = topology.groups[group];
            let child = if whole.count as usize <= leaf || whole.second == 0 {
                shape.starts.push(whole.first + whole.count);
                Child::of_leaf(shape.starts.len() as u32 - 2)
            } else {
                let own = shape.nodes.len();
                let parts = gather(topology, &areas, group, width, leaf);
                let lanes = parts.iter().map(|&group| Lane { group, child: Child(0) });
                shape.nodes.push(lanes.collect());
                for (lane, &part) in parts.iter().enumerate().rev() {
                    stack.push((own, lane, part));
                }
                Child::of_node(own as u32)
            };
            match shape.nodes[node].get_mut(lane) {
                Some(lane) => lane.child = child,
                None => shape.nodes[node].push(Lane { group, child }),
            }
        }
        shape
    }
}

/// Up to `width` groups that make up a group, in the order of their items: the largest is opened first.
fn gather(
    topology: &Topology,
    areas: &[f32],
    group: usize,
    width: usize,
    leaf: usize,
) -> Vec<usize> {
    let mut parts: Vec<usize> = topology.children(group).into_iter().flatten().collect();
    while parts.len() < width {
        let openable = parts.iter().enumerate().filter(|(_, part)| {
            topology.groups[**part].count as usize > leaf && topology.groups[**part].second != 0
        });
        let largest =
            openable.max_by(|(i, a), (j, b)| areas[**a].total_cmp(&areas[**b]).then(j.cmp(i)));
        let Some((place, &part)) = largest else { break };
        if let Some([first, second]) = topology.children(part) {
            parts[place] = first;
            parts.insert(place + 1, second);
        }
    }
    parts
}

/// Half the surface of each group's box.
fn areas(topology: &Topology, geometry: &Geometry<'_>) -> Vec<f32> {
    let empty = Aabb { low: Vec3A::INFINITY, high: Vec3A::NEG_INFINITY };
    let mut boxes = vec![empty; topology.groups.len()];
    for node in (0..topology.groups.len()).rev() {
        boxes[node] = match topology.children(node) {
            Some([a, b]) => Aabb::merge(&[boxes[a], boxes[b]]),
            None => Aabb::of_points(points(topology, geometry, node)),
        };
    }
    boxes.iter().map(Bound::area).collect()
}

/// The points of a group.
fn points<'g>(topology: &Topology, geometry: &Geometry<'g>, group: usize) -> &'g [Vec3A] {
    let group = topology.groups[group];
    let (first, count) = (group.first as usize, group.count as usize);
    let each = geometry.points_per_item;
    geometry.points.get(first * each..(first + count) * each).unwrap_or(&[])
}

/// The moments of each group; none if the items have none.
fn sums(topology: &Topology, geometry: &Geometry<'_>) -> Vec<Moments> {
    if geometry.moments.is_empty() {
        return Vec::new();
    }
    let mut sums = vec![Moments::default(); topology.groups.len()];
    for node in (0..topology.groups.len()).rev() {
        let mut sum = Moments::default();
        match topology.children(node) {
            Some(children) => children.iter().for_each(|&child| sum.add(&sums[child])),
            None => {
                let group = topology.groups[node];
                let range = group.first as usize..(group.first + group.count) as usize;
                let items = geometry.moments.get(range).unwrap_or(&[]);
                items.iter().for_each(|moments| sum.add(moments));
            }
        }
        sums[node] = sum;
    }
    sums
}

/// Fits the volumes of these nodes, halves side by side.
fn fill<B: Bound>(
    nodes: &mut [Node<B>],
    shapes: &[Vec<Lane>],
    topology: &Topology,
    geometry: &Geometry<'_>,
    sums: &[Moments],
) {
    const PORTION: usize = 64;
    if nodes.len() > PORTION {
        let (a, b) = nodes.split_at_mut(nodes.len() / 2);
        let (c, d) = shapes.split_at(a.len());
        join(
            shapes.len() * LANES,
            || fill(a, c, topology, geometry, sums),
            || fill(b, d, topology, geometry, sums),
        );
        return;
    }
    let error = geometry.frame.error();
    for (node, lanes) in nodes.iter_mut().zip(shapes) {
        node.count = lanes.len() as u32;
        for (lane, source) in lanes.iter().enumerate() {
            let moments = sums.get(source.group).copied().unwrap_or_default();
            let points = points(topology, geometry, source.group);
            B::fit(points, &moments, error).set(&mut node.volumes, lane);
            node.children[lane] = source.child;
        }
    }
}
