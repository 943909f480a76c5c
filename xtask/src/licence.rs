//! Which licences a dependency may have: those that ask nothing of users of a permissive library but a notice.

use crate::metadata::Package;

/// SPDX identifiers that are accepted.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Whether an SPDX expression can be satisfied with allowed licences only.
///
/// Understands OR, the old spelling `A/B`, AND, WITH and parentheses; anything else counts as not allowed.
///
/// ```
/// assert!(xtask::licence::allowed("MIT OR GPL-3.0-only"));
/// assert!(!xtask::licence::allowed("MIT AND GPL-3.0-only"));
/// ```
pub fn allowed(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at) && at == words.len()
}

/// `both OR both …`
fn either(words: &[&str], at: &mut usize) -> bool {
    let mut fine = both(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        let next = both(words, at);
        fine |= next;
    }
    fine
}

/// `one AND one …`
fn both(words: &[&str], at: &mut usize) -> bool {
    let mut fine = one(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        let next = one(words, at);
        fine &= next;
    }
    fine
}

/// A licence, a licence WITH an exception, or an expression in parentheses.
fn one(words: &[&str], at: &mut usize) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let fine = either(words, at);
        let closed = words.get(*at) == Some(&")");
        *at += usize::from(closed);
        return fine && closed;
    }
    if words.get(*at) == Some(&"WITH") {
        let exception = words.get(*at + 1).copied().unwrap_or_default();
        *at = (*at + 2).min(words.len());
        return ALLOWED.contains(&format!("{word} WITH {exception}").as_str());
    }
    ALLOWED.contains(word)
}

/// One line for each dependency whose licence is missing or not allowed.
pub fn refused(packages: &[Package]) -> Vec<String> {
    packages
        .iter()
        .filter(|package| !package.licence.as_deref().is_some_and(allowed))
        .map(|package| {
            let licence = package.licence.as_deref().unwrap_or("no licence expression");
            format!("{} {}: {licence}", package.name, package.version)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        for fine in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0-only",
            "GPL-3.0-only OR (MIT AND Zlib)",
        ] {
            assert!(allowed(fine), "{fine}");
        }
        for bad in
            ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT", "MIT)", "MIT GPL", "MPL-2.0"]
        {
            assert!(!allowed(bad), "{bad}");
        }
    }

    #[test]
    fn names_the_crate() {
        let package = Package {
            name: "left".into(),
            version: "1.2.3".into(),
            licence: Some("AGPL-3.0-only".into()),
            ours: false,
            publishable: true,
        };
        let none = Package { licence: None, ..package.clone() };
        let fine = Package { licence: Some("MIT".into()), ..package.clone() };
        assert_eq!(
            refused(&[package, fine, none]),
            ["left 1.2.3: AGPL-3.0-only", "left 1.2.3: no licence expression"]
        );
    }
}
