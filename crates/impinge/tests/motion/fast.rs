//! Bullets, rods and meshes marked as fast stop at what they meet; the same bits for any number of threads.

use crate::soup::{Numbers, boxes};
use impinge::geom::glam::DVec3;
use impinge::response::{Material, Simulation, SimulationSettings, Solver, Velocity};
use impinge::scene::{Body, BodyId};
use impinge::{Geometry, Mesh, Pose, Shape};

/// A wall of a millimetre across x, at the origin: a box, or a sheet of triangles.
fn wall(as_mesh: bool) -> Geometry {
    if !as_mesh {
        return Shape::cuboid([0.0005, 2.0, 2.0]).expect("valid").into();
    }
    let (vertices, faces) = boxes(&[[[-0.0005, -2.0, -2.0], [0.0005, 2.0, 2.0]]]);
    Mesh::new(&vertices, &faces).expect("valid").into()
}

/// Something small that flies.
fn bullet(kind: usize) -> Geometry {
    let shape = |shape: Result<Shape, _>| Geometry::from(shape.expect("valid"));
    match kind % 4 {
        0 => shape(Shape::sphere(0.004)),
        1 => shape(Shape::capsule(0.002, 0.05)),
        2 => shape(Shape::cuboid([0.003, 0.02, 0.005])),
        _ => {
            let (vertices, faces) = boxes(&[[[-0.004, -0.003, -0.02], [0.004, 0.003, 0.02]]]);
            Mesh::new(&vertices, &faces).expect("valid").into()
        }
    }
}

/// One shot at one wall; true if the bullet passed.
fn passes(numbers: &mut Numbers, round: usize, is_fast: bool) -> bool {
    let settings = SimulationSettings {
        solver: [Solver::SequentialImpulses, Solver::Reflection][round / 8 % 2],
        ..SimulationSettings::for_size(0.01)
    };
    let mut simulation = Simulation::new(settings).expect("valid");
    let fixed = Body::fixed(wall(round / 4 % 2 == 1), Pose::IDENTITY);
    simulation.add(fixed, Material::default()).expect("valid");
    let speed = 1050.0 + 950.0 * numbers.signed();
    let place = [-8.0 + 7.0 * numbers.signed(), 0.3 * numbers.signed(), 0.3 * numbers.signed()];
    let start = numbers.pose(0.0).with_translation(place).expect("valid");
    let bullet = Body::moving(bullet(round), start);
    let id = simulation.add(bullet, Material::default()).expect("valid");
    let spin = DVec3::from([0; 3].map(|_| 300.0 * numbers.signed()));
    let linear = DVec3::new(speed, 0.02 * speed * numbers.signed(), 0.0);
    simulation.set_velocity(id, Velocity { linear, angular: spin }).expect("valid");
    simulation.set_fast(id, is_fast).expect("valid");
    (0..60).any(|_| {
        simulation.step();
        simulation.pose(id).expect("there").translation().x > 0.0
    })
}

#[test]
fn no_fast_bullet_passes_a_wall() {
    let numbers = &mut Numbers::new(21);
    let passed = (0..240).filter(|round| passes(numbers, *round, true)).count();
    assert_eq!(passed, 0);
}

#[test]
fn without_the_mark_most_do() {
    let numbers = &mut Numbers::new(21);
    let passed = (0..40).filter(|round| passes(numbers, *round, false)).count();
    assert!(passed > 20, "{passed}");
}

/// A crowd of bullets that also hit each other and a spinning rod.
fn crowd() -> (Simulation, Vec<BodyId>) {
    let numbers = &mut Numbers::new(8);
    let mut simulation = Simulation::new(SimulationSettings::for_size(0.05)).expect("valid");
    simulation.add(Body::fixed(wall(false), Pose::IDENTITY), Material::default()).expect("valid");
    let rod = Body::moving(
        Shape::capsule(0.01, 0.5).expect("valid"),
        Pose::from_translation([-1.0, 0.0, 0.0]).expect("valid"),
    );
    let rod = simulation.add(rod, Material::default()).expect("valid");
    let angular = DVec3::Y * 120.0;
    simulation.set_velocity(rod, Velocity { linear: DVec3::ZERO, angular }).expect("valid");
    simulation.set_fast(rod, true).expect("valid");
    let mut ids = vec![rod];
    for k in 0..30 {
        let place = [-4.0 - 0.2 * f64::from(k), 0.4 * numbers.signed(), 0.4 * numbers.signed()];
        let pose = numbers.pose(0.0).with_translation(place).expect("valid");
        let id = simulation.add(Body::moving(bullet(k as usize), pose), Material::default());
        let id = id.expect("valid");
        let linear = DVec3::X * (500.0 + 400.0 * numbers.signed());
        simulation.set_velocity(id, Velocity { linear, angular: DVec3::X }).expect("valid");
        simulation.set_fast(id, true).expect("valid");
        ids.push(id);
    }
    (simulation, ids)
}

#[test]
fn a_crowd_of_bullets_is_the_same_on_one_thread_and_on_many() {
    let run = || {
        let (mut simulation, ids) = crowd();
        let mut asked = 0;
        let mut before: Vec<DVec3> = Vec::new();
        for _ in 0..40 {
            simulation.step();
            let place = |id: &BodyId| simulation.pose(*id).expect("there").translation();
            let places: Vec<DVec3> = ids.iter().map(place).collect();
            for (from, to) in before.iter().zip(&places) {
                if from.x < 0.0 && to.x > 0.0 {
                    // Beyond its edges the wall is passed rightly: bullets are thrown there by the rod and by each other.
                    let at = from.lerp(*to, from.x / (from.x - to.x)).with_x(0.0).abs();
                    assert!(at.max_element() > 2.0, "{from} {to}: through the wall at {at}");
                }
            }
            before = places;
            let counts = simulation.sweep_counts();
            asked += counts.impacts;
            assert!(counts.stopped <= counts.bodies);
        }
        assert!(asked > 50, "{asked}");
        let pose = |id: &BodyId| simulation.pose(*id).expect("there");
        ids.iter().map(pose).collect::<Vec<Pose>>()
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
    let four = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("a pool");
    assert_eq!(one.install(run), four.install(run));
}
