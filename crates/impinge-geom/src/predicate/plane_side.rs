//! One plane, many points: on which side of it is each?

use super::orient::{UNDERFLOW_GUARD, orient3d};
use crate::DAabb;
use crate::number::tolerance::UNIT_ROUNDOFF;
use glam::DVec3;

/// The plane of a triangle, prepared for [`orient3d`] of its corners and many points.
///
/// ```
/// use impinge_geom::predicate::{PlaneSide, orient3d};
/// use glam::DVec3;
/// let (a, b, c) = (DVec3::X, DVec3::Y, DVec3::Z);
/// let plane = PlaneSide::new([a, b, c]);
/// for point in [DVec3::ZERO, DVec3::ONE, DVec3::X, DVec3::splat(1.0 / 3.0)] {
///     assert_eq!(plane.side(point), orient3d(a, b, c, point));
///     assert!(plane.filter(point).is_none_or(|side| side == plane.side(point)));
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PlaneSide {
    corners: [DVec3; 3],
    /// The least numbers that are at least as large as those of the edges.
    largest: DVec3,
    /// Towards the points whose side is positive.
    normal: DVec3,
    /// Of a plane across an axis: which axis, and the side of what lies further along it.
    across: Option<(usize, i32)>,
}

impl PlaneSide {
    /// The plane of a triangle; all points are in that of one without area.
    pub fn new(corners @ [a, b, c]: [DVec3; 3]) -> Self {
        let (e1, e2) = (b - a, c - a);
        let axis = (0..3).find(|&k| a[k] == b[k] && a[k] == c[k]);
        let across = axis.and_then(|k| {
            let mut further = a;
            further[k] += a[k].abs().max(1.0);
            let side = orient3d(a, b, c, further);
            (side != 0).then_some((k, side))
        });
        Self { corners, largest: e1.abs().max(e2.abs()), normal: e2.cross(e1), across }
    }

    /// The sign of [`orient3d`]; none where f64 cannot tell. A plane across an axis always can.
    ///
    /// The bound is that of `Heights` for triangles: six terms of eight roundings each, none larger than the product of the largest differences.
    #[inline]
    pub fn filter(&self, point: DVec3) -> Option<i32> {
        let corner = self.corners[0];
        if let Some((axis, further)) = self.across {
            let (own, at) = (point[axis], corner[axis]);
            return Some(further * (i32::from(own > at) - i32::from(own < at)));
        }
        let away = point - corner;
        let largest = self.largest.max(away.abs());
        let height = self.normal.dot(away);
        (height.abs() > error(largest)).then_some(if height > 0.0 { 1 } else { -1 })
    }

    /// The height of a point over the plane, times a positive factor that is the same for all, and positive where the side is.
    #[inline]
    pub fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.corners[0])
    }

    /// By how much the heights of points in a box can be wrong at most; a sign beyond that is that of [`orient3d`]. Infinite if it is not known.
    pub fn error_within(&self, bounds: &DAabb) -> f64 {
        let away = (bounds.low - self.corners[0]).abs().max((bounds.high - self.corners[0]).abs());
        // A difference is rounded: no more than by one unit, which is more than it takes.
        error(self.largest.max(away) * (1.0 + 2.0 * f64::EPSILON))
    }

    /// If the plane is across an axis: the sides of all points of a box that are not in it, the negative one and the positive one.
    pub fn sides_of_box(&self, bounds: &DAabb) -> Option<[bool; 2]> {
        let (axis, further) = self.across?;
        let at = self.corners[0][axis];
        let [before, beyond] = [bounds.low[axis] < at, bounds.high[axis] > at];
        Some(if further > 0 { [before, beyond] } else { [beyond, before] })
    }

    /// The sign of [`orient3d`]. Exact.
    #[inline]
    pub fn side(&self, point: DVec3) -> i32 {
        let [a, b, c] = self.corners;
        self.filter(point).unwrap_or_else(|| orient3d(a, b, c, point))
    }
}

/// By how much a height can be wrong, of points and corners whose differences are no larger.
#[inline]
fn error(largest: DVec3) -> f64 {
    let volume = largest.x * largest.y * largest.z;
    if volume > UNDERFLOW_GUARD { 50.0 * UNIT_ROUNDOFF * volume } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners and points on few coordinates: many lie in a plane, many planes are across an axis or have no area.
    #[test]
    fn sides_are_those_of_the_predicate() {
        let values = [0.0, 0.1, 1.0 / 3.0, -7.25, 1e9, 0.1f64.next_up()];
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            values[(state >> 33) as usize % values.len()]
        };
        let (mut sure, mut across, mut counts) = (0, 0, [0; 3]);
        for _ in 0..20_000 {
            let [a, b, c, d] = [0; 4].map(|_| DVec3::new(next(), next(), next()));
            let plane = PlaneSide::new([a, b, c]);
            let side = orient3d(a, b, c, d);
            assert_eq!(plane.side(d), side, "{a} {b} {c} {d}");
            assert!(plane.filter(d).is_none_or(|found| found == side), "{a} {b} {c} {d}");
            let point = DAabb::new(d, d);
            assert!(plane.sides_of_box(&point).is_none_or(|sides| sides == [side < 0, side > 0]));
            let around = DAabb::of_points([d, a, DVec3::new(next(), next(), next())]);
            let (height, error) = (plane.height(d), plane.error_within(&around));
            assert!(height.abs() <= error || (height > 0.0) == (side > 0) && side != 0);
            sure += u32::from(plane.filter(d).is_some());
            across += u32::from(plane.across.is_some());
            counts[(side + 1) as usize] += 1;
        }
        let enough = sure > 5_000 && across > 200 && counts.iter().all(|count| *count > 200);
        assert!(enough, "{sure} {across} {counts:?}");
    }
}
