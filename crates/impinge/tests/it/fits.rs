//! Fits, interlocks, shells and nested parts, beside what a pencil finds: how deep the common points lie below either surface, and how far the second part
//! must go to be free.

use crate::solids::{block, both, mesh, turned_over};
use crate::soup::Raw;
use impinge::geom::glam::DVec3;
use impinge::geom::{Certainty, Pose, Verdict};
use impinge::mesh::{self, Accuracy, LocalPenetration, Mesh, Mode, ScaledPose, Scratch};

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
pub(crate) fn pin(radius: f64, facets: u32, low: f64, high: f64) -> Raw {
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
pub(crate) fn bored(outer: f64, bore: f64, facets: u32, low: f64, high: f64) -> Raw {
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

pub(crate) fn cube(middle: [f64; 3], half: [f64; 3], cells: u32) -> Raw {
    let low = [0, 1, 2].map(|k| middle[k] - half[k]);
    let high = [0, 1, 2].map(|k| middle[k] + half[k]);
    block(low, high, cells, cells.is_multiple_of(2))
}

/// Walls of one thickness around a hollow.
fn shell(middle: [f64; 3], half: f64, wall: f64) -> Raw {
    let hollow = cube(middle, [half - wall; 3], 2);
    both(&cube(middle, [half; 3], 1), &turned_over(&hollow))
}

pub(crate) fn ask(a: &Mesh, b: &Mesh, place: &ScaledPose) -> Option<LocalPenetration> {
    mesh::local_penetration(a, b, place, &Accuracy::default(), &mut Scratch::default())
}

/// Somewhere else, turned: what is measured does not depend on it.
fn elsewhere() -> Pose {
    Pose::from_axis_angle([1.0, 2.0, -0.5], 0.7, [3.0, -1.0, 0.25]).expect("a pose")
}

/// Two parts and what is known of them.
struct Case {
    name: &'static str,
    a: Raw,
    b: Raw,
    /// How deep common points lie below A, and below B.
    depths: [f64; 2],
    /// How far B must go to be free, at the least.
    apart: f64,
}

fn case(name: &'static str, a: &Raw, b: &Raw, depths: [f64; 2], apart: f64) -> Case {
    Case { name, a: a.clone(), b: b.clone(), depths, apart }
}

/// Asked both ways round, moved together, in another frame, and with B enlarged from a smaller mesh.
fn judge(cases: &[Case]) {
    for Case { name, a, b, depths, apart } in cases {
        let (first, second) = (mesh(a), mesh(b));
        let here: ScaledPose = Pose::IDENTITY.into();
        let moved = |raw: &Raw| {
            let point = |p: &[f64; 3]| elsewhere().transform_point(DVec3::from(*p)).to_array();
            mesh(&(raw.0.iter().map(point).collect(), raw.1.clone()))
        };
        let halved = (b.0.iter().map(|p| p.map(|x| 0.5 * x)).collect(), b.1.clone());
        let twice = ScaledPose { pose: Pose::IDENTITY, scale: 2.0 };
        let (there, back) = (moved(b), elsewhere().inverse().into());
        let turned = [depths[1], depths[0]];
        for (note, one, two, place, depths) in [
            ("as drawn", &first, &second, &here, *depths),
            ("turned round", &second, &first, &here, turned),
            ("moved", &moved(a), &there, &here, *depths),
            ("in another frame", &first, &there, &back, *depths),
            ("enlarged", &first, &mesh(&halved), &twice, *depths),
        ] {
            let note = format!("{name}, {note}");
            expect_depths(&note, one, two, place, depths);
            expect_separation(&note, one, two, place, *apart);
        }
    }
}

fn expect_depths(note: &str, a: &Mesh, b: &Mesh, place: &ScaledPose, depths: [f64; 2]) {
    let found = ask(a, b, place).expect(note);
    for (found, depth) in found.depths.iter().zip(depths) {
        let certified = found.value <= depth + 1e-9 && found.upper >= depth - 1e-9;
        let narrow = found.upper - found.value <= 0.01 * depth + 1e-9;
        assert!(certified && narrow, "{note}: {found:?}, but {depth}");
    }
    let value = depths[0].max(depths[1]);
    assert!(found.value() <= value + 1e-9 && found.upper() >= value - 1e-9, "{note}: {found:?}");
    assert_ne!(found.certainty, Certainty::Estimate, "{note}");
}

/// What is found frees the parts. No way is shorter than the pencil's; where a part is enclosed, the search may find one that is a little longer.
fn expect_separation(note: &str, a: &Mesh, b: &Mesh, place: &ScaledPose, apart: f64) {
    let mut scratch = Scratch::default();
    let found = mesh::penetration(a, b, place, Mode::Solid, &mut scratch).expect(note);
    let near = found.depth >= apart - 1e-9 && found.depth <= 1.1 * apart + 1e-9;
    assert!(near, "{note}: {found:?}, not {apart}");
    assert!((found.translation.length() - found.depth).abs() <= 1e-12 * apart, "{note}");
    let from = place.pose.translation() + found.translation;
    let pose = place.pose.with_translation(from).expect("a pose");
    let freed = ScaledPose { pose, scale: place.scale };
    let verdict = mesh::verdict(a, b, &freed, Mode::Solid, &mut scratch).verdict;
    assert!(matches!(verdict, Verdict::Separated | Verdict::Touching), "{note}: {verdict:?}");
}

#[test]
fn boxes() {
    let a = |cells: u32| cube([0.0; 3], [1.0; 3], cells);
    let mut cases = Vec::new();
    for (cells, depth) in [(1, 0.25), (1, 1e-3), (4, 1e-6)] {
        let level = cube([2.0 - depth, 0.0, 0.0], [1.0; 3], 3);
        let larger = cube([2.0 - depth, 0.3, -0.2], [1.0, 2.0, 3.0], 1);
        cases.extend([
            case("side by side", &a(cells), &level, [depth; 2], depth),
            case("beside a larger one", &a(cells), &larger, [depth; 2], depth),
        ]);
    }
    let a = cube([0.5; 3], [0.5; 3], 1);
    let corner = cube([1.2, 1.1, 1.0], [0.5; 3], 2);
    let edge = cube([1.2, 1.1, 0.5], [0.5, 0.5, 3.0], 1);
    let flat = cube([1.4999, 1.2, 1.0], [0.5; 3], 1);
    cases.extend([
        case("a corner", &a, &corner, [0.3; 2], 0.3),
        case("an edge", &a, &edge, [0.3; 2], 0.3),
        case("a flat corner", &a, &flat, [1e-4; 2], 1e-4),
    ]);
    judge(&cases);
}

#[test]
fn nested_boxes() {
    let large = cube([0.0; 3], [2.0; 3], 2);
    let small = |x: f64| cube([x, 0.0, 0.0], [0.5; 3], 1);
    let flat = cube([0.0, 0.0, 1.0], [1.0, 1.0, 0.05], 1);
    judge(&[
        case("in the middle", &large, &small(0.0), [2.0, 0.5], 2.5),
        case("off the middle", &large, &small(1.2), [1.3, 0.5], 1.3),
        case("flush inside", &large, &small(1.5), [1.0, 0.5], 1.0),
        case("the same", &large, &large, [2.0, 2.0], 4.0),
        case("a flat one", &large, &flat, [1.05, 0.05], 1.05),
    ]);
}

#[test]
fn bars_and_plates_that_cross() {
    let bar = |half: [f64; 3]| cube([0.0; 3], half, 1);
    let plate = bar([6.0, 6.0, 0.05]);
    let thick = cube([0.0; 3], [6.0, 6.0, 1.0], 2);
    judge(&[
        case("a plus", &bar([5.0, 0.5, 0.5]), &bar([0.5, 5.0, 0.5]), [0.5, 0.5], 1.0),
        case("plates", &plate, &bar([0.05, 6.0, 6.0]), [0.05, 0.05], 6.05),
        case("a rod through a plate", &plate, &bar([2.0, 2.0, 9.0]), [0.05, 2.0], 8.0),
        case("a thin rod", &thick, &bar([0.1, 0.1, 9.0]), [1.0, 0.1], 6.1),
    ]);
}

#[test]
fn pegs_and_keys() {
    // Square pegs in a frame from 1 to 3, and a hexagonal key in its socket: what does not fit must leave over the ends or the sides.
    let frame = framed(3.0, 1.0, -1.0, 1.0);
    let (peg, depth) = (|half: [f64; 2]| cube([0.0; 3], [half[0], half[1], 4.0], 1), 0.02);
    let wide = 1.0 + depth;
    let beside = cube([0.5, 0.0, 0.0], [0.6, 0.5, 4.0], 1);
    let (socket, key) = (bored(3.0, 1.0, 6, -1.0, 1.0), pin(wide, 6, -4.0, 4.0));
    let cosine = 0.75f64.sqrt();
    judge(&[
        case("a square peg", &frame, &peg([wide; 2]), [depth * 2f64.sqrt(), depth], 3.0 + wide),
        case("a peg too wide one way", &frame, &peg([wide, 0.9]), [depth, depth], 3.9),
        case("a peg on one side", &frame, &beside, [0.1, 0.1], 0.1),
        case("a hexagonal key", &socket, &key, [depth, depth * cosine], (3.0 + wide) * cosine),
    ]);
}

#[test]
fn interlocks() {
    // A tongue in a groove: a U whose arms are pressed by a block.
    let u =
        [[-2., -2.], [2., -2.], [2., 2.], [1., 2.], [1., -1.], [-1., -1.], [-1., 2.], [-2., 2.]];
    let flat = [[0, 5, 7], [5, 6, 7], [0, 1, 4], [0, 4, 5], [1, 2, 4], [2, 3, 4]];
    let groove = extruded(&u, &flat, -1.0, 1.0);
    let tongue = cube([0.0, 1.0, 0.0], [1.05, 1.5, 3.0], 1);
    let long = cube([0.0, 0.9, 0.0], [0.9, 2.0, 3.0], 1);

    // Two hooks: the lip of each behind that of the other, too thick by 0.02.
    let l = [[0., -1.], [4., -1.], [4., 1.], [3., 1.], [3., 0.], [0., 0.]];
    let lower = extruded(&l, &[[0, 1, 4], [0, 4, 5], [1, 2, 4], [2, 3, 4]], -1.0, 1.0);
    let hung = [[2., 0.1], [3.02, 0.1], [3.02, 1.1], [6., 1.1], [6., 2.], [2., 2.]];
    let upper = extruded(&hung, &[[0, 1, 2], [0, 2, 5], [2, 3, 4], [2, 4, 5]], -1.0, 1.0);

    // A dovetail that is pulled: its flanks, which rise by two for one, press along (±2, 1) / √5.
    let plate =
        [[-3., -2.], [3., -2.], [3., 0.], [1., 0.], [1.5, -1.], [-1.5, -1.], [-1., 0.], [-3., 0.]];
    let flat = [[0, 1, 4], [0, 4, 5], [1, 2, 4], [2, 3, 4], [0, 5, 7], [5, 6, 7]];
    let dovetailed = extruded(&plate, &flat, -1.0, 1.0);
    let tail = [[-1.4, -0.7], [1.4, -0.7], [0.9, 0.3], [0.9, 1.], [-0.9, 1.], [-0.9, 0.3]];
    let flat = [[0, 1, 2], [0, 2, 5], [2, 3, 5], [3, 4, 5]];
    let tail = extruded(&tail, &flat, -1.0, 1.0);
    let flank = 0.1 / 5f64.sqrt();

    // A T in its slot, pressed against the lips.
    let t = [
        [-3., -3.],
        [3., -3.],
        [3., 0.],
        [1., 0.],
        [1., -1.],
        [2., -1.],
        [2., -2.],
        [-2., -2.],
        [-2., -1.],
        [-1., -1.],
        [-1., 0.],
        [-3., 0.],
    ];
    let below = [[0, 1, 6], [0, 6, 7]];
    let right = [[1, 2, 5], [1, 5, 6], [2, 3, 5], [3, 4, 5]];
    let left = [[0, 7, 8], [0, 8, 11], [8, 10, 11], [8, 9, 10]];
    let slot = extruded(&t, &[&below[..], &right, &left].concat(), -1.0, 1.0);
    let head = [
        [-1.9, -1.9],
        [1.9, -1.9],
        [1.9, -0.95],
        [0.9, -0.95],
        [0.9, 2.],
        [-0.9, 2.],
        [-0.9, -0.95],
        [-1.9, -0.95],
    ];
    let flat = [[0, 1, 2], [0, 2, 3], [0, 3, 6], [0, 6, 7], [3, 4, 5], [3, 5, 6]];
    let bolt = extruded(&head, &flat, -0.5, 0.5);

    // A wedge in a vee of 90 degrees, driven in by 0.1.
    let vee = extruded(&[[-2., 2.], [-2., -1.], [2., -1.], [2., 2.], [0., 0.]], &VEE, -1.0, 1.0);
    let wedge = extruded(&[[0., -0.1], [1., 0.9], [-1., 0.9]], &[[0, 1, 2]], -3.0, 3.0);
    let face = 0.1 / 2f64.sqrt();
    judge(&[
        case("a tongue", &groove, &tongue, [0.05, 0.05], 2.5),
        case("to the ground", &groove, &long, [0.1, 0.1], 0.1),
        case("two hooks", &lower, &upper, [0.02, 0.02], 0.02),
        case("a dovetail", &dovetailed, &tail, [flank, flank], 0.1),
        case("a T in its slot", &slot, &bolt, [0.05, 0.05], 0.05),
        case("a wedge in a vee", &vee, &wedge, [0.1, face], 0.1),
    ]);
}

const VEE: [[u32; 3]; 3] = [[0, 1, 4], [1, 2, 4], [2, 3, 4]];

#[test]
fn shells() {
    let hollow = shell([0.0; 3], 1.2, 0.2);
    let solid = |half: [f64; 3]| cube([0.0; 3], half, 1);
    let root = 3f64.sqrt();
    judge(&[
        case("a filling too large", &hollow, &solid([1.01; 3]), [0.01 * root, 0.01], 2.21),
        case("a rod through both walls", &hollow, &solid([9.0, 0.05, 0.05]), [0.1, 0.05], 1.25),
        case(
            "a block that holds it",
            &hollow,
            &solid([3.0; 3]),
            [0.2 * root / (1.0 + root), 2.0],
            4.2,
        ),
        case(
            "a shell on one side",
            &hollow,
            &shell([0.12, 0.0, 0.0], 0.9, 0.1),
            [0.02, 0.02],
            0.02,
        ),
        case("shells side by side", &hollow, &shell([2.3, 0.0, 0.0], 1.2, 0.2), [0.1, 0.1], 0.1),
    ]);
}

#[test]
fn nested_prisms() {
    let facets = 32;
    let apothem = (std::f64::consts::PI / f64::from(facets)).cos();
    let (inner, outer) = (pin(1.0, facets, -1.0, 1.0), pin(3.0, facets, -4.0, 4.0));
    let (disc, rod) = (pin(3.0, facets, -0.1, 0.1), pin(1.0, facets, -4.0, 4.0));
    judge(&[
        case("coaxial", &outer, &inner, [3.0 * apothem, apothem], 4.0 * apothem),
        case("a rod through a disc", &disc, &rod, [0.1, apothem], 4.0 * apothem),
    ]);
}

#[test]
fn what_fits_has_no_common_point() {
    let clear = [
        ("a block in a hollow", shell([0.0; 3], 1.2, 0.2), cube([0.0; 3], [0.5; 3], 1)),
        ("a filling that fits", shell([0.0; 3], 1.2, 0.2), cube([0.0; 3], [1.0; 3], 3)),
        ("a shell in a shell", shell([0.0; 3], 1.2, 0.2), shell([0.0; 3], 0.9, 0.1)),
        ("a pin with play", bored(12.0, 5.0, 64, -2.0, 2.0), pin(4.99, 64, -9.0, 9.0)),
        ("a key that fits", bored(3.0, 1.0, 6, -1.0, 1.0), pin(1.0, 6, -4.0, 4.0)),
    ];
    for (name, a, b) in clear {
        let (a, b, here) = (mesh(&a), mesh(&b), Pose::IDENTITY.into());
        let found = ask(&a, &b, &here);
        assert!(found.is_none_or(|found| found.upper() < 1e-12), "{name}: {found:?}");
        let freed = mesh::penetration(&a, &b, &here, Mode::Solid, &mut Scratch::default());
        assert_eq!(freed, None, "{name}");
    }
}

/// A square frame between two half sides.
fn framed(outer: f64, inner: f64, low: f64, high: f64) -> Raw {
    let square = |half: f64| [[-half, -half], [half, -half], [half, half], [-half, half]];
    let outline = [square(outer), square(inner)].concat();
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
