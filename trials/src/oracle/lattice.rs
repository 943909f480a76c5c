//! Exact integers behind f64 coordinates: all of them over one common power of two.

use super::Point;
use dashu_int::IBig;

/// Mantissa and exponent with value = mantissa · 2^exponent, the mantissa odd or zero.
pub fn decode(value: f64) -> (i64, i32) {
    let bits = value.to_bits();
    let stored = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) =
        if stored == 0 { (fraction, -1074) } else { (fraction | 1 << 52, stored - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let shift = mantissa.trailing_zeros();
    let odd = mantissa >> shift;
    (if value < 0.0 { -odd } else { odd }, exponent + shift as i32)
}

/// The largest exponent e such that every coordinate is an integer times 2^e, and the number of bits of the largest integer.
fn common(points: &[Point]) -> (i32, i32) {
    let (mut lowest, mut highest) = (i32::MAX, i32::MIN);
    for value in points.iter().flatten() {
        let (mantissa, exponent) = decode(*value);
        if mantissa != 0 {
            lowest = lowest.min(exponent);
            highest = highest.max(exponent + (64 - mantissa.abs().leading_zeros()) as i32);
        }
    }
    if lowest == i32::MAX { (0, 0) } else { (lowest, highest - lowest) }
}

/// Integer coordinates, in machine words if each has at most 58 bits, so that differences have at most 59.
pub enum Lattice {
    /// Machine words.
    Small(Vec<[i64; 3]>),
    /// As big as it takes.
    Big(Vec<[IBig; 3]>),
}

/// The points as machine integers, if they fit.
pub fn small(points: &[Point]) -> Option<Vec<[i64; 3]>> {
    let (exponent, bits) = common(points);
    let whole = |value: f64| {
        let (mantissa, own) = decode(value);
        if mantissa == 0 { 0 } else { mantissa << (own - exponent) }
    };
    (bits <= 58).then(|| points.iter().map(|point| point.map(whole)).collect())
}

/// The points as big integers, and the exponent of the common power of two.
pub fn big(points: &[Point]) -> (Vec<[IBig; 3]>, i32) {
    let (exponent, _) = common(points);
    let whole = |value: f64| {
        let (mantissa, own) = decode(value);
        if mantissa == 0 { IBig::ZERO } else { IBig::from(mantissa) << (own - exponent) as usize }
    };
    (points.iter().map(|point| point.map(whole)).collect(), exponent)
}

/// The points as integers of the smaller kind that holds them.
pub fn lattice(points: &[Point]) -> Lattice {
    small(points).map_or_else(|| Lattice::Big(big(points).0), Lattice::Small)
}

/// -1, 0 or 1.
pub fn sign(value: &IBig) -> i8 {
    if *value == IBig::ZERO { 0 } else { 2 * i8::from(*value > IBig::ZERO) - 1 }
}

/// The sign of the determinant of three vectors with components of at most 59 bits, through 192-bit sums.
pub fn determinant_sign(u: &[i64; 3], v: &[i64; 3], w: &[i64; 3]) -> i8 {
    let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
    let cross = [
        product(u[1], v[2]) - product(u[2], v[1]),
        product(u[2], v[0]) - product(u[0], v[2]),
        product(u[0], v[1]) - product(u[1], v[0]),
    ];
    // cross = high · 2^64 + low with 0 ≤ low < 2^64; 3 · 2^64 · 2^59 and 3 · 2^56 · 2^59 fit into 127 bits.
    let (mut high, mut low) = (0_i128, 0_i128);
    for (part, factor) in cross.iter().zip(w) {
        high += (part >> 64) * i128::from(*factor);
        low += i128::from(*part as u64) * i128::from(*factor);
    }
    high += low >> 64;
    let rest = low as u64;
    match high {
        0 => i8::from(rest != 0),
        _ => high.signum() as i8,
    }
}

/// The determinant of three vectors.
pub fn determinant(u: &[IBig; 3], v: &[IBig; 3], w: &[IBig; 3]) -> IBig {
    dot(&cross(u, v), w)
}

/// The cross product.
pub fn cross(u: &[IBig; 3], v: &[IBig; 3]) -> [IBig; 3] {
    [&u[1] * &v[2] - &u[2] * &v[1], &u[2] * &v[0] - &u[0] * &v[2], &u[0] * &v[1] - &u[1] * &v[0]]
}

/// The scalar product.
pub fn dot(u: &[IBig; 3], v: &[IBig; 3]) -> IBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

/// The difference.
pub fn minus(u: &[IBig; 3], v: &[IBig; 3]) -> [IBig; 3] {
    [&u[0] - &v[0], &u[1] - &v[1], &u[2] - &v[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_lab::Random;

    #[test]
    fn decodes_every_magnitude() {
        for value in [0.0, -0.0, 1.0, -3.5, 5e-324, f64::MIN_POSITIVE, 1e300, -0.1] {
            let (mantissa, exponent) = decode(value);
            // Twice half the exponent, so that no factor overflows.
            let half = exponent / 2;
            let power = |e: i32| f64::from_bits(((1023 + e) as u64) << 52);
            assert_eq!(mantissa as f64 * power(half) * power(exponent - half), value);
        }
    }

    #[test]
    fn machine_and_big_determinants_agree() {
        let mut random = Random::new(7);
        for round in 0..20_000 {
            let bits = 1 + round % 59;
            let mut vector = || -> [i64; 3] {
                std::array::from_fn(|_| random.below(2 << bits) as i64 - (1 << bits) + 1)
            };
            let [u, v] = [vector(), vector()];
            let mut w = vector();
            if round % 3 == 0 {
                w = [u[0] / 2 - v[0] / 2, u[1] / 2 - v[1] / 2, u[2] / 2 - v[2] / 2];
            }
            let [x, y, z] = [u, v, w].map(|vector| vector.map(IBig::from));
            assert_eq!(determinant_sign(&u, &v, &w), sign(&determinant(&x, &y, &z)));
        }
    }
}
