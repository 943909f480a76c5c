//! A line and a cone about the z axis: the one quadratic behind cylinders, cones and tapered capsules.

use glam::DVec2;

/// The interval of s in which |x + s·u| ≤ w + s·v: a line in one half of a double cone, or in a cylinder where v = 0.
///
/// It is where the quadratic A s² + 2B s + C is not positive, on the half where w + s·v ≥ 0. Where A > 0 both roots lie on
/// one half; where A < 0 each half has one, and the interval is infinite.
pub(crate) fn inside_cone(x: DVec2, u: DVec2, w: f64, v: f64) -> Option<(f64, f64)> {
    let a = u.length_squared() - v * v;
    let b = x.dot(u) - w * v;
    let c = x.length_squared() - w * w;
    if a == 0.0 {
        return linear(b, c, w, v);
    }
    let mut discriminant = b * b - a * c;
    if a > 0.0 && discriminant < 0.0 {
        return None;
    }
    discriminant = discriminant.max(0.0);
    let far = -(b + discriminant.sqrt().copysign(b));
    let roots = if far == 0.0 { (0.0, 0.0) } else { (far / a, c / far) };
    let (low, high) = (roots.0.min(roots.1), roots.0.max(roots.1));
    if a > 0.0 {
        (w + v * (-b / a) >= 0.0).then_some((low, high))
    } else if v > 0.0 {
        Some((high, f64::INFINITY))
    } else {
        Some((f64::NEG_INFINITY, low))
    }
}

/// The line is parallel to a line of the cone, or to the cylinder's axis.
fn linear(b: f64, c: f64, w: f64, v: f64) -> Option<(f64, f64)> {
    if b == 0.0 {
        return (c <= 0.0 && (w >= 0.0 || v != 0.0)).then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    let root = -c / (2.0 * b);
    if b < 0.0 && v >= 0.0 {
        Some((root, f64::INFINITY))
    } else if b > 0.0 && v <= 0.0 {
        Some((f64::NEG_INFINITY, root))
    } else {
        None
    }
}
