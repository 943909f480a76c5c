//! Does a ray meet a triangle, and where? By determinants of integers and by fractions.

use super::Point;
use super::lattice::{big, determinant, minus, sign};
use dashu_ratio::RBig;

/// True or false; none where the ray lies in the triangle's plane.
///
/// With p, q, r the corners seen from the origin, a point of the line is Σ wᵢ·corner with weights d·(q×r), d·(r×p), d·(p×q),
/// up to their sum, and it is ahead if det(p, q, r) has the sign of the weights.
pub fn meets(origin: &Point, direction: &Point, triangle: &[Point; 3]) -> Option<bool> {
    let (points, _) = big(&[*origin, triangle[0], triangle[1], triangle[2]]);
    // Its own lattice: only the sense of the direction matters.
    let (d, _) = big(&[*direction]);
    let (d, o) = (&d[0], &points[0]);
    let [p, q, r] = [1, 2, 3].map(|i| minus(&points[i], o));
    let weights = [determinant(d, &q, &r), determinant(d, &r, &p), determinant(d, &p, &q)];
    let signs = weights.map(|weight| sign(&weight));
    let (up, down) = (signs.contains(&1), signs.contains(&-1));
    match (up, down) {
        (false, false) => None,
        (true, true) => Some(false),
        _ => {
            let side = sign(&determinant(&p, &q, &r));
            Some(side == 0 || (side > 0) == up)
        }
    }
}

/// The least t ≥ 0 with origin + t · direction in the closed triangle; none if there is none, or a number is not finite.
pub fn parameter(origin: &Point, direction: &Point, triangle: &[Point; 3]) -> Option<RBig> {
    let fractions = |v: &Point| -> Option<[RBig; 3]> {
        Some([RBig::try_from(v[0]).ok()?, RBig::try_from(v[1]).ok()?, RBig::try_from(v[2]).ok()?])
    };
    let (o, d) = (fractions(origin)?, fractions(direction)?);
    let seen = |v: &Point| fractions(v).map(|v| difference(&v, &o));
    let corners = [seen(&triangle[0])?, seen(&triangle[1])?, seen(&triangle[2])?];
    match meets(origin, direction, triangle) {
        Some(false) => None,
        Some(true) => {
            let [p, q, r] = &corners;
            let normal = cross(&difference(q, p), &difference(r, p));
            Some(dot(&normal, p) / dot(&normal, &d))
        }
        None => within_plane(&corners, &d),
    }
}

/// The same where the line lies in a plane with the triangle, whose corners are seen from the origin: the line enters and leaves it at its outline.
fn within_plane(corners: &[[RBig; 3]; 3], d: &[RBig; 3]) -> Option<RBig> {
    let (mut least, mut most): (Option<RBig>, Option<RBig>) = (None, None);
    let mut take = |t: RBig| {
        least = Some(least.take().map_or(t.clone(), |known| known.min(t.clone())));
        most = Some(most.take().map_or(t.clone(), |known| known.max(t)));
    };
    for (k, u) in corners.iter().enumerate() {
        let v = &corners[(k + 1) % 3];
        // At the point u + s · (v − u) of the line, d × u + s · d × (v − u) is nothing.
        let (start, turn) = (cross(d, u), cross(d, &difference(v, u)));
        let along = |point: &[RBig; 3]| dot(d, point) / dot(d, d);
        let square = dot(&turn, &turn);
        if square == RBig::ZERO {
            if start.iter().all(|x| *x == RBig::ZERO) {
                [u, v].into_iter().for_each(|end| take(along(end)));
            }
            continue;
        }
        let share = -dot(&start, &turn) / &square;
        if share < RBig::ZERO || share > RBig::ONE {
            continue;
        }
        let passes = |k: usize| &start[k] + &share * &turn[k] == RBig::ZERO;
        if (0..3).all(passes) {
            take(along(&[0, 1, 2].map(|k| &u[k] + &share * (&v[k] - &u[k]))));
        }
    }
    (most? >= RBig::ZERO).then(|| least.unwrap_or(RBig::ZERO).max(RBig::ZERO))
}

fn difference(a: &[RBig; 3], b: &[RBig; 3]) -> [RBig; 3] {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}

fn dot(a: &[RBig; 3], b: &[RBig; 3]) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &[RBig; 3], b: &[RBig; 3]) -> [RBig; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| &a[i] * &b[j] - &a[j] * &b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_by_hand() {
        let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let cases = [
            (Some(5.0 / 4.0), [1.0, 1.0, 5.0], [0.0, 0.0, -4.0]),
            (None, [1.0, 1.0, 5.0], [0.0, 0.0, 4.0]),
            (Some(0.0), [1.0, 1.0, 0.0], [0.0, 0.0, 4.0]),
            // In the plane: from outside, from inside, away, and along an edge.
            (Some(0.5), [-1.0, 1.0, 0.0], [2.0, 0.0, 0.0]),
            (Some(0.0), [1.0, 1.0, 0.0], [2.0, 0.0, 0.0]),
            (None, [-1.0, 1.0, 0.0], [-2.0, 0.0, 0.0]),
            (Some(3.0), [7.0, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        ];
        for (expected, origin, direction) in cases {
            let found = parameter(&origin, &direction, &triangle).map(|t| t.to_f64().value());
            assert_eq!(found, expected, "{origin:?} {direction:?}");
        }
        // A triangle that is a segment, and one that is a point.
        let segment = [[1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 3.0, 0.0]];
        let along = |triangle| parameter(&[0.0; 3], &[0.5, 0.0, 0.0], triangle);
        assert_eq!(along(&segment), Some(RBig::from(2)));
        assert_eq!(along(&[[1.0, 0.0, 0.0]; 3]), Some(RBig::from(2)));
        assert_eq!(along(&[[1.0, 1.0, 0.0]; 3]), None);
    }

    #[test]
    fn by_hand() {
        let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        let down = [0.0, 0.0, -3.0];
        let cases = [
            (Some(true), [1.0, 1.0, 5.0], down),
            (Some(false), [3.0, 3.0, 5.0], down),
            (Some(false), [1.0, 1.0, -5.0], down),
            (Some(true), [2.0, 2.0, 5.0], down),
            (Some(false), [2.0, 2.0_f64.next_up(), 5.0], down),
            (Some(true), [0.0, 0.0, 5.0], down),
            (Some(true), [1.0, 1.0, 0.0], down),
            (Some(false), [5.0, 1.0, 0.0], down),
            (None, [-1.0, 1.0, 0.0], [1.0, 0.0, 0.0]),
        ];
        for (expected, origin, direction) in cases {
            assert_eq!(meets(&origin, &direction, &triangle), expected, "{origin:?}");
        }
    }
}
