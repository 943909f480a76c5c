//! The point of a small simplex that is closest to the origin.
//!
//! As in GJK the last corner is the newest one, and the closest point is known to need it: features without it are not looked
//! at. The regions are those of Ericson, "Real-Time Collision Detection", §5.1.5–5.1.6, told apart by triple products at the
//! newest corner. Where the answer lies inside a face the point is the projection of the origin on its plane: its direction is
//! the normal to working precision. The normal of a thin triangle is not to be trusted, and a point computed from it may be
//! nearer to the origin than the body is; there the sum of the weighted corners is taken, which is a point of the body whatever
//! the rounding. Wrong decisions by rounding cost a step, never a wrong answer: GJK checks what comes out.

use glam::DVec3;

/// Triangles with a smaller angle at the newest corner are thin: its sine, squared.
const THIN_SQUARE: f64 = 1e-4;

/// Weights of the corners, zero for those that do not take part, and the closest point itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest<const N: usize> {
    pub(super) weights: [f64; N],
    pub(super) point: DVec3,
    /// A vector along the point, of any length. It is there before the division that the point waits for, and so the search for
    /// the next vertex need not wait.
    pub(super) direction: DVec3,
}

/// `b` is the newest corner.
#[inline(always)]
pub(super) fn segment(a: DVec3, b: DVec3) -> Closest<2> {
    let (t, point, direction) = towards(b, a - b);
    Closest { weights: [t, 1.0 - t], point, direction }
}

/// The parameter and the point of the segment from `corner` along `edge` that is closest to the origin, and its direction.
#[inline(always)]
fn towards(corner: DVec3, edge: DVec3) -> (f64, DVec3, DVec3) {
    let along = -corner.dot(edge);
    let square = edge.length_squared();
    if along <= 0.0 {
        (0.0, corner, corner)
    } else if along >= square {
        (1.0, corner + edge, corner + edge)
    } else {
        let t = along / square;
        (t, corner + edge * t, corner * square + edge * along)
    }
}

/// `c` is the newest corner.
#[inline(always)]
pub(super) fn triangle(a: DVec3, b: DVec3, c: DVec3) -> Closest<3> {
    let (to_a, to_b) = (a - c, b - c);
    at_corner(to_a, to_b, to_a.cross(to_b), c)
}

/// The triangle with the newest corner `c`, edges from it to the other two corners, and their product.
#[inline(always)]
fn at_corner(to_a: DVec3, to_b: DVec3, normal: DVec3, c: DVec3) -> Closest<3> {
    // Areas, times |normal|, of the triangles that the projected origin makes with the two edges at the newest corner.
    let beside_a = normal.dot(c.cross(to_a));
    let beside_b = normal.dot(to_b.cross(c));
    if beside_a > 0.0 && beside_b > 0.0 {
        let square = normal.length_squared();
        let inverse = 1.0 / square;
        let (weight_a, weight_b) = (beside_b * inverse, beside_a * inverse);
        let weight_c = 1.0 - weight_a - weight_b;
        if weight_c > 0.0 {
            let thin = square <= THIN_SQUARE * to_a.length_squared() * to_b.length_squared();
            let weights = [weight_a, weight_b, weight_c];
            if thin {
                let point = c + to_a * weight_a + to_b * weight_b;
                return Closest { weights, point, direction: point };
            }
            let height = normal.dot(c);
            let point = normal * (height * inverse);
            return Closest { weights, point, direction: normal * height };
        }
        // Beyond the old edge, which only rounding can bring about: the nearer of the newest edges.
    }
    let (s, on_a, along_a) = towards(c, to_a);
    let (t, on_b, along_b) = towards(c, to_b);
    if on_a.length_squared() <= on_b.length_squared() {
        Closest { weights: [s, 0.0, 1.0 - s], point: on_a, direction: along_a }
    } else {
        Closest { weights: [0.0, t, 1.0 - t], point: on_b, direction: along_b }
    }
}

/// Where the origin lies relative to a tetrahedron.
#[derive(Clone, Copy, Debug)]
pub(super) enum InTetrahedron {
    /// Inside; true if it is farther than the given margin from all faces.
    Inside(bool),
    /// Outside or on the boundary, and the closest point.
    Outside(Closest<4>),
}

/// `d` is the newest corner: the origin is known to lie on its side of the face `abc`.
#[inline(always)]
pub(super) fn tetrahedron(a: DVec3, b: DVec3, c: DVec3, d: DVec3, margin: f64) -> InTetrahedron {
    let (to_a, to_b, to_c) = (a - d, b - d, c - d);
    let (ab, bc, ca) = (to_a.cross(to_b), to_b.cross(to_c), to_c.cross(to_a));
    let volume = to_a.dot(bc);
    // Heights of the origin over the three new faces, times their areas, positive on the inner side.
    let sign = if volume < 0.0 { -1.0 } else { 1.0 };
    let (over_ab, over_bc, over_ca) = (-d.dot(ab) * sign, -d.dot(bc) * sign, -d.dot(ca) * sign);
    if over_ab > 0.0 && over_bc > 0.0 && over_ca > 0.0 {
        let over_abc = volume * sign - (over_ab + over_bc + over_ca);
        // Moving the corners by the margin, as rounding may have done, tilts thin faces; this bounds what that and the rounding
        // of the products above do to heights times areas.
        let longest = to_a.length_squared().max(to_b.length_squared()).max(to_c.length_squared());
        let least = 8.0 * margin * longest.max(d.length_squared());
        let certain =
            (over_ab > least) & (over_bc > least) & (over_ca > least) & (over_abc > least);
        return InTetrahedron::Inside(certain);
    }
    let mut best =
        Closest { weights: [0.0; 4], point: DVec3::INFINITY, direction: DVec3::INFINITY };
    let mut look = |outside: bool, face: Closest<3>, places: [usize; 2]| {
        if outside && face.point.length_squared() < best.point.length_squared() {
            best.weights = [0.0, 0.0, 0.0, face.weights[2]];
            best.weights[places[0]] = face.weights[0];
            best.weights[places[1]] = face.weights[1];
            (best.point, best.direction) = (face.point, face.direction);
        }
    };
    if over_ab <= 0.0 {
        look(true, at_corner(to_a, to_b, ab, d), [0, 1]);
    }
    if over_bc <= 0.0 {
        look(true, at_corner(to_b, to_c, bc, d), [1, 2]);
    }
    if over_ca <= 0.0 {
        look(true, at_corner(to_c, to_a, ca, d), [2, 0]);
    }
    InTetrahedron::Outside(best)
}

/// The barycentric coordinates of the origin in a tetrahedron around it; up to rounding they are positive, and made so.
pub(super) fn weights_of_origin(&[a, b, c, d]: &[DVec3; 4]) -> [f64; 4] {
    let volume = |p: DVec3, q: DVec3, r: DVec3| p.dot(q.cross(r));
    let volumes = [volume(b, c, d), volume(a, d, c), volume(a, b, d), volume(a, c, b)];
    let sign = if volumes.iter().sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let volumes = volumes.map(|volume| (volume * sign).max(0.0));
    let sum: f64 = volumes.iter().sum();
    if sum > 0.0 { volumes.map(|volume| volume / sum) } else { [0.25; 4] }
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
                    if weights[points.len()..].iter().sum::<f64>() > 0.0 {
                        continue;
                    }
                    let point: DVec3 = points.iter().zip(weights).map(|(p, w)| *p * w).sum();
                    best = best.min(point.length());
                }
            }
        }
        best
    }

    /// True if the newest corner, the last one, is where GJK would look: nearer to the origin along the closest point of the rest.
    fn is_step(old: DVec3, newest: DVec3) -> bool {
        old.dot(newest) < 0.9 * old.length_squared()
    }

    #[test]
    fn agrees_with_a_search() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0
        };
        let (mut triangles, mut tetrahedra, mut inside) = (0, 0, 0);
        while tetrahedra < 200 || triangles < 200 || inside < 20 {
            let p: [DVec3; 4] =
                std::array::from_fn(|_| DVec3::new(next(), next(), next()) + DVec3::X * 0.3);
            if !is_step(p[0], p[1]) {
                continue;
            }
            let edge = segment(p[0], p[1]);
            assert!((edge.point.length() - searched(&p[..2])).abs() < 0.05);
            let both = edge.weights.iter().all(|w| *w > 0.0);
            if !both || !is_step(edge.point, p[2]) {
                continue;
            }
            triangles += 1;
            let face = triangle(p[0], p[1], p[2]);
            assert!((face.point.length() - searched(&p[..3])).abs() < 0.05);
            let sum: DVec3 = p.iter().zip(face.weights).map(|(p, w)| *p * w).sum();
            assert!((sum - face.point).length() < 1e-12);
            let all = face.weights.iter().all(|w| *w > 0.0);
            if !all || !is_step(face.point, p[3]) {
                continue;
            }
            match tetrahedron(p[0], p[1], p[2], p[3], 1e-12) {
                InTetrahedron::Inside(certain) => {
                    let weights = weights_of_origin(&p);
                    let sum: DVec3 = p.iter().zip(weights).map(|(p, w)| *p * w).sum();
                    assert!(sum.length() < 1e-12);
                    inside += 1;
                    assert!(certain && searched(&p) < 0.05);
                }
                InTetrahedron::Outside(closest) => {
                    tetrahedra += 1;
                    assert!((closest.point.length() - searched(&p)).abs() < 0.05);
                    let sum: DVec3 = p.iter().zip(closest.weights).map(|(p, w)| *p * w).sum();
                    assert!((sum - closest.point).length() < 1e-12);
                }
            }
        }
    }
}
