//! Cases that were once answered wrongly.

use crate::pairs::{Case, faults};
use crate::random::Random;
use crate::solids::Solid;
use glam::DVec3;
use impinge_geom::ray::{self, Ray};
use impinge_geom::{Pose, Shape, Verdict, pair};

fn check(a: Solid, b: Solid, rotation: [f64; 4], translation: [f64; 3]) {
    let pose = Pose::new(rotation, translation).unwrap();
    let found = faults(&Case { a, b, pose }, &mut Random::new(1));
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn the_depth_of_a_slanted_cone_in_a_lattice_hull() {
    let points = [
        [0.0, 1.0, 1.0],
        [-1.0, -1.0, -1.0],
        [0.0, -1.0, -1.0],
        [1.0, 0.0, -1.0],
        [0.0, 2.0, 2.0],
        [1.0, -1.0, 1.0],
        [0.0, 0.0, -1.0],
        [2.0, 1.0, -1.0],
        [2.0, 0.0, 0.0],
        [2.0, 1.0, 2.0],
    ];
    let tip = DVec3::new(-0.07868854890762, -0.22042430618283648, -0.2276304955919355);
    check(
        Solid::Points(points.map(DVec3::from_array).to_vec()),
        Solid::Custom(1.1743276771441995, tip),
        [0.0, 0.18968056591488586, 0.9818458549661493, 0.0],
        [0.0, 0.0, -0.10722199962060097],
    );
}

#[test]
fn a_needle_beside_a_rounded_sheet() {
    let sheet = Solid::Box(DVec3::new(1.50000000000011, 4.9e-13, 1.0));
    check(
        Solid::Ellipsoid(DVec3::new(1.5000000000000002e-9, 4.57763671875e-5, 1.0)),
        Solid::Rounded(Box::new(sheet), 1.5),
        [1.0, 0.0, 0.0, 0.0],
        [-1.5, -1.5, -1.5],
    );
}

#[test]
fn the_corner_of_a_rounded_triangle_at_the_centre_of_a_capsule() {
    let corners = [[1.0, 1.0, 1.0], [1.0, 1.0, -7.6e-14], [1.0, 1e-9, -3.05e-5]];
    for scale in [1.0, 2f64.powi(-400)] {
        let triangle = Solid::Points(corners.map(|p| DVec3::from_array(p) * scale).to_vec());
        check(
            Solid::Capsule(scale, 1e-9 * scale),
            Solid::Rounded(Box::new(triangle), scale),
            [1.0, 0.0, 0.0, 0.0],
            [-1.0f64.next_up() * scale; 3],
        );
    }
}

#[test]
fn rays_past_flat_cones_and_thin_hulls_miss() {
    let misses = |shape: Shape, origin, direction| {
        let hit = ray::cast(&shape, &Ray::new(origin, direction).unwrap());
        assert!(hit.is_none(), "{hit:?}");
    };
    for half_height in [1e-3, 1e-6, 2e-9, 6.2e-13, 8.9e-16] {
        let cone = || Shape::cone(1.5, half_height).unwrap();
        misses(cone(), [1.0, 0.7, -1.0], [0.625, 0.0, 1.0]);
        misses(cone(), [1.0, 0.7, 1.0], [0.625, 0.0, -1.0]);
        let down = Ray::new([1.0, 0.7, 1.0], [-1.0, -0.7, -1.0]).unwrap();
        let hit = ray::cast(&cone(), &down).unwrap();
        assert!((hit.t - 1.0).abs() <= 2.0 * half_height, "{hit:?}");
    }
    let far = -(2f64.powi(65));
    let points = [[far, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, -1.0, 0.5], [0.0, 0.0, -1.0]];
    misses(Shape::hull(&points).unwrap(), [2f64.powi(80), -1.5, 2.0], [0.0, 1.0, 0.5]);
}

#[test]
fn an_end_of_a_tapered_capsule_in_the_corner_of_a_box() {
    check(
        Solid::Tapered(1.5, 0.5, 2.0),
        Solid::Box(DVec3::new(2.0, 0.5, 0.5)),
        [0.5, -0.5, -0.5, -0.5],
        [0.5, 0.5f64.next_down(), 1e-323],
    );
    let tapered = Solid::Tapered(1.0, 1.5, 1.5);
    check(
        Solid::Box(DVec3::new(2.0, 0.5, 1.0)),
        Solid::Rounded(Box::new(tapered), 2.0),
        [0.0, 1.0, 0.0, 0.0],
        [2.0f64.next_up(), 0.5f64.next_down(), (-2.5f64).next_up()],
    );
}

#[test]
fn a_ring_of_equal_depths() {
    let quarter = [0.5, 0.5, -0.5, 0.5];
    check(Solid::Cone(1.5, 1.0), Solid::Cylinder(1.5, 1.5), quarter, [-1.5, -1.5, -1.0]);
}

#[test]
fn a_rim_hardly_apart_from_an_edge() {
    let corners = [
        [-0.00544806288204569, 0.7914003424954303, 0.9238017830799663],
        [0.26074161544742913, 0.17850603587022928, -0.6630099793900395],
        [-0.473895851039442, -0.32959856605910187, 0.05917737837684389],
    ];
    check(
        Solid::Cylinder(0.7270872757289695, 0.45711218477842064),
        Solid::Points(corners.map(DVec3::from_array).to_vec()),
        [0.10629371646775192, 0.32826831980246524, 0.9013530572092054, -0.2617331127564077],
        [0.6636254370326552, 0.07250069648140475, -0.8051103879498883],
    );
}

#[test]
fn a_ball_around_the_end_of_a_tiny_segment() {
    let third = 4.6663180925160944e-302;
    let end = DVec3::splat(-1.3998954277548283e-301);
    let start = DVec3::new(1.39989542775483e-310, third, third.next_down());
    check(
        Solid::Points(vec![start, end]),
        Solid::Sphere(1.3998954277548283e-301),
        [1.0, 0.0, 0.0, 0.0],
        end.to_array(),
    );
}

#[test]
fn a_tip_beside_a_cylinder_far_away() {
    let far = 1.7293822569102705e18;
    let tip = DVec3::new(2.305843009213694e18, 2305843009.213694, 2305843009.213694);
    check(
        Solid::Custom(0.0, tip),
        Solid::Cylinder(5.764607523034235e17, far),
        [1.0, 0.0, 0.0, 0.0],
        [tip.x, -far, -far],
    );
}

#[test]
fn a_small_box_at_the_tip_of_a_large_hull() {
    let (near, far, half) = (1.6069380442589904e51, -2.4104070663884854e60, -8.034690221294951e59);
    let box_half = DVec3::splat(2.0 * near);
    let corners = [
        DVec3::new(0.0, near, near),
        DVec3::new(half, near, far),
        DVec3::splat(far),
        DVec3::new(half, far, far),
        DVec3::new(0.0, 0.0, 2.0 * near),
        box_half,
    ];
    check(
        Solid::Rounded(Box::new(Solid::Points(corners.to_vec())), 2.0 * near),
        Solid::Rounded(Box::new(Solid::Box(box_half)), 2.0 * near),
        [1.0, 0.0, 0.0, 0.0],
        box_half.to_array(),
    );
}

#[test]
fn bodies_hardly_larger_than_subnormal_numbers_touch() {
    let size = 5.696189077778436e-306;
    let body = || Solid::Custom(size, DVec3::splat(-size)).shape();
    let pose = Pose::new([0.5; 4], [-size; 3]).unwrap();
    let cache = &mut pair::Cache::default();
    let signed = pair::signed_distance(&body(), &body(), &pose, cache).unwrap();
    let verdict = pair::verdict(&body(), &body(), &pose, cache);
    assert!(verdict != Verdict::Touching || signed.distance.abs() <= 1e-11 * size, "{signed:?}");
}

#[test]
fn an_oblique_cone_that_touches_the_edge_of_a_sheet() {
    check(
        Solid::Box(DVec3::new(1.5, 0.0, 1.5)),
        Solid::Custom(1.5, DVec3::splat(-1.5)),
        [1.0, 0.0, 0.0, 0.0],
        [-1.5; 3],
    );
}

#[test]
fn a_ball_next_to_the_end_of_a_segment() {
    let end = DVec3::new((-1.5f64).next_down(), -1.5, -1.5);
    check(
        Solid::Points(vec![DVec3::new(0.5, -1.5, 5e-324), end]),
        Solid::Sphere(1.5),
        [1.0, 0.0, 0.0, 0.0],
        [-1.5; 3],
    );
}

/// All questions agree on whether the bodies meet, whatever was asked before.
fn one_answer(a: Solid, b: Solid, rotation: [f64; 4], translation: [f64; 3]) {
    let (a, b) = (a.shape(), b.shape());
    let pose = Pose::new(rotation, translation).unwrap();
    let cold = pair::verdict(&a, &b, &pose, &mut pair::Cache::default());
    let cache = &mut pair::Cache::default();
    let signed = pair::signed_distance(&a, &b, &pose, cache).unwrap();
    let (warm, mut starts) = (cache.warm_start(), vec![pair::WarmStart::default()]);
    starts.push(warm);
    pair::overlap(&a, &b, &pose, cache);
    starts.push(cache.warm_start());
    for start in starts {
        let mut ask = |question: &dyn Fn(&mut pair::Cache) -> bool| {
            cache.set_warm_start(start);
            question(cache)
        };
        assert!(ask(&|cache| pair::verdict(&a, &b, &pose, cache) == cold), "{cold:?} {signed:?}");
        let meets = cold != Verdict::Separated;
        assert_eq!(ask(&|cache| pair::overlap(&a, &b, &pose, cache)), meets);
        assert_eq!(ask(&|cache| pair::penetration(&a, &b, &pose, cache).is_some()), meets);
        let distance =
            |cache: &mut _| pair::signed_distance(&a, &b, &pose, cache).unwrap().distance;
        assert!(ask(&|cache| (distance(cache) - signed.distance).abs() <= signed.uncertainty));
    }
}

#[test]
fn a_rounded_point_that_touches_an_almost_flat_disc() {
    let tiny = 3.637978807091713e-12;
    let point = Solid::Points(vec![DVec3::splat(tiny); 2]);
    one_answer(
        Solid::Custom(0.1875, DVec3::splat(tiny)),
        Solid::Rounded(Box::new(point), tiny),
        [1.0, 0.0, 0.0, 0.0],
        [3.469446951953614e-18, tiny, tiny],
    );
}
