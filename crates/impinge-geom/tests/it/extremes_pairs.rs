//! Pairs on which the questions once disagreed: thin, flat, long or tiny bodies, found by the fuzzer.

use glam::DVec3;
use impinge_geom::{Pose, Shape, SignedDistance, Support, SupportPoint, Verdict, pair, point};
use std::sync::Arc;

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// The hull of a disc around the origin, across z, and a point.
struct Oblique(f64, DVec3);

impl Support for Oblique {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let unit = direction / direction.abs().max_element();
        let across = unit.x.hypot(unit.y);
        let rim = if across > 0.0 { unit.with_z(0.0) * (self.0 / across) } else { DVec3::ZERO };
        let point = if unit.dot(self.1) > unit.dot(rim) { self.1 } else { rim };
        SupportPoint { point, vertex: SupportPoint::CURVED }
    }
    fn center(&self) -> DVec3 {
        self.1 * 0.25
    }
    fn radius(&self) -> f64 {
        self.1.abs().element_sum() + self.0
    }
}

fn oblique(radius: f64, tip: [f64; 3]) -> Shape {
    Shape::custom(Arc::new(Oblique(radius, DVec3::from_array(tip)))).unwrap()
}

fn hull(points: &[[f64; 3]], radius: f64) -> Shape {
    Shape::hull(points).and_then(|hull| hull.rounded(radius)).unwrap()
}

fn cuboid(half: [f64; 3], radius: f64) -> Shape {
    Shape::cuboid(half).and_then(|cuboid| cuboid.rounded(radius)).unwrap()
}

fn ask(a: &Shape, b: &Shape, pose: &Pose, cache: &mut pair::Cache) -> SignedDistance {
    pair::signed_distance(a, b, pose, cache).unwrap()
}

/// What all answers about a pair have in common: the sign, the number up to its interval, two points of the two surfaces that are
/// apart by the distance along the normal, and a normal that attains it.
fn agree(a: Shape, b: Shape, rotation: [f64; 4], translation: [f64; 3]) {
    let length = rotation.iter().map(|x| x * x).sum::<f64>().sqrt();
    let pose = Pose::new(rotation.map(|x| x / length), translation).unwrap();
    let scale = a.bounding_radius() + b.bounding_radius() + pose.translation().abs().max_element();
    let tiny = 1e-9 * scale + 4.0 * f64::MIN_POSITIVE;
    let cache = &mut pair::Cache::default();
    let cold = ask(&a, &b, &pose, cache);
    let warm = ask(&a, &b, &pose, cache);
    let verdict = pair::verdict(&a, &b, &pose, cache);
    let swapped = ask(&b, &a, &pose.inverse(), &mut pair::Cache::default());
    for other in [warm, swapped] {
        let slack = tiny + cold.uncertainty + other.uncertainty;
        assert!((cold.distance - other.distance).abs() <= slack, "{cold:?} {other:?}");
    }
    let gap = pair::distance(&a, &b, &pose, &mut pair::Cache::default());
    let slack = tiny + cold.uncertainty + gap.uncertainty;
    assert!((gap.distance - cold.distance.max(0.0)).abs() <= slack, "{cold:?} {gap:?}");
    assert!((cold.normal.length() - 1.0).abs() <= 1e-12, "{cold:?}");
    assert_eq!(pair::overlap(&a, &b, &pose, cache), verdict != Verdict::Separated);
    assert_eq!(pair::penetration(&a, &b, &pose, cache).is_some(), verdict != Verdict::Separated);
    assert!(verdict != Verdict::Separated || cold.distance > 0.0, "{cold:?}");
    assert!(verdict != Verdict::Penetrating || cold.distance < 0.0, "{cold:?}");
    let is_sharp =
        a.split().1 + b.split().1 == 0.0 && a.split().0.is_polytope() && b.split().0.is_polytope();
    assert!(!is_sharp || (verdict == Verdict::Touching) == (cold.distance == 0.0), "{cold:?}");
    let [p, q] = cold.points;
    let slack = tiny + 4.0 * cold.uncertainty;
    let off = q - p - cold.normal * cold.distance;
    assert!(off.abs().max_element() <= slack, "{off:?} {cold:?}");
    for (shape, place) in [(&a, p), (&b, pose.inverse_transform_point(q))] {
        let found = point::signed_distance(shape, place);
        assert!(found.distance.abs() <= slack + found.uncertainty, "{found:?} {cold:?}");
    }
    let height =
        |shape: &Shape, n: DVec3| shape.split().0.support(n).point.dot(n) + shape.split().1;
    let n = cold.normal;
    let own = n.dot(pose.translation()) - height(&a, n) - height(&b, pose.inverse_rotate(-n));
    // A gap leaves the angle open that changes it by rounding.
    let gap = cold.distance + a.split().1 + b.split().1;
    let angle = if gap > 0.0 { 3.0 * (f64::EPSILON * scale / gap).sqrt() } else { 0.0 };
    let slack = tiny + cold.uncertainty + angle * scale;
    assert!((own - cold.distance).abs() <= slack, "{own:e} {cold:?}");
}

#[test]
fn a_point_on_a_segment_is_exactly_there_also_as_capsules() {
    let capsule = |height| Shape::capsule(0.0, height).unwrap();
    agree(capsule(5e-10), capsule(0.0), [0.5; 4], [0.0; 3]);
}

/// A tetrahedron as thin as rounding is around nothing for certain.
#[test]
fn sheets_beside_each_other_up_to_rounding() {
    let near = -0.4999999999999;
    let solid = [
        [near; 3],
        [-0.9999999999999, near, near],
        [2e-9, 5e-10, -0.49999999999982],
        [-0.5000000000002, 1.0f64.next_down(), 1.0f64.next_down()],
        [1.0f64.next_down(), 1.0, 1.0f64.next_down()],
        [1.0f64.next_down(), 1.0f64.next_down(), near],
    ];
    let flat = [[near, near, -0.49999999999873], [2e-9; 3], [2e-9, 2e-9, -1e-9]];
    agree(hull(&solid, 0.0), hull(&flat, 0.0), UPRIGHT, [2e-9; 3]);
}

/// Weights in faces much longer than they are wide do not find the points of a depth, or of a gap of next to nothing.
#[test]
fn points_between_long_cores() {
    let turn = [1.0, -0.6, 1.8, -1.8];
    let long = [[-1.5, -1.5, 1.0], [-1.5, -0.5, -0.5], [1.99993896484375, 1099511627776.0, 2.0]];
    agree(cuboid([2.0, 1.5, 1.5], 0.0), hull(&long, 1.5), [1.0, 0.0, 0.0, 0.0], [-1.5; 3]);
    agree(cuboid([2.0, 1.5, 1.5], 1.5), hull(&long, 1.5), turn, [-1.5; 3]);
    let tiny = 4.76837158203125e-7;
    let first = [
        [tiny; 3],
        [tiny, 1.5, tiny],
        [tiny, 17592186044416.0, 2.0],
        [2.0, 2.0, 0.0001220703125],
        [tiny, tiny, 35184372088832.0],
    ];
    let second = [
        [tiny; 3],
        [tiny, 1.0, 274877906944.0],
        [2.0, tiny, 274877906944.0],
        [tiny, 0.5, -1.5],
        [-1.5; 3],
    ];
    agree(hull(&first, tiny), hull(&second, 1.5), UPRIGHT, [-1.5; 3]);
}

/// Of touching bodies the direction of the gap is rounding; that of the contact is not.
#[test]
fn normals_of_needles_and_sheets_that_touch() {
    let least = f64::from_bits(1);
    let needle = Shape::ellipsoid([least, 1.0f64.next_up(), least]).unwrap();
    agree(needle, cuboid([1.5; 3], 1.5), UPRIGHT, [-1.5; 3]);
    let (one, far) = (1.152921504606847e18, 3.094850098213451e26);
    let long = [
        [-1.5 * one, -1.5 * one, 0.0],
        [-1.5111572745182865e23, -1.5 * one, -1.5 * one],
        [one; 3],
        [one, one, -0.5 * one],
    ];
    agree(hull(&long, 0.0), cuboid([one, far, 0.0], 1e-305), [3.0, -2.0, 2.0, 2.0], [one; 3]);
    let disc = || oblique(0.00018310546875, [0.0; 3]);
    agree(Shape::sphere(1.5).unwrap(), disc(), [0.5; 4], [-least; 3]);
}

/// The mean of a hull's corners is inside, up to rounding; the centroid of next to no volume may be anywhere.
#[test]
fn a_hull_with_next_to_no_volume_has_its_centre_inside() {
    let up = 1.0f64.next_up();
    let corners = [[1e-9; 3], [1e-9, up, up], [up, up, 1.0], [-1.234375, -1.5, -1.5], [-1.5; 3]];
    let flat = impinge_geom::hull::Hull::new(&corners).unwrap();
    let off = point::signed_distance(&Shape::hull(&corners).unwrap(), flat.center());
    assert!(off.distance <= 1e-12, "{off:?}");
    agree(oblique(1e-9, [1.09e-12, 1e-9, 1e-9]), hull(&corners, 1.5), UPRIGHT, [-1.5; 3]);
}

/// An ellipsoid that is round only compared with its length is no body of revolution, and a point near the rim of a disc no
/// reason to give up.
#[test]
fn flat_ellipsoids() {
    let sheet = Shape::ellipsoid([549755813888.0, 16.0, f64::from_bits(1)]).unwrap();
    let segment = Shape::segment([[0.0, -1.5, -1.5], [-1.5; 3]]).unwrap();
    agree(sheet, segment, UPRIGHT, [-1.5; 3]);
    let disc = Shape::ellipsoid([0.0, 1.0f64.next_down(), 1.0]).unwrap();
    let ball = Shape::tapered_capsule(2.0, 0.0, 0.0).unwrap();
    let pose = Pose::new([0.5; 4], [0.0, 1.0 - 4e-13, 4e-9]).unwrap();
    let found = ask(&disc, &ball, &pose, &mut pair::Cache::default());
    assert!(found.uncertainty <= 1e-6 && (found.distance + 2.0).abs() <= 1e-6, "{found:?}");
    let (thin, long) = (5.696189077778436e-306, 8.507059173023462e37);
    let needle = Shape::ellipsoid([long, 1.7293822569102705e18, thin]).unwrap();
    let block = cuboid([8.6e17, 2.305843009213694e18, 1.15e18], 1.7293822569102702e18);
    agree(block, needle, [5.0, -6.0, 15.0, 15.0], [5.76e17, -1.73e18, -1.73e18]);
}

/// A tip that reaches a little beyond a large ball: the other body's point stays where it is.
#[test]
fn a_tapered_capsule_with_a_tip_as_far_as_its_ball() {
    let capsule = || Shape::tapered_capsule(2.00000000000066, 1e-9, 1.00000000000005).unwrap();
    let line = Shape::triangle([[-1.5, 2e-9, 2e-9], [2e-9; 3], [2e-9; 3]]).unwrap();
    agree(capsule(), line, UPRIGHT, [2e-9; 3]);
    agree(capsule(), cuboid([1.5, 2e-9, 2e-9], 2e-9), UPRIGHT, [2e-9; 3]);
    // Its sharp end on the axis, as far from the mantle as from the caps.
    let sharp =
        Shape::tapered_capsule(0.0, 1.50000000000075, 1.0).and_then(|core| core.rounded(0.7));
    agree(Shape::cylinder(1.5, 1.5).unwrap(), sharp.unwrap(), [0.5; 4], [1.0, 0.0, -1.5e-9]);
    let short = Shape::tapered_capsule(1.5f64.next_down(), 1.5f64.next_up(), 2e-9).unwrap();
    agree(short, cuboid([1.5, 1.07305908203125, 2e-9], 0.0), UPRIGHT, [2e-9; 3]);
}

/// What is left of a vector along another one is rounding, also after it has been made a unit vector.
#[test]
fn a_tapered_capsule_in_line_with_the_end_of_another() {
    let tapered = Shape::tapered_capsule(0.005859375, 0.5, 1.5).unwrap();
    let straight = Shape::tapered_capsule(2e-9, 2e-9, 1.5).unwrap();
    // These signs and sizes round to the rotation that puts the axis of the one through the end of the other.
    agree(tapered, straight, [0.0, -1.5, -1.5, -1.5], [(-1.5f64).next_up(), -1.5, -1.5]);
}

/// Every normal in a small angle is equally low, but the points are apart along one of them only.
#[test]
fn tapered_capsules_with_almost_parallel_axes() {
    let tapered = |bottom, top, height| Shape::tapered_capsule(bottom, top, height).unwrap();
    let (tip, tiny, beside) = (tapered(0.0, 1.5, 1.5), 2e-9, -1.76531982421875);
    let (turn, over) = ([tiny, tiny, tiny, 1.0], [tiny, tiny, 1.0, tiny]);
    agree(tip.clone(), tapered(1.5, 1.0, 1.49999999999999), turn, [tiny, beside, tiny]);
    agree(tip, tapered(0.0078125, 1.5, 0.99999999999873), over, [beside, tiny, tiny]);
    let straight = tapered(1.5, 1.5, 1.5);
    let shift = [tiny, beside, (-1.5e-9f64).next_down()];
    agree(straight.clone(), tapered(1.0, 1.5, 1.49999999999999), turn, shift);
    agree(straight, tapered(1.50000000000079, 1.5, 1.0), over, [beside, tiny, tiny]);
    let segment =
        Shape::segment([[-f64::from_bits(1), -1.75482177734375, 1.0], [tiny; 3]]).unwrap();
    agree(tapered(0.0, tiny, tiny), segment, UPRIGHT, [-1.0, tiny, tiny]);
}

/// With an end in the middle of what is almost a ball, the normals of the end and of the search have nothing to do with each
/// other.
#[test]
fn a_tapered_capsule_with_its_tip_in_the_middle_of_an_ellipsoid() {
    let tapered = Shape::tapered_capsule(0.0, 1.5, 1.5).unwrap();
    let ellipsoid = Shape::ellipsoid([1.5, 1.49999999999911, 1.5]).unwrap();
    agree(tapered, ellipsoid, UPRIGHT, [2e-9, 2e-9, -1.49999999999873]);
}

/// A rod 10¹² times as long as a box, with a radius or without, beside it: the searches lose it in the rounding of its ends, unless
/// they run in its own frame.
#[test]
fn a_rod_very_much_longer_than_what_it_passes() {
    let half = [0.50000000000125, 0.5f64.next_down(), 1.98333740234375];
    let turn = [1.00000000000007, 0.49999999999875, 1.5, (-1.5f64).next_up()];
    let long = 412316860416.0;
    for (radius, gap) in [(0.0, 1.22788), (9.765625e-4, 1.22691)] {
        for rod in [Shape::cylinder(radius, long), Shape::cone(radius, long)].map(Result::unwrap) {
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            let pose = Pose::new(turn.map(|x| x / length), [-1.5; 3]).unwrap();
            let found = ask(&cuboid(half, 0.0), &rod, &pose, &mut pair::Cache::default());
            assert!((found.distance - gap).abs() <= 1e-3 + found.uncertainty, "{found:?}");
            assert!(found.uncertainty <= 0.1, "{found:?}");
            agree(cuboid(half, 0.0), rod, turn, [-1.5; 3]);
        }
    }
    let blade = Shape::ellipsoid([0.50000000000082, 0.0, long]).unwrap();
    let blade = blade.rounded(1.430511474609375e-6).unwrap();
    let turn = [0.49999999999875, 1.5, (-1.5f64).next_up(), -1.5];
    agree(cuboid([0.50000000000127, half[1], half[2]], 0.0), blade, turn, [-1.5; 3]);
}

/// A weight beside one is lost where the closest point of an edge is next to its corner, and with it the direction of the gap.
#[test]
fn a_gap_beside_the_end_of_an_edge_much_longer_than_the_gap() {
    let one = 1.152921504606847e18;
    for (side, y, x) in [(-1.0, one, 1.98e18), (1.0, 4503599627370496.0, -1.5 * one)] {
        let corners = [
            [2.0, one, 1.2676506002282294e30],
            [side * 1.0633823966279327e37, 0.0, -1.5 * one],
            [-1.5 * one, 0.5 * one, 1.5845632502852868e29],
        ];
        let triangle = Shape::triangle(corners).and_then(|core| core.rounded(1.5 * one)).unwrap();
        let block = cuboid([one, y, 7.922816251426434e28], 0.5 * one);
        let pose = Pose::from_translation([x, 2199023255552.0, 2199023255552.0]).unwrap();
        let found = ask(&block, &triangle, &pose, &mut pair::Cache::default());
        assert!((found.distance - 7.9228162511958495e28).abs() <= 1e22, "{found:?}");
        assert!(found.uncertainty <= 1e24 && found.normal.z.abs() > 0.999, "{found:?}");
    }
}

/// GJK stops short of the closest points where a simplex gets as thin as rounding. Both gaps are known from certified bounds.
#[test]
fn boxes_hardly_apart_are_as_far_apart_as_they_are() {
    let cases = [
        (
            [0.9134162401791349, 0.551914494641016, 0.17267874629406454],
            [0.4053608658710469, 0.5242112544434496, 0.5706154564984263],
            [-0.27031555537252944, 0.04964317307367899, 0.8742942267143697, 0.40009331539622117],
            [-0.9133382290624353, -0.6471630949555773, 0.9398470633739489],
            1.5285e-7,
        ),
        (
            [0.7661393948066965, 0.8413732336977717, 0.7283835094450847],
            [0.20102280041513193, 0.6407186633639224, 0.8027829449703633],
            [0.18665044465955308, -0.5559272299563808, 0.4336357122478417, 0.6841539268064779],
            [1.0288325012188597, 0.841372965335781, 0.8573805915152266],
            4.1225e-7,
        ),
    ];
    for (half_a, half_b, rotation, translation, gap) in cases {
        let (a, b) = (cuboid(half_a, 0.0), cuboid(half_b, 0.0));
        let pose = Pose::new(rotation, translation).unwrap();
        let cache = &mut pair::Cache::default();
        for found in [ask(&a, &b, &pose, cache), pair::distance(&a, &b, &pose, cache)] {
            assert!((found.distance - gap).abs() < 1e-9, "{found:?}, not {gap}");
            assert!(found.uncertainty < 1e-9, "{found:?}");
        }
    }
}
