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

/// Relative rounding error of one f64 operation: 2^-53. Error bounds are multiples of it.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Relative rounding error of one f32 operation: 2^-24.
pub const UNIT_ROUNDOFF_F32: f32 = f32::EPSILON / 2.0;

/// A distance or depth whose certified interval is at most this times the scale is labelled exact, a wider one a bound.
pub const EXACT: f64 = 1e-12;

/// Planes and half-spaces are parallel if the sine of the angle between their normals is at most this. Dimensionless; normals
/// are rounded when they are normalised and turned. Widening it gives more of them a distance instead of an intersection.
pub const PARALLEL: f64 = 1e-12;
