//! Every claim that an experiment judges is on the page of papers, with the experiment's name: the page cannot fall behind the program.

use impinge_lab::experiment;
use std::path::{Path, PathBuf};

/// The rows of the page, as the text of the claim and the experiments that are named beside it.
fn rows(page: &str) -> Vec<(String, String)> {
    let cells = |line: &str| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        Some((cells.next()?.to_string(), cells.next()?.to_string()))
    };
    page.lines().filter_map(cells).filter(|(_, names)| names.starts_with('`')).collect()
}

/// The statements that a source file claims: the pieces between what is filled in.
fn statements(source: &str) -> Vec<Vec<String>> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    code.split(".claim(").skip(1).map(|call| pieces(call).unwrap_or_default()).collect()
}

/// The pieces of the literal with which a call begins, by itself or in `format!`.
fn pieces(call: &str) -> Option<Vec<String>> {
    let call = call.trim_start();
    let call = call.strip_prefix("format!(").unwrap_or(call).trim_start().strip_prefix('"')?;
    let (mut pieces, mut piece) = (Vec::new(), String::new());
    let mut characters = call.chars().peekable();
    loop {
        match characters.next()? {
            '"' => break,
            '\\' if characters.peek() == Some(&'\n') => {
                while characters.next_if(|c| c.is_whitespace()).is_some() {}
            }
            '\\' => piece.extend(characters.next()),
            '{' => {
                pieces.push(std::mem::take(&mut piece));
                while characters.next()? != '}' {}
            }
            other => piece.push(other),
        }
    }
    pieces.push(piece);
    Some(pieces)
}

/// Whether a text has all pieces, one after the other.
fn has(text: &str, pieces: &[String]) -> bool {
    let mut rest = text;
    pieces.iter().all(|piece| match rest.find(piece.trim()) {
        Some(at) => {
            rest = &rest[at + piece.trim().len()..];
            true
        }
        None => false,
    })
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_claim_is_on_the_page_of_papers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("../../docs/internals/papers.md")).unwrap();
    let rows = rows(&page);
    let (mut count, mut missing) = (0, Vec::new());
    for path in sources(&root.join("src/experiment")) {
        for pieces in statements(&std::fs::read_to_string(&path).unwrap()) {
            count += 1;
            let letters: usize = pieces.iter().map(|piece| piece.trim().len()).sum();
            let known = letters >= 12 && rows.iter().any(|(claim, _)| has(claim, &pieces));
            if !known {
                missing.push(format!("{}: {}", path.display(), pieces.join("{}")));
            }
        }
    }
    assert!(count > 80, "only {count} claims found");
    assert!(missing.is_empty(), "not in docs/internals/papers.md:\n{}", missing.join("\n"));
    for experiment in experiment::all() {
        let name = format!("`{}`", experiment.name);
        let named = rows.iter().any(|(_, names)| names.contains(&name));
        assert!(named, "docs/internals/papers.md has no row for {name}");
    }
    for (claim, names) in &rows {
        for name in names.split('`').filter(|name| {
            name.chars().all(|c| c.is_ascii_lowercase() || "-0123456789".contains(c))
                && !name.is_empty()
        }) {
            assert!(experiment::find(name).is_ok(), "there is no experiment {name}: {claim}");
        }
    }
}

#[test]
fn statements_are_found_in_sources() {
    let source = r#"
        finding.claim(
            "one thing, \
             and \"another\"",
            format!("{x}"),
        );
        finding.claim(format!("a {name} takes {:.1} times", 3.0), "");
        finding.claim(variable, "");
        #[cfg(test)]
        finding.claim("in a test", "");
    "#;
    let found = statements(source);
    assert_eq!(found[0], ["one thing, and \"another\""]);
    assert_eq!(found[1], ["a ", " takes ", " times"]);
    assert_eq!((found[2].len(), found.len()), (0, 3));
    assert!(has("a ball takes 3.0 times as long", &found[1]));
    assert!(!has("a ball takes long", &found[1]) && !has("times takes a", &found[1]));
}
