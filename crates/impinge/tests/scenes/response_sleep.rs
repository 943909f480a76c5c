//! Groups of bodies sleep and wake together.

use crate::worlds::at;
use impinge::geom::Shape;
use impinge::geom::glam::DVec3;
use impinge::response::{
    MassProperties, Material, Simulation, SimulationSettings, Sleep, Velocity,
};
use impinge::scene::{Body, BodyId};

/// A table on a floor with two boxes on it, one on the other, and a third box beside it; all asleep.
fn sleeping() -> (Simulation, BodyId, [BodyId; 3]) {
    let mut simulation = Simulation::new(SimulationSettings::default()).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    let made_of = Material::default();
    simulation.add(Body::fixed(floor, at([0.0; 3])), made_of).unwrap();
    let table = Body::fixed(Shape::cuboid([2.0, 2.0, 0.5]).unwrap(), at([0.0, 0.0, 0.5]));
    let table = simulation.add(table, made_of).unwrap();
    let boxes = [[0.0, 0.0, 1.5], [0.0, 0.0, 2.5], [5.0, 0.0, 0.5]].map(|place| {
        simulation.add(Body::moving(Shape::cuboid([0.5; 3]).unwrap(), at(place)), made_of).unwrap()
    });
    for _ in 0..120 {
        simulation.step();
    }
    assert_eq!(simulation.awake(), 0);
    (simulation, table, boxes)
}

fn asleep(simulation: &Simulation, boxes: [BodyId; 3]) -> [bool; 3] {
    boxes.map(|id| simulation.is_asleep(id).unwrap())
}

#[test]
fn those_asleep_do_not_move_at_all() {
    let (mut simulation, _, boxes) = sleeping();
    let poses = boxes.map(|id| simulation.pose(id).unwrap());
    for _ in 0..60 {
        simulation.step();
        assert_eq!(simulation.scene().report().counts.narrow, 0, "nothing is decided anew");
    }
    assert_eq!(boxes.map(|id| simulation.pose(id).unwrap()), poses);
}

#[test]
fn a_hit_wakes_the_group_and_no_other() {
    let (mut simulation, _, boxes) = sleeping();
    let ball = Body::moving(Shape::sphere(0.2).unwrap(), at([-3.0, 0.0, 2.6]));
    let ball = simulation.add(ball, Material::default()).unwrap();
    let fast = Velocity { linear: DVec3::new(20.0, 0.0, 0.0), angular: DVec3::ZERO };
    simulation.set_velocity(ball, fast).unwrap();
    let mut woken = None;
    for step in 0..30 {
        simulation.step();
        if woken.is_none() && asleep(&simulation, boxes) != [true; 3] {
            woken = Some(step);
            assert_eq!(asleep(&simulation, boxes), [false, false, true]);
        }
    }
    // 2.3 to go at 20 a second: seven steps.
    assert!(woken.is_some_and(|step| (5..=8).contains(&step)), "{woken:?}");
    assert!(simulation.pose(boxes[1]).unwrap().translation().x > 0.02);
    assert!(simulation.is_asleep(boxes[2]).unwrap());
}

#[test]
fn taking_the_support_away_wakes() {
    let (mut simulation, table, boxes) = sleeping();
    simulation.remove(table).unwrap();
    simulation.step();
    assert_eq!(asleep(&simulation, boxes), [false, false, true]);
    for _ in 0..240 {
        simulation.step();
    }
    let heights = boxes.map(|id| simulation.pose(id).unwrap().translation().z);
    assert!((heights[0] - 0.5).abs() < 0.01 && (heights[1] - 1.5).abs() < 0.02, "{heights:?}");
    // Or moving it.
    let (mut simulation, table, boxes) = sleeping();
    simulation.set_pose(table, at([0.0, 50.0, 0.5])).unwrap();
    simulation.step();
    assert_eq!(asleep(&simulation, boxes), [false, false, true]);
    // Or pushing one of them.
    let (mut simulation, _, boxes) = sleeping();
    simulation.push(boxes[0], DVec3::X * 10.0, DVec3::new(0.0, 0.0, 1.5)).unwrap();
    simulation.step();
    assert_eq!(asleep(&simulation, boxes), [false, false, true]);
    // Or turning gravity.
    let (mut simulation, _, boxes) = sleeping();
    let settings = SimulationSettings { gravity: [1.0, 0.0, -9.81], ..*simulation.settings() };
    simulation.set_settings(settings).unwrap();
    simulation.step();
    assert_eq!(asleep(&simulation, boxes), [false; 3]);
}

#[test]
fn turning_sleep_off_wakes() {
    let (mut simulation, _, boxes) = sleeping();
    let settings = SimulationSettings { sleep: None, ..*simulation.settings() };
    simulation.set_settings(settings).unwrap();
    assert_eq!(asleep(&simulation, boxes), [false; 3]);
}

#[test]
fn without_a_time_to_wait_only_what_is_still_sleeps() {
    let sleep = Some(Sleep { speed: 0.05, time: 0.0 });
    let mut simulation =
        Simulation::new(SimulationSettings { sleep, ..SimulationSettings::default() }).unwrap();
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    simulation.add(Body::fixed(floor, at([0.0; 3])), Material::default()).unwrap();
    let cube = Body::moving(Shape::cuboid([0.5; 3]).unwrap(), at([0.0, 0.0, 3.0]));
    let cube = simulation.add(cube, Material::default()).unwrap();
    for _ in 0..120 {
        simulation.step();
    }
    let height = simulation.pose(cube).unwrap().translation().z;
    assert!((height - 0.5).abs() < 0.02, "{height}");
    assert!(simulation.is_asleep(cube).unwrap());
}

#[test]
fn what_has_no_end_sleeps_as_well() {
    let settings = SimulationSettings { gravity: [0.0; 3], ..SimulationSettings::default() };
    let mut simulation = Simulation::new(settings).unwrap();
    let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mass = MassProperties::new(1.0, [0.0; 3], unit).unwrap();
    let ground = Body::moving(Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap(), at([0.0; 3]));
    let ground = simulation.add_with_mass(ground, Material::default(), mass).unwrap();
    for _ in 0..60 {
        simulation.step();
    }
    assert!(simulation.is_asleep(ground).unwrap());
}
