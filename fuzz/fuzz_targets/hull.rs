//! Hulls of arbitrary points are valid, and their support points are farthest.
#![no_main]

mod points;

use impinge_geom::glam::DVec3;
use impinge_geom::hull::Hull;
use impinge_geom::simd::Scalar;
use impinge_geom::{GeometryError, Support};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let points = points::from_bytes(bytes);
    let hull = match Hull::new(&points) {
        Ok(hull) => hull,
        Err(error) => {
            assert_eq!(error, GeometryError::Empty { argument: "points" });
            return;
        }
    };
    assert_eq!(hull.validate_containing(&points), Ok(()));
    check_vertices(&hull, &points);
    check_numbers(&hull);
    let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let differences = points.windows(2).take(16).map(|pair| {
        let [p, q] = [pair[0], pair[1]].map(DVec3::from_array);
        p - q
    });
    let normals = hull.face_normals().iter().copied().take(16);
    for direction in axes.chain(differences).chain(normals) {
        check_support(&hull, direction);
    }
});

/// Every vertex is an input point, and the first with its coordinates.
fn check_vertices(hull: &Hull, points: &[[f64; 3]]) {
    for (vertex, index) in hull.vertices().iter().zip(hull.input_indices()) {
        let first = points.iter().position(|p| DVec3::from_array(*p) == *vertex);
        assert_eq!(first, Some(*index as usize));
    }
}

fn check_numbers(hull: &Hull) {
    assert!(hull.center().is_finite() && hull.radius().is_finite());
    assert!((0.0..=hull.radius()).contains(&hull.inner_radius()));
    for face in 0..hull.face_count() as u32 {
        assert!((hull.face_normal(face).length() - 1.0).abs() < 1e-15);
        assert!(hull.face_offset(face).is_finite());
    }
}

/// The support point is farthest up to the rounding of its own formula, and the same on every backend.
fn check_support(hull: &Hull, direction: DVec3) {
    let support = hull.support(direction);
    assert_eq!(support.point, hull.vertices()[support.vertex as usize]);
    assert_eq!(support, hull.support_in(Scalar::new(), direction, 0));
    // Both factors are brought near one by powers of two, one after the other, so that nothing overflows.
    let near_one = |v: DVec3| {
        let size = v.abs().max_element();
        let exponent = if size > 0.0 { size.log2().floor() as i32 } else { 0 };
        let (half, rest) = (-exponent / 2, -exponent - -exponent / 2);
        (2f64.powi(half), 2f64.powi(rest))
    };
    let origin = hull.vertices()[0];
    let size = hull.vertices().iter().map(|v| (*v - origin).abs()).fold(DVec3::ZERO, DVec3::max);
    let (arm, way) = (near_one(size), near_one(direction));
    let unit = direction * way.0 * way.1;
    let value = |v: DVec3| ((v - origin) * arm.0 * arm.1).dot(unit);
    let best = hull.vertices().iter().map(|v| value(*v)).fold(f64::MIN, f64::max);
    let found = value(support.point);
    assert!(found >= best - 1e-14, "{found} is not {best} along {direction}");
}
