//! Coordinates as integers of any length over a common power of two: the ground on which the oracles stand.

use glam::DVec3;
use num_bigint::BigInt;

/// A vector of integers.
pub(crate) type Vector = [BigInt; 3];

/// All points as integer vectors `v` with `point = v · 2^exponent`, and that exponent.
pub(crate) fn integers(points: &[DVec3]) -> (Vec<Vector>, i32) {
    let numbers = || points.iter().flat_map(|p| p.to_array());
    let exponent = numbers().filter(|v| *v != 0.0).map(last_bit).min().unwrap_or(0);
    let vectors = points.iter().map(|p| p.to_array().map(|v| integer(v, exponent))).collect();
    (vectors, exponent)
}

/// The exponent of the last place of a number.
fn last_bit(value: f64) -> i32 {
    (((value.to_bits() >> 52) & 0x7ff) as i32).max(1) - 1075
}

fn integer(value: f64, exponent: i32) -> BigInt {
    if value == 0.0 {
        return BigInt::ZERO;
    }
    let bits = value.to_bits();
    let hidden = if (bits >> 52) & 0x7ff == 0 { 0 } else { 1u64 << 52 };
    let magnitude =
        BigInt::from((bits & ((1 << 52) - 1)) | hidden) << (last_bit(value) - exponent) as u32;
    if value < 0.0 { -magnitude } else { magnitude }
}

pub(crate) fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| &a[k] - &b[k])
}

pub(crate) fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub(crate) fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &a[i] * &b[j] - &a[j] * &b[i]
    })
}

/// -1, 0 or 1.
pub(crate) fn sign(value: &BigInt) -> i32 {
    value.cmp(&BigInt::ZERO) as i32
}
