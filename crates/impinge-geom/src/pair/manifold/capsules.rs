//! Capsule beside capsule: the fast path for axes that are almost parallel.
//!
//! A's axis is its z axis, so places along it are heights. The points are those of the general way.

use super::contact::ORDINARY;
use super::{ContactPoint, LocalManifold};
use crate::answer::{Feature, SignedDistance};
use crate::number::tolerance::{CONTACT_TIE, EDGE_SINE, PARALLEL_LINES};
use crate::pose::Pose;
use crate::shape::Capsule;
use glam::DVec3;

/// One of the two axes, with what is needed to reach the surface.
struct Axis {
    ends: [DVec3; 2],
    /// Along the contact normal, out of the capsule.
    out: DVec3,
    /// Across the axis, as close to `out` as that allows.
    across: DVec3,
    radius: f64,
    /// How far the axis reaches along `out`.
    top: f64,
}

impl Axis {
    /// `None` if the axis is steep against the contact, or has no length.
    #[inline(always)]
    fn new(ends: [DVec3; 2], direction: DVec3, out: DVec3, radius: f64) -> Option<Self> {
        let slope = direction.dot(out);
        if slope.abs() > EDGE_SINE || ends[0] == ends[1] {
            return None;
        }
        let across = (out - direction * slope) / (1.0 - slope * slope).sqrt();
        let top = ends[0].dot(out).max(ends[1].dot(out));
        Some(Self { ends, out, across, radius, top })
    }

    /// The surface beside a point of the axis: what reaches farthest is swept along the contact normal.
    #[inline(always)]
    fn surface(&self, point: DVec3, tie: f64) -> DVec3 {
        let farthest = self.top - point.dot(self.out) <= tie;
        point + if farthest { self.out } else { self.across } * self.radius
    }

    /// The point of the axis above or below another point, seen along the normal.
    #[inline(always)]
    fn beside(&self, point: DVec3) -> DVec3 {
        let along = self.ends[1] - self.ends[0];
        let level = along - self.out * along.dot(self.out);
        let t = (point - self.ends[0]).dot(level) / level.length_squared();
        let t = t.clamp(0.0, 1.0);
        self.ends[0] * (1.0 - t) + self.ends[1] * t
    }
}

/// The contact of two capsules that are almost parallel, of which the signed distance is known; `None` where its points are not at
/// an end of what the axes share or sizes are extreme, which is for the general way.
pub(super) fn beside(
    a: &Capsule,
    b: &Capsule,
    b_in_a: &Pose,
    margin: f64,
    found: &SignedDistance,
) -> Option<LocalManifold> {
    let scale = scale(a, b, b_in_a);
    if !ORDINARY.contains(&scale) {
        return None;
    }
    let mut manifold = LocalManifold::single(found, found.normal);
    let tie = CONTACT_TIE * scale;
    let Some([mut deep, mut other]) = ends(a, b, b_in_a, tie, found) else {
        return Some(manifold);
    };
    if other.distance < deep.distance - tie {
        std::mem::swap(&mut deep, &mut other);
    }
    if deep.distance > found.distance + tie {
        return None;
    }
    manifold.points[0] = ContactPoint { distance: found.distance, ..deep };
    let apart = (deep.on_a - other.on_a).abs().max_element() > tie;
    if apart && other.distance <= margin.max(found.distance) + tie {
        manifold.points[1] = other;
        manifold.count = 2;
    }
    Some(manifold)
}

/// A magnitude that no coordinate of the axes exceeds.
fn scale(a: &Capsule, b: &Capsule, b_in_a: &Pose) -> f64 {
    b_in_a.translation().abs().max_element() + a.half_height() + b.half_height() + a.radius()
}

/// The contact points at the two ends of the part that the axes share, seen along the normal.
#[inline(always)]
fn ends(
    a: &Capsule,
    b: &Capsule,
    b_in_a: &Pose,
    tie: f64,
    found: &SignedDistance,
) -> Option<[ContactPoint; 2]> {
    let normal = found.normal;
    let axis = b_in_a.rotation().z_axis;
    let of_a = Axis::new(a.core().points(), DVec3::Z, normal, a.radius())?;
    let of_b =
        Axis::new(b.core().points().map(|p| b_in_a.transform_point(p)), axis, -normal, b.radius())?;
    // Heights on A's axis above or below B's ends.
    let level = (DVec3::Z - normal * normal.z) / (1.0 - normal.z * normal.z);
    let heights = of_b.ends.map(|end| end.dot(level));
    let (low, high) = if heights[0] <= heights[1] { (0, 1) } else { (1, 0) };
    let (bottom, top) = (-a.half_height(), a.half_height());
    let shared = [heights[low].max(bottom), heights[high].min(top)];
    if shared[0] > shared[1] {
        return None;
    }
    let on_b = |height: f64| of_b.beside(DVec3::new(0.0, 0.0, height));
    let aside = normal.cross(level);
    let apart = on_b((shared[0] + shared[1]) * 0.5).dot(aside).abs();
    if apart > PARALLEL_LINES * (shared[1] - shared[0]) + tie {
        return None;
    }
    let contact = |core: [DVec3; 2], features: [Feature; 2]| {
        let (on_a, on_b) = (of_a.surface(core[0], tie), of_b.surface(core[1], tie));
        ContactPoint { on_a, on_b, distance: (on_b - on_a).dot(normal), features }
    };
    // Ends one above the other are named both: otherwise rounding would choose.
    let end = |height: f64, limit: f64, end_a: u32, end_b: usize, beyond: bool| {
        let name = Feature::vertex(end_b as u32);
        if (height - limit).abs() <= tie {
            let core = [DVec3::new(0.0, 0.0, limit), of_b.ends[end_b]];
            contact(core, [Feature::vertex(end_a), name])
        } else if beyond {
            let core = [DVec3::new(0.0, 0.0, limit), on_b(limit)];
            contact(core, [Feature::vertex(end_a), Feature::edge(0)])
        } else {
            contact([DVec3::new(0.0, 0.0, height), of_b.ends[end_b]], [Feature::edge(0), name])
        }
    };
    Some([
        end(heights[low], bottom, 0, low, heights[low] < bottom),
        end(heights[high], top, 1, high, heights[high] > top),
    ])
}

#[cfg(test)]
mod tests {
    use super::super::meet;
    use super::*;
    use crate::pair::{Cache, capsule_capsule};
    use crate::shape::Core;
    use crate::testing::Random;
    use glam::DQuat;

    /// The general way finds the same points, with the same features.
    #[test]
    fn agrees_with_the_general_way() {
        let (mut random, mut cache) = (Random::new(2), Cache::default());
        let mut counts = [0; 3];
        for round in 0..20_000 {
            let [a, b] = [0, 1].map(|_| Capsule::new(random.real(), random.real()).unwrap());
            let tilt = random.in_cube() * if round % 3 == 0 { 0.0 } else { 0.01 };
            let axis = (if round % 2 == 0 { DVec3::Z } else { DVec3::NEG_Z }) + tilt;
            let turn = DQuat::from_rotation_arc(DVec3::Z, axis.normalize());
            let place = random.in_cube() * DVec3::new(1.0, 1.0, 2.0);
            let pose = Pose::new([turn.w, turn.x, turn.y, turn.z], place.to_array()).unwrap();
            let found = capsule_capsule::capsules(&a, &b, &pose);
            let margin = found.distance + 0.01 * random.real();
            let Some(fast) = beside(&a, &b, &pose, margin, &found) else { continue };
            let cores = [&a, &b].map(|c| (Core::Segment(c.core()), c.radius()));
            let general = meet(cores[0], cores[1], &pose, margin, &found, &mut cache);
            let case = format!("{a:?} {b:?} {pose:?} {fast:?} {:?}", general.points());
            assert_eq!(fast.normal, general.normal, "{case}");
            counts[fast.points().len()] += 1;
            assert_eq!(fast.points().len(), general.points().len(), "{case}");
            if fast.points().len() == 1 {
                assert!(
                    (fast.points()[0].on_a - general.points()[0].on_a).length() < 1e-12,
                    "{case}"
                );
                continue;
            }
            for p in fast.points() {
                let same = |q: &&ContactPoint| {
                    p.features == q.features
                        && (p.on_a - q.on_a).length() + (p.on_b - q.on_b).length() < 1e-12
                        && (p.distance - q.distance).abs() < 1e-12
                };
                assert!(general.points().iter().any(|q| same(&q)), "{case}");
            }
        }
        assert!(counts[1] > 1000 && counts[2] > 1000, "{counts:?}");
    }
}
