//! The rejection test as Theorem 3.2 has it: by the line of the planes and a line within the volume.
//!
//! It answers what `support_plane::rejects` answers, at a higher price, and is the twin that it is tested against. Two things are done
//! without divisions, so that nearly parallel planes are as good as others: whether the line l of both planes passes through a volume, and the
//! side on which l' meets the second plane. With sₖ the heights of the centre above the planes and u = n₁ × n₂, the line passes
//! through a sphere iff |s₁ n₂ − s₂ n₁| ≤ r |u|, and through a box iff |s₁ a₂ₖ − s₂ a₁ₖ| ≤ Σⱼ eⱼ |(u × axisₖ)ⱼ| for all k, which are the
//! edges of the box's shadow along u.

use impinge_geom::glam::DVec3;
use impinge_geom::support_plane::{Enclosure, Side};

/// True if two bodies are certainly apart, by either case of the theorem. All in one frame.
pub(crate) fn rejects_literally(a: &Side, b: &Side, margin: f64) -> bool {
    one_case(a, b, margin) || one_case(b, a, margin)
}

/// Case 1: the line of both planes does not pass through R₁.
fn one_case(first: &Side, second: &Side, margin: f64) -> bool {
    let (volume, own, other) = (&first.volume, &first.plane, &second.plane);
    if line_passes(first, second, margin) {
        return false;
    }
    let (height, reach) = (other.height(volume.center()), volume.support_value(other.normal));
    if height.abs() > reach + margin {
        // (b) R₁ does not meet E₂: it is on one side altogether.
        return height > 0.0;
    }
    // (a) Otherwise take q of R₁ below E₂, and the line l' from p₁ through q.
    let q = volume.farthest(-other.normal);
    let (end, start) = (-other.height(q), other.height(own.point));
    let way = end + start;
    if start <= margin || way <= 0.0 {
        return false;
    }
    // l' meets E₂ at t₂ = start / way; there it must be above E₁, and not beyond q.
    let rise = own.height(q) - own.height(own.point);
    let at = rise * (start / way);
    rise > margin && 0.0 < at && at <= rise + margin
}

/// True if the line of both planes passes through the first volume, or nearly so.
fn line_passes(first: &Side, second: &Side, margin: f64) -> bool {
    let volume = &first.volume;
    let (n1, n2) = (first.plane.normal, second.plane.normal);
    let center = volume.center();
    let (s1, s2) = (first.plane.height(center), second.plane.height(center));
    if let Enclosure::Sphere { radius, .. } = volume {
        let along = n1.cross(n2).length();
        return (n2 * s1 - n1 * s2).length() <= radius * along + 2.0 * margin;
    }
    let (a1, a2, half) = (volume.local(n1), volume.local(n2), volume.half());
    let along = a1.cross(a2).abs();
    let across = (a2 * s1 - a1 * s2).abs();
    let shadow = DVec3::new(
        half.y * along.z + half.z * along.y,
        half.z * along.x + half.x * along.z,
        half.x * along.y + half.y * along.x,
    );
    across.cmple(shadow + DVec3::splat(2.0 * margin)).all()
}
