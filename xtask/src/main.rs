//! `cargo xtask`: the project's own commands.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{measure, soak, test};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything that must hold before a change lands: format, lints, tests, documentation, packages, licences.
    Test(test::Options),
    /// The kernel against exact oracles on adversarial inputs.
    #[command(subcommand)]
    Soak(soak::Soak),
    /// Figures of the literature, measured again.
    #[command(subcommand)]
    Measure(measure::Measure),
}

fn main() -> ExitCode {
    let passed = match Arguments::parse().command {
        Command::Test(options) => test::run(&options),
        Command::Soak(soak) => soak::run(&soak),
        Command::Measure(measure) => measure::run(&measure),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
