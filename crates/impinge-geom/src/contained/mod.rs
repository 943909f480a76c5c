//! Is one solid a subset of the other?
//!
//! The signed distance from a convex body is a convex function, so over another convex body it is largest at an extreme point:
//! a solid lies inside iff its extreme points do, each of them deeper than the radius by which it is swept. Polytopes have
//! corners; cylinders and cones have circles, ellipsoids a whole surface. Those are cut into pieces until a hull around each
//! piece fits, or a point of it does not.
//!
//! Surfaces (planes, triangles, segments) are never contained, whatever they lie in.

mod polytope;

use crate::answer::Inside;
use crate::number::tolerance::touching_band;
use crate::pair::{is_exact, is_parallel, scale};
use crate::point;
use crate::pose::Pose;
use crate::shape::{Core, Shape};
use crate::support::Support;
use glam::{DVec2, DVec3};

/// Evaluations of the distance for one circle or one ellipsoid. Only where a whole arc or patch lies within rounding of the
/// other's boundary are they used up; then the points that were looked at decide.
const BUDGET: u32 = 4096;

/// Which of two solids lies inside the other, if any; of two equal ones, A.
pub(crate) fn contained(a: &Shape, b: &Shape, b_in_a: &Pose) -> Option<Inside> {
    if is_surface(a) || is_surface(b) {
        return None;
    }
    if is_plain_polytope(a) && is_plain_polytope(b) {
        return if polytope::a_in_b(a, b, b_in_a) {
            Some(Inside::A)
        } else {
            polytope::b_in_a(a, &b.split().0, b_in_a).then_some(Inside::B)
        };
    }
    let ((core_a, radius_a), (core_b, radius_b)) = (a.split(), b.split());
    let band = if is_exact(&core_a, &core_b, b_in_a, radius_a + radius_b) {
        0.0
    } else {
        touching_band(scale(a, b, b_in_a))
    };
    let a_in_b = Test {
        inner: a,
        outer: b,
        map: |p| b_in_a.inverse_transform_point(p),
        turn: |v| b_in_a.inverse_rotate(v),
        band,
    };
    if a_in_b.holds() {
        return Some(Inside::A);
    }
    let b_in_a = Test {
        inner: b,
        outer: a,
        map: |p| b_in_a.transform_point(p),
        turn: |v| b_in_a.rotate(v),
        band,
    };
    b_in_a.holds().then_some(Inside::B)
}

/// True for bodies that are surfaces or lines by their kind, and not swept.
fn is_surface(shape: &Shape) -> bool {
    let kind = if let Shape::Rounded(swept) = shape { swept.core() } else { shape };
    // Of cylinders and cones without a radius a segment is left, but not by their kind.
    if matches!(kind, Shape::Cylinder(_) | Shape::Cone(_)) {
        return false;
    }
    matches!(shape.split(), (Core::Plane(_) | Core::Triangle(_) | Core::Segment(_), 0.0))
}

/// True where membership is decided without a tolerance.
fn is_plain_polytope(shape: &Shape) -> bool {
    let (core, radius) = shape.split();
    radius == 0.0 && core.is_polytope()
}

/// Is `inner` a subset of `outer`?
struct Test<'a, M, T> {
    inner: &'a Shape,
    outer: &'a Shape,
    /// Points of `inner` to the frame of `outer`.
    map: M,
    /// Directions alike.
    turn: T,
    /// Sticking out by this much counts as rounding.
    band: f64,
}

impl<M: Fn(DVec3) -> DVec3, T: Fn(DVec3) -> DVec3> Test<'_, M, T> {
    fn holds(&self) -> bool {
        let (core, radius) = self.inner.split();
        match core {
            Core::Plane(flat) => self.flat_fits(flat.normal(), flat.offset(), true, radius),
            Core::HalfSpace(flat) => self.flat_fits(flat.normal(), flat.offset(), false, radius),
            Core::Point => self.fits(DVec3::ZERO, radius),
            Core::Segment(core) => core.points().iter().all(|p| self.fits(*p, radius)),
            Core::Triangle(core) => core.points().iter().all(|p| self.fits(*p, radius)),
            Core::Cuboid(core) => core.vertices().iter().all(|p| self.fits(*p, radius)),
            Core::Hull(core) => core.vertices().iter().all(|p| self.fits(*p, radius)),
            Core::TaperedCapsule(core) => {
                let end = DVec3::new(0.0, 0.0, core.half_height());
                self.fits(end, core.top() + radius) && self.fits(-end, core.bottom() + radius)
            }
            Core::Cone(core) => {
                self.fits(DVec3::new(0.0, 0.0, core.half_height()), radius)
                    && self.circle_fits(core.radius(), -core.half_height(), radius)
            }
            Core::Cylinder(core) => [-core.half_height(), core.half_height()]
                .iter()
                .all(|z| self.circle_fits(core.radius(), *z, radius)),
            Core::Ellipsoid(core) => self.ellipsoid_fits(core.radii(), radius),
            // Known by its support function alone: a sample of its extreme points decides.
            Core::Custom(core) => octants().iter().all(|corners| {
                self.sampled(corners, 3, &|direction| {
                    self.fits(core.support(direction).point, radius)
                })
            }),
        }
    }

    /// How far a ball around a point of `inner` sticks out of `outer`; negative if it does not.
    fn excess(&self, p: DVec3, radius: f64) -> f64 {
        let (core, outer_radius) = self.outer.split();
        point::core_signed_distance(&core, (self.map)(p)).distance + (radius - outer_radius)
    }

    /// Does a ball around a point of `inner` lie in `outer`?
    fn fits(&self, p: DVec3, radius: f64) -> bool {
        self.excess(p, radius) <= self.band
    }

    /// A plane or half-space, swept: it fits only between parallel boundaries.
    fn flat_fits(&self, normal: DVec3, offset: f64, two_sided: bool, radius: f64) -> bool {
        let (core, outer_radius) = self.outer.split();
        let (outer_normal, outer_offset, slab) = match core {
            Core::HalfSpace(core) => (core.normal(), core.offset(), false),
            Core::Plane(core) => (core.normal(), core.offset(), true),
            _ => return false,
        };
        let turned = (self.turn)(normal);
        if !is_parallel(turned, outer_normal) || (slab && !two_sided) {
            return false;
        }
        if !two_sided && turned.dot(outer_normal) < 0.0 {
            return false;
        }
        let height = outer_normal.dot((self.map)(normal * offset)) - outer_offset;
        let excess = radius - outer_radius;
        let above = height + excess <= self.band;
        if slab { above && excess - height <= self.band } else { above }
    }

    /// Does a circle around the z axis, swept by a ball, lie in `outer`?
    fn circle_fits(&self, size: f64, z: f64, radius: f64) -> bool {
        let at = |unit: DVec2| DVec3::new(unit.x * size, unit.y * size, z);
        let mut left = BUDGET;
        let turns = [DVec2::X, DVec2::Y, -DVec2::X, -DVec2::Y];
        turns.iter().all(|unit| self.fits(at(*unit), radius))
            && (0..4).all(|k| self.arc_fits(turns[k], turns[(k + 1) % 4], &at, radius, &mut left))
    }

    /// An arc between two unit vectors, the ends of which fit. It lies in the hull of its ends and of both pushed out to 1/d,
    /// where d is the distance of the chord from the centre.
    fn arc_fits(
        &self,
        p: DVec2,
        q: DVec2,
        at: &impl Fn(DVec2) -> DVec3,
        radius: f64,
        left: &mut u32,
    ) -> bool {
        let chord = (p + q) * 0.5;
        let d = chord.length();
        let middle = chord / d;
        let around = [p, q].iter().all(|unit| self.excess(at(*unit / d), radius) <= self.band);
        if around || *left == 0 || d == 1.0 {
            return true;
        }
        *left -= 1;
        self.excess(at(middle), radius) <= self.band
            && self.arc_fits(p, middle, at, radius, left)
            && self.arc_fits(middle, q, at, radius, left)
    }

    /// The surface of an ellipsoid by its octants: the coarse points first, so that the budget is not spent in one corner.
    fn ellipsoid_fits(&self, radii: DVec3, radius: f64) -> bool {
        let octants = octants();
        let point_fits = |unit: DVec3| self.fits(radii * unit, radius);
        octants.iter().all(|corners| self.sampled(corners, 3, &point_fits)) && {
            let mut left = BUDGET;
            octants.iter().all(|corners| self.patch_fits(*corners, radii, radius, &mut left))
        }
    }

    /// A patch of an ellipsoid over a spherical triangle. Of the unit sphere it lies in the hull of the flat triangle and of the
    /// same pushed out to 1/d, where d is the distance of the triangle's plane from the centre.
    fn patch_fits(&self, corners: [DVec3; 3], radii: DVec3, radius: f64, left: &mut u32) -> bool {
        let [p, q, r] = corners;
        let normal = (q - p).cross(r - p).normalize_or_zero();
        let d = normal.dot(p).abs();
        let fits = |unit: DVec3| self.excess(radii * unit, radius) <= self.band;
        if d > 0.0 && corners.iter().all(|unit| fits(*unit / d)) {
            return true;
        }
        if *left == 0 || d == 0.0 || d >= 1.0 {
            return true;
        }
        *left -= 1;
        let middles = middles(&corners);
        middles.iter().all(|unit| fits(*unit))
            && quarters(&corners, &middles)
                .into_iter()
                .all(|quarter| self.patch_fits(quarter, radii, radius, left))
    }

    /// Does the test hold at the corners of a spherical triangle cut `levels` times?
    fn sampled(&self, corners: &[DVec3; 3], levels: u32, holds: &dyn Fn(DVec3) -> bool) -> bool {
        if levels == 0 {
            return corners.iter().all(|unit| holds(*unit));
        }
        quarters(corners, &middles(corners))
            .iter()
            .all(|quarter| self.sampled(quarter, levels - 1, holds))
    }
}

/// The unit vectors half-way along the sides.
fn middles([p, q, r]: &[DVec3; 3]) -> [DVec3; 3] {
    [(*p + *q).normalize(), (*q + *r).normalize(), (*r + *p).normalize()]
}

/// The four triangles between corners and middles.
fn quarters([p, q, r]: &[DVec3; 3], [pq, qr, rp]: &[DVec3; 3]) -> [[DVec3; 3]; 4] {
    [[*p, *pq, *rp], [*pq, *q, *qr], [*rp, *qr, *r], [*pq, *qr, *rp]]
}

/// The eight faces of the octahedron.
fn octants() -> [[DVec3; 3]; 8] {
    std::array::from_fn(|k| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        [DVec3::X * sign(0), DVec3::Y * sign(1), DVec3::Z * sign(2)]
    })
}

#[cfg(test)]
mod tests {
    use super::contained;
    use crate::answer::Inside;
    use crate::point;
    use crate::pose::Pose;
    use crate::shape::Shape;
    use crate::support::Support;
    use crate::testing::Random;
    use glam::DVec3;

    fn at(x: f64, y: f64, z: f64) -> Pose {
        Pose::from_translation([x, y, z]).unwrap()
    }

    #[test]
    fn known_cases() {
        let cuboid = |x, y, z| Shape::cuboid([x, y, z]).unwrap();
        let ball = |r| Shape::sphere(r).unwrap();
        let half = |z| Shape::half_space([0.0, 0.0, 1.0], z).unwrap();
        let cylinder = |r, h| Shape::cylinder(r, h).unwrap();
        let (a, b) = (Some(Inside::A), Some(Inside::B));
        let cases = [
            (cuboid(1.0, 1.0, 1.0), cuboid(1.0, 1.0, 1.0), at(0.0, 0.0, 0.0), a),
            (cuboid(2.0, 2.0, 2.0), cuboid(1.0, 1.0, 1.0), at(1.0, 0.0, 0.0), b),
            (
                cuboid(2.0, 2.0, 2.0),
                cuboid(1.0, 1.0, 1.0),
                at(1.0 + 2.0 * f64::EPSILON, 0.0, 0.0),
                None,
            ),
            (ball(1.0), cuboid(1.0, 1.0, 1.0), at(0.0, 0.0, 0.0), a),
            (ball(1.0), cuboid(1.0, 1.0, 1.0), at(0.0, 1e-9, 0.0), None),
            (ball(1.0), ball(3.0), at(2.0, 0.0, 0.0), a),
            (cylinder(1.0, 2.0), cylinder(1.0, 2.0), at(0.0, 0.0, 0.0), a),
            (cylinder(1.0, 2.0), cylinder(0.5, 1.0), at(0.5, 0.0, 1.0), b),
            (cylinder(1.0, 2.0), cylinder(0.5, 1.0), at(0.500_001, 0.0, 1.0), None),
            (Shape::cone(1.0, 2.0).unwrap(), cylinder(1.0, 2.0), at(0.0, 0.0, 0.0), a),
            (Shape::ellipsoid([1.0, 2.0, 3.0]).unwrap(), ball(3.0), at(0.0, 0.0, 0.0), a),
            (Shape::ellipsoid([1.0, 2.0, 3.0]).unwrap(), ball(2.999_999), at(0.0, 0.0, 0.0), None),
            (Shape::capsule(1.0, 1.0).unwrap(), ball(2.0), at(0.0, 0.0, 0.0), a),
            (half(0.0), half(1.0), at(0.0, 0.0, 0.0), a),
            (half(0.0), half(1.0), at(0.0, 0.0, -2.0), b),
            (half(0.0), ball(1.0), at(5.0, 0.0, -1.0), b),
            (half(0.0), ball(1.0), at(5.0, 0.0, -0.5), None),
            (Shape::plane([1.0, 0.0, 0.0], 0.0).unwrap(), half(9.0), at(0.0, 0.0, 0.0), None),
            (
                Shape::segment([[0.0; 3], [1.0, 0.0, 0.0]]).unwrap(),
                ball(9.0),
                at(0.0, 0.0, 0.0),
                None,
            ),
            (
                cuboid(1.0, 1.0, 1.0).rounded(0.5).unwrap(),
                cuboid(1.5, 1.5, 1.5),
                at(0.0, 0.0, 0.0),
                a,
            ),
            (
                cuboid(1.0, 1.0, 1.0).rounded(0.5).unwrap(),
                cuboid(1.0, 1.0, 1.0),
                at(0.25, 0.25, 0.25),
                b,
            ),
        ];
        for (index, (x, y, pose, expected)) in cases.iter().enumerate() {
            assert_eq!(contained(x, y, pose), *expected, "case {index}");
        }
    }

    /// How far the sampled points of `inner` stick out of `outer`.
    fn excess(
        inner: &Shape,
        outer: &Shape,
        map: impl Fn(DVec3) -> DVec3,
        random: &mut Random,
    ) -> f64 {
        let (core, radius) = inner.split();
        (0..2000)
            .map(|_| {
                let direction = random.unit();
                let tip = core.support(direction).point + direction * radius;
                point::signed_distance(outer, map(tip)).distance
            })
            .fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn agrees_with_a_dense_sample() {
        let mut random = Random::new(5);
        let octahedron = [
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
        ];
        let kinds = |s: f64| {
            [
                Shape::sphere(s),
                Shape::capsule(0.5 * s, s),
                Shape::tapered_capsule(0.7 * s, 0.3 * s, s),
                Shape::cuboid([s, 0.8 * s, 0.6 * s]),
                Shape::cylinder(0.8 * s, s),
                Shape::cone(s, s),
                Shape::ellipsoid([s, 0.7 * s, 1.2 * s]),
                Shape::hull(&octahedron.map(|p| p.map(|c| c * s))),
                Shape::cuboid([0.5 * s, 0.6 * s, 0.4 * s]).and_then(|core| core.rounded(0.3 * s)),
            ]
            .map(Result::unwrap)
        };
        let mut inside = 0;
        for (small, large) in [(0.4, 1.0), (0.6, 1.0), (0.9, 1.0)] {
            for a in kinds(small) {
                for b in kinds(large) {
                    let q: [f64; 4] = std::array::from_fn(|_| random.real() - 0.5);
                    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
                    let shift = (random.in_cube() * 0.2).to_array();
                    let pose = Pose::new(q.map(|c| c / length), shift).unwrap();
                    let found = contained(&a, &b, &pose);
                    let out = excess(&a, &b, |p| pose.inverse_transform_point(p), &mut random);
                    if found == Some(Inside::A) {
                        inside += 1;
                        assert!(out <= 1e-9, "{a:?} in {b:?} at {pose:?}: {out}");
                    } else {
                        assert!(out > -0.02, "{a:?} not in {b:?} at {pose:?}: {out}");
                    }
                }
            }
        }
        assert!(inside > 40, "only {inside} contained pairs: the sample is one-sided");
    }
}
