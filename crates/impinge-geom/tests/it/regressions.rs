//! Cases that were once answered wrongly.

use crate::pairs::{Case, faults};
use crate::random::Random;
use crate::solids::Solid;
use glam::DVec3;
use impinge_geom::ray::{self, Ray};
use impinge_geom::{Pose, Shape, Verdict, pair, point};

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
pub(crate) fn one_answer(a: Solid, b: Solid, rotation: [f64; 4], translation: [f64; 3]) {
    let (a, b) = (a.shape(), b.shape());
    let pose = Pose::new(rotation, translation).unwrap();
    let cold = pair::verdict(&a, &b, &pose, &mut pair::Cache::default());
    let cache = &mut pair::Cache::default();
    let signed = pair::signed_distance(&a, &b, &pose, cache).unwrap();
    let mut starts = vec![pair::WarmStart::default(), cache.warm_start()];
    pair::distance(&a, &b, &pose, cache);
    starts.push(cache.warm_start());
    pair::overlap(&a, &b, &pose, cache);
    starts.push(cache.warm_start());
    assert!(cold != Verdict::Penetrating || signed.distance < 0.0, "{signed:?}");
    assert!(cold != Verdict::Separated || signed.distance > 0.0, "{signed:?}");
    for start in starts {
        let mut ask = |question: &dyn Fn(&mut pair::Cache) -> bool| {
            cache.set_warm_start(start);
            question(cache)
        };
        assert!(ask(&|cache| pair::verdict(&a, &b, &pose, cache) == cold), "{cold:?} {signed:?}");
        let meets = cold != Verdict::Separated;
        assert_eq!(ask(&|cache| pair::overlap(&a, &b, &pose, cache)), meets);
        assert_eq!(ask(&|cache| pair::penetration(&a, &b, &pose, cache).is_some()), meets);
        cache.set_warm_start(start);
        let again = pair::signed_distance(&a, &b, &pose, cache).unwrap();
        let slack = signed.uncertainty
            + again.uncertainty
            + 1e-12 * (a.bounding_radius() + b.bounding_radius())
            + f64::MIN_POSITIVE;
        let off = (again.distance - signed.distance).abs();
        assert!(off <= slack, "{again:?} instead of {signed:?}");
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

#[test]
fn a_sliver_across_a_needle() {
    let (thin, wide) = (1.5000000000000002e-9, 2e-9);
    let corners = [[0.0, thin, wide], [wide, -0.5, wide], [wide, thin, wide]];
    let needle = Solid::Box(DVec3::new(1.0000000000000002, wide, wide));
    check(
        Solid::Points(corners.map(DVec3::from_array).to_vec()),
        Solid::Rounded(Box::new(needle), wide),
        [0.7999912106800021, 8.000156252193461e-10, 0.6000117189145096, 8.000156252193461e-10],
        [wide; 3],
    );
}

#[test]
fn the_normal_of_a_thin_capsule_on_the_edge_of_a_box() {
    let side = 5.808887872273977e-121;
    check(
        Solid::Capsule(7.745183829698637e-130, 7.745183829698637e-121),
        Solid::Box(DVec3::new(5.808887872273164e-121, side, side)),
        [0.0, 0.5773502691896257, 0.5773502691896257, 0.5773502691896257],
        [-side; 3],
    );
}

#[test]
fn the_normals_of_rounded_triangles_whose_cores_hardly_miss_each_other() {
    let tiny = 1.5000000000000002e-9;
    let rounded = |corners: [[f64; 3]; 3], radius: f64| {
        let core = Solid::Points(corners.map(DVec3::from_array).to_vec());
        Solid::Rounded(Box::new(core), radius)
    };
    check(
        rounded([[tiny; 3]; 3], tiny),
        rounded([[tiny; 3], [tiny, tiny, -1.5], [-1.5, tiny, 1.1e-13]], 1.1e-13),
        [0.5, 0.5, 0.5, 0.5],
        [1e-13, 1.1e-13, 8.7e-13],
    );
    let far = 1729382256.9102707;
    let (left, down) = (-1.152921504606847e18, -1.7293822569102705e18);
    check(
        rounded([[far; 3]; 3], far),
        rounded([[left, far, far], [far; 3], [far, down, far]], far),
        [1.0, 0.0, 0.0, 0.0],
        [far; 3],
    );
}

#[test]
fn a_point_in_the_plane_of_a_hull_of_very_different_sizes() {
    let (low, high) = (-1.7293822569102705e18, 2.305843009213694e18);
    let corners = [
        [-5.696189077778436e-306, low, low],
        [-5.764607523034235e17, high, high],
        [8.307674973655724e34, high, high],
        [low; 3],
    ];
    let hull = Shape::hull(&corners).unwrap();
    let point = Shape::sphere(0.0).unwrap();
    let pose = Pose::from_translation([low; 3]).unwrap();
    let cache = &mut pair::Cache::default();
    let signed = pair::signed_distance(&point, &hull, &pose, cache).unwrap();
    let verdict = pair::verdict(&point, &hull, &pose, cache);
    assert_eq!(verdict == Verdict::Separated, signed.distance > 0.0, "{verdict:?} {signed:?}");
}

#[test]
fn points_beside_hulls_with_faces_as_thin_as_rounding() {
    // Around a corner cut off by less than its rounding.
    let corners = [
        [-0.4999999999999; 3],
        [-0.9999999999999, -0.4999999999999, -0.4999999999999],
        [2e-9, 2e-9, -0.49999999999982],
        [-0.4999999999999, -0.4999999999999, -0.50000000000002],
        [-0.5000000000002, 0.9999999999999999, 0.9999999999999999],
        [0.9999999999999999, 1.0, 0.9999999999999999],
        [0.9999999999999999, 0.9999999999999999, -0.4999999999999],
    ];
    let hull = Shape::hull(&corners).unwrap();
    let place = DVec3::new(-0.499999997999315, -0.499999997999315, -0.499999998);
    let found = point::signed_distance(&hull, place);
    assert!(found.distance.abs() < 1e-8, "{found:?}");
    // Beyond the end of a tetrahedron that is a triangle up to rounding.
    let corners = [[-1.5, 0.5, -5e-10], [-1.0; 3], [1.5, 1.5, 1.5f64.next_up()], [-1.5; 3]];
    let flat = Shape::hull(&corners).unwrap();
    let found = point::signed_distance(&flat, DVec3::splat(-2.5));
    assert!((found.distance - 3f64.sqrt()).abs() < 1e-12, "{found:?}");
}

#[test]
fn rays_past_cones_as_flat_as_numbers_get_miss() {
    let cone = Shape::cone(0.5, 5e-324).unwrap();
    let ray = Ray::new([-1.5 - 2e-9, 0.0, 1e-9], [1.5, 0.0, -1.0]).unwrap();
    assert!(ray::cast(&cone, &ray).is_none());
    let down = Ray::new([0.25, 0.0, 1.0], [0.0, 0.0, -1.0]).unwrap();
    assert_eq!(ray::cast(&cone, &down).map(|hit| hit.t), Some(1.0));
}

#[test]
fn points_on_a_difference_thinner_than_rounding() {
    let (near, small) = (1.7293822569102705e18, 2199023255552.0);
    let corners = [
        [5.764607523034235e17, 9.223372036854776e18, -near],
        [small, 2.1267647932558654e37, small],
        [small, small, 3.1691265005705735e29],
        [-near; 3],
        [-near, -near, -5.764607523034235e17],
        [-1.6005370863209677e18, -1.595073594941899e37, 0.0],
        [4.611686018427388e18, small, small],
    ];
    let half = [1.152921504606847e18, 1.152921504606847e18, 1.2676506002282294e30];
    let a = Shape::cuboid(half).and_then(|core| core.rounded(small)).unwrap();
    let b = Shape::hull(&corners).and_then(|core| core.rounded(small)).unwrap();
    let quarter = [0.5f64.sqrt(), 0.5f64.sqrt(), 0.0, 0.0];
    let pose = Pose::new(quarter, [half[0], -near, 5.764607523034235e17]).unwrap();
    let found = pair::signed_distance(&a, &b, &pose, &mut pair::Cache::default()).unwrap();
    let off = found.points[1] - found.points[0] - found.normal * found.distance;
    assert!(off.abs().max_element() <= 1e-9 * 2e37 + 4.0 * found.uncertainty, "{off} {found:?}");
}

#[test]
fn a_rounded_needle_in_a_hull_of_very_different_sizes() {
    let corners = [
        [9.674998636987023e17, 9.674998636987023e17, -5.421010862427522e-20],
        [0.0, 2.305843009213694e18, 5.764607523034235e17],
        [-5.696189077778436e-306, -2.7204556499084902e17, -5.764607523023397e17],
        [5.764607523034235e17, -2.4758800785707605e27, 1.7293822569102705e18],
        [2.305843009213694e18, -5.764607523034236e17, -1.9243036782823997e18],
        [-2.0236643450612613e18, 4.290382332512174e17, 1.7293822569095903e18],
    ];
    let needle = Solid::Box(DVec3::new(6.938893903907228e-18, 0.0, 5.764607523031468e17));
    one_answer(
        Solid::Rounded(Box::new(needle), 9.674998636987023e17),
        Solid::Points(corners.map(DVec3::from_array).to_vec()),
        [0.5; 4],
        [1.7293822569102702e18, -5.764607523034235e17, 5.764607523034235e17],
    );
}

#[test]
fn a_point_at_the_end_of_a_segment_of_one_subnormal_number() {
    one_answer(
        Solid::Points(vec![DVec3::ZERO; 2]),
        Solid::Points(vec![DVec3::new(5e-324, 0.0, 0.0), DVec3::ZERO]),
        [0.5; 4],
        [0.0; 3],
    );
}

#[test]
fn a_tiny_disc_beside_a_point() {
    let (radius, off) = (1.3998954277548283e-301, 1.86652723700643e-310);
    let point = || Solid::Cone(0.0, 0.0);
    one_answer(Solid::Cylinder(radius, 0.0), point(), [0.5; 4], [0.0, off, off]);
    let unit = 2f64.powi(1000);
    one_answer(
        Solid::Cylinder(radius * unit, 0.0),
        point(),
        [0.5; 4],
        [0.0, off * unit, off * unit],
    );
}
