//! The paper's fit of a rounded box (its section 3.2 and figure 5) in f64, with and without the step for the corners.
//!
//! The radius is half the thickness along the thinnest axis; a point at height h above the rectangle's plane lets the rectangle end √(r² − h²)
//! before it; points that then stick out beyond a corner move both of its sides out along the diagonal. "l" in the paper's
//! equation 2 is a minimum.

use crate::error::LabError;
use crate::random::Random;
use crate::session::Session;
use impinge::geom::bound::{Bound, Moments, Rss};
use impinge::geom::glam::{DVec3, Vec3A};

/// A rectangle in the plane z = `height`, swept by a sphere.
#[derive(Clone, Copy, Debug)]
struct Rounded {
    low: [f64; 2],
    high: [f64; 2],
    height: f64,
    radius: f64,
}

impl Rounded {
    /// With the thinnest axis along z.
    fn fit(points: &[DVec3], with_corners: bool) -> Self {
        let over = |axis: usize| {
            points.iter().fold([f64::MAX, f64::MIN], |[l, h], p| [l.min(p[axis]), h.max(p[axis])])
        };
        let [bottom, top] = over(2);
        let (radius, height) = ((top - bottom) / 2.0, (top + bottom) / 2.0);
        let free = |p: &DVec3| {
            let h = p.z - height;
            (radius * radius - h * h).max(0.0).sqrt()
        };
        let mut rounded = Self { low: [f64::MAX; 2], high: [f64::MIN; 2], height, radius };
        for p in points {
            for axis in 0..2 {
                rounded.high[axis] = rounded.high[axis].max(p[axis] - free(p));
                rounded.low[axis] = rounded.low[axis].min(p[axis] + free(p));
            }
        }
        for axis in 0..2 {
            // Where all points are nearer to the middle than the radius, the rectangle has no length.
            if rounded.low[axis] > rounded.high[axis] {
                let middle = (rounded.low[axis] + rounded.high[axis]) / 2.0;
                (rounded.low[axis], rounded.high[axis]) = (middle, middle);
            }
        }
        if with_corners {
            points.iter().for_each(|p| rounded.extend_to(*p));
        }
        rounded
    }

    /// Moves two sides out as far as a point beyond their corner asks for.
    fn extend_to(&mut self, p: DVec3) {
        let beyond = [0, 1].map(|axis| (p[axis] - self.high[axis]).max(self.low[axis] - p[axis]));
        let [x, y] = beyond;
        if x <= 0.0 || y <= 0.0 {
            return;
        }
        let along = (x + y) * std::f64::consts::FRAC_1_SQRT_2;
        let h = p.z - self.height;
        let across = x * x + y * y - along * along + h * h;
        let more = along - (self.radius * self.radius - across).max(0.0).sqrt();
        if more > 0.0 {
            let step = more * std::f64::consts::FRAC_1_SQRT_2;
            for axis in 0..2 {
                if p[axis] > self.high[axis] {
                    self.high[axis] += step;
                } else {
                    self.low[axis] -= step;
                }
            }
        }
    }

    /// How far the farthest point is from the rectangle, in radii.
    fn farthest(&self, points: &[DVec3]) -> f64 {
        let away = |p: &DVec3| {
            let clamped = |axis: usize| p[axis].clamp(self.low[axis], self.high[axis]);
            p.distance(DVec3::new(clamped(0), clamped(1), self.height))
        };
        points.iter().map(away).fold(0.0, f64::max) / self.radius
    }
}

/// What became of many clouds of points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Covered {
    pub(super) clouds: usize,
    /// Clouds of which a point is farther away than r(1 + 1e-12): with the step for the corners, without it, and with impinge's own fit.
    pub(super) with: usize,
    pub(super) without: usize,
    pub(super) ours: usize,
    /// How far beyond, at most, without the step, in radii.
    pub(super) most: f64,
}

/// A cloud of a few dozen points in a box, thinnest along z.
fn cloud(random: &mut Random) -> Vec<DVec3> {
    let size =
        DVec3::new(random.between(0.6, 2.0), random.between(0.6, 2.0), random.between(0.2, 0.5));
    let count = 4 + random.below(60) as usize;
    (0..count).map(|_| DVec3::from_array(random.point()) * size).collect()
}

/// Fits many clouds.
pub(super) fn cover(clouds: usize, session: &Session<'_>) -> Result<Covered, LabError> {
    let mut random = Random::new(session.seed);
    let mut found = Covered { clouds, ..Covered::default() };
    let limit = 1.0 + 1e-12;
    for k in 0..clouds {
        if k % 1000 == 0 {
            session.step("clouds of points", k as u64, clouds as u64)?;
        }
        let points = cloud(&mut random);
        let bare = Rounded::fit(&points, false).farthest(&points);
        found.with += usize::from(Rounded::fit(&points, true).farthest(&points) > limit);
        found.without += usize::from(bare > limit);
        found.most = found.most.max(bare - 1.0);
        found.ours += usize::from(ours(&points) > limit);
    }
    Ok(found)
}

/// How far the farthest point is from the rectangle of impinge's own volume, in its radii.
fn ours(points: &[DVec3]) -> f64 {
    let points: Vec<Vec3A> = points.iter().map(|p| p.as_vec3a()).collect();
    let Rss { rectangle, radius } = Rss::fit(&points, &Moments::of_points(&points), 0.0);
    let away = |p: &Vec3A| {
        let from = p.as_dvec3() - rectangle.center.as_dvec3();
        let along = |k: usize| from.dot(rectangle.axes[k].as_dvec3());
        let beyond = |k: usize| (along(k).abs() - f64::from(rectangle.half[k])).max(0.0);
        DVec3::new(beyond(0), beyond(1), along(2)).length()
    };
    points.iter().map(away).fold(0.0, f64::max) / f64::from(radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn it_ends_soon_after_it_is_asked_to() {
        let stop = AtomicBool::new(true);
        let session = Session::new(Size::Full, 1).stopped_by(&stop);
        assert_eq!(cover(1_000_000, &session).err(), Some(LabError::Interrupted));
    }

    #[test]
    fn every_vertex_is_covered_and_without_the_corner_step_it_is_not() {
        let found = cover(3000, &Session::new(Size::Quick, 1)).unwrap();
        assert_eq!((found.with, found.ours), (0, 0), "{found:?}");
        assert!(5 * found.without > found.clouds, "{found:?}");
        // A corner of the rounded sides is at most √2 radii from that of the rectangle.
        assert!(found.most > 0.05 && found.most < 0.42, "{found:?}");
    }
}
