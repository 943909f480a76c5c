//! Clash tests on models: read, checked and reported as `impinge check` does it.

use super::assembly::{self, Given};
use super::input::refused;
use super::work::{Team, awaited};
use impinge_clash::bcf::{self, Date, Export};
use impinge_clash::group::{GroupBy, group};
use impinge_clash::report::{self, Run, TableOptions, Viewer};
use impinge_clash::{
    CheckOptions, ClashTest, Comparison, Decision, Length, Model, Outcome, Plan, Records,
    Selection, check as check_model, nearest,
};
use impinge_io::{FileLock, LoadOptions, SceneData, Unit, read_file, read_scenes, write_file};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The viewer that reports hold, if the module was built with it.
#[cfg(viewer)]
const VIEWER: Option<Viewer<'static>> = Some(Viewer {
    script: include_str!(concat!(env!("OUT_DIR"), "/report.js")),
    style: include_str!(concat!(env!("OUT_DIR"), "/report.css")),
});
/// It was built without Node.js.
#[cfg(not(viewer))]
const VIEWER: Option<Viewer<'static>> = None;

/// How long to wait for another program that writes decisions.
const PATIENCE: Duration = Duration::from_secs(30);

/// How to read files.
#[derive(Clone, Default)]
#[pyclass(frozen, from_py_object, module = "impinge._impinge")]
pub(crate) struct NativeReading(pub(crate) LoadOptions);

#[pymethods]
impl NativeReading {
    #[new]
    fn new(
        unit: Option<&str>,
        variant: Option<String>,
        joints: std::collections::BTreeMap<String, f64>,
        packages: Vec<PathBuf>,
        allow_outside: bool,
    ) -> PyResult<Self> {
        let unit = unit.map(str::parse::<Unit>).transpose().map_err(refused)?;
        let rest = LoadOptions::default();
        Ok(Self(LoadOptions { unit, variant, joints, packages, allow_outside, ..rest }))
    }
}

/// What is asked: the texts of tests and rules, lengths that override theirs, how findings are grouped, and where decisions are kept.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Question {
    tests: Option<(String, String)>,
    tolerance: Option<String>,
    clearance: Option<String>,
    group: String,
    decisions: Option<PathBuf>,
    verdicts_only: bool,
}

/// A check that was made: the model, what was asked, and what was found.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct NativeCheck(Arc<Checked>);

struct Checked {
    name: String,
    model: Model,
    plan: Plan,
    outcome: Outcome,
    comparison: Comparison,
}

/// Checks the parts of models.
#[pyfunction]
pub(crate) fn check(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    parts: Option<Vec<Given<'_>>>,
    reading: NativeReading,
    question: Question,
    threads: Option<usize>,
) -> PyResult<NativeCheck> {
    let given = parts.map(|parts| assembly::scene(&parts, reading.0.unit)).transpose()?;
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    let team = Team::of(threads)?;
    let made = awaited(py, &team, Some(&stop), move || {
        let name = || paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        let (scene, name) = match given {
            Some(scene) => (scene, "memory".to_owned()),
            None => (read_scenes(&paths, &reading.0).map_err(words)?, name().join(" + ")),
        };
        made(&scene, name, &question, &told)
    })?;
    made.map(NativeCheck::new).map_err(PyValueError::new_err)
}

/// Parts to look at, without a check.
#[pyfunction]
pub(crate) fn view(parts: Vec<Given<'_>>) -> PyResult<NativeCheck> {
    let model = model(&assembly::scene(&parts, None)?).map_err(PyValueError::new_err)?;
    Ok(NativeCheck::new(Checked {
        name: "model".to_owned(),
        model,
        plan: Plan::default(),
        outcome: Outcome::default(),
        comparison: Comparison::default(),
    }))
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn made(
    scene: &SceneData,
    name: String,
    question: &Question,
    stop: &AtomicBool,
) -> Result<Checked, String> {
    let model = model(scene)?;
    let plan = plan(&model, question)?;
    let by = group_by(&question.group, &model)?;
    let options = CheckOptions {
        verdicts_only: question.verdicts_only,
        stop: Some(stop),
        ..CheckOptions::default()
    };
    let mut outcome = check_model(&model, &plan, &options);
    if outcome.pairs_asked == 0 {
        let count = model.parts.len();
        return Err(format!("the tests cover none of the pairs among {count} parts"));
    }
    let comparison = match &question.decisions {
        None => {
            group(&model, &mut outcome, by);
            Comparison { added: outcome.findings.len(), ..Comparison::default() }
        }
        Some(path) => update(path, |records| {
            let comparison = records.take(&model, &mut outcome);
            records.date(&mut outcome, &now());
            group(&model, &mut outcome, by);
            records.note_groups(&outcome);
            Ok(comparison)
        })?,
    };
    Ok(Checked { name, model, plan, outcome, comparison })
}

/// The parts with their hierarchies; no part at all is a failure.
fn model(scene: &SceneData) -> Result<Model, String> {
    if !scene.variants.is_empty() && scene.variant.is_none() {
        let names = scene.variants.join(", ");
        return Err(format!("the scene has variants: give variant=, one of {names}"));
    }
    let model = Model::new(scene);
    if model.parts.is_empty() {
        return Err(format!("no parts to check: {}", model.left_out.join("; ")));
    }
    Ok(model)
}

fn plan(model: &Model, question: &Question) -> Result<Plan, String> {
    let mut plan = match &question.tests {
        Some((text, name)) => Plan::parse(text, name).map_err(words)?,
        None => Plan { tests: vec![ClashTest::default()], rules: Vec::new() },
    };
    let length = |text: &Option<String>| -> Result<Option<Length>, String> {
        text.as_deref().map(str::parse).transpose().map_err(words)
    };
    let (tolerance, clearance) = (length(&question.tolerance)?, length(&question.clearance)?);
    for test in &mut plan.tests {
        test.tolerance = tolerance.or(test.tolerance);
        test.clearance = clearance.or(test.clearance);
        let sides = [Some(&test.a), test.b.as_ref()];
        for set in sides.into_iter().flatten() {
            if model.parts.iter().any(|part| set.holds(part)) {
                continue;
            }
            let wanted = set.include.first().map(String::as_str).unwrap_or_default();
            let names = model.parts.iter().flat_map(|part| [part.name.as_str(), &part.path]);
            let near = nearest(wanted.trim_matches('*'), names);
            let near = near.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"));
            let (name, count) = (&test.name, model.parts.len());
            return Err(format!("test \"{name}\": {set} matches none of the {count} parts{near}"));
        }
    }
    Ok(plan)
}

fn group_by(text: &str, model: &Model) -> Result<GroupBy, String> {
    Ok(match text {
        "none" => GroupBy::Nothing,
        "part" => GroupBy::Part,
        "pair" => GroupBy::PartPair,
        "files" => GroupBy::Files,
        other => match other.strip_prefix("cluster:") {
            Some(length) => {
                let length: Length = length.parse().map_err(words)?;
                GroupBy::Cluster(length.in_unit(model.unit))
            }
            None => {
                return Err(format!(
                    "there is no group \"{other}\": use none, part, pair, files or cluster:LENGTH"
                ));
            }
        },
    })
}

fn now() -> Date {
    Date::from_unix_seconds(
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
    )
}

/// Changes the decisions in a file, under its lock.
fn update<T>(
    path: &Path,
    change: impl FnOnce(&mut Records) -> Result<T, String>,
) -> Result<T, String> {
    let _lock = FileLock::acquire(path, PATIENCE).map_err(words)?;
    let mut records = if path.exists() {
        let text = read_file(path).map_err(words)?;
        Records::parse(&text, &path.display().to_string()).map_err(words)?
    } else {
        Records::default()
    };
    let before = records.clone();
    let result = change(&mut records)?;
    if records != before {
        write_file(path, records.to_text().as_bytes()).map_err(words)?;
    }
    Ok(result)
}

/// Decides about findings by their ids; gives the ids in full.
#[pyfunction]
pub(crate) fn decide(
    py: Python<'_>,
    path: PathBuf,
    ids: Vec<String>,
    status: Option<String>,
    comment: Option<String>,
    assignee: Option<String>,
) -> PyResult<Vec<String>> {
    let status = status.as_deref().map(str::parse).transpose();
    let status = status.map_err(PyValueError::new_err)?;
    let work = move || {
        let selection = Selection { ids, ..Selection::default() };
        let date = Some(now().to_string());
        let decision = Decision { status, comment, assignee, date, ..Decision::default() };
        update(&path, |records| records.decide(&selection, &decision).map_err(words))
    };
    let decided = awaited(py, &Team::of(None)?, None, work)?;
    decided.map_err(PyValueError::new_err)
}

#[pymethods]
impl NativeCheck {
    /// A report: `json`, `csv`, `table` or `html`.
    fn report(&self, py: Python<'_>, format: String) -> PyResult<String> {
        let checked = Arc::clone(&self.0);
        let text = awaited(py, &Team::of(None)?, None, move || checked.report(&format))?;
        text.map_err(refused)
    }

    /// The report as a BCF archive.
    fn bcf(&self, py: Python<'_>, author: String) -> PyResult<Vec<u8>> {
        let checked = Arc::clone(&self.0);
        let written = awaited(py, &Team::of(None)?, None, move || {
            let export = Export { author: &author, date: now(), ..Export::default() };
            bcf::write(&checked.run(), &export)
        })?;
        written.map_err(refused)
    }
}

impl NativeCheck {
    fn new(checked: Checked) -> Self {
        Self(Arc::new(checked))
    }
}

impl Checked {
    fn report(&self, format: &str) -> Result<String, String> {
        match format {
            "json" => Ok(report::json(&self.run())),
            "csv" => Ok(report::csv(&self.run())),
            "table" => Ok(report::table(&self.run(), TableOptions::default())),
            "html" => Ok(report::html(&self.run(), VIEWER.as_ref())),
            other => Err(format!("there is no report {other}: use json, csv, table or html")),
        }
    }

    fn run(&self) -> Run<'_> {
        let Self { name, model, plan, outcome, comparison } = self;
        Run { model, name, plan, outcome, comparison }
    }
}

/// Whether reports have the viewer.
#[pyfunction]
pub(crate) fn has_viewer() -> bool {
    VIEWER.is_some()
}

/// Writes a file whole or not at all.
#[pyfunction]
pub(crate) fn write_bytes(py: Python<'_>, path: PathBuf, bytes: Vec<u8>) -> PyResult<()> {
    py.detach(|| write_file(&path, &bytes)).map_err(refused)
}
