//! Rays into a mesh, drawn as text: `cargo run --release -p impinge --example raycast`
#![allow(clippy::print_stdout)]

use impinge::geom::{bound::Aabb, ray::Ray};
use impinge::mesh::Scratch;
use impinge::{Mesh, Pose, query};
use std::error::Error;

const WIDTH: u32 = 60;
const HEIGHT: u32 = 24;

fn main() -> Result<(), Box<dyn Error>> {
    // An octahedron. Any mesh will do: `impinge_io::read` gives vertices and triangles of a file.
    let corners = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let faces =
        [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]];
    let mesh = Mesh::new(&corners, &faces)?;
    let turned = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.0, 0.0, 0.0])?;

    // One ray per character, straight down. The hit carries the point, the normal and the triangle.
    for row in 0..HEIGHT {
        let mut line = String::new();
        for column in 0..WIDTH {
            let x = 2.4 * (f64::from(column) + 0.5) / f64::from(WIDTH) - 1.2;
            let y = 1.2 - 2.4 * (f64::from(row) + 0.5) / f64::from(HEIGHT);
            let ray = Ray::new([x, y, 5.0], [0.0, 0.0, -1.0])?;
            line.push(match query::cast_ray(&turned, &mesh, &ray) {
                Some(hit) if hit.normal.z > 0.85 => '#',
                Some(hit) if hit.normal.z > 0.5 => '+',
                Some(_) => '.',
                None => ' ',
            });
        }
        println!("{}", line.trim_end());
    }

    // For many rays, build the mesh over axis-aligned boxes and cast them in one call, in the mesh's own frame.
    let for_rays = Mesh::<Aabb>::with_volume(&corners, &faces)?;
    let down = |x: f64| Ray::new([x, 0.2, 5.0], [0.0, 0.0, -1.0]);
    let rays = [down(0.1)?, down(0.5)?, down(3.0)?];
    let mut hits = Vec::new();
    for_rays.cast_rays(&rays, &mut Scratch::default(), &mut hits);
    for hit in hits {
        println!("{:?}", hit.map(|hit| (hit.triangle, hit.hit.t)));
    }
    Ok(())
}
