//! The experiments: a folder for each document, a file for each figure or claim.
//!
//! A new one is a file with a constant of type [`Experiment`] and a line in the list of its folder.

mod chapter;
mod lecture;
mod own;
mod rounded;
mod support_planes;

use crate::error::LabError;
use crate::finding::{Document, Finding};
use crate::session::Session;

/// What an experiment does with a folder of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelUse {
    /// They are measured instead of generated ones.
    Instead,
    /// They are measured beside generated ones.
    Added,
    /// None: what is measured is always generated.
    Unused,
}

impl ModelUse {
    /// In lists, after the name of the option.
    pub fn told(self) -> &'static str {
        match self {
            Self::Instead => "measured instead of generated ones",
            Self::Added => "measured beside generated ones",
            Self::Unused => "not used",
        }
    }
}

/// A figure or claim that is measured again.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// On the command line: small letters and hyphens.
    pub name: &'static str,
    /// What is asked, in a line.
    pub title: &'static str,
    /// Where the figure or claim is from.
    pub document: Document,
    /// Which figure, section or row of a table.
    pub place: &'static str,
    /// What it does with a folder of models.
    pub models: ModelUse,
    /// One more after every change of what is measured or how it is judged: findings of another revision are not taken for its own.
    pub revision: u32,
    /// The work.
    pub work: fn(&mut Session<'_>) -> Result<Finding, LabError>,
}

impl Experiment {
    /// Runs it.
    pub fn run(&self, session: &mut Session<'_>) -> Result<Finding, LabError> {
        (self.work)(session)
    }
}

/// All of them, in the order of the documents.
///
/// ```
/// for experiment in impinge_lab::experiment::all() {
///     println!("{:<20} {}", experiment.name, experiment.title);
/// }
/// ```
pub fn all() -> impl Iterator<Item = &'static Experiment> {
    let folders = [support_planes::ALL, lecture::ALL, rounded::ALL, chapter::ALL, own::ALL];
    folders.into_iter().flatten()
}

/// The one of a name.
pub fn find(name: &str) -> Result<&'static Experiment, LabError> {
    all().find(|experiment| experiment.name == name).ok_or_else(|| LabError::Unknown(name.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use std::collections::HashSet;

    #[test]
    fn names_are_words_and_unique() {
        let mut seen = HashSet::new();
        for experiment in all() {
            assert!(seen.insert(experiment.name), "{}", experiment.name);
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(experiment.name.chars().all(fits), "{}", experiment.name);
            assert!(!experiment.title.is_empty() && !experiment.title.ends_with('.'));
            assert_eq!(find(experiment.name).unwrap().name, experiment.name);
        }
        assert!(matches!(find("nothing"), Err(LabError::Unknown(_))));
    }

    /// Those that use models fail without any; the others get as far as their first step, where they are stopped.
    #[test]
    fn a_folder_of_models_is_used_as_is_said() {
        use crate::{ModelFolder, Size};
        let folder = std::env::temp_dir().join(format!("impinge-lab-use-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for experiment in all() {
            let unused = experiment.models == ModelUse::Unused;
            let stop = std::sync::atomic::AtomicBool::new(unused);
            let mut session = Session::new(Size::Quick, 1).stopped_by(&stop);
            session.models = Some(ModelFolder::open(&folder).unwrap());
            match experiment.run(&mut session) {
                Err(LabError::Interrupted) => assert!(unused, "{}", experiment.name),
                Err(LabError::File { .. }) => assert!(!unused, "{}", experiment.name),
                other => panic!("{}: {other:?}", experiment.name),
            }
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// What columns promise that do not vary.
    #[test]
    fn counts_are_the_same_in_every_run() {
        use crate::Size;
        for name in ["torus-trees", "growth", "sat-lite", "descent", "obb-fit"] {
            let experiment = find(name).unwrap();
            let hashes = || -> Vec<(String, u64)> {
                let finding = experiment.run(&mut Session::new(Size::Quick, 1)).unwrap();
                let kept = |table: &Table| table.columns.iter().any(|column| !column.varies);
                assert!(finding.tables.iter().any(kept), "{name}");
                finding.tables.iter().map(|table| (table.name.clone(), table.hash())).collect()
            };
            assert_eq!(hashes(), hashes(), "{name}");
        }
    }

    /// `cargo test -p impinge-lab -- --ignored everything`, with `LAB_OUTPUT` for a folder to keep what is written and `LAB_ONLY` for names.
    #[test]
    #[ignore = "takes minutes"]
    fn everything_runs_quick() {
        use crate::{Size, store};
        let kept = std::env::var_os("LAB_OUTPUT").map(std::path::PathBuf::from);
        let only = std::env::var("LAB_ONLY").unwrap_or_default();
        for experiment in
            all().filter(|one| only.is_empty() || only.split(',').any(|name| name == one.name))
        {
            let start = std::time::Instant::now();
            let mut session = Session::new(Size::Quick, 1);
            let finding = experiment.run(&mut session).unwrap();
            let seconds = start.elapsed().as_secs_f64();
            eprintln!("{} ({seconds:.1} s)\n{}", experiment.name, finding.paragraph());
            assert!(
                !finding.claims.is_empty() && !finding.tables.is_empty(),
                "{}",
                experiment.name
            );
            for chart in &finding.charts {
                assert!(!chart.svg().unwrap().contains("NaN"), "{}", experiment.name);
            }
            if let Some(folder) = &kept {
                store::write(folder, experiment, &session, &finding, seconds).unwrap();
            }
        }
    }
}
