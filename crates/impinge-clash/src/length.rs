//! Lengths as people write them.

use impinge_io::Unit;
use serde::{Deserialize, Deserializer, de};
use std::fmt;
use std::str::FromStr;

/// A length that is not negative, with its unit or in that of the model.
///
/// ```
/// use impinge_clash::Length;
/// use impinge_io::Unit;
/// let gap: Length = "0.5 mm".parse()?;
/// assert_eq!(gap.in_unit(Unit::Metre), 0.0005);
/// let plain: Length = "2".parse()?;
/// assert_eq!(plain.in_unit(Unit::Metre), 2.0);
/// assert!("-1 mm".parse::<Length>().is_err());
/// # Ok::<(), impinge_clash::LengthError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Length {
    value: f64,
    unit: Option<Unit>,
}

/// Why a length was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthError(String);

impl fmt::Display for LengthError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "\"{}\" is not a length; write a number and a unit (5mm, 0.2in), or a number in the model's unit (0.01)",
            self.0
        )
    }
}

impl std::error::Error for LengthError {}

impl Length {
    /// A length in a unit.
    pub fn new(value: f64, unit: Unit) -> Self {
        Self { value: value.max(0.0), unit: Some(unit) }
    }

    /// The number of units of the model.
    pub fn in_unit(self, model: Unit) -> f64 {
        self.unit.map_or(self.value, |unit| self.value * unit.in_unit(model))
    }
}

impl FromStr for Length {
    type Err = LengthError;

    fn from_str(text: &str) -> Result<Self, LengthError> {
        let refused = || LengthError(text.to_string());
        let text = text.trim();
        // An exponent has a digit after its e; a unit has none.
        let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | 'e' | 'E');
        let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
        let value: f64 = text[..end].parse().map_err(|_| refused())?;
        let unit = text[end..].trim();
        let unit = if unit.is_empty() { None } else { Some(unit.parse().map_err(|_| refused())?) };
        if !value.is_finite() || value < 0.0 {
            return Err(refused());
        }
        Ok(Self { value, unit })
    }
}

impl fmt::Display for Length {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit {
            Some(unit) => write!(formatter, "{} {unit}", self.value),
            None => write!(formatter, "{}", self.value),
        }
    }
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Length;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a length such as \"5mm\", or a number in the model's unit")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Length, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Length, E> {
                value.to_string().parse().map_err(E::custom)
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Length, E> {
                self.visit_f64(value as f64)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
