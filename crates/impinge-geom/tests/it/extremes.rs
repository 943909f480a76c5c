//! Bodies of very different sizes, as small as numbers get or as thin as rounding, that were once answered wrongly.

use crate::regressions::one_answer;
use crate::solids::Solid;
use glam::DVec3;
use impinge_geom::ray::{self, Ray};
use impinge_geom::{Pose, Shape, Verdict, pair, point};

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn points(list: &[[f64; 3]]) -> Solid {
    Solid::Points(list.iter().copied().map(DVec3::from_array).collect())
}

/// Beside an edge much longer than the gap the rounded direction of the gap is not along the gap: the vertex found along the one
/// proves nothing along the other.
#[test]
fn long_hulls_that_share_a_corner() {
    let tiny = 4.76837158203125e-7;
    let first = [
        [tiny, tiny, 2.0],
        [17592186044416.0, 2.0, 2.0],
        [0.5, 0.0, -1.5],
        [-1.5; 3],
        [1.0, 2.0, (-1.5f64).next_up()],
        [-1048576.0, 2.0, 2.0],
    ];
    let second = [
        [tiny; 3],
        [35184372088832.0, tiny, -1.0],
        [35184372088832.0, tiny, tiny],
        [8589934592.0, -1.0, -1.5],
        [-1.5; 3],
    ];
    // The corner (-1.5, -1.5, -1.5) of A is on a diagonal of B.
    one_answer(points(&first), points(&second), UPRIGHT, [-1.5; 3]);
    let rounded = |list: &[[f64; 3]]| Solid::Rounded(Box::new(points(list)), 0.0);
    one_answer(rounded(&first), points(&second), UPRIGHT, [-1.5; 3]);
    let pose = Pose::from_translation([-1.5; 3]).unwrap();
    let (a, b) = (points(&first).shape(), points(&second).shape());
    let cache = &mut pair::Cache::default();
    assert_ne!(pair::verdict(&a, &b, &pose, cache), Verdict::Separated);
}

/// The closest point of an edge is known to the rounding of the edge, which as a direction is far off.
#[test]
fn needles_with_a_small_gap() {
    let gap = |a: &Shape, b: &Shape, pose: &Pose| {
        pair::signed_distance(a, b, pose, &mut pair::Cache::default()).unwrap()
    };
    let least = f64::from_bits(1);
    let needle = Shape::cylinder(least, 0.44708251953125).unwrap();
    let grain = Shape::capsule(least, least).unwrap();
    let pose = Pose::new([0.5; 4], [least, 2e-9, 2e-9]).unwrap();
    for found in [gap(&needle, &grain, &pose), gap(&grain, &needle, &pose.inverse())] {
        assert!((found.distance - 2e-9).abs() <= 1e-15, "{found:?}");
        assert!(found.uncertainty <= 1e-15, "{found:?}");
    }
    let half = [1.7293822569102705e18, 0.1875, 5.902958103587057e20];
    let block = Shape::cuboid(half).and_then(|core| core.rounded(5.764607523034235e17)).unwrap();
    let radii = [1.152921504606847e18, 6.96898287454082e41, 5.764607523034235e17];
    let needle = Shape::ellipsoid(radii).unwrap();
    let (s, c) = (0.3, 0.91f64.sqrt());
    for turn in [[c, s, 0.0, 0.0], [c, 0.0, 0.0, s], [0.904534, -0.3015092, 0.3015128, -0.3015113]]
    {
        let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        let place = [1.298074214633707e33, 2.305843009213694e18, 2.305843009213694e18];
        let pose = Pose::new(turn.map(|x| x / length), place).unwrap();
        // The distance of a point from a line, for all that both bodies are thick.
        let along = pose.rotate(DVec3::Y);
        let truth = (pose.translation() - along * along.dot(pose.translation())).length();
        let found = [gap(&block, &needle, &pose), gap(&needle, &block, &pose.inverse())];
        for answer in found {
            assert!((answer.distance - truth).abs() <= 1e-3 * truth, "{truth:e} {answer:?}");
        }
        let verdict = pair::verdict(&block, &needle, &pose, &mut pair::Cache::default());
        assert_eq!(verdict, Verdict::Separated);
    }
}

/// The weights in a simplex as long as the one body do not find the place on the other.
#[test]
fn long_bodies_that_touch_have_one_common_point() {
    let touch = |a: Shape, b: Shape, rotation: [f64; 4], place: [f64; 3], size: f64| {
        let pose = Pose::new(rotation, place).unwrap();
        let cache = &mut pair::Cache::default();
        let found = pair::signed_distance(&a, &b, &pose, cache).unwrap();
        let [p, q] = found.points;
        assert_eq!(found.distance, 0.0);
        assert!((p - q).length() <= 1e-12 * size, "{found:?}");
        let gap = pair::distance(&a, &b, &pose, cache);
        let places = [(&a, gap.points[0]), (&b, pose.inverse_transform_point(gap.points[1]))];
        for (shape, place) in
            [(&a, p), (&b, pose.inverse_transform_point(q))].into_iter().chain(places)
        {
            let off = point::signed_distance(shape, place);
            assert!(off.distance.abs() <= 1e-12 * size, "{off:?} {found:?}");
        }
    };
    let (near, far) = (5.764607523034235e17, 3.094850098213451e26);
    let line = Shape::cuboid([far, 0.0, 0.0]).unwrap();
    let corners = [[2.0 * near, near, 0.0], [near, 0.0, 0.0], [0.0; 3]];
    touch(line, Shape::triangle(corners).unwrap(), UPRIGHT, [0.0; 3], far);
    let flat = Shape::hull(&[[0.0; 3], [0.0, 0.0, near], [0.0, far, 0.0]]).unwrap();
    let solid = [
        [0.0; 3],
        [0.0, -near, -3.0 * near],
        [-3.0 * near; 3],
        [5.696189077778436e-306, -near, 4.0 * near],
        [-5.764607523045879e17, 0.0, 0.0],
    ];
    touch(flat, Shape::hull(&solid).unwrap(), [0.5; 4], [0.0; 3], far);
}

/// Products of directions and coordinates vanish, and the smallest normal number is larger than a radius.
#[test]
fn bodies_as_small_as_numbers_get() {
    let (one, low) = (1.3998954277548843e-301, -9.332636185030602e-302);
    let place = [-1.3998954277548283e-301; 3];
    let first = [[one; 3], [low; 3], [low, -9.332636185030416e-302, -9.332636185031629e-302]];
    let second = [[one; 3], [one, one, 1.3998954277536337e-301], [1e-310, place[0], place[0]]];
    let (a, b) = (Shape::triangle(first).unwrap(), Shape::triangle(second).unwrap());
    let pose = Pose::from_translation(place).unwrap();
    let cache = &mut pair::Cache::default();
    let signed = pair::signed_distance(&a, &b, &pose, cache).unwrap();
    let verdict = pair::verdict(&a, &b, &pose, cache);
    assert_eq!(verdict == Verdict::Separated, signed.distance > 0.0, "{verdict:?} {signed:?}");
    assert_eq!(verdict == Verdict::Touching, signed.distance == 0.0, "{verdict:?} {signed:?}");

    let small = 1.86652723700643e-310;
    let corners = [[-9.332636185032189e-302, small, small], [small; 3], [small; 3]];
    let rounded = |solid: Solid| Solid::Rounded(Box::new(solid), small);
    one_answer(
        rounded(points(&corners)),
        rounded(Solid::Box(DVec3::splat(small))),
        [0.948683298, -3.05e-6, 0.316227766, 9.15e-6],
        [-2.716154612436e-312; 3],
    );
    let dot = [[4.666318092516e-311; 3]; 3];
    let sheet = [dot[0], [dot[0][0], place[0], place[0]], [small; 3]];
    one_answer(
        points(&dot),
        rounded(points(&sheet)),
        [3.3e-10, 1.0, 3.3e-10, -3.3e-10],
        [4.666318092516e-311; 3],
    );
}

#[test]
fn a_point_beside_a_tiny_hull_with_a_short_edge() {
    let (low, high) = (-1.3998954277548283e-301f64, 1.86652723700697e-301);
    let corners = [
        [8.311879102294293e-302, 8.417258600233194e-302, 8.417258600233194e-302],
        [low, low.next_down(), low],
        [low, low, high],
        [low; 3],
        [low, 4.6663180925160944e-302, 8.417258600233194e-302],
        [-4.6663180925151614e-302, -4.6663180925152546e-302, -4.6663180925151614e-302],
        [6.953338007244136e-302; 3],
    ];
    let hull = Shape::hull(&corners).unwrap();
    let place = DVec3::splat(1.2396336306706721e-301);
    let unit = 2f64.powi(1000);
    let nearest = (place * unit).distance(DVec3::from_array(corners[0]) * unit) / unit;
    let found = point::signed_distance(&hull, place);
    assert!((found.distance - nearest).abs() <= 1e-12 * nearest, "{found:?} {nearest:e}");
}

/// Beyond the sharp edge of a body as thin as rounding the planes of its faces no longer tell where it ends.
#[test]
fn rays_along_hulls_as_thin_as_rounding() {
    let near = -0.4999999999999;
    let corners = [
        [near, -0.5, near],
        [-0.49999999999991, near, near],
        [near, near, 2.0f64.next_down()],
        [1.0f64.next_down(); 3],
        [near, near, -1.5],
        [-1.5, -1.5, near],
        [-1.5; 3],
    ];
    let hull = Shape::hull(&corners).unwrap();
    let hit = ray::cast(&hull, &Ray::new([0.0; 3], [0.0, 0.0, 1.0]).unwrap()).unwrap();
    // On the edge from (-0.5, -0.5, 2) to (1, 1, 1).
    assert!((hit.t - 5.0 / 3.0).abs() <= 1e-9, "{hit:?}");
    let (low, high) = (-1.7293822569102705e18, 1.7293822569102702e18f64);
    let corners = [
        [high; 3],
        [high, high, -5.764607523038501e17],
        [low; 3],
        [low, low, high],
        [high, high.next_up(), high],
    ];
    let hull = Shape::hull(&corners).unwrap();
    let past = Ray::new([high, high, low], [-1.5; 3]).unwrap();
    assert!(ray::cast(&hull, &past).is_none());
    let through = Ray::new([high, low, 0.0], [-1.0, 1.0, 0.0]).unwrap();
    let hit = ray::cast(&hull, &through).unwrap();
    assert!(hit.point.abs().max_element() <= 1e-12 * high, "{hit:?}");
}

/// The way of the ray through the cone is shorter than the rounding of where it begins.
#[test]
fn a_ray_past_a_cone_flatter_than_rounding() {
    let cone = Shape::cone(0.5, 1.6263032587282567e-19).unwrap();
    assert!(ray::cast(&cone, &Ray::new([-1.5; 3], [-1.5, -1.5, 1.0]).unwrap()).is_none());
    let hit = ray::cast(&cone, &Ray::new([-1.5; 3], [1.0, 1.0, 1.0]).unwrap()).unwrap();
    assert_eq!(hit.t, 1.5);
}

/// The way out of a body as thin as rounding may end where it begins.
#[test]
fn a_ray_out_of_a_thin_rounded_cone() {
    let tip = DVec3::new(-1.98443603515625, 2e-9, 2e-9);
    let shape = Solid::Rounded(Box::new(Solid::Custom(2.0, tip)), 1.5e-9).shape();
    let hit = ray::cast(&shape, &Ray::new([2e-9; 3], [2e-9, 2e-9, 2.0]).unwrap()).unwrap();
    assert!(point::signed_distance(&shape, hit.point).distance.abs() <= 1e-6, "{hit:?}");
}

/// The plane of the triangle leaves t open, the corner does not.
#[test]
fn a_ray_through_a_corner_almost_in_the_plane() {
    let (low, high) = (-1.7293822569099937e18, 1.0398389327133409e18);
    let corners =
        [[low; 3], [low, high, high], [1.03e18, -1.7293822569102707e18, -1.7293822569102705e18]];
    let triangle = Shape::triangle(corners).unwrap();
    for length in [1.0, f64::from_bits(1)] {
        let ray = Ray::new([-5.696189077778436e-306; 3], [-length; 3]).unwrap();
        let hit = ray::cast(&triangle, &ray).unwrap();
        assert_eq!(hit.point, DVec3::splat(low));
        assert!((hit.t / (-low / length).min(f64::MAX) - 1.0).abs() < 1e-12, "{hit:?}");
    }
}
