//! Collisions: momentum and energy, bounces as they are computed by hand, and motion without contacts.

use crate::worlds::{Random, at, ball_mesh, box_mesh};
use impinge::geom::Shape;
use impinge::geom::glam::DVec3;
use impinge::mesh::Mode;
use impinge::query::Geometry;
use impinge::response::{
    Material, ResponseError, Simulation, SimulationSettings, Solver, Velocity,
};
use impinge::scene::{Body, BodyId};

const SOLVERS: [Solver; 3] = [Solver::Reflection, Solver::SequentialImpulses, Solver::Penalty];

fn material(friction: f64, restitution: f64) -> Material {
    Material { density: 1.0, friction, restitution }
}

/// Without gravity and sleep, and with every approach a bounce.
fn in_space(solver: Solver) -> SimulationSettings {
    SimulationSettings {
        gravity: [0.0; 3],
        solver,
        bounce_speed: if solver == Solver::Penalty { 0.1 } else { 0.0 },
        sleep: None,
        ..SimulationSettings::default()
    }
}

fn moving(
    simulation: &mut Simulation,
    geometry: impl Into<Geometry>,
    place: [f64; 3],
    velocity: [f64; 3],
    material: Material,
) -> BodyId {
    let id = simulation.add(Body::moving(geometry, at(place)), material).unwrap();
    let velocity = Velocity { linear: velocity.into(), angular: DVec3::ZERO };
    simulation.set_velocity(id, velocity).unwrap();
    id
}

#[test]
fn two_balls_in_a_line_as_by_hand() {
    for solver in [Solver::Reflection, Solver::SequentialImpulses] {
        for restitution in [1.0, 0.5, 0.0] {
            let mut simulation = Simulation::new(in_space(solver)).unwrap();
            let material = material(0.4, restitution);
            let [small, large] = [0.5, 1.0].map(|radius| Shape::sphere(radius).unwrap());
            let a = moving(&mut simulation, small, [-2.0, 0.0, 0.0], [3.0, 0.0, 0.0], material);
            let b = moving(&mut simulation, large, [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], material);
            for _ in 0..90 {
                simulation.step();
            }
            // Masses are as 1 to 8; the centre of mass moves at (3 − 8)/9.
            let (centre, approach) = (-5.0 / 9.0, 4.0);
            let expected = [
                (a, centre - restitution * approach * 8.0 / 9.0),
                (b, centre + restitution * approach / 9.0),
            ];
            for (id, expected) in expected {
                let found = simulation.velocity(id).unwrap();
                let off = (found.linear - DVec3::X * expected).length();
                assert!(off < 1e-12, "{solver:?} {restitution}: {} for {expected}", found.linear);
                assert!(found.angular.length() < 1e-12, "{}", found.angular);
            }
        }
    }
}

#[test]
fn two_balls_past_each_other_as_by_hand() {
    for solver in [Solver::Reflection, Solver::SequentialImpulses] {
        for restitution in [1.0, 0.5] {
            let mut simulation = Simulation::new(in_space(solver)).unwrap();
            let material = material(0.0, restitution);
            let [small, large] = [0.5, 1.0].map(|radius| Shape::sphere(radius).unwrap());
            let a = moving(&mut simulation, small, [-2.0, 0.1, 0.0], [3.0, 0.0, 0.0], material);
            let b = moving(&mut simulation, large, [1.0, 0.0, 0.2], [-1.0, 0.0, 0.0], material);
            let masses = [a, b].map(|id| simulation.mass(id).unwrap().unwrap().mass());
            let mut seen = None;
            for _ in 0..90 {
                let report = simulation.step();
                let manifold = report.pairs.first().and_then(|p| report.manifolds(p).first());
                seen = seen.or(manifold.map(|manifold| manifold.normal));
            }
            // Along the line of centres as for two points, across it nothing; the normal of the moment of the blow differs from that of the first sight of it.
            let normal = seen.unwrap();
            let [va, vb] = [DVec3::X * 3.0, -DVec3::X];
            let approach = normal.dot(vb - va);
            let impulse = -(1.0 + restitution) * approach / (1.0 / masses[0] + 1.0 / masses[1]);
            let expected = [va - normal * impulse / masses[0], vb + normal * impulse / masses[1]];
            for (id, expected) in [a, b].into_iter().zip(expected) {
                let found = simulation.velocity(id).unwrap();
                let off = (found.linear - expected).length();
                assert!(off < 2e-2, "{solver:?} {restitution}: {} for {expected}", found.linear);
                // They approach at 4, and slide past each other at 0.6 while the normal is that of the beginning of the step.
                assert!(found.angular.length() < 0.3, "{}", found.angular);
            }
        }
    }
}

/// Bodies of many kinds that fly into each other.
fn melee(solver: Solver, friction: f64, restitution: f64, seed: u64) -> Simulation {
    let mut simulation = Simulation::new(in_space(solver)).unwrap();
    let mut random = Random::new(seed);
    let geometries: [Geometry; 5] = [
        Shape::sphere(0.5).unwrap().into(),
        Shape::cuboid([0.5, 0.3, 0.2]).unwrap().into(),
        Shape::capsule(0.2, 0.5).unwrap().into(),
        Geometry::mesh(box_mesh([0.3, 0.4, 0.5]), Mode::Solid),
        Geometry::mesh(ball_mesh(0.5, 1), Mode::Solid),
    ];
    for k in 0..20 {
        let [x, y, z] = [k % 3, k / 3 % 3, k / 9].map(|i| 1.5 * (i as f64 - 1.0));
        let pose = random.pose(0.0).with_translation([x, y, z]).unwrap();
        let body = Body::moving(geometries[k % 5].clone(), pose);
        let id = simulation.add(body, material(friction, restitution)).unwrap();
        let linear = random.vector(1.0) - DVec3::new(x, y, z);
        let velocity = Velocity { linear, angular: random.vector(3.0) };
        simulation.set_velocity(id, velocity).unwrap();
    }
    simulation
}

#[test]
fn momentum_stays_as_it_is() {
    for solver in SOLVERS {
        for (friction, restitution) in [(0.0, 1.0), (0.7, 0.3)] {
            let mut simulation = melee(solver, friction, restitution, 5);
            let start = simulation.momentum();
            let (mut contacts, scale) = (0, 20.0);
            for _ in 0..120 {
                contacts += simulation.step().counts.contacts;
            }
            let end = simulation.momentum();
            assert!(contacts > 50, "{solver:?}: {contacts}");
            let linear = (end.linear - start.linear).length();
            let angular = (end.angular - start.angular).length();
            assert!(linear < 1e-13 * scale, "{solver:?}: {linear:e}");
            // Reflection moves bodies apart that stay in each other, and says so.
            let bound = if solver == Solver::Reflection { 0.05 } else { 1e-12 * scale };
            assert!(angular < bound, "{solver:?}: {angular:e}");
        }
    }
}

#[test]
fn energy_stays_or_shrinks() {
    // A ball hits a box off its centre: one contact, no friction, no loss.
    for solver in [Solver::Reflection, Solver::SequentialImpulses] {
        for restitution in [1.0, 0.6, 0.0] {
            let mut simulation = Simulation::new(in_space(solver)).unwrap();
            let made_of = material(0.0, restitution);
            let cuboid = Shape::cuboid([0.4, 0.8, 0.3]).unwrap();
            let ball = Shape::sphere(0.3).unwrap();
            let hit = moving(&mut simulation, cuboid, [0.0; 3], [0.0; 3], made_of);
            moving(&mut simulation, ball, [-2.0, 0.5, 0.1], [4.0, 0.0, 0.0], made_of);
            let start = simulation.energy().kinetic;
            let mut least = start;
            for step in 0..60 {
                simulation.step();
                let now = simulation.energy().kinetic;
                assert!(now <= least * (1.0 + 1e-7), "{solver:?} {restitution} in step {step}");
                least = now;
            }
            assert!(simulation.velocity(hit).unwrap().angular.length() > 0.5);
            let share = least / start;
            match restitution {
                // What is left is the rounding of rotations: see below.
                1.0 => assert!((share - 1.0).abs() < 1e-6, "{solver:?}: {share}"),
                _ => assert!(share < 0.95, "{solver:?} {restitution}: {share}"),
            }
        }
    }
    // Many at once.
    for solver in SOLVERS {
        let (friction, restitution) = (0.5, 0.5);
        let mut simulation = melee(solver, friction, restitution, 7);
        let start = simulation.energy().kinetic;
        let mut most: f64 = 0.0;
        for _ in 0..120 {
            simulation.step();
            most = most.max(simulation.energy().kinetic / start);
        }
        let end = simulation.energy().kinetic / start;
        assert!(most < 1.0 + 1e-9 && end < 0.9, "{solver:?}: at most {most}, in the end {end}");
    }
}

/// A ball that falls from a height onto a plane: the heights of its first bounces, from where it lies.
fn bounces(solver: Solver, restitution: f64, rounds: u32) -> Vec<f64> {
    // It falls by 0.1 in a step: contacts are seen before.
    let margin = 0.15;
    let settings =
        SimulationSettings { solver, substeps: rounds, margin, ..SimulationSettings::default() };
    let mut simulation = Simulation::new(settings).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    let made_of = material(0.5, restitution);
    simulation.add(Body::fixed(floor, at([0.0; 3])), made_of).unwrap();
    let ball = Body::moving(Shape::sphere(0.25).unwrap(), at([0.0, 0.0, 2.25]));
    let ball = simulation.add(ball, made_of).unwrap();
    let (mut tops, mut rising, mut top) = (Vec::new(), false, 0.0f64);
    for _ in 0..240 {
        simulation.step();
        let speed = simulation.velocity(ball).unwrap().linear.z;
        let height = simulation.pose(ball).unwrap().translation().z - 0.25;
        if speed > 0.0 {
            rising = true;
            top = top.max(height);
        } else if rising {
            tops.push(top.max(height));
            (rising, top) = (false, 0.0);
        }
    }
    tops
}

#[test]
fn balls_bounce_as_high_as_they_should() {
    for solver in [Solver::Reflection, Solver::SequentialImpulses] {
        for restitution in [1.0, 0.8, 0.5] {
            let mut expected = 2.0;
            let tops = bounces(solver, restitution, 4);
            assert!(tops.len() >= 2);
            for top in tops.iter().take(2) {
                expected *= restitution * restitution;
                // The top is seen once in a step, and bodies turn back up to a substep early.
                let off = (top - expected).abs();
                assert!(off < 0.02 * 2.0, "{solver:?} {restitution}: {top} for {expected}");
            }
        }
        assert!(bounces(solver, 0.0, 4).iter().all(|top| *top < 1e-3), "{solver:?}");
    }
    let tops = bounces(Solver::Penalty, 0.7, 32);
    assert!((tops[0] - 2.0 * 0.49).abs() < 0.1, "{tops:?}");
}

#[test]
fn parts_of_one_body_reflect_apart() {
    let settings = SimulationSettings {
        solver: Solver::Reflection,
        sleep: None,
        ..SimulationSettings::default()
    };
    let mut simulation = Simulation::new(settings).unwrap();
    let made_of = material(0.0, 0.5);
    // The upper side of the floor is at z = 0, the wall at x = 1.
    let floor_and_wall = Geometry::compound([
        (0, at([0.0, 0.0, -0.5]), Shape::cuboid([5.0, 5.0, 0.5]).unwrap().into()),
        (1, at([1.5, 0.0, 1.0]), Shape::cuboid([0.5, 5.0, 1.0]).unwrap().into()),
    ]);
    simulation.add(Body::fixed(floor_and_wall.unwrap(), at([0.0; 3])), made_of).unwrap();
    let ball = Shape::sphere(0.5).unwrap();
    let lying = [-1.0, 0.0, 0.5 - settings.rest_depth];
    let ball = moving(&mut simulation, ball, lying, [3.0, 0.0, 0.0], made_of);
    for _ in 0..60 {
        simulation.step();
    }
    let found = simulation.velocity(ball).unwrap();
    assert!((found.linear - DVec3::X * -1.5).length() < 0.01, "{found:?}");
    // A contact with the floor lags behind the ball until the end of a step, and turns it a little.
    assert!(found.angular.length() < 0.5, "{found:?}");
    let height = simulation.pose(ball).unwrap().translation().z;
    assert!((height - 0.5).abs() < 0.01, "{height}");
}

#[test]
fn without_contacts_paths_are_parabolas_and_rotation_keeps_its_momentum() {
    let mut simulation = Simulation::new(SimulationSettings::default()).unwrap();
    let plate = Shape::cuboid([1.0, 0.5, 0.1]).unwrap();
    let id = simulation.add(Body::moving(plate, at([1.0, 2.0, 3.0])), material(0.5, 0.0)).unwrap();
    let linear = DVec3::new(3.0, -1.0, 8.0);
    // Near the middle axis, about which rotation is not stable: it tumbles.
    let angular = DVec3::new(0.01, 6.0, 0.02);
    simulation.set_velocity(id, Velocity { linear, angular }).unwrap();
    let start = simulation.momentum();
    let mass = simulation.mass(id).unwrap().unwrap().mass();
    let about_centre = start.angular - DVec3::new(1.0, 2.0, 3.0).cross(start.linear);
    let kinetic = simulation.energy();
    let mut tumbled = false;
    for step in 1..=600 {
        simulation.step();
        let time = f64::from(step) / 60.0;
        let fallen = DVec3::new(0.0, 0.0, -0.5 * 9.81 * time * time);
        let expected = DVec3::new(1.0, 2.0, 3.0) + linear * time + fallen;
        let found = simulation.pose(id).unwrap().translation();
        assert!((found - expected).length() < 1e-10 * (1.0 + time * time), "{step}: {found}");
        let momentum = simulation.momentum();
        let spin = momentum.angular - found.cross(momentum.linear);
        assert!((spin - about_centre).length() < 1e-9, "{step}");
        let energy = simulation.energy();
        let off = (energy.total() - kinetic.total()).abs();
        assert!(off < 1e-3 * kinetic.kinetic, "{step}: {off}");
        tumbled |= simulation.pose(id).unwrap().rotate(DVec3::Y).y < -0.5
            || simulation.velocity(id).unwrap().angular.y < -3.0;
    }
    assert!(tumbled, "it turned about its middle axis and should have tumbled");
    // Ten seconds of gravity, and nothing else.
    let expected = start.linear + mass * DVec3::from(simulation.settings().gravity) * 10.0;
    let found = simulation.momentum().linear;
    assert!((found - expected).length() < 1e-11 * expected.length(), "{found} for {expected}");
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let refused = |settings: SimulationSettings, name: &str| {
        let error = Simulation::new(settings).err().unwrap();
        assert!(matches!(&error, ResponseError::Value { name: found, .. } if *found == name));
        assert!(error.to_string().contains("give"), "{error}");
    };
    let usual = SimulationSettings::default();
    refused(SimulationSettings { gravity: [0.0, f64::NAN, 0.0], ..usual }, "gravity");
    refused(SimulationSettings { gravity: [0.0, f64::INFINITY, 0.0], ..usual }, "gravity");
    refused(SimulationSettings { time_step: -0.1, ..usual }, "time_step");
    refused(SimulationSettings { time_step: f64::NAN, ..usual }, "time_step");
    refused(SimulationSettings { substeps: 0, ..usual }, "substeps");
    refused(SimulationSettings { iterations: 1_000_000, ..usual }, "iterations");
    refused(SimulationSettings { margin: -1.0, ..usual }, "margin");
    refused(SimulationSettings { damping: f64::NAN, ..usual }, "damping");
    let mut simulation = Simulation::new(usual).unwrap();
    let ball = || Body::moving(Shape::sphere(1.0).unwrap(), at([0.0; 3]));
    for (bad, name) in [
        (Material { density: 0.0, ..Material::default() }, "density"),
        (Material { friction: -0.1, ..Material::default() }, "friction"),
        (Material { restitution: 1.1, ..Material::default() }, "restitution"),
        (Material { restitution: f64::NAN, ..Material::default() }, "restitution"),
    ] {
        let error = simulation.add(ball(), bad).unwrap_err();
        assert!(matches!(error, ResponseError::Value { name: found, .. } if found == name));
    }
    let flat = Shape::triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    let flat = Body::moving(flat, at([0.0; 3]));
    let error = simulation.add(flat, Material::default());
    assert_eq!(error.unwrap_err(), ResponseError::NoMass);
    assert!(simulation.scene().is_empty());
    let id = simulation.add(ball(), Material::default()).unwrap();
    let endless = Velocity { linear: DVec3::splat(f64::NAN), angular: DVec3::ZERO };
    assert!(simulation.set_velocity(id, endless).is_err());
    simulation.remove(id).unwrap();
    assert!(simulation.pose(id).is_err() && simulation.velocity(id).is_err());
    assert!(simulation.remove(id).is_err() && simulation.wake(id).is_err());
}

#[test]
fn what_flies_too_far_stops() {
    let mut simulation = Simulation::new(in_space(Solver::SequentialImpulses)).unwrap();
    let light = material(0.0, 0.0);
    let ball = Shape::sphere(1.0).unwrap();
    let far = at([1.6e60, 0.0, 0.0]);
    let id = simulation.add(Body::moving(ball, far), light).unwrap();
    let fast = Velocity { linear: DVec3::X * 1e30, angular: DVec3::splat(1e30) };
    simulation.set_velocity(id, fast).unwrap();
    simulation
        .set_settings(SimulationSettings { time_step: 1e30, ..*simulation.settings() })
        .unwrap();
    for _ in 0..3 {
        simulation.step();
    }
    assert!(simulation.pose(id).unwrap().translation().is_finite());
    assert!(simulation.is_asleep(id).unwrap());
}
