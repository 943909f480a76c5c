//! Lengths and directions of vectors whose squares may overflow or vanish.

use crate::number::error::power_of_two_near_inverse;
use glam::DVec3;

/// 2^-900 and 2^1000: between them a sum of three squares has neither overflowed nor lost digits to underflow.
const SMALLEST_SQUARE: f64 = f64::from_bits((1023 - 900) << 52);
const LARGEST_SQUARE: f64 = f64::from_bits((1023 + 1000) << 52);

/// The length of the vector and its direction; `None` for the zero vector. Right from subnormal to the largest numbers.
#[inline(always)]
pub(crate) fn length_and_unit(vector: DVec3) -> Option<(f64, DVec3)> {
    let square = vector.length_squared();
    if square > SMALLEST_SQUARE && square < LARGEST_SQUARE {
        let length = square.sqrt();
        return Some((length, vector / length));
    }
    length_and_unit_rescaled(vector)
}

#[cold]
fn length_and_unit_rescaled(vector: DVec3) -> Option<(f64, DVec3)> {
    let largest = vector.abs().max_element();
    if largest == 0.0 {
        return None;
    }
    let factor = power_of_two_near_inverse(largest);
    let scaled = vector * factor;
    let length = scaled.length();
    Some((length / factor, scaled / length))
}

/// The length of the two-vector (x, y), without overflow or underflow of the squares.
#[inline(always)]
pub(crate) fn planar_length(x: f64, y: f64) -> f64 {
    let square = x * x + y * y;
    if square > SMALLEST_SQUARE && square < LARGEST_SQUARE {
        square.sqrt()
    } else {
        crate::number::error::safe_length(DVec3::new(x, y, 0.0))
    }
}

/// A unit vector perpendicular to the given unit vector: across its smallest coordinate, so that nothing cancels.
pub(crate) fn perpendicular(unit: DVec3) -> DVec3 {
    let size = unit.abs();
    let axis = if size.x <= size.y && size.x <= size.z {
        DVec3::X
    } else if size.y <= size.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    unit.cross(axis).normalize()
}

#[cfg(test)]
mod tests {
    use super::{length_and_unit, perpendicular, planar_length};
    use glam::DVec3;

    #[test]
    fn keeps_length_and_direction_at_every_scale() {
        for exponent in -1074..=1020 {
            let scale = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            let (length, unit) = length_and_unit(DVec3::new(3.0, 0.0, 4.0) * scale).unwrap();
            assert_eq!(length, 5.0 * scale);
            assert!((unit - DVec3::new(0.6, 0.0, 0.8)).length() < 1e-15);
            assert_eq!(planar_length(-3.0 * scale, 4.0 * scale), 5.0 * scale);
        }
        assert!(length_and_unit(DVec3::ZERO).is_none());
    }

    #[test]
    fn perpendicular_is_unit_and_perpendicular() {
        for v in
            [DVec3::X, DVec3::NEG_Y, DVec3::Z, DVec3::ONE.normalize(), DVec3::new(0.6, 0.8, 0.0)]
        {
            let p = perpendicular(v);
            assert!(p.dot(v).abs() < 1e-15 && (p.length() - 1.0).abs() < 1e-15);
        }
    }
}
