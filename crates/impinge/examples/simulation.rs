//! A pile of boxes and balls that falls and comes to rest: `cargo run --release -p impinge --example simulation`
#![allow(clippy::print_stdout)]

use impinge::geom::glam::DVec3;
use impinge::response::{Material, Simulation, SimulationSettings, Velocity};
use impinge::scene::Body;
use impinge::{Pose, Shape};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    // Metres, kilograms, seconds, z up. `SimulationSettings::for_size` is for bodies of another size.
    let mut simulation = Simulation::new(SimulationSettings::default())?;
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0)?;
    simulation.add(Body::fixed(floor, Pose::IDENTITY), Material::default())?;

    // Mass follows from volume and density. Friction and restitution belong to the material.
    let rubber = Material { restitution: 0.6, ..Material::default() };
    let mut bodies = Vec::new();
    for i in 0..20_u32 {
        let (x, z) = (0.3 * f64::from(i % 2), 1.0 + 1.1 * f64::from(i));
        let pose = Pose::from_axis_angle([0.0, 1.0, 0.0], 0.2 * f64::from(i), [x, 0.0, z])?;
        let (shape, material) = match i % 2 {
            0 => (Shape::cuboid([0.5, 0.4, 0.3])?, Material::default()),
            _ => (Shape::sphere(0.4)?, rubber),
        };
        bodies.push(simulation.add(Body::moving(shape, pose), material)?);
    }
    simulation.set_velocity(bodies[0], Velocity { linear: DVec3::X, angular: DVec3::ZERO })?;

    // A sixtieth of a second per step; `step` returns the report of the scene's contacts.
    for second in 1..=10 {
        let mut touching = 0;
        for _ in 0..60 {
            touching = simulation.step().pairs.iter().filter(|pair| pair.meets()).count();
        }
        let energy = simulation.energy().total();
        println!(
            "{second:2} s: {touching} pairs touch, {} awake, {energy:.1} J",
            simulation.awake()
        );
    }
    let lowest = bodies.iter().map(|&body| simulation.pose(body).map(|pose| pose.translation().z));
    let lowest = lowest.collect::<Result<Vec<_>, _>>()?.into_iter().fold(f64::INFINITY, f64::min);
    println!("lowest centre at z = {lowest:.3}; state hash {:016x}", simulation.hash());
    Ok(())
}
