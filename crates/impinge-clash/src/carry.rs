//! From one run to the next: findings are recognised and get their decisions back, and what is gone is resolved.
//!
//! A finding is its pair of parts and its kind; its place only tells several contacts of one pair apart, each taking the nearest earlier one.
//! Where parts were renamed, their shapes and places still tell. Only what a run asked about can be resolved by it (`run_scope.rs`).

use crate::check::Outcome;
use crate::finding::Finding;
use crate::fingerprint::Fingerprint;
use crate::model::Model;
use crate::plan::Kind;
use crate::record::{Record, RecordedLength, Records, paths, prints};
use crate::run_scope::Paths;
use crate::status::{Change, Status};
use crate::tolerance::APPROVAL_MARGIN;
use impinge::geom::glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// How a run compares with the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Findings that were not there.
    pub added: usize,
    /// Findings that were there.
    pub persistent: usize,
    /// Findings that were approved and got worse since, so that they are open again.
    pub reopened: usize,
    /// Those that were there and are gone: ids and records. Empty for a check that was interrupted, which cannot know.
    pub resolved: Vec<(String, Record)>,
    /// Findings of earlier runs that this one did not ask about: they stay as they are.
    pub not_asked: usize,
}

/// Variant, kind and parts, by their paths or by their prints.
type Key = (Option<String>, Option<Kind>, Vec<String>);

impl Records {
    /// Gives the findings of a run what is remembered of them, and remembers the run.
    pub fn take(&mut self, model: &Model, outcome: &mut Outcome) -> Comparison {
        let mut comparison = Comparison::default();
        let mut seen = self.recognise(model, &mut outcome.findings);
        for finding in &mut outcome.findings {
            let old = self.findings.remove(&finding.id);
            let back = old.as_ref().is_some_and(|record| record.status == Status::Resolved);
            let known = old.is_some() && !back;
            finding.change = if known { Change::Persistent } else { Change::Added };
            let mut record = old.unwrap_or_default();
            record.status = match (record.status, finding.change) {
                (Status::New, Change::Persistent) => Status::Active,
                (Status::Resolved, _) => Status::New,
                (status, _) => status,
            };
            if record.reopens(model, finding) {
                record.status = Status::Active;
                record.reopened = true;
                comparison.reopened += 1;
            }
            record.tell(model, finding);
            record.note(model, finding);
            match finding.change {
                Change::Added => comparison.added += 1,
                Change::Persistent => comparison.persistent += 1,
            }
            self.findings.insert(finding.id.clone(), record);
        }
        seen.extend(self.hidden(model, outcome));
        self.resolve(model, outcome, &seen, &mut comparison);
        comparison
    }

    /// Gives findings the ids of the records that are theirs; all ids that are then in use.
    fn recognise(&self, model: &Model, findings: &mut [Finding]) -> BTreeSet<String> {
        let mut taken = BTreeSet::new();
        let mut left: Vec<usize> = (0..findings.len()).collect();
        let by_paths = |record: &Record| record.parts.clone();
        let own_paths = |finding: &Finding| paths(model, &finding.parts);
        self.assign(model, findings, &mut left, &mut taken, by_paths, own_paths);
        // Renamed parts: same shape, same place, another name.
        let by_prints = |record: &Record| match record.status {
            Status::Resolved => Vec::new(),
            _ => record.prints.clone(),
        };
        let own_prints = |finding: &Finding| prints(model, &finding.parts);
        self.assign(model, findings, &mut left, &mut taken, by_prints, own_prints);
        for index in left {
            // A second contact of a pair whose first has the plain id.
            let plain = findings[index].id.clone();
            let mut count = 1;
            let mut id = plain.clone();
            while taken.contains(&id) || self.findings.contains_key(&id) {
                count += 1;
                let mut print = Fingerprint::default();
                print.text(&plain);
                print.number(count);
                id = format!("{:016x}", print.value());
            }
            taken.insert(id.clone());
            findings[index].id = id;
        }
        taken
    }

    /// Matches findings that are left with records that are not taken, by a key, the nearest first.
    fn assign(
        &self,
        model: &Model,
        findings: &mut [Finding],
        left: &mut Vec<usize>,
        taken: &mut BTreeSet<String>,
        of_record: impl Fn(&Record) -> Vec<String>,
        of_finding: impl Fn(&Finding) -> Vec<String>,
    ) {
        let mut known: BTreeMap<Key, Vec<(&String, &Record)>> = BTreeMap::new();
        for (id, record) in &self.findings {
            let mut parts = of_record(record);
            parts.sort_unstable();
            if !taken.contains(id) && !parts.is_empty() {
                let key = (record.variant.clone(), record.kind, parts);
                known.entry(key).or_default().push((id, record));
            }
        }
        let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for &index in left.iter() {
            let finding = &findings[index];
            let key = (model.variant.clone(), Some(finding.kind), of_finding(finding));
            groups.entry(key).or_default().push(index);
        }
        for (key, group) in groups {
            // Records of older files do not say their kind.
            let older = (key.0.clone(), None, key.2.clone());
            let candidates: Vec<(&String, &Record)> = [&key, &older]
                .into_iter()
                .filter_map(|key| known.get(key))
                .flatten()
                .copied()
                .collect();
            let mut pairs: Vec<(f64, bool, usize, &String)> = Vec::new();
            for &index in &group {
                for (id, record) in &candidates {
                    let distance = apart(model, &findings[index], record);
                    pairs.push((distance, record.status == Status::Resolved, index, id));
                }
            }
            pairs.sort_by(|x, y| {
                x.0.total_cmp(&y.0).then_with(|| (x.1, x.2, x.3).cmp(&(y.1, y.2, y.3)))
            });
            let mut matched = BTreeSet::new();
            for (.., index, id) in pairs {
                if !matched.contains(&index) && !taken.contains(id) {
                    matched.insert(index);
                    taken.insert(id.clone());
                    findings[index].id.clone_from(id);
                }
            }
            left.retain(|index| !matched.contains(index));
        }
    }

    /// The ids of records whose findings rules hide now.
    fn hidden(&self, model: &Model, outcome: &Outcome) -> BTreeSet<String> {
        let findings = outcome.hidden.iter().flat_map(|hidden| &hidden.findings);
        let (mut by_paths, mut by_prints) = (BTreeSet::new(), BTreeSet::new());
        for finding in findings {
            by_paths.insert((finding.kind, paths(model, &finding.parts)));
            by_prints.insert((finding.kind, prints(model, &finding.parts)));
        }
        let is_hidden = |record: &Record| {
            let mut parts = record.parts.clone();
            parts.sort_unstable();
            let kinds = record.kind.map_or(Kind::ALL.to_vec(), |kind| vec![kind]);
            record.variant == model.variant
                && kinds.into_iter().any(|kind| {
                    by_paths.contains(&(kind, parts.clone()))
                        || by_prints.contains(&(kind, record.prints.clone()))
                })
        };
        let hidden = self.findings.iter().filter(|(_, record)| is_hidden(record));
        hidden.map(|(id, _)| id.clone()).collect()
    }

    /// Resolves what the run asked about and did not find.
    fn resolve(
        &mut self,
        model: &Model,
        outcome: &Outcome,
        seen: &BTreeSet<String>,
        comparison: &mut Comparison,
    ) {
        let paths = Paths::new(model);
        for (id, record) in &mut self.findings {
            let elsewhere = record.variant != model.variant;
            if elsewhere || seen.contains(id) || record.status == Status::Resolved {
                continue;
            }
            if outcome.is_partial() || !outcome.asked.would_report(model, &paths, record) {
                comparison.not_asked += 1;
                continue;
            }
            comparison.resolved.push((id.clone(), record.clone()));
            record.status = Status::Resolved;
            record.reopened = false;
        }
    }
}

/// How far a finding is from where a record was last seen; far away if that is not known.
fn apart(model: &Model, finding: &Finding, record: &Record) -> f64 {
    let place = finding.place().map(|place| place * model.unit.metres());
    let known = record.place.map(DVec3::from_array);
    place.zip(known).map_or(f64::INFINITY, |(place, known)| place.distance(known))
}

impl Record {
    /// True if it was approved and its finding got worse than that by more than the margin.
    fn reopens(&self, model: &Model, finding: &Finding) -> bool {
        let approved = self.approved.as_ref().and_then(|length| length.in_unit(model.unit));
        let (Some(approved), Some(now)) = (approved, finding.distance) else { return false };
        let margin = APPROVAL_MARGIN * approved.abs() + model.noise();
        self.status == Status::Approved && approved - now.value > margin
    }

    /// Tells the finding what is remembered of it.
    fn tell(&self, model: &Model, finding: &mut Finding) {
        finding.status = self.status;
        finding.comment.clone_from(&self.comment);
        finding.remarks.clone_from(&self.remarks);
        finding.found.clone_from(&self.found);
        finding.group.clone_from(&self.group);
        finding.assignee.clone_from(&self.assignee);
        let approved = self.approved.as_ref().filter(|_| self.reopened);
        finding.reopened = approved.and_then(|length| length.in_unit(model.unit));
    }

    /// Remembers the finding as it is now.
    fn note(&mut self, model: &Model, finding: &Finding) {
        self.test.clone_from(&finding.test);
        self.kind = Some(finding.kind);
        self.variant.clone_from(&model.variant);
        self.parts = paths(model, &finding.parts);
        self.prints = prints(model, &finding.parts);
        if let Some(distance) = finding.distance.filter(|distance| distance.value.is_finite()) {
            let distance = RecordedLength::new(distance.value, model.unit);
            if self.status == Status::Approved && self.approved.is_none() {
                // Approved in a file that does not say at which distance.
                self.approved = Some(distance.clone());
            }
            self.distance = Some(distance);
        }
        let place = finding.place().map(|place| (place * model.unit.metres()).to_array());
        self.place = place.or(self.place);
    }
}
