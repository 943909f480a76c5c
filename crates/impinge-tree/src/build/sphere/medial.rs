//! Spheres about points of the medial axis.
//!
//! Each item has one: the sphere inside the body that touches its surface there and nowhere cuts it, whose centre is on the medial
//! axis. It is found as J. Ma, S. Bae and S. Choi, "3D medial axis point approximation using nearest neighbors and the normal field"
//! (2012), do: a sphere too large shrinks until it touches the sample nearest to its centre. The samples are the means of the items'
//! points.
//!
//! Of a list's spheres up to eight are taken: the largest, then each time that of the item which is furthest outside those so far (after
//! G. Bradshaw and C. O'Sullivan, "Adaptive medial-axis approximation for sphere-tree construction", 2004, who also add spheres where
//! the error is largest). Items without normals, such as points, have spheres of no size.

use super::ball::{Ball, middle};
use super::{MOST, Points};
use crate::build::nearest::Samples;
use crate::build::reference::{Bounds, Reference};
use crate::parallel::list;
use impinge_geom::glam::Vec3A;

/// How often a sphere shrinks at most; a few times are enough for nearly all.
const STEPS: usize = 16;

/// A sphere is small enough if what of it lies within this share of its radius is empty. Closer to one, the spheres of round
/// bodies would meet all of their surface.
const ENOUGH: f32 = 0.98;

/// The sphere of each item, by its number.
pub(super) fn balls(references: &[Reference], points: Points<'_>) -> Vec<Ball> {
    let means = list(references.len(), |k| {
        let own = points.of(&references[k]);
        let sum: Vec3A = own.iter().copied().sum();
        if own.is_empty() { middle(&references[k]) } else { sum / own.len() as f32 }
    });
    let largest = 0.5 * Bounds::of(references).edges().as_vec3a().length();
    let samples = Samples::new(&means);
    // References are still in the order of the items.
    list(references.len(), |k| {
        let still = Ball { center: means[k], radius: 0.0 };
        match inward(points.of(&references[k])) {
            Some(normal) if largest.is_finite() => {
                touching(&samples, k, still.center, normal, largest)
            }
            _ => still,
        }
    })
}

/// Against the normal of a triangle.
fn inward(points: &[Vec3A]) -> Option<Vec3A> {
    let [a, b, c, ..] = points else { return None };
    (*c - *a).cross(*b - *a).try_normalize()
}

fn touching(samples: &Samples<'_>, item: usize, p: Vec3A, normal: Vec3A, largest: f32) -> Ball {
    let mut ball = Ball { center: p + normal * largest, radius: largest };
    for _ in 0..STEPS {
        let Some(nearest) = samples.nearest(ball.center, ball.radius * ENOUGH, item) else { break };
        let way = samples.point(nearest) - p;
        let ahead = way.dot(normal);
        // The sphere that touches p, with this normal, and the other.
        let radius = way.length_squared() / (2.0 * ahead);
        // Not a number where the two coincide.
        if ahead <= 0.0 || radius.is_nan() || radius >= ball.radius {
            break;
        }
        ball = Ball { center: p + normal * radius, radius };
    }
    ball
}

/// Up to eight of the spheres of a list.
pub(super) fn spheres(list: &[Reference], balls: &[Ball]) -> Vec<Ball> {
    let own = |reference: &Reference| balls.get(reference.id() as usize).copied();
    let mut outside: Vec<f32> =
        list.iter().map(|reference| own(reference).map_or(0.0, |ball| ball.radius)).collect();
    let mut chosen: Vec<Ball> = Vec::with_capacity(MOST);
    while chosen.len() < MOST {
        let mut next = (f32::NEG_INFINITY, None);
        for (reference, &outside) in list.iter().zip(&outside) {
            if outside > next.0 {
                next = (outside, own(reference));
            }
        }
        let Some(ball) = next.1 else { break };
        let first = chosen.is_empty();
        for (reference, outside) in list.iter().zip(&mut outside) {
            let height = ball.center.distance(middle(reference)) - ball.radius;
            *outside = if first { height } else { outside.min(height) };
        }
        chosen.push(ball);
    }
    chosen
}
