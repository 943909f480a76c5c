//! Every kind of finding, with the number that it must have.

use crate::boxes::{self, checked, model};
use impinge::geom::Certainty;
use impinge_clash::{CheckOptions, Kind, Plan, check};

#[test]
fn kinds_depths_gaps_and_volumes_are_those_of_boxes() {
    let model = model(&[
        ("floor", [0.0, 0.0, -1.0], [10.0, 10.0, 0.0]),
        // Rests on the floor.
        ("table", [1.0, 1.0, 0.0], [3.0, 3.0, 1.0]),
        // Overlaps the table by 0.05 along x, flush on y and z.
        ("shelf", [2.95, 1.0, 0.0], [5.0, 3.0, 1.0]),
        // 0.2 above the shelf.
        ("lamp", [3.5, 1.5, 1.2], [4.5, 2.5, 2.0]),
        // Inside the floor.
        ("pipe", [6.0, 1.0, -0.6], [7.0, 9.0, -0.4]),
        ("box", [8.0, 8.0, 3.0], [9.0, 9.0, 4.0]),
        ("box again", [8.0, 8.0, 3.0], [9.0, 9.0, 4.0]),
    ]);
    let outcome = checked(
        &model,
        "[[test]]\nname = \"all\"\nclearance = 0.5\nkinds = [\"hard\", \"contained\", \"duplicate\", \"clearance\", \"touching\"]",
    );
    let found: Vec<(Kind, Vec<&str>)> = outcome
        .findings
        .iter()
        .map(|f| (f.kind, f.parts.iter().map(|&k| model.parts[k].name.as_str()).collect()))
        .collect();
    assert_eq!(
        found,
        [
            (Kind::Hard, vec!["table", "shelf"]),
            (Kind::Contained, vec!["floor", "pipe"]),
            (Kind::Duplicate, vec!["box", "box again"]),
            (Kind::Clearance, vec!["shelf", "lamp"]),
            (Kind::Touching, vec!["floor", "table"]),
            (Kind::Touching, vec!["floor", "shelf"]),
        ]
    );
    let depth = outcome.findings[0].distance.unwrap();
    assert!((depth.value + 0.05).abs() < 1e-9 && depth.certainty == Certainty::Exact, "{depth:?}");
    let way = outcome.findings[0].separation.unwrap();
    assert!((way.value - 0.05).abs() < 1e-9 && way.certainty == Certainty::Bound, "{way:?}");
    assert!((outcome.findings[0].volume.unwrap() - 0.1).abs() < 1e-9);
    assert!(
        outcome.findings[0].explanation.contains("0.05 m"),
        "{}",
        outcome.findings[0].explanation
    );
    let gap = outcome.findings[3].distance.unwrap();
    assert!((gap.value - 0.2).abs() < 1e-12 && gap.certainty == Certainty::Exact, "{gap:?}");
    let [on_shelf, on_lamp] = outcome.findings[3].points.unwrap();
    assert!((on_shelf.z - 1.0).abs() < 1e-12 && (on_lamp.z - 1.2).abs() < 1e-12);
    assert_eq!((outcome.pairs_asked, outcome.is_partial()), (21, false));
}

#[test]
fn tolerance_and_clearance_are_two_things() {
    let model = model(&[
        ("a", [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        ("b", [0.99, 0.0, 0.0], [2.0, 1.0, 1.0]),
        ("c", [2.01, 0.0, 0.0], [3.0, 1.0, 1.0]),
    ]);
    for (lengths, expected) in [
        ("", vec![Kind::Hard]),
        ("tolerance = 0.02", vec![]),
        ("tolerance = 0.005", vec![Kind::Hard]),
        ("tolerance = 0.02\nclearance = \"20 mm\"", vec![Kind::Clearance]),
        ("clearance = \"5 mm\"", vec![Kind::Hard]),
    ] {
        let outcome = checked(&model, &format!("[[test]]\nname = \"all\"\n{lengths}"));
        let kinds: Vec<Kind> = outcome.findings.iter().map(|f| f.kind).collect();
        assert_eq!(kinds, expected, "{lengths}");
    }
}

#[test]
fn rules_hide_within_their_scope_and_say_so() {
    let model = model(&[
        ("bolt 1", [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        ("nut 1", [0.9, 0.0, 0.0], [2.0, 1.0, 1.0]),
        ("bolt 2", [0.0, 5.0, 0.0], [1.0, 6.0, 1.0]),
        ("nut 2", [0.5, 5.0, 0.0], [2.0, 6.0, 1.0]),
    ]);
    let outcome = checked(
        &model,
        "[[test]]\nname = \"all\"\n[[rule]]\nname = \"threads\"\nreason = \"drawn full\"\na = \"bolt*\"\nb = \"nut*\"\nmax_depth = 0.2",
    );
    assert_eq!(outcome.findings.len(), 1);
    assert_eq!(model.parts[outcome.findings[0].parts[1]].name, "nut 2");
    let hidden = &outcome.hidden[0];
    assert_eq!((hidden.rule.as_str(), hidden.findings.len(), hidden.too_deep), ("threads", 1, 1));
}

#[test]
fn verdicts_alone_are_the_same_verdicts() {
    let blocks: Vec<(String, [f64; 3])> = (0..40)
        .map(|k| {
            (format!("p{k}"), [f64::from(k % 7) * 0.8, f64::from(k % 5) * 0.9, f64::from(k % 3)])
        })
        .collect();
    let blocks: Vec<_> =
        blocks.iter().map(|(name, p)| (name.as_str(), *p, p.map(|x| x + 1.0))).collect();
    let model = model(&blocks);
    let plan = Plan::parse("[[test]]\nname = \"all\"", "tests.toml").unwrap();
    let whole = check(&model, &plan, &CheckOptions::default());
    let quick =
        check(&model, &plan, &CheckOptions { verdicts_only: true, ..CheckOptions::default() });
    let kinds = |outcome: &impinge_clash::Outcome| {
        let mut list: Vec<_> = outcome.findings.iter().map(|f| (f.parts.clone(), f.kind)).collect();
        list.sort();
        list
    };
    assert_eq!((kinds(&whole), whole.standings), (kinds(&quick), quick.standings));
    assert!(whole.standings.penetrating > 20 && whole.standings.touching > 0);
}

/// An open mesh inside a closed one is found, and it is said that this is not certain.
#[test]
fn an_open_part_inside_is_told_without_certainty() {
    let mut text = boxes::text(&[("host", [0.0; 3], [4.0; 3])]);
    text.push_str("o sheet\nv 1 1 1\nv 2 1 1\nv 1 2 1\nf 9 10 11\n");
    let options = impinge_io::LoadOptions::default();
    let scene =
        impinge_io::parse_scene(text.as_bytes(), impinge_io::SceneFormat::Obj, "x.obj", &options);
    let outcome = checked(&impinge_clash::Model::new(&scene.unwrap()), "[[test]]\nname = \"all\"");
    let found: Vec<(Kind, bool)> = outcome.findings.iter().map(|f| (f.kind, f.certain)).collect();
    assert_eq!(found, [(Kind::Contained, false)]);
}
