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
//!
//! Where many faces share a vertex, `hub.rs` tells which may meet; the hierarchies leave these pairs out. The largest stars have hierarchies of their own,
//! which are not traversed against themselves.

use super::hub::{Hubs, neighbours};
use super::{Mesh, MeshError, Scratch};
use impinge_geom::Pose;
use impinge_geom::bound::{Bound, Obb, RelativeFrame};
use impinge_geom::glam::{DVec2, DVec3, Vec3Swizzles as _};
use impinge_geom::predicate::{are_collinear, orient2d, orient3d};
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, AlignedBlock, BLOCK, TriangleVerdict};
use impinge_tree::traverse::{self, PairTraversal, Policy, Visit};
use std::ops::{ControlFlow, Range};

/// A star of more faces than this has a hierarchy of its own,
const LARGE_STAR: usize = 1024;
/// if it is among so many of the largest.
const MOST_STARS: usize = 16;

/// Fills `found` with the pairs of faces that intersect beyond the corners and edges they share, in ascending order.
///
/// Faces that share corners by position, with whatever indices, are neighbours. Of faces with the same three corners and some area the later ones are
/// each a pair with the first, and only the first is one with others.
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
    let faces = mesh.welded_faces();
    first_self_intersections(mesh, (&faces, &firsts(&faces)), scratch, found, usize::MAX);
}

/// Like [`self_intersections`], but stops once there are more than `most`, and tells whether it did. The faces are those by welded vertices.
pub(super) fn first_self_intersections<B: Bound>(
    mesh: &Mesh<B>,
    (faces, firsts): (&[[u32; 3]], &[u32]),
    scratch: &mut Scratch,
    found: &mut Vec<[u32; 2]>,
    most: usize,
) -> bool {
    found.clear();
    let is_first = |face: u32| firsts.is_empty() || firsts[face as usize] == face;
    let hubs = Hubs::new(faces, mesh.vertices.len(), is_first);
    let mut search = Search { mesh, hubs: &hubs, found, most };
    search.copies(firsts);
    let stars = hubs.stars(is_first);
    stars.iter().for_each(|star| search.star(star));
    let large = stars.iter().take(MOST_STARS).filter(|star| star.len() > LARGE_STAR);
    let groups = groups(faces.len(), large, is_first);
    match groups {
        None => search.between([mesh, mesh], None, scratch),
        // Fails only where the mesh itself could not have been made.
        Some(groups) => search.among(&groups, scratch).unwrap_or_default(),
    }
    found.sort_unstable();
    // Two hubs may tell of one pair.
    found.dedup();
    let is_cut = found.len() > most;
    found.truncate(most);
    is_cut
}

/// For each face the first one with the same corners; empty if all differ.
pub(super) fn firsts(faces: &[[u32; 3]]) -> Vec<u32> {
    let sorted = |face: usize| {
        let mut corners = faces[face];
        corners.sort_unstable();
        corners
    };
    let mut order: Vec<([u32; 3], u32)> =
        (0..faces.len()).map(|face| (sorted(face), face as u32)).collect();
    order.sort_unstable();
    if order.windows(2).all(|two| two[0].0 != two[1].0) {
        return Vec::new();
    }
    let mut firsts = vec![0; faces.len()];
    for alike in order.chunk_by(|x, y| x.0 == y.0) {
        alike.iter().for_each(|(_, face)| firsts[*face as usize] = alike[0].1);
    }
    firsts
}

/// The large stars, of which no face is in two, and before them all other faces; none if the hierarchy of the mesh serves.
fn groups<'s>(
    count: usize,
    large: impl Iterator<Item = &'s Vec<u32>>,
    is_first: impl Fn(u32) -> bool,
) -> Option<Vec<Vec<u32>>> {
    let mut is_left: Vec<bool> = (0..count as u32).map(is_first).collect();
    let some_are_copies = is_left.contains(&false);
    let mut groups = vec![Vec::new()];
    for star in large {
        let own = star.iter().copied().filter(|&face| is_left[face as usize]).collect();
        star.iter().for_each(|&face| is_left[face as usize] = false);
        groups.push(own);
    }
    groups[0] = (0..count as u32).filter(|&face| is_left[face as usize]).collect();
    (groups.len() > 1 || some_are_copies).then_some(groups)
}

struct Search<'m, 'f, B: Bound> {
    mesh: &'m Mesh<B>,
    hubs: &'m Hubs,
    found: &'f mut Vec<[u32; 2]>,
    most: usize,
}

impl<B: Bound> Search<'_, '_, B> {
    fn is_full(&self) -> bool {
        self.found.len() > self.most
    }

    /// Later faces with the same corners, each with the first.
    fn copies(&mut self, firsts: &[u32]) {
        for (face, &first) in (0..).zip(firsts) {
            let [a, b, c] = self.mesh.corners(face);
            if face != first && !self.is_full() && !are_collinear(a, b, c) {
                self.found.push([first, face]);
            }
        }
    }

    /// The faces about one vertex.
    fn star(&mut self, star: &[u32]) {
        let Some(corner) = self.hubs.centre(star) else { return };
        if self.is_full() {
            return;
        }
        let corners: Vec<[DVec3; 3]> = star.iter().map(|&face| self.mesh.corners(face)).collect();
        neighbours(corners[0][corner], &corners, &mut |i, j| {
            if meet_improperly(&corners[i], &corners[j]) {
                self.found.push([star[i].min(star[j]), star[i].max(star[j])]);
            }
            !self.is_full()
        });
    }

    /// Groups of faces, each but the first a star.
    fn among(&mut self, groups: &[Vec<u32>], scratch: &mut Scratch) -> Result<(), MeshError> {
        let vertices: Vec<[f64; 3]> = self.mesh.vertices.iter().map(DVec3::to_array).collect();
        let mut meshes = Vec::with_capacity(groups.len());
        for group in groups {
            let faces: Vec<[u32; 3]> =
                group.iter().map(|&face| self.mesh.triangles[face as usize]).collect();
            meshes.push(match faces.is_empty() {
                true => None,
                false => Some(Mesh::<Obb>::new(&vertices, &faces)?),
            });
        }
        for (i, one) in meshes.iter().enumerate() {
            for (j, two) in meshes.iter().enumerate().skip(i) {
                let is_star = i == j && i > 0;
                if let (Some(one), Some(two), false) = (one, two, is_star) {
                    self.between([one, two], Some([&groups[i], &groups[j]]), scratch);
                }
            }
        }
        Ok(())
    }

    /// The faces of two meshes; they may be one. Where they are not the mesh itself, `names` tells its faces.
    fn between<V: Bound>(
        &mut self,
        [a, b]: [&Mesh<V>; 2],
        names: Option<[&Vec<u32>; 2]>,
        scratch: &mut Scratch,
    ) {
        let placement = RelativeFrame::new(a.tree.frame(), b.tree.frame(), &Pose::IDENTITY, 1.0);
        let margin = placement.b_to_a.margin;
        let is_one = std::ptr::eq(a, b);
        let name = |side: usize, face: u32| names.map_or(face, |names| names[side][face as usize]);
        let visit = &mut |face: u32, other: u32| {
            let [f, g] = [name(0, face), name(1, other)];
            if !self.hubs.share(f, g)
                && meet_improperly(&self.mesh.corners(f), &self.mesh.corners(g))
            {
                self.found.push([f.min(g), f.max(g)]);
            }
            if self.found.len() > self.most {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let hub_of =
            |side: usize, mesh: &Mesh<V>| self.hubs.of_leaves(mesh, |face| name(side, face));
        let hub_of = [hub_of(0, a), hub_of(1, b)];
        let mut visitor = Improper { a, b, is_one, margin, hub_of, visit };
        let policy = Policy::default();
        let trees = PairTraversal { a: &a.tree, b: &b.tree, placement: &placement, policy };
        let _ = traverse::pairs(trees, &mut scratch.stack, &mut visitor, &mut ());
    }
}

struct Improper<'m, 'v, V: Bound> {
    a: &'m Mesh<V>,
    b: &'m Mesh<V>,
    is_one: bool,
    margin: f32,
    /// Of the leaves whose faces all share a hub, which: of two with the same one nothing is asked here.
    hub_of: [Vec<Option<u32>>; 2],
    visit: &'v mut dyn FnMut(u32, u32) -> ControlFlow<()>,
}

impl<V: Bound> Visit for Improper<'_, '_, V> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, leaf_a: u32, leaf_b: u32) -> ControlFlow<()> {
        // In one mesh every pair of leaves comes twice, every leaf also with itself.
        if self.is_one && leaf_a > leaf_b {
            return ControlFlow::Continue(());
        }
        let [hub_a, hub_b] = [(0, leaf_a), (1, leaf_b)].map(|(side, leaf): (usize, u32)| {
            self.hub_of[side].get(leaf as usize).copied().flatten()
        });
        if hub_a.is_some() && hub_a == hub_b {
            return ControlFlow::Continue(());
        }
        let (items_a, items_b) = (self.a.tree.leaf(leaf_a), self.b.tree.leaf(leaf_b));
        let block = &self.a.blocks[leaf_a as usize];
        let aligned = AlignedBlock::new(simd, block, self.margin);
        let a = (block, &aligned, (1 << items_a.len()) - 1);
        let b = (&self.b.blocks[leaf_b as usize], (1 << items_b.len()) - 1);
        let mut left = triangle::candidates(simd, a, b, self.margin);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let (i, j) = (bit % BLOCK, bit / BLOCK);
            if self.is_one && leaf_a == leaf_b && i >= j {
                continue;
            }
            (self.visit)(items_a[i], items_b[j])?;
        }
        ControlFlow::Continue(())
    }
}

/// Up to three points; one that comes twice counts once.
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
pub(super) fn meet_improperly(f: &[DVec3; 3], g: &[DVec3; 3]) -> bool {
    let place_in_g = f.map(|p| (0..3).find(|&j| g[j] == p));
    let mut places = (0..3).filter_map(|k| Some((k, place_in_g[k]?)));
    match (places.next(), places.next(), places.next()) {
        (None, ..) => meet(f, g),
        (Some((k, j)), None, _) if triangle::leave_apart(f[k], others(f, k), others(g, j)) => false,
        (Some((k, i)), Some((l, j)), None)
            if i != j && open_up([f[k], f[l]], f[3 - k - l], g[3 - i - j]) =>
        {
            false
        }
        _ => meet_beyond_shared(f, g),
    }
}

/// The other two corners.
fn others(f: &[DVec3; 3], k: usize) -> [DVec3; 2] {
    [f[(k + 1) % 3], f[(k + 2) % 3]]
}

/// True if in a shadow the two triangles at an edge, with third corners `a` and `b`, are on different sides of it: then they do not lie on each other, and
/// share no more than the edge.
fn open_up([u, v]: [DVec3; 2], a: DVec3, b: DVec3) -> bool {
    let shadow = SHADOWS[widest_shadow(&[u, v, a]) % 3];
    let side = |p: DVec3| orient2d(shadow(u), shadow(v), shadow(p));
    side(a) * side(b) < 0
}

/// [`meet_improperly`], whatever they share.
fn meet_beyond_shared(f: &[DVec3; 3], g: &[DVec3; 3]) -> bool {
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
    // Across the axis along which one looks largest first: in other shadows faces may be segments.
    let first = widest_shadow(f.0);
    if are_beside(v, f.1, g.1, first..first + 1)
        || leaves(f.1, *g.0)
        || leaves(g.1, *f.0)
        || are_beside(v, f.1, g.1, first + 1..first + 3)
    {
        return false;
    }
    let support_values = |rest: &[DVec3], other: &[DVec3; 3]| match *rest {
        [a, b] if !is_flat(rest) => meet(&[a, b, b], other),
        _ => rest.iter().any(|p| meet(&[*p; 3], other)),
    };
    support_values(f.1, g.0) || support_values(g.1, f.0)
}

/// Shadows along z, x and y.
const SHADOWS: [fn(DVec3) -> DVec2; 3] = [|p| p.xy(), |p| p.yz(), |p| p.zx()];

/// The shadow in which a face is about the largest.
fn widest_shadow([a, b, c]: &[DVec3; 3]) -> usize {
    let DVec3 { x, y, z } = (*b - *a).cross(*c - *a).abs();
    if z >= x && z >= y {
        0
    } else if x >= y {
        1
    } else {
        2
    }
}

/// True if in the shadow along some of the axes the line through `v` and another corner of one of two faces has that face on one side and the other face on the
/// other: most faces of a flat fan.
fn are_beside(v: DVec3, f: &[DVec3], g: &[DVec3], mut shadows: Range<usize>) -> bool {
    let (&[a, b], &[c, d]) = (f, g) else { return false };
    shadows.any(|k| {
        let shadow = SHADOWS[k % 3];
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
    // In one plane: every shadow in which they have area tells.
    let first = widest_shadow(f);
    let product = (first..first + 3).find_map(|k| {
        let shadow = SHADOWS[k % 3];
        let side = |p: DVec3| orient2d(shadow(u), shadow(v), shadow(p));
        let of_a = side(a);
        (of_a != 0).then(|| of_a * side(b))
    });
    product.is_some_and(|product| product > 0)
}
