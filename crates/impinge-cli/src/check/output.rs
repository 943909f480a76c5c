//! Where the report goes: known, and known to be possible, before the work begins.

use super::{bcf, page};
use crate::arguments::{Format, ReportArguments};
use crate::check::Progress;
use crate::interrupt;
use crate::notes::note;
use impinge_clash::report::{self, Run, VariantReport};
use impinge_clash::{Cut, Outcome};
use impinge_io::{check_writable, is_same_file, printable, write_file};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// A report that is to be written.
pub(crate) struct Destination<'a> {
    arguments: &'a ReportArguments,
    format: Format,
}

impl<'a> Destination<'a> {
    /// Refuses what could not be written in the end: an unknown extension, a folder that is not there, an archive on a terminal.
    pub(crate) fn new(arguments: &'a ReportArguments) -> io::Result<Self> {
        let format = arguments.format()?;
        match &arguments.output {
            Some(path) => check_writable(path).map_err(io::Error::other)?,
            None if format == Format::Bcf => {
                return Err(io::Error::other(
                    "BCF is a zip archive and cannot go to standard output; use --output FILE.bcfzip",
                ));
            }
            None => {}
        }
        Ok(Self { arguments, format })
    }

    /// True if the report is a table.
    pub(crate) fn is_table(&self) -> bool {
        self.format == Format::Table
    }

    /// Refuses to overwrite what the check reads.
    pub(crate) fn keep<'p>(
        &self,
        inputs: impl IntoIterator<Item = (&'static str, &'p Path)>,
    ) -> io::Result<()> {
        let Some(output) = &self.arguments.output else { return Ok(()) };
        for (what, input) in inputs {
            if output == input || is_same_file(output, input) {
                return Err(io::Error::other(format!(
                    "--output {} is the {what}; choose another file",
                    output.display()
                )));
            }
        }
        Ok(())
    }

    /// Writes the report of a run.
    pub(crate) fn write(&self, run: &Run<'_>) -> io::Result<()> {
        let arguments = self.arguments;
        let bytes = match self.format {
            Format::Table => report::table(run, arguments.table(self.colour())).into_bytes(),
            Format::Json => report::json(run).into_bytes(),
            Format::Csv => report::csv(run).into_bytes(),
            Format::Bcf => bcf::bytes(arguments, run)?,
            Format::Html => page(run, arguments.quiet).into_bytes(),
        };
        self.put(&bytes)?;
        self.confirm(&[report::summary(run, false)]);
        Ok(())
    }

    /// Writes the report of a family.
    pub(crate) fn write_family(&self, family: &VariantReport<'_>) -> io::Result<()> {
        let text = match self.format {
            Format::Table => report::family_table(family, self.arguments.table(self.colour())),
            Format::Json => report::family_json(family),
            Format::Csv => report::family_csv(family),
            Format::Bcf | Format::Html => return Err(self.one_variant_only()),
        };
        self.put(text.as_bytes())?;
        let line = |run: &Run<'_>| {
            let name = printable(run.model.variant.as_deref().unwrap_or(run.name)).into_owned();
            format!("{name}: {}", report::summary(run, false))
        };
        self.confirm(&family.runs().iter().map(line).collect::<Vec<_>>());
        Ok(())
    }

    /// Refuses a family where the format holds one model only.
    pub(crate) fn check_family(&self) -> io::Result<()> {
        match self.format {
            Format::Bcf | Format::Html => Err(self.one_variant_only()),
            Format::Table | Format::Json | Format::Csv => Ok(()),
        }
    }

    fn one_variant_only(&self) -> io::Error {
        io::Error::other(
            "HTML and BCF reports show one variant: choose it with --variant NAME, or use a table, JSON or CSV",
        )
    }

    fn colour(&self) -> bool {
        self.arguments.output.is_none() && colour_wanted()
    }

    fn put(&self, bytes: &[u8]) -> io::Result<()> {
        match &self.arguments.output {
            Some(path) => {
                let progress = Progress::waiting("writing the report", self.arguments.quiet);
                let written =
                    interrupt::whole(|| write_file(path, bytes)).map_err(io::Error::other);
                progress.end();
                written
            }
            None => {
                let mut output = io::stdout().lock();
                output.write_all(bytes)?;
                output.flush()
            }
        }
    }

    /// Notes what is in a file that was written.
    fn confirm(&self, lines: &[String]) {
        let Some(path) = &self.arguments.output else { return };
        if self.arguments.quiet {
            return;
        }
        lines.iter().for_each(|line| note(format_args!("{line}")));
        note(format_args!("written to {}", path.display()));
    }
}

/// Whether colour is wanted: on a terminal only, and not with NO_COLOR (<https://no-color.org>).
pub(crate) fn colour_wanted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && io::stdout().is_terminal()
}

/// The files that a scene was read from.
pub(crate) fn inputs(files: &[String]) -> Vec<PathBuf> {
    files.iter().map(PathBuf::from).collect()
}

/// The error of a check that did not look at all pairs.
pub(crate) fn partial(outcome: &Outcome) -> io::Error {
    let reason = match outcome.cut {
        Some(Cut::Pairs) => "too many parts overlap to check every pair: narrow the sets",
        Some(Cut::Findings) => "there are more findings than a report can hold: narrow the sets",
        _ => interrupt::reason().unwrap_or(interrupt::Reason::Signal).words(),
    };
    let (done, near) = (outcome.pairs_done, outcome.pairs_near);
    let what =
        format!("{reason}; {done} of {near} pairs were checked; the findings so far were written");
    io::Error::new(io::ErrorKind::Interrupted, what)
}

/// Whoever closes standard output early, as `head` does, learns from the exit code whether something was found: then it needs not be an error that not all of it
/// was written. In every other case it is one.
pub(crate) fn delivered(written: io::Result<()>, found: bool) -> io::Result<()> {
    match written {
        Err(error) if found && error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
