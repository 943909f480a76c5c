//! Roots in [0, 1], isolated in integers, and the signs of other polynomials at them.

use super::polynomial::{Cell, Polynomial, common_divisor, derivative, rounded, sign_in_powers};
use crate::predicate::dyadic::{ratio, sign};
use num_bigint::{BigInt, Sign};

/// After this number of halvings, a polynomial whose roots are not yet isolated is checked for multiple roots.
const HALVINGS: u32 = 10;

/// Binary digits that are guessed in f64 at once.
const GUESSED: u32 = 40;

/// No refinement goes on beyond this: roots of cubics with coefficients of 4,500 bits are farther apart than 2^-30000.
const MOST: u32 = 1 << 16;

/// Digits after the binary point of a reported time.
const DIGITS: u32 = 62;

/// A root is at most this much above [`Root::lower`]: the cell, the cut and the rounding.
pub(super) const WIDTH: f64 = 4.0 * f64::EPSILON;

/// A root in [0, 1].
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// `part / whole`, with a positive whole.
    Rational { part: BigInt, whole: BigInt },
    /// The only root of the polynomial inside the open cell, a simple one. `left` is the sign of the polynomial between
    /// the cell's left end and the root.
    Isolated { polynomial: Polynomial, cell: Cell, left: i32 },
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

    /// Halves the cell.
    fn refine(&mut self) {
        let Self::Isolated { polynomial, cell, left } = self else { return };
        let right_half = cell.half(true);
        let whole = BigInt::from(1) << right_half.power;
        match polynomial.sign_at(&right_half.number, &whole) {
            0 => *self = Self::Rational { part: right_half.number, whole },
            s if s == *left => *cell = right_half,
            _ => *cell = cell.half(false),
        }
    }

    /// Guesses [`GUESSED`] more digits in f64, and keeps them if exact signs agree.
    fn sharpen(&mut self) {
        let Self::Isolated { polynomial, cell, left } = self else { return };
        let restricted = polynomial.on(cell);
        let digits = guessed(&restricted, *left > 0);
        let power = cell.power + GUESSED;
        let number = (&cell.number << GUESSED) + digits;
        let (next, whole) = (&number + 1u32, BigInt::from(1) << power);
        let signs = [polynomial.sign_at(&number, &whole), polynomial.sign_at(&next, &whole)];
        // The cell is open: its own ends may be other roots.
        if signs[0] == 0 && digits > 0 {
            *self = Self::Rational { part: number, whole };
        } else if signs[1] == 0 && digits + 1 < 1 << GUESSED {
            *self = Self::Rational { part: next, whole };
        } else if signs == [*left, -*left] {
            *cell = Cell { number, power };
        }
    }

    /// A number that is at most the root, and less by no more than 2^-61.
    pub(super) fn lower(&mut self) -> f64 {
        self.sharpen();
        self.sharpen();
        for _ in 0..=DIGITS {
            match self {
                Self::Isolated { cell, .. } if cell.power < DIGITS => self.refine(),
                _ => break,
            }
        }
        let (part, whole) = match self {
            Self::Rational { part, whole } => (part.clone(), whole.clone()),
            Self::Isolated { cell, .. } => (cell.number.clone(), BigInt::from(1) << cell.power),
        };
        // The quotient is cut after 62 digits and then rounded to 53.
        let value = ratio(part.magnitude(), whole.magnitude());
        let digits = (part.magnitude() << DIGITS) / whole.magnitude();
        let digits = digits.iter_u64_digits().next().unwrap_or(0);
        let rounded_up = (value * (1u64 << DIGITS) as f64) as u64 > digits;
        if rounded_up { value.next_down() } else { value }
    }

    /// How many digits of it are known; none are missing of a rational one.
    fn digits(&self) -> u32 {
        match self {
            Self::Rational { .. } => u32::MAX,
            Self::Isolated { cell, .. } => cell.power,
        }
    }

    /// The sign of a polynomial at the root. Exact.
    pub(super) fn sign_of(&mut self, other: &Polynomial) -> i32 {
        if other.is_zero() {
            return 0;
        }
        // Fewer digits seldom tell.
        if self.digits() < GUESSED {
            self.sharpen();
        }
        for step in 0.. {
            let (polynomial, cell) = match self {
                Self::Rational { part, whole } => return other.sign_at(part, whole),
                Self::Isolated { polynomial, cell, .. } => (polynomial, cell),
            };
            let sign = other.on(cell).common_sign();
            if sign != 0 {
                return sign;
            }
            if step == 0 && shares_root(polynomial, other, cell) || cell.power > MOST {
                return 0;
            }
            let before = self.digits();
            self.sharpen();
            if self.digits() == before {
                self.refine();
            }
        }
        0
    }
}

/// The first [`GUESSED`] digits of the only root in [0, 1] of a polynomial that is positive before it, or negative.
fn guessed(polynomial: &Polynomial, positive: bool) -> u64 {
    let coefficients: Vec<&BigInt> = polynomial.coefficients.iter().collect();
    let (mut values, last) = ([0.0; 4], polynomial.degree());
    values[..=last].copy_from_slice(&rounded(&coefficients));
    let mut digits = 0;
    for _ in 0..GUESSED {
        // One step of de Casteljau's algorithm halves the interval.
        let mut left_half = [0.0; 4];
        for (round, slot) in left_half.iter_mut().enumerate().take(last + 1) {
            *slot = values[0];
            for i in 0..last - round {
                values[i] = 0.5 * (values[i] + values[i + 1]);
            }
        }
        let goes_right = if positive { values[0] > 0.0 } else { values[0] < 0.0 };
        digits = digits << 1 | u64::from(goes_right);
        if !goes_right {
            values = left_half;
        }
    }
    digits
}

/// Whether the only root of a polynomial in an open cell, a simple one, is a root of the other too.
fn shares_root(polynomial: &Polynomial, other: &Polynomial, cell: &Cell) -> bool {
    let divisor = common_divisor(polynomial.powers(), other.powers());
    let slope = derivative(&divisor);
    // Each end may be another root, which is simple in the divisor or outside of the cell's neighbourhood.
    let side = |part: &BigInt, inward: i32| match sign_in_powers(&divisor, part, cell.power) {
        0 => inward * sign_in_powers(&slope, part, cell.power),
        s => s,
    };
    divisor.len() > 1 && side(&cell.number, 1) != side(&(&cell.number + 1u32), -1)
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
    let mut examined = false;
    while let Some((cell, restricted)) = stack.pop() {
        match restricted.sign_changes() {
            0 => {}
            1 => found.push(Root::Isolated {
                polynomial: polynomial.clone(),
                left: restricted.first_sign(),
                cell: cell.clone(),
            }),
            _ => {
                if cell.power >= HALVINGS && !examined {
                    examined = true;
                    if let Some(rational) = multiple(polynomial) {
                        return rational;
                    }
                }
                let [left, right] = restricted.halves();
                stack.push((cell.half(true), right));
                stack.push((cell.half(false), left));
                continue;
            }
        }
        // The right end, once; that of [0, 1] too.
        let right = &cell.number + 1u32;
        let last = restricted.coefficients.last();
        if last.is_some_and(|c| sign(c) == 0) {
            found.push(Root::rational(right, BigInt::from(1) << cell.power));
        }
    }
    found
}

/// The roots in [0, 1] of a polynomial with a multiple root, all of which are rational; none if all roots are simple.
fn multiple(polynomial: &Polynomial) -> Option<Vec<Root>> {
    let powers = polynomial.powers();
    let divisor = common_divisor(powers.clone(), derivative(&powers));
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
