//! Integers times a common power of two: every finite f64 is one, and sums and products of them are exact.

use num_bigint::{BigInt, BigUint, Sign};

/// Integers `value · 2^exponent` with one exponent shared by a whole computation.
///
/// A list of f64 is put over the smallest exponent among them; polynomials that are homogeneous in those numbers can then be
/// evaluated on the integers alone, and have the right sign.
pub(crate) struct Dyadic;

impl Dyadic {
    /// The integers `v / 2^e` of all values, with `e` the smallest exponent that makes all of them integers.
    pub(crate) fn common<const N: usize>(values: [f64; N]) -> [BigInt; N] {
        let exponent = values.iter().filter(|v| **v != 0.0).map(|v| parts(*v).1).min().unwrap_or(0);
        values.map(|v| over(v, exponent))
    }
}

/// The integers `v / 2^e` of a list of values, with `e` the smallest exponent that makes all of them integers.
pub(crate) fn integers(values: &[f64]) -> Vec<BigInt> {
    let exponent = values.iter().filter(|v| **v != 0.0).map(|v| parts(*v).1).min().unwrap_or(0);
    values.iter().map(|v| over(*v, exponent)).collect()
}

/// The integer `value / 2^exponent`; `exponent` is at most the exponent of `value`'s last set bit.
fn over(value: f64, exponent: i32) -> BigInt {
    if value == 0.0 {
        return BigInt::from(0);
    }
    let (mantissa, own) = parts(value);
    let magnitude = BigInt::from(mantissa) << ((own - exponent).max(0) as u32);
    if value < 0.0 { -magnitude } else { magnitude }
}

/// An odd mantissa and an exponent with `|value| = mantissa · 2^exponent`; `value` is finite and not zero.
pub(crate) fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, exponent + zeros as i32)
}

/// The sign as -1, 0 or 1.
pub(crate) fn sign(value: &BigInt) -> i32 {
    match value.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

/// `part / whole` to 2^-53, absolutely, where the part is at most the whole; zero if the whole is.
pub(crate) fn ratio(part: &BigUint, whole: &BigUint) -> f64 {
    if whole.bits() == 0 {
        return 0.0;
    }
    // 62 binary digits after the point fit one machine word.
    let quotient = (part << 62u32) / whole;
    let digits = quotient.iter_u64_digits().next().unwrap_or(0);
    digits as f64 / (1u64 << 62) as f64
}
