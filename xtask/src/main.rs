//! `cargo xtask`: the project's own commands.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{forward, test};

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
    Soak(forward::Options),
    /// Experiments of the lab, by `impinge-lab run`.
    Measure(forward::Options),
    /// Hybrid hierarchies against every single volume, in instructions.
    Instructions(forward::Options),
}

fn main() -> ExitCode {
    let passed = match Arguments::parse().command {
        Command::Test(options) => test::run(&options),
        Command::Soak(options) => forward::trial("soak", &options),
        Command::Measure(options) => forward::measure(&options),
        Command::Instructions(options) => forward::trial("instructions", &options),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
