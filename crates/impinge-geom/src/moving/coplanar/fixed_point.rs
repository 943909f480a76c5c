//! Values of polynomials to a given number of digits, with error bounds.
//!
//! Coordinates as small as the smallest numbers beside ordinary ones make coefficients of thousands of digits, of which signs need few. So coefficients are cut to the
//! digits that are asked for, counted from the top of the largest, and Horner's scheme cuts each product to them. Let a unit be the last of these digits. A
//! coefficient is off by less than one unit, and so is the argument t, in its own units. A step of the scheme multiplies by t ≤ 1 a value below four times the
//! largest number of its size, and cuts: that adds at most 4 + 1 + 1 units to the error. Of a cubic these are three steps: 19 units, taken as 32.

use super::polynomial::Cell;
use num_bigint::{BigInt, BigUint};

/// The error of a value, in units.
const ERROR: u32 = 32;

/// A polynomial in powers of t, of degree three at most, cut to some digits.
pub(super) struct Digits {
    powers: Vec<BigInt>,
    digits: u32,
}

/// A number times 2^shift, rounded down.
fn shifted(value: &BigInt, shift: i64) -> BigInt {
    if shift >= 0 { value << shift } else { value >> -shift }
}

impl Digits {
    /// The largest coefficient keeps this many digits.
    pub(super) fn new(powers: &[BigInt], digits: u32) -> Self {
        let bits = powers.iter().map(BigInt::bits).max().unwrap_or(0);
        let shift = i64::from(digits) - i64::try_from(bits).unwrap_or(i64::MAX);
        Self { powers: powers.iter().map(|c| shifted(c, shift)).collect(), digits }
    }

    /// The value at `part / 2^power`, a number of [0, 1], off by less than [`ERROR`] units.
    pub(super) fn value(&self, part: &BigInt, power: u32) -> BigInt {
        let t = shifted(part, i64::from(self.digits) - i64::from(power));
        let mut value = BigInt::from(0);
        for c in self.powers.iter().rev() {
            value = ((value * &t) >> self.digits) + c;
        }
        value
    }

    /// The sign at `part / 2^power`, 0 if more digits are needed.
    pub(super) fn sign(&self, part: &BigInt, power: u32) -> i32 {
        certain(&self.value(part, power), &BigUint::from(ERROR))
    }

    /// The sign on a cell, 0 if there may be a root or more digits are needed: the value at an end cannot change by more than the width times the largest slope.
    pub(super) fn sign_on(&self, cell: &Cell) -> i32 {
        let width =
            shifted(&(&cell.high - &cell.low), i64::from(self.digits) - i64::from(cell.power));
        let slope: BigUint =
            self.powers.iter().zip(0u32..).map(|(c, k)| (c.magnitude() + 1u32) * k).sum();
        let change = ((slope * (width.magnitude() + 1u32)) >> self.digits) + 1u32;
        certain(&self.value(&cell.low, cell.power), &(change + ERROR))
    }
}

/// The sign of a number that is off by less than an error.
fn certain(value: &BigInt, error: &BigUint) -> i32 {
    if value.magnitude() <= error {
        return 0;
    }
    crate::predicate::dyadic::sign(value)
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::value_in_powers;
    use super::*;
    use crate::predicate::dyadic::sign;

    /// (t − r)(at + b) in integers, r = part / 2^power up to a last digit.
    #[test]
    fn a_certain_sign_is_the_true_one() {
        let mut certain_ones = 0;
        for seed in 1u64..400 {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                BigInt::from((state >> 20) as i64) - (1i64 << 43)
            };
            let degree = 1 + seed as usize % 3;
            let mut powers: Vec<BigInt> =
                (0..=degree).map(|k| next() << ((seed * 37 * (k as u64 + 1)) % 900)).collect();
            let part = next().magnitude() % (1u64 << 40);
            let part = BigInt::from(part);
            // A root at the place itself, half of the time but for a last digit.
            if seed % 2 == 0 {
                let value = value_in_powers(&powers, &part, 40);
                powers.iter_mut().for_each(|c| *c <<= 40 * degree);
                powers[0] -= value - BigInt::from(i32::from(seed % 4 == 0));
            }
            let exact = sign(&value_in_powers(&powers, &part, 40));
            for digits in [45, 100, 2_000] {
                let digits = Digits::new(&powers, digits);
                let found = digits.sign(&part, 40);
                assert!(found == 0 || found == exact, "{seed}");
                certain_ones += u32::from(found != 0);
                let cell = Cell { low: part.clone(), high: &part + 1u32, power: 40 };
                let on_cell = digits.sign_on(&cell);
                let ends =
                    [&cell.low, &cell.high].map(|end| sign(&value_in_powers(&powers, end, 40)));
                assert!(on_cell == 0 || ends == [on_cell; 2], "{seed}");
            }
        }
        assert!(certain_ones > 300, "{certain_ones}");
    }
}
