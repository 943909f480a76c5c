//! The command line and its help.

use clap::{Args, Parser, Subcommand, ValueEnum};
use impinge_clash::bcf::Version;
use impinge_clash::group::GroupBy;
use impinge_clash::{Kind, Length, Model, Status};
use impinge_io::{RobotGeometry, Unit};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What touches what, where, how deep, and how close the rest is.
///
/// impinge checks assemblies for parts that hit each other, come too close, hide inside something else or are
/// there twice. Start with `impinge demo`, then `impinge check MODEL`; `impinge check --help` explains the rest.
#[derive(Parser)]
#[command(name = "impinge", version, verbatim_doc_comment, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check a built-in gearbox with planted faults and explain what is found
    Demo(DemoArguments),
    /// Find what hits, comes too close, hides inside or is there twice
    #[command(long_about = CHECK, after_long_help = CHECK_FORMAT)]
    Check(CheckArguments),
    /// Decide about findings: list them, set the status of one, or take over what a BCF file says
    Status(StatusArguments),
    /// The distance between two models, and where it is
    Distance(DistanceArguments),
    /// What is in a model: unit, extents, parts, the health of its meshes
    Inspect {
        #[command(flatten)]
        model: ModelArguments,
        /// List every part, and all meshes that are not sound
        #[arg(long)]
        parts: bool,
        /// Say which hierarchy would serve the largest parts best on this machine, and why; takes some seconds
        #[arg(long)]
        tune: bool,
        /// Leave out the reader's notes
        #[arg(short, long)]
        quiet: bool,
    },
    /// Answer questions about pairs of shapes and meshes: JSON lines in, JSON lines out
    #[command(long_about = QUERY, after_long_help = QUERY_FORMAT)]
    Query {
        /// The file with the questions; standard input if it is left out or "-"
        file: Option<PathBuf>,
    },
    /// Moved to the program `impinge-lab`
    #[command(hide = true, disable_help_flag = true)]
    Lab {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Print a script that completes commands and options in a shell
    Completions {
        /// bash, zsh, fish, elvish or powershell
        shell: clap_complete::Shell,
    },
}

/// Which decisions, and what about them.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct StatusArguments {
    #[command(subcommand)]
    pub(crate) command: Option<StatusCommand>,
    /// The model that was checked
    #[arg(required = true)]
    pub(crate) model: Option<PathBuf>,
    /// The id of the finding, or its beginning; without it all are listed
    #[arg(requires = "status")]
    pub(crate) id: Option<String>,
    /// new, active, reviewed, approved or resolved
    pub(crate) status: Option<Status>,
    /// A remark to keep with it
    #[arg(long, requires = "status")]
    pub(crate) comment: Option<String>,
    /// The file of the records, if it is not beside the model
    #[arg(long, value_name = "FILE")]
    pub(crate) status_file: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum StatusCommand {
    /// Take over the statuses and comments of a BCF file, from `check --format bcf` and changed elsewhere
    Import {
        /// The BCF file, 2.0, 2.1 or 3.0
        file: PathBuf,
        /// The model that was checked; if left out, the one that the file names, beside the file or in the current folder
        model: Option<PathBuf>,
        /// The file of the records, if it is not beside the model
        #[arg(long, value_name = "FILE")]
        status_file: Option<PathBuf>,
    },
}

/// Which model, and how it is read.
#[derive(Args, Clone)]
pub(crate) struct ModelArguments {
    /// A model (glTF, GLB, STL, OBJ, PLY, OFF, COLLADA, URDF), a folder of them, or a scene file (TOML)
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// How models are read.
#[derive(Args, Clone)]
pub(crate) struct ReadingArguments {
    /// The unit of the model's coordinates, against what the file says: um, mm, cm, m, in, ft
    #[arg(long, value_name = "UNIT")]
    pub(crate) unit: Option<Unit>,
    /// The position of a robot's joint, in radians or metres; may be repeated
    #[arg(long, value_name = "NAME=POSITION", value_parser = joint)]
    pub(crate) joint: Vec<(String, f64)>,
    /// A folder that package:// is looked up in; may be repeated
    #[arg(long, value_name = "FOLDER")]
    pub(crate) package: Vec<PathBuf>,
    /// Take a robot's geometry for display instead of that for collisions
    #[arg(long)]
    pub(crate) visual: bool,
}

/// What is reported, how and where.
#[derive(Args, Clone)]
pub(crate) struct ReportArguments {
    /// How the report looks; if left out, the extension of --output tells, else a table
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the report to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Which findings make the exit code 1: any, none, or kinds such as hard,contained
    #[arg(long, value_name = "KINDS", value_delimiter = ',', default_value = "any")]
    pub(crate) fail_on: Vec<FailOn>,
    /// Put findings into groups: none, part, pair, or cluster=LENGTH
    #[arg(long, value_name = "HOW", default_value = "none")]
    group: Grouping,
    /// Which overlaps come first: by the deepest common point, by the way that frees the parts, or by the room that they share
    #[arg(long, value_name = "MEASURE", value_enum, default_value = "penetration")]
    pub(crate) rank: RankBy,
    /// Say only whether parts meet: no depths, points, curves or volumes
    #[arg(long)]
    pub(crate) verdicts_only: bool,
    /// No progress, no notes: only the report
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// The version of a BCF file: 2.1 or 3.0
    #[arg(long, value_name = "VERSION", default_value = "2.1")]
    pub(crate) bcf_version: Version,
    /// What becomes a topic of a BCF file
    #[arg(long, value_enum, value_name = "WHAT", default_value = "finding")]
    pub(crate) bcf_topics: BcfTopics,
    /// Who a BCF file is from, such as an address for mail
    #[arg(long, value_name = "NAME", default_value = "impinge")]
    pub(crate) bcf_author: String,
    /// How many threads to use; all processors if left out. The result is the same
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// What the demonstration writes.
#[derive(Args, Clone)]
pub(crate) struct DemoArguments {
    /// Where the page with the gearbox in 3D is written; with --quiet only if this is given
    #[arg(long, value_name = "FILE.html")]
    pub(crate) page: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

/// What is checked, and how.
#[derive(Args, Clone)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// The tests and rules, in TOML; without it everything is tested against everything
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) test: Option<PathBuf>,
    /// Report gaps below this, in every test: 5mm, 0.2in, or a number in the model's unit
    #[arg(long, value_name = "LENGTH")]
    pub(crate) clearance: Option<Length>,
    /// Overlaps up to this depth are not clashes, in every test
    #[arg(long, value_name = "LENGTH")]
    pub(crate) tolerance: Option<Length>,
    /// Where decisions are kept, if not in MODEL.impinge.json
    #[arg(long, value_name = "FILE", conflicts_with = "no_status")]
    status_file: Option<PathBuf>,
    /// Neither read nor write decisions
    #[arg(long)]
    no_status: bool,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

/// Two models.
#[derive(Args)]
pub(crate) struct DistanceArguments {
    /// One model
    pub(crate) a: PathBuf,
    /// The other
    pub(crate) b: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    /// Only the distance
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The measures by which overlaps are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankBy {
    /// The deepest common point: the local penetration
    Penetration,
    /// The shortest translation found that frees the parts
    Separation,
    /// The room that the parts share
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
    /// For people
    Table,
    /// For programs; the schema is versioned
    Json,
    /// For spreadsheets
    Csv,
    /// For other tools, as topics with pictures: an archive, which --output names
    Bcf,
    /// A page with the model in 3D, to open in a browser, without a network
    Html,
}

/// What becomes a topic of a BCF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BcfTopics {
    /// Each finding
    Finding,
    /// Each group that --group or people made
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
    Cluster(Length),
}

impl FromStr for Grouping {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("cluster=")) {
            ("none", _) => Ok(Self::Nothing),
            ("part", _) => Ok(Self::Part),
            ("pair", _) => Ok(Self::Pair),
            (_, Some(length)) => {
                let length = length.parse::<Length>();
                length.map(Self::Cluster).map_err(|error| error.to_string())
            }
            _ => {
                Err("there are none, part, pair and cluster=LENGTH, such as cluster=20mm"
                    .to_string())
            }
        }
    }
}

/// A joint's name and position.
fn joint(text: &str) -> Result<(String, f64), String> {
    let (name, position) = text.split_once('=').ok_or("write NAME=POSITION, such as elbow=0.5")?;
    let position: f64 = position.parse().map_err(|_| format!("\"{position}\" is not a number"))?;
    if !position.is_finite() {
        return Err("a position is a finite number".to_string());
    }
    Ok((name.to_string(), position))
}

impl ReadingArguments {
    /// For the reader.
    pub(crate) fn options(&self) -> impinge_io::Options {
        impinge_io::Options {
            unit: self.unit,
            joints: self.joint.iter().cloned().collect(),
            robot_geometry: if self.visual {
                RobotGeometry::Visual
            } else {
                RobotGeometry::Collision
            },
            packages: self.package.clone(),
        }
    }
}

impl ReportArguments {
    /// The format that was asked for, or that the file's extension tells.
    pub(crate) fn format(&self) -> Format {
        let extension = self.output.as_deref().and_then(Path::extension);
        self.format.unwrap_or(match extension.and_then(|extension| extension.to_str()) {
            Some("json") => Format::Json,
            Some("csv") => Format::Csv,
            Some("bcf" | "bcfzip") => Format::Bcf,
            Some("html" | "htm") => Format::Html,
            _ => Format::Table,
        })
    }

    /// How findings are grouped, in the unit of the model.
    pub(crate) fn group_by(&self, model: &Model) -> GroupBy {
        match self.group {
            Grouping::Nothing => GroupBy::Nothing,
            Grouping::Part => GroupBy::Part,
            Grouping::Pair => GroupBy::PartPair,
            Grouping::Cluster(length) => GroupBy::Cluster(length.in_unit(model.unit)),
        }
    }
}

impl CheckArguments {
    /// Where decisions are kept, if they are.
    pub(crate) fn status_path(&self) -> Option<PathBuf> {
        let given = self.status_file.clone();
        (!self.no_status).then(|| given.unwrap_or_else(|| status_path(&self.model.model)))
    }
}

/// The file beside a model in which decisions are kept.
pub(crate) fn status_path(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".impinge.json");
    name.into()
}

const EXIT_CODES: &str = "\
Exit codes: 0 nothing was found, or all is well; 1 something was found; 2 it failed: wrong arguments,
unreadable input, nothing to check, interrupted, or a query line that was refused.";

const CHECK: &str = "\
Finds the parts of a model that hit each other, come too close, hide inside something else or are
there twice, and says where and by how much.

  impinge check gearbox.glb                          everything against everything
  impinge check gearbox.glb --clearance 0.5mm        and gaps below half a millimetre
  impinge check gearbox.glb --tolerance 10um         overlaps up to ten micrometres are meant
  impinge check plant.glb --test tests.toml -o report.json
  impinge check plant.glb -o report.bcfzip            topics for other tools; docs/bcf.md
  impinge check plant.glb --output report.html       a page to look at, with the model in 3D
  impinge status gearbox.glb 3f2a approved --comment \"press fit\"
  impinge status import report.bcfzip plant.glb       what was decided there

Closed meshes are solids and are decided exactly; an open mesh is a surface. Tolerance and clearance
are two things: the tolerance is how deep an overlap may be before it is a clash, the clearance how
narrow a gap may be before it is a finding. Without a tolerance overlaps count that are deeper than
what rounding to 24 bits makes of flush parts, 2^-22 of the largest coordinate. Gaps are exact; the depth of an overlap is a bound: the
length of a movement that was tried and parts the two.

Decisions live in MODEL.impinge.json beside the model and survive the next run: a finding keeps its
id as long as its test and parts keep their names, or their shape and place.";

const CHECK_FORMAT: &str = r#"A file of tests (TOML):
  [[test]]
  name = "rotating against housing"     # in reports, and part of the ids of findings
  kinds = ["hard", "contained", "duplicate", "clearance"]   # these if left out; also "touching"
  a = "rotating/*"                      # one side; everything if left out
  b = ["housing/*", "material:iron"]    # the other side; A among itself if left out
  tolerance = "10um"
  clearance = "0.5mm"

  [[rule]]                              # hides findings, and the report says which
  name = "threads"
  reason = "threads are drawn as full cylinders"
  a = "*bolt*"
  b = "*nut*"
  max_depth = "0.8mm"                   # deeper ones are shown
  kinds = ["hard"]                      # and test = "..." narrow it further

Patterns have * and ?, regardless of case, and are compared with the path of a part and with its name;
file:, name:, path:, material:, party: and property:KEY=VALUE ask for something else. A set may also be
{ include = [...], exclude = [...] }.

Ctrl-C ends the check; what was found by then is written and marked as partial."#;

const QUERY: &str = "\
Answers questions about pairs of shapes and meshes: one JSON object per line in, one per line out.

Answers come in the order of the questions. A line that cannot be understood is answered with
{\"id\", \"error\"}; the rest goes on, and the exit code is 2 at the end. Blank lines are skipped.";

const QUERY_FORMAT: &str = r#"A question:
  {"id": "7", "ask": "distance", "a": BODY, "b": BODY}
  {"id": "8", "ask": "ray", "a": BODY, "origin": [x,y,z], "direction": [x,y,z]}
  {"id": "9", "ask": "vertex-face", "start": [p0,p1,p2,p3], "end": [p0,p1,p2,p3]}

  id    a string or a number, given back as it is written; null if left out
  ask   "verdict"   how a and b relate
        "distance"  the verdict, and the signed distance with its evidence
        "penetration"  the same, and both measures of an overlap: how deep the common points lie,
                    and how far b must go to be free
        "pairs"     which triangles of a and b meet
        "ray"       where a ray first meets the boundary of a
        "impact"    when a and b, each with a motion, first meet
        "vertex-face"  when the vertex p0 meets the triangle p1 p2 p3: each point [x,y,z] moves
                    on a line from its start at t = 0 to its end at t = 1
        "edge-edge" when the edges p0 p1 and p2 p3 meet, moving the same way

BODY is an object with one shape or mesh, and beside it, if you like, a pose and a rounding:
  {"sphere": {"radius": r}}                      a ball
  {"box": {"half": [x,y,z]}}                     a box by its half extents
  {"capsule": {"radius": r, "half_height": h}}   a segment along z swept by a ball
  {"tapered_capsule": {"radii": [r,s], "half_height": h}}   the hull of two balls,
                                                 r at z = -h and s at z = h
  {"cylinder": {"radius": r, "half_height": h}}  along z, the origin at half height
  {"cone": {"radius": r, "half_height": h}}      along z, apex up, the origin at half height
  {"ellipsoid": {"radii": [x,y,z]}}              by its half axes
  {"segment": [[x,y,z],[x,y,z]]}                 between two points
  {"triangle": [[x,y,z],[x,y,z],[x,y,z]]}        a surface, possibly degenerate
  {"hull": [[x,y,z],...]}                        the convex hull of one or more points
  {"plane": {"normal": n, "offset": d}}          n·x = d, a surface with two sides
  {"halfspace": {"normal": n, "offset": d}}      n·x <= d, a solid
  {"mesh": {"file": "part.stl", "solid": true}}  the triangles in a file: STL, OBJ, PLY or OFF
  {"mesh": {"vertices": [[x,y,z],...], "triangles": [[i,j,k],...]}}   or in the line itself
        "solid": true in a mesh takes its inside as well: all points around which it winds, which
        are estimated if the mesh is open; without it a mesh is a surface, that holds nothing.
        "scale": s in a mesh multiplies its vertices by s > 0, say 0.001 to turn millimetres
        into metres.
        Files are found from the current directory; each is read once in a run
  "pose": {"rotation": [w,x,y,z], "translation": [x,y,z]}
        where the body is in the world: a quaternion, normalised if its length is within 1e-6
        of one, and a translation; what is left out is the identity
  "round": r
        the body swept by a ball of radius r; not for meshes
  "motion": {"linear": [x,y,z]}, {"to": POSE} or
            {"screw": {"axis": [x,y,z], "point": [x,y,z], "angle": radians, "advance": d}}
        for "impact": how the body moves from its pose over the time t = 0 to 1: by a translation;
        to another pose, the origin on a line and the rotation at constant angular velocity, the
        shorter way; or about a line of the world, and along it. Without it the body rests
Normals need not have unit length; the offset is divided by the length too.
Numbers are 64-bit floats with magnitudes up to 2^250, in any unit; radii and sizes are not negative.

An answer; what does not apply is null:
  {"id", "verdict", "inside", "distance", "method", "points", "features", "t"}

  verdict   "separated", "touching", "penetrating" (the interiors meet) or "contained" (one is a
            subset of the other). Where a curved shape takes part, "touching" means a signed
            distance within 1e-12 of the largest coordinate or size
  inside    with "contained": "a" or "b", the body that lies inside the other
  distance  positive: the gap; negative: the penetration depth, the length of the shortest
            translation that separates the two; null where none does (say, two half-spaces that
            overlap). Where a mesh takes part the depth is a bound: a translation of this length
            separates them, a shorter one might
  method    how far the distance can be trusted: "exact" (up to rounding), "bound", "estimate";
            "estimate" also beside a verdict that rests on the inside of an open mesh
  points    a point on the surface of a and one on that of b, in world coordinates,
            |distance| apart; for a ray: the point that is hit, and null
  features  where these points lie: {"kind": "vertex|edge|face|surface", "index": n}.
            Of a mesh, counted from 0: the vertex by its index, the face by that of its triangle,
            the edge by 3 * triangle + k, where edge k runs from corner k to the next one.
            Vertices of STL files, which have no indices, are numbered by first appearance.
  t         for a ray: the first boundary point at origin + t * direction, t >= 0; null if none
  penetration  in answers to "penetration" only: {"value", "in_a", "in_b", "method", "upper",
            "point"}: over the points that both bodies share, the greatest distance to the surface
            of a and of b; value is the larger one, the depth of point. No common point lies
            deeper than upper, which is null where the value is an estimate. Null where no inner
            point is shared
  separation  in answers to "penetration" only: {"value", "method", "direction"}: the
            shortest translation of b found that frees the two; null where they are apart
  pairs     in answers to "pairs" only: [[i,j],...], ascending: triangle i of a and triangle j of
            b cross or touch; a shape counts as one triangle, 0

The answer to "vertex-face" and "edge-edge":
  {"id", "hit", "t"}

  hit       whether they meet at any time from 0 to 1, both included; touching is meeting. Exact,
            for motion in one plane and degenerate features too
  t         the first time, null if there is none; never late, and early by less than 1e-9

"verdict" fills verdict and inside only, and method if it is an estimate; "ray" fills points, features and t only, for a mesh
with the face that is hit; "pairs" fills pairs only.
"impact" has an answer of its own:
  {"id", "hit", "t", "interval", "start", "points", "normal", "minimum": {"distance", "t"}}
  hit       whether the bodies, as closed sets, have a common point at some time from 0 to 1
  interval  [t0, t1]: they are apart before t0 for certain and meet at t1, at most 1e-6 later;
            null without a hit. t is t0
  start     how they begin: "free", "touching" or "overlapping"; but for the first, t is 0
  points    the closest points at t0, and the normal from a to b there
  minimum   the least distance on the way, and when
  method    "bound" where t1 is not proven: before t0 they are apart all the same

Numbers are printed with as many digits as it takes to read back the same 64-bit float.
A line may have up to 64 MiB.

Examples:
  $ echo '{"id":"7","ask":"distance","a":{"box":{"half":[1,1,1]}},"b":{"sphere":{"radius":2},"pose":{"translation":[0,0,5]}}}' | impinge query
  {"id":"7","verdict":"separated","inside":null,"distance":2.0,"method":"exact","points":[[0.0,0.0,1.0],[0.0,0.0,3.0]],"features":[...],"t":null}

  $ echo '{"id":8,"ask":"ray","a":{"sphere":{"radius":1}},"origin":[0,0,5],"direction":[0,0,-2]}' | impinge query
  {"id":8,"verdict":null,...,"points":[[0.0,0.0,1.0],null],...,"t":2.0}

  $ echo '{"id":9,"ask":"pairs","a":{"mesh":{"file":"gear.stl"}},"b":{"mesh":{"file":"rack.obj","scale":0.001},"pose":{"translation":[0,0.02,0]}}}' | impinge query
  {"id":9,"verdict":null,...,"t":null,"pairs":[[3,118],[4,118],[4,119]]}

  $ echo '{"id":10,"ask":"impact","a":{"box":{"half":[1,1,1]}},"b":{"sphere":{"radius":1},"pose":{"translation":[9,0,0]},"motion":{"linear":[-14,0,0]}}}' | impinge query
  {"id":10,"hit":true,"t":0.4999997,"interval":[0.4999997,0.5000004],"start":"free",...}

  $ echo '{"id":11,"ask":"edge-edge","start":[[-1,0,0],[1,0,0],[0,-1,0],[0,1,0]],"end":[[-1,0,0],[1,0,0],[0,-1,1],[0,1,1]]}' | impinge query
  {"id":11,"hit":true,"t":0.0}

Exit codes: 0 every line was answered; 2 some line was refused, or the input could not be read."#;
