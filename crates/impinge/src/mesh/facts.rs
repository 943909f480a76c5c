//! What is found out about a mesh when it is first asked for, and kept.

use super::adjacency::Adjacency;
use super::boundary::Boundary;
use impinge_geom::support_plane::SupportTable;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Found once. A mesh does not change, so neither do they.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) closed: OnceLock<bool>,
    pub(super) boundary: OnceLock<Arc<Boundary>>,
    pub(super) adjacency: OnceLock<Arc<Adjacency>>,
    /// None if the vertices that are used have no hull.
    pub(super) reach: OnceLock<Option<Arc<SupportTable>>>,
    pub(super) wishes: Wishes,
}

/// How often something was wished for that was not there.
#[derive(Debug, Default)]
pub(super) struct Wishes(AtomicU32);

impl Wishes {
    /// One more; how many there were before.
    pub(super) fn add(&self) -> u32 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

impl Clone for Wishes {
    fn clone(&self) -> Self {
        Self(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}
