//! How deep meshes are in each other, and how much room they share, against closed forms and the kernel's exact depth of hulls.

use impinge::geom::glam::DVec3;
use impinge::geom::{Certainty, Pose, Shape, Verdict, pair};
use impinge::mesh::{self, Mesh, Mode, Scratch};

/// A box between two corners, each face cut into `cuts`² squares of two triangles.
fn cut_box(half: [f64; 3], cuts: usize) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = vertices.len() as u32;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for i in 0..=cuts {
                for j in 0..=cuts {
                    let mut p = [0.0; 3];
                    p[axis] = side * half[axis];
                    p[u] = half[u] * (2.0 * i as f64 / cuts as f64 - 1.0);
                    p[v] = half[v] * (2.0 * j as f64 / cuts as f64 - 1.0);
                    vertices.push(p);
                }
            }
            let row = cuts as u32 + 1;
            for i in 0..cuts as u32 {
                for j in 0..cuts as u32 {
                    let [a, b, c, d] = [0, row, row + 1, 1].map(|k| first + i * row + j + k);
                    let (one, two) = ([a, b, c], [a, c, d]);
                    let turned =
                        |[a, b, c]: [u32; 3]| if side > 0.0 { [a, b, c] } else { [a, c, b] };
                    triangles.extend([turned(one), turned(two)]);
                }
            }
        }
    }
    // One vertex for equal positions, so that the box is closed.
    let mut unique: Vec<[f64; 3]> = Vec::new();
    let mut index = |p: &[f64; 3]| {
        unique.iter().position(|q| q == p).unwrap_or_else(|| {
            unique.push(*p);
            unique.len() - 1
        }) as u32
    };
    let map: Vec<u32> = vertices.iter().map(&mut index).collect();
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|t| t.map(|k| map[k as usize])).collect();
    Mesh::new(&unique, &triangles).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

#[test]
fn depth_is_that_of_boxes_however_they_are_cut() {
    let mut scratch = Scratch::default();
    for cuts in [1, 2, 7] {
        let (a, b) = (cut_box([2.0, 3.0, 4.0], cuts), cut_box([1.0, 1.0, 1.0], cuts));
        for (place, depth) in [
            (at(2.95, 0.1, 0.2), 0.05),
            (at(0.0, -3.5, 0.0), 0.5),
            (at(0.25, 0.5, 0.75), 2.75),
            // Flush on two sides, in each other along z only.
            (at(1.0, 2.0, 4.9), 0.1),
        ] {
            let found =
                mesh::penetration(&a, &b, &place.into(), Mode::Solid, &mut scratch).unwrap();
            assert!((found.depth - depth).abs() < 1e-9, "{cuts} cuts, {place:?}: {}", found.depth);
            let off = found.points[0] - found.points[1] - found.translation;
            assert!(off.length() < 1e-8, "{off}");
        }
        let beside = at(3.0, 0.0, 0.0).into();
        assert_eq!(mesh::penetration(&a, &b, &beside, Mode::Solid, &mut scratch), None);
    }
}

#[test]
fn bounds_are_never_below_the_exact_depth_of_hulls_and_not_far_above() {
    let mut scratch = Scratch::default();
    let (half_a, half_b) = ([1.0, 0.7, 0.4], [0.5, 0.9, 0.6]);
    let (a, b) = (cut_box(half_a, 2), cut_box(half_b, 3));
    let shapes = [Shape::cuboid(half_a).unwrap(), Shape::cuboid(half_b).unwrap()];
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1u64 << 24) as f64 * 2.0 - 1.0
    };
    let (mut tried, mut most) = (0, 0.0f64);
    while tried < 60 {
        let turn = [random(), random(), random(), random()];
        let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        let Ok(pose) = Pose::new(turn.map(|x| x / length), [random(), random(), random()]) else {
            continue;
        };
        let mut cache = pair::Cache::default();
        let exact = pair::signed_distance(&shapes[0], &shapes[1], &pose, &mut cache);
        let exact = exact.unwrap().distance;
        let found = mesh::penetration(&a, &b, &pose.into(), Mode::Solid, &mut scratch);
        assert_eq!(found.is_some(), exact < 0.0);
        let Some(found) = found else { continue };
        tried += 1;
        assert!(found.depth >= -exact * (1.0 - 1e-9), "{} {exact}", found.depth);
        most = most.max(found.depth / -exact);
        let by = found.translation;
        let moved = pose.with_translation((pose.translation() + by).to_array()).unwrap();
        let apart = mesh::verdict(&a, &b, &moved.into(), Mode::Solid, &mut scratch).verdict;
        assert_eq!(apart, Verdict::Separated);
    }
    // Edges against edges are not among the directions.
    assert!(most < 1.25, "{most}");
}

#[test]
fn shared_room_is_that_of_boxes_and_balls() {
    let mut scratch = Scratch::default();
    let (a, b) = (cut_box([2.0, 3.0, 4.0], 2), cut_box([1.0, 1.0, 1.0], 3));
    let volume = |place: Pose, scratch: &mut Scratch| {
        mesh::common_volume(&a, &b, &place.into(), 16, scratch).unwrap()
    };
    assert!((volume(at(2.95, 0.1, 0.2), &mut scratch).volume - 0.05 * 4.0).abs() < 1e-9);
    assert!((volume(at(0.0, 0.0, 0.0), &mut scratch).volume - 8.0).abs() < 1e-9);
    let beside = volume(at(3.0, 0.0, 0.0), &mut scratch);
    assert_eq!((beside.volume, beside.certainty), (0.0, Certainty::Exact));
    // Turned by an eighth about x: the same volume, by rays aslant to its faces.
    let eighth = [0.923_879_532_511_286_7, 0.382_683_432_365_089_8, 0.0, 0.0];
    let turned = Pose::new(eighth, [0.0; 3]).unwrap();
    let turned_volume = volume(turned, &mut scratch);
    assert!((turned_volume.volume - 8.0).abs() < 0.2);
    assert_eq!(turned_volume.certainty, Certainty::Estimate);
    assert_eq!(DVec3::ZERO, turned.translation());
}
