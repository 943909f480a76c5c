//! Motion in plain words.

use super::encounter::{Encounter, Moment};
use super::movement::Movement;
use crate::explain::length;
use crate::finding::Finding;
use crate::model::Model;
use crate::plan::Kind;
use impinge::geom::Certainty;

impl Movement {
    /// A moment for people: `0.42 s`, or `"elbow" at 24.1°`.
    pub fn words(&self, model: &Model, moment: Moment) -> String {
        if self.axes.is_empty() {
            return format!("{} s", length(moment.values[0]));
        }
        let axis = |(axis, value): (&super::JointRange, f64)| {
            let value = if axis.is_angle {
                format!("{}°", length(value.to_degrees()))
            } else {
                model.length(value / model.unit.metres())
            };
            format!("\"{}\" at {value}", axis.name)
        };
        let axes = self.axes.iter().zip(moment.values);
        axes.map(axis).collect::<Vec<_>>().join(" and ")
    }

    /// "at 0.42 s", or "with "elbow" at 24.1°".
    fn when(&self, model: &Model, moment: Moment) -> String {
        let before = if self.axes.is_empty() { "at" } else { "with" };
        format!("{before} {}", self.words(model, moment))
    }

    /// What happens to the parts of a finding on their way; `rest` is the sentence about how they stand at the start. `clearance` is what the test
    /// requires.
    pub(crate) fn sentence(
        &self,
        model: &Model,
        finding: &Finding,
        encounter: &Encounter,
        clearance: f64,
        rest: String,
    ) -> String {
        let &[a, b] = finding.parts.as_slice() else { return rest };
        let names = format!("\"{}\" and \"{}\"", model.parts[a].path, model.parts[b].path);
        let when = |moment| self.when(model, moment);
        if let (Kind::Clearance, Some(least)) = (finding.kind, encounter.least) {
            let [gap, required] = [least.distance, clearance].map(|x| model.length(x));
            let at = when(least.at);
            return format!(
                "{names} come within {gap} of each other {at}; {required} required. They do not touch."
            );
        }
        let Some(meeting) = encounter.meeting else {
            return format!("{rest} They are in contact at the start of the motion.");
        };
        let [free, met] = meeting.interval;
        if !encounter.decided {
            let steps = self.max_steps;
            return format!(
                "Undecided: {names} are certainly apart up to {}; the rest was not certified within max_steps = {steps}.",
                self.words(model, free)
            );
        }
        let touched =
            if encounter.start.is_touching() { " They touch at the start as well." } else { "" };
        let sentence = match (meeting.certainty, self.is_field()) {
            (Certainty::Estimate, _) => {
                format!(
                    "{names} are in contact at the start and penetrate each other no later than {}.",
                    self.words(model, met)
                )
            }
            (_, true) => {
                let start = self.words(model, self.start());
                format!(
                    "{names} meet {}: the first contact on the straight way from {start}.",
                    when(met)
                )
            }
            (Certainty::Exact, false) => {
                format!("{names} meet {}; before that they are certainly apart.", when(met))
            }
            (Certainty::Bound, false) => {
                let meet = if encounter.deepest.is_some() {
                    format!("meet {}, up to rounding", when(met))
                } else {
                    format!("come within rounding of contact {}", when(met))
                };
                format!("{names} {meet}; before that they are certainly apart.")
            }
        };
        let deepest = encounter.deepest.filter(|deepest| deepest.depth.is_finite());
        let depth = deepest.map_or_else(String::new, |deepest| {
            format!(
                " They overlap by {} or more, seen {}.",
                model.length(deepest.depth),
                when(deepest.at)
            )
        });
        let share = encounter.shares.map_or_else(String::new, |shares| {
            format!(" {:.1} % of the range is certified free.", 100.0 * shares.free)
        });
        format!("{sentence}{depth}{share}{touched}")
    }
}
