//! Which numbers are accepted, and how text becomes one.

use crate::error::{Error, ErrorKind, Place};

/// The largest accepted magnitude of a coordinate: 2^250, the limit of the geometry kernel.
pub const LARGEST: f64 = f64::from_bits((1023 + 250) << 52);

/// Accepts finite numbers up to [`LARGEST`]; the reason completes the sentence "the number …".
pub(crate) fn check(value: f64) -> Result<f64, &'static str> {
    if value.abs() <= LARGEST {
        Ok(value)
    } else if value.is_finite() {
        Err(
            "is too large: magnitudes above 2^250 are not supported; choose a larger unit and export it again",
        )
    } else {
        Err(
            "is not a finite number: coordinates must be finite; repair the model and export it again",
        )
    }
}

/// Accepts a coordinate of a binary file.
pub(crate) fn check_at(value: f64, at: usize) -> Result<f64, Error> {
    check(value).map_err(|reason| {
        let message = format!("the coordinate {value:?} {reason}");
        Error::new(ErrorKind::Number, Place::Byte(at as u64), message)
    })
}

/// A coordinate from text; the reason completes the sentence "the token …".
pub(crate) fn coordinate(token: &[u8]) -> Result<f64, &'static str> {
    let value = str::from_utf8(token).ok().and_then(|text| text.parse::<f64>().ok());
    match value {
        Some(value) => check(value),
        None if token.contains(&b',') => Err(
            "is not a number: decimals need a point, not a comma; export it with another locale",
        ),
        None => Err("is not a number: the file is damaged or in another format; export it again"),
    }
}

/// An integer from text, if the token is one.
pub(crate) fn integer(token: &[u8]) -> Option<i64> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    // Eighteen digits cannot overflow; no count or index of a file is longer, leading zeros aside.
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut value = 0i64;
    for &digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i64::from(digit);
    }
    Some(if negative { -value } else { value })
}

/// The message on a file with more vertices or triangles than indices can name.
pub(crate) fn too_many(what: &str) -> String {
    format!("there are more than 2^32 - 1 {what}: split the model into several files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(integer(b"0"), Some(0));
        assert_eq!(integer(b"-17"), Some(-17));
        assert_eq!(integer(b"+17"), Some(17));
        assert_eq!(integer(b"999999999999999999"), Some(999_999_999_999_999_999));
        for bad in ["", "-", "+", "1.0", "1e3", "a", "--1", "1000000000000000000", "/", ":"] {
            assert_eq!(integer(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn the_limit_is_inclusive() {
        assert_eq!(check(LARGEST), Ok(LARGEST));
        assert_eq!(check(-LARGEST), Ok(-LARGEST));
        for bad in [LARGEST.next_up(), -LARGEST.next_up(), f64::INFINITY, f64::NAN] {
            assert!(check(bad).is_err());
        }
    }
}
