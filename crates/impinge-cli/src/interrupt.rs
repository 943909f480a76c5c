//! Ctrl-C: during a check it ends the work and what was found is written; in every other phase it ends the program, which has not begun to write then, or
//! puts files in place whole.

use crate::notes::note;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
/// True while something looks at `STOP`.
static CHECKING: AtomicBool = AtomicBool::new(false);

/// Watches for Ctrl-C from now on. A second one always ends the program.
pub(crate) fn watch() {
    let stop = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        if !CHECKING.load(Ordering::Relaxed) {
            note(format_args!("\nimpinge: interrupted; nothing was written"));
            std::process::exit(i32::from(crate::FAILED));
        }
    };
    // If no handler can be set, Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(stop);
}

/// Runs work that stops by itself once the flag is set.
pub(crate) fn stoppable<T>(work: impl FnOnce(&'static AtomicBool) -> T) -> T {
    CHECKING.store(true, Ordering::Relaxed);
    let result = work(&STOP);
    CHECKING.store(false, Ordering::Relaxed);
    result
}
