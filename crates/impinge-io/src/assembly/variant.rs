//! Variants of a scene: other sizes of a part, other positions of joints.
//!
//! ```toml
//! [[variant]]
//! name = "95th percentile"
//! [[variant.part]]
//! name = "occupant"                 # replaces what the part of this name says, key by key; other names add parts
//! scale = 1.06
//! ```

use super::table::Table;
use super::{PART_KEYS, SHAPE_KEYS};
use crate::error::{Error, ErrorKind};
use crate::text::quoted;
use toml::de::DeTable;

const KEYS: [&str; 2] = ["name", "part"];

/// The variants that a scene file states, by name.
pub(super) struct Variants<'s> {
    pub(super) names: Vec<String>,
    tables: Vec<Table<'s>>,
}

impl<'s> Variants<'s> {
    pub(super) fn new(root: &Table<'s>) -> Result<Self, Error> {
        let tables = root.tables("variant")?;
        let mut names: Vec<String> = Vec::new();
        for table in &tables {
            table.check_keys(&KEYS)?;
            let name = table.text("name")?.filter(|name| !name.trim().is_empty());
            let Some(name) = name else {
                return Err(table.error(ErrorKind::Malformed, "a variant needs a `name`"));
            };
            if names.contains(&name) {
                let message = format!("two variants are called {}", quoted(name.as_bytes()));
                return Err(table.error_at("name", ErrorKind::Malformed, message));
            }
            names.push(name);
        }
        Ok(Self { names, tables })
    }

    /// The parts of a scene with those of a variant in their place: what belongs to each part, and where it stands in the file.
    pub(super) fn parts(
        &self,
        base: &[Table<'s>],
        variant: &str,
    ) -> Result<Vec<(DeTable<'s>, usize)>, Error> {
        let mut parts: Vec<(Option<String>, DeTable<'s>, usize)> = Vec::new();
        for part in base {
            parts.push((part.text("name")?, part.to_owned_table(), part.start()));
        }
        let chosen = self.names.iter().position(|name| name == variant);
        let Some(table) = chosen.and_then(|index| self.tables.get(index)) else {
            return Ok(parts.into_iter().map(|(_, table, at)| (table, at)).collect());
        };
        for change in table.tables("part")? {
            change.check_keys(&PART_KEYS)?;
            let name = change.text("name")?;
            let known = parts.iter_mut().find(|(own, ..)| own.is_some() && *own == name);
            match known {
                Some((_, own, _)) => {
                    if SHAPE_KEYS.iter().any(|key| change.has(key)) {
                        SHAPE_KEYS.iter().for_each(|key| {
                            own.remove(*key);
                        });
                    }
                    own.extend(change.to_owned_table());
                }
                None => parts.push((name, change.to_owned_table(), change.start())),
            }
        }
        Ok(parts.into_iter().map(|(_, table, at)| (table, at)).collect())
    }
}
