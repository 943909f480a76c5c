//! Answers the driver about moving things with impinge: `moving::convex`, `sphere_triangle`, `vertex_face`, `edge_edge`.

use std::io;

use impinge::geom::glam::DVec3;
use impinge::geom::moving;
use impinge::geom::{Pose, Shape};
use versus::motion::format::{Input, read_inputs};
use versus::serve::Adapter;

fn vector(numbers: &[f64]) -> DVec3 {
    DVec3::new(numbers[0], numbers[1], numbers[2])
}

fn time(found: Option<f64>) -> f64 {
    found.unwrap_or(-1.0)
}

fn hulls(adapter: &mut Adapter<'_>, input: Input) -> io::Result<()> {
    let hulls = input.hulls.iter().map(|(vertices, _)| Shape::hull(vertices));
    let hulls = hulls.collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
    let mut queries = Vec::new();
    for ([a, b], numbers) in input.pairs.iter().zip(&input.numbers) {
        let [w, x, y, z] = [numbers[0], numbers[1], numbers[2], numbers[3]];
        let at = [numbers[4], numbers[5], numbers[6]];
        let pose = Pose::new([w, x, y, z], at).map_err(io::Error::other)?;
        queries.push((*a as usize, *b as usize, pose, vector(&numbers[7..])));
    }
    adapter.add(&input.case, queries.len(), move |answers| {
        for (answer, (a, b, pose, motion)) in answers.iter_mut().zip(&queries) {
            *answer =
                time(moving::convex(&hulls[*a], &hulls[*b], pose, *motion).map(|hit| hit.time));
        }
    });
    Ok(())
}

fn spheres(adapter: &mut Adapter<'_>, input: Input) {
    let queries: Vec<_> = input
        .numbers
        .iter()
        .map(|n| {
            let corners = [vector(&n[4..]), vector(&n[7..]), vector(&n[10..])];
            (vector(n), n[3], corners, vector(&n[13..]))
        })
        .collect();
    adapter.add(&input.case, queries.len(), move |answers| {
        for (answer, (center, radius, corners, motion)) in answers.iter_mut().zip(&queries) {
            let found = moving::sphere_triangle(*center, *radius, corners, *motion);
            *answer = time(found.map(|times| times.first));
        }
    });
}

fn vertices(adapter: &mut Adapter<'_>, input: Input) {
    let points = |n: &[f64]| [0, 1, 2, 3].map(|i| vector(&n[3 * i..]));
    let queries: Vec<_> = input.numbers.iter().map(|n| (points(n), points(&n[12..]))).collect();
    let edges = input.case == "edge-edge";
    adapter.add(&input.case, queries.len(), move |answers| {
        for (answer, (start, end)) in answers.iter_mut().zip(&queries) {
            *answer = time(if edges {
                moving::edge_edge(start, end)
            } else {
                moving::vertex_face(start, end)
            });
        }
    });
}

fn main() -> io::Result<()> {
    let mut adapter = Adapter::new("impinge", env!("CARGO_PKG_VERSION"), "f64");
    for input in read_inputs()? {
        match input.case.as_str() {
            "hull linear" => hulls(&mut adapter, input)?,
            "sphere triangle" => spheres(&mut adapter, input),
            "vertex-face" | "edge-edge" => vertices(&mut adapter, input),
            _ => {}
        }
    }
    adapter.serve()
}
