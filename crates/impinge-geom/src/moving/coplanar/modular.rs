//! A quick proof that two polynomials have no common root: they have none modulo a prime.
//!
//! A common root makes the resultant zero, and then it is zero modulo every prime. So coefficients are reduced to one machine word each, and Euclid's algorithm
//! runs on words. Where it finds a common divisor the question is open, and greatest common divisors of long integers decide it.

use num_bigint::{BigInt, Sign};

/// The prime 2^61 − 1: numbers are reduced by adding up their digits.
const PRIME: u64 = (1 << 61) - 1;

fn folded(value: u128) -> u64 {
    let once = (value & u128::from(PRIME)) + (value >> 61);
    let twice = (once as u64 & PRIME) + (once >> 61) as u64;
    if twice >= PRIME { twice - PRIME } else { twice }
}

fn times(a: u64, b: u64) -> u64 {
    folded(u128::from(a) * u128::from(b))
}

fn residue(value: &BigInt) -> u64 {
    let (mut sum, mut unit) = (0, 1);
    for digits in value.magnitude().iter_u64_digits() {
        sum = folded(u128::from(sum) + u128::from(digits) * u128::from(unit));
        // 2^64 is 8.
        unit = times(unit, 8);
    }
    if value.sign() == Sign::Minus && sum != 0 { PRIME - sum } else { sum }
}

/// True only if two polynomials in powers of t, whose last coefficients are not zero, have no common root.
pub(super) fn have_no_common_root(a: &[BigInt], b: &[BigInt]) -> bool {
    let residues = |powers: &[BigInt]| powers.iter().map(residue).collect::<Vec<u64>>();
    let (mut a, mut b) = (residues(a), residues(b));
    let leads = [a.last(), b.last()].map(|lead| lead.copied().unwrap_or(0));
    if leads == [0; 2] {
        return false;
    }
    let trim = |powers: &mut Vec<u64>| {
        while powers.last() == Some(&0) {
            powers.pop();
        }
    };
    trim(&mut a);
    trim(&mut b);
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    while let Some(lead) = b.last().copied() {
        if b.len() == 1 {
            return true;
        }
        while a.len() >= b.len() {
            let Some(top) = a.pop() else { break };
            let shift = a.len() + 1 - b.len();
            for c in &mut a {
                *c = times(*c, lead);
            }
            for (c, d) in a[shift..].iter_mut().zip(&b) {
                *c = folded(u128::from(*c) + u128::from(PRIME - times(top, *d)));
            }
            trim(&mut a);
        }
        std::mem::swap(&mut a, &mut b);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn powers(coefficients: &[i64], scale: u32) -> Vec<BigInt> {
        coefficients.iter().map(|c| BigInt::from(*c) << scale).collect()
    }

    #[test]
    fn a_common_root_is_never_denied_and_others_mostly_are() {
        // (t − 2)(t − 3), (t − 3)(t + 7), (t − 5)(t + 7), and the last with t − 2.
        let [a, b, c, d] = [&[6, -5, 1][..], &[-21, 4, 1], &[-35, 2, 1], &[70, -39, 0, 1]];
        for scale in [0, 61, 3_000] {
            let no_common_root =
                |p: &[i64], q: &[i64]| have_no_common_root(&powers(p, scale), &powers(q, 7));
            for (p, q) in [(a, b), (b, c), (a, d), (d, c), (a, a)] {
                assert!(!no_common_root(p, q) && !no_common_root(q, p), "{p:?} {q:?}");
            }
            assert!(no_common_root(a, c) && no_common_root(b, &[70, -39, 1]));
        }
        // Nothing is known where both last coefficients are multiples of the prime.
        let lost = [BigInt::from(1), BigInt::from(PRIME)];
        assert!(!have_no_common_root(&lost, &[BigInt::from(2), BigInt::from(PRIME)]));
    }
}
