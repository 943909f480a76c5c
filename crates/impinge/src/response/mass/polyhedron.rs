//! Integrals over what triangles enclose.
//!
//! By the divergence theorem (Mirtich, Fast and Accurate Computation of Polyhedral Mass Properties, Journal of Graphics Tools 1(2), 1996), here
//! in its form by tetrahedra: each triangle abc spans one with an apex o, and with a, b, c as seen from o and s = a + b + c
//!
//! ```text
//! d = a·(b × c),   ∫1 = d/6,   ∫x = d/24 · s,   ∫x·xᵀ = d/120 · (a·aᵀ + b·bᵀ + c·cᵀ + s·sᵀ).
//! ```

use super::{MassMoments, outer};
use impinge_geom::glam::{DMat3, DVec3};

/// Of the volume that the triangles enclose; it is the same whichever way round all of them run.
pub(super) fn moments(vertices: &[DVec3], triangles: &[[u32; 3]]) -> MassMoments {
    let corner = |index: u32| vertices.get(index as usize).copied();
    // Seen from a point near all of them, little is lost to cancellation.
    let Some(apex) = triangles.first().and_then(|face| corner(face[0])) else {
        return MassMoments::NONE;
    };
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for [i, j, k] in triangles {
        let (Some(a), Some(b), Some(c)) = (corner(*i), corner(*j), corner(*k)) else { continue };
        let (a, b, c) = (a - apex, b - apex, c - apex);
        let d = a.dot(b.cross(c));
        let s = a + b + c;
        volume += d;
        first += d * s;
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s)) * d;
    }
    let sign = if volume < 0.0 { -1.0 } else { 1.0 };
    let (first, second) = (first * (sign / 24.0), second * (sign / 120.0));
    MassMoments::of_integrals(sign * volume / 6.0, first, second).moved(apex)
}
