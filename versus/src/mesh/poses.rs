//! Random poses of one mesh beside another.

use impinge_geom::glam::DVec3;
use impinge_geom::pair::{self, Cache};
use impinge_geom::{Pose, Shape};

use super::blocks::{Blocks, order};
use super::model::Mesh;
use super::scene::Placement;
use crate::random::{Random, single};

/// The pose as impinge takes it. Its `map` is the one function through which points of B enter the frame of A.
pub fn pose(placement: &Placement) -> Pose {
    // Rotations made here are unit quaternions and translations are finite.
    Pose::new(placement.rotation, placement.translation).unwrap_or(Pose::IDENTITY)
}

/// Turned about the mesh's centre, then moved. Translations are `f32` values.
fn placed(centre: [f64; 3], rotation: [f64; 4], offset: [f64; 3]) -> Placement {
    let turn = pose(&Placement { rotation, translation: [0.0; 3] });
    let turned = turn.transform_point(DVec3::from_array(centre));
    let translation =
        std::array::from_fn(|axis| single(centre[axis] + offset[axis] - turned[axis]));
    Placement { rotation, translation }
}

fn in_cube(mesh: &Mesh, random: &mut Random, reach: f64, count: usize) -> Vec<Placement> {
    let centre = mesh.centre();
    let one = |_| {
        let rotation = random.direction();
        placed(centre, rotation, std::array::from_fn(|_| random.between(-reach, reach)))
    };
    (0..count).map(one).collect()
}

/// A mesh beside a copy of itself.
pub struct Twins<'a> {
    mesh: &'a Mesh,
    order: Vec<u32>,
}

impl<'a> Twins<'a> {
    /// Sorts the triangles for the oracle.
    pub fn new(mesh: &'a Mesh) -> Twins<'a> {
        Twins { mesh, order: order(mesh) }
    }

    /// Which of the poses meet.
    pub fn meet(&self, poses: &[Placement]) -> Vec<bool> {
        let fixed = Blocks::new(self.mesh, &self.order, None);
        let moved = |placement| Blocks::new(self.mesh, &self.order, Some(&pose(placement)));
        poses.iter().map(|placement| fixed.meets(&moved(placement))).collect()
    }

    /// Half the side of the cube in which B's centre lies around A's, such that about 60 % of the poses meet. Found by
    /// halving on the share of the same 600 poses.
    fn reach(&self, seed: u64) -> f64 {
        let (mut low, mut high) = (0.0, self.mesh.diameter());
        for _ in 0..7 {
            let middle = 0.5 * (low + high);
            let poses = in_cube(self.mesh, &mut Random::new(seed ^ 0x6ea5), middle, 600);
            let hits = self.meet(&poses).into_iter().filter(|&meets| meets).count();
            if hits > 360 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// Random poses, about 60 % of them meeting.
    pub fn mixed(&self, seed: u64, count: usize) -> Vec<Placement> {
        in_cube(self.mesh, &mut Random::new(seed), self.reach(seed), count)
    }

    /// The poses that meet, and those that do not although the boxes around the meshes, each turned with its mesh, do.
    pub fn split(&self, poses: &[Placement]) -> Split {
        let boxes_meet = self.boxes();
        let (mut near, mut colliding) = (Vec::new(), Vec::new());
        for (meets, placement) in self.meet(poses).into_iter().zip(poses) {
            if meets {
                colliding.push(*placement);
            } else if boxes_meet(placement) {
                near.push(*placement);
            }
        }
        Split { near, colliding }
    }

    /// Tells whether the boxes around both meshes meet.
    fn boxes(&self) -> impl Fn(&Placement) -> bool {
        let [low, high] = self.mesh.bounds().map(DVec3::from_array);
        let around = Shape::cuboid((0.5 * (high - low)).to_array());
        let middle = 0.5 * (low + high);
        move |placement| {
            let pose = pose(placement);
            let offset = (pose.transform_point(middle) - middle).to_array();
            match (&around, pose.with_translation(offset)) {
                (Ok(around), Ok(moved)) => {
                    pair::overlap(around, around, &moved, &mut Cache::default())
                }
                // A box without a size is taken as meeting.
                _ => true,
            }
        }
    }

    /// The first of the poses that meet, so many.
    pub fn meeting(&self, poses: &[Placement], count: usize) -> Vec<Placement> {
        let first = &poses[..poses.len().min(3 * count)];
        let meet = self.meet(first).into_iter().zip(first);
        meet.filter(|(meets, _)| *meets).map(|(_, placement)| *placement).take(count).collect()
    }
}

/// Poses by what is asked of them.
pub struct Split {
    /// Apart, but their boxes meet.
    pub near: Vec<Placement>,
    /// Meeting.
    pub colliding: Vec<Placement>,
}

/// Poses in which the two copies lie 0.05 to 0.5 diameters apart along a random direction.
pub fn apart(mesh: &Mesh, seed: u64, count: usize) -> Vec<Placement> {
    let mut random = Random::new(seed ^ 0xa9a4);
    let (centre, diameter) = (DVec3::from_array(mesh.centre()), mesh.diameter());
    let farthest = |direction: DVec3| {
        let heights = mesh.vertices.iter().map(|&v| (DVec3::from_array(v) - centre).dot(direction));
        heights.fold(f64::NEG_INFINITY, f64::max)
    };
    let one = |_| {
        let rotation = random.direction();
        let direction = DVec3::from_array(random.direction());
        let turn = pose(&Placement { rotation, translation: [0.0; 3] });
        let gap = diameter * random.between(0.05, 0.5);
        let offset = farthest(direction) + farthest(turn.inverse_rotate(-direction)) + gap;
        placed(centre.to_array(), rotation, (direction * offset).to_array())
    };
    (0..count).map(one).collect()
}

/// Rotations about the origin.
pub fn turned(seed: u64, count: usize) -> Vec<Placement> {
    let mut random = Random::new(seed ^ 0x7042);
    (0..count).map(|_| Placement { rotation: random.direction(), translation: [0.0; 3] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::model::icosphere;

    #[test]
    fn the_share_and_the_gap_are_as_promised() {
        let mesh = icosphere(2.0, 3);
        let twins = Twins::new(&mesh);
        let poses = twins.mixed(1, 400);
        let hits = twins.meet(&poses).into_iter().filter(|&meets| meets).count();
        assert!((210..270).contains(&hits), "{hits} of 400");
        let meeting = twins.meeting(&poses, 50);
        assert!(meeting.len() == 50 && twins.meet(&meeting).into_iter().all(|meets| meets));
        let split = twins.split(&poses);
        assert_eq!(split.colliding.len(), hits);
        // Farther apart than two radii along an axis no boxes meet; near misses of balls are within the corners of theirs.
        assert!(split.near.len() > 50 && split.near.len() < 400 - hits, "{}", split.near.len());
        let far = |p: &Placement| DVec3::from_array(p.translation).length() > 7.0;
        assert!(twins.meet(&split.near).into_iter().all(|meets| !meets));
        assert!(!split.near.iter().any(far));
        let fixed = Blocks::new(&mesh, &twins.order, None);
        for placement in apart(&mesh, 1, 20) {
            let moved = Blocks::new(&mesh, &twins.order, Some(&pose(&placement)));
            let share = fixed.distance(&moved) / mesh.diameter();
            // Two spheres are nearest along the direction, up to their facets.
            assert!((0.049..0.51).contains(&share), "{share}");
        }
    }
}
