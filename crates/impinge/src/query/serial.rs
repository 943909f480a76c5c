//! How meshes and geometries are serialised (feature `serde`): meshes by their vertices and triangles, with the BVH built again when they
//! are read. Shared meshes are written once for each place that they are in.

use super::{Child, Geometry, InvalidGeometry, MeshPart, Part};
use crate::mesh::{Mesh, MeshError, Mode};
use impinge_geom::glam::DVec3;
use impinge_geom::{Pose, Shape};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::sync::Arc;

#[derive(Serialize, Deserialize)]
#[serde(rename = "Mesh")]
pub(crate) struct MeshData<'m> {
    vertices: Cow<'m, [DVec3]>,
    triangles: Cow<'m, [[u32; 3]]>,
}

impl Serialize for Mesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (vertices, triangles) = (self.vertices().into(), self.triangles().into());
        MeshData { vertices, triangles }.serialize(serializer)
    }
}

impl TryFrom<MeshData<'_>> for Mesh {
    type Error = MeshError;

    fn try_from(data: MeshData<'_>) -> Result<Self, MeshError> {
        Self::new(&data.vertices, &data.triangles)
    }
}

impl<'de> Deserialize<'de> for Mesh {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let data = MeshData::deserialize(deserializer)?;
        data.try_into().map_err(serde::de::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PartData {
    Shape(Shape),
    Mesh { mesh: Box<Mesh>, mode: Mode, scale: f64 },
}

/// A part in its place; the place of a geometry's only part, if it is no compound, is left out.
#[derive(Serialize, Deserialize)]
struct ChildData {
    id: u32,
    pose: Option<Pose>,
    part: PartData,
}

impl Serialize for Geometry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let child = |child: &Child| ChildData {
            id: child.id,
            pose: (!self.is_single()).then_some(child.pose),
            part: match &child.part {
                Part::Shape(shape) => PartData::Shape(shape.clone()),
                Part::Mesh(part) => PartData::Mesh {
                    mesh: Box::new(part.mesh().as_ref().clone()),
                    mode: part.mode(),
                    scale: part.scale(),
                },
            },
        };
        serializer.collect_seq(self.children().iter().map(child))
    }
}

impl<'de> Deserialize<'de> for Geometry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let children = Vec::<ChildData>::deserialize(deserializer)?;
        geometry(children).map_err(serde::de::Error::custom)
    }
}

fn geometry(children: Vec<ChildData>) -> Result<Geometry, InvalidGeometry> {
    let single = matches!(children.as_slice(), [child] if child.pose.is_none());
    let mut parts = Vec::with_capacity(children.len());
    for ChildData { id, pose, part } in children {
        let part = match part {
            PartData::Shape(shape) => Part::Shape(shape),
            PartData::Mesh { mesh, mode, scale } => {
                Part::Mesh(MeshPart::new(Arc::from(mesh), mode).with_scale(scale)?)
            }
        };
        if single {
            return Ok(Geometry::single(part));
        }
        parts.push((id, pose.unwrap_or(Pose::IDENTITY), part));
    }
    Geometry::compound(parts)
}
