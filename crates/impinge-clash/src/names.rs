//! Short names of parts: as much of a path's end as no other part shares, and what is left of a name without its number.

use crate::model::Model;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A short name for each part.
pub(crate) fn short_names(model: &Model) -> Vec<&str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for part in &model.parts {
        ends(&part.path).for_each(|end| *counts.entry(end).or_default() += 1);
    }
    let short = |path| ends(path).find(|end| counts.get(end) == Some(&1)).unwrap_or(path);
    model.parts.iter().map(|part| short(part.path.as_str())).collect()
}

/// What the files are called that the parts come from, one name for each part: in a project every discipline has its file. None if there is one file, or
/// every part has its own and is called after it.
pub(crate) fn file_names(model: &Model) -> Option<Vec<&str>> {
    let files: HashSet<&str> = model.parts.iter().map(|part| part.file.as_str()).collect();
    if files.len() < 2 || files.len() == model.parts.len() {
        return None;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    files.iter().for_each(|file| *counts.entry(stem(file)).or_default() += 1);
    let short = |file| if counts.get(stem(file)) == Some(&1) { stem(file) } else { file };
    Some(model.parts.iter().map(|part| short(part.file.as_str())).collect())
}

fn stem(file: &str) -> &str {
    Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file)
}

/// The ends of a path, the shortest first: `c`, `b/c`, `a/b/c`.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let cuts = path.rmatch_indices('/').map(|(at, _)| &path[at + 1..]);
    // Deep trees have long paths: eight levels tell parts apart, or the whole path does.
    cuts.take(8).filter(|end| !end.is_empty()).chain([path])
}

/// A name without the numbers at its end that tell parts of one kind apart: `bolt` of `bolt 12`, `bolt_3_1`, `bolt (2)` and `bolt7`. What stands before a
/// `#` or another mark is a name, even if it is a number itself: `3002` of `3002#17`.
pub(crate) fn without_number(name: &str) -> &str {
    let (digit, mark) = (|c: char| c.is_ascii_digit(), |c: char| " _-#.()".contains(c));
    let mut left = name;
    loop {
        let number = left.trim_end_matches(mark);
        let before = number.trim_end_matches(digit);
        let shorter = before.trim_end_matches(mark);
        if before.len() == number.len() || shorter.is_empty() {
            return left;
        }
        if shorter.len() == before.len() {
            // No mark before the number: as the only one it counts all the same, otherwise it belongs to the name.
            return if left.len() == name.len() { shorter } else { left };
        }
        left = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::without_number;

    #[test]
    fn numbers_at_the_end_are_left_out_and_names_are_not() {
        for (name, expected) in [
            ("bolt 12", "bolt"),
            ("bolt_3_1", "bolt"),
            ("bolt (2)", "bolt"),
            ("bolt 6 (copy)", "bolt 6 (copy)"),
            ("bolt7", "bolt"),
            ("bolt", "bolt"),
            ("IfcWall_315", "IfcWall"),
            ("3002#17", "3002"),
            ("973ps1#13", "973ps1"),
            ("3024 #2", "3024"),
            ("12", "12"),
            ("#", "#"),
            ("", ""),
        ] {
            assert_eq!(without_number(name), expected, "{name}");
        }
    }
}
