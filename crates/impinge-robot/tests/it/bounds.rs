//! Bounds on velocities against finite differences of positions; intervals of impacts against dense samples.

use crate::trees::{chain, noise, point};
use impinge::geom::glam::DVec3;
use impinge::geom::motion::Reach;
use impinge::query::{self, ImpactSettings, Workspace};
use impinge::{Motion, Pose, Shape};
use impinge_robot::{Chain, KinematicTree};

/// A path of every joint through three key frames at random.
fn motion(tree: &KinematicTree, center: DVec3, state: &mut u64) -> Chain {
    let count = tree.joints().len();
    let mut frame = || -> Vec<(usize, f64)> {
        (0..count).map(|k| (k, tree.joints()[k].position + 2.0 * noise(state) - 1.0)).collect()
    };
    let (a, b, c) = (frame(), frame(), frame());
    let path = tree.path(&[(0.0, &a), (2.0, &b), (5.0, &c)]).unwrap();
    let pose = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.3, -0.2, 0.9]).unwrap();
    tree.motion(&path, count, &pose, center).unwrap()
}

#[test]
fn velocities_stay_within_their_bounds() {
    let mut state = 3;
    let mut tightest: f64 = 0.0;
    for count in [1, 2, 3, 7] {
        for _ in 0..12 {
            let tree = chain(count, &mut state);
            let center = point(&mut state);
            let motion = motion(&tree, center, &mut state);
            let mut from = 0.0;
            while from < 1.0 {
                let end = motion.piece_end(from);
                assert!(end > from);
                let bound = motion.velocity(from, end);
                let step = 1e-6 * (end - from);
                for k in 0..8 {
                    let t = from + (end - from) * (0.02 + 0.12 * f64::from(k));
                    let [before, here, after] = [t - step, t, t + step].map(|t| motion.pose(t));
                    let places =
                        [before, here, after].map(|pose| pose.transform_point(bound.center));
                    let linear = (places[2] - places[0]) / (2.0 * step);
                    let off = (linear - bound.linear).length();
                    assert!(off <= bound.linear_spread + 1e-4, "{off} {bound:?}");
                    if bound.linear_spread > 0.1 {
                        tightest = tightest.max(off / bound.linear_spread);
                    }
                    // The turn by how it moves the axes.
                    let turn: DVec3 = DVec3::AXES
                        .map(|axis| {
                            let [a, b, c] = [before, here, after].map(|pose| pose.rotate(axis));
                            0.5 * b.cross((c - a) / (2.0 * step))
                        })
                        .into_iter()
                        .sum();
                    let off = (turn - bound.angular).length();
                    assert!(off <= bound.angular_spread + 1e-4, "{off} {bound:?}");
                }
                from = end;
            }
        }
    }
    // A bound that is never come near to would bound nothing.
    assert!(tightest > 0.2, "{tightest}");
}

#[test]
fn accelerations_stay_within_their_bounds() {
    let mut state = 4;
    for count in [2, 3, 5] {
        for _ in 0..10 {
            let tree = chain(count, &mut state);
            let motion = motion(&tree, point(&mut state), &mut state);
            let mut from = 0.0;
            while from < 1.0 {
                let end = motion.piece_end(from);
                let bound = motion.velocity(from, end);
                let (middle, step) = (0.5 * (from + end), 1e-3 * (end - from));
                let place = |t: f64| motion.pose(t).transform_point(bound.center);
                let second = (place(middle + step) - 2.0 * place(middle) + place(middle - step))
                    / (step * step);
                assert!(
                    second.length() <= bound.linear_acceleration * 1.001 + 1e-3,
                    "{second} {bound:?}"
                );
                from = end;
            }
        }
    }
}

#[test]
fn no_point_is_faster_than_its_joint_allows() {
    let mut state = 5;
    for count in [1, 3, 6] {
        for _ in 0..100 {
            let tree = chain(count, &mut state);
            let stand = |k: usize| tree.joints()[k].position;
            let intervals: Vec<[f64; 2]> = (0..count)
                .map(|k| {
                    // Every third stands still.
                    let wide = if k % 3 == 2 { 0.0 } else { noise(&mut state) };
                    [stand(k) - wide, stand(k) + 0.7 * wide]
                })
                .collect();
            let ball = Reach { center: point(&mut state), radius: 0.2 };
            let speeds = tree.speeds(count, &ball, &intervals);
            for _ in 0..20 {
                let at: Vec<f64> = intervals
                    .iter()
                    .map(|[low, high]| low + (high - low) * noise(&mut state))
                    .collect();
                let p = ball.center + point(&mut state).normalize() * ball.radius;
                for k in 0..count {
                    let mut moved = at.clone();
                    moved[k] += 1e-6;
                    let ways =
                        [&at, &moved].map(|at| tree.displacement(count, at).transform_point(p));
                    let speed = (ways[1] - ways[0]).length() / 1e-6;
                    assert!(speed <= speeds[k] * (1.0 + 1e-6) + 1e-8, "{k}: {speed} {speeds:?}");
                }
            }
        }
    }
}

/// The first time at which samples along the path overlap, with poses by forward kinematics alone.
#[test]
fn impacts_are_never_late() {
    let mut state = 6;
    let (mut hits, mut misses) = (0, 0);
    let block = Shape::cuboid([0.3, 0.2, 0.1]).unwrap();
    let ball = Shape::sphere(0.35).unwrap();
    for round in 0..120 {
        let count = 1 + round % 4;
        let tree = chain(count, &mut state);
        let frames: [Vec<(usize, f64)>; 2] = [0.0, 2.5].map(|by| {
            (0..count)
                .map(|k| (k, tree.joints()[k].position + by * (noise(&mut state) - 0.3)))
                .collect()
        });
        let path = tree.path(&[(0.0, &frames[0]), (1.0, &frames[1])]).unwrap();
        let motion = tree.motion(&path, count, &Pose::IDENTITY, [0.0; 3]).unwrap();
        let place = Pose::from_translation((0.9 * point(&mut state)).to_array()).unwrap();
        let settings = ImpactSettings { max_steps: 2000, ..ImpactSettings::default() };
        let found = query::impact_with(
            &motion,
            &block,
            &place,
            &ball,
            &settings,
            &mut Workspace::default(),
        );
        let sampled = (0..=2000).map(|k| f64::from(k) / 2000.0).find(|t| {
            let pose = tree.displacement(count, &path.positions(*t));
            query::intersects(&pose, &block, &place, &ball)
        });
        match (found.first, sampled) {
            (Some(first), Some(t)) => {
                hits += 1;
                assert!(first.interval[0] <= t, "{round}: late");
                assert!(first.interval[1] - first.interval[0] <= 1e-6, "{round}: {first:?}");
                // Not early either: they do meet where it says so.
                let pose = tree.displacement(count, &path.positions(first.interval[1]));
                let gap = query::distance(&pose, &block, &place, &ball).distance;
                assert!(gap <= 1e-12, "{round}: {gap}");
            }
            (None, None) => misses += 1,
            (Some(first), None) => {
                // A graze between samples.
                let pose = tree.displacement(count, &path.positions(first.interval[1]));
                assert!(query::distance(&pose, &block, &place, &ball).distance <= 1e-12);
            }
            (None, Some(t)) => panic!("{round}: missed at {t}"),
        }
    }
    assert!(hits > 10 && misses > 10, "{hits} {misses}");
}
