//! The farthest vertex of a hull along a direction.
//!
//! Small hulls look at all vertices, four at a time. Large ones look at a sample, then climb from neighbour to neighbour: on a
//! convex polytope a vertex that is above all its neighbours is above all vertices.
//!
//! Values are computed for the coordinates as they are where a small hull is near the origin and of ordinary size; else for
//! coordinates relative to vertex 0 and scaled by a power of two, so that neither a place far from the origin nor tiny or huge
//! units blur the comparison. Integer coordinates tie exactly.

use super::Hull;
use crate::number::error::power_of_two_near_inverse;
use crate::simd::{Kernel, Scalar, Simd, dispatch};
use crate::support::{Support, SupportPoint};
use glam::DVec3;

/// Up to this many vertices all are looked at.
const SCAN: usize = 256;

/// Directions whose largest component is outside these bounds are scaled first: 2^-300 and 2^300.
const SMALL: f64 = f64::from_bits((1023 - 300) << 52);
const LARGE: f64 = f64::from_bits((1023 + 300) << 52);

/// A hull is near the origin while its first vertex is no farther than this many times its size.
const NEARBY: f64 = 4.0;

/// Hulls are of ordinary size from this, 2^-100, to its inverse.
const ORDINARY: f64 = f64::from_bits((1023 - 100) << 52);

/// Four vertices: lanes of x, y, z, and of the vertex index as a bit pattern, which the lanes only carry.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
struct Block([[f64; 4]; 4]);

/// Vertex coordinates in blocks of four.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SupportBlocks {
    /// What coordinates, relative to vertex 0, are multiplied with: a power of two.
    factor: f64,
    /// True if the blocks hold all vertices, with the very coordinates that they have.
    plain: bool,
    /// True if the blocks hold all vertices, false if they hold a sample.
    complete: bool,
    /// Two halves of equal length, scanned side by side; places beyond the last vertex repeat vertex 0.
    blocks: Vec<Block>,
}

impl SupportBlocks {
    /// All vertices of small hulls, evenly spread ones of large hulls.
    pub(super) fn new(vertices: &[DVec3]) -> Self {
        let origin = vertices[0];
        let size = vertices.iter().map(|v| (*v - origin).abs().max_element()).fold(0.0, f64::max);
        let factor = power_of_two_near_inverse(size.max(f64::MIN_POSITIVE));
        let complete = vertices.len() <= SCAN;
        let stride =
            if complete { 1 } else { vertices.len().div_ceil(sample_size(vertices.len())) };
        let count = vertices.len().div_ceil(stride).div_ceil(8) * 8;
        let place = |i: usize| if i * stride < vertices.len() { i * stride } else { 0 };
        let plain = complete
            && (ORDINARY..1.0 / ORDINARY).contains(&size)
            && origin.abs().max_element() <= NEARBY * size;
        let block = |start: usize| {
            let lanes = [0, 1, 2, 3].map(|lane| place(start + lane));
            let point = |vertex: usize| {
                if plain { vertices[vertex] } else { (vertices[vertex] - origin) * factor }
            };
            let points = lanes.map(point);
            Block([
                points.map(|p| p.x),
                points.map(|p| p.y),
                points.map(|p| p.z),
                lanes.map(|vertex| f64::from_bits(vertex as u64)),
            ])
        };
        Self { factor, plain, complete, blocks: (0..count).step_by(4).map(block).collect() }
    }

    /// The vertex of the blocks with the largest value; the smallest index where several tie.
    #[inline(always)]
    fn scan<S: Simd>(&self, simd: S, direction: DVec3) -> u32 {
        // Written out: an array's `map` is not inlined into the kernels.
        let direction =
            [simd.splat64(direction.x), simd.splat64(direction.y), simd.splat64(direction.z)];
        let start = (simd.splat64(f64::NEG_INFINITY), simd.splat64(0.0));
        let (mut left, mut right) = (start, start);
        // In each lane the indices of the second half are above those of the first, and of equals the earlier one stays.
        let (first, second) = self.blocks.split_at(self.blocks.len() / 2);
        for (a, b) in first.iter().zip(second) {
            left = simd.keep_greater64(left, values(simd, a, direction));
            right = simd.keep_greater64(right, values(simd, b, direction));
        }
        let best = simd.keep_greater64(left, right);
        let mut winners = simd.largest64(best.0);
        let indices = simd.store64(best.1);
        let index = |winners: u32| indices[winners.trailing_zeros() as usize & 3].to_bits() as u32;
        let mut winner = index(winners);
        winners &= winners.wrapping_sub(1);
        // Ties are rare: the branch is well predicted.
        while winners != 0 {
            winner = winner.min(index(winners));
            winners &= winners - 1;
        }
        winner
    }
}

/// How many vertices of a large hull are looked at before climbing: a power of two near (n² / 16)^⅓. A step of the climb costs as
/// much as scanning many vertices, and about √(n / sample) steps are left.
fn sample_size(vertex_count: usize) -> usize {
    let square = (vertex_count as u128).pow(2);
    let mut sample = 32;
    while 16 * (sample as u128).pow(3) < square {
        sample *= 2;
    }
    sample
}

/// The values (x·dx + y·dy) + z·dz of a block and the indices of its vertices.
#[inline(always)]
fn values<S: Simd>(
    simd: S,
    Block([x, y, z, index]): &Block,
    [dx, dy, dz]: [S::F64x4; 3],
) -> (S::F64x4, S::F64x4) {
    let (x, y, z) = (simd.load64(x), simd.load64(y), simd.load64(z));
    let shadow = simd.add64(simd.mul64(x, dx), simd.mul64(y, dy));
    (simd.add64(shadow, simd.mul64(z, dz)), simd.load64(index))
}

/// The direction, scaled by a power of two if its products might overflow or vanish.
#[inline(always)]
fn in_range(direction: DVec3) -> DVec3 {
    let largest = direction.abs().max_element();
    if (SMALL..=LARGE).contains(&largest) { direction } else { scaled(direction, largest) }
}

#[cold]
fn scaled(direction: DVec3, largest: f64) -> DVec3 {
    direction * if largest > 0.0 { power_of_two_near_inverse(largest) } else { 1.0 }
}

impl Hull {
    /// The farthest vertex along a direction, inside a running kernel.
    ///
    /// The vertex is one whose value ((x·dx + y·dy) + z·dz), rounded after each operation, is largest; all backends give the
    /// same. Large hulls climb from `hint`, a vertex that is expected to be near (0 if there is none), if it is farther than
    /// their own starting point.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, hull::Hull, simd::Scalar};
    /// let hull = Hull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// let support = hull.support_in(Scalar::new(), DVec3::new(0.1, 0.5, 0.2), 0);
    /// assert_eq!((support.vertex, support.point), (2, DVec3::Y));
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline(always)]
    pub fn support_in<S: Simd>(&self, simd: S, direction: DVec3, hint: u32) -> SupportPoint {
        let direction = in_range(direction);
        let mut vertex = self.blocks.scan(simd, direction);
        if self.blocks.plain {
            // The block is in the nearest cache: the scan has just passed over it.
            let lane = vertex as usize % 4;
            if let Some(Block([x, y, z, _])) = self.blocks.blocks.get(vertex as usize / 4) {
                let point = DVec3::new(x[lane], y[lane], z[lane]);
                return SupportPoint { point, vertex };
            }
        }
        if !self.blocks.complete {
            vertex = self.climb(direction, vertex, hint);
        }
        match self.vertices.get(vertex as usize) {
            Some(point) => SupportPoint { point: *point, vertex },
            None => SupportPoint { point: self.vertices[0], vertex: 0 },
        }
    }

    /// A vertex far along a direction: the farthest of a small hull, of a large one the farthest of a sample.
    pub(super) fn vertex_near(&self, direction: DVec3) -> u32 {
        self.blocks.scan(Scalar::new(), in_range(direction))
    }

    /// Climbs from the better of two vertices to one that no neighbour exceeds.
    fn climb(&self, direction: DVec3, start: u32, hint: u32) -> u32 {
        let (origin, factor) = (self.vertices[0], self.blocks.factor);
        let value = |vertex: u32| match self.vertices.get(vertex as usize) {
            Some(point) => ((*point - origin) * factor).dot(direction),
            None => f64::NEG_INFINITY,
        };
        let mut best = (value(start), start);
        let other = value(hint);
        if other > best.0 {
            best = (other, hint);
        }
        // Each round raises the value, so no vertex comes twice.
        loop {
            let from = best.1;
            for neighbour in self.neighbours(from) {
                let other = value(*neighbour);
                if other > best.0 {
                    best = (other, *neighbour);
                }
            }
            if best.1 == from {
                return from;
            }
        }
    }

    /// The face that faces a direction: of those at the farthest vertex, the one whose normal is most aligned; the smallest
    /// index where several tie. None for hulls without faces.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, hull::Hull};
    /// let hull = Hull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// let face = hull.face_along(DVec3::new(1.0, 0.9, 1.1)).unwrap();
    /// assert_eq!(hull.face(face), [1, 2, 3]);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn face_along(&self, direction: DVec3) -> Option<u32> {
        let vertex = self.support(direction).vertex;
        let direction = in_range(direction);
        let mut best: Option<(f64, u32)> = None;
        for &face in self.vertex_faces(vertex) {
            let value = self.face_normal(face).dot(direction);
            let better =
                best.is_none_or(|(old, number)| value > old || (value == old && face < number));
            if better {
                best = Some((value, face));
            }
        }
        best.map(|(_, face)| face)
    }
}

/// One support query as a kernel of its own.
struct Query<'a> {
    hull: &'a Hull,
    direction: DVec3,
}

impl Kernel for Query<'_> {
    type Output = SupportPoint;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> SupportPoint {
        self.hull.support_in(simd, self.direction, 0)
    }
}

impl Support for Hull {
    /// The farthest vertex along the direction: see [`Hull::support_in`].
    ///
    /// ```
    /// use impinge_geom::{Support, glam::DVec3, hull::Hull};
    /// let hull = Hull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// assert_eq!(hull.support(DVec3::Z).vertex, 3);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    fn support(&self, direction: DVec3) -> SupportPoint {
        dispatch(Query { hull: self, direction })
    }
    fn center(&self) -> DVec3 {
        self.center()
    }
    fn radius(&self) -> f64 {
        self.radius()
    }
}
