//! Separating axes of two bodies, from their support tables.
//!
//! The first axis is the line of centres. If it does not part them, the next one is its reflection at the plane across the way from
//! one farthest point to the other, along which these two points are apart: K. Chung and W. Wang, "Quick collision detection
//! of polytopes in virtual environments" (1996). A table knows no vertices; its [corners](SupportTable::corner) stand for them. A search
//! ends early where the new axis points away from the other body's centre: the centres are inside, so no such axis parts.

use super::SupportTable;
use super::support_table::Cell;
use crate::Pose;
use crate::number::tolerance::SUPPORT_MARGIN;
use glam::DVec3;

/// Shorter axes are of bodies whose centres coincide but for rounding; products with them would lose digits.
const LEAST_AXIS: f64 = 1e-200;

/// Two support tables, the second one in the frame of the first.
///
/// A cached axis is tried with [`TablePair::parted_along`]; [`TablePair::reflected`] gives one to cache.
///
/// ```
/// use impinge_geom::{Pose, hull::Hull, support_plane::{SupportTable, TablePair}};
/// let hull = Hull::new(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
/// let table = SupportTable::new(&hull, 32);
/// let near = Pose::from_translation([3.0, 3.0, 3.0])?;
/// let axis = TablePair::new(&table, &table, &near, 1.0).reflected(3).axis.unwrap();
/// let nearer = Pose::from_translation([2.0, 2.0, 2.0])?;
/// assert!(TablePair::new(&table, &table, &nearer, 1.0).parted_along(axis));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TablePair<'t> {
    a: &'t SupportTable,
    b: &'t SupportTable,
    pose: &'t Pose,
    scale: f64,
    /// From centre to centre.
    way: DVec3,
    /// For axes with |d|₁ = 1.
    margin: f64,
}

/// The result of a search for a separating axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reflection {
    /// A separating axis, from the first body to the second, in the frame of the first; of any length.
    pub axis: Option<DVec3>,
    /// Number of axes tried.
    pub tried: u32,
}

impl<'t> TablePair<'t> {
    /// B is scaled about its origin, then moved.
    #[inline]
    pub fn new(a: &'t SupportTable, b: &'t SupportTable, b_in_a: &'t Pose, scale: f64) -> Self {
        let to = b_in_a.transform_point(b.center() * scale);
        let way = to - a.center();
        let place = b_in_a.translation().abs().max_element();
        let largest = a.largest() + b.largest() * scale + place;
        Self { a, b, pose: b_in_a, scale, way, margin: SUPPORT_MARGIN * f64::EPSILON * largest }
    }

    /// True if the bodies are certainly separated along an axis of A's frame that points from A to B.
    #[inline]
    pub fn parted_along(&self, axis: DVec3) -> bool {
        self.look(axis, 0.0).parted
    }

    /// True if the bodies are certainly separated along the line of their centres.
    #[inline]
    pub fn parted(&self) -> bool {
        self.parted_along(self.way)
    }

    /// Searches for a separating axis: the line of centres, then its reflections, up to the given number in all.
    #[inline]
    pub fn reflected(&self, axes: u32) -> Reflection {
        self.search(self.way, axes, 0.0)
    }

    /// Like [`TablePair::reflected`], but starts with a cached separating axis if there is one, and counts bodies as separated only where they are
    /// certainly more than `distance` apart, in A's unit.
    ///
    /// ```
    /// use impinge_geom::{Pose, hull::Hull, support_plane::{SupportTable, TablePair}};
    /// let hull = Hull::new(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
    /// let table = SupportTable::new(&hull, 32);
    /// let place = Pose::from_translation([2.0, 2.0, 2.0])?;
    /// let pair = TablePair::new(&table, &table, &place, 1.0);
    /// let axis = pair.reflected_from(None, 3, 1.0).axis;
    /// assert_eq!(pair.reflected_from(axis, 3, 1.1).tried, 1);
    /// // The tip is two over the root of three away from the face.
    /// assert_eq!(pair.reflected_from(axis, 3, 1.2).axis, None);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline]
    pub fn reflected_from(&self, before: Option<DVec3>, axes: u32, distance: f64) -> Reflection {
        self.search(before.unwrap_or(self.way), axes, distance)
    }

    #[inline(always)]
    fn search(&self, first: DVec3, axes: u32, distance: f64) -> Reflection {
        let mut axis = first;
        for tried in 1..=axes {
            let Look { cells: [a, b], gap, parted } = self.look(axis, distance);
            if parted {
                return Reflection { axis: Some(axis), tried };
            }
            if tried == axes {
                break;
            }
            let between = self.way + self.pose.rotate(b.corner()) * self.scale - a.corner();
            let next = axis - between * (2.0 * gap / between.length_squared());
            // False also of what is not a number.
            let onward = next.dot(self.way) > 0.0;
            if !onward {
                return Reflection { axis: None, tried };
            }
            axis = next;
        }
        Reflection { axis: None, tried: axes }
    }

    #[inline(always)]
    fn look(&self, axis: DVec3, distance: f64) -> Look {
        let cells = [self.a.cell(axis), self.b.cell(-self.pose.inverse_rotate(axis))];
        let gap =
            axis.dot(self.way) - (cells[0].support_value() + cells[1].support_value() * self.scale);
        let wanted = if distance > 0.0 { distance * axis.length() } else { 0.0 };
        // What is not a number parts nothing, nor does what was too small or too large to compute with.
        let sum = cells[0].sum;
        let parted = gap > wanted + self.margin * sum && gap < f64::INFINITY && sum > LEAST_AXIS;
        Look { cells, gap, parted }
    }
}

/// What is seen along an axis: how far the bodies are apart, times its length.
struct Look {
    cells: [Cell; 2],
    gap: f64,
    parted: bool,
}
