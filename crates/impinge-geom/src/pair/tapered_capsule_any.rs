//! A tapered capsule against anything, as far as one of its two balls decides: the point's signed distance, less the radius.
//!
//! B is the hull of two balls, so A − B contains each ball around A's points: the depth is at least r − d(c), with d the signed
//! distance of a ball's centre c from A. Along the direction of that distance A − B reaches exactly so far, unless the other
//! ball reaches farther; where it does not, the two bounds meet. That is the worst case of EPA: with a centre on a corner of A, a
//! whole octant of directions is equally deep, and no polytope of reasonable size tells how deep.
//!
//! In such a corner the distance has many directions, and the other ball may reach farther along the one at hand, but not along
//! all. Then EPA looks for one, and ends as soon as it has attained the bound.

use super::{Cache, convex_convex, sphere_any};
use crate::answer::SignedDistance;
use crate::convex::difference::Difference;
use crate::number::tolerance::EXACT;
use crate::point;
use crate::pose::Pose;
use crate::shape::{Core, TaperedCapsule};
use crate::simd::Scalar;
use glam::DVec3;

/// The deeper of the two balls of a tapered capsule.
pub(super) struct Deepest {
    /// Its signed distance from the other body.
    answer: SignedDistance,
    /// Its centre in A's frame.
    center: DVec3,
    /// Its radius; of a part of B times −1, for its points are against the normal.
    radius: f64,
    /// True if it is a part of B.
    is_of_b: bool,
}

impl Deepest {
    /// `None` if neither core is a tapered capsule.
    pub(super) fn of(a: &Core<'_>, b: &Core<'_>, pose: &Pose) -> Option<Self> {
        match (a, b) {
            (other, Core::TaperedCapsule(capsule)) => Some(deepest(capsule, |center, radius| {
                let answer = sphere_any::any_at(other, pose, center).inflated(0.0, radius);
                Self {
                    answer,
                    center: pose.transform_point(center),
                    radius: -radius,
                    is_of_b: true,
                }
            })),
            (Core::TaperedCapsule(capsule), other) => Some(deepest(capsule, |center, radius| {
                let answer = sphere_any::at_any(center, other, pose).inflated(radius, 0.0);
                Self { answer, center, radius, is_of_b: false }
            })),
            _ => None,
        }
    }

    /// The signed distance of the bodies, if it is that of the ball.
    pub(super) fn decided(
        &self,
        a: &Core<'_>,
        b: &Core<'_>,
        pose: &Pose,
    ) -> Option<SignedDistance> {
        let difference = Difference::new(*a, *b, pose);
        let n = self.answer.normal;
        let reach = difference.support(Scalar::new(), n, [0, 0]).w.dot(n) / difference.factor;
        // The point's distance may be uncertain itself; the difference of the bounds is as much again.
        let uncertainty = self.answer.uncertainty + (reach + self.answer.distance).max(0.0);
        let scale = difference.scale / difference.factor;
        let certainty = convex_convex::certainty(uncertainty, scale);
        (uncertainty <= EXACT * scale).then_some(SignedDistance {
            uncertainty,
            certainty,
            ..self.answer
        })
    }

    /// The signed distance by GJK and EPA, which need not look for more than the ball's depth.
    pub(super) fn searched<'a>(
        &self,
        a: Core<'a>,
        b: Core<'a>,
        pose: &Pose,
        cache: &mut Cache,
    ) -> SignedDistance {
        let most = self.answer.distance + self.answer.uncertainty;
        let found = convex_convex::signed_distance_below(a, b, pose, most, cache);
        let SignedDistance { distance, normal, uncertainty, .. } = found;
        if distance >= 0.0 || most - distance > uncertainty {
            return found;
        }
        // The ball's bound is what ended the search: the polytope is too coarse for points, but the ball has them.
        // If the normal is that of the ball, up to a little, from the other body's point, which stays where it is however the
        // normal turns; if it is another one, at a corner or in the middle of what is round, from the ball's.
        let [p, q] = self.answer.points;
        let on_ball = self.center + normal * self.radius;
        let off_ball = |point: DVec3| (point.distance(self.center) - self.radius.abs()).abs();
        let off = |core: &Core<'_>, point| point::core_signed_distance(core, point).distance.abs();
        let (from_other, from_ball, is_other) = if self.is_of_b {
            let (there, here) = (p + normal * distance, on_ball - normal * distance);
            ([p, there], [here, on_ball], off_ball(there) <= off(&a, here))
        } else {
            let (there, here) = (q - normal * distance, on_ball + normal * distance);
            let is_other = off_ball(there) <= off(&b, pose.inverse_transform_point(here));
            ([there, q], [on_ball, here], is_other)
        };
        let points = if is_other { from_other } else { from_ball };
        SignedDistance { points, features: self.answer.features, ..found }
    }
}

fn deepest(capsule: &TaperedCapsule, ball: impl Fn(DVec3, f64) -> Deepest) -> Deepest {
    let end = DVec3::new(0.0, 0.0, capsule.half_height());
    let (bottom, top) = (ball(-end, capsule.bottom()), ball(end, capsule.top()));
    if bottom.answer.distance < top.answer.distance { bottom } else { top }
}
