//! What is added to the volumes of the first levels: support planes, tables of reach, or the exact hull.

use super::classic::Work;
use impinge::geom::glam::DVec3;
use impinge::geom::hull::Hull;
use impinge::geom::pair::{self, Cache};
use impinge::geom::support_plane::{
    Enclosure, FaceMapping, Grid, PlaneTable, Side, SupportPlane, SupportTable, TablePair,
    VertexMapping, margin, rejects, table_margin,
};
use impinge::geom::{Shape, Verdict};
use impinge::mesh::ScaledPose;

/// The paper's density.
pub(super) const DENSITY: u8 = 32;

/// What is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addition {
    /// All support planes.
    Vertices,
    /// Planes on faces of the hull.
    Faces,
    /// Support planes of sampled directions.
    SampledVertices(Grid),
    /// Planes on faces of the hull, of sampled directions.
    SampledFaces(Grid),
    /// Support tables, with the number of axes to test.
    Tables(u32),
    /// The hull itself: no convex volume rejects more.
    Hulls,
}

impl Addition {
    /// As the paper's legends have it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Vertices => "VSPM",
            Self::Faces => "FSPM",
            Self::SampledVertices(Grid::Angular(_)) => "DVSPM",
            Self::SampledVertices(Grid::Octahedral(_)) => "DVSPM, octahedral",
            Self::SampledFaces(Grid::Angular(_)) => "DFSPM",
            Self::SampledFaces(Grid::Octahedral(_)) => "DFSPM, octahedral",
            Self::Tables(1) => "support table, 1 axis",
            Self::Tables(_) => "CW3",
            Self::Hulls => "exact hulls",
        }
    }

    pub(super) const DVSPM: Self = Self::SampledVertices(Grid::Angular(DENSITY));
    pub(super) const DFSPM: Self = Self::SampledFaces(Grid::Angular(DENSITY));
    pub(super) const CW3: Self = Self::Tables(3);
}

/// What is known of one part.
pub(super) enum Added {
    Vertices(VertexMapping),
    Faces(FaceMapping),
    /// With the price of a lookup.
    Sampled(PlaneTable, f64),
    Table(SupportTable, u32),
    Hull(Box<Shape>),
}

/// Arithmetic of a look by planes without the lookups, counted in the code with additions, products, comparisons and magnitudes 1, divisions 4, roots 6,
/// arc tangents 25, and no early exits: a direction turned back (15), a plane moved (43), two offsets (12), four heights (24), and the test of
/// both sides, 62 for a sphere and 61 for a box, whose own axes take 60 more; the middle of a common box takes 28.
const PLANES: [f64; 3] = [218.0, 244.0, 276.0];
/// A lookup by two angles, and by a face of the octahedron.
const LOOKUP: [f64; 2] = [66.0, 18.0];
/// `TablePair::new`: the second centre scaled (3), turned (15) and moved (3), the way (3), the margin (10).
const PLACE: f64 = 34.0;
/// An axis: turned back (15), two cells of 22, two reaches of 7, the gap (8), the comparison with the margin (2).
const AXIS: f64 = 83.0;
/// A reflection: two corners of 11, one of them turned and scaled (18), the way between (6), the mirrored axis (16), its side (6).
const MIRROR: f64 = 68.0;

fn lookup(grid: Grid) -> f64 {
    match grid {
        Grid::Angular(_) => LOOKUP[0],
        Grid::Octahedral(_) => LOOKUP[1],
    }
}

impl Added {
    /// Of a part with this hull.
    pub(super) fn new(hull: &Hull, addition: Addition) -> Option<Self> {
        Some(match addition {
            Addition::Vertices => Self::Vertices(VertexMapping::new(hull)),
            Addition::Faces => Self::Faces(FaceMapping::new(hull)),
            Addition::SampledVertices(grid) => {
                let table = PlaneTable::vertex_based(hull, grid).fully_bounding(hull);
                Self::Sampled(table, lookup(grid))
            }
            Addition::SampledFaces(grid) => {
                let table = PlaneTable::face_based(hull, grid).fully_bounding(hull);
                Self::Sampled(table, lookup(grid))
            }
            Addition::Tables(axes) => {
                Self::Table(SupportTable::new(hull, usize::from(DENSITY)), axes)
            }
            Addition::Hulls => {
                let points: Vec<[f64; 3]> = hull.vertices().iter().map(|p| p.to_array()).collect();
                Self::Hull(Box::new(Shape::hull(&points).ok()?))
            }
        })
    }

    /// The memory that planes or tables take.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Vertices(mapping) => mapping.bytes(),
            Self::Faces(mapping) => mapping.bytes(),
            Self::Sampled(table, _) => table.bytes(),
            Self::Table(table, _) => table.bytes(),
            Self::Hull(_) => 0,
        }
    }

    fn plane(&self, direction: DVec3) -> Option<SupportPlane> {
        match self {
            Self::Vertices(mapping) => Some(mapping.plane(direction)),
            Self::Faces(mapping) => Some(mapping.plane(direction)),
            Self::Sampled(table, _) => Some(table.plane(direction)),
            Self::Table(..) | Self::Hull(_) => None,
        }
    }

    /// True if two parts are certainly apart. The volumes are in A's frame.
    pub(super) fn apart(
        &self,
        other: &Self,
        volumes: [&Enclosure; 2],
        place: &ScaledPose,
        cache: &mut Cache,
        work: &mut Work,
    ) -> bool {
        let apart = match (self, other) {
            (Self::Table(a, axes), Self::Table(b, _)) => {
                let found = TablePair::new(a, b, &place.pose, place.scale).reflected(*axes);
                // A search that ends before its last axis has looked at one mirrored axis more.
                let ended = found.axis.is_none() && found.tried < *axes;
                let mirrors = found.tried - u32::from(!ended);
                work.price += PLACE + AXIS * f64::from(found.tried) + MIRROR * f64::from(mirrors);
                found.axis.is_some()
            }
            (Self::Hull(a), Self::Hull(b)) => {
                pair::verdict(a, b, &place.pose, cache) == Verdict::Separated
            }
            _ => {
                work.price += PLANES[match volumes[0] {
                    Enclosure::Sphere { .. } => 0,
                    Enclosure::Aabb { .. } => 1,
                    Enclosure::Obb { .. } => 2,
                }];
                if let (Self::Sampled(_, a), Self::Sampled(_, b)) = (self, other) {
                    work.price += a + b;
                }
                self.planes_part(other, volumes, place)
            }
        };
        work.supports += 1;
        work.apart += u64::from(apart);
        apart
    }

    /// Theorem 3.2 with one plane of each.
    fn planes_part(&self, other: &Self, [a, b]: [&Enclosure; 2], place: &ScaledPose) -> bool {
        let (pose, scale) = (&place.pose, place.scale);
        let [to_b, to_a] = a.directions(b);
        let planes = self.plane(to_b).zip(other.plane(pose.inverse_rotate(to_a)));
        let Some((plane_a, plane_b)) = planes else { return false };
        let reach = a.half().max_element() + b.half().max_element();
        let largest = a.center().abs().max_element()
            + b.center().abs().max_element()
            + 2.0 * pose.translation().abs().max_element()
            + 2.0 * reach;
        let sampled = |side: &Self| matches!(side, Self::Sampled(..));
        let coarse = if sampled(self) || sampled(other) { table_margin(2.0 * reach) } else { 0.0 };
        let side_a = Side { volume: *a, plane: plane_a };
        let side_b = Side { volume: *b, plane: plane_b.moved(pose, scale) };
        rejects(&side_a, &side_b, margin(largest) + coarse)
    }
}
