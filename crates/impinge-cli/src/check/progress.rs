//! Progress on standard error, on a terminal only. Every bar names its phase.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// A bar, or nothing where nobody looks.
pub(crate) struct Progress {
    bar: ProgressBar,
    what: &'static str,
}

impl Progress {
    /// Work whose end is not known.
    pub(crate) fn waiting(what: &'static str, quiet: bool) -> Self {
        let bar = bar(quiet, "{spinner} {msg}").with_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar, what }
    }

    /// Work that is counted. Until the first count it looks like work whose end is not known.
    pub(crate) fn counting(what: &'static str, quiet: bool) -> Self {
        Self::waiting(what, quiet)
    }

    /// So much of so much is done.
    pub(crate) fn at(&self, done: usize, of: usize) {
        if self.bar.length() != Some(of as u64) {
            self.bar.disable_steady_tick();
            self.bar.set_style(style("{msg} {wide_bar} {pos}/{len} {eta}"));
            self.bar.set_message(self.what);
            self.bar.set_length(of as u64);
        }
        // Pairs are quick: the bar itself draws ten times a second at most.
        if done.is_multiple_of(16) || done == of {
            self.bar.set_position(done as u64);
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(self) {
        self.hide();
    }

    /// Takes the bar away while others still count.
    pub(crate) fn hide(&self) {
        self.bar.finish_and_clear();
    }
}

/// Drawn on standard error; indicatif itself draws nothing there if it is not a terminal.
fn bar(quiet: bool, template: &str) -> ProgressBar {
    let target =
        if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(10) };
    ProgressBar::with_draw_target(None, target).with_style(style(template))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
