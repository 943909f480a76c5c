//! Bytes to shapes and poses, such that small changes of bytes reach flush, tiny, flat and extreme bodies.

use impinge_geom::glam::DVec3;
use impinge_geom::{GeometryError, Pose, Shape, Support, SupportPoint};
use std::sync::Arc;

/// Bytes and how to read numbers from them.
pub struct Bytes<'a> {
    rest: &'a [u8],
    /// All lengths are multiplied by it.
    unit: f64,
    /// Numbers of very different sizes in one case.
    wild: bool,
}

impl<'a> Bytes<'a> {
    /// The first byte chooses the scale, mostly one.
    pub fn new(bytes: &'a [u8]) -> Self {
        let (first, rest) = bytes.split_first().map_or((0, bytes), |(first, rest)| (*first, rest));
        let exponent = match first {
            0..192 => 0,
            192..208 => -1000,
            208..224 => -400,
            224..240 => 200,
            _ => 60,
        };
        Self { rest, unit: power(exponent), wild: first % 8 == 7 }
    }

    pub fn is_wild(&self) -> bool {
        self.wild
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        *first
    }

    /// A number of moderate size: on a small grid, near it, between, or small.
    fn plain(&mut self) -> f64 {
        let byte = self.byte();
        let grid = f64::from(byte % 8) * 0.5 - 1.5;
        match byte / 8 {
            0..10 => grid,
            10..13 => grid.next_up(),
            13..16 => grid.next_down(),
            16..20 => grid + (f64::from(self.byte()) - 128.0) * 1e-14,
            20..26 => (f64::from(self.byte()) * 256.0 + f64::from(self.byte())) / 16384.0 - 2.0,
            26..29 => grid * power(-i32::from(self.byte() % 64)),
            _ if self.wild => grid * power(i32::from(self.byte() as i8)),
            _ => grid * 1e-9,
        }
    }

    pub fn number(&mut self) -> f64 {
        self.plain() * self.unit
    }

    fn size(&mut self) -> f64 {
        self.number().abs()
    }

    pub fn point(&mut self) -> [f64; 3] {
        [self.number(), self.number(), self.number()]
    }

    /// A direction; zero is replaced.
    pub fn direction(&mut self) -> [f64; 3] {
        let v = [self.plain(), self.plain(), self.plain()];
        if v == [0.0; 3] { [0.0, 0.0, 1.0] } else { v }
    }

    fn points(&mut self) -> Vec<[f64; 3]> {
        let count = 1 + self.byte() % 16;
        (0..count).map(|_| self.point()).collect()
    }

    pub fn shape(&mut self) -> Result<Shape, GeometryError> {
        let kind = self.byte();
        let shape = match kind % 14 {
            0 => Shape::sphere(self.size()),
            1 => Shape::capsule(self.size(), self.size()),
            2 => Shape::tapered_capsule(self.size(), self.size(), self.size()),
            3 => Shape::cuboid([self.size(), self.size(), self.size()]),
            4 => Shape::cylinder(self.size(), self.size()),
            5 => Shape::cone(self.size(), self.size()),
            6 => Shape::ellipsoid([self.size(), self.size(), self.size()]),
            7 => Shape::segment([self.point(), self.point()]),
            8 => Shape::triangle([self.point(), self.point(), self.point()]),
            9 => Shape::plane(self.direction(), self.number()),
            10 => Shape::half_space(self.direction(), self.number()),
            11 => Shape::custom(Arc::new(Oblique::new(self.size(), self.point()))),
            _ => Shape::hull(&self.points()),
        }?;
        if kind >= 192 { shape.rounded(self.size()) } else { Ok(shape) }
    }

    pub fn pose(&mut self) -> Result<Pose, GeometryError> {
        let half = 0.5f64.sqrt();
        let rotation = match self.byte() % 8 {
            0..3 => [1.0, 0.0, 0.0, 0.0],
            3 => [0.5, 0.5, 0.5, 0.5],
            4 => [0.0, 1.0, 0.0, 0.0],
            5 => [half, half, 0.0, 0.0],
            _ => {
                let q = [self.plain(), self.plain(), self.plain(), self.plain()];
                let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
                if length > 1e-6 && length < 1e6 {
                    q.map(|x| x / length)
                } else {
                    [1.0, 0.0, 0.0, 0.0]
                }
            }
        };
        Pose::new(rotation, self.point())
    }
}

/// 2^exponent.
fn power(exponent: i32) -> f64 {
    2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

/// The hull of a disc around the origin, across z, and a point.
struct Oblique(f64, DVec3);

impl Oblique {
    /// Lengths below 2^45 of the smallest numbers are none: the points of so small a disc, rounded, are not those of a convex
    /// body up to the touching band.
    fn new(radius: f64, tip: [f64; 3]) -> Self {
        let least = f64::from_bits(1 << 45);
        let kept = |length: f64| if length.abs() < least { 0.0 } else { length };
        Self(kept(radius), DVec3::from_array(tip.map(kept)))
    }
}

impl Support for Oblique {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let size = direction.abs().max_element();
        let unit = direction / size;
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
        self.1.abs().element_sum() + self.0
    }
}
