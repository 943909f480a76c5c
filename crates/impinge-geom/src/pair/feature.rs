//! Which feature of a core do a few of its vertices span?

use crate::answer::Feature;
use crate::shape::{Core, Hull};
use crate::support::SupportPoint;

/// The smallest feature that holds all the vertices, which may repeat.
pub(super) fn spanned(core: &Core<'_>, vertices: &[u32]) -> Feature {
    let Some(&first) = vertices.first() else { return Feature::SURFACE };
    if vertices.contains(&SupportPoint::CURVED) {
        return Feature::SURFACE;
    }
    if vertices.iter().all(|vertex| *vertex == first) {
        return Feature::vertex(first);
    }
    match core {
        Core::Segment(_) => Feature::edge(0),
        Core::Triangle(_) => {
            let missing = (0..3).find(|vertex| !vertices.contains(vertex));
            missing.map_or(Feature::face(0), |missing| Feature::edge((missing + 1) % 3))
        }
        Core::Cuboid(_) => cuboid(vertices),
        Core::Hull(hull) => of_hull(hull, vertices, first),
        _ => Feature::SURFACE,
    }
}

/// The edge between two vertices, else a face with all of them.
fn of_hull(hull: &Hull, vertices: &[u32], first: u32) -> Feature {
    let other = vertices.iter().copied().find(|vertex| *vertex != first).unwrap_or(first);
    let third = vertices.iter().copied().find(|vertex| *vertex != first && *vertex != other);
    let Some(third) = third else {
        let edge = hull.edge_between(first, other).map(Feature::edge);
        return edge
            .or_else(|| hull.face_with(vertices).map(Feature::face))
            .unwrap_or(Feature::SURFACE);
    };
    let has = |face: &u32| {
        let corners = hull.face(*face);
        corners.contains(&other) && corners.contains(&third)
    };
    hull.vertex_faces(first).iter().copied().find(has).map_or(Feature::SURFACE, Feature::face)
}

/// On a box the vertices are bit patterns: the axes on which all agree tell the feature.
fn cuboid(vertices: &[u32]) -> Feature {
    let all = vertices.iter().fold(7, |bits, vertex| bits & vertex);
    let any = vertices.iter().fold(0, |bits, vertex| bits | vertex);
    let agree = 7 & !(all ^ any);
    let bit = |axis: u32| all >> (axis % 3) & 1;
    match agree.count_ones() {
        2 => {
            let axis = (7 & !agree).trailing_zeros();
            Feature::edge(4 * axis + bit(axis + 1) + 2 * bit(axis + 2))
        }
        1 => {
            let axis = agree.trailing_zeros();
            Feature::face(2 * axis + bit(axis))
        }
        _ => Feature::SURFACE,
    }
}
