//! The README's promises about commands.

/// The two commands that the README must show: the main job, and the tests.
const PROMISED: [&str; 2] = ["cargo run --release -- demo", "cargo xtask test"];

/// One line for each promised command that the text does not show on a line of its own inside a code block.
pub fn missing(text: &str) -> Vec<String> {
    let commands = commands(text);
    PROMISED
        .iter()
        .filter(|promised| !commands.iter().any(|command| command.starts_with(*promised)))
        .map(|promised| format!("README.md does not show `{promised}`"))
        .collect()
}

/// The lines inside fenced code blocks, without prompt and comment.
fn commands(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            found.push(line.trim().trim_start_matches("$ "));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_commands_in_code_blocks_only() {
        let good = "text\n```sh\n$ cargo run --release -- demo\ncargo xtask test   # all\n```\n";
        assert!(missing(good).is_empty());
        let prose = "run cargo xtask test\ncargo xtask test\n```\ncargo run --release -- demo\n```";
        assert_eq!(missing(prose), ["README.md does not show `cargo xtask test`"]);
    }
}
