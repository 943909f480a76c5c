//! Decisions that survive: asked with another tolerance, by another test file, about a subset, interrupted, grown, moved, by two reviewers.

use crate::boxes::{Block, model};
use impinge_clash::{
    Change, CheckOptions, Comparison, Decision, Finding, Kind, Model, Outcome, Plan, Records,
    Selection, Status, check,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// In a row: a overlaps b by 5 mm, b overlaps c by 20 mm, d is 30 mm beyond c.
const ROW: [Block<'static>; 4] = [
    ("a", [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
    ("b", [0.995, 0.0, 0.0], [2.0, 1.0, 1.0]),
    ("c", [1.98, 0.0, 0.0], [3.0, 1.0, 1.0]),
    ("d", [3.03, 0.0, 0.0], [4.0, 1.0, 1.0]),
];

const ALL: &str = "[[test]]\nname = \"all\"\nclearance = \"50mm\"";

fn run(model: &Model, tests: &str, records: &mut Records) -> (Outcome, Comparison) {
    let plan = Plan::parse(tests, "tests.toml").unwrap();
    let mut outcome = check(model, &plan, &CheckOptions::default());
    let comparison = records.take(model, &mut outcome);
    // Every run goes through the file.
    *records = Records::parse(records.to_text().as_bytes(), "records").unwrap();
    (outcome, comparison)
}

fn find(outcome: &Outcome, parts: [usize; 2]) -> &Finding {
    outcome.findings.iter().find(|finding| finding.parts == parts).unwrap()
}

/// Records in which everything of the row is approved.
fn approved() -> (Records, Outcome) {
    let mut records = Records::default();
    let (outcome, _) = run(&model(&ROW), ALL, &mut records);
    assert_eq!(outcome.findings.len(), 3);
    let all = Selection { all: true, ..Selection::default() };
    let approve = Decision { status: Some(Status::Approved), ..Decision::default() };
    assert_eq!(records.decide(&all, &approve).unwrap().len(), 3);
    (records, outcome)
}

fn all_approved(records: &mut Records) {
    let (outcome, comparison) = run(&model(&ROW), ALL, records);
    assert_eq!((outcome.findings.len(), comparison.persistent), (3, 3));
    assert!(outcome.findings.iter().all(|f| f.status == Status::Approved), "{records:?}");
}

#[test]
fn another_tolerance_touches_nothing_that_it_does_not_ask() {
    let (mut records, first) = approved();
    let (outcome, comparison) =
        run(&model(&ROW), &format!("{ALL}\ntolerance = \"10mm\""), &mut records);
    // The overlap of 5 mm is allowed now: not reported, not resolved.
    assert_eq!((outcome.findings.len(), comparison.not_asked), (2, 1));
    assert_eq!((comparison.resolved.len(), comparison.added), (0, 0));
    all_approved(&mut records);
    // Neither does a smaller clearance, or none.
    let (_, comparison) = run(&model(&ROW), "[[test]]\nname = \"x\"", &mut records);
    assert_eq!((comparison.resolved.len(), comparison.not_asked), (0, 1));
    let (_, comparison) =
        run(&model(&ROW), "[[test]]\nname = \"x\"\nclearance = \"20mm\"", &mut records);
    assert_eq!((comparison.resolved.len(), comparison.not_asked), (0, 1));
    all_approved(&mut records);
    assert_eq!(find(&first, [0, 1]).kind, Kind::Hard);
}

#[test]
fn another_test_file_finds_the_same_findings() {
    let (mut records, first) = approved();
    let tests = "[[test]]\nname = \"left\"\na = [\"a\", \"b\"]\n[[test]]\nname = \"right\"\na = [\"b\", \"c\"]";
    let (outcome, comparison) = run(&model(&ROW), tests, &mut records);
    assert_eq!((comparison.added, comparison.persistent), (0, 2));
    for parts in [[0, 1], [1, 2]] {
        let finding = find(&outcome, parts);
        assert_eq!((&finding.id, finding.status), (&find(&first, parts).id, Status::Approved));
    }
    assert_eq!(find(&outcome, [1, 2]).test, "right");
    all_approved(&mut records);
    // Two tests that both find a pair report it once.
    let twice = format!("{ALL}\n[[test]]\nname = \"again\"");
    let (outcome, _) = run(&model(&ROW), &twice, &mut records);
    assert_eq!(outcome.findings.len(), 3);
    assert_eq!(find(&outcome, [0, 1]).also, ["again"]);
}

#[test]
fn a_subset_leaves_the_rest() {
    let (mut records, _) = approved();
    // a and b are pulled apart, but only c and d are asked about.
    let mut apart = ROW;
    apart[0] = ("a", [-1.0, 0.0, 0.0], [0.0, 1.0, 1.0]);
    let tests = "[[test]]\nname = \"cd\"\na = [\"c\", \"d\"]\nclearance = \"50mm\"";
    let (outcome, comparison) = run(&model(&apart), tests, &mut records);
    assert_eq!(
        (outcome.findings.len(), comparison.resolved.len(), comparison.not_asked),
        (1, 0, 2)
    );
    all_approved(&mut records);
    // Without b, its findings are gone for a test of everything; a test that cannot know leaves them.
    let without = [ROW[0], ROW[2], ROW[3]];
    let (_, comparison) = run(
        &model(&without),
        "[[test]]\nname = \"x\"\na = \"material:steel\"\nb = \"*\"",
        &mut records,
    );
    assert_eq!(comparison.resolved.len(), 0);
    let (_, comparison) = run(&model(&without), ALL, &mut records);
    assert_eq!((comparison.resolved.len(), comparison.persistent), (2, 1));
}

#[test]
fn an_interrupted_run_resolves_nothing() {
    let (mut records, _) = approved();
    let plan = Plan::parse(ALL, "tests.toml").unwrap();
    let stop = AtomicBool::new(true);
    let options = CheckOptions { stop: Some(&stop), ..CheckOptions::default() };
    let model = model(&ROW);
    let mut outcome = check(&model, &plan, &options);
    assert!(outcome.is_partial() && outcome.findings.is_empty());
    let before = records.clone();
    let comparison = records.take(&model, &mut outcome);
    assert_eq!((comparison.resolved.len(), comparison.not_asked), (0, 3));
    assert_eq!(records, before);
    stop.store(false, Ordering::Relaxed);
    all_approved(&mut records);
}

#[test]
fn an_approval_ends_when_the_clash_grows() {
    let (mut records, _) = approved();
    let shifted = |depth: f64| {
        let mut row = ROW;
        row[0] = ("a", [0.0, 0.0, 0.0], [0.995 + depth, 1.0, 1.0]);
        model(&row)
    };
    // Within the margin of 10 %: still approved, and the margin does not creep.
    for depth in [0.0054, 0.0049, 0.0054] {
        let (outcome, comparison) = run(&shifted(depth), ALL, &mut records);
        assert_eq!((find(&outcome, [0, 1]).status, comparison.reopened), (Status::Approved, 0));
    }
    let (outcome, comparison) = run(&shifted(0.0056), ALL, &mut records);
    let grown = find(&outcome, [0, 1]);
    assert_eq!((grown.status, comparison.reopened), (Status::Active, 1));
    assert!((grown.reopened.unwrap() + 0.005).abs() < 1e-9, "{grown:?}");
    // It stays open, and says why, until somebody decides again.
    let (outcome, comparison) = run(&shifted(0.0056), ALL, &mut records);
    assert_eq!((find(&outcome, [0, 1]).status, comparison.reopened), (Status::Active, 0));
    assert!(find(&outcome, [0, 1]).reopened.is_some());
    let id = find(&outcome, [0, 1]).id.clone();
    records.set(&id, Status::Approved, None).unwrap();
    let (outcome, _) = run(&shifted(0.0056), ALL, &mut records);
    assert_eq!(find(&outcome, [0, 1]).status, Status::Approved);
    assert_eq!(find(&outcome, [0, 1]).reopened, None);

    // A gap that was approved is open again when it narrows.
    let mut near = ROW;
    near[3] = ("d", [3.01, 0.0, 0.0], [4.0, 1.0, 1.0]);
    let (outcome, comparison) = run(&model(&near), ALL, &mut records);
    let gap = find(&outcome, [2, 3]);
    assert_eq!((gap.kind, gap.status, comparison.reopened), (Kind::Clearance, Status::Active, 1));
}

#[test]
fn a_part_that_moves_keeps_its_finding_and_another_kind_is_another() {
    let (mut records, first) = approved();
    let mut moved = ROW;
    moved[0] = ("a", [0.0, 0.3, 0.2], [0.999, 1.3, 1.2]);
    let (outcome, comparison) = run(&model(&moved), ALL, &mut records);
    let same = find(&outcome, [0, 1]);
    assert_eq!((&same.id, same.change), (&find(&first, [0, 1]).id, Change::Persistent));
    assert_eq!(same.status, Status::Approved);
    assert_eq!(comparison.resolved.len(), 0);
    // Out to a gap: the clash is resolved, the gap is new.
    moved[0] = ("a", [0.0, 0.0, 0.0], [0.99, 1.0, 1.0]);
    let (outcome, comparison) = run(&model(&moved), ALL, &mut records);
    let gap = find(&outcome, [0, 1]);
    assert_eq!((gap.kind, gap.status), (Kind::Clearance, Status::New));
    assert_eq!((comparison.added, comparison.resolved.len()), (1, 1));
}

#[test]
fn several_contacts_of_a_pair_are_matched_by_place() {
    let model = model(&ROW);
    let plan = Plan::parse(ALL, "tests.toml").unwrap();
    let whole = check(&model, &plan, &CheckOptions::default());
    // Three contacts of a and b, at x = 1, 5 and 9.
    let contacts = |places: &[f64]| {
        let base = find(&whole, [0, 1]);
        let at = |x: &f64| {
            let mut finding = base.clone();
            finding.points = base.points.map(|points| {
                points.map(|mut p| {
                    p.x = *x;
                    p
                })
            });
            finding
        };
        Outcome { findings: places.iter().map(at).collect(), ..whole.clone() }
    };
    let mut records = Records::default();
    let mut first = contacts(&[1.0, 5.0, 9.0]);
    records.take(&model, &mut first);
    let ids: Vec<String> = first.findings.iter().map(|finding| finding.id.clone()).collect();
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
    records.set(&ids[1], Status::Approved, None).unwrap();
    // They are listed in another order, all have moved a little, and a fourth is there.
    let mut second = contacts(&[8.8, 1.2, 20.0, 5.3]);
    let comparison = records.take(&model, &mut second);
    assert_eq!((comparison.added, comparison.persistent), (1, 3));
    let known = |k: usize| second.findings[k].id.as_str();
    assert_eq!([known(0), known(1), known(3)], [&ids[2], &ids[0], &ids[1]]);
    assert_eq!(second.findings[3].status, Status::Approved);
    assert!(!ids.contains(&second.findings[2].id));
}

#[test]
fn decisions_in_bulk() {
    let (mut records, _) = approved();
    let select =
        |records: &Records, selection: Selection| records.select(&selection).unwrap().len();
    let base = Selection::default;
    assert_eq!(select(&records, Selection { kind: Some(Kind::Hard), ..base() }), 2);
    assert_eq!(select(&records, Selection { pattern: Some("b".into()), ..base() }), 2);
    assert_eq!(select(&records, Selection { pattern: Some("boxes/?".into()), ..base() }), 3);
    assert_eq!(select(&records, Selection { test: Some("al*".into()), ..base() }), 3);
    let both = Selection { kind: Some(Kind::Clearance), pattern: Some("d".into()), ..base() };
    let decision = Decision {
        status: Some(Status::Reviewed),
        assignee: Some("anna".to_string()),
        group: Some("gaps".to_string()),
        ..Decision::default()
    };
    let chosen = records.decide(&both, &decision).unwrap();
    assert_eq!(chosen.len(), 1);
    assert_eq!(select(&records, Selection { group: Some("gap*".into()), ..base() }), 1);
    let (outcome, _) = run(&model(&ROW), ALL, &mut records);
    let gap = find(&outcome, [2, 3]);
    assert_eq!((gap.assignee.as_deref(), gap.group.as_deref()), (Some("anna"), Some("gaps")));
    let ids: Vec<String> = records.findings.keys().cloned().collect();
    let two = Selection { ids: vec![ids[0][..8].to_string(), ids[1].clone()], ..base() };
    assert_eq!(records.decide(&two, &decision).unwrap(), ids[..2]);
    // To decide about nothing in particular is refused, and so is an id that fits nothing or several.
    assert!(records.decide(&base(), &decision).is_err());
    assert!(records.set("zz", Status::New, None).is_err());
    assert!(records.set("", Status::New, None).unwrap_err().to_string().contains("type more"));
}

#[test]
fn two_reviewers_are_merged() {
    let (mut records, first) = approved();
    let ids: Vec<String> = records.findings.keys().cloned().collect();
    let (mut anna, mut ben) = (records.clone(), records.clone());
    let decide = |records: &mut Records, id: &str, status: Status, comment: &str, date: &str| {
        let selection = Selection { ids: vec![id.to_string()], ..Selection::default() };
        let decision = Decision {
            status: Some(status),
            comment: Some(comment.to_string()),
            date: Some(date.to_string()),
            ..Decision::default()
        };
        records.decide(&selection, &decision).unwrap();
    };
    decide(&mut anna, &ids[0], Status::Reviewed, "anna", "2026-11-18T10:00:00Z");
    decide(&mut ben, &ids[0], Status::Approved, "ben", "2026-11-18T11:00:00Z");
    decide(&mut ben, &ids[1], Status::Reviewed, "ben", "2026-11-18T11:00:00Z");
    decide(&mut anna, &ids[2], Status::Approved, "anna", "2026-11-18T12:00:00Z");
    decide(&mut ben, &ids[2], Status::Reviewed, "ben", "2026-11-18T12:00:00Z");
    let mut one = anna.clone();
    let merged = one.merge(ben.clone());
    assert_eq!((merged.taken.len(), merged.conflicts.as_slice()), (2, &ids[2..]));
    let state = |records: &Records| -> Vec<(Status, String)> {
        ids.iter()
            .map(|id| (records.findings[id].status, records.findings[id].comment.clone()))
            .collect()
    };
    let expected = [
        (Status::Approved, "ben".to_string()),
        (Status::Reviewed, "ben".to_string()),
        (Status::Reviewed, "ben".to_string()),
    ];
    assert_eq!(state(&one), expected);
    // It does not matter who merges whom, or whether it is done twice.
    ben.merge(anna.clone());
    assert_eq!(state(&ben), expected);
    one.merge(anna);
    assert_eq!(state(&one), expected);
    // A finding that only one of them has is added.
    records.findings.clear();
    assert_eq!(records.merge(one).added, 3);
    assert_eq!(first.findings.len(), 3);
}

#[test]
fn records_of_older_files_are_understood() {
    let old = r#"{"version": 1, "findings": {"00112233aabbccdd": {"status": "approved", "comment": "press fit",
        "test": "all", "parts": ["boxes/a", "boxes/b"], "prints": ["x", "y"]}}}"#;
    let mut records = Records::parse(old.as_bytes(), "old").unwrap();
    let (outcome, comparison) = run(&model(&ROW), ALL, &mut records);
    assert_eq!((comparison.persistent, comparison.added), (1, 2));
    let kept = find(&outcome, [0, 1]);
    assert_eq!((kept.id.as_str(), kept.status), ("00112233aabbccdd", Status::Approved));
}
