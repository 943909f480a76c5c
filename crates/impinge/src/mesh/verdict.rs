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

use super::boundary::is_one_sided;
use super::column::Placed;
use super::pairs::each_pair;
use super::winding::winding_of;
use super::{Mesh, ScaledPose, Scratch, Winding, cells, convex_host, joined, parted};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
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

fn solids<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> Verdict {
    let mut pairs = std::mem::take(&mut scratch.pairs);
    let placed = [Placed::here(a), Placed::there(b, b_in_a)];
    let several = SEVERAL.max((a.triangles.len() + b.triangles.len()) / 2);
    let mut ended = list_meeting(&placed, several, &mut pairs, scratch);
    if matches!(ended, Some(Ended::Several)) {
        ended = if parted::by_one_face(&placed, &pairs) || convex_host::is_free(&placed, scratch) {
            Some(Ended::Parted)
        } else if joined::overlap_at_edges(&placed, &pairs) {
            Some(Ended::Overlap)
        } else {
            list_meeting(&placed, usize::MAX, &mut pairs, scratch)
        };
    }
    let verdict = match ended {
        Some(Ended::Parted) => Verdict::Touching,
        Some(Ended::Overlap) => Verdict::Penetrating,
        Some(Ended::Crossing([face_a, face_b])) => {
            if a.is_border(face_a, scratch) && b.is_border(face_b, scratch) {
                Verdict::Penetrating
            } else {
                by_all_pairs(&placed, &mut pairs, scratch)
            }
        }
        None if pairs.is_empty() && are_beside(&placed, scratch) => Verdict::Separated,
        None | Some(Ended::Several) => by_pairs(&placed, &mut pairs, scratch),
    };
    scratch.pairs = pairs;
    verdict
}

/// Fills `pairs` with the faces that meet, until that tells the verdict, or there are so many.
fn list_meeting<B: Bound>(
    placed: &[Placed<'_, B>; 2],
    several: usize,
    pairs: &mut Vec<[u32; 2]>,
    scratch: &mut Scratch,
) -> Option<Ended> {
    let [a, b] = [0, 1].map(|own| placed[own].mesh);
    pairs.clear();
    let mut ended = None;
    let _ = each_pair(a, b, &placed[1].place, scratch, |face_a, face_b, verdict| {
        if verdict == TriangleVerdict::Crossing {
            ended = Some(Ended::Crossing([face_a, face_b]));
            return ControlFlow::Break(());
        }
        pairs.push([face_a, face_b]);
        // After some pairs a plane between the two solids is looked for: most that are flush need no more.
        let count = pairs.len();
        if PLANE_AFTER.contains(&count) && parted::by_plane_of(placed, [face_a, face_b]) {
            ended = Some(Ended::Parted);
        } else if count == several {
            ended = Some(Ended::Several);
        }
        if ended.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    ended
}

/// The counts of pairs after which the planes of the last two faces are tried.
const PLANE_AFTER: [usize; 3] = [1, 2, 8];
/// The number of pairs of faces that meet without crossing, beside half the number of faces, from which on the solids are looked at as a whole: that takes time for
/// each face.
const SEVERAL: usize = 32;

/// What ends the search for faces that meet.
enum Ended {
    /// These two cross.
    Crossing([u32; 2]),
    /// A plane is between the two solids.
    Parted,
    /// Inner points are common, and each has some of its own.
    Overlap,
    /// There are several, and none of them tells.
    Several,
}

/// The verdict where the first faces that cross do not tell it: fills `pairs` with all faces that meet, unless two of them do.
fn by_all_pairs<B: Bound>(
    placed: &[Placed<'_, B>; 2],
    pairs: &mut Vec<[u32; 2]>,
    scratch: &mut Scratch,
) -> Verdict {
    let [a, b] = [0, 1].map(|own| placed[own].mesh);
    let boundaries = [a.boundary(), b.boundary()];
    pairs.clear();
    let crossing = each_pair(a, b, &placed[1].place, scratch, |face_a, face_b, verdict| {
        let borders = || {
            [(0, face_a), (1, face_b)]
                .into_iter()
                .all(|(own, face)| boundaries[own].filled(face).is_some_and(is_one_sided))
        };
        if verdict == TriangleVerdict::Crossing && borders() {
            return ControlFlow::Break(());
        }
        pairs.push([face_a, face_b]);
        ControlFlow::Continue(())
    });
    if crossing.is_break() { Verdict::Penetrating } else { by_pairs(placed, pairs, scratch) }
}

/// The verdict where no two faces show it at once. `pairs` are all faces that meet.
fn by_pairs<B: Bound>(
    placed: &[Placed<'_, B>; 2],
    pairs: &mut [[u32; 2]],
    scratch: &mut Scratch,
) -> Verdict {
    if parted::by_one_face(placed, pairs) {
        return Verdict::Touching;
    }
    // What is likely first, and that which needs one boundary before that which needs both.
    let is_joined = joined::may_be_joined(placed, pairs);
    if !is_joined && parted::by_many_faces(placed, pairs, scratch) {
        return Verdict::Touching;
    }
    let boundaries = [0, 1].map(|own| placed[own].mesh.boundary());
    if let Some(verdict) = joined::verdict(placed, boundaries, pairs, scratch) {
        return verdict;
    }
    if is_joined && parted::by_many_faces(placed, pairs, scratch) {
        return Verdict::Touching;
    }
    cells::verdict(placed, boundaries, pairs, scratch)
}

/// True if of two closed meshes whose surfaces do not meet neither has a part inside of the other one.
fn are_beside<B: Bound>(placed: &[Placed<'_, B>; 2], scratch: &mut Scratch) -> bool {
    [0, 1].into_iter().all(|own| {
        let faces = placed[own].mesh.first_of_each_part().iter();
        let mut corners = faces.map(|&face| placed[own].corners(face)[0]);
        corners.all(|corner| !winding_of(&placed[1 - own], corner, scratch).is_inside())
    })
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
            are_beside(&[Placed::here(a), Placed::there(b, b_in_a)], scratch)
        }
        Mode::Solid => open_solids(a, b, b_in_a, scratch) == Verdict::Separated,
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
