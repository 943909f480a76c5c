//! What is written for a finding, and how a run that was cut short goes on.
//!
//! Into the folder of a run go, for each experiment, `NAME-TABLE.csv`, `NAME-CHART.svg`, `NAME-PICTURE.svg`, `NAME.md` with the paragraph and the tables, and
//! `NAME.html`, a part of the page. The first line of the last says what it was made with: a run with the same settings finds it and goes on
//! after it. It is written last, and put in place whole, so that it is there only if everything is.

use crate::error::LabError;
use crate::experiment::Experiment;
use crate::finding::Finding;
use crate::machine::{Machine, today};
use crate::page;
use crate::session::Session;
use crate::table::Table;
use std::path::{Path, PathBuf};

/// What a finding depends on, in a line.
pub fn settings(experiment: &Experiment, session: &Session<'_>) -> String {
    let models = match &session.models {
        Some(folder) => folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        None => "generated".into(),
    };
    let Session { size, seed, .. } = session;
    let version = env!("CARGO_PKG_VERSION");
    let size = size.name();
    format!("{} {version}, {size}, seed {seed}, models {models}", experiment.name)
        .replace("--", "- -")
}

/// Where a part of the page is.
fn part(folder: &Path, experiment: &Experiment) -> PathBuf {
    folder.join(format!("{}.html", experiment.name))
}

/// Whether the folder has the finding with the same settings.
pub fn is_done(folder: &Path, experiment: &Experiment, session: &Session<'_>) -> bool {
    let first = format!("<!-- {} -->\n", settings(experiment, session));
    std::fs::read_to_string(part(folder, experiment)).is_ok_and(|text| text.starts_with(&first))
}

/// Writes everything about a finding; `seconds` is how long it took.
pub fn write(
    folder: &Path,
    experiment: &Experiment,
    session: &Session<'_>,
    finding: &Finding,
    seconds: f64,
) -> Result<(), LabError> {
    std::fs::create_dir_all(folder).map_err(|error| LabError::file(folder, error))?;
    let mut pictures = Vec::new();
    for chart in &finding.charts {
        pictures.push((chart.name.as_str(), chart.svg()?));
    }
    for picture in &finding.pictures {
        pictures.push((picture.name.as_str(), picture.svg.clone()));
    }
    for (name, text) in &pictures {
        put(&folder.join(format!("{}-{name}.svg", experiment.name)), text)?;
    }
    tables(folder, experiment, finding)?;
    let settings = settings(experiment, session);
    let markdown = page::markdown(experiment, finding, &settings, seconds);
    put(&folder.join(format!("{}.md", experiment.name)), &markdown)?;
    let html = page::part(experiment, finding, &pictures, &settings, seconds);
    put(&part(folder, experiment), &format!("<!-- {settings} -->\n{html}"))
}

/// The tables, and the claims as one more.
fn tables(folder: &Path, experiment: &Experiment, finding: &Finding) -> Result<(), LabError> {
    for table in finding.tables.iter().chain([&claims(finding)]) {
        let path = folder.join(format!("{}-{}.csv", experiment.name, table.name));
        put(&path, &table.csv())?;
    }
    Ok(())
}

fn claims(finding: &Finding) -> Table {
    let mut table = Table::new("claims", "Claims")
        .column("claim", "")
        .varying("measured", "")
        .column("verdict", "")
        .column("why", "");
    for claim in &finding.claims {
        let cells = [&claim.statement, &claim.measured, &claim.verdict.to_string(), &claim.why];
        table.row(cells.map(|text| text.as_str().into()));
    }
    table
}

/// Gathers what a folder has on one page, `index.html`, and tells where it is.
pub fn gather(folder: &Path) -> Result<PathBuf, LabError> {
    let mut parts = Vec::new();
    for experiment in crate::experiment::all() {
        if let Ok(text) = std::fs::read_to_string(part(folder, experiment)) {
            parts.push((experiment, text));
        }
    }
    let path = folder.join("index.html");
    put(&path, &page::page(&parts))?;
    Ok(path)
}

/// Keeps the tables of a finding with the name of the machine and the date: `FOLDER/MACHINE/NAME-TABLE.csv`, and a line in `runs.csv` there.
pub fn record(
    folder: &Path,
    experiment: &Experiment,
    session: &Session<'_>,
    finding: &Finding,
    seconds: f64,
) -> Result<(), LabError> {
    let machine = Machine::this();
    let folder = folder.join(machine.file_name());
    std::fs::create_dir_all(&folder).map_err(|error| LabError::file(&folder, error))?;
    tables(&folder, experiment, finding)?;
    let path = folder.join("runs.csv");
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let heading = "experiment,date,processor,threads,settings,time [s]";
    let start = format!("{},", experiment.name);
    let mut lines: Vec<String> = kept
        .lines()
        .filter(|line| *line != heading && !line.starts_with(&start))
        .map(str::to_string)
        .collect();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    lines.push(format!(
        "{start}{},{},{},{},{seconds:.1}",
        today(),
        quoted(&machine.processor),
        machine.threads,
        quoted(&settings(experiment, session)),
    ));
    lines.sort();
    put(&path, &format!("{heading}\n{}\n", lines.join("\n")))
}

/// Whether the records have the finding with the same settings, on this machine.
pub fn is_recorded(folder: &Path, experiment: &Experiment, session: &Session<'_>) -> bool {
    let path = folder.join(Machine::this().file_name()).join("runs.csv");
    let (start, settings) = (format!("{},", experiment.name), settings(experiment, session));
    std::fs::read_to_string(path).is_ok_and(|text| {
        text.lines().any(|line| line.starts_with(&start) && line.contains(&settings))
    })
}

/// Written beside and then put in place, so that an interruption leaves what was there.
fn put(path: &Path, text: &str) -> Result<(), LabError> {
    let beside = path.with_extension("part");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, path))
        .map_err(|error| LabError::file(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Chart, Corner, Panel, Series};
    use crate::finding::{Document, Picture, Verdict};
    use crate::session::Size;

    fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
        session.step("counting", 1, 2)?;
        let mut table = Table::new("counts", "Counts").column("n", "").varying("time", "ms");
        table.row([7_usize.into(), 0.5.into()]);
        let panel = Panel {
            title: "counts".into(),
            across: Axis::linear("n"),
            up: Axis::linear("time [ms]"),
            series: vec![Series::line("ours", vec![(1.0, 2.0), (2.0, 3.0)])],
            legend: Corner::default(),
        };
        let chart = Chart { name: "counts".into(), panels: vec![panel] };
        let mut finding = Finding {
            setting: "Two <things>.".into(),
            tables: vec![table],
            charts: vec![chart],
            pictures: vec![Picture { name: "box".into(), svg: "<svg>a box</svg>".into() }],
            ..Finding::default()
        };
        finding.claim("a < b", "a = 7", Verdict::Differs, "b is 3.");
        Ok(finding)
    }

    const TRIAL: Experiment = Experiment {
        name: "trial",
        title: "A trial",
        document: Document::Impinge,
        place: "here",
        work,
    };

    #[test]
    fn findings_are_written_found_again_and_recorded() {
        let folder = std::env::temp_dir().join(format!("impinge-lab-store-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut session = Session::new(Size::Quick, 1);
        assert!(!is_done(&folder, &TRIAL, &session));
        let finding = TRIAL.run(&mut session).unwrap();
        write(&folder, &TRIAL, &session, &finding, 1.5).unwrap();
        assert!(is_done(&folder, &TRIAL, &session));
        session.seed = 2;
        assert!(!is_done(&folder, &TRIAL, &session), "another seed is another run");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(read("trial-counts.csv"), "n,time [ms]\n7,0.5\n");
        assert!(read("trial-claims.csv").contains("a < b,a = 7,differs,b is 3."));
        assert!(
            read("trial-counts.svg").ends_with("</svg>\n")
                || read("trial-counts.svg").ends_with("</svg>")
        );
        let html = read("trial.html");
        assert!(
            html.contains("Two &lt;things&gt;.")
                && html.contains("<svg")
                && html.contains("differs")
        );
        assert!(read("trial.md").contains("**differs**: a < b — a = 7 b is 3."));
        assert_eq!(read("trial-box.svg"), "<svg>a box</svg>");
        assert!(html.contains("<svg>a box</svg>") && html.contains("aria-label=\"box\""));
        assert!(read("trial.md").contains("![counts](trial-counts.svg)\n\n![box](trial-box.svg)"));
        assert!(!is_recorded(&folder, &TRIAL, &session));
        for seconds in [1.5, 2.5] {
            record(&folder, &TRIAL, &session, &finding, seconds).unwrap();
        }
        let other = Experiment { name: "another", ..TRIAL };
        record(&folder, &other, &session, &finding, 0.25).unwrap();
        let machine = Machine::this();
        let runs = read(&format!("{}/runs.csv", machine.file_name()));
        let lines: Vec<&str> = runs.lines().collect();
        assert_eq!(lines[0], "experiment,date,processor,threads,settings,time [s]");
        assert_eq!(lines.len(), 3, "the newer run replaces the older one: {runs}");
        assert!(lines[1].starts_with(&format!("another,{},", today())), "{runs}");
        let line = format!(
            "trial,{},\"{}\",{},\"trial {}, quick, seed 2, models generated\",2.5",
            today(),
            machine.processor,
            machine.threads,
            env!("CARGO_PKG_VERSION"),
        );
        assert_eq!(lines[2], line);
        let kept = read(&format!("{}/trial-counts.csv", machine.file_name()));
        assert_eq!(kept, "n,time [ms]\n7,0.5\n");
        assert!(read(&format!("{}/another-claims.csv", machine.file_name())).contains("differs"));
        assert!(is_recorded(&folder, &TRIAL, &session));
        session.seed = 1;
        assert!(!is_recorded(&folder, &TRIAL, &session), "another seed is another run");
        assert!(gather(&folder).unwrap().exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_run_can_be_stopped_and_watched() {
        let stop = std::sync::atomic::AtomicBool::new(true);
        let seen = std::sync::Mutex::new(Vec::new());
        let watch = |what: &str, done: u64, of: u64| {
            seen.lock().unwrap().push((what.to_string(), done, of))
        };
        let mut session = Session::new(Size::Quick, 1).watched(&watch).stopped_by(&stop);
        assert_eq!(TRIAL.run(&mut session).unwrap_err(), LabError::Interrupted);
        assert_eq!(*seen.lock().unwrap(), [("counting".to_string(), 1, 2)]);
    }
}
