use super::solid::{Solid, Span};
use super::{Ray, ShapeHit, solid, traced, triangle};
use crate::answer::{Feature, FeatureKind};
use crate::hull::Hull;
use crate::shape::Shape;
use glam::DVec3;

/// 2^-20. A point within rounding of all half-spaces of a hull is within rounding of the hull, times its radius over that of a
/// ball inside: of thinner solids too few digits are left, and beyond a sharp edge the two planes no longer tell where it ends.
const THIN: f64 = f64::from_bits((1023 - 20) << 52);

/// A solid is clipped against the planes of its faces, a flat polygon is cast at its triangles, what is thinner is traced.
pub(crate) fn cast(shape: &Shape, hull: &Hull, ray: &Ray) -> Option<ShapeHit> {
    match hull.dimension() {
        3 if hull.inner_radius() > THIN * hull.radius() => solid::cast(shape, hull, ray),
        2 => cast_flat(hull, ray),
        _ => traced::cast(shape, ray),
    }
}

impl Solid for Hull {
    /// Each face plane leaves a half-line (M. Cyrus and J. Beck, "Generalized Two- and Three-Dimensional Clipping", 1978).
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        let mut span = Span::ALL;
        for (face, normal) in self.face_normals().iter().enumerate() {
            let part = face as u32;
            let height = normal.dot(origin) - self.face_offset(part);
            let rate = normal.dot(direction);
            if rate < 0.0 {
                span = span.and(Span::of(part, (-height / rate, f64::INFINITY)))?;
            } else if rate > 0.0 {
                span = span.and(Span::of(part, (f64::NEG_INFINITY, -height / rate)))?;
            } else if height > 0.0 {
                return None;
            }
        }
        Some(span)
    }

    fn part(&self, part: u32) -> Option<(DVec3, Feature)> {
        Some((self.face_normal(part), Feature::face(part)))
    }
}

/// The nearest of the triangles around the first vertex of the front face.
fn cast_flat(hull: &Hull, ray: &Ray) -> Option<ShapeHit> {
    let vertices = hull.vertices();
    let (first, rest) = hull.face(0).split_first()?;
    let mut best: Option<ShapeHit> = None;
    for pair in rest.windows(2) {
        let [second, third] = *pair else { continue };
        let corners = [*first, second, third];
        let Some(mut hit) = triangle::cast(&corners.map(|v| vertices[v as usize]), ray) else {
            continue;
        };
        if best.is_none_or(|best| hit.t < best.t) {
            hit.feature = numbered(hull, corners, &hit);
            best = Some(hit);
        }
    }
    best
}

/// The hull's name for what was hit; a diagonal belongs to the face on the ray's side.
fn numbered(hull: &Hull, corners: [u32; 3], hit: &ShapeHit) -> Feature {
    let corner = |index: u32| corners[index as usize % 3];
    let face = Feature::face((hull.face_normal(0).dot(hit.normal) < 0.0) as u32);
    match hit.feature.kind {
        FeatureKind::Vertex => Feature::vertex(corner(hit.feature.index)),
        FeatureKind::Edge => hull
            .edge_between(corner(hit.feature.index), corner(hit.feature.index + 1))
            .map_or(face, Feature::edge),
        _ => face,
    }
}
