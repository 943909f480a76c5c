//! Right answers, found by brute force and independently of impinge.
//!
//! Polytopes: all separating axes (exact where it matters) and all pairs of features. Capsules: the closed form.

mod capsule;
mod exact;
mod polytope;
mod vector;

use crate::convex::format::{Pair, Shape};
use polytope::Polytope;

/// The truth about one pair.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// Whether the closed sets meet; for polytopes decided exactly on the vertices mapped into A's frame.
    pub overlap: bool,
    /// Distance if apart, minus the penetration depth if not.
    pub signed_distance: f64,
}

/// The truth about a pair of shapes of the same kind.
pub fn truth(shapes: &[Shape], pair: &Pair) -> Truth {
    let (a, b) = (&shapes[pair.a as usize], &shapes[pair.b as usize]);
    if let (
        Shape::Capsule { radius: radius_a, half_height: half_a },
        Shape::Capsule { radius: radius_b, half_height: half_b },
    ) = (a, b)
    {
        let signed_distance = capsule::core_distance(*half_a, *half_b, pair) - radius_a - radius_b;
        return Truth { overlap: signed_distance <= 0.0, signed_distance };
    }
    let a = Polytope::new(a, |point| point);
    let b = Polytope::new(b, |point| pair.map(point));
    let overlap = exact::overlap(&a, &b);
    let signed_distance =
        if overlap { polytope::separation(&a, &b).min(0.0) } else { polytope::distance(&a, &b) };
    Truth { overlap, signed_distance }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

    fn boxes(half: [f64; 3], rotation: [f64; 4], translation: [f64; 3]) -> Truth {
        let shapes = [Shape::Box { half }];
        truth(&shapes, &Pair { a: 0, b: 0, rotation, translation })
    }

    #[test]
    fn aligned_boxes() {
        let apart = boxes([1.0; 3], TURN, [5.0, 6.0, 0.0]);
        assert!(!apart.overlap);
        assert!((apart.signed_distance - 5.0).abs() < 1e-14, "3-4-5 between two edges");
        let deep = boxes([1.0; 3], TURN, [0.25, 1.75, 0.5]);
        assert!(deep.overlap);
        assert!((deep.signed_distance + 0.25).abs() < 1e-15);
    }

    #[test]
    fn touching_boxes_overlap_and_the_next_number_does_not() {
        let touching = boxes([1.0; 3], TURN, [2.0, 0.5, 0.25]);
        assert!(touching.overlap);
        assert_eq!(touching.signed_distance, 0.0);
        // Four units in the last place of 1, so that the gap survives the rounding of the mapped vertices.
        let gap = boxes([1.0; 3], TURN, [2.0 + 4.0 * f64::EPSILON, 0.5, 0.25]);
        assert!(!gap.overlap);
        assert!(gap.signed_distance > 0.0 && gap.signed_distance < 1e-15);
    }

    #[test]
    fn a_vertex_over_a_face() {
        // Turned so that its diagonal lies along x: the cube's vertex is √3 from its centre.
        let (cosine, sine) = (1.0 / 3.0_f64.sqrt(), (2.0_f64 / 3.0).sqrt());
        let half = |cosine: f64| ((1.0 + cosine) / 2.0).sqrt();
        let w = half(cosine);
        let side = sine / (2.0 * w) * 0.5_f64.sqrt();
        // The rotation about the axis (0, 1, −1)/√2 that takes (1, 1, 1)/√3 to x.
        let truth = boxes([1.0; 3], [w, 0.0, side, -side], [4.0, 0.1, 0.2]);
        assert!(!truth.overlap);
        assert!((truth.signed_distance - (3.0 - 3.0_f64.sqrt())).abs() < 1e-14, "{truth:?}");
    }

    #[test]
    fn hulls_agree_with_boxes() {
        // The same boxes once as boxes and once as hulls of their corners.
        let input = crate::convex::generate::input(crate::convex::format::Kind::Box, 3, 60);
        let hulls: Vec<Shape> = input.shapes.iter().map(polytope::box_as_hull).collect();
        for pair in &input.pairs {
            let (one, other) = (truth(&input.shapes, pair), truth(&hulls, pair));
            assert_eq!(one.overlap, other.overlap);
            assert_eq!(one.signed_distance, other.signed_distance);
        }
    }

    #[test]
    fn separated_pairs_have_a_certificate() {
        // The distance by features and the separation along an axis bound each other.
        let input = crate::convex::generate::input(crate::convex::format::Kind::Hull, 4, 12);
        for pair in &input.pairs {
            let a = Polytope::new(&input.shapes[pair.a as usize], |point| point);
            let b = Polytope::new(&input.shapes[pair.b as usize], |point| pair.map(point));
            let (separation, distance) = (polytope::separation(&a, &b), polytope::distance(&a, &b));
            assert_eq!(exact::overlap(&a, &b), separation < 0.0);
            if separation > 0.0 {
                assert!(separation <= distance + 1e-14, "{separation} {distance}");
            }
        }
    }
}
