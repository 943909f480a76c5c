//! Roots in [0, 1], isolated in integers, and the signs of other polynomials at them.

use super::fixed_point::Digits;
use super::modular::have_no_common_root;
use super::polynomial::{Cell, Polynomial, common_divisor, derivative, rounded, value_in_powers};
use crate::predicate::dyadic::{ratio, sign};
use num_bigint::{BigInt, Sign};
use std::rc::Rc;

/// After this number of halvings, a polynomial whose roots are not yet isolated is checked for multiple roots, and then taken apart at its extremes.
const HALVINGS: u32 = 10;

/// Binary digits that are guessed in f64 at once.
const GUESSED: u32 = 40;

/// Digits of the first guess on a line.
const FIRST: u32 = 32;

/// Digits that values in a cell have beyond those of the cell itself.
const SPARE: u32 = 64;

/// No refinement goes on beyond this: roots of cubics with coefficients of 4,500 bits are farther apart than 2^-30000.
const MOST: u32 = 1 << 16;

/// Digits after the binary point of a reported time.
const DIGITS: u32 = 62;

/// A root is at most this much above [`Root::lower`]: the cell, the cut and the rounding.
pub(super) const WIDTH: f64 = 4.0 * f64::EPSILON;

/// A polynomial that has a root, also in powers of t.
#[derive(Debug)]
pub(super) struct Named {
    polynomial: Polynomial,
    powers: Vec<BigInt>,
}

/// A root in [0, 1].
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// `part / whole`, with a positive whole.
    Rational { part: BigInt, whole: BigInt },
    /// The only root of the polynomial inside the open cell, a simple one. `left` is the sign of the polynomial between
    /// the cell's left end and the root; `trust` is how many digits a guess is worth, 0 if none was made.
    Isolated { polynomial: Rc<Named>, cell: Cell, left: i32, trust: u32 },
}

impl Root {
    fn rational(part: BigInt, whole: BigInt) -> Self {
        if whole.sign() == Sign::Minus {
            Self::Rational { part: -part, whole: -whole }
        } else {
            Self::Rational { part, whole }
        }
    }

    /// Time 0.
    pub(super) fn zero() -> Self {
        Self::Rational { part: BigInt::from(0), whole: BigInt::from(1) }
    }

    fn is_in_unit_interval(&self) -> bool {
        match self {
            Self::Rational { part, whole } => part.sign() != Sign::Minus && part <= whole,
            Self::Isolated { .. } => true,
        }
    }

    fn isolated(polynomial: &Polynomial, cell: Cell, left: i32) -> Self {
        let (polynomial, powers) = (polynomial.clone(), polynomial.powers());
        Self::Isolated { polynomial: Rc::new(Named { polynomial, powers }), cell, left, trust: 0 }
    }

    /// Halves the cell.
    fn refine(&mut self) {
        let Self::Isolated { polynomial, cell, left, .. } = self else { return };
        let right_half = cell.half(true);
        match sign_at(&polynomial.powers, &right_half.low, &right_half) {
            0 => *self = Self::dyadic(right_half.low, right_half.power),
            s if s == *left => *cell = right_half,
            _ => *cell = cell.half(false),
        }
    }

    fn dyadic(part: BigInt, power: u32) -> Self {
        Self::Rational { part, whole: BigInt::from(1) << power }
    }

    /// Guesses more digits, and keeps them if exact signs agree: in f64 until that tells many at once, then twice as many as were right the last time (J. Abbott, "Quadratic
    /// interval refinement for real roots", 2006). Halves the cell if they do not.
    fn sharpen(&mut self) {
        let Self::Isolated { polynomial, cell, left, trust } = self else { return };
        let powers = &polynomial.powers;
        let (digits, from, to) = if *trust == 0 {
            let enough = 3 * u64::from(cell.digits()) + 2 * u64::from(SPARE);
            let (place, digits) = guessed(&polynomial.polynomial.cut(enough).on(cell), *left > 0);
            if digits == 0 {
                return self.refine();
            }
            (digits, BigInt::from(place), BigInt::from(place + 1))
        } else {
            let [low, high] =
                [&cell.low, &cell.high].map(|end| value_near(powers, end, cell, *trust));
            let [from, to] = crossing(&[low, high], *trust);
            (*trust, from, to)
        };
        let next = cell.parts(&from, &to, digits);
        // The cell is open: its own ends may be other roots.
        let low =
            if from.sign() == Sign::NoSign { *left } else { sign_at(powers, &next.low, &next) };
        let high =
            if to.bits() > u64::from(digits) { -*left } else { sign_at(powers, &next.high, &next) };
        if low == 0 {
            *self = Self::dyadic(next.low, next.power);
        } else if high == 0 {
            *self = Self::dyadic(next.high, next.power);
        } else if [low, high] == [*left, -*left] {
            *cell = next;
            // Only where f64 tells all the digits that it can is the polynomial close to a line.
            *trust = match *trust {
                0 if digits == GUESSED => FIRST,
                0 => 0,
                worth => worth * 2,
            };
        } else {
            *trust = 0;
            self.refine();
        }
    }

    /// A number that is at most the root, and less by no more than 2^-61.
    pub(super) fn lower(&mut self) -> f64 {
        for _ in 0..=DIGITS {
            match self {
                Self::Isolated { cell, .. } if cell.digits() < DIGITS => self.sharpen(),
                _ => break,
            }
        }
        let (part, whole) = match self {
            Self::Rational { part, whole } => (part.clone(), whole.clone()),
            Self::Isolated { cell, .. } => (cell.low.clone(), BigInt::from(1) << cell.power),
        };
        // The quotient is cut after 62 digits and then rounded to 53.
        let value = ratio(part.magnitude(), whole.magnitude());
        let digits = (part.magnitude() << DIGITS) / whole.magnitude();
        let digits = digits.iter_u64_digits().next().unwrap_or(0);
        let rounded_up = (value * (1u64 << DIGITS) as f64) as u64 > digits;
        if rounded_up { value.next_down() } else { value }
    }

    /// Numbers of [0, 1] between which it is.
    pub(super) fn bounds(&self) -> (f64, f64) {
        let (low, high) = match self {
            Self::Rational { part, whole } => {
                let value = ratio(part.magnitude(), whole.magnitude());
                (value, value)
            }
            Self::Isolated { cell, .. } => cell.bounds(),
        };
        ((low - f64::EPSILON).max(0.0), (high + f64::EPSILON).min(1.0))
    }

    /// How many digits of it are known; none are missing of a rational one.
    fn digits(&self) -> u32 {
        match self {
            Self::Rational { .. } => u32::MAX,
            Self::Isolated { cell, .. } => cell.digits(),
        }
    }

    /// The sign of a polynomial at the root. Exact.
    pub(super) fn sign_of(&mut self, other: &Polynomial) -> i32 {
        if other.is_zero() {
            return 0;
        }
        let (l, r) = self.bounds();
        let quick = other.sign_between(l, r);
        if quick != 0 {
            return quick;
        }
        // Fewer digits seldom tell.
        if self.digits() < GUESSED {
            self.sharpen();
        }
        let powers = other.powers();
        for step in 0.. {
            let (polynomial, cell) = match self {
                Self::Rational { part, whole } => return other.sign_at(part, whole),
                Self::Isolated { polynomial, cell, .. } => (polynomial, cell),
            };
            let sign = Digits::new(&powers, cell.digits() + SPARE).sign_on(cell);
            if sign != 0 {
                return sign;
            }
            if step == 0 && shares_root(&polynomial.polynomial, other, cell) || cell.digits() > MOST
            {
                return 0;
            }
            self.sharpen();
        }
        0
    }
}

/// A polynomial with coefficients of more digits than this is worth cutting.
const LONG: u64 = 512;

fn is_long(powers: &[BigInt]) -> bool {
    powers.iter().any(|c| c.bits() > LONG)
}

/// The sign at `part / 2^power` of a cell: by as many digits as the cell's width asks for, then by all.
fn sign_at(powers: &[BigInt], part: &BigInt, cell: &Cell) -> i32 {
    let digits = cell.digits() + 2 * SPARE;
    let quick =
        if is_long(powers) { Digits::new(powers, digits).sign(part, cell.power) } else { 0 };
    if quick != 0 { quick } else { sign(&value_in_powers(powers, part, cell.power)) }
}

/// About the value at an end of a cell, good for guessing this many digits.
fn value_near(powers: &[BigInt], end: &BigInt, cell: &Cell, digits: u32) -> BigInt {
    if is_long(powers) {
        Digits::new(powers, cell.digits() + digits + 2 * SPARE).value(end, cell.power)
    } else {
        value_in_powers(powers, end, cell.power)
    }
}

/// The first digits of the only root in [0, 1] of a polynomial that is positive before it, or negative: as many as f64 tells for certain, up to [`GUESSED`].
fn guessed(polynomial: &Polynomial, positive: bool) -> (u64, u32) {
    let coefficients: Vec<&BigInt> = polynomial.coefficients.iter().collect();
    let (mut values, last) = ([0.0f64; 4], polynomial.degree());
    values[..=last].copy_from_slice(&rounded(&coefficients));
    let (mut place, mut error) = (0, 0.0);
    for count in 0..GUESSED {
        let largest = values[..=last].iter().fold(0.0f64, |m, v| m.max(v.abs()));
        error += 2.0 * f64::EPSILON * largest;
        // One step of de Casteljau's algorithm halves the interval.
        let mut left_half = [0.0; 4];
        for (round, slot) in left_half.iter_mut().enumerate().take(last + 1) {
            *slot = values[0];
            for i in 0..last - round {
                values[i] = 0.5 * (values[i] + values[i + 1]);
            }
        }
        if values[0].abs() <= error {
            return (place, count);
        }
        let goes_right = positive == (values[0] > 0.0);
        place = place << 1 | u64::from(goes_right);
        if !goes_right {
            values = left_half;
        }
    }
    (place, GUESSED)
}

/// Between which of 2^digits equal parts a line vanishes that has values of opposite signs at its ends: one part to either side.
fn crossing([low, high]: &[BigInt; 2], digits: u32) -> [BigInt; 2] {
    // Digits beyond the requested precision carry no information.
    let bits = low.bits().max(high.bits());
    let shift = bits.saturating_sub(u64::from(digits) + 64);
    let (low, high) = (low.magnitude() >> shift, high.magnitude() >> shift);
    let sum = &low + &high;
    let parts = BigInt::from(1) << digits;
    if sum.bits() == 0 {
        return [BigInt::from(0), parts];
    }
    let nearest = BigInt::from(((low << (digits + 1)) / sum + 1u32) >> 1u32);
    let [from, to] = [&nearest - 1u32, &nearest + 1u32];
    [from.max(BigInt::from(0)), to.min(parts)]
}

/// Whether the only root of a polynomial in an open cell, a simple one, is a root of the other too.
fn shares_root(polynomial: &Polynomial, other: &Polynomial, cell: &Cell) -> bool {
    if other.is_multiple_of(polynomial) {
        return true;
    }
    let (powers, others) = (polynomial.powers(), other.powers());
    if have_no_common_root(&powers, &others) {
        return false;
    }
    let divisor = common_divisor(powers, others);
    let slope = derivative(&divisor);
    // Each end may be another root, which is simple in the divisor or outside of the cell's neighbourhood.
    let side = |part: &BigInt, inward: i32| match sign(&value_in_powers(&divisor, part, cell.power))
    {
        0 => inward * sign(&value_in_powers(&slope, part, cell.power)),
        s => s,
    };
    divisor.len() > 1 && side(&cell.low, 1) != side(&cell.high, -1)
}

/// All roots in [0, 1] in ascending order; none for the zero polynomial.
pub(super) fn roots(polynomial: &Polynomial) -> Vec<Root> {
    let mut found = Vec::new();
    if polynomial.is_zero() {
        return found;
    }
    if sign(&polynomial.coefficients[0]) == 0 {
        found.push(Root::zero());
    }
    if let [a, b, c] = polynomial.coefficients.as_slice()
        && b * b < a * c
    {
        return found;
    }
    let mut stack = vec![(Cell::whole(), polynomial.clone())];
    while let Some((cell, restricted)) = stack.pop() {
        match restricted.sign_changes() {
            0 => {}
            1 => {
                found.push(Root::isolated(polynomial, cell.clone(), restricted.first_sign()));
            }
            _ if cell.power >= HALVINGS => {
                return multiple(polynomial).unwrap_or_else(|| between_extremes(polynomial));
            }
            _ => {
                let [left, right] = restricted.halves();
                stack.push((cell.half(true), right));
                stack.push((cell.half(false), left));
                continue;
            }
        }
        // The right end, once; that of [0, 1] too.
        let last = restricted.coefficients.last();
        if last.is_some_and(|c| sign(c) == 0) {
            found.push(Root::dyadic(cell.high, cell.power));
        }
    }
    found
}

/// The roots in [0, 1] of a polynomial without multiple roots: one between two extremes of opposite signs. However close two roots are, the extreme between
/// them is found by as few guesses as any root.
fn between_extremes(polynomial: &Polynomial) -> Vec<Root> {
    let mut found = Vec::new();
    let coefficients = &polynomial.coefficients;
    if sign(&coefficients[0]) == 0 {
        found.push(Root::zero());
    }
    let last_sign = coefficients.iter().rev().map(sign).find(|s| *s != 0).unwrap_or(0);
    let one = Cell { low: BigInt::from(1), high: BigInt::from(1), power: 0 };
    let end = (one, last_sign);
    let extremes = roots(&polynomial.slope()).into_iter().filter_map(|mut extreme| {
        let sign = extreme.sign_of(polynomial);
        let place = match extreme {
            Root::Isolated { cell, .. } => cell,
            Root::Rational { part, whole } => {
                let power = whole.trailing_zeros().unwrap_or(0);
                // Others are double roots of the slope, and no extremes.
                let dyadic = whole.bits() == power + 1;
                let power = u32::try_from(power).ok().filter(|_| dyadic)?;
                Cell { low: part.clone(), high: part, power }
            }
        };
        (sign != 0).then_some((place, sign))
    });
    // The end of the last place, and the sign from there on.
    let (mut from, mut power, mut left) = (BigInt::from(0), 0, polynomial.first_sign());
    for (place, right) in extremes.chain([end]) {
        let common = power.max(place.power);
        if left != right {
            let (low, high) = (&from << (common - power), &place.low << (common - place.power));
            found.push(Root::isolated(polynomial, Cell { low, high, power: common }, left));
        }
        (from, power, left) = (place.high, place.power, right);
    }
    if coefficients.last().is_some_and(|c| sign(c) == 0) {
        found.push(Root::dyadic(BigInt::from(1), 0));
    }
    found
}

/// The roots in [0, 1] of a polynomial with a multiple root, all of which are rational; none if all roots are simple.
fn multiple(polynomial: &Polynomial) -> Option<Vec<Root>> {
    let powers = polynomial.powers();
    let slope = derivative(&powers);
    if have_no_common_root(&powers, &slope) {
        return None;
    }
    let divisor = common_divisor(powers.clone(), slope);
    let (part, whole) = match divisor.as_slice() {
        [c0, c1] => (-c0, c1.clone()),
        [_, c1, c2] => (-c1, c2 * 2u32),
        _ => return None,
    };
    let mut found = vec![Root::rational(part.clone(), whole.clone())];
    if let ([_, _, c2, c3], 2) = (powers.as_slice(), divisor.len()) {
        // The three roots add up to −c2 / c3.
        let other = -c2 * &whole - part * c3 * 2u32;
        found.push(Root::rational(other, c3 * whole));
    }
    found.retain(Root::is_in_unit_interval);
    found.sort_by(|a, b| match (a, b) {
        (Root::Rational { part: p, whole: w }, Root::Rational { part: q, whole: v }) => {
            (p * v).cmp(&(q * w))
        }
        _ => std::cmp::Ordering::Equal,
    });
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ((2t − 1)² − s / m) (t + 1) m in Bernstein form, with m = 2^1072: roots as close as the smallest numbers make them, or none.
    fn nearly_double(s: i32) -> Polynomial {
        let m = BigInt::from(1) << 1072u32;
        let (a0, a3) = (&m - s, &m * 4);
        let a1 = &a0 - &a3;
        let coefficients = vec![&a0 * 3, &a0 * 3 + &a1, &a0 * 3 + &a1 * 2, (&a0 + &a1 + &a3) * 3];
        Polynomial { coefficients }
    }

    #[test]
    fn roots_however_close_are_told_apart() {
        let from_half = Polynomial { coefficients: vec![BigInt::from(-1), BigInt::from(1)] };
        let mut found = roots(&nearly_double(1));
        assert_eq!(found.len(), 2);
        for (root, side) in found.iter_mut().zip([-1, 1]) {
            assert_eq!(root.sign_of(&from_half), side);
            assert_eq!(root.sign_of(&nearly_double(1)), 0);
            assert_eq!(root.sign_of(&nearly_double(-1)), 1);
            let (time, (low, high)) = (root.lower(), root.bounds());
            assert!((0.5 - WIDTH..=0.5).contains(&time) && low < 0.5 && high > 0.5);
        }
        assert!(roots(&nearly_double(-1)).is_empty());
        assert_eq!(roots(&nearly_double(0)).len(), 1);
    }
}
