//! Every tolerance of the crate, with its unit and its effect. Code elsewhere names these and holds no literal of its own.

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

/// A quaternion whose length differs from one by at most this is normalised; beyond it is refused. Dimensionless.
pub const UNIT_QUATERNION: f64 = 1e-6;

/// Rows of a rotation matrix whose products differ from those of an orthonormal basis by at most this are taken as they are; beyond it they are
/// refused. Dimensionless; lengths change by no more than half of it.
pub const ORTHONORMAL_ROWS: f64 = 1e-12;

/// Relative rounding error of one f64 operation: 2^-53. Error bounds are multiples of it.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Relative rounding error of one f32 operation: 2^-24.
pub const UNIT_ROUNDOFF_F32: f32 = f32::EPSILON / 2.0;

/// A distance or depth whose certified interval is at most this times the scale is labelled exact, a wider one a bound.
pub const EXACT: f64 = 1e-12;

/// Planes and half-spaces are parallel if the sine of the angle between their normals is at most this. Dimensionless; normals
/// are rounded when they are normalised and turned. Widening it gives more of them a distance instead of an intersection.
pub const PARALLEL: f64 = 1e-12;

/// Heights of contact points within this times the largest coordinate are equal: the normal of a face replaces another that
/// parts the bodies no better, and the deepest points tie. Dimensionless.
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
