//! What is written for a finding, and how a run that was cut short goes on.
//!
//! Into the folder of a run go, for each experiment, `NAME-TABLE.csv`, `NAME-CHART.svg`, `NAME-PICTURE.svg`, `NAME.md` with the paragraph and the tables, and
//! `NAME.html`, a part of the page. The first line of the last says what it was made with, [`settings`]: a run with the same finds it and goes on
//! after it. It is written last, and put in place whole, so that it is there only if everything is.

use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::file::put;
use crate::finding::Finding;
use crate::machine::{Machine, today};
use crate::page;
use crate::session::Session;
use crate::table::{Table, fields};
use std::path::{Path, PathBuf};

/// What a finding depends on, in a line: the revision of the experiment, how much is measured, and on which models, if it uses those of the folder.
pub fn settings(experiment: &Experiment, session: &Session<'_>) -> String {
    let models = match (&session.models, experiment.models) {
        (Some(folder), ModelUse::Instead) => folder.to_string(),
        (Some(folder), ModelUse::Added) => format!("generated and {folder}"),
        (None, _) | (_, ModelUse::Unused) => "generated".into(),
    };
    let Experiment { name, revision, .. } = experiment;
    let Session { size, seed, .. } = session;
    let (version, size) = (env!("CARGO_PKG_VERSION"), size.name());
    format!("{name} {version} revision {revision}, {size}, seed {seed}, models {models}")
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
    put(&folder.join(format!("{}.md", experiment.name)), markdown)?;
    let html = page::part(experiment, finding, &pictures, &settings, seconds);
    put(&part(folder, experiment), format!("<!-- {settings} -->\n{html}"))
}

/// The tables, and the claims as one more.
fn tables(folder: &Path, experiment: &Experiment, finding: &Finding) -> Result<(), LabError> {
    for table in finding.tables.iter().chain([&claims(finding)]) {
        let path = folder.join(format!("{}-{}.csv", experiment.name, table.name));
        put(&path, table.csv())?;
    }
    Ok(())
}

fn claims(finding: &Finding) -> Table {
    let mut table = Table::new("claims", "Claims")
        .column("claim", "")
        .varying("measured", "")
        .varying("verdict", "")
        .varying("why", "");
    for claim in &finding.claims {
        let cells = [&claim.statement, &claim.measured, &claim.verdict.to_string(), &claim.why];
        table.row(cells.map(|text| text.as_str().into()));
    }
    table
}

/// What the folder has of an experiment, of its table of claims: what was claimed, what was measured, and the verdict.
pub fn claims_of(folder: &Path, experiment: &Experiment) -> Vec<[String; 3]> {
    rows_of(folder, experiment, "claims")
        .into_iter()
        .skip(1)
        .filter_map(|row| <[String; 4]>::try_from(row).ok())
        .map(|[claim, measured, verdict, _]| [claim, measured, verdict])
        .collect()
}

/// The fields of a table that was written, the headings first.
fn rows_of(folder: &Path, experiment: &Experiment, table: &str) -> Vec<Vec<String>> {
    let path = folder.join(format!("{}-{table}.csv", experiment.name));
    std::fs::read_to_string(path).map_or(Vec::new(), |text| fields(&text))
}

/// All tables of an experiment that the folder has, but for the claims: names and fields, by name.
pub fn tables_of(folder: &Path, experiment: &Experiment) -> Vec<(String, Vec<Vec<String>>)> {
    let start = format!("{}-", experiment.name);
    let table = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        Some(name.strip_prefix(&start)?.strip_suffix(".csv")?.to_string())
    };
    let mut names: Vec<String> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().filter_map(table).collect();
    names.retain(|name| name != "claims");
    names.sort();
    names
        .into_iter()
        .map(|name| (rows_of(folder, experiment, &name), name))
        .map(|(rows, name)| (name, rows))
        .collect()
}

/// Gathers what a folder has with the settings of the session on one page, `index.html`, and tells where it is.
pub fn gather(folder: &Path, session: &Session<'_>) -> Result<PathBuf, LabError> {
    let mut parts = Vec::new();
    for experiment in crate::experiment::all().filter(|one| is_done(folder, one, session)) {
        if let Ok(text) = std::fs::read_to_string(part(folder, experiment)) {
            parts.push((experiment, text));
        }
    }
    let path = folder.join("index.html");
    put(&path, page::page(&parts))?;
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
    lines.push(format!(
        "{start}{},{},{},{},{seconds:.1}",
        today(),
        quoted(&machine.processor),
        machine.threads,
        quoted(&settings(experiment, session)),
    ));
    lines.sort();
    put(&path, format!("{heading}\n{}\n", lines.join("\n")))
}

/// A field of a record.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Whether the records have the finding with the same settings, on this machine.
pub fn is_recorded(folder: &Path, experiment: &Experiment, session: &Session<'_>) -> bool {
    let path = folder.join(Machine::this().file_name()).join("runs.csv");
    // The whole field, which is the last but one: the name of a folder may be the beginning of another.
    let field = format!(",{}", quoted(&settings(experiment, session)));
    let same = |line: &str| line.rsplit_once(',').is_some_and(|(rest, _)| rest.ends_with(&field));
    std::fs::read_to_string(path).is_ok_and(|text| text.lines().any(same))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Chart, Corner, Panel, Series};
    use crate::experiment::find;
    use crate::finding::{Document, Picture, Verdict};
    use crate::folder::ModelFolder;
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
        models: ModelUse::Instead,
        revision: 3,
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
            "trial,{},\"{}\",{},\"trial {} revision 3, quick, seed 2, models generated\",2.5",
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
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// A folder with one mesh in it.
    fn scans(folder: &Path) -> ModelFolder {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("a.off"), "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n").unwrap();
        ModelFolder::open(folder).unwrap()
    }

    #[test]
    fn other_models_and_revisions_are_other_runs() {
        let folder = std::env::temp_dir().join(format!("impinge-lab-other-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut session = Session::new(Size::Quick, 1);
        let plain = settings(&TRIAL, &session);
        assert!(plain.ends_with(", models generated"), "{plain}");
        let finding = TRIAL.run(&mut session).unwrap();
        // One name is the beginning of the other; both have the same models.
        for (kept, asked) in [("scans", "scan"), ("scan", "scans"), ("generated", "scans")] {
            session.models = Some(scans(&folder.join(kept)));
            write(&folder, &TRIAL, &session, &finding, 1.5).unwrap();
            record(&folder, &TRIAL, &session, &finding, 1.5).unwrap();
            let known = |experiment: &Experiment, session: &Session<'_>| {
                let found = is_done(&folder, experiment, session);
                assert_eq!(found, is_recorded(&folder, experiment, session));
                found
            };
            assert!(known(&TRIAL, &session));
            assert!(!known(&Experiment { revision: 4, ..TRIAL }, &session));
            assert!(!known(&Experiment { models: ModelUse::Added, ..TRIAL }, &session));
            session.models = Some(scans(&folder.join(asked)));
            assert!(!known(&TRIAL, &session), "{kept} for {asked}");
            session.models = None;
            assert!(!known(&TRIAL, &session), "{kept} for generated ones");
        }
        // A record whose settings end in more than was asked for.
        let runs = folder.join(Machine::this().file_name()).join("runs.csv");
        let text = std::fs::read_to_string(&runs).unwrap();
        let start = text.find("models generated").unwrap();
        let end = start + text[start..].find('"').unwrap();
        for (more, found) in [("", true), (" and more", false)] {
            let changed = format!("{}models generated{more}{}", &text[..start], &text[end..]);
            std::fs::write(&runs, changed).unwrap();
            assert_eq!(is_recorded(&folder, &TRIAL, &session), found, "{more}");
        }
        let unused = Experiment { models: ModelUse::Unused, ..TRIAL };
        session.models = Some(scans(&folder.join("scans")));
        assert_eq!(settings(&unused, &session), plain, "what is not used makes no other run");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_page_has_only_what_the_session_would_find() {
        let folder = std::env::temp_dir().join(format!("impinge-lab-page-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut session = Session::new(Size::Quick, 1);
        let finding = TRIAL.run(&mut session).unwrap();
        let [first, second] = ["torus-trees", "growth"].map(|name| find(name).unwrap());
        write(&folder, first, &session, &finding, 1.5).unwrap();
        session.seed = 2;
        write(&folder, second, &session, &finding, 1.5).unwrap();
        let page = std::fs::read_to_string(gather(&folder, &session).unwrap()).unwrap();
        assert!(page.contains("<article id=\"growth\">"));
        assert!(!page.contains("torus-trees"), "another seed is another run");
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
