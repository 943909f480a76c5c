//! `--time-limit` and `--max-memory`: a check ends by itself before either is used up, and what it found until then is reported.
//!
//! A part of each is kept for the report. At nine tenths, what the report will take included, no further pair is begun. At 95 of 100 nobody waits for the pairs that were begun, and the report is
//! written without them. Whatever is not done a little above the limit is given up. Where nothing can be reported yet, the program ends at 95 of 100.

use crate::interrupt::{self, Phase, Reason};
use clap::Args;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// How long a command may take, and how much memory.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// End after this time, with what was found until then: 90s, 10min, 2h
    #[arg(long, global = true, value_name = "TIME")]
    time_limit: Option<Time>,
    /// End before more memory is used than this, with what was found until then: 500MB, 4GB
    #[arg(long, global = true, value_name = "SIZE")]
    max_memory: Option<Size>,
}

/// When to begin no more, to wait no more, and to end whatever happens, as parts of a limit.
const STOP: f64 = 0.9;
const GIVE_UP: f64 = 0.95;
const END: f64 = 1.06;
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(4);
/// What the program needs before it has read anything.
const LEAST_MEMORY: u64 = 32_000_000;

/// Bytes of a report that are made and written in a second, also on a busy machine.
const REPORT_RATE: f64 = 4e7;

/// The bytes that a report of what was found so far will take, about.
pub(crate) static REPORT: AtomicUsize = AtomicUsize::new(0);

impl Limits {
    pub(crate) fn are_set(&self) -> bool {
        self.time_limit.is_some() || self.max_memory.is_some()
    }

    /// Keeps an eye on time and memory from now on.
    pub(crate) fn watch(self, start: Instant) -> io::Result<()> {
        if !self.are_set() {
            return Ok(());
        }
        if self.max_memory.is_some() && memory().is_none() {
            return Err(io::Error::other(
                "--max-memory: this system does not report memory use; remove the option",
            ));
        }
        self.look(start);
        thread::Builder::new().name("limits".to_string()).spawn(move || {
            loop {
                self.look(start);
                thread::sleep(PAUSE);
            }
        })?;
        Ok(())
    }

    fn look(&self, start: Instant) {
        let report = REPORT.load(Ordering::Relaxed) as u64;
        if let Some(Time(limit)) = self.time_limit {
            let part = |seconds: f64| seconds / limit.as_secs_f64();
            let used = start.elapsed().as_secs_f64();
            act(part(used), part(used + report as f64 / REPORT_RATE), Reason::Time);
        }
        if let (Some(Size(limit)), Some(used)) = (self.max_memory, memory()) {
            let part = |bytes: u64| bytes as f64 / limit as f64;
            act(part(used), part(used + report), Reason::Memory);
        }
    }
}

/// What is to be done when so much of a limit is used, and so much will be once the report is written.
fn act(used: f64, in_the_end: f64, reason: Reason) {
    let phase = interrupt::phase();
    if used >= END || (used >= GIVE_UP && phase == Phase::Before) {
        interrupt::end(reason.words());
        std::process::exit(i32::from(crate::FAILED));
    }
    if in_the_end >= STOP {
        interrupt::stop(reason);
    }
    if used >= GIVE_UP {
        interrupt::give_up();
    }
}

/// The memory that this process holds, in bytes, where the system tells.
fn memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// A number and what follows it.
fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number.parse().ok()?;
    Some((number, unit.trim())).filter(|(number, _)| *number > 0.0 && number.is_finite())
}

/// A time above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Time(Duration);

impl FromStr for Time {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = number_and_unit(text).and_then(|(number, unit)| match unit {
            "" | "s" => Some(number),
            "ms" => Some(number / 1e3),
            "min" => Some(number * 60.0),
            "h" => Some(number * 3600.0),
            _ => None,
        });
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.filter(|time| !time.is_zero())
            .map(Self)
            .ok_or_else(|| "use a time, for example 90s, 10min or 2h".to_string())
    }
}

/// A size of memory in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Size(u64);

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let bytes = number_and_unit(text).and_then(|(number, unit)| match unit {
            "MB" => Some(number * 1e6),
            "GB" => Some(number * 1e9),
            "MiB" => Some(number * 1_048_576.0),
            "GiB" => Some(number * 1_073_741_824.0),
            _ => None,
        });
        match bytes {
            Some(bytes) if bytes >= LEAST_MEMORY as f64 => Ok(Self(bytes as u64)),
            Some(_) => Err(format!("the program itself needs {} MB", LEAST_MEMORY / 1_000_000)),
            None => Err("use a size, for example 500MB or 4GB".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        let time = |text: &str| text.parse::<Time>().map(|time| time.0.as_secs_f64());
        for (text, seconds) in
            [("90s", 90.0), ("1.5min", 90.0), ("2 h", 7200.0), ("3", 3.0), ("20ms", 0.02)]
        {
            assert_eq!(time(text), Ok(seconds), "{text}");
        }
        for text in [
            "",
            "s",
            "-1s",
            "0s",
            "1e3s",
            "inf",
            "nan",
            "1d",
            "99999999999999999999999h",
            "0.0000000001ms",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
        let size = |text: &str| text.parse::<Size>().map(|size| size.0);
        assert_eq!((size("500MB"), size("1GiB")), (Ok(500_000_000), Ok(1 << 30)));
        for text in ["", "500", "1MB", "1TB", "-5GB", "0GB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
