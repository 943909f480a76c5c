//! Every tolerance that decides an answer of the kernel, meshes and scenes, with its unit and effect. Code elsewhere refers to these by name; constants that only
//! bound an error or end a search are beside their algorithms.

/// Where a curved shape takes part, a signed distance of at most this times [the scale](touching_band) counts as touching.
/// Dimensionless; widening it turns more near misses and shallow penetrations into "touching".
pub const TOUCHING: f64 = 1e-12;

/// The distance, in the unit of the coordinates, below which a pair with a curved shape counts as touching.
///
/// `scale` is the largest coordinate or size that takes part.
///
/// ```
/// assert_eq!(impinge_geom::number::tolerance::touching_band(1000.0), 1e-9);
/// ```
pub fn touching_band(scale: f64) -> f64 {
    TOUCHING * scale
}

/// A quaternion whose length differs from one by at most this is normalised; otherwise it is rejected. Dimensionless.
pub const UNIT_QUATERNION: f64 = 1e-6;

/// Rows of a rotation matrix whose products differ from those of an orthonormal basis by at most this are used as given; otherwise they are
/// rejected. Dimensionless; lengths change by no more than half of it.
pub const ORTHONORMAL_ROWS: f64 = 1e-12;

/// Relative rounding error of one f64 operation: 2^-53. Error bounds are multiples of it.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Relative rounding error of one f32 operation: 2^-24.
pub const UNIT_ROUNDOFF_F32: f32 = f32::EPSILON / 2.0;

/// A distance or depth whose certified interval is at most this times the scale is labelled exact, a wider one a bound.
pub const EXACT: f64 = 1e-12;

/// Planes and half-spaces are parallel if the sine of the angle between their normals is at most this. Dimensionless; normals
/// are rounded when they are normalised and rotated. Widening it gives more of them a distance instead of an intersection.
pub const PARALLEL: f64 = 1e-12;

/// Edges are parallel, and their cross product is skipped as a separating axis, if the sine of the angle between them is at most this. Dimensionless;
/// widening it gives depths along face normals where an edge axis would give less.
pub const PARALLEL_EDGES: f64 = 1e-13;

/// Like [`PARALLEL_EDGES`] for two hulls, whose edges are rotated: [`widest_axis`](crate::pair::hull_hull::widest_axis) skips their product.
pub const PARALLEL_HULL_EDGES: f64 = 1e-10;

/// A coordinate of a unit normal up to this counts as zero when the supporting face, edge or corner of a box is named.
/// Dimensionless; widening it names faces where edges support equally far.
pub const AXIS_SINE: f64 = 1e-9;

/// A point is on a face of a box, when its feature is named, if it is within this share of the half side from it. Widening it names edges and
/// corners instead of faces.
pub const ON_FACE: f64 = 1e-12;

/// The sine of the angle between two axes, and the difference of two radii of an ellipsoid as a share of the largest, up to which a pair is two solids of
/// revolution about parallel axes. What is neglected widens the interval of the distance. Widening it answers more pairs that way, as bounds.
pub const REVOLVED: f64 = 1e-9;

/// By this angle, in radians, the normal of two solids of revolution is turned both ways to find the ends of the edges that meet: wide enough for edges,
/// narrow enough for curves, whose points it moves by this times their radius.
pub const REVOLVED_EDGE: f64 = 1e-12;

/// Where the offset of a point from a segment leans along it by more than this, by the squared cosine, rounding has made the offset, and any perpendicular
/// is the normal. Dimensionless.
pub const LEANING_OFFSET: f64 = 1e-6;

/// Planes do not bound a region if a face of the hull of their unit normals is closer to the origin than this: the region would reach a billion times
/// farther than the body. Dimensionless.
pub const THINNEST_REGION: f64 = 1e-9;

/// Heights of contact points within this times the largest coordinate are equal: a face normal replaces another one that
/// separates the bodies no better, and the deepest points tie. Dimensionless.
pub const CONTACT_TIE: f64 = 1e-12;

/// The same where a curved side takes part, whose normal is known to about the root of the rounding only. Dimensionless.
pub const CURVED_CONTACT_TIE: f64 = 1e-7;

/// A flat face takes part in a contact while the cosine between its normal and the contact normal is at least this (14°).
/// Widening it turns contacts of edges into contacts of faces.
pub const FACE_COSINE: f64 = 0.97;

/// The same where the closest points are too close to each other to give a direction: whether the face serves is then decided by
/// its own gap.
pub const NEAR_FACE_COSINE: f64 = 0.5;

/// The same where the face as a whole does not hold the closest points, and only its edges are left.
pub const LEVEL_FACE_COSINE: f64 = 1.0 - 1e-9;

/// An edge, or a line on a curved side, takes part as a whole while the sine of its slope against the contact is at most this
/// (11°); a steeper one touches with its end.
pub const EDGE_SINE: f64 = 0.2;

/// Two lines are parallel in a contact while the sine between them is at most this (0.9°): they then touch in two points.
pub const PARALLEL_LINES: f64 = 1.0 / 64.0;

/// Closest points nearer to each other than this times their coordinates give a doubtful normal: faces within [`NEAR_FACE_COSINE`] of it are tried. Widening
/// it replaces more normals by those of faces.
pub const DOUBTFUL_NORMAL: f64 = 1e-9;

/// Two unit normals whose difference is at most this long are the same one. Dimensionless.
pub const SAME_NORMAL: f64 = 1e-15;

/// A corner that sticks out of the other face by at most this share of the [tie](CONTACT_TIE) is inside of it.
pub const CONTACT_SLACK: f64 = 0.01;

/// Where the closest points must be among the contact points, a candidate that is within this share of the extent of the contact from them gives way.
pub const REPLACED_CONTACT: f64 = 1e-3;

/// Of contact points that would serve equally well the first is chosen: a later one must be better by this factor. Without it rounding would choose.
pub const PREFERENCE: f64 = 1.0 + 1e-9;

/// A fourth contact point must add more than this share of the area of the first three.
pub const ADDED_AREA: f64 = 1e-12;

/// Contact points of meshes with normals within this of each other, by the cosine, are one manifold: about a quarter of a degree.
pub const ONE_MANIFOLD: f64 = 0.999_99;

/// Contact points of a mesh within this times the largest coordinate are at one place, and equally deep. Dimensionless; neighbouring triangles give the corners
/// that they share more than once.
pub const MESH_CONTACT_TIE: f64 = 1e-9;

/// A contact point of a mesh is beside the line through two others if it spans less than this times the square of their distance with them.
pub const MESH_CONTACT_AREA: f64 = 1e-9;

/// A contact normal within this of the normal of a triangle, by the cosine, is the normal of the triangle.
pub const TRIANGLE_NORMAL: f64 = 1.0 - 1e-10;

/// A neighbouring triangle that rises along a contact normal by less than this share of its length does not rise. Widening it lets more edges inside
/// a surface that is all but flat have contacts of their own.
pub const RISING: f64 = 1e-6;

/// A point is over a triangle if it is beyond none of its sides by more than this share of the lengths that take part.
pub const OVER_TRIANGLE: f64 = 1e-9;

/// A contact normal whose cosine with that of a triangle is at most this does not tell the side; where the shape is for the most part does.
pub const SIDEWAYS: f64 = 1e-9;

/// A later separating direction must be shorter by this share to be preferred.
pub const SHORTER: f64 = 1e-6;

/// Two separating directions are one if their cosine is at least this (2.6°).
pub const ONE_DIRECTION: f64 = 0.999;

/// An inertia tensor is symmetric, and its principal moments satisfy the inequalities of a mass distribution, up to this share of its size. Otherwise it is
/// rejected.
pub const INERTIA: f64 = 1e-9;

/// An inertia tensor without a larger entry, in mass times square of length, is rejected: its inverse would not be finite.
pub const LEAST_INERTIA: f64 = 1e-90;

/// An inertia tensor that differs from a multiple of the identity by at most this share has no gyroscopic torque.
pub const ROUND_INERTIA: f64 = 1e-14;

/// A closed mesh whose volume is a smaller share of that of its box has none but rounding, and its mass is that of its surface: of the sum of triple products,
/// each term is at most about the volume of the box, however long and thin that is.
pub const LEAST_VOLUME: f64 = 1e-12;

/// A triangle whose height is below this times its longest side is, in a contact, that side.
pub const SLIVER: f64 = 1e-12;

/// How many units of f32 rounding, relative to the sizes that take part, a test between two bounding volumes may err by. The
/// tests of `bound/` add up to less than 172 (see `docs/maths/bounds.md`); raising it makes them reject less.
pub const BOUND_MARGIN: f64 = 192.0;

/// The same for a ray against triangles and against boxes along the axes, which add up to at most 15
/// (`docs/maths/ray-block.md`). Raising it leaves more triangles to f64.
pub const RAY_MARGIN: f64 = 20.0;

/// The same for the f64 arithmetic that brings one body into the frame of another.
pub const POSE_MARGIN: f64 = 32.0;

/// How many units of rounding (f64's, or f32's where planes are stored so), relative to the largest coordinate, a test with
/// support planes or tables may err by. Raising it makes them reject less.
pub const SUPPORT_MARGIN: f64 = 16.0;

/// A depth is exact if its upper bound exceeds its lower bound by at most this share; otherwise it is reported as a bound. Dimensionless.
pub const BOUNDS_AGREE: f64 = 1e-9;
