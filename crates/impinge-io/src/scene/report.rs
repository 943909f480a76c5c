//! Notes on what was left out, assumed or changed, each once, with its number of occurrences.

use super::SceneData;
use crate::faces::CROSSED;
use std::fmt;

/// The severity of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The geometry is as the file states it.
    Note,
    /// Geometry was left out, or something was assumed that may be wrong.
    Warning,
}

/// A note on what was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its severity.
    pub severity: Severity,
    /// The file it is about.
    pub file: String,
    /// The note, without the file.
    pub message: String,
    /// Number of occurrences.
    pub count: usize,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.message)?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}

/// How many different notes are kept: a file of thousands of odd nodes must not make a report that nobody reads.
const MOST: usize = 100;

impl SceneData {
    /// Adds a note, or counts it if it is there.
    pub(crate) fn note(&mut self, severity: Severity, file: &str, message: impl Into<String>) {
        let note = Note { severity, file: file.to_string(), message: message.into(), count: 1 };
        self.add_note(note);
    }

    pub(crate) fn add_note(&mut self, note: Note) {
        let same = |kept: &&mut Note| kept.message == note.message && kept.file == note.file;
        if let Some(kept) = self.notes.iter_mut().find(same) {
            kept.count = kept.count.saturating_add(note.count);
        } else if self.notes.len() < MOST {
            self.notes.push(note);
        } else if let Some(last) = self.notes.last_mut() {
            let message = "more was left out or changed; only the first notes are listed";
            if last.message == message {
                last.count = last.count.saturating_add(note.count);
            } else {
                *last = Note { message: message.into(), severity: Severity::Warning, ..note };
            }
        }
    }

    /// A warning.
    pub(crate) fn warn(&mut self, file: &str, message: impl Into<String>) {
        self.note(Severity::Warning, file, message);
    }

    /// A warning on the number of faces that cross themselves.
    pub(crate) fn warn_crossed(&mut self, file: &str, count: usize) {
        if count > 0 {
            let (severity, file) = (Severity::Warning, file.to_string());
            self.add_note(Note { severity, file, message: CROSSED.to_string(), count });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_counted_and_limited() {
        let mut scene = SceneData::default();
        scene.warn("a", "twice");
        scene.warn("a", "twice");
        scene.warn("b", "twice");
        assert_eq!(scene.notes[0].to_string(), "a: twice (2 times)");
        assert_eq!(scene.notes[1].to_string(), "b: twice");
        for i in 0..1000 {
            scene.warn("a", format!("number {i}"));
        }
        assert_eq!(scene.notes.len(), MOST);
        assert_eq!(scene.notes[MOST - 1].count, 1000 - (MOST - 2) + 1 - 1);
    }
}
