//! Integrals over solids of revolution about z.
//!
//! Of every such shape the square of the radius, r²(z), is a polynomial of degree two in each of its pieces: a slice of a ball, a cylinder,
//! a piece of a cone. So π·r², π·r²·z, π·r²·z² and π·r⁴/4 are of degree four at most, and three points of Gauss's quadrature integrate them exactly.

use super::MassMoments;
use impinge_geom::Shape;
use impinge_geom::glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// From one height to another, r² as a function of the height.
struct Piece {
    from: f64,
    to: f64,
    profile: Profile,
}

enum Profile {
    /// Of a ball around a point of the axis.
    Ball { center: f64, radius: f64 },
    /// The radius at the lower and the upper end; between them it changes evenly.
    Straight { lower: f64, upper: f64 },
}

impl Piece {
    fn squared_radius(&self, z: f64) -> f64 {
        match self.profile {
            Profile::Ball { center, radius } => {
                let off = z - center;
                (radius - off) * (radius + off)
            }
            Profile::Straight { lower, upper } => {
                let radius = lower + (upper - lower) * ((z - self.from) / (self.to - self.from));
                radius * radius
            }
        }
    }

    /// Adds ∫1, ∫z, ∫x², ∫z².
    fn integrate(&self, sums: &mut [f64; 4]) {
        let (middle, half) = (0.5 * (self.from + self.to), 0.5 * (self.to - self.from));
        // A piece without height, as of a capsule of height zero.
        if half <= 0.0 {
            return;
        }
        let node = 0.6f64.sqrt();
        for (place, weight) in [(-node, 5.0 / 9.0), (0.0, 8.0 / 9.0), (node, 5.0 / 9.0)] {
            let z = middle + half * place;
            let area = PI * self.squared_radius(z);
            let weight = weight * half;
            sums[0] += weight * area;
            sums[1] += weight * area * z;
            // ∫x² over a disc is area · r²/4.
            sums[2] += weight * area * (0.25 * self.squared_radius(z));
            sums[3] += weight * area * z * z;
        }
    }
}

/// Of a sphere, capsule, tapered capsule, cylinder or cone; of others, nothing.
pub(super) fn moments(shape: &Shape) -> MassMoments {
    let mut sums = [0.0; 4];
    pieces(shape).into_iter().flatten().for_each(|piece| piece.integrate(&mut sums));
    let [volume, height, wide, high] = sums;
    let second = DMat3::from_diagonal(DVec3::new(wide, wide, high));
    MassMoments::of_integrals(volume, DVec3::new(0.0, 0.0, height), second)
}

fn pieces(shape: &Shape) -> [Option<Piece>; 3] {
    let straight = |from: f64, to: f64, lower: f64, upper: f64| {
        Some(Piece { from, to, profile: Profile::Straight { lower, upper } })
    };
    match shape {
        Shape::Sphere(shape) => [ball(0.0, shape.radius(), -1.0, 1.0), None, None],
        Shape::Cylinder(shape) => {
            let (r, h) = (shape.radius(), shape.half_height());
            [straight(-h, h, r, r), None, None]
        }
        Shape::Cone(shape) => {
            let h = shape.half_height();
            [straight(-h, h, shape.radius(), 0.0), None, None]
        }
        Shape::Capsule(shape) => {
            let (r, h) = (shape.radius(), shape.half_height());
            [ball(-h, r, -1.0, 0.0), straight(-h, h, r, r), ball(h, r, 0.0, 1.0)]
        }
        Shape::TaperedCapsule(shape) => {
            let (bottom, top, h) = (shape.bottom(), shape.top(), shape.half_height());
            // The line that touches both circles does so at this share of their radii above their centres.
            let sine = (bottom - top) / (2.0 * h);
            if h <= 0.0 || sine.abs() >= 1.0 {
                // One ball holds the other.
                let (center, radius) = if bottom >= top { (-h, bottom) } else { (h, top) };
                return [ball(center, radius, -1.0, 1.0), None, None];
            }
            let cosine = (1.0 - sine * sine).sqrt();
            [
                ball(-h, bottom, -1.0, sine),
                straight(-h + sine * bottom, h + sine * top, cosine * bottom, cosine * top),
                ball(h, top, sine, 1.0),
            ]
        }
        _ => [None, None, None],
    }
}

/// A slice of a ball, between two heights in radii from its centre.
fn ball(center: f64, radius: f64, from: f64, to: f64) -> Option<Piece> {
    let profile = Profile::Ball { center, radius };
    Some(Piece { from: center + from * radius, to: center + to * radius, profile })
}
