//! Run, decide, change the model, run again.

use crate::boxes::{Block, model};
use impinge_clash::report::{self, Run};
use impinge_clash::{
    Change, CheckOptions, Comparison, Model, Outcome, Plan, Records, Status, check,
};
use std::sync::atomic::{AtomicBool, Ordering};

const TESTS: &str = "[[test]]\nname = \"all\"\nclearance = 0.1";

fn run(model: &Model, records: &mut Records) -> (Outcome, Comparison) {
    let plan = Plan::parse(TESTS, "tests.toml").unwrap();
    let mut outcome = check(model, &plan, &CheckOptions::default());
    let comparison = records.take(model, &mut outcome);
    (outcome, comparison)
}

/// Four blocks in a row, each in the next.
const ROW: [Block<'static>; 4] = [
    ("a", [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
    ("b", [0.9, 0.0, 0.0], [2.0, 1.0, 1.0]),
    ("c", [1.9, 0.0, 0.0], [3.0, 1.0, 1.0]),
    ("d", [2.9, 0.0, 0.0], [4.0, 1.0, 1.0]),
];

#[test]
fn decisions_survive_and_runs_compare() {
    let mut records = Records::default();
    let (first, comparison) = run(&model(&ROW), &mut records);
    assert_eq!((first.findings.len(), comparison.added, comparison.persistent), (3, 3, 0));
    assert!(first.findings.iter().all(|f| f.status == Status::New && f.change == Change::Added));
    let find = |outcome: &Outcome, parts: [usize; 2]| {
        outcome.findings.iter().find(|f| f.parts == parts).cloned().unwrap()
    };
    let approved = find(&first, [0, 1]).id;
    records.set(&approved[..6], Status::Approved, Some("press fit")).unwrap();
    // Through the file and back.
    let mut records = Records::parse(records.to_text().as_bytes(), "records").unwrap();

    // d goes away from c, and into a place beside a.
    let mut moved = ROW;
    moved[3] = ("d", [-0.95, 0.0, 0.0], [0.05, 1.0, 1.0]);
    let (second, comparison) = run(&model(&moved), &mut records);
    assert_eq!((comparison.added, comparison.persistent, comparison.resolved.len()), (1, 2, 1));
    assert_eq!(comparison.resolved[0].0, find(&first, [2, 3]).id);
    let kept = find(&second, [0, 1]);
    assert_eq!((kept.status, kept.comment.as_str()), (Status::Approved, "press fit"));
    assert_eq!(find(&second, [1, 2]).status, Status::Active);
    assert_eq!(find(&second, [0, 3]).change, Change::Added);

    // b is renamed: its findings keep ids and decisions.
    let mut renamed = moved;
    renamed[1].0 = "bracket";
    let (third, comparison) = run(&model(&renamed), &mut records);
    assert_eq!((comparison.added, comparison.persistent, comparison.resolved.len()), (0, 3, 0));
    let kept = find(&third, [0, 1]);
    assert_eq!((kept.id, kept.status), (approved, Status::Approved));

    // d goes back: what was resolved is there again, and new.
    let mut back = ROW;
    back[1].0 = "bracket";
    let (fourth, comparison) = run(&model(&back), &mut records);
    assert_eq!((comparison.added, comparison.persistent, comparison.resolved.len()), (1, 2, 1));
    assert_eq!(find(&fourth, [2, 3]).status, Status::New);
}

#[test]
fn a_stopped_run_is_partial_and_loses_nothing() {
    let blocks: Vec<(String, f64)> =
        (0..200).map(|k| (format!("p{k}"), f64::from(k) * 0.9)).collect();
    let blocks: Vec<Block<'_>> = blocks
        .iter()
        .map(|(name, x)| (name.as_str(), [*x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]))
        .collect();
    let model = model(&blocks);
    let mut records = Records::default();
    let (whole, _) = run(&model, &mut records);
    assert_eq!(whole.findings.len(), 199);

    let plan = Plan::parse(TESTS, "tests.toml").unwrap();
    let stop = AtomicBool::new(false);
    let progress = |done: usize, _: usize| stop.store(done >= 60, Ordering::Relaxed);
    let options =
        CheckOptions { stop: Some(&stop), progress: Some(&progress), ..CheckOptions::default() };
    let mut outcome = check(&model, &plan, &options);
    assert!(outcome.is_partial() && outcome.pairs_done >= 60 && outcome.pairs_done < 199);
    assert_eq!(outcome.findings.len(), outcome.pairs_done);
    for finding in &outcome.findings {
        let twin = whole.findings.iter().find(|other| other.id == finding.id).unwrap();
        assert_eq!(twin.distance, finding.distance);
    }
    // What was not looked at is not resolved.
    let comparison = records.take(&model, &mut outcome);
    assert_eq!(comparison.resolved, []);
    let run =
        Run { model: &model, name: "row", plan: &plan, outcome: &outcome, comparison: &comparison };
    assert!(report::json(&run).contains("\"partial\": true"));
    assert!(report::table(&run, report::TableOptions::default()).contains("PARTIAL"));
}

#[test]
fn damaged_records_are_refused_with_their_place() {
    for (text, expected) in [
        ("{", "records:1:"),
        ("{\"version\": 9, \"findings\": {}}", "version 9"),
        ("{\"version\": 1, \"findings\": {\"x\": {}}}", "records:1:"),
    ] {
        let error = Records::parse(text.as_bytes(), "records").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn reports_are_well_formed() {
    let plan = Plan::parse(TESTS, "tests.toml").unwrap();
    let model = model(&ROW);
    let mut outcome = check(&model, &plan, &CheckOptions::default());
    let comparison = Records::default().take(&model, &mut outcome);
    let run = Run {
        model: &model,
        name: "row, of four",
        plan: &plan,
        outcome: &outcome,
        comparison: &comparison,
    };
    let value: serde_json::Value = serde_json::from_str(&report::json(&run)).unwrap();
    assert_eq!(value["schema"], report::SCHEMA);
    assert_eq!(value["counts"]["findings"], 3);
    assert_eq!(value["findings"][0]["paths"].as_array().unwrap().len(), 2);
    let csv = report::csv(&run);
    assert_eq!(csv.lines().count(), 4);
    // Quotes within quotes, as RFC 4180 has it.
    assert!(csv.contains("\"\"\"boxes/a\"\"") || csv.contains("\"\"boxes/a\"\""), "{csv}");
}
