//! The command line and its help.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Repeats figures and claims of collision-detection papers, beside what impinge does by default.
///
///   impinge-lab list                                  the experiments
///   impinge-lab run spm-memory --output figures       one of them
///   impinge-lab run spm-pairs --full --models scans   the published number of placements, on your own models
///   impinge-lab all --quick                           all of them, on one page: lab/index.html
///   impinge-lab stability --quick --runs 10           all of them ten times: do verdicts stay, how far do figures move
///
/// Every experiment writes NAME-*.csv, NAME-*.svg, NAME.md and NAME.html. Counts are exact and the same in every run
/// with the same seed; compare times within one run only. Ctrl-C stops the run; repeat the command to continue it.
#[derive(Parser)]
#[command(name = "impinge-lab", version, verbatim_doc_comment)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the experiments, with the figure or claim that each one reproduces
    List,
    /// Run experiments: CSV, charts as SVG with the published values, and what holds
    Run {
        /// Names from `impinge-lab list`
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
        #[command(flatten)]
        arguments: RunArguments,
    },
    /// Run all experiments and gather them on one page, index.html
    All {
        #[command(flatten)]
        arguments: RunArguments,
    },
    /// Run experiments several times: whether each verdict stays, and how far figures move
    ///
    /// Each run is kept in a folder of its own, OUTPUT/run-1 and so on; repeating the command goes on where it stopped, and runs
    /// again what has changed. Exit code 2 if a verdict differs between runs.
    Stability {
        /// Names from `impinge-lab list`; all if none is given
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// How many times
        #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000))]
        runs: u16,
        /// Write the page here, in Markdown, instead of to standard output
        #[arg(long, value_name = "FILE")]
        page: Option<PathBuf>,
        #[command(flatten)]
        arguments: RunArguments,
    },
}

/// How experiments are run.
#[derive(Args, Clone)]
pub(crate) struct RunArguments {
    /// Measure on the meshes of this folder, instead of generated ones or beside them, as `impinge-lab list` says
    #[arg(long, value_name = "DIR")]
    pub(crate) models: Option<PathBuf>,
    /// Small models and few placements: all experiments in a few minutes
    #[arg(long, conflicts_with = "full")]
    pub(crate) quick: bool,
    /// The published number of placements and bodies, however long that takes
    #[arg(long)]
    pub(crate) full: bool,
    /// Seed of the random placements
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
    /// Output folder; results of an earlier run with the same settings are reused
    #[arg(short, long, default_value = "lab", value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Measure again instead of reusing earlier results
    #[arg(long)]
    pub(crate) again: bool,
    /// Also record the tables in this folder, by processor and date
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// Hide progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
