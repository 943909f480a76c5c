//! The point of a small simplex that is closest to the origin.
//!
//! Regions are told apart as by Ericson, "Real-Time Collision Detection", §5.1.5–5.1.6. Where the answer lies inside a face the
//! point is the projection of the origin on its plane rather than a sum of weighted corners: on thin triangles that is the
//! better conditioned of the two, and its direction is the normal to working precision.

use glam::DVec3;

/// Barycentric weights, zero for the corners that do not take part, and the closest point itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest<const N: usize> {
    pub(super) weights: [f64; N],
    pub(super) point: DVec3,
}

#[inline(always)]
pub(super) fn segment(a: DVec3, b: DVec3) -> Closest<2> {
    let ab = b - a;
    let along = -a.dot(ab);
    if along <= 0.0 {
        return Closest { weights: [1.0, 0.0], point: a };
    }
    let length = ab.length_squared();
    if along >= length {
        return Closest { weights: [0.0, 1.0], point: b };
    }
    let t = along / length;
    Closest { weights: [1.0 - t, t], point: a + ab * t }
}

#[inline(always)]
pub(super) fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Closest<3> {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return Closest { weights: [1.0, 0.0, 0.0], point: a };
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return Closest { weights: [0.0, 1.0, 0.0], point: b };
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return Closest { weights: [0.0, 0.0, 1.0], point: c };
    }
    let normal = ab.cross(ac);
    // Twice the areas of the sub-triangles that the projected origin makes with the edges, times |normal|.
    let vc = normal.dot(a.cross(b));
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return Closest { weights: [1.0 - t, t, 0.0], point: a + ab * t };
    }
    let vb = normal.dot(c.cross(a));
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return Closest { weights: [1.0 - t, 0.0, t], point: a + ac * t };
    }
    let va = normal.dot(b.cross(c));
    let (along, back) = (d4 - d3, d5 - d6);
    if va <= 0.0 && along >= 0.0 && back >= 0.0 {
        let t = along / (along + back);
        return Closest { weights: [0.0, 1.0 - t, t], point: b + (c - b) * t };
    }
    let sum = va + vb + vc;
    let square = normal.length_squared();
    if !(sum > 0.0 && square > 0.0) {
        return thinnest(a, b, c);
    }
    let inverse = 1.0 / sum;
    // The vertex that is nearest to the plane in value would do; the mean of all three halves the rounding.
    let height = (normal.dot(a) + normal.dot(b) + normal.dot(c)) / 3.0;
    Closest {
        weights: [va * inverse, vb * inverse, vc * inverse],
        point: normal * (height / square),
    }
}

/// A triangle whose area vanishes in floating point: the best of its edges.
#[cold]
fn thinnest(a: DVec3, b: DVec3, c: DVec3) -> Closest<3> {
    let (ab, bc, ca) = (segment(a, b), segment(b, c), segment(c, a));
    let size = |edge: &Closest<2>| edge.point.length_squared();
    if size(&ab) <= size(&bc) && size(&ab) <= size(&ca) {
        Closest { weights: [ab.weights[0], ab.weights[1], 0.0], point: ab.point }
    } else if size(&bc) <= size(&ca) {
        Closest { weights: [0.0, bc.weights[0], bc.weights[1]], point: bc.point }
    } else {
        Closest { weights: [ca.weights[1], 0.0, ca.weights[0]], point: ca.point }
    }
}

/// Where the origin lies relative to a tetrahedron.
#[derive(Clone, Copy, Debug)]
pub(super) enum InTetrahedron {
    /// Inside; the number is a lower bound of its distance from the faces, before rounding.
    Inside(f64),
    /// Outside or on the boundary, and the closest point.
    Outside(Closest<4>),
}

/// `d` is the newest corner: the origin is known to lie on its side of the face `abc`.
#[inline(always)]
pub(super) fn tetrahedron(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> InTetrahedron {
    let mut best: Option<Closest<4>> = None;
    let mut depth = f64::INFINITY;
    // The faces at the newest corner, each with the corner opposite to it and the places of its corners.
    let faces = [([a, b, d], c, [0, 1, 3]), ([b, c, d], a, [1, 2, 3]), ([c, a, d], b, [2, 0, 3])];
    for ([p, q, r], opposite, places) in faces {
        let normal = (q - p).cross(r - p);
        let height = normal.dot(r);
        let inner = normal.dot(opposite - r);
        // The origin is at −height, the opposite corner at inner: the same sign means the inner side.
        let inside = if inner < 0.0 { height > 0.0 } else { inner > 0.0 && height < 0.0 };
        if inside {
            let square = normal.length_squared();
            depth = depth.min(height * height / square);
        } else {
            let closest = triangle(p, q, r);
            if best.is_none_or(|b| closest.point.length_squared() < b.point.length_squared()) {
                let mut weights = [0.0; 4];
                for (weight, place) in closest.weights.into_iter().zip(places) {
                    weights[place] = weight;
                }
                best = Some(Closest { weights, point: closest.point });
            }
        }
    }
    match best {
        Some(closest) => InTetrahedron::Outside(closest),
        None => {
            // The old face: part of the certificate that the origin is inside.
            let normal = (b - a).cross(c - a);
            let (height, inner) = (normal.dot(a), normal.dot(d - a));
            if (height > 0.0) == (inner < 0.0) && height != 0.0 {
                depth = depth.min(height * height / normal.length_squared());
                InTetrahedron::Inside(depth.sqrt())
            } else {
                InTetrahedron::Inside(0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The closest point by exhaustive search over a fine barycentric grid.
    fn searched(points: &[DVec3]) -> f64 {
        let steps = 60;
        let mut best = f64::INFINITY;
        for i in 0..=steps {
            for j in 0..=(steps - i) {
                for k in 0..=(steps - i - j) {
                    let weights =
                        [i, j, k, steps - i - j - k].map(|w| f64::from(w) / f64::from(steps));
                    let unused: f64 = weights[points.len()..].iter().sum();
                    if unused > 0.0 {
                        continue;
                    }
                    let point: DVec3 = points.iter().zip(weights).map(|(p, w)| *p * w).sum();
                    best = best.min(point.length());
                }
            }
        }
        best
    }

    #[test]
    fn agrees_with_a_search() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0
        };
        for _ in 0..300 {
            let p: [DVec3; 4] =
                std::array::from_fn(|_| DVec3::new(next(), next(), next()) + DVec3::X * 0.4);
            assert!((segment(p[0], p[1]).point.length() - searched(&p[..2])).abs() < 0.05);
            assert!((triangle(p[0], p[1], p[2]).point.length() - searched(&p[..3])).abs() < 0.05);
            let truth = searched(&p);
            // The newest corner must be on the origin's side of the other three, as in GJK.
            let normal = (p[1] - p[0]).cross(p[2] - p[0]);
            if (normal.dot(-p[0]) > 0.0) != (normal.dot(p[3] - p[0]) > 0.0) {
                continue;
            }
            match tetrahedron(p[0], p[1], p[2], p[3]) {
                InTetrahedron::Inside(_) => assert!(truth < 0.05),
                InTetrahedron::Outside(closest) => {
                    assert!((closest.point.length() - truth).abs() < 0.05);
                    let sum: DVec3 = p.iter().zip(closest.weights).map(|(p, w)| *p * w).sum();
                    assert!((sum - closest.point).length() < 1e-12);
                }
            }
        }
    }
}
