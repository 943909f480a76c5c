//! Decisions: about one finding, about many at once, and those of two reviewers together.

use crate::plan::Kind;
use crate::record::{Record, Records, RecordsError};
use crate::selector::like;
use crate::status::Status;

/// Which findings are meant: those that fit everything that is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Ids, or their beginnings.
    pub ids: Vec<String>,
    /// A group, as `--group` or people named it; `*` and `?` are wildcards.
    pub group: Option<String>,
    /// A kind of finding.
    pub kind: Option<Kind>,
    /// The name of a test; `*` and `?` are wildcards.
    pub test: Option<String>,
    /// A pattern that the path of one of the parts fits.
    pub pattern: Option<String>,
    /// Every finding, also if nothing else is given.
    pub all: bool,
}

/// What is decided; what is None stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// The new status.
    pub status: Option<Status>,
    /// A comment, which replaces the last one.
    pub comment: Option<String>,
    /// Who is to look after it; an empty name for nobody.
    pub assignee: Option<String>,
    /// The group to put it in; an empty name takes it out.
    pub group: Option<String>,
    /// When, as `xs:dateTime` has it.
    pub date: Option<String>,
}

/// What a merge did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Findings that only the other file had.
    pub added: usize,
    /// Findings whose decision was taken from the other file, since it is newer.
    pub taken: Vec<String>,
    /// Findings about which both decided differently at the same time: the more cautious status counts.
    pub conflicts: Vec<String>,
}

impl Selection {
    /// True if it says nothing, not even "all".
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn fits(&self, record: &Record) -> bool {
        let group = record.group.as_ref().or(record.auto_group.as_ref());
        let wanted = |pattern: &Option<String>, text: Option<&String>| {
            pattern.as_ref().is_none_or(|pattern| text.is_some_and(|text| like(pattern, text)))
        };
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
        let part = |pattern: &String| {
            let fits = |path: &String| like(pattern, path) || like(pattern, &name(path));
            record.parts.iter().any(fits)
        };
        wanted(&self.group, group)
            && wanted(&self.test, Some(&record.test))
            && self.kind.is_none_or(|kind| record.kind == Some(kind))
            && self.pattern.as_ref().is_none_or(part)
    }
}

impl Records {
    /// The ids of the findings that are meant. Findings that are gone are meant only by their ids.
    pub fn select(&self, selection: &Selection) -> Result<Vec<String>, RecordsError> {
        let named: Result<Vec<&String>, RecordsError> =
            selection.ids.iter().map(|id| self.find(id)).collect();
        let named = named?;
        let open = self.findings.iter().filter(|(_, record)| record.status != Status::Resolved);
        let candidates: Vec<&String> =
            if named.is_empty() { open.map(|(id, _)| id).collect() } else { named };
        let fits =
            |id: &&String| self.findings.get(*id).is_some_and(|record| selection.fits(record));
        Ok(candidates.into_iter().filter(fits).cloned().collect())
    }

    /// Decides about findings, and says which.
    ///
    /// ```
    /// use impinge_clash::{Decision, Records, Selection, Status};
    /// let mut records = Records::default();
    /// let all = Selection { all: true, ..Selection::default() };
    /// let approve = Decision { status: Some(Status::Approved), ..Decision::default() };
    /// assert!(records.decide(&all, &approve)?.is_empty());
    /// # Ok::<(), impinge_clash::RecordsError>(())
    /// ```
    pub fn decide(
        &mut self,
        selection: &Selection,
        decision: &Decision,
    ) -> Result<Vec<String>, RecordsError> {
        if selection.is_empty() {
            return Err(RecordsError(
                "which findings? give ids, --group, --kind, --match, --in-test or --all"
                    .to_string(),
            ));
        }
        let chosen = self.select(selection)?;
        for id in &chosen {
            let Some(record) = self.findings.get_mut(id) else { continue };
            if let Some(status) = decision.status {
                record.decide(status);
            }
            if let Some(comment) = &decision.comment {
                record.comment.clone_from(comment);
            }
            let name = |name: &String| Some(name.clone()).filter(|name| !name.trim().is_empty());
            if let Some(assignee) = &decision.assignee {
                record.assignee = name(assignee);
            }
            if let Some(group) = &decision.group {
                record.group = name(group);
            }
            if decision.date.is_some() {
                record.decided.clone_from(&decision.date);
            }
        }
        Ok(chosen)
    }

    /// Decides about one finding; its id may be cut short as long as one finding fits.
    pub fn set(
        &mut self,
        id: &str,
        status: Status,
        comment: Option<&str>,
    ) -> Result<(), RecordsError> {
        let selection = Selection { ids: vec![id.to_string()], ..Selection::default() };
        let comment = comment.map(str::to_string);
        let decision = Decision { status: Some(status), comment, ..Decision::default() };
        self.decide(&selection, &decision).map(|_| ())
    }

    /// Takes over the decisions of another file about the same model: the newer one counts, and remarks of both are kept.
    pub fn merge(&mut self, other: Self) -> Merged {
        let mut merged = Merged::default();
        for (id, theirs) in other.findings {
            let Some(ours) = self.findings.get_mut(&id) else {
                self.findings.insert(id, theirs);
                merged.added += 1;
                continue;
            };
            for remark in &theirs.remarks {
                if ours.remarks.iter().all(|own| own.guid != remark.guid) {
                    ours.remarks.push(remark.clone());
                }
            }
            ours.found = [ours.found.take(), theirs.found.clone()].into_iter().flatten().min();
            let differs = decision_of(ours) != decision_of(&theirs);
            let conflict = differs && ours.decided == theirs.decided && ours.decided.is_some();
            let newer = theirs.decided > ours.decided;
            if conflict {
                merged.conflicts.push(id.clone());
            } else if newer && differs {
                merged.taken.push(id.clone());
            }
            if newer || (conflict && theirs.status < ours.status) {
                ours.take_decision(theirs);
            }
        }
        merged
    }
}

/// What people say about a finding.
fn decision_of(record: &Record) -> (Status, &str, &Option<String>, &Option<String>) {
    (record.status, &record.comment, &record.assignee, &record.group)
}

impl Record {
    fn take_decision(&mut self, other: Self) {
        self.status = other.status;
        self.comment = other.comment;
        self.assignee = other.assignee;
        self.group = other.group;
        self.decided = other.decided;
        self.approved = other.approved;
        self.reopened = other.reopened;
    }
}
