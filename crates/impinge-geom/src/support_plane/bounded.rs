//! The region below all planes of a mapping, section 2's G: whether it is bounded, and how large it is.
//!
//! Seen from a point inside, the plane n·x ≤ d becomes the point n / d of the polar dual. The hull of those points has a face for
//! every corner of G, and has the point seen from strictly inside if and only if G is bounded.

use super::SupportPlane;
use crate::hull::Hull;
use crate::number::tolerance::THINNEST_REGION;
use glam::DVec3;

/// Both ways along each axis.
pub(super) const AXES: [DVec3; 6] =
    [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];

/// True if planes with these normals bound a region: if every direction is a positive combination of them.
///
/// ```
/// use impinge_geom::{glam::DVec3, support_plane::is_bounded};
/// let axes = [DVec3::X, DVec3::Y, DVec3::Z];
/// assert!(!is_bounded(axes));
/// assert!(is_bounded(axes.into_iter().chain([DVec3::NEG_ONE.normalize()])));
/// ```
pub fn is_bounded(normals: impl IntoIterator<Item = DVec3>) -> bool {
    let points: Vec<[f64; 3]> = normals.into_iter().map(|n| n.to_array()).collect();
    let Ok(hull) = Hull::new(&points) else { return false };
    let mut faces = 0..hull.face_count() as u32;
    hull.dimension() == 3 && faces.all(|face| hull.face_offset(face) > THINNEST_REGION)
}

/// The region below all planes, or `None` if it is not bounded or `inside` is not strictly inside.
///
/// ```
/// use impinge_geom::{glam::DVec3, support_plane::{SupportPlane, region}};
/// let sides = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z];
/// let cube = sides.map(|n| SupportPlane::through(n, n));
/// assert_eq!(region(&cube, DVec3::ZERO).map(|hull| hull.vertices().len()), Some(8));
/// assert!(region(&cube[1..], DVec3::ZERO).is_none());
/// ```
pub fn region(planes: &[SupportPlane], inside: DVec3) -> Option<Hull> {
    let mut dual = Vec::with_capacity(planes.len());
    for plane in planes {
        let distance = -plane.height(inside);
        if distance.is_nan() || distance <= 0.0 {
            return None;
        }
        dual.push((plane.normal / distance).to_array());
    }
    let dual = Hull::new(&dual).ok()?;
    if dual.dimension() != 3 {
        return None;
    }
    let mut corners = Vec::with_capacity(dual.face_count());
    for face in 0..dual.face_count() as u32 {
        let distance = dual.face_offset(face);
        if distance.is_nan() || distance <= 0.0 {
            return None;
        }
        corners.push((inside + dual.face_normal(face) / distance).to_array());
    }
    Hull::new(&corners).ok()
}

/// The volume below all planes; `None` as for [`region`].
pub fn enclosed_volume(planes: &[SupportPlane], inside: DVec3) -> Option<f64> {
    let hull = region(planes, inside)?;
    let corner = |v: u32| hull.vertices().get(v as usize).map_or(DVec3::ZERO, |p| *p - inside);
    let six = hull.triangles().iter().map(|[a, b, c]| {
        let (a, b, c) = (corner(*a), corner(*b), corner(*c));
        a.dot(b.cross(c))
    });
    Some(six.sum::<f64>() / 6.0)
}
