//! The command line and its help.

use crate::help::{CHECK, CHECK_FORMAT, EXIT_CODES, QUERY, QUERY_FORMAT, STATUS};
use crate::limits::Limits;
use clap::{Args, Parser, Subcommand, ValueEnum};
use impinge_clash::bcf::Version;
use impinge_clash::group::GroupBy;
use impinge_clash::report::TableOptions;
use impinge_clash::{Kind, Length, Model};
use impinge_io::{RobotGeometry, Unit};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// Exact, fast clash checks, collision and distance queries for 3D models.
///
/// impinge finds parts of an assembly that overlap, come too close, are enclosed by another part or exist twice.
/// Start with `impinge demo`, then run `impinge check MODEL`. See `impinge check --help` for the details.
#[derive(Parser)]
#[command(name = "impinge", version, verbatim_doc_comment, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) limits: Limits,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check a built-in gearbox with planted faults and explain the findings
    Demo(DemoArguments),
    /// Find parts that overlap, come too close, are enclosed or exist twice
    #[command(long_about = CHECK, after_long_help = CHECK_FORMAT)]
    Check(CheckArguments),
    /// List findings, decide about them, or import decisions
    #[command(long_about = STATUS)]
    Status(StatusArguments),
    /// Measure the distance between two models
    Distance(DistanceArguments),
    /// Show what is in a model: unit, extents, parts, mesh health
    Inspect {
        #[command(flatten)]
        model: ModelArguments,
        /// List every part and every faulty mesh
        #[arg(long)]
        parts: bool,
        /// Measure which hierarchy suits the largest parts best on this machine (takes seconds)
        #[arg(long)]
        tune: bool,
        /// Lines in each list; 0 for all
        #[arg(long, value_name = "N", default_value_t = 100)]
        limit: usize,
        /// Hide the reader's notes
        #[arg(short, long)]
        quiet: bool,
    },
    /// Answer collision and distance queries: JSON lines in, JSON lines out
    #[command(long_about = QUERY, after_long_help = QUERY_FORMAT)]
    Query {
        /// The file of queries; standard input if omitted or "-"
        file: Option<PathBuf>,
    },
    /// Moved to the program `impinge-lab`
    #[command(hide = true, disable_help_flag = true)]
    Lab {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Print a shell completion script
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: clap_complete::Shell,
    },
}

/// Which findings, and what is decided about them.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct StatusArguments {
    #[command(subcommand)]
    pub(crate) command: Option<StatusCommand>,
    /// The model that was checked
    #[arg(required = true)]
    pub(crate) model: Option<PathBuf>,
    /// Further models, if several were checked together; ids of findings (a unique prefix is enough); then the new status: new, active, reviewed,
    /// approved or resolved.
    /// Without a status, lists the findings
    #[arg(value_name = "MODEL... ID... [STATUS]")]
    pub(crate) words: Vec<String>,
    /// Only findings of this group, by the name --group gave it in the last check; * and ? are wildcards
    #[arg(long, value_name = "PATTERN")]
    pub(crate) group: Option<String>,
    /// Only findings of this kind
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<Kind>,
    /// Only findings with a part whose path or name matches this pattern
    #[arg(long = "match", value_name = "PATTERN")]
    pub(crate) pattern: Option<String>,
    /// Only findings of this test
    #[arg(long, value_name = "PATTERN")]
    pub(crate) in_test: Option<String>,
    /// All findings that are not resolved
    #[arg(long)]
    pub(crate) all: bool,
    /// Set the comment
    #[arg(long, value_name = "TEXT")]
    pub(crate) comment: Option<String>,
    /// Set the assignee; "" for nobody
    #[arg(long, value_name = "NAME")]
    pub(crate) assign: Option<String>,
    /// Put the findings into a group of your own; "" removes them from it
    #[arg(long, value_name = "NAME")]
    pub(crate) set_group: Option<String>,
    /// Findings that are listed; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) limit: usize,
    /// The decision file. Default: MODEL.impinge.json
    #[arg(long, value_name = "FILE")]
    pub(crate) status_file: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum StatusCommand {
    /// Import statuses, comments and assignees from a BCF file
    Import {
        /// The BCF file: 2.0, 2.1 or 3.0
        file: PathBuf,
        /// The model that was checked. Default: the model named in the file, looked up beside the file and in the current folder
        model: Option<PathBuf>,
        /// The decision file. Default: MODEL.impinge.json
        #[arg(long, value_name = "FILE")]
        status_file: Option<PathBuf>,
    },
    /// Merge the decisions of another reviewer: the newer decision about a finding wins
    Merge {
        /// The model that was checked
        model: PathBuf,
        /// The other reviewer's decision file
        other: PathBuf,
        /// The decision file. Default: MODEL.impinge.json
        #[arg(long, value_name = "FILE")]
        status_file: Option<PathBuf>,
    },
}

/// Which model, and how it is read.
#[derive(Args, Clone)]
pub(crate) struct ModelArguments {
    /// Models (glTF, GLB, STL, OBJ, PLY, OFF, COLLADA, URDF), folders of models, or scene files (TOML)
    #[arg(required = true, value_name = "MODEL")]
    pub(crate) models: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// How models are read.
#[derive(Args, Clone)]
pub(crate) struct ReadingArguments {
    /// The unit of the model's coordinates, overriding the file: um, mm, cm, m, in, ft
    #[arg(long, value_name = "UNIT")]
    pub(crate) unit: Option<Unit>,
    /// Position of a robot joint, in radians or metres; repeatable
    #[arg(long, value_name = "NAME=POSITION", value_parser = joint)]
    pub(crate) joint: Vec<(String, f64)>,
    /// A folder to search for package:// files; repeatable
    #[arg(long, value_name = "FOLDER")]
    pub(crate) package: Vec<PathBuf>,
    /// Let models read files outside of their folders, through "..", absolute paths or links
    #[arg(long)]
    pub(crate) allow_outside: bool,
    /// Use a robot's visual geometry instead of its collision geometry
    #[arg(long)]
    pub(crate) visual: bool,
    /// Read one variant of a scene file; `check` runs all of them otherwise
    #[arg(long, value_name = "NAME")]
    pub(crate) variant: Option<String>,
}

/// What is reported, how and where.
#[derive(Args, Clone)]
pub(crate) struct ReportArguments {
    /// Report format. Default: by the extension of --output, else a table
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the report to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Which findings cause exit code 1: any, none, or kinds such as hard,contained
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "any")]
    pub(crate) fail_on: Vec<FailOn>,
    /// Group findings: none, part, pair, files, or cluster=LENGTH
    #[arg(long, value_name = "HOW", default_value = "none")]
    group: Grouping,
    /// Sort overlaps by this measure
    #[arg(long, value_name = "MEASURE", value_enum, default_value = "penetration")]
    pub(crate) rank: RankBy,
    /// Rows in a table; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Show lengths in this unit in tables and sentences: um, mm, cm, m, in, ft. JSON and CSV keep the model's unit
    #[arg(long, value_name = "UNIT")]
    pub(crate) display_unit: Option<Unit>,
    /// Only decide whether parts overlap: no depths, points, curves or volumes
    #[arg(long)]
    pub(crate) verdicts_only: bool,
    /// Print the report only: no progress, no notes
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// BCF version: 2.1 or 3.0
    #[arg(long, value_name = "VERSION", default_value = "2.1")]
    pub(crate) bcf_version: Version,
    /// What becomes a BCF topic
    #[arg(long, value_enum, value_name = "WHAT", default_value = "finding")]
    pub(crate) bcf_topics: BcfTopics,
    /// Author of BCF topics, for example a mail address
    #[arg(long, value_name = "NAME", default_value = "impinge")]
    pub(crate) bcf_author: String,
    /// Write BCF topics without snapshots: smaller and faster
    #[arg(long)]
    pub(crate) no_pictures: bool,
    /// Number of threads, up to 1024. Default: all processors. Results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Set where limits of time or memory are.
    #[arg(skip)]
    pub(crate) has_limits: bool,
}

/// What the demonstration writes.
#[derive(Args, Clone)]
pub(crate) struct DemoArguments {
    /// Where to write the page with the gearbox in 3D. With --quiet, no page is written unless this is given
    #[arg(long, value_name = "FILE.html")]
    pub(crate) page: Option<PathBuf>,
    /// Also write the gearbox as a model to try other commands on, and its tests beside it, as FILE.tests.toml
    #[arg(long, value_name = "FILE.obj")]
    pub(crate) model: Option<PathBuf>,
    /// Turn the gearbox through one revolution, with three more faults that only show in motion
    #[arg(long)]
    pub(crate) motion: bool,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

/// What is checked, and how.
#[derive(Args, Clone)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// A TOML file of tests and rules. Default: test everything against everything
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) test: Option<PathBuf>,
    /// A TOML file of motions (key frames or joint ranges): report what meets on the way, and when, certified between key frames
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) motion: Option<PathBuf>,
    /// Report gaps below this length, in every test: 5mm, 0.2in, or a number in the model's unit
    #[arg(long, value_name = "LENGTH")]
    pub(crate) clearance: Option<Length>,
    /// Allow overlaps up to this depth, in every test
    #[arg(long, value_name = "LENGTH")]
    pub(crate) tolerance: Option<Length>,
    /// Keep decisions in this file instead of MODEL.impinge.json
    #[arg(long, value_name = "FILE", conflicts_with = "no_status")]
    status_file: Option<PathBuf>,
    /// Do not read or write decisions
    #[arg(long)]
    no_status: bool,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

/// Two models.
#[derive(Args)]
pub(crate) struct DistanceArguments {
    /// A model
    pub(crate) a: PathBuf,
    /// Another model
    pub(crate) b: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    /// Print the result only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The measures by which overlaps are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankBy {
    /// Local penetration: how deep the deepest common point lies
    Penetration,
    /// The shortest translation found that separates the parts
    Separation,
    /// The volume the parts share
    Volume,
}

impl From<RankBy> for impinge_clash::Rank {
    fn from(rank: RankBy) -> Self {
        match rank {
            RankBy::Penetration => Self::Penetration,
            RankBy::Separation => Self::Separation,
            RankBy::Volume => Self::Volume,
        }
    }
}

/// How a report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table to read (.txt)
    Table,
    /// JSON with a versioned schema
    Json,
    /// Comma-separated values
    Csv,
    /// BCF topics with snapshots for other BIM tools (.bcf, .bcfzip)
    Bcf,
    /// A self-contained page with the model in 3D
    Html,
}

/// What becomes a topic of a BCF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BcfTopics {
    /// One topic per finding
    Finding,
    /// One topic per group
    Group,
}

/// Which findings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailOn {
    Any,
    None,
    Kind(Kind),
}

impl FromStr for FailOn {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any" => Ok(Self::Any),
            "none" => Ok(Self::None),
            _ => text.parse().map(Self::Kind),
        }
    }
}

/// How findings are grouped, with a length that has no unit yet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grouping {
    Nothing,
    Part,
    Pair,
    Files,
    Cluster(Length),
}

impl FromStr for Grouping {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("cluster=")) {
            ("none", _) => Ok(Self::Nothing),
            ("part", _) => Ok(Self::Part),
            ("pair", _) => Ok(Self::Pair),
            ("files", _) => Ok(Self::Files),
            (_, Some(length)) => {
                let length = length.parse::<Length>();
                length.map(Self::Cluster).map_err(|error| error.to_string())
            }
            _ => Err("use none, part, pair, files or cluster=LENGTH, for example cluster=20mm"
                .to_string()),
        }
    }
}

/// How many lines a limit allows; 0 stands for all.
pub(crate) fn lines(limit: usize) -> usize {
    if limit == 0 { usize::MAX } else { limit }
}

/// A joint's name and position.
fn joint(text: &str) -> Result<(String, f64), String> {
    let (name, position) =
        text.split_once('=').ok_or("use NAME=POSITION, for example elbow=0.5")?;
    let position: f64 = position.parse().map_err(|_| format!("\"{position}\" is not a number"))?;
    if !position.is_finite() {
        return Err("the position must be finite".to_string());
    }
    Ok((name.to_string(), position))
}

impl ReadingArguments {
    /// For the reader.
    pub(crate) fn options(&self) -> impinge_io::LoadOptions {
        impinge_io::LoadOptions {
            unit: self.unit,
            joints: self.joint.iter().cloned().collect(),
            robot_geometry: if self.visual {
                RobotGeometry::Visual
            } else {
                RobotGeometry::Collision
            },
            packages: self.package.clone(),
            allow_outside: self.allow_outside,
            variant: self.variant.clone(),
        }
    }
}

impl ReportArguments {
    /// The format that was asked for, or that of the file's extension.
    pub(crate) fn format(&self) -> io::Result<Format> {
        let extension = self.output.as_deref().and_then(Path::extension);
        let extension = extension.map(|extension| extension.to_string_lossy().to_lowercase());
        match (self.format, extension.as_deref()) {
            (Some(format), _) => Ok(format),
            (None, Some("json")) => Ok(Format::Json),
            (None, Some("csv")) => Ok(Format::Csv),
            (None, Some("bcf" | "bcfzip")) => Ok(Format::Bcf),
            (None, Some("html" | "htm")) => Ok(Format::Html),
            (None, None | Some("txt" | "text")) => Ok(Format::Table),
            (None, Some(other)) => Err(io::Error::other(format!(
                "--output: unknown extension .{other}; use .html, .json, .csv, .bcf, .bcfzip or .txt, or set --format"
            ))),
        }
    }

    /// How a table looks; colour only on a terminal.
    pub(crate) fn table(&self, colour: bool) -> TableOptions {
        TableOptions { colour, limit: lines(self.limit) }
    }

    /// How findings are grouped, in the unit of the model.
    pub(crate) fn group_by(&self, model: &Model) -> GroupBy {
        match self.group {
            Grouping::Nothing => GroupBy::Nothing,
            Grouping::Part => GroupBy::Part,
            Grouping::Pair => GroupBy::PartPair,
            Grouping::Files => GroupBy::Files,
            Grouping::Cluster(length) => GroupBy::Cluster(length.in_unit(model.unit)),
        }
    }
}

impl CheckArguments {
    /// Where decisions are kept, if they are.
    pub(crate) fn status_path(&self) -> Option<PathBuf> {
        let given = self.status_file.clone();
        let own = || status_path(&self.model.models);
        if self.no_status { None } else { given.or_else(own) }
    }

    /// True if decisions could be kept, had the model a name of its own.
    pub(crate) fn has_nowhere_to_keep_decisions(&self) -> bool {
        !self.no_status && self.status_path().is_none()
    }
}

/// Longer names of decision files for several models are cut.
const LONGEST_NAME: usize = 120;

/// The file beside a model in which decisions are kept; for several models, beside the first. None where there is no good place: devices, `.` and `..`.
pub(crate) fn status_path(models: &[PathBuf]) -> Option<PathBuf> {
    let first = models.first()?;
    if first.starts_with("/dev") || first.starts_with("/proc") {
        return None;
    }
    // `models/` is the folder `models`, and `.` has no name.
    let mut names: Vec<String> = Vec::new();
    for model in models {
        let name = model.components().next_back().and_then(|last| match last {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        names.push(name?);
    }
    if let [name] = names.as_slice() {
        let already = name.ends_with(SUFFIX);
        let name = if already { name.clone() } else { format!("{name}{SUFFIX}") };
        return Some(first.with_file_name(name));
    }
    names.sort_unstable();
    let mut joined = names.join("+");
    if joined.len() > LONGEST_NAME {
        joined = format!("{}+{} more", names[0], names.len() - 1);
    }
    Some(first.with_file_name(format!("{joined}{SUFFIX}")))
}

/// What the names of decision files end with, after that of the model.
pub(crate) const SUFFIX: &str = ".impinge.json";
