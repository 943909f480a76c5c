//! Real roots of integer polynomials by Sturm sequences, and the signs of others at them by Tarski queries
//! (S. Basu, R. Pollack, M.-F. Roy, "Algorithms in Real Algebraic Geometry", 2006, section 2.2).

use super::lattice::sign;
use dashu_int::IBig;
use std::cmp::Ordering;

/// Coefficients of 1, t, t², …, the last of them not zero; empty for zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial(Vec<IBig>);

/// The number `part / 2^power`.
#[derive(Clone, Debug)]
pub struct Dyadic {
    pub part: IBig,
    pub power: usize,
}

impl Dyadic {
    /// Any finite number that is not negative and at most about one.
    pub fn from_f64(value: f64) -> Self {
        let (mantissa, exponent) = super::lattice::decode(value);
        if exponent >= 0 {
            Self { part: IBig::from(mantissa) << exponent as usize, power: 0 }
        } else {
            Self { part: IBig::from(mantissa), power: exponent.unsigned_abs() as usize }
        }
    }

    /// The point `weight / 16` of the way from one to the other.
    fn between(a: &Self, b: &Self, weight: u32) -> Self {
        let power = a.power.max(b.power);
        let lift = |x: &Self| &x.part << (power - x.power);
        let part = lift(a) * IBig::from(16 - weight) + lift(b) * IBig::from(weight);
        Self { part, power: power + 4 }
    }

    fn compare(&self, other: &Self) -> Ordering {
        (&self.part << other.power).cmp(&(&other.part << self.power))
    }
}

impl Polynomial {
    pub fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(|c| *c == IBig::ZERO) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    /// The linear polynomial that is `start` at 0 and `end` at 1.
    pub fn linear(start: &IBig, end: &IBig) -> Self {
        Self::new(vec![start.clone(), end - start])
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub fn plus(&self, other: &Self, factor: i32) -> Self {
        let at = |p: &Self, i: usize| p.0.get(i).cloned().unwrap_or(IBig::ZERO);
        let count = self.0.len().max(other.0.len());
        Self::new((0..count).map(|i| at(self, i) + at(other, i) * IBig::from(factor)).collect())
    }

    pub fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self(Vec::new());
        }
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Self::new(product)
    }

    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(j, c)| c * IBig::from(j)).collect())
    }

    /// The negative of the remainder of a positive multiple of `self`.
    fn negative_remainder(&self, divisor: &Self) -> Self {
        let mut rest = self.0.clone();
        let Some(lead) = divisor.0.last() else { return Self(Vec::new()) };
        let positive = *lead > IBig::ZERO;
        while rest.len() >= divisor.0.len() {
            let Some(top) = rest.pop() else { break };
            let shift = rest.len() + 1 - divisor.0.len();
            for c in &mut rest {
                *c *= if positive { lead.clone() } else { -lead };
            }
            for (c, d) in rest[shift..].iter_mut().zip(&divisor.0) {
                let part = &top * d;
                *c -= if positive { part } else { -part };
            }
            rest = Self::new(rest).0;
        }
        Self(rest.into_iter().map(|c| -c).collect())
    }

    pub fn sign_at(&self, at: &Dyadic) -> i8 {
        let mut value = IBig::ZERO;
        for (distance, c) in self.0.iter().rev().enumerate() {
            value = value * &at.part + (c << (at.power * distance));
        }
        sign(&value)
    }

    /// Divides out the factor t − 0 or t − 1 as often as it is there.
    fn without_ends(&self) -> Self {
        let mut rest = self.0.clone();
        while rest.first().is_some_and(|c| *c == IBig::ZERO) {
            rest.remove(0);
        }
        while rest.len() > 1 && rest.iter().fold(IBig::ZERO, |sum, c| sum + c) == IBig::ZERO {
            // Synthetic division by t − 1, from the top.
            let mut quotient = Vec::new();
            let mut carry = IBig::ZERO;
            for c in rest.iter().skip(1).rev() {
                carry += c;
                quotient.push(carry.clone());
            }
            quotient.reverse();
            rest = quotient;
        }
        Self::new(rest)
    }
}

/// A sequence of signed remainders.
struct Sequence(Vec<Polynomial>);

impl Sequence {
    fn new(first: &Polynomial, second: Polynomial) -> Self {
        let mut members = vec![first.clone()];
        let mut next = second;
        while !next.is_zero() {
            let rest = members[members.len() - 1].negative_remainder(&next);
            members.push(next);
            next = rest;
        }
        Self(members)
    }

    fn changes(&self, at: &Dyadic) -> i32 {
        let signs: Vec<i8> =
            self.0.iter().map(|member| member.sign_at(at)).filter(|s| *s != 0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count() as i32
    }

    fn between(&self, from: &Dyadic, to: &Dyadic) -> i32 {
        self.changes(from) - self.changes(to)
    }
}

/// A root in [0, 1]: 0 or 1, or the only one of a polynomial between two numbers that are no roots.
#[derive(Clone, Debug)]
pub enum Root {
    Point(Dyadic),
    Inside { polynomial: Polynomial, from: Dyadic, to: Dyadic },
}

impl Root {
    /// The sign of a polynomial at the root.
    pub fn sign_of(&self, other: &Polynomial) -> i8 {
        match self {
            Self::Point(at) => other.sign_at(at),
            Self::Inside { polynomial, from, to } => {
                let query = Sequence::new(polynomial, polynomial.derivative().times(other));
                query.between(from, to) as i8
            }
        }
    }

    /// How the root compares with a number.
    pub fn compare(&self, number: &Dyadic) -> Ordering {
        match self {
            Self::Point(at) => at.compare(number),
            Self::Inside { polynomial, from, to } => {
                if number.compare(from).is_le() {
                    Ordering::Greater
                } else if number.compare(to).is_ge() {
                    Ordering::Less
                } else if polynomial.sign_at(number) == 0 {
                    Ordering::Equal
                } else {
                    let count = Sequence::new(polynomial, polynomial.derivative());
                    if count.between(from, number) == 1 {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    }
                }
            }
        }
    }

    /// Ends of an interval that holds the root.
    fn ends(&self) -> (&Dyadic, &Dyadic) {
        match self {
            Self::Point(at) => (at, at),
            Self::Inside { from, to, .. } => (from, to),
        }
    }

    /// Sorts by the lower end.
    pub fn order(&self, other: &Self) -> Ordering {
        self.ends().0.compare(other.ends().0)
    }

    /// Whether the root is certainly greater.
    pub fn is_beyond(&self, other: &Self) -> bool {
        self.ends().0.compare(other.ends().1).is_gt()
    }
}

/// The interval of an isolated root is at most 2^-this long.
const FINE: usize = 32;

/// All distinct roots in [0, 1], in no order.
pub fn roots(polynomial: &Polynomial) -> Vec<Root> {
    let mut found = Vec::new();
    if polynomial.is_zero() {
        return found;
    }
    let (zero, one) = (Dyadic::from_f64(0.0), Dyadic::from_f64(1.0));
    for end in [&zero, &one] {
        if polynomial.sign_at(end) == 0 {
            found.push(Root::Point(end.clone()));
        }
    }
    let polynomial = polynomial.without_ends();
    let sequence = Sequence::new(&polynomial, polynomial.derivative());
    let mut open = vec![(zero, one)];
    while let Some((from, to)) = open.pop() {
        match sequence.between(&from, &to) {
            0 => {}
            1 if from.power >= FINE && to.power >= FINE => {
                found.push(Root::Inside { polynomial: polynomial.clone(), from, to });
            }
            _ => {
                // At most four of these are roots.
                let middle = [8, 7, 9, 6, 10]
                    .map(|weight| Dyadic::between(&from, &to, weight))
                    .into_iter()
                    .find(|middle| polynomial.sign_at(middle) != 0);
                if let Some(middle) = middle {
                    open.push((from, middle.clone()));
                    open.push((middle, to));
                }
            }
        }
    }
    found
}
