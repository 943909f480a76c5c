//! The trials as a command.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use trials::{instructions, soak};

/// Long trials.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The kernel against exact oracles on adversarial inputs.
    #[command(subcommand)]
    Soak(soak::Soak),
    /// Hybrid hierarchies against every single volume, in instructions.
    Instructions(instructions::Options),
}

fn main() -> ExitCode {
    let passed = match Arguments::parse().command {
        Command::Soak(soak) => soak::run(&soak),
        Command::Instructions(options) => instructions::run(&options),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
