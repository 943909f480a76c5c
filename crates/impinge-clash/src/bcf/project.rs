//! The files at the top of an archive: version, project, and the words that topics use.

use super::guid::{Of, guid};
use super::markup::status_word;
use super::topic::Topic;
use super::xml::Writer;
use super::{Export, TYPE, Version};
use crate::status::Status;
use std::collections::BTreeSet;

/// `bcf.version`.
pub(super) fn version(export: &Export<'_>) -> String {
    let mut xml = Writer::new();
    let attributes = [("VersionId", export.version.name())];
    match export.version {
        Version::V2_1 => xml.open("Version", &attributes).text("DetailedVersion", "2.1"),
        Version::V3_0 => xml.empty("Version", &attributes),
    };
    xml.end()
}

/// `project.bcfp`: the model that was checked.
pub(super) fn project(export: &Export<'_>, name: &str) -> String {
    let id = guid(Of::Project, name);
    let mut xml = Writer::new();
    let attributes = [("ProjectId", id.as_str())];
    let root = match export.version {
        Version::V2_1 => "ProjectExtension",
        Version::V3_0 => "ProjectInfo",
    };
    xml.open(root, &[]).open("Project", &attributes).text_unless_blank("Name", name).close();
    if export.version == Version::V2_1 {
        xml.text("ExtensionSchema", "extensions.xsd");
    }
    xml.end()
}

/// The words for types, statuses, priorities and labels, which tools offer to choose from: the name of the file and its text.
pub(super) fn extensions(export: &Export<'_>, topics: &[Topic<'_>]) -> (&'static str, String) {
    let labels: BTreeSet<&str> =
        topics.iter().flat_map(|topic| topic.labels.iter().map(String::as_str)).collect();
    let lists: [(&str, &'static str, &'static str, Vec<&str>); 5] = [
        ("TopicType", "TopicTypes", "TopicType", vec![TYPE]),
        ("TopicStatus", "TopicStatuses", "TopicStatus", Status::ALL.map(status_word).to_vec()),
        ("Priority", "Priorities", "Priority", vec!["High", "Normal", "Low"]),
        ("TopicLabel", "TopicLabels", "TopicLabel", labels.into_iter().collect()),
        ("UserIdType", "Users", "User", users(export, topics)),
    ];
    let mut xml = Writer::new();
    match export.version {
        Version::V2_1 => {
            xml.open("xs:schema", &[("xmlns:xs", "http://www.w3.org/2001/XMLSchema")]);
            xml.open("xs:redefine", &[("schemaLocation", "markup.xsd")]);
            for (name, _, _, words) in lists {
                xml.open("xs:simpleType", &[("name", name)]);
                xml.open("xs:restriction", &[("base", name)]);
                for word in words {
                    xml.empty("xs:enumeration", &[("value", word)]);
                }
                xml.close().close();
            }
            ("extensions.xsd", xml.end())
        }
        Version::V3_0 => {
            xml.open("Extensions", &[]);
            for (_, list, element, words) in lists {
                xml.open(list, &[]);
                for word in words {
                    xml.text(element, word);
                }
                xml.close();
            }
            ("extensions.xml", xml.end())
        }
    }
}

fn users<'u>(export: &'u Export<'_>, topics: &'u [Topic<'_>]) -> Vec<&'u str> {
    let remarks = topics.iter().flat_map(|topic| &topic.comments);
    let assignees = topics.iter().map(|topic| topic.assignee.as_str());
    let authors = remarks.map(|remark| remark.author.as_str());
    let all: BTreeSet<&str> = authors.chain(assignees).chain([export.author]).collect();
    all.into_iter().filter(|name| !name.trim().is_empty()).collect()
}
