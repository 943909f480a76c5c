//! The support table or planes of one volume of a hierarchy.

use super::super::ScaledPose;
use impinge_geom::glam::DVec3;
use impinge_geom::hull::Hull;
use impinge_geom::number::tolerance::ORTHONORMAL_ROWS;
use impinge_geom::support_plane::{
    Enclosure, FaceMapping, Grid, PlaneTable, Side, SupportPlane, SupportTable, TablePair,
    VertexMapping, margin, rejects, table_margin,
};

/// What is added to the volumes of a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SupportKind {
    /// Tables of support values, and the number of axes to try.
    Tables {
        /// Cells along each side of a table, from 2 to 254.
        cells: usize,
        /// From 1, the line of centres alone.
        axes: u32,
    },
    /// Support planes, with Theorem 3.2 on a volume of the same part.
    Planes {
        /// Where planes come from.
        mapping: SupportMapping,
        /// What they are added to.
        volume: SupportVolume,
    },
}

/// Where support planes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SupportMapping {
    /// All support planes: VSPM.
    Vertices,
    /// Planes on faces of the hull: FSPM.
    Faces,
    /// Support planes for sampled directions: DVSPM.
    SampledVertices(Grid),
    /// Planes on faces for sampled directions: DFSPM.
    SampledFaces(Grid),
}

/// The volume to which support planes are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SupportVolume {
    /// The smallest sphere.
    Sphere,
    /// The box along the mesh's axes.
    Aabb,
    /// A box along the axes of the hull.
    Obb,
}

impl Default for SupportKind {
    /// Tables of 32 × 32 cells and three axes: of what was measured, the most that is parted for its price.
    fn default() -> Self {
        Self::Tables { cells: 32, axes: 3 }
    }
}

/// What is known of one place.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Table { table: SupportTable, axes: u32 },
    Planes { volume: Enclosure, mapping: Mapping },
}

#[derive(Clone, Debug)]
pub(super) enum Mapping {
    Vertices(VertexMapping),
    Faces(FaceMapping),
    Sampled(PlaneTable),
}

impl Mapping {
    fn new(hull: &Hull, mapping: SupportMapping) -> Self {
        match mapping {
            SupportMapping::Vertices => Self::Vertices(VertexMapping::new(hull)),
            SupportMapping::Faces => Self::Faces(FaceMapping::new(hull)),
            SupportMapping::SampledVertices(grid) => {
                Self::Sampled(PlaneTable::vertex_based(hull, grid).fully_bounding(hull))
            }
            SupportMapping::SampledFaces(grid) => {
                Self::Sampled(PlaneTable::face_based(hull, grid).fully_bounding(hull))
            }
        }
    }

    #[inline]
    fn plane(&self, direction: DVec3) -> SupportPlane {
        match self {
            Self::Vertices(mapping) => mapping.plane(direction),
            Self::Faces(mapping) => mapping.plane(direction),
            Self::Sampled(table) => table.plane(direction),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Vertices(mapping) => mapping.bytes(),
            Self::Faces(mapping) => mapping.bytes(),
            Self::Sampled(table) => table.bytes(),
        }
    }
}

impl Node {
    /// What is known of a part with these vertices; nothing if there are none.
    pub(super) fn new(points: &[[f64; 3]], kind: SupportKind) -> Option<Self> {
        let hull = Hull::new(points).ok()?;
        Some(match kind {
            SupportKind::Tables { cells, axes } => {
                Self::Table { table: SupportTable::new(&hull, cells), axes }
            }
            SupportKind::Planes { mapping, volume } => {
                let volume = match volume {
                    SupportVolume::Sphere => Enclosure::sphere_of(hull.vertices()),
                    SupportVolume::Aabb => Enclosure::aabb_of(hull.vertices()),
                    SupportVolume::Obb => Enclosure::obb_of(hull.vertices()),
                };
                Self::Planes { volume, mapping: Mapping::new(&hull, mapping) }
            }
        })
    }

    /// Both tables, and along how many axes to look; `None` if one has planes.
    #[inline]
    pub(super) fn tables<'t>(
        &'t self,
        other: &'t Self,
        b_in_a: &'t ScaledPose,
    ) -> Option<(TablePair<'t>, u32)> {
        let (Self::Table { table: a, axes }, Self::Table { table: b, .. }) = (self, other) else {
            return None;
        };
        Some((TablePair::new(a, b, &b_in_a.pose, b_in_a.scale), *axes))
    }

    /// True if the part is certainly apart from another one, `None` if the two are of different kinds.
    #[inline]
    pub(super) fn apart(&self, other: &Self, b_in_a: &ScaledPose) -> Option<bool> {
        if let Some((pair, axes)) = self.tables(other, b_in_a) {
            return Some(if axes <= 1 {
                pair.parted()
            } else {
                pair.reflected(axes).axis.is_some()
            });
        }
        match (self, other) {
            (
                Self::Planes { volume: volume_a, mapping: a },
                Self::Planes { volume: volume_b, mapping: b },
            ) => Some(planes_part([volume_a, volume_b], [a, b], b_in_a)),
            _ => None,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Table { table, .. } => table.bytes(),
            Self::Planes { mapping, .. } => mapping.bytes(),
        }
    }
}

/// Theorem 3.2 with one plane of each, in A's frame.
fn planes_part(volumes: [&Enclosure; 2], [a, b]: [&Mapping; 2], b_in_a: &ScaledPose) -> bool {
    let (pose, scale) = (&b_in_a.pose, b_in_a.scale);
    let [volume_a, volume_b] = [*volumes[0], volumes[1].moved(pose, scale)];
    let [to_b, to_a] = volume_a.directions(&volume_b);
    let plane_a = a.plane(to_b);
    let plane_b = b.plane(pose.inverse_rotate(to_a)).moved(pose, scale);
    let reach = volume_a.half().max_element() + volume_b.half().max_element();
    let own = volumes[1].center().abs().max_element() * scale;
    let largest = volume_a.center().abs().max_element()
        + pose.translation().abs().max_element()
        + own
        + 2.0 * reach;
    let coarse = if matches!((a, b), (Mapping::Sampled(_), _) | (_, Mapping::Sampled(_))) {
        table_margin(2.0 * reach)
    } else {
        0.0
    };
    let sides =
        [Side { volume: volume_a, plane: plane_a }, Side { volume: volume_b, plane: plane_b }];
    // Planes are turned as if the rows of the pose were those of a rotation, which they are this far.
    let turned = 4.0 * ORTHONORMAL_ROWS * largest;
    rejects(&sides[0], &sides[1], margin(largest) + turned + coarse)
}
