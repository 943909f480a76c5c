//! The two measures of an overlap: what decides, what is listed first, and what no tolerance hides.

use impinge_clash::{CheckOptions, Kind, Model, Outcome, Plan, Rank, check};
use impinge_io::{SceneFormat, parse_scene};
use std::fmt::Write as _;

/// The corners of a ring, in metres.
fn ring(text: &mut String, radius: f64, z: f64) {
    for k in 0..64 {
        let angle = std::f64::consts::TAU * f64::from(k) / 64.0;
        let _ = writeln!(text, "v {} {} {z}", radius * angle.cos(), radius * angle.sin());
    }
}

/// A plate with a bore of 5 mm, a pin that is 10 µm too large and 20 mm long, and a block that enters the plate by 1 mm.
fn assembly() -> Model {
    let mut text = "o plate\n".to_string();
    for (radius, z) in [(0.02, 0.0), (0.005, 0.0), (0.02, 0.004), (0.005, 0.004)] {
        ring(&mut text, radius, z);
    }
    let mut square = |a: [usize; 4]| {
        let _ = writeln!(text, "f {} {} {}\nf {} {} {}", a[0], a[1], a[2], a[0], a[2], a[3]);
    };
    for k in 0..64 {
        let at = |ring: usize, k: usize| 64 * ring + k % 64 + 1;
        square([at(0, k), at(0, k + 1), at(2, k + 1), at(2, k)]);
        square([at(1, k + 1), at(1, k), at(3, k), at(3, k + 1)]);
        square([at(2, k), at(2, k + 1), at(3, k + 1), at(3, k)]);
        square([at(0, k + 1), at(0, k), at(1, k), at(1, k + 1)]);
    }
    text += "o pin\n";
    ring(&mut text, 0.00501, -0.01);
    ring(&mut text, 0.00501, 0.01);
    for k in 0..64 {
        let at = |ring: usize, k: usize| 257 + 64 * ring + k % 64;
        let _ = writeln!(text, "f {} {} {}", at(0, k), at(0, k + 1), at(1, k + 1));
        let _ = writeln!(text, "f {} {} {}", at(0, k), at(1, k + 1), at(1, k));
        if (1..63).contains(&k) {
            let _ = writeln!(text, "f {} {} {}", at(0, 0), at(0, k + 1), at(0, k));
            let _ = writeln!(text, "f {} {} {}", at(1, 0), at(1, k), at(1, k + 1));
        }
    }
    text += "o block\n";
    for k in 0..8 {
        let side = |bit: usize, low: f64, high: f64| if k & bit == 0 { low } else { high };
        let (x, y) = (side(1, 0.01, 0.013), side(2, -0.0015, 0.0015));
        let _ = writeln!(text, "v {x} {y} {}", side(4, 0.003, 0.02));
    }
    for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    {
        let [a, b, c, d] = face.map(|k| k + 385);
        let _ = writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}");
    }
    let options = impinge_io::LoadOptions::default();
    Model::new(&parse_scene(text.as_bytes(), SceneFormat::Obj, "fit.obj", &options).unwrap())
}

fn asked(model: &Model, rest: &str, rank: Rank) -> Outcome {
    let plan = Plan::parse(&format!("[[test]]\nname = \"all\"\n{rest}"), "tests.toml").unwrap();
    check(model, &plan, &CheckOptions { rank, ..CheckOptions::default() })
}

fn names(model: &Model, outcome: &Outcome) -> Vec<String> {
    let name = |part: &usize| model.parts[*part].name.clone();
    outcome.findings.iter().map(|found| name(&found.parts[1])).collect()
}

#[test]
fn a_fit_is_as_deep_as_its_interference() {
    let model = assembly();
    assert!(model.parts.iter().all(|part| part.closed));
    let outcome = asked(&model, "", Rank::Penetration);
    assert_eq!(names(&model, &outcome), ["block", "pin"], "the deepest first");
    let [block, pin] = [&outcome.findings[0], &outcome.findings[1]];
    let depth = pin.penetration.unwrap();
    assert!((depth.value - 1e-5).abs() < 1e-6 && depth.upper < 1.1e-5, "{depth:?}");
    assert!(pin.separation.unwrap().value > 0.005);
    assert_eq!(pin.distance.unwrap().value, -depth.value);
    assert!((block.penetration.unwrap().value - 1e-3).abs() < 1e-5, "{block:?}");
    assert_eq!(pin.kind, Kind::Hard);
    // By the way out the pin is worse.
    assert_eq!(names(&model, &asked(&model, "", Rank::Separation)), ["pin", "block"]);
    assert_eq!(names(&model, &asked(&model, "", Rank::Volume)), ["block", "pin"]);
}

#[test]
fn tolerances_and_rules_go_by_the_local_penetration() {
    let model = assembly();
    let tolerant = asked(&model, "tolerance = \"20um\"", Rank::Penetration);
    assert_eq!(names(&model, &tolerant), ["block"]);
    let rule = "[[rule]]\nname = \"fits\"\nreason = \"pressed\"\nmax_depth = \"50um\"";
    let ruled = asked(&model, rule, Rank::Penetration);
    assert_eq!(names(&model, &ruled), ["block"]);
    assert_eq!((ruled.hidden[0].findings.len(), ruled.hidden[0].too_deep), (1, 1));
}

#[test]
fn what_encloses_nothing_has_no_depth_and_no_tolerance_hides_it() {
    let text = b"o flat\nv -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n\
        o upright\nv -0.5 0 -0.1\nv 0.5 0 -0.1\nv 0.5 0 2\nv -0.5 0 2\nf 5 6 7\nf 5 7 8\n";
    let options = impinge_io::LoadOptions::default();
    let model = Model::new(&parse_scene(text, SceneFormat::Obj, "sheets.obj", &options).unwrap());
    for tolerance in ["", "tolerance = \"500mm\""] {
        let outcome = asked(&model, tolerance, Rank::Penetration);
        let [found] = &outcome.findings[..] else { panic!("{:?}", outcome.findings) };
        assert_eq!((found.kind, found.penetration), (Kind::Hard, None));
        assert!((found.separation.unwrap().value - 0.1).abs() < 1e-6, "{found:?}");
    }
}

#[test]
fn a_way_that_frees_surfaces_only_is_not_told() {
    // A cup without its end stands in a block, and its bottom looks out by 0.1: that far its surface is from being free, but not its room.
    let text = crate::boxes::text(&[
        ("block", [0.0; 3], [4.0; 3]),
        ("cup", [-0.1, 1.0, 1.0], [2.0, 3.0, 3.0]),
    ]);
    let open = text.trim_end().rsplit_once('\n').unwrap().0;
    let options = impinge_io::LoadOptions::default();
    let scene = parse_scene(open.as_bytes(), SceneFormat::Obj, "cup.obj", &options);
    let model = Model::new(&scene.unwrap());
    assert!(model.parts[0].closed && !model.parts[1].closed);
    let outcome = asked(&model, "", Rank::Penetration);
    let found = &outcome.findings[0];
    let (depth, way) = (found.penetration.unwrap().value, found.separation.unwrap().value);
    assert!(depth > 0.5 && way < 0.2, "{found:?}");
    assert!(!found.explanation.contains("Moving"), "{}", found.explanation);
}
