//! What is found out about a mesh when it is first asked for, and kept.

use super::adjacency::Adjacency;
use super::boundary::Boundary;
use std::sync::{Arc, OnceLock};

/// Found once. A mesh does not change, so neither do they.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) closed: OnceLock<bool>,
    pub(super) boundary: OnceLock<Arc<Boundary>>,
    pub(super) adjacency: OnceLock<Arc<Adjacency>>,
}
