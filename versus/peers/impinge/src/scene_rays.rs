//! Answers the driver about rays into scenes with impinge: `Scene::cast_ray_with`, after `Scene::refit`.

use std::io;

use impinge::geom::ray::Ray;
use impinge::query::Workspace;
use impinge::scene::{Body, Filter, Scene};
use impinge::{Pose, Shape};
use versus::scene_rays::record::{self, Recording};
use versus::serve::Adapter;

fn main() -> io::Result<()> {
    let (system, recording) = Recording::from_arguments()?;
    let mut scene = Scene::default();
    for (body, placement) in &recording.bodies {
        let shape = match *body {
            record::Body::Box(half) => Shape::cuboid(half),
            record::Body::Ball(radius) => Shape::sphere(radius),
        };
        let pose =
            Pose::new(placement.rotation, placement.translation).map_err(io::Error::other)?;
        let body = Body::moving(shape.map_err(io::Error::other)?, pose);
        scene.add(body).map_err(io::Error::other)?;
    }
    scene.refit();
    let ray = |[origin, direction]: &[[f64; 3]; 2]| Ray::new(*origin, *direction);
    let rays: Result<Vec<Ray>, _> = recording.rays.iter().map(ray).collect();
    let rays = rays.map_err(io::Error::other)?;
    let (filter, mut workspace) = (Filter::default(), Workspace::default());
    let mut adapter = Adapter::new(&system, env!("CARGO_PKG_VERSION"), "f64");
    adapter.add(&recording.name, rays.len(), |answers| {
        for (answer, ray) in answers.iter_mut().zip(&rays) {
            let hit = scene.cast_ray_with(ray, filter, &mut workspace);
            *answer = hit.map_or(f64::INFINITY, |hit| hit.t);
        }
    });
    adapter.serve()
}
