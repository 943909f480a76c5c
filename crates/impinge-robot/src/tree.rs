//! Links and joints.

use crate::error::TreeError;
use crate::freedom::Freedom;
use impinge::Pose;

/// Positions and limits are at most this, 2^20: beyond it angles lose their digits.
const LARGEST_POSITION: f64 = 1_048_576.0;

/// A joint between two links.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// The link above it.
    pub parent: usize,
    /// The link below it.
    pub child: usize,
    /// How it moves, in world coordinates, with the tree in its reference position.
    pub freedom: Freedom,
    /// Its reference position: radians, or units of length.
    pub position: f64,
    /// The lower and upper limit, if any.
    pub limits: Option<[f64; 2]>,
    /// The joint that it mimics, if any.
    pub mimic: Option<Mimic>,
}

/// A joint mimics another: its position is the other's times a factor, plus an offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic {
    /// The other joint.
    pub joint: usize,
    /// The factor.
    pub multiplier: f64,
    /// The offset.
    pub offset: f64,
}

impl Joint {
    /// A joint at position 0, without limits, that mimics no other.
    pub fn new(name: impl Into<String>, parent: usize, child: usize, freedom: Freedom) -> Self {
        let name = name.into();
        Self { name, parent, child, freedom, position: 0.0, limits: None, mimic: None }
    }

    /// True if it can be given a position: it moves, and mimics no other.
    pub fn is_free(&self) -> bool {
        self.freedom != Freedom::Fixed && self.mimic.is_none()
    }

    /// True if a position is within its limits.
    pub fn allows(&self, position: f64) -> bool {
        self.limits.is_none_or(|[low, high]| low <= position && position <= high)
    }
}

/// Links connected by joints as a tree, or as several. Axes are in world coordinates, with every joint at its
/// [`position`](Joint::position), and joint positions are displacements from there. A link that does not move gets the
/// exact identity.
///
/// ```
/// use impinge::geom::glam::DVec3;
/// use impinge_robot::{Freedom, Joint, KinematicTree};
/// // An arm of two bars, each one metre long, straight along x.
/// let z = [0.0, 0.0, 1.0];
/// let shoulder = Joint::new("shoulder", 0, 1, Freedom::turn([0.0; 3], z)?);
/// let elbow = Joint::new("elbow", 1, 2, Freedom::turn([1.0, 0.0, 0.0], z)?);
/// let tree = KinematicTree::new(3, vec![shoulder, elbow])?;
/// let tip = tree.displacement(2, &[0.3, -1.1]).transform_point(DVec3::new(2.0, 0.0, 0.0));
/// let expected = DVec3::new(0.3f64.cos() + (0.3f64 - 1.1).cos(), 0.3f64.sin() + (0.3f64 - 1.1).sin(), 0.0);
/// assert!((tip - expected).length() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KinematicTree {
    joints: Vec<Joint>,
    /// By link.
    above: Vec<Option<usize>>,
}

impl KinematicTree {
    /// A tree with the given number of links, or several trees.
    pub fn new(links: usize, joints: Vec<Joint>) -> Result<Self, TreeError> {
        let mut above: Vec<Option<usize>> = vec![None; links];
        for (index, joint) in joints.iter().enumerate() {
            joint.check(links, joints.len())?;
            if let Some(first) = above[joint.child].replace(index) {
                let names = [&joints[first], joint].map(|joint| joint.name.clone());
                return Err(TreeError::TwoParents { link: joint.child, joints: names });
            }
        }
        let tree = Self { joints, above };
        let up = |index: usize| tree.above[tree.joints[index].parent];
        let leader = |index: usize| tree.joints[index].mimic.map(|mimic| mimic.joint);
        for next in [&up as &dyn Fn(usize) -> Option<usize>, &leader] {
            if let Some(index) = circle(tree.joints.len(), next) {
                return Err(TreeError::Circle { joint: tree.joints[index].name.clone() });
            }
        }
        Ok(tree)
    }

    /// How many links there are.
    pub fn link_count(&self) -> usize {
        self.above.len()
    }

    /// The joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The joints above a link, from the root down; empty for a link that does not exist.
    pub fn joints_above(&self, link: usize) -> Vec<usize> {
        let up = |link: usize| self.above.get(link).copied().flatten();
        let next = |&index: &usize| up(self.joints[index].parent);
        let mut joints: Vec<usize> = std::iter::successors(up(link), next).collect();
        joints.reverse();
        joints
    }

    /// The positions of all joints: the given ones, the reference positions of the others, and for mimic joints what follows
    /// from those.
    ///
    /// ```
    /// use impinge_robot::{Freedom, Joint, KinematicTree, Mimic};
    /// let slide = Freedom::slide([0.0, 1.0, 0.0])?;
    /// let left = Joint::new("left finger", 0, 1, slide);
    /// let mimic = Some(Mimic { joint: 0, multiplier: -1.0, offset: 0.0 });
    /// let right = Joint { mimic, ..Joint::new("right finger", 0, 2, slide) };
    /// let gripper = KinematicTree::new(3, vec![left, right])?;
    /// assert_eq!(gripper.positions(&[(0, 0.04)])?, [0.04, -0.04]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self, given: &[(usize, f64)]) -> Result<Vec<f64>, TreeError> {
        let mut positions: Vec<Option<f64>> = vec![None; self.joints.len()];
        for &(index, value) in given {
            let Some(joint) = self.joints.get(index) else {
                let (joint, count) = ("?".to_string(), self.joints.len());
                return Err(TreeError::Missing { joint, index, count });
            };
            if !joint.is_free() {
                return Err(TreeError::NotFree { joint: joint.name.clone() });
            }
            joint.check_position(value)?;
            positions[index] = Some(value);
        }
        let given = positions.clone();
        // Followers of joints that stand still keep the digits at which they stand.
        let follow = |index: usize| {
            let (mut factor, mut sum, mut here) = (1.0, 0.0, index);
            while let Some(mimic) = self.joints[here].mimic {
                sum += factor * mimic.offset;
                factor *= mimic.multiplier;
                here = mimic.joint;
            }
            given[here].map_or(self.joints[index].position, |value| factor * value + sum)
        };
        let all: Vec<f64> = (0..self.joints.len())
            .map(|index| positions[index].take().unwrap_or_else(|| follow(index)))
            .collect();
        for (joint, value) in self.joints.iter().zip(&all) {
            joint.check_position(*value)?;
        }
        Ok(all)
    }

    /// Forward kinematics: the displacement of a link from its reference position, with a position for every joint.
    pub fn displacement(&self, link: usize, positions: &[f64]) -> Pose {
        let moved = |index: usize| {
            let joint = &self.joints[index];
            joint.freedom.moved(positions.get(index).map_or(0.0, |value| value - joint.position))
        };
        self.joints_above(link).into_iter().map(moved).fold(Pose::IDENTITY, |outer, inner| {
            if inner == Pose::IDENTITY { outer } else { outer.compose(&inner) }
        })
    }
}

impl Joint {
    fn check(&self, links: usize, joints: usize) -> Result<(), TreeError> {
        let missing = |index: usize, count: usize| {
            let joint = self.name.clone();
            if index < count { Ok(()) } else { Err(TreeError::Missing { joint, index, count }) }
        };
        missing(self.parent, links)?;
        missing(self.child, links)?;
        self.check_position(self.position)?;
        if let Some(Mimic { joint, multiplier, offset }) = self.mimic {
            missing(joint, joints)?;
            self.check_position(multiplier)?;
            self.check_position(offset)?;
        }
        if self.limits.is_some_and(|limits| limits.iter().any(|limit| limit.is_nan())) {
            return Err(TreeError::Position { joint: self.name.clone(), value: f64::NAN });
        }
        Ok(())
    }

    pub(crate) fn check_position(&self, value: f64) -> Result<(), TreeError> {
        if value.abs() <= LARGEST_POSITION {
            return Ok(());
        }
        Err(TreeError::Position { joint: self.name.clone(), value })
    }
}

/// An index on a cycle of `next`, if there is one; each index is visited once.
fn circle(count: usize, next: &dyn Fn(usize) -> Option<usize>) -> Option<usize> {
    // The walk that passed an index first.
    let mut walk: Vec<usize> = vec![usize::MAX; count];
    for start in 0..count {
        let mut here = Some(start);
        while let Some(index) = here.filter(|&index| walk[index] == usize::MAX) {
            walk[index] = start;
            here = next(index);
        }
        if here.is_some_and(|index| walk[index] == start) {
            return here;
        }
    }
    None
}
