//! The rejection test by weak duality.
//!
//! Theorem 3.2 says no more and no less than: R₁ or R₂ has no point below both planes. A point x of R below both has
//! (n₂·x − d₂) + λ (n₁·x − d₁) ≤ 0 for every λ ≥ 0; so if the left side's minimum over R is positive for some λ, there is none, and
//! that minimum is in closed form for spheres and boxes. Any λ ≥ 0 is sound, the best one makes the test complete. It needs neither
//! the line of the planes nor the points of the theorem, and parallel planes are nothing special.

use super::{Enclosure, Side, SupportPlane};
use glam::DVec3;

/// True if two bodies are certainly apart: if one of the volumes has no point below both planes. All in one frame.
///
/// `margin` bounds the error of the arithmetic: see [`margin`](super::margin).
///
/// ```
/// use impinge_geom::{glam::DVec3, support_plane::{Enclosure, Side, SupportPlane, margin, rejects}};
/// // Two flat bodies in spheres that overlap.
/// let flat = |z: f64, n: DVec3| Side {
///     volume: Enclosure::Sphere { center: DVec3::Z * z, radius: 1.0 },
///     plane: SupportPlane::through(DVec3::Z * z, n),
/// };
/// assert!(rejects(&flat(0.0, DVec3::Z), &flat(0.5, -DVec3::Z), margin(2.0)));
/// assert!(!rejects(&flat(0.0, -DVec3::Z), &flat(0.5, DVec3::Z), margin(2.0)));
/// ```
#[inline]
pub fn rejects(a: &Side, b: &Side, margin: f64) -> bool {
    misses(&a.volume, &a.plane, &b.plane, margin) || misses(&b.volume, &b.plane, &a.plane, margin)
}

/// Like [`rejects`] by Lemma 3.1, which considers the points common to both volumes and so rejects more, for boxes along the same axes;
/// for other volumes, the same as [`rejects`].
#[inline]
pub fn rejects_common(a: &Side, b: &Side, margin: f64) -> bool {
    let (Enclosure::Aabb { .. }, Enclosure::Aabb { .. }) = (&a.volume, &b.volume) else {
        return rejects(a, b, margin);
    };
    // Grown, so that rounding does not part boxes that touch.
    let grown = |volume: &Enclosure| Enclosure::Aabb {
        center: volume.center(),
        half: volume.half() + DVec3::splat(margin),
    };
    let Some(common) = grown(&a.volume).common(&grown(&b.volume)) else { return true };
    let above = a.plane.height(common.center()) - common.support_value(a.plane.normal) > margin;
    above || misses(&common, &a.plane, &b.plane, margin)
}

/// True if a volume certainly has no point below both planes, the first of which it reaches.
#[inline]
pub fn misses(volume: &Enclosure, own: &SupportPlane, other: &SupportPlane, margin: f64) -> bool {
    let center = volume.center();
    let (s1, s2) = (own.height(center), other.height(center));
    match volume {
        Enclosure::Sphere { radius, .. } => {
            sphere_misses(*radius, [own.normal, other.normal], [s1, s2], margin)
        }
        Enclosure::Aabb { half, .. } => {
            box_misses(*half, [own.normal, other.normal], [s1, s2], margin)
        }
        Enclosure::Obb { half, .. } => {
            let normals = [volume.local(own.normal), volume.local(other.normal)];
            box_misses(*half, normals, [s1, s2], margin)
        }
    }
}

/// The minimum over the sphere is s₂ + λ s₁ − r |n₂ + λ n₁|, concave in λ; its maximum is where the derivative is zero.
#[inline(always)]
fn sphere_misses(r: f64, [n1, n2]: [DVec3; 2], [s1, s2]: [f64; 2], margin: f64) -> bool {
    if s2 - r > margin {
        return true;
    }
    let cosine = n1.dot(n2);
    if s1 - r * cosine <= 0.0 {
        return false;
    }
    let left = r * r - s1 * s1;
    // The squared sine as a cross product: 1 − cosine² has lost its digits where planes are nearly parallel.
    let lambda =
        if left > 0.0 { s1 * (n1.cross(n2).length_squared() / left).sqrt() } else { 0.0 } - cosine;
    // A λ that is not a number, or infinite, rejects nothing.
    lambda > 0.0 && s2 + lambda * s1 - r * (n2 + n1 * lambda).length() > margin * (1.0 + lambda)
}

/// The minimum over the box is s₂ + λ s₁ − Σ eₖ |a₂ₖ + λ a₁ₖ|, concave and made of straight pieces: its maximum is at λ = 0 or
/// where a term changes its sign.
#[inline(always)]
fn box_misses(half: DVec3, [a1, a2]: [DVec3; 2], [s1, s2]: [f64; 2], margin: f64) -> bool {
    if s2 - half.dot(a2.abs()) > margin {
        return true;
    }
    for k in 0..3 {
        if a1[k] * a2[k] < 0.0 {
            let lambda = -a2[k] / a1[k];
            let least = s2 + lambda * s1 - half.dot((a2 + a1 * lambda).abs());
            if least > margin * (1.0 + lambda) {
                return true;
            }
        }
    }
    false
}
