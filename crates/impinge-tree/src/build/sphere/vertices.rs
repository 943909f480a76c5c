//! Spheres about vertices that are far from one another.
//!
//! T. Gonzalez (1985): the next centre is the vertex that is furthest from all centres so far. The largest distance that remains is at
//! most twice the least that this number of spheres could have.

use super::ball::{Ball, middle};
use super::{MOST, Points};
use crate::build::reference::Reference;
use impinge_geom::glam::Vec3A;

/// Up to eight, of no size: items go to the nearest. The centres of boxes stand for vertices where there are none.
pub(super) fn spheres(list: &[Reference], points: Points<'_>) -> Vec<Ball> {
    let own = |reference: &Reference| match points.of(reference) {
        [] => vec![middle(reference)],
        points => points.to_vec(),
    };
    let vertices: Vec<Vec3A> = list.iter().flat_map(own).collect();
    let mean = vertices.iter().copied().sum::<Vec3A>() / vertices.len().max(1) as f32;
    let mut distances: Vec<f32> = vertices.iter().map(|p| p.distance_squared(mean)).collect();
    let mut balls = Vec::with_capacity(MOST);
    while balls.len() < MOST {
        let Some(furthest) = furthest(&distances) else { break };
        let center = vertices[furthest];
        balls.push(Ball { center, radius: 0.0 });
        for (distance, p) in distances.iter_mut().zip(&vertices) {
            let from_here = p.distance_squared(center);
            // The first centre is furthest from the mean, which is no centre.
            *distance = if balls.len() == 1 { from_here } else { distance.min(from_here) };
        }
    }
    balls
}

/// The greatest distance that is a number and not zero; the first of equals.
fn furthest(distances: &[f32]) -> Option<usize> {
    let mut best = (0.0, None);
    for (place, &distance) in distances.iter().enumerate() {
        if distance > best.0 {
            best = (distance, Some(place));
        }
    }
    best.1
}
