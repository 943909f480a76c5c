//! Penetration depth of two meshes: a translation that separates them.
//!
//! The shortest of all translations is that of a polytope with as many faces as products of those of A and B; here it is searched
//! along directions that the two bodies suggest: the axes of both, the normals of faces that meet, and the line between the middles.
//! Triangles that meet now part after a way that is easily told ([`Sight::exit`]): a direction is not worth trying if one of these ways is longer than the
//! best translation so far, and the longest of them is the first to try. If the bodies still meet there, the search halves its way to where their shadows
//! are apart, and asks the triangles that meet then. So the answer is an upper bound that was tried: moved by it, the two do not even touch. It does not
//! change when faces are cut into smaller ones, except for the directions that their normals suggest, which stay the same.

use super::exit::Sight;
use super::pairs::any_pair;
use super::verdict::are_apart_unmet;
use super::{Mesh, Mode, ScaledPose, Scratch, distance, pairs, penetration_search, verdict};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::SHORTER;
use impinge_geom::triangle::{self, TriangleVerdict};
use impinge_geom::{Certainty, Verdict};

/// A translation that separates B from A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshSeparation {
    /// Translating B by this, in A's frame, separates it from A.
    pub translation: DVec3,
    /// Its length, in A's unit.
    pub depth: f64,
    /// A bound: this translation separates the two; a shorter one might.
    pub certainty: Certainty,
    /// The points of A and of B, in A's frame before the translation, that separate last.
    pub points: [DVec3; 2],
    /// The triangles of these points.
    pub triangles: [u32; 2],
}

/// Pairs of triangles that met a moment ago, and mostly still do: they are asked before the trees.
const WITNESSES: usize = 4;

/// Pairs of triangles by which directions are put in order.
const SAMPLE: usize = 6;
/// Couples whose extents along a direction are found at a time.
const PORTION: usize = 64;
/// Rounds of halving, each of as many steps as [`HALVINGS`], after which the triangles that still meet are asked how far they must go.
const ROUNDS: usize = 8;
const HALVINGS: usize = 6;
/// Halving ends at this share of the first translation.
const NARROW: f64 = 1e-13;
/// How much farther than the last triangles part a translation is tried, as a share of the largest coordinate: what rounding may take, and more.
const PADS: [f64; 3] = [1e-15, 2e-14, 4e-13];

/// A translation that separates two meshes whose interiors meet, or of which one contains the other. Surfaces count as separated
/// when their triangles are.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, Mode, Scratch}};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let place = Pose::from_translation([0.0, 0.0, 0.9])?;
/// let found = mesh::penetration(&mesh, &mesh, &place.into(), Mode::Solid, &mut Scratch::default());
/// let found = found.ok_or("they meet")?;
/// assert!(found.depth < 0.1 / 3f64.sqrt() + 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    mode: Mode,
    scratch: &mut Scratch,
) -> Option<MeshSeparation> {
    let now = verdict(a, b, b_in_a, mode, scratch).verdict;
    if !matches!(now, Verdict::Penetrating | Verdict::Contained(_)) {
        return None;
    }
    let mut found = Vec::new();
    pairs(a, b, b_in_a, scratch, &mut found);
    let met: Vec<[u32; 2]> = found.into_iter().map(|(a, b, _)| [a, b]).collect();
    penetration_among(a, b, b_in_a, mode, &met, scratch)
}

/// Like [`penetration()`], for two meshes known to penetrate, given the triangles that meet: all of them, as in
/// [`pairs()`] or [`contacts`](super::contacts()).
pub fn penetration_among<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    mode: Mode,
    met: &[[u32; 2]],
    scratch: &mut Scratch,
) -> Option<MeshSeparation> {
    let (direction, depth) = separation_among(a, b, b_in_a, mode, met, scratch)?;
    let translation = direction * depth;
    let moved = moved(b_in_a, translation)?;
    let apart = distance(a, b, &moved, scratch);
    let [on_a, on_b] = apart.points;
    let points = [on_a, on_b - translation];
    Some(MeshSeparation {
        translation,
        depth,
        certainty: Certainty::Bound,
        points,
        triangles: apart.triangles,
    })
}

/// The direction and the length of the translation of [`penetration_among`], without the points that separate last, which take as long to find.
pub(crate) fn separation_among<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    mode: Mode,
    met: &[[u32; 2]],
    scratch: &mut Scratch,
) -> Option<(DVec3, f64)> {
    // An index that is not one of these meshes' is left out.
    let counts = [a.triangles.len(), b.triangles.len()];
    let known = |pair: &&[u32; 2]| (0..2).all(|body| (pair[body] as usize) < counts[body]);
    let met: Vec<[u32; 2]> = met.iter().filter(known).copied().collect();
    let corners = couples(a, b, b_in_a, met.iter().copied());
    Pair { a, b, b_in_a, mode, scratch, met, corners, witnesses: Vec::new() }.search()
}

/// The place of B moved on, in A's frame; none if it is out of range.
fn moved(b_in_a: &ScaledPose, by: DVec3) -> Option<ScaledPose> {
    let to = (b_in_a.pose.translation() + by).to_array();
    let pose = b_in_a.pose.with_translation(to).ok()?;
    Some(ScaledPose { pose, scale: b_in_a.scale })
}

struct Pair<'p, B: Bound> {
    a: &'p Mesh<B>,
    b: &'p Mesh<B>,
    b_in_a: &'p ScaledPose,
    mode: Mode,
    scratch: &'p mut Scratch,
    /// The triangles that meet.
    met: Vec<[u32; 2]>,
    /// Their corners; those that held a direction back come first.
    corners: Vec<Couple>,
    /// Some that met after a movement, the last one first.
    witnesses: Vec<[u32; 2]>,
}

impl<B: Bound> Pair<'_, B> {
    /// The shortest translation along the directions that are tried.
    fn search(&mut self) -> Option<(DVec3, f64)> {
        let step = (self.corners.len() / SAMPLE).max(1);
        let sample: Vec<Couple> = self.corners.iter().step_by(step).copied().collect();
        // Where the sample parts early a short translation is found early, and the rest is tried against it.
        let mut tried: Vec<(f64, DVec3)> = self
            .directions()
            .into_iter()
            .map(|along| (parted(&sample, along, f64::INFINITY).0, along))
            .collect();
        tried.sort_by(|x, y| x.0.total_cmp(&y.0));
        let mut best: Option<(DVec3, f64)> = None;
        for (least, along) in tried {
            let most = best.map_or(f64::INFINITY, |(_, depth)| depth * (1.0 - SHORTER));
            if least >= most {
                break;
            }
            if let Some(depth) = self.least_along(along, most) {
                best = Some((along, depth));
            }
        }
        best
    }

    /// A translation along a direction that is shorter than `most` and parts the two, if one is found.
    fn least_along(&mut self, along: DVec3, most: f64) -> Option<f64> {
        let (mut low, last) = parted(&self.corners, along, most);
        // The triangles that part last are likely to hold back other directions, too.
        if let Some(early) = self.corners.get_mut(..=last) {
            early.rotate_right(1);
        }
        let size = self.size();
        if low >= most {
            return None;
        }
        if low > 0.0 {
            for pad in PADS {
                if self.is_apart(along * (low + pad * size)) {
                    return Some(low + pad * size);
                }
            }
        }
        let mut high = self.shadow(along).min(most);
        if low >= high || !self.is_apart(along * high) {
            return None;
        }
        let first = high;
        for _ in 0..ROUNDS {
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if middle <= low || middle >= high || high - low <= first * NARROW {
                    return Some(high);
                }
                if self.is_apart(along * middle) { high = middle } else { low = middle }
            }
            let next = self.parted_at(along, low);
            if next >= high {
                continue;
            }
            low = low.max(next);
            let ahead = low + PADS[0] * size;
            if next > 0.0 && ahead < high && self.is_apart(along * ahead) {
                return Some(ahead);
            }
        }
        Some(high)
    }

    /// How far the triangles that meet after a translation still do.
    fn parted_at(&mut self, along: DVec3, gone: f64) -> f64 {
        let Some(moved) = self.moved(along * gone) else { return gone };
        let mut met = Vec::new();
        pairs(self.a, self.b, &moved, self.scratch, &mut met);
        let met = met.into_iter().map(|(a, b, _)| [a, b]);
        gone + parted(&couples(self.a, self.b, &moved, met), along, f64::INFINITY).0
    }

    /// The largest coordinate that takes part.
    fn size(&self) -> f64 {
        let reach = |mesh: &Mesh<B>| {
            let bounds = mesh.bounds();
            bounds.low.abs().max(bounds.high.abs()).max_element()
        };
        let of_b = reach(self.b) * self.b_in_a.scale;
        reach(self.a) + of_b + self.b_in_a.pose.translation().abs().max_element()
    }

    /// How far B must go so that nothing of it is beside A as seen along the direction.
    fn shadow(&self, along: DVec3) -> f64 {
        let far = |sum: f64, x: f64| sum.max(x);
        let of_a = self.a.vertices().iter().map(|p| p.dot(along)).fold(f64::NEG_INFINITY, far);
        let map = |p: &DVec3| -self.b_in_a.transform_point(*p).dot(along);
        let of_b = self.b.vertices().iter().map(map).fold(f64::NEG_INFINITY, far);
        let size = of_a.abs().max(of_b.abs());
        (of_a + of_b).max(0.0) + size * penetration_search::SHADOW_ROUNDING
    }

    fn is_apart(&mut self, translation: DVec3) -> bool {
        let Some(moved) = self.moved(translation) else { return false };
        let (a, b) = (self.a, self.b);
        let meets = |&[face_a, face_b]: &[u32; 2]| {
            let corners = moved.map_corners(b.corners(face_b));
            triangle::verdict(&a.corners(face_a), &corners) != TriangleVerdict::Separated
        };
        if let Some(place) = self.witnesses.iter().position(meets) {
            self.witnesses[..=place].rotate_right(1);
            return false;
        }
        if let Some(pair) = any_pair(a, b, &moved, self.scratch) {
            self.witnesses.truncate(WITNESSES - 1);
            self.witnesses.insert(0, pair);
            return false;
        }
        are_apart_unmet(a, b, &moved, self.mode, self.scratch)
    }

    fn moved(&self, by: DVec3) -> Option<ScaledPose> {
        moved(self.b_in_a, by)
    }

    /// The directions to try, both ways, the same for the same input.
    fn directions(&self) -> Vec<DVec3> {
        let mut list = Vec::new();
        let turned = |axis| self.b_in_a.pose.rotate(axis);
        for axis in DVec3::AXES {
            list.extend([axis, -axis, turned(axis), -turned(axis)]);
        }
        let middle_of_b = self.b_in_a.transform_point(middle(self.b.vertices()));
        list.push(middle_of_b - middle(self.a.vertices()));
        self.normals(&mut list);
        penetration_search::unlike(list)
    }

    /// The normals of the largest faces that meet, both ways.
    fn normals(&self, list: &mut Vec<DVec3>) {
        for body in 0..2 {
            let mut faces: Vec<u32> = self.met.iter().map(|pair| pair[body]).collect();
            faces.sort_unstable();
            faces.dedup();
            let normal = |face: u32| {
                let [p, q, r] = match body {
                    0 => self.a.corners(face),
                    _ => self.b.corners(face).map(|p| self.b_in_a.transform_point(p)),
                };
                (q - p).cross(r - p)
            };
            list.extend(penetration_search::both_ways(faces.into_iter().map(normal).collect()));
        }
    }
}

/// The corners of a triangle of A and of one of B, in A's frame.
type Couple = [[DVec3; 3]; 2];

fn couples<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    pairs: impl Iterator<Item = [u32; 2]>,
) -> Vec<Couple> {
    pairs.map(|[x, y]| [a.corners(x), b_in_a.map_corners(b.corners(y))]).collect()
}

/// How far along a direction couples that meet still do, and which does longest. Ends early where that is at least `most`.
fn parted(couples: &[Couple], along: DVec3, most: f64) -> (f64, usize) {
    let (mut least, mut last) = (0.0, 0);
    let sight = Sight::new(along);
    // No couple meets longer than their extents along the direction do. The one of which that holds longest is tried before the others, most of which it spares.
    let extent = |[a, b]: &Couple| {
        let top = a[0].dot(along).max(a[1].dot(along)).max(a[2].dot(along));
        top - b[0].dot(along).min(b[1].dot(along)).min(b[2].dot(along))
    };
    let mut extents = [0.0; PORTION];
    for (portion, start) in couples.chunks(PORTION).zip((0..).step_by(PORTION)) {
        let mut longest = 0;
        for (index, couple) in portion.iter().enumerate() {
            extents[index] = extent(couple);
            if extents[index] > extents[longest] {
                longest = index;
            }
        }
        // The first of all held back another direction.
        for index in [0, longest].into_iter().chain(1..portion.len()) {
            if extents[index] <= least {
                continue;
            }
            let [a, b] = &portion[index];
            let way = sight.exit(a, b, least);
            if way > least {
                (least, last) = (way, start + index);
                if least >= most {
                    return (least, last);
                }
            }
        }
    }
    (least, last)
}

/// The middle of the box around the points.
fn middle(points: &[DVec3]) -> DVec3 {
    let first = points.first().copied().unwrap_or(DVec3::ZERO);
    let (low, high) =
        points.iter().fold((first, first), |(low, high), &p| (low.min(p), high.max(p)));
    0.5 * low + 0.5 * high
}
