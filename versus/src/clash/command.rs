//! Whole programs as their users start them: time, memory and output of a child process.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a program took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// Nanoseconds from start to end.
    pub wall: u64,
    /// Nanoseconds of all threads.
    pub processor: u64,
    /// Peak resident memory.
    pub kilobytes: u64,
}

impl Spent {
    /// The least times and the largest memory of two runs.
    pub fn best(self, other: Spent) -> Spent {
        Spent {
            wall: self.wall.min(other.wall),
            processor: self.processor.min(other.processor),
            kilobytes: self.kilobytes.max(other.kilobytes),
        }
    }
}

/// Starts programs through the small program `measure`, whose own memory does not disturb the count.
pub struct Stopwatch {
    measure: PathBuf,
    /// Where the programs' output goes.
    output: PathBuf,
}

impl Stopwatch {
    /// Output is kept in the file `output`, of the last program only.
    pub fn new(measure: PathBuf, output: PathBuf) -> Stopwatch {
        Stopwatch { measure, output }
    }

    /// Runs a program to its end; what it took and what it printed. Other exit codes than those in `good` are failures.
    pub fn run<S: AsRef<OsStr>>(
        &self,
        program: &Path,
        arguments: impl IntoIterator<Item = S>,
        good: &[i32],
    ) -> Result<(Spent, String), String> {
        let mut command = Command::new(&self.measure);
        command.arg(&self.output).arg(program).args(arguments);
        let told = command.output().map_err(|error| format!("measure: {error}"))?;
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        let numbers: Vec<i64> = told.split_whitespace().flat_map(str::parse).collect();
        let &[wall, processor, kilobytes, code] = numbers.as_slice() else {
            return Err("measure told nothing".into());
        };
        if !good.contains(&(code as i32)) {
            let mut errors = self.output.clone().into_os_string();
            errors.push(".errors");
            let said = std::fs::read_to_string(errors).unwrap_or_default();
            let last = said.trim().lines().last().unwrap_or("it says nothing").to_string();
            return Err(format!("exit code {code}: {last}"));
        }
        let printed = std::fs::read(&self.output).map_err(|error| error.to_string())?;
        let spent =
            Spent { wall: wall as u64, processor: processor as u64, kilobytes: kilobytes as u64 };
        Ok((spent, String::from_utf8_lossy(&printed).into_owned()))
    }
}
