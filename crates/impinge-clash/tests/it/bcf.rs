//! BCF files: written, read back, changed elsewhere, damaged.

use crate::boxes::{Block, model};
use impinge_clash::bcf::{Date, Export, Topics, Version, import, read, write};
use impinge_clash::report::Run;
use impinge_clash::{CheckOptions, Comparison, Model, Outcome, Plan, Records, Status, check};
use std::io::{Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

const TESTS: &str = "[[test]]\nname = \"all & <everything>\"\nclearance = 0.15";

/// A row of boxes: two in each other, one inside, one close.
const ROW: [Block<'static>; 5] = [
    ("a", [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
    ("b", [0.9, 0.0, 0.0], [2.0, 1.0, 1.0]),
    ("2O2Fr$t4X7Zf8NOew3FNr2", [1.4, 0.4, 0.4], [1.6, 0.6, 0.6]),
    ("d", [2.1, 0.0, 0.0], [3.0, 1.0, 1.0]),
    ("e", [5.0, 0.0, 0.0], [6.0, 1.0, 1.0]),
];

/// A model, what was found in it, and what is remembered.
pub(crate) struct Sides {
    pub(crate) model: Model,
    pub(crate) plan: Plan,
    pub(crate) outcome: Outcome,
    pub(crate) comparison: Comparison,
    pub(crate) records: Records,
}

pub(crate) fn export(version: Version) -> Export<'static> {
    let date = Date::from_unix_seconds(1_800_000_000);
    Export {
        version,
        author: "anna@example.org",
        date,
        picture: Some([120, 90]),
        ..Export::default()
    }
}

impl Sides {
    pub(crate) fn new() -> Self {
        let model = model(&ROW);
        let plan = Plan::parse(TESTS, "tests.toml").unwrap();
        let mut sides = Self {
            model,
            plan,
            outcome: Outcome::default(),
            comparison: Comparison::default(),
            records: Records::default(),
        };
        sides.check_again();
        assert_eq!(sides.outcome.findings.len(), 3);
        sides
    }

    pub(crate) fn check_again(&mut self) {
        self.outcome = check(&self.model, &self.plan, &CheckOptions::default());
        self.comparison = self.records.take(&self.model, &mut self.outcome);
        self.records.date(&mut self.outcome, &Date::from_unix_seconds(1_700_000_000));
    }

    pub(crate) fn exported(&self, export: &Export<'_>) -> Vec<u8> {
        let Self { model, plan, outcome, comparison, .. } = self;
        write(&Run { model, name: "row.obj", plan, outcome, comparison }, export).unwrap()
    }
}

/// The entries of an archive.
fn entries(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let read = |k: usize| {
        let mut file = archive.by_index(k).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        (file.name().unwrap().into_owned(), content)
    };
    (0..count).map(read).collect()
}

fn packed(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The archive with a text replaced in every entry.
fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let mut list = entries(bytes);
    for (name, content) in &mut list {
        if name.ends_with(".bcf") {
            let text = String::from_utf8(std::mem::take(content)).unwrap();
            *content = text.replace(from, to).into_bytes();
        }
    }
    packed(&list)
}

#[test]
fn what_is_exported_again_updates() {
    for version in [Version::V2_1, Version::V3_0] {
        let mut sides = Sides::new();
        let bytes = sides.exported(&export(version));
        assert_eq!(bytes, sides.exported(&export(version)), "the same bytes for the same run");
        let first = read(&bytes, "first").unwrap();
        assert_eq!(
            (first.version.as_str(), first.project.as_deref()),
            (version.name(), Some("row.obj"))
        );
        assert!(first.topics.iter().all(|topic| topic.status.as_deref() == Some("New")));
        assert!(
            first.topics[0].title.starts_with("Clash: boxes/a × boxes/b, 0.1 m"),
            "{}",
            first.topics[0].title
        );

        let id = sides.outcome.findings[0].id.clone();
        sides.records.set(&id, Status::Approved, Some("press fit")).unwrap();
        sides.check_again();
        let later = Export { date: Date::from_unix_seconds(1_900_000_000), ..export(version) };
        let bytes = sides.exported(&later);
        let second = read(&bytes, "second").unwrap();
        let guids = |contents: &impinge_clash::bcf::Contents| {
            contents.topics.iter().map(|topic| topic.guid.clone()).collect::<Vec<_>>()
        };
        assert_eq!(guids(&first), guids(&second));
        assert_eq!(second.topics[0].status.as_deref(), Some("Approved"));
        assert_eq!(second.topics[1].status.as_deref(), Some("Active"));
        assert_eq!(second.topics[0].comments[0].text, "press fit");
        let (_, markup) =
            entries(&bytes).into_iter().find(|(name, _)| name.ends_with("markup.bcf")).unwrap();
        let markup = String::from_utf8(markup).unwrap();
        assert!(markup.contains("<CreationDate>2023-11-14T22:13:20Z</CreationDate>"), "{markup}");
        assert!(markup.contains("all &amp; &lt;everything&gt;"), "{markup}");
        let views = entries(&bytes).into_iter().filter(|(name, _)| name.ends_with(".bcfv"));
        let views: Vec<String> = views.map(|(_, text)| String::from_utf8(text).unwrap()).collect();
        assert!(views.iter().any(|view| view.contains("IfcGuid=\"2O2Fr$t4X7Zf8NOew3FNr2\"")));
        // Nothing was decided since: nothing changes.
        let before = sides.records.clone();
        let imported = import(&mut sides.records, &second);
        assert_eq!((imported.known, imported.statuses.len(), imported.comments), (3, 0, 0));
        assert_eq!(sides.records, before);
    }
}

/// The GUID of the topic about each pair of parts.
fn guids(sides: &Sides) -> std::collections::BTreeMap<Vec<usize>, String> {
    let contents = read(&sides.exported(&export(Version::V2_1)), "guids").unwrap();
    let findings = sides.outcome.findings.iter().map(|finding| finding.parts.clone());
    findings.zip(contents.topics.into_iter().map(|topic| topic.guid)).collect()
}

#[test]
fn guids_outlive_other_tests_moved_and_renamed_parts() {
    let mut sides = Sides::new();
    let first = guids(&sides);
    let same = |sides: &Sides, note: &str| {
        let now = guids(sides);
        assert_eq!(now.len(), 3, "{note}");
        assert_eq!(now, first, "{note}");
    };
    let id = sides.outcome.findings[0].id.clone();
    sides.records.set(&id, Status::Approved, Some("press fit")).unwrap();
    sides.check_again();
    same(&sides, "decided");
    sides.plan = Plan::parse(
        "[[test]]\nname = \"near\"\nkinds = [\"clearance\"]\nclearance = 0.3\n[[test]]\nname = \"rest\"\ntolerance = 0.05",
        "other.toml",
    )
    .unwrap();
    sides.check_again();
    same(&sides, "other tests");
    let mut row = ROW;
    row[0] = ("a", [-0.04, 0.1, 0.0], [0.96, 1.1, 1.0]);
    sides.model = model(&row);
    sides.check_again();
    same(&sides, "moved");
    row[0].0 = "bracket";
    sides.model = model(&row);
    sides.check_again();
    same(&sides, "renamed");
}

#[test]
fn decisions_come_back() {
    for version in [Version::V2_1, Version::V3_0] {
        let mut sides = Sides::new();
        let id = sides.outcome.findings[0].id.clone();
        sides.records.set(&id, Status::Active, Some("press fit?")).unwrap();
        sides.check_again();
        let bytes = sides.exported(&export(version));
        let changed = replaced(&bytes, "TopicStatus=\"Active\"", "TopicStatus=\"In Review\"");
        let changed = replaced(&changed, "press fit?", "press fit, yes");
        let changed = replaced(&changed, "boxes/b", "boxes/B");
        let imported = import(&mut sides.records, &read(&changed, "changed").unwrap());
        assert_eq!(imported.statuses.len(), 3, "{imported:?}");
        assert!(imported.statuses.iter().all(|(.., to)| *to == Status::Reviewed));
        assert_eq!(sides.records.findings[&id].comment, "press fit, yes");
        // A word that is not known is told and changes nothing.
        let odd = replaced(&bytes, "TopicStatus=\"Active\"", "TopicStatus=\"Vielleicht\"");
        let imported = import(&mut sides.records, &read(&odd, "odd").unwrap());
        assert_eq!((imported.unclear.len(), imported.statuses.len()), (3, 0));
        // Topics of somebody else are told and change nothing.
        let mut others = Records::default();
        let imported = import(&mut others, &read(&bytes, "ours").unwrap());
        assert_eq!((imported.known, imported.unknown.len()), (0, 3));
        assert_eq!(others, Records::default());
    }
}

#[test]
fn a_group_is_one_topic_and_decides_for_all() {
    let mut sides = Sides::new();
    impinge_clash::group::group(
        &sides.model,
        &mut sides.outcome,
        impinge_clash::group::GroupBy::Part,
    );
    let options = Export { topics: Topics::Groups, ..export(Version::V3_0) };
    let bytes = sides.exported(&options);
    let contents = read(&bytes, "groups").unwrap();
    let names: std::collections::BTreeSet<_> =
        sides.outcome.findings.iter().map(|finding| finding.group.clone()).collect();
    assert_eq!(contents.topics.len(), names.len());
    assert!(contents.topics.len() < 3);
    let same = import(&mut sides.records, &contents);
    assert_eq!(same.statuses, []);
    let changed = replaced(&bytes, "TopicStatus=\"New\"", "TopicStatus=\"Approved\"");
    let imported = import(&mut sides.records, &read(&changed, "changed").unwrap());
    assert_eq!((imported.known, imported.statuses.len()), (contents.topics.len(), 3));
    assert!(sides.records.findings.values().all(|record| record.status == Status::Approved));
}

#[test]
fn bombs_and_damage_are_refused_with_their_place() {
    let bytes = Sides::new().exported(&export(Version::V2_1));
    let list = entries(&bytes);
    let with = |name: &str, content: &[u8]| {
        let mut list = list.clone();
        list.push((name.to_string(), content.to_vec()));
        read(&packed(&list), "file.bcfzip").unwrap_err().to_string()
    };
    let zeros = vec![b' '; 64 << 20];
    let bomb = with("x/markup.bcf", &zeros);
    assert!(bomb.starts_with("file.bcfzip: x/markup.bcf: it unpacks to more than"), "{bomb}");
    for (content, expected) in [
        (&b"<Markup><Topic Guid=\"1\"/></Markup>"[..], "x/markup.bcf:1:9: `Guid` is missing"),
        (b"<Markup>\n <Header/></Markup>", "x/markup.bcf:1:1: there is no `Topic`"),
        (b"<Markup>\n <Topic></Other></Markup>", "x/markup.bcf:2:"),
        (
            b"<!DOCTYPE a [<!ENTITY b \"c\">]><Markup/>",
            "x/markup.bcf:1:1: the XML is not well formed",
        ),
        (b"<Markup>\xff</Markup>", "x/markup.bcf: byte 8 is not UTF-8"),
    ] {
        let error = with("x/markup.bcf", content);
        assert!(error.contains(expected), "{error}");
    }
    assert!(read(b"", "empty").unwrap_err().to_string().contains("not a BCF file"));
    let old = vec![("bcf.version".to_string(), b"<Version VersionId=\"1.0\"/>".to_vec())];
    assert!(
        read(&packed(&old), "old").unwrap_err().to_string().contains("unknown version \"1.0\"")
    );

    // Cut anywhere, or with any byte changed, it is read or refused.
    let small = packed(
        &list.iter().filter(|(name, _)| !name.ends_with(".png")).cloned().collect::<Vec<_>>(),
    );
    for end in (0..small.len()).step_by(97) {
        let _ = read(&small[..end], "cut");
    }
    for place in (0..small.len()).step_by(13) {
        let mut changed = small.clone();
        changed[place] ^= 0x55;
        let _ = read(&changed, "changed");
    }
}

/// Of two entries of one name some tools show the first and some the last: such an archive is refused.
#[test]
fn an_entry_that_is_there_twice_is_refused() {
    let archive = |names: [&str; 2]| {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let entries = [("bcf.version", r#"<Version VersionId="2.1"/>"#)];
        let guids =
            ["0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"];
        let markups = guids.map(|guid| format!("<Markup><Topic Guid=\"{guid}\"/></Markup>"));
        let topics = names.into_iter().zip(markups.iter().map(String::as_str));
        for (name, text) in entries.into_iter().chain(topics) {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    };
    let apart = archive(["x/markup.bcf", "y/markup.bcf"]);
    assert_eq!(read(&apart, "f").unwrap().topics.len(), 2);
    // The writer refuses names that are there, so that one is changed afterwards; so is the case of letters.
    for other in [b"x/markup.bcf", b"X/MARKUP.bcf"] {
        let mut twice = apart.clone();
        for start in 0..twice.len() - other.len() {
            if twice[start..].starts_with(b"y/markup.bcf") {
                twice[start..start + other.len()].copy_from_slice(other);
            }
        }
        let error = read(&twice, "f").unwrap_err().to_string();
        assert!(error.contains("exists twice"), "{error}");
    }
}
