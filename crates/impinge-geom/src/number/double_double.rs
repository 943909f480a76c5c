//! Numbers of about 106 bits, as unevaluated sums of two f64.
//!
//! Dekker, "A floating-point technique for extending the available precision" (1971), with the error bounds of Joldes,
//! Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic" (2017): below
//! 3u² for sums and 7u² for products, relative, u = 2^-53. Products are split by hand: a fused multiply-add would be
//! slow where the machine has none.

use std::ops::{Add, Mul, Sub};

/// The number `high + low`, where `low` is at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleDouble {
    pub(crate) high: f64,
    low: f64,
}

impl DoubleDouble {
    /// `a − b`, exactly.
    #[inline(always)]
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self { high, low }
    }

    /// The magnitude.
    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        if self.high < 0.0 { Self { high: -self.high, low: -self.low } } else { self }
    }
}

/// The rounded sum and its error.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The same where `|a| ≥ |b|` or `a` is zero.
#[inline(always)]
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// The two halves of a number, 26 bits each.
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = 134_217_729.0; // 2^27 + 1
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// The rounded product and its error, as long as nothing underflows or overflows.
#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    (product, a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2))
}

impl Add for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (sum, error) = two_sum(self.high, other.high);
        let (low_sum, low_error) = two_sum(self.low, other.low);
        let (sum, error) = fast_two_sum(sum, error + low_sum);
        let (high, low) = fast_two_sum(sum, error + low_error);
        Self { high, low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (product, error) = two_product(self.high, other.high);
        let (high, low) =
            fast_two_sum(product, error + (self.high * other.low + self.low * other.high));
        Self { high, low }
    }
}
