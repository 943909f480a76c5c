//! `cargo xtask measure`: experiments of the lab, as `impinge lab run` runs them, with their tables printed.

use impinge_lab::{Experiment, LabError, Session, Size, experiment, store};
use std::path::PathBuf;
use std::time::Instant;

/// Which experiment, and how it is run.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// A name that `impinge lab list` tells, or `concentric` for all three about spheres one inside the other.
    pub name: String,
    /// Write tables, charts and the paragraph into this folder.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Models are read from this folder.
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// Small models and few placements.
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// As much as was published.
    #[arg(long)]
    pub full: bool,
    /// Every seed gives other placements.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Runs it. False if there is nothing of that name, or nothing was found.
pub fn run(options: &Options) -> bool {
    let names = match options.name.as_str() {
        "concentric" => &["close-proximity", "rounded-spheres", "rounded-sweep"][..],
        name => &[name][..],
    };
    let found = names.iter().try_for_each(|name| one(experiment::find(name)?, options));
    if let Err(error) = &found {
        println!("{error}");
    }
    found.is_ok()
}

fn one(experiment: &Experiment, options: &Options) -> Result<(), LabError> {
    let size = match (options.quick, options.full) {
        (true, _) => Size::Quick,
        (_, true) => Size::Full,
        _ => Size::Normal,
    };
    let mut session = Session::new(size, options.seed);
    session.models.clone_from(&options.models);
    let start = Instant::now();
    let finding = experiment.run(&mut session)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{} ({seconds:.1} s): {}\n{}", experiment.name, experiment.title, finding.paragraph());
    for table in &finding.tables {
        println!("{}:\n\n{}", table.title, table.markdown());
    }
    match &options.output {
        Some(folder) => store::write(folder, experiment, &session, &finding, seconds),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_promised_names_are_experiments_of_the_lab() {
        let promised = [
            "obb-overlap",
            "growth",
            "voxels",
            "builders",
            "tune",
            "hybrid",
            "scenes",
            "close-proximity",
        ];
        for name in promised {
            assert!(experiment::find(name).is_ok(), "{name}");
        }
        let nothing = Options {
            name: "nothing".into(),
            output: None,
            models: None,
            quick: true,
            full: false,
            seed: 1,
        };
        assert!(!run(&nothing));
    }
}
