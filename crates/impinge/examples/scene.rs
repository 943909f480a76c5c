//! A scene with three kinds of geometry, filters and events: `cargo run --example scene`.
//!
//! A stone is put down on a table and lifted again. A ghost goes with it, but is filtered out. The floor is a half-space, the table
//! a compound, the stone a mesh.
#![allow(clippy::print_stdout)]

use impinge::geom::{Shape, ray::Ray};
use impinge::mesh::{Mesh, Mode};
use impinge::query::Geometry;
use impinge::query::Workspace;
use impinge::scene::{Body, EventKind, Filter, Scene, SceneSettings};
use impinge::{Pose, geom::glam::DVec3};
use std::error::Error;
use std::sync::Arc;

/// Groups are bits. A body is tested with those that its mask names, if they name it in turn.
const FURNITURE: u32 = 0b001;
const THINGS: u32 = 0b010;
const GHOSTS: u32 = 0b100;

fn main() -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::default();
    scene.set_settings(SceneSettings {
        contacts: true,
        distances: true,
        ..SceneSettings::default()
    });
    // Pairs are told from five centimetres on.
    scene.rules_mut().set_default_margin(0.05)?;

    // A shape: the floor is everything below z = 0.
    let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0)?;
    scene.add(Body::fixed(floor, Pose::IDENTITY).with_groups(FURNITURE))?;

    // A compound: a table top (child 1) on a leg (child 2).
    let table = Geometry::compound([
        (1, at(0.0, 0.0, 1.0)?, Shape::cuboid([1.0, 1.0, 0.05])?.into()),
        (2, at(0.0, 0.0, 0.475)?, Shape::cylinder(0.1, 0.475)?.into()),
    ])?;
    let table = scene.add(Body::fixed(table, Pose::IDENTITY).with_groups(FURNITURE))?;

    // A mesh: an octahedron as a solid.
    let stone = Geometry::mesh(Arc::new(octahedron(0.25)?), Mode::Solid);
    let mask = FURNITURE | THINGS;
    let stone = Body::moving(stone, at(0.5, 0.0, 2.0)?).with_groups(THINGS).with_mask(mask);
    let stone = scene.add(stone)?;

    // A ghost meets nobody: its mask is empty.
    let ghost = Body::moving(Shape::sphere(0.5)?, at(0.5, 0.0, 2.0)?);
    let ghost = scene.add(ghost.with_groups(GHOSTS).with_mask(0))?;

    for (frame, height) in [1.5, 1.33, 1.29, 1.28, 1.5].into_iter().enumerate() {
        scene.set_pose(stone, at(0.5, 0.0, height)?)?;
        scene.set_pose(ghost, at(0.5, 0.0, height)?)?;
        let report = scene.step();
        println!("frame {frame}: the stone is at {height:.2}");
        for pair in &report.pairs {
            let [a, b] = pair.bodies;
            let [part_a, part_b] = pair.children;
            print!("    {a} (part {part_a}) and {b} (part {part_b}): {:?}", pair.verdict);
            match pair.distance {
                Some(found) => println!(", {:+.3} ({:?})", found.distance, found.certainty),
                None => println!(),
            }
            for manifold in report.manifolds(pair) {
                let ids: Vec<u64> = report.contacts(manifold).iter().map(|c| c.id).collect();
                println!("        along {:.2}: contacts {ids:?}", manifold.normal);
            }
        }
        for event in &report.events {
            let [a, b] = event.bodies;
            match event.kind {
                EventKind::Begin => println!("    {a} and {b} begin to touch"),
                EventKind::Stay => println!("    {a} and {b} still touch"),
                EventKind::End => println!("    {a} and {b} part"),
            }
        }
    }

    // At any time the scene answers questions: what is below the stone? Not the ghost, which is no furniture.
    let down = Ray::new([0.5, 0.0, 1.2], [0.0, 0.0, -1.0])?;
    let furniture = Filter { mask: FURNITURE, ..Filter::default() };
    let below = |scene: &Scene| {
        let hit = scene.cast_ray_with(&down, furniture, &mut Workspace::default());
        hit.map(|hit| (hit.body.to_string(), hit.point.z))
    };
    println!("below the stone: {:?}", below(&scene));
    scene.remove(table)?;
    println!("without the table: {:?}", below(&scene));
    Ok(())
}

fn at(x: f64, y: f64, z: f64) -> Result<Pose, impinge::geom::GeometryError> {
    Pose::from_translation([x, y, z])
}

fn octahedron(size: f64) -> Result<Mesh, impinge::mesh::MeshError> {
    let corners = [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    let faces =
        [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]];
    Mesh::new(&corners.map(|corner| (corner * size).to_array()), &faces)
}
