//! `impinge check`: from a file to findings.

mod bcf;
mod progress;
mod records;

pub(crate) use bcf::import as import_status;
pub(crate) use records::{list as list_status, set as set_status};

use crate::arguments::{CheckArguments, FailOn, Format, ReadingArguments, ReportArguments};
use crate::interrupt;
use crate::viewer::{self, VIEWER};
use impinge_clash::report::{self, Run};
use impinge_clash::{
    ClashTest, Comparison, Finding, Kind, Model, Options, Outcome, Plan, Status, check, group,
};
use impinge_io::{SceneData, Severity, UnitSource};
use progress::Progress;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// What a check ends with: whether something was found that matters.
pub(crate) type Found = bool;

/// Reads, checks and reports.
pub(crate) fn run(arguments: &CheckArguments) -> io::Result<Found> {
    let name = arguments.model.model.display().to_string();
    let quiet = arguments.report.quiet;
    let scene = read(&arguments.model.model, &arguments.model.reading, quiet)?;
    let model = build(&scene, quiet)?;
    let plan = plan(arguments)?;
    let stop = interrupt::watch();
    let run = Checked { name: &name, model: &model, plan: &plan };
    let path = arguments.status_path();
    run.check(&arguments.report, path.as_deref(), stop, &|_| Ok(()))
}

/// Reads a model and says what its reader has to say.
pub(crate) fn read(path: &Path, reading: &ReadingArguments, quiet: bool) -> io::Result<SceneData> {
    let scene = impinge_io::read_scene(path, &reading.options()).map_err(io::Error::other)?;
    if !quiet {
        let mut side = io::stderr().lock();
        writeln!(side, "unit: {} ({})", scene.unit, source(scene.unit_source))?;
        for note in scene.notes.iter().filter(|note| note.severity != Severity::Note) {
            writeln!(side, "{note}")?;
        }
    }
    Ok(scene)
}

/// How the unit is known, in words.
pub(crate) fn source(source: UnitSource) -> &'static str {
    match source {
        UnitSource::File => "as the file says",
        UnitSource::Given => "as given",
        UnitSource::Assumed => "assumed; --unit tells otherwise",
    }
}

/// Builds the hierarchies; no part at all is a failure.
pub(crate) fn build(scene: &SceneData, quiet: bool) -> io::Result<Model> {
    let progress = Progress::waiting("building hierarchies", quiet);
    let model = Model::new(scene);
    progress.end();
    if model.parts.is_empty() {
        let reasons = model.left_out.join("; ");
        let reasons = if reasons.is_empty() { String::new() } else { format!(": {reasons}") };
        return Err(io::Error::other(format!("there is no part to check{reasons}")));
    }
    Ok(model)
}

/// The tests: those of the file, or one that takes everything.
fn plan(arguments: &CheckArguments) -> io::Result<Plan> {
    let mut plan = match &arguments.test {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
            Plan::parse(&text, &path.display().to_string()).map_err(io::Error::other)?
        }
        None => Plan { tests: vec![ClashTest::default()], rules: Vec::new() },
    };
    for test in &mut plan.tests {
        if let Some(clearance) = arguments.clearance {
            test.clearance = Some(clearance);
        }
        if arguments.tolerance.is_some() {
            test.tolerance = arguments.tolerance;
        }
    }
    Ok(plan)
}

/// A model that is about to be checked.
pub(crate) struct Checked<'c> {
    pub(crate) name: &'c str,
    pub(crate) model: &'c Model,
    pub(crate) plan: &'c Plan,
}

impl Checked<'_> {
    /// Checks, takes the records into account, and writes the report; `beside` may write another one.
    pub(crate) fn check(
        &self,
        arguments: &ReportArguments,
        records: Option<&Path>,
        stop: &'static std::sync::atomic::AtomicBool,
        beside: &dyn Fn(&Run<'_>) -> io::Result<()>,
    ) -> io::Result<Found> {
        self.refuse_empty_sets()?;
        let progress = Progress::counting("checking pairs", arguments.quiet);
        let tell = |done: usize, of: usize| progress.at(done, of);
        let options = Options {
            verdicts_only: arguments.verdicts_only,
            rank: arguments.rank.into(),
            stop: Some(stop),
            progress: Some(&tell),
        };
        let mut outcome = check(self.model, self.plan, &options);
        progress.end();
        if outcome.pairs_asked == 0 {
            return Err(io::Error::other(no_pairs(self.model)));
        }
        let comparison = match records {
            Some(path) => records::take(path, self.model, &mut outcome, arguments.quiet)?,
            None => Comparison { added: outcome.findings.len(), ..Comparison::default() },
        };
        group::group(self.model, &mut outcome, arguments.group_by(self.model));
        let (model, plan, name) = (self.model, self.plan, self.name);
        let run = Run { model, name, plan, outcome: &outcome, comparison: &comparison };
        write(arguments, &run)?;
        beside(&run)?;
        if outcome.is_partial() {
            let (done, of) = (outcome.pairs_done, outcome.pairs_near);
            let what = format!(
                "interrupted after {done} of {of} pairs; what was found by then is written"
            );
            return Err(io::Error::new(io::ErrorKind::Interrupted, what));
        }
        Ok(matters(&outcome, &arguments.fail_on))
    }

    /// A pattern that fits nothing is more likely a slip than a wish.
    fn refuse_empty_sets(&self) -> io::Result<()> {
        for test in &self.plan.tests {
            for (side, set) in [("a", Some(&test.a)), ("b", test.b.as_ref())] {
                let Some(set) = set else { continue };
                if !self.model.parts.iter().any(|part| set.holds(part)) {
                    let example = self.model.parts.first().map_or("", |part| part.path.as_str());
                    return Err(io::Error::other(format!(
                        "test \"{}\": set {side} ({set}) fits none of the {} parts; a path looks like \"{example}\", and `impinge inspect --parts` lists them",
                        test.name,
                        self.model.parts.len()
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Why there is nothing to check, and what to do. To find nothing where nothing was asked would be no answer.
fn no_pairs(model: &Model) -> String {
    match model.parts.as_slice() {
        [part] => format!(
            "there is one part only, \"{}\", and nothing to check it against: give a folder of models, a scene file that places several, \
             or use `impinge distance A B`",
            part.path
        ),
        parts => format!("the tests ask about none of the pairs among {} parts", parts.len()),
    }
}

/// The report as a page; if that has no 3D, it is said why.
pub(crate) fn page(run: &Run<'_>, quiet: bool) -> io::Result<String> {
    if VIEWER.is_none() && !quiet {
        writeln!(io::stderr(), "{}", viewer::MISSING)?;
    }
    Ok(report::html(run, VIEWER.as_ref()))
}

/// Writes the report where it is wanted.
fn write(arguments: &ReportArguments, run: &Run<'_>) -> io::Result<()> {
    let to_terminal = arguments.output.is_none();
    let text = match arguments.format() {
        Format::Table => report::table(run, to_terminal && colour_wanted()).into_bytes(),
        Format::Json => report::json(run).into_bytes(),
        Format::Csv => report::csv(run).into_bytes(),
        Format::Bcf => bcf::bytes(arguments, run)?,
        Format::Html => page(run, arguments.quiet)?.into_bytes(),
    };
    match &arguments.output {
        Some(path) => std::fs::write(path, text)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
        None => {
            let mut output = io::stdout().lock();
            output.write_all(&text)?;
            output.flush()
        }
    }
}

/// Whether colour is wanted: on a terminal only, and not with NO_COLOR (<https://no-color.org>).
pub(crate) fn colour_wanted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && io::stdout().is_terminal()
}

/// True if a finding is of a kind that counts and nobody approved it.
fn matters(outcome: &Outcome, fail_on: &[FailOn]) -> bool {
    let counts = |kind: Kind| {
        fail_on.iter().any(|one| match one {
            FailOn::Any => true,
            FailOn::None => false,
            FailOn::Kind(wanted) => *wanted == kind,
        })
    };
    let open = |finding: &&Finding| finding.status != Status::Approved;
    outcome.findings.iter().filter(open).any(|finding| counts(finding.kind))
}
