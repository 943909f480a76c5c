//! Do two meshes meet, and which triangles do? `cargo run --release -p impinge --example mesh_overlap`
#![allow(clippy::print_stdout)]

use impinge::{Mesh, Pose, query};
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, TAU};

fn main() -> Result<(), Box<dyn Error>> {
    let ring = torus(1.0, 0.25, 96, 48)?;
    println!("{} triangles, closed: {}", ring.triangles().len(), ring.is_closed());

    // The second ring stands upright in the hole of the first, like two links of a chain.
    let origin = Pose::IDENTITY;
    let upright = |x: f64| Pose::from_axis_angle([1.0, 0.0, 0.0], FRAC_PI_2, [x, 0.0, 0.0]);
    let linked = upright(1.0)?;
    println!("linked: {:?}", query::relation(&origin, &ring, &linked, &ring).verdict);
    let gap = query::distance(&origin, &ring, &linked, &ring);
    let [on_a, on_b] = gap.features.map(|feature| feature.triangle);
    println!("clearance {:.6} between triangles {on_a:?} and {on_b:?}", gap.distance);

    // Pulled until they collide.
    let pulled = upright(1.6)?;
    println!("pulled: {:?}", query::relation(&origin, &ring, &pulled, &ring).verdict);
    let pairs = query::triangle_pairs(&origin, &ring, &pulled, &ring);
    let found = query::signed_distance(&origin, &ring, &pulled, &ring);
    println!("{} pairs meet, depth {:.6} ({:?})", pairs.len(), -found.distance, found.certainty);

    // Many poses at once, on all threads, with the same bits as one by one.
    let poses = (0..8).map(|i| upright(0.25 * f64::from(i)).map(|pose| [origin, pose]));
    let poses = poses.collect::<Result<Vec<_>, _>>()?;
    println!("colliding: {:?}", query::intersects_batch(&ring, &ring, &poses));
    Ok(())
}

/// A torus around z.
fn torus(major: f64, minor: f64, n: u32, m: u32) -> Result<Mesh, impinge::mesh::MeshError> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (sin_u, cos_u) = (TAU * f64::from(i) / f64::from(n)).sin_cos();
        for j in 0..m {
            let (sin_v, cos_v) = (TAU * f64::from(j) / f64::from(m)).sin_cos();
            let radius = major + minor * cos_v;
            vertices.push([radius * cos_u, radius * sin_u, minor * sin_v]);
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(&vertices, &triangles)
}
