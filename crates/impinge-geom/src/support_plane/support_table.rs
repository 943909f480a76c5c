//! Upper bounds of the support value of a body along any direction, from samples.
//!
//! The support value h(d) = max d·x is sublinear: h(Σ wᵢ sᵢ) ≤ Σ wᵢ h(sᵢ) for weights wᵢ ≥ 0. Samples are taken at points of the
//! octahedron |x| + |y| + |z| = 1, as they are, not normalised: d / |d|₁ is then a mean of the three samples around it, and the mean
//! of their values, times |d|₁, is not below h(d). The octahedron is unfolded into a square; its cells are cut along the diagonal on
//! which they fold, so that the three samples of a triangle are on one face.
//!
//! Over each triangle of samples the bound is d·g for one point g, which stands for the vertex that the table has forgotten.

use crate::hull::Hull;
use crate::number::outward::round_up;
use crate::support::Support;
use glam::DVec3;

/// Upper bounds of the support values of a body, from a centre.
///
/// ```
/// use impinge_geom::{glam::DVec3, hull::Hull, support_plane::SupportTable};
/// let hull = Hull::new(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
/// let table = SupportTable::new(&hull, 32);
/// assert_eq!(table.center(), DVec3::ONE);
/// // The vertices (0, 4, 0) and (0, 0, 4) reach 3, relative to the centre.
/// assert!((3.0..3.6).contains(&table.support_value(DVec3::new(1.0, 2.0, 2.0))));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SupportTable {
    center: DVec3,
    /// Steps along an edge of the octahedron.
    steps: usize,
    /// No coordinate of the body is larger.
    largest: f64,
    /// Row by row, 2·steps + 1 to a row; not below the true values.
    samples: Vec<f32>,
}

/// The triangle of samples around a direction: the value at a sample, and how it grows along both steps.
pub(super) struct Cell {
    value: f64,
    growth: [f64; 2],
    /// Where the sample is, in steps along |x| and |y|.
    from: [f64; 2],
    /// Where the direction is.
    at: [f64; 2],
    steps: f64,
    /// |d|₁.
    pub(super) sum: f64,
    signs: DVec3,
}

impl Cell {
    /// See [`SupportTable::reach`].
    #[inline(always)]
    pub(super) fn support_value(&self) -> f64 {
        let [x, y] = [self.at[0] - self.from[0], self.at[1] - self.from[1]];
        (self.value + x * self.growth[0] + y * self.growth[1]) * self.sum
    }

    /// See [`SupportTable::corner`].
    #[inline(always)]
    pub(super) fn corner(&self) -> DVec3 {
        let [a, b] = self.growth;
        let z = self.value - self.from[0] * a - self.from[1] * b;
        DVec3::new(z + self.steps * a, z + self.steps * b, z) * self.signs
    }
}

impl SupportTable {
    /// What the arithmetic of a lookup may lose, in units of f64 rounding relative to the body's extent; samples are raised by it.
    const SLACK: f64 = 128.0 * f64::EPSILON;

    /// The table of a hull, or of a body with that hull. `cells` is the number of cells along each side of the square, from 2 to 254,
    /// and even: others are taken as the nearest below.
    pub fn new(hull: &Hull, cells: usize) -> Self {
        let steps = (cells / 2).clamp(1, 127);
        let (side, center) = (2 * steps + 1, hull.center());
        let extent = hull.vertices().iter().map(|v| (*v - center).abs().max_element());
        let extent = extent.fold(0.0, f64::max);
        let mut samples = Vec::with_capacity(side * side);
        for row in 0..side {
            for column in 0..side {
                let sample = sample(steps, column, row);
                let reach = sample.dot(hull.support(sample).point - center);
                samples.push(round_up(reach + Self::SLACK * extent));
            }
        }
        let largest = center.abs().max_element() + extent;
        Self { center, steps, largest, samples }
    }

    /// The centre, from which support values are measured, inside the hull.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The largest magnitude of a coordinate of the body, in its own frame.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<f32>() * self.samples.len()
    }

    /// An upper bound of d·(x − center) over all points x of the body; the direction d may have any length from 1e-200 to 1e200.
    #[inline]
    pub fn support_value(&self, direction: DVec3) -> f64 {
        self.cell(direction).support_value()
    }

    /// The point g, relative to the centre, with g·d not below any d·(x − center) for directions d near the given one: outside the
    /// body, near the vertex that is farthest.
    #[inline]
    pub fn corner(&self, direction: DVec3) -> DVec3 {
        self.cell(direction).corner()
    }

    #[inline(always)]
    pub(super) fn cell(&self, direction: DVec3) -> Cell {
        let size = direction.abs();
        let sum = size.x + size.y + size.z;
        let steps = self.steps;
        let factor = steps as f64 / sum;
        let (x, y) = (size.x * factor, size.y * factor);
        // Casts saturate, and what is not a number becomes zero: the samples exist for any direction.
        let i = (x as usize).min(steps - 1);
        let j = (y as usize).min(steps - 1 - i);
        let (side, steps) = (2 * steps as isize + 1, steps as isize);
        let right = if direction.x.is_sign_negative() { -1 } else { 1 };
        let up = if direction.y.is_sign_negative() { -side } else { side };
        let middle = steps * side + steps;
        // On the lower half, x and y change places in the unfolded square, and run inwards.
        let (base, [step_i, step_j]) = if direction.z.is_sign_negative() {
            (middle + steps * (right + up), [-up, -right])
        } else {
            (middle, [right, up])
        };
        let (i, j) = (i as isize, j as isize);
        let value = |i: isize, j: isize| {
            let place = (base + i * step_i + j * step_j) as usize;
            self.samples.get(place).map_or(f64::INFINITY, |&value| f64::from(value))
        };
        let [across, along] = [value(i + 1, j), value(i, j + 1)];
        let far = x - i as f64 + (y - j as f64) > 1.0 && i + j + 2 <= steps;
        let (corner, from) = if far {
            (value(i + 1, j + 1), [(i + 1) as f64, (j + 1) as f64])
        } else {
            (value(i, j), [i as f64, j as f64])
        };
        let growth =
            if far { [corner - along, corner - across] } else { [across - corner, along - corner] };
        let (steps, signs) = (steps as f64, DVec3::ONE.copysign(direction));
        Cell { value: corner, growth, from, at: [x, y], steps, sum, signs }
    }
}

/// The point of the octahedron at a place of the square.
fn sample(steps: usize, column: usize, row: usize) -> DVec3 {
    let place = |k: usize| k as f64 - steps as f64;
    let (u, v) = (place(column), place(row));
    let whole = steps as f64;
    let z = whole - u.abs() - v.abs();
    let point = if z >= 0.0 {
        DVec3::new(u, v, z)
    } else {
        DVec3::new((whole - v.abs()).copysign(u), (whole - u.abs()).copysign(v), z)
    };
    point / whole
}
