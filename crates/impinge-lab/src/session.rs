//! What an experiment is run with: how large, from which seed, on which models; and how it tells how far it is.

use crate::error::LabError;
use crate::folder::ModelFolder;
use crate::model::{Model, ModelShape};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// Seconds: small models, few placements; enough to see the shape of a figure.
    Quick,
    /// About a minute: models of the published size, fewer placements than published.
    #[default]
    Normal,
    /// The published numbers of models and bodies, and of placements where they take no hours: each experiment tells how many.
    Full,
}

impl Size {
    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Normal => "normal",
            Self::Full => "full",
        }
    }
}

/// Called with what is being done, how much of it is done, and how much there is.
pub type Progress<'a> = &'a (dyn Fn(&str, u64, u64) + Sync);

/// What an experiment is run with.
#[derive(Clone)]
pub struct Session<'a> {
    /// How much is measured.
    pub size: Size,
    /// Every seed gives other placements.
    pub seed: u64,
    /// Models are read from here; if nothing, they are generated. What an experiment does with them, its [`ModelUse`](crate::ModelUse) tells.
    pub models: Option<ModelFolder>,
    /// Where an experiment may keep what takes long to make, such as a recorded simulation, to find it again in the next run.
    pub cache: Option<PathBuf>,
    progress: Option<Progress<'a>>,
    stop: Option<&'a AtomicBool>,
}

impl<'a> Session<'a> {
    /// A session on generated models that nobody watches.
    pub fn new(size: Size, seed: u64) -> Self {
        Self { size, seed, models: None, cache: None, progress: None, stop: None }
    }

    /// Reports progress to a callback.
    #[must_use]
    pub fn watched(mut self, progress: Progress<'a>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Ends with [`LabError::Interrupted`] soon after the flag is set.
    #[must_use]
    pub fn stopped_by(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// One of three, by size.
    pub fn pick<T>(&self, quick: T, normal: T, full: T) -> T {
        match self.size {
            Size::Quick => quick,
            Size::Normal => normal,
            Size::Full => full,
        }
    }

    /// Tells how far it is; an error if it is to stop. Call it at least once per second of work.
    pub fn step(&self, what: &str, done: u64, of: u64) -> Result<(), LabError> {
        if let Some(progress) = self.progress {
            progress(what, done, of);
        }
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(LabError::Interrupted),
            _ => Ok(()),
        }
    }

    /// The models to measure on: those of the folder, by name, up to `largest` triangles; else generated ones of about `triangles`.
    ///
    /// The generated ones are bodies with limbs, like the scanned models that papers use: the hull is much larger than the body.
    pub fn models(&self, triangles: usize, largest: usize) -> Result<Vec<Model>, LabError> {
        match &self.models {
            Some(folder) => folder.models(largest),
            None => Ok([ModelShape::Bumpy, ModelShape::Knobbly, ModelShape::Torus]
                .map(|shape| Model::generate(shape, triangles))
                .into()),
        }
    }
}
