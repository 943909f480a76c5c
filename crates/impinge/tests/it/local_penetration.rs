//! Local penetrations of fits, interlocks, shells and nested parts, beside what a pencil finds; and of random pairs, beside dense sampling.

use crate::solids::{block, both, mesh, turned_over};
use crate::soup::{Numbers, Raw};
use impinge::geom::glam::DVec3;
use impinge::geom::{Certainty, Pose};
use impinge::mesh::{self, Accuracy, LocalPenetration, Mesh, ScaledPose, Scratch};

/// A plane polygon, by its corners and the triangles that it is cut into, drawn out from one height to another.
fn extruded(outline: &[[f64; 2]], flat: &[[u32; 3]], low: f64, high: f64) -> Raw {
    let count = outline.len() as u32;
    let at = |z: f64| outline.iter().map(move |[x, y]| [*x, *y, z]);
    let vertices = at(low).chain(at(high)).collect();
    let mut faces: Vec<[u32; 3]> = flat.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    faces.extend(flat.iter().map(|face| face.map(|k| k + count)));
    for k in 0..count {
        let next = (k + 1) % count;
        faces.extend([[k, next, next + count], [k, next + count, k + count]]);
    }
    (vertices, faces)
}

fn ring(radius: f64, facets: u32) -> impl Iterator<Item = [f64; 2]> {
    (0..facets).map(move |k| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(facets);
        [radius * angle.cos(), radius * angle.sin()]
    })
}

/// A prism with regular ends, whose corners are at the radius.
fn pin(radius: f64, facets: u32, low: f64, high: f64) -> Raw {
    let outline: Vec<[f64; 2]> = ring(radius, facets).collect();
    // Cut to and fro, since a fan would have all triangles in one corner.
    let (mut left, mut right) = (facets - 1, 1);
    let mut flat = vec![[left, 0, right]];
    while right + 1 < left {
        flat.push([left, right, right + 1]);
        right += 1;
        if right + 1 < left {
            flat.push([left - 1, left, right]);
            left -= 1;
        }
    }
    extruded(&outline, &flat, low, high)
}

/// A round plate with a bore.
fn bored(outer: f64, bore: f64, facets: u32, low: f64, high: f64) -> Raw {
    let corner = |k: u32| k % facets;
    let rings = [(outer, low), (bore, low), (outer, high), (bore, high)];
    let vertices =
        rings.iter().flat_map(|&(radius, z)| ring(radius, facets).map(move |[x, y]| [x, y, z]));
    let vertices: Vec<[f64; 3]> = vertices.collect();
    let mut faces = Vec::new();
    for k in 0..facets {
        let at = |ring: u32, k: u32| ring * facets + corner(k);
        let mut square = |a: [u32; 4]| faces.extend([[a[0], a[1], a[2]], [a[0], a[2], a[3]]]);
        square([at(0, k), at(0, k + 1), at(2, k + 1), at(2, k)]);
        square([at(1, k + 1), at(1, k), at(3, k), at(3, k + 1)]);
        square([at(2, k), at(2, k + 1), at(3, k + 1), at(3, k)]);
        square([at(0, k + 1), at(0, k), at(1, k), at(1, k + 1)]);
    }
    (vertices, faces)
}

fn cube(middle: [f64; 3], half: [f64; 3], cells: u32) -> Raw {
    let low = [0, 1, 2].map(|k| middle[k] - half[k]);
    let high = [0, 1, 2].map(|k| middle[k] + half[k]);
    block(low, high, cells, cells.is_multiple_of(2))
}

/// Walls of one thickness around a hollow.
fn shell(half: f64, wall: f64) -> Raw {
    let hollow = cube([0.0; 3], [half - wall; 3], 2);
    both(&cube([0.0; 3], [half; 3], 1), &turned_over(&hollow))
}

fn ask(a: &Mesh, b: &Mesh, place: &ScaledPose) -> Option<LocalPenetration> {
    mesh::local_penetration(a, b, place, &Accuracy::default(), &mut Scratch::default())
}

/// Somewhere else, turned: what is measured does not depend on it.
fn elsewhere() -> Pose {
    Pose::from_axis_angle([1.0, 2.0, -0.5], 0.7, [3.0, -1.0, 0.25]).expect("a pose")
}

/// Checks the depths below A and below B, both ways round, moved together, and with B enlarged from a smaller mesh.
fn expect(name: &str, a: &Raw, b: &Raw, depths: [f64; 2]) {
    let (first, second) = (mesh(a), mesh(b));
    let close = |found: &LocalPenetration, depths: [f64; 2], note: &str| {
        for (found, depth) in found.depths.iter().zip(depths) {
            let certified = found.value <= depth + 1e-9 && found.upper >= depth - 1e-9;
            let narrow = found.upper - found.value <= 0.01 * depth + 1e-9;
            assert!(certified && narrow, "{name}, {note}: {found:?}, but {depth}");
        }
        let value = depths[0].max(depths[1]);
        assert!(found.value() <= value + 1e-9 && found.upper() >= value - 1e-9, "{name}, {note}");
        assert_ne!(found.certainty, Certainty::Estimate);
    };
    let here = Pose::IDENTITY.into();
    close(&ask(&first, &second, &here).expect(name), depths, "as drawn");
    close(&ask(&second, &first, &here).expect(name), [depths[1], depths[0]], "turned round");
    let moved = |raw: &Raw| {
        let points = raw.0.iter().map(|p| elsewhere().transform_point(DVec3::from(*p)).to_array());
        mesh(&(points.collect(), raw.1.clone()))
    };
    close(&ask(&moved(a), &moved(b), &here).expect(name), depths, "moved");
    let back = elsewhere().inverse().into();
    close(&ask(&first, &moved(b), &back).expect(name), depths, "in another frame");
    let halved = (b.0.iter().map(|p| p.map(|x| 0.5 * x)).collect(), b.1.clone());
    let twice = ScaledPose { pose: Pose::IDENTITY, scale: 2.0 };
    close(&ask(&first, &mesh(&halved), &twice).expect(name), depths, "enlarged");
}

#[test]
fn a_pin_that_is_too_large_is_as_deep_as_it_is_too_large() {
    for facets in [64, 512, 4096] {
        let (plate, pin) = (bored(12.0, 5.0, facets, -2.0, 2.0), pin(5.01, facets, -10.0, 10.0));
        let found = ask(&mesh(&plate), &mesh(&pin), &Pose::IDENTITY.into()).unwrap();
        // A corner of the pin is farthest from the bore's; the facets are parallel.
        let depths = [0.01, 0.01 * (std::f64::consts::PI / f64::from(facets)).cos()];
        for (found, depth) in found.depths.iter().zip(depths) {
            assert!(
                found.value <= depth + 1e-9 && found.upper >= depth - 1e-9,
                "{facets}: {found:?}"
            );
            assert!(found.upper - found.value <= 1e-4, "{facets}: {found:?}");
        }
    }
}

#[test]
fn boxes_that_overlap_along_one_axis() {
    for cells in [1, 4] {
        let a = cube([0.0; 3], [1.0; 3], cells);
        for depth in [0.25, 1e-3, 1e-6] {
            let b = cube([2.0 - depth, 0.0, 0.0], [1.0; 3], 3);
            expect("side by side", &a, &b, [depth; 2]);
            let b = cube([2.0 - depth, 0.3, -0.2], [1.0, 2.0, 3.0], 1);
            expect("beside a larger one", &a, &b, [depth; 2]);
        }
    }
}

#[test]
fn boxes_that_overlap_at_a_corner_or_an_edge() {
    let a = cube([0.5; 3], [0.5; 3], 1);
    expect("a corner", &a, &cube([1.2, 1.1, 1.0], [0.5; 3], 2), [0.3; 2]);
    expect("an edge", &a, &cube([1.2, 1.1, 0.5], [0.5, 0.5, 3.0], 1), [0.3; 2]);
    expect("a flat corner", &a, &cube([1.4999, 1.2, 1.0], [0.5; 3], 1), [1e-4; 2]);
}

#[test]
fn nested_boxes() {
    let large = cube([0.0; 3], [2.0; 3], 2);
    expect("in the middle", &large, &cube([0.0; 3], [0.5; 3], 1), [2.0, 0.5]);
    expect("off the middle", &large, &cube([1.2, 0.0, 0.0], [0.5; 3], 1), [1.3, 0.5]);
    expect("flush inside", &large, &cube([1.5, 0.0, 0.0], [0.5; 3], 1), [1.0, 0.5]);
    expect("the same", &large, &large, [2.0, 2.0]);
    expect("a flat one", &large, &cube([0.0, 0.0, 1.0], [1.0, 1.0, 0.05], 1), [1.05, 0.05]);
}

#[test]
fn bars_and_plates_that_cross() {
    let along = cube([0.0; 3], [5.0, 0.5, 0.5], 1);
    expect("a plus", &along, &cube([0.0; 3], [0.5, 5.0, 0.5], 1), [0.5, 0.5]);
    let plate = cube([0.0; 3], [6.0, 6.0, 0.05], 1);
    expect("plates", &plate, &cube([0.0; 3], [0.05, 6.0, 6.0], 1), [0.05, 0.05]);
    expect("a rod through a plate", &plate, &cube([0.0; 3], [2.0, 2.0, 9.0], 1), [0.05, 2.0]);
    expect(
        "a thin rod",
        &cube([0.0; 3], [6.0, 6.0, 1.0], 2),
        &cube([0.0; 3], [0.1, 0.1, 9.0], 1),
        [1.0, 0.1],
    );
}

#[test]
fn pegs_and_slots() {
    // A square peg, too large by 0.02 on each side, in a frame.
    let outline = [
        [-3.0, -3.0],
        [3.0, -3.0],
        [3.0, 3.0],
        [-3.0, 3.0],
        [-1.0, -1.0],
        [1.0, -1.0],
        [1.0, 1.0],
        [-1.0, 1.0],
    ];
    let frame = framed(&outline, -1.0, 1.0);
    let depth = 0.02;
    expect(
        "a square peg",
        &frame,
        &cube([0.0; 3], [1.0 + depth, 1.0 + depth, 4.0], 1),
        [depth * 2f64.sqrt(), depth],
    );
    expect(
        "a peg too wide one way",
        &frame,
        &cube([0.0; 3], [1.0 + depth, 0.9, 4.0], 1),
        [depth, depth],
    );
    expect("a peg on one side", &frame, &cube([0.5, 0.0, 0.0], [0.6, 0.5, 4.0], 1), [0.1, 0.1]);
    // A tongue in a groove: a U whose arms are pressed by a block.
    let u = [
        [-2.0, -2.0],
        [2.0, -2.0],
        [2.0, 2.0],
        [1.0, 2.0],
        [1.0, -1.0],
        [-1.0, -1.0],
        [-1.0, 2.0],
        [-2.0, 2.0],
    ];
    let flat = [[0, 5, 7], [5, 6, 7], [0, 1, 4], [0, 4, 5], [1, 2, 4], [2, 3, 4]];
    let groove = extruded(&u, &flat, -1.0, 1.0);
    expect("a tongue", &groove, &cube([0.0, 1.0, 0.0], [1.05, 1.5, 3.0], 1), [0.05, 0.05]);
    expect("to the ground", &groove, &cube([0.0, 0.9, 0.0], [0.9, 2.0, 3.0], 1), [0.1, 0.1]);
}

/// A square frame from the corners of its outside and of its inside.
fn framed(outline: &[[f64; 2]; 8], low: f64, high: f64) -> Raw {
    let at = |z: f64| outline.iter().map(move |[x, y]| [*x, *y, z]);
    let vertices = at(low).chain(at(high)).collect();
    let mut faces: Vec<[u32; 3]> = Vec::new();
    for k in 0..4u32 {
        let next = (k + 1) % 4;
        let mut square = |a: [u32; 4]| faces.extend([[a[0], a[1], a[2]], [a[0], a[2], a[3]]]);
        square([k, next, next + 8, k + 8]);
        square([next + 4, k + 4, k + 12, next + 12]);
        square([k + 8, next + 8, next + 12, k + 12]);
        square([next, k, k + 4, next + 4]);
    }
    (vertices, faces)
}

#[test]
fn shells() {
    let hollow = shell(1.2, 0.2);
    let inside = cube([0.0; 3], [0.5; 3], 1);
    assert_eq!(
        ask(&mesh(&hollow), &mesh(&inside), &Pose::IDENTITY.into()),
        None,
        "nothing is common"
    );
    expect(
        "a filling too large",
        &hollow,
        &cube([0.0; 3], [1.01; 3], 1),
        [0.01 * 3f64.sqrt(), 0.01],
    );
    expect("a rod through both walls", &hollow, &cube([0.0; 3], [9.0, 0.05, 0.05], 1), [0.1, 0.05]);
    expect(
        "a block that holds it",
        &hollow,
        &cube([0.0; 3], [3.0; 3], 1),
        [0.2 * 3f64.sqrt() / (1.0 + 3f64.sqrt()), 2.0],
    );
}

#[test]
fn nested_prisms() {
    let facets = 32;
    let apothem = (std::f64::consts::PI / f64::from(facets)).cos();
    let (inner, outer) = (pin(1.0, facets, -1.0, 1.0), pin(3.0, facets, -4.0, 4.0));
    expect("coaxial", &outer, &inner, [3.0 * apothem, apothem]);
    let (disc, rod) = (pin(3.0, facets, -0.1, 0.1), pin(1.0, facets, -4.0, 4.0));
    expect("a rod through a disc", &disc, &rod, [0.1, apothem]);
}

#[test]
fn shapes_and_compounds() {
    use impinge::query::{penetration, separation};
    use impinge::{Geometry, Shape};
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let (unit, large) = (Shape::sphere(1.0).unwrap(), Shape::sphere(3.0).unwrap());
    let near = |found: f64, depth: f64| (found - depth).abs() <= 0.01 * depth;
    let found = penetration(&at(0.0), &unit, &at(1.5), &unit).unwrap();
    assert!(near(found.in_a, 0.5) && near(found.in_b, 0.5) && found.upper >= 0.5, "{found:?}");
    assert_eq!(separation(&at(0.0), &unit, &at(1.5), &unit).unwrap().value, 0.5);
    let found = penetration(&at(0.0), &large, &at(0.5), &unit).unwrap();
    assert!(near(found.in_a, 3.0) && near(found.in_b, 1.0), "{found:?}");
    assert_eq!(penetration(&at(0.0), &unit, &at(2.5), &unit), None);
    assert_eq!(penetration(&at(0.0), &unit, &at(2.0), &unit), None);
    // A mesh and a ball, both ways round.
    let slab = mesh(&cube([0.0; 3], [1.0, 5.0, 5.0], 1));
    let found = penetration(&at(0.0), &slab, &at(1.75), &unit).unwrap();
    assert!(near(found.in_a, 0.25) && near(found.in_b, 0.25), "{found:?}");
    let turned = penetration(&at(1.75), &unit, &at(0.0), &slab).unwrap();
    assert_eq!((turned.in_a, turned.in_b), (found.in_b, found.in_a));
    // Of a compound the deepest part counts.
    let pair =
        Geometry::compound([(4, at(0.0), unit.clone().into()), (7, at(10.0), unit.clone().into())]);
    let found = penetration(&at(0.0), &pair.unwrap(), &at(8.5), &unit).unwrap();
    assert!(found.children == [7, 0] && near(found.value, 0.5), "{found:?}");
}

#[test]
fn an_open_box_answers_with_an_estimate() {
    // Without its lid it still encloses most of what it did.
    let (vertices, faces) = cube([0.0; 3], [1.0; 3], 1);
    let open: Mesh = Mesh::new(&vertices, &faces[2..]).unwrap();
    let peg = mesh(&cube([1.2, 0.1, 0.1], [0.5, 0.2, 0.2], 1));
    let found = ask(&open, &peg, &Pose::IDENTITY.into()).unwrap();
    assert_eq!(found.certainty, Certainty::Estimate);
    assert!((found.value() - 0.3).abs() < 1e-9, "{found:?}");
    // Two sheets enclose nothing.
    let sheet: Mesh =
        Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]).unwrap();
    let turned = Pose::from_axis_angle([1.0, 0.0, 0.0], 1.5, [0.1, 0.2, 0.1]).unwrap();
    assert_eq!(ask(&sheet, &sheet, &turned.into()), None);
}

#[test]
fn the_search_ends_when_the_question_is_decided() {
    let (a, b) = (mesh(&cube([0.0; 3], [1.0; 3], 1)), mesh(&cube([1.9, 0.2, 0.1], [1.0; 3], 1)));
    let (here, mut scratch) = (Pose::IDENTITY.into(), Scratch::default());
    for (at, above) in [(0.05, true), (0.15, false)] {
        let accuracy = Accuracy { decide_at: Some(at), ..Accuracy::default() };
        let found = mesh::local_penetration(&a, &b, &here, &accuracy, &mut scratch).unwrap();
        assert_eq!((found.value() > at, found.upper() > at), (above, above), "{found:?}");
    }
    // A known way out ends it, too.
    let accuracy = Accuracy { separation: 0.1 + 1e-12, ..Accuracy::default() };
    let found = mesh::local_penetration(&a, &b, &here, &accuracy, &mut scratch).unwrap();
    assert!((found.value() - 0.1).abs() < 1e-9 && found.upper() < 0.1 + 1e-9, "{found:?}");
}

#[test]
fn no_sample_of_random_pairs_lies_deeper() {
    let mut numbers = Numbers::new(7);
    let mut common = 0;
    for round in 0..12 {
        let half = [0, 1, 2].map(|_| 0.2 + 0.8 * numbers.signed().abs());
        let a = cube([0.0; 3], half, 1 + round % 3);
        let b = pin(0.7, 5 + round, -0.6, 0.6);
        let place = numbers.pose(0.8);
        let Some(found) = ask(&mesh(&a), &mesh(&b), &place.into()) else { continue };
        for (k, depth) in found.depths.iter().enumerate() {
            assert!(depth.upper - depth.value <= 0.01 * depth.value + 1e-12, "{k} {depth:?}");
        }
        let apothem = 0.7 * (std::f64::consts::PI / f64::from(5 + round)).cos();
        for _ in 0..4000 {
            let point = DVec3::new(numbers.signed(), numbers.signed(), numbers.signed());
            let in_a = (DVec3::from(half) - point.abs()).min_element();
            // A ball in the prism: no deeper than the prism itself.
            let there = place.inverse_transform_point(point);
            let in_b = (apothem - there.truncate().length()).min(0.6 - there.z.abs());
            if in_a > 0.0 && in_b > 0.0 {
                common += 1;
                assert!(in_a <= found.depths[0].upper && in_b <= found.depths[1].upper, "{point}");
            }
        }
    }
    assert!(common > 500, "{common}");
}
