//! Scratch memory of mesh queries.

use super::convex_host::OuterPlane;
use impinge_geom::pair::Cache;
use impinge_tree::traverse::{
    Front, Places, PointStack, Queue, RayStack, RayStacks, Remaining, Stack, TimeQueue,
};

/// Scratch memory. Keep one per thread: after the first queries nothing more is allocated.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) stack: Stack,
    pub(super) queue: Queue,
    pub(super) rays: RayStack,
    pub(super) many_rays: RayStacks,
    pub(super) points: PointStack,
    pub(super) places: Places,
    pub(super) cache: Cache,
    /// Faces along a line.
    pub(super) column: Vec<u32>,
    /// Pairs of faces that meet.
    pub(super) pairs: Vec<[u32; 2]>,
    /// Planes around a convex solid.
    pub(super) planes: Vec<OuterPlane>,
    pub(super) front: Front,
    pub(super) times: TimeQueue,
}

impl Scratch {
    /// The pairs of volumes that the last budgeted query left undecided.
    pub fn remaining(&self) -> impl Iterator<Item = &Remaining> {
        self.front.remaining()
    }
}
