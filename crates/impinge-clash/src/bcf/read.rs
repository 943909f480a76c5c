//! What a BCF file says: topics with their statuses and comments. Such files come from other tools and are not trusted: every limit is
//! checked, and every error names the entry and the line.

use super::archive::{Archive, BcfError, shown};
use super::date::Date;
use super::guid::{Of, guid};
use crate::status::Remark;
use roxmltree::{Document, Node, ParsingOptions};

/// Declarations of namespaces in an entry: the parser keeps for each element all that hold for it.
const MOST_NAMESPACES: usize = 100;
/// Comments of a topic that are read.
const MOST_COMMENTS: usize = 1000;

/// What a BCF file holds, as far as it matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The version that it states.
    pub version: String,
    /// The name of its project.
    pub project: Option<String>,
    /// Its topics, in the order of the archive.
    pub topics: Vec<TopicState>,
}

/// A topic and what people decided about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicState {
    /// In lower case.
    pub guid: String,
    /// What it is called.
    pub title: String,
    /// What it says.
    pub description: String,
    /// Where it stands, in the words of the tool that wrote it.
    pub status: Option<String>,
    /// Who is to look after it.
    pub assignee: Option<String>,
    /// What people wrote about it.
    pub comments: Vec<Remark>,
}

/// Reads a BCF file of version 2.0, 2.1 or 3.0; `name` is that of the file, for errors.
pub fn read(bytes: &[u8], name: &str) -> Result<Contents, BcfError> {
    let mut archive = Archive::open(bytes, name)?;
    let names = archive.names();
    let mut contents = Contents::default();
    let find = |wanted: &str| names.iter().find(|(_, entry)| entry == wanted);
    if let Some(entry) = find("bcf.version") {
        let text = archive.text(entry)?;
        let document = parse(&text, name, "bcf.version")?;
        contents.version =
            document.root_element().attribute("VersionId").unwrap_or_default().trim().to_string();
    }
    if !["2.0", "2.1", "3.0"].contains(&contents.version.as_str()) {
        return Err(BcfError(format!(
            "{name}: bcf.version: unknown version \"{}\"; export it as 2.0, 2.1 or 3.0",
            shown(&contents.version)
        )));
    }
    if let Some(entry) = find("project.bcfp") {
        let text = archive.text(entry)?;
        let document = parse(&text, name, "project.bcfp")?;
        let project = document.descendants().find(|node| node.has_tag_name("Project"));
        let words = project.and_then(|project| child(project, "Name")).map(text_of);
        contents.project = words.filter(|name| !name.trim().is_empty());
    }
    for entry in &names {
        let file = entry.1.rsplit(['/', '\\']).next().unwrap_or_default();
        if file.eq_ignore_ascii_case(super::MARKUP_FILE) {
            let text = archive.text(entry)?;
            contents.topics.push(topic(&text, name, &entry.1)?);
        }
    }
    Ok(contents)
}

fn topic(text: &str, name: &str, entry: &str) -> Result<TopicState, BcfError> {
    let document = parse(text, name, entry)?;
    let root = document.root_element();
    let refused = |node: Node<'_, '_>, reason: &str| {
        let place = node.document().text_pos_at(node.range().start);
        BcfError(format!("{name}: {}:{}:{}: {reason}", shown(entry), place.row, place.col))
    };
    let Some(topic) = child(root, "Topic") else {
        return Err(refused(root, "there is no `Topic`"));
    };
    let Some(own) = topic.attribute("Guid").and_then(valid_guid) else {
        return Err(refused(topic, "`Guid` is missing, or not a GUID"));
    };
    let of_child = |name: &'static str| child(topic, name).map(text_of).unwrap_or_default();
    // 2.0 and 2.1 have comments beside the topic, 3.0 in it.
    let inner = child(topic, "Comments");
    let comments = children(root, "Comment")
        .chain(inner.into_iter().flat_map(|list| children(list, "Comment")));
    let status = topic.attribute("TopicStatus").map(str::trim).filter(|status| !status.is_empty());
    Ok(TopicState {
        title: of_child("Title"),
        description: of_child("Description"),
        status: status.map(str::to_string),
        assignee: Some(of_child("AssignedTo").trim().to_string()).filter(|name| !name.is_empty()),
        comments: comments.take(MOST_COMMENTS).filter_map(|node| comment(node, &own)).collect(),
        guid: own,
    })
}

/// A comment; None if it says nothing. Without a GUID or a date of its own it gets one that follows from what it says.
fn comment(node: Node<'_, '_>, topic: &str) -> Option<Remark> {
    let of_child = |name: &'static str| child(node, name).map(text_of).unwrap_or_default();
    let text = of_child("Comment");
    if text.trim().is_empty() {
        return None;
    }
    let author = of_child("Author").trim().to_string();
    let date: Date = of_child("Date").parse().unwrap_or_else(|_| Date::from_unix_seconds(0));
    let own = node.attribute("Guid").and_then(valid_guid);
    Some(Remark {
        guid: own.unwrap_or_else(|| guid(Of::Comment, &format!("{topic} {author} {text}"))),
        author: if author.is_empty() { "unknown".to_string() } else { author },
        date: date.to_string(),
        text,
    })
}

/// A GUID in lower case: 2.1 allows both.
fn valid_guid(text: &str) -> Option<String> {
    let lower = text.trim().to_ascii_lowercase();
    let fits = lower.len() == 36
        && lower.bytes().enumerate().all(|(k, byte)| match k {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    fits.then_some(lower)
}

fn parse<'t>(text: &'t str, name: &str, entry: &str) -> Result<Document<'t>, BcfError> {
    let entry = shown(entry);
    if text.matches("xmlns").nth(MOST_NAMESPACES).is_some() {
        return Err(BcfError(format!(
            "{name}: {entry}: it declares more than {MOST_NAMESPACES} namespaces"
        )));
    }
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        let whole = error.to_string();
        let reason = whole.rsplit_once(" at ").map_or(whole.as_str(), |(reason, _)| reason);
        BcfError(format!(
            "{name}: {entry}:{}:{}: the XML is not well formed: {}",
            place.row,
            place.col,
            shown(reason)
        ))
    })
}

fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// All text directly in an element: sections and comments split it.
fn text_of(node: Node<'_, '_>) -> String {
    node.children().filter(Node::is_text).filter_map(|child| child.text()).collect()
}
