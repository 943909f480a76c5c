//! `impinge query`: JSON lines in, JSON lines out.

mod answer;
mod fields;
mod lines;
mod meshes;
mod motion;
mod request;

use answer::{Refusal, answer};
use impinge::query::Workspace;

use fields::Entries;
use impinge_io::printable_json;
use lines::{LONGEST, Line, Lines};
use meshes::Meshes;
use request::Request;
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::io::{self, BufWriter, Read, Write};

/// What stays from line to line; no answer depends on it.
#[derive(Default)]
struct Kept {
    meshes: Meshes,
    memory: Workspace,
}

/// Answers every line of `input` in order. Returns how many could not be understood.
pub(crate) fn run(input: impl Read, output: impl Write) -> io::Result<u64> {
    let mut lines = Lines::new(input, LONGEST);
    let output = RefCell::new(BufWriter::with_capacity(1 << 16, output));
    let (mut line, mut number, mut refused) = (Vec::new(), 0u64, 0u64);
    let mut kept = Kept::default();
    loop {
        let found = lines.next(&mut line, || output.borrow_mut().flush())?;
        number += 1;
        let text = match found {
            Line::End => break,
            Line::TooLong => Err(format!("longer than {} MiB", LONGEST >> 20)),
            Line::Whole => decoded(&line, number),
        };
        if matches!(text, Ok(text) if text.trim_ascii().is_empty()) {
            continue;
        }
        let mut output = output.borrow_mut();
        if !answer_line(text, number, &mut kept, &mut *output)? {
            refused += 1;
        }
        output.write_all(b"\n")?;
    }
    output.into_inner().flush()?;
    Ok(refused)
}

/// The line as text, without a byte order mark at the start of the file.
fn decoded(line: &[u8], number: u64) -> Result<&str, String> {
    let line = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
    std::str::from_utf8(line)
        .map_err(|error| format!("not UTF-8 text at byte {}", error.valid_up_to() + 1))
}

/// Answers one line; false if the answer is an error.
fn answer_line(
    text: Result<&str, String>,
    number: u64,
    kept: &mut Kept,
    output: &mut impl Write,
) -> io::Result<bool> {
    let mut id = None;
    let made = text.map_err(|error| format!("line {number}: {error}")).and_then(|text| {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| {
            let (column, message) = (error.column(), fields::message(&error));
            format!("line {number}, column {column}: not JSON: {message}")
        })?;
        understood(raw, &mut id, kept).map_err(|error| format!("line {number}: {error}"))
    });
    let is_answer = made.is_ok();
    let text = match made {
        Ok(answer) => serde_json::to_string(&answer)?,
        Err(error) => serde_json::to_string(&Refusal { id, error })?,
    };
    output.write_all(printable_json(text).as_bytes())?;
    Ok(is_answer)
}

/// The answer to a line of JSON. `id` is set as soon as it is known, so that errors carry it too.
fn understood<'a>(
    raw: &'a RawValue,
    id: &mut Option<&'a RawValue>,
    kept: &mut Kept,
) -> Result<answer::Answered<'a>, String> {
    let entries = Entries::read(raw, "the query")?;
    *id = request::id(&entries)?;
    answer(*id, &Request::read(&entries, &mut kept.meshes)?, &mut kept.memory)
}
