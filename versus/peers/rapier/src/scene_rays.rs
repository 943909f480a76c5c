//! Answers the driver about rays into scenes with rapier3d: the query pipeline of a `BroadPhaseBvh` that was updated with all colliders.

use std::io;

use rapier3d::parry::query::DefaultQueryDispatcher;
use rapier3d::prelude::{
    BroadPhaseBvh, ColliderBuilder, ColliderSet, IntegrationParameters, Pose, QueryFilter, Ray,
    RigidBodySet, Rotation, Vector,
};
use versus::scene_rays::record::{Body, Recording};
use versus::serve::Adapter;

fn vector(values: [f64; 3]) -> Vector {
    Vector::new(values[0] as f32, values[1] as f32, values[2] as f32)
}

fn main() -> io::Result<()> {
    let (system, recording) = Recording::from_arguments()?;
    let (mut colliders, bodies) = (ColliderSet::new(), RigidBodySet::new());
    let mut handles = Vec::new();
    for (body, placement) in &recording.bodies {
        let collider = match *body {
            Body::Box([x, y, z]) => ColliderBuilder::cuboid(x as f32, y as f32, z as f32),
            Body::Ball(radius) => ColliderBuilder::ball(radius as f32),
        };
        let [w, x, y, z] = placement.rotation.map(|value| value as f32);
        let rotation = Rotation::from_xyzw(x, y, z, w).normalize();
        let pose = Pose::from_parts(vector(placement.translation), rotation);
        handles.push(colliders.insert(collider.position(pose)));
    }
    let mut broad = BroadPhaseBvh::new();
    let parameters = IntegrationParameters::default();
    // The second update optimises the tree, as steps of a simulation do.
    for _ in 0..2 {
        broad.update(&parameters, &colliders, &bodies, &handles, &[], &mut Vec::new());
    }
    let dispatcher = DefaultQueryDispatcher;
    let pipeline =
        broad.as_query_pipeline(&dispatcher, &bodies, &colliders, QueryFilter::default());
    let rays: Vec<Ray> =
        recording.rays.iter().map(|&[o, d]| Ray::new(vector(o), vector(d))).collect();
    let mut adapter = Adapter::new(&system, "0.36.1", "f32");
    adapter.add(&recording.name, rays.len(), |answers| {
        for (answer, ray) in answers.iter_mut().zip(&rays) {
            let hit = pipeline.cast_ray_and_get_normal(ray, f32::MAX, false);
            *answer = hit.map_or(f64::INFINITY, |(_, hit)| f64::from(hit.time_of_impact));
        }
    });
    adapter.serve()
}
