//! The `impinge` command.

mod arguments;
mod body;
mod check;
mod demo;
mod distance;
mod help;
mod inspect;
mod interrupt;
mod limits;
mod notes;
mod query;
mod viewer;

use arguments::{Arguments, Command, StatusArguments, StatusCommand};
use clap::{CommandFactory, Parser};
use impinge_clash::{Decision, Selection, Status};
use notes::note;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// The exit code when all is well.
const DONE: u8 = 0;
/// The exit code when a check found something.
const FOUND: u8 = 1;
/// The exit code when something failed; the same that wrong arguments give.
pub(crate) const FAILED: u8 = 2;

fn main() -> ExitCode {
    let start = Instant::now();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Help that could not be printed is no success.
        Err(error) => {
            let printed = error.print().and_then(|()| io::stdout().flush());
            let code = u8::try_from(error.exit_code()).unwrap_or(FAILED);
            return ExitCode::from(if printed.is_ok() { code } else { FAILED });
        }
    };
    ExitCode::from(result_code(run(arguments, start)))
}

/// The exit code; errors are printed.
fn result_code(result: io::Result<u8>) -> u8 {
    match result {
        Ok(code) => code,
        // Whoever read our output has had enough, as `head` does. Not all of it was written, so this is no success either.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => FAILED,
        Err(error) => {
            let lines = error.to_string();
            let lines: Vec<_> = lines.lines().map(impinge_io::printable).collect();
            note(format_args!("impinge: {}", lines.join("\n")));
            FAILED
        }
    }
}

/// Ends the program from whatever thread, with what a check came to.
pub(crate) fn end(result: io::Result<bool>) -> ! {
    std::process::exit(i32::from(result_code(result.map(code))))
}

fn run(arguments: Arguments, start: Instant) -> io::Result<u8> {
    let Arguments { command, limits } = arguments;
    limits.watch(start)?;
    match command {
        Command::Query { file } => {
            limit_threads(None)?;
            let output = io::stdout().lock();
            let refused = match file {
                Some(path) if path != Path::new("-") => {
                    let named = |error: io::Error| {
                        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                    };
                    query::run(File::open(&path).map_err(named)?, output)?
                }
                _ => query::run(io::stdin().lock(), output)?,
            };
            Ok(if refused == 0 { DONE } else { FAILED })
        }
        Command::Demo(mut arguments) => {
            arguments.report.has_limits = limits.are_set();
            limit_threads(arguments.report.threads)?;
            demo::run(&arguments).map(code)
        }
        Command::Check(mut arguments) => {
            arguments.report.has_limits = limits.are_set();
            limit_threads(arguments.report.threads)?;
            check::run(&arguments).map(code)
        }
        Command::Status(arguments) => status(arguments).map(|()| DONE),
        Command::Distance(arguments) => {
            limit_threads(None)?;
            distance::run(&arguments).map(|()| DONE)
        }
        Command::Inspect { model, parts, tune, limit, quiet } => {
            limit_threads(None)?;
            let show = inspect::Show { parts, tune, limit: arguments::lines(limit) };
            inspect::run(&model, show, quiet).map(|()| DONE)
        }
        Command::Lab { .. } => Err(io::Error::other(
            "the lab is a separate program: cargo run --release -p impinge-lab -- list",
        )),
        Command::Completions { shell } => {
            let mut command = Arguments::command();
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "impinge", &mut script);
            let mut output = io::stdout().lock();
            output.write_all(&script)?;
            output.flush()?;
            Ok(DONE)
        }
    }
}

fn status(arguments: StatusArguments) -> io::Result<()> {
    match arguments.command {
        Some(StatusCommand::Import { file, model, status_file }) => {
            return check::import_status(&file, model.as_deref(), status_file);
        }
        Some(StatusCommand::Merge { model, other, status_file }) => {
            let path = status_file.map_or_else(|| check::decisions_of(&[model]), Ok)?;
            return check::merge_status(&path, &other);
        }
        None => {}
    }
    let mut models = vec![arguments.model.unwrap_or_default()];
    let mut ids: Vec<String> = arguments.words;
    let others = ids.iter().take_while(|word| is_model(word)).count();
    models.extend(ids.drain(..others).map(PathBuf::from));
    let path = arguments.status_file.map_or_else(|| check::decisions_of(&models), Ok)?;
    let limit = arguments.limit;
    let changes_more =
        arguments.comment.is_some() || arguments.assign.is_some() || arguments.set_group.is_some();
    // The last word is the status; without one there must be something else to change, or it is misspelled.
    let status = match ids.last().map(|word| word.parse::<Status>()) {
        Some(Ok(status)) => {
            ids.pop();
            Some(status)
        }
        Some(Err(error)) if !changes_more => return Err(io::Error::other(error)),
        _ => None,
    };
    let ids = ids.iter().flat_map(|word| word.split(',')).map(str::to_string).collect();
    let selection = Selection {
        ids,
        group: arguments.group,
        kind: arguments.kind,
        test: arguments.in_test,
        pattern: arguments.pattern,
        all: arguments.all,
    };
    if status.is_none() && !changes_more {
        return check::list_status(&path, &selection, arguments::lines(limit));
    }
    let decision = Decision {
        status,
        comment: arguments.comment,
        assignee: arguments.assign,
        group: arguments.set_group,
        date: Some(check::now().to_string()),
    };
    check::decide_status(&path, &selection, &decision)
}

/// True if a word is a further model that was checked with the first: neither an id nor a status, and there.
fn is_model(word: &str) -> bool {
    let is_id = word.chars().all(|c| c.is_ascii_hexdigit() || c == ',');
    !is_id && word.parse::<Status>().is_err() && Path::new(word).exists()
}

fn code(found: bool) -> u8 {
    if found { FOUND } else { DONE }
}

/// Threads of a variable that rayon heeds are limited as those of `--threads` are.
const MOST_THREADS: usize = 1024;

/// Makes the threads. Results do not depend on how many there are.
fn limit_threads(threads: Option<u16>) -> io::Result<()> {
    let stated = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    // Zero stands for all processors.
    let count = threads.map(usize::from).or(stated).unwrap_or(0).min(MOST_THREADS);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count);
    pool.build_global().map_err(|error| {
        io::Error::other(format!(
            "{error}; use fewer with --threads, or allow the program more memory"
        ))
    })
}
