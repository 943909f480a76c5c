//! Links between the project's pages: every relative link in a Markdown file leads to a file that is there, and to a heading of it if it
//! names one.

use crate::metadata::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders that hold nothing of ours.
const SKIPPED: &[&str] = &["target", "node_modules", ".git"];

/// The Markdown files below a folder, sorted.
pub fn pages(folder: &Path) -> Vec<PathBuf> {
    files(folder, "md")
}

/// The files with an extension below a folder, sorted.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && !SKIPPED.iter().any(|skipped| name == *skipped) {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// One line for each relative link of a page that leads nowhere.
pub fn broken(page: &Path, text: &str) -> Vec<String> {
    let folder = page.parent().unwrap_or(Path::new("."));
    let name = page.strip_prefix(root()).unwrap_or(page).display().to_string();
    let mut broken = Vec::new();
    for link in links(text) {
        let (path, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() { page.to_path_buf() } else { folder.join(path) };
        if !target.exists() {
            broken.push(format!("{name}: {link} does not exist"));
        } else if !heading.is_empty() {
            let other = std::fs::read_to_string(&target).unwrap_or_default();
            if !anchors(&other).contains(heading) {
                broken.push(format!("{name}: {link} names no heading of that page"));
            }
        }
    }
    broken
}

/// The targets of links and pictures outside of code, without those that leave the project.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        // Every second part is `code`.
        for prose in line.split('`').step_by(2) {
            for rest in prose.split("](").skip(1) {
                let link = rest.split([')', ' ']).next().unwrap_or_default();
                if !link.contains("://") && !link.starts_with("mailto:") && !found.contains(&link) {
                    found.push(link);
                }
            }
        }
    }
    found
}

/// The anchors that GitHub gives the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        if !fenced && line.starts_with('#') {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept =
                words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_leads_somewhere() {
        let pages = pages(&root());
        assert!(pages.len() > 30, "only {} pages found", pages.len());
        let broken: Vec<String> = pages
            .iter()
            .flat_map(|page| broken(page, &std::fs::read_to_string(page).unwrap()))
            .collect();
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }

    /// The code of a page that is not in the list of `docs/guide/lib.rs` would be compiled by nobody.
    #[test]
    fn every_page_with_code_is_compiled() {
        let compiled = std::fs::read_to_string(root().join("docs/guide/lib.rs")).unwrap();
        let mut count = 0;
        for page in files(&root().join("docs"), "md") {
            if std::fs::read_to_string(&page).unwrap().contains("\n```rust\n") {
                let name = page.file_name().unwrap_or_default().to_string_lossy();
                assert!(compiled.contains(&*name), "{name} is missing in docs/guide/lib.rs");
                count += 1;
            }
        }
        assert!(count > 7, "only {count} pages have code");
    }

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "[a](b.md) ![`c`](d.svg \"title\") [e](https://f)\n```\n[g](h.md)\n```\n[i](#j)";
        assert_eq!(links(text), ["b.md", "d.svg", "#j"]);
    }

    #[test]
    fn a_broken_link_is_named() {
        let page = root().join("README.md");
        assert_eq!(
            broken(&page, "[x](no-such-file.md)"),
            ["README.md: no-such-file.md does not exist"]
        );
        assert!(broken(&page, "# Some Heading!\n[x](#some-heading)").len() == 1, "README has none");
        assert!(broken(&page, "[x](LICENSE-MIT)").is_empty());
        assert_eq!(
            anchors("# What it answers, and how exactly"),
            ["what-it-answers-and-how-exactly".to_owned()].into()
        );
    }
}
