//! Answers the driver about meshes with parry3d: `query::intersection_test`, `query::distance` and `TriMesh::cast_local_ray`.

use std::io;

use parry3d::math::{Pose, Rotation, Vector};
use parry3d::query::{self, Ray, RayCast};
use parry3d::shape::TriMesh;
use versus::mesh::model::Mesh;
use versus::mesh::scene::{Case, Placement, Question, Scene};
use versus::serve::Adapter;

/// A distance takes a tenth of a second: only the first of the poses are asked.
const DISTANCES: usize = 20;

fn vector(values: [f64; 3]) -> Vector {
    Vector::new(values[0] as f32, values[1] as f32, values[2] as f32)
}

fn build(mesh: &Mesh) -> io::Result<TriMesh> {
    let vertices = mesh.vertices.iter().map(|&vertex| vector(vertex)).collect();
    TriMesh::new(vertices, mesh.triangles.clone()).map_err(io::Error::other)
}

fn pose(placement: &Placement) -> Pose {
    let [w, x, y, z] = placement.rotation.map(|value| value as f32);
    let rotation = Rotation::from_xyzw(x, y, z, w).normalize();
    Pose::from_parts(vector(placement.translation), rotation)
}

fn add_pair(adapter: &mut Adapter, case: &Case, scene: &Scene) -> io::Result<()> {
    let a = build(&scene.meshes[case.a as usize])?;
    let b = build(&scene.meshes[case.b as usize])?;
    let count = if case.question == Question::Meet { usize::MAX } else { DISTANCES };
    let poses: Vec<Pose> = case.poses.iter().take(count).map(pose).collect();
    let (identity, question) = (Pose::identity(), case.question);
    adapter.add(&case.name, poses.len(), move |answers| {
        for (answer, pose) in answers.iter_mut().zip(&poses) {
            *answer = if question == Question::Meet {
                query::intersection_test(&identity, &a, pose, &b)
                    .map_or(f64::NAN, |result| f64::from(u8::from(result.intersecting)))
            } else {
                query::distance(&identity, &a, pose, &b)
                    .map_or(f64::NAN, |result| f64::from(result.distance))
            };
        }
    });
    Ok(())
}

fn add_rays(adapter: &mut Adapter, case: &Case, scene: &Scene) -> io::Result<()> {
    let mesh = build(&scene.meshes[case.a as usize])?;
    let rays: Vec<Ray> =
        case.rays.iter().map(|ray| Ray::new(vector(ray.origin), vector(ray.direction))).collect();
    adapter.add(&case.name, rays.len(), move |answers| {
        for (answer, ray) in answers.iter_mut().zip(&rays) {
            let hit = mesh.cast_local_ray(ray, f32::MAX, true);
            *answer = hit.map_or(f64::INFINITY, f64::from);
        }
    });
    Ok(())
}

fn main() -> io::Result<()> {
    let scene = Scene::from_arguments()?;
    let mut adapter = Adapter::new("parry", "0.31.1", "f32");
    for case in scene.cases.iter().filter(|case| case.threads == 1) {
        match case.question {
            Question::Meet | Question::Distance => add_pair(&mut adapter, case, &scene)?,
            Question::Ray => add_rays(&mut adapter, case, &scene)?,
            // One tree serves all queries.
            Question::CollisionTree | Question::RayTree => {
                let mesh = &scene.meshes[case.a as usize];
                adapter.add_timed(&case.name, case.clock(), 1, move |answers| {
                    let bytes = build(mesh).map(|mesh| mesh.bvh().heap_memory_size() as f64);
                    answers[0] = bytes.unwrap_or(f64::NAN);
                });
            }
            Question::Pairs => {}
        }
    }
    adapter.serve()
}
