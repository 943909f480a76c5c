//! The error of this crate, and the checks that raise it.

use glam::DVec3;
use std::fmt;

/// The largest magnitude that constructors accept: 2^250. Degree-three exact predicates stay far from overflow below it.
pub const LARGEST: f64 = f64::from_bits((1023 + 250) << 52);

/// Why a constructor rejected a value, with the argument's name and, where there is one, the index.
///
/// ```
/// use impinge_geom::Shape;
/// let error = Shape::sphere(-1.0).unwrap_err();
/// assert_eq!(error.to_string(), "radius is -1: it must not be negative");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GeometryError {
    /// A NaN or an infinity.
    NotFinite {
        /// The name of the argument.
        argument: &'static str,
        /// The index of the point, where the argument is a list.
        index: Option<usize>,
    },
    /// A magnitude above [`LARGEST`].
    TooLarge {
        /// The name of the argument.
        argument: &'static str,
        /// The index of the point, where the argument is a list.
        index: Option<usize>,
        /// The value that was given.
        value: f64,
    },
    /// A negative radius or size.
    Negative {
        /// The name of the argument.
        argument: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// A list without a single point.
    Empty {
        /// The name of the argument.
        argument: &'static str,
    },
    /// A normal or direction without length.
    ZeroLength {
        /// The name of the argument.
        argument: &'static str,
    },
    /// A quaternion whose length differs from one by more than 1e-6.
    NotUnit {
        /// The name of the argument.
        argument: &'static str,
        /// The length that was found.
        length: f64,
    },
    /// A matrix whose rows are not orthonormal and right-handed within 1e-12.
    NotARotation {
        /// The name of the argument.
        argument: &'static str,
        /// The largest difference from an orthonormal basis; small for a mirror.
        off: f64,
    },
    /// More points than 32-bit indices can number.
    TooMany {
        /// The name of the argument.
        argument: &'static str,
        /// How many were given.
        count: usize,
    },
}

impl fmt::Display for GeometryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |argument: &str, index: &Option<usize>| match index {
            Some(index) => format!("{argument}[{index}]"),
            None => argument.to_string(),
        };
        match self {
            Self::NotFinite { argument, index } => {
                write!(f, "{} is not a finite number", place(argument, index))
            }
            Self::TooLarge { argument, index, value } => write!(
                f,
                "{} is {value:e}: magnitudes above 2^250 are not supported, choose a larger unit",
                place(argument, index)
            ),
            Self::Negative { argument, value } => {
                write!(f, "{argument} is {value}: it must not be negative")
            }
            Self::Empty { argument } => write!(f, "{argument} is empty: give at least one point"),
            Self::ZeroLength { argument } => {
                write!(f, "{argument} has zero length: it must point somewhere")
            }
            Self::NotARotation { argument, off } => write!(
                f,
                "{argument} is off an orthonormal basis by {off:e}, or mirrors: give the rows of a rotation"
            ),
            Self::NotUnit { argument, length } => write!(
                f,
                "{argument} has length {length}: a rotation needs a unit quaternion (w, x, y, z)"
            ),
            Self::TooMany { argument, count } => {
                write!(f, "{argument} has {count} points: at most 2^31 are supported")
            }
        }
    }
}

impl std::error::Error for GeometryError {}

/// Accepts finite numbers up to [`LARGEST`].
pub(crate) fn check_number(
    value: f64,
    argument: &'static str,
    index: Option<usize>,
) -> Result<f64, GeometryError> {
    if !value.is_finite() {
        Err(GeometryError::NotFinite { argument, index })
    } else if value.abs() > LARGEST {
        Err(GeometryError::TooLarge { argument, index, value })
    } else {
        Ok(value)
    }
}

/// Accepts finite, non-negative numbers up to [`LARGEST`].
pub(crate) fn check_size(value: f64, argument: &'static str) -> Result<f64, GeometryError> {
    let value = check_number(value, argument, None)?;
    if value < 0.0 { Err(GeometryError::Negative { argument, value }) } else { Ok(value) }
}

/// Accepts points with finite coordinates up to [`LARGEST`].
pub(crate) fn check_point(
    point: [f64; 3],
    argument: &'static str,
    index: Option<usize>,
) -> Result<DVec3, GeometryError> {
    for value in point {
        check_number(value, argument, index)?;
    }
    Ok(DVec3::from_array(point))
}

/// Normalises a vector without overflow or underflow; returns the unit vector and the length.
///
/// The components are first scaled by an exact power of two, so that the squares neither vanish nor overflow.
pub(crate) fn check_direction(
    vector: [f64; 3],
    argument: &'static str,
) -> Result<(DVec3, f64), GeometryError> {
    let vector = check_point(vector, argument, None)?;
    let largest = vector.abs().max_element();
    if largest == 0.0 {
        return Err(GeometryError::ZeroLength { argument });
    }
    let factor = power_of_two_near_inverse(largest);
    let scaled = vector * factor;
    let length = scaled.length();
    Ok((scaled / length, length / factor))
}

/// A power of two `s` with `0.5 <= value * s < 2` wherever `s` itself is a normal number; `value` must be positive and finite.
pub(crate) fn power_of_two_near_inverse(value: f64) -> f64 {
    let exponent = ((value.to_bits() >> 52) & 0x7ff) as i64;
    // Biased exponents of the inverse: 2^-(e-1023) has 2046 - e; subnormal values are treated as 2^-1022.
    let inverse = (2046 - exponent).clamp(1, 2045) as u64;
    f64::from_bits(inverse << 52)
}

/// The length of a vector, without overflow or underflow of the squares.
pub(crate) fn safe_length(vector: DVec3) -> f64 {
    let largest = vector.abs().max_element();
    if largest == 0.0 {
        return 0.0;
    }
    let factor = power_of_two_near_inverse(largest);
    (vector * factor).length() / factor
}
