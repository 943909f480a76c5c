//! Pictures of scenes whose pixels are known.

use crate::boxes::{Block, checked, model};
use impinge::geom::glam::DVec3;
use impinge_clash::picture::{self, Camera, Picture};
use impinge_clash::{Finding, Kind, Model};

const TESTS: &str = "[[test]]\nname = \"all\"\nclearance = 0.5";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    First,
    Second,
    Clash,
    Neutral,
}

/// Which of the colours a pixel has, however it is lit.
fn seen(picture: &Picture, x: f64, y: f64) -> Seen {
    let [r, g, b] = picture.at(x as u32, y as u32).unwrap().map(i32::from);
    if b > r + 40 {
        Seen::First
    } else if r > b + 40 && g > b + 30 {
        Seen::Second
    } else if r > g + 40 {
        Seen::Clash
    } else {
        Seen::Neutral
    }
}

/// A finding between the first two parts that marks nothing.
fn bare(model: &Model) -> Finding {
    let mut finding = checked(model, TESTS).findings.remove(0);
    assert_eq!(finding.parts, [0, 1]);
    (finding.points, finding.curve) = (None, Vec::new());
    // No ring is drawn where all of a part is wrong.
    finding.kind = Kind::Contained;
    finding
}

fn front(distance: f64) -> Camera {
    Camera::looking(DVec3::new(0.0, -distance, 0.0), DVec3::ZERO, DVec3::Z, 45.0)
}

/// Two cubes behind each other along y, 0.2 apart, the hinder one smaller; 45 degrees have a tangent of √2 − 1 at half.
const BEHIND: [Block<'static>; 2] =
    [("near", [-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]), ("far", [-0.5, 1.2, -0.5], [0.5, 2.0, 0.5])];

#[test]
fn a_cube_covers_its_pixels_and_hides_what_is_behind_it() {
    let model = model(&BEHIND);
    let finding = bare(&model);
    let (width, height) = (300, 200);
    // The front face is ten away.
    let picture = picture::from(&model, &[&finding], &front(11.0), width, height);
    let half = 100.0 / (2f64.sqrt() - 1.0) / 10.0;
    let mut counts = [0; 2];
    for y in 0..height {
        for x in 0..width {
            let (dx, dy) = (f64::from(x) + 0.5 - 150.0, f64::from(y) + 0.5 - 100.0);
            let off = dx.abs().max(dy.abs()) - half;
            // Outlines are on the borders; in the middle the hinder cube is seen through the other.
            let hinder = dx.abs().max(dy.abs()) - half * 0.5 * 10.0 / 12.2;
            if off.abs() < 1.5 || hinder.abs() < 1.5 {
                continue;
            }
            let found = seen(&picture, f64::from(x), f64::from(y));
            match (off < 0.0, hinder < 0.0) {
                (true, false) => assert_eq!(found, Seen::First, "{x} {y}"),
                (false, _) => assert_eq!(found, Seen::Neutral, "{x} {y}"),
                (true, true) => assert_ne!(found, Seen::Second, "{x} {y}"),
            }
            counts[usize::from(off < 0.0)] += 1;
        }
    }
    assert!(counts[0] > 50_000 && counts[1] > 800, "{counts:?}");

    // From behind, the smaller one is seen before the other.
    let camera =
        Camera { position: DVec3::new(0.0, 12.0, 0.0), direction: -DVec3::Y, ..front(1.0) };
    let picture = picture::from(&model, &[&finding], &camera, width, height);
    let [small, large] = [0.5 / 10.0, 1.0 / 11.0].map(|t| 100.0 / (2f64.sqrt() - 1.0) * t);
    for angle in 0..8 {
        let turn = |k: i32| [1.0, 1.0, 0.0, -1.0, -1.0, -1.0, 0.0, 1.0][(k % 8) as usize];
        let at = |radius: f64| (150.0 + radius * turn(angle), 100.0 + radius * turn(angle + 6));
        let between = 0.5 * (small + large);
        let (x, y) = at(between);
        assert_eq!(seen(&picture, x, y), Seen::First, "{angle}");
        let (x, y) = at(large + 2.0);
        assert_eq!(seen(&picture, x, y), Seen::Neutral, "{angle}");
    }
    let inner = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let second = inner.filter(|&(x, y)| seen(&picture, x.into(), y.into()) == Seen::Second).count();
    // The first cube is not seen through the second: it is behind it. The outline is a pixel wide.
    let most = (4.0 * small * small) as usize + 60;
    assert!((300..most).contains(&second), "{second} of {most}");
}

#[test]
fn ghosts_hide_nothing_and_common_room_is_seen_through_its_parts() {
    let mut blocks = BEHIND.to_vec();
    blocks.push(("shell", [-3.0, -3.0, -3.0], [3.0, -2.5, 3.0]));
    let with_ghost = model(&blocks);
    let finding = bare(&with_ghost);
    let picture = picture::from(&with_ghost, &[&finding], &front(11.0), 300, 200);
    assert_eq!(seen(&picture, 140.0, 85.0), Seen::First);
    // The shell covers more than the cube, and is seen there.
    let alone = picture::from(&model(&BEHIND), &[&finding], &front(11.0), 300, 200);
    assert_ne!(picture.at(110, 100), alone.at(110, 100));

    let inside: [Block<'_>; 2] =
        [("outer", [-2.0; 3], [2.0; 3]), ("inner", [-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])];
    let model = model(&inside);
    let mut finding = checked(&model, TESTS).findings.remove(0);
    assert_eq!(finding.kind.name(), "contained");
    (finding.points, finding.curve) = (None, Vec::new());
    let picture = picture::from(&model, &[&finding], &front(12.0), 300, 200);
    // The face of the inner cube is 11.5 away, that of the outer one 10.
    let [inner, outer] = [0.5 / 11.5, 2.0 / 10.0].map(|t| 100.0 / (2f64.sqrt() - 1.0) * t);
    assert_eq!(seen(&picture, 150.0 + inner - 2.0, 100.0 + inner - 2.0), Seen::Clash);
    assert_eq!(seen(&picture, 150.0 + 0.5 * (inner + outer), 100.0), Seen::First);
}

#[test]
fn the_place_of_a_finding_is_seen() {
    let blocks: [Block<'_>; 4] = [
        ("a", [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        ("b", [0.9, 0.2, 0.2], [2.0, 0.8, 0.8]),
        ("far", [40.0, 0.0, 0.0], [41.0, 1.0, 1.0]),
        ("lid", [-5.0, -5.0, 2.0], [5.0, 5.0, 3.0]),
    ];
    let model = model(&blocks);
    let finding = checked(&model, TESTS).findings.remove(0);
    let (width, height) = (320, 240);
    let camera = picture::camera_of(&model, &[&finding], 4.0 / 3.0);
    let picture = picture::of_finding(&model, &finding, width, height);
    assert_eq!(picture, picture::from(&model, &[&finding], &camera, width, height));
    let [x, y, depth] = camera.project(finding.place().unwrap(), width, height).unwrap();
    assert!((60.0..260.0).contains(&x) && (40.0..200.0).contains(&y) && depth > 0.0, "{x} {y}");
    // Most of the curve has the colour of a clash: the camera stands where it is seen.
    let on_curve = |ends: &&[DVec3; 2]| {
        let [x, y, _] = camera.project(0.5 * ends[0] + 0.5 * ends[1], width, height).unwrap();
        seen(&picture, x, y) == Seen::Clash
    };
    let count = finding.curve.iter().filter(on_curve).count();
    assert!(2 * count > finding.curve.len(), "{count} of {}", finding.curve.len());
}

#[test]
fn pictures_do_not_depend_on_threads() {
    let model =
        model(&[("a", [0.0; 3], [1.0; 3]), ("b", [0.5; 3], [1.5; 3]), ("c", [0.8; 3], [3.0; 3])]);
    let outcome = checked(&model, TESTS);
    let draw = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let draw = || outcome.findings.iter().map(|f| picture::of_finding(&model, f, 160, 120));
        pool.install(|| draw().collect::<Vec<_>>())
    };
    let one = draw(1);
    assert_eq!(one.len(), 3);
    assert_eq!(draw(2), one);
    assert_eq!(draw(5), one);
    // The bytes of a file are a function of the pixels.
    assert_eq!(one[0].png(), draw(3)[0].png());
}

#[test]
fn nothing_panics() {
    for (scale, shift) in [(1.0, 0.0), (1e-9, 0.0), (1e9, 1e12), (1e-3, 1e6)] {
        let at = |x: f64| [x * scale + shift; 3];
        let model = model(&[("a", at(0.0), at(1.0)), ("b", at(0.5), at(1.5))]);
        for finding in &checked(&model, TESTS).findings {
            let picture = picture::of_finding(&model, finding, 64, 48);
            assert_eq!(picture.pixels().len(), 64 * 48 * 3);
            // What is wrong with no part that is known.
            let stray = Finding { parts: vec![99, 7], ..finding.clone() };
            picture::of_findings(&model, &[&stray], 0, 1);
            let inside = Camera::looking(
                DVec3::splat(0.7 * scale + shift),
                DVec3::NAN,
                DVec3::ZERO,
                f64::NAN,
            );
            picture::from(&model, &[finding, &stray], &inside, 16, 16);
        }
        assert_eq!(picture::of_findings(&model, &[], 20, 10).at(20, 5), None);
    }
}
