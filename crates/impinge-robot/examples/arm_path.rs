//! A planar arm of two bars swings past a pillar: when does it hit, or how close does it come?
#![allow(clippy::print_stdout)]

use impinge::{Pose, Shape, query};
use impinge_robot::{Freedom, Joint, KinematicTree};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let z = [0.0, 0.0, 1.0];
    let shoulder = Joint::new("shoulder", 0, 1, Freedom::turn([0.0; 3], z)?);
    let elbow = Joint::new("elbow", 1, 2, Freedom::turn([1.0, 0.0, 0.0], z)?);
    let arm = KinematicTree::new(3, vec![shoulder, elbow])?;

    // Key frames: a time in seconds, and the positions of both joints in radians.
    let path = arm.path(&[
        (0.0, &[(0, 0.0), (1, 0.0)]),
        (1.0, &[(0, 0.8), (1, 1.2)]),
        (2.0, &[(0, 1.6), (1, 0.0)]),
    ])?;
    let bar = Shape::cuboid([0.5, 0.04, 0.04])?;
    let forearm = arm.motion(&path, 2, &Pose::from_translation([1.5, 0.0, 0.0])?, [0.0; 3])?;

    for distance in [1.4, 1.7, 2.1] {
        let pillar = Shape::cylinder(0.05, 1.0)?;
        let place = Pose::from_translation([0.2, distance, 0.0])?;
        let found = query::impact(&forearm, &bar, &place, &pillar);
        match found.first {
            Some(first) => {
                let [from, to] = first.interval.map(|t| 2.0 * t);
                println!("pillar at y = {distance}: free up to {from:.6} s, contact at {to:.6} s");
            }
            None => {
                let least = query::minimum_distance(&forearm, &bar, &place, &pillar);
                let (gap, t) = (least.closest.distance, 2.0 * least.t);
                println!("pillar at y = {distance}: free, {gap:.4} m left at {t:.3} s");
            }
        }
    }
    Ok(())
}
