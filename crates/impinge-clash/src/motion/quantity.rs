//! Angles and times as people write them.

use serde::{Deserialize, Deserializer, de};
use std::f64::consts::{PI, TAU};
use std::fmt;

/// Words of units, with the number of radians.
const ANGLES: [(&str, f64); 9] = [
    ("deg", PI / 180.0),
    ("degree", PI / 180.0),
    ("degrees", PI / 180.0),
    ("°", PI / 180.0),
    ("rad", 1.0),
    ("rev", TAU),
    ("turn", TAU),
    ("turns", TAU),
    ("revolutions", TAU),
];

/// Words of units, with the number of seconds.
const TIMES: [(&str, f64); 5] =
    [("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("min", 60.0), ("h", 3600.0)];

/// An angle, or the position of a joint: a number with a unit, or a plain one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantity {
    value: f64,
    unit: Option<Of>,
}

/// What a unit is one of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Of {
    /// Radians.
    Angle(f64),
    /// Metres.
    Length(f64),
}

impl Quantity {
    /// In radians, if it is an angle; a plain number is none.
    pub(super) fn angle(self) -> Result<f64, String> {
        match self.unit {
            Some(Of::Angle(factor)) => Ok(self.value * factor),
            _ if self.value == 0.0 => Ok(0.0),
            Some(Of::Length(_)) => Err("this is a length, but an angle is needed".to_string()),
            None => Err(format!("{} what? Write \"{}deg\", or rad or rev", self.value, self.value)),
        }
    }

    /// True if it has a unit of length.
    pub(super) fn is_length(self) -> bool {
        matches!(self.unit, Some(Of::Length(_)))
    }

    /// As the position of a joint that turns; a plain number is in radians, as in URDF.
    pub(super) fn turned(self) -> Result<f64, String> {
        if self.unit.is_none() { Ok(self.value) } else { self.angle() }
    }

    /// As the position of a joint that slides, in metres; a plain number is in metres, as in URDF.
    pub(super) fn slid(self) -> Result<f64, String> {
        match self.unit {
            None => Ok(self.value),
            Some(Of::Length(metres)) => Ok(self.value * metres),
            Some(Of::Angle(_)) => {
                Err("the joint slides: write a length, such as \"10mm\"".to_string())
            }
        }
    }
}

impl std::str::FromStr for Quantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || {
            format!(
                "\"{text}\" is not an angle or length; write a number and a unit, such as 90deg, 1.5rad, 2rev or 10mm"
            )
        };
        let (value, unit) = split(text).ok_or_else(refused)?;
        let unit = match ANGLES.iter().find(|(word, _)| *word == unit) {
            _ if unit.is_empty() => None,
            Some((_, radians)) => Some(Of::Angle(*radians)),
            None => {
                let length: impinge_io::Unit = unit.parse().map_err(|_| refused())?;
                Some(Of::Length(length.metres()))
            }
        };
        Ok(Self { value, unit })
    }
}

/// A time in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Time(pub(super) f64);

impl std::str::FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || {
            format!(
                "\"{text}\" is not a time; write a number and a unit, such as 1.5s, 200ms or 2min"
            )
        };
        let (value, unit) = split(text).ok_or_else(refused)?;
        let unit = if unit.is_empty() { "s" } else { unit };
        let known = TIMES.iter().find(|(word, _)| *word == unit).ok_or_else(refused)?;
        Ok(Self(value * known.1))
    }
}

/// A finite number and the word after it.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    // An exponent has a digit after its e.
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | 'e' | 'E');
    let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    let value: f64 = text.get(..end)?.parse().ok()?;
    value.is_finite().then(|| (value, text[end..].trim()))
}

/// Takes a text, or a plain number as if it were written in one.
struct Visitor<T> {
    expecting: &'static str,
    made: std::marker::PhantomData<T>,
}

impl<T: std::str::FromStr<Err = String>> de::Visitor<'_> for Visitor<T> {
    type Value = T;
    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.expecting)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<T, E> {
        value.to_string().parse().map_err(E::custom)
    }
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<T, E> {
        self.visit_f64(value as f64)
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expecting = "an angle such as \"90deg\", or the position of a joint";
        deserializer.deserialize_any(Visitor { expecting, made: std::marker::PhantomData })
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expecting = "a time such as \"1.5s\", or a number of seconds";
        deserializer.deserialize_any(Visitor { expecting, made: std::marker::PhantomData })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_and_times() {
        let quantity = |text: &str| text.parse::<Quantity>();
        assert_eq!(quantity("180deg").unwrap().angle(), Ok(PI));
        assert_eq!(quantity("-0.5 rev").unwrap().turned(), Ok(-PI));
        assert_eq!(quantity("1e-1rad").unwrap().angle(), Ok(0.1));
        assert_eq!(quantity("10mm").unwrap().slid(), Ok(0.01));
        assert_eq!(quantity("2").unwrap().slid(), Ok(2.0));
        assert!(quantity("2").unwrap().angle().unwrap_err().contains("2deg"));
        assert!(
            quantity("2mm").unwrap().turned().is_err() && quantity("2deg").unwrap().slid().is_err()
        );
        for bad in ["", "deg", "1 parsec", "infdeg", "1e999deg"] {
            assert!(quantity(bad).is_err(), "{bad}");
        }
        for (text, seconds) in [("2", 2.0), ("1.5s", 1.5), ("200 ms", 0.2), ("2min", 120.0)] {
            assert!((text.parse::<Time>().unwrap().0 - seconds).abs() < 1e-15);
        }
        assert!("2 days".parse::<Time>().is_err());
    }
}
