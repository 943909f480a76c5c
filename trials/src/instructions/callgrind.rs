//! Runs this program under callgrind and takes its counts.

use super::Options;
use super::row::{Row, Work};
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The function in which instructions are counted, as callgrind names it.
const COUNTED: &str = "xtask::instructions::counted::counted_queries*";

/// Counts, and hands over each row when it is complete.
pub(super) fn run(options: &Options, mut each: impl FnMut(&Row)) -> Result<Vec<Row>, String> {
    let folder = std::env::temp_dir().join(format!("impinge-hybrid-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let counted = count(options, &folder, &mut each);
    let _ = std::fs::remove_dir_all(&folder);
    counted
}

fn count(options: &Options, folder: &Path, each: &mut dyn FnMut(&Row)) -> Result<Vec<Row>, String> {
    let mut child = command(options, folder)?.spawn().map_err(|error| match error.kind() {
        ErrorKind::NotFound => "valgrind is not there, and without it instructions are not counted: \
            on Debian and Ubuntu `apt install valgrind`, on Fedora `dnf install valgrind`, on Arch `pacman -S valgrind`"
            .into(),
        _ => format!("valgrind does not run: {error}"),
    })?;
    let Some(output) = child.stdout.take() else { return Err("valgrind says nothing".into()) };
    let mut reader =
        Reader { folder: folder.into(), calls: 0, row: Row::default(), rows: Vec::new() };
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| error.to_string())?;
        if reader.line(&line)? {
            reader.rows.last().into_iter().for_each(&mut *each);
        }
        reader.progress();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if !status.success() {
        return Err(format!("valgrind ended with {status}; its messages are above"));
    }
    Ok(reader.rows)
}

fn command(options: &Options, folder: &Path) -> Result<Command, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet", "--toggle-collect=*counted_queries*"]);
    command.arg(format!("--dump-after={COUNTED}"));
    command.arg(format!("--callgrind-out-file={}", folder.join("counts").display()));
    command.arg(own).args(["instructions", "--counted"]);
    if let Some(models) = &options.models {
        command.arg("--models").arg(models);
    }
    command.arg(format!("--largest={}", options.largest));
    command.arg(format!("--triangles={}", options.triangles));
    command.arg(format!("--queries={}", options.queries));
    command.arg(format!("--seed={}", options.seed));
    command.arg(format!("--only={}", options.only));
    command.stdout(Stdio::piped());
    Ok(command)
}

/// Reads what the counted program says, and the file that callgrind wrote for each call.
struct Reader {
    folder: PathBuf,
    calls: usize,
    row: Row,
    rows: Vec<Row>,
}

impl Reader {
    /// True if a row is complete with this line.
    fn line(&mut self, line: &str) -> Result<bool, String> {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |k: usize| -> Result<usize, String> {
            let field = fields.get(k).and_then(|field| field.parse().ok());
            field.ok_or(format!("not a count: {line}"))
        };
        match fields[0] {
            "model" => {
                let model = fields.get(1).copied().unwrap_or_default().into();
                self.row = Row { model, triangles: number(2)?, ..Row::default() };
            }
            "counted" => {
                let each = self.instructions()? / number(3)?.max(1) as f64;
                self.row.wrong += number(4)?;
                let name = fields[1];
                let situation = (self.calls - 1) % 3;
                if name == "hybrid" {
                    self.row.hybrid.0[situation] = each;
                    self.row.bytes = number(2)?;
                } else {
                    if situation == 0 {
                        self.row.volumes.push((name.into(), Work::default()));
                    }
                    if let Some((_, work)) = self.row.volumes.last_mut() {
                        work.0[situation] = each;
                    }
                }
            }
            "kinds" => {
                self.row.kinds = [number(1)?, number(2)?, number(3)?];
                self.rows.push(std::mem::take(&mut self.row));
                return Ok(true);
            }
            _ => println!("{line}"),
        }
        Ok(false)
    }

    /// The instructions of the next call.
    fn instructions(&mut self) -> Result<f64, String> {
        self.calls += 1;
        let path = self.folder.join(format!("counts.{}", self.calls));
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("callgrind did not count: {}: {error}", path.display()))?;
        let _ = std::fs::remove_file(&path);
        total(&text).ok_or(format!("no total in {}", path.display()))
    }

    fn progress(&self) {
        let mut out = std::io::stderr();
        if out.is_terminal() {
            let _ = write!(out, "\r\x1b[K{}: {} calls counted\r", self.row.model, self.calls);
        }
    }
}

/// The total in a file of callgrind's.
fn total(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals: "));
    line?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_and_what_is_counted_make_rows() {
        let folder = std::env::temp_dir().join(format!("impinge-counts-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for call in 1..=6 {
            let text = format!("events: Ir\nfn=(1)\n3 4\ntotals: {}\n", call * 100);
            std::fs::write(folder.join(format!("counts.{call}")), text).unwrap();
        }
        let mut reader =
            Reader { folder: folder.clone(), calls: 0, row: Row::default(), rows: Vec::new() };
        assert_eq!(reader.line("model\ta ball\t12"), Ok(false));
        for volume in ["hybrid", "OBB"] {
            for _ in 0..3 {
                assert_eq!(reader.line(&format!("counted\t{volume}\t640\t10\t1")), Ok(false));
            }
        }
        assert_eq!(reader.line("kinds\t1\t2\t3"), Ok(true));
        let row = &reader.rows[0];
        assert_eq!((row.hybrid, row.bytes, row.wrong), (Work([10.0, 20.0, 30.0]), 640, 6));
        assert_eq!(row.volumes, [("OBB".to_string(), Work([40.0, 50.0, 60.0]))]);
        assert!(reader.line("counted\tOBB\t640\t10\t0").is_err(), "there is no seventh file");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn totals_are_found_or_not() {
        assert_eq!(total("summary: 3\ntotals: 12 7\n"), Some(12.0));
        assert_eq!(total("totals: \n"), None);
        assert_eq!(total(""), None);
    }
}
