//! What queries keep between calls.

use impinge_tree::traverse::{PointStack, Queue, RayStack, Stack};

/// Memory for queries. Keep one per thread: after the first queries no more is allocated.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) stack: Stack,
    pub(super) queue: Queue,
    pub(super) rays: RayStack,
    pub(super) points: PointStack,
}
