//! `cargo xtask`: the project's own commands.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{instructions, measure, soak, test};

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
    /// Experiments of the lab, by `impinge lab run`.
    Measure(measure::Options),
    /// Hybrid hierarchies against every single volume, in instructions.
    Instructions(instructions::Options),
}

fn main() -> ExitCode {
    let passed = match Arguments::parse().command {
        Command::Test(options) => test::run(&options),
        Command::Soak(soak) => soak::run(&soak),
        Command::Measure(options) => measure::run(&options),
        Command::Instructions(options) => instructions::run(&options),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
