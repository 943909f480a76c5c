//! The fit of a shell: what it would be from a given apex.

use super::SphericalShell;
use glam::{DMat3, DVec3, Vec3A};

/// A shell in the course of a fit.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    apex: DVec3,
    axis: DVec3,
    /// Cosine and sine.
    cone: [f64; 2],
    pub(super) radii: [f64; 2],
}

impl Candidate {
    /// The shell of balls of the same radius about the points, seen from an apex; `None` if they are not in front of it.
    pub(super) fn new(
        apex: DVec3,
        axis: DVec3,
        balls: impl Iterator<Item = (DVec3, f64)>,
    ) -> Option<Self> {
        let mut found = Self { apex, axis, cone: [1.0, 0.0], radii: [f64::INFINITY, 0.0] };
        for (center, radius) in balls {
            let way = center - apex;
            let away = way.length();
            let along = way.dot(axis);
            if away <= radius * 1.5 || along <= 0.0 {
                return None;
            }
            // The angle of the centre and the one under which the ball's radius is seen.
            let [cos, sin] = [along / away, way.cross(axis).length() / away];
            let more = radius / away;
            let less = (1.0 - more * more).max(0.0).sqrt();
            let edge = [cos * less - sin * more, sin * less + cos * more];
            if edge[0] < found.cone[0] {
                found.cone = edge;
            }
            found.radii[0] = found.radii[0].min(away - radius);
            found.radii[1] = found.radii[1].max(away + radius);
        }
        (found.cone[0] > 0.05 && found.radii[0].is_finite()).then_some(found)
    }

    pub(super) fn volume(&self) -> f64 {
        let [inner, outer] = self.radii;
        (1.0 - self.cone[0]) * (outer * outer * outer - inner * inner * inner)
    }

    pub(super) fn rounded(&self) -> SphericalShell {
        let [cos, sin] = self.cone;
        SphericalShell {
            apex: self.apex.as_vec3a(),
            axis: self.axis.as_vec3a(),
            cone: [cos.max(0.0) as f32, sin.clamp(0.0, 1.0) as f32],
            radii: [self.radii[0].max(0.0) as f32, self.radii[1] as f32],
        }
    }
}

/// At most the distance from a point to the convex hull of others: the best of some directions, each of which is a bound.
pub(super) fn distance_of_hull(from: DVec3, points: &[Vec3A], first: DVec3) -> f64 {
    let mut best = 0.0f64;
    let mut v = first;
    for _ in 0..12 {
        let height = |p: &Vec3A| v.dot(p.as_dvec3() - from);
        let lowest = points.iter().min_by(|p, q| height(p).total_cmp(&height(q)));
        let Some(lowest) = lowest else { break };
        best = best.max(height(lowest) / v.length().max(f64::MIN_POSITIVE));
        // A step of Gilbert's method (1966) towards the nearest point of the hull.
        let step = lowest.as_dvec3() - from - v;
        let square = step.length_squared();
        let part = if square > 0.0 { (-v.dot(step) / square).clamp(0.0, 1.0) } else { 0.0 };
        v += step * part;
        if part == 0.0 || v == DVec3::ZERO {
            break;
        }
    }
    best
}

/// The centre of the sphere that is nearest to the points, by least squares of |p|² − 2·c·p − k.
pub(super) fn sphere_center(points: &[Vec3A], mean: DVec3) -> Option<DVec3> {
    let (mut products, mut sum) = (DMat3::ZERO, DVec3::ZERO);
    for point in points {
        let p = point.as_dvec3() - mean;
        products += DMat3::from_cols(p * p.x, p * p.y, p * p.z);
        sum += p * p.length_squared();
    }
    let center = products.inverse() * sum * 0.5;
    center.is_finite().then_some(mean + center)
}
