//! The lecture's own test of fifteen axes, with its guard: the entries of the rotation, as magnitudes, are larger by a little.
//!
//! Where two edges are parallel, their product is nothing but rounding, and so are both sides of the comparison; the guard makes the right
//! side the larger one. Nothing else is special about such boxes.

use impinge::geom::Pose;
use impinge::geom::shape::Cuboid;

/// How much larger, in the program of the test's authors.
pub(super) const GUARD: f64 = 1e-6;

/// Whether none of the axes parts the boxes.
pub(super) fn overlap([a, b]: &[Cuboid; 2], pose: &Pose, guard: f64) -> bool {
    let (a, b) = (a.half().to_array(), b.half().to_array());
    let t = pose.translation().to_array();
    // Rows: the axes of A, columns: those of B.
    let r = pose.rotation().transpose().to_cols_array_2d();
    let rf = r.map(|row| row.map(|x| x.abs() + guard));
    let others = |k: usize| ((k + 1) % 3, (k + 2) % 3);
    let face_of_a = |i: usize| {
        let reach: f64 = (0..3).map(|j| b[j] * rf[i][j]).sum();
        t[i].abs() > a[i] + reach
    };
    let face_of_b = |j: usize| {
        let apart: f64 = (0..3).map(|i| t[i] * r[i][j]).sum();
        let reach: f64 = (0..3).map(|i| a[i] * rf[i][j]).sum();
        apart.abs() > b[j] + reach
    };
    let edges = |i: usize, j: usize| {
        let ((i1, i2), (j1, j2)) = (others(i), others(j));
        let apart = t[i2] * r[i1][j] - t[i1] * r[i2][j];
        let reach_a = a[i1] * rf[i2][j] + a[i2] * rf[i1][j];
        let reach_b = b[j1] * rf[i][j2] + b[j2] * rf[i][j1];
        apart.abs() > reach_a + reach_b
    };
    !((0..3).any(face_of_a) || (0..3).any(face_of_b) || (0..3).any(|i| (0..3).any(|j| edges(i, j))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::setting::boxes::Boxes;
    use impinge::geom::pair::box_box;

    #[test]
    fn the_guard_is_all_that_it_differs_by_from_ours() {
        let mut random = Random::new(8);
        let mut met = 0;
        for k in 0..3000 {
            let boxes = Boxes::random(&mut random).unwrap();
            let pose = boxes.at(0.4 + 0.0002 * f64::from(k)).unwrap();
            let pair = boxes.half.map(|half| Cuboid::new(half).unwrap());
            let ours = box_box::overlap_axes(&pair[0], &pair[1], &pose);
            assert_eq!(overlap(&pair, &pose, 0.0), ours, "{boxes:?}");
            assert!(overlap(&pair, &pose, 1e-3) || !ours);
            met += usize::from(ours);
        }
        assert!((300..2700).contains(&met), "{met}");
    }
}
