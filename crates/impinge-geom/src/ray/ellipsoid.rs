use super::Ray;
use super::solid::{Solid, Span};
use super::sphere::inside_ball;
use crate::shape::Ellipsoid;
use glam::DVec3;

/// 2^-20: ellipsoids that are thinner, seen from where the ray begins, lose too many digits when they are made round.
const THINNEST: f64 = f64::from_bits((1023 - 20) << 52);

/// True if the ellipsoid can be made round without losing more than some digits, which the last Newton step restores.
pub(crate) fn has_volume(ellipsoid: &Ellipsoid, ray: &Ray) -> bool {
    let radii = ellipsoid.radii();
    let largest = radii.max_element();
    // Farther origins are first moved next to the ellipsoid.
    radii.min_element() > THINNEST * largest && ray.origin.is_finite()
}

impl Solid for Ellipsoid {
    /// Divided by the radii the ellipsoid is the unit ball, and the line still a line with the same multiples.
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        let radii = self.radii();
        let unit = radii.max_element();
        let (origin, direction) = (origin * (unit / radii), direction * (unit / radii));
        inside_ball(DVec3::ZERO, unit, origin, direction).map(|ends| Span::of(0, ends))
    }
}
