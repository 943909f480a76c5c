//! BCF files: written from a check, and read back into the decisions.

use super::records;
use crate::arguments::{BcfTopics, ReportArguments, status_path};
use impinge_clash::bcf::{self, Date, Export, Topics};
use impinge_clash::report::Run;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The time, or what SOURCE_DATE_EPOCH says, so that a file can be made again (<https://reproducible-builds.org/specs/source-date-epoch/>).
pub(super) fn now() -> Date {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.trim().parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    Date::from_unix_seconds(given.unwrap_or_else(clock))
}

/// The report as a BCF file.
pub(super) fn bytes(arguments: &ReportArguments, run: &Run<'_>) -> io::Result<Vec<u8>> {
    if arguments.output.is_none() {
        let message =
            "a BCF file is an archive and not for a terminal: name it with --output FILE.bcfzip";
        return Err(io::Error::other(message));
    }
    let export = Export {
        version: arguments.bcf_version,
        topics: match arguments.bcf_topics {
            BcfTopics::Finding => Topics::Findings,
            BcfTopics::Group => Topics::Groups,
        },
        author: &arguments.bcf_author,
        date: now(),
        ..Export::default()
    };
    bcf::write(run, &export).map_err(io::Error::other)
}

/// `impinge status import FILE.bcfzip [MODEL]`.
pub(crate) fn import(
    file: &Path,
    model: Option<&Path>,
    status_file: Option<PathBuf>,
) -> io::Result<()> {
    let name = file.display().to_string();
    let bytes = std::fs::read(file).map_err(|error| records::named(file, &error))?;
    let contents = bcf::read(&bytes, &name).map_err(io::Error::other)?;
    let path = match (status_file, model) {
        (Some(path), _) => path,
        (None, Some(model)) => status_path(model),
        (None, None) => beside(file, contents.project.as_deref())?,
    };
    if !path.exists() {
        let message = format!(
            "{}: there are no decisions yet; run `impinge check` on the model first",
            path.display()
        );
        return Err(io::Error::other(message));
    }
    let mut known = records::load(&path)?;
    let before = known.clone();
    let imported = bcf::import(&mut known, &contents);
    if known != before {
        records::store(&path, &known)?;
    }
    let mut output = io::stdout().lock();
    for (id, old, new) in &imported.statuses {
        writeln!(output, "{id}  {old} → {new}")?;
    }
    let (statuses, topics) = (imported.statuses.len(), contents.topics.len());
    let (comments, ours) = (imported.comments, imported.known);
    writeln!(
        output,
        "{statuses} statuses and {comments} comments changed; {ours} of {topics} topics are known here"
    )?;
    let mut side = io::stderr().lock();
    for (title, word) in &imported.unclear {
        writeln!(
            side,
            "status \"{}\" is not known and changes nothing: {}",
            plain(word),
            plain(title)
        )?;
    }
    for title in &imported.unknown {
        writeln!(side, "not of a finding here: {}", plain(title))?;
    }
    Ok(())
}

/// The decisions about the model that a file names: beside the file, or in the current folder. A path in it is not followed, since the
/// file may come from anywhere.
fn beside(file: &Path, project: Option<&str>) -> io::Result<PathBuf> {
    let name = project.and_then(|project| Path::new(project).file_name());
    let folder = file.parent().unwrap_or(Path::new(""));
    let candidates = name.into_iter().flat_map(|name| [folder.join(name), PathBuf::from(name)]);
    let found = candidates.map(|model| status_path(&model)).find(|path| path.exists());
    found.ok_or_else(|| {
        let file = file.display();
        io::Error::other(format!(
            "{file} does not tell which model it is about: impinge status import {file} MODEL"
        ))
    })
}

/// Text from a file, fit for a terminal.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}
