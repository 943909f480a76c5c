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
//!
//! Against inputs on which the farthest point is a bad choice, the work is counted; when it exceeds what benign inputs need,
//! the points that are still outside are inserted in random order instead, for which O(n log n) is expected whatever the
//! input (Clarkson, Shor, "Applications of random sampling in computational geometry, II", 1989).
//!
//! `docs/maths/hull.md` has the proofs.

use super::exact::lexicographic;
use super::fan::LARGE_FAN;
use super::lattice::Lattice;
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
    pub(super) points: &'a [DVec3],
    /// The points times a power of two: the filter's coordinates, at most 2.
    scaled: &'a [DVec3],
    pub(super) lattice: Lattice,
    /// The size of the box around all scaled points.
    extent: DVec3,
    pub(super) triangles: Vec<Triangle>,
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
    pub(super) fan: Vec<u32>,
    orphans: Vec<u32>,
    /// How many triangles were made and points handed on.
    work: u64,
    /// For every point the triangle in whose conflict list it is; empty while the farthest points come first.
    conflict: Vec<u32>,
}

impl<'a> Quickhull<'a> {
    /// The triangles of the hull, some of them dead. The simplex is four points that are not in one plane.
    pub(super) fn run(
        points: &'a [DVec3],
        scaled: &'a [DVec3],
        lattice: Lattice,
        simplex: [u32; 4],
    ) -> Vec<Triangle> {
        let low = scaled.iter().copied().fold(DVec3::MAX, DVec3::min);
        let high = scaled.iter().copied().fold(DVec3::MIN, DVec3::max);
        let mut hull = Self {
            points,
            scaled,
            lattice,
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
            work: 0,
            conflict: Vec::new(),
        };
        hull.start(simplex);
        let count = points.len() as u64;
        let budget = WORK * count * u64::from(count.ilog2());
        while let Some(triangle) = hull.pending.pop() {
            let Triangle { first, farthest, .. } = hull.triangles[triangle as usize];
            if first != NONE {
                hull.insert(farthest, triangle);
            }
            if hull.work > budget {
                hull.insert_in_random_order();
            }
        }
        hull.triangles
    }

    /// Inserts all points that are still outside, in random order.
    fn insert_in_random_order(&mut self) {
        self.conflict = vec![NONE; self.points.len()];
        let mut order = Vec::new();
        for (place, triangle) in self.triangles.iter().enumerate() {
            let mut point = triangle.first;
            while point != NONE {
                self.conflict[point as usize] = place as u32;
                order.push(point);
                point = self.next[point as usize];
            }
        }
        shuffle(&mut order);
        for point in order {
            let triangle = self.conflict[point as usize];
            if triangle != NONE {
                self.insert(point, triangle);
            }
        }
        self.pending.clear();
    }

    /// The simplex, and every point that is outside of it in a conflict list.
    fn start(&mut self, [mut a, mut b, c, d]: [u32; 4]) {
        let point = |index: u32| self.points[index as usize];
        if self.lattice.side(point(a), point(b), point(c), point(d)) < 0 {
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
    pub(super) fn sees(&self, point: u32, triangle: u32) -> Option<f64> {
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
        let (side, determinant) = self.lattice.unfiltered(a, b, c, d);
        (side < 0).then_some(-determinant)
    }

    /// Puts a point into the conflict list of a triangle.
    #[inline]
    fn assign(&mut self, point: u32, triangle: u32, height: f64) {
        let points = self.points;
        let triangle = &mut self.triangles[triangle as usize];
        // Points of one plane or line often tie; the lexicographic largest is a corner among them.
        let better = triangle.farthest == NONE
            || height > triangle.height
            || (height == triangle.height && {
                let (p, q) = (points[point as usize], points[triangle.farthest as usize]);
                lexicographic(p, q).is_gt()
            });
        if better {
            (triangle.farthest, triangle.height) = (point, height);
        }
        self.next[point as usize] = triangle.first;
        triangle.first = point;
    }

    /// Extends the hull to a point that sees the given triangle.
    fn insert(&mut self, apex: u32, start: u32) {
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
        self.work += (self.orphans.len() + self.fan.len()) as u64;
        let large = self.fan.len() > LARGE_FAN && self.orphans.len() > 1;
        if large {
            self.begin_fan_at_corner();
        }
        for index in 0..self.orphans.len() {
            let point = self.orphans[index];
            let found = if point == apex {
                None
            } else if large {
                self.search_fan(point, apex)
            } else {
                self.fan.iter().find_map(|t| self.sees(point, *t).map(|height| (*t, height)))
            };
            if let Some((triangle, height)) = found {
                self.assign(point, triangle, height);
            }
            if let Some(conflict) = self.conflict.get_mut(point as usize) {
                *conflict = found.map_or(NONE, |(triangle, _)| triangle);
            }
        }
        for &triangle in &self.fan {
            if self.triangles[triangle as usize].first != NONE {
                self.pending.push(triangle);
            }
        }
    }
}

/// How many triangles are made and points handed on, per input point and doubling of their number, before the order becomes
/// random. Points on a sphere need about one, and so do other benign inputs. Unit tests go over to the random order at once.
const WORK: u64 = if cfg!(test) { 0 } else { 2 };

/// A fixed pseudo-random order (Fisher, Yates; random numbers by Steele's splitmix).
fn shuffle(order: &mut [u32]) {
    let mut state = 0u64;
    for last in (1..order.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        order.swap(last, ((mixed ^ mixed >> 31) % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use crate::hull::Hull;
    use crate::testing::Random;

    /// Here small fans are bisected too, and after the first point the order is random: both must give hulls.
    #[test]
    fn rare_paths_give_valid_hulls() {
        let mut random = Random::new(1);
        for round in 0..3000 {
            let side = 2 + round % 5;
            let count = 4 + random.below(60);
            let points: Vec<[f64; 3]> = (0..count)
                .map(|_| {
                    let [x, y, z] = [0; 3].map(|_| random.below(side) as f64);
                    [x, y, if round % 2 == 0 { z } else { z.min(x * y) }]
                })
                .collect();
            let hull = Hull::new(&points).unwrap();
            assert_eq!(hull.validate_containing(&points), Ok(()), "{points:?}");
        }
    }
}
