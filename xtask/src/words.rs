//! Words that readers of this field stumble over. Pages and the documentation of the library say it in the field's own words; this
//! list keeps the worst of the others from coming back.

use crate::links::{files, pages};
use crate::metadata::root;
use std::path::PathBuf;

/// Phrases that do not appear in what users read, each with what to say instead.
const AVOIDED: &[(&str, &str)] = &[
    ("are in each other", "interpenetrate"),
    ("stand to each other", "relate"),
    ("stands to each other", "relate"),
    ("is told by", "is given by"),
    ("is told in", "is given in"),
    ("so many pieces", "number of"),
    ("at most so many", "the largest number of"),
    ("into so many", "number of"),
    ("mm are left", "the clearance is"),
    ("mm are asked", "required"),
    ("from outside it cannot be seen", "is fully enclosed by"),
    ("that stand for what is round", "tessellation"),
    ("are taken for rounding", "are treated as rounding error"),
    ("tells otherwise", "override with"),
    ("telling its work", "with work counters"),
    ("by a policy of descent", "with a descent policy"),
    ("looks in vain", "failed axis tests"),
    ("made as is said", "built with the given settings"),
    ("how it works from now on", "replaces the settings"),
    ("what touches what", "collision and distance queries"),
    ("// so many ", "the number of"),
    ("about so many", "about the given number of"),
    ("somebody is told", "report progress"),
    ("nothing is looked for", "nothing is searched"),
    ("pairs asked", "pairs tested"),
    ("a tolerance of your own replaces that", "set --tolerance to change this"),
    ("hide inside something else", "are enclosed by another part"),
    ("are there twice", "exist twice"),
    ("against what the file says", "overriding the file"),
    ("shared room", "overlap volume"),
    ("the room that both", "overlap volume"),
    ("there twice", "exists twice, or duplicate"),
    ("of the circle out", "remove a joint of the cycle"),
    ("that was given counts", "overrides"),
    ("is no whole number", "is not a whole number"),
    ("is no list", "is not a list"),
    ("is no index", "is not an index"),
    ("is no number", "is not a number"),
    ("is no statement", "is not a statement"),
    ("is no line of", "is not a line of"),
    ("is no unit of", "is not a unit of"),
    ("is no type of", "is not a type"),
    ("is said twice", "is given twice"),
    ("is told and left", "is listed and ignored"),
    ("so that there are no parts", "so there are no parts"),
    ("of another format", "in another format"),
    ("free for certain", "certified free"),
    ("it names itself", "it includes itself"),
    ("the chosen finding", "the selected finding"),
    (
        "it does not fail. degenerate geometry is geometry",
        "no panics: degenerate geometry is handled",
    ),
];

/// Where the phrases are searched for, besides every Markdown page, the page's TypeScript and the Python package: sources whose comments become documentation, and
/// those that hold help, findings and errors.
const SOURCES: &[&str] = &[
    "crates/impinge-geom/src",
    "crates/impinge-tree/src",
    "crates/impinge/src",
    "crates/impinge/examples",
    "crates/impinge-io/src",
    "crates/impinge-robot/src",
    "crates/impinge-clash/src",
    "crates/impinge-cli/src",
    "crates/impinge-lab/src",
    "crates/impinge-py/src",
    "trials/src",
    "versus/src",
    "xtask/src",
];

/// One line for each avoided phrase in a text: the line's number, the phrase, and what to say.
pub fn stumbles(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        for (phrase, better) in AVOIDED {
            if line.contains(phrase) {
                found.push(format!("{}: \"{phrase}\": say \"{better}\"", index + 1));
            }
        }
    }
    found
}

/// All that is read: pages and sources, without this file, which names the phrases.
pub fn readable() -> Vec<PathBuf> {
    let mut all = pages(&root());
    all.extend(SOURCES.iter().flat_map(|folder| files(&root().join(folder), "rs")));
    all.extend(files(&root().join("viewer/src"), "ts"));
    all.extend(["py", "pyi"].iter().flat_map(|kind| files(&root().join("python/impinge"), kind)));
    all.retain(|path| !path.ends_with("xtask/src/words.rs"));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_stumbles() {
        let all = readable();
        assert!(all.len() > 300, "only {} files found", all.len());
        let mut found = Vec::new();
        for path in all {
            let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
            let text = std::fs::read_to_string(&path).unwrap();
            found.extend(stumbles(&text).iter().map(|line| format!("{name}:{line}")));
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn phrases_are_found_in_any_case() {
        let text = "fine\nA and B Are In Each Other here";
        assert_eq!(stumbles(text), ["2: \"are in each other\": say \"interpenetrate\""]);
        assert!(AVOIDED.iter().all(|(phrase, _)| phrase.to_lowercase() == *phrase));
    }
}
