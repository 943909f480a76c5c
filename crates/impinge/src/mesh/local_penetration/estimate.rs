//! The deepest common point where a mesh is open: of points on and between the faces that meet, the deepest that is inside by the generalised winding
//! number. An estimate: it is a common point by that number, and perhaps there is a deeper one.
//!
//! A dozen points tell overlaps apart. Before an overlap is called less than some depth, [`deepest_of_many`] looks at some hundreds: all vertices, all pieces
//! between cuts, and the middles of chords through the body. The last are for bodies that are flush on all sides: their surfaces are nowhere deep in each
//! other, and yet they share all they have.

use super::SurfaceDepth;
use crate::mesh::{Mesh, ScaledPose, Scratch};
use impinge_geom::DAabb;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::ray::Ray;
use impinge_geom::triangle::intersection;

/// Points that are looked at, at most.
const POINTS: usize = 12;
/// And at a closer look, of each kind.
const MANY: usize = 64;
/// Chords begin within this share of the other body's size.
const NEAR: f64 = 0.1;
/// How far from a face a chord begins, as a share of the largest coordinate: more than rounding.
const OFF: f64 = 1e-9;
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
        between_cuts(x, y, y_in_x, met, [POINTS, 2], &mut points);
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
    thin_out(&mut points, POINTS);
    deepest_among(x, points, 0.0, scratch, |_| true)
}

/// The deepest of many points of Y, below the surface of X and deeper than `above`.
pub(super) fn deepest_of_many<B: Bound>(
    x: &Mesh<B>,
    y: &Mesh<B>,
    y_in_x: &ScaledPose,
    met: &[[u32; 2]],
    above: f64,
    scratch: &mut Scratch,
) -> Option<SurfaceDepth> {
    let bounds = x.bounds();
    let mut points: Vec<(DVec3, u32)> =
        y.used_vertices().map(|p| (y_in_x.transform_point(p), 0)).collect();
    points.retain(|(p, _)| bounds.contains(*p));
    thin_out(&mut points, MANY);
    let mut between = Vec::new();
    between_cuts(x, y, y_in_x, met, [MANY, 16], &mut between);
    between.retain(|(p, _)| bounds.contains(*p));
    thin_out(&mut between, MANY);
    points.append(&mut between);
    let on_surface = deepest_among(x, points, above, scratch, |_| true);
    let back = y_in_x.inverse();
    let middles = chords(y, y_in_x, &bounds, scratch).into_iter().map(|p| (p, 0)).collect();
    let is_in_y = |p: DVec3| y.estimated_winding(back.transform_point(p)).abs() > INSIDE;
    let inside = deepest_among(x, middles, above, scratch, is_in_y);
    [on_surface, inside].into_iter().flatten().max_by(|one, two| one.value.total_cmp(&two.value))
}

/// Keeps at most this number, evenly spread.
fn thin_out<T>(points: &mut Vec<T>, most: usize) {
    let step = points.len().div_ceil(most).max(1);
    let mut index = 0;
    points.retain(|_| {
        index += 1;
        (index - 1) % step == 0
    });
}

/// The middles of chords across faces of Y that are near a box: in X's frame, and in the box.
fn chords<B: Bound>(
    y: &Mesh<B>,
    y_in_x: &ScaledPose,
    bounds: &DAabb,
    scratch: &mut Scratch,
) -> Vec<DVec3> {
    let of_y = y.bounds();
    let off = OFF * of_y.low.abs().max(of_y.high.abs()).max_element();
    let near = bounds.grown(NEAR * (bounds.high - bounds.low).max_element());
    let centre = |face: u32| y.corners(face).iter().sum::<DVec3>() / 3.0;
    let mut faces: Vec<u32> = (0..y.triangles.len() as u32)
        .filter(|&face| near.contains(y_in_x.transform_point(centre(face))))
        .collect();
    thin_out(&mut faces, MANY / 2);
    let mut middles = Vec::new();
    for face in faces {
        let [p, q, r] = y.corners(face);
        let Some(normal) = (q - p).cross(r - p).try_normalize() else { continue };
        // Faces of open meshes may look either way.
        for along in [normal, -normal] {
            let from = centre(face) + along * off;
            let Ok(ray) = Ray::new(from.to_array(), along.to_array()) else { continue };
            let Some(found) = y.cast_ray(&ray, scratch) else { continue };
            let middle = y_in_x.transform_point(from + along * (0.5 * found.hit.t));
            if bounds.contains(middle) {
                middles.push(middle);
            }
        }
    }
    middles
}

/// The deepest of some points, each with a face near it, that is deeper than `above`, inside of X and what else is asked.
fn deepest_among<B: Bound>(
    x: &Mesh<B>,
    points: Vec<(DVec3, u32)>,
    above: f64,
    scratch: &mut Scratch,
    is_common: impl Fn(DVec3) -> bool,
) -> Option<SurfaceDepth> {
    let mut ranked: Vec<(f64, DVec3)> = points
        .into_iter()
        .map(|(p, face)| (x.closest_point_from(face, p, scratch).distance, p))
        .filter(|(depth, _)| *depth >= above)
        .collect();
    ranked.sort_by(|one, two| two.0.total_cmp(&one.0));
    let inside = |(_, p): &&(f64, DVec3)| x.estimated_winding(*p).abs() > INSIDE && is_common(*p);
    let found = ranked.iter().find(inside);
    found.map(|&(value, point)| SurfaceDepth { value, upper: f64::INFINITY, point })
}

/// Points midway between two places where X cuts one face of Y: what is thin is entered and left within a face. So many points at most, and so many of a face.
fn between_cuts<B: Bound>(
    x: &Mesh<B>,
    y: &Mesh<B>,
    y_in_x: &ScaledPose,
    met: &[[u32; 2]],
    [most, cuts]: [usize; 2],
    points: &mut Vec<(DVec3, u32)>,
) {
    let groups = met.chunk_by(|one, two| one[0] == two[0]).filter(|group| group.len() > 1);
    let count = groups.clone().count();
    for group in groups.step_by(count.div_ceil(most / 2).max(1)) {
        let corners = y_in_x.map_corners(y.corners(group[0][0]));
        let step = (group.len() / cuts).max(1);
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
