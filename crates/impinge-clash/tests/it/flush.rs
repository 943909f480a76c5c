//! Flush faces are contact on both sides of zero, and duplicates are duplicates whatever the tolerance.

use crate::boxes::{checked, model};
use impinge::geom::Certainty;
use impinge_clash::Kind;

#[test]
fn flush_is_one_kind_on_both_sides_of_zero() {
    let tests = "[[test]]\nname = \"all\"\nclearance = \"50mm\"\nkinds = [\"hard\", \"clearance\", \"touching\"]";
    // Walls 10 m from the origin: rounding to 24 bits moves a face by up to 2.4 µm.
    for gap in [-2e-6, -1e-13, 0.0, 1e-13, 2e-7, 2e-6] {
        let model = model(&[
            ("wall", [9.0, 0.0, 0.0], [9.5, 1.0, 1.0]),
            ("slab", [9.5 + gap, 0.0, 0.0], [10.0, 1.0, 1.0]),
        ]);
        let outcome = checked(&model, tests);
        let kinds: Vec<Kind> = outcome.findings.iter().map(|finding| finding.kind).collect();
        assert_eq!(kinds, [Kind::Touching], "{gap}");
        // Nobody asks about contact by default: nothing is found then, in either way.
        let outcome = checked(&model, "[[test]]\nname = \"all\"\nclearance = \"50mm\"");
        assert_eq!(outcome.findings, [], "{gap}");
    }
    // A real gap and a real overlap are what they are; so is everything if the tolerance is zero.
    for (gap, tolerance, expected) in [
        (1e-5, "", Kind::Clearance),
        (-1e-5, "", Kind::Hard),
        (1e-7, "\ntolerance = 0", Kind::Clearance),
        (-1e-7, "\ntolerance = 0", Kind::Hard),
        // A generous tolerance for overlaps does not swallow gaps.
        (0.004, "\ntolerance = \"5mm\"", Kind::Clearance),
    ] {
        let model = model(&[
            ("wall", [9.0, 0.0, 0.0], [9.5, 1.0, 1.0]),
            ("slab", [9.5 + gap, 0.0, 0.0], [10.0, 1.0, 1.0]),
        ]);
        let outcome = checked(&model, &format!("{tests}{tolerance}"));
        let kinds: Vec<Kind> = outcome.findings.iter().map(|finding| finding.kind).collect();
        assert_eq!(kinds, [expected], "{gap} {tolerance}");
    }
}

#[test]
fn a_gap_of_what_is_required_is_enough() {
    // 9.55 - 9.5 is 0.05 but for rounding, on either side.
    let model = model(&[
        ("wall", [9.0, 0.0, 0.0], [9.5, 1.0, 1.0]),
        ("pipe", [9.55, 0.0, 0.0], [10.0, 1.0, 1.0]),
        ("duct", [10.049_9, 0.0, 0.0], [11.0, 1.0, 1.0]),
    ]);
    let outcome = checked(&model, "[[test]]\nname = \"all\"\nclearance = \"50mm\"");
    assert_eq!(outcome.findings.len(), 1);
    assert_eq!(
        outcome.findings[0].explanation,
        "Clearance between \"boxes/pipe\" and \"boxes/duct\" is 0.0499 m; 0.05 m required."
    );
}

#[test]
fn duplicates_do_not_depend_on_the_tolerance() {
    let at = |x: f64| ([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
    let [(l1, h1), (l2, h2), (l3, h3)] = [at(0.0), at(1e-8), at(0.0009)];
    let model = model(&[("hose 1", l1, h1), ("hose 2", l2, h2), ("hose 3", l3, h3)]);
    for tolerance in ["", "tolerance = \"1.8mm\"", "tolerance = 0"] {
        let outcome = checked(&model, &format!("[[test]]\nname = \"all\"\n{tolerance}"));
        let copies: Vec<_> =
            outcome.findings.iter().filter(|finding| finding.kind == Kind::Duplicate).collect();
        assert_eq!(copies.len(), 1, "{tolerance}");
        assert_eq!(copies[0].parts, [0, 1], "{tolerance}");
        assert_eq!(copies[0].distance.unwrap().certainty, Certainty::Bound);
        assert!(copies[0].explanation.contains("coincide"), "{}", copies[0].explanation);
    }
}

#[test]
fn the_same_corners_are_not_the_same_body() {
    // Two sheets over the corners of a bent square: folded along one diagonal, and along the other.
    let text = "o one\nv 0 0 0\nv 1 0 0.5\nv 1 1 0\nv 0 1 0.5\nf 1 2 3\nf 1 3 4\n\
        o two\nv 0 0 0\nv 1 0 0.5\nv 1 1 0\nv 0 1 0.5\nf 5 6 8\nf 6 7 8\n\
        o three\nv 0 1 0.5\nv 1 1 0\nv 1 0 0.5\nv 0 0 0\nf 12 11 10\nf 12 10 9\n";
    let options = impinge_io::LoadOptions::default();
    let format = impinge_io::SceneFormat::Obj;
    let scene = impinge_io::parse_scene(text.as_bytes(), format, "x.obj", &options).unwrap();
    let outcome = checked(&impinge_clash::Model::new(&scene), "[[test]]\nname = \"all\"");
    let copies: Vec<_> = outcome
        .findings
        .iter()
        .filter(|finding| finding.kind == Kind::Duplicate)
        .map(|finding| finding.parts.clone())
        .collect();
    // The third is the first with its corners numbered in another way.
    assert_eq!(copies, [[0, 2]]);
    let exact = outcome.findings.iter().find(|finding| finding.kind == Kind::Duplicate).unwrap();
    assert_eq!(exact.distance.unwrap().certainty, Certainty::Exact);
    assert!(exact.explanation.contains("identical and in the same place"));
}
