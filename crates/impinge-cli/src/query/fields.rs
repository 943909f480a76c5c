//! Reading JSON with errors that name the place: the path of the field, what was found there, and what is allowed.
//!
//! Objects are taken apart one level at a time, their values left as raw text, so that duplicate keys are seen, an `id` can be
//! echoed as it was written, and memory stays proportional to the line.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The members of an object in their order, duplicates included.
pub(crate) struct Entries<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry::<String, &'de RawValue>()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl<'a> Entries<'a> {
    /// The members of the object at `path`.
    pub(crate) fn read(raw: &'a RawValue, path: &str) -> Result<Self, String> {
        if kind(raw) != "an object" {
            return Err(format!("{path} is {}: it must be an object", kind(raw)));
        }
        serde_json::from_str(raw.get()).map_err(|error| format!("{path}: {}", message(&error)))
    }
}

/// The members of an object of which all keys are known.
pub(crate) struct Fields<'a> {
    path: String,
    names: &'static [&'static str],
    values: Vec<Option<&'a RawValue>>,
}

impl<'a> Fields<'a> {
    /// Sorts members into the allowed names. An unknown name and a repeated one are errors.
    pub(crate) fn sort(
        entries: &Entries<'a>,
        path: &str,
        names: &'static [&'static str],
    ) -> Result<Self, String> {
        let mut values = vec![None; names.len()];
        for (key, value) in &entries.0 {
            let Some(place) = names.iter().position(|name| name == key) else {
                let key = shortened(key);
                return Err(format!(
                    "{path} has an unknown field \"{key}\": it may have {}",
                    listed(names)
                ));
            };
            if values[place].replace(*value).is_some() {
                return Err(format!("{path} has the field \"{key}\" twice"));
            }
        }
        Ok(Self { path: path.to_string(), names, values })
    }

    /// The members of the object at `path`, sorted.
    pub(crate) fn read(
        raw: &'a RawValue,
        path: &str,
        names: &'static [&'static str],
    ) -> Result<Self, String> {
        Self::sort(&Entries::read(raw, path)?, path, names)
    }

    /// The value of a field, if it is there and not null.
    pub(crate) fn optional(&self, name: &str) -> Option<&'a RawValue> {
        let place = self.names.iter().position(|known| *known == name)?;
        self.values[place].filter(|raw| kind(raw) != "null")
    }

    /// The value of a field that must be there.
    pub(crate) fn required(&self, name: &str) -> Result<&'a RawValue, String> {
        self.optional(name).ok_or_else(|| format!("{} lacks the field \"{name}\"", self.path))
    }

    /// The path of a field, for messages.
    pub(crate) fn place(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }

    /// A number that must be there.
    pub(crate) fn number(&self, name: &str) -> Result<f64, String> {
        number(self.required(name)?, &self.place(name))
    }

    /// A list of numbers that must be there, with its length.
    pub(crate) fn numbers<const N: usize>(&self, name: &str) -> Result<[f64; N], String> {
        numbers(self.required(name)?, &self.place(name))
    }
}

/// The number at `path`.
pub(crate) fn number(raw: &RawValue, path: &str) -> Result<f64, String> {
    if kind(raw) != "a number" {
        return Err(format!("{path} is {}: it must be a number", kind(raw)));
    }
    serde_json::from_str(raw.get()).map_err(|_| {
        format!("{path} is {}: beyond the largest number of 64 bits", shortened(raw.get()))
    })
}

/// The list of exactly `N` numbers at `path`.
pub(crate) fn numbers<const N: usize>(raw: &RawValue, path: &str) -> Result<[f64; N], String> {
    let values = list(raw, path)?;
    if values.len() != N {
        return Err(format!("{path} has {}: it must have {N}", counted(values.len(), "number")));
    }
    let mut found = [0.0; N];
    for (index, (slot, value)) in found.iter_mut().zip(values).enumerate() {
        *slot = number(value, &format!("{path}[{index}]"))?;
    }
    Ok(found)
}

/// The list of points at `path`.
pub(crate) fn points(raw: &RawValue, path: &str) -> Result<Vec<[f64; 3]>, String> {
    let mut found = Vec::new();
    for (index, value) in list(raw, path)?.into_iter().enumerate() {
        // The plain way for what is right; the slow one names what is wrong.
        found.push(match serde_json::from_str::<[f64; 3]>(value.get()) {
            Ok(point) => point,
            Err(_) => numbers(value, &format!("{path}[{index}]"))?,
        });
    }
    Ok(found)
}

/// The list of exactly `N` points at `path`.
pub(crate) fn points_exactly<const N: usize>(
    raw: &RawValue,
    path: &str,
) -> Result<[[f64; 3]; N], String> {
    points(raw, path)?.try_into().map_err(|found: Vec<_>| {
        format!("{path} has {}: it must have {N}", counted(found.len(), "point"))
    })
}

/// The list of triples of indices at `path`.
pub(crate) fn indices(raw: &RawValue, path: &str) -> Result<Vec<[u32; 3]>, String> {
    let mut found = Vec::new();
    for (index, value) in list(raw, path)?.into_iter().enumerate() {
        found.push(match serde_json::from_str::<[u32; 3]>(value.get()) {
            Ok(triple) => triple,
            Err(_) => {
                let path = format!("{path}[{index}]");
                numbers::<3>(value, &path)?;
                let text = shortened(value.get());
                return Err(format!("{path} is {text}: indices are whole numbers, from 0 on"));
            }
        });
    }
    Ok(found)
}

/// The truth value at `path`.
pub(crate) fn boolean(raw: &RawValue, path: &str) -> Result<bool, String> {
    serde_json::from_str(raw.get())
        .map_err(|_| format!("{path} is {}: it must be true or false", kind(raw)))
}

/// The string at `path`.
pub(crate) fn text(raw: &RawValue, path: &str) -> Result<String, String> {
    if kind(raw) != "a string" {
        return Err(format!("{path} is {}: it must be a string", kind(raw)));
    }
    serde_json::from_str(raw.get()).map_err(|error| format!("{path}: {}", message(&error)))
}

/// The elements of the array at `path`.
fn list<'a>(raw: &'a RawValue, path: &str) -> Result<Vec<&'a RawValue>, String> {
    if kind(raw) != "an array" {
        return Err(format!("{path} is {}: it must be an array", kind(raw)));
    }
    serde_json::from_str(raw.get()).map_err(|error| format!("{path}: {}", message(&error)))
}

/// What a value is, in words. The text is JSON already, so that its first byte tells.
pub(crate) fn kind(raw: &RawValue) -> &'static str {
    match raw.get().as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// The message of an error without its place, which the caller gives in its own terms.
pub(crate) fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_string()
}

/// At most forty characters of something the user wrote.
pub(crate) fn shortened(text: &str) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(40).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// Names in quotes, with commas.
pub(crate) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

/// "1 point", "2 points".
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
