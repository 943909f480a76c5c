//! A body that turns, and its k-DOP fitted again: by hill climbing, by the corners of the first k-DOP, and by sums of directions.

use crate::random::Random;
use impinge_geom::Pose;
use impinge_geom::bound::{Bound, Frame, Kdop, Moments, RelativeFrame};
use impinge_geom::glam::{DMat3, DVec3, Vec3A};
use impinge_geom::hull::Hull;

const ROTATIONS: usize = 10_000;

/// How far the points reach along the directions of the k-DOP, in f64.
fn reaches_within<const HALF: usize>(volume: &Kdop<HALF>, points: &[DVec3], margin: f64) -> bool {
    volume.slabs().all(|(n, [low, high])| {
        let heights = points.iter().map(|p| p.dot(n.as_dvec3()));
        heights
            .into_iter()
            .all(|height| f64::from(low) - margin <= height && height <= f64::from(high) + margin)
    })
}

fn looseness<const HALF: usize>() -> [f32; 3] {
    let mut random = Random::new(41);
    let points: Vec<DVec3> = (0..60).map(|_| random.point() * DVec3::new(1.0, 0.6, 0.3)).collect();
    let hull = Hull::new(&points.iter().map(|p| p.to_array()).collect::<Vec<_>>()).unwrap();
    let local: Vec<Vec3A> = points.iter().map(|p| p.as_vec3a()).collect();
    let frame = Frame::new(DVec3::NEG_ONE, DVec3::ONE);
    let first = Kdop::<HALF>::fit(&local, &Moments::default(), frame.error());
    let corners = first.corners();
    let (mut starts, mut sums) = (Vec::new(), [0.0; 3]);
    let mut axis = random.point().normalize();
    for round in 0..ROTATIONS {
        // Small turns about an axis that changes now and then.
        if round % 100 == 0 {
            axis = random.point().normalize();
        }
        let [x, y, z] = (axis * ((round % 100) as f64 / 50.0)).to_array();
        let length = (1.0 + x * x + y * y + z * z).sqrt();
        let pose = Pose::new([1.0, x, y, z].map(|q| q / length), [0.0; 3]).unwrap();
        let rotation: DMat3 = pose.rotation();
        let turned: Vec<DVec3> = points.iter().map(|p| rotation * *p).collect();
        let here: Vec<Vec3A> = turned.iter().map(|p| p.as_vec3a()).collect();
        let anew = Kdop::<HALF>::fit(&here, &Moments::default(), frame.error());
        let motion = RelativeFrame::new(&frame, &frame, &pose, 1.0).b_to_a;
        let all = [
            Kdop::<HALF>::climbed(&hull, rotation, &mut starts, 0.0),
            Kdop::<HALF>::turned_by_corners(&corners, rotation),
            first.turned(&motion),
        ];
        let margins = [0.0, 0.0, f64::from(motion.margin)];
        for (k, (volume, margin)) in all.iter().zip(margins).enumerate() {
            assert!(reaches_within(volume, &turned, margin), "{HALF} round {round} way {k}");
            sums[k] += volume.looseness(&anew) / ROTATIONS as f32;
        }
    }
    sums
}

#[test]
fn every_way_to_fit_again_is_conservative() {
    for [climbed, corners, sums] in
        [looseness::<7>(), looseness::<9>(), looseness::<13>(), looseness::<18>()]
    {
        // Climbing is as tight as fitting anew; corners are the tightest without the body.
        assert!((0.999..1.001).contains(&climbed), "{climbed}");
        assert!(corners > 1.001 && corners < sums + 1e-3 && sums < 1.6, "{corners} {sums}");
    }
}
