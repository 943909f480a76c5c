//! The `impinge` command.

mod arguments;
mod body;
mod demo;
mod query;

use arguments::{Arguments, Command};
use clap::Parser;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

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
        Command::Demo => demo::run().map(|()| ExitCode::SUCCESS),
    }
}
