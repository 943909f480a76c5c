//! Parts that Python has in memory, as a scene that could have come from a file.

use super::geometry::NativeGeometry;
use super::handles::one_pose;
use impinge::query::Part;
use impinge::{Pose, Shape};
use impinge_io::{
    MeshData, Placement, SceneData, SceneNode, ScenePart, ShapeData, Unit, UnitSource,
};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// A name, a geometry, and where it is.
pub(crate) type Given<'py> =
    (String, PyRef<'py, NativeGeometry>, Option<PyReadonlyArray2<'py, f64>>);

/// The scene of some parts, in a unit. Parts that share a mesh share its data.
pub(crate) fn scene(parts: &[Given<'_>], unit: Option<Unit>) -> PyResult<SceneData> {
    let mut scene = SceneData {
        files: vec!["memory".to_owned()],
        unit: unit.unwrap_or_default(),
        unit_source: if unit.is_some() { UnitSource::Given } else { UnitSource::Assumed },
        ..SceneData::default()
    };
    let mut meshes = HashMap::new();
    for (name, geometry, at) in parts {
        let pose = one_pose(at.as_ref())?;
        for child in geometry.0.children() {
            let shape = match &child.part {
                Part::Mesh(part) => {
                    let key = (Arc::as_ptr(part.mesh()), part.scale().to_bits());
                    *meshes.entry(key).or_insert_with(|| {
                        let scaled = |vertex: &impinge::geom::glam::DVec3| {
                            (*vertex * part.scale()).to_array()
                        };
                        let vertices = part.mesh().vertices().iter().map(scaled).collect();
                        let mesh = MeshData::new(vertices, part.mesh().triangles().to_vec());
                        scene.shapes.push(ShapeData::Mesh(mesh));
                        scene.shapes.len() - 1
                    })
                }
                Part::Shape(shape) => {
                    scene.shapes.push(primitive(name, shape)?);
                    scene.shapes.len() - 1
                }
            };
            let node = scene.nodes.len();
            scene.nodes.push(SceneNode { name: name.clone(), parent: None });
            scene.parts.push(ScenePart {
                name: name.clone(),
                node,
                shape,
                placement: placement(&geometry.0.place(child, &pose)),
                materials: Arc::default(),
                properties: Arc::default(),
                party: None,
                file: 0,
                unit: scene.unit,
            });
        }
    }
    Ok(scene)
}

fn primitive(name: &str, shape: &Shape) -> PyResult<ShapeData> {
    match shape {
        Shape::Cuboid(cuboid) => Ok(ShapeData::Box { size: (cuboid.half() * 2.0).to_array() }),
        Shape::Cylinder(cylinder) => Ok(ShapeData::Cylinder {
            radius: cylinder.radius(),
            length: 2.0 * cylinder.half_height(),
        }),
        Shape::Sphere(ball) => Ok(ShapeData::Sphere { radius: ball.radius() }),
        _ => Err(PyValueError::new_err(format!(
            "part {name} is neither a mesh nor a box, a cylinder or a ball: give its mesh"
        ))),
    }
}

fn placement(pose: &Pose) -> Placement {
    Placement {
        rotation: pose.rotation().transpose().to_cols_array_2d(),
        translation: pose.translation().to_array(),
        scale: 1.0,
    }
}
