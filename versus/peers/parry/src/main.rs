//! Answers the driver with parry3d: `query::intersection_test`, `query::distance` and `query::contact`.

use std::io;
use std::sync::Arc;

use parry3d::math::{Pose, Rotation, Vector};
use parry3d::query;
use parry3d::shape::{Capsule, ConvexPolyhedron, Cuboid, Shape as ParryShape};
use versus::convex::format::read_inputs;
use versus::convex::format::{Input, Shape};
use versus::serve::Adapter;

/// A file's contents in parry's types.
struct Scene {
    shapes: Vec<Arc<dyn ParryShape>>,
    pairs: Vec<(usize, usize, Pose)>,
}

fn vector(values: [f64; 3]) -> Vector {
    Vector::new(values[0] as f32, values[1] as f32, values[2] as f32)
}

fn shape(shape: &Shape) -> io::Result<Arc<dyn ParryShape>> {
    Ok(match shape {
        Shape::Hull { vertices, triangles } => {
            let points = vertices.iter().map(|&vertex| vector(vertex)).collect();
            let hull = ConvexPolyhedron::from_convex_mesh(points, triangles);
            Arc::new(hull.ok_or_else(|| io::Error::other("parry refuses a hull"))?)
        }
        Shape::Box { half } => Arc::new(Cuboid::new(vector(*half))),
        Shape::Capsule { radius, half_height } => {
            Arc::new(Capsule::new_z(*half_height as f32, *radius as f32))
        }
    })
}

fn scene(input: &Input) -> io::Result<Scene> {
    let shapes = input.shapes.iter().map(shape).collect::<io::Result<Vec<_>>>()?;
    let pairs = input.pairs.iter().map(|pair| {
        let [w, x, y, z] = pair.rotation.map(|value| value as f32);
        let rotation = Rotation::from_xyzw(x, y, z, w).normalize();
        (pair.a as usize, pair.b as usize, Pose::from_parts(vector(pair.translation), rotation))
    });
    Ok(Scene { pairs: pairs.collect(), shapes })
}

/// Runs a query on all pairs; unsupported ones, of which there are none here, become NaN.
fn each(
    scene: &Scene,
    answers: &mut [f64],
    query: impl Fn(&Pose, &dyn ParryShape, &Pose, &dyn ParryShape) -> f64,
) {
    let identity = Pose::identity();
    for (answer, (a, b, pose)) in answers.iter_mut().zip(&scene.pairs) {
        *answer = query(&identity, &*scene.shapes[*a], pose, &*scene.shapes[*b]);
    }
}

fn overlap(scene: &Scene, answers: &mut [f64]) {
    each(scene, answers, |pose_a, a, pose_b, b| {
        query::intersection_test(pose_a, a, pose_b, b)
            .map_or(f64::NAN, |result| f64::from(u8::from(result.intersecting)))
    });
}

fn distance(scene: &Scene, answers: &mut [f64]) {
    each(scene, answers, |pose_a, a, pose_b, b| {
        query::distance(pose_a, a, pose_b, b).map_or(f64::NAN, |result| f64::from(result.distance))
    });
}

fn depth(scene: &Scene, answers: &mut [f64]) {
    each(scene, answers, |pose_a, a, pose_b, b| {
        query::contact(pose_a, a, pose_b, b, 0.0).map_or(f64::NAN, |contact| {
            contact.map_or(0.0, |contact| f64::from(-contact.dist).max(0.0))
        })
    });
}

fn main() -> io::Result<()> {
    let inputs = read_inputs()?;
    let [hull, boxes, capsule] = [scene(&inputs[0])?, scene(&inputs[1])?, scene(&inputs[2])?];
    let mut adapter = Adapter::new("parry", "0.31.1", "f32");
    adapter.add("hull overlap", hull.pairs.len(), |answers| overlap(&hull, answers));
    adapter.add("hull distance", hull.pairs.len(), |answers| distance(&hull, answers));
    adapter.add("hull depth", hull.pairs.len(), |answers| depth(&hull, answers));
    adapter.add("box overlap", boxes.pairs.len(), |answers| overlap(&boxes, answers));
    adapter.add("box distance", boxes.pairs.len(), |answers| distance(&boxes, answers));
    adapter.add("box depth", boxes.pairs.len(), |answers| depth(&boxes, answers));
    adapter.add("capsule distance", capsule.pairs.len(), |answers| distance(&capsule, answers));
    adapter.add("capsule contact", capsule.pairs.len(), |answers| depth(&capsule, answers));
    adapter.serve()
}
