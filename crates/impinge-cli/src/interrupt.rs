//! What ends a check early: Ctrl-C, or a limit of time or memory. While pairs are checked, it ends that work and what was found is written; in every other
//! phase it ends the program. A file that is being put in place then is put in place first, so that neither half of it nor its temporary file stays.

use crate::notes::note;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
static GIVE_UP: AtomicBool = AtomicBool::new(false);
/// A [`Phase`].
static PHASE: AtomicU8 = AtomicU8::new(0);
/// A [`Reason`], the first that there was.
static REASON: AtomicU8 = AtomicU8::new(NO_REASON);
const NO_REASON: u8 = u8::MAX;
/// True once Ctrl-C has been pressed.
static SIGNALLED: AtomicBool = AtomicBool::new(false);
/// Held while a file is put in place; true once one was.
static WRITING: Mutex<bool> = Mutex::new(false);
/// How often, and how long each time, the end of the program waits for a file that is being written.
const PATIENCE: (usize, Duration) = (50, Duration::from_millis(100));

/// What the program is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    /// There is nothing to report yet.
    Before,
    /// Something looks at whether it should stop.
    Checking,
    /// What was found is being written.
    Reporting,
}

/// Why a check ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Reason {
    Signal,
    Time,
    Memory,
}

impl Reason {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Signal => "interrupted",
            Self::Time => "the time limit was reached",
            Self::Memory => "the memory limit was reached",
        }
    }
}

pub(crate) fn phase() -> Phase {
    match PHASE.load(Ordering::Relaxed) {
        1 => Phase::Checking,
        2 => Phase::Reporting,
        _ => Phase::Before,
    }
}

/// Why the check was stopped, if it was.
pub(crate) fn reason() -> Option<Reason> {
    let all = [Reason::Signal, Reason::Time, Reason::Memory];
    all.into_iter().find(|reason| *reason as u8 == REASON.load(Ordering::Relaxed))
}

/// Begins no further pair.
pub(crate) fn stop(reason: Reason) {
    let (new, order) = (reason as u8, Ordering::Relaxed);
    // The first reason stays.
    let _ = REASON.compare_exchange(NO_REASON, new, order, order);
    STOP.store(true, order);
}

/// Waits no longer for the pairs that were begun.
pub(crate) fn give_up() {
    GIVE_UP.store(true, Ordering::Relaxed);
}

/// Watches for Ctrl-C from now on. A second one always ends the program.
pub(crate) fn watch() {
    // If no handler can be set, Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(signalled);
}

fn signalled() {
    if SIGNALLED.swap(true, Ordering::Relaxed) {
        std::process::exit(130);
    }
    if phase() == Phase::Checking {
        return stop(Reason::Signal);
    }
    end(Reason::Signal.words());
    std::process::exit(130);
}

/// Ends the program as a failure, once no file is being written. Returns if that takes too long.
pub(crate) fn end(why: &str) {
    let (times, pause) = PATIENCE;
    for _ in 0..times {
        if let Ok(written) = WRITING.try_lock() {
            let what = if *written { "" } else { "; nothing was written" };
            note(format_args!("\nimpinge: {why}{what}"));
            std::process::exit(i32::from(crate::FAILED));
        }
        std::thread::sleep(pause);
    }
}

/// Runs work that stops by itself once the first flag is set, and whose result so far is taken once the second is. Reporting is what follows.
pub(crate) fn stoppable<T>(work: impl FnOnce(&'static AtomicBool, &'static AtomicBool) -> T) -> T {
    PHASE.store(Phase::Checking as u8, Ordering::Relaxed);
    let result = work(&STOP, &GIVE_UP);
    reporting();
    result
}

/// From now on what was found is written.
pub(crate) fn reporting() {
    PHASE.store(Phase::Reporting as u8, Ordering::Relaxed);
}

/// Puts a file in place; whatever ends the program waits for that.
pub(crate) fn whole<T>(write: impl FnOnce() -> T) -> T {
    let Ok(mut written) = WRITING.lock() else { return write() };
    let result = write();
    *written = true;
    result
}
