//! "Did you mean …?": the known word that is nearest to one that is not known.

/// The candidate that differs by the fewest typing errors, if it is near enough to be what was meant: at most a third of the letters differ.
///
/// ```
/// assert_eq!(impinge_clash::nearest("aproved", ["new", "approved"]), Some("approved"));
/// assert_eq!(impinge_clash::nearest("xyz", ["new", "approved"]), None);
/// ```
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let letters = folded(word);
    let most = (letters.len() / 3).max(1);
    let near = candidates.into_iter().filter_map(|candidate| {
        let other = folded(candidate);
        // Letters that one has more than the other are errors already.
        let possible = letters.len().abs_diff(other.len()) <= most;
        let errors = possible.then(|| distance(&letters, &other))?;
        (errors <= most).then_some((errors, candidate))
    });
    near.min().map(|(_, candidate)| candidate)
}

/// The suggestion as the end of a message, or nothing.
pub(crate) fn did_you_mean<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> String {
    nearest(word, candidates)
        .map_or_else(String::new, |known| format!("; did you mean \"{known}\"?"))
}

/// Long names are compared by their beginnings.
fn folded(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).take(64).collect()
}

/// Letters inserted, removed, replaced or swapped with their neighbour (the optimal string alignment distance).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 0..a.len() {
        let [before, last, row] = &mut rows;
        row[0] = i + 1;
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            row[j + 1] = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before[j - 1] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, folded, nearest};

    #[test]
    fn errors_are_counted() {
        for (a, b, errors) in [
            ("", "", 0),
            ("abc", "", 3),
            ("hard", "hrad", 1),
            ("kitten", "sitting", 3),
            ("x", "X", 0),
        ] {
            assert_eq!(distance(&folded(a), &folded(b)), errors, "{a} {b}");
            assert_eq!(distance(&folded(b), &folded(a)), errors, "{b} {a}");
        }
        assert_eq!(nearest("clearence", ["hard", "clearance"]), Some("clearance"));
        assert_eq!(nearest("", ["hard"]), None);
    }
}
