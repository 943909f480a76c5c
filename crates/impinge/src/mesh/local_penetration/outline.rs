//! Flat convex outlines: do they meet a triangle, and what do points make together.

use super::cell::Plane;
use impinge_geom::glam::{DVec2, DVec3};

/// False if a triangle is certainly more than `margin` away from a convex polygon with this unit normal.
pub(super) fn may_meet(
    outline: &[DVec3],
    normal: DVec3,
    triangle: &[DVec3; 3],
    margin: f64,
) -> bool {
    let Some(&first) = outline.first() else { return false };
    let heights = triangle.map(|p| (p - first).dot(normal));
    if heights.iter().all(|h| *h > margin) || heights.iter().all(|h| *h < -margin) {
        return false;
    }
    let count = outline.len();
    for k in 0..count {
        let (p, q) = (outline[k], outline[(k + 1) % count]);
        let beyond = Plane::through(p, (q - p).cross(normal));
        if beyond.is_some_and(|side| triangle.iter().all(|c| side.height(*c) > margin)) {
            return false;
        }
    }
    let Some(plane) = Plane::of_triangle(triangle) else { return true };
    let above = |p: &DVec3| plane.height(*p) > margin;
    let below = |p: &DVec3| plane.height(*p) < -margin;
    if outline.iter().all(above) || outline.iter().all(below) {
        return false;
    }
    !(0..3).any(|k| {
        let (p, q) = (triangle[k], triangle[(k + 1) % 3]);
        let beyond = Plane::through(p, (q - p).cross(plane.normal));
        beyond.is_some_and(|side| outline.iter().all(|c| side.height(*c) > margin))
    })
}

/// The outline of the points' shadows on a plane, counter-clockwise seen against its normal: A. M. Andrew's monotone chain (1979).
pub(super) fn shadow_on(plane: &Plane, points: impl Iterator<Item = DVec3>) -> Vec<DVec3> {
    let across = plane.normal.any_orthonormal_vector();
    let along = plane.normal.cross(across);
    let mut flat: Vec<DVec2> = points.map(|p| DVec2::new(p.dot(across), p.dot(along))).collect();
    flat.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    flat.dedup();
    let mut hull: Vec<DVec2> = Vec::with_capacity(flat.len() + 1);
    let chain = |hull: &mut Vec<DVec2>, start: usize, p: DVec2| {
        while hull.len() > start + 1
            && (hull[hull.len() - 1] - hull[hull.len() - 2]).perp_dot(p - hull[hull.len() - 1])
                <= 0.0
        {
            hull.pop();
        }
        hull.push(p);
    };
    flat.iter().for_each(|p| chain(&mut hull, 0, *p));
    let start = hull.len().saturating_sub(1);
    flat.iter().rev().skip(1).for_each(|p| chain(&mut hull, start, *p));
    if hull.len() > 1 {
        hull.pop();
    }
    hull.iter().map(|p| across * p.x + along * p.y + plane.normal * plane.offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shadow_of_a_box_is_its_outline() {
        let plane = Plane::through(DVec3::new(0.0, 0.0, 5.0), DVec3::Z).unwrap();
        let corners =
            (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k / 2 & 1), f64::from(k / 4)));
        let outline = shadow_on(&plane, corners);
        assert_eq!(outline.len(), 4);
        assert!(outline.iter().all(|p| p.z == 5.0));
        let lid =
            |z: f64| [DVec3::new(0.2, 0.2, z), DVec3::new(0.8, 0.2, z), DVec3::new(0.2, 0.8, z)];
        assert!(may_meet(&outline, DVec3::Z, &lid(5.0), 1e-9));
        assert!(!may_meet(&outline, DVec3::Z, &lid(5.1), 1e-9));
        assert!(!may_meet(&outline, DVec3::Z, &lid(5.0).map(|p| p + DVec3::X), 1e-9));
    }
}
