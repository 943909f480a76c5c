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
}
