//! The adapter's side of the line protocol, for adapters written in Rust. `peers/adapter.hpp` is its C++ twin.

use std::io::{self, BufRead, Write};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};

/// Answers all queries of one case; one number each, or as many as its question says.
type Loop<'a> = Box<dyn FnMut(&mut [f64], &mut Stopwatch) + 'a>;

/// Runs while something is to be measured; what is done between `stop` and `start` costs nothing.
pub struct Stopwatch {
    clock: ClockId,
    since: i64,
    total: i64,
    /// The time of the slowest query so far, if queries are timed one by one.
    slowest: Option<i64>,
}

/// How often a query is asked when queries are timed one by one: the least time counts.
const TRIES: usize = 5;

impl Stopwatch {
    fn new(clock: ClockId) -> Stopwatch {
        Stopwatch { clock, since: 0, total: 0, slowest: None }
    }

    /// From here on time counts.
    pub fn start(&mut self) {
        self.since = nanoseconds(self.clock);
    }

    /// The time since the start is added to what was measured before.
    pub fn stop(&mut self) {
        self.total += nanoseconds(self.clock) - self.since;
    }

    /// All queries in a row, or each for itself.
    fn ask(&mut self, answers: &mut [f64], mut query: impl FnMut(usize) -> f64) {
        let Some(slowest) = &mut self.slowest else {
            self.start();
            for (index, answer) in answers.iter_mut().enumerate() {
                *answer = query(index);
            }
            return self.stop();
        };
        for (index, answer) in answers.iter_mut().enumerate() {
            let mut least = i64::MAX;
            for _ in 0..TRIES {
                // Processor time costs a system call, which is slower than most queries.
                let begin = nanoseconds(ClockId::Monotonic);
                *answer = query(index);
                least = least.min(nanoseconds(ClockId::Monotonic) - begin);
            }
            *slowest = least.max(*slowest);
        }
    }
}

struct Entry<'a> {
    name: String,
    clock: Clock,
    answers: Vec<f64>,
    run: Loop<'a>,
    /// Whether its queries can be timed one by one.
    one_by_one: bool,
}

/// What a round is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Processor time of the thread that runs the round.
    Thread,
    /// Processor time of all threads: for work that a library may hand to a thread of its own.
    Process,
    /// Time on the wall, on all processors: for cases that use several threads.
    Wall,
}

/// A system under measurement: register the cases it answers, then call [`Adapter::serve`].
pub struct Adapter<'a> {
    header: String,
    entries: Vec<Entry<'a>>,
}

impl<'a> Adapter<'a> {
    /// `precision` is the type the system computes in: `f32` or `f64`.
    pub fn new(name: &str, version: &str, precision: &str) -> Adapter<'a> {
        let header = format!("system {name}\nversion {version}\nprecision {precision}\n");
        Adapter { header, entries: Vec::new() }
    }

    /// `run` fills the slice with `count` numbers; what they mean is in `README.md`.
    pub fn add(&mut self, name: &str, count: usize, run: impl FnMut(&mut [f64]) + 'a) {
        self.add_timed(name, Clock::Thread, count, run);
    }

    /// As [`Adapter::add`], query by query, so that the driver can ask for the time of the slowest.
    pub fn add_each(&mut self, name: &str, count: usize, mut query: impl FnMut(usize) -> f64 + 'a) {
        let run = move |answers: &mut [f64], watch: &mut Stopwatch| watch.ask(answers, &mut query);
        self.add_watched(name, Clock::Thread, count, run);
        if let Some(entry) = self.entries.last_mut() {
            entry.one_by_one = true;
        }
    }

    /// As [`Adapter::add`], measured by another clock.
    pub fn add_timed(
        &mut self,
        name: &str,
        clock: Clock,
        count: usize,
        mut run: impl FnMut(&mut [f64]) + 'a,
    ) {
        self.add_watched(name, clock, count, move |answers, watch| {
            watch.start();
            run(answers);
            watch.stop();
        });
    }

    /// As [`Adapter::add_timed`], where `run` says itself what is measured.
    pub fn add_watched(
        &mut self,
        name: &str,
        clock: Clock,
        count: usize,
        run: impl FnMut(&mut [f64], &mut Stopwatch) + 'a,
    ) {
        let name = name.to_string();
        let (answers, run) = (vec![0.0; count], Box::new(run));
        self.entries.push(Entry { name, clock, answers, run, one_by_one: false });
    }

    /// Speaks with the driver over the standard streams until it says `quit`.
    pub fn serve(mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        write!(out, "{}", self.header)?;
        for entry in &self.entries {
            writeln!(out, "case {}", entry.name)?;
        }
        writeln!(out, "ready")?;
        out.flush()?;
        for line in io::stdin().lock().lines() {
            let line = line?;
            if line == "quit" {
                break;
            }
            let reply = self.answer(&line).unwrap_or_else(|reason| format!("error {reason}"));
            writeln!(out, "{reply}")?;
            out.flush()?;
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> Result<String, String> {
        if let Some(name) = line.strip_prefix("round ") {
            let entry = self.entry(name)?;
            return Ok(format!("nanoseconds {}", entry.round()));
        }
        if let Some(name) = line.strip_prefix("slowest ") {
            let slowest = self.entry(name)?.slowest();
            return slowest
                .map(|time| format!("nanoseconds {time}"))
                .ok_or("only whole rounds".into());
        }
        let (name, path) = line
            .strip_prefix("answers ")
            .and_then(|rest| rest.split_once('\t'))
            .ok_or("unknown command")?;
        let entry = self.entry(name)?;
        let bytes: Vec<u8> = entry.answers.iter().flat_map(|value| value.to_le_bytes()).collect();
        std::fs::write(path, bytes).map_err(|error| error.to_string())?;
        Ok(format!("written {}", entry.answers.len()))
    }

    fn entry(&mut self, name: &str) -> Result<&mut Entry<'a>, String> {
        let found = self.entries.iter_mut().find(|entry| entry.name == name);
        found.ok_or_else(|| format!("no case {name}"))
    }
}

impl Entry<'_> {
    /// The time of the slowest query, in nanoseconds.
    fn slowest(&mut self) -> Option<i64> {
        let mut watch = Stopwatch::new(ClockId::Monotonic);
        watch.slowest = self.one_by_one.then_some(0);
        watch.slowest?;
        (self.run)(&mut self.answers, &mut watch);
        watch.slowest
    }

    /// One round, in nanoseconds.
    fn round(&mut self) -> i64 {
        let mut timed = |clock: ClockId| {
            let mut watch = Stopwatch::new(clock);
            (self.run)(&mut self.answers, &mut watch);
            watch.total
        };
        match self.clock {
            Clock::Thread => return timed(ClockId::ThreadCPUTime),
            Clock::Process => return timed(ClockId::ProcessCPUTime),
            Clock::Wall => {}
        }
        // The driver keeps this process on one processor. Threads started here inherit what is allowed now.
        let one = sched_getaffinity(None);
        let mut all = CpuSet::new();
        (0..CpuSet::MAX_CPU).for_each(|index| all.set(index));
        let _ = sched_setaffinity(None, &all);
        let time = timed(ClockId::Monotonic);
        if let Ok(one) = one {
            let _ = sched_setaffinity(None, &one);
        }
        time
    }
}

fn nanoseconds(clock: ClockId) -> i64 {
    let now = clock_gettime(clock);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_answered() {
        let mut adapter = Adapter::new("test", "1", "f64");
        adapter.add("box overlap", 2, |answers| answers.fill(1.0));
        assert!(adapter.answer("round box overlap").unwrap().starts_with("nanoseconds "));
        let path = std::env::temp_dir().join(format!("versus-answers-{}", std::process::id()));
        let command = format!("answers box overlap\t{}", path.display());
        assert_eq!(adapter.answer(&command).unwrap(), "written 2");
        assert_eq!(std::fs::read(&path).unwrap().len(), 16);
        std::fs::remove_file(path).unwrap();
        assert!(adapter.answer("round hull depth").is_err());
        assert!(adapter.answer("slowest box overlap").is_err());
        adapter.add_each("box depth", 3, |index| index as f64);
        assert!(adapter.answer("round box depth").unwrap().starts_with("nanoseconds "));
        assert_eq!(adapter.entry("box depth").unwrap().answers, [0.0, 1.0, 2.0]);
        assert!(adapter.answer("slowest box depth").unwrap().starts_with("nanoseconds "));
        assert!(adapter.answer("dance").is_err());
    }
}
