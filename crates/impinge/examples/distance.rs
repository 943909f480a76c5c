//! How far apart are two shapes, and how deep do they penetrate? `cargo run --release -p impinge --example distance`
#![allow(clippy::print_stdout)]

use impinge::query::{self, Workspace};
use impinge::{Pose, Shape};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let block = Shape::cuboid([1.0, 1.0, 1.0])?; // half sizes
    let ball = Shape::sphere(2.0)?;
    let origin = Pose::IDENTITY;

    // Apart: the gap, the two closest points, and how far the number can be trusted.
    let above = Pose::from_translation([0.0, 0.0, 5.0])?;
    let gap = query::distance(&origin, &block, &above, &ball);
    println!(
        "gap {} between {} and {} ({:?})",
        gap.distance, gap.points[0], gap.points[1], gap.certainty
    );

    // Penetrating: a negative distance is the depth, and `normal` the direction that separates the two.
    let lower = Pose::from_translation([0.0, 0.0, 2.5])?;
    let depth = query::signed_distance(&origin, &block, &lower, &ball);
    println!("depth {} along {}", -depth.distance, depth.normal);
    println!("verdict {:?}", query::relation(&origin, &block, &lower, &ball).verdict);

    // A pair that moves: a workspace with warm starts starts each search where the last one ended.
    let pin = Shape::cylinder(0.4, 1.5)?.rounded(0.1)?;
    let mut workspace = Workspace::with_warm_starts();
    for step in 0..5 {
        let angle = 0.1 * f64::from(step);
        let turned = Pose::from_axis_angle([1.0, 0.0, 0.0], angle, [0.0, 2.0, 0.0])?;
        let found = query::distance_with(&origin, &block, &turned, &pin, &mut workspace);
        println!("turned by {angle:.1} rad: {:.6}", found.distance);
    }
    Ok(())
}
