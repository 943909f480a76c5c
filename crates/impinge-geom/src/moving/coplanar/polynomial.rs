//! Polynomials of degree at most three with integer coefficients, on [0, 1].
//!
//! They are kept in Bernstein form times a positive number, which changes no sign: on [0, 1] the number of sign changes
//! among the coefficients bounds the number of roots (Descartes' rule; A. Eigenwillig, "Real root isolation", 2008).

use crate::predicate::dyadic::sign;
use num_bigint::BigInt;

/// Bernstein coefficients on [0, 1], up to a positive factor. There are two to four of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polynomial {
    pub(super) coefficients: Vec<BigInt>,
}

/// The interval from `number / 2^power` to `(number + 1) / 2^power`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) number: BigInt,
    pub(super) power: u32,
}

impl Cell {
    /// [0, 1].
    pub(super) fn whole() -> Self {
        Self { number: BigInt::from(0), power: 0 }
    }

    /// The left half, or the right one.
    pub(super) fn half(&self, right: bool) -> Self {
        Self { number: (&self.number << 1u32) + u32::from(right), power: self.power + 1 }
    }
}

impl Polynomial {
    /// From Bernstein coefficients that are multiplied with binomial coefficients: Σ c_j (1 − t)^(d − j) t^j.
    pub(super) fn from_scaled(mut scaled: Vec<BigInt>) -> Self {
        let last = scaled.len() - 1;
        // Multiplied with d, which all inner binomial coefficients of degrees two and three equal.
        if last >= 2 {
            scaled[0] *= last as u32;
            scaled[last] *= last as u32;
        }
        Self { coefficients: scaled }
    }

    pub(super) fn degree(&self) -> usize {
        self.coefficients.len() - 1
    }

    pub(super) fn is_zero(&self) -> bool {
        self.coefficients.iter().all(|c| sign(c) == 0)
    }

    /// The sign at `part / whole`, a number of [0, 1].
    pub(super) fn sign_at(&self, part: &BigInt, whole: &BigInt) -> i32 {
        let rest = whole - part;
        let mut values = self.coefficients.clone();
        while values.len() > 1 {
            for i in 0..values.len() - 1 {
                values[i] = &values[i] * &rest + &values[i + 1] * part;
            }
            values.pop();
        }
        sign(&values[0])
    }

    /// The coefficients on a cell, up to a positive factor.
    pub(super) fn on(&self, cell: &Cell) -> Self {
        let one = BigInt::from(1) << cell.power;
        let (l, r) = (cell.number.clone(), &cell.number + 1u32);
        let (not_l, not_r) = (&one - &l, &one - &r);
        let degree = self.degree();
        // The blossom at (degree − j) times l and j times r.
        let coefficient = |j: usize| {
            let mut values = self.coefficients.clone();
            for round in 0..degree {
                let (t, rest) = if round < j { (&r, &not_r) } else { (&l, &not_l) };
                for i in 0..values.len() - 1 {
                    values[i] = &values[i] * rest + &values[i + 1] * t;
                }
                values.pop();
            }
            values.swap_remove(0)
        };
        Self { coefficients: (0..=degree).map(coefficient).collect() }
    }

    /// The coefficients on both halves of [0, 1], up to a positive factor: one round of de Casteljau's algorithm, in sums.
    pub(super) fn halves(&self) -> [Self; 2] {
        let degree = self.degree();
        let mut row = self.coefficients.clone();
        let (mut left, mut right) =
            (Vec::with_capacity(degree + 1), Vec::with_capacity(degree + 1));
        for round in 0..=degree {
            let missing = (degree - round) as u32;
            left.push(&row[0] << missing);
            right.push(&row[missing as usize] << missing);
            for i in 0..degree - round {
                row[i] = &row[i] + &row[i + 1];
            }
        }
        right.reverse();
        [Self { coefficients: left }, Self { coefficients: right }]
    }

    /// 1 or −1 if all coefficients have that sign, else 0: a bound on the closed interval.
    pub(super) fn common_sign(&self) -> i32 {
        let first = sign(&self.coefficients[0]);
        if self.coefficients.iter().all(|c| sign(c) == first) { first } else { 0 }
    }

    /// The number of sign changes, without zeros.
    pub(super) fn sign_changes(&self) -> usize {
        let signs: Vec<i32> = self.coefficients.iter().map(sign).filter(|s| *s != 0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// The sign just right of 0.
    pub(super) fn first_sign(&self) -> i32 {
        self.coefficients.iter().map(sign).find(|s| *s != 0).unwrap_or(0)
    }

    /// Coefficients of 1, t, t², …, the last of them not zero; empty for zero.
    pub(super) fn powers(&self) -> Vec<BigInt> {
        // The j-th is the binomial coefficient times the j-th forward difference.
        let degree = self.degree();
        let mut row = self.coefficients.clone();
        let mut powers = Vec::with_capacity(degree + 1);
        for j in 0..=degree {
            let binomial = [[1, 1, 0, 0], [1, 2, 1, 0], [1, 3, 3, 1]][degree.clamp(1, 3) - 1][j];
            powers.push(&row[0] * BigInt::from(binomial));
            row = row.windows(2).map(|pair| &pair[1] - &pair[0]).collect();
        }
        trimmed(powers)
    }
}

fn trimmed(mut powers: Vec<BigInt>) -> Vec<BigInt> {
    while powers.last().is_some_and(|c| sign(c) == 0) {
        powers.pop();
    }
    powers
}

/// The derivative of a polynomial in powers of t.
pub(super) fn derivative(powers: &[BigInt]) -> Vec<BigInt> {
    powers.iter().enumerate().skip(1).map(|(j, c)| c * BigInt::from(j as u32)).collect()
}

/// The sign in powers of t at `part / 2^power`.
pub(super) fn sign_in_powers(powers: &[BigInt], part: &BigInt, power: u32) -> i32 {
    let mut value = BigInt::from(0);
    for (distance, c) in powers.iter().rev().enumerate() {
        value = value * part + (c << (power as usize * distance));
    }
    sign(&value)
}

/// A greatest common divisor of two polynomials in powers of t, neither of them zero, up to a factor.
pub(super) fn common_divisor(a: Vec<BigInt>, b: Vec<BigInt>) -> Vec<BigInt> {
    let (mut a, mut b) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    while !b.is_empty() {
        let rest = remainder(a, &b);
        (a, b) = (b, rest);
    }
    a
}

/// The remainder of a multiple of `a` on division by `b`, whose last coefficient is not zero.
fn remainder(mut a: Vec<BigInt>, b: &[BigInt]) -> Vec<BigInt> {
    let Some(lead) = b.last() else { return a };
    while a.len() >= b.len() {
        let Some(top) = a.pop() else { break };
        let shift = a.len() + 1 - b.len();
        for c in &mut a {
            *c *= lead;
        }
        for (c, d) in a[shift..].iter_mut().zip(b) {
            *c -= &top * d;
        }
        a = trimmed(a);
    }
    a
}

/// Integers over a common power of two, rounded to f64.
pub(super) fn rounded(values: &[&BigInt]) -> Vec<f64> {
    let bits = values.iter().map(|v| v.bits()).max().unwrap_or(0);
    let shift = bits.saturating_sub(62);
    values.iter().map(|v| i64::try_from(*v >> shift).map_or(0.0, |top| top as f64)).collect()
}
