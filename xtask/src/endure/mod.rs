//! `cargo xtask endure`: soaks, fuzzers, killed writers and full disks in turns, for as many processor-hours as are given. What was done is kept, so that it
//! adds up over many calls, and told on one page.

mod record;
mod task;
mod totals;

use crate::metadata::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use task::Task;
use totals::Totals;

/// How long, and where what is found is kept.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Processor-hours of this call
    #[arg(long, default_value_t = 0.1)]
    hours: f64,
    /// Tasks at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only tasks whose name contains this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Corpora, findings and totals
    #[arg(long, value_name = "FOLDER", default_value = "target/endure")]
    folder: PathBuf,
    /// Seconds of a task before the next one has its turn
    #[arg(long, default_value_t = 60)]
    turn: u64,
    /// Run the programs in this folder, and build none: trials, the fuzz targets, and the test program of impinge-cli as `it`
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
    /// Add the totals of the folder to the repository's record, docs/internals/endurance.md, and start the folder anew
    #[arg(long)]
    keep: bool,
}

/// Names the commit on which the totals of a folder began.
const FIRST: &str = "first-commit";

/// What the threads share.
struct Shared {
    totals: Totals,
    /// Processor-seconds of this call.
    spent: f64,
    running: Vec<String>,
}

/// Runs tasks in turns. True if nothing was found in this call.
pub fn run(options: &Options) -> bool {
    let folder = root().join(&options.folder);
    let is_wanted = |task: &Task| {
        let is_there = options.programs.as_ref().is_none_or(|folder| task.is_in(folder));
        is_there && options.only.as_ref().is_none_or(|only| task.name().contains(only.as_str()))
    };
    let tasks: Vec<Task> = Task::all().into_iter().filter(is_wanted).collect();
    if tasks.is_empty() {
        println!("no task has such a name");
        return false;
    }
    let build = if options.programs.is_none() { task::build(&tasks) } else { Ok(()) };
    if let Err(error) = build {
        println!("{error}");
        return false;
    }
    let totals = match Totals::load(&folder) {
        Ok(totals) => totals,
        Err(error) => {
            println!("{error}");
            return false;
        }
    };
    if let Err(error) = first_commit(&folder) {
        println!("{error}");
        return false;
    }
    let before = totals.findings();
    let shared = Mutex::new(Shared { totals, spent: 0.0, running: Vec::new() });
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| work(options, &folder, &tasks, &shared));
        }
    });
    let Ok(shared) = shared.into_inner() else { return false };
    println!("{}", shared.totals.page());
    let kept = if options.keep { keep(&folder, &shared.totals) } else { Ok(()) };
    if let Err(error) = &kept {
        println!("{error}");
    }
    kept.is_ok() && shared.totals.findings() == before
}

/// The commit on which the totals of a folder begin.
fn first_commit(folder: &Path) -> Result<String, String> {
    let path = folder.join(FIRST);
    let failed = |error| format!("{}: {error}", path.display());
    if let Ok(first) = fs::read_to_string(&path) {
        return Ok(first);
    }
    let commit = record::commit();
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, &commit)).map_err(failed)?;
    Ok(commit)
}

/// Moves the totals of a folder into the record.
fn keep(folder: &Path, totals: &Totals) -> Result<(), String> {
    record::keep(totals, &first_commit(folder)?)?;
    let failed = |error| format!("{}: {error}", folder.display());
    fs::remove_file(folder.join(FIRST)).map_err(failed)?;
    Totals::default().save(folder)
}

fn work(options: &Options, folder: &Path, tasks: &[Task], shared: &Mutex<Shared>) {
    loop {
        let (task, round) = {
            let Ok(mut shared) = shared.lock() else { return };
            if shared.spent >= options.hours * 3600.0 {
                return;
            }
            let free = tasks.iter().filter(|task| !shared.running.contains(&task.name()));
            // Who has had least has the next turn.
            let spent = |task: &&Task| shared.totals.of(&task.name()).seconds;
            let Some(task) = free.min_by(|x, y| spent(x).total_cmp(&spent(y))) else { return };
            let round = shared.totals.of(&task.name()).rounds;
            shared.running.push(task.name());
            (task, round)
        };
        let turn = task.turn(round, options.turn, folder, options.programs.as_deref());
        let Ok(mut shared) = shared.lock() else { return };
        shared.running.retain(|name| *name != task.name());
        shared.spent += turn.seconds.max(0.1);
        println!("{}: {} in {:.0} s{}", task.name(), turn.executions, turn.seconds, turn.mark());
        shared.totals.add(&task.name(), task.unit(), &turn);
        if let Err(error) = shared.totals.save(folder) {
            println!("{error}");
            return;
        }
    }
}
