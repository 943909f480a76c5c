//! How two meshes relate, as surfaces or as solids.
//!
//! For closed meshes as solids the answer is exact, also where surfaces only touch. Both surfaces together part space into cells, in
//! each of which both winding numbers are constant. It is enough to know which cells there are: in both solids, in A alone, in
//! B alone. Every cell but the outermost has some piece of surface on its outline, so pieces are asked what is on their sides:
//!
//! 1. A pair of clean boundary faces that cross shows all kinds of cells at once: penetrating.
//! 2. If planes of faces that meet show that no surface enters the other solid, they only touch (`parted`): most faces that are drawn flush.
//! 3. Every face that meets the other surface is cut by it, and both winding numbers are found on both sides of each piece.
//! 4. Every patch of faces none of which meets the other surface is asked at one vertex.
//!
//! `docs/maths/solid-verdict.md` has the proof.

use super::boundary::{Boundary, Filled, Numbers, numbers};
use super::column::Placed;
use super::pairs::each_pair;
use super::winding::winding_of;
use super::{Mesh, ScaledPose, Scratch, Winding, joined, parted};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::piece::{PiecePoint, pieces};
use impinge_geom::triangle::TriangleVerdict;
use impinge_geom::{Certainty, Inside, Verdict};
use std::ops::ControlFlow;

/// What a mesh represents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// Its triangles alone. Surfaces are never contained in anything.
    Surface,
    /// Its triangles, and all points with a winding number other than zero.
    #[default]
    Solid,
}

/// How two meshes relate, and how far that can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Relation {
    /// Separated, touching, penetrating, or which contains which. Equal solids answer [`Inside::A`].
    pub verdict: Verdict,
    /// Exact; an estimate for solids of which one is open.
    pub certainty: Certainty,
}

/// How two meshes relate.
///
/// Surfaces: penetrating if any two triangles cross, touching if they only touch. Solids: *contained* if one is a subset of the
/// other, else *penetrating* if their interiors meet, else *touching* if they have a common point. Closed meshes are decided exactly on
/// B's coordinates as [`ScaledPose::transform_point`] gives them, flush faces included; if one is open the answer is an estimate. The first solid
/// query of a mesh computes what depends on it alone, in about the time of [`Mesh::health`], and keeps it.
///
/// ```
/// use impinge::geom::{Inside, Verdict};
/// use impinge::{Pose, mesh::{self, Mesh, Mode, Scratch}};
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let large: Mesh = Mesh::new(&corners, &faces)?;
/// let small: Mesh = Mesh::new(&corners.map(|p| p.map(|x| x / 4.0)), &faces)?;
/// let mut scratch = Scratch::default();
/// let mut ask = |x: f64, mode| -> Result<Verdict, Box<dyn std::error::Error>> {
///     let place = Pose::from_translation([x, 0.0, 0.0])?.into();
///     Ok(mesh::verdict(&large, &small, &place, mode, &mut scratch).verdict)
/// };
/// assert_eq!(ask(0.0, Mode::Solid)?, Verdict::Contained(Inside::B));
/// assert_eq!(ask(0.0, Mode::Surface)?, Verdict::Touching);
/// assert_eq!(ask(3.5, Mode::Solid)?, Verdict::Penetrating);
/// assert_eq!(ask(-1.0, Mode::Solid)?, Verdict::Touching);
/// assert_eq!(ask(-1.5, Mode::Solid)?, Verdict::Separated);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verdict<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    mode: Mode,
    scratch: &mut Scratch,
) -> Relation {
    let (verdict, certainty) = match mode {
        Mode::Surface => (surfaces(a, b, b_in_a, scratch), Certainty::Exact),
        Mode::Solid if a.is_closed() && b.is_closed() => {
            (solids(a, b, b_in_a, scratch), Certainty::Exact)
        }
        Mode::Solid => (open_solids(a, b, b_in_a, scratch), Certainty::Estimate),
    };
    Relation { verdict, certainty }
}

fn surfaces<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> Verdict {
    let mut touching = false;
    let crossing = each_pair(a, b, b_in_a, scratch, |_, _, verdict| {
        touching = true;
        if verdict == TriangleVerdict::Crossing {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    match (crossing.is_break(), touching) {
        (true, _) => Verdict::Penetrating,
        (false, true) => Verdict::Touching,
        (false, false) => Verdict::Separated,
    }
}

/// Which kinds of cells and of surface there are.
#[derive(Clone, Copy, Debug, Default)]
struct Cells {
    /// Points of both solids, off both surfaces.
    both: bool,
    /// Points of one solid alone.
    alone: [bool; 2],
    /// Surface that bounds nothing, outside of the other solid.
    sticks_out: [bool; 2],
    /// The solids have a point in common.
    meet: bool,
}

impl Cells {
    /// There is a cell that is, or is not, in the solids: first that of `own`, then the other's.
    fn note(&mut self, own: usize, in_own: bool, in_other: bool) {
        match (in_own, in_other) {
            (true, true) => self.both = true,
            (true, false) => self.alone[own] = true,
            (false, true) => self.alone[1 - own] = true,
            (false, false) => {}
        }
    }

    /// Nothing can change any more.
    fn are_all_there(&self) -> bool {
        self.both && self.alone == [true; 2]
    }

    fn verdict(&self) -> Verdict {
        let is_inside = |own: usize| self.both && !self.alone[own] && !self.sticks_out[own];
        if is_inside(0) {
            Verdict::Contained(Inside::A)
        } else if is_inside(1) {
            Verdict::Contained(Inside::B)
        } else if self.both {
            Verdict::Penetrating
        } else if self.meet {
            Verdict::Touching
        } else {
            Verdict::Separated
        }
    }
}

fn solids<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> Verdict {
    let boundaries = [a.boundary(), b.boundary()];
    let mut pairs = std::mem::take(&mut scratch.pairs);
    pairs.clear();
    let crossing = each_pair(a, b, b_in_a, scratch, |face_a, face_b, verdict| {
        let is_border = |filled: Option<Filled>| filled.is_some_and(|f| f.front != f.back);
        let borders =
            || is_border(boundaries[0].filled(face_a)) && is_border(boundaries[1].filled(face_b));
        if verdict == TriangleVerdict::Crossing && borders() {
            return ControlFlow::Break(());
        }
        pairs.push([face_a, face_b]);
        ControlFlow::Continue(())
    });
    let placed = [Placed::here(a), Placed::there(b, b_in_a)];
    let verdict = if crossing.is_break() {
        Verdict::Penetrating
    } else if parted::by_one_face(&placed, &pairs) {
        Verdict::Touching
    } else if let Some(verdict) = joined::verdict(&placed, boundaries, &mut pairs, scratch) {
        verdict
    } else if parted::by_many_faces(&placed, boundaries, &mut pairs, scratch) {
        Verdict::Touching
    } else {
        let mut search = Search { placed, boundaries, cells: Cells::default(), scratch };
        search.cells.meet = !pairs.is_empty();
        let _ = search.run(&mut pairs);
        search.cells.verdict()
    };
    scratch.pairs = pairs;
    verdict
}

/// True if two meshes whose surfaces are known not to meet are apart: as solids, neither is inside the other.
pub(super) fn are_apart_unmet<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    mode: Mode,
    scratch: &mut Scratch,
) -> bool {
    match mode {
        Mode::Surface => true,
        Mode::Solid if a.is_closed() && b.is_closed() => {
            let boundaries = [a.boundary(), b.boundary()];
            let placed = [Placed::here(a), Placed::there(b, b_in_a)];
            let mut search = Search { placed, boundaries, cells: Cells::default(), scratch };
            let _ = search.run(&mut []);
            search.cells.verdict() == Verdict::Separated
        }
        Mode::Solid => open_solids(a, b, b_in_a, scratch) == Verdict::Separated,
    }
}

/// Where a part of a surface is, as seen from the other solid.
#[derive(Clone, Copy, Debug)]
enum Side {
    Unknown,
    /// Some of it meets the other surface: the rest may be on either side.
    Meets,
    /// All of it is inside, or outside.
    Is(bool),
}

/// Looks at pieces of both surfaces until all kinds of cells are known.
struct Search<'m, 's, B: Bound> {
    placed: [Placed<'m, B>; 2],
    boundaries: [&'m Boundary; 2],
    cells: Cells,
    scratch: &'s mut Scratch,
}

impl<B: Bound> Search<'_, '_, B> {
    fn run(&mut self, pairs: &mut [[u32; 2]]) -> ControlFlow<()> {
        for own in [0, 1] {
            pairs.sort_unstable_by_key(|pair| [pair[own], pair[1 - own]]);
            let boundary = self.boundaries[own];
            let mut met = vec![false; boundary.patches.len()];
            let mut sides = vec![Side::Unknown; boundary.parts];
            for group in pairs.chunk_by(|first, second| first[own] == second[own]) {
                let face = group[0][own];
                if let Some(met) = met.get_mut(boundary.patch_of(face) as usize) {
                    *met = true;
                }
                if let Some(side) = boundary.part_of(face).and_then(|part| sides.get_mut(part)) {
                    *side = Side::Meets;
                }
                self.met_face(own, face, group.iter().map(|pair| pair[1 - own]))?;
            }
            self.whole_patches(own, &met, &mut sides)?;
            self.loose_faces(own, pairs, &mut sides)?;
        }
        ControlFlow::Continue(())
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.cells.are_all_there() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// A face that meets faces of the other mesh.
    fn met_face(
        &mut self,
        own: usize,
        face: u32,
        others: impl Iterator<Item = u32>,
    ) -> ControlFlow<()> {
        let (placed, boundary) = (self.placed, self.boundaries[own]);
        let corners = placed[own].corners(face);
        let cutters: Vec<(u32, [DVec3; 3])> = others
            .map(|other| (1, placed[1 - own].corners(other)))
            .chain(boundary.meeting(face).map(|other| (0, placed[own].corners(other))))
            .collect();
        let points = pieces(&corners, &cutters);
        if points.is_empty() {
            // No area: its corners stand for it.
            for corner in corners {
                self.hair(own, corner);
            }
        }
        for point in points {
            self.piece(own, face, &point);
            self.go_on()?;
        }
        ControlFlow::Continue(())
    }

    fn piece(&mut self, own: usize, face: u32, point: &PiecePoint) {
        let other = numbers(&self.placed[1 - own], point, self.scratch);
        let (below, above) = match self.boundaries[own].filled(face) {
            Some(Filled { front, back }) if point.facing() > 0 => (back, front),
            Some(Filled { front, back }) => (front, back),
            None => {
                let Numbers { below, above, .. } = numbers(&self.placed[own], point, self.scratch);
                (below != 0, above != 0)
            }
        };
        self.cells.note(own, below, other.below != 0);
        self.cells.note(own, above, other.above != 0);
        let outside = other.below == 0 && other.above == 0 && !other.covered;
        self.cells.sticks_out[own] |= outside && !below && !above;
    }

    /// The patches that do not meet the other mesh.
    fn whole_patches(&mut self, own: usize, met: &[bool], sides: &mut [Side]) -> ControlFlow<()> {
        for (patch, met) in self.boundaries[own].patches.iter().zip(met) {
            if !met {
                let inside = self.is_face_inside(own, patch.face, sides);
                self.untouched(own, patch.filled, inside);
                self.go_on()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The loose faces that do not meet the other mesh. `pairs` are sorted by the own faces.
    fn loose_faces(
        &mut self,
        own: usize,
        pairs: &[[u32; 2]],
        sides: &mut [Side],
    ) -> ControlFlow<()> {
        for loose in &self.boundaries[own].loose {
            if pairs.binary_search_by_key(&loose.face, |pair| pair[own]).is_ok() {
                continue;
            }
            let inside = self.is_face_inside(own, loose.face, sides);
            if loose.filled == Default::default() {
                self.note_hair(own, inside);
                continue;
            }
            for filled in loose.filled.iter() {
                self.untouched(own, filled, inside);
            }
            self.go_on()?;
        }
        ControlFlow::Continue(())
    }

    /// A piece of surface that does not meet the other one, and lies in the other solid or not.
    fn untouched(&mut self, own: usize, filled: Filled, inside: bool) {
        self.cells.note(own, filled.front, inside);
        self.cells.note(own, filled.back, inside);
        self.cells.meet |= inside;
        self.cells.sticks_out[own] |= !inside && !filled.front && !filled.back;
    }

    /// A corner of a face without area.
    fn hair(&mut self, own: usize, corner: DVec3) {
        let inside = self.is_inside_other(own, corner);
        self.note_hair(own, inside);
    }

    fn note_hair(&mut self, own: usize, inside: bool) {
        self.cells.meet |= inside;
        self.cells.sticks_out[own] |= !inside;
    }

    /// Whether a face that does not meet the other surface is inside the other solid. Asked once for a part of which no face meets it:
    /// a mesh that meets itself has hundreds of loose faces.
    fn is_face_inside(&mut self, own: usize, face: u32, sides: &mut [Side]) -> bool {
        let side = self.boundaries[own].part_of(face).and_then(|part| sides.get_mut(part));
        if let Some(Side::Is(inside)) = side {
            return *inside;
        }
        let inside = self.is_inside_other(own, self.placed[own].corners(face)[0]);
        if let Some(side @ Side::Unknown) = side {
            *side = Side::Is(inside);
        }
        inside
    }

    fn is_inside_other(&mut self, own: usize, point: DVec3) -> bool {
        winding_of(&self.placed[1 - own], point, self.scratch).is_inside()
    }
}

/// The estimate where a mesh is open: what crosses penetrates; else some vertices of each decide.
fn open_solids<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> Verdict {
    let surfaces = surfaces(a, b, b_in_a, scratch);
    if surfaces == Verdict::Penetrating {
        return surfaces;
    }
    let placed = [Placed::here(a), Placed::there(b, b_in_a)];
    let mut stands = |own: usize| {
        let (mut inside, mut outside) = (false, false);
        for corner in samples(&placed[own]) {
            match winding_of(&placed[1 - own], corner, scratch) {
                Winding::Surface(_) => {}
                Winding::Number(number) => {
                    *(if number == 0 { &mut outside } else { &mut inside }) = true
                }
                Winding::Estimate(number) => {
                    *(if number.abs() <= 0.5 { &mut outside } else { &mut inside }) = true;
                }
            }
        }
        (inside, outside)
    };
    match (stands(0), stands(1)) {
        ((true, false), _) => Verdict::Contained(Inside::A),
        (_, (true, false)) => Verdict::Contained(Inside::B),
        ((true, _), _) | (_, (true, _)) => Verdict::Penetrating,
        _ => surfaces,
    }
}

/// About sixteen vertices from all over a mesh.
fn samples<'m, B: Bound>(placed: &'m Placed<'_, B>) -> impl Iterator<Item = DVec3> + 'm {
    let faces = placed.mesh.triangles.len();
    let step = (faces / 16).max(1);
    (0..faces).step_by(step).map(|face| placed.corners(face as u32)[0])
}
