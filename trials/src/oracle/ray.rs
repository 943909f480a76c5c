//! Does a ray meet a triangle? By the signs of four determinants of integers.

use super::Point;
use super::lattice::{big, determinant, minus, sign};

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

#[cfg(test)]
mod tests {
    use super::*;

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
