//! Real roots of integer polynomials by Sturm sequences, and the signs of others at them by Tarski queries
//! (S. Basu, R. Pollack, M.-F. Roy, "Algorithms in Real Algebraic Geometry", 2006, section 2.2). Most intervals need no sequence: where the coefficients in Bernstein's
//! basis have one sign there is no root, and where they change it once there is one (section 10.2).

use super::lattice::sign;
use dashu_int::IBig;
use std::cell::LazyCell;
use std::cmp::Ordering;

/// Coefficients of 1, t, t², …, the last of them not zero; empty for zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial(Vec<IBig>);

/// The number `part / 2^power`.
#[derive(Clone, Debug)]
pub struct Dyadic {
    part: IBig,
    power: usize,
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
        let even = part.trailing_zeros().unwrap_or(0).min(power + 4);
        Self { part: part >> even, power: power + 4 - even }
    }

    /// Whether the other is no farther above it than 2^-[`FINE`].
    fn is_near(&self, other: &Self) -> bool {
        let power = self.power.max(other.power);
        let lift = |x: &Self| &x.part << (power - x.power);
        (lift(other) - lift(self)) << FINE <= IBig::ONE << power
    }

    fn compare(&self, other: &Self) -> Ordering {
        (&self.part << other.power).cmp(&(&other.part << self.power))
    }
}

impl Polynomial {
    /// From coefficients, the last of which may be zero.
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

    /// Whether it is zero everywhere.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum with a multiple of the other.
    pub fn plus(&self, other: &Self, factor: i32) -> Self {
        let at = |p: &Self, i: usize| p.0.get(i).cloned().unwrap_or(IBig::ZERO);
        let count = self.0.len().max(other.0.len());
        Self::new((0..count).map(|i| at(self, i) + at(other, i) * IBig::from(factor)).collect())
    }

    /// The product.
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

    /// The sign at a number.
    pub fn sign_at(&self, at: &Dyadic) -> i8 {
        let mut value = IBig::ZERO;
        for (distance, c) in self.0.iter().rev().enumerate() {
            value = value * &at.part + (c << (at.power * distance));
        }
        sign(&value)
    }

    /// Signs of the coefficients in Bernstein's basis on an interval.
    fn bernstein_signs(&self, from: &Dyadic, to: &Dyadic) -> Vec<i8> {
        let power = from.power.max(to.power);
        let lift = |x: &Dyadic| &x.part << (power - x.power);
        let (start, width) = (lift(from), lift(to) - lift(from));
        let degree = self.0.len().saturating_sub(1);
        // In the variable t · 2^power, then moved by the start, then stretched by the width.
        let scaled = |(i, c): (usize, &IBig)| c << (power * (degree - i));
        let mut c: Vec<IBig> = self.0.iter().enumerate().map(scaled).collect();
        for low in 0..degree {
            for i in (low..degree).rev() {
                let carry = &c[i + 1] * &start;
                c[i] += carry;
            }
        }
        let mut stretch = IBig::ONE;
        for (i, c) in c.iter_mut().enumerate() {
            *c *= &stretch * IBig::from(factorial(i) * factorial(degree - i));
            stretch *= &width;
        }
        // Times the factorial of the degree.
        let coefficient = |k: usize| {
            (0..=k).fold(IBig::ZERO, |sum, i| {
                sum + &c[i] * IBig::from(factorial(k) / (factorial(i) * factorial(k - i)))
            })
        };
        (0..c.len()).map(|k| sign(&coefficient(k))).collect()
    }

    /// Its sign throughout a closed interval, if that is easily seen.
    fn constant_sign(&self, from: &Dyadic, to: &Dyadic) -> Option<i8> {
        let signs = self.bernstein_signs(from, to);
        let first = *signs.first()?;
        (first != 0 && signs.iter().all(|sign| *sign == first)).then_some(first)
    }

    /// How many roots are between two numbers that are none, if that is easily seen.
    fn easy_count(&self, from: &Dyadic, to: &Dyadic) -> Option<i32> {
        let changes = changes(self.bernstein_signs(from, to).into_iter());
        (changes < 2).then_some(changes)
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

    fn between(&self, from: &Dyadic, to: &Dyadic) -> i32 {
        let changes = |at: &Dyadic| changes(self.0.iter().map(|member| member.sign_at(at)));
        changes(from) - changes(to)
    }
}

/// How often the sign changes, zeros left out.
fn changes(signs: impl Iterator<Item = i8>) -> i32 {
    let (mut last, mut count) = (0, 0);
    for sign in signs.filter(|sign| *sign != 0) {
        count += i32::from(sign == -last);
        last = sign;
    }
    count
}

fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// A root in [0, 1]: 0 or 1, or the only one of a polynomial between two numbers that are no roots.
#[derive(Clone, Debug)]
pub enum Root {
    /// 0 or 1.
    Point(Dyadic),
    /// Isolated.
    Inside {
        /// Whose root it is.
        polynomial: Polynomial,
        /// A number below it.
        from: Dyadic,
        /// A number above it.
        to: Dyadic,
    },
}

impl Root {
    /// The sign of a polynomial at the root.
    pub fn sign_of(&self, other: &Polynomial) -> i8 {
        match self {
            Self::Point(at) => other.sign_at(at),
            Self::Inside { polynomial, from, to } => other
                .constant_sign(from, to)
                .unwrap_or_else(|| tarski_query(polynomial, other, from, to)),
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
                    let below = polynomial.easy_count(from, number).unwrap_or_else(|| {
                        Sequence::new(polynomial, polynomial.derivative()).between(from, number)
                    });
                    if below == 1 { Ordering::Less } else { Ordering::Greater }
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

/// The sign of another polynomial at the only root in an interval: the number of roots at which it is positive less that of those at which it is negative.
fn tarski_query(polynomial: &Polynomial, other: &Polynomial, from: &Dyadic, to: &Dyadic) -> i8 {
    Sequence::new(polynomial, polynomial.derivative().times(other)).between(from, to) as i8
}

/// The interval of an isolated root is at most 2^-this long.
const FINE: usize = 20;

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
    let sequence = LazyCell::new(|| Sequence::new(&polynomial, polynomial.derivative()));
    let mut open = vec![(zero, one)];
    while let Some((from, to)) = open.pop() {
        let easy = polynomial.easy_count(&from, &to);
        match easy.unwrap_or_else(|| sequence.between(&from, &to)) {
            0 => {}
            1 if from.is_near(&to) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_lab::Random;

    /// What is seen by Bernstein's coefficients is what Sturm's sequences say.
    #[test]
    fn easy_counts_and_signs_are_those_of_sequences() {
        let mut random = Random::new(5);
        let (mut easy, mut found) = (0, 0);
        for round in 0..3_000 {
            let size = [3, 40, 1 << 40][round % 3];
            let mut any = |degree: usize| {
                Polynomial::new(
                    (0..=degree).map(|_| IBig::from(random.whole(-size, size))).collect(),
                )
            };
            let (p, q) = (any(3), any(4));
            // Often a root in common, or a double one.
            let p = if round % 5 == 0 { p.times(&p) } else { p };
            let q = if round % 7 == 0 { q.times(&p) } else { q };
            let mut cut = || Dyadic::from_f64(random.whole(0, 64) as f64 / 64.0);
            let (a, b) = (cut(), cut());
            let (from, to) = if a.compare(&b).is_lt() { (a, b) } else { (b, a) };
            let ends = [&from, &to].map(|at| p.sign_at(at) == 0);
            if !p.is_zero() && ends == [false; 2] && from.compare(&to).is_lt() {
                let count = Sequence::new(&p, p.derivative()).between(&from, &to);
                if let Some(seen) = p.easy_count(&from, &to) {
                    assert_eq!(seen, count, "{p:?} {from:?} {to:?}");
                    easy += 1;
                }
            }
            for root in roots(&p) {
                let Root::Inside { polynomial, from, to } = &root else { continue };
                assert_eq!(root.sign_of(&q), tarski_query(polynomial, &q, from, to), "{p:?} {q:?}");
                assert!(from.is_near(to) && root.compare(from).is_gt() && root.compare(to).is_lt());
                found += 1;
            }
        }
        assert!(easy > 900 && found > 900, "{easy} {found}");
    }
}
