//! The `impinge-lab` program: runs the experiments.

mod command;

use clap::Parser;
use command::{Arguments, INTERRUPTED};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match command::run(&Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(INTERRUPTED),
        // The reader closed the pipe, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is gone too, there is nobody left to tell.
            let _ = writeln!(io::stderr(), "impinge-lab: {error}");
            ExitCode::from(2)
        }
    }
}
