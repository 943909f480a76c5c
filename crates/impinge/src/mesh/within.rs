//! Whether two meshes are within a distance of each other.

use super::mesh_pair::MeshPair;
use super::{Mesh, ScaledPose, Scratch};
use impinge_geom::DAabb;
use impinge_geom::bound::{Bound, Far};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::number::outward::round_up;
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, BLOCK};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, Nearest, Order, Visit};
use std::ops::ControlFlow;

/// True if the distance between the meshes, as surfaces, is at most `tolerance`, in A's unit.
///
/// Stops at the first two triangles that are near enough and never opens volumes that are farther apart: cheaper than the
/// [distance](super::distance), with the same answer as comparing it with the tolerance.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, Scratch}};
/// let mesh: Mesh = Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let above = Pose::from_translation([0.0, 0.0, 2.0])?.into();
/// let mut scratch = Scratch::default();
/// assert!(mesh::within(&mesh, &mesh, &above, 2.0, &mut scratch));
/// assert!(!mesh::within(&mesh, &mesh, &above, 1.999, &mut scratch));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn within<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    tolerance: f64,
    scratch: &mut Scratch,
) -> bool {
    within_with(a, b, b_in_a, tolerance, scratch, &mut ())
}

/// Like [`within`], with work counters.
pub fn within_with<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    tolerance: f64,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> bool {
    search(a, b, b_in_a, tolerance, scratch, probe, None)
}

/// Fills `found` with all pairs of triangles at most `tolerance` apart, in A's unit, in ascending order.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, Scratch}};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [9.0, 0.0, 0.0]];
/// let mesh: Mesh = Mesh::new(&corners, &[[0, 1, 2], [3, 3, 3]])?;
/// let above = Pose::from_translation([0.0, 0.0, 2.0])?.into();
/// let mut found = Vec::new();
/// mesh::pairs_within(&mesh, &mesh, &above, 2.0, &mut Scratch::default(), &mut found);
/// assert_eq!(found, [[0, 0], [1, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pairs_within<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    tolerance: f64,
    scratch: &mut Scratch,
    found: &mut Vec<[u32; 2]>,
) {
    found.clear();
    search(a, b, b_in_a, tolerance, scratch, &mut (), Some(found));
    found.sort_unstable();
}

/// Looks for pairs that are near enough, for one or for all.
fn search<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    tolerance: f64,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
    all: Option<&mut Vec<[u32; 2]>>,
) -> bool {
    // No distance is negative, and none is compared with what is not a number.
    if tolerance.is_nan() || tolerance < 0.0 {
        return false;
    }
    let mut pair = MeshPair::new(a, b, b_in_a);
    let far = pair.bring_together();
    let limit = round_up(pair.local_length(tolerance) - far.map_or(0.0, |far| far.base));
    let placement = pair.placement;
    let (a, b) = (&pair.first.tree, &pair.second.tree);
    let trees = Nearest { a, b, placement: &placement, far, order: Order::DepthFirst };
    let mut visitor = Near { pair, far, tolerance, limit, decided: 0, all };
    let near = traverse::nearest(trees, &mut scratch.queue, &mut visitor, probe).is_break();
    probe.primitives(visitor.decided);
    near
}

/// Breaks off at the first pair of triangles that is near enough, or lists them.
struct Near<'m, 'f, B: Bound> {
    pair: MeshPair<'m, B>,
    /// If the meshes are far apart: along which line.
    far: Option<Far>,
    tolerance: f64,
    /// The tolerance in units of the first's frame, rounded up; less the distance of the centres, if they are far apart.
    limit: f32,
    /// Pairs of triangles measured in f64.
    decided: u32,
    /// Where all of them go, if all are wanted.
    all: Option<&'f mut Vec<[u32; 2]>>,
}

impl<B: Bound> Visit for Near<'_, '_, B> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(
        &mut self,
        simd: S,
        leaf_first: u32,
        leaf_second: u32,
    ) -> ControlFlow<()> {
        // No direction is known to separate the rest.
        let direction = (Vec3A::ZERO, self.far);
        let mut left = self.pair.near(simd, (leaf_first, leaf_second), direction, self.limit);
        let firsts = self.pair.first.tree.leaf(leaf_first);
        let seconds = self.pair.second.tree.leaf(leaf_second);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let (a, b) = self.pair.in_order(firsts[bit % BLOCK], seconds[bit / BLOCK]);
            let (corners_a, corners_b) = self.pair.corners(a, b);
            self.decided = self.decided.saturating_add(1);
            if is_farther(&corners_a, &corners_b, self.tolerance) {
                continue;
            }
            if triangle::distance(&corners_a, &corners_b).distance <= self.tolerance {
                match &mut self.all {
                    Some(all) => all.push([a, b]),
                    None => return ControlFlow::Break(()),
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn max_distance(&self) -> f32 {
        self.limit
    }
}

/// More than a distance of triangles can be wrong by, as a share of their extent.
const ROUNDED: f64 = 1e-11;

/// 2^-200: of a product of three lengths no less is looked at.
const TINY: f64 = f64::from_bits((1023 - 200) << 52);

/// True if boxes, or the plane or an edge of one of them, show that two triangles are farther apart than a distance: most that are beside each other.
fn is_farther(a: &[DVec3; 3], b: &[DVec3; 3], distance: f64) -> bool {
    let (of_a, of_b) = (DAabb::of_points(*a), DAabb::of_points(*b));
    let extent = (of_a.high.max(of_b.high) - of_a.low.min(of_b.low)).max_element();
    let limit = distance + ROUNDED * extent;
    let gap = (of_b.low - of_a.high).max(of_a.low - of_b.high);
    gap.max_element() > limit
        || is_beyond_plane(a, b, limit, extent)
        || is_beyond_plane(b, a, limit, extent)
        || is_beyond_edge(a, b, limit, extent)
        || is_beyond_edge(b, a, limit, extent)
}

/// True if in the plane of a triangle all corners of another are farther beyond one of its edges.
fn is_beyond_edge(t: &[DVec3; 3], other: &[DVec3; 3], distance: f64, extent: f64) -> bool {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]);
    (0..3).any(|k| {
        let (p, edge) = (t[k], t[(k + 1) % 3] - t[k]);
        let out = edge.cross(normal);
        let length = out.length();
        // Whichever direction rounding makes of it, all of the triangle is compared with all of the other.
        let least = distance * length + 64.0 * f64::EPSILON * extent * length;
        let highest = out.dot(t[(k + 2) % 3] - p).max(out.dot(edge)).max(0.0);
        length > TINY && other.iter().all(|corner| out.dot(*corner - p) > highest + least)
    })
}

/// True if all corners of a triangle are farther from the plane of another, on one side.
fn is_beyond_plane([p, q, r]: &[DVec3; 3], other: &[DVec3; 3], distance: f64, extent: f64) -> bool {
    let (u, v) = (*q - *p, *r - *p);
    let normal = u.cross(v);
    // Three products of at most the extent, and what few roundings make of them.
    let least = distance * normal.length() + 64.0 * f64::EPSILON * extent * u.length() * v.length();
    // Of less the length is not known.
    if normal.length_squared() < f64::MIN_POSITIVE {
        return false;
    }
    let heights = other.map(|corner| normal.dot(corner - *p));
    heights.iter().all(|height| *height > least) || heights.iter().all(|height| *height < -least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_be_farther_is() {
        let mut state = 7u64;
        let mut number = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        let (mut told, mut silent) = (0, 0);
        for round in 0..20_000 {
            let size = [1.0, 1e-6, 1e-170, 1e60][round % 4];
            let flat = if round % 3 == 0 { 1e-9 } else { 1.0 };
            let mut corner = |x: f64| {
                let p = DVec3::new(number() + x, number(), flat * number());
                DVec3::new(p.x - p.z, p.y, p.z + 0.5 * p.x) * size
            };
            let a = [corner(0.0), corner(0.0), corner(0.0)];
            let aside = (round % 5) as f64 * 0.4;
            let b = [corner(aside), corner(aside), corner(aside)];
            let actual = triangle::distance(&a, &b).distance;
            for tolerance in [0.0, 0.5 * actual, 0.999 * actual, actual, 1.1 * actual] {
                let farther = is_farther(&a, &b, tolerance);
                assert!(!farther || actual > tolerance, "{a:?} {b:?} {tolerance}");
                *(if farther { &mut told } else { &mut silent }) += 1;
            }
        }
        assert!(told > 10_000 && silent > 10_000, "{told} {silent}");
    }
}
