//! What `impinge lab` is asked for.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum LabCommand {
    /// Name the experiments, with the figure or claim that each one measures again
    List,
    /// Run experiments: CSV, charts as SVG with the published values, and what holds
    Run {
        /// Which, as `impinge lab list` names them
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
        #[command(flatten)]
        arguments: LabRunArguments,
    },
    /// Run all experiments and gather them on one page, index.html
    All {
        #[command(flatten)]
        arguments: LabRunArguments,
    },
}

/// How experiments are run.
#[derive(Args, Clone)]
pub(crate) struct LabRunArguments {
    /// Measure on the meshes of this folder: instead of generated ones, beside them, or not at all, as `impinge lab list` says
    #[arg(long, value_name = "DIR")]
    pub(crate) models: Option<PathBuf>,
    /// Small models and few placements: all experiments in some minutes
    #[arg(long, conflicts_with = "full")]
    pub(crate) quick: bool,
    /// The published numbers of placements and bodies, however long that takes
    #[arg(long)]
    pub(crate) full: bool,
    /// Every seed gives other placements
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,
    /// Where everything is written; what is there from a run with the same settings is not measured again
    #[arg(short, long, default_value = "lab", value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Measure again what is done
    #[arg(long)]
    pub(crate) again: bool,
    /// Also keep the tables here, in a folder named after the processor, with the date
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// No progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// What `impinge lab --help` says.
pub(crate) const LAB: &str = "\
Measures figures and claims of papers on collision detection again, beside what impinge does by default.

  impinge lab list                                  which there are
  impinge lab run spm-memory --output figures       one of them
  impinge lab run spm-pairs --full --models scans   the published number of placements, on models of your own
  impinge lab all --quick                           all of them, on one page: lab/index.html

Every experiment writes NAME-*.csv, NAME-*.svg, NAME.md and NAME.html. Counts are exact and the same in every run
with the same seed; times are compared within one run only. Ctrl-C ends the work; the same command goes on from there.";
