//! What the tests of several modules share: a random generator and a list of shapes.

use crate::shape::Shape;
use crate::support::{Support, SupportPoint};
use glam::DVec3;

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// In [0, 1).
    pub(crate) fn real(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Each coordinate in [-1, 1).
    pub(crate) fn in_cube(&mut self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| 2.0 * self.real() - 1.0))
    }

    /// On the unit sphere.
    pub(crate) fn unit(&mut self) -> DVec3 {
        loop {
            let v = self.in_cube();
            if v.length() > 0.1 && v.length() <= 1.0 {
                return v.normalize();
            }
        }
    }
}

/// The corners of a box, flat if the height is zero.
fn cube(height: f64) -> Vec<[f64; 3]> {
    let bit = |i: u32, k: u32| f64::from(i >> k & 1);
    (0..8).map(|i| [2.0 * bit(i, 0) - 1.0, 3.0 * bit(i, 1) - 1.0, height * bit(i, 2)]).collect()
}

/// Random points on a sphere about a point beside the origin.
fn cloud(count: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(count as u64);
    (0..count).map(|_| (random.unit() * 1.5 + DVec3::new(0.3, 0.1, 0.2)).to_array()).collect()
}

/// Bounded shapes of every kind with closed forms, ordinary and degenerate, each also rounded.
pub(crate) fn bounded_shapes() -> Vec<(String, Shape)> {
    let plain = [
        Shape::sphere(1.5),
        Shape::sphere(0.0),
        Shape::capsule(0.7, 1.2),
        Shape::capsule(0.7, 0.0),
        Shape::capsule(0.0, 1.2),
        Shape::tapered_capsule(1.0, 0.4, 1.5),
        Shape::tapered_capsule(0.3, 1.1, 0.6),
        Shape::tapered_capsule(0.0, 1.1, 1.6),
        Shape::tapered_capsule(0.3, 2.1, 0.6),
        Shape::tapered_capsule(2.3, 0.1, 0.6),
        Shape::tapered_capsule(0.0, 0.0, 0.6),
        Shape::cuboid([1.0, 2.0, 3.0]),
        Shape::cuboid([1.0, 1.0, 1.0]),
        Shape::cuboid([1.0, 2.0, 0.0]),
        Shape::cuboid([0.0, 2.0, 0.0]),
        Shape::cuboid([0.0, 0.0, 0.0]),
        Shape::cylinder(1.0, 2.0),
        Shape::cylinder(2.0, 0.3),
        Shape::cylinder(2.0, 0.0),
        Shape::cylinder(0.0, 2.0),
        Shape::cone(1.0, 2.0),
        Shape::cone(3.0, 0.3),
        Shape::cone(3.0, 0.0),
        Shape::cone(0.0, 2.0),
        Shape::cone(0.0, 0.0),
        Shape::ellipsoid([1.0, 2.0, 3.0]),
        Shape::ellipsoid([3.0, 0.1, 1.0]),
        Shape::ellipsoid([1.0, 1.0, 2.0]),
        Shape::ellipsoid([2.0, 1.0, 2.0]),
        Shape::ellipsoid([1.5, 1.5, 1.5]),
        Shape::ellipsoid([1.0, 1e-6, 2.0]),
        Shape::ellipsoid([1.0, 1e-12, 1e-6]),
        Shape::ellipsoid([1.0, 0.0, 2.0]),
        Shape::ellipsoid([1.0, 0.0, 0.0]),
        Shape::segment([[0.5, 0.2, -1.0], [-0.3, 1.0, 2.0]]),
        Shape::segment([[0.5, 0.2, -1.0], [0.5, 0.2, -1.0]]),
        Shape::triangle([[0.5, 0.2, -1.0], [-0.3, 1.0, 2.0], [1.0, -1.0, 0.3]]),
        Shape::triangle([[0.0; 3], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]]),
        Shape::triangle([[0.0; 3], [1.0, 1.0, 0.0], [0.5, 0.5, 1e-7]]),
        Shape::hull(&cube(1.0)),
        Shape::hull(&cloud(40)),
        Shape::hull(&cloud(4)),
        Shape::hull(&cloud(3)),
        Shape::hull(&cloud(2)),
        Shape::hull(&cloud(1)),
        Shape::hull(&cube(0.0)),
    ];
    let mut shapes = Vec::new();
    for shape in plain.into_iter().map(Result::unwrap) {
        let rounded = shape.clone().rounded(0.4).unwrap();
        shapes.push((format!("{shape:?}").chars().take(60).collect(), shape));
        shapes.push((format!("{rounded:?}").chars().take(70).collect(), rounded));
    }
    shapes
}

/// The time that this thread has had on a processor, where the system tells, else the time of day.
pub(crate) fn cpu_nanoseconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_processor = told.and_then(|text| text.split(' ').next()?.parse().ok());
    on_processor.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0.0, |time| time.as_nanos() as f64)
    })
}

/// A body that hides behind its support function.
pub(crate) struct Veiled(pub(crate) Shape);

impl Support for Veiled {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let (core, radius) = self.0.split();
        let mut answer = core.support(direction);
        answer.point += direction.normalize() * radius;
        answer.vertex = SupportPoint::CURVED;
        answer
    }
    fn center(&self) -> DVec3 {
        self.0.split().0.center()
    }
    fn radius(&self) -> f64 {
        self.0.split().0.radius() + self.0.split().1
    }
}
