//! `impinge check`: from files to findings.

mod bcf;
mod family;
mod output;
mod progress;
mod records;

pub(crate) use bcf::import as import_status;
pub(crate) use bcf::{decisions_of, now};
pub(crate) use output::Destination;
pub(crate) use progress::Progress;
pub(crate) use records::{decide as decide_status, list as list_status, merge as merge_status};

use crate::arguments::{CheckArguments, FailOn, ReadingArguments, ReportArguments};
use crate::interrupt;
use crate::limits;
use crate::notes::note;
use crate::viewer::{self, VIEWER};
use impinge_clash::motion::MotionFile;
use impinge_clash::report::{self, Run};
use impinge_clash::{
    CheckOptions, ClashTest, Comparison, Finding, GiveUp, Kind, Model, Outcome, Plan, Records,
    Status, check, group, nearest,
};
use impinge_io::{SceneData, Severity, UnitSource, check_writable, printable, read_file};
use std::io;
use std::path::{Path, PathBuf};

/// What a check ends with: whether something was found that matters.
pub(crate) type Found = bool;

/// Reads, checks and reports.
pub(crate) fn run(arguments: &CheckArguments) -> io::Result<Found> {
    interrupt::watch();
    let report = &arguments.report;
    let destination = Destination::new(report)?;
    let status = arguments.status_path();
    let models = &arguments.model.models;
    let named = models.iter().map(|path| ("model", path.as_path()));
    let test = arguments.test.iter().map(|path| ("test file", path.as_path()));
    let decisions = status.iter().map(|path| ("decision file", path.as_path()));
    let moves = arguments.motion.iter().map(|path| ("motion file", path.as_path()));
    destination.keep(named.chain(test).chain(moves).chain(decisions))?;
    if let Some(path) = &status {
        check_writable(path).map_err(io::Error::other)?;
    }
    let plan = plan(arguments)?;
    let motion = motion(arguments)?;
    let scene = read(models, &arguments.model.reading, report.quiet)?;
    let files = output::inputs(&scene.files);
    destination.keep(files.iter().map(|path| ("model", path.as_path())))?;
    if arguments.has_nowhere_to_keep_decisions() && !report.quiet {
        note(format_args!("decisions are not kept here; name a file with --status-file"));
    }
    let name = models.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" + ");
    if !scene.variants.is_empty() && scene.variant.is_none() {
        let motion = motion.as_ref();
        let family = family::Request { arguments, destination, plan: &plan, motion, name: &name };
        return family.run(&scene.variants, status.as_deref());
    }
    let mut model = build(&scene, report)?;
    set_in_motion(&mut model, motion.as_ref(), report.quiet)?;
    let checked =
        Checked { name: &name, model: &model, plan: &plan, brief: destination.is_table() };
    checked.check(report, &destination, status.as_deref(), &|_| Ok(()))
}

/// Reads models and reports what their readers have to say.
pub(crate) fn read(
    paths: &[PathBuf],
    reading: &ReadingArguments,
    quiet: bool,
) -> io::Result<SceneData> {
    paths.iter().try_for_each(|path| refuse_missing(path))?;
    let progress = Progress::waiting("reading", quiet);
    let scene = impinge_io::read_scenes(paths, &reading.options()).map_err(io::Error::other);
    progress.end();
    let scene = scene?;
    if let Some(variant) = reading.variant.as_ref().filter(|_| scene.variants.is_empty()) {
        let names = paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        return Err(io::Error::other(format!(
            "there is no variant `{variant}`: {} is not a scene file with variants",
            names.join(" + ")
        )));
    }
    if !quiet {
        note(format_args!("unit: {} ({})", scene.unit, source(scene.unit_source)));
        for warning in scene.notes.iter().filter(|note| note.severity != Severity::Note) {
            note(format_args!("{}", printable(&warning.to_string())));
        }
    }
    Ok(scene)
}

/// A file that is not there may be spelled in another way.
fn refuse_missing(path: &Path) -> io::Result<()> {
    let missing =
        std::fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    if !missing {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let wanted =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let near = nearest(&wanted, names.iter().map(String::as_str));
    let near = near.map_or_else(String::new, |name| format!("; did you mean {name}?"));
    Err(io::Error::other(format!("{}: no such file or folder{near}", path.display())))
}

/// How the unit is known, in words.
pub(crate) fn source(source: UnitSource) -> &'static str {
    match source {
        UnitSource::File => "from the file",
        UnitSource::Given => "from --unit",
        UnitSource::Assumed => "assumed; override with --unit",
    }
}

/// Builds the hierarchies; no part at all is a failure.
pub(crate) fn build(scene: &SceneData, report: &ReportArguments) -> io::Result<Model> {
    let mut model = build_quietly(scene, report.quiet)?;
    model.display_unit = report.display_unit.unwrap_or(model.unit);
    Ok(model)
}

/// Builds the hierarchies, in the unit of the model.
pub(crate) fn build_quietly(scene: &SceneData, quiet: bool) -> io::Result<Model> {
    let progress = Progress::waiting("building hierarchies", quiet);
    let model = Model::new(scene);
    progress.end();
    if model.parts.is_empty() {
        let reasons = model.left_out.join("; ");
        let reasons = if reasons.is_empty() { String::new() } else { format!(": {reasons}") };
        return Err(io::Error::other(format!("no parts to check{reasons}")));
    }
    Ok(model)
}

/// The tests: those of the file, or one that takes everything.
fn plan(arguments: &CheckArguments) -> io::Result<Plan> {
    let mut plan = match &arguments.test {
        Some(path) => {
            refuse_missing(path)?;
            let text = text_of(path)?;
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

/// Writes another report.
pub(crate) type Beside<'b> = dyn Fn(&Run<'_>) -> io::Result<()> + Sync + 'b;

/// The text of a file.
fn text_of(path: &Path) -> io::Result<String> {
    let bytes = read_file(path).map_err(io::Error::other)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::other(format!("{}: byte {at} is not UTF-8 text", path.display()))
    })
}

/// What moves, if a file says so.
fn motion(arguments: &CheckArguments) -> io::Result<Option<MotionFile>> {
    let Some(path) = &arguments.motion else { return Ok(None) };
    refuse_missing(path)?;
    let text = text_of(path)?;
    let file = MotionFile::parse(&text, &path.display().to_string());
    file.map(Some).map_err(io::Error::other)
}

/// Gives a model its motion, and tells what is strange about it.
pub(crate) fn set_in_motion(
    model: &mut Model,
    file: Option<&MotionFile>,
    quiet: bool,
) -> io::Result<()> {
    let Some(file) = file else { return Ok(()) };
    model.set_motion(file).map_err(io::Error::other)?;
    if let Some(movement) = model.motion.as_ref().filter(|_| !quiet) {
        movement.notes.iter().for_each(|line| note(format_args!("{}", printable(line))));
    }
    Ok(())
}

/// A model that is about to be checked.
pub(crate) struct Checked<'c> {
    pub(crate) name: &'c str,
    pub(crate) model: &'c Model,
    pub(crate) plan: &'c Plan,
    /// The report is a table, which shows no curves and no volumes.
    pub(crate) brief: bool,
}

impl Checked<'_> {
    /// Checks, reports, and remembers the run once the report is written; `beside` may write another report.
    pub(crate) fn check(
        &self,
        arguments: &ReportArguments,
        destination: &Destination<'_>,
        status: Option<&Path>,
        beside: &Beside<'_>,
    ) -> io::Result<Found> {
        let conclude = |outcome| self.conclude(outcome, arguments, destination, status, beside);
        conclude(self.find(arguments, &conclude)?)
    }

    /// Reports what was found, and remembers it.
    fn conclude(
        &self,
        mut outcome: Outcome,
        arguments: &ReportArguments,
        destination: &Destination<'_>,
        status: Option<&Path>,
        beside: &Beside<'_>,
    ) -> io::Result<Found> {
        let mut known = status.map(records::load).transpose()?;
        let comparison = self.recall(known.as_mut(), arguments, &mut outcome);
        let Checked { model, plan, name, .. } = *self;
        let run = Run { model, name, plan, outcome: &outcome, comparison: &comparison };
        let written = destination.write(&run);
        // Another report is written whatever became of this one.
        beside(&run)?;
        let found = matters(&outcome, &arguments.fail_on);
        output::delivered(written, found && !outcome.is_partial())?;
        if let Some(path) = status {
            records::remember(path, arguments.quiet, |records| {
                self.recall(Some(records), arguments, &mut outcome);
            });
        }
        if outcome.is_partial() { Err(output::partial(&outcome)) } else { Ok(found) }
    }

    /// What is in the model. If a limit leaves no time to wait for it, what there is goes to `conclude`, and the program ends.
    pub(crate) fn find(
        &self,
        arguments: &ReportArguments,
        conclude: &(dyn Fn(Outcome) -> io::Result<Found> + Sync),
    ) -> io::Result<Outcome> {
        self.refuse_empty_sets()?;
        let progress = Progress::counting("checking pairs", arguments.quiet);
        let tell = |done: usize, of: usize| progress.at(done, of);
        let then = |outcome| {
            interrupt::reporting();
            progress.hide();
            // The threads that reports are written on still work on pairs.
            let own = rayon::ThreadPoolBuilder::new().num_threads(2).build();
            let result = match own {
                Ok(own) => own.install(|| conclude(outcome)),
                Err(_) => conclude(outcome),
            };
            crate::end(result);
        };
        let outcome = interrupt::stoppable(|stop, when| {
            let options = CheckOptions {
                verdicts_only: arguments.verdicts_only,
                brief: self.brief,
                rank: arguments.rank.into(),
                stop: Some(stop),
                progress: Some(&tell),
                weight: Some(&limits::REPORT),
                give_up: arguments.has_limits.then_some(GiveUp { when, then: &then }),
            };
            check(self.model, self.plan, &options)
        });
        progress.end();
        if outcome.pairs_asked == 0 {
            return Err(io::Error::other(no_pairs(self.model)));
        }
        Ok(outcome)
    }

    /// Gives findings what is remembered of them, and their groups.
    pub(crate) fn recall(
        &self,
        records: Option<&mut Records>,
        arguments: &ReportArguments,
        outcome: &mut Outcome,
    ) -> Comparison {
        let by = arguments.group_by(self.model);
        let Some(records) = records else {
            group::group(self.model, outcome, by);
            return Comparison { added: outcome.findings.len(), ..Comparison::default() };
        };
        let comparison = records.take(self.model, outcome);
        records.date(outcome, &now());
        group::group(self.model, outcome, by);
        records.note_groups(outcome);
        comparison
    }

    /// A pattern that fits nothing is more likely a slip than a wish.
    fn refuse_empty_sets(&self) -> io::Result<()> {
        for test in &self.plan.tests {
            for (side, set) in [("a", Some(&test.a)), ("b", test.b.as_ref())] {
                let Some(set) = set else { continue };
                if self.model.parts.iter().any(|part| set.holds(part)) {
                    continue;
                }
                let wanted = set.include.first().map(String::as_str).unwrap_or_default();
                let wanted = wanted.trim_matches('*');
                let names =
                    self.model.parts.iter().flat_map(|part| [part.name.as_str(), &part.path]);
                let hint = match nearest(wanted, names) {
                    Some(name) => format!("did you mean \"{name}\"?"),
                    None => "`impinge inspect --parts` lists them".to_string(),
                };
                return Err(io::Error::other(format!(
                    "test \"{}\": set {side} ({set}) matches none of the {} parts; {hint}",
                    test.name,
                    self.model.parts.len()
                )));
            }
        }
        Ok(())
    }
}

/// Why there is nothing to check, and what to do. To find nothing where nothing was asked would be no answer.
fn no_pairs(model: &Model) -> String {
    match model.parts.as_slice() {
        [part] => format!(
            "the model has one part only, \"{}\", and nothing to check it against: give several models, a folder or a scene file, \
             or use `impinge distance A B`",
            part.path
        ),
        parts => format!("the tests cover none of the pairs among {} parts", parts.len()),
    }
}

/// The report as a page; if that has no 3D, it is said why.
pub(crate) fn page(run: &Run<'_>, quiet: bool) -> String {
    if VIEWER.is_none() && !quiet {
        note(format_args!("{}", viewer::MISSING));
    }
    let progress = Progress::waiting("building the page", quiet);
    let page = report::html(run, VIEWER.as_ref());
    progress.end();
    page
}

/// True if a finding is of a kind that counts and nobody approved it.
pub(crate) fn matters(outcome: &Outcome, fail_on: &[FailOn]) -> bool {
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
