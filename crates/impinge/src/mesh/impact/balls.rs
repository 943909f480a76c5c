//! Balls around what is below each place of a hierarchy: what bounds how fast it moves, however the body turns.

use super::super::Mesh;
use impinge_geom::bound::{Bound, LANES};
use impinge_geom::glam::DVec3;
use impinge_geom::motion::Reach;
use std::sync::Arc;

/// A ball per place, in the coordinates of the mesh.
#[derive(Clone, Debug, Default)]
pub(in crate::mesh) struct Balls {
    places: Arc<[Reach]>,
}

impl Balls {
    fn new<B: Bound>(mesh: &Mesh<B>) -> Self {
        let count = (mesh.tree.node_count() * LANES) as u32;
        let ball = |place: u32| {
            let corners = || mesh.tree.items(place).iter().flat_map(|face| mesh.corners(*face));
            let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for corner in corners() {
                (low, high) = (low.min(corner), high.max(corner));
            }
            if !(low.x <= high.x) {
                return Reach { center: DVec3::ZERO, radius: 0.0 };
            }
            let center = low + (high - low) * 0.5;
            let most = corners().map(|corner| corner.distance_squared(center)).fold(0.0, f64::max);
            Reach { center, radius: most.sqrt() * (1.0 + 1e-12) }
        };
        Self { places: (0..count).map(ball).collect() }
    }

    /// The ball at a place.
    #[inline(always)]
    pub(super) fn at(&self, place: u32) -> Reach {
        let nothing = Reach { center: DVec3::ZERO, radius: 0.0 };
        self.places.get(place as usize).copied().unwrap_or(nothing)
    }
}

impl<B: Bound> Mesh<B> {
    /// The balls around what is below each place; made when they are first asked for.
    pub(super) fn balls(&self) -> &Balls {
        self.lazy.balls.get_or_init(|| Balls::new(self))
    }
}
