//! Shapes of every kind with support functions of their own: the oracle of the pair tests.
//!
//! The signed distance of two convex bodies is the largest n·t − h_A(n) − h_B(−Rᵀn) over all unit vectors n, so every
//! direction gives a lower bound of it, and an answer is right iff its own normal attains it and no direction exceeds it.

use crate::random::Random;
use glam::DVec3;
use impinge_geom::{Pose, Shape, Support, SupportPoint};
use std::sync::Arc;

/// A body as the oracle knows it.
#[derive(Clone, Debug)]
pub(crate) enum Solid {
    Sphere(f64),
    Capsule(f64, f64),
    Tapered(f64, f64, f64),
    Box(DVec3),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Ellipsoid(DVec3),
    /// A segment, a triangle or the corners of a hull.
    Points(Vec<DVec3>),
    /// The hull of a disc around the origin, across z, and a point.
    Custom(f64, DVec3),
    Plane(DVec3, f64),
    HalfSpace(DVec3, f64),
    Rounded(Box<Solid>, f64),
}

/// How many kinds [`Solid::random`] knows.
pub(crate) const KINDS: usize = 24;

struct Oblique(f64, DVec3);

impl Support for Oblique {
    fn support(&self, direction: DVec3) -> SupportPoint {
        // Directions may be of any length: their squares must not vanish.
        let unit = direction / direction.abs().max_element();
        let across = (unit.x * unit.x + unit.y * unit.y).sqrt();
        let rim = if across > 0.0 {
            DVec3::new(unit.x / across, unit.y / across, 0.0) * self.0
        } else {
            DVec3::ZERO
        };
        let point = if unit.dot(self.1) > unit.dot(rim) { self.1 } else { rim };
        SupportPoint { point, vertex: SupportPoint::CURVED }
    }
    fn center(&self) -> DVec3 {
        self.1 * 0.25
    }
    fn radius(&self) -> f64 {
        self.1.length() + self.0
    }
}

impl Solid {
    /// A random body of a kind; about one in eight is flat or sharp in some way.
    pub(crate) fn random(kind: usize, random: &mut Random) -> Self {
        let degenerate = random.below(8) == 0;
        let size = |random: &mut Random| {
            let value = 0.3 + 1.2 * random.signed().abs();
            match random.below(if degenerate { 6 } else { 1000 }) {
                0 => 0.0,
                1 => 1e-5 * value,
                2 => 1.0,
                _ => value,
            }
        };
        let cloud = |random: &mut Random, count: usize| {
            let shift = random.point() * 0.5;
            Self::Points((0..count).map(|_| random.point() * 1.5 + shift).collect())
        };
        match kind {
            0 => Self::Sphere(size(random)),
            1 => Self::Capsule(size(random), size(random)),
            2 => Self::Tapered(size(random), size(random), size(random)),
            3 => Self::Box(DVec3::new(size(random), size(random), size(random))),
            4 => Self::Cylinder(size(random), size(random)),
            5 => Self::Cone(size(random), size(random)),
            6 => Self::Ellipsoid(DVec3::new(size(random), size(random), size(random))),
            7 => {
                let across = size(random);
                Self::Ellipsoid(DVec3::new(across, across, size(random)))
            }
            8 => cloud(random, 2),
            9 => cloud(random, 3),
            10 => cloud(random, 4),
            11 => cloud(random, 24),
            12 => {
                let side = 2 + random.below(2);
                Self::Points((0..12).map(|_| random.grid_point(side + 1) - DVec3::ONE).collect())
            }
            13 => Self::Custom(size(random), random.point() * 1.5 + DVec3::Z),
            14 => Self::Plane(unit(random), random.signed()),
            15 => Self::HalfSpace(unit(random), random.signed()),
            16 => Self::Plane(axis(random), size(random)),
            17 => Self::HalfSpace(axis(random), size(random)),
            18 => cloud(random, 200),
            // Rounded: the tapered capsule, box, cylinder, cone, ellipsoid …
            _ => {
                let core = [2, 3, 4, 5, 6, 8, 9, 11, 13, 14, 15][random.below(11) as usize];
                let radius = size(random) * 0.5;
                Self::Rounded(Box::new(Self::random(core, random)), radius)
            }
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        match self {
            Self::Sphere(r) => Shape::sphere(*r),
            Self::Capsule(r, h) => Shape::capsule(*r, *h),
            Self::Tapered(b, t, h) => Shape::tapered_capsule(*b, *t, *h),
            Self::Box(half) => Shape::cuboid(half.to_array()),
            Self::Cylinder(r, h) => Shape::cylinder(*r, *h),
            Self::Cone(r, h) => Shape::cone(*r, *h),
            Self::Ellipsoid(radii) => Shape::ellipsoid(radii.to_array()),
            Self::Points(points) => match points.as_slice() {
                [p, q] => Shape::segment([p.to_array(), q.to_array()]),
                [p, q, r] => Shape::triangle([p.to_array(), q.to_array(), r.to_array()]),
                _ => Shape::hull(&points.iter().map(|p| p.to_array()).collect::<Vec<_>>()),
            },
            Self::Custom(r, tip) => Shape::custom(Arc::new(Oblique(*r, *tip))),
            Self::Plane(n, d) => Shape::plane(n.to_array(), *d),
            Self::HalfSpace(n, d) => Shape::half_space(n.to_array(), *d),
            Self::Rounded(core, r) => core.shape().rounded(*r),
        }
        .unwrap()
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::Rounded(core, _) => format!("rounded {}", core.name()),
            Self::Points(points) => match points.len() {
                2 => "segment".into(),
                3 => "triangle".into(),
                _ => "hull".into(),
            },
            other => {
                let text = format!("{other:?}");
                text.split('(').next().unwrap_or(&text).to_lowercase()
            }
        }
    }

    /// The same body, `factor` times as large.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        let f = factor;
        match self {
            Self::Sphere(r) => Self::Sphere(r * f),
            Self::Capsule(r, h) => Self::Capsule(r * f, h * f),
            Self::Tapered(b, t, h) => Self::Tapered(b * f, t * f, h * f),
            Self::Box(half) => Self::Box(*half * f),
            Self::Cylinder(r, h) => Self::Cylinder(r * f, h * f),
            Self::Cone(r, h) => Self::Cone(r * f, h * f),
            Self::Ellipsoid(radii) => Self::Ellipsoid(*radii * f),
            Self::Points(points) => Self::Points(points.iter().map(|p| *p * f).collect()),
            Self::Custom(r, tip) => Self::Custom(r * f, *tip * f),
            Self::Plane(n, d) => Self::Plane(*n, d * f),
            Self::HalfSpace(n, d) => Self::HalfSpace(*n, d * f),
            Self::Rounded(core, r) => Self::Rounded(Box::new(core.scaled(f)), r * f),
        }
    }

    /// The plane or half-space at the core: normal, offset, two-sided; and the radius around it.
    pub(crate) fn flat(&self) -> Option<(DVec3, f64, bool, f64)> {
        match self {
            Self::Plane(n, d) => Some((n.normalize(), *d / n.length(), true, 0.0)),
            Self::HalfSpace(n, d) => Some((n.normalize(), *d / n.length(), false, 0.0)),
            Self::Rounded(core, r) => core.flat().map(|(n, d, two, inner)| (n, d, two, inner + r)),
            _ => None,
        }
    }

    /// The body without the radius by which it is swept.
    fn core(&self) -> Self {
        match self {
            Self::Sphere(_) => Self::Sphere(0.0),
            Self::Capsule(_, h) => Self::Capsule(0.0, *h),
            Self::Rounded(core, _) => core.core(),
            other => other.clone(),
        }
    }

    /// True for hulls of points, without a radius.
    pub(crate) fn is_polytope(&self) -> bool {
        match self {
            Self::Points(_) | Self::Box(_) => true,
            Self::Sphere(r) | Self::Capsule(r, _) => *r == 0.0,
            Self::Rounded(core, r) => *r == 0.0 && core.is_polytope(),
            _ => false,
        }
    }

    /// A support value along any vector of a bounded body; homogeneous.
    pub(crate) fn height(&self, n: DVec3) -> f64 {
        let across = (n.x * n.x + n.y * n.y).sqrt();
        match self {
            Self::Sphere(r) => r * n.length(),
            Self::Capsule(r, h) => r * n.length() + h * n.z.abs(),
            Self::Tapered(b, t, h) => (b * n.length() - h * n.z).max(t * n.length() + h * n.z),
            Self::Box(half) => half.dot(n.abs()),
            Self::Cylinder(r, h) => r * across + h * n.z.abs(),
            Self::Cone(r, h) => (h * n.z).max(r * across - h * n.z),
            Self::Ellipsoid(radii) => (*radii * n).length(),
            Self::Points(points) => {
                points.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Custom(r, tip) => (r * across).max(n.dot(*tip)),
            Self::Rounded(core, r) => core.height(n) + r * n.length(),
            Self::Plane(..) | Self::HalfSpace(..) => f64::INFINITY,
        }
    }

    /// A length that no coordinate exceeds; the offset for flat bodies.
    pub(crate) fn size(&self) -> f64 {
        if let Some((_, offset, _, radius)) = self.flat() {
            return offset.abs() + radius;
        }
        DVec3::AXES.into_iter().flat_map(|n| [n, -n]).map(|n| self.height(n).abs()).sum::<f64>()
    }
}

pub(crate) fn unit(random: &mut Random) -> DVec3 {
    loop {
        let v = random.point();
        if v.length() > 0.1 && v.length() < 1.0 {
            return v.normalize();
        }
    }
}

/// Unit vectors spread evenly along a spiral, and the axes.
pub(crate) fn directions(count: usize) -> impl Iterator<Item = DVec3> {
    let golden = 2.399_963_229_728_653;
    let spiral = (0..count).map(move |k| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let angle = golden * k as f64;
        let across = (1.0 - z * z).sqrt();
        DVec3::new(across * angle.cos(), across * angle.sin(), z)
    });
    spiral.chain(DVec3::AXES.into_iter().flat_map(|n| [n, -n]))
}

fn axis(random: &mut Random) -> DVec3 {
    let axis = DVec3::AXES[random.below(3) as usize];
    if random.below(2) == 0 { axis } else { -axis }
}

/// A lower bound of the signed distance of two bounded bodies, from one unit vector.
pub(crate) fn bound(a: &Solid, b: &Solid, pose: &Pose, n: DVec3) -> f64 {
    n.dot(pose.translation()) - a.height(n) - b.height(pose.inverse_rotate(-n))
}

/// The signed distance where a flat body takes part; `None` where the depth is unbounded.
pub(crate) fn flat_distance(a: &Solid, b: &Solid, pose: &Pose) -> Option<f64> {
    // The oracle's own transformation: n·x ≤ d goes to (Rn)·x ≤ d + (Rn)·t.
    let moved = |(n, d, two, r): (DVec3, f64, bool, f64)| {
        let n = pose.rotation() * n;
        (n, d + n.dot(pose.translation()), two, r)
    };
    match (a.flat(), b.flat().map(moved)) {
        (Some((n, d, two, r)), None) => {
            let low = bound_of(b, pose, -n) - d;
            let high = bound_of(b, pose, n) + d;
            Some(if two { low.max(high) - r } else { low - r })
        }
        (None, Some((n, d, two, r))) => {
            let low = -a.height(-n) - d;
            let high = -a.height(n) + d;
            Some(if two { low.max(high) - r } else { low - r })
        }
        (Some((n, d, two, r)), Some((m, e, other_two, s))) => {
            if n.cross(m).length() > 1e-10 {
                return None;
            }
            let along = n.dot(m).signum();
            let gap = along * e - d;
            let gap = match (two, other_two) {
                (true, true) => gap.abs(),
                (false, true) => gap,
                (true, false) => -along * gap,
                (false, false) if along > 0.0 => return None,
                (false, false) => gap,
            };
            Some(gap - r - s)
        }
        (None, None) => None,
    }
}

/// Minus the support value of the posed body.
fn bound_of(b: &Solid, pose: &Pose, n: DVec3) -> f64 {
    -(n.dot(pose.translation()) + b.height(pose.inverse_rotate(n)))
}

/// The largest lower bound that a search over directions finds: many spread evenly, the best of them refined.
pub(crate) fn searched(
    a: &Solid,
    b: &Solid,
    pose: &Pose,
    first: &[DVec3],
    count: usize,
    random: &mut Random,
) -> (f64, DVec3) {
    let value = |n: DVec3| bound(a, b, pose, n);
    let mut all: Vec<(f64, DVec3)> = directions(count)
        .chain(first.iter().copied())
        .chain(DVec3::AXES.into_iter().flat_map(|n| [pose.rotate(n), pose.rotate(-n)]))
        .map(|n| (value(n), n))
        .collect();
    all.sort_by(|p, q| q.0.total_cmp(&p.0));
    let mut best = all[0];
    let mut starts: Vec<DVec3> = Vec::new();
    for (_, n) in &all {
        if starts.len() < 6 && starts.iter().all(|other| other.dot(*n) < 0.97) {
            starts.push(*n);
        }
    }
    for start in starts {
        let (mut n, mut height, mut step) = (start, value(start), 0.1);
        // Along a narrow ridge the steps get short long before its top is reached.
        let mut left = 5000;
        while step > 1e-9 && left > 0 {
            left -= 1;
            let u = n.cross(unit(random)).normalize_or(DVec3::X);
            let v = n.cross(u);
            let tries = [u, v, u + v, u - v].into_iter().flat_map(|w| [w, -w]);
            let found = tries
                .map(|w| (n + w * step).normalize())
                .map(|m| (value(m), m))
                .max_by(|p, q| p.0.total_cmp(&q.0))
                .unwrap();
            if found.0 > height {
                (height, n) = found;
            } else {
                step *= 0.6;
            }
        }
        if height > best.0 {
            best = (height, n);
        }
    }
    best
}

/// A pose of one of the classes: anywhere, near contact, aligned with the axes, with parallel axes, coaxial, concentric.
pub(crate) fn random_pose(a: &Solid, b: &Solid, random: &mut Random) -> Pose {
    let reach = [0.0, 0.2, 0.5, 1.0, 2.0, 10.0][random.below(6) as usize];
    let translation = random.point() * reach;
    let grid = (random.grid_point(5) - DVec3::splat(2.0)).to_array();
    let pose = match random.below(13) {
        0 | 1 => Pose::new(quaternion(random), translation.to_array()),
        2 => Pose::from_translation(translation.to_array()),
        3 => Pose::new(turn(random), translation.to_array()),
        4 => Pose::new(turn(random), grid),
        5 => Pose::from_translation([0.0, 0.0, translation.z]),
        6 => Pose::from_translation(grid),
        7 => Pose::new(spin(random), [0.0, 0.0, translation.z]),
        8 => {
            let offset = random.point() * [0.0, 1e-12, 1e-9, 1e-7, 1e-4][random.below(5) as usize];
            Pose::new(spin(random), [offset.x, offset.y, translation.z])
        }
        _ => return near_contact(a, b, random),
    };
    pose.unwrap()
}

/// A turn about z, or a half turn about an axis across it.
fn spin(random: &mut Random) -> [f64; 4] {
    let [w, x, _, _] = quaternion(random);
    let length = (w * w + x * x).sqrt();
    let (w, x) = (w / length, x / length);
    if random.below(2) == 0 { [w, 0.0, 0.0, x] } else { [0.0, w, x, 0.0] }
}

pub(crate) fn quaternion(random: &mut Random) -> [f64; 4] {
    loop {
        let q = [random.signed(), random.signed(), random.signed(), random.signed()];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.2 && length < 1.0 {
            return q.map(|x| x / length);
        }
    }
}

/// A turn that takes the axes to axes: exactly for the thirds of a turn and the halves, up to rounding for the quarters.
fn turn(random: &mut Random) -> [f64; 4] {
    let half = 0.5f64.sqrt();
    [
        [0.5, 0.5, 0.5, 0.5],
        [0.0, 1.0, 0.0, 0.0],
        [0.5, -0.5, 0.5, -0.5],
        [half, half, 0.0, 0.0],
        [half, 0.0, 0.0, half],
        [0.0, half, 0.0, half],
    ][random.below(6) as usize]
}

/// B shifted so that along a random direction the bodies are nearly touching.
fn near_contact(a: &Solid, b: &Solid, random: &mut Random) -> Pose {
    let rotation = if random.below(2) == 0 { quaternion(random) } else { [1.0, 0.0, 0.0, 0.0] };
    let still = Pose::new(rotation, [0.0; 3]).unwrap();
    let n = match random.below(3) {
        0 => unit(random),
        1 => axis(random),
        _ => still.rotate(axis(random)),
    };
    // The bodies themselves, or the cores of rounded ones, where normals are hardest to tell.
    let (a, b) = if random.below(2) == 0 { (a, b) } else { (&a.core(), &b.core()) };
    let gap = if a.flat().is_some() || b.flat().is_some() {
        flat_distance(a, b, &still).unwrap_or(0.0)
    } else {
        bound(a, b, &still, n)
    };
    let extra = [0.0, 1e-13, -1e-13, 1e-9, -1e-9, 1e-4, -1e-4, -0.1][random.below(8) as usize];
    // Sideways the contact stays, where it is flat.
    let aside = n.cross(random.point()) * [0.0, 0.2, 1.0][random.below(3) as usize];
    Pose::new(rotation, (n * (extra - gap) + aside).to_array()).unwrap()
}
