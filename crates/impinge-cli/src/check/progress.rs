//! Progress on standard error, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// A bar, or nothing where nobody looks.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Work whose end is not known.
    pub(crate) fn waiting(what: &'static str, quiet: bool) -> Self {
        let bar = bar(quiet).with_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Work that is counted.
    pub(crate) fn counting(what: &'static str, quiet: bool) -> Self {
        let bar = bar(quiet).with_message(what);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// So much of so much is done.
    pub(crate) fn at(&self, done: usize, of: usize) {
        if self.0.length() != Some(of as u64) {
            self.0.set_length(of as u64);
        }
        // Pairs are quick: every hundredth is often enough.
        if done.is_multiple_of(100) || done == of {
            self.0.set_position(done as u64);
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(self) {
        self.0.finish_and_clear();
    }
}

/// Drawn on standard error; indicatif itself draws nothing there if it is not a terminal.
fn bar(quiet: bool) -> ProgressBar {
    let target =
        if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    ProgressBar::with_draw_target(None, target)
}
