//! Bodies at rest: slopes, stacks, walls, and meshes on planes and on meshes.

use crate::worlds::{at, ball_mesh, box_mesh};
use impinge::Pose;
use impinge::geom::Shape;
use impinge::geom::glam::DVec3;
use impinge::mesh::{Mesh, Mode};
use impinge::query::Geometry;
use impinge::response::{Material, Simulation, SimulationSettings, Solver, Velocity};
use impinge::scene::{Body, BodyId};
use std::sync::Arc;

fn material(friction: f64) -> Material {
    Material { density: 1000.0, friction, restitution: 0.0 }
}

fn on_floor(settings: SimulationSettings, friction: f64) -> Simulation {
    let mut simulation = Simulation::new(settings).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    simulation.add(Body::fixed(floor, at([0.0; 3])), material(friction)).unwrap();
    simulation
}

fn place(simulation: &Simulation, id: BodyId) -> DVec3 {
    simulation.pose(id).unwrap().translation()
}

/// How far a block slides down a slope in a second, by the tangent of its angle; gravity is tilted, not the slope.
fn slide(solver: Solver, friction: f64, slope: f64) -> f64 {
    let cosine = 1.0 / (1.0 + slope * slope).sqrt();
    let gravity = [9.81 * cosine * slope * 0.6, 9.81 * cosine * slope * 0.8, -9.81 * cosine];
    let substeps = if solver == Solver::Penalty { 16 } else { 4 };
    let settings = SimulationSettings {
        gravity,
        solver,
        substeps,
        sleep: None,
        ..SimulationSettings::default()
    };
    let mut simulation = on_floor(settings, friction);
    let block = Shape::cuboid([0.5, 0.5, 0.1]).unwrap();
    let resting = Body::moving(block, at([0.0, 0.0, 0.1 - settings.rest_depth]));
    let id = simulation.add(resting, material(friction)).unwrap();
    for _ in 0..60 {
        simulation.step();
    }
    place(&simulation, id).truncate().length()
}

#[test]
fn blocks_stick_and_slide_by_the_angle_of_friction() {
    for solver in [Solver::SequentialImpulses, Solver::Penalty] {
        for friction in [0.3, 0.8] {
            let below = slide(solver, friction, 0.95 * friction);
            // Springs creep: their friction is viscous where it would hold.
            let creep = if solver == Solver::Penalty { 0.05 } else { 2e-3 };
            assert!(below < creep, "{solver:?}: sticks below the angle, not {below}");
            let slope = 1.5 * friction;
            let cosine = 1.0 / (1.0 + slope * slope).sqrt();
            let expected = 0.5 * 9.81 * cosine * (slope - friction);
            let found = slide(solver, friction, slope);
            let share = if solver == Solver::Penalty { 0.03 } else { 0.02 };
            assert!(
                (found - expected).abs() < share * expected,
                "{solver:?}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn a_stack_of_ten_boxes_stands_and_sleeps() {
    let mut simulation = on_floor(SimulationSettings::default(), 0.6);
    let brick = Geometry::shape(Shape::cuboid([0.5; 3]).unwrap());
    let ids: Vec<BodyId> = (0..10)
        .map(|k| {
            let body = Body::moving(brick.clone(), at([0.0, 0.0, 0.5 + f64::from(k)]));
            simulation.add(body, material(0.6)).unwrap()
        })
        .collect();
    let mut asleep_at = None;
    for step in 0..600 {
        simulation.step();
        if asleep_at.is_none() && simulation.awake() == 0 {
            asleep_at = Some(step);
        }
    }
    let depth = simulation.settings().rest_depth;
    for (k, id) in (0..).zip(&ids) {
        let expected = DVec3::new(0.0, 0.0, 0.5 + f64::from(k));
        let off = place(&simulation, *id) - expected;
        assert!(off.truncate().length() < 5e-3, "box {k} is off by {off}");
        // Each lies a little in the one below, and contacts give way a little under the load.
        let most = 2.0 * depth * f64::from(k + 1);
        assert!(off.z.abs() < most, "box {k} sank by {off}");
    }
    assert!(asleep_at.is_some_and(|step| step < 180), "asleep after {asleep_at:?}");
    // Without sleep it stands as well.
    let settings = SimulationSettings { sleep: None, ..SimulationSettings::default() };
    let mut simulation = on_floor(settings, 0.6);
    let ids: Vec<BodyId> = (0..10)
        .map(|k| {
            let body = Body::moving(brick.clone(), at([0.0, 0.0, 0.5 + f64::from(k)]));
            simulation.add(body, material(0.6)).unwrap()
        })
        .collect();
    (0..600).for_each(|_| {
        simulation.step();
    });
    let top = place(&simulation, ids[9]);
    assert!(top.truncate().length() < 5e-3 && (top.z - 9.5).abs() < 0.05, "{top}");
}

#[test]
fn a_pyramid_stands() {
    let mut simulation = on_floor(SimulationSettings::default(), 0.6);
    let brick = Geometry::shape(Shape::cuboid([0.5, 0.25, 0.25]).unwrap());
    let mut ids = Vec::new();
    for row in 0..8 {
        for k in 0..8 - row {
            let x = 1.05 * (f64::from(k) - 0.5 * f64::from(7 - row));
            let start = DVec3::new(x, 0.0, 0.25 + 0.5 * f64::from(row));
            let body = Body::moving(brick.clone(), at(start.to_array()));
            ids.push((simulation.add(body, material(0.6)).unwrap(), start));
        }
    }
    for _ in 0..600 {
        simulation.step();
    }
    for (id, start) in &ids {
        let off = (place(&simulation, *id) - *start).length();
        assert!(off < 0.05, "the brick at {start} moved by {off}");
    }
    assert_eq!(simulation.awake(), 0);
}

/// A torus about z.
fn torus(large: f64, small: f64, around: u32, across: u32) -> Arc<Mesh> {
    // Rational points of the circle: t → ((1 − t²), 2t) / (1 + t²), by quarters.
    let circle = |k: u32, n: u32| {
        let quarter = n / 4;
        let t = f64::from(k % quarter) / f64::from(quarter);
        // tan(π/8·…) is near enough to linear for a torus that is only to be closed and round.
        let [c, s] = [(1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)];
        match k / quarter % 4 {
            0 => [c, s],
            1 => [-s, c],
            2 => [-c, -s],
            _ => [s, -c],
        }
    };
    let mut corners = Vec::new();
    for i in 0..around {
        let [cos, sin] = circle(i, around);
        for j in 0..across {
            let [out, up] = circle(j, across);
            let radius = large + small * out;
            corners.push([radius * cos, radius * sin, small * up]);
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let mut faces = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    Arc::new(Mesh::new(&corners, &faces).unwrap())
}

#[test]
fn meshes_rest_on_a_plane_and_on_a_torus() {
    let mut simulation = on_floor(SimulationSettings::default(), 0.6);
    let block = Geometry::mesh(box_mesh([0.5, 0.4, 0.3]), Mode::Solid);
    let ball = Geometry::mesh(ball_mesh(0.5, 2), Mode::Solid);
    let ring = Geometry::mesh(torus(1.0, 0.3, 32, 16), Mode::Solid);
    let mut add = |geometry: &Geometry, place: [f64; 3]| {
        simulation.add(Body::moving(geometry.clone(), at(place)), material(0.6)).unwrap()
    };
    let on_plane = add(&block, [-4.0, 0.0, 0.5]);
    let lying = add(&ring, [0.0, 0.0, 0.5]);
    // In the hole of the ring, held by it: larger than the hole.
    let held = add(&Geometry::mesh(ball_mesh(0.8, 3), Mode::Solid), [0.05, 0.0, 1.6]);
    let second = add(&block, [-4.0, 0.1, 1.12]);
    let facets = add(&ball, [4.0, 0.0, 0.6]);
    for _ in 0..480 {
        simulation.step();
    }
    let z = |id: BodyId| place(&simulation, id).z;
    assert!((z(on_plane) - 0.3).abs() < 0.01, "{}", z(on_plane));
    assert!((z(second) - 0.9).abs() < 0.02, "{}", z(second));
    assert!((z(lying) - 0.3).abs() < 0.02, "{}", z(lying));
    // The ball of radius 0.8 rests on the ring where the distance of the centres is 1.1: one above the other by √(1.1² − 1²), a little less for the facets.
    let expected = 0.3 + 0.21f64.sqrt();
    assert!((z(held) - expected).abs() < 0.05, "{} for {expected}", z(held));
    assert!(z(facets) > 0.4 && z(facets) < 0.51);
    // What lies on faces sleeps; a faceted ball in a ring goes on trembling a little.
    assert!([on_plane, second, facets].iter().all(|id| simulation.is_asleep(*id).unwrap()));
    for id in [lying, held] {
        assert!(simulation.velocity(id).unwrap().linear.length() < 0.2);
        assert!(place(&simulation, id).truncate().length() < 0.1, "{}", place(&simulation, id));
    }
}

#[test]
fn a_mesh_rests_on_a_fixed_torus() {
    let mut simulation = Simulation::new(SimulationSettings::default()).unwrap();
    let ring = Geometry::mesh(torus(1.0, 0.4, 48, 24), Mode::Solid);
    simulation.add(Body::fixed(ring, at([0.0; 3])), material(0.8)).unwrap();
    let plate = Geometry::mesh(box_mesh([1.5, 1.5, 0.1]), Mode::Solid);
    let turned = Pose::new([0.6, 0.0, 0.0, 0.8], [0.02, -0.01, 0.7]).unwrap();
    let plate = simulation.add(Body::moving(plate, turned), material(0.8)).unwrap();
    for _ in 0..300 {
        simulation.step();
    }
    let found = simulation.pose(plate).unwrap();
    assert!((found.translation() - DVec3::new(0.02, -0.01, 0.5)).length() < 0.02, "{found:?}");
    assert!(found.rotate(DVec3::Z).z > 0.999, "{found:?}");
    let Velocity { linear, angular } = simulation.velocity(plate).unwrap();
    assert!(linear.length() < 0.2 && angular.length() < 0.2, "{linear} {angular}");
}
