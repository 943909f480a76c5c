//! `cargo xtask measure`: experiments of the lab, by `impinge lab run` in a release build.

use crate::metadata::{cargo, root};

/// What is asked for.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Names and options, as `impinge lab run` takes them, or `concentric` for all three experiments about spheres one inside the other.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "NAME"
    )]
    pub arguments: Vec<String>,
}

/// Runs them. False if there is nothing of a name, or one failed.
pub fn run(options: &Options) -> bool {
    let mut command = cargo();
    // Folders are meant as seen from where the command was given.
    if let Ok(here) = std::env::current_dir() {
        command.current_dir(here);
    }
    command.args(["run", "--quiet", "--release", "--package", "impinge-cli", "--manifest-path"]);
    command.arg(root().join("Cargo.toml")).args(["--", "lab", "run"]).args(forwarded(options));
    command.status().is_ok_and(|status| status.success())
}

/// What `impinge lab run` is told.
fn forwarded(options: &Options) -> Vec<&str> {
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
    use impinge_lab::experiment;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn all_arguments_are_forwarded_as_they_are() {
        let words = ["measure", "growth", "--quick", "--output", "here", "--seed", "7"];
        let given = Command::try_parse_from(words).map(|command| command.options);
        assert_eq!(forwarded(&given.unwrap()), words[1..]);
        assert!(Command::try_parse_from(["measure"]).is_err());
    }

    #[test]
    fn the_promised_names_are_experiments_of_the_lab() {
        let promised = [
            "obb-overlap",
            "growth",
            "voxels",
            "builders",
            "tune",
            "hybrid",
            "scenes",
            "concentric",
        ];
        let options = Options { arguments: promised.map(String::from).to_vec() };
        for name in forwarded(&options) {
            assert!(experiment::find(name).is_ok(), "{name}");
        }
    }
}
