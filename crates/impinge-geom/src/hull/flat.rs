//! Hulls without volume: points, segments and flat polygons.

use super::build::Outline;
use super::exact::lexicographic;
use super::lattice::Lattice;
use glam::DVec3;

/// A hull of dimension 0 or 1: only corners.
pub(super) fn few(dimension: u8, mut corners: Vec<u32>) -> Outline {
    corners.sort_unstable();
    Outline { dimension, corners, starts: vec![0], loops: Vec::new() }
}

/// The hull of points in one plane, of which three that are not collinear are known, by the monotone chain (Andrew, "Another
/// efficient algorithm for convex hulls in two dimensions", 1979).
///
/// The plane is seen along a coordinate axis that does not lie in it. That projection maps the plane one to one and keeps
/// the order of turns, so the exact hull of the shadows is the exact hull.
pub(super) fn polygon(points: &[DVec3], lattice: Lattice, [a, b, c]: [usize; 3]) -> Outline {
    let (u, v) = (points[b] - points[a], points[c] - points[a]);
    let scale = |w: DVec3| w / w.abs().max_element().max(f64::MIN_POSITIVE);
    let normal = scale(u).cross(scale(v)).abs();
    // The axis of the largest normal component, unless rounding hides that it lies in the plane.
    let seen = |axis: &usize| lattice.turn(*axis, points[a], points[b], points[c]) != 0;
    let axis = Some(normal.max_position()).filter(seen).or_else(|| (0..3).find(seen)).unwrap_or(2);

    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    let point = |index: u32| points[index as usize];
    let key = |p: DVec3| match axis {
        0 => DVec3::new(p.y, p.z, 0.0),
        1 => DVec3::new(p.z, p.x, 0.0),
        _ => DVec3::new(p.x, p.y, 0.0),
    };
    order.sort_unstable_by(|i, j| lexicographic(key(point(*i)), key(point(*j))));

    let turn = |a: DVec3, b: DVec3, c: DVec3| lattice.turn(axis, a, b, c);
    let mut front = half_chain(order.iter().copied(), points, turn);
    let back = half_chain(order.iter().rev().copied(), points, turn);
    front.extend(back);
    let count = front.len() as u32;
    let mut corners = front.clone();
    corners.sort_unstable();
    let mut loops = front;
    loops.extend_from_within(..);
    loops[count as usize..].reverse();
    Outline { dimension: 2, corners, starts: vec![0, count, 2 * count], loops }
}

/// The corners on the right of the way from the first to the last point, without the last: every turn is strictly left.
fn half_chain(
    order: impl Iterator<Item = u32>,
    points: &[DVec3],
    turn: impl Fn(DVec3, DVec3, DVec3) -> i32,
) -> Vec<u32> {
    let mut chain: Vec<u32> = Vec::new();
    for next in order {
        while let [.., a, b] = chain[..] {
            if turn(points[a as usize], points[b as usize], points[next as usize]) > 0 {
                break;
            }
            chain.pop();
        }
        chain.push(next);
    }
    chain.pop();
    chain
}
