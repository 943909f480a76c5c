//! A point and an ellipsoid.
//!
//! The closest point x of the surface to y has y − x = t·(x/e²) for some t, so xᵢ = eᵢ²yᵢ/(t + eᵢ²), and t is the largest
//! root of S(t) = Σ (eᵢyᵢ/(t + eᵢ²))² = 1 (D. Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a
//! Hyperellipsoid", 2013, §3). This code differs in two ways. The unknown is σ = t + e² with the smallest radius e, so that
//! the root next to the pole keeps all its digits. And the root is not bisected: like the secular equation of trust-region
//! steps (J. Moré and D. Sorensen, "Computing a Trust Region Step", 1983, §3), 1/√S is concave and nearly a straight line, so
//! Newton's method on it, begun left of the root, climbs to it without passing it, usually in three to six steps.
//!
//! Radii below 2^-400 of the largest number count as zero. Flat ellipsoids are closed discs, segments or points.

use super::PointDistance;
use crate::answer::Feature;
use crate::number::error::power_of_two_near_inverse;
use crate::number::length::length_and_unit;
use glam::DVec3;

/// The most Newton steps taken. Each closes in on the root from the left, and beyond four or five only rounding is left to
/// gain; the bound is there so that no input can hold the loop.
const LARGEST_STEP_COUNT: usize = 40;

/// 2^-400, see the module's note.
const FLAT: f64 = f64::from_bits((1023 - 400) << 52);

/// 2^-500: coordinates below it (after scaling) count as zero, so that products with radii keep all their digits.
const ON_PLANE: f64 = f64::from_bits((1023 - 500) << 52);

/// The distance from an ellipsoid.
#[inline]
pub(crate) fn point_distance(radii: DVec3, p: DVec3) -> PointDistance {
    let largest = radii.max_element().max(p.abs().max_element());
    if largest == 0.0 {
        return PointDistance::exact(0.0, DVec3::ZERO, DVec3::Z, Feature::SURFACE);
    }
    let factor = power_of_two_near_inverse(largest);
    let (e, y) = ((radii * factor).to_array(), (p.abs() * factor).to_array());
    let y = y.map(|value| if value > ON_PLANE { value } else { 0.0 });
    let order = descending(e);
    let (e, y) = (order.map(|k| e[k]), order.map(|k| y[k]));
    let (x, normal) = closest(e, y);
    let offset = DVec3::from_array(y) - x;
    let distance = offset.dot(normal);
    // Back to the octant and the order of the axes.
    let mut answer = [[0.0; 2]; 3];
    for (k, axis) in order.into_iter().enumerate() {
        answer[axis] = [x[k], normal[k]];
    }
    let restore = |k: usize| {
        let [x, y, z] = answer.map(|a| a[k]);
        DVec3::new(x.copysign(p.x), y.copysign(p.y), z.copysign(p.z))
    };
    PointDistance::exact(distance / factor, restore(0) / factor, restore(1), Feature::SURFACE)
}

/// The indices of the values, largest first; equal values stay in order.
fn descending(values: [f64; 3]) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    order
}

/// The closest point of the surface and the unit normal there; radii descend, everything is in the first octant.
fn closest(e: [f64; 3], y: [f64; 3]) -> (DVec3, DVec3) {
    let solid_axes = e.iter().filter(|radius| **radius > FLAT).count();
    let mut x = [0.0; 3];
    let mut normal = [0.0; 3];
    let inside = (0..solid_axes).map(|i| (y[i] / e[i]) * (y[i] / e[i])).sum::<f64>() <= 1.0;
    if solid_axes < 3 && inside {
        // The point stands above the flat body.
        x[..solid_axes].copy_from_slice(&y[..solid_axes]);
        normal[solid_axes..].copy_from_slice(&y[solid_axes..]);
    } else {
        on_surface(&e[..solid_axes], &y[..solid_axes], &mut x, &mut normal);
        if solid_axes < 3 {
            beside_flat(solid_axes, y, x, &mut normal);
        }
    }
    let unit = length_and_unit(DVec3::from_array(normal)).map_or(DVec3::Z, |(_, unit)| unit);
    (DVec3::from_array(x), unit)
}

/// Beside a flat body the normal is the offset, with its part in the body's plane turned along the rim's normal, so that
/// rounding cannot turn it inwards where the point is on the rim.
fn beside_flat(solid_axes: usize, y: [f64; 3], x: [f64; 3], normal: &mut [f64; 3]) {
    if let Some((_, rim)) = length_and_unit(DVec3::from_array(*normal)) {
        let out = rim.dot(DVec3::from_array(y) - DVec3::from_array(x)).max(0.0);
        let flat = y[solid_axes..].iter().all(|height| *height == 0.0);
        let out = if flat { 1.0 } else { out };
        *normal = std::array::from_fn(|i| if i < solid_axes { rim[i] * out } else { y[i] });
    } else {
        *normal = y;
    }
}

/// Fills in the point of the surface and x/e² for radii that are not zero.
fn on_surface(e: &[f64], y: &[f64], x: &mut [f64; 3], normal: &mut [f64; 3]) {
    let Some(last) = e.len().checked_sub(1) else { return };
    // e² − (smallest radius)², without cancellation.
    let gap = |i: usize| (e[i] - e[last]) * (e[i] + e[last]);
    let start = (0..=last).map(|i| e[i] * y[i] - gap(i)).fold(0.0, f64::max);
    let mut sigma = start;
    if start == 0.0 {
        // Nothing along the axes of the smallest radius. The others alone may not reach the surface from here.
        let others = (0..=last).filter(|i| gap(*i) > 0.0);
        let reach = others.map(|i| (e[i] * y[i] / gap(i)).powi(2)).sum::<f64>();
        if reach <= 1.0 {
            for i in (0..last).filter(|i| gap(*i) > 0.0) {
                normal[i] = y[i] / gap(i);
                x[i] = e[i] * (e[i] * normal[i]);
            }
            x[last] = e[last] * (1.0 - reach).sqrt();
            normal[last] = (1.0 - reach).sqrt() / e[last];
            return;
        }
    }
    let limit = (0..=last).map(|i| (e[i] * y[i]) * (e[i] * y[i])).sum::<f64>().sqrt();
    for _ in 0..LARGEST_STEP_COUNT {
        let (mut sum, mut slope) = (0.0, 0.0);
        for i in 0..=last {
            let bottom = sigma + gap(i);
            if bottom > 0.0 {
                let term = e[i] * y[i] / bottom;
                sum += term * term;
                slope += term * term / bottom;
            }
        }
        // S = sum, −S'/2 = slope; the Newton step of 1/√S − 1.
        let step = sum * (sum.sqrt() - 1.0) / slope;
        let next = sigma + step;
        if !(step > 0.0 && next > sigma && next.is_finite()) {
            break;
        }
        sigma = next.min(limit.max(start));
    }
    for i in 0..=last {
        let bottom = sigma + gap(i);
        if bottom > 0.0 {
            normal[i] = y[i] / bottom;
            x[i] = e[i] * (e[i] * normal[i]);
        }
    }
}
