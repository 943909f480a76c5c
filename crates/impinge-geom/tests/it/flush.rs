//! Bodies that share faces, edges, corners or tangents, or miss each other by one unit in the last place. The verdicts were
//! found by reasoning on the coordinates, which are sums of powers of two unless a neighbour is meant.

use glam::DVec3;
use impinge_geom::pair::{self, Cache};
use impinge_geom::{Inside, Pose, Shape, Verdict};

use Verdict::{Contained, Penetrating, Separated, Touching};

const IN_A: Verdict = Contained(Inside::B);
const IN_B: Verdict = Contained(Inside::A);

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid([x, y, z]).unwrap()
}
fn cube() -> Shape {
    cuboid(1.0, 1.0, 1.0)
}
fn cube_hull(half: f64) -> Shape {
    let corner = |k: u32| [0, 1, 2].map(|bit| if k >> bit & 1 == 1 { half } else { -half });
    Shape::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
}
fn ball(radius: f64) -> Shape {
    Shape::sphere(radius).unwrap()
}
fn cylinder(radius: f64, half_height: f64) -> Shape {
    Shape::cylinder(radius, half_height).unwrap()
}
fn segment(p: [f64; 3], q: [f64; 3]) -> Shape {
    Shape::segment([p, q]).unwrap()
}
/// A triangle across z.
fn sheet(z: f64) -> Shape {
    Shape::triangle([[-0.5, -0.5, z], [0.5, -0.5, z], [0.0, 0.5, z]]).unwrap()
}
fn half_space(normal: [f64; 3], offset: f64) -> Shape {
    Shape::half_space(normal, offset).unwrap()
}
fn plane(normal: [f64; 3], offset: f64) -> Shape {
    Shape::plane(normal, offset).unwrap()
}

const UP: [f64; 3] = [0.0, 0.0, 1.0];
const DOWN: [f64; 3] = [0.0, 0.0, -1.0];
const HERE: [f64; 3] = [0.0; 3];

/// Checks the verdict and what goes with it, from both sides.
fn check(cases: &[(Shape, Shape, [f64; 3], Verdict)]) {
    for (index, (a, b, at, expected)) in cases.iter().enumerate() {
        let there = Pose::from_translation(*at).unwrap();
        let back = Pose::from_translation(at.map(|x| -x)).unwrap();
        let flipped = match expected {
            // Of equal bodies it is always the first.
            Contained(Inside::A) if are_equal(a, b, at) => Contained(Inside::A),
            Contained(Inside::A) => Contained(Inside::B),
            Contained(Inside::B) => Contained(Inside::A),
            plain => *plain,
        };
        for (x, y, pose, expected) in [(a, b, there, *expected), (b, a, back, flipped)] {
            let cache = &mut Cache::default();
            let text = format!("case {index}: {x:?} {y:?} {at:?}");
            assert_eq!(pair::verdict(x, y, &pose, cache), expected, "{text}");
            assert_eq!(pair::overlap(x, y, &pose, cache), expected != Separated, "{text}");
            let Some(signed) = pair::signed_distance(x, y, &pose, cache) else { continue };
            let d = signed.distance;
            let sign = match expected {
                Separated => d > 0.0,
                Touching => d.abs() <= 1e-11,
                Penetrating => d < 0.0,
                Contained(_) => d <= 1e-11,
            };
            assert!(sign, "{text} {d:e}");
            let gap = pair::distance(x, y, &pose, cache).distance;
            assert!(gap >= 0.0 && (gap - d.max(0.0)).abs() <= 1e-11, "{text} {gap} {d}");
        }
    }
}

/// Among the cases, bodies in one place that are of one size are equal.
fn are_equal(a: &Shape, b: &Shape, at: &[f64; 3]) -> bool {
    *at == HERE
        && ((a.bounding_radius() - b.bounding_radius()).abs() < 1e-9
            || format!("{a:?}") == format!("{b:?}"))
}

#[test]
fn boxes() {
    let (more, less) = (2.0f64.next_up(), 2.0f64.next_down());
    let mut cases = Vec::new();
    for (a, b) in [
        (cube(), cube()),
        (cube_hull(1.0), cube()),
        (cube(), cube_hull(1.0)),
        (cube_hull(1.0), cube_hull(1.0)),
    ] {
        let mut add = |at, verdict| cases.push((a.clone(), b.clone(), at, verdict));
        // A face, an edge, a corner in common.
        add([2.0, 0.0, 0.0], Touching);
        add([0.0, -2.0, 0.5], Touching);
        add([2.0, 2.0, 0.0], Touching);
        add([2.0, 2.0, 2.0], Touching);
        add([-2.0, 2.0, -2.0], Touching);
        add([2.0, less, less], Touching);
        add([more, 0.0, 0.0], Separated);
        add([0.0, 0.0, -more], Separated);
        add([2.0, 2.0, more], Separated);
        add([less, 0.0, 0.0], Penetrating);
        add([less, less, less], Penetrating);
        // Overlapping along one axis, all faces but two flush.
        add([0.5, 0.0, 0.0], Penetrating);
    }
    check(&cases);
}

#[test]
fn boxes_in_boxes() {
    let over = 0.5 + f64::EPSILON;
    check(&[
        (cube(), cube(), HERE, IN_B),
        (cube_hull(1.0), cube(), HERE, IN_B),
        (cube(), cuboid(0.5, 0.5, 0.5), HERE, IN_A),
        (cube(), cuboid(0.5, 0.5, 0.5), [0.5, 0.0, 0.0], IN_A),
        (cube(), cuboid(0.5, 0.5, 0.5), [0.5, -0.5, 0.5], IN_A),
        (cube(), cuboid(0.5, 0.5, 0.5), [over, 0.0, 0.0], Penetrating),
        (cube(), cube_hull(0.5), [0.5, 0.5, -0.5], IN_A),
        (cube_hull(1.0), cuboid(0.5, 1.0, 1.0), [-0.5, 0.0, 0.0], IN_A),
        (cube_hull(1.0), cuboid(0.5, 1.0, 1.0), [-over, 0.0, 0.0], Penetrating),
        // A sheet of paper flush with a face is a subset.
        (cube(), cuboid(1.0, 1.0, 0.0), [0.0, 0.0, 1.0], IN_A),
        (cube(), cuboid(1.0, 1.0, 0.0), [0.0, 0.0, 1.0 + f64::EPSILON], Separated),
    ]);
}

#[test]
fn bodies_without_size() {
    let point = || cuboid(0.0, 0.0, 0.0);
    let above = 1.0 + f64::EPSILON;
    check(&[
        (cube(), point(), [0.25, 0.5, -0.125], IN_A),
        (cube(), point(), [1.0, 0.0, 0.0], IN_A),
        (cube(), point(), [1.0, 1.0, 1.0], IN_A),
        (cube(), point(), [above, 1.0, 1.0], Separated),
        (cube(), ball(0.0), [1.0, 1.0, -1.0], IN_A),
        (cube(), ball(0.0), [0.0, 0.0, -above], Separated),
        (point(), point(), HERE, IN_B),
        (point(), ball(0.0), HERE, IN_B),
        (ball(0.0), ball(0.0), HERE, IN_B),
        (point(), point(), [f64::MIN_POSITIVE, 0.0, 0.0], Separated),
        (ball(0.0), ball(0.0), [0.0, 5e-324, 0.0], Separated),
        (cube_hull(1.0), Shape::hull(&[[1.0, 0.5, 0.5]]).unwrap(), HERE, IN_A),
        (Shape::capsule(0.0, 1.0).unwrap(), cube(), [2.0, 0.0, 0.0], Separated),
        (Shape::capsule(0.0, 1.0).unwrap(), cube(), [1.0, 0.0, 0.0], Touching),
        (Shape::capsule(0.0, 0.0).unwrap(), cube(), [1.0, 0.0, 0.0], Touching),
        (Shape::cone(0.0, 0.0).unwrap(), ball(1.0), HERE, IN_B),
        (cylinder(0.0, 0.0), cylinder(1.0, 1.0), HERE, IN_B),
        (Shape::ellipsoid([0.0; 3]).unwrap(), cube(), [0.5, 0.0, 0.0], IN_B),
    ]);
}

#[test]
fn triangles_and_segments() {
    let above = 1.0f64.next_up();
    let below = 1.0f64.next_down();
    let wall = || Shape::triangle([[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 0.0, 1.0]]).unwrap();
    check(&[
        // A triangle on a face of a box, one unit above it, one below.
        (cube(), sheet(1.0), HERE, Touching),
        (cube(), sheet(above), HERE, Separated),
        (cube(), sheet(below), HERE, Penetrating),
        (cube_hull(1.0), sheet(1.0), HERE, Touching),
        (cube_hull(1.0), sheet(above), HERE, Separated),
        (cube_hull(1.0), sheet(below), HERE, Penetrating),
        // Inside, but a surface is never contained.
        (cube(), sheet(0.0), HERE, Penetrating),
        // A segment along an edge, in a face, through the middle, beside.
        (cube(), segment([1.0, 1.0, -0.5], [1.0, 1.0, 0.5]), HERE, Touching),
        (cube(), segment([1.0, 1.0, -5.0], [1.0, 1.0, 5.0]), HERE, Touching),
        (cube(), segment([1.0, above, -5.0], [1.0, above, 5.0]), HERE, Separated),
        (cube(), segment([below, below, -5.0], [below, below, 5.0]), HERE, Penetrating),
        (cube(), segment([-5.0, 0.25, 1.0], [5.0, -0.25, 1.0]), HERE, Touching),
        (cube(), segment([0.0, 0.0, -5.0], [0.0, 0.0, 5.0]), HERE, Penetrating),
        (cube(), segment([0.0, 0.0, 0.0], [0.0, 0.0, 0.5]), HERE, Penetrating),
        (cube(), segment([0.0, 0.0, 1.0], [0.0, 0.0, 2.0]), HERE, Touching),
        (cube_hull(1.0), segment([2.0, 0.0, 0.0], [0.0, 2.0, 0.0]), HERE, Touching),
        (cube_hull(1.0), segment([2.0, 0.0, 0.0], [0.0, 2.0f64.next_up(), 0.0]), HERE, Separated),
        // Triangles that cross, coincide, share an edge, share a corner.
        (sheet(0.0), wall(), HERE, Penetrating),
        (sheet(0.0), sheet(0.0), HERE, Touching),
        (sheet(0.0), sheet(0.0), [0.25, 0.0, 0.0], Touching),
        (sheet(0.0), sheet(0.0), [1.0, 0.0, 0.0], Touching),
        (sheet(0.0), sheet(0.0), [1.0f64.next_up(), 0.0, 0.0], Separated),
        (sheet(0.0), sheet(0.0), [0.0, 0.0, 5e-324], Separated),
        // A segment through a triangle, in it, along it, ending on it.
        (sheet(0.0), segment([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]), HERE, Penetrating),
        (sheet(0.0), segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), HERE, Touching),
        (sheet(0.0), segment([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]), HERE, Touching),
        (sheet(0.0), segment([0.5, -0.5, -1.0], [0.5, -0.5, 1.0]), HERE, Touching),
        // Segments that cross, overlap, miss.
        (
            segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            segment([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]),
            HERE,
            Touching,
        ),
        (
            segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            segment([0.0, 0.0, 0.0], [3.0, 0.0, 0.0]),
            HERE,
            Touching,
        ),
        (
            segment([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
            segment([0.0, -1.0, 5e-324], [0.0, 1.0, 5e-324]),
            HERE,
            Separated,
        ),
    ]);
}

#[test]
fn tangents_of_curved_bodies() {
    let ellipsoid = || Shape::ellipsoid([1.0, 2.0, 3.0]).unwrap();
    let cone = || Shape::cone(1.0, 1.0).unwrap();
    let capsule = || Shape::capsule(0.5, 1.0).unwrap();
    let tapered = || Shape::tapered_capsule(0.5, 0.25, 1.0).unwrap();
    let rounded = || cuboid(0.5, 0.5, 0.5).rounded(0.5).unwrap();
    let touches: [(Shape, Shape, [f64; 3]); 17] = [
        (ball(1.0), ball(1.0), [2.0, 0.0, 0.0]),
        (ball(1.0), ball(0.5), [0.0, 0.9, 1.2]),
        (cube(), ball(1.0), [2.0, 0.0, 0.0]),
        (cube(), ball(5.0), [4.0, 5.0, 1.0]),
        (cube_hull(1.0), ball(1.0), [0.5, 0.5, 2.0]),
        (cylinder(1.0, 1.0), cylinder(1.0, 1.0), [2.0, 0.0, 0.0]),
        (cylinder(1.0, 1.0), cylinder(1.0, 1.0), [0.0, 0.0, 2.0]),
        (cylinder(1.0, 1.0), cylinder(0.5, 1.0), [0.9, 1.2, 0.5]),
        (cylinder(1.0, 1.0), cube(), [2.0, 0.25, 0.0]),
        (cone(), cone(), [2.0, 0.0, 0.0]),
        (cone(), cube(), [0.0, 0.0, 2.0]),
        (capsule(), capsule(), [0.0, 0.0, 3.0]),
        (capsule(), capsule(), [0.6, 0.8, 0.5]),
        (tapered(), tapered(), [0.0, 0.0, 2.75]),
        (ellipsoid(), cube(), [2.0, 0.0, 0.0]),
        (ellipsoid(), ellipsoid(), [0.0, 4.0, 0.0]),
        (rounded(), rounded(), [0.0, -2.0, 0.25]),
    ];
    let mut cases = Vec::new();
    for (a, b, at) in touches {
        let unit = DVec3::from_array(at).normalize();
        let moved = |by: f64| (DVec3::from_array(at) + unit * by).to_array();
        // Out along the line of the centres every one of these parts, in along it every one goes deeper.
        cases.push((a.clone(), b.clone(), moved(1e-9), Separated));
        cases.push((a.clone(), b.clone(), moved(-1e-9), Penetrating));
        cases.push((a, b, at, Touching));
    }
    check(&cases);
}

#[test]
fn tangents_from_inside() {
    let upright = || Shape::capsule(0.5, 0.5).unwrap();
    check(&[
        (cube(), ball(1.0), HERE, IN_A),
        (ball(3.0), ball(1.0), [2.0, 0.0, 0.0], IN_A),
        (ball(3.0), ball(1.0), [2.0 + 1e-9, 0.0, 0.0], Penetrating),
        (ball(1.0), ball(1.0), HERE, IN_B),
        (cylinder(1.0, 1.0), cylinder(1.0, 0.5), [0.0, 0.0, 0.5], IN_A),
        (cylinder(1.0, 1.0), cylinder(0.5, 0.5), [0.5, 0.0, 0.5], IN_A),
        (cylinder(1.0, 1.0), cylinder(0.5, 0.5), [0.5 + 1e-9, 0.0, 0.5], Penetrating),
        (cylinder(1.0, 1.0), Shape::cone(1.0, 1.0).unwrap(), HERE, IN_A),
        (cylinder(1.0, 1.0), ball(1.0), HERE, IN_A),
        (cylinder(1.0, 1.0), Shape::ellipsoid([1.0; 3]).unwrap(), HERE, IN_A),
        (cube(), upright(), HERE, IN_A),
        (cube(), upright(), [0.5, 0.5, 0.0], IN_A),
        (cuboid(1.0, 2.0, 3.0), Shape::ellipsoid([1.0, 2.0, 3.0]).unwrap(), HERE, IN_A),
        (cube(), cuboid(0.5, 0.5, 0.5).rounded(0.5).unwrap(), HERE, IN_A),
    ]);
}

#[test]
fn planes_and_half_spaces() {
    let above = 1.0f64.next_up();
    let below = 1.0f64.next_down();
    check(&[
        (plane(UP, -1.0), cube(), HERE, Touching),
        (plane(UP, -above), cube(), HERE, Separated),
        (plane(UP, -below), cube(), HERE, Penetrating),
        (plane(UP, 0.0), cube(), HERE, Penetrating),
        (half_space(UP, -1.0), cube(), HERE, Touching),
        (half_space(UP, -above), cube(), HERE, Separated),
        (half_space(UP, -below), cube(), HERE, Penetrating),
        (half_space(UP, 1.0), cube(), HERE, IN_A),
        (half_space(UP, below), cube(), HERE, Penetrating),
        (half_space(UP, 0.0), sheet(0.0), HERE, Touching),
        (half_space(UP, 1.0), sheet(0.0), HERE, Penetrating),
        (half_space(UP, -2.0), cylinder(1.0, 2.0), HERE, Touching),
        (plane(UP, -2.0), cylinder(1.0, 2.0), HERE, Touching),
        (half_space(UP, 2.0), cylinder(1.0, 2.0), HERE, IN_A),
        (half_space([1.0, 0.0, 0.0], -1.0), cylinder(1.0, 2.0), HERE, Touching),
        (plane(UP, 1.0), Shape::cone(1.0, 1.0).unwrap(), HERE, Touching),
        (half_space(UP, -1.0), ball(1.0), HERE, Touching),
        (half_space(UP, 1.0), ball(1.0), HERE, IN_A),
        // Flat against flat.
        (half_space(UP, 0.0), half_space(UP, 1.0), HERE, IN_B),
        (half_space(UP, 0.0), half_space(UP, 0.0), HERE, IN_B),
        (half_space(UP, 0.0), half_space(UP, 1.0), [0.0, 0.0, -2.0], IN_A),
        (half_space(UP, 0.0), half_space(DOWN, -1.0), HERE, Separated),
        (half_space(UP, 0.0), half_space(DOWN, 0.0), HERE, Touching),
        (half_space(UP, 0.0), half_space(DOWN, 1.0), HERE, Penetrating),
        (half_space(UP, 0.0), half_space([1.0, 0.0, 0.0], -9.0), HERE, Penetrating),
        (plane(UP, 0.0), plane(UP, 0.0), HERE, Touching),
        (plane(UP, 0.0), plane(DOWN, 0.0), HERE, Touching),
        (plane(UP, 0.0), plane(UP, 1.0), HERE, Separated),
        (plane(UP, 0.0), plane([1.0, 0.0, 0.0], 5.0), HERE, Penetrating),
        (plane(UP, 0.0), half_space(UP, 0.0), HERE, Touching),
        (plane(UP, 0.0), half_space(UP, 1.0), HERE, Penetrating),
        (plane(UP, 1.0), half_space(UP, 0.0), HERE, Separated),
    ]);
}

#[test]
fn unbounded_depths_are_none() {
    let none = |a: &Shape, b: &Shape| {
        let cache = &mut Cache::default();
        assert!(pair::signed_distance(a, b, &Pose::IDENTITY, cache).is_none(), "{a:?} {b:?}");
        let gap = pair::distance(a, b, &Pose::IDENTITY, cache);
        assert!(gap.distance == 0.0 && gap.points[0] == gap.points[1]);
    };
    none(&half_space(UP, 0.0), &half_space(UP, 1.0));
    none(&half_space(UP, 0.0), &half_space([1.0, 0.0, 0.0], 1.0));
    none(&half_space(UP, 0.0), &plane([1.0, 0.0, 0.0], 1.0));
    none(&plane([0.0, 3.0, 4.0], 0.0), &plane([1.0, 0.0, 0.0], 1.0));
    let slab = plane(UP, 0.0).rounded(1.0).unwrap();
    none(&slab, &plane([1.0, 0.0, 0.0], 1.0));
    // Parallel slabs do have a depth.
    let cache = &mut Cache::default();
    let depth = pair::signed_distance(&slab, &plane(UP, 0.5), &Pose::IDENTITY, cache).unwrap();
    assert_eq!(depth.distance, -0.5);
}
