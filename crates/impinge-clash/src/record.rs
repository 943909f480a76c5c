//! What is remembered of findings from run to run, and how people decide about them.

use crate::bcf::Date;
use crate::check::Outcome;
use crate::model::Model;
use crate::plan::Kind;
use crate::status::{Remark, Status};
use impinge_io::Unit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A length with its unit, so that it means the same when the model is read in another one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedLength {
    /// A gap is positive, a depth negative.
    pub value: f64,
    /// The unit's symbol, such as `mm`.
    pub unit: String,
}

impl RecordedLength {
    pub(crate) fn new(value: f64, unit: Unit) -> Self {
        Self { value, unit: unit.symbol().to_string() }
    }

    /// The number in a unit; None if its own is not known.
    pub(crate) fn in_unit(&self, unit: Unit) -> Option<f64> {
        let own: Unit = self.unit.parse().ok()?;
        Some(self.value * own.in_unit(unit))
    }
}

/// What is remembered of a finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Where it stands.
    pub status: Status,
    /// Who is to look after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// What people wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What people wrote in other tools; BCF files bring it here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// When it was first found, as `xs:dateTime` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// When it was last decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<String>,
    /// The distance that was approved: if it gets worse, the finding is open again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<RecordedLength>,
    /// True if it was approved and got worse since. The next decision ends this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reopened: bool,
    /// The group that people put it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The group that `--group` put it in when it was last seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_group: Option<String>,
    /// The test that found it.
    pub test: String,
    /// The variant of the model, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// What is wrong; older files do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Its distance when it was last seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<RecordedLength>,
    /// Where it was last seen, in metres: tells several contacts of two parts apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<[f64; 3]>,
    /// The paths of its parts.
    pub parts: Vec<String>,
    /// Fingerprints of its parts, so that they are known again when they are renamed.
    pub prints: Vec<String>,
}

impl Record {
    /// Sets the status. An approval remembers the distance that it is for.
    pub(crate) fn decide(&mut self, status: Status) {
        self.status = status;
        self.reopened = false;
        self.approved = if status == Status::Approved { self.distance.clone() } else { None };
    }
}

/// All that is remembered, by the id of the finding.
///
/// ```
/// use impinge_clash::{Records, Status};
/// let mut records = Records::parse(br#"{"version": 1, "findings": {}}"#, "model.impinge.json")?;
/// assert!(records.set("0123456789abcdef", Status::Approved, None).is_err());
/// # Ok::<(), impinge_clash::RecordsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Records {
    version: u32,
    /// The findings by id.
    pub findings: BTreeMap<String, Record>,
}

impl Default for Records {
    fn default() -> Self {
        Self { version: VERSION, findings: BTreeMap::new() }
    }
}

const VERSION: u32 = 1;

/// Why records were refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordsError(pub(crate) String);

impl fmt::Display for RecordsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for RecordsError {}

impl Records {
    /// Records from the text of their file; `name` is that of the file, for the error.
    pub fn parse(text: &[u8], name: &str) -> Result<Self, RecordsError> {
        let records: Self = serde_json::from_slice(text).map_err(|error| {
            RecordsError(format!(
                "{name}:{}:{}: {error}; fix the file, or move it away to start over",
                error.line(),
                error.column()
            ))
        })?;
        if records.version != VERSION {
            return Err(RecordsError(format!(
                "{name}: unknown version {}, this impinge reads version {VERSION}; use the impinge that wrote it",
                records.version
            )));
        }
        Ok(records)
    }

    /// The text of their file.
    pub fn to_text(&self) -> String {
        // Maps with text keys, plain fields and finite numbers: this does not fail.
        let mut text =
            impinge_io::printable_json(serde_json::to_string_pretty(self).unwrap_or_default());
        text.push('\n');
        text
    }

    /// Records when findings were first seen, for those that have no date yet.
    pub fn date(&mut self, outcome: &mut Outcome, now: &Date) {
        for finding in &mut outcome.findings {
            let Some(record) = self.findings.get_mut(&finding.id) else { continue };
            let found = record.found.get_or_insert_with(|| now.to_string());
            finding.found = Some(found.clone());
        }
    }

    /// Remembers the groups of a run's findings, so that people can decide about a whole group.
    pub fn note_groups(&mut self, outcome: &Outcome) {
        for finding in &outcome.findings {
            if let Some(record) = self.findings.get_mut(&finding.id) {
                let own = record.group.is_some() && record.group == finding.group;
                record.auto_group = if own { None } else { finding.group.clone() };
            }
        }
    }

    /// The id of the one finding whose id begins with a text.
    pub(crate) fn find(&self, id: &str) -> Result<&String, RecordsError> {
        let mut fitting = self.findings.keys().filter(|key| key.starts_with(id));
        let found = fitting.next().ok_or_else(|| {
            RecordsError(format!(
                "no finding has the id {id}; run `impinge check` and copy an id from its report"
            ))
        })?;
        match fitting.count() {
            0 => Ok(found),
            more => Err(RecordsError(format!(
                "{} findings have ids that start with {id}; type more of the id",
                more + 1
            ))),
        }
    }
}

/// What a finding looked like, so that the next run knows it again.
pub(crate) fn paths(model: &Model, parts: &[usize]) -> Vec<String> {
    let mut paths: Vec<String> = parts.iter().map(|&part| model.parts[part].path.clone()).collect();
    paths.sort_unstable();
    paths
}

/// The fingerprints of parts, ascending.
pub(crate) fn prints(model: &Model, parts: &[usize]) -> Vec<String> {
    let mut prints: Vec<String> =
        parts.iter().map(|&part| format!("{:016x}", model.parts[part].fingerprint)).collect();
    prints.sort_unstable();
    prints
}
