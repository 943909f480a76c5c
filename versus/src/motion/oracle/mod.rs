//! Times of impact that know nothing of impinge.

pub mod hulls;
/// The exact oracle of the soaks: Sturm sequences and Tarski queries in integers.
#[path = "../../../../trials/src/oracle/motion.rs"]
pub mod motion;
pub mod sphere;
#[path = "../../../../trials/src/oracle/sturm.rs"]
pub mod sturm;

/// A point, as plain numbers.
pub type Point = [f64; 3];

/// Integers behind coordinates, as the exact oracle wants them.
pub mod lattice {
    use super::Point;
    use dashu_int::IBig;

    /// Mantissa and exponent of a finite number.
    pub fn decode(value: f64) -> (i64, i32) {
        let bits = value.abs().to_bits();
        let (exponent, fraction) = ((bits >> 52) as i32, (bits & ((1 << 52) - 1)) as i64);
        let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        let signed = if value < 0.0 { -mantissa } else { mantissa };
        (signed, exponent.max(1) - 1075)
    }

    /// The points as integers over one power of two, and its exponent.
    pub fn big(points: &[Point]) -> (Vec<[IBig; 3]>, i32) {
        let lowest = points.iter().flatten().map(|x| decode(*x).1).min().unwrap_or(0);
        let whole = |x: f64| {
            let (mantissa, exponent) = decode(x);
            IBig::from(mantissa) << (exponent - lowest) as usize
        };
        (points.iter().map(|point| point.map(whole)).collect(), lowest)
    }

    /// −1, 0 or 1.
    pub fn sign(value: &IBig) -> i8 {
        if *value == IBig::ZERO { 0 } else { 2 * i8::from(*value > IBig::ZERO) - 1 }
    }
}

/// When contact begins, and the least gap on the way, or for vertices only whether there is one.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// The first time of contact in [0, 1].
    pub time: Option<f64>,
    /// How far the answer "yes" or "no" is from the other one, as a length; infinite where the verdict is exact.
    pub margin: f64,
}
