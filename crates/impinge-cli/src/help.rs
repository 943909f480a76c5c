//! The long texts of `--help`.

pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 no findings, or the command succeeded; 1 findings; 2 failure: bad arguments, unreadable
input, nothing to check, interrupted, a limit reached, output that could not be written, or a rejected
query line. If a reader of standard output leaves early: 1 if there are findings, else 2.";

pub(crate) const CHECK: &str = "\
Finds parts that overlap, come too close, are enclosed by another part or exist twice, and reports
where and by how much.

  impinge check gearbox.glb                          test every part against every other
  impinge check gearbox.glb --clearance 0.5mm        also report gaps below 0.5 mm
  impinge check gearbox.glb --tolerance 10um         allow overlaps up to 10 micrometres
  impinge check walls.glb pipes.glb                  check several files together
  impinge check plant.glb --test tests.toml -o report.json
  impinge check plant.glb -o report.html             a page with the model in 3D
  impinge check plant.glb -o report.bcfzip           topics for other BIM tools
  impinge check seat.toml --clearance 10cm           all variants of a scene file, the worst first
  impinge check arm.urdf --motion path.toml          what meets on the way, and when
  impinge status gearbox.glb 3f2a approved --comment \"press fit\"
  impinge status import report.bcfzip plant.glb      take decisions back from BCF

Closed meshes are solids, decided exactly; open meshes are surfaces. The tolerance is the overlap
that is still allowed; the clearance is the gap that is required. Without --tolerance, overlaps
below rounding error are allowed: 2^-22 of the largest coordinate. Gaps up to that size count as
contact.

Decisions are kept in MODEL.impinge.json and survive the next run: a finding is identified by its two
parts and its kind, whatever the test or tolerance. A run changes only findings that it tests. An
approved finding is reopened when it gets worse by more than 10 %.";

pub(crate) const CHECK_FORMAT: &str = r#"Test files (TOML):
  [[test]]
  name = "rotating vs. housing"         # shown in reports
  kinds = ["hard", "contained", "duplicate", "clearance"]   # default; "touching" on request
  a = "rotating/*"                      # set A; default: all parts
  b = ["housing/*", "material:iron"]    # set B; default: A against itself
  tolerance = "10um"
  clearance = "0.5mm"

  [[rule]]                              # hides findings; reports list what was hidden
  name = "threads"
  reason = "threads are modelled as full cylinders"
  a = "*bolt*"
  b = "*nut*"
  max_depth = "0.8mm"                   # deeper overlaps are still reported
  kinds = ["hard"]                      # optional, as is test = "..."

A file with rules only tests everything against everything. Patterns use * and ?, ignore case, and
match a part's path or name; the prefixes file:, name:, path:, material:, party: and
property:KEY=VALUE match that attribute. A set can also be { include = [...], exclude = [...] }.

Motion files (TOML) move parts, nodes or robot joints along key frames:
  [[move]]
  parts = "door/*"                      # or node = "door", or joint = "elbow"
  axis = [0, 0, 1]                      # about which parts turn, through point
  point = [0, 0, 0]
  keys = [{ time = "0s", turn = "0deg" }, { time = "2s", turn = "90deg", shift = [0, 0, 10] }]

  [[move]]
  joint = "elbow"                       # of a URDF
  keys = [{ time = "0s", position = "0deg" }, { time = "2s", position = "1.2rad" }]

or take one or two joints through all of their positions:
  [[range]]
  joint = "elbow"                       # from and to: the limits of the joint, if left out
  from = "-90deg"
  to = "90deg"

A key keeps what it omits; key rotation = { axis, angle } turns any way. A part that several
moves name rides on the first of them; parts of a robot ride on the joints above. Beside these:
unit = "mm" of points and shifts, precision = "1ms" of a first contact, max_steps = 4000 per pair.
Pairs are certified between key frames, not sampled: a finding says up to when they are apart, when
they meet, how close they come. Parts in contact at the start are reported as such. `impinge demo
--motion` shows all of it; docs/guide/motion.md explains.

Ctrl-C or --time-limit stops the check. Findings so far are written and marked as partial.
docs/guide/checking.md is a tutorial."#;

pub(crate) const STATUS: &str = "\
Lists findings, decides about them, or imports decisions.

  impinge status gearbox.glb                              list all findings
  impinge status gearbox.glb 3f2a approved                decide about one
  impinge status gearbox.glb 3f2a 77b0 approved --comment \"press fit\"
  impinge status gearbox.glb --kind clearance reviewed    decide about many
  impinge status gearbox.glb --match '*bolt*' --assign anna
  impinge status gearbox.glb --all approved
  impinge status walls.glb pipes.glb 3f2a approved        models that were checked together
  impinge status import report.bcfzip gearbox.glb
  impinge status merge gearbox.glb theirs.impinge.json

Selectors combine: a finding must match all of them. An approval remembers the distance it was given
for: `impinge check` reopens the finding when it gets worse by more than 10 %.";

pub(crate) const QUERY: &str = "\
Answers questions about pairs of shapes and meshes: one JSON object per line in, one per line out.

Answers come in the order of the questions. A line that cannot be parsed is answered with
{\"id\", \"error\"}; the others are answered, and the exit code is 2 at the end. Blank lines are skipped.";

pub(crate) const QUERY_FORMAT: &str = r#"A question:
  {"id": "7", "ask": "distance", "a": BODY, "b": BODY}
  {"id": "8", "ask": "ray", "a": BODY, "origin": [x,y,z], "direction": [x,y,z]}
  {"id": "9", "ask": "vertex-face", "start": [p0,p1,p2,p3], "end": [p0,p1,p2,p3]}

  id    a string or a number, returned as written; null if omitted
  ask   "verdict"   how a and b relate
        "distance"  the verdict, and the signed distance with its evidence
        "penetration"  the same, and both measures of an overlap: how deep the common points lie,
                    and how far b must move to be clear of a
        "pairs"     which triangles of a and b meet
        "ray"       where a ray first meets the boundary of a
        "impact"    when a and b, each with a motion, first meet
        "vertex-face"  when the vertex p0 meets the triangle p1 p2 p3: each point [x,y,z] moves
                    on a line from its start at t = 0 to its end at t = 1
        "edge-edge" when the edges p0 p1 and p2 p3 meet, moving the same way

BODY is an object with one shape or mesh, and optionally a pose, a rounding and a motion:
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
        "solid": true in a mesh includes its inside: all points with non-zero winding number,
        estimated if the mesh is open. Without it a mesh is a surface that encloses nothing.
        "scale": s in a mesh multiplies its vertices by s > 0, for example 0.001 from millimetres
        to metres.
        Paths are relative to the current directory; each file is read once per run
  "pose": {"rotation": [w,x,y,z], "translation": [x,y,z]}
        where the body is in the world: a quaternion, normalised if its length is within 1e-6
        of one, and a translation; either defaults to the identity
  "round": r
        the body swept by a ball of radius r; not for meshes
  "motion": {"linear": [x,y,z]}, {"to": POSE} or
            {"screw": {"axis": [x,y,z], "point": [x,y,z], "angle": radians, "advance": d}}
        for "impact": how the body moves from its pose over the time t = 0 to 1: by a translation;
        to another pose, the origin on a line and the rotation at constant angular velocity, the
        shorter way; or about a line of the world, and along it. Without it the body is at rest
Normals need not have unit length; the offset is divided by the length too.
Numbers are 64-bit floats with magnitudes up to 2^250, in any unit; radii and sizes must not be negative.

An answer; fields that do not apply are null:
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
            |distance| apart; for a ray: the hit point, and null
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
  start     how they begin: "free", "touching" or "overlapping"; t is 0 for the last two
  points    the closest points at t0, and the normal from a to b there
  minimum   the minimum distance over the motion, and when
  method    "bound" where t1 is not proven: before t0 they are apart all the same

Numbers are printed with enough digits to read back the same 64-bit float.
A line may be up to 64 MiB long.

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

Exit codes: 0 every line was answered; 2 a line was rejected, or the input could not be read."#;
