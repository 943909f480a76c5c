//! A point and a box: outside, clamp; inside, the nearest face.

use super::PointDistance;
use crate::answer::Feature;
use crate::number::length::length_and_unit;
use glam::DVec3;

/// The distance from a box around the origin. On a face it is exactly zero; ties go to the axis that comes first.
#[inline(always)]
pub(crate) fn point_distance(half: DVec3, p: DVec3) -> PointDistance {
    let excess = p.abs() - half;
    let largest = excess.max_element();
    if largest > 0.0 {
        let closest = p.clamp(-half, half);
        if let Some((distance, normal)) = length_and_unit(p - closest) {
            let outside = excess.cmpge(DVec3::ZERO).bitmask();
            return PointDistance::exact(distance, closest, normal, feature(outside, p));
        }
    }
    let axis = if excess.x == largest {
        0
    } else if excess.y == largest {
        1
    } else {
        2
    };
    let side = if p[axis] >= 0.0 { 1.0 } else { -1.0 };
    let mut point = p;
    point[axis] = side * half[axis];
    let on = if largest == 0.0 { excess.cmpge(DVec3::ZERO).bitmask() } else { 1 << axis };
    PointDistance::exact(largest, point, DVec3::AXES[axis] * side, feature(on, p))
}

/// The feature on which a point lies that has reached the faces of the axes in the mask, on the sides of `p`.
#[inline(always)]
pub(crate) fn feature(axes: u32, p: DVec3) -> Feature {
    let sides = p.cmpge(DVec3::ZERO).bitmask();
    let side = |axis: u32| sides >> axis & 1;
    match axes {
        0b001 => Feature::face(side(0)),
        0b010 => Feature::face(2 + side(1)),
        0b100 => Feature::face(4 + side(2)),
        0b110 => Feature::edge(side(1) | side(2) << 1),
        0b101 => Feature::edge(4 + (side(0) | side(2) << 1)),
        0b011 => Feature::edge(8 + (side(0) | side(1) << 1)),
        _ => Feature::vertex(sides),
    }
}
