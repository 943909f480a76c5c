//! Batches: threads, Ctrl-C, and what is left of both after a fork.
//!
//! The interpreter is released while questions are answered. The first ones are answered where they are asked, since waking threads takes longer
//! than a few questions do; what is left after that goes to a pool, while the calling thread looks for signals. What takes part in the work belongs to it:
//! after a Ctrl-C the caller goes on at once, and the threads drop the work when they notice. Threads do not survive a fork: a child process makes its own
//! pools and never waits for those of its parent.

use super::input::refused;
use impinge::query::Workspace;
use impinge::tree::parallel::tasks;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use std::{process, thread};

/// As long as that, questions are answered on the calling thread.
const AT_ONCE: Duration = Duration::from_millis(1);
/// How often a thread that waits looks for signals.
const SIGNALS: Duration = Duration::from_millis(10);
/// How often a thread looks whether what it needs is free.
const BUSY: Duration = Duration::from_micros(200);
/// How many questions a thread takes at a time at most.
const PORTION: usize = 256;
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

    /// Gives these threads something to do. A panic there ends nothing but the work.
    fn spawn(&self, work: impl FnOnce() + Send + 'static) {
        let work = || {
            let _ = catch_unwind(AssertUnwindSafe(work));
        };
        match &self.0 {
            Some(pool) => pool.spawn(work),
            None => rayon::spawn(work),
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

/// Questions, and how they are answered. What is asked about belongs to it, so that the work can go on when nobody waits any more.
pub(crate) struct Batch<I, A> {
    /// The questions, in the order of the answers.
    pub(crate) questions: Vec<I>,
    /// Answers a portion of them, one after the other: as many as it is given.
    pub(crate) ask: A,
    /// Whether a single question may take long: none is answered on the calling thread then, which has to look for signals.
    pub(crate) slow: bool,
}

/// The answers in the order of the questions, the same for any number of threads. `KeyboardInterrupt` does not wait for them.
pub(crate) fn ask_each<I, T>(
    py: Python<'_>,
    threads: Option<usize>,
    questions: Vec<I>,
    slow: bool,
    ask: impl Fn(&I, &mut Workspace) -> T + Send + Sync + 'static,
) -> PyResult<Vec<T>>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
{
    let ask = move |portion: &mut dyn Iterator<Item = &I>| {
        let mut workspace = Workspace::default();
        portion.map(|question| ask(question, &mut workspace)).collect::<Vec<T>>()
    };
    ask_batch(py, threads, Batch { questions, ask, slow })
}

/// The same for a whole portion at a time.
pub(crate) fn ask_batch<I, A, T>(
    py: Python<'_>,
    threads: Option<usize>,
    batch: Batch<I, A>,
) -> PyResult<Vec<T>>
where
    I: Send + Sync + 'static,
    A: Fn(&mut dyn Iterator<Item = &I>) -> Vec<T> + Send + Sync + 'static,
    T: Send + 'static,
{
    let team = Team::of(threads)?;
    let mut answers = Vec::new();
    if team.0.is_none() && !batch.slow {
        answers = py.detach(|| batch.at_once());
    }
    let done = answers.len();
    if done < batch.questions.len() {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, threads) = (Arc::clone(&stop), team.threads());
        let rest = awaited(py, &team, Some(&stop), move || batch.by_all(done, threads, &told))?;
        answers.extend(rest);
    }
    Ok(answers)
}

impl<I, A, T> Batch<I, A>
where
    I: Sync,
    A: Fn(&mut dyn Iterator<Item = &I>) -> Vec<T> + Sync,
    T: Send,
{
    /// Answers questions here for a while.
    fn at_once(&self) -> Vec<T> {
        let start = Instant::now();
        let first = self.questions.iter().enumerate();
        let mut some = first.take_while(|(k, _)| *k == 0 || start.elapsed() < AT_ONCE);
        (self.ask)(&mut some.by_ref().map(|(_, question)| question))
    }

    /// Answers the questions after the first ones on all threads.
    fn by_all(&self, done: usize, threads: usize, stop: &AtomicBool) -> Vec<T> {
        let rest = &self.questions[done..];
        let size = (rest.len() / (threads * PORTIONS_PER_THREAD)).clamp(1, PORTION);
        let portions: Vec<&[I]> = rest.chunks(size).collect();
        let portion = |k: usize| {
            (self.ask)(&mut portions[k].iter().take_while(|_| !stop.load(Ordering::Relaxed)))
        };
        tasks(portions.len(), portion).into_iter().flatten().collect()
    }
}

/// Does something on the threads of a team, while this one looks for signals. What they raise is raised here at once: `stop` is set, and the work ends
/// when it does, with nobody to take its result.
pub(crate) fn awaited<T: Send + 'static>(
    py: Python<'_>,
    team: &Team,
    stop: Option<&AtomicBool>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, wait) = channel();
    team.spawn(move || {
        // Nobody waits after a signal.
        let _ = done.send(work());
    });
    py.detach(move || {
        loop {
            match wait.recv_timeout(SIGNALS) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(refused("the work ended without an answer: please report this"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(raised) = Python::attach(|py| py.check_signals()) {
                        if let Some(stop) = stop {
                            stop.store(true, Ordering::Relaxed);
                        }
                        return Err(raised);
                    }
                }
            }
        }
    })
}

impl Team {
    /// Does something here if that is short, else on these threads. A child process has only the latter.
    pub(crate) fn does<T: Send + 'static>(
        &self,
        py: Python<'_>,
        short: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> PyResult<T> {
        if short && self.0.is_none() { Ok(py.detach(work)) } else { awaited(py, self, None, work) }
    }
}

/// What several threads may use one after the other, also one that nobody waits for any more.
pub(crate) struct Shared<T> {
    value: Arc<Mutex<T>>,
    /// Who uses it says so before anything is given to threads of a team: one of these that waited for a lock could wait for itself.
    busy: Arc<AtomicBool>,
}

/// The right to use it, until it is dropped.
struct Ticket(Arc<AtomicBool>);

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl<T: Send + 'static> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Arc::new(Mutex::new(value)), busy: Arc::new(AtomicBool::new(false)) }
    }

    /// Waits until nobody uses it.
    fn ticket(&self, py: Python<'_>) -> PyResult<Ticket> {
        while self.busy.swap(true, Ordering::Acquire) {
            py.detach(|| thread::sleep(BUSY));
            py.check_signals()?;
        }
        Ok(Ticket(Arc::clone(&self.busy)))
    }

    /// Does something short with it, as soon as it is free.
    pub(crate) fn with<R>(&self, py: Python<'_>, work: impl FnOnce(&mut T) -> R) -> PyResult<R> {
        let _ticket = self.ticket(py)?;
        Ok(work(&mut self.value.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Does something with it on the threads of a team; `KeyboardInterrupt` does not wait for that, but the next use does.
    pub(crate) fn work<R: Send + 'static>(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        work: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> PyResult<R> {
        let (team, ticket, value) = (Team::of(threads)?, self.ticket(py)?, Arc::clone(&self.value));
        awaited(py, &team, None, move || {
            let _ticket = ticket;
            work(&mut value.lock().unwrap_or_else(PoisonError::into_inner))
        })
    }
}
