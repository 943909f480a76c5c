//! Which parts a test takes, and which plans are refused.

use crate::boxes::{checked, model};
use impinge_clash::Plan;

#[test]
fn sets_are_taken_by_pattern_and_pairs_only_across() {
    let model = model(&[
        ("wall 1", [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        ("wall 2", [0.5, 0.0, 0.0], [1.5, 1.0, 1.0]),
        ("duct", [0.0, 0.5, 0.0], [1.5, 1.5, 1.0]),
        ("cable", [0.0, 0.0, 0.5], [1.5, 1.5, 1.5]),
    ]);
    let count =
        |tests: &str| checked(&model, &format!("[[test]]\nname = \"t\"\n{tests}")).findings.len();
    assert_eq!(count(""), 6);
    assert_eq!(count("a = \"wall*\""), 1);
    assert_eq!(count("a = \"wall*\"\nb = \"name:DUCT\""), 2);
    assert_eq!(count("a = [\"duct\", \"cable\"]\nb = \"boxes/wall ?\""), 4);
    assert_eq!(count("a = { exclude = [\"cable\"] }"), 3);
    assert_eq!(count("a = \"file:*.obj\"\nb = \"cable\""), 3);
    assert_eq!(count("a = \"material:steel\""), 0);
}

#[test]
fn bad_plans_are_refused_with_their_place_and_the_cure() {
    for (text, expected) in [
        ("", "no [[test]] and no [[rule]]"),
        ("[[test]]\nnam = \"x\"", "tests.toml:2:1: unknown field `nam`, expected one of `name`"),
        ("[[test]]\nname = \"x\"\nkinds = [\"soft\"]", "tests.toml:3:10"),
        ("[[test]]\nname = \"x\"\ntolerance = \"-1mm\"", "is not a length"),
        ("[[test]]\nname = \"x\"\nclearance = \"5 parsec\"", "is not a length"),
        ("[[test]]\nname = \"x\"\n[[test]]\nname = \"x\"", "two tests are called \"x\""),
        ("[[test]]\nname = \"x\"\nkinds = [\"clearance\"]", "but sets none"),
        ("[[test]]\nname = \"x\"\n[[rule]]\nname = \"r\"\nreason = \" \"", "the reason is empty"),
        (
            "[[test]]\nname = \"x\"\n[[rule]]\nname = \"r\"\nreason = \"y\"\ntest = \"z\"",
            "no test is called \"z\"",
        ),
        ("[[test]\n", "tests.toml:1:"),
        ("[[test]]\nnam = \"x\"", "did you mean `name`?"),
        ("[[test]]\nname = \"x\"\nkinds = [\"clearence\"]", "did you mean `clearance`?"),
    ] {
        let error = Plan::parse(text, "tests.toml").unwrap_err().to_string();
        assert!(error.contains(expected), "{text}\n{error}");
    }
}

#[test]
fn rules_alone_are_for_a_check_of_everything() {
    let rules =
        "[[rule]]\nname = \"threads\"\nreason = \"drawn full\"\na = \"bolt*\"\nb = \"nut*\"";
    let plan = Plan::parse(rules, "rules.toml").unwrap();
    assert_eq!((plan.tests.len(), plan.rules.len()), (1, 1));
    let model = model(&[
        ("bolt", [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        ("nut", [0.9, 0.0, 0.0], [2.0, 1.0, 1.0]),
        ("plate", [1.9, 0.0, 0.0], [3.0, 1.0, 1.0]),
    ]);
    let outcome = checked(&model, rules);
    assert_eq!((outcome.findings.len(), outcome.hidden[0].findings.len()), (1, 1));
}
