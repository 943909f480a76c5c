//! A scene file with variants: one check for each, in one report.

use super::{Checked, Destination, Found, build, matters, output, read, records, set_in_motion};
use crate::arguments::CheckArguments;
use impinge_clash::motion::MotionFile;
use impinge_clash::report::{Run, VariantReport};
use impinge_clash::{Comparison, Model, Outcome, Plan};
use std::io;
use std::path::Path;

/// What a check of several variants needs.
pub(super) struct Request<'r> {
    pub(super) arguments: &'r CheckArguments,
    pub(super) destination: Destination<'r>,
    pub(super) plan: &'r Plan,
    pub(super) motion: Option<&'r MotionFile>,
    pub(super) name: &'r str,
}

/// A variant that was checked.
struct Member {
    model: Model,
    outcome: Outcome,
    comparison: Comparison,
}

impl Request<'_> {
    /// Checks all variants and reports them, the worst first.
    pub(super) fn run(&self, variants: &[String], status: Option<&Path>) -> io::Result<Found> {
        self.destination.check_family()?;
        let report = &self.arguments.report;
        let mut members = Vec::new();
        for variant in variants {
            members.push(self.member(variant, status, &members)?);
            if members.last().is_some_and(|member| member.outcome.is_partial()) {
                break;
            }
        }
        let is_partial = |member: &Member| member.outcome.is_partial();
        let found = members.iter().any(|member| matters(&member.outcome, &report.fail_on));
        let written = self.write(&members.iter().collect::<Vec<_>>());
        output::delivered(written, found && !members.iter().any(is_partial))?;
        if let Some(path) = status {
            records::remember(path, report.quiet, |records| {
                for Member { model, outcome, .. } in &mut members {
                    let brief = self.destination.is_table();
                    let checked = Checked { name: self.name, model, plan: self.plan, brief };
                    checked.recall(Some(records), report, outcome);
                }
            });
        }
        match members.iter().find(|member| is_partial(member)) {
            Some(member) => Err(output::partial(&member.outcome)),
            None => Ok(found),
        }
    }

    fn write(&self, members: &[&Member]) -> io::Result<()> {
        let runs = members.iter().map(|Member { model, outcome, comparison }| Run {
            model,
            name: self.name,
            plan: self.plan,
            outcome,
            comparison,
        });
        self.destination.write_family(&VariantReport::new(runs.collect()))
    }

    /// Checks a variant. If a limit ends that, it is reported with those `before` it.
    fn member(
        &self,
        variant: &str,
        status: Option<&Path>,
        before: &[Member],
    ) -> io::Result<Member> {
        let CheckArguments { model, report, .. } = self.arguments;
        let mut reading = model.reading.clone();
        reading.variant = Some(variant.to_string());
        // The reader has said its part about the scene already.
        let scene = read(&model.models, &reading, true)?;
        let mut model = build(&scene, report)?;
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("variant \"{variant}\": {error}"))
        };
        set_in_motion(&mut model, self.motion, report.quiet).map_err(named)?;
        let brief = self.destination.is_table();
        let checked = Checked { name: self.name, model: &model, plan: self.plan, brief };
        let conclude = |mut outcome: Outcome| {
            let comparison = checked.recall(None, report, &mut outcome);
            let last = Member { model: model.clone(), outcome, comparison };
            self.write(&before.iter().chain([&last]).collect::<Vec<_>>())?;
            Err(output::partial(&last.outcome))
        };
        let mut outcome = checked.find(report, &conclude).map_err(named)?;
        let mut known = status.map(records::load).transpose()?;
        let comparison = checked.recall(known.as_mut(), report, &mut outcome);
        Ok(Member { model, outcome, comparison })
    }
}
