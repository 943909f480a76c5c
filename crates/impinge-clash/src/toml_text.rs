//! TOML files, and where in them something is wrong.

use crate::suggest::nearest;
use serde::de::DeserializeOwned;

/// What a TOML text says, or why not: with file, line and column.
pub(crate) fn parse<T: DeserializeOwned>(text: &str, name: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        at(text, name, start, &with_suggestion(error.message().trim()))
    })
}

/// A message about a place in the text, given by its byte.
pub(crate) fn at(text: &str, name: &str, start: usize, message: &str) -> String {
    let before = text.get(..start).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("{name}:{line}:{column}: {message}")
}

/// "unknown field `nam`, expected one of `name`, `kinds`": the list holds what was meant.
fn with_suggestion(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = quoted.next().filter(|_| message.starts_with("unknown "));
    match unknown.and_then(|word| nearest(word, quoted)) {
        Some(known) => format!("{message}; did you mean `{known}`?"),
        None => message.to_string(),
    }
}
