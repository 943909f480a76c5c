//! One sphere to an item, joined bottom-up: [agglomeration](crate::build::agglomerative) by radius instead of area.

use super::Points;
use super::ball::{Ball, middle};
use crate::build::agglomerative;
use crate::build::reference::{Bounds, Reference};
use crate::topology::Topology;
use impinge_geom::glam::Vec3A;

pub(super) fn build(references: &[Reference], points: Points<'_>, leaf: usize) -> Topology {
    agglomerative::build(references, |reference| tile(reference, points.of(reference)), leaf)
}

/// About the smallest sphere of an item: around its longest edge and what that leaves out, or around its box.
fn tile(reference: &Reference, points: &[Vec3A]) -> Ball {
    let pairs =
        points.iter().enumerate().flat_map(|(k, &p)| points[..k].iter().map(move |&q| (p, q)));
    let longest = pairs.max_by(|(a, b), (c, d)| a.distance(*b).total_cmp(&c.distance(*d)));
    let Some((a, b)) = longest else {
        let ball = Ball::around(&Bounds::from(reference));
        return Ball { center: middle(reference), ..ball };
    };
    let ball = Ball { center: (a + b) * 0.5, radius: 0.5 * a.distance(b) };
    points.iter().fold(ball, |ball, &center| ball.joined(&Ball { center, radius: 0.0 }))
}
