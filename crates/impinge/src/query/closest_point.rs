//! Which point is nearest, and is a point inside?

use super::batch::batch;
use super::geometry::{GeometryRef, Placed};
use super::point_series::{PORTION, PointSeries, Trace};
use super::{ClosestPoint, Workspace};
use crate::mesh::{self, Mode, Winding};
use impinge_geom::Pose;
use impinge_geom::glam::DVec3;
use impinge_geom::point;
use impinge_tree::{curve, parallel::tasks};

/// The closest point of a geometry's boundary to a point, in world coordinates; the distance is negative inside a solid. Of several equally
/// near, that of the first child. `None` if the point is not finite.
///
/// ```
/// use impinge::{Mesh, Pose, query};
/// let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let wedge = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let place = Pose::from_translation([10.0, 0.0, 0.0])?;
/// let found = query::closest_point(&place, &wedge, [10.5, 1.0, 1.0]).unwrap();
/// assert_eq!((found.distance, found.point.x), (-0.5, 10.0));
/// assert!(query::closest_point(&place, &wedge, [f64::NAN; 3]).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_point<'g>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    point: impl Into<DVec3>,
) -> Option<ClosestPoint> {
    closest_point_with(pose, geometry, point, &mut Workspace::default())
}

/// Like [`closest_point`], with the caller's memory.
pub fn closest_point_with<'g>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    point: impl Into<DVec3>,
    workspace: &mut Workspace,
) -> Option<ClosestPoint> {
    let (point, parts) = (point.into(), geometry.into().parts(pose));
    nearest(parts, point, |part| part.closest_point(point, workspace))
}

/// The nearest of the points that the parts give.
pub(super) fn nearest<P>(
    parts: impl Iterator<Item = P>,
    point: DVec3,
    mut ask: impl FnMut(P) -> ClosestPoint,
) -> Option<ClosestPoint> {
    if !point.is_finite() {
        return None;
    }
    let mut best: Option<ClosestPoint> = None;
    for part in parts {
        let found = ask(part);
        if best.is_none_or(|best| found.distance < best.distance) {
            best = Some(found);
        }
    }
    best
}

/// Like [`closest_point`], for many points, on all threads: see [`PointSeries`].
///
/// ```
/// use impinge::{Pose, Shape, query};
/// let points = [[3.0, 0.0, 0.0], [0.5, 0.0, 0.0], [f64::INFINITY, 0.0, 0.0]];
/// let found = query::closest_points(&Pose::IDENTITY, &Shape::sphere(1.0)?, &points);
/// let distances: Vec<_> = found.iter().map(|found| found.map(|found| found.distance)).collect();
/// assert_eq!(distances, [Some(2.0), Some(-0.5), None]);
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
pub fn closest_points<'g, P: Into<DVec3> + Copy + Sync>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    points: &[P],
) -> Vec<Option<ClosestPoint>> {
    let series = PointSeries::new(pose, geometry);
    let points: Vec<DVec3> = points.iter().map(|&point| point.into()).collect();
    let order = curve::order(&points);
    let portions: Vec<&[usize]> = order.chunks(PORTION).collect();
    let portion = |k: usize| {
        let mut series = series.clone();
        portions[k].iter().map(|&at| series.closest_point(points[at])).collect::<Vec<_>>()
    };
    let mut answers = vec![None; points.len()];
    let found = tasks(portions.len(), portion).into_iter().flatten();
    for (place, answer) in order.iter().zip(found) {
        answers[*place] = answer;
    }
    answers
}

/// True if a point, in world coordinates, belongs to a geometry: on its boundary, or inside a solid. Exact for closed meshes.
///
/// ```
/// use impinge::{Pose, Shape, query};
/// let ball = Shape::sphere(1.0)?;
/// let place = Pose::from_translation([10.0, 0.0, 0.0])?;
/// assert!(query::contains_point(&place, &ball, [10.5, 0.0, 0.0]));
/// assert!(!query::contains_point(&place, &ball, [0.5, 0.0, 0.0]));
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
pub fn contains_point<'g>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    point: impl Into<DVec3>,
) -> bool {
    contains_point_with(pose, geometry, point, &mut Workspace::default())
}

/// Like [`contains_point`], with the caller's memory.
pub fn contains_point_with<'g>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    point: impl Into<DVec3>,
    workspace: &mut Workspace,
) -> bool {
    let point = point.into();
    point.is_finite() && geometry.into().parts(pose).any(|part| part.contains(point, workspace))
}

/// Like [`contains_point`], for many points, on all threads.
///
/// ```
/// use impinge::{Pose, Shape, query};
/// let points = [[3.0, 0.0, 0.0], [0.5, 0.0, 0.0]];
/// let ball = Shape::sphere(1.0)?;
/// assert_eq!(query::contains_points(&Pose::IDENTITY, &ball, &points), [false, true]);
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
pub fn contains_points<'g, P: Into<DVec3> + Copy + Sync>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    points: &[P],
) -> Vec<bool> {
    let geometry = geometry.into();
    batch(points, |&point, workspace| contains_point_with(pose, geometry, point, workspace))
}

impl Placed<'_> {
    /// The nearest point of one part's boundary.
    pub(crate) fn closest_point(&self, point: DVec3, workspace: &mut Workspace) -> ClosestPoint {
        self.closest_point_after(&mut Trace::default(), point, workspace)
    }

    fn contains(&self, point: DVec3, workspace: &mut Workspace) -> bool {
        self.part.fold(
            |shape| point::contains(shape, self.pose.inverse_transform_point(point)),
            |part| {
                let local = part.to_local(&self.pose, point);
                match (mesh::winding(part.mesh(), local, &mut workspace.mesh), part.mode()) {
                    (Winding::Surface(_), _) => true,
                    (_, Mode::Surface) => false,
                    (winding, Mode::Solid) => winding.is_inside(),
                }
            },
        )
    }
}
