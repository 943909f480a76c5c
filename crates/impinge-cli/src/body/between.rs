//! What is asked about two bodies. Points are in the world.

use super::{Body, FeatureName, Form};
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::TriangleVerdict;
use impinge::geom::{Method, Verdict, pair};
use impinge::mesh::{self, Scratch};

/// Why a pair was refused.
const MIXED: &str =
    "one is a mesh and the other a shape: so far meshes are asked about with meshes";

/// What queries keep between calls; no answer depends on it.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) scratch: Scratch,
    found: Vec<(u32, u32, TriangleVerdict)>,
}

/// A distance and its evidence.
pub(crate) struct Measured {
    /// Signed between shapes; where a mesh takes part, zero if the two meet.
    pub(crate) distance: f64,
    pub(crate) method: Method,
    /// Of the two bodies, the distance apart.
    pub(crate) points: Option<[DVec3; 2]>,
    pub(crate) features: Option<[Option<FeatureName>; 2]>,
}

/// How two bodies stand to each other.
pub(crate) fn verdict(a: &Body, b: &Body, memory: &mut Memory) -> Result<Verdict, String> {
    let b_in_a = a.pose.relative(&b.pose);
    match (&a.form, &b.form) {
        (Form::Shape(shape_a), Form::Shape(shape_b)) => {
            let cache = &mut pair::Cache::default();
            Ok(pair::verdict(shape_a, shape_b, &b_in_a, cache))
        }
        (Form::Mesh(mesh_a), Form::Mesh(mesh_b)) => {
            let Memory { scratch, found } = memory;
            mesh::pairs(mesh_a, mesh_b, &b_in_a.into(), scratch, found);
            let crossing =
                |(_, _, how): &(u32, u32, TriangleVerdict)| *how == TriangleVerdict::Crossing;
            let verdict = match found.as_slice() {
                [] => Verdict::Separated,
                found if found.iter().any(crossing) => Verdict::Penetrating,
                _ => Verdict::Touching,
            };
            Ok(verdict)
        }
        _ => Err(MIXED.to_string()),
    }
}

/// How far two bodies are apart; none where no translation parts the two.
pub(crate) fn distance(
    a: &Body,
    b: &Body,
    memory: &mut Memory,
) -> Result<Option<Measured>, String> {
    let b_in_a = a.pose.relative(&b.pose);
    match (&a.form, &b.form) {
        (Form::Shape(shape_a), Form::Shape(shape_b)) => {
            let cache = &mut pair::Cache::default();
            let found = pair::signed_distance(shape_a, shape_b, &b_in_a, cache);
            Ok(found.map(|found| Measured {
                distance: found.distance,
                method: found.method,
                points: Some(found.points.map(|point| a.pose.map(point))),
                features: Some(found.features.map(|feature| Some(feature.into()))),
            }))
        }
        (Form::Mesh(mesh_a), Form::Mesh(mesh_b)) => {
            let found = mesh::distance(mesh_a, mesh_b, &b_in_a.into(), &mut memory.scratch);
            let ([i, j], [f, g]) = (found.triangles, found.features);
            let of_a = FeatureName::of_triangle(mesh_a, i, f);
            let of_b = FeatureName::of_triangle(mesh_b, j, g);
            Ok(Some(Measured {
                distance: found.distance,
                method: Method::Exact,
                points: Some(found.points.map(|point| a.pose.map(point))),
                features: Some([Some(of_a), Some(of_b)]),
            }))
        }
        _ => Err(MIXED.to_string()),
    }
}

/// Which triangles of the two meet, ascending. A shape counts as one triangle with the index 0.
pub(crate) fn pairs(a: &Body, b: &Body, memory: &mut Memory) -> Result<Vec<[u32; 2]>, String> {
    let b_in_a = a.pose.relative(&b.pose);
    match (&a.form, &b.form) {
        (Form::Shape(shape_a), Form::Shape(shape_b)) => {
            let cache = &mut pair::Cache::default();
            let meet = pair::overlap(shape_a, shape_b, &b_in_a, cache);
            Ok(if meet { vec![[0, 0]] } else { Vec::new() })
        }
        (Form::Mesh(mesh_a), Form::Mesh(mesh_b)) => {
            let Memory { scratch, found } = memory;
            mesh::pairs(mesh_a, mesh_b, &b_in_a.into(), scratch, found);
            Ok(found.iter().map(|&(i, j, _)| [i, j]).collect())
        }
        _ => Err(MIXED.to_string()),
    }
}
