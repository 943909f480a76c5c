//! The command line and its help.

use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// What touches what, where, how deep, and how close the rest is.
///
/// impinge answers questions about pairs of 3D shapes and meshes: do they touch, how far apart are they or how
/// deep in each other, and at which points. Start with `impinge demo`; then ask your own questions
/// with `impinge query`, whose format `impinge query --help` explains.
#[derive(Parser)]
#[command(name = "impinge", version, verbatim_doc_comment, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check two small built-in assemblies and explain what is found
    ///
    /// Checks every pair of parts of a small robot cell, made of shapes, and of a train of gears, made
    /// of triangles: which touch, which are in each other's way and by how much, and which come closer
    /// than the clearance. Colour is used on a terminal only, and not if the environment variable
    /// NO_COLOR is set.
    #[command(verbatim_doc_comment)]
    Demo,
    /// Answer questions about pairs of shapes and meshes: JSON lines in, JSON lines out
    #[command(long_about = QUERY, after_long_help = QUERY_FORMAT)]
    Query {
        /// The file with the questions; standard input if it is left out or "-"
        file: Option<PathBuf>,
    },
}

const EXIT_CODES: &str = "\
Exit codes: 0 all is well; 2 wrong arguments, unreadable input, or a query line that was refused.";

const QUERY: &str = "\
Answers questions about pairs of shapes and meshes: one JSON object per line in, one per line out.

Answers come in the order of the questions. A line that cannot be understood is answered with
{\"id\", \"error\"}; the rest goes on, and the exit code is 2 at the end. Blank lines are skipped.";

const QUERY_FORMAT: &str = r#"A question:
  {"id": "7", "ask": "distance", "a": BODY, "b": BODY}
  {"id": "8", "ask": "ray", "a": BODY, "origin": [x,y,z], "direction": [x,y,z]}

  id    a string or a number, given back as it is written; null if left out
  ask   "verdict"   how a and b stand to each other
        "distance"  the verdict, and the signed distance with its evidence
        "pairs"     which triangles of a and b meet
        "ray"       where a ray first meets the boundary of a

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
        Of two meshes both are solid, or neither is.
        "scale": s in a mesh multiplies its vertices by s > 0, say 0.001 to turn millimetres
        into metres.
        Files are found from the current directory; each is read once in a run
  "pose": {"rotation": [w,x,y,z], "translation": [x,y,z]}
        where the body is in the world: a quaternion, normalised if its length is within 1e-6
        of one, and a translation; what is left out is the identity
  "round": r
        the body swept by a ball of radius r; not for meshes
Normals need not have unit length; the offset is divided by the length too.
Numbers are 64-bit floats with magnitudes up to 2^250, in any unit; radii and sizes are not negative.

An answer; what does not apply is null:
  {"id", "verdict", "inside", "distance", "method", "points", "features", "t"}

  verdict   "separated", "touching", "penetrating" (the interiors meet) or "contained" (one is a
            subset of the other). Where a curved shape takes part, "touching" means a signed
            distance within 1e-12 of the largest coordinate or size
  inside    with "contained": "a" or "b", the body that lies inside the other
  distance  positive: the gap; negative: the penetration depth, the shortest translation that
            parts the two; null where no translation does (say, two half-spaces that overlap).
            Where a mesh takes part, as a surface or a solid, it is never negative: 0 if the
            two meet; penetration depth is not given yet
  method    how far the distance can be trusted: "exact" (up to rounding), "bound", "estimate";
            "estimate" also beside a verdict that rests on the inside of an open mesh
  points    a point on the surface of a and one on that of b, in world coordinates,
            |distance| apart; for a ray: the point that is hit, and null. If a solid mesh holds
            the other body without touching it: a point of that one, twice
  features  where these points lie: {"kind": "vertex|edge|face|surface", "index": n}.
            Of a mesh, counted from 0: the vertex by its index, the face by that of its triangle,
            the edge by 3 * triangle + k, where edge k runs from corner k to the next one.
            Vertices of STL files, which have no indices, are numbered by first appearance.
            Null for a mesh that merely holds the point
  t         for a ray: the first boundary point at origin + t * direction, t >= 0; null if none
  pairs     in answers to "pairs" only: [[i,j],...], ascending: triangle i of a and triangle j of
            b cross or touch; a shape counts as one triangle, 0

"verdict" fills verdict and inside only, and method if it is an estimate; "ray" fills points, features and t only, for a mesh
with the face that is hit; "pairs" fills pairs only.
Numbers are printed with as many digits as it takes to read back the same 64-bit float.
A line may have up to 64 MiB.

Examples:
  $ echo '{"id":"7","ask":"distance","a":{"box":{"half":[1,1,1]}},"b":{"sphere":{"radius":2},"pose":{"translation":[0,0,5]}}}' | impinge query
  {"id":"7","verdict":"separated","inside":null,"distance":2.0,"method":"exact","points":[[0.0,0.0,1.0],[0.0,0.0,3.0]],"features":[...],"t":null}

  $ echo '{"id":8,"ask":"ray","a":{"sphere":{"radius":1}},"origin":[0,0,5],"direction":[0,0,-2]}' | impinge query
  {"id":8,"verdict":null,...,"points":[[0.0,0.0,1.0],null],...,"t":2.0}

  $ echo '{"id":9,"ask":"pairs","a":{"mesh":{"file":"gear.stl"}},"b":{"mesh":{"file":"rack.obj","scale":0.001},"pose":{"translation":[0,0.02,0]}}}' | impinge query
  {"id":9,"verdict":null,...,"t":null,"pairs":[[3,118],[4,118],[4,119]]}

Exit codes: 0 every line was answered; 2 some line was refused, or the input could not be read."#;
