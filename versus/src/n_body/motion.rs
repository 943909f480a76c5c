//! Bodies that fly about in a room, turning, and turn back at its walls. They pass through each other.

use impinge_geom::glam::DVec3;

use super::record::Recording;
use crate::mesh::blocks::{self, Blocks};
use crate::mesh::model::Mesh;
use crate::mesh::poses::pose;
use crate::mesh::scene::Placement;
use crate::random::Random;

/// A body: where its centre is, how it is turned, and how both change per frame.
struct Body {
    centre: [f64; 3],
    velocity: [f64; 3],
    rotation: [f64; 4],
    /// Axis times angle in radians.
    spin: [f64; 3],
}

impl Body {
    fn new(random: &mut Random, room: f64, radius: f64) -> Body {
        Body {
            centre: std::array::from_fn(|_| random.between(0.0, room)),
            velocity: std::array::from_fn(|_| radius * random.between(-0.05, 0.05)),
            rotation: random.direction(),
            spin: std::array::from_fn(|_| random.between(-0.05, 0.05)),
        }
    }

    fn advance(&mut self, room: f64) {
        for axis in 0..3 {
            self.centre[axis] += self.velocity[axis];
            if room.is_finite() && !(0.0..=room).contains(&self.centre[axis]) {
                self.velocity[axis] = -self.velocity[axis];
                self.centre[axis] += 2.0 * self.velocity[axis];
            }
        }
        // The quaternion moves along half the spin times itself, and back to length one.
        let ([w, x, y, z], [a, b, c]) = (self.rotation, self.spin.map(|value| 0.5 * value));
        let turned = [
            w - a * x - b * y - c * z,
            x + a * w + b * z - c * y,
            y + b * w + c * x - a * z,
            z + c * w + a * y - b * x,
        ];
        let length = turned.iter().map(|value| value * value).sum::<f64>().sqrt();
        self.rotation = turned.map(|value| value / length);
    }

    /// Near another one, with the same speeds as all.
    fn beside(random: &mut Random, centre: [f64; 3], radius: f64) -> Body {
        let moved = centre.map(|value| value + radius * random.between(-2.0, 2.0));
        Body { centre: moved, ..Body::new(random, 0.0, radius) }
    }

    /// The pose of a mesh that has its centre there.
    fn placement(&self, middle: [f64; 3]) -> Placement {
        let turn = pose(&Placement { rotation: self.rotation, translation: [0.0; 3] });
        let turned = turn.transform_point(DVec3::from_array(middle));
        let translation = std::array::from_fn(|axis| self.centre[axis] - turned[axis]);
        Placement { rotation: self.rotation, translation }
    }
}

/// Copies of a mesh over a number of frames. The room is so large that a ball of the mesh's size meets one other, about.
pub fn record(name: String, mesh: Mesh, bodies: usize, frames: usize, seed: u64) -> Recording {
    let [low, high] = mesh.bounds();
    let radius = (0..3).map(|axis| high[axis] - low[axis]).sum::<f64>() / 6.0;
    let reach = 4.0 / 3.0 * std::f64::consts::PI * (2.0 * radius).powi(3);
    let room = (bodies as f64 * reach).cbrt();
    let random = &mut Random::new(seed ^ 0xb0d1);
    let mut flying: Vec<Body> = (0..bodies).map(|_| Body::new(random, room, radius)).collect();
    let middle = mesh.centre();
    let frame = |_| {
        flying.iter_mut().for_each(|body| body.advance(room));
        flying.iter().map(|body| body.placement(middle)).collect()
    };
    let frames = (0..frames).map(frame).collect();
    Recording { name, mesh, frames }
}

/// What two bodies do in all frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encounter {
    /// The boxes around them, along the axes of the world, meet; they do not.
    NearMiss,
    Colliding,
}

/// Pairs of copies of a mesh, far from all others, that have such an encounter in all frames. They move and turn as those of [`record`].
pub fn encounters(
    name: String,
    mesh: &Mesh,
    kind: Encounter,
    (pairs, frames): (usize, usize),
    seed: u64,
) -> Recording {
    let [low, high] = mesh.bounds().map(DVec3::from_array);
    let radius = (high - low).element_sum() / 6.0;
    let (middle, half) = (mesh.centre(), 0.5 * (high - low));
    let order = blocks::order(mesh);
    let fixed = Blocks::new(mesh, &order, None);
    let is_kind = |[a, b]: [&Placement; 2]| {
        let [a, b] = [pose(a), pose(b)];
        let reach = (a.rotation().abs() + b.rotation().abs()) * half;
        let middle = DVec3::from_array(middle);
        let boxes_meet =
            (a.transform_point(middle) - b.transform_point(middle)).abs().cmple(reach).all();
        let meets = || fixed.meets(&Blocks::new(mesh, &order, Some(&a.relative(&b))));
        boxes_meet && meets() == (kind == Encounter::Colliding)
    };
    let random = &mut Random::new(seed ^ 0x2b0d);
    let mut recorded = vec![Vec::new(); frames];
    // No body comes so far.
    let away = 4.0 * (high - low).length() + radius * frames as f64;
    for index in 0..pairs {
        let cell = [index % 8, index / 8 % 8, index / 64].map(|place| place as f64 * away);
        let found = std::iter::repeat_with(|| {
            let first = Body { centre: cell, ..Body::new(random, 0.0, radius) };
            let second = Body::beside(random, cell, radius);
            let mut two = [first, second];
            let mut track = Vec::with_capacity(frames);
            while track.len() < frames {
                let placed = two.each_ref().map(|body| body.placement(middle));
                if !is_kind([&placed[0], &placed[1]]) {
                    return None;
                }
                track.push(placed);
                two.iter_mut().for_each(|body| body.advance(f64::INFINITY));
            }
            Some(track)
        });
        let track = found.flatten().next().unwrap_or_default();
        recorded.iter_mut().zip(track).for_each(|(frame, two)| frame.extend(two));
    }
    Recording { name, mesh: mesh.clone(), frames: recorded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::model::icosphere;
    use crate::n_body::truth::meetings;

    #[test]
    fn a_body_meets_about_one_other_and_moves() {
        let recording = record("ball".into(), icosphere(1.0, 2), 200, 3, 1);
        let pairs = meetings(&recording.mesh, &recording.frames[0]).count;
        assert!((60..140).contains(&pairs), "{pairs}");
        for (before, after) in recording.frames[1].iter().zip(&recording.frames[2]) {
            assert_ne!(before, after);
            let length: f64 = after.rotation.iter().map(|value| value * value).sum();
            assert!((length - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn encounters_are_what_they_are_called() {
        let mesh = icosphere(1.0, 2);
        for (kind, meeting) in [(Encounter::NearMiss, 0), (Encounter::Colliding, 9)] {
            let recording = encounters("two".into(), &mesh, kind, (9, 4), 1);
            assert_eq!((recording.bodies(), recording.frames.len()), (18, 4));
            for frame in &recording.frames {
                assert_eq!(meetings(&mesh, frame).count, meeting);
            }
        }
    }
}
