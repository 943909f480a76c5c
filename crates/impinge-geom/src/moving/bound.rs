//! How soon can two bodies meet? A bound from their distance, their speed and their acceleration.
//!
//! M. Lin, "Efficient collision detection for animation and robotics" (1993), §3.3: until then no query is needed.

use crate::number::tolerance::UNIT_ROUNDOFF;

/// A time before which two bodies cannot meet; infinite if they never can.
///
/// `distance` is a lower bound of their distance, `speed` an upper bound of the speed at which they approach each other now
/// — along the direction of the closest points for convex bodies, which may be negative —, `acceleration` an upper bound
/// of what can be added to it per unit of time.
///
/// The first root of d = v t + a t² / 2, rounded down; without a difference of nearly equal numbers.
///
/// ```
/// use impinge_geom::moving::time_to_impact_bound;
/// let bound = time_to_impact_bound(6.0, 1.0, 1.0);
/// assert!(bound <= 13f64.sqrt() - 1.0 && bound > 2.6);
/// assert_eq!(time_to_impact_bound(6.0, -1.0, 0.0), f64::INFINITY);
/// assert_eq!(time_to_impact_bound(0.0, 1.0, 1.0), 0.0);
/// ```
pub fn time_to_impact_bound(distance: f64, speed: f64, acceleration: f64) -> f64 {
    if distance.is_nan() || speed.is_nan() || acceleration.is_nan() || distance <= 0.0 {
        return 0.0;
    }
    let acceleration = acceleration.max(0.0);
    let root = (speed * speed + 2.0 * acceleration * distance).sqrt();
    let time = if speed >= 0.0 {
        let sum = speed + root;
        if sum > 0.0 { 2.0 * distance / sum } else { f64::INFINITY }
    } else if acceleration > 0.0 {
        (root - speed) / acceleration
    } else {
        f64::INFINITY
    };
    if time.is_nan() { 0.0 } else { time * (1.0 - 8.0 * UNIT_ROUNDOFF) }
}

/// An upper bound of the speed at which points of a turning body approach: its speed along the direction, plus the angular
/// speed times the radius of a ball around the centre of rotation that holds it.
///
/// ```
/// use impinge_geom::moving::approach_speed;
/// assert_eq!(approach_speed(2.0, 3.0, 0.5), 3.5);
/// ```
pub fn approach_speed(along: f64, angular_speed: f64, radius: f64) -> f64 {
    along + (angular_speed * radius).abs()
}
