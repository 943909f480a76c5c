//! For how long two bodies certainly stay apart.

/// A lower bound on the time until two bodies meet, from their distance, the greatest speed with which it can shrink now, and the greatest rate at which
/// that speed can grow. Until then no query is needed. Infinite if they cannot meet; zero if the numbers are no bounds.
///
/// The least positive root of distance = speed·t + acceleration·t² / 2.
///
/// ```
/// use impinge_geom::motion::time_to_impact_bound;
/// assert!((time_to_impact_bound(6.0, 2.0, 0.0) - 3.0).abs() < 1e-12);
/// assert!((time_to_impact_bound(6.0, 1.0, 4.0) - 1.5).abs() < 1e-12);
/// assert_eq!(time_to_impact_bound(6.0, 0.0, 0.0), f64::INFINITY);
/// ```
pub fn time_to_impact_bound(distance: f64, speed: f64, acceleration: f64) -> f64 {
    if !(distance > 0.0 && speed < f64::INFINITY && acceleration < f64::INFINITY) {
        return 0.0;
    }
    if acceleration <= 0.0 {
        return if speed <= 0.0 { f64::INFINITY } else { round_down(distance / speed) };
    }
    // With a speed below zero the distance grows first; the form without cancellation is the one with the sum.
    let root = (speed * speed + 2.0 * acceleration * distance).sqrt();
    let time =
        if speed >= 0.0 { 2.0 * distance / (speed + root) } else { (root - speed) / acceleration };
    if time.is_finite() { round_down(time) } else { 0.0 }
}

/// Some units in the last place less, for the rounding on the way.
fn round_down(time: f64) -> f64 {
    (time * (1.0 - 8.0 * f64::EPSILON)).max(0.0)
}
