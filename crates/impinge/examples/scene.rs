//! Bodies, filters, contacts and events: `cargo run --release -p impinge --example scene`
#![allow(clippy::print_stdout)]

use impinge::geom::ray::Ray;
use impinge::scene::{Body, Scene, SceneSettings};
use impinge::{Geometry, Pose, Shape};
use std::error::Error;

/// Groups are bits. Two bodies are tested if each one's mask has a group of the other.
const FURNITURE: u32 = 0b01;
const THINGS: u32 = 0b10;

fn main() -> Result<(), Box<dyn Error>> {
    let at = |x, y, z| Pose::from_translation([x, y, z]);
    let mut scene = Scene::default();
    scene.set_settings(SceneSettings { contacts: true, distances: true, ..Default::default() });
    scene.rules_mut().set_default_margin(0.05)?; // report pairs closer than 5 cm

    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0)?;
    scene.add(Body::fixed(floor, Pose::IDENTITY).with_groups(FURNITURE))?;

    // A compound: a table top (child 1) on a leg (child 2).
    let table = Geometry::compound([
        (1, at(0.0, 0.0, 1.0)?, Shape::cuboid([1.0, 1.0, 0.05])?.into()),
        (2, at(0.0, 0.0, 0.475)?, Shape::cylinder(0.1, 0.475)?.into()),
    ])?;
    let table = scene.add(Body::fixed(table, Pose::IDENTITY).with_groups(FURNITURE))?;

    let mug = Shape::cylinder(0.2, 0.25)?;
    let mug = scene.add(Body::moving(mug, at(0.5, 0.0, 2.0)?).with_groups(THINGS))?;
    // A ghost collides with nothing: its mask is empty.
    let ghost = Body::moving(Shape::sphere(0.5)?, at(0.5, 0.0, 1.0)?).with_mask(0);
    scene.add(ghost)?;

    for height in [1.5, 1.33, 1.3, 1.28, 1.5] {
        scene.set_pose(mug, at(0.5, 0.0, height)?)?;
        let report = scene.step();
        println!("mug at {height:.2}");
        for pair in &report.pairs {
            let distance = pair.distance.map_or(0.0, |found| found.distance);
            let points: usize =
                report.manifolds(pair).iter().map(|m| report.contacts(m).len()).sum();
            println!(
                "  {:?} {:?} {distance:+.3}, {points} contact points",
                pair.children, pair.verdict
            );
        }
        for event in &report.events {
            println!("  {:?} {} {}", event.kind, event.bodies[0], event.bodies[1]);
        }
    }

    // A scene answers rays, overlaps and closest points at any time.
    let down = Ray::new([-0.5, 0.0, 9.0], [0.0, 0.0, -1.0])?;
    println!("below: z = {:?}", scene.cast_ray(&down).map(|hit| hit.point.z));
    scene.remove(table)?;
    println!("without the table: z = {:?}", scene.cast_ray(&down).map(|hit| hit.point.z));
    Ok(())
}
