//! Impacts and least distances of all kinds of geometry against dense sampling; the same bits from either side, in batches, and for meshes as for shapes.

use crate::soup::{Numbers, boxes, dirty};
use impinge::geom::Certainty;
use impinge::geom::glam::DVec3;
use impinge::mesh::Mode;
use impinge::query::{self, Impact, ImpactSettings, MeshPart, Part, Start, Workspace};
use impinge::{Geometry, Mesh, Motion, MotionPath, Pose, RigidMotion, Shape};

fn box_mesh(half: [f64; 3]) -> Mesh {
    let (vertices, faces) = boxes(&[[half.map(|x| -x), half]]);
    Mesh::new(&vertices, &faces).expect("valid")
}

/// Bodies of every kind, about one in size.
fn bodies() -> Vec<Geometry> {
    let shape = |shape: Result<Shape, _>| shape.expect("valid");
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.2]).expect("valid");
    let scaled = MeshPart::new(box_mesh([0.25, 0.5, 0.1]).into(), Mode::Solid).with_scale(2.0);
    let ball = Part::from(shape(Shape::sphere(0.4)));
    let block = Part::from(MeshPart::new(box_mesh([0.3; 3]).into(), Mode::Solid));
    let (vertices, faces) = dirty(&mut Numbers::new(5), 120, 0.2);
    let soup = Mesh::new(&vertices, &faces).expect("valid");
    vec![
        shape(Shape::cuboid([0.5, 0.75, 0.25])).into(),
        shape(Shape::capsule(0.3, 0.5)).into(),
        box_mesh([0.5, 0.75, 0.25]).into(),
        Geometry::mesh(soup, Mode::Surface),
        scaled.expect("valid").into(),
        Geometry::compound([(3, at(-0.4), ball), (8, at(0.5), block)]).expect("valid"),
    ]
}

/// A motion across the middle.
fn motion(numbers: &mut Numbers) -> Box<dyn Motion> {
    let mut vector = |size: f64| DVec3::from([0; 3].map(|_| numbers.signed() * size));
    let (start, way, turn, point) = (vector(4.0), vector(2.0), vector(2.0), vector(2.0));
    let pose = numbers.pose(0.0).with_translation(start).expect("valid");
    let way = way - start * 1.5;
    match numbers.below(5) {
        0 => Box::new(RigidMotion::linear(&pose, way).expect("valid")),
        1 => Box::new(RigidMotion::turning(&pose, point * 0.2, way, turn).expect("valid")),
        2 => Box::new(RigidMotion::screw(&pose, turn, point, 3.0, way.x).expect("valid")),
        3 => Box::new(pose),
        _ => {
            let frames = [0.0, 1.0, 3.0].map(|t| (t, numbers.pose(3.0)));
            Box::new(MotionPath::through(&frames).expect("valid"))
        }
    }
}

const SAMPLES: u32 = 200;

/// Compares with dense sampling; true if they meet later.
fn judge(
    motions: [&dyn Motion; 2],
    a: &Geometry,
    b: &Geometry,
    found: &Impact,
    name: &str,
) -> bool {
    let meets = |t: f64| query::intersects(&motions[0].pose(t), a, &motions[1].pose(t), b);
    let first = (0..=SAMPLES).map(|k| f64::from(k) / f64::from(SAMPLES)).find(|t| meets(*t));
    let Some(contact) = found.first else {
        assert_eq!((first, found.start), (None, Start::Free), "missed: {name}");
        return false;
    };
    if found.start != Start::Free {
        assert_eq!((first, contact.interval), (Some(0.0), [0.0; 2]), "{name}");
        return false;
    }
    let [t0, t1] = contact.interval;
    assert!(!meets(t0) && first.is_none_or(|first| t0 < first), "late: {name} {first:?} {found:?}");
    assert_eq!(contact.certainty, Certainty::Exact, "{name} {found:?}");
    assert!(meets(t1) && t1 - t0 <= 1e-6, "{name} {found:?}");
    true
}

#[test]
fn impacts_of_all_kinds_are_never_late() {
    let (bodies, numbers) = (bodies(), &mut Numbers::new(9));
    let (mut hits, mut workspace) = (0, Workspace::default());
    for round in 0..324 {
        let (a, b) = (&bodies[round % 6], &bodies[round / 6 % 6]);
        let [one, two] = [0; 2].map(|_| motion(numbers));
        let found = query::impact(one.as_ref(), a, two.as_ref(), b);
        let motions = [one.as_ref(), two.as_ref()];
        hits += u32::from(judge(motions, a, b, &found, &format!("round {round}")));
        let settings = ImpactSettings::default();
        let again = query::impact_with(motions[0], a, motions[1], b, &settings, &mut workspace);
        assert_eq!(again, found, "round {round}");
        let turned = query::impact(motions[1], b, motions[0], a);
        assert!((turned.free_until() - found.free_until()).abs() <= 2e-6 || turned == found);
    }
    assert!(hits > 60, "{hits}");
}

#[test]
fn batches_have_the_bits_of_single_impacts() {
    let (bodies, numbers) = (bodies(), &mut Numbers::new(4));
    let motions: Vec<[Box<dyn Motion>; 2]> =
        (0..130).map(|_| [0; 2].map(|_| motion(numbers))).collect();
    let pairs: Vec<[&dyn Motion; 2]> =
        motions.iter().map(|[a, b]| [a.as_ref(), b.as_ref()]).collect();
    let settings = ImpactSettings::default();
    let together = query::impact_batch(&bodies[2], &bodies[3], &pairs, &settings);
    for (pair, found) in pairs.iter().zip(&together) {
        assert_eq!(*found, query::impact(pair[0], &bodies[2], pair[1], &bodies[3]));
    }
    let together = query::minimum_distance_batch(&bodies[0], &bodies[1], &pairs);
    for (pair, found) in pairs.iter().zip(&together) {
        assert_eq!(*found, query::minimum_distance(pair[0], &bodies[0], pair[1], &bodies[1]));
    }
}

#[test]
fn the_start_has_a_name() {
    let (shape, mesh) =
        (Geometry::from(Shape::cuboid([0.5; 3]).expect("valid")), box_mesh([0.5; 3]).into());
    for body in [&shape, &mesh] {
        let ask = |x: f64, way: f64| {
            let start = Pose::from_translation([x, 0.0, 0.0]).expect("valid");
            let motion = RigidMotion::linear(&start, [way, 0.0, 0.0]).expect("valid");
            query::impact(&Pose::IDENTITY, &shape, &motion, body)
        };
        assert_eq!(ask(1.0, 1.0).start, Start::Leaving);
        assert_eq!(ask(1.0, -0.5).start, Start::Approaching);
        assert_eq!(ask(0.9, 1.0).start, Start::Overlapping);
        assert_eq!(ask(0.0, 5.0).start, Start::Overlapping);
        assert_eq!(ask(1.5, 1.0), Impact { start: Start::Free, first: None });
        assert_eq!(ask(1.0, 1.0).first.map(|first| first.interval), Some([0.0; 2]));
        // Reached at the very end.
        assert_eq!(ask(2.0, -1.0).first.map(|first| first.interval[1]), Some(1.0));
    }
}

#[test]
fn least_distances_hold_for_all_kinds() {
    let (bodies, numbers) = (bodies(), &mut Numbers::new(2));
    let mut wide = 0;
    for round in 0..72 {
        let (a, b) = (&bodies[round % 6], &bodies[round / 6 % 6]);
        let [one, two] = [0; 2].map(|_| motion(numbers));
        let least = query::minimum_distance(one.as_ref(), a, two.as_ref(), b);
        let gap = |t: f64| query::distance(&one.pose(t), a, &two.pose(t), b).distance;
        let is_narrow = least.closest.distance - least.lower <= 1e-5 * gap(0.0) + 1e-12;
        assert_eq!(least.certainty == Certainty::Bound, !is_narrow, "{round} {least:?}");
        wide += u32::from(!is_narrow);
        assert_eq!(least.closest.distance, gap(least.t), "{round}");
        let seen = (0..=SAMPLES).map(|k| gap(f64::from(k) / f64::from(SAMPLES)));
        let seen = seen.fold(f64::INFINITY, f64::min);
        assert!(seen >= least.lower - 1e-9, "{round} {seen} {least:?}");
    }
    assert!(wide <= 2, "{wide}");
}
