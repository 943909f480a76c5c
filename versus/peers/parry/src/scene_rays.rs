//! Answers the driver about rays into scenes with parry3d: a `Compound` of all bodies, whose `Bvh` the ray is cast through.

use std::io;

use parry3d::math::{Pose, Rotation, Vector};
use parry3d::query::{Ray, RayCast};
use parry3d::shape::{Compound, SharedShape};
use versus::scene_rays::record::{Body, Recording};
use versus::serve::Adapter;

fn vector(values: [f64; 3]) -> Vector {
    Vector::new(values[0] as f32, values[1] as f32, values[2] as f32)
}

fn main() -> io::Result<()> {
    let (system, recording) = Recording::from_arguments()?;
    let parts = recording.bodies.iter().map(|(body, placement)| {
        let shape = match *body {
            Body::Box([x, y, z]) => SharedShape::cuboid(x as f32, y as f32, z as f32),
            Body::Ball(radius) => SharedShape::ball(radius as f32),
        };
        let [w, x, y, z] = placement.rotation.map(|value| value as f32);
        let rotation = Rotation::from_xyzw(x, y, z, w).normalize();
        (Pose::from_parts(vector(placement.translation), rotation), shape)
    });
    let compound = Compound::new(parts.collect());
    let rays: Vec<Ray> =
        recording.rays.iter().map(|&[o, d]| Ray::new(vector(o), vector(d))).collect();
    let mut adapter = Adapter::new(&system, "0.31.1", "f32");
    adapter.add(&recording.name, rays.len(), |answers| {
        for (answer, ray) in answers.iter_mut().zip(&rays) {
            let hit = compound.cast_local_ray_and_get_normal(ray, f32::MAX, false);
            *answer = hit.map_or(f64::INFINITY, |hit| f64::from(hit.time_of_impact));
        }
    });
    adapter.serve()
}
