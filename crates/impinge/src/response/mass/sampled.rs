//! Integrals over convex shapes that are known by their support function: the hull of their farthest points along many directions stands for them.

use super::{MassMoments, polyhedron};
use impinge_geom::glam::DVec3;
use impinge_geom::shape::Hull;
use impinge_geom::{Shape, Support as _};

/// The faces of an octahedron are divided so often: 1026 directions.
const DIVISIONS: u32 = 16;

/// Of the hull of farthest points. It is inside of the shape; for a ball its volume is too small by about half a percent.
pub(super) fn moments(shape: &Shape) -> MassMoments {
    let (core, radius) = shape.split();
    let mut points = Vec::new();
    for direction in directions() {
        points.push((core.support(direction).point + radius * direction).to_array());
    }
    match Hull::new(&points) {
        Ok(hull) => polyhedron::moments(hull.vertices(), hull.triangles()),
        Err(_) => MassMoments::NONE,
    }
}

/// Unit vectors all around: the points with whole coordinates on the octahedron |x| + |y| + |z| = `DIVISIONS`.
fn directions() -> impl Iterator<Item = DVec3> {
    let most = DIVISIONS as i32;
    (-most..=most).flat_map(move |x| {
        let left = most - x.abs();
        (-left..=left).flat_map(move |y| {
            let z = left - y.abs();
            let both = if z == 0 { &[0][..] } else { &[-1, 1][..] };
            both.iter().map(move |sign| {
                DVec3::new(f64::from(x), f64::from(y), f64::from(sign * z)).normalize()
            })
        })
    })
}
