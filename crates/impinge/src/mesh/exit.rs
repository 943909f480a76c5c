//! How far one triangle must move along a direction to leave another.
//!
//! Seen along the direction both are triangles in a plane. Where they cover each other the way from B up to A is a linear function, so that it is largest in
//! a corner of the common polygon: a corner of A, one of B, or a crossing of two edges.

use impinge_geom::glam::{DVec2, DVec3};

/// Corners and crossings that miss by less than this share of a triangle count: at a flush edge rounding decides, and a way that is a little too long
/// is tried like any other.
const FLUSH: f64 = 1e-12;
/// More than rounding, and [`FLUSH`], make of a way, as a share of the heights.
const ROUNDED: f64 = 1e-11;

/// A unit direction, and what is across it.
pub(super) struct Sight {
    along: DVec3,
    across: DVec3,
    upright: DVec3,
}

impl Sight {
    pub(super) fn new(along: DVec3) -> Self {
        let across = along.any_orthonormal_vector();
        Self { along, across, upright: along.cross(across) }
    }

    /// The longest way along the direction on which a triangle B, which meets the triangle A, still meets it, or `least` if that is more. Up to rounding.
    pub(super) fn exit(&self, a: &[DVec3; 3], b: &[DVec3; 3], least: f64) -> f64 {
        let seen =
            |p: DVec3| (DVec2::new(p.dot(self.across), p.dot(self.upright)), p.dot(self.along));
        let (a, b) = (a.map(seen), b.map(seen));
        let mut longest = least;
        let bottom = b[0].1.min(b[1].1).min(b[2].1);
        let top = a[0].1.max(a[1].1).max(a[2].1);
        let slack = ROUNDED * (bottom.abs() + top.abs());
        for (point, height) in a {
            // No longer than to the lowest corner, but for rounding.
            if height - bottom + slack > longest
                && let Some(below) = height_at(&b, point)
            {
                longest = longest.max(height - below);
            }
        }
        for (point, height) in b {
            if top - height + slack > longest
                && let Some(above) = height_at(&a, point)
            {
                longest = longest.max(above - height);
            }
        }
        for i in 0..3 {
            let upper = [a[i], a[(i + 1) % 3]];
            let high = upper[0].1.max(upper[1].1);
            if high - bottom + slack <= longest {
                continue;
            }
            for j in 0..3 {
                let lower = [b[j], b[(j + 1) % 3]];
                if high - lower[0].1.min(lower[1].1) + slack > longest
                    && let Some(way) = crossing(upper, lower)
                {
                    longest = longest.max(way);
                }
            }
        }
        longest
    }
}

/// A point as it is seen, and its height along the direction.
type Seen = (DVec2, f64);

/// The height of a triangle over a point that it covers.
fn height_at(triangle: &[Seen; 3], point: DVec2) -> Option<f64> {
    let [p, q, r] = triangle.map(|(at, _)| at - point);
    let weights = [q.perp_dot(r), r.perp_dot(p), p.perp_dot(q)];
    let area: f64 = weights.iter().sum();
    let least = FLUSH * (q - p).length() * (r - p).length();
    if area.abs() <= least {
        return None;
    }
    let shares = weights.map(|weight| weight / area);
    let covered = shares.iter().all(|share| *share >= -FLUSH);
    covered.then(|| (0..3).map(|k| shares[k] * triangle[k].1).sum())
}

/// The way from an edge of B up to one of A where they cross.
fn crossing([p, q]: [Seen; 2], [r, s]: [Seen; 2]) -> Option<f64> {
    let (first, second, between) = (q.0 - p.0, s.0 - r.0, r.0 - p.0);
    let turn = first.perp_dot(second);
    if turn.abs() <= FLUSH * first.length() * second.length() {
        return None;
    }
    let (t, u) = (between.perp_dot(second) / turn, between.perp_dot(first) / turn);
    let on_both = [t, u].iter().all(|share| (-FLUSH..=1.0 + FLUSH).contains(share));
    on_both.then_some(p.1 + t * (q.1 - p.1) - r.1 - u * (s.1 - r.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit(a: &[DVec3; 3], b: &[DVec3; 3], along: DVec3) -> f64 {
        Sight::new(along).exit(a, b, 0.0)
    }

    #[test]
    fn triangles_part_where_their_last_points_do() {
        let flat = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
        let spike =
            [DVec3::new(1.0, 1.0, -0.5), DVec3::new(1.0, 1.5, 2.0), DVec3::new(1.5, 1.0, 2.0)];
        assert!((exit(&flat, &spike, DVec3::Z) - 0.5).abs() < 1e-12);
        assert!((exit(&flat, &spike, -DVec3::Z) - 2.0).abs() < 1e-12);
        // Along x the upright spike leaves over the long edge, x + y = 4. At height zero it runs from (1, 1.1) to (1.1, 1), where x + y = 2.1.
        assert!((exit(&flat, &spike, DVec3::X) - 1.9).abs() < 1e-12);
        assert_eq!(exit(&flat, &flat.map(|p| p + DVec3::splat(9.0)), DVec3::Z), 0.0);
    }
}
