//! Box against box by separating axes.
//!
//! Gottschalk, Lin, Manocha 1996 ("OBBTree", §5): two boxes are disjoint iff one of fifteen axes separates them, the three face
//! normals of each and the nine products of an edge of A with an edge of B; the depth is the smallest overlap on them. Products of
//! almost parallel edges are short: their projections are taken from the axis itself, not from the entries of the rotation that
//! equal them only up to rounding, and products below 1e-13 are skipped, which changes no depth by more than that share.
//! "SAT lite" (van den Bergen 1997) looks at the six face normals only and errs towards overlap.

use super::cache::Cache;
use super::convex_convex;
use super::manifold::OverlapAxis;
use crate::answer::{Certainty, Feature, SignedDistance};
use crate::convex::exact::Origin;
use crate::number::tolerance::{ON_FACE, PARALLEL_EDGES, UNIT_ROUNDOFF};
use crate::pose::Pose;
use crate::shape::{Core, Cuboid};
use glam::DVec3;

/// Projections on an axis are right up to this times the sizes that take part.
const ROUNDING: f64 = 32.0 * UNIT_ROUNDOFF;

/// Overlaps within this times the sizes are decided exactly: it covers the skipped axes.
const DOUBTFUL: f64 = 1e-12;

/// The numbers that all axes share.
struct Boxes {
    half_a: DVec3,
    half_b: DVec3,
    /// The axes of B in A's frame.
    axes: [DVec3; 3],
    center: DVec3,
    scale: f64,
}

/// Which axis, and the gap along it: negative is an overlap.
#[derive(Clone, Copy, Debug)]
struct Axis {
    gap: f64,
    /// 0..3 faces of A, 3..6 faces of B, 6 + 3i + j the product of edge i of A and edge j of B.
    index: usize,
}

impl Boxes {
    #[inline(always)]
    fn new(a: &Cuboid, b: &Cuboid, pose: &Pose) -> Self {
        let rotation = pose.rotation();
        let (half_a, half_b) = (a.half(), b.half());
        let center = pose.translation();
        let scale = half_a.element_sum() + half_b.element_sum() + center.abs().element_sum();
        Self {
            half_a,
            half_b,
            axes: [rotation.x_axis, rotation.y_axis, rotation.z_axis],
            center,
            scale,
        }
    }

    /// The gaps on the face normals of A.
    #[inline(always)]
    fn faces_of_a(&self) -> [f64; 3] {
        let [x, y, z] = self.axes;
        let reach = self.half_a
            + x.abs() * self.half_b.x
            + y.abs() * self.half_b.y
            + z.abs() * self.half_b.z;
        (self.center.abs() - reach).to_array()
    }

    /// The gaps on the face normals of B.
    #[inline(always)]
    fn faces_of_b(&self) -> [f64; 3] {
        let gap = |axis: DVec3, half: f64| {
            self.center.dot(axis).abs() - (half + axis.abs().dot(self.half_a))
        };
        let [x, y, z] = self.axes;
        [gap(x, self.half_b.x), gap(y, self.half_b.y), gap(z, self.half_b.z)]
    }

    /// The product of edge i of A with edge j of B: exact, because the edges of A are the coordinate axes.
    #[inline(always)]
    fn product(&self, i: usize, j: usize) -> DVec3 {
        let axis = self.axes[j];
        match i {
            0 => DVec3::new(0.0, -axis.z, axis.y),
            1 => DVec3::new(axis.z, 0.0, -axis.x),
            _ => DVec3::new(-axis.y, axis.x, 0.0),
        }
    }

    /// The gap on the product of two edges times its length, and the squared length.
    #[inline(always)]
    fn edges(&self, i: usize, j: usize) -> (f64, f64) {
        let axis = self.product(i, j);
        let square = axis.length_squared();
        let half = self.half_b.to_array();
        let (k, l) = ((j + 1) % 3, (j + 2) % 3);
        let reach = axis.abs().dot(self.half_a)
            + half[k] * axis.dot(self.axes[k]).abs()
            + half[l] * axis.dot(self.axes[l]).abs();
        (self.center.dot(axis).abs() - reach, square)
    }

    /// The axis with the widest gap among all fifteen; ends early at a gap above `enough`.
    ///
    /// Edges must win by more than rounding: where boxes are aligned up to rounding, products of edges equal normals of faces, but
    /// the edges that look along them need not be the ones that meet.
    #[inline(always)]
    fn widest(&self, enough: f64) -> Axis {
        let mut best = Axis { gap: f64::NEG_INFINITY, index: 0 };
        for (offset, gaps) in [(0, self.faces_of_a()), (3, self.faces_of_b())] {
            for (index, gap) in gaps.into_iter().enumerate() {
                if gap > best.gap {
                    best = Axis { gap, index: offset + index };
                }
            }
            if best.gap > enough {
                return best;
            }
        }
        let lead = ROUNDING * self.scale;
        for i in 0..3 {
            for j in 0..3 {
                let (scaled, square) = self.edges(i, j);
                // An overlap that is deeper even without the division cannot win.
                if square <= PARALLEL_EDGES * PARALLEL_EDGES || scaled < best.gap {
                    continue;
                }
                let gap = scaled / square.sqrt();
                if gap > best.gap + lead {
                    best = Axis { gap, index: 6 + 3 * i + j };
                    if gap > enough {
                        return best;
                    }
                }
            }
        }
        best
    }

    /// The unit vector of an axis, from A towards B.
    fn direction(&self, index: usize) -> DVec3 {
        let axis = match index {
            0..3 => DVec3::AXES[index],
            3..6 => self.axes[index - 3],
            _ => self.product((index - 6) / 3, (index - 6) % 3).normalize_or(DVec3::X),
        };
        if axis.dot(self.center) < 0.0 { -axis } else { axis }
    }
}

/// Whether two boxes overlap by the six face normals alone ("SAT lite"): never wrong about a gap, but it reports some pairs as
/// overlapping that only a cross product of two edges would separate.
///
/// ```
/// use impinge_geom::{Pose, pair::box_box, shape::Cuboid};
/// let block = Cuboid::new([1.0, 1.0, 1.0])?;
/// assert!(box_box::overlap_lite(&block, &block, &Pose::from_translation([1.9, 0.0, 0.0])?));
/// assert!(!box_box::overlap_lite(&block, &block, &Pose::from_translation([2.1, 0.0, 0.0])?));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[inline]
pub fn overlap_lite(a: &Cuboid, b: &Cuboid, b_in_a: &Pose) -> bool {
    let boxes = Boxes::new(a, b, b_in_a);
    let enough = ROUNDING * boxes.scale;
    let apart = |gaps: [f64; 3]| gaps.into_iter().any(|gap| gap > enough);
    !apart(boxes.faces_of_a()) && !apart(boxes.faces_of_b())
}

/// Whether two boxes overlap by all fifteen axes, in floating point: pairs within rounding of touching count as overlapping.
///
/// ```
/// use impinge_geom::{Pose, pair::box_box, shape::Cuboid};
/// let block = Cuboid::new([1.0, 1.0, 1.0])?;
/// assert!(box_box::overlap_axes(&block, &block, &Pose::from_translation([1.9, 0.0, 0.0])?));
/// assert!(!box_box::overlap_axes(&block, &block, &Pose::from_translation([0.0, 2.1, 0.0])?));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[inline]
pub fn overlap_axes(a: &Cuboid, b: &Cuboid, b_in_a: &Pose) -> bool {
    let boxes = Boxes::new(a, b, b_in_a);
    let enough = ROUNDING * boxes.scale;
    boxes.widest(enough).gap <= enough
}

/// The exact position of the origin relative to the difference of two boxes.
#[inline]
pub(super) fn position(a: &Cuboid, b: &Cuboid, pose: &Pose, cache: &mut Cache) -> Origin {
    let boxes = Boxes::new(a, b, pose);
    let square = boxes.center.length_squared();
    let inner = boxes.half_a.min_element() + boxes.half_b.min_element() - ROUNDING * boxes.scale;
    // The balls inside the boxes overlap.
    if inner > 0.0 && square < inner * inner {
        return Origin::Interior;
    }
    let rounding = ROUNDING * boxes.scale;
    let widest = boxes.widest(rounding);
    if widest.gap > rounding {
        Origin::Outside
    } else if widest.gap < -DOUBTFUL * boxes.scale {
        Origin::Interior
    } else {
        convex_convex::exact_position(Core::Cuboid(a), Core::Cuboid(b), pose, cache)
            .unwrap_or(Origin::Boundary)
    }
}

/// The depth of boxes that are not separated; `None` if they are.
pub(super) fn penetration(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    cache: &mut Cache,
) -> Option<SignedDistance> {
    let boxes = Boxes::new(a, b, pose);
    let widest = boxes.widest(ROUNDING * boxes.scale);
    if widest.gap > ROUNDING * boxes.scale {
        return None;
    }
    let answer = overlapping(&boxes, widest, a, b, pose, cache);
    (answer.distance <= 0.0).then_some(answer)
}

/// The signed distance: the depth from the axes, the gap from GJK.
pub(super) fn signed_distance(
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    cache: &mut Cache,
) -> SignedDistance {
    Axes::new(a, b, pose).signed_distance(a, b, pose, cache)
}

/// What the fifteen axes say about two boxes.
pub(super) struct Axes {
    boxes: Boxes,
    widest: Axis,
}

impl Axes {
    #[inline(always)]
    pub(super) fn new(a: &Cuboid, b: &Cuboid, pose: &Pose) -> Self {
        let boxes = Boxes::new(a, b, pose);
        let widest = boxes.widest(ROUNDING * boxes.scale);
        Self { boxes, widest }
    }

    /// True if the boxes are farther apart than the margin, beyond rounding.
    #[inline(always)]
    pub(super) fn is_beyond(&self, margin: f64) -> bool {
        let rounding = ROUNDING * self.boxes.scale;
        self.widest.gap > rounding && self.widest.gap > margin + rounding
    }

    /// The widest axis, if the boxes overlap beyond doubt.
    #[inline(always)]
    pub(super) fn overlap(&self) -> Option<OverlapAxis> {
        let Axis { gap, index } = self.widest;
        let scale = self.boxes.scale;
        (gap < -DOUBTFUL * scale).then(|| OverlapAxis {
            of_b: (3..6).contains(&index),
            gap,
            normal: self.boxes.direction(index),
            scale,
        })
    }

    #[inline(always)]
    pub(super) fn signed_distance(
        &self,
        a: &Cuboid,
        b: &Cuboid,
        pose: &Pose,
        cache: &mut Cache,
    ) -> SignedDistance {
        if self.widest.gap > ROUNDING * self.boxes.scale {
            return distance(a, b, pose, cache);
        }
        overlapping(&self.boxes, self.widest, a, b, pose, cache)
    }
}

/// The answer at the widest axis, where no axis has a gap beyond rounding.
fn overlapping(
    boxes: &Boxes,
    widest: Axis,
    a: &Cuboid,
    b: &Cuboid,
    pose: &Pose,
    cache: &mut Cache,
) -> SignedDistance {
    let normal = boxes.direction(widest.index);
    cache.warm.axis = -normal;
    let (points, features) = match widest.index {
        0..6 => face_points(boxes, widest.index, normal, &mut cache.corners),
        _ => edge_points(boxes, (widest.index - 6) / 3, (widest.index - 6) % 3, normal),
    };
    let mut answer = SignedDistance {
        distance: widest.gap,
        uncertainty: 0.0,
        points,
        normal,
        features,
        certainty: Certainty::Exact,
    };
    if widest.gap >= -DOUBTFUL * boxes.scale {
        let (core_a, core_b) = (Core::Cuboid(a), Core::Cuboid(b));
        answer.distance = match convex_convex::exact_position(core_a, core_b, pose, cache) {
            Some(Origin::Outside) => widest.gap.max(f64::MIN_POSITIVE),
            Some(Origin::Interior) => widest.gap.min(-f64::MIN_POSITIVE),
            _ => 0.0,
        };
    }
    answer
}

/// The distance, zero where the boxes meet.
///
/// Projecting a point in turn on the one box and on the other (von Neumann's alternating projections) brings it near the closest
/// points, or into both boxes, for a few operations each: GJK has little left to do.
pub(super) fn distance(a: &Cuboid, b: &Cuboid, pose: &Pose, cache: &mut Cache) -> SignedDistance {
    let (half_a, half_b) = (a.half(), b.half());
    let scale =
        half_a.element_sum() + half_b.element_sum() + pose.translation().abs().element_sum();
    let mut on_a = pose.translation().clamp(-half_a, half_a);
    for _ in 0..PROJECTIONS {
        let in_b = pose.inverse_transform_point(on_a);
        let inside = half_b - in_b.abs();
        if inside.min_element() > ROUNDING * scale {
            return common(on_a);
        }
        let on_b = pose.transform_point(in_b.clamp(-half_b, half_b));
        let back = on_b.clamp(-half_a, half_a);
        if (half_a - on_b.abs()).min_element() > ROUNDING * scale {
            return common(on_b);
        }
        on_a = back;
    }
    let in_b = pose.inverse_transform_point(on_a).clamp(-half_b, half_b);
    let mut answer =
        convex_convex::distance_from(a, b, pose, [on_a, pose.transform_point(in_b)], cache);
    for (feature, point, half) in
        [(0, answer.points[0], half_a), (1, pose.inverse_transform_point(answer.points[1]), half_b)]
    {
        if answer.distance > 0.0 && answer.features[feature] == Feature::SURFACE {
            answer.features[feature] = feature_at(half, point);
        }
    }
    answer
}

/// Rounds of projections before GJK takes over.
const PROJECTIONS: usize = 2;

/// The answer for boxes with a common point.
fn common(point: DVec3) -> SignedDistance {
    SignedDistance {
        distance: 0.0,
        uncertainty: 0.0,
        points: [point; 2],
        normal: DVec3::Z,
        features: [Feature::SURFACE; 2],
        certainty: Certainty::Exact,
    }
}

/// The feature of a box on which a point of its surface lies.
fn feature_at(half: DVec3, point: DVec3) -> Feature {
    let near =
        (half - point.abs()).cmple(half * ON_FACE + DVec3::splat(f64::MIN_POSITIVE)).bitmask();
    let bits = point.cmpge(DVec3::ZERO).bitmask();
    let bit = |axis: u32| bits >> (axis % 3) & 1;
    match near.count_ones() {
        3 => Feature::vertex(bits),
        2 => {
            let axis = (7 & !near).trailing_zeros();
            Feature::edge(4 * axis + bit(axis + 1) + 2 * bit(axis + 2))
        }
        1 => Feature::face(2 * near.trailing_zeros() + bit(near.trailing_zeros())),
        _ => Feature::SURFACE,
    }
}

/// Corner `bits` of a box with these axes.
fn corner(center: DVec3, axes: &[DVec3; 3], half: DVec3, bits: u32) -> DVec3 {
    let half = half.to_array();
    (0..3)
        .fold(center, |sum, k| sum + axes[k] * if bits >> k & 1 == 1 { half[k] } else { -half[k] })
}

/// The bits of the corner farthest along a direction.
fn farthest(axes: &[DVec3; 3], direction: DVec3) -> u32 {
    (0..3).fold(0, |bits, k| bits | u32::from(axes[k].dot(direction) >= 0.0) << k)
}

/// Witness points where a face is the closest feature: the deepest point of the other box that lies over the face.
///
/// The deepest corner need not lie over the face when an edge or face of the other box is parallel to it; then the face that
/// looks most directly at the first one is clipped by it.
fn face_points(
    boxes: &Boxes,
    index: usize,
    normal: DVec3,
    scratch: &mut [Vec<DVec3>; 2],
) -> ([DVec3; 2], [Feature; 2]) {
    let of_a = index < 3;
    let own = (DVec3::ZERO, DVec3::AXES, boxes.half_a);
    let other = (boxes.center, boxes.axes, boxes.half_b);
    let (reference, incident) = if of_a { (own, other) } else { (other, own) };
    let outwards = if of_a { normal } else { -normal };
    let axis = index % 3;
    let side = u32::from(reference.1[axis].dot(outwards) >= 0.0);
    let face = Feature::face(2 * axis as u32 + side);

    let bits = farthest(&incident.1, -outwards);
    let deepest = corner(incident.0, &incident.1, incident.2, bits);
    let over = |point: DVec3| {
        (0..3).filter(|k| *k != axis).all(|k| {
            let half = reference.2.to_array()[k];
            (point - reference.0).dot(reference.1[k]).abs() <= half + ROUNDING * boxes.scale
        })
    };
    let (point, feature) = if over(deepest) {
        (deepest, Feature::vertex(bits))
    } else {
        let slack = ROUNDING * boxes.scale;
        clipped(reference, axis, incident, outwards, slack, scratch)
            .unwrap_or((deepest, Feature::vertex(bits)))
    };
    let height = (point - reference.0).dot(outwards) - reference.2.to_array()[axis];
    let on_face = point - outwards * height;
    if of_a { ([on_face, point], [face, feature]) } else { ([point, on_face], [feature, face]) }
}

type Placed = (DVec3, [DVec3; 3], DVec3);

/// The four corners of face `side` of `axis`, counter-clockwise seen from outside.
fn face_corners(placed: &Placed, axis: usize, side: u32) -> [DVec3; 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let turns = [[0, 0], [1, 0], [1, 1], [0, 1]];
    let at =
        |[x, y]: [u32; 2]| corner(placed.0, &placed.1, placed.2, side << axis | x << u | y << v);
    let corners = turns.map(at);
    if side == 1 { corners } else { [corners[3], corners[2], corners[1], corners[0]] }
}

/// The deepest point of the incident face over the reference face.
#[cold]
fn clipped(
    reference: Placed,
    axis: usize,
    incident: Placed,
    outwards: DVec3,
    slack: f64,
    scratch: &mut [Vec<DVec3>; 2],
) -> Option<(DVec3, Feature)> {
    let along: [f64; 3] = incident.1.map(|axis| axis.dot(outwards));
    let facing = (0..3).max_by(|i, j| along[*i].abs().total_cmp(&along[*j].abs()))?;
    let facing_side = u32::from(along[facing] < 0.0);
    let [subject, spare] = scratch;
    subject.clear();
    subject.extend(face_corners(&incident, facing, facing_side));
    // The sides are cut by the axes, not by the corners, which coincide where the face has no width.
    for k in (0..3).filter(|k| *k != axis) {
        let (along, half) = (reference.1[k], reference.2.to_array()[k]);
        super::clip::keep(subject, spare, reference.0 + along * half, -along, slack);
        super::clip::keep(subject, spare, reference.0 - along * half, along, slack);
    }
    let deeper = |p: &&DVec3, q: &&DVec3| p.dot(outwards).total_cmp(&q.dot(outwards));
    let point = subject.iter().min_by(deeper)?;
    Some((*point, Feature::face(2 * facing as u32 + facing_side)))
}

/// Witness points where two edges are closest: the closest points of their lines, kept on the edges.
fn edge_points(boxes: &Boxes, i: usize, j: usize, normal: DVec3) -> ([DVec3; 2], [Feature; 2]) {
    let edge = |axes: &[DVec3; 3], center: DVec3, half: DVec3, axis: usize, direction: DVec3| {
        let bits = farthest(axes, direction) & !(1 << axis);
        let ends = [bits, bits | 1 << axis].map(|bits| corner(center, axes, half, bits));
        let bit = |k: usize| bits >> (k % 3) & 1;
        (ends, Feature::edge(4 * axis as u32 + bit(axis + 1) + 2 * bit(axis + 2)))
    };
    let (a, feature_a) = edge(&DVec3::AXES, DVec3::ZERO, boxes.half_a, i, normal);
    let (b, feature_b) = edge(&boxes.axes, boxes.center, boxes.half_b, j, -normal);
    let (_, _, on_a, on_b) = crate::segment::closest_points(a[0], a[1], b[0], b[1]);
    ([on_a, on_b], [feature_a, feature_b])
}
