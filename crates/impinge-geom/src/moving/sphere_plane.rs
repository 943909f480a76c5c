//! A sphere that moves on a line, and a plane or a half-space.

use super::Times;
use glam::DVec3;

/// When a moving sphere is in contact with the plane `normal · x = offset`; the normal is a unit vector.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::sphere_plane};
/// let times = sphere_plane(DVec3::Z * 3.0, 1.0, DVec3::Z, 0.0, DVec3::Z * -4.0).unwrap();
/// assert_eq!((times.first, times.last), (0.5, 1.0));
/// ```
pub fn sphere_plane(
    center: DVec3,
    radius: f64,
    normal: DVec3,
    offset: f64,
    motion: DVec3,
) -> Option<Times> {
    let (height, speed) = (normal.dot(center) - offset, normal.dot(motion));
    if speed == 0.0 {
        return (height.abs() <= radius).then_some(Times::ALWAYS);
    }
    let (one, other) = ((-radius - height) / speed, (radius - height) / speed);
    Times::clipped(one.min(other), one.max(other))
}

/// When a moving sphere is in contact with the half-space `normal · x ≤ offset`; the normal is a unit vector.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::sphere_half_space};
/// let times = sphere_half_space(DVec3::Z * 3.0, 1.0, DVec3::Z, 0.0, DVec3::Z * -4.0).unwrap();
/// assert_eq!((times.first, times.last), (0.5, 1.0));
/// ```
pub fn sphere_half_space(
    center: DVec3,
    radius: f64,
    normal: DVec3,
    offset: f64,
    motion: DVec3,
) -> Option<Times> {
    let (gap, speed) = (normal.dot(center) - offset - radius, normal.dot(motion));
    if speed == 0.0 {
        return (gap <= 0.0).then_some(Times::ALWAYS);
    }
    let time = -gap / speed;
    if speed < 0.0 { Times::clipped(time, 1.0) } else { Times::clipped(0.0, time) }
}
