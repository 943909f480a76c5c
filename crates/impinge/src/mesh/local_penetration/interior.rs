//! The deepest local maxima of the distance to X's surface that lie inside of Y.

use super::cell::{Cell, Plane};
use super::directed::{Directed, Heap};
use super::surface::distance_to;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::ray::Ray;
use std::ops::ControlFlow;

/// Faces near a cell beyond which it is not asked whether they all look one way.
const MOST_NEAR: usize = 4096;
/// The sine of the angle by which all faces near a cell must look into one half-space: more than rounding.
const FACING: f64 = 1e-9;

impl<B: Bound> Directed<'_, '_, B> {
    pub(super) fn search_interior(&mut self, cells: usize) {
        let axes = self.own_axes();
        let (x, y) = (self.x, self.y);
        let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
        for (axis, along) in axes.iter().enumerate() {
            let (of_x, of_y) = (reach(x.vertices(), *along), reach(y.vertices(), *along));
            low[axis] = of_x[0].max(of_y[0]) - self.rounding;
            high[axis] = of_x[1].min(of_y[1]) + self.rounding;
        }
        if low.cmpgt(high).any() {
            return;
        }
        let mut heap = Heap::new();
        heap.push(f64::INFINITY, Cell::cuboid(&axes, low, high));
        let end = self.opened + cells;
        while let Some(top) = heap.pop() {
            self.opened += 1;
            let done = self.is_settled(top.upper) || self.is_decided();
            if done || self.opened > end {
                self.ran_out = !done;
                return self.leave(top.upper);
            }
            self.open_cell(&top.item, top.upper, &axes, &mut heap);
        }
    }

    /// Axes along the largest face of X and across it: cells along them follow what is flat.
    fn own_axes(&self) -> [DVec3; 3] {
        let mesh = self.x.mesh;
        let (mut largest, mut chosen) = (0.0, [DVec3::ZERO; 3]);
        for face in 0..mesh.triangles.len() as u32 {
            let corners @ [p, q, r] = mesh.corners(face);
            let area = (q - p).cross(r - p).length_squared();
            if area > largest {
                (largest, chosen) = (area, corners);
            }
        }
        let [p, q, r] = chosen;
        let Some(normal) = (q - p).cross(r - p).try_normalize() else { return DVec3::AXES };
        // The longest side is mostly a diagonal, the second longest an edge.
        let mut sides = [q - p, r - q, p - r];
        sides.sort_by(|s, t| t.length_squared().total_cmp(&s.length_squared()));
        let along = sides[1].normalize_or(normal.any_orthonormal_vector());
        [normal, along, normal.cross(along)]
    }

    fn open_cell(&mut self, cell: &Cell, most: f64, axes: &[DVec3; 3], heap: &mut Heap<Cell>) {
        let (middle, radius) = cell.ball();
        let near = self.near(middle);
        let in_x = self.is_in_x(middle);
        let depth = if in_x { near.distance } else { -near.distance };
        let mut upper = most.min(depth + radius);
        if depth < -radius {
            return;
        }
        let to_y = self.distance_to_y(middle);
        let beside_y = to_y > radius + self.rounding;
        // Where it decides nothing it is not asked.
        if beside_y || (in_x && depth > self.lower()) {
            let in_y = self.is_in_y(middle);
            if !in_y && beside_y {
                return;
            }
            if in_x && in_y {
                self.offer(middle, depth);
            }
        }
        upper = upper.min(self.farthest(cell, near.face));
        if !self.is_settled(upper)
            && let Some(height) = self.under_lid(cell, near.face)
        {
            upper = upper.min(height);
        }
        if self.is_settled(upper) {
            return self.leave(upper);
        }
        if self.has_no_maximum(middle, near.distance + 2.0 * radius + self.rounding, near.face) {
            return;
        }
        let plane = self
            .midway(cell, middle, near.face)
            .or_else(|| self.between_corners(cell, near.face, radius < near.distance, &mut upper))
            .or_else(|| self.across(cell, near.face, axes));
        let Some(plane) = plane else { return self.leave(upper) };
        if self.is_settled(upper) {
            return self.leave(upper);
        }
        for part in cell.cut(&plane, self.rounding) {
            if !part.is_empty() {
                heap.push(upper, part);
            }
        }
    }

    /// The plane midway between the nearest face and the one opposite, if it cuts the cell: where they are flat, both halves lie under a lid.
    fn midway(&mut self, cell: &Cell, middle: DVec3, face: u32) -> Option<Plane> {
        let filled = self.x.mesh.boundary().filled_throughout(face).map(|f| [f.front, f.back]);
        let along = inward(&self.x.mesh.corners(face), filled)?;
        let ray = Ray::new(middle.to_array(), along.to_array()).ok()?;
        let opposite = self.x.mesh.cast_ray(&ray, self.scratch)?.triangle;
        let plane = self.between(face, opposite)?;
        cell.is_cut_fairly(&plane, self.rounding).then_some(plane)
    }

    /// A plane between the face nearest to the middle of a small cell and one nearest to a corner; on the way these bound the cell.
    fn between_corners(
        &mut self,
        cell: &Cell,
        face: u32,
        small: bool,
        upper: &mut f64,
    ) -> Option<Plane> {
        if !small {
            return None;
        }
        let mut found = None;
        for corner in cell.corners() {
            let other = self.near(corner).face;
            if other != face {
                *upper = upper.min(self.farthest(cell, other));
                let plane = self.between(face, other);
                found = found.or(plane.filter(|plane| cell.is_cut_fairly(plane, self.rounding)));
            }
        }
        found
    }

    /// The plane across one of the axes, in the middle of the cell, after which the nearest face bounds both halves best; across the longest if none
    /// helps.
    fn across(&self, cell: &Cell, face: u32, axes: &[DVec3; 3]) -> Option<Plane> {
        let whole = self.farthest(cell, face);
        let mut best: Option<(f64, Plane)> = None;
        let mut longest: Option<(f64, Plane)> = None;
        for along in axes {
            let [low, high] = cell.reach(*along);
            let plane = Plane { normal: *along, offset: 0.5 * low + 0.5 * high };
            if !cell.is_cut(&plane, self.rounding) {
                continue;
            }
            let bounds = cell.cut(&plane, self.rounding).map(|part| self.farthest(&part, face));
            let bound = bounds[0].max(bounds[1]);
            if best.is_none_or(|(least, _)| bound < least) {
                best = Some((bound, plane));
            }
            if longest.is_none_or(|(length, _)| high - low > length) {
                longest = Some((high - low, plane));
            }
        }
        let helps = best.filter(|(bound, _)| *bound < 0.98 * whole);
        helps.or(longest).map(|(_, plane)| plane)
    }

    /// True if all faces of X within a ball look away from one open half-space: for every point of X whose nearest faces are among them the distance
    /// grows along its middle.
    fn has_no_maximum(&mut self, middle: DVec3, radius: f64, nearest: u32) -> bool {
        let x = self.x;
        let boundary = x.mesh.boundary();
        let mut normals: Vec<DVec3> = Vec::new();
        let mut plain = true;
        let ball = (middle - radius, middle + radius);
        x.within(ball, &mut self.scratch.places, |mesh, leaf| {
            for &face in mesh.tree.leaf(leaf) {
                let corners = mesh.corners(face);
                if distance_to(&corners, middle) > radius {
                    continue;
                }
                match inward(&corners, boundary.filled_throughout(face).map(|f| [f.front, f.back]))
                {
                    Some(normal) if normals.len() < MOST_NEAR => normals.push(normal),
                    _ => plain = false,
                }
                if !plain {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        if !plain {
            return false;
        }
        let sum = normals.iter().fold(DVec3::ZERO, |sum, normal| sum + *normal);
        let filled = boundary.filled_throughout(nearest).map(|f| [f.front, f.back]);
        let own = inward(&x.mesh.corners(nearest), filled);
        let grows = |along: DVec3| normals.iter().all(|normal| normal.dot(along) > FACING);
        sum.try_normalize().is_some_and(grows) || own.is_some_and(grows)
    }
}

/// How far points reach along a direction.
fn reach(points: impl Iterator<Item = DVec3>, along: DVec3) -> [f64; 2] {
    let empty = [f64::INFINITY, f64::NEG_INFINITY];
    points.map(|p| p.dot(along)).fold(empty, |[low, high], h| [low.min(h), high.max(h)])
}

/// The unit normal of a face towards the solid; none if the solid is on both of its sides, on neither, or it is not known.
fn inward([p, q, r]: &[DVec3; 3], filled: Option<[bool; 2]>) -> Option<DVec3> {
    let normal = (*q - *p).cross(*r - *p).try_normalize()?;
    match filled? {
        [true, false] => Some(normal),
        [false, true] => Some(-normal),
        _ => None,
    }
}
