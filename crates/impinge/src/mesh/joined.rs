//! Whether two solids overlap that meet only in corners, edges and faces which both have: walls and slabs that were drawn from the same points, in any frame.
//!
//! Every point where they meet is inside a face that both have, inside such an edge, or such a corner. What is there is decided by the sides of corners over planes:
//!
//! * of a face: on which side each solid is;
//! * of an edge: each solid is a wedge there, and the order of the four faces around the edge tells whether the wedges overlap;
//! * of a corner with such an edge: seen from there each solid is a polygon on a sphere. Their outlines do not cross, and are beside each other at the edge, so
//!   that the polygons are, too. Of a corner without one: the plane of some face is between the two.
//!
//! If they overlap nowhere, and no part of either surface that does not meet the other is inside of the other solid, they have no inner point in common;
//! `docs/maths/solid-verdict.md` has the proof.

use super::Scratch;
use super::boundary::Boundary;
use super::column::Placed;
use super::parted::{Host, Wedge, is_plain, parts_are_outside};
use super::self_intersection::meet_improperly;
use impinge_geom::Verdict;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;

/// Pairs that are looked at to guess whether all share something.
const SOME: usize = 32;

/// A corner of a face of each mesh, by the faces and the numbers of the corners.
#[derive(Clone, Copy)]
struct Corner {
    point: DVec3,
    at: [(u32, usize); 2],
    /// An edge at it is in both meshes.
    has_edge: bool,
}

/// How two solids relate that meet only in what they share; none if it is not so, or they overlap but it is not told how. `pairs` are all faces that meet, and
/// none of them cross.
pub(super) fn verdict<B: Bound>(
    placed: &[Placed<'_, B>; 2],
    boundaries: [&Boundary; 2],
    pairs: &mut [[u32; 2]],
    scratch: &mut Scratch,
) -> Option<Verdict> {
    if pairs.is_empty() || !boundaries.into_iter().all(is_plain) {
        return None;
    }
    let hosts = [0, 1].map(|own| Host::new(placed[own], boundaries[own]));
    let mut corners: Vec<Corner> = Vec::new();
    let (mut overlap, mut proper) = (false, true);
    for &[one, two] in pairs.iter() {
        match shared(&hosts, [one, two], &mut corners) {
            Shared::Beside => {}
            Shared::Overlap => {
                overlap = true;
                break;
            }
            Shared::Unknown => proper = false,
        }
    }
    if overlap {
        return Some(Verdict::Penetrating);
    }
    if !proper || !corners_are_beside(&hosts, &mut corners) {
        return None;
    }
    for own in [0, 1] {
        pairs.sort_unstable_by_key(|pair| pair[own]);
        let met = pairs.iter().map(|pair| pair[own]);
        if !parts_are_outside(&placed[own], met, &placed[1 - own], scratch) {
            return None;
        }
    }
    Some(Verdict::Touching)
}

/// True if some of the faces that meet show at an edge which both meshes have that there are points of both, and of each of them alone. Silent where the first
/// pairs do not look as if the meshes met in what they share alone.
pub(super) fn overlap_at_edges<B: Bound>(placed: &[Placed<'_, B>; 2], pairs: &[[u32; 2]]) -> bool {
    if !may_be_joined(placed, pairs) {
        return false;
    }
    let boundaries = [0, 1].map(|own| placed[own].mesh.boundary());
    if !boundaries.into_iter().all(is_plain) {
        return false;
    }
    let hosts = [0, 1].map(|own| Host::new(placed[own], boundaries[own]));
    let mut corners = Vec::new();
    pairs.iter().any(|&faces| matches!(shared(&hosts, faces, &mut corners), Shared::Overlap))
}

/// True if of some faces that meet any two have a corner in common: only then everything may be shared.
pub(super) fn may_be_joined<B: Bound>(placed: &[Placed<'_, B>; 2], pairs: &[[u32; 2]]) -> bool {
    pairs.iter().take(SOME).all(|pair| {
        let [f, g] = [0, 1].map(|own| placed[own].corners(pair[own]));
        f.iter().any(|p| g.contains(p))
    })
}

/// How two solids stand at what two of their faces share.
enum Shared {
    /// They do not overlap there, but for what is said of the corners.
    Beside,
    /// There are points of both, and of each of them alone.
    Overlap,
    Unknown,
}

/// Looks at what two faces that meet share, and notes the corners.
fn shared<B: Bound>(
    hosts: &[Host<'_, B>; 2],
    faces: [u32; 2],
    corners: &mut Vec<Corner>,
) -> Shared {
    let [f, g] = [0, 1].map(|own| hosts[own].corners(faces[own]));
    let place_in_g = f.map(|p| g.iter().position(|q| *q == p));
    let count = place_in_g.iter().flatten().count();
    for (k, place) in place_in_g.iter().enumerate() {
        if let Some(j) = *place {
            let at = [(faces[0], k), (faces[1], j)];
            corners.push(Corner { point: f[k], at, has_edge: count > 1 });
        }
    }
    match count {
        3 => {
            let same_way = place_in_g[1] == place_in_g[0].map(|j| (j + 1) % 3);
            let backs = [0, 1].map(|own| hosts[own].is_below(faces[own]));
            // On one side of the face both.
            if same_way == (backs[0] == backs[1]) { Shared::Unknown } else { Shared::Beside }
        }
        2 => {
            let Some(k) =
                (0..3).find(|&k| place_in_g[k].is_some() && place_in_g[(k + 1) % 3].is_some())
            else {
                return Shared::Unknown;
            };
            let Some(other) = (0..3).find(|j| !place_in_g.contains(&Some(*j))) else {
                return Shared::Unknown;
            };
            let wedges = [hosts[0].wedge(faces[0], k), hosts[1].wedge(faces[1], (other + 1) % 3)];
            let [Some(first), Some(second)] = wedges else { return Shared::Unknown };
            match stand(hosts, [&first, &second]) {
                Shared::Beside if meet_improperly(&f, &g) => Shared::Unknown,
                stand => stand,
            }
        }
        1 if !meet_improperly(&f, &g) => Shared::Beside,
        _ => Shared::Unknown,
    }
}

/// How the wedges of two solids at one edge stand.
fn stand<B: Bound>(hosts: &[Host<'_, B>; 2], wedges: [&Wedge; 2]) -> Shared {
    let (mut both, mut alone) = (false, [false; 2]);
    for own in [0, 1] {
        for end in wedges[own].ends {
            if let Some(inside) = hosts[1 - own].holds(wedges[1 - own], end) {
                both |= inside;
                alone[if inside { 1 - own } else { own }] = true;
            }
        }
    }
    match (both, alone) {
        (true, [true, true]) => Shared::Overlap,
        (true, _) => Shared::Unknown,
        // Without a half-plane of its own each wedge is the other, or all of the rest: the faces tell.
        (false, _) => Shared::Beside,
    }
}

/// True if at each of the corners one solid is beside the other.
fn corners_are_beside<B: Bound>(hosts: &[Host<'_, B>; 2], corners: &mut [Corner]) -> bool {
    corners.sort_unstable_by(|p, q| {
        let key = |corner: &Corner| corner.point.to_array().map(f64::to_bits);
        key(p).cmp(&key(q)).then(q.has_edge.cmp(&p.has_edge))
    });
    corners.chunk_by(|p, q| p.point == q.point).all(|same| {
        let Corner { at, has_edge, .. } = same[0];
        if has_edge {
            [0, 1].into_iter().all(|own| hosts[own].is_one_fan(at[own].0, at[own].1))
        } else {
            [0, 1].into_iter().any(|own| {
                let (face, k) = at[1 - own];
                let others = hosts[1 - own].around(face, k);
                hosts[own].has_plane_to(at[own].0, at[own].1, &hosts[1 - own], others)
            })
        }
    })
}
