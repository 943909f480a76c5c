//! Is one solid a subset of the other?

use crate::answer::Inside;
use crate::pose::Pose;
use crate::shape::Shape;

/// Which of two solids lies inside the other, if any.
pub(crate) fn contained(a: &Shape, b: &Shape, b_in_a: &Pose) -> Option<Inside> {
    let (Shape::Sphere(a), Shape::Sphere(b)) = (a, b) else { return None };
    let distance = b_in_a.translation().length();
    if distance + a.radius() <= b.radius() {
        Some(Inside::A)
    } else if distance + b.radius() <= a.radius() {
        Some(Inside::B)
    } else {
        None
    }
}
