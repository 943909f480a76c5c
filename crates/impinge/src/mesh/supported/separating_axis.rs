//! The cached separating axis of two meshes, which makes near misses cheap from step to step.
//!
//! Bodies that pass each other by stay near for many steps, and the axis that separated them in one step mostly separates them in the next: one
//! lookup in two tables then answers the whole question, and for solids also for the search for vertices inside. Where
//! the hulls meet, or the bodies do, tables are of no use. Hence no axis is searched until a pair was found apart by other means, and after a
//! failed search not again for some steps, twice as many each time.

use super::super::{Mesh, ScaledPose};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::hull::Hull;
use impinge_geom::support_plane::{SupportTable, TablePair};
use std::sync::Arc;

/// Cells along each side of a mesh's own table.
const CELLS: usize = 32;
/// Axes looked along, the remembered one among them.
const AXES: u32 = 3;
/// The number of consecutive failed axis tests after which the pause stops growing.
const MOST_DOUBLINGS: u8 = 5;
/// The distance of meshes is good to this share of itself: what is asked of tables is a little more.
const DISTANCE_SLACK: f64 = 1e-9;

impl<B: Bound> Mesh<B> {
    /// The table of support values of the mesh in all directions. Built on first use, in about a quarter of the time of
    /// [`Mesh::new`], and kept: some four kilobytes. `None` if the mesh has more vertices than
    /// [`Hull::new`] takes.
    ///
    /// ```
    /// use impinge::{geom::glam::DVec3, mesh::Mesh};
    /// let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let table = mesh.support_table().unwrap();
    /// assert!(table.support_value(DVec3::X) >= 3.0 && table.center() == DVec3::ONE);
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn support_table(&self) -> Option<&SupportTable> {
        let made = self.lazy.reach.get_or_init(|| {
            let points: Vec<[f64; 3]> =
                self.used_vertices().map(|vertex| vertex.to_array()).collect();
            let hull = Hull::new(&points).ok()?;
            Some(Arc::new(SupportTable::new(&hull, CELLS)))
        });
        made.as_deref()
    }

    /// True once the table has been requested: it exists, or there is none.
    #[inline]
    pub fn has_support_table(&self) -> bool {
        self.lazy.reach.get().is_some()
    }

    /// The table if it was made.
    #[inline]
    fn made_table(&self) -> Option<&SupportTable> {
        self.lazy.reach.get()?.as_deref()
    }
}

/// The cached separating axis of a pair of meshes. It affects how fast answers come, never what they are.
///
/// It uses existing tables and builds none: [`Mesh::support_table`] does. A scene builds that of a mesh once it would have been used often enough to
/// pay for itself: some hundred times for small meshes, a quarter of the number of vertices for large ones.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, SeparatingAxisCache, Scratch}};
/// let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// assert!(mesh.support_table().is_some());
/// let (mut memory, mut scratch, mut glances) = (SeparatingAxisCache::default(), Scratch::default(), 0);
/// for step in 0..10 {
///     let along = 2.0 - 0.05 * f64::from(step);
///     let place = Pose::from_translation([along; 3])?.into();
///     if memory.is_apart(&mesh, &mesh, &place, 0.0) {
///         glances += 1;
///     } else {
///         memory.note(mesh::overlap(&mesh, &mesh, &place, &mut scratch));
///     }
/// }
/// assert_eq!(glances, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeparatingAxisCache {
    /// The last axis that parted them, from A to B, in A's frame.
    axis: Option<DVec3>,
    /// True if they did not meet when they were asked about last.
    apart: bool,
    /// Consecutive failed axis tests.
    vain: u8,
    /// Remaining steps of the pause.
    pause: u8,
}

impl SeparatingAxisCache {
    /// True if the next [test](SeparatingAxisCache::is_apart) uses tables: the two were apart, and there is no pause.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.apart && self.pause == 0
    }

    /// True if the cached axis shows that the meshes are more than `distance` apart, in A's unit, as surfaces and as solids. Otherwise nothing is
    /// known: run the full query and [note](SeparatingAxisCache::note) the answer.
    #[inline]
    pub fn is_apart<B: Bound>(
        &mut self,
        a: &Mesh<B>,
        b: &Mesh<B>,
        b_in_a: &ScaledPose,
        distance: f64,
    ) -> bool {
        if !self.apart {
            return false;
        }
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        let (Some(table_a), Some(table_b)) = (a.made_table(), b.made_table()) else { return false };
        let pair = TablePair::new(table_a, table_b, &b_in_a.pose, b_in_a.scale);
        let distance = distance * (1.0 + DISTANCE_SLACK);
        self.axis = pair.reflected_from(self.axis, AXES, distance).axis;
        let found = self.axis.is_some();
        if found {
            self.vain = 0;
        } else {
            self.pause = (1 << self.vain) - 1;
            self.vain = (self.vain + 1).min(MOST_DOUBLINGS);
        }
        found
    }

    /// Records whether the meshes met, or were within the distance.
    #[inline]
    pub fn note(&mut self, met: bool) {
        if met {
            *self = Self::default();
        }
        self.apart = !met;
    }
}
