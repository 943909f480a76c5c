//! Commands that other packages of the workspace carry out, in release builds.
//!
//! This package itself depends on none of them, so that `cargo xtask test` starts without compiling the engine for it.

use crate::metadata::{cargo, root};

/// Arguments that are passed on unchanged.
#[derive(clap::Args, Clone, Debug)]
#[command(disable_help_flag = true)]
pub struct Options {
    /// Arguments of the command; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<String>,
}

/// Runs a program of a package with some words and the arguments. False if it failed.
fn run(package: &str, words: &[&str], arguments: &[&str]) -> bool {
    let mut command = cargo();
    // Folders are meant as seen from where the command was given.
    if let Ok(here) = std::env::current_dir() {
        command.current_dir(here);
    }
    command.args(["run", "--quiet", "--release", "--package", package, "--manifest-path"]);
    command.arg(root().join("Cargo.toml")).arg("--").args(words).args(arguments);
    command.status().is_ok_and(|status| status.success())
}

/// A command of the package `trials`.
pub fn trial(name: &str, options: &Options) -> bool {
    let arguments: Vec<&str> = options.arguments.iter().map(String::as_str).collect();
    run("trials", &[name], &arguments)
}

/// Experiments of the lab, by `impinge-lab run`.
pub fn measure(options: &Options) -> bool {
    run("impinge-lab", &["run"], &experiments(options))
}

/// The arguments of `impinge-lab run`: `concentric` is the old name of all three experiments about spheres one inside the other.
fn experiments(options: &Options) -> Vec<&str> {
    let of = |argument| match argument {
        "concentric" => vec!["close-proximity", "rounded-spheres", "rounded-sweep"],
        other => vec![other],
    };
    options.arguments.iter().flat_map(|argument| of(argument.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn all_arguments_are_forwarded_as_they_are() {
        let words = ["measure", "growth", "--quick", "--output", "here", "--help", "--seed", "7"];
        let given = Command::try_parse_from(words).map(|command| command.options).unwrap();
        assert_eq!(experiments(&given), words[1..]);
        let old = Options { arguments: vec!["concentric".into()] };
        assert_eq!(experiments(&old).len(), 3);
    }
}
