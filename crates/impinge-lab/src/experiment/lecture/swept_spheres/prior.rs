//! How distances were found before swept spheres: binary trees, opened depth first, nearer pairs first, one pair of volumes at a time.
//!
//! Trees of spheres are those of S. Quinlan, "Efficient distance computation between non-convex objects" (1994). Oriented boxes had no
//! distance of their own but that of convex bodies in general, GJK's.

use crate::error::LabError;
use crate::model::Model;
use impinge::geom::bound::{Aabb, Frame};
use impinge::geom::glam::{DMat3, DVec3};
use impinge::geom::{Pose, Shape, pair, triangle};
use impinge::tree::{Builder, Items, Topology, build};

/// How a tree of these volumes tells the distance of two.
pub(super) trait Volume: Sized {
    /// The volume of some points.
    fn around(points: &[DVec3]) -> Result<Self, LabError>;
    /// The volume at another pose.
    fn moved(&self, pose: &Pose) -> Self;
    /// A lower bound of the distance.
    fn gap(&self, other: &Self, cache: &mut pair::Cache) -> f64;
    /// Which of two is opened first.
    fn size(&self) -> f64;
}

/// A sphere about the middle of the box around its points.
pub(super) struct Ball {
    center: DVec3,
    radius: f64,
}

impl Volume for Ball {
    fn around(points: &[DVec3]) -> Result<Self, LabError> {
        let low = points.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
        let high = points.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
        let center = (low + high) / 2.0;
        let radius = points.iter().map(|p| p.distance(center)).fold(0.0, f64::max);
        Ok(Self { center, radius })
    }

    fn moved(&self, pose: &Pose) -> Self {
        Self { center: pose.transform_point(self.center), radius: self.radius }
    }

    fn gap(&self, other: &Self, _: &mut pair::Cache) -> f64 {
        self.center.distance(other.center) - self.radius - other.radius
    }

    fn size(&self) -> f64 {
        self.radius
    }
}

/// An oriented box as the hull of its corners, so that GJK is asked.
pub(super) struct Cuboid {
    shape: Shape,
    pose: Pose,
    size: f64,
}

impl Volume for Cuboid {
    fn around(points: &[DVec3]) -> Result<Self, LabError> {
        let axes = principal_axes(points);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for point in points {
            let here = axes.transpose() * *point;
            (low, high) = (low.min(here), high.max(here));
        }
        let center = (low + high) / 2.0;
        // A hull has a thickness.
        let half = ((high - low) / 2.0).max(DVec3::splat(1e-6 * (high - low).max_element()));
        let corners: Vec<[f64; 3]> = (0..8)
            .map(|k| {
                let sign = |bit: u32| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
                (axes * (center + half * DVec3::new(sign(0), sign(1), sign(2)))).to_array()
            })
            .collect();
        let shape = Shape::hull(&corners).map_err(LabError::failed)?;
        Ok(Self { shape, pose: Pose::IDENTITY, size: half.length() })
    }

    fn moved(&self, pose: &Pose) -> Self {
        Self { shape: self.shape.clone(), pose: *pose, size: self.size }
    }

    fn gap(&self, other: &Self, cache: &mut pair::Cache) -> f64 {
        cache.set_warm_start(pair::WarmStart::default());
        pair::distance(&self.shape, &other.shape, &other.pose, cache).distance
    }

    fn size(&self) -> f64 {
        self.size
    }
}

/// The eigenvectors of the covariance, by Jacobi's rotations.
fn principal_axes(points: &[DVec3]) -> DMat3 {
    let mean = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let mut matrix = DMat3::ZERO;
    for point in points {
        let p = *point - mean;
        matrix += DMat3::from_cols(p * p.x, p * p.y, p * p.z);
    }
    let mut axes = DMat3::IDENTITY;
    for round in 0..24 {
        let (i, j) = [(0, 1), (0, 2), (1, 2)][round % 3];
        let off = matrix.col(j)[i];
        if off.abs() < 1e-300 {
            continue;
        }
        let theta = (matrix.col(j)[j] - matrix.col(i)[i]) / (2.0 * off);
        let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let c = 1.0 / (t * t + 1.0).sqrt();
        let s = t * c;
        let mut turn = DMat3::IDENTITY;
        turn.col_mut(i)[i] = c;
        turn.col_mut(j)[j] = c;
        turn.col_mut(j)[i] = s;
        turn.col_mut(i)[j] = -s;
        matrix = turn.transpose() * matrix * turn;
        axes *= turn;
    }
    axes
}

/// The places of a node's items.
fn items(topology: &Topology, node: usize) -> std::ops::Range<usize> {
    let group = &topology.groups()[node];
    group.first as usize..(group.first + group.count) as usize
}

/// Triangles in a binary tree, one to a leaf.
pub(super) struct Tree<V> {
    topology: Topology,
    volumes: Vec<V>,
    /// In the order of the leaves.
    corners: Vec<[DVec3; 3]>,
}

impl<V: Volume> Tree<V> {
    /// Split at the mean along principal axes, as the programs of that time did.
    pub(super) fn new(model: &Model) -> Result<Self, LabError> {
        let triangles = model.corners();
        let points = || triangles.as_flattened().iter();
        let frame = Frame::new(
            points().fold(DVec3::INFINITY, |low, p| low.min(*p)),
            points().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p)),
        );
        let boxes = triangles.iter().map(|t| Aabb::of_points(&t.map(|p| frame.local(p)))).collect();
        let topology = build(&Items { boxes, ..Items::default() }, Builder::PrincipalMean, 1);
        let corners: Vec<[DVec3; 3]> =
            topology.order().iter().map(|item| triangles[*item as usize]).collect();
        let volume = |node| V::around(corners[items(&topology, node)].as_flattened());
        let volumes = (0..topology.groups().len()).map(volume);
        let volumes = volumes.collect::<Result<_, _>>()?;
        Ok(Self { topology, volumes, corners })
    }

    /// Where it is in another frame.
    pub(super) fn moved(&self, pose: &Pose) -> Self {
        Self {
            topology: self.topology.clone(),
            volumes: self.volumes.iter().map(|volume| volume.moved(pose)).collect(),
            corners: self
                .corners
                .iter()
                .map(|triangle| triangle.map(|p| pose.transform_point(p)))
                .collect(),
        }
    }

    /// The distance from another tree in the same frame, and the tests of two volumes that it took.
    pub(super) fn distance(&self, other: &Self) -> (f64, u64) {
        let mut cache = pair::Cache::default();
        let mut tests = 1;
        let mut best = f64::MAX;
        let mut stack = vec![(0.0, 0, 0)];
        while let Some((gap, a, b)) = stack.pop() {
            if gap >= best {
                continue;
            }
            let (children_a, children_b) = (self.topology.children(a), other.topology.children(b));
            let larger = self.volumes[a].size() >= other.volumes[b].size();
            let pairs = match (children_a, children_b) {
                (None, None) => {
                    best = best.min(self.leaves(a, other, b));
                    continue;
                }
                (Some(children), other) if larger || other.is_none() => children.map(|a| (a, b)),
                (_, Some(children)) => children.map(|b| (a, b)),
                (Some(children), None) => children.map(|a| (a, b)),
            };
            tests += 2;
            let mut gaps =
                pairs.map(|(a, b)| (self.volumes[a].gap(&other.volumes[b], &mut cache), a, b));
            // The nearer one is taken next.
            gaps.sort_by(|x, y| y.0.total_cmp(&x.0));
            stack.extend(gaps.into_iter().filter(|pair| pair.0 < best));
        }
        (best, tests)
    }

    fn leaves(&self, a: usize, other: &Self, b: usize) -> f64 {
        let mut best = f64::MAX;
        for i in items(&self.topology, a) {
            for j in items(&other.topology, b) {
                best = best.min(triangle::distance(&self.corners[i], &other.corners[j]).distance);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;
    use impinge::geom::bound::Rss;
    use impinge::mesh::{self, Mesh, Scratch};

    #[test]
    fn old_ways_find_the_same_distance() {
        let model = Model::generate(ModelShape::Torus, 300);
        let mesh: Mesh<Rss> = model.mesh().unwrap();
        let (balls, boxes): (Tree<Ball>, Tree<Cuboid>) =
            (Tree::new(&model).unwrap(), Tree::new(&model).unwrap());
        for translation in [[3.0, 0.0, 0.0], [0.2, 0.1, 0.9], [0.0, 2.75, 0.1]] {
            let pose = Pose::new([0.8, 0.36, 0.48, 0.0], translation).unwrap();
            let exact =
                mesh::distance(&mesh, &mesh, &pose.into(), &mut Scratch::default()).distance;
            let found = [balls.distance(&balls.moved(&pose)), boxes.distance(&boxes.moved(&pose))];
            for (distance, tests) in found {
                assert!((distance - exact).abs() < 1e-9, "{distance} {exact}");
                assert!(tests > 10);
            }
        }
    }

    #[test]
    fn axes_are_those_of_a_turned_block() {
        let turn = Pose::new([0.8, 0.36, 0.48, 0.0], [1.0, 2.0, 3.0]).unwrap();
        let points: Vec<DVec3> = (0..8)
            .map(|k| {
                let sign = |bit: u32| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
                turn.transform_point(DVec3::new(3.0 * sign(0), 2.0 * sign(1), sign(2)))
            })
            .collect();
        let found = Cuboid::around(&points).unwrap();
        assert!((found.size - 14.0_f64.sqrt()).abs() < 1e-9, "{}", found.size);
    }
}
