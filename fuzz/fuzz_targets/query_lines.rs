//! Any bytes as lines of `impinge query`: every line that is not blank has one answer, which is JSON, and the next lines are not harmed.
#![no_main]

#[path = "../../crates/impinge-cli/src/body/mod.rs"]
mod body;
#[path = "../../crates/impinge-cli/src/query/mod.rs"]
mod query;

use serde_json::Value;

/// A line whose answer is known.
const LAST: &str = r#"{"id":"last","ask":"verdict","a":{"sphere":{"radius":1}},"b":{"sphere":{"radius":1}}}"#;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // No file of this machine is part of the input.
    if bytes.windows(6).any(|window| window == b"\"file\"" || window.starts_with(b"\\u")) {
        return;
    }
    let input = [bytes, b"\n", LAST.as_bytes()].concat();
    let mut output = Vec::new();
    let refused = query::run(&input[..], &mut output).expect("memory can be written to");
    let text = String::from_utf8(output).expect("answers are text");
    let answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("answers are JSON")).collect();
    let errors = answers.iter().filter(|answer| answer.get("error").is_some()).count();
    assert_eq!(errors as u64, refused);
    let last = answers.last().expect("the last line has an answer");
    assert_eq!((&last["id"], &last["verdict"]), (&Value::from("last"), &Value::from("contained")));
    let strip = |line: &[u8]| line.trim_ascii().is_empty();
    let lines = input.split(|byte| *byte == b'\n').filter(|line| !strip(line)).count();
    // A line may be blank to Unicode only, or hold nothing but a byte order mark.
    assert!(answers.len() <= lines);
});
