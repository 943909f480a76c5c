//! Every command of `docs/guide/checking.md` that is about the demonstration's gearbox, run in order as its readers do.

use crate::folder::{Folder, run};

const GUIDE: &str = include_str!("../../../../docs/guide/checking.md");

/// The commands of the guide's shell blocks, without their comments.
fn commands() -> Vec<&'static str> {
    let mut shell = false;
    let mut list = Vec::new();
    for line in GUIDE.lines() {
        if let Some(block) = line.strip_prefix("```") {
            shell = block == "sh";
        } else if shell && line.starts_with("impinge ") && line.contains("gearbox") {
            list.push(line.split("  #").next().unwrap_or(line).trim());
        }
    }
    list
}

/// The words of a command, as a shell takes them apart.
fn words(command: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, ' ') => list.push(String::new()),
            _ => list.last_mut().unwrap().push(c),
        }
    }
    list.retain(|word| !word.is_empty());
    list
}

#[test]
fn the_commands_of_the_guide_work() {
    let folder = Folder::new();
    let commands = commands();
    assert!(commands.len() >= 15, "{commands:?}");
    for command in commands {
        let words = words(command);
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        let (code, text, side) = run(folder.path(), &arguments);
        assert!(code < 2, "{command}: {text}{side}");
        assert!(!text.contains("no finding matches"), "{command}: {text}");
    }
    // What the guide says that the reader has in the end.
    for file in
        ["report.html", "report.json", "report.csv", "report.bcfzip", "gearbox.obj.impinge.json"]
    {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}
