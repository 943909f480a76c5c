//! The file beside the model in which decisions are kept. Whoever changes it holds its lock, reads it again and writes it whole.

use crate::arguments::SUFFIX;
use crate::interrupt;
use crate::notes::note;
use impinge_clash::{Decision, Record, Records, Selection, Status};
use impinge_io::{FileLock, printable, read_file, write_file};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

/// How long to wait for another impinge that writes decisions.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) fn load(path: &Path) -> io::Result<Records> {
    if fs::metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return Ok(Records::default());
    }
    read(path)
}

fn read(path: &Path) -> io::Result<Records> {
    let text = read_file(path).map_err(io::Error::other)?;
    Records::parse(&text, &path.display().to_string()).map_err(io::Error::other)
}

/// Changes the decisions in a file; what `change` gives is passed on.
pub(super) fn update<T>(
    path: &Path,
    change: impl FnOnce(&mut Records) -> io::Result<T>,
) -> io::Result<T> {
    let lock = FileLock::acquire(path, PATIENCE).map_err(io::Error::other)?;
    let mut records = load(path)?;
    let before = records.clone();
    let result = change(&mut records)?;
    if records != before {
        let text = records.to_text();
        interrupt::whole(|| write_file(path, text.as_bytes())).map_err(io::Error::other)?;
    }
    drop(lock);
    Ok(result)
}

/// Changes the decisions after a check. A folder that cannot be written to is reported and no failure.
///
/// Notes where decisions are kept, as long as there are none.
pub(super) fn remember(path: &Path, quiet: bool, change: impl FnOnce(&mut Records)) {
    let is_new = !path.exists();
    let done = update(path, |records| {
        change(records);
        Ok(())
    });
    match done {
        Err(error) => note(format_args!("decisions were not saved: {error}")),
        Ok(()) if is_new && path.exists() && !quiet => {
            let name = path.display().to_string();
            let decide = match name.strip_suffix(SUFFIX) {
                Some(model) => format!("impinge status {model} ID approved"),
                None => format!("impinge status MODEL ID approved --status-file {name}"),
            };
            note(format_args!("findings are recorded in {name}; decide with `{decide}`"));
        }
        Ok(()) => {}
    }
}

/// `impinge status MODEL`: the findings that are selected, or all, up to a number of them.
pub(crate) fn list(path: &Path, selection: &Selection, limit: usize) -> io::Result<()> {
    let records = load(path)?;
    let mut output = io::stdout().lock();
    if records.findings.is_empty() {
        return writeln!(output, "no findings recorded yet; run `impinge check` first");
    }
    let chosen = if selection.is_empty() {
        records.findings.keys().cloned().collect()
    } else {
        records.select(selection).map_err(io::Error::other)?
    };
    let mut listed: Vec<(&String, &Record)> =
        chosen.iter().filter_map(|id| Some((id, records.findings.get(id)?))).collect();
    // What waits for a decision comes first, and of that the worst.
    listed.sort_by(|(_, one), (_, two)| {
        let order = |record: &Record| (!record.reopened, record.status, record.kind);
        let value = |record: &Record| record.distance.as_ref().map_or(0.0, |length| length.value);
        order(one).cmp(&order(two)).then(value(one).total_cmp(&value(two)))
    });
    for (id, record) in listed.iter().take(limit) {
        let parts = record.parts.join(" × ");
        let kind = record.kind.map_or_else(String::new, |kind| format!("{kind:9}  "));
        let status = if record.reopened { "reopened" } else { record.status.name() };
        let mut line = format!("{status:8}  {kind}{}  {parts}", record.test);
        if let Some(variant) = &record.variant {
            line.push_str(&format!("  ({variant})"));
        }
        if let Some(assignee) = &record.assignee {
            line.push_str(&format!("  @{assignee}"));
        }
        if !record.comment.is_empty() {
            line.push_str(&format!("  {}", record.comment));
        }
        writeln!(output, "{id}  {}", printable(&line))?;
    }
    if listed.len() > limit {
        let more = listed.len() - limit;
        writeln!(
            output,
            "… and {more} more: --limit 0 lists all; --kind, --match, --group and --in-test choose"
        )?;
    }
    output.flush()
}

/// A decision about the findings that are selected; says how many they were.
pub(crate) fn decide(path: &Path, selection: &Selection, decision: &Decision) -> io::Result<()> {
    let chosen =
        update(path, |records| records.decide(selection, decision).map_err(io::Error::other))?;
    let mut output = io::stdout().lock();
    let what = decision.status.map_or("changed", Status::name);
    match chosen.as_slice() {
        [] => writeln!(output, "no finding matches; nothing changed")?,
        [id] => writeln!(output, "{id} {what}")?,
        ids => writeln!(output, "{} findings {what}", ids.len())?,
    }
    output.flush()
}

/// `impinge status merge MODEL OTHER`: the decisions of another reviewer.
pub(crate) fn merge(path: &Path, other: &Path) -> io::Result<()> {
    let theirs = read(other)?;
    let merged = update(path, |records| Ok(records.merge(theirs)))?;
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "{} decisions taken from {}, {} findings added, {} conflicts",
        merged.taken.len(),
        other.display(),
        merged.added,
        merged.conflicts.len()
    )?;
    for id in &merged.conflicts {
        writeln!(
            output,
            "conflict: {id}: decided at the same time; the more cautious status was kept"
        )?;
    }
    output.flush()
}
