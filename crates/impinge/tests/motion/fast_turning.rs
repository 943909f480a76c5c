//! Fast bodies that turn: by the full angle, with the same angular momentum after a stop, and not through what they touch.

use crate::soup::Numbers;
use impinge::geom::glam::{DMat3, DVec3};
use impinge::response::{Material, Simulation, SimulationSettings, Solver, Velocity};
use impinge::scene::{Body, BodyId};
use impinge::{Pose, Shape};

const SOLVERS: [Solver; 3] = [Solver::SequentialImpulses, Solver::Reflection, Solver::Penalty];

fn simulation(substeps: u32, solver: Solver) -> Simulation {
    let settings = SimulationSettings {
        gravity: [0.0; 3],
        sleep: None,
        substeps,
        solver,
        ..SimulationSettings::for_size(0.01)
    };
    Simulation::new(settings).expect("valid")
}

fn add(simulation: &mut Simulation, shape: Shape, pose: Pose, velocity: Velocity) -> BodyId {
    let id = simulation.add(Body::moving(shape, pose), Material::default()).expect("valid");
    simulation.set_velocity(id, velocity).expect("valid");
    simulation.set_fast(id, true).expect("valid");
    id
}

/// The angular momentum about the centre of mass.
fn momentum(simulation: &Simulation, id: BodyId) -> DVec3 {
    let mass = simulation.mass(id).expect("there").expect("it moves");
    let rotation: DMat3 = simulation.pose(id).expect("there").rotation();
    let spin = simulation.velocity(id).expect("there").angular;
    rotation * (mass.inertia() * (rotation.transpose() * spin))
}

#[test]
fn a_turn_of_two_radians_in_a_step_is_one() {
    for substeps in [1, 4] {
        let mut simulation = simulation(substeps, Solver::default());
        let velocity = Velocity { linear: DVec3::ZERO, angular: DVec3::Z * 120.0 };
        let brick = Shape::cuboid([0.3, 0.2, 0.1]).expect("valid");
        let id = add(&mut simulation, brick, Pose::IDENTITY, velocity);
        simulation.step();
        let pose = simulation.pose(id).expect("there");
        let expected = DVec3::new(2f64.cos(), 2f64.sin(), 0.0);
        assert!((pose.transform_point(DVec3::X) - expected).length() < 1e-9, "{pose:?}");
    }
}

#[test]
fn a_thin_rod_tumbles_with_its_momentum() {
    let mut simulation = simulation(1, Solver::default());
    let angular = DVec3::new(40.0, 10.0, 90.0);
    let velocity = Velocity { linear: DVec3::ZERO, angular };
    let rod = Shape::capsule(0.01, 0.4).expect("valid");
    let id = add(&mut simulation, rod, Pose::IDENTITY, velocity);
    let before = momentum(&simulation, id);
    for _ in 0..20 {
        simulation.step();
        // The spin about its own axis stays what it was: for a round rod nothing changes it.
        let axis = simulation.pose(id).expect("there").rotate(DVec3::Z);
        let spin = simulation.velocity(id).expect("there").angular;
        assert!((spin.dot(axis) - 90.0).abs() < 1e-2, "{spin}");
    }
    assert!((momentum(&simulation, id) - before).length() <= 1e-9 * before.length());
}

#[test]
fn a_stop_leaves_the_angular_momentum() {
    let mut simulation = simulation(1, Solver::default());
    let wall = Shape::cuboid([0.0005, 4.0, 4.0]).expect("valid");
    simulation.add(Body::fixed(wall, Pose::IDENTITY), Material::default()).expect("valid");
    let start = Pose::from_translation([-5.0, 0.0, 0.0]).expect("valid");
    let angular = DVec3::new(30.0, 50.0, -20.0);
    let velocity = Velocity { linear: DVec3::X * 500.0, angular };
    let brick = Shape::cuboid([0.3, 0.2, 0.05]).expect("valid");
    let id = add(&mut simulation, brick, start, velocity);
    let before = momentum(&simulation, id);
    simulation.step();
    assert_eq!(simulation.sweep_counts().stopped, 1);
    assert!((momentum(&simulation, id) - before).length() <= 1e-9 * before.length());
}

/// A rod that touches a wall with its end and turns into it; true if it crosses the wall at the end of a step.
fn swings_through(numbers: &mut Numbers, round: usize) -> bool {
    let mut simulation = simulation([1, 4][round % 2], SOLVERS[round % 3]);
    let wall = Shape::cuboid([0.0005, 4.0, 4.0]).expect("valid");
    simulation.add(Body::fixed(wall, Pose::IDENTITY), Material::default()).expect("valid");
    let angle = 0.7 + 0.5 * numbers.signed();
    // An overlap of a hundredth of a millimetre.
    let x = -0.0005 - 0.01 - 0.4 * angle.sin() + 1e-5;
    let start = Pose::from_axis_angle([0.0, 1.0, 0.0], angle, [x, 0.0, 0.0]).expect("valid");
    let spin = DVec3::Y * (60.0 + 50.0 * numbers.signed());
    let rod = Shape::capsule(0.01, 0.4).expect("valid");
    let id = add(&mut simulation, rod, start, Velocity { linear: DVec3::ZERO, angular: spin });
    (0..10).any(|_| {
        simulation.step();
        let pose = simulation.pose(id).expect("there");
        [-0.4, 0.4].iter().any(|z| pose.transform_point(DVec3::Z * *z).x > 0.0)
    })
}

#[test]
fn a_rod_does_not_swing_through_a_wall_that_it_touches() {
    let numbers = &mut Numbers::new(5);
    let through: Vec<usize> = (0..60).filter(|round| swings_through(numbers, *round)).collect();
    assert!(through.is_empty(), "{through:?}");
}

#[test]
fn every_solver_turns_a_bullet_back() {
    for solver in SOLVERS {
        let mut simulation = simulation(4, solver);
        let wall = Shape::cuboid([0.0005, 4.0, 4.0]).expect("valid");
        simulation.add(Body::fixed(wall, Pose::IDENTITY), Material::default()).expect("valid");
        let start = Pose::from_translation([-5.0, 0.0, 0.0]).expect("valid");
        let ball = Shape::sphere(0.01).expect("valid");
        let velocity = Velocity { linear: DVec3::X * 900.0, angular: DVec3::ZERO };
        let id = add(&mut simulation, ball, start, velocity);
        for _ in 0..6 {
            simulation.step();
        }
        let speed = simulation.velocity(id).expect("there").linear.x;
        let x = simulation.pose(id).expect("there").translation().x;
        assert!(speed < 1.0 && x < 0.0, "{solver:?}: {speed} at {x}");
    }
}
