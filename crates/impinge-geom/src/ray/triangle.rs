//! A ray and a triangle, watertight.
//!
//! Seen along the ray, the line passes every edge on one side, on the other, or meets it. The sign is that of
//! d · ((a − o) × (b − o)), decided exactly on the coordinates as they are given (a static filter first), so two triangles that
//! share an edge agree about it, and zero counts as inside for both: no ray slips between triangles that share an edge or a
//! vertex (compare S. Woop, C. Benthin and I. Wald, "Watertight Ray/Triangle Intersection", 2013, whose edge functions are
//! consistent in a rounded ray space; these are exact). Whether the triangle lies ahead of the origin is an orientation of
//! four points, exact as well. Only the reported t and weights are rounded.
//!
//! All three signs are zero where the ray lies in the triangle's plane, or the triangle has no area: then the closed triangle
//! is cut by the line within that plane, again by exact signs.

use super::solid::at_origin;
use super::thin::{crossing, is_thin, share};
use super::{Ray, ShapeHit};
use crate::answer::{Feature, FeatureKind};
use crate::number::error::power_of_two_near_inverse;
use crate::number::exact::Exact;
use crate::number::length::{length_and_unit, perpendicular};
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::predicate::{UNDERFLOW_GUARD, orient2d, orient3d, ray_side, ray_side_planar};
use glam::{DVec2, DVec3, Vec3Swizzles as _};

/// A ray hit on a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// The hit is at origin + t · direction, t ≥ 0, with the direction as given.
    pub t: f64,
    /// The weights of the three corners, none negative, with the sum one.
    pub barycentric: [f64; 3],
    /// The point of the triangle with these weights.
    pub point: DVec3,
    /// True if the corners turn counter-clockwise as seen from the origin; false for rays in the triangle's plane.
    pub front: bool,
    /// The vertex, edge or face hit; decided exactly.
    pub feature: Feature,
}

/// The first point of a closed, possibly degenerate triangle along a ray. Whether there is one is decided exactly.
///
/// The corners are finite, with magnitudes up to 2^250. A ray in the triangle's plane hits where it enters the triangle, and
/// at its origin if that lies in the triangle.
///
/// ```
/// use impinge_geom::{glam::DVec3, ray::{self, Ray}};
/// let corners = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
/// let hit = ray::triangle(&Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0])?, &corners).unwrap();
/// assert_eq!((hit.t, hit.barycentric, hit.front), (3.0, [0.25, 0.25, 0.5], true));
/// assert!(ray::triangle(&Ray::new([3.0, 2.0, 6.0], [0.0, 0.0, -2.0])?, &corners).is_none());
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[inline]
pub fn triangle(ray: &Ray, corners: &[DVec3; 3]) -> Option<TriangleHit> {
    triangle_before(ray, corners, f64::MAX)
}

/// Like [`triangle()`], for hits with t up to `limit`; others may be omitted.
///
/// Exact arithmetic is skipped for a hit that would lie beyond.
///
/// ```
/// use impinge_geom::{glam::DVec3, ray::{self, Ray}};
/// // The ray passes through a corner.
/// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let ray = Ray::new([0.0, 0.0, 3.0], [0.0, 0.0, -1.0])?;
/// assert!(ray::triangle_before(&ray, &corners, 3.0).is_some());
/// assert!(ray::triangle_before(&ray, &corners, 2.0).is_none());
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[inline]
pub fn triangle_before(ray: &Ray, corners: &[DVec3; 3], limit: f64) -> Option<TriangleHit> {
    let [a, b, c] = *corners;
    let o = ray.origin;
    let (d, factor) = (ray.exact, ray.factor.max(1.0));
    let (p, q, r) = (a - o, b - o, c - o);
    let behind_a = q.cross(r);
    let weights = [d.dot(behind_a), d.dot(r.cross(p)), d.dot(p.cross(q))];
    // Six products of three numbers, each with at most seven roundings; a product of two is below half the sum of squares.
    let square = p.length_squared() + q.length_squared() + r.length_squared();
    let size = ray.exact_size() * square;
    let bound = 24.0 * UNIT_ROUNDOFF * size;
    if size > UNDERFLOW_GUARD {
        let [u, v, w] = weights;
        let some_above = (u > bound) | (v > bound) | (w > bound);
        let some_below = (u < -bound) | (v < -bound) | (w < -bound);
        if some_above & some_below {
            return None;
        }
        let all_above = (u > bound) & (v > bound) & (w > bound);
        let all_below = (u < -bound) & (v < -bound) & (w < -bound);
        if all_above | all_below {
            let volume = p.dot(behind_a);
            let side = certain_sign(volume, 24.0 * UNIT_ROUNDOFF * square * square.sqrt())
                .unwrap_or_else(|| orient3d(a, b, c, o));
            let signs = [if all_above { 1 } else { -1 }; 3];
            return ahead(corners, signs, side, weights, (o, d), factor);
        }
        // Not in the plane, not at the origin: if it is hit, then at this t; at a corner, at that of the corner.
        let crossing = (u + v + w).abs() > 6.0 * bound && square >= SMALL;
        if crossing && limit < f64::MAX {
            let volume = p.dot(behind_a);
            let side = certain_sign(volume, 24.0 * UNIT_ROUNDOFF * square * square.sqrt());
            let certain = weights.iter().filter(|weight| weight.abs() > bound).count();
            let t = if certain < 2 {
                let low = lesser(lesser(p.dot(d), q.dot(d)), r.dot(d));
                Some(low / d.length_squared() * (1.0 - 8.0 * f64::EPSILON))
            } else {
                parameter(corners, &[p, q, r], d)
            };
            if side.is_some() && t.is_some_and(|t| scaled_t(t, factor) > limit) {
                return None;
            }
        }
    }
    let signs = [ray_side(o, d, b, c), ray_side(o, d, c, a), ray_side(o, d, a, b)];
    if signs.contains(&1) && signs.contains(&-1) {
        None
    } else if signs == [0; 3] {
        in_plane(corners, (o, d), factor)
    } else {
        let hit = ahead(corners, signs, orient3d(a, b, c, o), weights, (o, d), factor);
        let hit = hit.map(|hit| through_corner(hit, corners, (o, d), factor));
        if square < SMALL { enlarged(hit, corners, signs, ray, (d, factor)) } else { hit }
    }
}

/// The hit of a corner, where the line may meet the triangle's plane at an angle as small as rounding: all is that of the corner,
/// and so the same for all triangles that have it.
#[cold]
fn through_corner(
    hit: TriangleHit,
    corners: &[DVec3; 3],
    (o, d): (DVec3, DVec3),
    factor: f64,
) -> TriangleHit {
    if hit.feature.kind != FeatureKind::Vertex || hit.point == o {
        return hit;
    }
    let index = hit.feature.index as usize % 3;
    let mut barycentric = [0.0; 3];
    barycentric[index] = 1.0;
    let point = corners[index];
    let t = (point - o).dot(d) / d.length_squared();
    let t = if t.is_finite() { scaled_t(t.max(0.0), factor) } else { hit.t };
    TriangleHit { t, barycentric, point, ..hit }
}

/// 2^-600: below this square of the size, products of four coordinates may vanish.
pub(super) const SMALL: f64 = f64::from_bits((1023 - 600) << 52);

/// The numbers of a hit from a larger copy around the origin, where squares of the coordinates vanish.
#[cold]
fn enlarged(
    hit: Option<TriangleHit>,
    corners: &[DVec3; 3],
    signs: [i32; 3],
    ray: &Ray,
    (d, factor): (DVec3, f64),
) -> Option<TriangleHit> {
    let hit = hit?;
    let near = corners.map(|v| v - ray.origin);
    let reach = near.iter().map(|v| v.abs().max_element()).fold(f64::MIN_POSITIVE, f64::max);
    let larger = power_of_two_near_inverse(reach);
    let [p, q, r] = near.map(|v| v * larger);
    let weights = [d.dot(q.cross(r)), d.dot(r.cross(p)), d.dot(p.cross(q))];
    let side = orient3d(corners[0], corners[1], corners[2], ray.origin);
    let Some(copy) = ahead(&[p, q, r], signs, side, weights, (DVec3::ZERO, d), factor / larger)
    else {
        return Some(hit);
    };
    let point = if hit.t == 0.0 { hit.point } else { weighted(corners, copy.barycentric) };
    Some(TriangleHit { t: copy.t, barycentric: copy.barycentric, point, ..hit })
}

/// The sign of a number whose error is below the bound, if that settles it; bounds that may have underflowed settle nothing.
#[inline(always)]
fn certain_sign(value: f64, bound: f64) -> Option<i32> {
    if bound < UNDERFLOW_GUARD || value.abs() <= bound {
        None
    } else {
        Some(if value > 0.0 { 1 } else { -1 })
    }
}

/// The line crosses the triangle; the hit, if that is not behind the origin. `side` is the sign of N·(a − o).
#[inline(always)]
fn ahead(
    corners: &[DVec3; 3],
    signs: [i32; 3],
    side: i32,
    weights: [f64; 3],
    (o, d): (DVec3, DVec3),
    factor: f64,
) -> Option<TriangleHit> {
    // t = N·(a − o) / N·d, and N·d has the sign of the edges' sides.
    let front = signs.contains(&-1);
    if side != 0 && (side < 0) != front {
        return None;
    }
    let Some(t) = parameter(corners, &corners.map(|v| v - o), d) else {
        return Some(thin_hit(corners, signs, side, (o, d), factor));
    };
    if side != 0 && !signs.contains(&0) {
        let weights = [0, 1, 2].map(|i| (weights[i] * f64::from(signs[i])).max(0.0));
        if weights[0] + weights[1] + weights[2] > SMALL {
            return Some(inside(corners, t * factor, weights, front));
        }
    }
    let t = if side == 0 { 0.0 } else { t };
    let barycentric = normalised(signs, weights);
    let point = if side == 0 { o } else { weighted(corners, barycentric) };
    let feature = feature(signs);
    Some(TriangleHit { t: scaled_t(t, factor), barycentric, point, front, feature })
}

/// What the line meets, by its exact sides of the edges opposite to the corners.
#[inline(always)]
fn feature(signs: [i32; 3]) -> Feature {
    match signs.map(|s| s == 0) {
        [false, false, false] => Feature::face(0),
        [false, false, true] => Feature::edge(0),
        [true, false, false] => Feature::edge(1),
        [false, true, false] => Feature::edge(2),
        [false, true, true] => Feature::vertex(0),
        [true, false, true] => Feature::vertex(1),
        _ => Feature::vertex(2),
    }
}

/// The hit of a triangle that is thin along the line: slivers, and those that the line all but lies in.
#[cold]
#[inline(never)]
fn thin_hit(
    corners: &[DVec3; 3],
    signs: [i32; 3],
    side: i32,
    (o, d): (DVec3, DVec3),
    factor: f64,
) -> TriangleHit {
    let crossing = crossing(corners, o, d);
    let clean: [f64; 3] =
        std::array::from_fn(
            |i| if signs[i] == 0 { 0.0 } else { greater(crossing.weights[i], 0.0) },
        );
    let inverse = 1.0 / (clean[0] + clean[1] + clean[2]);
    let barycentric = clean.map(|weight| weight * inverse);
    let (t, point) = match side {
        0 => (0.0, o),
        _ => (greater(crossing.t, 0.0), weighted(corners, barycentric)),
    };
    let front = signs.contains(&-1);
    TriangleHit { t: scaled_t(t, factor), barycentric, point, front, feature: feature(signs) }
}

/// A hit inside of all edges, from weights that are not negative and have a sum that is not small.
#[inline(always)]
pub(super) fn inside(corners: &[DVec3; 3], t: f64, weights: [f64; 3], front: bool) -> TriangleHit {
    let inverse = 1.0 / (weights[0] + weights[1] + weights[2]);
    let barycentric = [weights[0] * inverse, weights[1] * inverse, weights[2] * inverse];
    let point = weighted(corners, barycentric);
    let t = if t < f64::MAX { t } else { f64::MAX };
    TriangleHit { t, barycentric, point, front, feature: Feature::face(0) }
}

/// Where the line, which crosses the plane, does so, in lengths of `d`; zero for what lies behind. `p`, `q` and `r` are the corners relative
/// to the origin. None if rounding leaves too little of it.
#[inline(always)]
pub(super) fn parameter(&[a, b, c]: &[DVec3; 3], &[p, q, r]: &[DVec3; 3], d: DVec3) -> Option<f64> {
    let edges = [b - a, c - a];
    let normal = edges[0].cross(edges[1]);
    let along = normal.dot(d);
    if is_thin(along, p, edges, d) {
        return None;
    }
    let plain = normal.dot(p) / along;
    // Whatever rounding does to grazing rays, the hit lies between the corners.
    let (u, v, w) = (p.dot(d), q.dot(d), r.dot(d));
    let (low, high) = (lesser(lesser(u, v), w), greater(greater(u, v), w));
    let square = d.length_squared();
    let scaled = plain * square;
    if scaled >= low && scaled <= high {
        return Some(greater(plain, 0.0));
    }
    // If it is not a number, it is the lower end.
    Some(greater(lesser(greater(plain, low / square), high / square), 0.0))
}

/// The greater one, in one instruction; the second if the first is not a number.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The lesser one, likewise.
#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// In lengths of the direction as it was given.
#[inline(always)]
fn scaled_t(t: f64, factor: f64) -> f64 {
    (t * factor).min(f64::MAX)
}

/// Weights with the sum one from edge functions whose exact signs are known.
#[inline(always)]
fn normalised(signs: [i32; 3], weights: [f64; 3]) -> [f64; 3] {
    let clean: [f64; 3] = std::array::from_fn(|i| (weights[i] * f64::from(signs[i])).max(0.0));
    let sum = clean[0] + clean[1] + clean[2];
    if sum > SMALL && sum.is_finite() {
        let inverse = 1.0 / sum;
        return clean.map(|w| w * inverse);
    }
    let count = signs.iter().filter(|s| **s != 0).count().max(1) as f64;
    signs.map(|s| if s == 0 { 0.0 } else { 1.0 / count })
}

#[inline(always)]
fn weighted(corners: &[DVec3; 3], weights: [f64; 3]) -> DVec3 {
    corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]
}

/// One point in which the line meets the outline of a coplanar triangle: its t, exact sign of t, weights and feature.
struct Crossing {
    t: f64,
    sign: i32,
    barycentric: [f64; 3],
    feature: Feature,
}

/// The ray lies in the plane of the triangle, or in a plane with a triangle that has no area.
#[cold]
fn in_plane(corners: &[DVec3; 3], (o, d): (DVec3, DVec3), factor: f64) -> Option<TriangleHit> {
    // A coordinate plane in which not all corners fall on the line; `None` if all are on the line itself.
    let shadows: [fn(DVec3) -> DVec2; 3] = [|v| v.xy(), |v| v.yz(), |v| v.zx()];
    let sides = |shadow: &fn(DVec3) -> DVec2| {
        corners.map(|v| ray_side_planar(shadow(o), shadow(d), shadow(v)))
    };
    let found = shadows.iter().map(|shadow| (shadow, sides(shadow))).find(|(_, s)| *s != [0; 3]);
    let (shadow, sides) = found.unwrap_or((&shadows[0], [0; 3]));
    let mut crossings = Vec::with_capacity(3);
    for i in 0..3 {
        let j = (i + 1) % 3;
        if sides[i] == 0 {
            crossings.push(at_corner(corners, i, (o, d)));
        } else if sides[i] == -sides[j] {
            let (u, v) = (shadow(corners[i]), shadow(corners[j]));
            let sign = orient2d(shadow(o), u, v) * sides[j];
            crossings.push(at_edge(corners, i, sign, (o, d), *shadow));
        }
    }
    let nearest = crossings.iter().filter(|x| x.sign >= 0).min_by(|x, y| x.t.total_cmp(&y.t))?;
    let behind = crossings.iter().any(|x| x.sign < 0);
    let origin_on = behind || nearest.sign == 0;
    if origin_on {
        return Some(TriangleHit {
            t: 0.0,
            barycentric: weights_at(corners, o),
            point: o,
            front: false,
            feature: if nearest.sign == 0 { nearest.feature } else { Feature::face(0) },
        });
    }
    Some(TriangleHit {
        t: (nearest.t * factor).clamp(0.0, f64::MAX),
        barycentric: nearest.barycentric,
        point: weighted(corners, nearest.barycentric),
        front: false,
        feature: nearest.feature,
    })
}

/// The line passes through a corner. The sign of t shows in the direction's largest coordinate.
fn at_corner(corners: &[DVec3; 3], i: usize, (o, d): (DVec3, DVec3)) -> Crossing {
    let size = d.abs();
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let (from, to) = (o[axis], corners[i][axis]);
    let forward = (to > from) as i32 - (to < from) as i32;
    let mut barycentric = [0.0; 3];
    barycentric[i] = 1.0;
    Crossing {
        t: (to - from) / d[axis],
        sign: if d[axis] < 0.0 { -forward } else { forward },
        barycentric,
        feature: Feature::vertex(i as u32),
    }
}

/// The line passes through the inside of an edge.
fn at_edge(
    corners: &[DVec3; 3],
    i: usize,
    sign: i32,
    (o, d): (DVec3, DVec3),
    shadow: fn(DVec3) -> DVec2,
) -> Crossing {
    let j = (i + 1) % 3;
    let [origin, u, v, along] = [o, corners[i], corners[j], d].map(shadow);
    // Distances of the ends from the line, up to one factor.
    let (u, v) = (u - origin, v - origin);
    let sides = [along.perp_dot(u), along.perp_dot(v)];
    let terms = along.abs().max_element() * (u.abs().max_element() + v.abs().max_element());
    let weight = share(sides, terms, || {
        let [o, d] = [o, d].map(|v| shadow(v).to_array().map(Exact::from));
        [i, j].map(|k| {
            let end = shadow(corners[k]).to_array().map(Exact::from);
            &(&d[0] * &(&end[1] - &o[1])) - &(&d[1] * &(&end[0] - &o[0]))
        })
    });
    let mut barycentric = [0.0; 3];
    (barycentric[i], barycentric[j]) = (1.0 - weight, weight);
    let point = corners[i] * (1.0 - weight) + corners[j] * weight;
    let t = (point - o).dot(d) / d.length_squared();
    Crossing {
        t: if sign > 0 { t.max(0.0) } else { t },
        sign,
        barycentric,
        feature: Feature::edge(i as u32),
    }
}

/// The weights of a point of a triangle, by areas against its longest shadow.
fn weights_at(corners: &[DVec3; 3], p: DVec3) -> [f64; 3] {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let areas = [(b - p).cross(c - p), (c - p).cross(a - p), (a - p).cross(b - p)];
    let weights = areas.map(|area| area.dot(normal).max(0.0));
    let sum = weights[0] + weights[1] + weights[2];
    if sum > 0.0 && sum.is_finite() {
        return weights.map(|w| w / sum);
    }
    // No area, or too small for these products: the nearest corner.
    let distances = corners.map(|v| v.distance_squared(p));
    let nearest = (0..3).min_by(|i, j| distances[*i].total_cmp(&distances[*j])).unwrap_or(0);
    std::array::from_fn(|i| if i == nearest { 1.0 } else { 0.0 })
}

/// The hit with a triangle as a shape: a surface with two sides.
pub(crate) fn cast(corners: &[DVec3; 3], ray: &Ray) -> Option<ShapeHit> {
    let hit = triangle(ray, corners)?;
    let normal = unit_normal(corners);
    let normal = if normal.dot(ray.scaled()) > 0.0 { -normal } else { normal };
    if hit.point == ray.origin {
        return Some(at_origin(ray, normal, hit.feature));
    }
    Some(ShapeHit { t: hit.t, point: hit.point, normal, feature: hit.feature, inside: false })
}

/// The direction of the cross product of two edges, or any direction across a triangle without area.
fn unit_normal(&[a, b, c]: &[DVec3; 3]) -> DVec3 {
    let unit = |v: DVec3| length_and_unit(v).map(|(_, unit)| unit);
    let Some(first) = unit(b - a).or_else(|| unit(c - a)) else { return DVec3::Z };
    let second = unit(c - a).or_else(|| unit(c - b)).unwrap_or(first);
    unit(first.cross(second)).unwrap_or_else(|| perpendicular(first))
}
