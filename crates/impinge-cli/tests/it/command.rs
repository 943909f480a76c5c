//! Running the binary.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// The command, not yet started.
pub(crate) fn impinge(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impinge"));
    command.args(arguments);
    command
}

/// Runs the command on the given standard input.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = impinge(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // From a thread of its own, so that a full pipe of answers cannot stop the questions.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output
}

/// The answers to the lines, and the exit code.
pub(crate) fn answers(input: impl AsRef<[u8]>) -> (Vec<Value>, i32) {
    let output = run(&["query"], input.as_ref());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "nothing is said on the side");
    let text = String::from_utf8(output.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (answers, output.status.code().unwrap())
}

/// The answer to one line that is expected to be understood.
pub(crate) fn answer(line: &str) -> Value {
    let (mut answers, code) = answers(line);
    assert_eq!((answers.len(), code), (1, 0), "{line}: {answers:?}");
    answers.remove(0)
}

/// The error of one line that is expected to be refused.
pub(crate) fn error(line: &str) -> String {
    let (answers, code) = answers(line);
    assert_eq!((answers.len(), code), (1, 2), "{line}: {answers:?}");
    answers[0]["error"].as_str().unwrap_or_else(|| panic!("{}", answers[0])).to_string()
}

/// The numbers of an array.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}
