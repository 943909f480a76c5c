//! Which parts are meant: by pattern over path, name, file, material or property.

use crate::model::ModelPart;
use serde::Deserialize;

/// A set of parts. Parts belong to it if one of `include` fits and none of `exclude`.
///
/// A pattern is a text with `*` (any run of characters) and `?` (one character), compared without regard to case. Without a prefix it
/// is compared with the part's path (`rotating/carrier/pin 3`) and with its name; with one it asks for something else:
/// `file:*.stl`, `name:bolt*`, `path:housing/*`, `material:steel`, `property:storey=2`, `party:structure`.
///
/// ```
/// use impinge_clash::Set;
/// let set = Set::from("fasteners/*");
/// assert_eq!(set.to_string(), "fasteners/*");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// One of these fits; none means all parts.
    pub include: Vec<String>,
    /// None of these fits.
    pub exclude: Vec<String>,
}

impl From<&str> for Set {
    fn from(pattern: &str) -> Self {
        Self { include: vec![pattern.to_string()], exclude: Vec::new() }
    }
}

impl std::fmt::Display for Set {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = if self.include.is_empty() { "*".to_string() } else { self.include.join(", ") };
        formatter.write_str(&all)?;
        if !self.exclude.is_empty() {
            write!(formatter, " but not {}", self.exclude.join(", "))?;
        }
        Ok(())
    }
}

impl Set {
    /// Whether a part that is gone belonged to the set, by its path; None if a pattern asks for something else than path or name.
    pub(crate) fn holds_path(&self, path: &str) -> Option<bool> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let fits = |pattern: &String| match pattern.split_once(':').unwrap_or(("", pattern)) {
            ("file" | "material" | "party" | "property", _) => None,
            ("name", rest) => Some(like(rest, name)),
            ("path", rest) => Some(like(rest, path)),
            _ => Some(like(pattern, path) || like(pattern, name)),
        };
        let any = |patterns: &[String]| {
            let found: Option<Vec<bool>> = patterns.iter().map(fits).collect();
            found.map(|found| found.contains(&true))
        };
        let included = if self.include.is_empty() { Some(true) } else { any(&self.include) };
        Some(included? && !any(&self.exclude)?)
    }

    /// True if the part belongs to the set.
    pub fn holds(&self, part: &ModelPart) -> bool {
        let included = self.include.is_empty() || self.include.iter().any(|p| fits(p, part));
        included && !self.exclude.iter().any(|p| fits(p, part))
    }
}

/// A set is written as one pattern, as a list of them, or as a table.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    One(String),
    Many(Vec<String>),
    Table(WrittenTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTable {
    #[serde(default)]
    include: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
}

impl<'de> Deserialize<'de> for Set {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Written::deserialize(deserializer)? {
            Written::One(pattern) => Self { include: vec![pattern], exclude: Vec::new() },
            Written::Many(include) => Self { include, exclude: Vec::new() },
            Written::Table(WrittenTable { include, exclude }) => Self { include, exclude },
        })
    }
}

fn fits(pattern: &str, part: &ModelPart) -> bool {
    let (what, rest) = pattern.split_once(':').unwrap_or(("", pattern));
    match what {
        "file" => {
            let name = part.file.rsplit(['/', '\\']).next().unwrap_or(&part.file);
            like(rest, &part.file) || like(rest, name)
        }
        "name" => like(rest, &part.name),
        "path" => like(rest, &part.path),
        "material" => part.materials.iter().any(|material| like(rest, material)),
        "party" => part.party.as_deref().is_some_and(|party| like(rest, party)),
        "property" => {
            let (key, value) = rest.split_once('=').unwrap_or((rest, "*"));
            part.properties.iter().any(|(k, v)| like(key, k) && like(value, v))
        }
        _ => like(pattern, &part.path) || like(pattern, &part.name),
    }
}

/// True if a pattern with `*` and `?` is like the text, in time and memory proportional to their product at most.
pub(crate) fn like(pattern: &str, text: &str) -> bool {
    let fold = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (pattern, text) = (fold(pattern), fold(text));
    let (mut p, mut t) = (0, 0);
    // After the last star, and how much of the text it has taken.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p + 1, t));
            p += 1;
        } else if pattern.get(p).is_some_and(|&c| c == '?' || c == text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((after, taken)) = star {
            star = Some((after, taken + 1));
            (p, t) = (after, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::like;

    #[test]
    fn patterns_are_like_what_they_say() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("bolt*", "Bolt 7", true),
            ("*bolt", "bolts", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("pin ?", "pin 3", true),
            ("pin ?", "pin 33", false),
            ("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            assert_eq!(like(pattern, text), expected, "{pattern} {text}");
        }
    }
}
