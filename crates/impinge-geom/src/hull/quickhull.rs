//! Quickhull with exact visibility (Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996).
//!
//! The surface is a closed mesh of triangles. Every point that is still outside is kept in the conflict list of one triangle
//! that it sees. One step takes the farthest point of a list, removes all triangles which that point sees, closes the hole
//! with a fan from the point to the horizon, and hands the removed triangles' points to the fan.
//!
//! Where this differs: a point *sees* a triangle only if it is strictly above its plane, decided exactly, so nothing is ever
//! merged or thickened on the way. A point in the plane of a triangle does not see it, which is as if the point were pushed
//! towards the inside by an infinitesimal amount; the triangles that a point sees are therefore always a disc with a simple
//! horizon, no fan triangle is degenerate (a point in line with a horizon edge would not see the triangle behind it), and the
//! surface stays closed and convex. Triangles of one plane are joined in `merge` at the end, which also drops points that
//! turn out to be inside a face or an edge.

use super::exact::{lexicographic, side};
use crate::number::tolerance::UNIT_ROUNDOFF;
use glam::DVec3;

/// No triangle, no point.
const NONE: u32 = u32::MAX;

/// Added to every filter for what underflow may lose on coordinates up to 2: a few times 2^-1074, amplified by at most 2^4.
const UNDERFLOW: f64 = f64::from_bits((1023 - 1000) << 52);

/// A triangle of the surface.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// Counter-clockwise seen from outside.
    pub(super) corners: [u32; 3],
    /// The triangle across the edge from corner `i` to corner `i + 1`.
    pub(super) across: [u32; 3],
    /// A normal that is neither exact nor of unit length.
    normal: DVec3,
    /// Heights above this are certainly positive, below its negative certainly negative.
    slack: f64,
    /// The first point of the conflict list.
    first: u32,
    /// The point of the conflict list with the largest height, and that height.
    farthest: u32,
    height: f64,
    /// Twice the number of the last step that looked at it, plus one if that step's point saw it.
    stamp: u64,
}

impl Triangle {
    /// True if the triangle is part of the surface.
    pub(super) fn is_alive(&self) -> bool {
        self.stamp != u64::MAX
    }
}

/// An edge between a triangle that the new point sees and one that it does not see.
#[derive(Clone, Copy)]
struct HorizonEdge {
    from: u32,
    to: u32,
    /// The triangle that is not seen, and its side that is the edge.
    outer: u32,
    outer_side: usize,
}

/// The surface under construction.
pub(super) struct Quickhull<'a> {
    points: &'a [DVec3],
    /// The points times a power of two: the filter's coordinates, at most 2.
    scaled: &'a [DVec3],
    /// The size of the box around all scaled points.
    extent: DVec3,
    triangles: Vec<Triangle>,
    free: Vec<u32>,
    /// For every point the next one in its conflict list.
    next: Vec<u32>,
    /// Triangles that may have a conflict list.
    pending: Vec<u32>,
    step: u64,
    seen: Vec<u32>,
    horizon: Vec<HorizonEdge>,
    /// For every point that starts a horizon edge, that edge.
    horizon_from: Vec<u32>,
    fan: Vec<u32>,
    orphans: Vec<u32>,
}

impl<'a> Quickhull<'a> {
    /// The triangles of the hull, some of them dead. The simplex is four points that are not in one plane.
    pub(super) fn run(
        points: &'a [DVec3],
        scaled: &'a [DVec3],
        simplex: [u32; 4],
    ) -> Vec<Triangle> {
        let low = scaled.iter().copied().fold(DVec3::MAX, DVec3::min);
        let high = scaled.iter().copied().fold(DVec3::MIN, DVec3::max);
        let mut hull = Self {
            points,
            scaled,
            extent: high - low,
            triangles: Vec::new(),
            free: Vec::new(),
            next: vec![NONE; points.len()],
            pending: Vec::new(),
            step: 0,
            seen: Vec::new(),
            horizon: Vec::new(),
            horizon_from: vec![NONE; points.len()],
            fan: Vec::new(),
            orphans: Vec::new(),
        };
        hull.start(simplex);
        while let Some(triangle) = hull.pending.pop() {
            if hull.triangles[triangle as usize].first != NONE {
                hull.insert(triangle);
            }
        }
        hull.triangles
    }

    /// The simplex, and every point that is outside of it in a conflict list.
    fn start(&mut self, [mut a, mut b, c, d]: [u32; 4]) {
        let point = |index: u32| self.points[index as usize];
        if side(point(a), point(b), point(c), point(d)) < 0 {
            (a, b) = (b, a);
        }
        for (corners, across) in [
            ([a, b, c], [1, 2, 3]),
            ([b, a, d], [0, 3, 2]),
            ([c, b, d], [0, 1, 3]),
            ([a, c, d], [0, 2, 1]),
        ] {
            self.add(corners, across);
        }
        self.fan.extend([0, 1, 2, 3]);
        self.orphans.extend(0..self.points.len() as u32);
        self.adopt(NONE);
    }

    /// A new triangle in a free place.
    fn add(&mut self, corners: [u32; 3], across: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|index| self.scaled[index as usize]);
        let (u, v) = (b - a, c - a);
        let normal = u.cross(v);
        // Heights are computed as normal·(p − a). Counting roundings, each of the six products has a relative error of at most
        // (1 + u)^8 − 1; 10u leaves room for the rounding of the bound itself.
        let (u, v) = (u.abs(), v.abs());
        let permanent =
            DVec3::new(u.y * v.z + u.z * v.y, u.z * v.x + u.x * v.z, u.x * v.y + u.y * v.x);
        let slack = 10.0 * UNIT_ROUNDOFF * permanent.dot(self.extent) + UNDERFLOW;
        let triangle = Triangle {
            corners,
            across,
            normal,
            slack,
            first: NONE,
            farthest: NONE,
            height: 0.0,
            stamp: 0,
        };
        if let Some(place) = self.free.pop() {
            self.triangles[place as usize] = triangle;
            place
        } else {
            self.triangles.push(triangle);
            self.triangles.len() as u32 - 1
        }
    }

    /// The height of a point above a triangle if the point sees it: the sign is exact, the number is approximate.
    #[inline]
    fn sees(&self, point: u32, triangle: u32) -> Option<f64> {
        let triangle = &self.triangles[triangle as usize];
        let [a, b, c] = triangle.corners;
        let offset = self.scaled[point as usize] - self.scaled[a as usize];
        let height = triangle.normal.dot(offset);
        if height > triangle.slack {
            return Some(height);
        }
        if height < -triangle.slack {
            return None;
        }
        let [a, b, c, d] = [a, b, c, point].map(|index| self.points[index as usize]);
        (side(a, b, c, d) < 0).then_some(height.max(0.0))
    }

    /// Puts a point into the conflict list of a triangle.
    #[inline]
    fn assign(&mut self, point: u32, triangle: u32, height: f64) {
        let points = self.points;
        let triangle = &mut self.triangles[triangle as usize];
        let better = triangle.farthest == NONE || height > triangle.height || {
            // Points of one plane often tie; the lexicographic largest is a corner among them. Equal points go by index.
            height == triangle.height && {
                let (p, q) = (points[point as usize], points[triangle.farthest as usize]);
                lexicographic(p, q).then(triangle.farthest.cmp(&point)).is_gt()
            }
        };
        if better {
            (triangle.farthest, triangle.height) = (point, height);
        }
        self.next[point as usize] = triangle.first;
        triangle.first = point;
    }

    /// Extends the hull to the farthest point of the triangle's conflict list.
    fn insert(&mut self, start: u32) {
        let apex = self.triangles[start as usize].farthest;
        self.find_horizon(apex, start);
        self.orphans.clear();
        for index in 0..self.seen.len() {
            let place = self.seen[index];
            let triangle = &mut self.triangles[place as usize];
            triangle.stamp = u64::MAX;
            let mut point = std::mem::replace(&mut triangle.first, NONE);
            while point != NONE {
                self.orphans.push(point);
                point = self.next[point as usize];
            }
            self.free.push(place);
        }
        self.close(apex);
        self.adopt(apex);
    }

    /// Fills `seen` with the triangles that the point sees and `horizon` with the edges around them.
    fn find_horizon(&mut self, apex: u32, start: u32) {
        self.step += 1;
        let (not_seen, seen) = (2 * self.step, 2 * self.step + 1);
        self.seen.clear();
        self.horizon.clear();
        self.seen.push(start);
        self.triangles[start as usize].stamp = seen;
        let mut next = 0;
        while let Some(&inner) = self.seen.get(next) {
            next += 1;
            let Triangle { corners, across, .. } = self.triangles[inner as usize];
            for (edge, outer) in across.into_iter().enumerate() {
                let stamp = self.triangles[outer as usize].stamp;
                if stamp == seen {
                    continue;
                }
                if stamp != not_seen {
                    if self.sees(apex, outer).is_some() {
                        self.triangles[outer as usize].stamp = seen;
                        self.seen.push(outer);
                        continue;
                    }
                    self.triangles[outer as usize].stamp = not_seen;
                }
                let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
                let outer_corners = self.triangles[outer as usize].corners;
                let outer_side = outer_corners.iter().position(|c| *c == to).unwrap_or(0);
                self.horizon_from[from as usize] = self.horizon.len() as u32;
                self.horizon.push(HorizonEdge { from, to, outer, outer_side });
            }
        }
    }

    /// Closes the hole inside the horizon with a fan, in cyclic order.
    fn close(&mut self, apex: u32) {
        self.fan.clear();
        let mut edge = self.horizon[0];
        for _ in 0..self.horizon.len() {
            let HorizonEdge { from, to, outer, outer_side } = edge;
            let triangle = self.add([from, to, apex], [outer, NONE, NONE]);
            self.triangles[outer as usize].across[outer_side] = triangle;
            self.fan.push(triangle);
            edge = self.horizon[self.horizon_from[to as usize] as usize];
        }
        let mut before = self.fan[self.fan.len() - 1];
        for &triangle in &self.fan {
            self.triangles[before as usize].across[1] = triangle;
            self.triangles[triangle as usize].across[2] = before;
            before = triangle;
        }
    }

    /// Gives every orphan but the apex to a triangle of the fan that it sees. Those that see none are inside: an orphan saw a
    /// removed triangle, so it cannot lie behind the hull as seen from the apex.
    fn adopt(&mut self, apex: u32) {
        for index in 0..self.orphans.len() {
            let point = self.orphans[index];
            if point == apex {
                continue;
            }
            for index in 0..self.fan.len() {
                let triangle = self.fan[index];
                if let Some(height) = self.sees(point, triangle) {
                    self.assign(point, triangle, height);
                    break;
                }
            }
        }
        for &triangle in &self.fan {
            if self.triangles[triangle as usize].first != NONE {
                self.pending.push(triangle);
            }
        }
    }
}
