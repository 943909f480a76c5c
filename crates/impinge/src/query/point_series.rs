//! Closest points to points that come in a row.
//!
//! Two things are known from the point before. Its closest point is a point of the boundary, so that the next one is no farther away. And whether it is
//! inside: no surface is nearer to a point than the closest one, so that two points of which one is in the free ball around the other are on the same
//! side. Neither changes an answer; both spare work, if the points are near each other.

use super::geometry::{GeometryRef, Placed};
use super::part::MeshRef;
use super::{ClosestPoint, PartFeature, Workspace};
use crate::mesh::{self, Mode, Scratch, Winding};
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::UNIT_ROUNDOFF;
use impinge_geom::{Pose, point};

/// How many points a thread takes at a time.
pub(super) const PORTION: usize = 256;

/// Closest points of one geometry to many points, one after the other.
///
/// The answers are those of [`closest_point`](super::closest_point()), in any order; in one where points are near those before
/// them they come faster. [`closest_points`](super::closest_points) sorts them so.
///
/// ```
/// use impinge::{Pose, Shape, query};
/// let ball = Shape::sphere(1.0)?;
/// let mut series = query::PointSeries::new(&Pose::IDENTITY, &ball);
/// let distances = [1.5, 0.5].map(|x| series.closest_point([x, 0.0, 0.0]).map(|found| found.distance));
/// assert_eq!(distances, [Some(0.5), Some(-0.5)]);
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PointSeries<'g> {
    parts: Vec<(Placed<'g>, Trace)>,
    workspace: Workspace,
}

impl<'g> PointSeries<'g> {
    /// Of a geometry at a world pose.
    pub fn new(pose: &Pose, geometry: impl Into<GeometryRef<'g>>) -> Self {
        let parts = geometry.into().parts(pose).map(|part| (part, Trace::default())).collect();
        Self { parts, workspace: Workspace::default() }
    }

    /// The closest point of the boundary; the distance is negative inside a solid. `None` if the point is not finite.
    pub fn closest_point(&mut self, point: impl Into<DVec3>) -> Option<ClosestPoint> {
        let (point, workspace) = (point.into(), &mut self.workspace);
        super::closest_point::nearest(self.parts.iter_mut(), point, |(part, trace)| {
            part.closest_point_after(trace, point, workspace)
        })
    }
}

/// What is known of a mesh from the point before, in the mesh's own frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trace {
    /// A point of the surface.
    nearest: Option<DVec3>,
    /// A point off the surface of a closed mesh, and whether it is inside.
    side: Option<(DVec3, bool)>,
}

impl Trace {
    /// Whether a point is inside a solid; `distance` is that to its closest point.
    fn is_inside(
        &mut self,
        part: MeshRef<'_>,
        point: DVec3,
        distance: f64,
        scratch: &mut Scratch,
    ) -> bool {
        if part.mode() != Mode::Solid {
            return false;
        }
        if let Some((known, inside)) = self.side {
            // Distances are right to a few units in the last place of the coordinates, which are no larger than this.
            let frame = part.mesh().tree().frame();
            let size = frame.center().abs().max_element() + frame.extent() / frame.factor();
            let largest = size + point.abs().max_element() + known.abs().max_element();
            if known.distance(point) < distance - ROUNDING * largest {
                self.side = Some((point, inside));
                return inside;
            }
        }
        let winding = mesh::winding(part.mesh(), point, scratch);
        if let Winding::Number(_) = winding {
            self.side = Some((point, winding.is_inside()));
        }
        !matches!(winding, Winding::Surface(_)) && winding.is_inside()
    }
}

/// More than the relative error of a distance between points.
const ROUNDING: f64 = 64.0 * UNIT_ROUNDOFF;

impl Placed<'_> {
    /// The nearest point of one part's boundary, and what is known for the next one.
    pub(super) fn closest_point_after(
        &self,
        trace: &mut Trace,
        point: DVec3,
        workspace: &mut Workspace,
    ) -> ClosestPoint {
        self.part.fold(
            |shape| {
                let found = point::signed_distance(shape, self.pose.inverse_transform_point(point));
                ClosestPoint {
                    child: self.id,
                    distance: found.distance,
                    point: self.pose.transform_point(found.point),
                    feature: PartFeature::of_shape(found.feature),
                }
            },
            |part| {
                let (scratch, local) = (&mut workspace.mesh, part.to_local(&self.pose, point));
                let found = match trace.nearest {
                    Some(known) => part.mesh().closest_point_beside(known, local, scratch),
                    None => part.mesh().closest_point(local, scratch),
                };
                trace.nearest = found.distance.is_finite().then_some(found.point);
                let inside = trace.is_inside(part, local, found.distance, scratch);
                let distance = found.distance * part.scale();
                ClosestPoint {
                    child: self.id,
                    distance: if inside { -distance } else { distance },
                    point: part.to_world(&self.pose, found.point),
                    feature: PartFeature::of_triangle(found.triangle, found.feature),
                }
            },
        )
    }
}
