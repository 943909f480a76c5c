//! Ctrl-C: during a check it ends the work and what was found is written; in every other phase it ends the program. A file that is being put in place then
//! is put in place first, so that neither half of it nor its temporary file stays.

use crate::notes::note;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
/// True while something looks at `STOP`.
static CHECKING: AtomicBool = AtomicBool::new(false);
/// Held while a file is put in place; true once one was.
static WRITING: Mutex<bool> = Mutex::new(false);
/// How often, and how long each time, the end of the program waits for a file that is being written.
const PATIENCE: (usize, Duration) = (50, Duration::from_millis(100));

/// Watches for Ctrl-C from now on. A second one always ends the program.
pub(crate) fn watch() {
    // If no handler can be set, Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(stop);
}

fn stop() {
    if STOP.swap(true, Ordering::Relaxed) {
        std::process::exit(130);
    }
    if CHECKING.load(Ordering::Relaxed) {
        return;
    }
    let (times, pause) = PATIENCE;
    for _ in 0..times {
        if let Ok(written) = WRITING.try_lock() {
            let what = if *written { "" } else { "; nothing was written" };
            note(format_args!("\nimpinge: interrupted{what}"));
            std::process::exit(i32::from(crate::FAILED));
        }
        std::thread::sleep(pause);
    }
    std::process::exit(130);
}

/// Runs work that stops by itself once the flag is set.
pub(crate) fn stoppable<T>(work: impl FnOnce(&'static AtomicBool) -> T) -> T {
    CHECKING.store(true, Ordering::Relaxed);
    let result = work(&STOP);
    CHECKING.store(false, Ordering::Relaxed);
    result
}

/// Puts a file in place; Ctrl-C waits for that.
pub(crate) fn whole<T>(write: impl FnOnce() -> T) -> T {
    let Ok(mut written) = WRITING.lock() else { return write() };
    let result = write();
    *written = true;
    result
}
