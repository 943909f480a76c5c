//! A mesh that moves and turns against itself: steps of a certified length between distances at rest.
//!
//! The distances are impinge's, which the workload `distance` and `cargo xtask soak mesh` compare with others and with brute force; its times of impact take no
//! part.

use std::cell::RefCell;

use super::Truth;
use crate::motion::format::Hull;
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};
use impinge::{Motion, Pose, RigidMotion};

/// The distance that counts as contact, and the number of steps.
const MET: f64 = 1e-9;
const STEPS: usize = 20_000;

thread_local! {
    /// The mesh of the last query, whose hierarchy is not built again.
    static LAST: RefCell<Option<(Hull, Mesh)>> = const { RefCell::new(None) };
}

/// The truth of one query.
pub fn truth(hull: &Hull, numbers: &[f64]) -> Truth {
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(known, _)| known != hull) {
            *last = Mesh::new(&hull.0, &hull.1).ok().map(|mesh| (hull.clone(), mesh));
        }
        let unknown = Truth { time: None, margin: 0.0 };
        last.as_ref().and_then(|(_, mesh)| walk(mesh, &hull.0, numbers)).unwrap_or(unknown)
    })
}

/// The motion of B.
pub fn motion(numbers: &[f64]) -> Option<RigidMotion> {
    let point = |at: usize| [numbers[at], numbers[at + 1], numbers[at + 2]];
    let turn = if numbers.len() > 10 { point(10) } else { [0.0; 3] };
    let start = Pose::new([numbers[0], numbers[1], numbers[2], numbers[3]], point(4)).ok()?;
    RigidMotion::turning(&start, [0.0; 3], point(7), turn).ok()
}

fn walk(mesh: &Mesh, vertices: &[[f64; 3]], numbers: &[f64]) -> Option<Truth> {
    let motion = motion(numbers)?;
    let length = |at: usize| numbers[at..at + 3].iter().map(|x| x * x).sum::<f64>().sqrt();
    let square = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>();
    let reach = vertices.iter().map(square).fold(0.0, f64::max).sqrt();
    let turn = if numbers.len() > 10 { length(10) } else { 0.0 };
    let speed = length(7) + turn * reach;
    let mut scratch = Scratch::default();
    let (mut t, mut margin) = (0.0, f64::INFINITY);
    for _ in 0..STEPS {
        let place = ScaledPose { pose: motion.pose(t), scale: 1.0 };
        let gap = mesh::distance(mesh, mesh, &place, &mut scratch).distance;
        if gap <= MET {
            let depth = (1.0 - t).min(1e-3) * speed;
            return Some(Truth { time: Some(t), margin: depth });
        }
        margin = margin.min(gap);
        t += gap / speed;
        if t > 1.0 {
            return Some(Truth { time: None, margin });
        }
    }
    None
}
