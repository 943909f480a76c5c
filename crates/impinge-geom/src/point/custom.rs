//! A point and a body known by its support function alone: GJK from outside, EPA from inside, both on the body seen from the
//! point.

use super::PointDistance;
use crate::answer::{Certainty, Feature};
use crate::convex::difference::{Body, Difference, unit_or};
use crate::convex::epa::{self, Depth, Polytope};
use crate::convex::gjk::{self, Found, Goal, NOISE, Start, Status};
use crate::number::length::{length_and_unit, perpendicular};
use crate::number::tolerance::EXACT;
use crate::pose::Pose;
use crate::shape::{Core, Custom};
use crate::simd::{Kernel, Simd, dispatch};
use crate::support::{Support, SupportPoint};
use glam::DVec3;

/// A body moved so that the point asked about is the origin.
#[derive(Clone, Copy)]
struct Seen<'a> {
    body: &'a Custom,
    from: DVec3,
}

impl Body for Seen<'_> {
    fn support_in<S: Simd>(&self, _: S, direction: DVec3, _: u32) -> SupportPoint {
        let support = self.body.support(direction);
        SupportPoint { point: support.point - self.from, ..support }
    }
    fn center(&self) -> DVec3 {
        self.body.center() - self.from
    }
    fn radius(&self) -> f64 {
        self.body.radius()
    }
    fn inner_radius(&self) -> f64 {
        0.0
    }
    fn has_corners(&self) -> bool {
        false
    }
}

struct Query<'a, 'b> {
    difference: Difference<'a, Seen<'b>, Core<'b>>,
    found: &'a mut Found,
}

impl Kernel for Query<'_, '_> {
    type Output = Option<Depth>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let Self { difference, found } = self;
        let start = Start::Point(difference.center_vertex());
        gjk::search(simd, &difference, start, Goal::Distance, found);
        if found.status == Status::Separated {
            return None;
        }
        let simplex = found.simplex();
        let (simplex, known) = (&simplex[..found.count()], f64::NEG_INFINITY);
        epa::search(simd, &difference, simplex, known, &mut Polytope::default())
    }
}

/// The distance, with the interval that the two searches certify.
pub(crate) fn point_distance(body: &Custom, p: DVec3) -> PointDistance {
    let seen = Seen { body, from: p };
    let difference = Difference::new(seen, Core::Point, &Pose::IDENTITY);
    let mut found = Found::NOTHING;
    let depth = dispatch(Query { difference, found: &mut found });
    let (distance, uncertainty, normal) = match depth {
        // Within rounding of the boundary the depth may have either sign, but its normal is right.
        Some(depth) if found.status != Status::Separated => {
            (-depth.upper, depth.upper - depth.lower, depth.normal)
        }
        _ => {
            // An offset as short as rounding has no direction.
            let length = found.v.length();
            let normal = length_and_unit(-found.v)
                .filter(|(length, _)| *length > NOISE * difference.scale)
                .map_or_else(|| boundary_normal(&seen, &found), |(_, unit)| unit);
            (length, length - found.lower, normal)
        }
    };
    let uncertainty = uncertainty.max(0.0);
    let exact = uncertainty <= EXACT * difference.scale;
    let distance = distance / difference.factor;
    PointDistance {
        distance,
        point: p - normal * distance,
        normal,
        feature: Feature::SURFACE,
        certainty: if exact { Certainty::Exact } else { Certainty::Bound },
        uncertainty: uncertainty / difference.factor,
    }
}

/// A normal at a point of the boundary where no offset gives one: of some directions, the one along which the body reaches
/// least beyond the point.
fn boundary_normal(seen: &Seen<'_>, found: &Found) -> DVec3 {
    let [a, b, c, _] = found.simplex().map(|vertex| vertex.w);
    let outwards = unit_or(-seen.center(), DVec3::Z);
    let along = unit_or(b - a, outwards);
    let across = unit_or((b - a).cross(c - a), perpendicular(along));
    let mut best = (f64::INFINITY, DVec3::Z);
    for axis in [unit_or(found.v, outwards), outwards, along, across, DVec3::X, DVec3::Y, DVec3::Z]
    {
        for normal in [axis, -axis] {
            let beyond = normal.dot(seen.body.support(normal).point - seen.from);
            if beyond < best.0 {
                best = (beyond, normal);
            }
        }
    }
    best.1
}
