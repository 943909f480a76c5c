//! Two convex bodies by their support functions: GJK for the gap, EPA for the depth, integers for what is within rounding.

use super::cache::Cache;
use super::feature::spanned;
use super::near::{fitted, flat_normal, met, narrowed, near, other_order};
use crate::answer::{Certainty, Feature, SignedDistance};
use crate::convex::difference::{Body, Difference, unit_or};
use crate::convex::epa;
use crate::convex::exact::{self, Origin};
use crate::convex::gjk::{self, Found, Goal, NOISE, Start, Status};
use crate::number::tolerance::EXACT;
use crate::pose::Pose;
use crate::shape::Core;
use crate::simd::{Kernel, Simd, dispatch};
use glam::DVec3;

/// A body that can say which core it is.
pub(super) trait Known<'a>: Body {
    fn core(&self) -> Core<'a>;
}

impl<'a> Known<'a> for &'a crate::shape::Hull {
    #[inline(always)]
    fn core(&self) -> Core<'a> {
        Core::Hull(self)
    }
}
impl<'a> Known<'a> for &'a crate::shape::Cuboid {
    #[inline(always)]
    fn core(&self) -> Core<'a> {
        Core::Cuboid(self)
    }
}
impl<'a> Known<'a> for Core<'a> {
    #[inline(always)]
    fn core(&self) -> Core<'a> {
        *self
    }
}

/// The difference of two bodies of any kind, after the search: what follows runs rarely or costs little, and is compiled once.
pub(super) type Cores<'a> = Difference<'a, Core<'a>, Core<'a>>;

#[inline(always)]
fn as_cores<'a, 'p, A: Known<'a>, B: Known<'a>>(
    difference: &Difference<'p, A, B>,
) -> Difference<'p, Core<'a>, Core<'a>> {
    let Difference { a, b, pose, factor, scale } = *difference;
    Difference { a: a.core(), b: b.core(), pose, factor, scale }
}

/// One query, as a kernel: the whole search runs on one SIMD backend.
struct Query<'a, 'c, A: Body, B: Body> {
    difference: Difference<'a, A, B>,
    start: Start,
    goal: Goal,
    /// Look for the depth where the bodies are not separated, from this lower bound on.
    depth: Option<f64>,
    cache: &'c mut Cache,
    found: &'c mut Found,
}

impl<A: Body, B: Body> Kernel for Query<'_, '_, A, B> {
    type Output = Option<epa::Depth>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { difference, start, goal, depth, cache, found } = self;
        gjk::search(simd, &difference, start, goal, found);
        cache.steps += u64::from(found.steps);
        if found.status == Status::Separated {
            return None;
        }
        let known = depth? * difference.factor;
        let simplex = found.simplex();
        if found.status == Status::Inside && difference.has_corners() {
            return epa::search_polytopes(simd, &difference, &simplex, &mut cache.polytope);
        }
        epa::search(simd, &difference, &simplex[..found.count()], known, &mut cache.polytope)
    }
}

/// The direction in which the last query ended, or the centres where nothing is known.
#[inline(always)]
fn start<A: Body, B: Body>(difference: &Difference<'_, A, B>, cache: &Cache) -> Start {
    if cache.warm.axis == DVec3::ZERO {
        Start::Point(difference.center_vertex())
    } else {
        Start::Direction(cache.warm.axis)
    }
}

/// The signed distance of two cores.
#[inline]
pub(super) fn signed_distance<'a, A: Known<'a>, B: Known<'a>>(
    a: A,
    b: B,
    pose: &Pose,
    cache: &mut Cache,
) -> SignedDistance {
    signed_distance_below(a, b, pose, f64::INFINITY, cache)
}

/// The signed distance of two cores that is known to be at most this number.
pub(super) fn signed_distance_below<'a, A: Known<'a>, B: Known<'a>>(
    a: A,
    b: B,
    pose: &Pose,
    most: f64,
    cache: &mut Cache,
) -> SignedDistance {
    let answer = in_this_order(a, b, pose, most, cache);
    if answer.certainty == Certainty::Exact || answer.distance.abs() > answer.uncertainty {
        return answer;
    }
    other_order(answer, a.core(), b.core(), pose, most, cache)
}

/// The signed distance of two cores, in the frame of the first.
#[inline]
pub(super) fn in_this_order<'a, A: Known<'a>, B: Known<'a>>(
    a: A,
    b: B,
    pose: &Pose,
    most: f64,
    cache: &mut Cache,
) -> SignedDistance {
    let known = -most;
    let difference = Difference::new(a, b, pose);
    let mut found = Found::NOTHING;
    let start = start(&difference, cache);
    let goal = Goal::Distance;
    let depth = dispatch(Query {
        difference,
        start,
        goal,
        depth: Some(known),
        cache: &mut *cache,
        found: &mut found,
    });
    let cores = as_cores(&difference);
    let answer = match found.status {
        Status::Separated => settled(&cores, separated(&cores, &found)),
        Status::Inside => inside(&cores, &found, depth, cache),
        Status::Near => near(&cores, &found, depth, cache),
    };
    cache.warm.axis = -answer.normal;
    answer
}

/// The distance of two cores, zero where they meet, from a point of A and one of B, posed, that are near each other.
pub(super) fn distance_from<'a, A: Known<'a>, B: Known<'a>>(
    a: A,
    b: B,
    pose: &Pose,
    points: [DVec3; 2],
    cache: &mut Cache,
) -> SignedDistance {
    let difference = Difference::new(a, b, pose);
    let start = Start::Point(difference.point_vertex(points));
    closest(&difference, start, cache)
}

/// The distance of two cores, zero where they meet.
pub(super) fn distance<'a, A: Known<'a>, B: Known<'a>>(
    a: A,
    b: B,
    pose: &Pose,
    cache: &mut Cache,
) -> SignedDistance {
    let difference = Difference::new(a, b, pose);
    let center = difference.center();
    let inner =
        (a.inner_radius() + b.inner_radius()) * difference.factor - NOISE * difference.scale;
    if inner > 0.0 && center.length_squared() < inner * inner {
        // The balls inside the bodies overlap: so do the bodies.
        return common_point(
            a.center(),
            pose.transform_point(b.center()),
            a.inner_radius(),
            b.inner_radius(),
        );
    }
    let start = start(&difference, cache);
    closest(&difference, start, cache)
}

/// The closest points of two cores, or a common one.
#[inline]
fn closest<'a, A: Known<'a>, B: Known<'a>>(
    difference: &Difference<'_, A, B>,
    start: Start,
    cache: &mut Cache,
) -> SignedDistance {
    let mut found = Found::NOTHING;
    let (difference, goal) = (*difference, Goal::Distance);
    dispatch(Query { difference, start, goal, depth: None, cache: &mut *cache, found: &mut found });
    let cores = as_cores(&difference);
    let answer = match found.status {
        Status::Separated => settled(&cores, separated(&cores, &found)),
        Status::Inside => overlapping(&found),
        // Curved bodies are told apart by the depth, which may turn out to be a gap.
        Status::Near if !is_polytope_pair(&difference) => {
            let signed = signed_distance(difference.a, difference.b, difference.pose, cache);
            let apart = |[p, q]: [DVec3; 2]| p.distance_squared(q);
            let common = overlapping(&found);
            if signed.distance > 0.0 {
                signed
            } else if apart(signed.points) < apart(found.points()) {
                let [p, q] = signed.points;
                SignedDistance { points: [p + (q - p) * 0.5; 2], ..common }
            } else {
                common
            }
        }
        Status::Near => {
            let signed = near(&cores, &found, None, cache);
            if signed.distance >= 0.0 {
                signed
            } else {
                let common = SignedDistance { points: found.points(), ..overlapping(&found) };
                let [p, q] = met(&cores, common, cache).points;
                SignedDistance { points: [p + (q - p) * 0.5; 2], ..common }
            }
        }
    };
    cache.warm.axis = -answer.normal;
    answer
}

/// The depth of two cores that are not separated; `None` if they are.
pub(super) fn penetration<'a, A: Known<'a>, B: Known<'a>>(
    a: A,
    b: B,
    pose: &Pose,
    cache: &mut Cache,
) -> Option<SignedDistance> {
    let difference = Difference::new(a, b, pose);
    let outer = (a.radius() + b.radius()) * difference.factor + NOISE * difference.scale;
    if difference.center().length_squared() > outer * outer {
        return None;
    }
    let mut found = Found::NOTHING;
    let (start, goal) = (start(&difference, cache), Goal::Within(0.0));
    let depth = dispatch(Query {
        difference,
        start,
        goal,
        depth: Some(f64::NEG_INFINITY),
        cache: &mut *cache,
        found: &mut found,
    });
    cache.warm.axis = found.v;
    let cores = as_cores(&difference);
    let answer = match (found.status, depth) {
        (Status::Separated, _) => return None,
        (Status::Inside, depth) => inside(&cores, &found, depth, cache),
        (Status::Near, depth) => near(&cores, &found, depth, cache),
    };
    cache.warm.axis = -answer.normal;
    (answer.distance <= 0.0).then_some(answer)
}

fn is_polytope_pair<'a, A: Known<'a>, B: Known<'a>>(difference: &Difference<'_, A, B>) -> bool {
    difference.a.core().is_polytope() && difference.b.core().is_polytope()
}

/// Whether the distance of two cores is at most `reach`; a reach of zero is decided exactly for polytopes.
pub(super) fn within<'a, A: Known<'a>, B: Known<'a>>(
    a: A,
    b: B,
    pose: &Pose,
    reach: f64,
    cache: &mut Cache,
) -> bool {
    let difference = Difference::new(a, b, pose);
    let center = difference.center();
    let (noise, factor) = (NOISE * difference.scale, difference.factor);
    let square = center.length_squared();
    let outer = (a.radius() + b.radius() + reach) * factor + noise;
    if square > outer * outer {
        return false;
    }
    let inner = (a.inner_radius() + b.inner_radius() + reach) * factor - noise;
    if inner > 0.0 && square < inner * inner {
        return true;
    }
    let goal = Goal::Within(reach * factor);
    let mut found = Found::NOTHING;
    let start = start(&difference, cache);
    dispatch(Query { difference, start, goal, depth: None, cache: &mut *cache, found: &mut found });
    cache.warm.axis = found.v;
    match found.status {
        Status::Separated => reach > 0.0 && found.lower <= reach * factor,
        Status::Inside => true,
        Status::Near if reach > 0.0 => true,
        Status::Near => exact_position(a.core(), b.core(), pose, cache) != Some(Origin::Outside),
    }
}

/// The position of the origin relative to the difference of two polytopes, exactly.
pub(super) fn position<'a, A: Known<'a>, B: Known<'a>>(
    a: A,
    b: B,
    pose: &Pose,
    cache: &mut Cache,
) -> Origin {
    let difference = Difference::new(a, b, pose);
    let (noise, factor) = (NOISE * difference.scale, difference.factor);
    let square = difference.center().length_squared();
    let outer = (a.radius() + b.radius()) * factor + noise;
    let inner = (a.inner_radius() + b.inner_radius()) * factor - noise;
    if square > outer * outer {
        return Origin::Outside;
    }
    if inner > 0.0 && square < inner * inner {
        return Origin::Interior;
    }
    let mut found = Found::NOTHING;
    let start = start(&difference, cache);
    let goal = Goal::Within(0.0);
    dispatch(Query { difference, start, goal, depth: None, cache: &mut *cache, found: &mut found });
    cache.warm.axis = found.v;
    match found.status {
        Status::Separated => Origin::Outside,
        Status::Inside => Origin::Interior,
        Status::Near => exact_position(a.core(), b.core(), pose, cache).unwrap_or(Origin::Boundary),
    }
}

/// The exact position of the origin, where both cores are polytopes.
pub(super) fn exact_position(
    a: Core<'_>,
    b: Core<'_>,
    pose: &Pose,
    cache: &mut Cache,
) -> Option<Origin> {
    let [corners_a, corners_b] = corners(a, b, pose, cache)?;
    Some(exact::position(corners_a, corners_b))
}

/// The corners of two polytopes in A's frame.
pub(super) fn corners<'c>(
    a: Core<'_>,
    b: Core<'_>,
    pose: &Pose,
    cache: &'c mut Cache,
) -> Option<[&'c [DVec3]; 2]> {
    let [corners_a, corners_b] = &mut cache.corners;
    if !a.corners(corners_a) || !b.corners(corners_b) {
        return None;
    }
    corners_b.iter_mut().for_each(|corner| *corner = pose.transform_point(*corner));
    Some([corners_a, corners_b])
}

/// Exact where the interval is narrow, else a bound.
pub(super) fn certainty(uncertainty: f64, scale: f64) -> Certainty {
    if uncertainty <= EXACT * scale { Certainty::Exact } else { Certainty::Bound }
}

pub(super) fn separated(difference: &Cores<'_>, found: &Found) -> SignedDistance {
    let length = found.v.length();
    let points = found.points();
    // Two points of the bodies are the proof from above: v itself is off where the simplex is as thin as rounding.
    let apart = points[0].distance(points[1]) * difference.factor;
    let uncertainty = (length.max(apart) - found.lower).max(0.0);
    SignedDistance {
        distance: length / difference.factor,
        uncertainty: uncertainty / difference.factor,
        points,
        normal: -found.v / length,
        features: features(difference, &found.ids()[..found.count()]),
        certainty: certainty(uncertainty, difference.scale),
    }
}

/// The answer for a gap, looked at again where its interval is wide: beside simplices as thin as rounding GJK stops short of the
/// closest points.
#[inline]
fn settled(difference: &Cores<'_>, answer: SignedDistance) -> SignedDistance {
    if answer.certainty == Certainty::Exact { answer } else { narrowed(difference, answer) }
}

/// The origin is certainly inside.
#[inline]
fn inside(
    difference: &Cores<'_>,
    found: &Found,
    depth: Option<epa::Depth>,
    cache: &mut Cache,
) -> SignedDistance {
    let Some(depth) = depth else { return near(difference, found, None, cache) };
    let answer = penetrating(difference, &depth, 0.0);
    fitted(difference, answer, cache)
}

/// The answer for a depth that is known to be at least `least`, a negative number where the bodies may be apart by that.
pub(super) fn penetrating(
    difference: &Cores<'_>,
    depth: &epa::Depth,
    least: f64,
) -> SignedDistance {
    let uncertainty = (depth.upper - depth.lower.max(least)).max(0.0);
    // Not zero, for the interiors meet. What is certain of polytopes only would be too much between tiny curved bodies.
    let mut deep = (depth.upper / difference.factor).max(f64::from_bits(1));
    if deep < f64::MIN_POSITIVE && is_polytope_pair(difference) {
        deep = f64::MIN_POSITIVE;
    }
    SignedDistance {
        distance: -deep,
        uncertainty: uncertainty / difference.factor,
        points: depth.points,
        normal: depth.normal,
        features: features(difference, &depth.simplex.map(|vertex| vertex.ids)),
        certainty: certainty(uncertainty, difference.scale),
    }
}

/// Distance zero, with the best normal there is.
pub(super) fn touching(
    difference: &Cores<'_>,
    found: &Found,
    normal: Option<DVec3>,
) -> SignedDistance {
    let normal = normal.unwrap_or_else(|| flat_normal(difference, found));
    SignedDistance {
        distance: 0.0,
        uncertainty: 0.0,
        points: found.points(),
        normal,
        features: features(difference, &found.ids()[..found.count()]),
        certainty: Certainty::Exact,
    }
}

/// Distance zero, where the depth is not asked for.
fn overlapping(found: &Found) -> SignedDistance {
    let [p, q] = found.points();
    SignedDistance {
        distance: 0.0,
        uncertainty: 0.0,
        points: [p + (q - p) * 0.5; 2],
        normal: DVec3::Z,
        features: [Feature::SURFACE; 2],
        certainty: Certainty::Exact,
    }
}

pub(super) fn features(difference: &Cores<'_>, simplex: &[[u32; 2]]) -> [Feature; 2] {
    let mut vertices = [[0u32; 4]; 2];
    for (place, [a, b]) in simplex.iter().enumerate().take(4) {
        (vertices[0][place], vertices[1][place]) = (*a, *b);
    }
    let count = simplex.len().min(4);
    [spanned(&difference.a, &vertices[0][..count]), spanned(&difference.b, &vertices[1][..count])]
}

/// The answer for bodies whose inner balls overlap: a point on the line of the centres that is in both.
fn common_point(center_a: DVec3, center_b: DVec3, radius_a: f64, radius_b: f64) -> SignedDistance {
    let share = if radius_a + radius_b > 0.0 { radius_a / (radius_a + radius_b) } else { 0.5 };
    let point = center_a + (center_b - center_a) * share;
    SignedDistance {
        distance: 0.0,
        uncertainty: 0.0,
        points: [point; 2],
        normal: unit_or(center_b - center_a, DVec3::Z),
        features: [Feature::SURFACE; 2],
        certainty: Certainty::Exact,
    }
}
