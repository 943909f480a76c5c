//! A train of gears made of triangles, in millimetres: the axles stand along z.

use super::assembly::{Assembly, Design, Part};
use crate::body::{Body, Form};
use impinge::geom::Pose;
use impinge::mesh::{Mesh, Mode};
use std::error::Error;
use std::rc::Rc;

/// Directions in a full turn.
const TURN: usize = 128;
/// Points of an outline.
const AROUND: usize = TURN / 2;
/// Bottom and top of the gears.
const THICKNESS: [f64; 2] = [0.0, 24.0];

/// The train. Two things are wrong with it, for the check to find.
pub(super) fn train() -> Result<Assembly, Box<dyn Error>> {
    let gear = |turned: usize| ring(&toothed(turned), &circle(15.0, turned), THICKNESS);
    let list = [
        ("base plate", block([-80.0, -80.0, -12.0], [240.0, 200.0, -2.0]), [0.0; 3]),
        ("drive gear", gear(123), [0.0; 3]),
        ("driven gear", gear(63), [112.0, 0.0, 0.0]),
        // Its tooth should look down into the gap of the driven gear; its gap does.
        ("idler gear", gear(95), [112.0, 112.0, 0.0]),
        ("axle", prism(&circle(14.5, 123), [-10.0, 40.0]), [0.0; 3]),
        ("washer", ring(&circle(25.0, 0), &circle(15.0, 0), [24.0, 26.0]), [0.0; 3]),
        ("lead weight", prism(&circle(5.0, 0), [5.0, 15.0]), [142.0, 0.0, 0.0]),
        ("guard", block([180.0, 80.0, -2.0], [184.0, 200.0, 40.0]), [0.0; 3]),
    ];
    let part = |(name, (vertices, triangles), place): (&'static str, Triangles, [f64; 3])| {
        let form = Form::Mesh(Rc::new(Mesh::new(&vertices, &triangles)?), Mode::Solid);
        Ok(Part { name, body: Body { form, pose: Pose::from_translation(place)? } })
    };
    let parts = list.into_iter().map(part).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    Ok(Assembly { title: "A train of gears", parts, design: DESIGN })
}

/// The pairs that are meant to meet, or to pass each other closely.
const DESIGN: &[(&str, &str, Design)] = &[
    ("base plate", "drive gear", Design::Runs),
    ("base plate", "driven gear", Design::Runs),
    ("base plate", "idler gear", Design::Runs),
    ("base plate", "axle", Design::Joint),
    ("base plate", "lead weight", Design::Runs),
    ("base plate", "guard", Design::Rests),
    ("drive gear", "driven gear", Design::Runs),
    ("driven gear", "idler gear", Design::Runs),
    ("drive gear", "axle", Design::Runs),
    ("drive gear", "washer", Design::Rests),
    ("axle", "washer", Design::Runs),
    ("driven gear", "lead weight", Design::Holds),
];

/// Vertices and triangles.
type Triangles = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// One of the directions of a turn, by halving a quarter: square roots are the same on every machine, sines are not.
fn direction(step: usize) -> [f64; 2] {
    let quarter = TURN / 4;
    let (mut low, mut high, mut rest, mut width) =
        ([1.0, 0.0], [0.0, 1.0], step % quarter, quarter);
    while rest > 0 {
        let sum: [f64; 2] = [low[0] + high[0], low[1] + high[1]];
        let length = (sum[0] * sum[0] + sum[1] * sum[1]).sqrt();
        let middle = sum.map(|x| x / length);
        width /= 2;
        if rest >= width {
            (low, rest) = (middle, rest - width);
        } else {
            high = middle;
        }
    }
    let [x, y] = low;
    match step / quarter % 4 {
        0 => [x, y],
        1 => [-y, x],
        2 => [-x, -y],
        _ => [y, -x],
    }
}

/// A regular outline, counter-clockwise, that begins at the direction `turned`.
fn circle(radius: f64, turned: usize) -> Vec<[f64; 2]> {
    (0..AROUND).map(|k| direction(2 * k + turned).map(|x| radius * x)).collect()
}

/// The outline of a gear of sixteen teeth between the radii 50 and 60: two points at the root, two at the tip. The middle of
/// the first gap is at direction `turned` + 1.
fn toothed(turned: usize) -> Vec<[f64; 2]> {
    let radius = |k: usize| if k % 4 < 2 { 50.0 } else { 60.0 };
    (0..AROUND).map(|k| direction(2 * k + turned).map(|x| radius(k) * x)).collect()
}

/// An outline raised from one height to another: the vertices below, then those above, and the wall between.
fn wall(outline: &[[f64; 2]], [low, high]: [f64; 2]) -> Triangles {
    let at = |z: f64| outline.iter().map(move |[x, y]| [*x, *y, z]);
    let mut triangles = Vec::new();
    for_each_side(outline.len(), |i, next, count| {
        quad(&mut triangles, [i, next, count + next, count + i]);
    });
    (at(low).chain(at(high)).collect(), triangles)
}

/// The solid between two outlines of as many points, with a wall outside, one inside, and a rim above and below.
fn ring(outer: &[[f64; 2]], inner: &[[f64; 2]], heights: [f64; 2]) -> Triangles {
    let (mut vertices, mut triangles) = wall(outer, heights);
    let (more, inside) = wall(inner, heights);
    let first = vertices.len() as u32;
    vertices.extend(more);
    triangles.extend(inside.iter().map(|[a, b, c]| [first + a, first + c, first + b]));
    for_each_side(outer.len(), |i, next, count| {
        quad(&mut triangles, [count + i, count + next, first + count + next, first + count + i]);
        quad(&mut triangles, [next, i, first + i, first + next]);
    });
    (vertices, triangles)
}

/// The solid within an outline around the axis.
fn prism(outline: &[[f64; 2]], heights: [f64; 2]) -> Triangles {
    let (mut vertices, mut triangles) = wall(outline, heights);
    let middle = vertices.len() as u32;
    vertices.extend(heights.map(|z| [0.0, 0.0, z]));
    for_each_side(outline.len(), |i, next, count| {
        triangles.extend([[middle, next, i], [middle + 1, count + i, count + next]]);
    });
    (vertices, triangles)
}

/// A box between two corners.
fn block(low: [f64; 3], high: [f64; 3]) -> Triangles {
    let outline = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
    let (vertices, mut triangles) = wall(&outline, [low[2], high[2]]);
    quad(&mut triangles, [3, 2, 1, 0]);
    quad(&mut triangles, [4, 5, 6, 7]);
    (vertices, triangles)
}

/// Calls back with every side of an outline: its two points, and how many there are.
fn for_each_side(count: usize, mut call: impl FnMut(u32, u32, u32)) {
    let count = count as u32;
    (0..count).for_each(|i| call(i, (i + 1) % count, count));
}

fn quad(triangles: &mut Vec<[u32; 3]>, [a, b, c, d]: [u32; 4]) {
    triangles.extend([[a, b, c], [a, c, d]]);
}

#[cfg(test)]
mod tests {
    use super::{Form, train};

    #[test]
    fn every_part_is_a_sound_solid() {
        for part in train().unwrap().parts {
            let Form::Mesh(mesh, _) = part.body.form else { panic!("{} is no mesh", part.name) };
            assert!(mesh.health().is_solid(), "{}: {}", part.name, mesh.health());
        }
    }
}
