//! Box on box: the fast path for a contact of two faces.
//!
//! In the frame of one box (the reference) its face is a rectangle along the axes, and the face of the other box (the incident one),
//! moved along the normal into the plane of the rectangle, is a parallelogram: clipping it takes one comparison per corner and side,
//! and its distances come along. The points are those of the general way: this one only answers where both faces take part and the
//! overlap is beyond doubt.

use super::reduce::{Choosable, choose};
use super::{ContactPoint, LocalManifold};
use crate::answer::Feature;
use crate::number::tolerance::{CONTACT_TIE, FACE_COSINE};
use crate::pose::Pose;
use crate::shape::Cuboid;
use glam::DVec3;

/// The axis along which two boxes overlap least.
#[derive(Clone, Copy)]
pub(in crate::pair) struct OverlapAxis {
    /// It is the normal of a face of B.
    pub(in crate::pair) of_b: bool,
    /// Below zero: the depth.
    pub(in crate::pair) gap: f64,
    /// From A towards B.
    pub(in crate::pair) normal: DVec3,
    /// A magnitude that no coordinate exceeds.
    pub(in crate::pair) scale: f64,
}

/// A corner of the incident face, or of what is left of it, in the reference's frame.
#[derive(Clone, Copy)]
struct Mark {
    /// Along the two axes of the rectangle, then the distance from its plane along the normal.
    x: [f64; 3],
    /// Where the side that leaves the corner comes from: 0..4 the incident face, 4..8 the rectangle.
    side: u32,
}

impl Choosable for Mark {
    #[inline(always)]
    fn place(&self) -> [f64; 2] {
        [self.x[0], self.x[1]]
    }
    #[inline(always)]
    fn distance(&self) -> f64 {
        self.x[2]
    }
}

/// A rectangle cut four times has at most eight corners.
struct Polygon {
    marks: [Mark; 8],
    count: usize,
}

impl Polygon {
    #[inline(always)]
    fn push(&mut self, mark: Mark) {
        self.marks[self.count & 7] = mark;
        self.count += 1;
    }

    #[inline(always)]
    fn marks(&self) -> &[Mark] {
        &self.marks[..self.count.min(8)]
    }

    /// Keeps what has `sign · x[k] ≤ half`; corners beyond by no more than the slack stay.
    #[inline(always)]
    fn keep(&self, k: usize, sign: f64, half: f64, slack: f64) -> Self {
        let side = 4 + 2 * k as u32 + u32::from(sign > 0.0);
        let mut kept = Self { marks: self.marks, count: 0 };
        let Some(last) = self.marks().last() else { return kept };
        let (mut from, mut beyond_from) = (last, sign * last.x[k] - half);
        for to in self.marks() {
            let beyond_to = sign * to.x[k] - half;
            let (inside, stays) = (beyond_from <= slack, beyond_to <= slack);
            if inside {
                // At a corner within the slack the cut starts at the corner itself.
                let at_corner = !stays && beyond_from >= 0.0;
                kept.push(Mark { side: if at_corner { side } else { from.side }, ..*from });
            }
            if (inside && !stays && beyond_from < 0.0) || (!inside && beyond_to < 0.0) {
                let t = beyond_from / (beyond_from - beyond_to);
                let mut x: [f64; 3] =
                    std::array::from_fn(|i| from.x[i] + (to.x[i] - from.x[i]) * t);
                x[k] = sign * half;
                kept.push(Mark { x, side: if inside { side } else { from.side } });
            }
            (from, beyond_from) = (to, beyond_to);
        }
        kept
    }
}

/// A face of a box: an axis, a side of it, and the axes along the face.
#[derive(Clone, Copy)]
struct Face {
    axis: usize,
    side: u32,
    along: [usize; 2],
}

impl Face {
    #[inline(always)]
    fn new(axis: usize, side: u32) -> Self {
        let along = match axis {
            0 => [1, 2],
            1 => [2, 0],
            _ => [0, 1],
        };
        Self { axis, side, along }
    }

    #[inline(always)]
    fn name(&self) -> Feature {
        Feature::face(2 * self.axis as u32 + self.side)
    }

    /// The corner on these sides of the axes along the face.
    #[inline(always)]
    fn corner(&self, sides: [u32; 2]) -> Feature {
        Feature::vertex(
            self.side << self.axis | sides[0] << self.along[0] | sides[1] << self.along[1],
        )
    }

    /// The edge of the face on this side of one of the two axes along it.
    #[inline(always)]
    fn edge(&self, across: usize, side: u32) -> Feature {
        let runs = self.along[1 - across];
        let bits = self.side << self.axis | side << self.along[across];
        let bit = |k: usize| bits >> (k % 3) & 1;
        Feature::edge(4 * runs as u32 + bit(runs + 1) + 2 * bit(runs + 2))
    }
}

/// Corners of the incident face in order, as sides of the axes along it.
const CORNERS: [[u32; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

/// The contact of two boxes that overlap; `None` where one of them meets the other with an edge or a corner, which is for the
/// general way.
pub(super) fn face_contact(
    a: &Cuboid,
    b: &Cuboid,
    b_in_a: &Pose,
    axis: OverlapAxis,
    margin: f64,
) -> Option<LocalManifold> {
    let placed = Placed::new(a, b, b_in_a, axis)?;
    let tie = CONTACT_TIE * axis.scale;
    let polygon = placed.overlap(0.01 * tie);
    let contact = |mark: &Mark, support_values: u32| {
        let [x, y, distance] = mark.x;
        let (u, v, k) =
            (placed.reference.along[0], placed.reference.along[1], placed.reference.axis);
        let mut on = DVec3::ZERO;
        (on[u], on[v], on[k]) = (x, y, placed.plane);
        let on_other = on + placed.out * distance;
        let names = names(mark.side, support_values, &placed.reference, &placed.incident);
        if axis.of_b {
            let (on_a, on_b) = (b_in_a.transform_point(on_other), b_in_a.transform_point(on));
            ContactPoint { on_a, on_b, distance, features: [names[1], names[0]] }
        } else {
            ContactPoint { on_a: on, on_b: on_other, distance, features: names }
        }
    };
    finish(&polygon, axis, margin, tie, contact)
}

/// The two faces in the reference's frame.
struct Placed {
    reference: Face,
    incident: Face,
    /// Half the sides of the rectangle.
    half: [f64; 2],
    /// Its place along its axis.
    plane: f64,
    /// Out of the reference along the normal.
    out: DVec3,
    /// The centre of the incident face and half its sides, as marks are given.
    center: [f64; 3],
    sides: [[f64; 3]; 2],
}

impl Placed {
    #[inline(always)]
    fn new(a: &Cuboid, b: &Cuboid, b_in_a: &Pose, axis: OverlapAxis) -> Option<Self> {
        let (half, other_half, pose, out) = if axis.of_b {
            let out = b_in_a.inverse_rotate(-axis.normal);
            (b.half().to_array(), a.half().to_array(), b_in_a.inverse(), out)
        } else {
            (a.half().to_array(), b.half().to_array(), *b_in_a, axis.normal)
        };
        let k = largest(out.to_array());
        let reference = Face::new(k, u32::from(out[k] > 0.0));
        let rotation = pose.rotation();
        let axes = [rotation.x_axis, rotation.y_axis, rotation.z_axis];
        let slopes = axes.map(|axis| axis.dot(out));
        let facing = largest(slopes);
        let incident = Face::new(facing, u32::from(slopes[facing] < 0.0));
        let ([u, v], [i, j]) = (reference.along, incident.along);
        let thinnest = half[u].min(half[v]).min(other_half[i]).min(other_half[j]);
        if out[k].abs().min(slopes[facing].abs()) < FACE_COSINE || thinnest <= 0.0 {
            return None;
        }
        let plane = if reference.side == 1 { half[k] } else { -half[k] };
        // Moves along the normal into the plane of the rectangle.
        let rise = 1.0 / out[k];
        let flat = |p: DVec3, height: f64| {
            let distance = height * rise;
            [p[u] - out[u] * distance, p[v] - out[v] * distance, distance]
        };
        let outwards = if incident.side == 1 { other_half[facing] } else { -other_half[facing] };
        let center = pose.translation() + axes[facing] * outwards;
        let sides = [i, j].map(|n| axes[n] * other_half[n]);
        Some(Self {
            reference,
            incident,
            half: [half[u], half[v]],
            plane,
            out,
            center: flat(center, center[k] - plane),
            sides: sides.map(|side| flat(side, side[k])),
        })
    }

    /// What the two faces have in common, seen along the normal.
    #[inline(always)]
    fn overlap(&self, slack: f64) -> Polygon {
        let (center, [p, q]) = (self.center, self.sides);
        let mut polygon = Polygon { marks: [Mark { x: center, side: 0 }; 8], count: 4 };
        for (number, [first, second]) in CORNERS.into_iter().enumerate() {
            let add = |side: u32, c: f64, x: f64| if side == 1 { c + x } else { c - x };
            let x = std::array::from_fn(|n| add(second, add(first, center[n], p[n]), q[n]));
            polygon.marks[number] = Mark { x, side: number as u32 };
        }
        for (n, half) in self.half.into_iter().enumerate() {
            let reach = p[n].abs() + q[n].abs();
            if center[n] + reach > half {
                polygon = polygon.keep(n, 1.0, half, slack);
            }
            if center[n] - reach < -half {
                polygon = polygon.keep(n, -1.0, half, slack);
            }
        }
        polygon
    }
}

/// The index of the value farthest from zero, the first where several tie.
#[inline(always)]
fn largest(values: [f64; 3]) -> usize {
    let [x, y, z] = values.map(f64::abs);
    if x >= y && x >= z { 0 } else { 1 + usize::from(y < z) }
}

/// The features at a corner, by the sides that leave and reach it: those of the reference, then those of the incident box.
#[inline(always)]
fn names(leaves: u32, support_values: u32, reference: &Face, incident: &Face) -> [Feature; 2] {
    let of_reference = |side: u32| reference.edge((side as usize - 4) / 2, side & 1);
    // Side n of the incident face runs from corner n to the next: across the second axis if n is even.
    let of_incident = |side: u32| {
        let n = side as usize & 3;
        let across = 1 - (n & 1);
        incident.edge(across, CORNERS[n][across])
    };
    match (leaves >= 4, support_values >= 4) {
        (false, false) => [reference.name(), incident.corner(CORNERS[leaves as usize & 3])],
        (true, false) => [of_reference(leaves), of_incident(support_values)],
        (false, true) => [of_reference(support_values), of_incident(leaves)],
        (true, true) => {
            let across = (leaves as usize - 4) / 2;
            if across == (support_values as usize - 4) / 2 {
                return [of_reference(leaves), incident.name()];
            }
            let sides = if across == 0 {
                [leaves & 1, support_values & 1]
            } else {
                [support_values & 1, leaves & 1]
            };
            [reference.corner(sides), incident.name()]
        }
    }
}

/// Leaves out what is too far or doubled and chooses four; `None` if the depth is not among the points.
#[inline(always)]
fn finish(
    polygon: &Polygon,
    axis: OverlapAxis,
    margin: f64,
    tie: f64,
    contact: impl Fn(&Mark, u32) -> ContactPoint,
) -> Option<LocalManifold> {
    let marks = polygon.marks();
    let limit = margin.max(axis.gap) + tie;
    let apart = |p: &Mark, q: &Mark| (p.x[0] - q.x[0]).abs().max((p.x[1] - q.x[1]).abs()) > tie;
    let mut kept = Polygon { marks: polygon.marks, count: 0 };
    let mut before = [0; 8];
    let mut support_values = marks.last()?.side;
    for mark in marks {
        let fresh = kept.count == 0
            || apart(&kept.marks[kept.count - 1], mark) && apart(&kept.marks[0], mark);
        if mark.x[2] <= limit && fresh {
            before[kept.count & 7] = support_values;
            kept.push(*mark);
        }
        support_values = mark.side;
    }
    let (chosen, count) = choose(kept.marks(), tie);
    let deepest = kept.marks().get(chosen[0])?;
    if (deepest.x[2] - axis.gap).abs() > tie {
        return None;
    }
    let mut points = [ContactPoint::NONE; 4];
    for (point, index) in points.iter_mut().zip(chosen).take(count) {
        *point = contact(kept.marks().get(index)?, *before.get(index)?);
    }
    points[0].distance = axis.gap;
    Some(LocalManifold { normal: axis.normal, points, count: count as u32 })
}

#[cfg(test)]
mod tests {
    use super::super::meet;
    use super::*;
    use crate::pair::{Cache, box_box::Axes};
    use crate::shape::Core;
    use crate::testing::Random;
    use glam::DQuat;

    /// The general way finds the same points, with the same features.
    #[test]
    fn agrees_with_the_general_way() {
        let (mut random, mut cache) = (Random::new(9), Cache::default());
        let (mut compared, mut tied) = ([0; 5], 0);
        for round in 0..20_000 {
            let [a, b] = [0, 1].map(|_| {
                let half = random.in_cube().abs() + DVec3::splat(0.2);
                Cuboid::new(half.to_array()).unwrap()
            });
            let axis = DVec3::AXES[random.below(3)] + random.in_cube() * 0.2 * random.real();
            let turn = DQuat::from_axis_angle(axis.normalize(), 7.0 * random.real());
            let side = DVec3::AXES[random.below(3)] * if round % 2 == 0 { 1.0 } else { -1.0 };
            let reach = side.abs().dot(a.half()) + (turn.inverse() * side).abs().dot(b.half());
            let place = side * (reach - 0.1 * random.real()) + random.in_cube() * 0.3;
            let pose = Pose::new([turn.w, turn.x, turn.y, turn.z], place.to_array()).unwrap();
            let axes = Axes::new(&a, &b, &pose);
            let margin = 0.1 * random.real() - 0.05;
            let Some(axis) = axes.overlap().filter(|axis| axis.gap <= margin) else {
                continue;
            };
            let Some(fast) = face_contact(&a, &b, &pose, axis, margin) else { continue };
            let found = axes.signed_distance(&a, &b, &pose, &mut cache);
            let cores = [(Core::Cuboid(&a), 0.0), (Core::Cuboid(&b), 0.0)];
            let general = meet(cores[0], cores[1], &pose, margin, &found, &mut cache);
            if fast.normal != general.normal {
                // The normal of a face is as good.
                assert!((fast.normal - general.normal).length() < 1e-3);
                continue;
            }
            assert_eq!(fast.points().len(), general.points().len(), "{a:?} {b:?} {pose:?}");
            assert_eq!(fast.points()[0].distance, found.distance);
            compared[fast.points().len()] += 1;
            let same = |p: &ContactPoint, q: &ContactPoint| {
                p.features == q.features
                    && (p.on_a - q.on_a).length() + (p.on_b - q.on_b).length() < 1e-12
                    && (p.distance - q.distance).abs() < 1e-12
            };
            let known = |p: &&ContactPoint| general.points().iter().any(|q| same(p, q));
            let shared = fast.points().iter().filter(known).count();
            // Overlaps have opposite sides that are parallel: corners may tie, and the two ways count them differently.
            if shared < fast.points().len() {
                assert_eq!(shared, 3, "{:?} {:?} {a:?} {b:?} {pose:?}", fast, general.points());
                tied += 1;
            }
        }
        assert!(tied * 50 < compared[4], "{tied}");
        assert!(compared[1..].iter().all(|count| *count > 100), "{compared:?}");
    }
}
