//! Rounding from f64 to f32 outwards, so that a box in f32 contains the box in f64.

/// The largest f32 that is not above `value`. Values below the range of f32 give negative infinity.
///
/// ```
/// use impinge_geom::number::outward::round_down;
/// assert!(f64::from(round_down(0.1)) <= 0.1);
/// assert_eq!(round_down(0.5), 0.5);
/// ```
#[inline]
pub fn round_down(value: f64) -> f32 {
    let nearest = value as f32;
    // Which side the nearest lies on cannot be foreseen: the next below is reached without a branch. Larger bits are farther from zero; a
    // value below zero never becomes a zero above it.
    let above = u32::from(f64::from(nearest) > value);
    let away = ((nearest.to_bits() as i32) >> 31) as u32 | 1;
    f32::from_bits(nearest.to_bits().wrapping_sub(above.wrapping_mul(away)))
}

/// The smallest f32 that is not below `value`. Values above the range of f32 give positive infinity.
///
/// ```
/// use impinge_geom::number::outward::round_up;
/// assert!(f64::from(round_up(0.1)) >= 0.1);
/// assert_eq!(round_up(0.5), 0.5);
/// ```
#[inline]
pub fn round_up(value: f64) -> f32 {
    -round_down(-value)
}

#[cfg(test)]
mod tests {
    use super::{round_down, round_up};

    #[test]
    fn the_same_as_the_next_below() {
        let with_branch = |value: f64| {
            let nearest = value as f32;
            if f64::from(nearest) > value { nearest.next_down() } else { nearest }
        };
        let edges =
            [0.0, 1e-320, 1e-46, 1e-45, 1e-38, 0.1, 1.0, 3.4e38, 3.5e38, 1e300, f64::INFINITY];
        for edge in edges.into_iter().flat_map(|x| [x, x.next_up(), x.next_down(), x * 1.000_000_1])
        {
            for value in [edge, -edge] {
                assert_eq!(round_down(value).to_bits(), with_branch(value).to_bits(), "{value:e}");
            }
        }
        assert!(round_down(f64::NAN).is_nan());
    }

    #[test]
    fn brackets_every_magnitude() {
        let mut value = f64::MIN_POSITIVE;
        while value < 1e300 {
            for v in [value, -value, value * 1.000_000_1, -value * 1.000_000_1] {
                assert!(f64::from(round_down(v)) <= v);
                assert!(f64::from(round_up(v)) >= v);
                assert!(round_up(v) == round_down(v) || round_up(v) == round_down(v).next_up());
            }
            value *= 1.7;
        }
    }

    #[test]
    fn keeps_what_f32_holds() {
        for v in [0.0f32, 1.5, -3.25, f32::MAX, f32::MIN_POSITIVE] {
            assert_eq!(round_down(f64::from(v)), v);
            assert_eq!(round_up(f64::from(v)), v);
        }
        assert_eq!(round_up(1e300), f32::INFINITY);
        assert_eq!(round_down(1e300), f32::MAX);
    }
}
