//! Integers times powers of two: sums, differences and products of f64 without rounding.
//!
//! Unlike the integers of `predicate/dyadic.rs`, which share one exponent per computation, each number carries its own, so
//! that lines, planes and their common points can be kept and combined later.

use crate::predicate::dyadic::{parts, sign};
use num_bigint::BigInt;
use std::ops::{Add, Mul, Neg, Sub};

/// `value · 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    value: BigInt,
    exponent: i32,
}

impl From<f64> for Exact {
    /// The number itself; it must be finite.
    fn from(number: f64) -> Self {
        if number == 0.0 || !number.is_finite() {
            return Self { value: BigInt::from(0), exponent: 0 };
        }
        let (mantissa, exponent) = parts(number);
        let value = BigInt::from(mantissa);
        Self { value: if number < 0.0 { -value } else { value }, exponent }
    }
}

impl Exact {
    /// −1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        sign(&self.value)
    }

    /// This times −1, 0 or 1.
    pub(crate) fn signed(&self, sign: i32) -> Self {
        Self { value: &self.value * sign, exponent: self.exponent }
    }

    /// The quotient of two numbers, right to 2^-52 of itself, or to the smallest normal number; zero if the divisor is.
    pub(crate) fn quotient(&self, divisor: &Self) -> f64 {
        let (part, whole) = (self.value.magnitude(), divisor.value.magnitude());
        if part.bits() == 0 || whole.bits() == 0 {
            return 0.0;
        }
        // 64 or 65 digits of the quotient, then the exponent in two steps, each within the range of f64.
        let shift = 64 + whole.bits() as i64 - part.bits() as i64;
        let digits = if shift >= 0 {
            (part << shift as u64) / whole
        } else {
            part / (whole << (-shift) as u64)
        };
        let rounded = digits
            .iter_u64_digits()
            .rev()
            .fold(0.0, |sum, digit| sum * (2.0 * (1u64 << 63) as f64) + digit as f64);
        let exponent = i64::from(self.exponent) - i64::from(divisor.exponent) - shift;
        let first = exponent / 2;
        let size = rounded * power_of_two(first) * power_of_two(exponent - first);
        if self.sign() == divisor.sign() { size } else { -size }
    }
}

/// 2^exponent, or the nearest normal number.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52)
}

impl Neg for &Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        self.signed(-1)
    }
}

impl Mul for &Exact {
    type Output = Exact;
    fn mul(self, other: Self) -> Exact {
        Exact { value: &self.value * &other.value, exponent: self.exponent + other.exponent }
    }
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, other: Self) -> Exact {
        if self.sign() == 0 {
            return other.clone();
        }
        if other.sign() == 0 {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        let shifted = |number: &Exact| &number.value << ((number.exponent - exponent) as u32);
        let value = match (self.exponent == exponent, other.exponent == exponent) {
            (true, true) => &self.value + &other.value,
            (true, false) => &self.value + shifted(other),
            _ => shifted(self) + &other.value,
        };
        Exact { value, exponent }
    }
}

impl Sub for &Exact {
    type Output = Exact;
    fn sub(self, other: Self) -> Exact {
        self + &-other
    }
}

#[cfg(test)]
mod tests {
    use super::Exact;

    #[test]
    fn sums_and_products_do_not_round() {
        let [a, b] = [1e300, 1e-300].map(Exact::from);
        let sum = &a + &b;
        assert_eq!((&sum - &a).quotient(&b), 1.0);
        assert_eq!((&(&a * &b) - &(&b * &a)).sign(), 0);
        let (third, three) = (Exact::from(1.0).quotient(&Exact::from(3.0)), 1.0 / 3.0);
        assert!((third - three).abs() <= f64::EPSILON * three);
        assert_eq!(Exact::from(-6.0).quotient(&Exact::from(2.0)), -3.0);
        assert_eq!(Exact::from(0.0).quotient(&Exact::from(0.0)), 0.0);
    }
}
