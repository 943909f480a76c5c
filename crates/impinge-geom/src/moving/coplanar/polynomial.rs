//! Polynomials of degree at most three with integer coefficients, on [0, 1].
//!
//! They are kept in Bernstein form times a positive number, which changes no sign: on [0, 1] the number of sign changes
//! among the coefficients bounds the number of roots (Descartes' rule; A. Eigenwillig, "Real root isolation", 2008).

use super::filter::sign_between;
use crate::predicate::dyadic::sign;
use num_bigint::BigInt;

/// Bernstein coefficients on [0, 1], up to a positive factor. There are two to four of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polynomial {
    pub(super) coefficients: Vec<BigInt>,
}

/// The interval from `low / 2^power` to `high / 2^power`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) low: BigInt,
    pub(super) high: BigInt,
    pub(super) power: u32,
}

impl Cell {
    /// [0, 1].
    pub(super) fn whole() -> Self {
        Self { low: BigInt::from(0), high: BigInt::from(1), power: 0 }
    }

    /// The left half, or the right one.
    pub(super) fn half(&self, right: bool) -> Self {
        let middle = &self.low + &self.high;
        let (low, high) =
            if right { (middle, &self.high << 1u32) } else { (&self.low << 1u32, middle) };
        Self { low, high, power: self.power + 1 }
    }

    /// Of 2^digits equal parts, those from one to another.
    pub(super) fn parts(&self, from: &BigInt, to: &BigInt, digits: u32) -> Self {
        let (low, width) = (&self.low << digits, &self.high - &self.low);
        Self { high: &low + &width * to, low: &low + &width * from, power: self.power + digits }
    }

    /// Its ends, rounded to 2^-53.
    pub(super) fn bounds(&self) -> (f64, f64) {
        // 60 digits after the point fit one machine word.
        let rounded = |end: &BigInt| {
            let digits = (end << 60u32) >> self.power;
            i64::try_from(digits).map_or(0.0, |digits| digits as f64 / (1u64 << 60) as f64)
        };
        (rounded(&self.low), rounded(&self.high))
    }

    /// It is no wider than 2^-this.
    pub(super) fn digits(&self) -> u32 {
        let width = &self.high - &self.low - 1u32;
        self.power.saturating_sub(u32::try_from(width.bits()).unwrap_or(u32::MAX))
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

    /// The sign on an interval as far as f64 tells, else 0.
    pub(super) fn sign_between(&self, l: f64, r: f64) -> i32 {
        sign_between(&rounded(&self.coefficients.iter().collect::<Vec<_>>()), l, r)
    }

    pub(super) fn degree(&self) -> usize {
        self.coefficients.len() - 1
    }

    /// Whether both vanish at the same times because one is a multiple of the other, which is not zero.
    pub(super) fn is_multiple_of(&self, other: &Self) -> bool {
        let (own, others) = (&self.coefficients, &other.coefficients);
        let Some(k) = others.iter().position(|c| sign(c) != 0) else { return false };
        own.len() == others.len()
            && own.iter().zip(others).all(|(c, d)| c * &others[k] == d * &own[k])
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
        let mixed = |values: &[BigInt], t: &BigInt| -> Vec<BigInt> {
            let mix = |pair: &[BigInt]| (&pair[0] << cell.power) + (&pair[1] - &pair[0]) * t;
            values.windows(2).map(mix).collect()
        };
        // The blossoms of ever more arguments, ordered by how many of them are the right end.
        let mut rows = vec![self.coefficients.clone()];
        for _ in 0..self.degree() {
            let last = rows.last().map(|row| mixed(row, &cell.high));
            rows = rows.iter().map(|row| mixed(row, &cell.low)).chain(last).collect();
        }
        Self { coefficients: rows.into_iter().flatten().collect() }
    }

    /// About the same polynomial, the largest coefficient of which has at most this many digits.
    pub(super) fn cut(&self, digits: u64) -> Self {
        let bits = self.coefficients.iter().map(BigInt::bits).max().unwrap_or(0);
        let shift = bits.saturating_sub(digits);
        Self { coefficients: self.coefficients.iter().map(|c| c >> shift).collect() }
    }

    /// The derivative, up to a positive factor.
    pub(super) fn slope(&self) -> Self {
        let differences = self.coefficients.windows(2).map(|pair| &pair[1] - &pair[0]);
        Self { coefficients: differences.collect() }
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

/// The value in powers of t at `part / 2^power`, up to a positive factor that depends on the power only.
pub(super) fn value_in_powers(powers: &[BigInt], part: &BigInt, power: u32) -> BigInt {
    let mut value = BigInt::from(0);
    for (distance, c) in powers.iter().rev().enumerate() {
        value = value * part + (c << (power as usize * distance));
    }
    value
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
