//! Quality measures of a tree.

use crate::Tree;
use impinge_geom::bound::Bound;

/// Quality measures of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Number of nodes, without the one that holds the root alone.
    pub nodes: usize,
    /// Number of leaves.
    pub leaves: usize,
    /// Number of items.
    pub items: usize,
    /// Depth, in nodes.
    pub depth: usize,
    /// Mean number of children per node.
    pub fill: f64,
    /// Mean number of items per leaf.
    pub leaf_fill: f64,
    /// Expected number of nodes opened by a random line through the root's volume.
    pub node_visits: f64,
    /// Expected number of volumes it is tested against: the children of opened nodes, and the root.
    pub volume_visits: f64,
    /// Expected number of items it meets in leaves.
    pub item_visits: f64,
    /// Memory used, in bytes.
    pub bytes: usize,
}

impl Cost {
    /// The SAH cost (J. Goldsmith and J. Salmon, "Automatic creation of object hierarchies for ray
    /// tracing", 1987) of a random line, where opening a node costs `node` and testing an item in a leaf `item`.
    pub fn of_line(&self, node: f64, item: f64) -> f64 {
        self.node_visits * node + self.item_visits * item
    }
}

impl<B: Bound> Tree<B> {
    /// Measures the tree: a line meets a volume inside another with a probability of about the ratio of their surface areas.
    ///
    /// ```
    /// use impinge_geom::{bound::{Aabb, Frame}, glam::{DVec3, Vec3A}};
    /// use impinge_tree::{Builder, ItemGeometry, Surface, Tree, build::build_by};
    /// let frame = Frame::new(DVec3::ZERO, DVec3::ONE);
    /// let points: Vec<Vec3A> = (0..64).map(|k| Vec3A::splat(k as f32 / 64.0)).collect();
    /// let topology = build_by(64, |k| Aabb::of_points(&points[k..=k]), Builder::Morton, 8);
    /// let geometry = ItemGeometry { frame: &frame, points: &points, points_per_item: 1, surface: Surface::Points };
    /// let tree: Tree<Aabb> = Tree::fit(&topology, &geometry, 8, 8);
    /// let cost = tree.cost();
    /// assert_eq!((cost.nodes, cost.leaves, cost.items, cost.depth), (1, 8, 64, 1));
    /// // One node is opened for nine volumes; two to a node would be more nodes, opened for fewer volumes each.
    /// assert_eq!((cost.node_visits, cost.volume_visits), (1.0, 9.0));
    /// let narrow: Tree<Aabb> = Tree::fit(&topology, &geometry, 2, 8);
    /// assert_eq!(narrow.cost().nodes, 7);
    /// assert!(narrow.cost().node_visits > 1.0);
    /// ```
    pub fn cost(&self) -> Cost {
        let mut cost = Cost { items: self.order.len(), bytes: self.bytes(), ..Cost::default() };
        let Some(root) = self.root() else { return cost };
        let whole = f64::from(root.area());
        // Where nothing has a surface, every volume is as likely as the root.
        let share = |volume: B| if whole > 0.0 { f64::from(volume.area()) / whole } else { 1.0 };
        cost.volume_visits = 1.0;
        let mut lanes = 0;
        let mut stack = vec![(0usize, 0)];
        while let Some((node, depth)) = stack.pop() {
            cost.depth = cost.depth.max(depth);
            let node = &self.nodes[node];
            for lane in 0..node.count as usize {
                let share = share(B::get(&node.volumes, lane));
                lanes += 1;
                match node.children[lane].leaf() {
                    Some(leaf) => {
                        cost.leaves += 1;
                        cost.item_visits += share * self.leaf(leaf).len() as f64;
                    }
                    None => {
                        cost.nodes += 1;
                        cost.node_visits += share;
                        let below = self.nodes.get(node.children[lane].0 as usize);
                        cost.volume_visits += share * f64::from(below.map_or(0, |n| n.count));
                        stack.push((node.children[lane].0 as usize, depth + 1));
                    }
                }
            }
        }
        // The root's own lane is not a child.
        cost.fill = if cost.nodes > 0 { f64::from(lanes - 1) / cost.nodes as f64 } else { 0.0 };
        cost.leaf_fill = cost.items as f64 / cost.leaves.max(1) as f64;
        cost
    }
}
