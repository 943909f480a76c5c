//! Why an experiment gave no finding.

use std::fmt;
use std::path::PathBuf;

/// Why an experiment gave no finding.
#[derive(Clone, Debug, PartialEq)]
pub enum LabError {
    /// It was asked to stop.
    Interrupted,
    /// There is no experiment of this name.
    Unknown(String),
    /// A file or folder could not be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Something that cannot happen with the inputs of experiments did: two methods disagree, or a model was refused.
    Failed(String),
}

impl LabError {
    /// For what a constructor refused.
    pub fn failed(reason: impl fmt::Display) -> Self {
        Self::Failed(reason.to_string())
    }

    /// For a file or folder.
    pub fn file(path: impl Into<PathBuf>, reason: impl fmt::Display) -> Self {
        Self::File { path: path.into(), reason: reason.to_string() }
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => write!(f, "interrupted"),
            Self::Unknown(name) => {
                write!(f, "there is no experiment {name:?}; `impinge-lab list` names them")
            }
            Self::File { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::Failed(reason) => write!(f, "{reason}"),
        }
    }
}

impl std::error::Error for LabError {}
