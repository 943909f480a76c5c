//! Motions and settings that make no sense, or too much of it: an error that names the argument, or an answer that says how far it goes.

use impinge::geom::Certainty;
use impinge::geom::glam::DVec3;
use impinge::geom::motion::VelocityBound;
use impinge::query::{self, Impact, ImpactSettings, Start, Workspace};
use impinge::{Motion, MotionPath, Pose, RigidMotion, Shape};

const BAD: [f64; 4] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300];

#[test]
fn errors_name_the_argument() {
    let pose = Pose::IDENTITY;
    let is_named = |result: Result<RigidMotion, impinge::geom::GeometryError>, name: &str| {
        let text = result.expect_err(name).to_string();
        assert!(text.contains(name), "{name}: {text}");
    };
    for x in BAD {
        let bad = [0.0, x, 0.0];
        is_named(RigidMotion::linear(&pose, bad), "motion");
        is_named(RigidMotion::turning(&pose, bad, [0.0; 3], [0.0; 3]), "center");
        is_named(RigidMotion::turning(&pose, [0.0; 3], [0.0; 3], bad), "turn");
        is_named(RigidMotion::screw(&pose, bad, [0.0; 3], 1.0, 0.0), "axis");
        is_named(RigidMotion::screw(&pose, [1.0; 3], bad, 1.0, 0.0), "point");
        is_named(RigidMotion::screw(&pose, [1.0; 3], [0.0; 3], x, 0.0), "angle");
        is_named(RigidMotion::screw(&pose, [1.0; 3], [0.0; 3], 1.0, x), "advance");
        let text = MotionPath::through(&[(0.0, pose), (x, pose)]).expect_err("times").to_string();
        assert!(text.contains("times"), "{text}");
    }
    is_named(RigidMotion::screw(&pose, [0.0; 3], [0.0; 3], 1.0, 0.0), "axis");
    assert!(MotionPath::through(&[]).is_err());
    assert!(MotionPath::through(&[(1.0, pose), (1.0, pose)]).is_err());
    assert!(MotionPath::through(&[(1.0, pose), (0.5, pose)]).is_err());
    assert!(MotionPath::of_pieces(&[]).is_err());
    assert!(MotionPath::of_pieces(&[(0.0, RigidMotion::still(&pose))]).is_err());
}

/// A unit cube that a ball of radius 1 reaches at 0.75, from the left.
fn ask(settings: &ImpactSettings) -> Impact {
    let (cube, ball) =
        (Shape::cuboid([1.0; 3]).expect("valid"), Shape::sphere(1.0).expect("valid"));
    let start = Pose::from_translation([-8.0, 0.3, 0.2]).expect("valid");
    let flight = RigidMotion::linear(&start, [8.0, 0.0, 0.0]).expect("valid");
    query::impact_with(&Pose::IDENTITY, &cube, &flight, &ball, settings, &mut Workspace::default())
}

#[test]
fn settings_without_sense_are_those_with_the_nearest_one() {
    for tolerance in [0.0, -1.0, f64::NAN, 1e-300, f64::INFINITY, 7.0] {
        let found = ask(&ImpactSettings { tolerance, ..ImpactSettings::default() });
        let first = found.first.expect("a contact");
        let [t0, t1] = first.interval;
        assert!(t0 <= 0.75 && 0.0 < t0 && t1 <= 1.0, "{tolerance}: {found:?}");
        let fine = first.certainty == Certainty::Bound || t1 - t0 <= 1e-12 || tolerance > 1.0;
        assert!(fine, "{tolerance}: {found:?}");
    }
    for clearance in [-1.0, f64::NAN, f64::INFINITY] {
        let found = ask(&ImpactSettings { clearance, ..ImpactSettings::default() });
        assert_eq!(found, ask(&ImpactSettings::default()), "{clearance}");
    }
    for max_steps in [0, 1, 2] {
        let found = ask(&ImpactSettings { max_steps, ..ImpactSettings::default() });
        let first = found.first.expect("a contact");
        assert!(first.interval[0] <= 0.75 && first.interval[1] >= 0.75 - 1e-9, "{found:?}");
    }
}

#[test]
fn a_million_turns_end_with_an_interval_that_is_wide_and_says_so() {
    let (rod, ball) =
        (Shape::capsule(0.01, 1.0).expect("valid"), Shape::sphere(0.1).expect("valid"));
    let at = Pose::from_translation([1.2, 0.0, 0.0]).expect("valid");
    // Its ends come within 0.09 of the ball and never reach it.
    for turns in [1e3, 1e6, 1e12, 1e60] {
        let turn = DVec3::Y * std::f64::consts::TAU * turns;
        let spin = RigidMotion::turning(&Pose::IDENTITY, DVec3::ZERO, DVec3::ZERO, turn);
        let found = query::impact(&at, &ball, &spin.expect("valid"), &rod);
        let first = found.first.expect("not decided");
        assert_eq!((found.start, first.certainty), (Start::Free, Certainty::Bound), "{turns}");
        assert!(first.interval[0] < first.interval[1], "{turns} {found:?}");
    }
}

/// A motion that breaks its promises: it names no later end of a piece, or says that it does not move at all, or nothing that is a number.
struct Liar(f64);

impl Motion for Liar {
    fn pose(&self, t: f64) -> Pose {
        Pose::from_translation([-8.0 + 8.0 * t, 0.0, 0.0]).unwrap_or(Pose::IDENTITY)
    }

    fn velocity(&self, _: f64, _: f64) -> VelocityBound {
        VelocityBound { linear: DVec3::X * self.0, ..VelocityBound::STILL }
    }

    fn piece_end(&self, _: f64) -> f64 {
        if self.0 == 8.0 { 0.0 } else { f64::NAN }
    }
}

#[test]
fn motions_that_lie_neither_hang_nor_panic() {
    let cube = Shape::cuboid([1.0; 3]).expect("valid");
    for speed in [8.0, 0.0, f64::NAN, f64::INFINITY, 1e300] {
        let found = query::impact(&Pose::IDENTITY, &cube, &Liar(speed), &cube);
        if speed == 8.0 {
            assert!(found.first.is_some_and(|first| first.interval[0] <= 0.75), "{found:?}");
        }
        let least = query::minimum_distance(&Pose::IDENTITY, &cube, &Liar(speed), &cube);
        assert!(!least.closest.distance.is_nan(), "{speed} {least:?}");
    }
}

#[test]
fn motions_at_the_limit_of_coordinates_have_an_answer() {
    let cube = Shape::cuboid([1.0; 3]).expect("valid");
    let far = 2f64.powi(249);
    let start = Pose::from_translation([-far, 0.0, 0.0]).expect("valid");
    let way = RigidMotion::turning(&start, [far, 0.0, 0.0], [2.0 * far, 0.0, 0.0], [far, 0.0, 0.0]);
    let found = query::impact(&Pose::IDENTITY, &cube, &way.expect("valid"), &cube);
    assert!(found.free_until() >= 0.0, "{found:?}");
}
