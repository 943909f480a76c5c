//! Answers the driver with impinge: `pair::overlap`, `pair::distance`, `pair::penetration` and `pair::manifold`.
//!
//! The cache keeps its memory between queries, but every query starts cold, as those of the peers do.

use std::io;

use impinge::geom::pair::{self, Cache, WarmStart};
use impinge::geom::{Pose, Shape};
use versus::convex::format::read_inputs;
use versus::convex::format::{Input, Shape as ShapeData};
use versus::serve::Adapter;

/// A file's contents in impinge's types.
struct Scene {
    shapes: Vec<Shape>,
    pairs: Vec<(usize, usize, Pose)>,
}

fn shape(data: &ShapeData) -> io::Result<Shape> {
    match data {
        ShapeData::Hull { vertices, .. } => Shape::hull(vertices),
        ShapeData::Box { half } => Shape::cuboid(*half),
        ShapeData::Capsule { radius, half_height } => Shape::capsule(*radius, *half_height),
    }
    .map_err(io::Error::other)
}

fn scene(input: &Input) -> io::Result<Scene> {
    let shapes = input.shapes.iter().map(shape).collect::<io::Result<Vec<_>>>()?;
    let mut pairs = Vec::with_capacity(input.pairs.len());
    for pair in &input.pairs {
        let pose = Pose::new(pair.rotation, pair.translation).map_err(io::Error::other)?;
        pairs.push((pair.a as usize, pair.b as usize, pose));
    }
    Ok(Scene { shapes, pairs })
}

/// Runs a query on all pairs, each from a cold start.
fn each(
    scene: &Scene,
    answers: &mut [f64],
    query: impl Fn(&Shape, &Shape, &Pose, &mut Cache) -> f64,
) {
    let mut cache = Cache::default();
    for (answer, (a, b, pose)) in answers.iter_mut().zip(&scene.pairs) {
        cache.set_warm_start(WarmStart::default());
        *answer = query(&scene.shapes[*a], &scene.shapes[*b], pose, &mut cache);
    }
}

fn overlap(scene: &Scene, answers: &mut [f64]) {
    each(scene, answers, |a, b, pose, cache| f64::from(u8::from(pair::overlap(a, b, pose, cache))));
}

fn distance(scene: &Scene, answers: &mut [f64]) {
    each(scene, answers, |a, b, pose, cache| pair::distance(a, b, pose, cache).distance);
}

fn depth(scene: &Scene, answers: &mut [f64]) {
    each(scene, answers, |a, b, pose, cache| {
        // Nothing to report where the bodies are apart, as with the peers.
        pair::penetration(a, b, pose, cache).map_or(0.0, |answer| -answer.distance)
    });
}

fn contact(scene: &Scene, answers: &mut [f64]) {
    each(scene, answers, |a, b, pose, cache| {
        // The deepest point comes first.
        let manifold = pair::manifold(a, b, pose, 0.0, cache);
        manifold
            .and_then(|manifold| manifold.points().first().map(|point| -point.distance))
            .unwrap_or(0.0)
    });
}

fn main() -> io::Result<()> {
    let inputs = read_inputs()?;
    let [hull, boxes, capsule] = [scene(&inputs[0])?, scene(&inputs[1])?, scene(&inputs[2])?];
    let mut adapter = Adapter::new("impinge", env!("CARGO_PKG_VERSION"), "f64");
    adapter.add("hull overlap", hull.pairs.len(), |answers| overlap(&hull, answers));
    adapter.add("hull distance", hull.pairs.len(), |answers| distance(&hull, answers));
    adapter.add("hull depth", hull.pairs.len(), |answers| depth(&hull, answers));
    adapter.add("box overlap", boxes.pairs.len(), |answers| overlap(&boxes, answers));
    adapter.add("box distance", boxes.pairs.len(), |answers| distance(&boxes, answers));
    adapter.add("box depth", boxes.pairs.len(), |answers| depth(&boxes, answers));
    adapter.add("capsule distance", capsule.pairs.len(), |answers| distance(&capsule, answers));
    adapter.add("capsule contact", capsule.pairs.len(), |answers| contact(&capsule, answers));
    adapter.serve()
}
