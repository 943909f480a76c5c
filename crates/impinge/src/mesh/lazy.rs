//! Data of a mesh that is computed on first use and kept behind a [`OnceLock`]: it depends on the mesh alone, so no answer depends on whether,
//! when or by which thread it was computed.

use super::adjacency::Adjacency;
use super::boundary::Boundary;
use super::fast_winding::Dipoles;
use super::impact::Balls;
use super::local_penetration::Plane;
use super::star::Star;
use super::{Mesh, Mode};
use impinge_geom::DAabb;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::support_plane::SupportTable;
use std::sync::{Arc, OnceLock};

/// Found once. A mesh does not change, so neither do they.
#[derive(Clone, Debug, Default)]
pub(super) struct LazyData {
    pub(super) closed: OnceLock<bool>,
    pub(super) first_of_each_part: OnceLock<Arc<[u32]>>,
    pub(super) bounds: OnceLock<DAabb>,
    pub(super) boundary: OnceLock<Arc<Boundary>>,
    pub(super) adjacency: OnceLock<Arc<Adjacency>>,
    pub(super) dipoles: OnceLock<Arc<Dipoles>>,
    /// Vertices of no triangle, in order.
    pub(super) unused: OnceLock<Arc<Vec<u32>>>,
    /// None if the vertices that are used have no hull.
    pub(super) reach: OnceLock<Option<Arc<SupportTable>>>,
    pub(super) balls: OnceLock<Balls>,
    pub(super) star: OnceLock<Option<Star>>,
    /// None if the mesh is no convex solid.
    pub(super) half_spaces: OnceLock<Option<Arc<[Plane]>>>,
}

impl<B: Bound> Mesh<B> {
    /// The smallest box around all triangles.
    pub fn bounds(&self) -> DAabb {
        *self.lazy.bounds.get_or_init(|| {
            let used = self.triangles.iter().flatten();
            DAabb::of_points(used.filter_map(|index| self.vertices.get(*index as usize)).copied())
        })
    }

    /// A solid if the mesh is closed, else a surface.
    pub fn natural_mode(&self) -> Mode {
        if self.is_closed() { Mode::Solid } else { Mode::Surface }
    }

    /// The vertices of no triangle, in order.
    pub(super) fn unused_vertices(&self) -> &[u32] {
        self.lazy.unused.get_or_init(|| {
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
