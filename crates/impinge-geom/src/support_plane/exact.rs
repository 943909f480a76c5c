//! Exact mappings: every support plane, and the planes on the faces of the hull.
//!
//! The vertex-based mapping of section 2 answers a direction with the plane across it through the farthest vertex. The
//! face-based one answers with the face plane whose normal is closest. That face is not always one at the farthest vertex; but it is the
//! farthest vertex of another hull, that of the normals themselves, so that both are found by the same search.

use super::bounded::AXES;
use super::{NestedHulls, SupportPlane};
use crate::hull::Hull;
use crate::number::length::length_and_unit;
use glam::DVec3;

/// All support planes of a body.
///
/// ```
/// use impinge_geom::{glam::DVec3, hull::Hull, support_plane::VertexMapping};
/// let hull = Hull::new(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
/// let mapping = VertexMapping::new(&hull);
/// let plane = mapping.plane(DVec3::new(0.0, 0.0, 2.0));
/// assert_eq!((plane.normal, plane.offset, plane.point), (DVec3::Z, 4.0, DVec3::Z * 4.0));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct VertexMapping {
    vertices: Vec<DVec3>,
    nested: NestedHulls,
}

impl VertexMapping {
    /// Creates the mapping of a hull, or of a body with that hull.
    pub fn new(hull: &Hull) -> Self {
        Self { vertices: hull.vertices().to_vec(), nested: NestedHulls::new(hull) }
    }

    /// The plane with this direction as its normal; for the zero vector, some support plane.
    #[inline]
    pub fn plane(&self, direction: DVec3) -> SupportPlane {
        let normal = length_and_unit(direction).map_or(DVec3::X, |(_, unit)| unit);
        let vertex = self.nested.farthest(normal) as usize;
        let point = self.vertices.get(vertex).copied().unwrap_or(DVec3::ZERO);
        SupportPlane::through(point, normal)
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        24 * self.vertices.len() + self.nested.bytes()
    }
}

/// The support planes on the faces of a body's hull.
///
/// A hull without volume has faces on two sides only, or none; the six planes across the axes are then added.
///
/// ```
/// use impinge_geom::{glam::DVec3, hull::Hull, support_plane::FaceMapping};
/// let hull = Hull::new(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
/// let mapping = FaceMapping::new(&hull);
/// assert_eq!(mapping.planes().len(), 4);
/// assert_eq!(mapping.plane(DVec3::new(0.1, 0.1, -1.0)).normal, -DVec3::Z);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FaceMapping {
    planes: Vec<SupportPlane>,
    /// The hull of the normals; its vertices are planes by `owners`.
    normals: NestedHulls,
    owners: Vec<u32>,
}

impl FaceMapping {
    /// Creates the mapping of the faces of a hull.
    pub fn new(hull: &Hull) -> Self {
        let mut planes: Vec<SupportPlane> = (0..hull.face_count() as u32)
            .map(|face| {
                let normal = hull.face_normal(face);
                let vertex = |v: &u32| hull.vertices().get(*v as usize).copied();
                let point = hull.face(face).first().and_then(vertex).unwrap_or(hull.center());
                SupportPlane { normal, offset: hull.face_offset(face), point }
            })
            .collect();
        if hull.dimension() < 3 {
            let all = VertexMapping::new(hull);
            planes.extend(AXES.map(|axis| all.plane(axis)));
        }
        let normals: Vec<[f64; 3]> = planes.iter().map(|plane| plane.normal.to_array()).collect();
        // Normals are finite and there are some: the hull's faces, or the six axes.
        let (normals, owners) = match Hull::new(&normals) {
            Ok(normals) => (NestedHulls::new(&normals), normals.input_indices().to_vec()),
            Err(_) => (NestedHulls::new(hull), Vec::new()),
        };
        Self { planes, normals, owners }
    }

    /// All planes.
    pub fn planes(&self) -> &[SupportPlane] {
        &self.planes
    }

    /// The index of the plane whose normal is closest to a direction.
    #[inline]
    pub fn index(&self, direction: DVec3) -> u32 {
        let vertex = self.normals.farthest(direction);
        self.owners.get(vertex as usize).copied().unwrap_or(0)
    }

    /// The plane whose normal is closest to a direction.
    #[inline]
    pub fn plane(&self, direction: DVec3) -> SupportPlane {
        let none = SupportPlane { normal: DVec3::X, offset: f64::INFINITY, point: DVec3::ZERO };
        self.planes.get(self.index(direction) as usize).copied().unwrap_or(none)
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<SupportPlane>() * self.planes.len() + self.normals.bytes() + 4 * self.owners.len()
    }
}
