//! `cargo xtask`: the project's own commands.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{chart, endure, forward, test};

/// The project's own commands.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run everything that must pass before a change lands: format, lints, tests, the report in a browser, documentation, packages, licences.
    Test(test::Options),
    /// Redraw the README's chart from its record.
    Chart,
    /// Test the kernel against exact oracles on adversarial inputs.
    Soak(forward::Options),
    /// Run soaks, fuzzers and files under fire in turns, and add up what was done over all calls.
    Endure(endure::Options),
    /// Run experiments of the lab (`impinge-lab run`).
    Measure(forward::Options),
    /// Count instructions of hybrid hierarchies and of every single volume.
    Instructions(forward::Options),
}

fn main() -> ExitCode {
    let passed = match Arguments::parse().command {
        Command::Test(options) => test::run(&options),
        Command::Chart => chart::run(),
        Command::Soak(options) => forward::trial("soak", &options),
        Command::Endure(options) => endure::run(&options),
        Command::Measure(options) => forward::measure(&options),
        Command::Instructions(options) => forward::trial("instructions", &options),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
