//! Determinants in integers of fixed width, on the stack.
//!
//! Coordinates of one model mostly lie within a few powers of two of each other: over their common power of two they are integers of less than 82 bits, and a
//! determinant of three of their differences one of less than 256. Where triangles lie in one plane, filters cannot tell, and this is several times as fast as
//! expansions of floating-point numbers.

use super::dyadic::parts;

/// Bits of a coordinate: three differences, of a bit more each, multiplied, and six such terms added stay below 2^255.
const WIDE: i32 = 82;
/// Bits of a coordinate for which the minors of two differences fit into 128 bits.
const MIDDLE: i32 = 61;
/// Bits of a coordinate for which the determinant does.
const NARROW: i32 = 40;

/// Numbers as integers over their smallest power of two, and how many bits they take; none if that is more than `most`.
#[inline]
fn integers<const N: usize>(values: &[f64; N], most: i32) -> Option<([i128; N], i32)> {
    let mut split = [(0u64, 0i32); N];
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for (split, value) in split.iter_mut().zip(values) {
        if *value != 0.0 {
            *split = parts(*value);
            low = low.min(split.1);
            high = high.max(split.1 + 64 - split.0.leading_zeros() as i32);
        }
    }
    if high < low {
        return Some(([0; N], 0));
    }
    let bits = high - low;
    if bits > most {
        return None;
    }
    let mut whole = [0i128; N];
    for ((whole, (mantissa, exponent)), value) in whole.iter_mut().zip(split).zip(values) {
        if mantissa != 0 {
            let size = i128::from(mantissa) << (exponent - low);
            *whole = if *value < 0.0 { -size } else { size };
        }
    }
    Some((whole, bits))
}

/// The sign of the determinant with rows a − d, b − d, c − d; none if the coordinates take too many bits.
pub(super) fn orient3d(coordinates: &[f64; 12]) -> Option<i32> {
    let ([ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz], bits) = integers(coordinates, WIDE)?;
    let (px, py, pz) = (ax - dx, ay - dy, az - dz);
    let (qx, qy, qz) = (bx - dx, by - dy, bz - dz);
    let (rx, ry, rz) = (cx - dx, cy - dy, cz - dz);
    if bits <= MIDDLE {
        let [bc, ca, ab] = [qx * ry - rx * qy, rx * py - px * ry, px * qy - qx * py];
        if bits <= NARROW {
            return Some((pz * bc + qz * ca + rz * ab).signum() as i32);
        }
        let sum = Wide::product(pz, bc).plus(Wide::product(qz, ca));
        return Some(sum.plus(Wide::product(rz, ab)).sign());
    }
    let minor = |s: i128, t: i128, u: i128, v: i128| {
        Wide::product(s, t).plus(Wide::product(u, v).opposite())
    };
    let [bc, ca, ab] = [minor(qx, ry, rx, qy), minor(rx, py, px, ry), minor(px, qy, qx, py)];
    Some(bc.times(pz).plus(ca.times(qz)).plus(ab.times(rz)).sign())
}

/// The sign of the determinant with rows a − c, b − c; none if the coordinates take too many bits.
pub(super) fn orient2d(coordinates: &[f64; 6]) -> Option<i32> {
    let ([ax, ay, bx, by, cx, cy], _) = integers(coordinates, MIDDLE)?;
    Some(((ax - cx) * (by - cy) - (ay - cy) * (bx - cx)).signum() as i32)
}

/// An integer of 256 bits in two's complement, the lowest word first. What does not fit is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wide([u64; 4]);

impl Wide {
    fn product(a: i128, b: i128) -> Self {
        let words = |x: u128| [x as u64, (x >> 64) as u64, 0, 0];
        let size = Self(words(a.unsigned_abs())).multiplied(b.unsigned_abs());
        if (a < 0) == (b < 0) { size } else { size.opposite() }
    }

    fn times(self, factor: i128) -> Self {
        let negative = self.sign() < 0;
        let size = if negative { self.opposite() } else { self };
        let product = size.multiplied(factor.unsigned_abs());
        if negative == (factor < 0) { product } else { product.opposite() }
    }

    fn multiplied(self, factor: u128) -> Self {
        let mut product = [0u64; 4];
        for (j, word) in [factor as u64, (factor >> 64) as u64].into_iter().enumerate() {
            let mut carry = 0u128;
            for i in 0..4 - j {
                let sum =
                    u128::from(self.0[i]) * u128::from(word) + u128::from(product[i + j]) + carry;
                (product[i + j], carry) = (sum as u64, sum >> 64);
            }
        }
        Self(product)
    }

    fn plus(self, other: Self) -> Self {
        let (mut sum, mut carry) = ([0u64; 4], false);
        for (sum, (a, b)) in sum.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            let (first, one) = a.overflowing_add(b);
            let (second, two) = first.overflowing_add(u64::from(carry));
            (*sum, carry) = (second, one | two);
        }
        Self(sum)
    }

    fn opposite(self) -> Self {
        Self(self.0.map(|word| !word)).plus(Self([1, 0, 0, 0]))
    }

    fn sign(self) -> i32 {
        if self.0 == [0; 4] {
            0
        } else if self.0[3] >> 63 == 1 {
            -1
        } else {
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::dyadic::{Dyadic, sign};

    /// Random bits: a linear congruence, of which the high half is used.
    fn bits(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        *state >> 32
    }

    /// Coordinates of which the exponents spread over so many powers of two, most of them with few digits.
    fn number(state: &mut u64, spread: u64) -> f64 {
        let digits = [1u64 << 4, 1 << 20, 1 << 31][(bits(state) % 3) as usize];
        let size =
            (bits(state) % digits) as f64 * 2f64.powi((bits(state) % spread.max(1)) as i32 - 20);
        if bits(state).is_multiple_of(2) { size } else { -size }
    }

    #[test]
    fn signs_are_those_of_big_integers() {
        let (mut state, mut seen, mut zeros) = (1, [0; 4], 0);
        for round in 0..60_000u64 {
            let spread = [1, 8, 30, 80][(round % 4) as usize];
            let mut values: [f64; 12] = std::array::from_fn(|_| number(&mut state, spread));
            if round % 3 == 0 {
                // The last point in the plane of the others, up to what is lost.
                let mean = |k: usize| 0.5 * values[k] + 0.5 * values[k + 3];
                let point = [mean(0), mean(1), mean(2)];
                values[9..].copy_from_slice(&point);
            }
            let Some(fast) = orient3d(&values) else {
                seen[3] += 1;
                continue;
            };
            let bits = integers(&values, WIDE).map_or(0, |(_, bits)| bits);
            seen[usize::from(bits > NARROW) + usize::from(bits > MIDDLE)] += 1;
            let [ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz] = Dyadic::common(values);
            let (px, py, pz) = (ax - &dx, ay - &dy, az - &dz);
            let (qx, qy, qz) = (bx - &dx, by - &dy, bz - &dz);
            let (rx, ry, rz) = (cx - &dx, cy - &dy, cz - &dz);
            let exact = pz * (&qx * &ry - &rx * &qy)
                + qz * (&rx * &py - &px * &ry)
                + rz * (&px * &qy - &qx * &py);
            assert_eq!(fast, sign(&exact), "{values:?}");
            zeros += u32::from(fast == 0);
            let flat: [f64; 6] = std::array::from_fn(|k| values[k]);
            if let Some(fast) = orient2d(&flat) {
                let [ax, ay, bx, by, cx, cy] = Dyadic::common(flat);
                let exact = (ax - &cx) * (by - &cy) - (ay - &cy) * (bx - &cx);
                assert_eq!(fast, sign(&exact), "{flat:?}");
            }
        }
        assert!(seen.iter().all(|count| *count > 500) && zeros > 1000, "{seen:?} {zeros}");
    }

    #[test]
    fn the_largest_numbers_fit() {
        let top = (1i128 << (WIDE + 1)) - 1;
        let square = Wide::product(top, top).plus(Wide::product(-top, top).opposite());
        let term = square.times(top);
        let sum = term.plus(term).plus(term);
        assert_eq!(sum.sign(), 1);
        assert_eq!(sum.opposite().sign(), -1);
        assert_eq!(sum.plus(sum.opposite()).sign(), 0);
    }
}
