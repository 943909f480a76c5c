//! The numbers of a finished hull: normals, offsets, centre and radii, each with an error that is known.

use super::Hull;
use super::exact::exact_normal;
use crate::number::error::{power_of_two_near_inverse, safe_length};
use crate::number::tolerance::UNIT_ROUNDOFF;
use glam::{DVec3, Vec3Swizzles as _};

/// 2^-44: normals with a larger relative error are computed again, exactly.
const NORMAL_ERROR: f64 = f64::from_bits((1023 - 44) << 52);

/// 2^-41: what the errors of a normal and of one dot product may change, relative to the lengths.
const HEIGHT_ERROR: f64 = f64::from_bits((1023 - 41) << 52);

/// Hulls with more vertices than this find the farthest vertex of a face by climbing, not by looking at all; and vertices with
/// more neighbours than this are not climbed from.
const CLIMB: usize = 64;

/// The numbers of a hull.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Measure {
    /// Outward, of unit length, one per face.
    pub(super) normals: Vec<DVec3>,
    /// The largest n·v over all vertices.
    pub(super) offsets: Vec<f64>,
    pub(super) center: DVec3,
    /// Rounded up.
    pub(super) radius: f64,
    /// Rounded down.
    pub(super) inner_radius: f64,
    /// Around the origin, rounded up.
    pub(super) bounding_radius: f64,
}

impl Measure {
    /// Measures a hull whose combinatorial part is complete.
    pub(super) fn new(hull: &Hull) -> Self {
        let mut normals: Vec<DVec3> = (0..hull.face_starts.len() as u32 - 1)
            .map(|face| face_normal(&hull.vertices, hull.face(face)))
            .collect();
        if let (2, [front, back]) = (hull.dimension, &mut normals[..]) {
            *back = -*front;
        }
        let offsets = normals
            .iter()
            .enumerate()
            .map(|(face, normal)| offset(hull, hull.face(face as u32), *normal))
            .collect();
        let mut center = mean(&hull.vertices);
        let mut inner_radius = 0.0;
        if hull.dimension == 3 {
            let centroid = centroid(hull).unwrap_or(center);
            // The centroid, unless so little volume is left that rounding may have moved it out of the hull; the mean stays there.
            inner_radius = inner(hull, &normals, centroid);
            if inner_radius > 0.0 {
                center = centroid;
            } else {
                inner_radius = inner(hull, &normals, center);
            }
        }
        let radius = round_up(farthest(&hull.vertices, center));
        let bounding_radius = round_up(farthest(&hull.vertices, DVec3::ZERO));
        Self { normals, offsets, center, radius, inner_radius, bounding_radius }
    }
}

/// The largest distance of the vertices from a point.
fn farthest(vertices: &[DVec3], from: DVec3) -> f64 {
    vertices.iter().map(|v| safe_length(*v - from)).fold(0.0, f64::max)
}

/// A number that is certainly above a length which was computed as `length`; zero stays zero.
fn round_up(length: f64) -> f64 {
    if length > 0.0 { (length * (1.0 + 16.0 * UNIT_ROUNDOFF)).next_up() } else { 0.0 }
}

/// The unit normal of a loop, as the sum over its fan of triangles (Newell); from exact arithmetic where that cancels.
fn face_normal(vertices: &[DVec3], corners: &[u32]) -> DVec3 {
    let vertex = |index: u32| vertices[index as usize];
    let [a, b, c, ..] = corners else { return DVec3::ZERO };
    let (a, b, c) = (vertex(*a), vertex(*b), vertex(*c));
    let size = corners.iter().map(|i| (vertex(*i) - a).abs().max_element()).fold(0.0, f64::max);
    let factor = power_of_two_near_inverse(size);
    let (mut sum, mut permanent) = (DVec3::ZERO, 0.0);
    for pair in corners.windows(2).skip(1) {
        let (u, v) = ((vertex(pair[0]) - a) * factor, (vertex(pair[1]) - a) * factor);
        sum += u.cross(v);
        permanent += u.abs().dot(v.abs().yzx()) + u.abs().dot(v.abs().zxy());
    }
    // Four roundings per product, and one per term of the sum.
    let error = (corners.len() as f64 + 6.0) * UNIT_ROUNDOFF * permanent;
    let length = sum.length();
    if length > f64::MIN_POSITIVE.sqrt() && error <= NORMAL_ERROR * length {
        return sum / length;
    }
    let exact = exact_normal(a, b, c);
    exact / exact.length()
}

/// The largest n·v over all vertices; the vertices of the face are the exact maximum for the exact normal.
fn offset(hull: &Hull, corners: &[u32], normal: DVec3) -> f64 {
    let value = |vertex: u32| normal.dot(hull.vertices[vertex as usize]);
    if hull.vertices.len() <= CLIMB {
        return hull.vertices.iter().map(|v| normal.dot(*v)).fold(f64::NEG_INFINITY, f64::max);
    }
    let mut best = (f64::NEG_INFINITY, 0);
    for corner in corners {
        if value(*corner) > best.0 {
            best = (value(*corner), *corner);
        }
    }
    loop {
        let before = best;
        let neighbours = hull.neighbours(before.1);
        for neighbour in neighbours.iter().filter(|_| neighbours.len() <= CLIMB) {
            if value(*neighbour) > best.0 {
                best = (value(*neighbour), *neighbour);
            }
        }
        if best.1 == before.1 {
            return best.0;
        }
    }
}

/// The mean of the vertices.
fn mean(vertices: &[DVec3]) -> DVec3 {
    let first = vertices[0];
    first + vertices.iter().map(|v| *v - first).sum::<DVec3>() / vertices.len() as f64
}

/// The centroid of the volume, as a sum over the tetrahedra from the first vertex to all triangles; none if it all cancels.
fn centroid(hull: &Hull) -> Option<DVec3> {
    let first = hull.vertices[0];
    let size = hull.vertices.iter().map(|v| (*v - first).abs().max_element()).fold(0.0, f64::max);
    let factor = power_of_two_near_inverse(size);
    let (mut volume, mut moment) = (0.0, DVec3::ZERO);
    for triangle in &hull.triangles {
        let [a, b, c] = triangle.map(|i| (hull.vertices[i as usize] - first) * factor);
        let six = a.cross(b).dot(c);
        volume += six;
        moment += (a + b + c) * (0.25 * six);
    }
    let offset = moment / volume / factor;
    (volume > f64::MIN_POSITIVE && offset.is_finite()).then(|| first + offset)
}

/// A lower bound on the distance from a point to the nearest face plane; zero if the point may be outside.
fn inner(hull: &Hull, normals: &[DVec3], point: DVec3) -> f64 {
    let mut smallest = f64::INFINITY;
    for (face, normal) in normals.iter().enumerate() {
        let Some(corner) = hull.face(face as u32).first() else { continue };
        let arm = hull.vertices[*corner as usize] - point;
        smallest = smallest.min(normal.dot(arm) - HEIGHT_ERROR * arm.abs().element_sum());
    }
    // Eight subnormal steps for products that underflow.
    (smallest - f64::from_bits(8)).max(0.0)
}
