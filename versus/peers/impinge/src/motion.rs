//! Answers the driver about moving things with impinge: `moving::convex`, `sphere_triangle`, `vertex_face`, `edge_edge`, `motion::impact`, `query::impact_with`.

use std::io;

use impinge::geom::glam::DVec3;
use impinge::geom::motion::MovingShape;
use impinge::geom::motion::impact::{Settings, ShapeImpact, impact};
use impinge::geom::{moving, pair};
use impinge::mesh::Mode;
use impinge::query::{self, Workspace};
use impinge::{Geometry, Mesh, Pose, RigidMotion, Shape};
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
    adapter.add_each(&input.case, queries.len(), move |index| {
        let (a, b, pose, motion) = &queries[index];
        time(moving::convex(&hulls[*a], &hulls[*b], pose, *motion).map(|hit| hit.time))
    });
    Ok(())
}

/// The motion of B.
fn motion(numbers: &[f64]) -> io::Result<RigidMotion> {
    let rotation = [numbers[0], numbers[1], numbers[2], numbers[3]];
    let start = Pose::new(rotation, vector(&numbers[4..]).to_array()).map_err(io::Error::other)?;
    let turn = if numbers.len() > 10 { vector(&numbers[10..]) } else { DVec3::ZERO };
    RigidMotion::turning(&start, DVec3::ZERO, vector(&numbers[7..]), turn).map_err(io::Error::other)
}

fn turning(adapter: &mut Adapter<'_>, input: Input) -> io::Result<()> {
    let boxes = input.case == "box rotating";
    let shape = |(vertices, _): &(Vec<[f64; 3]>, Vec<[u32; 3]>)| {
        if boxes { Shape::cuboid(vertices[7]) } else { Shape::hull(vertices) }
    };
    let shapes = input.hulls.iter().map(shape).collect::<Result<Vec<_>, _>>();
    let shapes = shapes.map_err(io::Error::other)?;
    let motions = input.numbers.iter().map(|n| motion(n)).collect::<io::Result<Vec<_>>>()?;
    let (settings, mut cache) = (Settings::default(), pair::Cache::default());
    adapter.add_each(&input.case, input.pairs.len(), move |index| {
        let [a, b] = input.pairs[index];
        let a = MovingShape::new(&shapes[a as usize], &Pose::IDENTITY);
        let b = MovingShape::new(&shapes[b as usize], &motions[index]);
        match impact(&a, &b, [0.0, 1.0], &settings, &mut cache) {
            ShapeImpact::Free => -1.0,
            ShapeImpact::Meeting => 0.0,
            ShapeImpact::Meets(contact) => contact.interval[0],
        }
    });
    Ok(())
}

fn meshes(adapter: &mut Adapter<'_>, input: Input) -> io::Result<()> {
    let (vertices, triangles) = &input.hulls[0];
    let mesh = Mesh::new(vertices, triangles).map_err(io::Error::other)?;
    let body = Geometry::mesh(mesh, Mode::Surface);
    let motions = input.numbers.iter().map(|n| motion(n)).collect::<io::Result<Vec<_>>>()?;
    let (settings, mut workspace) = (Settings::default(), Workspace::default());
    adapter.add_each(&input.case, motions.len(), move |index| {
        let (rest, motion) = (&Pose::IDENTITY, &motions[index]);
        let found = query::impact_with(rest, &body, motion, &body, &settings, &mut workspace);
        time(found.first.map(|first| first.interval[0]))
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
    adapter.add_each(&input.case, queries.len(), move |index| {
        let (center, radius, corners, motion) = &queries[index];
        let found = moving::sphere_triangle(*center, *radius, corners, *motion);
        time(found.map(|times| times.first))
    });
}

fn vertices(adapter: &mut Adapter<'_>, input: Input) {
    let points = |n: &[f64]| [0, 1, 2, 3].map(|i| vector(&n[3 * i..]));
    let queries: Vec<_> = input.numbers.iter().map(|n| (points(n), points(&n[12..]))).collect();
    let edges = input.case.starts_with("edge-edge");
    adapter.add_each(&input.case, queries.len(), move |index| {
        let (start, end) = &queries[index];
        time(if edges { moving::edge_edge(start, end) } else { moving::vertex_face(start, end) })
    });
}

fn main() -> io::Result<()> {
    let mut adapter = Adapter::new("impinge", env!("CARGO_PKG_VERSION"), "f64");
    for input in read_inputs()? {
        match input.case.as_str() {
            "hull linear" => hulls(&mut adapter, input)?,
            "hull rotating" | "box rotating" => turning(&mut adapter, input)?,
            case if case.starts_with("mesh ") => meshes(&mut adapter, input)?,
            "sphere triangle" => spheres(&mut adapter, input),
            case if case.starts_with("vertex-face") || case.starts_with("edge-edge") => {
                vertices(&mut adapter, input);
            }
            _ => {}
        }
    }
    adapter.serve()
}
