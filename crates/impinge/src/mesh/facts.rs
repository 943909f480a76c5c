//! What is found out about a mesh when it is first asked for, and kept.

use super::Mesh;
use super::adjacency::Adjacency;
use super::boundary::Boundary;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::support_plane::SupportTable;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

/// Found once. A mesh does not change, so neither do they.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) closed: OnceLock<bool>,
    pub(super) boundary: OnceLock<Arc<Boundary>>,
    pub(super) adjacency: OnceLock<Arc<Adjacency>>,
    /// Vertices of no triangle, in order.
    pub(super) unused: OnceLock<Arc<Vec<u32>>>,
    /// None if the vertices that are used have no hull.
    pub(super) reach: OnceLock<Option<Arc<SupportTable>>>,
    pub(super) wishes: Wishes,
}

impl<B: Bound> Mesh<B> {
    /// The vertices of no triangle, in order.
    pub(super) fn unused_vertices(&self) -> &[u32] {
        self.facts.unused.get_or_init(|| {
            let mut used = vec![false; self.vertices.len()];
            for index in self.triangles.iter().flatten() {
                if let Some(used) = used.get_mut(*index as usize) {
                    *used = true;
                }
            }
            let unused = used.iter().enumerate().filter(|(_, used)| !**used);
            Arc::new(unused.map(|(index, _)| index as u32).collect())
        })
    }

    /// The corners of triangles, each vertex once.
    pub(crate) fn used_vertices(&self) -> impl Iterator<Item = DVec3> {
        let mut unused = self.unused_vertices().iter().peekable();
        self.vertices.iter().enumerate().filter_map(move |(index, vertex)| {
            unused.next_if(|unused| **unused as usize == index).is_none().then_some(*vertex)
        })
    }
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
