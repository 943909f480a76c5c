//! The archive: written with the same bytes for the same content, and read with limits, since it may come from anywhere.

use super::topic::{Topic, topics};
use super::{Export, MARKUP_FILE, SNAPSHOT_FILE, VIEWPOINT_FILE, markup, project, viewpoint};
use crate::picture;
use crate::report::Run;
use impinge::tree::parallel;
use std::collections::HashSet;
use std::fmt;
use std::io::{Cursor, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Pictures that are in memory at a time.
const AT_ONCE: usize = 64;
/// Entries of an archive that is read.
const MOST_ENTRIES: usize = 200_000;
/// Bytes of an entry that is read, as they come out: markup is some kilobytes.
const LARGEST_ENTRY: u64 = 4 << 20;
/// Bytes of all of them.
const LARGEST_SUM: u64 = 256 << 20;

/// Why a BCF file was refused, or not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BcfError(pub(super) String);

impl fmt::Display for BcfError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for BcfError {}

/// A run as the bytes of a BCF file.
///
/// ```
/// use impinge_clash::report::Run;
/// use impinge_clash::{Model, CheckOptions, Plan, Records, bcf, check};
/// use impinge_io::{SceneFormat, parse_scene};
/// let text = b"o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no right\nv 0 0 -1\nv 1 0 1\nv 0 1 1\nf 4 5 6\n";
/// let scene = parse_scene(text, SceneFormat::Obj, "pair.obj", &impinge_io::LoadOptions::default())?;
/// let (model, plan) = (Model::new(&scene), Plan::parse("[[test]]\nname = \"all\"", "tests.toml")?);
/// let mut outcome = check(&model, &plan, &CheckOptions::default());
/// let mut records = Records::default();
/// let comparison = records.take(&model, &mut outcome);
/// let run = Run { model: &model, name: "pair.obj", plan: &plan, outcome: &outcome, comparison: &comparison };
/// let export = bcf::Export { author: "anna@example.org", picture: Some([160, 120]), ..bcf::Export::default() };
/// let bytes = bcf::write(&run, &export)?;
/// let contents = bcf::read(&bytes, "pair.bcfzip")?;
/// assert_eq!(contents.topics[0].status.as_deref(), Some("New"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(run: &Run<'_>, export: &Export<'_>) -> Result<Vec<u8>, BcfError> {
    write_with(run, export, &|_, _| {})
}

/// Like [`write()`], and tells how many topics are done, and of how many, from any thread.
pub fn write_with(
    run: &Run<'_>,
    export: &Export<'_>,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Vec<u8>, BcfError> {
    if export.author.trim().is_empty() {
        return Err(BcfError("the author of a BCF file must have a name".to_string()));
    }
    let topics = topics(run, export);
    let done = AtomicUsize::new(0);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let text = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(1));
    // Pictures are compressed already.
    let plain = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut add = |name: &str, bytes: &[u8], options: SimpleFileOptions| {
        let done = zip.start_file(name, options).and_then(|()| Ok(zip.write_all(bytes)?));
        done.map_err(|error| BcfError(format!("cannot write {name}: {error}")))
    };
    add("bcf.version", project::version(export).as_bytes(), text)?;
    add("project.bcfp", project::project(export, run.name).as_bytes(), text)?;
    let (name, words) = project::extensions(export, &topics);
    add(name, words.as_bytes(), text)?;
    for (chunk, list) in topics.chunks(AT_ONCE).enumerate() {
        let views = parallel::tasks(list.len(), |k| {
            let view = view(run, export, &list[k]);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, topics.len());
            view
        });
        for (k, (topic, (viewpoint, picture))) in list.iter().zip(views).enumerate() {
            let markup = markup::markup(run, export, topic, chunk * AT_ONCE + k);
            let folder = &topic.guid;
            add(&format!("{folder}/{MARKUP_FILE}"), markup.as_bytes(), text)?;
            add(&format!("{folder}/{VIEWPOINT_FILE}"), viewpoint.as_bytes(), text)?;
            if let Some(picture) = picture {
                add(&format!("{folder}/{SNAPSHOT_FILE}"), &picture, plain)?;
            }
        }
    }
    let bytes =
        zip.finish().map_err(|error| BcfError(format!("cannot write the archive: {error}")))?;
    Ok(bytes.into_inner())
}

/// The viewpoint of a topic and its picture.
fn view(run: &Run<'_>, export: &Export<'_>, topic: &Topic<'_>) -> (String, Option<Vec<u8>>) {
    let [width, height] = export.picture.unwrap_or([4, 3]).map(|side| side.max(1));
    let aspect = f64::from(width) / f64::from(height);
    let camera = picture::camera_of(run.model, &topic.findings, aspect);
    let viewpoint = viewpoint::viewpoint(run.model, export, topic, &camera, aspect);
    let picture = export.picture.map(|[width, height]| {
        picture::from(run.model, &topic.findings, &camera, width, height).png()
    });
    (viewpoint, picture)
}

/// An archive that is read.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    name: &'a str,
    /// How many bytes may still come out.
    left: u64,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8], name: &'a str) -> Result<Self, BcfError> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            BcfError(format!("{name}: not a BCF file (a zip archive): {error}; export it again"))
        })?;
        if zip.len() > MOST_ENTRIES {
            return Err(BcfError(format!(
                "{name}: {} entries exceed the limit of {MOST_ENTRIES}",
                zip.len()
            )));
        }
        if let Some(entry) = named_twice(bytes, zip.central_directory_start()) {
            return Err(BcfError(format!(
                "{name}: the entry {} exists twice, and tools differ in which one they show: export it again",
                shown(&entry)
            )));
        }
        Ok(Self { zip, name, left: LARGEST_SUM })
    }

    /// The names of all entries, by their number; those that are no text are left out.
    pub(super) fn names(&self) -> Vec<(usize, String)> {
        let names = self.zip.file_names().enumerate();
        names.filter_map(|(index, name)| Some((index, name.ok()?.into_owned()))).collect()
    }

    /// The text of an entry. What its header says about its size is not believed: bytes are counted as they come out.
    pub(super) fn text(&mut self, (index, entry): &(usize, String)) -> Result<String, BcfError> {
        let name = self.name;
        let refused = |reason: String| BcfError(format!("{name}: {}: {reason}", shown(entry)));
        let file = self.zip.by_index(*index);
        let file = file.map_err(|error| refused(format!("it cannot be unpacked: {error}")))?;
        let most = LARGEST_ENTRY.min(self.left);
        let mut bytes = Vec::new();
        let read = file.take(most + 1).read_to_end(&mut bytes);
        let count = read.map_err(|error| {
            refused(format!("it is damaged after {} bytes: {error}", bytes.len()))
        })? as u64;
        if count > most {
            return Err(refused(format!(
                "it unpacks to more than {most} bytes, more than any topic needs"
            )));
        }
        self.left -= count;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
        String::from_utf8(bytes).map_err(|error| {
            refused(format!("byte {} is not UTF-8 text", error.utf8_error().valid_up_to()))
        })
    }
}

/// The first entry of the central directory whose name an earlier one has; letters count as one in either case, as they do in folders of some systems. The
/// reader of archives keeps the last one of a name (APPNOTE.TXT 6.3.10, section 4.3.12, has the layout).
fn named_twice(bytes: &[u8], start: u64) -> Option<String> {
    const SIGNATURE: &[u8] = b"PK\x01\x02";
    const FIXED: usize = 46;
    let mut rest = bytes.get(usize::try_from(start).ok()?..)?;
    let mut seen = HashSet::new();
    while rest.len() >= FIXED && rest.starts_with(SIGNATURE) {
        let length = |at: usize| usize::from(u16::from_le_bytes([rest[at], rest[at + 1]]));
        let (name, more) = (length(28), length(30) + length(32));
        let entry = rest.get(FIXED..FIXED + name)?.to_ascii_lowercase();
        if !seen.insert(entry.clone()) {
            return Some(String::from_utf8_lossy(&entry).into_owned());
        }
        rest = rest.get(FIXED + name + more..)?;
    }
    None
}

/// The name of an entry, fit for a terminal.
pub(super) fn shown(entry: &str) -> String {
    entry.chars().filter(|c| !c.is_control()).take(120).collect()
}
