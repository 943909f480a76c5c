//! The `impinge` command.

mod arguments;
mod body;
mod check;
mod demo;
mod distance;
mod inspect;
mod interrupt;
mod query;
mod viewer;

use arguments::{Arguments, Command, StatusArguments, StatusCommand, status_path};
use clap::{CommandFactory, Parser};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// The exit code when a check found something.
const FOUND: u8 = 1;
/// The exit code when something failed; the same that wrong arguments give.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(code) => code,
        // Whoever read our output has had enough, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to be told if even this fails.
            let _ = writeln!(io::stderr(), "impinge: {error}");
            ExitCode::from(FAILED)
        }
    }
}

fn run(command: Command) -> io::Result<ExitCode> {
    match command {
        Command::Query { file } => {
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
            Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
        }
        Command::Demo(arguments) => {
            limit_threads(arguments.report.threads)?;
            demo::run(&arguments).map(code)
        }
        Command::Check(arguments) => {
            limit_threads(arguments.report.threads)?;
            check::run(&arguments).map(code)
        }
        Command::Status(arguments) => status(arguments).map(|()| ExitCode::SUCCESS),
        Command::Distance(arguments) => distance::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Inspect { model, parts, tune, quiet } => {
            let show = inspect::Show { parts, tune };
            inspect::run(&model, show, quiet).map(|()| ExitCode::SUCCESS)
        }
        Command::Lab { .. } => Err(io::Error::other(
            "the lab is a program of its own: cargo run --release -p impinge-lab -- list",
        )),
        Command::Completions { shell } => {
            let mut command = Arguments::command();
            clap_complete::generate(shell, &mut command, "impinge", &mut io::stdout().lock());
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn status(arguments: StatusArguments) -> io::Result<()> {
    let StatusArguments { command, model, id, status, comment, status_file } = arguments;
    if let Some(StatusCommand::Import { file, model, status_file }) = command {
        return check::import_status(&file, model.as_deref(), status_file);
    }
    let path = status_file.or(model.map(|model| status_path(&model))).unwrap_or_default();
    match id.zip(status) {
        Some((id, status)) => check::set_status(&path, &id, status, comment.as_deref()),
        None => check::list_status(&path),
    }
}

fn code(found: bool) -> ExitCode {
    if found { ExitCode::from(FOUND) } else { ExitCode::SUCCESS }
}

/// Results do not depend on it.
fn limit_threads(threads: Option<usize>) -> io::Result<()> {
    match threads {
        None => Ok(()),
        Some(0) => Err(io::Error::other("--threads 0: at least one thread is needed")),
        Some(count) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(count);
            pool.build_global().map_err(io::Error::other)
        }
    }
}
