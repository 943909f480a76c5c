//! Refitting the k-DOP of a rotating body: from the corners of the first one, and by hill climbing on the hull.

use super::Kdop;
use super::fan::weight;
use crate::hull::Hull;
use glam::{DMat3, DVec3, Vec3A};

/// A corner may be beyond a plane by this share of the size: rounding of three planes' intersection is less.
const BEYOND: f64 = 1e-6;

/// What is made of such corners is grown by this share: more than corners may be beyond planes.
const GROWN: f64 = 1e-5;

impl<const HALF: usize> Kdop<HALF> {
    /// The corners of the volume: where three of its planes meet inside all others, within the rounding of f32.
    ///
    /// ```
    /// use impinge_geom::{bound::{Bound, Dop14, Moments}, glam::Vec3A};
    /// let cube: Vec<Vec3A> = (0..8).map(|k| Vec3A::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32)).collect();
    /// let volume = Dop14::fit(&cube, &Moments::default(), 0.0);
    /// assert!(volume.corners().iter().all(|corner| cube.iter().any(|p| p.as_dvec3().distance(*corner) < 1e-4)));
    /// ```
    pub fn corners(&self) -> Vec<DVec3> {
        let planes: Vec<(DVec3, f64)> = self
            .slabs()
            .flat_map(|(n, [low, high])| {
                let n = n.as_dvec3();
                [(n, f64::from(high)), (-n, -f64::from(low))]
            })
            .collect();
        let size = planes.iter().fold(0.0f64, |most, plane| most.max(plane.1.abs()));
        let mut corners = Vec::new();
        for (i, a) in planes.iter().enumerate() {
            for (j, b) in planes.iter().enumerate().skip(i + 1) {
                for c in &planes[j + 1..] {
                    let rows = DMat3::from_cols(a.0, b.0, c.0).transpose();
                    // Directions are whole numbers: so is the determinant.
                    if rows.determinant().abs() < 0.5 {
                        continue;
                    }
                    let corner = rows.inverse() * DVec3::new(a.1, b.1, c.1);
                    if planes.iter().all(|plane| plane.0.dot(corner) <= plane.1 + BEYOND * size) {
                        corners.push(corner);
                    }
                }
            }
        }
        corners
    }

    /// The k-DOP of another one's [corners](Self::corners) after a rotation: the tightest without the body itself.
    ///
    /// The corners take about k⁴ steps once; each rotation then takes one step per corner and direction.
    pub fn turned_by_corners(corners: &[DVec3], rotation: DMat3) -> Self {
        let size = corners.iter().fold(0.0f64, |most, p| most.max(p.abs().max_element()));
        let turned: Vec<Vec3A> = corners.iter().map(|p| (rotation * *p).as_vec3a()).collect();
        // What `corners` allows itself.
        Self::of_points(&turned, (size * GROWN) as f32)
    }

    /// The k-DOP of a convex hull after a rotation, by hill climbing on its vertices.
    ///
    /// `starts` holds the vertices to start from, two per direction, and is updated to those found: a body that rotates a little is refitted
    /// in few steps. `error` is added on all sides.
    pub fn climbed(hull: &Hull, rotation: DMat3, starts: &mut Vec<u32>, error: f32) -> Self {
        let vertices = hull.vertices();
        let back = rotation.transpose();
        starts.resize(2 * HALF, 0);
        let mut found = Self { low: [0.0; HALF], high: [0.0; HALF] };
        let mut reach = 0.0f32;
        for (k, n) in Self::DIRECTIONS.into_iter().enumerate() {
            let n = back * DVec3::from(n.map(f64::from));
            for (sign, place) in [(1.0, 2 * k), (-1.0, 2 * k + 1)] {
                let height =
                    |v: u32| vertices.get(v as usize).map_or(f64::MIN, |p| n.dot(*p) * sign);
                let mut best = (starts[place], height(starts[place]));
                loop {
                    let next = hull.neighbours(best.0).iter().map(|&v| (v, height(v)));
                    let next = next.max_by(|a, b| a.1.total_cmp(&b.1));
                    let Some(next) = next.filter(|next| next.1 > best.1) else { break };
                    best = next;
                }
                starts[place] = best.0;
                let end = (best.1 * sign) as f32;
                if sign > 0.0 {
                    found.high[k] = end
                } else {
                    found.low[k] = end
                }
                reach = reach.max(end.abs());
            }
        }
        for (k, n) in Self::DIRECTIONS.into_iter().enumerate() {
            let more = error * weight(n) + reach * (4.0 * f32::EPSILON);
            (found.low[k], found.high[k]) = (found.low[k] - more, found.high[k] + more);
        }
        found
    }

    /// The mean ratio of slab widths to those of another: its looseness.
    pub fn looseness(&self, other: &Self) -> f32 {
        let ratio = |k: usize| {
            (self.high[k] - self.low[k]) / (other.high[k] - other.low[k]).max(f32::MIN_POSITIVE)
        };
        (0..HALF).map(ratio).sum::<f32>() / HALF as f32
    }
}
