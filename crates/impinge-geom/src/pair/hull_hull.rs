//! Solid hull against solid hull by separating axes: an independent way to the depth that GJK and EPA find.
//!
//! The faces of A − B have the normals of A's faces, of B's faces, and the products of an edge of A with an edge of B. Of the
//! products only those count whose arcs on the Gauss map cross (Gregorius, "The Separating Axis Test between Convex
//! Polyhedra", GDC 2013); that prunes nearly all pairs of edges. Face normals are culled by the balls inside the hulls: along a
//! unit axis the gap is at most the gap of the balls, so an axis on which even the balls overlap more than the best axis so far
//! needs no support point.
//!
//! The cost grows with the product of the edge counts, so the pair functions use GJK and EPA; this is for small hulls, for
//! judging, and for telling which features are closest to parting.

use crate::answer::Feature;
use crate::hull::Hull;
use crate::number::tolerance::PARALLEL_HULL_EDGES;
use crate::pose::Pose;
use crate::support::Support;
use glam::DVec3;

/// The axis of largest separation of two hulls, or of least overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WidestAxis {
    /// Positive: the hulls are at least this far apart. Negative: minus the penetration depth.
    pub gap: f64,
    /// Unit vector from A towards B, in A's frame.
    pub normal: DVec3,
    /// The face and the vertex, or the two edges, that the axis belongs to.
    pub features: [Feature; 2],
}

/// The axis of largest separation of two solid hulls; `None` if one of them is flat.
///
/// ```
/// use impinge_geom::{Pose, hull::Hull, pair::hull_hull};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let hull = Hull::new(&corners)?;
/// let apart = hull_hull::widest_axis(&hull, &hull, &Pose::from_translation([3.0, 0.0, 0.0])?).unwrap();
/// assert_eq!((apart.gap, apart.normal.x), (2.0, 1.0));
/// let inside = hull_hull::widest_axis(&hull, &hull, &Pose::from_translation([0.75, 0.0, 0.0])?).unwrap();
/// assert!((inside.gap + 0.25 / 3f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn widest_axis(a: &Hull, b: &Hull, b_in_a: &Pose) -> Option<WidestAxis> {
    if a.dimension() < 3 || b.dimension() < 3 {
        return None;
    }
    let mut best =
        WidestAxis { gap: f64::NEG_INFINITY, normal: DVec3::X, features: [Feature::SURFACE; 2] };
    face_axes(a, b, b_in_a, false, &mut best);
    face_axes(b, a, &b_in_a.inverse(), true, &mut best);
    if best.features[0].kind == crate::answer::FeatureKind::Vertex {
        // Found from B's side, in B's frame.
        best.normal = b_in_a.rotate(-best.normal);
    }
    edge_axes(a, b, b_in_a, &mut best);
    Some(best)
}

/// The face normals of `own`, against the other hull posed in its frame.
fn face_axes(own: &Hull, other: &Hull, pose: &Pose, swapped: bool, best: &mut WidestAxis) {
    let between = pose.transform_point(other.center()) - own.center();
    let inner = own.inner_radius() + other.inner_radius();
    for face in 0..own.face_count() as u32 {
        let normal = own.face_normal(face);
        if normal.dot(between).abs() - inner <= best.gap {
            continue;
        }
        let support = other.support(pose.inverse_rotate(-normal));
        let gap = normal.dot(pose.transform_point(support.point)) - own.face_offset(face);
        if gap > best.gap {
            let features = [Feature::face(face), Feature::vertex(support.vertex)];
            let features = if swapped { [features[1], features[0]] } else { features };
            *best = WidestAxis { gap, normal, features };
        }
    }
}

/// The products of edges whose arcs on the Gauss map cross.
fn edge_axes(a: &Hull, b: &Hull, pose: &Pose, best: &mut WidestAxis) {
    let (corners_a, corners_b) = (a.vertices(), b.vertices());
    for (index_b, [u, v]) in b.edges().iter().enumerate() {
        let start_b = pose.transform_point(corners_b[*u as usize]);
        let along_b = pose.transform_point(corners_b[*v as usize]) - start_b;
        // B's normals point the other way on the Gauss map of −B.
        let [c, d] = b.edge_faces(index_b as u32).map(|face| -pose.rotate(b.face_normal(face)));
        for (index_a, [p, q]) in a.edges().iter().enumerate() {
            let start_a = corners_a[*p as usize];
            let along_a = corners_a[*q as usize] - start_a;
            let [first, second] = a.edge_faces(index_a as u32);
            let (first, second) = (a.face_normal(first), a.face_normal(second));
            if !arcs_cross(first, second, along_a, c, d, along_b) {
                continue;
            }
            let product = along_a.cross(along_b);
            let length = product.length();
            // The edges are parallel: face normals stand for their product.
            if length <= PARALLEL_HULL_EDGES * along_a.length() * along_b.length() {
                continue;
            }
            let mut normal = product / length;
            if normal.dot(start_a - a.center()) < 0.0 {
                normal = -normal;
            }
            let gap = normal.dot(start_b - start_a);
            if gap > best.gap {
                let features = [Feature::edge(index_a as u32), Feature::edge(index_b as u32)];
                *best = WidestAxis { gap, normal, features };
            }
        }
    }
}

/// Whether the arc between the face normals `a` and `b` crosses the one between `c` and `d`. The planes of the arcs are given by
/// the edges, which are across both normals of their faces.
fn arcs_cross(a: DVec3, b: DVec3, edge_ab: DVec3, c: DVec3, d: DVec3, edge_cd: DVec3) -> bool {
    let (c_side, d_side) = (c.dot(edge_ab), d.dot(edge_ab));
    let (a_side, b_side) = (a.dot(edge_cd), b.dot(edge_cd));
    if c_side * d_side >= 0.0 || a_side * b_side >= 0.0 {
        return false;
    }
    // Each arc passes through the plane of the other; they cross if they do so on the same half of the sphere.
    c.dot(b.cross(a)) * b.dot(d.cross(c)) > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Cache, signed_distance};
    use crate::shape::Shape;
    use crate::testing::Random;

    #[test]
    fn agrees_with_gjk_and_epa() {
        let mut random = Random::new(11);
        let (mut deep, mut apart) = (0, 0);
        for round in 0..400 {
            let mut hull = || {
                let points: Vec<[f64; 3]> =
                    (0..4 + round % 20).map(|_| random.in_cube().to_array()).collect();
                Shape::hull(&points).unwrap()
            };
            let (first, second) = (hull(), hull());
            let turn = random.in_cube();
            let length = (1.0 + turn.length_squared()).sqrt();
            let quaternion = [1.0, turn.x, turn.y, turn.z].map(|x| x / length);
            let pose = Pose::new(quaternion, (random.in_cube() * 1.5).to_array()).unwrap();
            let (Shape::Hull(a), Shape::Hull(b)) = (&first, &second) else { continue };
            let Some(axis) = widest_axis(a, b, &pose) else { continue };
            let found = signed_distance(&first, &second, &pose, &mut Cache::default()).unwrap();
            if found.distance < 0.0 {
                deep += 1;
                assert!((axis.gap - found.distance).abs() < 1e-12, "{axis:?} {found:?}");
                // The gap is the one along the normal.
                let reach = a.support(axis.normal).point.dot(axis.normal);
                let low = b.support(pose.inverse_rotate(-axis.normal)).point;
                assert!(
                    (pose.transform_point(low).dot(axis.normal) - reach - axis.gap).abs() < 1e-12
                );
            } else {
                apart += 1;
                assert!(axis.gap > 0.0 && axis.gap <= found.distance + 1e-12);
            }
        }
        assert!(deep > 50 && apart > 50, "{deep} {apart}");
    }
}
