//! Verdicts on solids, against boxes by their coordinates, hulls of the kernel, and solids made of lattice cells.

use crate::solids::{block, both, mesh, tetrahedron, torus, turned_over, unwelded};
use crate::soup::{Numbers, Raw};
use impinge::geom::glam::DVec3;
use impinge::geom::{Certainty, Inside, Pose, Shape, Verdict, pair};
use impinge::mesh::{self, Mesh, Mode, Relation, ScaledPose, Scratch};

fn ask(a: &Raw, b: &Raw, place: ScaledPose) -> Relation {
    mesh::verdict(&mesh(a), &mesh(b), &place, Mode::Solid, &mut Scratch::default())
}

fn exact(a: &Raw, b: &Raw, place: ScaledPose) -> Verdict {
    let answer = ask(a, b, place);
    assert_eq!(answer.certainty, Certainty::Exact);
    answer.verdict
}

fn flipped(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Contained(Inside::A) => Verdict::Contained(Inside::B),
        Verdict::Contained(Inside::B) => Verdict::Contained(Inside::A),
        other => other,
    }
}

/// The verdict on two boxes along the axes, by their coordinates.
fn of_boxes(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> Verdict {
    let all = |f: &dyn Fn(usize) -> bool| (0..3).all(f);
    if all(&|k| a[0][k] >= b[0][k] && a[1][k] <= b[1][k]) {
        Verdict::Contained(Inside::A)
    } else if all(&|k| b[0][k] >= a[0][k] && b[1][k] <= a[1][k]) {
        Verdict::Contained(Inside::B)
    } else if all(&|k| a[0][k] < b[1][k] && b[0][k] < a[1][k]) {
        Verdict::Penetrating
    } else if all(&|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k]) {
        Verdict::Touching
    } else {
        Verdict::Separated
    }
}

/// Boxes whose sides are flush in all combinations, near the origin and far from it, with different triangles.
#[test]
fn flush_boxes() {
    let mut numbers = Numbers::new(3);
    let mut seen = std::collections::HashMap::new();
    let intervals = [
        [0.0, 4.0],
        [0.0, 2.0],
        [1.0, 4.0],
        [1.0, 3.0],
        [2.0, 6.0],
        [4.0, 5.0],
        [-1.0, 5.0],
        [5.0, 6.0],
    ];
    for round in 0..400 {
        let far = [0.0, 1e7, -3e7][round % 3];
        let chosen = [(); 3].map(|()| intervals[numbers.below(if round % 4 == 0 { 8 } else { 7 })]);
        let (a, b) = ([[far; 3], [far + 4.0; 3]], [0, 1].map(|end| chosen.map(|i| far + i[end])));
        let (cells_a, cells_b) = (1 + numbers.below(3) as u32, 1 + numbers.below(3) as u32);
        let raw_a = block(a[0], a[1], cells_a, round % 2 == 0);
        let raw_b = block(b[0], b[1], cells_b, round % 5 == 0);
        let expected = of_boxes(a, b);
        let place = Pose::IDENTITY.into();
        assert_eq!(exact(&raw_a, &raw_b, place), expected, "{chosen:?} {cells_a} {cells_b}");
        let back = exact(&unwelded(&raw_b), &raw_a, place);
        let equal = a == b;
        assert_eq!(back, if equal { expected } else { flipped(expected) }, "{chosen:?}");
        *seen.entry(expected).or_insert(0) += 1;
    }
    assert!(seen.len() == 5 && seen.values().all(|count| *count > 5), "{seen:?}");
}

/// A tetrahedron in another one, which is enlarged four times; corners, edges and faces often coincide.
fn inscribed(numbers: &mut Numbers, outer: &mut Raw) -> Raw {
    loop {
        let corner = |numbers: &mut Numbers| {
            let picked = [(); 4].map(|()| outer.0[numbers.below(4)]);
            [0, 1, 2].map(|k| picked.iter().map(|p| p[k]).sum::<f64>())
        };
        let corners = [(); 4].map(|()| corner(numbers));
        let [a, b, c] = [1, 2, 3].map(|k| DVec3::from(corners[k]) - DVec3::from(corners[0]));
        let volume = a.dot(b.cross(c));
        let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        if volume != 0.0 {
            outer.0.iter_mut().flatten().for_each(|x| *x *= 4.0);
            let inner = (corners.to_vec(), faces);
            return if volume > 0.0 { inner } else { turned_over(&inner) };
        }
    }
}

#[test]
fn tetrahedra_as_hulls_of_the_kernel() {
    let mut numbers = Numbers::new(17);
    let mut seen = std::collections::HashMap::new();
    let mut cache = pair::Cache::default();
    for round in 0..1200 {
        let size = [3, 4, 6][round % 3];
        let mut a = tetrahedron(&mut numbers, size);
        let mut b = tetrahedron(&mut numbers, size);
        if round % 4 == 0 {
            b = inscribed(&mut numbers, &mut a);
        }
        if round % 8 == 0 {
            std::mem::swap(&mut a, &mut b);
        }
        let steps = if round % 4 == 0 { 1 } else { 3 };
        let shift = [(); 3].map(|()| numbers.below(steps) as f64 - f64::from(steps > 1));
        let pose = Pose::from_translation(shift).expect("valid");
        let hulls = [&a, &b].map(|raw| Shape::hull(&raw.0).expect("valid"));
        let expected = pair::verdict(&hulls[0], &hulls[1], &pose, &mut cache);
        assert_eq!(exact(&a, &b, pose.into()), expected, "{a:?} {b:?} {shift:?}");
        *seen.entry(expected).or_insert(0) += 1;
    }
    assert!(seen.len() == 5 && seen.values().all(|count| *count > 10), "{seen:?}");
}

/// Turned by any rotation, or off a lattice by a unit in the last place far from the origin, so that pieces are slivers.
#[test]
fn turned_and_jittered_tetrahedra_as_hulls_of_the_kernel() {
    let mut numbers = Numbers::new(19);
    let mut seen = std::collections::HashMap::new();
    let mut cache = pair::Cache::default();
    for round in 0..1500 {
        let mut a = tetrahedron(&mut numbers, 3);
        let mut b = tetrahedron(&mut numbers, 3);
        if round % 3 == 0 {
            b = inscribed(&mut numbers, &mut a);
        }
        let pose = if round % 2 == 0 { numbers.pose(1.0) } else { Pose::IDENTITY };
        if round % 2 == 1 {
            for x in a.0.iter_mut().chain(&mut b.0).flatten() {
                *x += 1e7;
                match numbers.below(3) {
                    0 => *x = x.next_up(),
                    1 => *x = x.next_down(),
                    _ => {}
                }
            }
        }
        let hulls = [&a, &b].map(|raw| Shape::hull(&raw.0).expect("valid"));
        let expected = pair::verdict(&hulls[0], &hulls[1], &pose, &mut cache);
        assert_eq!(exact(&a, &b, pose.into()), expected, "{a:?} {b:?} {pose:?}");
        *seen.entry(expected).or_insert(0) += 1;
    }
    assert!(seen.len() >= 4 && seen.values().all(|count| *count > 5), "{seen:?}");
}

/// The lowest and highest corner, and the orientation.
type LatticeBox = ([i32; 3], [i32; 3], i32);

/// A mesh of some boxes on a lattice, any of which may be turned over, and the boxes.
fn lattice_solid(numbers: &mut Numbers, large: bool) -> (Raw, Vec<LatticeBox>) {
    let (mut raw, mut boxes): (Raw, _) = ((Vec::new(), Vec::new()), Vec::new());
    for _ in 0..1 + numbers.below(3) {
        let low = [(); 3].map(|()| numbers.below(4) as i32);
        let size = if large { 5 } else { 1 };
        let high = low.map(|x| x + size + numbers.below(3) as i32);
        let sign = if numbers.below(3) == 0 { -1 } else { 1 };
        let one = block(low.map(f64::from), high.map(f64::from), 1, numbers.below(2) == 0);
        raw = both(&raw, &if sign < 0 { turned_over(&one) } else { one });
        boxes.push((low, high, sign));
    }
    (raw, boxes)
}

/// What a lattice solid is at a point of the lattice of halves: off its surface the winding number.
fn at(boxes: &[LatticeBox], p: [i32; 3]) -> Option<i32> {
    let mut sum = 0;
    for (low, high, sign) in boxes {
        if (0..3).all(|k| p[k] > 2 * low[k] && p[k] < 2 * high[k]) {
            sum += sign;
        } else if (0..3).all(|k| p[k] >= 2 * low[k] && p[k] <= 2 * high[k]) {
            return None;
        }
    }
    Some(sum)
}

/// Solids of overlapping boxes, with winding numbers from −3 to 3, surfaces inside, and surfaces that bound nothing. Every
/// corner, edge, square and cube of the lattice has its middle on the lattice of halves, so that asking there is enough.
#[test]
fn lattice_solids() {
    let mut numbers = Numbers::new(29);
    let mut seen = std::collections::HashMap::new();
    for round in 0..500 {
        let (raw_a, a) = lattice_solid(&mut numbers, round % 5 == 0);
        let (raw_b, mut b) = lattice_solid(&mut numbers, round % 5 == 1);
        let shift = [(); 3].map(|()| numbers.below(5) as i32 - 2);
        for (low, high, _) in &mut b {
            (*low, *high) =
                ([0, 1, 2].map(|k| low[k] + shift[k]), [0, 1, 2].map(|k| high[k] + shift[k]));
        }
        let (mut interiors, mut meet, mut out) = (false, false, [false; 2]);
        for k in 0..27i32.pow(3) {
            let p = [k % 27 - 8, k / 27 % 27 - 8, k / 729 - 8];
            let (in_a, in_b) = (at(&a, p), at(&b, p));
            let (has_a, has_b) = (in_a != Some(0), in_b != Some(0));
            interiors |= in_a.is_some_and(|w| w != 0) && in_b.is_some_and(|w| w != 0);
            meet |= has_a && has_b;
            out = [out[0] | (has_a && !has_b), out[1] | (has_b && !has_a)];
        }
        let expected = match (interiors, out) {
            (true, [false, _]) => Verdict::Contained(Inside::A),
            (true, [true, false]) => Verdict::Contained(Inside::B),
            (true, _) => Verdict::Penetrating,
            _ if meet => Verdict::Touching,
            _ => Verdict::Separated,
        };
        let place = Pose::from_translation(shift.map(f64::from)).expect("valid").into();
        assert_eq!(exact(&raw_a, &raw_b, place), expected, "{a:?} {b:?}");
        *seen.entry(expected).or_insert(0) += 1;
    }
    assert!(seen.len() == 5 && seen.values().all(|count| *count > 5), "{seen:?}");
}

#[test]
fn shells_hold_things_that_do_not_touch_them() {
    let cavity = block([1.0; 3], [3.0; 3], 2, true);
    let shell = both(&block([0.0; 3], [4.0; 3], 1, false), &turned_over(&cavity));
    let at = |low: f64, high: f64| {
        exact(&shell, &block([low; 3], [high; 3], 1, false), Pose::IDENTITY.into())
    };
    assert_eq!(at(1.5, 2.5), Verdict::Separated);
    assert_eq!(at(1.0, 2.5), Verdict::Touching);
    assert_eq!(at(1.0, 3.0), Verdict::Touching);
    assert_eq!(at(0.5, 2.0), Verdict::Penetrating);
    assert_eq!(at(0.5, 3.5), Verdict::Penetrating);
    assert_eq!(at(0.25, 0.75), Verdict::Contained(Inside::B));
    assert_eq!(at(0.0, 1.0), Verdict::Contained(Inside::B));
    assert_eq!(at(-1.0, 5.0), Verdict::Contained(Inside::A));
    assert_eq!(at(0.0, 4.0), Verdict::Contained(Inside::A));
}

/// Two blocks that go through each other and hang together by one corner: faces that are cut, but lie on one side of whatever does not meet them.
#[test]
fn what_meets_itself_is_on_one_side_of_what_it_does_not_meet() {
    // A corner of the first is where the second, a wedge, has one, too.
    let wedge = [[4.0; 3], [-3.0, 1.0, 1.0], [-3.0, 3.0, 1.0], [-3.0, 2.0, 3.0]];
    let wedge: Raw = (wedge.to_vec(), vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]);
    let body = both(&block([0.0; 3], [4.0; 3], 2, false), &wedge);
    let at = |low: [f64; 3], high: [f64; 3]| {
        let small = block(low, high, 1, false);
        let verdict = exact(&body, &small, Pose::IDENTITY.into());
        assert_eq!(exact(&small, &body, Pose::IDENTITY.into()), flipped(verdict));
        verdict
    };
    // Inside of the block alone, of the wedge alone, of both.
    assert_eq!(at([0.5; 3], [0.75; 3]), Verdict::Contained(Inside::B));
    assert_eq!(at([-2.5, 1.9, 1.9], [-2.4, 2.0, 2.0]), Verdict::Contained(Inside::B));
    assert_eq!(at([1.0, 2.4, 2.4], [1.1, 2.5, 2.5]), Verdict::Contained(Inside::B));
    // Outside, beside the wedge, within the box around all.
    assert_eq!(at([-2.0, 3.0, 3.0], [-1.0, 3.5, 3.5]), Verdict::Separated);
    assert_eq!(at([-9.0; 3], [9.0; 3]), Verdict::Contained(Inside::A));
    // Touched, and all of it inside: the faces around the hole that the wedge makes are not touched.
    assert_eq!(at([-9.0; 3], [4.0; 3]), Verdict::Contained(Inside::A));
    // The wedge sticks out of a box that the block fills: what is inside and what is not hang together.
    assert_eq!(at([0.0; 3], [4.0; 3]), Verdict::Contained(Inside::B));
    assert_eq!(at([-1.0; 3], [5.0; 3]), Verdict::Penetrating);
    assert_eq!(at([-3.0, -1.0, -1.0], [-2.9, 5.0, 5.0]), Verdict::Penetrating);
}

#[test]
fn a_pin_in_a_ring() {
    let ring = torus(3.0, 1.0, 24, 16);
    let pin = |radius: f64| block([-radius, -radius, -4.0], [radius, radius, 4.0], 1, false);
    assert_eq!(exact(&ring, &pin(1.0), Pose::IDENTITY.into()), Verdict::Separated);
    assert_eq!(exact(&ring, &pin(1.9), Pose::IDENTITY.into()), Verdict::Penetrating);
    let inside =
        ScaledPose { pose: Pose::from_translation([3.0, 0.0, 0.0]).expect("valid"), scale: 0.1 };
    assert_eq!(exact(&ring, &ring, inside), Verdict::Contained(Inside::B));
    assert_eq!(exact(&ring, &ring, Pose::IDENTITY.into()), Verdict::Contained(Inside::A));
}

#[test]
fn one_ulp_decides() {
    let a = block([0.0; 3], [1.0; 3], 2, false);
    let at = |x: f64| {
        exact(&a, &block([x, 0.25, 0.25], [2.0, 0.5, 0.5], 1, false), Pose::IDENTITY.into())
    };
    assert_eq!(at(1.0f64.next_up()), Verdict::Separated);
    assert_eq!(at(1.0), Verdict::Touching);
    assert_eq!(at(1.0f64.next_down()), Verdict::Penetrating);
}

/// Surfaces do not have an inside; open meshes are estimated.
#[test]
fn surfaces_and_open_meshes() {
    let (a, b) = (block([0.0; 3], [4.0; 3], 2, false), block([1.0; 3], [2.0; 3], 1, false));
    let (large, small): (Mesh, Mesh) = (mesh(&a), mesh(&b));
    let mut scratch = Scratch::default();
    let place = Pose::IDENTITY.into();
    let answer = mesh::verdict(&large, &small, &place, Mode::Surface, &mut scratch);
    assert_eq!((answer.verdict, answer.certainty), (Verdict::Separated, Certainty::Exact));
    let mut open = a.clone();
    open.1.pop();
    assert_eq!(
        ask(&open, &b, place),
        Relation { verdict: Verdict::Contained(Inside::B), certainty: Certainty::Estimate }
    );
    let far = Pose::from_translation([9.0, 0.0, 0.0]).expect("valid").into();
    assert_eq!(
        ask(&open, &b, far),
        Relation { verdict: Verdict::Separated, certainty: Certainty::Estimate }
    );
    let through = Pose::from_translation([2.5, 0.0, 0.0]).expect("valid").into();
    assert_eq!(ask(&open, &b, through).verdict, Verdict::Penetrating);
    let flat: Raw = (vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2], [0, 2, 1]]);
    assert_eq!(exact(&a, &flat, place), Verdict::Touching);
}
