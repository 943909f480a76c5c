//! Precomputed data of a ray, in f32.

use glam::DVec3;

/// A coordinate axis; as a number, the index of the coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Axis {
    /// Coordinate 0.
    X,
    /// Coordinate 1.
    Y,
    /// Coordinate 2.
    Z,
}

impl Axis {
    const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];
}

/// A direction as tests in f32 see it: made once per ray, whatever it is cast at.
///
/// ```
/// use impinge_geom::ray::{Axis, Ray};
/// let ray = Ray::new([0.0; 3], [1.0, -4.0, 2.0])?;
/// let precomputed = ray.precomputed();
/// assert_eq!(precomputed.direction, [0.25, -1.0, 0.5]);
/// assert_eq!(precomputed.axes, [Axis::Z, Axis::X, Axis::Y]);
/// // Towards −y, the ray moves 0.5 along z and 0.25 along x per step.
/// assert_eq!((precomputed.along, precomputed.slopes), (-1.0, [-0.5, -0.25]));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
// Copied as two vectors, of which the first sixteen bytes are read at once: what is read then lies in one half of a vector.
#[repr(C)]
pub struct PrecomputedRay {
    /// The reciprocal of each coordinate of the direction, infinite where it is zero.
    pub inverse: [f32; 3],
    /// The direction; its largest coordinate is 1 or −1, up to rounding.
    pub direction: [f32; 3],
    /// The two transverse axes, then the main one, along which the direction is largest.
    pub axes: [Axis; 3],
    /// The shear: movement along the two transverse axes per unit along the main one.
    pub slopes: [f32; 2],
    /// The direction along the main axis: 1 or −1.
    pub along: f32,
    /// What the ray's scaled direction was divided by.
    pub(crate) step: f32,
}

impl PrecomputedRay {
    /// Along the x axis.
    pub(crate) const X: Self = Self {
        direction: [1.0, 0.0, 0.0],
        inverse: [1.0, f32::INFINITY, f32::INFINITY],
        axes: [Axis::Y, Axis::Z, Axis::X],
        slopes: [0.0; 2],
        along: 1.0,
        step: 1.0,
    };

    /// The direction's largest coordinate is between 0.5 and 2. Relative to each other its coordinates are wrong by four roundings.
    pub(super) fn new(scaled: DVec3) -> Self {
        let rounded = [scaled.x as f32, scaled.y as f32, scaled.z as f32];
        let [x, y, z] = rounded.map(f32::abs);
        let step = x.max(y).max(z);
        let shorter = 1.0 / step;
        let direction = rounded.map(|coordinate| coordinate * shorter);
        let main = if z > x.max(y) { 2 } else { usize::from(y > x) };
        let (first, second) = ((main + 1) % 3, (main + 2) % 3);
        let along = 1.0f32.copysign(direction[main]);
        Self {
            direction,
            inverse: rounded.map(|coordinate| step / coordinate),
            axes: [Axis::ALL[first], Axis::ALL[second], Axis::ALL[main]],
            slopes: [direction[first] * along, direction[second] * along],
            along,
            step,
        }
    }
}
