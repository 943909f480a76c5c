//! BCF, the format in which tools for building models pass topics around: 2.1 and 3.0 written and read (`docs/bcf.md`).
//!
//! A finding, or a group of them, becomes a topic with a title, words, a status, comments, a picture and a viewpoint that selects and
//! colours its parts. GUIDs are made of the ids of findings: what is exported again updates what was there. [`read`] takes any BCF
//! file, and [`import`] puts the statuses and comments of topics that are ours into the [`Records`](crate::Records).
//!
//! topic (what it says) → markup, viewpoint (its files) → archive; and back: archive → read → import. The schemas are those of
//! buildingSMART, <https://github.com/buildingSMART/BCF-XML>.

mod archive;
mod date;
mod guid;
mod import;
mod markup;
mod project;
mod read;
mod topic;
mod viewpoint;
mod xml;

pub use archive::{BcfError, write, write_with};
pub use date::Date;
pub use import::{Imported, import};
pub use read::{Contents, TopicState, read};

use std::fmt;
use std::str::FromStr;

/// The type of all our topics.
const TYPE: &str = "Clash";
const MARKUP_FILE: &str = "markup.bcf";
const VIEWPOINT_FILE: &str = "viewpoint.bcfv";
const SNAPSHOT_FILE: &str = "snapshot.png";

/// A version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Version {
    /// 2.1, which most tools read.
    #[default]
    V2_1,
    /// 3.0.
    V3_0,
}

impl Version {
    /// Its number.
    pub fn name(self) -> &'static str {
        match self {
            Self::V2_1 => "2.1",
            Self::V3_0 => "3.0",
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Version {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "2.1" => Ok(Self::V2_1),
            "3.0" | "3" => Ok(Self::V3_0),
            _ => {
                Err(format!("\"{text}\" is not a BCF version that can be written; use 2.1 or 3.0"))
            }
        }
    }
}

/// What becomes a topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Topics {
    /// Each finding.
    #[default]
    Findings,
    /// Each group; findings without one are topics of their own.
    Groups,
}

/// How a BCF file is written. The same run and options give the same bytes.
#[derive(Clone, Debug)]
pub struct Export<'e> {
    /// The version of the format.
    pub version: Version,
    /// What becomes a topic.
    pub topics: Topics,
    /// Who writes it: tools expect an address for mail, and take any name.
    pub author: &'e str,
    /// When.
    pub date: Date,
    /// Width and height of the pictures, in pixels; None for no pictures.
    pub picture: Option<[u32; 2]>,
}

impl Default for Export<'_> {
    fn default() -> Self {
        Self {
            version: Version::default(),
            topics: Topics::default(),
            author: "impinge",
            date: Date::from_unix_seconds(0),
            picture: Some([480, 360]),
        }
    }
}
