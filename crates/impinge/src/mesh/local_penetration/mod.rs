//! How deep the common points of two meshes lie below each surface: the *local penetration*.
//!
//! For a body X and another Y it is the largest distance to the surface of X of a point of both. A pin that is a little too large for its bore lies
//! that little deep in the plate, however far it would have to go to leave it: that way is the *separation*, [`penetration`](super::penetration()).
//!
//! The search is a branch and bound with certified ends. The distance to X's surface is the least of the distances to its triangles, each a convex
//! function: over a convex cell it is at most the largest distance of a corner to any one triangle, at most the distance at the middle plus the
//! radius, and at most the height over a plane beyond which X has ended (`lid`). The common point that lies deepest is either on the surface of Y or a local maximum of the distance inside of Y, so there are two searches:
//!
//! 1. `surface`: the triangles of Y, cut by those of X that meet them, and then along the planes between neighbours on X, where another triangle becomes the
//!    nearest. Y. Kang, M.-H. Kyung, S.-H. Yoon and M.-S. Kim, "Fast and robust Hausdorff distance computation from triangle mesh to quad mesh in
//!    near-zero cases" (2018) bound pieces of surface in the same way; here the cuts follow the surfaces, so that flat faces end in a few pieces.
//! 2. `interior`: cells of the common box, without those where all faces near enough to matter look into one half-space: there the distance grows along
//!    one direction, and no point is a local maximum.
//!
//! A common point p is no deeper below X than below Y and what the surface of Y is below X: the nearest point of that surface is inside of X, no deeper than
//! that, or X has ended before. So where surfaces hardly enter each other one of the two interiors is enough.
//!
//! No translation that frees the bodies is shorter than the local penetration (`docs/maths/local-penetration.md`), so a known one ends the search early.
//! Where a mesh is open, `estimate` looks at points on and between the faces that meet, and a generalised winding number decides which are inside.

mod cell;
mod convex;
mod directed;
mod estimate;
mod half_spaces;
mod interior;
mod lid;
mod outline;
mod program;
mod surface;

pub(in crate::mesh) use cell::Plane;

use super::column::Placed;
use super::penetration::separation_among;
use super::winding::winding_of;
use super::{Mesh, Mode, ScaledPose, Scratch, pairs, verdict};
use directed::{Directed, MOST_CELLS};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::EXACT;
use impinge_geom::triangle::intersection;
use impinge_geom::{Certainty, Pose, Verdict};

/// Cells inside of one body that are opened before the other is looked at, turn by turn.
const CELLS: [usize; 2] = [1024, MOST_CELLS];
/// Numbers on the way from one frame to the other that are this much larger than those at its end take digits from every point that goes there and back.
const FAR: f64 = 8.0;

/// How closely a local penetration is asked, and when the search may end early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// The search ends when both ends of the interval differ by at most this share of the lower one.
    pub relative: f64,
    /// Or by at most this, in A's unit.
    pub absolute: f64,
    /// Or as soon as it is known whether the depth is above this, in A's unit. Where a mesh is open, many more points are asked before it is said not to be.
    pub decide_at: Option<f64>,
    /// The length of a translation that is known to free the bodies, in A's unit: no local penetration is larger.
    pub separation: f64,
}

impl Default for Accuracy {
    /// One part in a hundred.
    fn default() -> Self {
        Self { relative: 0.01, absolute: 0.0, decide_at: None, separation: f64::INFINITY }
    }
}

impl Accuracy {
    /// The same with lengths in another unit.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self {
            relative: self.relative,
            absolute: self.absolute * factor,
            decide_at: self.decide_at.map(|depth| depth * factor),
            separation: self.separation * factor,
        }
    }

    /// True if an interval is wider than it was asked to be, and what was to be decided is not.
    fn wants_more(&self, depths: &[SurfaceDepth; 2], rounding: f64) -> bool {
        let is_wide = |depth: &SurfaceDepth| {
            let enough = (self.relative * depth.value).max(self.absolute).max(rounding);
            depth.upper - depth.value > enough
        };
        let ends = |end: fn(&SurfaceDepth) -> f64| depths.iter().map(end).fold(0.0, f64::max);
        let (lower, upper) = (ends(|depth| depth.value), ends(|depth| depth.upper));
        depths.iter().any(is_wide) && self.decide_at.is_none_or(|at| lower <= at && upper > at)
    }
}

/// How deep the common points lie below one surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDepth {
    /// The depth of `point`.
    pub value: f64,
    /// No common point lies deeper. Infinite where the value is an estimate.
    pub upper: f64,
    /// A common point of that depth, in A's frame.
    pub point: DVec3,
}

impl SurfaceDepth {
    /// What two searches of the same depth know together.
    fn beside(&self, other: &Self) -> Self {
        let deeper = if other.value > self.value { other } else { self };
        Self { upper: self.upper.min(other.upper).max(deeper.value), ..*deeper }
    }
}

/// How deep the common points of two bodies lie below their surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalPenetration {
    /// Below the surface of A, and below that of B.
    pub depths: [SurfaceDepth; 2],
    /// Exact if both intervals are as narrow as rounding allows, else a bound; an estimate where a mesh is open.
    pub certainty: Certainty,
}

impl LocalPenetration {
    /// The larger of the two depths.
    pub fn deepest(&self) -> &SurfaceDepth {
        let [a, b] = &self.depths;
        if b.value > a.value { b } else { a }
    }

    /// The depth of the deepest point.
    pub fn value(&self) -> f64 {
        self.deepest().value
    }

    /// No common point lies deeper below either surface; infinite where it is not known.
    pub fn upper(&self) -> f64 {
        self.depths[0].upper.max(self.depths[1].upper)
    }
}

/// How deep the common points of two solids lie below both surfaces.
///
/// For closed meshes both intervals are certified, up to rounding, and there are none only if the solids have no inner point in common. Where a
/// mesh is open there are none if no common point was found.
///
/// ```
/// use impinge::{Pose, mesh::{self, Accuracy, Mesh, Scratch}};
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// // The corner of one just enters the large face of the other.
/// let place = Pose::from_translation([1.3, 1.3, 1.3])?.into();
/// let found = mesh::local_penetration(&mesh, &mesh, &place, &Accuracy::default(), &mut Scratch::default());
/// let depth = 0.1 / 3f64.sqrt();
/// assert!(found.is_some_and(|found| (found.depths[0].value - depth).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn local_penetration<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    accuracy: &Accuracy,
    scratch: &mut Scratch,
) -> Option<LocalPenetration> {
    let mut met = Vec::new();
    pairs(a, b, b_in_a, scratch, &mut met);
    let met: Vec<[u32; 2]> = met.into_iter().map(|(a, b, _)| [a, b]).collect();
    local_penetration_among(a, b, b_in_a, accuracy, &met, scratch)
}

/// The same by a caller who knows which triangles meet, in ascending order.
pub(crate) fn local_penetration_among<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    accuracy: &Accuracy,
    met: &[[u32; 2]],
    scratch: &mut Scratch,
) -> Option<LocalPenetration> {
    if let Some(placed) = placed_anew(a, b, b_in_a) {
        return local_penetration_among(a, &placed, &Pose::IDENTITY.into(), accuracy, met, scratch);
    }
    let turned = || {
        let mut turned: Vec<[u32; 2]> = met.iter().map(|[a, b]| [*b, *a]).collect();
        turned.sort_unstable();
        turned
    };
    if !a.is_closed() || !b.is_closed() {
        return estimated(a, b, b_in_a, accuracy, [&turned(), met], scratch);
    }
    let DVec3 { x, y, z } = a.bounds().low.abs().max(a.bounds().high.abs());
    let narrow = EXACT * x.max(y).max(z).max(b_in_a.pose.translation().abs().max_element());
    let convex = convex::depths_of_convex(a, b, b_in_a, scratch)
        .filter(|depths| !accuracy.wants_more(depths, narrow));
    let mut depths = match convex {
        Some(depths) => depths,
        None => {
            let common = common_point(a, b, b_in_a, met, scratch)?;
            certified(a, b, b_in_a, accuracy, [&turned(), met], common, scratch)
        }
    };
    // So little is not told from contact by distances.
    let is_thin = depths.iter().all(|depth| depth.value <= narrow);
    if is_thin && !overlap(a, b, b_in_a, scratch) {
        return None;
    }
    // Where overlaps are so thin that cells do not tell them from contact, a way out that was tried tells more.
    if accuracy.separation == f64::INFINITY
        && accuracy.wants_more(&depths, narrow)
        && let Some((_, way)) = separation_among(a, b, b_in_a, Mode::Solid, met, scratch)
    {
        depths.iter_mut().for_each(|depth| depth.upper = depth.upper.min(way + narrow));
    }
    let exact = depths.iter().all(|depth| depth.upper - depth.value <= narrow);
    let certainty = if exact { Certainty::Exact } else { Certainty::Bound };
    Some(LocalPenetration { depths, certainty })
}

/// The depths where a mesh is open. If it is to be decided whether they are above some depth, and a few points are not, many are asked.
fn estimated<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    accuracy: &Accuracy,
    [of_b_and_a, of_a_and_b]: [&[[u32; 2]]; 2],
    scratch: &mut Scratch,
) -> Option<LocalPenetration> {
    let a_in_b = b_in_a.inverse();
    let mut of_a = estimate::deepest(a, b, b_in_a, of_b_and_a, scratch);
    let mut of_b = estimate::deepest(b, a, &a_in_b, of_a_and_b, scratch);
    let scale = b_in_a.scale;
    let reaches = |found: Option<SurfaceDepth>, unit: f64, at: f64| {
        found.is_some_and(|found| found.value * unit > at)
    };
    if let Some(at) = accuracy.decide_at
        && !reaches(of_a, 1.0, at)
        && !reaches(of_b, scale, at)
    {
        let deeper = estimate::deepest_of_many(a, b, b_in_a, of_b_and_a, at, scratch);
        of_a = deeper.or(of_a);
        let deeper = estimate::deepest_of_many(b, a, &a_in_b, of_a_and_b, at / scale, scratch);
        of_b = deeper.or(of_b);
    }
    let of_b = of_b.map(|found| in_frame_of_a(&found, b_in_a));
    let none = |point: DVec3| SurfaceDepth { value: 0.0, upper: f64::INFINITY, point };
    let depths = match (of_a, of_b) {
        (None, None) => return None,
        (Some(a), b) => [a, b.unwrap_or(none(a.point))],
        (None, Some(b)) => [none(b.point), b],
    };
    Some(LocalPenetration { depths, certainty: Certainty::Estimate })
}

/// B with its vertices where they are in A's frame, if the way there passes through numbers far larger than its coordinates are in the end: B is enlarged about
/// a point far away and moved back. The search looks from both frames, and points would lose on every way the digits that B lost once.
fn placed_anew<B: Bound>(a: &Mesh<B>, b: &Mesh<B>, b_in_a: &ScaledPose) -> Option<Mesh<B>> {
    let reach = |low: DVec3, high: DVec3| low.abs().max(high.abs()).max_element();
    let (of_a, of_b) = (a.bounds(), b.bounds());
    let on_the_way =
        reach(of_b.low, of_b.high) * b_in_a.scale + b_in_a.pose.translation().abs().max_element();
    let middle = b_in_a.transform_point(0.5 * of_b.low + 0.5 * of_b.high);
    let extent = reach(of_b.low - of_b.high, DVec3::ZERO) * b_in_a.scale;
    let in_the_end = reach(of_a.low, of_a.high).max(middle.abs().max_element() + extent);
    if on_the_way <= FAR * in_the_end {
        return None;
    }
    let vertices: Vec<[f64; 3]> =
        b.vertices().iter().map(|p| b_in_a.transform_point(*p).to_array()).collect();
    let placed = Mesh::with_volume(&vertices, b.triangles()).ok()?;
    (placed.is_closed() == b.is_closed()).then_some(placed)
}

/// How deep the common points of two closed meshes lie, from one of them on. `met` are the pairs of faces that meet, of B and of A, and of A and of B.
///
/// The inside of one may take many cells where that of the other takes few, and the depth below one surface bounds that below the other: so both are
/// searched in turns, first briefly, then for long.
fn certified<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    accuracy: &Accuracy,
    met: [&[[u32; 2]]; 2],
    common: DVec3,
    scratch: &mut Scratch,
) -> [SurfaceDepth; 2] {
    let a_in_b = b_in_a.inverse();
    let begun_a = Directed::new(a, b, b_in_a, accuracy, scratch).begin(common, met[0]);
    let unknown = |point| SurfaceDepth { value: 0.0, upper: f64::INFINITY, point };
    if accuracy.decide_at.is_some_and(|depth| begun_a.lower > depth) {
        let (of_a, _) =
            Directed::new(a, b, b_in_a, accuracy, scratch).finish(&begun_a, f64::INFINITY, 0);
        return [of_a, SurfaceDepth { upper: accuracy.separation, ..unknown(of_a.point) }];
    }
    let scale = b_in_a.scale;
    let scaled = accuracy.scaled(1.0 / scale);
    let there = a_in_b.transform_point(common);
    let begun_b = Directed::new(b, a, &a_in_b, &scaled, scratch).begin(there, met[1]);
    // Each in its own frame. Cells of the mesh with fewer faces are mostly fewer.
    let mut depths = [unknown(common), unknown(there)];
    let mut goes_on = [true; 2];
    let order = if a.triangles.len() <= b.triangles.len() { [0, 1] } else { [1, 0] };
    // What the depth of the other body bounds, in the frame of this one.
    let known = |depths: &[SurfaceDepth; 2], body: usize| match body {
        0 => depths[1].upper * scale + begun_a.upper,
        _ => depths[0].upper / scale + begun_b.upper,
    };
    for cells in CELLS {
        for body in order {
            if !goes_on[body] {
                continue;
            }
            let most = known(&depths, body);
            let (found, more) = match body {
                0 => Directed::new(a, b, b_in_a, accuracy, scratch).finish(&begun_a, most, cells),
                _ => Directed::new(b, a, &a_in_b, &scaled, scratch).finish(&begun_b, most, cells),
            };
            goes_on[body] = more;
            depths[body] = depths[body].beside(&found);
        }
    }
    for body in order {
        let most = known(&depths, body);
        depths[body].upper = depths[body].upper.min(most).max(depths[body].value);
    }
    [depths[0], in_frame_of_a(&depths[1], b_in_a)]
}

/// A point of both solids: where faces meet, or a vertex inside of the other solid; none if they share no point.
fn common_point<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    met: &[[u32; 2]],
    scratch: &mut Scratch,
) -> Option<DVec3> {
    let middle = |[face_a, face_b]: &[u32; 2]| {
        let common = intersection(&a.corners(*face_a), &b_in_a.map_corners(b.corners(*face_b)));
        let points = common.points();
        let sum = points.iter().fold(DVec3::ZERO, |sum, p| sum + *p / points.len() as f64);
        (!points.is_empty()).then_some(sum)
    };
    if let Some(point) = met.iter().find_map(middle) {
        return Some(point);
    }
    // A part of a surface that does not meet the other lies inside of it or outside as a whole.
    let placed = [Placed::here(a), Placed::there(b, b_in_a)];
    [0, 1].into_iter().find_map(|own| {
        let faces = placed[own].mesh.first_of_each_part().iter();
        let mut vertices = faces.map(|&face| placed[own].corners(face)[0]);
        vertices.find(|p| winding_of(&placed[1 - own], *p, scratch).is_inside())
    })
}

/// True if two closed meshes have an inner point in common.
fn overlap<B: Bound>(a: &Mesh<B>, b: &Mesh<B>, b_in_a: &ScaledPose, scratch: &mut Scratch) -> bool {
    let found = verdict(a, b, b_in_a, Mode::Solid, scratch).verdict;
    matches!(found, Verdict::Penetrating | Verdict::Contained(_))
}

fn in_frame_of_a(found: &SurfaceDepth, b_in_a: &ScaledPose) -> SurfaceDepth {
    SurfaceDepth {
        value: found.value * b_in_a.scale,
        upper: found.upper * b_in_a.scale,
        point: b_in_a.transform_point(found.point),
    }
}
