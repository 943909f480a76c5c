//! The page of the documentation.

use super::{ALLOWED, Options, Outcome};
use impinge::tune::{Asked, Calibration, Volume};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Writes tune.md.
pub(super) fn write(
    folder: &Path,
    outcomes: &[Outcome],
    calibration: &Calibration,
    options: &Options,
) -> Result<(), String> {
    let text = text(outcomes, calibration, options);
    let path = folder.join("tune.md");
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// The commit of the working tree, or that there is none.
fn commit() -> String {
    let output = Command::new("git").args(["describe", "--always", "--dirty"]).output();
    let said = output.ok().filter(|output| output.status.success());
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    said.unwrap_or("unknown".into())
}

fn text(outcomes: &[Outcome], calibration: &Calibration, options: &Options) -> String {
    let mut text = String::from("# What `tune` chooses\n\n");
    text += INTRODUCTION;
    let within = outcomes.iter().filter(|one| one.loss() <= ALLOWED).count();
    let worst = outcomes.iter().map(Outcome::loss).fold(0.0, f64::max);
    let mean = outcomes.iter().map(Outcome::loss).sum::<f64>() / outcomes.len().max(1) as f64;
    let took = outcomes.iter().map(|one| one.took.as_secs_f64()).sum::<f64>()
        / outcomes.len().max(1) as f64;
    let _ = writeln!(
        text,
        "\nOne run on {}, commit {}, {} placements, the fastest of {} runs or more and of {} in turns, among {} hierarchies each: \
         **{within} of {} choices are within {:.0} % of the best**, the worst loses {:.1} %, the mean {:.1} %. A choice took {took:.1} s.\n",
        calibration.processor(),
        commit(),
        options.queries,
        options.runs,
        3 * options.runs,
        outcomes.first().map_or(0, |one| one.tried),
        outcomes.len(),
        100.0 * ALLOWED,
        100.0 * worst,
        100.0 * mean,
    );
    text +=
        "| model | question | chosen | F, µs | µs | best of all | µs | default, µs | loss, % |\n";
    text += "|---|---|---|---:|---:|---|---:|---:|---:|\n";
    for one in outcomes {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.2} | {:.2} | {} | {:.2} | {:.2} | {:.1} |",
            one.model,
            one.situation,
            one.chosen.hierarchy,
            one.choice.best().predicted() * 1e-3,
            one.chosen.microseconds,
            one.best.hierarchy,
            one.best.microseconds,
            one.default.microseconds,
            100.0 * one.loss()
        );
    }
    text += "\n## The reasons that it gives\n\n";
    for one in outcomes {
        let _ = writeln!(text, "* {}, {}: {}", one.model, one.situation, one.choice.reason());
    }
    text += "\n## The prices\n\nNanoseconds.\n\n";
    text += "| question | volume | start | update, Cu | eight volumes, Cv | leaves, Cp | triangles in f64 |\n";
    text += "|---|---|---:|---:|---:|---:|---:|\n";
    for asked in Asked::ALL {
        for volume in Volume::ALL {
            let prices = calibration.prices(asked, volume);
            let _ = writeln!(
                text,
                "| {asked} | {volume} | {:.0} | {:.0} | {:.1} | {:.1} | {:.0} |",
                prices.start, prices.update, prices.step, prices.leaf, prices.primitive
            );
        }
    }
    text
}

/// What is measured, and how.
const INTRODUCTION: &str = "\
Which hierarchy is the fastest depends on the body, on what is asked and on where. `impinge::tune` does not guess: it counts the tests of volumes (Nv), pairs of
leaves and pairs of triangles (Np) and updates (Nu) that each candidate needs for the caller's own placements, and multiplies them by what each costs on the machine,
which `Calibration::measure` finds in about a second by asking two bodies of its own and solving for the prices:
F = Nu·Cu + Nv·Cv + Np·Cp. The candidates are six volumes (one of them a hybrid of three), fifteen builders and the widths 2, 4 and 8; all volumes and widths are counted with the first builder, and those near the
best with every other. The twenty cheapest, of which no two do the same work, are then timed in turns, and the fastest of them is chosen: where F is nearly equal it cannot tell which is the fastest.
The other volumes were never the fastest in [the comparison of all](builders.md), and each would cost every user the time to compile all queries for it.

`cargo xtask measure tune` makes this page: on the models of that comparison (`--models DIR` adds files) it shows what is chosen, and beside it every candidate in use, timed. With some hundreds of
them the fastest time is partly luck, so the ten fastest and the chosen one run again in turns, so that what else the machine does hits all alike; between two of them a neutral one runs,
untimed, since of two equal trees the second would find the processor's branches predicted. *All three* is a mixture of hits, near misses and far misses.
";
