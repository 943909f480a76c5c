//! Tables of a scene file, whose every value knows its line.

use crate::angle::{LARGEST_ANGLE, sine_cosine, sine_cosine_of_degrees};
use crate::error::{Error, ErrorKind};
use crate::number;
use crate::placement::{rotation_about, rotation_of_quaternion, unit_vector};
use crate::text::{place_of, quoted};
use crate::unit::Unit;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a scene file.
pub(super) struct Source<'t> {
    text: &'t str,
}

/// A table in it.
pub(super) struct Table<'s> {
    source: &'s Source<'s>,
    entries: &'s DeTable<'s>,
    span: Range<usize>,
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text }
    }

    /// Reads the whole text.
    pub(super) fn parse(&self) -> Result<Spanned<DeTable<'t>>, Error> {
        DeTable::parse(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let reason: String = error
                .message()
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .take(160)
                .collect();
            self.error(at, ErrorKind::Malformed, format!("not valid TOML: {reason}; correct it"))
        })
    }

    pub(super) fn table<'s>(&'s self, root: &'s Spanned<DeTable<'s>>) -> Table<'s> {
        Table { source: self, entries: root.get_ref(), span: root.span() }
    }

    #[cold]
    fn error(&self, at: usize, kind: ErrorKind, message: impl Into<String>) -> Error {
        Error::new(kind, place_of(self.text.as_bytes(), at), message)
    }
}

impl<'s> Table<'s> {
    /// A table that was put together of others; `start` is where errors about it point.
    pub(super) fn made(source: &'s Source<'s>, entries: &'s DeTable<'s>, start: usize) -> Self {
        Self { source, entries, span: start..start }
    }

    /// Its entries, to be changed.
    pub(super) fn to_owned_table(&self) -> DeTable<'s> {
        self.entries.clone()
    }

    /// Where it begins in the text.
    pub(super) fn start(&self) -> usize {
        self.span.start
    }

    /// An error about the table.
    pub(super) fn error(&self, kind: ErrorKind, message: impl Into<String>) -> Error {
        self.source.error(self.span.start, kind, message)
    }

    /// An error about a value, or about the table if it is missing.
    #[cold]
    pub(super) fn error_at(&self, key: &str, kind: ErrorKind, message: impl Into<String>) -> Error {
        let at = self.entries.get(key).map_or(self.span.start, |value| value.span().start);
        self.source.error(at, kind, message)
    }

    #[cold]
    fn wrong(&self, key: &str, needed: &str) -> Error {
        let found = match self.get(key) {
            None => "missing".to_string(),
            Some(DeValue::Array(items)) => format!("a list of {}", items.len()),
            Some(value) => format!("of the type {}", value.type_str()),
        };
        let message = format!("`{key}` must be {needed}, but it is {found}");
        self.error_at(key, ErrorKind::Malformed, message)
    }

    /// Refuses keys that are not known.
    pub(super) fn check_keys(&self, known: &[&str]) -> Result<(), Error> {
        // The first in the text, not in the alphabet.
        let unknown = self.entries.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let message = format!(
            "unknown key {}; known keys are {}",
            quoted(key.get_ref().as_bytes()),
            known.join(", ")
        );
        Err(self.source.error(key.span().start, ErrorKind::Unsupported, message))
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    fn get(&self, key: &str) -> Option<&'s DeValue<'s>> {
        self.entries.get(key).map(Spanned::get_ref)
    }

    /// Which one of some keys is there: exactly one must be.
    pub(super) fn one_of(&self, keys: &[&'static str]) -> Result<&'static str, Error> {
        let mut present = keys.iter().filter(|key| self.has(key));
        match (present.next(), present.next()) {
            (Some(only), None) => Ok(only),
            (Some(first), Some(second)) => {
                let message =
                    format!("`{first}` and `{second}` exclude each other: make them two parts");
                Err(self.error_at(second, ErrorKind::Malformed, message))
            }
            _ => {
                let message = format!("one of {} is required here", keys.join(", "));
                Err(self.error(ErrorKind::Malformed, message))
            }
        }
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>, Error> {
        match self.get(key) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(text.to_string())),
            Some(_) => Err(self.wrong(key, "a quoted string")),
        }
    }

    pub(super) fn flag(&self, key: &str) -> Result<bool, Error> {
        match self.get(key) {
            None => Ok(false),
            Some(DeValue::Boolean(flag)) => Ok(*flag),
            Some(_) => Err(self.wrong(key, "true or false")),
        }
    }

    pub(super) fn unit(&self, key: &str) -> Result<Option<Unit>, Error> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let unit = text.parse::<Unit>();
        unit.map(Some)
            .map_err(|error| self.error_at(key, ErrorKind::Unsupported, error.to_string()))
    }

    pub(super) fn number(&self, key: &str) -> Result<Option<f64>, Error> {
        match self.entries.get(key) {
            None => Ok(None),
            Some(value) => self.number_of(key, value).map(Some),
        }
    }

    fn number_of(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<f64, Error> {
        let text = match value.get_ref() {
            DeValue::Float(float) => float.as_str(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            _ => return Err(self.wrong(key, "a number or numbers")),
        };
        number::coordinate(text.as_bytes()).map_err(|reason| {
            let message = format!("{} in `{key}` {reason}", quoted(text.as_bytes()));
            self.source.error(value.span().start, ErrorKind::Number, message)
        })
    }

    pub(super) fn numbers<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, Error> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let items = value.as_array().filter(|items| items.len() == N);
        let Some(items) = items else {
            return Err(self.wrong(key, &format!("{N} numbers in brackets")));
        };
        let mut result = [0.0; N];
        for (slot, item) in result.iter_mut().zip(items.iter()) {
            *slot = self.number_of(key, item)?;
        }
        Ok(Some(result))
    }

    /// A table in this one.
    pub(super) fn table(&self, key: &str) -> Result<Table<'s>, Error> {
        let found =
            self.entries.get(key).and_then(|value| Some((value, value.get_ref().as_table()?)));
        match found {
            Some((value, entries)) => {
                Ok(Table { source: self.source, entries, span: value.span() })
            }
            None => Err(self.wrong(key, "a table")),
        }
    }

    /// A list of tables; empty if it is missing.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<Table<'s>>, Error> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let Some(items) = value.as_array() else {
            return Err(self.wrong(key, "a list of tables, as in `[[part]]`"));
        };
        let table = |item: &'s Spanned<DeValue<'s>>| {
            let entries = item.get_ref().as_table()?;
            Some(Table { source: self.source, entries, span: item.span() })
        };
        let tables: Option<Vec<_>> = items.iter().map(table).collect();
        tables.ok_or_else(|| self.wrong(key, "a list of tables"))
    }

    /// Names and values as text.
    pub(super) fn texts(&self, key: &str) -> Result<BTreeMap<String, String>, Error> {
        if !self.has(key) {
            return Ok(BTreeMap::new());
        }
        let table = self.table(key)?;
        let mut texts = BTreeMap::new();
        for (name, value) in table.entries.iter() {
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(integer) => integer.to_string(),
                DeValue::Float(float) => float.to_string(),
                DeValue::Boolean(flag) => flag.to_string(),
                DeValue::Datetime(time) => time.to_string(),
                DeValue::Array(_) | DeValue::Table(_) => {
                    return Err(table.wrong(name.get_ref(), "text, a number or true or false"));
                }
            };
            texts.insert(name.get_ref().to_string(), text);
        }
        Ok(texts)
    }

    /// Names and numbers.
    pub(super) fn positions(&self, key: &str) -> Result<BTreeMap<String, f64>, Error> {
        let table = self.table(key)?;
        let mut positions = BTreeMap::new();
        for (name, value) in table.entries.iter() {
            positions.insert(name.get_ref().to_string(), table.number_of(name.get_ref(), value)?);
        }
        Ok(positions)
    }

    /// A rotation: a quaternion, or an axis with an angle in degrees or radians.
    pub(super) fn rotation(&self, key: &str) -> Result<Option<[[f64; 3]; 3]>, Error> {
        match self.get(key) {
            None => Ok(None),
            Some(DeValue::Array(_)) => {
                let quaternion = self.numbers(key)?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
                rotation_of_quaternion(quaternion).map(Some).ok_or_else(|| {
                    self.error_at(
                        key,
                        ErrorKind::Number,
                        "the quaternion has length 0: use [1, 0, 0, 0]",
                    )
                })
            }
            Some(DeValue::Table(_)) => {
                let table = self.table(key)?;
                table.check_keys(&["axis", "degrees", "radians"])?;
                let axis = table.numbers("axis")?.and_then(unit_vector).ok_or_else(|| {
                    table.error_at(
                        "axis",
                        ErrorKind::Number,
                        "`axis` must be a direction, such as [0, 0, 1]",
                    )
                })?;
                let kind = table.one_of(&["degrees", "radians"])?;
                let angle = table.number(kind)?.unwrap_or(0.0);
                let largest = if kind == "degrees" { 360.0 * LARGEST_ANGLE } else { LARGEST_ANGLE };
                if angle.abs() > largest {
                    let message = format!("the angle is above {largest}: correct it");
                    return Err(table.error_at(kind, ErrorKind::Number, message));
                }
                let turn = if kind == "degrees" {
                    sine_cosine_of_degrees(angle)
                } else {
                    sine_cosine(angle)
                };
                Ok(Some(rotation_about(axis, turn)))
            }
            Some(_) => {
                Err(self
                    .wrong(key, "a quaternion [w, x, y, z] or { axis = [x, y, z], degrees = a }"))
            }
        }
    }
}
