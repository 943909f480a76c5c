//! Batches: threads, Ctrl-C, and what is left of both after a fork.
//!
//! The interpreter is released while questions are answered. The first ones are answered where they are asked, since waking threads takes longer
//! than a few questions do; what is left after that goes to a pool, while the calling thread looks for signals. Threads do not survive a fork:
//! a child process makes its own pools and never waits for those of its parent.

use super::input::refused;
use impinge::query::Workspace;
use impinge::tree::parallel::tasks;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// As long as that, questions are answered on the calling thread.
const AT_ONCE: Duration = Duration::from_millis(1);
/// How often a thread that waits looks for signals.
const SIGNALS: Duration = Duration::from_millis(10);
/// How many questions a thread takes at a time at most, with a workspace of its own.
const PORTION: usize = 64;
/// Every thread gets about this many portions, so that all end at about the same time.
const PORTIONS_PER_THREAD: usize = 8;
/// More threads than that are a mistake.
const MOST_THREADS: usize = 1024;
/// How many pools are kept for calls that ask for the same number of threads again.
const KEPT: usize = 4;

/// The process that loaded the module: its children cannot use the threads that it has.
static LOADED_BY: OnceLock<u32> = OnceLock::new();
/// Pools that were made, with their process and number of threads, the one used last at the end.
static POOLS: Mutex<Vec<(u32, usize, Arc<ThreadPool>)>> = Mutex::new(Vec::new());

/// The threads that a call may use: a pool of its own, or that of the library.
pub(crate) struct Team(Option<Arc<ThreadPool>>);

impl Team {
    /// The given number of threads, or one for each processor.
    pub(crate) fn of(threads: Option<usize>) -> PyResult<Self> {
        let me = process::id();
        let parent = *LOADED_BY.get_or_init(|| me);
        let count = match threads {
            None if me == parent => return Ok(Self(None)),
            None => std::thread::available_parallelism().map_or(1, usize::from),
            Some(count @ 1..=MOST_THREADS) => count,
            Some(count) => {
                return Err(PyValueError::new_err(format!(
                    "threads is {count}: it must be from 1 to {MOST_THREADS}"
                )));
            }
        };
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        // Those of a parent have no threads here: dropping them would wait for nobody, or for ever.
        while let Some(place) = pools.iter().position(|(process, _, _)| *process != me) {
            std::mem::forget(pools.remove(place));
        }
        let pool = match pools.iter().position(|(_, threads, _)| *threads == count) {
            Some(place) => pools.remove(place).2,
            None => Arc::new(ThreadPoolBuilder::new().num_threads(count).build().map_err(refused)?),
        };
        pools.push((me, count, Arc::clone(&pool)));
        if pools.len() > KEPT {
            pools.remove(0);
        }
        Ok(Self(Some(pool)))
    }

    /// Does something on these threads.
    pub(crate) fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Calls a function here that may give work to these threads; returns when that is done.
    fn scope<'s, T>(&self, work: impl FnOnce(&rayon::Scope<'s>) -> T) -> T {
        match &self.0 {
            Some(pool) => pool.in_place_scope(work),
            None => rayon::in_place_scope(work),
        }
    }

    fn threads(&self) -> usize {
        self.0.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }
}

/// Remembers the process that loads the module.
pub(crate) fn loaded() {
    LOADED_BY.get_or_init(process::id);
}

/// The answers in the order of the questions, the same for any number of threads. Stops with `KeyboardInterrupt`.
pub(crate) fn ask_each<I: Sync, T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    questions: &[I],
    ask: impl Fn(&I, &mut Workspace) -> T + Sync,
) -> PyResult<Vec<T>> {
    ask_with(py, threads, questions, &Workspace::default, &ask)
}

/// The same with other memory than a workspace, which every portion of questions gets afresh.
pub(crate) fn ask_with<I: Sync, M, T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    questions: &[I],
    memory: &(impl Fn() -> M + Sync),
    ask: &(impl Fn(&I, &mut M) -> T + Sync),
) -> PyResult<Vec<T>> {
    let team = Team::of(threads)?;
    let mut answers = Vec::new();
    if team.0.is_none() {
        py.detach(|| at_once(questions, memory, ask, &mut answers));
    }
    let rest = &questions[answers.len()..];
    if !rest.is_empty() {
        answers.extend(by_all(py, &team, rest, memory, ask)?);
    }
    Ok(answers)
}

/// Answers questions here for a while.
fn at_once<I: Sync, M, T: Send>(
    questions: &[I],
    memory: &impl Fn() -> M,
    ask: &impl Fn(&I, &mut M) -> T,
    answers: &mut Vec<T>,
) {
    let start = Instant::now();
    let mut memory = memory();
    answers.reserve(questions.len());
    for question in questions {
        answers.push(ask(question, &mut memory));
        if start.elapsed() > AT_ONCE {
            break;
        }
    }
}

/// Answers questions on the threads of a team.
fn by_all<I: Sync, M, T: Send>(
    py: Python<'_>,
    team: &Team,
    questions: &[I],
    memory: &(impl Fn() -> M + Sync),
    ask: &(impl Fn(&I, &mut M) -> T + Sync),
) -> PyResult<Vec<T>> {
    let stop = AtomicBool::new(false);
    let size = (questions.len() / (team.threads() * PORTIONS_PER_THREAD)).clamp(1, PORTION);
    let portions: Vec<&[I]> = questions.chunks(size).collect();
    let portion = |k: usize| {
        if stop.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let mut memory = memory();
        let wanted = portions[k].iter().take_while(|_| !stop.load(Ordering::Relaxed));
        wanted.map(|question| ask(question, &mut memory)).collect::<Vec<T>>()
    };
    let work = || tasks(portions.len(), portion).into_iter().flatten().collect();
    watched(py, team, &stop, work)
}

/// Does something on the threads of a team, while this one looks for signals. What they raise is raised here, after `stop` was set and the work ended.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    team: &Team,
    stop: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let mut answer = None;
    let mut signal = Ok(());
    let (done, wait) = channel();
    let (place, raised) = (&mut answer, &mut signal);
    py.detach(move || {
        team.scope(move |scope| {
            scope.spawn(move |_| {
                *place = Some(work());
                // Nobody is waiting any more only if the calling thread has panicked.
                let _ = done.send(());
            });
            while wait.recv_timeout(SIGNALS) == Err(RecvTimeoutError::Timeout) {
                if raised.is_ok() {
                    *raised = Python::attach(|py| py.check_signals());
                    stop.store(raised.is_err(), Ordering::Relaxed);
                }
            }
        });
    });
    signal?;
    answer.ok_or_else(|| refused("the work ended without an answer: please report this"))
}
