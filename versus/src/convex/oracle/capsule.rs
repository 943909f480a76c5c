//! Capsules: the distance of the core segments says everything.
//!
//! If the cores do not meet, the penetration depth is the sum of the radii minus their distance: the Minkowski
//! difference is a parallelogram inflated by that sum, and its nearest boundary point lies beyond the nearest point
//! of the parallelogram.

use super::vector::segment_segment;
use crate::convex::format::Pair;

/// Distance between the core segments, the first along z, the second mapped by the pair's pose.
pub(super) fn core_distance(half_a: f64, half_b: f64, pair: &Pair) -> f64 {
    let a = [[0.0, 0.0, -half_a], [0.0, 0.0, half_a]];
    let b = [pair.map([0.0, 0.0, -half_b]), pair.map([0.0, 0.0, half_b])];
    segment_segment(a, b).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossed_parallel_and_end_to_end() {
        let half_root = 0.5_f64.sqrt();
        let about_x = [half_root, half_root, 0.0, 0.0];
        let pose = |rotation, translation| Pair { a: 0, b: 0, rotation, translation };
        let straight = [1.0, 0.0, 0.0, 0.0];
        let cases = [
            (pose(about_x, [3.0, 0.5, 0.5]), 3.0),
            (pose(straight, [0.0, 2.0, 1.0]), 2.0),
            (pose(straight, [3.0, 0.0, 6.0]), 5.0),
            (pose(about_x, [0.0, 4.0, 0.0]), 3.0),
        ];
        for (pair, expected) in cases {
            let distance = core_distance(1.0, 1.0, &pair);
            assert!((distance - expected).abs() < 1e-14, "{pair:?}: {distance}");
        }
    }
}
