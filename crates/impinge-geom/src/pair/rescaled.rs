//! Pairs so small that products of their coordinates vanish: asked of a larger copy.
//!
//! Numbers below 2^-1022 have fewer digits the smaller they are, and so have products that fall there: a support vertex chosen
//! by such a product is any vertex, and the smallest normal number, which stands for "more than nothing", is no longer less
//! than every length at hand. All lengths times a power of two are the same lengths, exactly, and only the answers are rounded.

use super::{Cache, scale};
use crate::answer::SignedDistance;
use crate::pose::Pose;
use crate::shape::Shape;

/// 2^-600: pairs of smaller coordinates and sizes are enlarged.
const SMALL: f64 = f64::from_bits((1023 - 600) << 52);

/// 2^700: takes what is below [`SMALL`] to at most 2^100, and the smallest number to 2^-374.
const ENLARGEMENT: f64 = f64::from_bits((1023 + 700) << 52);

/// Two shapes and B's pose in A, enlarged.
pub(super) struct Enlarged {
    a: Shape,
    b: Shape,
    pose: Pose,
}

/// The larger copy, if the pair is small and has no fast path of its own, which keeps its own scale.
#[inline(always)]
pub(super) fn enlarged(a: &Shape, b: &Shape, pose: &Pose) -> Option<Enlarged> {
    if pose.translation().abs().max_element() >= SMALL {
        return None;
    }
    copied(a, b, pose)
}

#[cold]
#[inline(never)]
fn copied(a: &Shape, b: &Shape, pose: &Pose) -> Option<Enlarged> {
    let fast = match (a, b) {
        (Shape::Hull(_), Shape::Hull(_)) | (Shape::Cuboid(_), Shape::Cuboid(_)) => true,
        (Shape::Capsule(a), Shape::Capsule(b)) => a.radius() + b.radius() > 0.0,
        _ => false,
    };
    let scale = scale(a, b, pose);
    if fast || scale >= SMALL || scale == 0.0 {
        return None;
    }
    let place = (pose.translation() * ENLARGEMENT).to_array();
    Some(Enlarged {
        a: a.enlarged(ENLARGEMENT).ok()?,
        b: b.enlarged(ENLARGEMENT).ok()?,
        pose: pose.with_translation(place).ok()?,
    })
}

impl Enlarged {
    /// Asks the larger copy.
    pub(super) fn ask<T>(
        &self,
        question: impl FnOnce(&Shape, &Shape, &Pose, &mut Cache) -> T,
        cache: &mut Cache,
    ) -> T {
        question(&self.a, &self.b, &self.pose, cache)
    }
}

/// The answer of a larger copy in the pair's own unit. What is apart stays apart, what is deep stays deep.
pub(super) fn reduced(answer: SignedDistance) -> SignedDistance {
    let mut distance = answer.distance / ENLARGEMENT;
    if distance == 0.0 && answer.distance != 0.0 {
        distance = f64::from_bits(1).copysign(answer.distance);
    }
    SignedDistance {
        distance,
        uncertainty: answer.uncertainty / ENLARGEMENT,
        points: answer.points.map(|p| p / ENLARGEMENT),
        ..answer
    }
}
