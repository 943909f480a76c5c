//! `impinge lab`: runs experiments, with progress, until Ctrl-C.

mod arguments;

pub(crate) use arguments::{LAB, LabCommand, LabRunArguments};

use crate::interrupt;
use impinge_lab::{Experiment, LabError, Session, Size, experiment, store};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Does what is asked. False if it was interrupted.
pub(crate) fn run(command: &LabCommand) -> io::Result<bool> {
    match command {
        LabCommand::List => list().map(|()| true),
        LabCommand::Run { names, arguments } => {
            let chosen = names.iter().map(|name| experiment::find(name));
            several(&chosen.collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?, arguments)
        }
        LabCommand::All { arguments } => {
            let whole = several(&experiment::all().collect::<Vec<_>>(), arguments)?;
            let path = store::gather(&arguments.output).map_err(io::Error::other)?;
            writeln!(io::stdout(), "{}", path.display())?;
            Ok(whole)
        }
    }
}

fn list() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for Experiment { name, title, document, place, .. } in experiment::all() {
        writeln!(output, "{name:<18} {title}\n{:<18} {}, {place}", "", document.citation())?;
    }
    Ok(())
}

/// False if it was interrupted. What is finished is written, and found again by the next run.
fn several(chosen: &[&Experiment], arguments: &LabRunArguments) -> io::Result<bool> {
    let stop = interrupt::watch();
    for (k, experiment) in chosen.iter().enumerate() {
        match one(experiment, arguments, stop) {
            Ok(()) => {}
            Err(LabError::Interrupted) => {
                let folder = arguments.output.display();
                writeln!(
                    io::stderr(),
                    "interrupted in {}: {k} of {} are done and kept in {folder}; the same command goes on from there",
                    experiment.name,
                    chosen.len(),
                )?;
                return Ok(false);
            }
            Err(error) => return Err(io::Error::other(format!("{}: {error}", experiment.name))),
        }
    }
    Ok(true)
}

fn one(
    experiment: &Experiment,
    arguments: &LabRunArguments,
    stop: &AtomicBool,
) -> Result<(), LabError> {
    let told = |error: io::Error| LabError::Failed(error.to_string());
    let bar = bar(experiment.name, arguments.quiet);
    let progress = |what: &str, done: u64, of: u64| {
        bar.set_length(of);
        bar.set_position(done);
        bar.set_message(format!("{}: {what}", experiment.name));
    };
    let mut session = Session::new(arguments.size(), arguments.seed);
    session.models.clone_from(&arguments.models);
    session.cache = Some(arguments.output.join("cache"));
    let mut session = session.watched(&progress).stopped_by(stop);
    let folder = &arguments.output;
    let mut output = io::stdout().lock();
    // What is done but not yet recorded is measured again: a record holds the time that it took.
    let recorded = |records| store::is_recorded(records, experiment, &session);
    if !arguments.again
        && store::is_done(folder, experiment, &session)
        && arguments.record.as_deref().is_none_or(recorded)
    {
        return writeln!(output, "{}: done before, in {}", experiment.name, folder.display())
            .map_err(told);
    }
    let start = Instant::now();
    let finding = experiment.run(&mut session)?;
    // Work that does not look at the flag until its end counts as finished.
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    store::write(folder, experiment, &session, &finding, seconds)?;
    if let Some(records) = &arguments.record {
        store::record(records, experiment, &session, &finding, seconds)?;
    }
    let heading = format!("{} ({seconds:.1} s): {}", experiment.name, experiment.title);
    writeln!(output, "{heading}\n{}", finding.paragraph()).map_err(told)?;
    if stop.load(Ordering::Relaxed) { Err(LabError::Interrupted) } else { Ok(()) }
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

impl LabRunArguments {
    fn size(&self) -> Size {
        match (self.quick, self.full) {
            (true, _) => Size::Quick,
            (_, true) => Size::Full,
            _ => Size::Normal,
        }
    }
}
