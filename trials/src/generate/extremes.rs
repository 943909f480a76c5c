//! Pairs of shapes whose sizes are sixty decades apart.

use super::convex::{Body, Case, Form};
use crate::oracle::Point;
use crate::oracle::solid::Solid;
use impinge_lab::Random;

/// Sizes are powers of ten from minus this to this.
pub const DECADES: f64 = 30.0;

/// How many kinds of bodies there are.
const KINDS: u64 = 12;

/// A pair, of kinds that follow from its number.
pub fn extremes(index: u64, random: &mut Random) -> Case {
    let (a, b) = (body(index % KINDS, random), body(index / KINDS % KINDS, random));
    let rotation = match random.below(4) {
        0 => [1.0, 0.0, 0.0, 0.0],
        1 => [0.0, 1.0, 0.0, 0.0],
        2 => [0.5; 4],
        _ => random.quaternion(),
    };
    let [one, two] = [&a, &b].map(reach);
    // As far as one of them reaches, or both, a little more or less; anywhere; or nowhere.
    let far = match random.below(8) {
        0 => 0.0,
        1 => one,
        2 => two,
        3 | 4 => one + two,
        5 => (one + two) * (1.0 + random.between(-1.0, 1.0) * random.power(-50, 0)),
        6 => size(random),
        _ => one.min(two),
    };
    let along = match random.below(3) {
        0 => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][random.below(3) as usize],
        _ => random.direction(),
    };
    let wide = if random.one_in(4) { size(random) } else { 0.0 };
    let aside = random.direction();
    Case { a, b, rotation, translation: std::array::from_fn(|c| along[c] * far + aside[c] * wide) }
}

/// A size over all decades, often that of others, and sometimes a round one.
fn size(random: &mut Random) -> f64 {
    match random.below(4) {
        0 => 1.0,
        1 => 10.0_f64.powf(random.between(-3.0, 3.0)),
        _ => 10.0_f64.powf(random.between(-DECADES, DECADES)),
    }
}

fn body(kind: u64, random: &mut Random) -> Body {
    let point = |random: &mut Random| -> Point {
        let size = size(random);
        random.point().map(|x| x * size)
    };
    let mut radius = 0.0;
    let form = match kind {
        0 => Form::Box([size(random), size(random), size(random)]),
        1 => Form::Triangle([point(random), point(random), point(random)]),
        2 => Form::Segment([point(random), point(random)]),
        3 => Form::Hull((0..random.below(4) + 4).map(|_| point(random)).collect()),
        4 => {
            radius = size(random);
            Form::Origin
        }
        5 => {
            radius = size(random);
            Form::Axis(size(random))
        }
        6 => Form::Curved(Solid::Cylinder(size(random), size(random))),
        7 => Form::Curved(Solid::Cone(size(random), size(random))),
        8 => Form::Curved(Solid::Ellipsoid([size(random), size(random), size(random)])),
        9 => Form::Curved(Solid::Tapered(size(random), size(random), size(random))),
        10 => {
            radius = size(random);
            Form::Box([size(random), size(random), size(random)])
        }
        _ => {
            radius = size(random);
            Form::Segment([point(random), point(random)])
        }
    };
    Body { form, radius }
}

/// How far a body reaches from its origin along some axis.
fn reach(body: &Body) -> f64 {
    let largest = |points: &[Point]| points.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    let core = match body.solid() {
        Solid::Points(points) => largest(&points),
        Solid::Cylinder(radius, half) | Solid::Cone(radius, half) => {
            [radius, half][usize::from(half > radius)]
        }
        Solid::Ellipsoid(radii) => radii[0],
        Solid::Tapered(bottom, _, half) => bottom + half,
    };
    core + body.radius
}
