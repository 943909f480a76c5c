//! One triangle against many.
//!
//! The many are kept twice: as they are, and in f32, eight abreast, relative to the centre of them all and scaled to about
//! one. A filter on the f32 copy rules out, for eight triangles at a time, those that a plane parts from the query with room to
//! spare for every rounding; it never rules out a triangle that touches. What is left goes to [`verdict`], so that the answers
//! are those of asking it about each. `docs/maths/triangle-batch.md` adds up the errors.

use super::verdict::{TriangleVerdict, verdict};
use crate::number::error::power_of_two_near_inverse;
use crate::number::outward::{round_down, round_up};
use crate::number::tolerance::UNIT_ROUNDOFF_F32;
use crate::simd::vector::{dot, extremes, splat};
use crate::simd::{Kernel, Simd, dispatch};
use glam::DVec3;

/// How many triangles are filtered at a time.
const LANES: usize = 8;

/// Queries with larger coordinates, in units of the batch's extent, are not filtered: 2^40.
const LARGEST_QUERY: f64 = (1u64 << 40) as f64;

/// Far more than all that underflow of f32 or f64 can add to a sum of products here, and far below one: 2^-120.
const UNDERFLOW: f64 = f64::from_bits((1023 - 120) << 52);

/// Eight triangles in f32, one per lane. Coordinates differ from the true ones by at most [`Frame::error`].
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Block {
    /// `corners[k][axis]`: that coordinate of corner k.
    corners: [[[f32; LANES]; 3]; 3],
    /// A direction of about the triangle's normal, with coordinates of at most one, or zero.
    normal: [[f32; LANES]; 3],
    /// Bounds of the triangle along `normal`, rounded outwards.
    low: [f32; LANES],
    high: [f32; LANES],
}

const EMPTY_BLOCK: Block = Block {
    corners: [[[0.0; LANES]; 3]; 3],
    normal: [[0.0; LANES]; 3],
    low: [0.0; LANES],
    high: [0.0; LANES],
};

/// The recentred, scaled frame of the f32 copy.
#[derive(Clone, Copy, Debug)]
struct Frame {
    center: DVec3,
    /// A power of two.
    factor: f64,
    /// The box of all triangles, in their own coordinates.
    low: DVec3,
    high: DVec3,
    /// The largest magnitude of a coordinate in this frame.
    largest: f64,
    /// By how much coordinates in f32 differ from the true ones at most.
    error: f64,
}

impl Frame {
    #[inline(always)]
    fn local(&self, p: DVec3) -> DVec3 {
        (p - self.center) * self.factor
    }
}

/// Triangles to be tested together.
///
/// ```
/// use impinge_geom::triangle::{TriangleBatch, TriangleVerdict};
/// use glam::DVec3;
/// let step = |k: i32| DVec3::X * f64::from(k);
/// let stairs: Vec<_> = (0..100).map(|k| [step(k), step(k) + DVec3::Y, step(k + 1) + DVec3::Z]).collect();
/// let batch = TriangleBatch::new(&stairs);
/// let query = [DVec3::new(41.5, 0.1, -1.0), DVec3::new(41.5, 0.1, 2.0), DVec3::new(41.5, 0.2, -1.0)];
/// let mut found = Vec::new();
/// batch.verdicts(&query, &mut found);
/// assert_eq!(found, [(41, TriangleVerdict::Crossing)]);
/// ```
#[derive(Clone)]
pub struct TriangleBatch {
    triangles: Vec<[DVec3; 3]>,
    blocks: Vec<Block>,
    frame: Frame,
}

impl TriangleBatch {
    /// Copies the triangles; at most 2^32 of them.
    pub fn new(triangles: &[[DVec3; 3]]) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for corner in triangles.iter().flatten() {
            (low, high) = (low.min(*corner), high.max(*corner));
        }
        let center = if triangles.is_empty() { DVec3::ZERO } else { low + (high - low) * 0.5 };
        let half = triangles
            .iter()
            .flatten()
            .fold(0.0f64, |most, p| most.max((*p - center).abs().max_element()));
        let factor = power_of_two_near_inverse(half);
        let mut frame = Frame { center, factor, low, high, largest: 0.0, error: 0.0 };
        let mut off = 0.0f64;
        for corner in triangles.iter().flatten() {
            let local = frame.local(*corner);
            frame.largest = frame.largest.max(local.abs().max_element());
            off = off.max((local - local.as_vec3().as_dvec3()).abs().max_element());
        }
        // The local coordinates themselves are rounded from the true ones in f64.
        frame.error = off + frame.largest * f64::EPSILON + UNDERFLOW;
        let blocks = triangles.chunks(LANES).map(|chunk| block(&frame, chunk)).collect();
        Self { triangles: triangles.to_vec(), blocks, frame }
    }

    /// Number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The triangles, in the order given.
    pub fn triangles(&self) -> &[[DVec3; 3]] {
        &self.triangles
    }

    /// Fills `found` with the indices, in ascending order, of the triangles that the filter cannot reject.
    ///
    /// Every triangle that the query touches or crosses is among them.
    ///
    /// ```
    /// use impinge_geom::triangle::TriangleBatch;
    /// use glam::DVec3;
    /// let triangle = [DVec3::X, DVec3::Y, DVec3::Z];
    /// let batch = TriangleBatch::new(&[triangle, triangle.map(|p| p + DVec3::X * 9.0)]);
    /// let mut found = Vec::new();
    /// batch.candidates(&triangle, &mut found);
    /// assert_eq!(found, [0]);
    /// ```
    pub fn candidates(&self, query: &[DVec3; 3], found: &mut Vec<u32>) {
        found.clear();
        self.visit(query, |index| {
            found.push(index);
            true
        });
    }

    /// Fills `found` with the triangles that the query touches or crosses, in ascending order, with the verdicts of [`verdict`].
    pub fn verdicts(&self, query: &[DVec3; 3], found: &mut Vec<(u32, TriangleVerdict)>) {
        found.clear();
        self.visit(query, |index| {
            if let Some(triangle) = self.triangles.get(index as usize) {
                let verdict = verdict(query, triangle);
                if verdict != TriangleVerdict::Separated {
                    found.push((index, verdict));
                }
            }
            true
        });
    }

    /// True if the query touches or crosses any of the triangles.
    ///
    /// ```
    /// use impinge_geom::triangle::TriangleBatch;
    /// use glam::DVec3;
    /// let triangle = [DVec3::X, DVec3::Y, DVec3::Z];
    /// assert!(TriangleBatch::new(&[triangle]).meets(&triangle));
    /// assert!(!TriangleBatch::new(&[]).meets(&triangle));
    /// ```
    pub fn meets(&self, query: &[DVec3; 3]) -> bool {
        let mut meets = false;
        self.visit(query, |index| {
            meets = self
                .triangles
                .get(index as usize)
                .is_some_and(|triangle| verdict(query, triangle) != TriangleVerdict::Separated);
            !meets
        });
        meets
    }

    /// Calls back for each candidate, in ascending order, until told `false`.
    fn visit(&self, query: &[DVec3; 3], visit: impl FnMut(u32) -> bool) {
        if let Some(filter) = self.filter(query, visit) {
            dispatch(filter);
        }
    }

    /// The filter's work, or `None` if the query misses the box of all triangles.
    fn filter<F: FnMut(u32) -> bool>(&self, query: &[DVec3; 3], visit: F) -> Option<Filter<'_, F>> {
        let [a, b, c] = *query;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let apart = low.cmpgt(self.frame.high).any() || high.cmplt(self.frame.low).any();
        if apart || self.is_empty() {
            return None;
        }
        Some(Filter { batch: self, query: Query::new(&self.frame, query), visit })
    }
}

/// The f32 copy of up to eight triangles. Lanes without a triangle stay zero and are never looked at.
fn block(frame: &Frame, triangles: &[[DVec3; 3]]) -> Block {
    let mut block = EMPTY_BLOCK;
    for (lane, triangle) in triangles.iter().enumerate() {
        let local = triangle.map(|p| frame.local(p));
        let normal = (local[1] - local[0]).cross(local[2] - local[0]);
        let (normal, [low, high]) = slab(&local, normal, frame.largest);
        for axis in 0..3 {
            for (k, corner) in local.iter().enumerate() {
                block.corners[k][axis][lane] = corner[axis] as f32;
            }
            block.normal[axis][lane] = normal[axis] as f32;
        }
        (block.low[lane], block.high[lane]) = (round_down(low), round_up(high));
    }
    block
}

/// The direction, shortened to coordinates of at most one and rounded to f32, and bounds of the points along it.
///
/// Any direction will do as long as it is the same for both triangles; so it is rounded first and exact from then on.
fn slab(points: &[DVec3; 3], direction: DVec3, largest: f64) -> (DVec3, [f64; 2]) {
    let size = direction.abs().max_element();
    let usable = size > f64::MIN_POSITIVE && size.is_finite();
    let direction = if usable { (direction / size).as_vec3().as_dvec3() } else { DVec3::ZERO };
    let values = points.map(|point| direction.dot(point));
    // Rounding of the local coordinates and of the dot product: below eight units of f64.
    let error = 8.0 * f64::EPSILON * largest * one_norm(direction) + UNDERFLOW;
    let low = values[0].min(values[1]).min(values[2]) - error;
    let high = values[0].max(values[1]).max(values[2]) + error;
    (direction, [low, high])
}

fn one_norm(v: DVec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

/// The query in the batch's frame, with thresholds that include all errors.
struct Query {
    /// False if the query is too large for the filter: everything is a candidate.
    filtered: bool,
    corners: [[f32; 3]; 3],
    /// The box in f32. Moving into the frame and rounding to f32 are monotone, so what is in order there is in order here.
    low: [f32; 3],
    high: [f32; 3],
    /// The normal of the query and the normals of its edges within its plane, with bounds of the query along each, widened by
    /// the error of the batch's coordinates and of the dot products.
    directions: [([f32; 3], [f32; 2]); 4],
    /// By how much the query's corners along a block's normal can be wrong.
    margin: f32,
}

impl Query {
    fn new(frame: &Frame, query: &[DVec3; 3]) -> Self {
        let local = query.map(|p| frame.local(p));
        let largest = local.iter().fold(0.0f64, |m, p| m.max(p.abs().max_element()));
        let off = local
            .iter()
            .fold(0.0f64, |m, p| m.max((*p - p.as_vec3().as_dvec3()).abs().max_element()));
        let error = off + largest * f64::EPSILON + UNDERFLOW;
        let unit = f64::from(UNIT_ROUNDOFF_F32);
        let [a, b, c] = local;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let normal = (b - a).cross(c - a);
        let wall = |p: DVec3, q: DVec3| (q - p).cross(normal);
        let directions = [normal, wall(a, b), wall(b, c), wall(c, a)].map(|direction| {
            let (direction, [low, high]) = slab(&local, direction, largest);
            let margin =
                one_norm(direction) * (frame.error + 4.0 * unit * frame.largest) + UNDERFLOW;
            let bounds = [round_down(low - margin), round_up(high + margin)];
            (direction.as_vec3().to_array(), bounds)
        });
        // A block's normal has coordinates of at most one: its one-norm is at most 3.
        let margin = 3.0 * (error + 4.0 * unit * largest) + UNDERFLOW;
        Self {
            filtered: largest < LARGEST_QUERY,
            corners: local.map(|p| p.as_vec3().to_array()),
            low: low.as_vec3().to_array(),
            high: high.as_vec3().to_array(),
            directions,
            margin: round_up(margin * 1.001),
        }
    }
}

/// The filter over all blocks.
struct Filter<'b, F> {
    batch: &'b TriangleBatch,
    query: Query,
    visit: F,
}

impl<F: FnMut(u32) -> bool> Kernel for Filter<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let mut remaining = self.batch.len();
        for (index, block) in self.batch.blocks.iter().enumerate() {
            let all = if remaining >= LANES { 0xff } else { (1 << remaining) - 1 };
            remaining = remaining.saturating_sub(LANES);
            let parted = if self.query.filtered { parted(simd, block, &self.query) } else { 0 };
            let mut left = all & !parted;
            while left != 0 {
                if !(self.visit)((index * LANES) as u32 + left.trailing_zeros()) {
                    return;
                }
                left &= left - 1;
            }
        }
    }
}

/// The lanes whose triangles are certainly separated from the query.
///
/// Written without closures over lanes: a call through [`array::map`] is compiled for the plain instruction set, and the
/// vector instructions inside would not be inlined.
#[inline(always)]
fn parted<S: Simd>(simd: S, block: &Block, query: &Query) -> u32 {
    let [a, b, c] = &block.corners;
    let a = [simd.load32(&a[0]), simd.load32(&a[1]), simd.load32(&a[2])];
    let b = [simd.load32(&b[0]), simd.load32(&b[1]), simd.load32(&b[2])];
    let c = [simd.load32(&c[0]), simd.load32(&c[1]), simd.load32(&c[2])];
    let mut parted = 0;
    for axis in 0..3 {
        let (low, high) = extremes(simd, a[axis], b[axis], c[axis]);
        parted |= simd.greater32(low, simd.splat32(query.high[axis]));
        parted |= simd.greater32(simd.splat32(query.low[axis]), high);
    }
    if parted == 0xff {
        return parted;
    }
    // The query's plane, and the walls on its edges.
    for (direction, bounds) in &query.directions {
        let direction = splat(simd, *direction);
        let (low, high) = extremes(
            simd,
            dot(simd, direction, a),
            dot(simd, direction, b),
            dot(simd, direction, c),
        );
        parted |= simd.greater32(low, simd.splat32(bounds[1]));
        parted |= simd.greater32(simd.splat32(bounds[0]), high);
        if parted == 0xff {
            return parted;
        }
    }
    // The planes of the eight.
    let [x, y, z] = &block.normal;
    let normal = [simd.load32(x), simd.load32(y), simd.load32(z)];
    let [a, b, c] = &query.corners;
    let (low, high) = extremes(
        simd,
        dot(simd, normal, splat(simd, *a)),
        dot(simd, normal, splat(simd, *b)),
        dot(simd, normal, splat(simd, *c)),
    );
    let margin = simd.splat32(query.margin);
    parted |= simd.greater32(simd.sub32(low, simd.load32(&block.high)), margin);
    parted |= simd.greater32(simd.sub32(simd.load32(&block.low), high), margin);
    parted
}

#[cfg(test)]
mod tests {
    use super::TriangleBatch;
    use crate::simd::{Kernel, Scalar, dispatch};
    use glam::DVec3;

    #[test]
    fn every_backend_leaves_the_same_candidates() {
        let mut state = 5u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let mut triangle = || {
            let center = DVec3::new(number(), number(), number());
            [0; 3].map(|_| center + DVec3::new(number(), number(), number()) * 0.3)
        };
        let batch = TriangleBatch::new(&(0..203).map(|_| triangle()).collect::<Vec<_>>());
        let mut left = 0;
        for _ in 0..300 {
            let query = triangle();
            let (mut scalar, mut best) = (Vec::new(), Vec::new());
            let collect = |list: &mut Vec<u32>, index| {
                list.push(index);
                true
            };
            if let Some(filter) = batch.filter(&query, |index| collect(&mut scalar, index)) {
                filter.run(Scalar::new());
            }
            if let Some(filter) = batch.filter(&query, |index| collect(&mut best, index)) {
                dispatch(filter);
            }
            assert_eq!(scalar, best);
            left += best.len();
        }
        assert!(left > 300 && left < 300 * 203 / 10, "{left}");
    }
}
