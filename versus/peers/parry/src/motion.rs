//! Answers the driver about moving things with parry3d: `query::cast_shapes`, `cast_shapes_nonlinear`.

use std::io;

use parry3d::math::{Pose, Rotation, Vector};
use parry3d::query::{self, NonlinearRigidMotion, ShapeCastOptions};
use parry3d::shape::{Ball, ConvexPolyhedron, Cuboid, Shape, TriMesh, Triangle};
use versus::motion::format::{Input, read_inputs};
use versus::serve::Adapter;

fn vector(n: &[f64]) -> Vector {
    Vector::new(n[0] as f32, n[1] as f32, n[2] as f32)
}

fn options() -> ShapeCastOptions {
    ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() }
}

fn hulls(adapter: &mut Adapter<'_>, input: Input) -> io::Result<()> {
    let hull = |(vertices, triangles): &(Vec<[f64; 3]>, Vec<[u32; 3]>)| {
        let points = vertices.iter().map(|v| vector(v)).collect();
        ConvexPolyhedron::from_convex_mesh(points, triangles)
    };
    let hulls: Option<Vec<_>> = input.hulls.iter().map(hull).collect();
    let hulls = hulls.ok_or_else(|| io::Error::other("parry refuses a hull"))?;
    let queries: Vec<_> = input
        .pairs
        .iter()
        .zip(&input.numbers)
        .map(|([a, b], n)| {
            let [w, x, y, z] = [0, 1, 2, 3].map(|k| n[k] as f32);
            let rotation = Rotation::from_xyzw(x, y, z, w).normalize();
            (*a as usize, *b as usize, Pose::from_parts(vector(&n[4..]), rotation), vector(&n[7..]))
        })
        .collect();
    adapter.add(&input.case, queries.len(), move |answers| {
        let (identity, rest) = (Pose::identity(), Vector::ZERO);
        for (answer, (a, b, pose, motion)) in answers.iter_mut().zip(&queries) {
            let found = query::cast_shapes(
                &identity,
                rest,
                &hulls[*a],
                pose,
                *motion,
                &hulls[*b],
                options(),
            );
            *answer =
                found.map_or(f64::NAN, |hit| hit.map_or(-1.0, |hit| f64::from(hit.time_of_impact)));
        }
    });
    Ok(())
}

fn pose(n: &[f64]) -> Pose {
    let [w, x, y, z] = [0, 1, 2, 3].map(|k| n[k] as f32);
    Pose::from_parts(vector(&n[4..]), Rotation::from_xyzw(x, y, z, w).normalize())
}

fn nonlinear(n: &[f64]) -> NonlinearRigidMotion {
    NonlinearRigidMotion::new(pose(n), Vector::ZERO, vector(&n[7..]), vector(&n[10..]))
}

/// A round of casts that turn.
fn cast_turning(
    answers: &mut [f64],
    queries: &[(usize, usize, NonlinearRigidMotion)],
    shapes: &[Box<dyn Shape>],
) {
    let rest = NonlinearRigidMotion::constant_position(Pose::identity());
    for (answer, (a, b, motion)) in answers.iter_mut().zip(queries) {
        let (a, b) = (shapes[*a].as_ref(), shapes[*b].as_ref());
        let found = query::cast_shapes_nonlinear(&rest, a, motion, b, 0.0, 1.0, true);
        *answer =
            found.map_or(f64::NAN, |hit| hit.map_or(-1.0, |hit| f64::from(hit.time_of_impact)));
    }
}

fn turning(adapter: &mut Adapter<'_>, input: Input) -> io::Result<()> {
    let boxes = input.case == "box rotating";
    let shape = |(vertices, triangles): &(Vec<[f64; 3]>, Vec<[u32; 3]>)| -> Option<Box<dyn Shape>> {
        if boxes {
            return Some(Box::new(Cuboid::new(vector(&vertices[7]))));
        }
        let points = vertices.iter().map(|v| vector(v)).collect();
        Some(Box::new(ConvexPolyhedron::from_convex_mesh(points, triangles)?))
    };
    let shapes: Option<Vec<_>> = input.hulls.iter().map(shape).collect();
    let shapes = shapes.ok_or_else(|| io::Error::other("parry refuses a hull"))?;
    let pairs = input.pairs.iter().zip(&input.numbers);
    let queries: Vec<_> =
        pairs.map(|([a, b], n)| (*a as usize, *b as usize, nonlinear(n))).collect();
    adapter.add(&input.case, queries.len(), move |answers| {
        cast_turning(answers, &queries, &shapes);
    });
    Ok(())
}

/// Casts of meshes that turn take seconds: parry is asked the first few.
const FEW: usize = 5;

fn meshes(adapter: &mut Adapter<'_>, input: Input) -> io::Result<()> {
    let (vertices, triangles) = &input.hulls[0];
    let points = vertices.iter().map(|v| vector(v)).collect();
    let mesh = TriMesh::new(points, triangles.clone()).map_err(io::Error::other)?;
    if input.numbers.first().is_some_and(|n| n.len() > 10) {
        let shapes: Vec<Box<dyn Shape>> = vec![Box::new(mesh)];
        let queries: Vec<_> =
            input.numbers.iter().take(FEW).map(|n| (0, 0, nonlinear(n))).collect();
        adapter.add(&input.case, queries.len(), move |answers| {
            cast_turning(answers, &queries, &shapes);
        });
        return Ok(());
    }
    let queries: Vec<_> = input.numbers.iter().map(|n| (pose(n), vector(&n[7..]))).collect();
    adapter.add(&input.case, queries.len(), move |answers| {
        let (identity, rest) = (Pose::identity(), Vector::ZERO);
        for (answer, (pose, motion)) in answers.iter_mut().zip(&queries) {
            let found = query::cast_shapes(&identity, rest, &mesh, pose, *motion, &mesh, options());
            *answer =
                found.map_or(f64::NAN, |hit| hit.map_or(-1.0, |hit| f64::from(hit.time_of_impact)));
        }
    });
    Ok(())
}

fn spheres(adapter: &mut Adapter<'_>, input: Input) {
    let queries: Vec<_> = input
        .numbers
        .iter()
        .map(|n| {
            let corner = |at: usize| vector(&n[at..]);
            let triangle = Triangle::new(corner(4), corner(7), corner(10));
            let pose = Pose::from_parts(corner(0), Rotation::IDENTITY);
            (triangle, Ball::new(n[3] as f32), pose, corner(13))
        })
        .collect();
    adapter.add(&input.case, queries.len(), move |answers| {
        let (identity, rest) = (Pose::identity(), Vector::ZERO);
        for (answer, (triangle, ball, pose, motion)) in answers.iter_mut().zip(&queries) {
            let found =
                query::cast_shapes(&identity, rest, triangle, pose, *motion, ball, options());
            *answer =
                found.map_or(f64::NAN, |hit| hit.map_or(-1.0, |hit| f64::from(hit.time_of_impact)));
        }
    });
}

fn main() -> io::Result<()> {
    let mut adapter = Adapter::new("parry", "0.31.1", "f32");
    for input in read_inputs()? {
        match input.case.as_str() {
            "hull linear" => hulls(&mut adapter, input)?,
            "hull rotating" | "box rotating" => turning(&mut adapter, input)?,
            case if case.starts_with("mesh ") => meshes(&mut adapter, input)?,
            "sphere triangle" => spheres(&mut adapter, input),
            _ => {}
        }
    }
    adapter.serve()
}
