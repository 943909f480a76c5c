//! Is one polytope a subset of the other? Decided as if every number were exact, on the coordinates of B mapped into A's frame.

use crate::convex::exact::{self, Origin};
use crate::number::tolerance::touching_band;
use crate::pair::scale;
use crate::point;
use crate::pose::Pose;
use crate::shape::{Core, Shape};
use glam::DVec3;

/// True if every corner of B, mapped, is a point of A.
pub(super) fn b_in_a(a: &Shape, b: &Core<'_>, b_in_a: &Pose) -> bool {
    corners(b).all(|corner| point::contains(a, b_in_a.transform_point(corner)))
}

/// True if every corner of A is a point of the hull of B's mapped corners.
///
/// Mapped corners of one face are not always in one plane, so no face planes are built from them. Most corners of A are clearly
/// inside or outside B in its own frame; what is within rounding of the boundary is a mapped corner itself, or is put to the
/// linear program of [`exact`].
pub(super) fn a_in_b(a: &Shape, b: &Shape, b_in_a: &Pose) -> bool {
    let ((core_a, _), (core_b, _)) = (a.split(), b.split());
    let doubt = touching_band(scale(a, b, b_in_a));
    let mut doubtful = Vec::new();
    for corner in corners(&core_a) {
        let height = height(&core_b, b_in_a.inverse_transform_point(corner));
        if height > doubt {
            return false;
        }
        if height >= -doubt {
            doubtful.push(corner);
        }
    }
    if doubtful.is_empty() {
        return true;
    }
    let mapped: Vec<DVec3> =
        corners(&core_b).map(|corner| b_in_a.transform_point(corner)).collect();
    doubtful.iter().all(|corner| {
        mapped.contains(corner) || exact::position(&[*corner], &mapped) != Origin::Outside
    })
}

/// The corners of a polytope, in its own frame.
fn corners<'a>(core: &Core<'a>) -> Box<dyn Iterator<Item = DVec3> + 'a> {
    match *core {
        Core::Point => Box::new(std::iter::once(DVec3::ZERO)),
        Core::Segment(core) => Box::new(core.points().into_iter()),
        Core::Triangle(core) => Box::new(core.points().into_iter()),
        Core::Cuboid(core) => Box::new(core.vertices().into_iter()),
        Core::Hull(core) => Box::new(core.vertices().iter().copied()),
        _ => Box::new(std::iter::empty()),
    }
}

/// Positive outside, negative inside, up to rounding: for solid hulls the height above the highest face is enough.
fn height(core: &Core<'_>, p: DVec3) -> f64 {
    match core {
        Core::Hull(hull) if hull.dimension() == 3 => point::height_above_faces(hull, p),
        _ => point::core_signed_distance(core, p).distance,
    }
}

#[cfg(test)]
mod tests {
    use crate::answer::Inside;
    use crate::contained::contained;
    use crate::pose::Pose;
    use crate::shape::Shape;
    use crate::testing::Random;
    use glam::DVec3;

    fn turned(random: &mut Random, shift: DVec3) -> Pose {
        let q: [f64; 4] = std::array::from_fn(|_| random.real() - 0.5);
        let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        Pose::new(q.map(|c| c / length), shift.to_array()).unwrap()
    }

    fn hull(points: &[DVec3]) -> Shape {
        Shape::hull(&points.iter().map(|p| p.to_array()).collect::<Vec<_>>()).unwrap()
    }

    /// Points of the mapped box itself: their hull is in it, and one of them moved outwards by one unit in the last place is
    /// not.
    #[test]
    fn one_unit_in_the_last_place_decides() {
        let mut random = Random::new(31);
        for _ in 0..60 {
            let half = (random.in_cube().abs() + 0.1).to_array();
            let cuboid = Shape::cuboid(half).unwrap();
            let shift = random.in_cube();
            let pose = turned(&mut random, shift);
            let Shape::Cuboid(body) = &cuboid else { unreachable!() };
            let mapped: Vec<DVec3> =
                body.vertices().iter().map(|v| pose.transform_point(*v)).collect();
            let inner = hull(&mapped);
            assert_eq!(contained(&inner, &cuboid, &pose), Some(Inside::A));
            let few = hull(&mapped[..5]);
            assert_eq!(contained(&few, &cuboid, &pose), Some(Inside::A));
            let index = random.below(8);
            let mut moved = mapped.clone();
            let outwards = moved[index] - shift;
            let axis = outwards.abs().to_array();
            let axis = (0..3).max_by(|i, j| axis[*i].total_cmp(&axis[*j])).unwrap();
            let value = moved[index][axis];
            let further = if outwards[axis] > 0.0 { value.next_up() } else { value.next_down() };
            moved[index][axis] = further;
            assert_ne!(contained(&hull(&moved), &cuboid, &pose), Some(Inside::A));
        }
    }

    #[test]
    fn equal_bodies_are_in_each_other_at_any_translation() {
        let mut random = Random::new(32);
        for _ in 0..60 {
            let points: Vec<DVec3> = (0..12).map(|_| random.in_cube()).collect();
            let body = hull(&points);
            assert_eq!(contained(&body, &body, &Pose::IDENTITY), Some(Inside::A));
            let shift = (random.in_cube() * 8.0).round() / 8.0;
            let pose = Pose::from_translation((-shift).to_array()).unwrap();
            // The shifted copy is what the mapping makes of it, rounding included.
            let shifted: Vec<DVec3> = points.iter().map(|p| pose.transform_point(*p)).collect();
            assert_eq!(contained(&hull(&shifted), &body, &pose), Some(Inside::A));
            let grown = hull(&points.iter().map(|p| *p * 1.5).collect::<Vec<_>>());
            let tight = contained(&body, &grown, &Pose::IDENTITY);
            let around = grown_contains_origin(&grown);
            assert_eq!(tight == Some(Inside::A), around, "{points:?}");
        }
    }

    /// A body is inside its enlargement about the origin iff the origin is inside it (up to the rounding of the enlargement).
    fn grown_contains_origin(grown: &Shape) -> bool {
        crate::point::contains(grown, DVec3::ZERO)
    }
}
