//! Runs experiments, with progress, until Ctrl-C.

mod arguments;

pub(crate) use arguments::Arguments;

use arguments::{Command, RunArguments};
use impinge_lab::{
    Experiment, Finding, LabError, ModelFolder, Session, Size, Verdict, experiment, stability,
    store,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit code of an interrupted run, as shells count it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Carries out a command. False if it was interrupted.
pub(crate) fn run(command: &Command) -> io::Result<bool> {
    match command {
        Command::List => list().map(|()| true),
        Command::Run { names, arguments } => {
            let chosen = names.iter().map(|name| experiment::find(name));
            let chosen = chosen.collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
            several(&chosen, arguments, &arguments.session()?)?.told()
        }
        Command::All { arguments } => {
            let session = arguments.session()?;
            let outcome = several(&experiment::all().collect::<Vec<_>>(), arguments, &session)?;
            let path = store::gather(&arguments.output, &session).map_err(io::Error::other)?;
            writeln!(io::stdout(), "{}", path.display())?;
            outcome.told()
        }
        Command::Stability { names, runs, page, arguments } => {
            let chosen: Vec<&Experiment> = if names.is_empty() {
                experiment::all().collect()
            } else {
                let chosen = names.iter().map(|name| experiment::find(name));
                chosen.collect::<Result<_, _>>().map_err(io::Error::other)?
            };
            stability(&chosen, usize::from(*runs), page.as_deref(), arguments)
        }
    }
}

/// Runs experiments several times and writes the page. False if it was interrupted, an error if a verdict differs between runs.
fn stability(
    chosen: &[&'static Experiment],
    runs: usize,
    page: Option<&Path>,
    arguments: &RunArguments,
) -> io::Result<bool> {
    let session = arguments.session()?;
    for run in 1..=runs {
        let folder = stability::run_folder(&arguments.output, run);
        writeln!(io::stdout(), "run {run} of {runs}, in {}", folder.display())?;
        let own = RunArguments { output: folder.clone(), record: None, ..arguments.clone() };
        stability::note_load(&folder).map_err(io::Error::other)?;
        if !several(chosen, &own, &session)?.told()? {
            return Ok(false);
        }
        stability::note_load(&folder).map_err(io::Error::other)?;
    }
    let command = format!(
        "impinge-lab stability{} --runs {runs}",
        match session.size {
            Size::Normal => String::new(),
            size => format!(" --{}", size.name()),
        }
    );
    let text =
        stability::page(&arguments.output, runs, chosen, &command).map_err(io::Error::other)?;
    match page {
        None => writeln!(io::stdout(), "{text}")?,
        Some(path) => impinge_io::write_file(path, text.as_bytes()).map_err(io::Error::other)?,
    }
    let claims = stability::claims(&arguments.output, runs, chosen).map_err(io::Error::other)?;
    let flipped: Vec<&str> =
        claims.iter().filter(|one| !one.is_stable()).map(|one| one.experiment).collect();
    if !flipped.is_empty() {
        let (count, of, names) = (flipped.len(), claims.len(), flipped.join(", "));
        return Err(io::Error::other(format!(
            "{count} of {of} verdicts differ between runs: {names}"
        )));
    }
    writeln!(io::stdout(), "{} verdicts, the same in all {runs} runs", claims.len())?;
    Ok(true)
}

/// How many claims have each verdict, of the experiments that a folder has.
fn tally(folder: &Path, chosen: &[&Experiment]) -> String {
    let claims = chosen.iter().flat_map(|experiment| store::claims_of(folder, experiment));
    let verdicts: Vec<String> = claims.map(|[_, _, verdict]| verdict).collect();
    let count = |verdict: Verdict| {
        let count = verdicts.iter().filter(|own| **own == verdict.to_string()).count();
        format!("{count} {verdict}")
    };
    let all = [Verdict::Reproduced, Verdict::Partly, Verdict::Differs, Verdict::NotTried];
    format!("{} claims: {}", verdicts.len(), all.map(count).join(", "))
}

fn list() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for Experiment { name, title, document, place, models, .. } in experiment::all() {
        let (citation, models) = (document.citation(), models.told());
        writeln!(output, "{name:<18} {title}\n{:<18} {citation}, {place}; --models: {models}", "")?;
    }
    Ok(())
}

/// What became of experiments.
#[derive(Default)]
struct Outcome {
    interrupted: bool,
    /// The names of those that failed, and why.
    failed: Vec<String>,
}

impl Outcome {
    /// An error that names what failed; false if it was interrupted.
    fn told(self) -> io::Result<bool> {
        match self.failed.as_slice() {
            [] => Ok(!self.interrupted),
            [one] => Err(io::Error::other(one.as_str())),
            several => {
                let (count, list) = (several.len(), several.join("\n  "));
                Err(io::Error::other(format!("{count} experiments failed:\n  {list}")))
            }
        }
    }
}

/// Runs one after the other, also after a failure. What is finished is written, and found again by the next run.
fn several(
    chosen: &[&Experiment],
    arguments: &RunArguments,
    session: &Session<'_>,
) -> io::Result<Outcome> {
    let stop = impinge_lab::interrupt::watch();
    let mut outcome = Outcome::default();
    for (k, experiment) in chosen.iter().enumerate() {
        match one(experiment, arguments, session, stop)? {
            Ok(()) => {}
            Err(LabError::Interrupted) => {
                let folder = arguments.output.display();
                writeln!(
                    io::stderr(),
                    "interrupted in {}: {} of {} are done and kept in {folder}; repeat the command to continue",
                    experiment.name,
                    k - outcome.failed.len(),
                    chosen.len(),
                )?;
                outcome.interrupted = true;
                break;
            }
            Err(error) => outcome.failed.push(format!("{}: {error}", experiment.name)),
        }
    }
    writeln!(io::stdout(), "{}", tally(&arguments.output, chosen))?;
    Ok(outcome)
}

/// Runs an experiment, unless it is done. The outer error is that nobody reads what is printed: there is no use in going on.
fn one(
    experiment: &Experiment,
    arguments: &RunArguments,
    session: &Session<'_>,
    stop: &AtomicBool,
) -> io::Result<Result<(), LabError>> {
    let folder = &arguments.output;
    let mut output = io::stdout().lock();
    // What is done but not yet recorded is measured again: a record holds the time that it took.
    let recorded = |records| store::is_recorded(records, experiment, session);
    if !arguments.again
        && store::is_done(folder, experiment, session)
        && arguments.record.as_deref().is_none_or(recorded)
    {
        writeln!(output, "{}: reused from {}", experiment.name, folder.display())?;
        return Ok(Ok(()));
    }
    let (finding, seconds) = match measured(experiment, arguments, session, stop) {
        Ok(measured) => measured,
        Err(error) => return Ok(Err(error)),
    };
    let heading = format!("{} ({seconds:.1} s): {}", experiment.name, experiment.title);
    writeln!(output, "{heading}\n{}", finding.lines())?;
    // Work that does not look at the flag until its end counts as finished.
    Ok(if stop.load(Ordering::Relaxed) { Err(LabError::Interrupted) } else { Ok(()) })
}

/// Runs an experiment with progress and writes everything about it; the finding, and how many seconds it took.
fn measured(
    experiment: &Experiment,
    arguments: &RunArguments,
    session: &Session<'_>,
    stop: &AtomicBool,
) -> Result<(Finding, f64), LabError> {
    let bar = bar(experiment.name, arguments.quiet);
    let progress = |what: &str, done: u64, of: u64| {
        bar.set_length(of);
        bar.set_position(done);
        bar.set_message(format!("{}: {what}", experiment.name));
    };
    let mut session = session.clone().watched(&progress).stopped_by(stop);
    let start = Instant::now();
    let finding = experiment.run(&mut session)?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    store::write(&arguments.output, experiment, &session, &finding, seconds)?;
    if let Some(records) = &arguments.record {
        store::record(records, experiment, &session, &finding, seconds)?;
    }
    Ok((finding, seconds))
}

/// Drawn on standard error, on a terminal only.
fn bar(name: &str, quiet: bool) -> ProgressBar {
    let target =
        if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    let bar = ProgressBar::with_draw_target(None, target).with_message(name.to_string());
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

impl RunArguments {
    /// What all experiments are run with. The models are looked at here, once.
    fn session(&self) -> io::Result<Session<'static>> {
        let models = self.models.as_deref().map(ModelFolder::open).transpose();
        let mut session = Session::new(self.size(), self.seed);
        session.models = models.map_err(io::Error::other)?;
        session.cache = Some(self.output.join("cache"));
        Ok(session)
    }

    fn size(&self) -> Size {
        match (self.quick, self.full) {
            (true, _) => Size::Quick,
            (_, true) => Size::Full,
            _ => Size::Normal,
        }
    }
}
