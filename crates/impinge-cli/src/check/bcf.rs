//! BCF files: written from a check, and read back into the decisions.

use super::{Progress, records};
use crate::arguments::{BcfTopics, ReportArguments, status_path};
use crate::notes::note;
use impinge_clash::bcf::{self, Date, Export, Topics};
use impinge_clash::report::Run;
use impinge_io::{printable, read_file};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The time, or what SOURCE_DATE_EPOCH says, so that a file can be made again (<https://reproducible-builds.org/specs/source-date-epoch/>).
pub(crate) fn now() -> Date {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.trim().parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    Date::from_unix_seconds(given.unwrap_or_else(clock))
}

/// The report as a BCF file.
pub(super) fn bytes(arguments: &ReportArguments, run: &Run<'_>) -> io::Result<Vec<u8>> {
    let export = Export {
        version: arguments.bcf_version,
        topics: match arguments.bcf_topics {
            BcfTopics::Finding => Topics::Findings,
            BcfTopics::Group => Topics::Groups,
        },
        author: &arguments.bcf_author,
        date: now(),
        picture: Export::default().picture.filter(|_| !arguments.no_pictures),
    };
    let what = if arguments.no_pictures { "describing topics" } else { "drawing pictures" };
    let progress = Progress::counting(what, arguments.quiet);
    let bytes = bcf::write_with(run, &export, &|done, of| progress.at(done, of));
    progress.end();
    bytes.map_err(io::Error::other)
}

/// `impinge status import FILE.bcfzip [MODEL]`.
pub(crate) fn import(
    file: &Path,
    model: Option<&Path>,
    status_file: Option<PathBuf>,
) -> io::Result<()> {
    let name = file.display().to_string();
    let bytes = read_file(file).map_err(io::Error::other)?;
    let contents = bcf::read(&bytes, &name).map_err(io::Error::other)?;
    let path = match (status_file, model) {
        (Some(path), _) => path,
        (None, Some(model)) => decisions_of(&[model.to_path_buf()])?,
        (None, None) => beside(file, contents.project.as_deref())?,
    };
    if !path.exists() {
        let message =
            format!("{}: no such file; run `impinge check` on the model first", path.display());
        return Err(io::Error::other(message));
    }
    let imported = records::update(&path, |known| {
        let imported = bcf::import(known, &contents);
        for (id, ..) in &imported.statuses {
            if let Some(record) = known.findings.get_mut(id) {
                record.decided = Some(now().to_string());
            }
        }
        Ok(imported)
    })?;
    let mut output = io::stdout().lock();
    for (id, old, new) in &imported.statuses {
        writeln!(output, "{id}  {old} → {new}")?;
    }
    let (statuses, topics) = (imported.statuses.len(), contents.topics.len());
    let (comments, ours, assignees) = (imported.comments, imported.known, imported.assignees);
    writeln!(
        output,
        "{statuses} statuses, {comments} comments and {assignees} assignees changed; {ours} of {topics} topics belong to this model"
    )?;
    output.flush()?;
    for (title, word) in &imported.unclear {
        note(format_args!("unknown status \"{}\", ignored: {}", plain(word), plain(title)));
    }
    for title in &imported.unknown {
        note(format_args!("not a finding of this model, ignored: {}", plain(title)));
    }
    Ok(())
}

/// The decisions about the model that a file names: beside the file, or in the current folder. A path in it is not followed, since the
/// file may come from anywhere.
fn beside(file: &Path, project: Option<&str>) -> io::Result<PathBuf> {
    let name = project.and_then(|project| Path::new(project).file_name());
    let folder = file.parent().unwrap_or(Path::new(""));
    let candidates = name.into_iter().flat_map(|name| [folder.join(name), PathBuf::from(name)]);
    let found = candidates.filter_map(|model| status_path(&[model])).find(|path| path.exists());
    found.ok_or_else(|| {
        let file = file.display();
        io::Error::other(format!(
            "{file} does not say which model it is about; use `impinge status import {file} MODEL`"
        ))
    })
}

/// The decision file of models that were checked together.
pub(crate) fn decisions_of(models: &[PathBuf]) -> io::Result<PathBuf> {
    status_path(models).ok_or_else(|| {
        let first = models.first().map(|model| model.display().to_string()).unwrap_or_default();
        io::Error::other(format!("{first}: name the decision file with --status-file"))
    })
}

/// Text from a file, fit for a terminal.
fn plain(text: &str) -> String {
    let short: String = text.chars().take(200).collect();
    printable(&short).into_owned()
}
