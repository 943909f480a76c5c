//! The file beside the model in which decisions are kept.

use impinge_clash::{Comparison, Model, Outcome, Records, Status};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

pub(super) fn load(path: &Path) -> io::Result<Records> {
    match fs::read(path) {
        Ok(text) => Records::parse(&text, &path.display().to_string()).map_err(io::Error::other),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Records::default()),
        Err(error) => Err(named(path, &error)),
    }
}

/// Written beside and then put in place, so that an interruption leaves the old file.
pub(super) fn store(path: &Path, records: &Records) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = Path::new(&beside);
    fs::write(beside, records.to_text()).map_err(|error| named(path, &error))?;
    fs::rename(beside, path).map_err(|error| named(path, &error))
}

pub(super) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Gives findings what is known of them and remembers the run. A folder that cannot be written to is said and no failure.
///
/// Whoever has not decided about anything yet is told where that is kept.
pub(super) fn take(
    path: &Path,
    model: &Model,
    outcome: &mut Outcome,
    quiet: bool,
) -> io::Result<Comparison> {
    let is_new = !path.exists();
    let mut records = load(path)?;
    let before = records.clone();
    let comparison = records.take(model, outcome);
    records.date(outcome, &super::bcf::now());
    if records != before {
        match store(path, &records) {
            Err(error) => writeln!(io::stderr(), "status is not kept: {error}")?,
            Ok(()) if is_new && !quiet => {
                let path = path.display();
                writeln!(
                    io::stderr(),
                    "remembered in {path}; `impinge status MODEL ID approved` decides about a finding"
                )?;
            }
            Ok(()) => {}
        }
    }
    Ok(comparison)
}

/// `impinge status MODEL`: all that is known.
pub(crate) fn list(path: &Path) -> io::Result<()> {
    let records = load(path)?;
    let mut output = io::stdout().lock();
    if records.findings.is_empty() {
        return writeln!(output, "nothing is known yet: run `impinge check` first");
    }
    for (id, record) in &records.findings {
        let comment =
            if record.comment.is_empty() { String::new() } else { format!("  {}", record.comment) };
        let parts = record.parts.join(" × ");
        writeln!(output, "{id}  {:8}  {}  {parts}{comment}", record.status, record.test)?;
    }
    Ok(())
}

/// `impinge status MODEL ID STATUS`: a decision.
pub(crate) fn set(path: &Path, id: &str, status: Status, comment: Option<&str>) -> io::Result<()> {
    let mut records = load(path)?;
    records.set(id, status, comment).map_err(io::Error::other)?;
    store(path, &records)
}
