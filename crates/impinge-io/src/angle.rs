//! Sines and cosines that are the same on every machine.
//!
//! The system's own differ in their last bits. Here the angle is reduced by multiples of a quarter turn, with π/2 in three
//! pieces (Cody and Waite, "Software Manual for the Elementary Functions", 1980), and Taylor's series does the rest: on an
//! eighth of a turn eleven terms are within half a unit in the last place of the exact value, and rounding adds about one.

/// π/2 in pieces of 33 bits, whose products with whole numbers up to 2^20 are exact.
const QUARTER: [f64; 3] =
    [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_7e-21];

/// The largest angle, in radians: about 166,000 turns. Beyond it the reduction would lose digits, and no joint goes there.
pub const LARGEST_ANGLE: f64 = 1_048_576.0;

/// Sine and cosine of an angle in radians, of at most [`LARGEST_ANGLE`]; of a larger one, those of zero.
///
/// ```
/// let [sine, cosine] = impinge_io::angle::sine_cosine(0.5);
/// assert!((sine * sine + cosine * cosine - 1.0).abs() < 1e-15);
/// ```
pub fn sine_cosine(angle: f64) -> [f64; 2] {
    if angle.is_nan() || angle.abs() > LARGEST_ANGLE {
        return [0.0, 1.0];
    }
    let turns = (angle / std::f64::consts::FRAC_PI_2).round();
    let reduced = ((angle - turns * QUARTER[0]) - turns * QUARTER[1]) - turns * QUARTER[2];
    turned(turns, series(reduced))
}

/// Sine and cosine of an angle in degrees; quarter turns are exact.
pub(crate) fn sine_cosine_of_degrees(angle: f64) -> [f64; 2] {
    if angle.is_nan() || angle.abs() > 360.0 * LARGEST_ANGLE {
        return [0.0, 1.0];
    }
    let turns = (angle / 90.0).round();
    // Exact: both are multiples of the last place of the larger.
    let reduced = angle - 90.0 * turns;
    turned(turns, series(reduced * (std::f64::consts::PI / 180.0)))
}

/// Takes quarter turns back in.
fn turned(turns: f64, [sine, cosine]: [f64; 2]) -> [f64; 2] {
    match turns.rem_euclid(4.0) as u8 {
        0 => [sine, cosine],
        1 => [cosine, -sine],
        2 => [-sine, -cosine],
        _ => [-cosine, sine],
    }
}

/// Taylor's series, from the smallest term up.
fn series(x: f64) -> [f64; 2] {
    let square = x * x;
    let mut sine = 0.0;
    let mut cosine = 0.0;
    for k in (1..=10).rev() {
        let even = f64::from(2 * k);
        sine = (1.0 + sine) * (-square / (even * (even + 1.0)));
        cosine = (1.0 + cosine) * (-square / (even * (even - 1.0)));
    }
    [x + x * sine, 1.0 + cosine]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_system_has_it() {
        let mut worst: f64 = 0.0;
        for i in -40_000..40_000 {
            let angle = f64::from(i) * 0.000_437 * f64::from(1 + (i & 3) * 50);
            let [sine, cosine] = sine_cosine(angle);
            worst = worst.max((sine - angle.sin()).abs()).max((cosine - angle.cos()).abs());
        }
        assert!(worst < 5e-16, "{worst:e}");
        for angle in [1e6, -1e6, 355.0, std::f64::consts::FRAC_PI_2, std::f64::consts::PI, 22.0] {
            let [sine, cosine] = sine_cosine(angle);
            assert!((sine - angle.sin()).abs() < 3e-16, "{angle} {sine} {}", angle.sin());
            assert!((cosine - angle.cos()).abs() < 3e-16, "{angle} {cosine} {}", angle.cos());
        }
    }

    #[test]
    fn quarter_turns_and_other_angles_in_degrees() {
        assert_eq!(sine_cosine_of_degrees(0.0), [0.0, 1.0]);
        assert_eq!(sine_cosine_of_degrees(90.0), [1.0, 0.0]);
        assert_eq!(sine_cosine_of_degrees(-90.0), [-1.0, 0.0]);
        assert_eq!(sine_cosine_of_degrees(180.0), [0.0, -1.0]);
        assert_eq!(sine_cosine_of_degrees(810.0), [1.0, 0.0]);
        let [sine, cosine] = sine_cosine_of_degrees(30.0);
        assert!((sine - 0.5).abs() < 2e-16 && (cosine - 0.75f64.sqrt()).abs() < 2e-16);
        for bad in [f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!((sine_cosine(bad), sine_cosine_of_degrees(bad)), ([0.0, 1.0], [0.0, 1.0]));
        }
    }
}
