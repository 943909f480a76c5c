//! The adapter's side of the line protocol, for adapters written in Rust. `peers/adapter.hpp` is its C++ twin.

use std::io::{self, BufRead, Write};
use std::path::Path;

use rustix::time::{ClockId, clock_gettime};

use crate::format::{Input, Kind};

/// Answers all pairs of one input, one number each.
type Loop<'a> = Box<dyn FnMut(&mut [f64]) + 'a>;

struct Entry<'a> {
    name: &'static str,
    answers: Vec<f64>,
    run: Loop<'a>,
}

/// A system under measurement: register the cases it answers, then call [`Adapter::serve`].
pub struct Adapter<'a> {
    header: String,
    entries: Vec<Entry<'a>>,
}

/// The three input files named on the command line, in the order of [`Kind::ALL`].
pub fn read_inputs() -> io::Result<[Input; 3]> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [hull, boxes, capsule] = paths.as_slice() else {
        return Err(io::Error::other("expected the hull, box and capsule input files"));
    };
    let read = |path: &String, kind: Kind| match Input::read(Path::new(path)) {
        Ok(input) if input.kind != kind => Err(io::Error::other(format!("{path}: wrong kind"))),
        result => result,
    };
    Ok([read(hull, Kind::Hull)?, read(boxes, Kind::Box)?, read(capsule, Kind::Capsule)?])
}

impl<'a> Adapter<'a> {
    /// `precision` is the type the system computes in: `f32` or `f64`.
    pub fn new(name: &str, version: &str, precision: &str) -> Adapter<'a> {
        let header = format!("system {name}\nversion {version}\nprecision {precision}\n");
        Adapter { header, entries: Vec::new() }
    }

    /// `run` fills the slice: overlap 0 or 1, distance, or depth (0 if the pair is apart).
    pub fn add(&mut self, name: &'static str, count: usize, run: impl FnMut(&mut [f64]) + 'a) {
        self.entries.push(Entry { name, answers: vec![0.0; count], run: Box::new(run) });
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
            let start = thread_nanoseconds();
            (entry.run)(&mut entry.answers);
            return Ok(format!("nanoseconds {}", thread_nanoseconds() - start));
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

/// Processor time of this thread.
fn thread_nanoseconds() -> i64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
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
        assert!(adapter.answer("dance").is_err());
    }
}
