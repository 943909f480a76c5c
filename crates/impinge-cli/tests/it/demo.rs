//! The demonstration: it finds the planted faults and nothing else.

use crate::command::impinge;
use crate::folder::Folder;
use serde_json::Value;

#[test]
fn the_demo_finds_exactly_what_was_planted() {
    let output = impinge(&["demo", "--format", "json", "--quiet"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let found: Vec<(&str, &str, &str, f64)> = findings
        .iter()
        .map(|f| {
            let path = |k: usize| f["paths"][k].as_str().unwrap();
            (f["kind"].as_str().unwrap(), path(0), path(1), f["distance"].as_f64().unwrap())
        })
        .collect();
    let names: Vec<(&str, &str, &str)> = found.iter().map(|f| (f.0, f.1, f.2)).collect();
    assert_eq!(
        names,
        [
            ("hard", "housing/front wall", "fasteners/sensor bolt"),
            ("hard", "base/left plate", "base/right plate"),
            ("contained", "rotating/input shaft", "rotating/key"),
            ("duplicate", "fasteners/rear washer 6", "fasteners/rear washer 6 (copy)"),
            ("clearance", "rotating/carrier/pin 3", "housing/front cover"),
        ]
    );
    assert!((found[1].3 + 0.05).abs() < 1e-9, "{found:?}");
    assert!((found[4].3 - 0.2).abs() < 1e-9, "{found:?}");
    assert!(report["counts"]["parts"].as_u64().unwrap() >= 60);
}

#[test]
fn the_table_explains_and_has_no_colour_in_a_pipe() {
    let folder = Folder::new();
    let output = impinge(&["demo"])
        .env("TERM", "xterm-256color")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("5 findings: 2 hard, 1 contained, 1 duplicate, 1 clearance"), "{text}");
    assert!(text.contains("is 0.2 mm; 0.5 mm required"), "{text}");
}

#[test]
fn the_demo_writes_a_page_that_needs_nothing_else() {
    let folder = Folder::new();
    let output = impinge(&["demo"]).current_dir(folder.path()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("impinge-demo.html"), "{told}");
    let page = std::fs::read_to_string(folder.path().join("impinge-demo.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("default-src 'none'") && page.contains("<title>planetary gearbox"));
    for outside in ["src=\"http", "<link", "import(\"", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn a_quiet_demo_writes_a_page_only_where_it_is_told_to() {
    let folder = Folder::new();
    let run = |arguments: &[&str]| {
        let output = impinge(arguments).current_dir(folder.path()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        std::fs::read_dir(folder.path()).unwrap().count()
    };
    assert_eq!(run(&["demo", "--quiet"]), 0);
    assert_eq!(run(&["demo", "--quiet", "--page", "here.html"]), 1);
    let output = impinge(&["demo", "--quiet", "--format", "html"]).output().unwrap();
    let page = std::fs::read(folder.path().join("here.html")).unwrap();
    assert!(output.stdout == page, "the same page on standard output");
}
