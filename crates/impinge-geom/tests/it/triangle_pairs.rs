//! Adversarial pairs of triangles, by kind.

use crate::random::{Random, scaled};
use glam::DVec3;

pub(crate) type Pair = ([DVec3; 3], [DVec3; 3]);

/// What makes a pair hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Corners on a grid of 2 or 3 points per axis: every degeneracy at once.
    Grid,
    /// Both in one plane of a small grid.
    Coplanar,
    /// A common corner or edge.
    Shared,
    /// A corner on the other's face or edge, up to rounding.
    Contact,
    /// Almost without area.
    Sliver,
    /// Almost parallel and almost touching: faces, or slivers in a bundle.
    Layered,
    /// Without area: segments and points.
    Flat,
    /// No relation.
    Random,
}

pub(crate) const KINDS: [Kind; 8] = [
    Kind::Grid,
    Kind::Coplanar,
    Kind::Shared,
    Kind::Contact,
    Kind::Sliver,
    Kind::Layered,
    Kind::Flat,
    Kind::Random,
];

/// A pair of the kind around the origin, with coordinates of a few units.
fn basic(kind: Kind, random: &mut Random) -> Pair {
    let any = |r: &mut Random| [r.point(), r.point(), r.point()];
    let grid = |r: &mut Random, side: u64| [0; 3].map(|_| r.grid_point(side));
    match kind {
        Kind::Grid => {
            let side = 2 + random.below(3);
            (grid(random, side), grid(random, side))
        }
        Kind::Coplanar => {
            let (u, v) = (random.grid_point(4), random.grid_point(4) - DVec3::ONE);
            let mut corner = || u * random.below(5) as f64 + v * (random.below(5) as f64 - 2.0);
            ([corner(), corner(), corner()], [corner(), corner(), corner()])
        }
        Kind::Shared => {
            let (a, mut b) = (any(random), any(random));
            let (i, j) = (random.below(3) as usize, random.below(3) as usize);
            b[i] = a[j];
            if random.below(2) == 0 {
                b[(i + 1) % 3] = a[(j + 1 + random.below(2) as usize) % 3];
            }
            (a, b)
        }
        Kind::Contact => {
            let (a, mut b) = (any(random), any(random));
            let (s, t) = (random.below(9) as f64 / 8.0, random.below(9) as f64 / 8.0);
            b[0] = a[0] + (a[1] - a[0]) * s + (a[2] - a[0]) * t * (1.0 - s);
            if random.below(2) == 0 {
                b[1] = a[2] * 2.0 - b[0];
            }
            (a, b)
        }
        Kind::Sliver => {
            let thin = |r: &mut Random, p: DVec3, q: DVec3| {
                let width = scaled(1.0, -(r.below(56) as i32));
                [p, q, p + (q - p) * r.signed().abs() + r.point() * width]
            };
            let (p, q) = (random.point(), random.point());
            let a = thin(random, p, q);
            let (p, q) = match random.below(3) {
                0 => (random.point(), random.point()),
                1 => (random.nudged_point(p), random.nudged_point(q)),
                _ => (q + random.point() * 1e-9, p + random.point() * 1e-9),
            };
            (a, thin(random, p, q))
        }
        Kind::Layered => {
            let a = any(random);
            let small = |r: &mut Random| scaled(1.0, -(r.below(60) as i32));
            let (gap, tilt) = (small(random), small(random));
            let shift = (a[1] - a[0]) * random.signed() + (a[2] - a[0]) * random.signed();
            let lift = (a[1] - a[0]).cross(a[2] - a[0]) * gap;
            let b = a.map(|p| p * random.signed() + shift + lift + random.point() * tilt);
            (a, b)
        }
        Kind::Flat => {
            let (p, d) = (random.grid_point(5), random.grid_point(3));
            let along = |r: &mut Random| [0; 3].map(|_| p + d * (r.below(5) as f64 - 2.0));
            let flat = along(random);
            let other = match random.below(3) {
                0 => along(random),
                1 => grid(random, 5),
                _ => {
                    let (q, e) = (random.grid_point(5), random.grid_point(3));
                    [q, q + e, q + e * random.below(3) as f64]
                }
            };
            if random.below(2) == 0 { (flat, other) } else { (other, flat) }
        }
        Kind::Random => (any(random), any(random)),
    }
}

/// A pair of the kind: possibly moved far away, nudged by a unit in the last place, and at an extreme scale.
pub(crate) fn pair(kind: Kind, random: &mut Random) -> Pair {
    let exponent = [0, 0, 0, 0, -400, 228, -1060, -330][random.below(8) as usize];
    scaled_pair(kind, exponent, random)
}

/// The same, times a power of two.
pub(crate) fn scaled_pair(kind: Kind, exponent: i32, random: &mut Random) -> Pair {
    let (mut a, mut b) = basic(kind, random);
    let mut change = |f: &mut dyn FnMut(DVec3) -> DVec3| (a, b) = (a.map(&mut *f), b.map(f));
    match random.below(6) {
        0 => change(&mut |p| p + DVec3::new(1_048_576.0, -3.0, 524_288.0)),
        1 => {
            let offset = random.point() * 1e6;
            change(&mut |p| p + offset);
        }
        2 => {
            let turn = glam::DMat3::from_cols(random.point(), random.point(), random.point());
            change(&mut |p| turn * p);
        }
        _ => {}
    }
    match random.below(4) {
        0 => change(&mut |p| random.nudged_point(p)),
        1 => {
            let k = random.below(3) as usize;
            b[k] = random.nudged_point(b[k]);
        }
        _ => {}
    }
    (a.map(|p| p.map(|v| scaled(v, exponent))), b.map(|p| p.map(|v| scaled(v, exponent))))
}
