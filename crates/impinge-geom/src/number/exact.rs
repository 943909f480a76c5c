//! Integers times powers of two: sums, differences and products of f64 without rounding.
//!
//! Unlike the integers of `predicate/dyadic.rs`, which share one exponent per computation, each number carries its own, so
//! that lines, planes and their common points can be kept and combined later. Numbers of up to [`LIMBS`] words, which is nearly all, lie on the stack;
//! only longer ones, of coordinates whose exponents are far apart, go to the heap.

use crate::predicate::dyadic::{parts, sign};
use num_bigint::{BigInt, BigUint, Sign};
use std::ops::{Add, Mul, Neg, Sub};

/// Words of a number on the stack: the common point of two lines that are cut by planes, in the equation of a third, takes some 800 bits.
const LIMBS: usize = 16;

const TWO_64: f64 = 18_446_744_073_709_551_616.0;
/// More than rounding takes from a sum of a few products of factors that are right to 2^-51: 2^-47.
const ROUNDED_SUM: f64 = 16.0 * f64::EPSILON * 2.0;

/// `value · 2^exponent`.
#[derive(Clone, Debug)]
pub(crate) enum Exact {
    Short(Short),
    Long(Box<Long>),
}

/// A number on the stack: the first `len` words, the lowest first, of which the last is not zero. Zero has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Short {
    negative: bool,
    exponent: i32,
    len: usize,
    limbs: [u64; LIMBS],
}

/// A number of any length.
#[derive(Clone, Debug)]
pub(crate) struct Long {
    value: BigInt,
    exponent: i32,
}

impl From<f64> for Exact {
    /// The number itself; it must be finite.
    fn from(number: f64) -> Self {
        let mut short = Short::ZERO;
        if number == 0.0 || !number.is_finite() {
            return Self::Short(short);
        }
        let (mantissa, exponent) = parts(number);
        // The mantissa is odd: round coordinates stay short.
        short.limbs[0] = mantissa;
        (short.len, short.exponent, short.negative) = (1, exponent, number < 0.0);
        Self::Short(short)
    }
}

impl Short {
    const ZERO: Self = Self { negative: false, exponent: 0, len: 0, limbs: [0; LIMBS] };

    /// Without zeros at either end.
    fn trimmed(mut self) -> Self {
        while self.len > 0 && self.limbs[self.len - 1] == 0 {
            self.len -= 1;
        }
        let low = self.limbs[..self.len].iter().take_while(|limb| **limb == 0).count();
        if low > 0 {
            self.limbs.copy_within(low..self.len, 0);
            self.limbs[self.len - low..self.len].fill(0);
            self.len -= low;
            self.exponent += 64 * low as i32;
        }
        if self.len == 0 { Self::ZERO } else { self }
    }

    /// The product, if it is short enough.
    fn times(&self, other: &Self) -> Option<Self> {
        let len = self.len + other.len;
        if len > LIMBS {
            return None;
        }
        if self.len == 0 || other.len == 0 {
            return Some(Self::ZERO);
        }
        let mut product = Self {
            negative: self.negative != other.negative,
            exponent: self.exponent + other.exponent,
            len,
            ..Self::ZERO
        };
        for (i, &a) in self.limbs[..self.len].iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.limbs[..other.len].iter().enumerate() {
                let sum = u128::from(a) * u128::from(b) + u128::from(product.limbs[i + j]) + carry;
                product.limbs[i + j] = sum as u64;
                carry = sum >> 64;
            }
            product.limbs[i + other.len] = carry as u64;
        }
        Some(product.trimmed())
    }

    /// The same number with a smaller exponent, if it is short enough.
    fn with_exponent(&self, exponent: i32) -> Option<Self> {
        let shift = (i64::from(self.exponent) - i64::from(exponent)) as u64;
        let (words, bits) = ((shift / 64) as usize, (shift % 64) as u32);
        if shift / 64 >= LIMBS as u64 || self.len + words + 1 > LIMBS {
            return None;
        }
        let mut shifted = Self { exponent, negative: self.negative, ..Self::ZERO };
        let mut carry = 0;
        for (k, &limb) in self.limbs[..self.len].iter().enumerate() {
            shifted.limbs[k + words] = (limb << bits) | carry;
            carry = if bits == 0 { 0 } else { limb >> (64 - bits) };
        }
        shifted.limbs[self.len + words] = carry;
        shifted.len = self.len + words + 1;
        Some(shifted)
    }

    /// The sum with another number, or with its opposite, if it is short enough.
    fn plus(&self, other: &Self, opposite: bool) -> Option<Self> {
        if other.len == 0 {
            return Some(*self);
        }
        if self.len == 0 {
            return Some(Self { negative: other.negative != opposite, ..*other });
        }
        let shifted;
        let (a, b) = if self.exponent <= other.exponent {
            shifted = other.with_exponent(self.exponent)?;
            (self, &shifted)
        } else {
            shifted = self.with_exponent(other.exponent)?;
            (&shifted, other)
        };
        let (a_negative, b_negative) = (self.negative, other.negative != opposite);
        let len = a.len.max(b.len);
        let mut sum = Self { exponent: a.exponent, ..Self::ZERO };
        if a_negative == b_negative {
            let mut carry = false;
            for k in 0..len {
                let (first, one) = a.limbs[k].overflowing_add(b.limbs[k]);
                let (second, two) = first.overflowing_add(u64::from(carry));
                (sum.limbs[k], carry) = (second, one | two);
            }
            sum.len = len;
            if carry {
                *sum.limbs.get_mut(len)? = 1;
                sum.len = len + 1;
            }
            sum.negative = a_negative;
            return Some(sum.trimmed());
        }
        let a_is_larger = a.limbs[..len].iter().rev().ge(b.limbs[..len].iter().rev());
        let (large, small) = if a_is_larger { (a, b) } else { (b, a) };
        let mut borrow = false;
        for k in 0..len {
            let (first, one) = large.limbs[k].overflowing_sub(small.limbs[k]);
            let (second, two) = first.overflowing_sub(u64::from(borrow));
            (sum.limbs[k], borrow) = (second, one | two);
        }
        sum.len = len;
        sum.negative = if a_is_larger { a_negative } else { b_negative };
        Some(sum.trimmed())
    }

    /// Its 128 highest bits, and the exponent of the lowest of them.
    fn highest(&self) -> (u128, i64) {
        let limb =
            |k: usize| if k < self.len { u128::from(self.limbs[self.len - 1 - k]) } else { 0 };
        let zeros = self.limbs[self.len.saturating_sub(1)].leading_zeros();
        let two = (limb(0) << 64) | limb(1);
        let third = (limb(2) << zeros) >> 64;
        let exponent = i64::from(self.exponent) + 64 * (self.len as i64 - 2) - i64::from(zeros);
        ((two << zeros) | third, exponent)
    }
}

impl Exact {
    /// −1, 0 or 1.
    pub(crate) fn sign(&self) -> i32 {
        match self {
            Self::Short(short) if short.len == 0 => 0,
            Self::Short(short) => {
                if short.negative {
                    -1
                } else {
                    1
                }
            }
            Self::Long(long) => sign(&long.value),
        }
    }

    /// This times −1, 0 or 1.
    pub(crate) fn signed(&self, sign: i32) -> Self {
        match self {
            _ if sign == 0 => Self::Short(Short::ZERO),
            Self::Short(short) => {
                let negative = short.len > 0 && short.negative != (sign < 0);
                Self::Short(Short { negative, ..*short })
            }
            Self::Long(long) => {
                Self::Long(Box::new(Long { value: &long.value * sign, exponent: long.exponent }))
            }
        }
    }

    /// The quotient of two numbers, right to 2^-52 of itself, or to the smallest normal number; zero if the divisor is.
    pub(crate) fn quotient(&self, divisor: &Self) -> f64 {
        if self.sign() == 0 || divisor.sign() == 0 {
            return 0.0;
        }
        let ((part, part_exponent), (whole, whole_exponent)) = (self.highest(), divisor.highest());
        // 127 digits over 64: 62 to 64 digits of the quotient, then the exponent in two steps, each within the range of f64.
        let digits = (part >> 1) / (whole >> 64);
        let exponent = part_exponent + 1 - (whole_exponent + 64);
        let first = exponent / 2;
        let size = digits as f64 * power_of_two(first) * power_of_two(exponent - first);
        if self.sign() == divisor.sign() { size } else { -size }
    }

    /// The 128 highest bits, and the exponent of the lowest of them.
    fn highest(&self) -> (u128, i64) {
        match self {
            Self::Short(short) => short.highest(),
            Self::Long(long) => {
                let size = long.value.magnitude();
                let shift = size.bits() as i64 - 128;
                let top = if shift >= 0 { size >> shift as u64 } else { size << (-shift) as u64 };
                let mut digits = top.iter_u64_digits();
                let (low, high) = (digits.next().unwrap_or(0), digits.next().unwrap_or(0));
                ((u128::from(high) << 64) | u128::from(low), i64::from(long.exponent) + shift)
            }
        }
    }

    /// The number to 2^-51 of itself; none if it is near the limits of f64.
    fn rounded(&self) -> Option<f64> {
        let Self::Short(short) = self else { return None };
        if short.len == 0 {
            return Some(0.0);
        }
        let below = if short.len > 1 { short.limbs[short.len - 2] } else { 0 };
        let top = short.limbs[short.len - 1] as f64 * TWO_64 + below as f64;
        let exponent = i64::from(short.exponent) + 64 * (short.len as i64 - 2);
        let size = top * power_of_two(exponent);
        let safe = exponent.abs() < 400;
        safe.then_some(if short.negative { -size } else { size })
    }

    /// The sign of a sum of products: by f64 where that is certain, else exactly.
    pub(crate) fn sign_of_dot<const N: usize>(a: &[Self; N], b: &[Self; N]) -> i32 {
        // Each factor is right to 2^-51, each product and sum to a few more roundings of what it sums.
        let (mut sum, mut size, mut safe) = (0.0, 0.0, true);
        for (x, y) in a.iter().zip(b) {
            match (x.rounded(), y.rounded()) {
                (Some(x), Some(y)) => (sum, size) = (sum + x * y, size + (x * y).abs()),
                _ => safe = false,
            }
        }
        if safe && sum.abs() > size * ROUNDED_SUM {
            return if sum > 0.0 { 1 } else { -1 };
        }
        let products = a.iter().zip(b).map(|(x, y)| x * y);
        products.reduce(|sum, next| &sum + &next).map_or(0, |sum| sum.sign())
    }

    /// The number as one of any length.
    fn to_long(&self) -> Long {
        match self {
            Self::Long(long) => Long::clone(long),
            Self::Short(short) => {
                let halves = |limb: &u64| [*limb as u32, (*limb >> 32) as u32];
                let digits: Vec<u32> = short.limbs[..short.len].iter().flat_map(halves).collect();
                let sign = if short.negative { Sign::Minus } else { Sign::Plus };
                let value = BigInt::from_biguint(sign, BigUint::new(digits));
                Long { value, exponent: short.exponent }
            }
        }
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
        if let (Exact::Short(a), Exact::Short(b)) = (self, other)
            && let Some(product) = a.times(b)
        {
            return Exact::Short(product);
        }
        let (a, b) = (self.to_long(), other.to_long());
        Exact::Long(Box::new(Long {
            value: &a.value * &b.value,
            exponent: a.exponent + b.exponent,
        }))
    }
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, other: Self) -> Exact {
        if let (Exact::Short(a), Exact::Short(b)) = (self, other)
            && let Some(sum) = a.plus(b, false)
        {
            return Exact::Short(sum);
        }
        let (a, b) = (self.to_long(), other.to_long());
        let exponent = a.exponent.min(b.exponent);
        let shifted = |number: Long| number.value << ((number.exponent - exponent) as u32);
        Exact::Long(Box::new(Long { value: shifted(a) + shifted(b), exponent }))
    }
}

impl Sub for &Exact {
    type Output = Exact;
    fn sub(self, other: Self) -> Exact {
        if let (Exact::Short(a), Exact::Short(b)) = (self, other)
            && let Some(difference) = a.plus(b, true)
        {
            return Exact::Short(difference);
        }
        self + &-other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// The same number by big integers alone.
    fn long(number: f64) -> Exact {
        Exact::Long(Box::new(Exact::from(number).to_long()))
    }

    #[test]
    fn short_numbers_are_those_of_big_integers() {
        let mut state = 1u64;
        let mut bits = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ (state >> 29)
        };
        for round in 0..2000 {
            let spread = [8, 40, 90, 300][round % 4];
            let mut number = || {
                let size = (bits() >> 11) as f64 * 2f64.powi((bits() % spread) as i32 - 60);
                let round = if bits().is_multiple_of(3) { size.round() } else { size };
                if bits().is_multiple_of(2) { round } else { -round }
            };
            let numbers: Vec<f64> = (0..6).map(|_| number()).collect();
            let [mut short, mut by_heap] = [Exact::from(numbers[0]), long(numbers[0])];
            for (k, &next) in numbers.iter().enumerate().cycle().take(14) {
                let (one, two) = (Exact::from(next), long(next));
                (short, by_heap) = match (k + round) % 3 {
                    0 => (&short + &one, &by_heap + &two),
                    1 => (&short - &one, &by_heap - &two),
                    _ => (&short * &one, &by_heap * &two),
                };
                assert_eq!(short.sign(), by_heap.sign());
                assert_eq!((&short - &by_heap).sign(), 0);
                let (quotient, other) = (short.quotient(&one), by_heap.quotient(&two));
                // Equal where both leave the range of f64.
                let near = (quotient - other).abs() <= f64::EPSILON * other.abs();
                assert!(near || quotient == other, "{quotient} {other}");
            }
        }
    }
}
