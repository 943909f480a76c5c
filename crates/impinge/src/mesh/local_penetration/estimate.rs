//! The deepest common point where a mesh is open: of points on and between the faces that meet, the deepest that is inside by the generalised winding
//! number. An estimate: it is a common point by that number, and perhaps there is a deeper one.

use super::SurfaceDepth;
use crate::mesh::{Mesh, ScaledPose, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::intersection;

/// Points that are looked at, at most.
const POINTS: usize = 12;
/// A generalised winding number above this is inside.
const INSIDE: f64 = 0.5;

/// The deepest of some points of Y below the surface of X, in X's frame. `met` are pairs of faces, of Y and of X, that meet, ascending.
pub(super) fn deepest<B: Bound>(
    x: &Mesh<B>,
    y: &Mesh<B>,
    y_in_x: &ScaledPose,
    met: &[[u32; 2]],
    scratch: &mut Scratch,
) -> Option<SurfaceDepth> {
    let bounds = x.bounds();
    // Points, each with a face of X that is near it.
    let mut points: Vec<(DVec3, u32)> = Vec::new();
    if met.is_empty() {
        let step = (y.triangles.len() / POINTS).max(1);
        let corners = (0..y.triangles.len()).step_by(step).map(|face| y.corners(face as u32)[0]);
        points.extend(corners.map(|p| (y_in_x.transform_point(p), 0)));
    } else {
        between_cuts(x, y, y_in_x, met, &mut points);
        let mut vertices: Vec<(u32, u32)> = Vec::new();
        for [own, other] in met.chunk_by(|one, two| one[0] == two[0]).map(|group| group[0]) {
            let corners = y.triangles.get(own as usize).into_iter().flatten();
            vertices.extend(corners.map(|&vertex| (vertex, other)));
        }
        vertices.sort_unstable();
        vertices.dedup_by_key(|(vertex, _)| *vertex);
        let placed =
            |&(vertex, face): &(u32, u32)| (y_in_x.transform_point(y.vertex(vertex)), face);
        points.extend(vertices.iter().map(placed));
    }
    points.retain(|(p, _)| bounds.contains(*p));
    let step = points.len().div_ceil(POINTS).max(1);
    let mut ranked: Vec<(f64, DVec3)> = points
        .into_iter()
        .step_by(step)
        .map(|(p, face)| (x.closest_point_from(face, p, scratch).distance, p))
        .collect();
    ranked.sort_by(|one, two| two.0.total_cmp(&one.0));
    let inside = |(_, p): &&(f64, DVec3)| x.estimated_winding(*p).abs() > INSIDE;
    let found = ranked.iter().find(inside);
    found.map(|&(value, point)| SurfaceDepth { value, upper: f64::INFINITY, point })
}

/// Points midway between two places where X cuts one face of Y: what is thin is entered and left within a face.
fn between_cuts<B: Bound>(
    x: &Mesh<B>,
    y: &Mesh<B>,
    y_in_x: &ScaledPose,
    met: &[[u32; 2]],
    points: &mut Vec<(DVec3, u32)>,
) {
    let groups = met.chunk_by(|one, two| one[0] == two[0]).filter(|group| group.len() > 1);
    let count = groups.clone().count();
    for group in groups.step_by(count.div_ceil(POINTS / 2).max(1)) {
        let corners = y_in_x.map_corners(y.corners(group[0][0]));
        let step = (group.len() / 2).max(1);
        let mut last: Option<DVec3> = None;
        for pair in group.iter().step_by(step) {
            let common = intersection(&corners, &x.corners(pair[1]));
            let ends = common.points();
            if ends.is_empty() {
                continue;
            }
            let middle = ends.iter().fold(DVec3::ZERO, |sum, p| sum + *p / ends.len() as f64);
            points.extend(last.map(|last| (0.5 * last + 0.5 * middle, pair[1])));
            last = Some(middle);
        }
    }
}
