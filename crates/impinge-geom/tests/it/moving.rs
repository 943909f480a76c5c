//! Moving pairs: answers known by hand, and the two ways to move triangles against each other. The soak of `trials` has the
//! exact oracle.

use crate::random::Random;
use impinge_geom::glam::DVec3;
use impinge_geom::moving::{
    self, EARLY, advanced_triangles, edge_edge, moving_triangles, vertex_face,
};
use impinge_geom::{DAabb, Pose, Shape};

fn points(numbers: [[f64; 3]; 4]) -> [DVec3; 4] {
    numbers.map(DVec3::from_array)
}

fn is_at(found: Option<f64>, time: f64) -> bool {
    found.is_some_and(|t| t <= time && t >= time - EARLY)
}

const FACE: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

fn vertex(p: [f64; 3]) -> [DVec3; 4] {
    points([p, FACE[0], FACE[1], FACE[2]])
}

#[test]
fn a_vertex_on_the_boundary_of_a_face_meets_it() {
    // A corner, the middle of an edge, and one step outside.
    for (x, y, meets) in [(0.0, 0.0, true), (2.0, 2.0, true), (2.0, 2.0f64.next_up(), false)] {
        let found = vertex_face(&vertex([x, y, 3.0]), &vertex([x, y, -1.0]));
        assert_eq!(found.is_some(), meets, "{x} {y}");
        assert!(!meets || is_at(found, 0.75));
    }
    assert_eq!(vertex_face(&vertex([1.0, 1.0, 0.0]), &vertex([1.0, 1.0, 1.0])), Some(0.0));
    assert!(is_at(vertex_face(&vertex([1.0, 1.0, 1.0]), &vertex([1.0, 1.0, 0.0])), 1.0));
}

#[test]
fn a_double_root_counts_and_a_near_one_does_not() {
    // The edges cross over each other at t = 1/2 only: the cubic is a square.
    let graze = |lift: f64| {
        let at =
            |z: f64| points([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, z, lift], [0.0, 1.0, z]]);
        edge_edge(&at(-1.0), &at(1.0))
    };
    assert!(is_at(graze(0.0), 0.5));
    // Of the two roots of a square less a tiny number both are there, of a square plus one neither.
    assert!(is_at(graze(1e-300), 0.5));
    assert_eq!(graze(-f64::MIN_POSITIVE), None);
    let at = |y: f64| points([[0.0, y, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, y]]);
    assert!(vertex_face(&at(-1.0), &at(1.0)).is_some());
}

#[test]
fn motion_in_one_plane_is_decided() {
    // A vertex slides into a triangle from the side, through a corner, and past it.
    assert!(is_at(vertex_face(&vertex([-1.0, 1.0, 0.0]), &vertex([1.0, 1.0, 0.0])), 0.5));
    assert!(is_at(vertex_face(&vertex([-1.0, -1.0, 0.0]), &vertex([1.0, 1.0, 0.0])), 0.5));
    assert_eq!(vertex_face(&vertex([-1.0, -1.0, 0.0]), &vertex([1.0, -1.0, 0.0])), None);
    // Collinear edges that run into each other end to end.
    let at = |x: f64| points([[0.0; 3], [1.0, 1.0, 1.0], [x; 3], [x + 1.0; 3]]);
    assert!(is_at(edge_edge(&at(3.0), &at(-1.0)), 0.5));
    assert_eq!(edge_edge(&at(3.0), &at(2.0)), None);
}

#[test]
fn degenerate_features_are_features() {
    let dot = [1.0, 2.0, 3.0];
    let still = points([dot; 4]);
    assert_eq!(vertex_face(&still, &still), Some(0.0));
    assert_eq!(edge_edge(&still, &still), Some(0.0));
    let away = points([[1.0, 2.0, 4.0], dot, dot, dot]);
    let through = points([[1.0, 2.0, 2.0], dot, dot, dot]);
    assert!(is_at(vertex_face(&away, &through), 0.5));
    assert_eq!(vertex_face(&away, &away), None);
}

#[test]
fn numbers_that_are_none_are_answered_with_none() {
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let points = points([[bad, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, bad], [0.0, bad, 1.0]]);
        assert_eq!(vertex_face(&points, &points), None);
        assert_eq!(edge_edge(&points, &points), None);
    }
}

#[test]
fn scales_do_not_change_verdicts() {
    for scale in [2f64.powi(-1000), 2f64.powi(-400), 1.0, 2f64.powi(240)] {
        let at = |z: f64| vertex([1.0, 1.0, z]).map(|p| p * scale);
        assert!(is_at(vertex_face(&at(1.0), &at(-1.0)), 0.5), "{scale:e}");
        assert_eq!(vertex_face(&at(1.0), &at(0.5)), None);
    }
}

#[test]
fn both_ways_to_move_triangles_agree() {
    let mut random = Random::new(11);
    let mut hits = 0;
    for _ in 0..300 {
        let mut triangle = || {
            let center = random.point();
            [(); 3].map(|()| center + random.point() * 0.5)
        };
        let (a, b) = ([triangle(), triangle()], [triangle(), triangle()]);
        let (exact, advanced) = (moving_triangles(&a, &b), advanced_triangles(&a, &b, 1e-9));
        match (exact, advanced) {
            (Some(time), Some(found)) => {
                hits += 1;
                assert!(found.time <= time + 1e-7, "{time} {found:?}");
            }
            (Some(time), None) => panic!("{time}, advanced never"),
            (None, found) => assert!(found.is_none_or(|found| found.gap <= 1e-9), "{found:?}"),
        }
    }
    assert!(hits > 10, "{hits}");
}

#[test]
fn casts_agree_with_closed_forms() {
    let mut random = Random::new(5);
    let mut hits = 0;
    for _ in 0..500 {
        let half = [(); 3].map(|()| 0.6 + 0.4 * random.signed());
        let (axis, at) = (random.point(), random.point() * 3.0);
        let posed = Pose::from_axis_angle(axis, 3.0 * random.signed(), at);
        let (Ok(a), Ok(pose)) = (Shape::cuboid(half), posed) else { panic!("refused") };
        let Shape::Cuboid(cuboid) = &a else { panic!("not a box") };
        let motion = random.point() - pose.translation() * 1.5;
        let (cast, exact) =
            (moving::convex(&a, &a, &pose, motion), moving::box_box(cuboid, cuboid, &pose, motion));
        match (cast, exact) {
            (Some(cast), Some(times)) => {
                hits += 1;
                assert!((cast.time - times.first).abs() < 1e-9, "{cast:?} {times:?}");
                assert!(cast.time <= times.first + 1e-13 && cast.gap < 1e-11);
            }
            (None, None) => {}
            (cast, exact) => panic!("{cast:?} {exact:?}"),
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn shafts_rule_out_only_what_is_apart() {
    let mut random = Random::new(8);
    let (mut culled, mut rounder) = ([0; 3], 0);
    for _ in 0..2000 {
        let mut cube = || {
            let (center, half) = (random.point() * 3.0, 0.35 + 0.25 * random.signed());
            DAabb { low: center - half, high: center + half }
        };
        let (a, b) = (cube(), cube());
        let motion = random.point() * 5.0;
        let moved = |t: f64| DAabb { low: a.low + motion * t, high: a.high + motion * t };
        let meets = (0..=200).any(|i| {
            let a = moved(f64::from(i) / 200.0);
            a.low.cmple(b.high).all() && b.low.cmple(a.high).all()
        });
        let (center, radius) = (0.5 * (a.low + a.high), 0.5 * (a.high - a.low).length());
        let quarter = 0.25 * (a.high - a.low);
        let corners: Vec<(DVec3, f64)> = (0..8)
            .map(|i| {
                let side = DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
                (center + (2.0 * side - 1.0) * quarter, 0.5 * radius)
            })
            .collect();
        let answers = [
            moving::Shaft::new(&a, motion).may_meet(&b),
            moving::swept_sphere_may_meet(center, radius, motion, &b),
            moving::swept_spheres_may_meet(&corners, motion, &b),
        ];
        assert!(!meets || answers == [true; 3], "{answers:?}");
        let touched = (0..=200).any(|i| {
            let at = center + motion * (f64::from(i) / 200.0);
            at.distance(at.clamp(b.low, b.high)) <= radius
        });
        assert!(!touched || answers[1], "{center} {radius} {motion} {b:?}");
        let around = DAabb { low: center - radius, high: center + radius };
        rounder += u32::from(!answers[1] && moving::Shaft::new(&around, motion).may_meet(&b));
        culled.iter_mut().zip(answers).for_each(|(count, may)| *count += u32::from(!may));
    }
    // The shaft of the box culls most, one sphere least.
    assert!(culled[0] >= culled[2] && culled[2] >= culled[1] && culled[1] > 500, "{culled:?}");
    assert!(rounder > 20, "a sphere is smaller than its box: {rounder}");
}
