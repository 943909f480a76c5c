//! Statuses and comments from elsewhere into the records beside the model.

use super::guid::{Of, guid};
use super::read::{Contents, TopicState};
use crate::record::{Record, Records};
use crate::status::{Remark, Status};
use std::collections::BTreeMap;

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Findings whose status is another now: ids, what it was and what it is.
    pub statuses: Vec<(String, Status, Status)>,
    /// How many comments are new or were changed.
    pub comments: usize,
    /// How many findings have another assignee now.
    pub assignees: usize,
    /// How many topics belong to findings of this model.
    pub known: usize,
    /// The titles of topics that do not.
    pub unknown: Vec<String>,
    /// Statuses whose words are not known: the title of the topic and the word. They change nothing.
    pub unclear: Vec<(String, String)>,
}

/// Takes the statuses and comments of topics into the records.
///
/// A topic about a finding is recognised by its GUID, one about a group by the ids in its description; the status of a group
/// then applies to all its findings if it was changed.
pub fn import(records: &mut Records, contents: &Contents) -> Imported {
    let ids: BTreeMap<String, String> =
        records.findings.keys().map(|id| (guid(Of::Finding, id), id.clone())).collect();
    let mut imported = Imported::default();
    for topic in &contents.topics {
        match ids.get(&topic.guid) {
            Some(id) => {
                imported.known += 1;
                let status = status(topic, &mut imported);
                if let Some(record) = records.findings.get_mut(id) {
                    set(id, record, status, &mut imported);
                    if topic.assignee.is_some() && topic.assignee != record.assignee {
                        record.assignee.clone_from(&topic.assignee);
                        imported.assignees += 1;
                    }
                    for comment in &topic.comments {
                        take(id, record, comment, &mut imported);
                    }
                }
            }
            None => group(records, topic, &mut imported),
        }
    }
    imported
}

fn group(records: &mut Records, topic: &TopicState, imported: &mut Imported) {
    let words = topic.description.lines().filter_map(|line| line.split_whitespace().next());
    let mut listed: Vec<String> =
        words.filter(|word| records.findings.contains_key(*word)).map(str::to_string).collect();
    listed.sort_unstable();
    listed.dedup();
    if listed.is_empty() {
        imported.unknown.push(topic.title.clone());
        return;
    }
    imported.known += 1;
    let status = status(topic, imported);
    // What was exported is the least of all: if it still is, nobody decided anything.
    let before = listed.iter().filter_map(|id| Some(records.findings.get(id)?.status)).min();
    let status = status.filter(|status| Some(*status) != before);
    for id in &listed {
        if let Some(record) = records.findings.get_mut(id) {
            set(id, record, status, imported);
        }
    }
    for comment in &topic.comments {
        // A comment stays with the finding that has it; a new one goes to the first.
        let has = |id: &&String| {
            let record = records.findings.get(*id);
            let known =
                |record: &Record| record.remarks.iter().any(|known| known.guid == comment.guid);
            guid(Of::Comment, id) == comment.guid || record.is_some_and(known)
        };
        let Some(id) = listed.iter().find(has).or(listed.first()) else { continue };
        if let Some(record) = records.findings.get_mut(id) {
            take(id, record, comment, imported);
        }
    }
}

fn set(id: &str, record: &mut Record, status: Option<Status>, imported: &mut Imported) {
    if let Some(status) = status
        && status != record.status
    {
        imported.statuses.push((id.to_string(), record.status, status));
        record.decide(status);
    }
}

/// Our own comment may have been edited; those of others are kept as they are, by their GUIDs. What is missing is not taken for deleted.
fn take(id: &str, record: &mut Record, comment: &Remark, imported: &mut Imported) {
    let known = record.remarks.iter_mut().find(|known| known.guid == comment.guid);
    let changed = if comment.guid == guid(Of::Comment, id) {
        let changed = record.comment != comment.text;
        record.comment.clone_from(&comment.text);
        changed
    } else if let Some(known) = known {
        let changed = known != comment;
        known.clone_from(comment);
        changed
    } else {
        record.remarks.push(comment.clone());
        true
    };
    imported.comments += usize::from(changed);
}

/// The status that a topic states; None if it states none or one that is not known.
fn status(topic: &TopicState, imported: &mut Imported) -> Option<Status> {
    let word = topic.status.as_deref()?;
    let known = status_of(word);
    if known.is_none() {
        imported.unclear.push((topic.title.clone(), word.to_string()));
    }
    known
}

/// Our own words, and those that other tools have. What is closed counts as resolved: if the next check finds it again, it is new.
fn status_of(word: &str) -> Option<Status> {
    let plain: String =
        word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    Some(match plain.as_str() {
        "new" => Status::New,
        "active" | "open" | "opened" | "reopened" | "inprogress" | "assigned" | "ongoing" => {
            Status::Active
        }
        "reviewed" | "inreview" | "review" => Status::Reviewed,
        "approved" | "accepted" | "ignored" | "wontfix" | "rejected" => Status::Approved,
        "resolved" | "closed" | "done" | "fixed" | "solved" => Status::Resolved,
        _ => return None,
    })
}
