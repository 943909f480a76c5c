//! What a closed mesh bounds: on which sides of its faces the winding number is not zero.
//!
//! A face is *clean* if it has area and no other face meets it beyond the corners and edges that they share. Both sides of a clean face
//! have one winding number each, and neighbours across an edge that no third face shares have the same: a *patch* of such faces
//! is asked about once. The other faces are *loose*: they are cut by what meets them, and every piece is asked about.
//!
//! Faces that hang together by vertices are one *part* of the surface. A part that does not meet some other surface lies on one side of it, as
//! much as it may meet itself.

use super::column::Placed;
use super::self_intersection::{first_self_intersections, firsts};
use super::topology::{Joined, Sides, hanging_together};
use super::{Mesh, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::piece::{Over, PiecePoint, pieces};
use std::sync::Arc;

/// On which sides of a piece of surface the solid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filled {
    pub(super) front: bool,
    pub(super) back: bool,
}

/// A set of [`Filled`], one bit for each of the four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FilledSet(u8);

impl FilledSet {
    fn insert(&mut self, filled: Filled) {
        self.0 |= 1 << (u8::from(filled.front) + 2 * u8::from(filled.back));
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Filled> {
        let all = (0..4).map(|k| (k, Filled { front: k & 1 != 0, back: k & 2 != 0 }));
        all.filter(move |(k, _)| self.0 & (1 << k) != 0).map(|(_, filled)| filled)
    }
}

/// Faces whose sides are alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// One of them.
    pub(super) face: u32,
    pub(super) filled: Filled,
    /// The part of the surface that they belong to.
    part: u32,
}

/// A face that has to be looked at piece by piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loose {
    pub(super) face: u32,
    /// What its pieces are like; empty if it has no area.
    pub(super) filled: FilledSet,
    /// The part of the surface that it belongs to.
    part: u32,
}

/// The faces of a closed mesh by what is on their sides.
#[derive(Clone, Debug)]
pub(super) struct Boundary {
    /// The patch of every face; [`Boundary::LOOSE`] for those of none.
    patch_of: Vec<u32>,
    pub(super) patches: Vec<Patch>,
    /// By their faces, ascending.
    pub(super) loose: Vec<Loose>,
    /// How many parts the surface has.
    pub(super) parts: usize,
    /// The pairs of faces that meet improperly, each in both orders, ascending; of faces with the same corners the first stands for all.
    meetings: Vec<[u32; 2]>,
    /// The first face with the same corners; empty if all differ.
    first_of: Vec<u32>,
}

impl Boundary {
    pub(super) const LOOSE: u32 = u32::MAX;

    /// Of which patch a face is.
    pub(super) fn patch_of(&self, face: u32) -> u32 {
        self.patch_of.get(face as usize).copied().unwrap_or(Self::LOOSE)
    }

    /// What is on the sides of a clean face.
    pub(super) fn filled(&self, face: u32) -> Option<Filled> {
        self.patches.get(self.patch_of(face) as usize).map(|patch| patch.filled)
    }

    /// What is on the sides of a face, if it is the same on all of it.
    pub(super) fn filled_throughout(&self, face: u32) -> Option<Filled> {
        self.filled(face).or_else(|| {
            let place = self.loose.binary_search_by_key(&face, |loose| loose.face).ok()?;
            let mut kinds = self.loose[place].filled.iter();
            kinds.next().filter(|_| kinds.next().is_none())
        })
    }

    /// Of which part of the surface a face is.
    pub(super) fn part_of(&self, face: u32) -> Option<usize> {
        let part = match self.patches.get(self.patch_of(face) as usize) {
            Some(patch) => patch.part,
            None => {
                let place = self.loose.binary_search_by_key(&face, |loose| loose.face).ok()?;
                self.loose[place].part
            }
        };
        Some(part as usize)
    }

    /// The faces of the same mesh that meet a face improperly and have other corners.
    pub(super) fn meeting(&self, face: u32) -> impl Iterator<Item = u32> {
        let face = self.first_of.get(face as usize).copied().unwrap_or(face);
        let first = self.meetings.partition_point(|pair| pair[0] < face);
        self.meetings[first..].iter().take_while(move |pair| pair[0] == face).map(|pair| pair[1])
    }

    fn new<B: Bound>(mesh: &Mesh<B>) -> Self {
        if let Some(star) = mesh.star() {
            return Self::of_star(mesh.triangles.len(), star.filled);
        }
        let scratch = &mut Scratch::default();
        let mut meetings = Vec::new();
        let faces = mesh.welded_faces();
        let first_of = firsts(&faces);
        first_self_intersections(mesh, (&faces, &first_of), scratch, &mut meetings, usize::MAX);
        let turned: Vec<[u32; 2]> = meetings.iter().map(|[a, b]| [*b, *a]).collect();
        meetings.extend(turned);
        meetings.sort_unstable();
        let mut is_loose = vec![false; mesh.triangles.len()];
        for face in meetings.iter().map(|pair| pair[0]).chain(mesh.degenerate_faces()) {
            is_loose[face as usize] = true;
        }
        if !first_of.is_empty() {
            meetings.retain(|pair| first_of[pair[0] as usize] != first_of[pair[1] as usize]);
        }
        let (part_of, parts) = numbered(&hanging_together(&faces, mesh.vertices.len()));
        let patch_of = patches(faces, &is_loose);
        let (patches, loose) = (Vec::new(), Vec::new());
        let mut boundary = Self { patch_of, patches, loose, parts, meetings, first_of };
        let placed = Placed::here(mesh);
        for face in 0..mesh.triangles.len() as u32 {
            let part = part_of[face as usize];
            if is_loose[face as usize] {
                let filled = boundary.filled_pieces(&placed, face, scratch);
                boundary.loose.push(Loose { face, filled, part });
            } else if boundary.patch_of(face) as usize == boundary.patches.len() {
                let filled = filled_of(&placed, face, scratch);
                boundary.patches.push(Patch { face, filled, part });
            }
        }
        boundary
    }

    /// That of a solid all of whose faces are clean, with the solid on one side.
    fn of_star(faces: usize, filled: Filled) -> Self {
        Self {
            patch_of: vec![0; faces],
            patches: vec![Patch { face: 0, filled, part: 0 }],
            loose: Vec::new(),
            parts: 1,
            meetings: Vec::new(),
            first_of: Vec::new(),
        }
    }

    fn filled_pieces<B: Bound>(
        &self,
        placed: &Placed<'_, B>,
        face: u32,
        scratch: &mut Scratch,
    ) -> FilledSet {
        let cutters: Vec<(u32, [DVec3; 3])> =
            self.meeting(face).map(|other| (0, placed.corners(other))).collect();
        let mut set = FilledSet::default();
        for point in pieces(&placed.corners(face), &cutters) {
            set.insert(numbers(placed, &point, scratch).filled(point.facing()));
        }
        set
    }
}

/// What is on the sides of a clean face.
pub(super) fn filled_of<B: Bound>(
    placed: &Placed<'_, B>,
    face: u32,
    scratch: &mut Scratch,
) -> Filled {
    let none = Filled { front: false, back: false };
    let points = pieces(&placed.corners(face), &[]);
    points.first().map_or(none, |point| numbers(placed, point, scratch).filled(point.facing()))
}

/// True if the solid is on one side of a face alone.
pub(super) fn is_one_sided(filled: Filled) -> bool {
    filled.front != filled.back
}

/// The same marks as numbers from zero on, by their size, and how many different ones there are.
fn numbered(marks: &[u32]) -> (Vec<u32>, usize) {
    let mut all = marks.to_vec();
    all.sort_unstable();
    all.dedup();
    let number = |mark: &u32| all.partition_point(|other| other < mark) as u32;
    (marks.iter().map(number).collect(), all.len())
}

/// The patch of every face, numbered by their first faces.
fn patches(faces: Vec<[u32; 3]>, is_loose: &[bool]) -> Vec<u32> {
    let sides = Sides::new(faces.into_iter());
    let mut joined = Joined::new(is_loose.len());
    for edge in sides.edges() {
        if let [a, b] = edge
            && !is_loose[a.face as usize]
            && !is_loose[b.face as usize]
        {
            joined.join(a.face, b.face);
        }
    }
    let mut patch_of = vec![Boundary::LOOSE; is_loose.len()];
    let mut count = 0;
    for face in 0..is_loose.len() {
        let root = joined.root(face as u32) as usize;
        if is_loose[face] {
            continue;
        } else if root == face {
            patch_of[face] = count;
            count += 1;
        } else {
            patch_of[face] = patch_of[root];
        }
    }
    patch_of
}

/// The winding numbers of a mesh just below and just above a piece of some surface, along the piece's axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) below: i64,
    pub(super) above: i64,
    /// Some face of the mesh covers the piece.
    pub(super) covered: bool,
}

impl Numbers {
    /// What they say about a piece of the mesh itself.
    fn filled(&self, facing: i32) -> Filled {
        let (below, above) = (self.below != 0, self.above != 0);
        let (front, back) = if facing > 0 { (above, below) } else { (below, above) };
        Filled { front, back }
    }
}

/// The winding numbers of a closed mesh on both sides of a piece. Exact.
pub(super) fn numbers<B: Bound>(
    placed: &Placed<'_, B>,
    point: &PiecePoint,
    scratch: &mut Scratch,
) -> Numbers {
    let Scratch { places, column, .. } = scratch;
    placed.column(point.bounds(), point.axis(), places, column);
    let (mut above, mut here, mut covered) = (0, 0, false);
    for &face in column.iter() {
        match point.over(&placed.corners(face)) {
            Over::Above(sign) => above += i64::from(sign),
            Over::Covers(sign) => (here, covered) = (here + i64::from(sign), true),
            Over::Beside | Over::Below(_) => {}
        }
    }
    Numbers { below: above + here, above, covered }
}

impl<B: Bound> Mesh<B> {
    /// Found when first asked for. Makes sense for closed meshes only.
    pub(super) fn boundary(&self) -> &Boundary {
        self.lazy.boundary.get_or_init(|| Arc::new(Boundary::new(self)))
    }
}
