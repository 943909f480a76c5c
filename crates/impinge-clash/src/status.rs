//! What people decided about findings, kept in a file beside the model from run to run.

use crate::bcf::Date;
use crate::check::Outcome;
use crate::model::Model;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Where a finding stands.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nobody has looked at it.
    #[default]
    New,
    /// It was there in an earlier run.
    Active,
    /// Somebody has looked at it.
    Reviewed,
    /// It may stay.
    Approved,
    /// It is gone.
    Resolved,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::New, Self::Active, Self::Reviewed, Self::Approved, Self::Resolved];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Active => "active",
            Self::Reviewed => "reviewed",
            Self::Approved => "approved",
            Self::Resolved => "resolved",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl std::str::FromStr for Status {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|status| status.name() == text);
        known.ok_or_else(|| {
            format!(
                "\"{text}\" is not a status; there are new, active, reviewed, approved and resolved"
            )
        })
    }
}

/// A finding beside the last run.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The last run did not have it.
    #[default]
    Added,
    /// The last run had it.
    Persistent,
}

/// What somebody wrote about a finding in another tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// By which it is known again.
    pub guid: String,
    /// Who wrote it.
    pub author: String,
    /// When, as `xs:dateTime` has it.
    pub date: String,
    /// What.
    pub text: String,
}

/// What is remembered of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Where it stands.
    pub status: Status,
    /// What people wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What people wrote elsewhere, and a BCF file brought here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// When it was found first, as `xs:dateTime` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The group that people put it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The test that found it.
    pub test: String,
    /// The paths of its parts.
    pub parts: Vec<String>,
    /// What the parts look like, so that they are known again when they are renamed.
    pub prints: Vec<String>,
}

/// All that is remembered, by the id of the finding.
///
/// ```
/// use impinge_clash::{Records, Status};
/// let mut records = Records::parse(br#"{"version": 1, "findings": {}}"#, "model.impinge.json")?;
/// assert!(records.set("0123456789abcdef", Status::Approved, None).is_err());
/// # Ok::<(), impinge_clash::RecordsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct RecordsError(String);

impl fmt::Display for RecordsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for RecordsError {}

/// How a run compares with the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Findings that were not there.
    pub added: usize,
    /// Findings that were there.
    pub persistent: usize,
    /// Those that were there and are gone: ids and records. Empty for a check that was stopped, which cannot know.
    pub resolved: Vec<(String, Record)>,
}

impl Records {
    /// Records from the text of their file; `name` is that of the file, for the error.
    pub fn parse(text: &[u8], name: &str) -> Result<Self, RecordsError> {
        let records: Self = serde_json::from_slice(text).map_err(|error| {
            RecordsError(format!(
                "{name}:{}:{}: {error}; mend the file, or move it away to begin anew",
                error.line(),
                error.column()
            ))
        })?;
        if records.version != VERSION {
            return Err(RecordsError(format!(
                "{name}: version {} of this file is not known, only {VERSION}; use the impinge that wrote it",
                records.version
            )));
        }
        Ok(records)
    }

    /// The text of their file.
    pub fn to_text(&self) -> String {
        // Maps with text keys and plain fields: this does not fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Decides about a finding; an id may be cut short as long as one finding fits.
    pub fn set(
        &mut self,
        id: &str,
        status: Status,
        comment: Option<&str>,
    ) -> Result<(), RecordsError> {
        let mut fitting = self.findings.iter_mut().filter(|(key, _)| key.starts_with(id));
        let found = fitting.next().ok_or_else(|| {
            RecordsError(format!(
                "no finding has the id {id}; run `impinge check` first, and copy an id from it"
            ))
        })?;
        if fitting.next().is_some() {
            return Err(RecordsError(format!(
                "several findings begin with {id}; give more of the id"
            )));
        }
        found.1.status = status;
        if let Some(comment) = comment {
            found.1.comment = comment.to_string();
        }
        Ok(())
    }

    /// Remembers this moment for findings of a run that have none yet: they were found first now.
    pub fn date(&mut self, outcome: &mut Outcome, now: &Date) {
        for finding in &mut outcome.findings {
            let Some(record) = self.findings.get_mut(&finding.id) else { continue };
            let found = record.found.get_or_insert_with(|| now.to_string());
            finding.found = Some(found.clone());
        }
    }

    /// Gives the findings of a run what is remembered of them, and remembers the run.
    ///
    /// A finding is known by its id; if no finding has the id of a record any more, by test and looks of its parts, so that renamed
    /// parts keep the id and the decision.
    pub fn take(&mut self, model: &Model, outcome: &mut Outcome) -> Comparison {
        let mut comparison = Comparison::default();
        let present: BTreeSet<String> =
            outcome.findings.iter().map(|finding| finding.id.clone()).collect();
        let mut by_looks: BTreeMap<(String, Vec<String>), String> = BTreeMap::new();
        for (id, record) in &self.findings {
            if !present.contains(id) && record.status != Status::Resolved {
                by_looks.insert((record.test.clone(), record.prints.clone()), id.clone());
            }
        }
        let mut seen = BTreeSet::new();
        for finding in &mut outcome.findings {
            let paths: Vec<String> =
                finding.parts.iter().map(|&part| model.parts[part].path.clone()).collect();
            let mut prints: Vec<String> = finding
                .parts
                .iter()
                .map(|&part| format!("{:016x}", model.parts[part].fingerprint))
                .collect();
            prints.sort_unstable();
            let looks = (finding.test.clone(), prints.clone());
            if !self.findings.contains_key(&finding.id)
                && let Some(old) = by_looks.remove(&looks)
            {
                finding.id = old;
            }
            let old = self.findings.get(&finding.id);
            let back = old.is_some_and(|record| record.status == Status::Resolved);
            finding.change = match old {
                Some(_) if !back => Change::Persistent,
                _ => Change::Added,
            };
            let mut record = old.cloned().unwrap_or_default();
            record.status = match (record.status, finding.change) {
                (Status::New, Change::Persistent) => Status::Active,
                (Status::Resolved, _) => Status::New,
                (status, _) => status,
            };
            finding.status = record.status;
            finding.comment.clone_from(&record.comment);
            finding.remarks.clone_from(&record.remarks);
            finding.found.clone_from(&record.found);
            finding.group.clone_from(&record.group);
            (record.test, record.parts, record.prints) = (finding.test.clone(), paths, prints);
            match finding.change {
                Change::Added => comparison.added += 1,
                Change::Persistent => comparison.persistent += 1,
            }
            seen.insert(finding.id.clone());
            self.findings.insert(finding.id.clone(), record);
        }
        if !outcome.is_partial() {
            let hidden: BTreeSet<&str> = outcome
                .hidden
                .iter()
                .flat_map(|hidden| hidden.findings.iter().map(|finding| finding.id.as_str()))
                .collect();
            for (id, record) in &mut self.findings {
                let gone = !seen.contains(id) && !hidden.contains(id.as_str());
                if gone && record.status != Status::Resolved {
                    comparison.resolved.push((id.clone(), record.clone()));
                    record.status = Status::Resolved;
                }
            }
        }
        comparison
    }
}
