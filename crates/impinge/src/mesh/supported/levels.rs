//! Support tables or planes on the first levels of a hierarchy.

use super::super::{Mesh, ScaledPose};
use super::SupportKind;
use super::node::Node;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;

/// Support tables or planes of the first levels of one mesh's hierarchy, whatever its volumes are.
///
/// With one level it is a filter before the hierarchy; [`overlap_supported`](super::overlap_supported) uses all of them on the way.
///
/// ```
/// use impinge::{Pose, mesh::{Mesh, SupportKind, SupportLevels}};
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let filter = SupportLevels::new(&mesh, 1, SupportKind::default());
/// let near = Pose::from_translation([1.7, 1.7, 1.7])?.into();
/// assert!(filter.parts(&filter, &near));
/// assert!(!filter.parts(&filter, &Pose::from_translation([0.9, 0.9, 0.9])?.into()));
/// // Bodies move little from step to step: the axis that parted them is kept, and tried first.
/// let mut axis = None;
/// assert!(filter.parts_again(&filter, &near, &mut axis) && axis.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SupportLevels {
    levels: usize,
    /// For every place of the tree the number of its node, plus one; zero where there is none. It ends with the last node.
    numbers: Vec<u32>,
    nodes: Vec<Node>,
}

impl SupportLevels {
    /// Builds them for the first `levels` levels of the mesh's hierarchy; 1 is the root alone.
    pub fn new<B: Bound>(mesh: &Mesh<B>, levels: usize, kind: SupportKind) -> Self {
        let tree = mesh.tree();
        let (mut numbers, mut nodes) = (Vec::new(), Vec::new());
        let mut before = Vec::new();
        for depth in 0..levels {
            let level = tree.level(depth);
            if level == before {
                break;
            }
            for &place in &level {
                let index = place as usize;
                if numbers.get(index).is_some_and(|number| *number != 0) {
                    continue;
                }
                let corners = tree.items(place).iter().flat_map(|&item| mesh.corners(item));
                let points: Vec<[f64; 3]> = corners.map(|corner| corner.to_array()).collect();
                let Some(node) = Node::new(&points, kind) else { continue };
                if numbers.len() <= index {
                    numbers.resize(index + 1, 0);
                }
                nodes.push(node);
                numbers[index] = nodes.len() as u32;
            }
            before = level;
        }
        Self { levels, numbers, nodes }
    }

    /// The number of levels.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// How many volumes have a table or planes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        4 * self.numbers.len() + self.nodes.iter().map(Node::bytes).sum::<usize>()
    }

    /// True if the roots alone show that the whole mesh is apart from another one.
    #[inline]
    pub fn parts(&self, other: &Self, b_in_a: &ScaledPose) -> bool {
        let roots = self.node(0).zip(other.node(0));
        roots.and_then(|(a, b)| a.apart(b, b_in_a)).unwrap_or(false)
    }

    /// Like [`SupportLevels::parts`], but tries the cached axis first and updates it. The axis is in A's frame, from A to B. Planes have no such
    /// axis: then this is [`SupportLevels::parts`].
    #[inline]
    pub fn parts_again(&self, other: &Self, b_in_a: &ScaledPose, axis: &mut Option<DVec3>) -> bool {
        let Some((a, b)) = self.node(0).zip(other.node(0)) else { return false };
        match a.tables(b, b_in_a) {
            Some((pair, axes)) => {
                if axis.is_some_and(|axis| pair.parted_along(axis)) {
                    return true;
                }
                *axis = pair.reflected(axes).axis;
                axis.is_some()
            }
            None => a.apart(b, b_in_a).unwrap_or(false),
        }
    }

    /// What is known of a place.
    #[inline(always)]
    pub(super) fn node(&self, place: u32) -> Option<&Node> {
        let number = *self.numbers.get(place as usize)?;
        self.nodes.get((number as usize).wrapping_sub(1))
    }
}
