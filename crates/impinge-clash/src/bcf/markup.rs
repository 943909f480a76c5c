//! `markup.bcf`: what a topic says. Elements in the order of the schema (`markup.xsd` of buildingSMART's BCF-XML, 2.1 and 3.0).

use super::topic::Topic;
use super::xml::Writer;
use super::{Export, Version};
use crate::report::Run;
use crate::status::{Remark, Status};
use std::collections::BTreeSet;

/// What people call where a topic stands: our word with a capital letter.
pub(super) fn status_word(status: Status) -> &'static str {
    match status {
        Status::New => "New",
        Status::Active => "Active",
        Status::Reviewed => "Reviewed",
        Status::Approved => "Approved",
        Status::Resolved => "Resolved",
    }
}

/// The text of a topic's `markup.bcf`.
pub(super) fn markup(
    run: &Run<'_>,
    export: &Export<'_>,
    topic: &Topic<'_>,
    index: usize,
) -> String {
    let mut xml = Writer::new();
    xml.open("Markup", &[]);
    header(&mut xml, run, export, topic);
    let status = status_word(topic.status);
    xml.open(
        "Topic",
        &[("Guid", &topic.guid), ("TopicType", super::TYPE), ("TopicStatus", status)],
    );
    xml.text("Title", &topic.title).text("Priority", topic.priority);
    match export.version {
        Version::V2_1 => {
            xml.text("Index", &index.to_string());
            topic.labels.iter().for_each(|label| {
                xml.text("Labels", label);
            });
        }
        Version::V3_0 => {
            xml.open("Labels", &[]);
            topic.labels.iter().for_each(|label| {
                xml.text("Label", label);
            });
            xml.close();
        }
    }
    xml.text("CreationDate", &topic.date).text("CreationAuthor", export.author);
    xml.text("ModifiedDate", export.date.as_str()).text("ModifiedAuthor", export.author);
    xml.text_unless_blank("AssignedTo", &topic.assignee);
    xml.text_unless_blank("Description", &topic.description);
    match export.version {
        Version::V2_1 => {
            xml.close();
            comments(&mut xml, topic);
            viewpoint(&mut xml, "Viewpoints", export, topic);
        }
        Version::V3_0 => {
            xml.open("Comments", &[]);
            comments(&mut xml, topic);
            xml.close().open("Viewpoints", &[]);
            viewpoint(&mut xml, "ViewPoint", export, topic);
            xml.close();
        }
    }
    xml.end()
}

/// The files that the parts of a topic come from.
fn header(xml: &mut Writer, run: &Run<'_>, export: &Export<'_>, topic: &Topic<'_>) {
    let parts = topic.findings.iter().flat_map(|finding| &finding.parts);
    let files: BTreeSet<&str> =
        parts.filter_map(|&part| Some(run.model.parts.get(part)?.file.as_str())).collect();
    let files: Vec<&str> = files.into_iter().filter(|file| !file.trim().is_empty()).collect();
    if files.is_empty() {
        return;
    }
    xml.open("Header", &[]);
    if export.version == Version::V3_0 {
        xml.open("Files", &[]);
    }
    for file in files {
        xml.open("File", &[]).text("Filename", file).close();
    }
    if export.version == Version::V3_0 {
        xml.close();
    }
    xml.close();
}

fn comments(xml: &mut Writer, topic: &Topic<'_>) {
    for Remark { guid, author, date, text } in &topic.comments {
        xml.open("Comment", &[("Guid", guid)]);
        xml.text("Date", date).text("Author", author).text("Comment", text);
        xml.close();
    }
}

fn viewpoint(xml: &mut Writer, name: &'static str, export: &Export<'_>, topic: &Topic<'_>) {
    xml.open(name, &[("Guid", &topic.viewpoint)]).text("Viewpoint", super::VIEWPOINT_FILE);
    if export.picture.is_some() {
        xml.text("Snapshot", super::SNAPSHOT_FILE);
    }
    xml.text("Index", "0").close();
}
