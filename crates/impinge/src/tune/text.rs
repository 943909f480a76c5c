//! The plain text in which calibrations and choices are kept: a line each, a word that says what follows, and `#` for remarks.

use super::{QuestionKind, Volume};
use impinge_tree::Builder;
use std::fmt;

/// Why a saved text was rejected: the line, what is wrong with it, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Line number, from 1; one past the end if something is missing there.
    pub line: usize,
    /// What is wrong, and the remedy.
    pub reason: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for TextError {}

/// A line that is neither empty nor a remark: its first word, and the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub(super) number: usize,
    pub(super) key: &'t str,
    pub(super) rest: &'t str,
}

impl Line<'_> {
    pub(super) fn error(&self, reason: impl Into<String>) -> TextError {
        TextError { line: self.number, reason: reason.into() }
    }

    /// A key that is not known, or not here.
    pub(super) fn unknown(&self, known: &[&str]) -> TextError {
        self.error(format!(
            "\"{}\" is not known: write one of {}, or remove the line",
            self.key,
            known.join(", ")
        ))
    }

    /// Notes a value that may be said once.
    pub(super) fn once<T>(&self, place: &mut Option<T>, value: T) -> Result<(), TextError> {
        if place.replace(value).is_some() {
            return Err(self.error(format!("{} is given twice: remove one", self.key)));
        }
        Ok(())
    }
}

/// The lines after the first, which must be `title`, and where the text ends.
pub(super) fn lines<'t>(text: &'t str, title: &str) -> Result<(Vec<Line<'t>>, usize), TextError> {
    let mut lines = Vec::new();
    let mut first = true;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if first && line != title {
            let reason = format!("expected \"{title}\", found \"{line}\": is it another file?");
            return Err(TextError { line: index + 1, reason });
        }
        if !first {
            let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            lines.push(Line { number: index + 1, key, rest: rest.trim() });
        }
        first = false;
    }
    let end = text.lines().count() + 1;
    if first {
        return Err(TextError { line: end, reason: format!("the text lacks \"{title}\"") });
    }
    Ok((lines, end))
}

/// A value that a text must say, or an error at its end.
pub(super) fn required<T>(value: Option<T>, name: &str, end: usize) -> Result<T, TextError> {
    let reason = || format!("no line starts with \"{name}\": add one, or save again");
    value.ok_or_else(|| TextError { line: end, reason: reason() })
}

/// Numbers that are finite and not negative.
pub(super) fn numbers<const N: usize>(
    line: &Line<'_>,
    words: &[&str],
) -> Result<[f64; N], TextError> {
    let mut found = [0.0; N];
    if words.len() != N {
        let reason = format!("{N} numbers belong here, not {}: save again", words.len());
        return Err(line.error(reason));
    }
    for (place, word) in found.iter_mut().zip(words) {
        let number = word.parse().ok().filter(|x: &f64| x.is_finite() && *x >= 0.0);
        let reason = || format!("\"{word}\" is not a number from 0 up: write one such as 12.5");
        *place = number.ok_or_else(|| line.error(reason()))?;
    }
    Ok(found)
}

/// The one of a list that has a name.
fn named<T: Copy>(
    line: &Line<'_>,
    word: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, TextError> {
    let found = all.iter().copied().find(|&one| name(one) == word);
    let names = || all.iter().map(|&one| name(one)).collect::<Vec<_>>().join("; ");
    found.ok_or_else(|| line.error(format!("\"{word}\" is not known: write one of {}", names())))
}

pub(super) fn volume(line: &Line<'_>, word: &str) -> Result<Volume, TextError> {
    named(line, word, &Volume::ALL, Volume::name)
}

pub(super) fn asked(line: &Line<'_>, word: &str) -> Result<QuestionKind, TextError> {
    named(line, word, &QuestionKind::ALL, QuestionKind::name)
}

pub(super) fn builder(line: &Line<'_>, word: &str) -> Result<Builder, TextError> {
    named(line, word, &Builder::ALL, Builder::name)
}
