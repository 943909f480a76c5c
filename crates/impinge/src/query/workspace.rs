//! Memory that queries reuse.

use super::geometry::Placed;
use crate::mesh::Scratch;
use crate::mid::PartPairs;
use crate::narrow::{ManifoldScratch, Narrow, PairResult};
use impinge_geom::pair::{Cache, WarmStart};

/// Scratch memory and warm starts for queries. Keep one per thread and pass it to the `_with` form of a verb: after the first queries
/// nothing more is allocated.
///
/// Answers do not depend on the queries before them, unless warm starts are on.
///
/// ```
/// use impinge::query::{self, Workspace};
/// use impinge::{Pose, Shape};
/// let (a, b) = (Shape::cuboid([1.0; 3])?, Shape::cylinder(1.0, 1.0)?);
/// // One pair that is followed over time: each search begins where the last one ended.
/// let mut workspace = Workspace::with_warm_starts();
/// for step in 0..10 {
///     let pose = Pose::from_translation([4.0 - 0.1 * f64::from(step), 0.0, 0.0])?;
///     assert!(query::distance_with(&Pose::IDENTITY, &a, &pose, &b, &mut workspace).distance > 0.0);
/// }
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(crate) cache: Cache,
    pub(crate) mesh: Scratch,
    pub(crate) manifold: ManifoldScratch,
    pub(crate) result: PairResult,
    /// Couples of children by a lower bound on their distance.
    pub(super) couples: Vec<(f64, [u32; 2])>,
    pub(crate) scene: SceneScratch,
    warm: bool,
}

/// The memory of questions about scenes.
#[derive(Debug, Default)]
pub(crate) struct SceneScratch {
    pub(crate) indices: Vec<u32>,
    pub(crate) pairs: Vec<[u32; 2]>,
    pub(crate) part_pairs: PartPairs,
    pub(crate) narrow: Narrow,
}

impl Clone for SceneScratch {
    /// Memory is not worth copying.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Workspace {
    /// Creates a workspace whose searches start from the separating axis of the previous query. Use it for one pair that moves a little between queries.
    /// Verdicts stay the same; distances may differ in the last bits.
    pub fn with_warm_starts() -> Self {
        Self { warm: true, ..Self::default() }
    }

    /// The scratch memory of the expert mesh layer.
    pub fn mesh_scratch(&mut self) -> &mut Scratch {
        &mut self.mesh
    }

    /// The kernel's cache at the beginning of a query.
    pub(super) fn fresh_cache(&mut self) -> &mut Cache {
        if !self.warm {
            self.cache.set_warm_start(WarmStart::default());
        }
        &mut self.cache
    }
}

/// All parts of two geometries as pairs, nearest boxes first.
pub(super) fn nearest_first<'g>(
    a: &[Placed<'g>],
    b: &[Placed<'g>],
    couples: &mut Vec<(f64, [u32; 2])>,
) {
    couples.clear();
    let boxes = |parts: &[Placed<'g>]| parts.iter().map(Placed::bounds).collect::<Vec<_>>();
    let (boxes_a, boxes_b) = (boxes(a), boxes(b));
    for (i, one) in (0..).zip(&boxes_a) {
        couples.extend((0..).zip(&boxes_b).map(|(j, two)| (one.gap(two), [i, j])));
    }
    couples.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
}
