//! What `impinge::tune` chooses, beside a trial of everything that it could have chosen.

mod page;
mod trial;

use super::builders::models::{self, Model};
use super::builders::place;
use impinge::Mesh;
use impinge::geom::bound::Obb;
use impinge::geom::simd;
use impinge::mesh::{MeshError, Relative};
use impinge::tune::{self, Calibration, Choice, Question, Triangles};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use trial::{Hierarchy, Timed};

/// Options of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Write tune.md into this folder.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Also measure the mesh files of this folder.
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// Leave out files of more triangles than this.
    #[arg(long, default_value_t = 100_000)]
    pub largest: usize,
    /// Triangles of a generated model, about.
    #[arg(long, default_value_t = 20_000)]
    pub triangles: usize,
    /// Placements per model and situation.
    #[arg(long, default_value_t = 60)]
    pub queries: usize,
    /// How often each hierarchy is run; the fastest counts.
    #[arg(long, default_value_t = 7)]
    pub runs: usize,
    /// Use this calibration, as `tune` saved it, instead of measuring one.
    #[arg(long, value_name = "FILE")]
    pub calibration: Option<PathBuf>,
    /// Every seed gives other placements.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// How much slower than the best a choice may be.
const ALLOWED: f64 = 0.10;

/// Questions about all triangles are asked at one in so many placements.
const LONGER: usize = 6;

/// A choice and the trial beside it.
#[derive(Debug)]
struct Outcome {
    model: String,
    situation: &'static str,
    choice: Choice,
    /// How long it took to choose.
    took: Duration,
    chosen: Timed,
    best: Timed,
    /// That of the hierarchy that is taken if nobody chooses.
    default: Timed,
    /// How many were tried.
    tried: usize,
}

impl Outcome {
    /// How much slower than the best the choice is.
    fn loss(&self) -> f64 {
        self.chosen.microseconds / self.best.microseconds - 1.0
    }
}

/// Runs the measurement. True if every choice is nearly as fast as the best.
pub fn run(options: &Options) -> bool {
    super::or_tell(measured(options))
}

fn measured(options: &Options) -> Result<bool, String> {
    let calibration = calibration(options)?;
    println!("{}", calibration.to_text());
    let mut models = models::generated(options.triangles);
    if let Some(folder) = &options.models {
        models.extend(models::read(folder, options.largest)?);
    }
    let mut outcomes = Vec::new();
    for (index, model) in models.iter().enumerate() {
        let (name, count) = (&model.name, model.triangles.len());
        println!("\nmodel {} of {}: {name}, {count} triangles", index + 1, models.len());
        let own = compared(model, &calibration, options).map_err(|e| format!("{name}: {e}"))?;
        if own.is_empty() {
            println!("left out: it does not meet its copy");
        }
        outcomes.extend(own);
    }
    if let Some(folder) = &options.output {
        page::write(folder, &outcomes, &calibration, options)?;
    }
    let worst = outcomes.iter().map(Outcome::loss).fold(0.0, f64::max);
    let within = outcomes.iter().filter(|one| one.loss() <= ALLOWED).count();
    println!(
        "\n{within} of {} choices within {:.0} % of the best; the worst loses {:.1} %",
        outcomes.len(),
        100.0 * ALLOWED,
        100.0 * worst
    );
    Ok(!outcomes.is_empty() && within == outcomes.len())
}

fn calibration(options: &Options) -> Result<Calibration, String> {
    let Some(path) = &options.calibration else {
        let start = Instant::now();
        let measured = Calibration::measure();
        println!("calibrated in {:.2} s", start.elapsed().as_secs_f64());
        return Ok(measured);
    };
    let fail = |error: String| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let read = Calibration::from_text(&text).map_err(|error| fail(error.to_string()))?;
    if !read.is_of_this_machine() {
        println!("calibrated on {}, not on {}", read.processor(), simd::processor());
    }
    Ok(read)
}

/// The choices for a model, in each situation.
fn compared(
    model: &Model,
    calibration: &Calibration,
    options: &Options,
) -> Result<Vec<Outcome>, MeshError> {
    let mesh: Mesh<Obb> = Mesh::new(&model.vertices, &model.triangles)?;
    let [hit, near, far] = place::placements(&mesh, options.queries, options.seed);
    if hit.is_empty() {
        return Ok(Vec::new());
    }
    // Those that take long are asked less often.
    let few = |all: &[Relative]| all.iter().copied().step_by(LONGER).collect::<Vec<_>>();
    let mixed: Vec<Relative> = [&hit, &near, &far].into_iter().flatten().copied().collect();
    let (met, apart) = (few(&hit), few(&[near.clone(), far.clone()].concat()));
    let questions = [
        ("hit", Question::Overlap(&hit)),
        ("near miss", Question::Overlap(&near)),
        ("far miss", Question::Overlap(&far)),
        ("all three", Question::Overlap(&mixed)),
        ("pairs", Question::Pairs(&met)),
        ("distance", Question::Distance(&apart)),
    ];
    let body = Triangles { vertices: &model.vertices, triangles: &model.triangles };
    let mut choices = Vec::new();
    for (situation, question) in &questions {
        let start = Instant::now();
        let choice = tune::choose(body, body, question, calibration, &tune::Options::default())?;
        let took = start.elapsed();
        println!("\n{situation}, chosen in {:.2} s: {choice}", took.as_secs_f64());
        choices.push((*situation, choice, took));
    }
    let asked = questions.map(|(_, question)| question);
    let chosen: Vec<Hierarchy> = choices.iter().map(|(_, c, _)| c.best().into()).collect();
    let trials = trial::all(body, &asked, &chosen, options.runs)?;
    let outcomes = choices.into_iter().zip(trials).map(|((situation, choice, took), trial)| {
        let outcome = Outcome {
            model: model.name.clone(),
            situation,
            choice,
            took,
            chosen: trial.chosen,
            best: trial.best,
            default: trial.default,
            tried: trial.tried,
        };
        println!(
            "{situation}: chosen {}; best of {} {}; loss {:.1} %",
            outcome.chosen,
            outcome.tried,
            outcome.best,
            100.0 * outcome.loss()
        );
        outcome
    });
    Ok(outcomes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_chosen_for_and_tried_and_the_page_says_so() {
        let folder = std::env::temp_dir().join(format!("impinge-tune-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let saved = folder.join("prices");
        let unit = |_, _| tune::Prices { step: 1.0, leaf: 2.0, ..tune::Prices::default() };
        std::fs::write(&saved, Calibration::with_prices("made up", unit).to_text()).unwrap();
        let options = Options {
            output: Some(folder.clone()),
            models: None,
            largest: 1000,
            triangles: 200,
            queries: 2,
            runs: 1,
            calibration: Some(saved.clone()),
            seed: 1,
        };
        // Whether the choices are good is not asked of prices that are made up.
        let _ = run(&options);
        let text = std::fs::read_to_string(folder.join("tune.md")).unwrap();
        for model in models::generated(200) {
            let lines =
                text.lines().filter(|line| line.starts_with(&format!("| {} |", model.name)));
            assert_eq!(lines.count(), 6, "{}", model.name);
        }
        assert!(text.contains("among 270 hierarchies") && !text.contains("NaN"));
        std::fs::write(&saved, "impinge calibration 1\nprice").unwrap();
        assert!(calibration(&options).is_err_and(|error| error.contains("line 2: ")));
        std::fs::remove_dir_all(folder).unwrap();
        assert!(!run(&options), "prices that are not there");
    }
}
