//! The driver's side of the line protocol: one child process per system.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A system and the adapter that runs it; some adapters run several.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    pub name: &'static str,
    pub adapter: &'static str,
    /// Whether it is not mentioned if it is not set up.
    pub on_request: bool,
}

impl Listed {
    /// A system with an adapter of its own, named like it.
    pub const fn new(name: &'static str) -> Listed {
        Listed { name, adapter: name, on_request: false }
    }

    /// A system that an adapter runs beside others.
    pub const fn with(name: &'static str, adapter: &'static str) -> Listed {
        Listed { name, adapter, on_request: false }
    }

    /// A system that takes part only if it was asked for.
    pub const fn on_request(name: &'static str) -> Listed {
        Listed { name, adapter: name, on_request: true }
    }
}

/// What a system computes in; decides how close its answers have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    Single,
    Double,
}

/// A system that is set up and waiting for commands.
pub struct System {
    pub name: &'static str,
    pub version: String,
    pub precision: Precision,
    cases: Vec<String>,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl System {
    /// Starts the adapter `program` on the input files and waits until it is ready.
    pub fn start(name: &'static str, program: &Path, inputs: &[PathBuf]) -> Result<System, String> {
        let mut child = Command::new(program)
            .arg(name)
            .args(inputs)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let input = child.stdin.take().ok_or("no pipe to the adapter")?;
        let output = child.stdout.take().ok_or("no pipe from the adapter")?;
        let mut system = System {
            name,
            version: String::new(),
            precision: Precision::Double,
            cases: Vec::new(),
            child,
            input,
            output: BufReader::new(output),
        };
        loop {
            let line = system.read_line()?;
            match line.split_once(' ') {
                Some(("version", version)) => system.version = version.to_string(),
                Some(("precision", "f32")) => system.precision = Precision::Single,
                Some(("case", case)) => system.cases.push(case.to_string()),
                _ if line == "ready" => return Ok(system),
                _ => {}
            }
        }
    }

    /// Whether the system answers this case.
    pub fn offers(&self, case: &str) -> bool {
        self.cases.iter().any(|offered| offered == case)
    }

    /// Whether the system answers nothing of this workload.
    pub fn offers_nothing(&self) -> bool {
        self.cases.is_empty()
    }

    /// Runs all queries of a case once; time in nanoseconds.
    pub fn round(&mut self, case: &str) -> Result<u64, String> {
        self.time(&format!("round {case}"))
    }

    /// The time of the slowest query of a case in nanoseconds, if the adapter can time queries one by one.
    pub fn slowest(&mut self, case: &str) -> Option<u64> {
        self.time(&format!("slowest {case}")).ok()
    }

    fn time(&mut self, command: &str) -> Result<u64, String> {
        let reply = self.ask(command)?;
        let number = reply.strip_prefix("nanoseconds ").and_then(|text| text.parse().ok());
        number.ok_or(reply)
    }

    /// The answers of the last round of a case; `scratch` is a file that may be overwritten.
    pub fn answers(&mut self, case: &str, scratch: &Path) -> Result<Vec<f64>, String> {
        let reply = self.ask(&format!("answers {case}\t{}", scratch.display()))?;
        if !reply.starts_with("written ") {
            return Err(reply);
        }
        let bytes = std::fs::read(scratch).map_err(|error| error.to_string())?;
        let (numbers, _) = bytes.as_chunks::<8>();
        Ok(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
    }

    /// Begins to watch for the largest amount of memory; resident memory now and the most so far, in KiB.
    pub fn watch_memory(&self) -> [u64; 2] {
        // 5 resets the mark of the most (proc(5)); where that is refused it counts from the start of the process.
        let _ = std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5");
        self.memory()
    }

    /// Resident memory and the most of it since the watch began, in KiB; zeros where the system does not tell.
    pub fn memory(&self) -> [u64; 2] {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        ["VmRSS:", "VmHWM:"].map(|name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        })
    }

    fn ask(&mut self, command: &str) -> Result<String, String> {
        writeln!(self.input, "{command}").map_err(|error| error.to_string())?;
        self.read_line()
    }

    fn read_line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(0) => Err(match self.child.wait() {
                Ok(status) => format!("the adapter ended early ({status})"),
                Err(error) => error.to_string(),
            }),
            Ok(_) => Ok(line.trim_end().to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for System {
    fn drop(&mut self) {
        // An adapter that is already gone has nothing left to be told.
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
    }
}
