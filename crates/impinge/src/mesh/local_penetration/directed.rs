//! The deepest common point below the surface of one body: what both searches share.

use super::cell::{Cell, Plane};
use super::{Accuracy, SurfaceDepth};
use crate::mesh::column::Placed;
use crate::mesh::winding::winding_of;
use crate::mesh::{Mesh, ScaledPose, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::UNIT_ROUNDOFF;
use impinge_geom::triangle::closest_point;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Cells that a search opens at most; after that the interval stays as wide as it is.
pub(super) const MOST_CELLS: usize = 200_000;
/// What rounding moves a point or a distance by at most, in units in the last place of the largest coordinate.
const ROUNDINGS: f64 = 128.0;
/// The share of the accuracy that is used up by the search; the rest is for rounding.
const SHARE: f64 = 0.95;

/// The search for the deepest point of X and Y below the surface of X, in X's own frame.
pub(super) struct Directed<'m, 's, B: Bound> {
    pub(super) x: Placed<'m, B>,
    pub(super) y: Placed<'m, B>,
    /// Where X is in the frame of Y.
    x_in_y: ScaledPose,
    accuracy: Accuracy,
    pub(super) scratch: &'s mut Scratch,
    /// More than rounding moves a point or a distance by.
    pub(super) rounding: f64,
    /// The depth of the deepest common point so far, and that point.
    lower: f64,
    point: DVec3,
    /// The largest bound of a cell that was left as it is.
    left: f64,
    pub(super) opened: usize,
    /// A search ended because it had opened as many cells as it may.
    pub(super) ran_out: bool,
    /// The face of X that was nearest to the last point: mostly near the next one.
    last_near: u32,
}

/// How far the search of the surface came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) lower: f64,
    point: DVec3,
    left: f64,
    opened: usize,
    /// No common point on the surface of Y lies deeper.
    pub(super) upper: f64,
}

/// The triangle of X nearest to a point, and how far it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) distance: f64,
    pub(super) face: u32,
}

impl<'m, 's, B: Bound> Directed<'m, 's, B> {
    pub(super) fn new(
        x: &'m Mesh<B>,
        y: &'m Mesh<B>,
        y_in_x: &ScaledPose,
        accuracy: &Accuracy,
        scratch: &'s mut Scratch,
    ) -> Self {
        Self {
            x: Placed::here(x),
            y: Placed::there(y, y_in_x),
            x_in_y: y_in_x.inverse(),
            accuracy: *accuracy,
            scratch,
            rounding: rounding_of(x, y, y_in_x),
            lower: 0.0,
            point: DVec3::ZERO,
            left: 0.0,
            opened: 0,
            ran_out: false,
            last_near: 0,
        }
    }

    /// Searches the surface from a common point on. `met` are the pairs of faces, of Y and of X, that meet, ascending.
    pub(super) fn begin(mut self, common: DVec3, met: &[[u32; 2]]) -> Begun {
        (self.lower, self.point) = (self.near(common).distance, common);
        self.search_surface(met);
        let upper = self.upper();
        Begun { lower: self.lower, point: self.point, left: self.left, opened: self.opened, upper }
    }

    /// Searches the inside, if it matters, in at most this number of cells, and says whether more of them would help. Common points are known not
    /// to lie deeper than `most`.
    pub(super) fn finish(mut self, begun: &Begun, most: f64, cells: usize) -> (SurfaceDepth, bool) {
        let Begun { lower, point, left, opened, .. } = *begun;
        (self.lower, self.point, self.left, self.opened) = (lower, point, left, opened);
        self.accuracy.separation = self.accuracy.separation.min(most);
        // Of the inside nothing is known but what frees the bodies, unless it is searched.
        let mut upper = self.separation();
        if !self.is_decided() {
            self.search_interior(cells);
            upper = upper.min(self.upper());
        }
        (SurfaceDepth { value: self.lower, upper, point: self.point }, self.ran_out)
    }

    fn upper(&self) -> f64 {
        self.lower.max(self.left) + self.rounding
    }

    /// The separation, with room for rounding, and never below what was found.
    fn separation(&self) -> f64 {
        (self.accuracy.separation + self.rounding).max(self.lower)
    }

    /// A cell with no larger bound is not worth opening.
    pub(super) fn is_settled(&self, upper: f64) -> bool {
        let decided = |depth: f64| upper + self.rounding <= depth;
        upper <= self.lower + self.width() || self.accuracy.decide_at.is_some_and(decided)
    }

    /// How wide the interval may stay.
    pub(super) fn width(&self) -> f64 {
        let Accuracy { relative, absolute, .. } = self.accuracy;
        (SHARE * relative * self.lower).max(SHARE * absolute).max(self.rounding)
    }

    /// Nothing more needs to be known: the separation is reached, or what was asked is decided. What is known of the other surface may use up more of the
    /// accuracy than a cell: it ended a search of its own.
    pub(super) fn is_decided(&self) -> bool {
        let Accuracy { relative, absolute, separation, .. } = self.accuracy;
        let known = separation + 2.0 * self.rounding;
        known <= self.lower + (relative * self.lower).max(absolute)
            || self.is_settled(separation)
            || self.accuracy.decide_at.is_some_and(|depth| self.lower > depth)
    }

    /// Leaves a cell as it is.
    pub(super) fn leave(&mut self, upper: f64) {
        self.left = self.left.max(upper);
    }

    /// A common point of both bodies.
    pub(super) fn offer(&mut self, point: DVec3, depth: f64) {
        if depth > self.lower {
            (self.lower, self.point) = (depth, point);
        }
    }

    pub(super) fn lower(&self) -> f64 {
        self.lower
    }

    /// The nearest triangle of X.
    pub(super) fn near(&mut self, point: DVec3) -> Near {
        let found = self.x.mesh.closest_point_from(self.last_near, point, self.scratch);
        self.last_near = found.triangle;
        Near { distance: found.distance, face: found.triangle }
    }

    /// The distance to the surface of Y.
    pub(super) fn distance_to_y(&mut self, point: DVec3) -> f64 {
        let there = self.x_in_y.transform_point(point);
        self.y.mesh.closest_point(there, self.scratch).distance / self.x_in_y.scale
    }

    /// True if a point belongs to X.
    pub(super) fn is_in_x(&mut self, point: DVec3) -> bool {
        winding_of(&self.x, point, self.scratch).is_inside()
    }

    /// True if a point belongs to Y.
    pub(super) fn is_in_y(&mut self, point: DVec3) -> bool {
        winding_of(&self.y, point, self.scratch).is_inside()
    }

    /// The largest distance of a corner to one triangle of X: no point of the cell is farther from the surface.
    pub(super) fn farthest(&self, cell: &Cell, face: u32) -> f64 {
        let corners = self.x.mesh.corners(face);
        cell.corners().map(|p| closest_point(&corners, p).0.distance(p)).fold(0.0, f64::max)
    }

    /// A plane that parts the points nearer to one triangle of X from those nearer to another, if it is easily told: through the edge that they share,
    /// or midway between the two planes.
    pub(super) fn between(&self, one: u32, two: u32) -> Option<Plane> {
        let mesh = self.x.mesh;
        let (first, second) = (mesh.corners(one), mesh.corners(two));
        let (m, n) = (Plane::of_triangle(&first)?, Plane::of_triangle(&second)?);
        let shared: Vec<DVec3> = first.iter().copied().filter(|p| second.contains(p)).collect();
        match shared.as_slice() {
            [p, q] => Plane::through(*p, (*q - *p).cross(m.normal + n.normal)),
            _ => {
                let normal = m.normal - n.normal;
                let length = normal.length();
                if length < 1e-6 {
                    return None;
                }
                Some(Plane { normal: normal / length, offset: (m.offset - n.offset) / length })
            }
        }
    }
}

/// More than rounding moves a point or a distance by, in X's frame.
pub(super) fn rounding_of<B: Bound>(x: &Mesh<B>, y: &Mesh<B>, y_in_x: &ScaledPose) -> f64 {
    let reach = |mesh: &Mesh<B>| {
        let bounds = mesh.bounds();
        bounds.low.abs().max(bounds.high.abs()).max_element()
    };
    let size = reach(x) + reach(y) * y_in_x.scale + y_in_x.pose.translation().abs().max_element();
    ROUNDINGS * UNIT_ROUNDOFF * size
}

/// A cell on the heap: the one with the largest bound first, and of these the oldest.
pub(super) struct Ranked<T> {
    pub(super) upper: f64,
    pub(super) order: usize,
    pub(super) item: T,
}

impl<T> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper).then(other.order.cmp(&self.order))
    }
}

impl<T> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Ranked<T> {}

/// Cells in the order of their bounds.
pub(super) struct Heap<T> {
    heap: BinaryHeap<Ranked<T>>,
    count: usize,
}

impl<T> Heap<T> {
    pub(super) fn new() -> Self {
        Self { heap: BinaryHeap::new(), count: 0 }
    }

    pub(super) fn push(&mut self, upper: f64, item: T) {
        self.count += 1;
        self.heap.push(Ranked { upper, order: self.count, item });
    }

    pub(super) fn pop(&mut self) -> Option<Ranked<T>> {
        self.heap.pop()
    }
}
