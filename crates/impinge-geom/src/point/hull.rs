//! A point and a convex hull of any dimension.
//!
//! Inside, the nearest face is the one with the greatest height n·p − d. Outside, the closest point lies on a face that
//! the point is above; those faces are cut into triangles, the highest first, and a face is left out once its height alone
//! is more than the best distance.

use super::{PointDistance, segment, sphere, triangle};
use crate::answer::{Feature, FeatureKind};
use crate::hull::Hull;
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::predicate::orient3d;
use glam::DVec3;

/// The distance from a hull.
pub(crate) fn point_distance(hull: &Hull, p: DVec3) -> PointDistance {
    let vertices = hull.vertices();
    match (hull.dimension(), vertices) {
        (3, _) => solid(hull, p),
        (2, _) => flat(hull, p),
        (_, [a, b, ..]) => segment::point_distance(&[*a, *b], p),
        _ => {
            let corner = vertices.first().copied().unwrap_or(DVec3::ZERO);
            PointDistance { point: corner, ..sphere::point_distance(p - corner) }
        }
    }
}

/// The face that the point is highest above, or least deep below.
fn highest_face(hull: &Hull, p: DVec3) -> (u32, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for (face, normal) in hull.face_normals().iter().enumerate() {
        let height = normal.dot(p) - hull.face_offset(face as u32);
        if height > best.1 {
            best = (face as u32, height);
        }
    }
    best
}

/// The height above the highest face of a solid hull: the signed distance inside, less than the distance outside.
pub(crate) fn height_above_faces(hull: &Hull, p: DVec3) -> f64 {
    highest_face(hull, p).1
}

fn solid(hull: &Hull, p: DVec3) -> PointDistance {
    let (highest, height) = highest_face(hull, p);
    let normal = hull.face_normal(highest);
    let below = PointDistance::exact(height, p - normal * height, normal, Feature::face(highest));
    // A height up to this may be rounding, and the point above the face nevertheless.
    let noise = 16.0 * UNIT_ROUNDOFF * p.abs().max_element().max(hull.bounding_radius());
    if height <= -noise {
        return below;
    }
    let mut best = on_face(hull, highest, p).unwrap_or(below);
    for face in 0..hull.face_count() as u32 {
        let height = hull.face_normal(face).dot(p) - hull.face_offset(face);
        if face != highest
            && height > -noise
            && height < best.distance
            && let Some(other) = on_face(hull, face, p)
            && other.distance < best.distance
        {
            best = other;
        }
    }
    // On the surface up to rounding, which may have made the offset from an edge or a corner.
    if best.distance <= noise {
        if height <= 0.0 {
            return below;
        }
        best.normal = normal;
    }
    best
}

/// Both faces of a flat hull have the same points; the normal tells which of them is meant.
fn flat(hull: &Hull, p: DVec3) -> PointDistance {
    let Some(mut answer) = on_face(hull, 0, p) else {
        return sphere::point_distance(p);
    };
    if answer.feature.kind == FeatureKind::Face {
        let front = hull.face_normal(0).dot(answer.normal) >= 0.0;
        answer.feature = Feature::face(!front as u32);
    }
    answer
}

/// The closest point of one face, as the closest of the triangles around its first vertex.
fn on_face(hull: &Hull, face: u32, p: DVec3) -> Option<PointDistance> {
    let vertices = hull.vertices();
    let (first, rest) = hull.face(face).split_first()?;
    let mut best: Option<PointDistance> = None;
    for pair in rest.windows(2) {
        let [second, third] = *pair else { continue };
        let corners = [*first, second, third];
        let mut answer = triangle::point_distance(&corners.map(|v| vertices[v as usize]), p);
        if best.is_none_or(|best| answer.distance < best.distance) {
            answer.feature = numbered(hull, face, corners, answer.feature);
            best = Some(answer);
        }
    }
    best
}

/// The hull's name for a feature of one of its triangles; a diagonal of a face belongs to the face.
fn numbered(hull: &Hull, face: u32, corners: [u32; 3], feature: Feature) -> Feature {
    let corner = |index: u32| corners[index as usize % 3];
    match feature.kind {
        FeatureKind::Vertex => Feature::vertex(corner(feature.index)),
        FeatureKind::Edge => hull
            .edge_between(corner(feature.index), corner(feature.index + 1))
            .map_or(Feature::face(face), Feature::edge),
        _ => Feature::face(face),
    }
}

/// True if the point belongs to the hull. Exact.
pub(crate) fn hull_contains(hull: &Hull, p: DVec3) -> bool {
    let vertices = hull.vertices();
    let corners = |triangle: &[u32; 3]| triangle.map(|v| vertices[v as usize]);
    match (hull.dimension(), vertices) {
        (3, _) => hull.triangles().iter().all(|triangle| {
            let [a, b, c] = corners(triangle);
            orient3d(a, b, c, p) >= 0
        }),
        (2, _) => hull
            .triangles()
            .iter()
            .any(|triangle| triangle::triangle_contains(&corners(triangle), p)),
        (_, [a, b, ..]) => segment::segment_contains(&[*a, *b], p),
        _ => vertices.first() == Some(&p),
    }
}
