//! The demonstration: what it prints is true and plain.

use crate::command::impinge;

#[test]
fn the_demo_finds_what_is_wrong_with_the_assembly() {
    let output = impinge(&["demo"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |pair: &str| {
        text.lines().find(|line| line.starts_with(pair)).unwrap_or_else(|| panic!("{pair}\n{text}"))
    };
    let shows = |pair: &str, words: &[&str]| {
        let row = row(pair);
        assert!(words.iter().all(|word| row.contains(word)), "{row} lacks one of {words:?}");
    };
    shows("floor – pedestal", &["touching", "0.000000", "exact", "as designed"]);
    shows("cabinet – table top", &["touching", "0.000000", "exact", "as designed"]);
    shows("bin – lid", &["separated", "0.000001", "should meet"]);
    shows("bin – ball", &["contained: ball", "as designed"]);
    shows("pedestal – shoulder", &["penetrating", "-20.000000", "as designed"]);
    shows("forearm – camera", &["penetrating", "clash"]);
    shows("drive gear – driven gear", &["separated", "exact", "as designed"]);
    shows("drive gear – washer", &["touching", "0.000000", "exact", "as designed"]);
    shows("driven gear – lead weight", &["contained: lead weight", "exact", "as designed"]);
    shows("driven gear – idler gear", &["penetrating", "clash"]);
    shows("idler gear – guard", &["separated", "closer than 25"]);
    assert!(text.contains("pairs of triangles meet near"), "{text}");
    assert!(text.contains("pairs per second"), "{text}");
}

#[test]
fn no_colour_in_a_pipe() {
    let output = impinge(&["demo"]).env("TERM", "xterm-256color").output().unwrap();
    assert!(!output.stdout.contains(&0x1b));
}
