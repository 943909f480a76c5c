//! Two convex shapes.

use super::PairResult;
use super::answer::Answer;
use super::manifold::UnmatchedManifold;
use crate::query::{PairDistance, Workspace};
use crate::scene::SceneSettings;
use impinge_geom::number::tolerance::TOUCHING;
use impinge_geom::shape::{Core, Shape};
use impinge_geom::{Certainty, Pose, Verdict, pair};

/// How two shapes relate.
pub(super) fn decide(
    (a, pose_a): (&Shape, &Pose),
    (b, pose_b): (&Shape, &Pose),
    margin: f64,
    settings: &SceneSettings,
    workspace: &mut Workspace,
    found: &mut PairResult,
) {
    let pose = pose_a.relative(pose_b);
    let cache = &mut workspace.cache;
    cache.set_warm_start(found.warm);
    let band = 2.0 * TOUCHING * scale(a, b, &pose);
    let limit = margin.max(band);
    if margin == 0.0
        && !settings.contacts
        && pair::verdict(a, b, &pose, cache) == Verdict::Separated
    {
        found.warm = cache.warm_start();
        return;
    }
    let mut gap = None;
    if settings.contacts
        && let Some(manifold) = pair::manifold(a, b, &pose, limit, cache)
    {
        gap = manifold.points().first().map(|deepest| deepest.distance);
        found.manifolds.push(UnmatchedManifold::of_shapes(&manifold, pose_a));
    }
    let mut measured = None;
    if settings.distances && (gap.is_some() || !settings.contacts) {
        measured = pair::signed_distance(a, b, &pose, cache);
        gap = measured.map(|measured| measured.distance);
    } else if !settings.contacts && margin > 0.0 {
        gap = Some(pair::distance(a, b, &pose, cache).distance);
    } else if settings.contacts && gap.is_none() && !(is_endless(a) && is_endless(b)) {
        // No manifold: too far apart.
        gap = Some(f64::INFINITY);
    }
    // What is clearly apart need not be decided exactly.
    let clearly_apart = gap.is_some_and(|gap| gap > CLEAR * band);
    let verdict =
        if clearly_apart { Verdict::Separated } else { pair::verdict(a, b, &pose, cache) };
    found.warm = cache.warm_start();
    let near = verdict != Verdict::Separated || gap.is_some_and(|gap| gap <= margin);
    if near {
        let distance = measured.map(|measured| PairDistance::of_shapes(&measured, pose_a));
        found.answer = Some(Answer { verdict, certainty: Certainty::Exact, distance });
    } else {
        found.manifolds.clear();
    }
}

/// Gaps larger than this times the width of the touching band are gaps, whatever rounding did.
const CLEAR: f64 = 1e6;

fn is_endless(shape: &Shape) -> bool {
    matches!(shape.split().0, Core::Plane(_) | Core::HalfSpace(_))
}

/// At least the largest coordinate or size that takes part.
fn scale(a: &Shape, b: &Shape, pose: &Pose) -> f64 {
    let size = |shape: &Shape| match shape.split() {
        (Core::Plane(core), radius) => core.offset().abs().max(radius),
        (Core::HalfSpace(core), radius) => core.offset().abs().max(radius),
        _ => shape.bounding_radius(),
    };
    size(a).max(size(b)).max(pose.translation().abs().max_element())
}
