//! Progress on the terminal, and stopping early.

use impinge_lab::interrupt;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shows how far a loop is, on stderr and only on a terminal, and notices Ctrl-C.
pub struct Progress {
    what: &'static str,
    total: u64,
    start: Instant,
    shown: Instant,
    terminal: bool,
    stop: &'static AtomicBool,
}

impl Progress {
    /// Begins to count. Ctrl-C from now on ends the loop instead of the process.
    pub fn new(what: &'static str, total: u64) -> Self {
        let (now, terminal) = (Instant::now(), std::io::stderr().is_terminal());
        Self { what, total, start: now, shown: now, terminal, stop: interrupt::watch() }
    }

    /// Says that `done` rounds are done. False if the loop should end.
    pub fn go_on(&mut self, done: u64) -> bool {
        if done.is_multiple_of(256) {
            if self.terminal && self.shown.elapsed() > Duration::from_millis(200) {
                self.shown = Instant::now();
                let rate = done as f64 / self.start.elapsed().as_secs_f64();
                eprint!("\r{}: {done} of {}, {rate:.0} per second ", self.what, self.total);
                let _ = std::io::stderr().flush();
            }
            return !self.stop.load(Ordering::Relaxed);
        }
        true
    }

    /// Clears the line, and says what was not finished. The seconds that it took.
    pub fn end(&self, done: u64) -> f64 {
        if self.terminal {
            eprint!("\r{:76}\r", "");
        }
        if done < self.total {
            println!("interrupted: {done} of {} {} done", self.total, self.what);
        }
        self.start.elapsed().as_secs_f64()
    }
}
