//! Named tests and the rules that hide findings, as a TOML file states them.

use crate::length::Length;
use crate::selector::Set;
use crate::suggest::did_you_mean;
use crate::toml_text;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two parts overlap by more than the tolerance.
    Hard,
    /// One part is inside another.
    Contained,
    /// The same part is in the same place several times.
    Duplicate,
    /// Two parts are closer than the clearance and do not touch.
    Clearance,
    /// Two parts touch, or overlap by no more than the tolerance.
    Touching,
}

impl Kind {
    /// All kinds, the worst first.
    pub const ALL: [Self; 5] =
        [Self::Hard, Self::Contained, Self::Duplicate, Self::Clearance, Self::Touching];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hard => "hard",
            Self::Contained => "contained",
            Self::Duplicate => "duplicate",
            Self::Clearance => "clearance",
            Self::Touching => "touching",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl std::str::FromStr for Kind {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let near = did_you_mean(text, names);
            format!("unknown kind of finding \"{text}\"{near}; use {}", names.join(", "))
        })
    }
}

/// One named test: set A against set B, or the parts of A among themselves.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClashTest {
    /// Its name, in reports and in the ids of findings.
    pub name: String,
    /// What it looks for.
    #[serde(default = "default_kinds")]
    pub kinds: Vec<Kind>,
    /// One side; all parts if it is left out.
    #[serde(default)]
    pub a: Set,
    /// The other side; the parts of A among themselves if it is left out.
    #[serde(default)]
    pub b: Option<Set>,
    /// Overlaps up to this depth are not hard clashes. If left out, what coordinates in f32 of the model's size cannot tell from contact:
    /// see [`Model::noise`](crate::Model::noise). Zero counts every common inner point.
    #[serde(default)]
    pub tolerance: Option<Length>,
    /// Gaps below this are findings of kind clearance.
    #[serde(default)]
    pub clearance: Option<Length>,
}

fn default_kinds() -> Vec<Kind> {
    vec![Kind::Hard, Kind::Contained, Kind::Duplicate, Kind::Clearance]
}

impl Default for ClashTest {
    /// Everything against everything: overlaps, enclosed parts and duplicates; gaps as soon as a clearance is given.
    fn default() -> Self {
        Self {
            name: "everything".to_string(),
            kinds: default_kinds(),
            a: Set::default(),
            b: None,
            tolerance: None,
            clearance: None,
        }
    }
}

/// A rule that hides findings: within its scope, up to its depth, for its reason.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name, for the report of what it hid.
    pub name: String,
    /// Why these findings do not matter.
    pub reason: String,
    /// One part of the pair.
    #[serde(default)]
    pub a: Set,
    /// The other part.
    #[serde(default)]
    pub b: Set,
    /// Only findings of these kinds; all if left out.
    #[serde(default)]
    pub kinds: Vec<Kind>,
    /// Only findings of this test; all if left out.
    #[serde(default)]
    pub test: Option<String>,
    /// Overlaps deeper than this are shown all the same.
    #[serde(default)]
    pub max_depth: Option<Length>,
}

/// Tests and rules.
///
/// ```
/// use impinge_clash::Plan;
/// let plan = Plan::parse(r#"
///     [[test]]
///     name = "rotating against housing"
///     a = "rotating/*"
///     b = ["housing/*", "material:cast iron"]
///     clearance = "0.5mm"
///
///     [[rule]]
///     name = "threads"
///     reason = "threads are drawn as full cylinders"
///     a = "*bolt*"
///     b = "*nut*"
///     max_depth = "0.8mm"
/// "#, "tests.toml")?;
/// assert_eq!((plan.tests.len(), plan.rules.len()), (1, 1));
/// # Ok::<(), impinge_clash::PlanError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The tests, in the order of the file.
    #[serde(default, rename = "test")]
    pub tests: Vec<ClashTest>,
    /// The rules; the first that fits a finding hides it.
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
}

/// Why a plan was refused: with file, line and column where the text is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(String);

impl fmt::Display for PlanError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// The plan in a TOML text; `name` is that of the file, for the error.
    pub fn parse(text: &str, name: &str) -> Result<Self, PlanError> {
        let plan: Self = toml_text::parse(text, name).map_err(PlanError)?;
        let mut plan = plan;
        if plan.tests.is_empty() && !plan.rules.is_empty() {
            // Rules alone are for a check of everything.
            plan.tests.push(ClashTest::default());
        }
        plan.validate(name)?;
        Ok(plan)
    }

    fn validate(&self, file: &str) -> Result<(), PlanError> {
        let refuse = |what: String| Err(PlanError(format!("{file}: {what}")));
        if self.tests.is_empty() {
            return refuse("no [[test]] and no [[rule]]; add a [[test]] with a name".to_string());
        }
        for (index, test) in self.tests.iter().enumerate() {
            if self.tests[..index].iter().any(|other| other.name == test.name) {
                return refuse(format!(
                    "two tests are called \"{}\"; give each its own name",
                    test.name
                ));
            }
            if test.kinds == [Kind::Clearance] && test.clearance.is_none() {
                return refuse(format!(
                    "test \"{}\" looks for clearance only but sets none; add clearance = \"5mm\"",
                    test.name
                ));
            }
        }
        for rule in &self.rules {
            let names = || self.tests.iter().map(|test| test.name.as_str());
            if let Some(name) = rule.test.as_ref().filter(|name| names().all(|own| own != *name)) {
                let near = did_you_mean(name, names());
                return refuse(format!(
                    "rule \"{}\": no test is called \"{name}\"{near}",
                    rule.name
                ));
            }
            if rule.reason.trim().is_empty() {
                return refuse(format!(
                    "rule \"{}\": the reason is empty; say why it hides findings",
                    rule.name
                ));
            }
        }
        Ok(())
    }
}
