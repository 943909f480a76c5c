//! Impacts and least distances against dense sampling, over all shapes.

use super::impact::{Settings, ShapeImpact, impact};
use super::minimum::minimum_distance;
use super::{Motion, MotionPath, MovingShape, RigidMotion, VelocityBound, time_to_impact_bound};
use crate::pair::{self, Cache};
use crate::pose::Pose;
use crate::shape::Shape;
use crate::testing::{Random, bounded_shapes, cpu_nanoseconds};
use glam::DVec3;

fn random_pose(random: &mut Random, spread: f64) -> Pose {
    let turn = random.unit() * (random.real() * 3.0);
    let place = random.in_cube() * spread;
    Pose::from_axis_angle(turn, turn.length(), place).unwrap()
}

/// A motion that crosses the neighbourhood of the origin, of one of the kinds.
fn random_motion(random: &mut Random) -> Box<dyn Motion> {
    let start = random_pose(random, 1.0).with_translation(random.unit() * 8.0).unwrap();
    let way = -start.translation() * (1.0 + random.real()) + random.in_cube() * 3.0;
    match random.below(6) {
        0 => Box::new(RigidMotion::linear(&start, way).unwrap()),
        1 | 2 => {
            let (center, turn) = (random.in_cube(), random.unit() * (6.0 * random.real()));
            Box::new(RigidMotion::turning(&start, center, way, turn).unwrap())
        }
        3 => {
            let (axis, point) = (random.unit(), random.in_cube() * 3.0);
            let (angle, advance) = (8.0 * random.real() - 4.0, 6.0 * random.real() - 3.0);
            Box::new(RigidMotion::screw(&start, axis, point, angle, advance).unwrap())
        }
        4 => Box::new(start),
        _ => {
            let frames = [0.0, 0.3, 0.7, 1.0].map(|t| (t, random_pose(random, 5.0)));
            Box::new(MotionPath::through(&frames).unwrap())
        }
    }
}

#[test]
fn velocities_hold_what_poses_do() {
    let random = &mut Random::new(1);
    for _ in 0..200 {
        let motion = random_motion(random);
        let point = random.in_cube() * 2.0;
        let (t, step) = (random.real() * 0.999, 1e-6);
        if motion.piece_end(t) < t + step {
            continue;
        }
        let VelocityBound { center, linear, angular, .. } = motion.velocity(t, t + step);
        let place = |t: f64| motion.pose(t).transform_point(point);
        let arm = motion.pose(t).rotate(point - center);
        let seen = (place(t + step) - place(t)) / step;
        let expected = linear + angular.cross(arm);
        assert!((seen - expected).length() < 1e-3, "{seen} {expected}");
    }
}

/// What dense sampling says about an impact, with the motions as they are.
fn judge(name: &str, a: &MovingShape<'_>, b: &MovingShape<'_>, found: &ShapeImpact) -> bool {
    let cache = &mut Cache::default();
    let first = (0..=300).map(|k| f64::from(k) / 300.0).find(|t| at(a, b, *t, cache));
    match found {
        ShapeImpact::Free => assert_eq!(first, None, "missed: {name}"),
        ShapeImpact::Meeting => assert_eq!(first, Some(0.0), "{name}"),
        ShapeImpact::Meets(contact) => {
            let [t0, t1] = contact.interval;
            assert!(first.is_none_or(|first| first > t0), "late: {name} {first:?} {contact:?}");
            assert!(!at(a, b, t0, cache) && t1 - t0 <= 1e-6, "{name} {contact:?}");
            let gap = pair::distance(a.shape, b.shape, &a.pose(t0).relative(&b.pose(t0)), cache);
            let known = contact.proven && at(a, b, t1, cache);
            assert!(known || gap.distance < 1e-9, "{name} {contact:?}");
        }
    }
    matches!(found, ShapeImpact::Meets(_))
}

fn at(a: &MovingShape<'_>, b: &MovingShape<'_>, t: f64, cache: &mut Cache) -> bool {
    pair::overlap(a.shape, b.shape, &a.pose(t).relative(&b.pose(t)), cache)
}

#[test]
fn impacts_of_all_shapes_are_never_late() {
    let random = &mut Random::new(7);
    let shapes = bounded_shapes();
    let mut hits = 0;
    for _ in 0..1500 {
        let [(name_a, a), (name_b, b)] = [0; 2].map(|_| &shapes[random.below(shapes.len())]);
        let [one, two] = [0; 2].map(|_| random_motion(random));
        let (a, b) = (MovingShape::new(a, one.as_ref()), MovingShape::new(b, two.as_ref()));
        let found = impact(&a, &b, [0.0, 1.0], &Settings::default(), &mut Cache::default());
        hits += u32::from(judge(&format!("{name_a} {name_b}"), &a, &b, &found));
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn planes_are_met_moving_and_turning() {
    let random = &mut Random::new(11);
    let shapes = bounded_shapes();
    let mut hits = 0;
    for _ in 0..400 {
        let normal = random.unit();
        let plane = if random.below(2) == 0 {
            Shape::plane(normal, -9.5).unwrap()
        } else {
            Shape::half_space(normal, -9.5).unwrap()
        };
        let (name, shape) = &shapes[random.below(shapes.len())];
        let turn = if random.below(2) == 0 { DVec3::ZERO } else { random.unit() };
        let way = random.in_cube() * 20.0;
        let moving = RigidMotion::turning(&Pose::IDENTITY, DVec3::ZERO, way, turn).unwrap();
        let other = random_motion(random);
        let (a, b) = (MovingShape::new(&plane, &moving), MovingShape::new(shape, other.as_ref()));
        let settings = Settings { max_steps: 100_000, ..Settings::default() };
        let found = impact(&a, &b, [0.0, 1.0], &settings, &mut Cache::default());
        hits += u32::from(judge(&format!("plane {name}"), &a, &b, &found));
    }
    assert!(hits > 50, "{hits}");
}

#[test]
fn least_distances_are_certified() {
    let random = &mut Random::new(5);
    let shapes = bounded_shapes();
    for _ in 0..300 {
        let [(name_a, a), (name_b, b)] = [0; 2].map(|_| &shapes[random.below(shapes.len())]);
        let [one, two] = [0; 2].map(|_| random_motion(random));
        let (a, b) = (MovingShape::new(a, one.as_ref()), MovingShape::new(b, two.as_ref()));
        let cache = &mut Cache::default();
        let least = minimum_distance(&a, &b, [0.0, 1.0], (1e-6, 10_000), cache);
        assert!(least.distance - least.lower <= 1e-6, "{name_a} {name_b} {least:?}");
        for k in 0..=200 {
            let t = f64::from(k) / 200.0;
            let pose = a.pose(t).relative(&b.pose(t));
            let here = pair::distance(a.shape, b.shape, &pose, cache).distance;
            assert!(here >= least.lower - 1e-10, "{name_a} {name_b} {least:?} {t} {here}");
        }
    }
}

#[test]
fn the_time_bound_is_never_late() {
    let random = &mut Random::new(3);
    for _ in 0..10_000 {
        let distance = random.real() * 10.0;
        let (speed, acceleration) = (4.0 * random.real() - 2.0, 3.0 * random.real());
        let bound = time_to_impact_bound(distance, speed, acceleration);
        let gone = |t: f64| speed * t + 0.5 * acceleration * t * t;
        assert!(gone(bound) <= distance * (1.0 + 1e-12));
        assert!(gone(bound * (1.0 + 1e-9)) >= distance * (1.0 - 1e-9));
    }
    assert_eq!(time_to_impact_bound(0.0, 1.0, 1.0), 0.0);
    assert_eq!(time_to_impact_bound(1.0, f64::NAN, 1.0), 0.0);
    assert_eq!(time_to_impact_bound(1.0, 1.0, f64::INFINITY), 0.0);
}

#[test]
fn grazing_and_end_points() {
    let ball = Shape::sphere(1.0).unwrap();
    let cache = &mut Cache::default();
    let mut ask = |y: f64, from: f64, way: f64| {
        let start = Pose::from_translation([from, y, 0.0]).unwrap();
        let motion = RigidMotion::linear(&start, [way, 0.0, 0.0]).unwrap();
        let (a, b) = (MovingShape::new(&ball, &Pose::IDENTITY), MovingShape::new(&ball, &motion));
        impact(&a, &b, [0.0, 1.0], &Settings::default(), cache)
    };
    assert_eq!(ask(2.0 + 1e-9, -4.0, 8.0), ShapeImpact::Free);
    assert!(
        matches!(ask(2.0, -4.0, 8.0), ShapeImpact::Meets(contact) if contact.interval[0] <= 0.5)
    );
    // Just reached at the end of time, and not quite.
    assert!(
        matches!(ask(0.0, -4.0, 2.0), ShapeImpact::Meets(contact) if contact.interval[1] == 1.0)
    );
    assert_eq!(ask(0.0, -4.0, 2.0 - 1e-9), ShapeImpact::Free);
    assert_eq!(ask(0.0, -2.0, -1.0), ShapeImpact::Meeting);
    assert_eq!(ask(0.0, -1.0, 5.0), ShapeImpact::Meeting);
}

/// Prints how long a hull/hull impact with turns takes: `cargo test --release -p impinge-geom motion::tests::timing -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn timing() {
    let random = &mut Random::new(2);
    let hull = |random: &mut Random| {
        let points: Vec<_> = (0..32).map(|_| random.unit().to_array()).collect();
        Shape::hull(&points).unwrap()
    };
    let cases: Vec<_> = (0..500)
        .map(|_| {
            let (a, b) = (hull(random), hull(random));
            let start = random_pose(random, 1.0).with_translation(random.unit() * 5.0).unwrap();
            let way = -start.translation() * 1.5 + random.in_cube();
            (a, b, RigidMotion::turning(&start, DVec3::ZERO, way, random.in_cube()).unwrap())
        })
        .collect();
    let (mut cache, mut hits) = (Cache::default(), 0);
    for _ in 0..3 {
        let (start, before) = (cpu_nanoseconds(), cache.steps());
        for (a, b, motion) in cases.iter().cycle().take(40 * cases.len()) {
            let (a, b) = (MovingShape::new(a, &Pose::IDENTITY), MovingShape::new(b, motion));
            let found = impact(&a, &b, [0.0, 1.0], &Settings::default(), &mut cache);
            hits += u32::from(matches!(found, ShapeImpact::Meets(_)));
        }
        let each = 1.0 / (40 * cases.len()) as f64;
        let (spent, steps) =
            ((cpu_nanoseconds() - start) * each, (cache.steps() - before) as f64 * each);
        std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("{spent:.0} ns, {steps:.1} steps of GJK, {hits} hits\n"),
        )
        .unwrap();
    }
}
