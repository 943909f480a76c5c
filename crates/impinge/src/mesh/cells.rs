//! What is on the sides of pieces of two solids' surfaces: which kinds of cells the surfaces part space into. Step 3 and 4 of [`verdict`](super::verdict()).

use super::Scratch;
use super::boundary::{Boundary, Filled, Numbers, numbers};
use super::column::Placed;
use super::winding::winding_of;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::piece::{PiecePoint, pieces};
use impinge_geom::{Inside, Verdict};
use std::ops::ControlFlow;

/// How two closed meshes relate as solids. `pairs` are all faces that meet.
pub(super) fn verdict<B: Bound>(
    placed: &[Placed<'_, B>; 2],
    boundaries: [&Boundary; 2],
    pairs: &mut [[u32; 2]],
    scratch: &mut Scratch,
) -> Verdict {
    let mut search = Search { placed: *placed, boundaries, cells: Cells::default(), scratch };
    search.cells.meet = !pairs.is_empty();
    let _ = search.run(pairs);
    search.cells.verdict()
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
