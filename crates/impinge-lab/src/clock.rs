//! The clock that times are taken with: the processor time of this process where the system has it, else the time of day.
//!
//! On a machine that others use, too, a long work waits for the processor more often than a short one: by the time of day its ratio to the
//! short one grew threefold. Processor time leaves the waiting out. The work of all threads counts.

/// A point in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

impl Clock {
    /// Now.
    pub(crate) fn start() -> Self {
        Self(now())
    }

    /// Seconds of work since then.
    pub(crate) fn seconds(self) -> f64 {
        since(self.0)
    }
}

/// Seconds, as the system counts them.
#[cfg(unix)]
type Instant = rustix::time::Timespec;
#[cfg(not(unix))]
use std::time::Instant;

#[cfg(unix)]
fn now() -> Instant {
    rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(unix)]
fn since(before: Instant) -> f64 {
    let now = now();
    (now.tv_sec - before.tv_sec) as f64 + (now.tv_nsec - before.tv_nsec) as f64 * 1e-9
}

#[cfg(not(unix))]
fn now() -> Instant {
    Instant::now()
}

#[cfg(not(unix))]
fn since(before: Instant) -> f64 {
    before.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other tests run in the same process, so that nothing can be said of work that is not done.
    #[test]
    fn work_takes_time() {
        let (start, begin) = (Clock::start(), std::time::Instant::now());
        let mut sum = 0.0_f64;
        while begin.elapsed().as_millis() < 20 {
            sum = (sum + 1.0).sqrt();
        }
        assert!(start.seconds() > 0.0 && sum > 0.0);
    }
}
