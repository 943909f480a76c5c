//! Units of length, and how the unit of a file is known.

use std::fmt;

/// A unit of length.
///
/// ```
/// use impinge_io::Unit;
/// let unit: Unit = "mm".parse()?;
/// assert_eq!(unit, Unit::Millimetre);
/// assert_eq!(unit.metres(), 0.001);
/// assert_eq!(Unit::Inch.in_unit(Unit::Millimetre), 25.4);
/// # Ok::<(), impinge_io::UnknownUnit>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unit {
    /// 0.000001 m.
    Micrometre,
    /// 0.001 m.
    Millimetre,
    /// 0.01 m.
    Centimetre,
    /// 0.1 m.
    Decimetre,
    /// Metre: the unit of glTF and URDF.
    #[default]
    Metre,
    /// 1000 m.
    Kilometre,
    /// 25.4 mm, exactly.
    Inch,
    /// 0.3048 m, exactly.
    Foot,
    /// 0.9144 m, exactly.
    Yard,
}

/// The words for each unit: the symbol first, which is how it is shown.
const WORDS: [(Unit, &[&str]); 9] = [
    (
        Unit::Micrometre,
        &[
            "um",
            "µm",
            "μm",
            "micrometre",
            "micrometres",
            "micrometer",
            "micrometers",
            "micron",
            "microns",
        ],
    ),
    (Unit::Millimetre, &["mm", "millimetre", "millimetres", "millimeter", "millimeters"]),
    (Unit::Centimetre, &["cm", "centimetre", "centimetres", "centimeter", "centimeters"]),
    (Unit::Decimetre, &["dm", "decimetre", "decimetres", "decimeter", "decimeters"]),
    (Unit::Metre, &["m", "metre", "metres", "meter", "meters"]),
    (Unit::Kilometre, &["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
    (Unit::Inch, &["in", "inch", "inches", "\""]),
    (Unit::Foot, &["ft", "foot", "feet"]),
    (Unit::Yard, &["yd", "yard", "yards"]),
];

impl Unit {
    /// All units.
    pub const ALL: [Self; 9] = [
        Self::Micrometre,
        Self::Millimetre,
        Self::Centimetre,
        Self::Decimetre,
        Self::Metre,
        Self::Kilometre,
        Self::Inch,
        Self::Foot,
        Self::Yard,
    ];

    /// Its length in metres.
    pub fn metres(self) -> f64 {
        self.nanometres() / 1e9
    }

    /// Its length in another unit, rounded once: the factor for coordinates.
    pub fn in_unit(self, other: Self) -> f64 {
        self.nanometres() / other.nanometres()
    }

    /// Its length in nanometres, which for every unit is a whole number that `f64` holds.
    fn nanometres(self) -> f64 {
        match self {
            Self::Micrometre => 1e3,
            Self::Millimetre => 1e6,
            Self::Centimetre => 1e7,
            Self::Decimetre => 1e8,
            Self::Metre => 1e9,
            Self::Kilometre => 1e12,
            Self::Inch => 25_400_000.0,
            Self::Foot => 304_800_000.0,
            Self::Yard => 914_400_000.0,
        }
    }

    /// Its symbol, such as `mm`.
    pub fn symbol(self) -> &'static str {
        WORDS.iter().find(|(unit, _)| *unit == self).map_or("m", |(_, words)| words[0])
    }
}

impl Unit {
    /// The unit with this length in metres, if there is one up to the rounding of a file's digits.
    pub(crate) fn of_metres(metres: f64) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| (unit.metres() - metres).abs() <= 1e-6 * unit.metres())
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// A word that is not a unit of length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownUnit(String);

impl fmt::Display for UnknownUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = crate::text::quoted(self.0.as_bytes());
        let known = WORDS.map(|(_, words)| words[0]).join(", ");
        write!(f, "{word} is not a unit of length; use {known}")
    }
}

impl std::error::Error for UnknownUnit {}

impl std::str::FromStr for Unit {
    type Err = UnknownUnit;

    /// Reads a symbol or a word in any case, singular or plural, in British or American spelling.
    fn from_str(word: &str) -> Result<Self, UnknownUnit> {
        let lower = word.trim().to_lowercase();
        let found = WORDS.iter().find(|(_, words)| words.contains(&lower.as_str()));
        found.map(|(unit, _)| *unit).ok_or_else(|| UnknownUnit(word.to_string()))
    }
}

/// How the unit of a scene is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnitSource {
    /// The file says so, or its format does.
    File,
    /// It was given by [`LoadOptions::unit`](crate::LoadOptions::unit).
    Given,
    /// Neither: metres are assumed.
    #[default]
    Assumed,
}

/// The unit that a comment or header states, as in `# Units: millimeters` or `UNITS=mm`.
pub(crate) fn stated(comment: &[u8]) -> Option<Unit> {
    let text = String::from_utf8_lossy(&comment[..comment.len().min(400)]).to_lowercase();
    let mut words =
        text.split(|c: char| !c.is_alphanumeric() && c != 'µ').filter(|w| !w.is_empty());
    while let Some(word) = words.next() {
        if word == "unit" || word == "units" {
            // `units are mm`, `unit of length: mm`.
            return words.by_ref().take(4).find_map(|word| {
                let filler = matches!(word, "in" | "of" | "length" | "is" | "are" | "used");
                if filler { None } else { word.parse().ok() }
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_and_every_symbol_is_shown() {
        for (unit, words) in WORDS {
            assert_eq!(unit.to_string(), words[0]);
            for word in words {
                assert_eq!(word.to_uppercase().parse(), Ok(unit), "{word}");
            }
        }
        assert!("parsec".parse::<Unit>().is_err());
    }

    #[test]
    fn units_in_comments() {
        for (text, unit) in [
            ("# Units: millimeters", Some(Unit::Millimetre)),
            ("COLOR=abcd UNITS=mm", Some(Unit::Millimetre)),
            ("File units = inches", Some(Unit::Inch)),
            ("unit of length: cm", Some(Unit::Centimetre)),
            ("# vertex units: none", None),
            ("# united by hand in mm", None),
            ("", None),
        ] {
            assert_eq!(stated(text.as_bytes()), unit, "{text}");
        }
    }
}
