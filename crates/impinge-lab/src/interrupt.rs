//! Ctrl-C ends the work, not the program: what was found is written.

use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Watches for Ctrl-C from now on; the flag is set when it comes. A second one ends the program.
pub fn watch() -> &'static AtomicBool {
    let stop = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    // If no handler can be set, Ctrl-C ends the program as it always does.
    let _ = ctrlc::set_handler(stop);
    &STOP
}
