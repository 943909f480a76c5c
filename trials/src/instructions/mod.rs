//! `cargo xtask instructions`: hybrid hierarchies against every single volume, in instructions.
//!
//! Times depend on what else a machine does; instructions do not. They are counted by valgrind's callgrind, which runs this program
//! again: it collects in `counted_queries` alone and writes a file whenever that function returns.

mod callgrind;
mod counted;
mod row;

use row::Row;
use std::path::PathBuf;

/// Options of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Also measure the mesh files of this folder.
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// Leave out files of more triangles than this.
    #[arg(long, default_value_t = 20_000)]
    pub largest: usize,
    /// Triangles of a generated model, about.
    #[arg(long, default_value_t = 20_000)]
    pub triangles: usize,
    /// Placements per model and situation.
    #[arg(long, default_value_t = 30)]
    pub queries: usize,
    /// Every seed gives other placements.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Only models whose name contains this.
    #[arg(long, default_value = "")]
    pub only: String,
    /// Asks the queries that are counted, and says on a line for each what it was: how the measurement runs itself.
    #[arg(long, hide = true)]
    pub counted: bool,
}

/// How much more than the best single volume a hybrid hierarchy may cost.
const ROOM: f64 = 1.05;
/// On how many models it must cost less.
const BETTER: usize = 2;

/// Runs the measurement. True if a hybrid hierarchy costs hardly more than the best single volume on any model, and less on some.
pub fn run(options: &Options) -> bool {
    let found = if options.counted { counted::run(options) } else { compare(options) };
    found.unwrap_or_else(|error| {
        println!("{error}");
        false
    })
}

fn compare(options: &Options) -> Result<bool, String> {
    row::heading();
    let rows = callgrind::run(options, Row::print)?;
    let ratios: Vec<f64> = rows.iter().map(Row::ratio).collect();
    let better = ratios.iter().filter(|ratio| **ratio < 1.0).count();
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let mean =
        (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    println!(
        "\nhybrid over the best single volume of each model: {mean:.3} in the mean, {most:.3} at most; better on {better} of {}",
        rows.len()
    );
    for (index, (name, _)) in rows.first().map_or(&[][..], |row| &row.volumes).iter().enumerate() {
        let sum: f64 =
            rows.iter().map(|row| (row.volumes[index].1.total() / row.hybrid.total()).ln()).sum();
        println!(
            "{name:>10} everywhere costs {:.2} times as much as hybrid, in the mean",
            (sum / rows.len() as f64).exp()
        );
    }
    let right = rows.iter().all(|row| row.wrong == 0);
    println!("answers: {}", if right { "as they should be" } else { "NOT as they should be" });
    Ok(right && most <= ROOM && better >= BETTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counted_queries_are_asked_without_valgrind_too() {
        let options = Options {
            models: None,
            largest: 1000,
            triangles: 200,
            queries: 1,
            seed: 1,
            only: "ball".into(),
            counted: true,
        };
        assert!(run(&options));
        let nowhere = Options { models: Some("no such folder".into()), ..options };
        assert!(!run(&nowhere));
    }
}
