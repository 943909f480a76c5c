//! The angle of a vector without the platform's mathematics library, whose last digits differ between machines.

use std::f64::consts::{FRAC_PI_2, PI};

/// The angle of (x, y) against the x axis, from −π to π, right to a few units in the last place; zero at the origin.
///
/// The arc tangent is halved three times, tan(α/2) = t / (1 + √(1 + t²)), which leaves less than π/32 to the series.
///
/// ```
/// use impinge_geom::number::angle::atan2;
/// use std::f64::consts::PI;
/// assert_eq!(atan2(0.0, -1.0), PI);
/// assert!((atan2(1.0, 1.0) - PI / 4.0).abs() < 1e-15);
/// assert!((atan2(-1.0, 0.0) + PI / 2.0).abs() < 1e-15);
/// ```
pub fn atan2(y: f64, x: f64) -> f64 {
    let (width, height) = (x.abs(), y.abs());
    if width == 0.0 && height == 0.0 {
        return 0.0;
    }
    let steep = height > width;
    let tangent = if steep { width / height } else { height / width };
    let angle = arc(tangent);
    let angle = if steep { FRAC_PI_2 - angle } else { angle };
    let angle = if x < 0.0 { PI - angle } else { angle };
    if y < 0.0 { -angle } else { angle }
}

/// The arc tangent of a number between 0 and 1.
fn arc(tangent: f64) -> f64 {
    let mut t = tangent;
    for _ in 0..3 {
        t /= 1.0 + (1.0 + t * t).sqrt();
    }
    // t < 0.0985, so the first term left out, t^19 / 19, is below 1e-20.
    let square = t * t;
    let mut sum = 0.0;
    for k in (0..9).rev() {
        sum = 1.0 / f64::from(2 * k + 1) - square * sum;
    }
    8.0 * t * sum
}

#[cfg(test)]
mod tests {
    use super::atan2;

    #[test]
    fn angles_are_those_of_the_library() {
        for i in -50..=50 {
            for j in -50..=50 {
                let (y, x) = (f64::from(i) * 0.37, f64::from(j) * 0.91);
                if x != 0.0 || y != 0.0 {
                    let expected = y.atan2(x);
                    let off = (atan2(y, x) - expected).abs();
                    assert!(off < 2e-15 || (off - std::f64::consts::TAU).abs() < 2e-15, "{y} {x}");
                }
            }
        }
    }
}
