//! Self-intersections of a mesh.
//!
//! Faces that share corners may meet there: two faces meet *properly* if their common points are no more than the corner or
//! the edge that they share, by position. What is asked for depends on how many corners are shared, and is exact:
//!
//! * none: any common point is improper ([`triangle::verdict`]);
//! * one, v: a common point q ≠ v lies on a ray from v, which leaves each face on the side opposite v. The nearer of the two
//!   exits belongs to both faces. So it is enough to ask whether the side opposite v of one face meets the other face;
//! * two, u and v: planes that differ have the line through u and v in common, and the faces no more than the edge. In one plane
//!   they overlap iff the third corners are on the same side of the edge;
//! * three: the same face twice.
//!
//! Faces without area are segments or points: the "exits" are then their ends.

use super::{Mesh, Scratch};
use impinge_geom::Pose;
use impinge_geom::bound::{Bound, RelativeFrame};
use impinge_geom::glam::{DVec2, DVec3, Vec3Swizzles as _};
use impinge_geom::predicate::{are_collinear, orient2d, orient3d};
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, AlignedBlock, BLOCK, TriangleVerdict};
use impinge_tree::traverse::{self, PairTraversal, Policy, Visit};
use std::ops::ControlFlow;

/// Fills `found` with the pairs of faces that intersect beyond the corners and edges they share, in ascending order.
///
/// Faces that share corners by position, with whatever indices, are neighbours. Two faces with the same three corners and some
/// area are a pair.
///
/// ```
/// use impinge::mesh::{self, Mesh, Scratch};
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 0.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0]];
/// let sheet: Mesh = Mesh::new(&corners, &[[0, 1, 2], [1, 3, 2]])?;
/// let pierced: Mesh = Mesh::new(&corners, &[[0, 1, 2], [1, 3, 2], [3, 4, 5]])?;
/// let (mut scratch, mut found) = (Scratch::default(), Vec::new());
/// mesh::self_intersections(&sheet, &mut scratch, &mut found);
/// assert!(found.is_empty());
/// mesh::self_intersections(&pierced, &mut scratch, &mut found);
/// assert_eq!(found, [[0, 2], [1, 2]]);
/// # Ok::<(), mesh::MeshError>(())
/// ```
pub fn self_intersections<B: Bound>(
    mesh: &Mesh<B>,
    scratch: &mut Scratch,
    found: &mut Vec<[u32; 2]>,
) {
    found.clear();
    let frame = mesh.tree.frame();
    let placement = RelativeFrame::new(frame, frame, &Pose::IDENTITY, 1.0);
    let mut visitor = Improper { mesh, margin: placement.b_to_a.margin, found };
    let policy = Policy::default();
    let trees = PairTraversal { a: &mesh.tree, b: &mesh.tree, placement: &placement, policy };
    let _ = traverse::pairs(trees, &mut scratch.stack, &mut visitor, &mut ());
    found.sort_unstable();
}

struct Improper<'m, 'f, B: Bound> {
    mesh: &'m Mesh<B>,
    margin: f32,
    found: &'f mut Vec<[u32; 2]>,
}

impl<B: Bound> Visit for Improper<'_, '_, B> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, leaf_a: u32, leaf_b: u32) -> ControlFlow<()> {
        // Every pair of leaves comes twice, every leaf also with itself.
        if leaf_a > leaf_b {
            return ControlFlow::Continue(());
        }
        let (items_a, items_b) = (self.mesh.tree.leaf(leaf_a), self.mesh.tree.leaf(leaf_b));
        let blocks = &self.mesh.blocks;
        let block = &blocks[leaf_a as usize];
        let aligned = AlignedBlock::new(simd, block, self.margin);
        let a = (block, &aligned, (1 << items_a.len()) - 1);
        let b = (&blocks[leaf_b as usize], (1 << items_b.len()) - 1);
        let mut left = triangle::candidates(simd, a, b, self.margin);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let (i, j) = (bit % BLOCK, bit / BLOCK);
            if leaf_a == leaf_b && i >= j {
                continue;
            }
            let (face, other) = (items_a[i], items_b[j]);
            if meet_improperly(&self.mesh.corners(face), &self.mesh.corners(other)) {
                self.found.push([face.min(other), face.max(other)]);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Up to three points.
#[derive(Clone, Copy, Default)]
struct Few {
    points: [DVec3; 3],
    count: usize,
}

impl Few {
    fn push(&mut self, point: DVec3) {
        if !self.as_slice().contains(&point) && self.count < 3 {
            self.points[self.count] = point;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[DVec3] {
        &self.points[..self.count]
    }
}

/// True if two faces have a point in common that is not of a corner or edge which they share. Exact.
fn meet_improperly(f: &[DVec3; 3], g: &[DVec3; 3]) -> bool {
    let (mut shared, mut rest_f, mut rest_g) = (Few::default(), Few::default(), Few::default());
    for p in f {
        if g.contains(p) { shared.push(*p) } else { rest_f.push(*p) }
    }
    for p in g {
        if !f.contains(p) {
            rest_g.push(*p);
        }
    }
    let (rest_f, rest_g) = (rest_f.as_slice(), rest_g.as_slice());
    match *shared.as_slice() {
        [] => meet(f, g),
        [v] => beyond_corner(v, (f, rest_f), (g, rest_g)),
        [u, v] => match (rest_f, rest_g) {
            ([a], [b]) => beyond_edge([u, v], (f, *a), (g, *b)),
            // One of them is the edge itself.
            _ => false,
        },
        _ => !are_collinear(f[0], f[1], f[2]),
    }
}

fn meet(f: &[DVec3; 3], g: &[DVec3; 3]) -> bool {
    triangle::verdict(f, g) != TriangleVerdict::Separated
}

/// Do two faces that share the corner `v`, each with the rest of its corners, meet beyond it?
fn beyond_corner(v: DVec3, f: (&[DVec3; 3], &[DVec3]), g: (&[DVec3; 3], &[DVec3])) -> bool {
    let is_flat = |rest: &[DVec3]| match *rest {
        [a, b] => are_collinear(v, a, b),
        _ => true,
    };
    // Strictly on one side of the other's plane, but for v: most pairs end here.
    let leaves = |rest: &[DVec3], [a, b, c]: [DVec3; 3]| {
        let mut sides = rest.iter().map(|p| orient3d(a, b, c, *p));
        let first = sides.next().unwrap_or_default();
        first != 0 && sides.all(|side| side == first)
    };
    if are_beside(v, f.1, g.1) || leaves(f.1, *g.0) || leaves(g.1, *f.0) {
        return false;
    }
    let support_values = |rest: &[DVec3], other: &[DVec3; 3]| match *rest {
        [a, b] if !is_flat(rest) => meet(&[a, b, b], other),
        _ => rest.iter().any(|p| meet(&[*p; 3], other)),
    };
    support_values(f.1, g.0) || support_values(g.1, f.0)
}

/// True if in the shadow along some axis the line through `v` and another corner of one of two faces has that face on one side and the other face on the
/// other: most faces of a flat fan.
fn are_beside(v: DVec3, f: &[DVec3], g: &[DVec3]) -> bool {
    let (&[a, b], &[c, d]) = (f, g) else { return false };
    let shadows: [fn(DVec3) -> DVec2; 3] = [|p| p.xy(), |p| p.yz(), |p| p.zx()];
    shadows.into_iter().any(|shadow| {
        let parts = |from: DVec3, own: DVec3, others: [DVec3; 2]| {
            let side = |p: DVec3| orient2d(shadow(v), shadow(from), shadow(p));
            let first = side(own);
            first != 0 && others.into_iter().all(|p| side(p) == -first)
        };
        parts(a, b, [c, d]) || parts(b, a, [c, d]) || parts(c, d, [a, b]) || parts(d, c, [a, b])
    })
}

/// Do two faces that share the edge `u` `v`, with third corners `a` and `b`, meet beyond it?
fn beyond_edge(
    [u, v]: [DVec3; 2],
    (f, a): (&[DVec3; 3], DVec3),
    (g, b): (&[DVec3; 3], DVec3),
) -> bool {
    if orient3d(u, v, a, b) != 0 {
        return false;
    }
    if are_collinear(u, v, a) || are_collinear(u, v, b) {
        // One is a segment along the edge: it is longer than the edge where the other is, or it is not.
        let pokes = |p: DVec3, face: &[DVec3; 3]| meet(&[p; 3], face) && !meet(&[p; 3], &[u, v, v]);
        return pokes(a, g) || pokes(b, f);
    }
    let shadows: [fn(DVec3) -> DVec2; 3] = [|p| p.xy(), |p| p.yz(), |p| p.zx()];
    shadows.iter().any(|shadow| {
        let side = |p: DVec3| orient2d(shadow(u), shadow(v), shadow(p));
        side(a) * side(b) > 0
    })
}
