//! How close do they come?
//!
//! Two shapes go to the kernel. For all else the least distance is bracketed by impacts with a clearance: a motion that is free with the clearance c never
//! comes nearer than c, and one that is not does so at a time at which the distance can be measured.

use super::batch::batch;
use super::geometry::GeometryRef;
use super::impact::{Start, impact_with};
use super::{Distance, ImpactSettings, Workspace, distance_with};
use impinge_geom::motion::{Motion, MovingShape, minimum};
use impinge_geom::{Certainty, Pose};

/// The minimum distance of two geometries over a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MinimumDistance {
    /// The time of the smallest distance found.
    pub t: f64,
    /// At no time is the distance smaller than this.
    pub lower: f64,
    /// The distance at that time, its points and children; zero if they meet.
    pub closest: Distance,
    /// `Exact` if the distance is within the tolerance of the lower bound, else `Bound`.
    pub certainty: Certainty,
}

/// Rounds of bracketing at most.
const ROUNDS: u32 = 60;

/// The minimum distance of two moving geometries over the time from 0 to 1, and when; zero if they meet. The true one is between `lower` and the distance,
/// which differ by at most a hundred-thousandth of the distance at the start, or the answer is labelled a bound.
///
/// ```
/// use impinge::{Pose, RigidMotion, Shape, query};
/// let (pillar, block) = (Shape::cylinder(0.5, 2.0)?, Shape::cuboid([0.5; 3])?);
/// let passing = RigidMotion::linear(&Pose::from_translation([-4.0, 2.0, 0.0])?, [8.0, 0.0, 0.0])?;
/// let least = query::minimum_distance(&Pose::IDENTITY, &pillar, &passing, &block);
/// assert!((least.closest.distance - 1.0).abs() < 1e-4 && least.lower <= 1.0);
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
pub fn minimum_distance<'a, 'b>(
    motion_a: &dyn Motion,
    a: impl Into<GeometryRef<'a>>,
    motion_b: &dyn Motion,
    b: impl Into<GeometryRef<'b>>,
) -> MinimumDistance {
    minimum_distance_with(motion_a, a, motion_b, b, &mut Workspace::default())
}

/// Like [`minimum_distance()`], with the caller's memory.
pub fn minimum_distance_with<'a, 'b>(
    motion_a: &dyn Motion,
    a: impl Into<GeometryRef<'a>>,
    motion_b: &dyn Motion,
    b: impl Into<GeometryRef<'b>>,
    workspace: &mut Workspace,
) -> MinimumDistance {
    ask_both([motion_a, motion_b], a.into(), b.into(), workspace)
}

/// Like [`minimum_distance()`], for many pairs of motions of A and B, on all threads.
pub fn minimum_distance_batch<'a, 'b>(
    a: impl Into<GeometryRef<'a>>,
    b: impl Into<GeometryRef<'b>>,
    motions: &[[&dyn Motion; 2]],
) -> Vec<MinimumDistance> {
    let (a, b) = (a.into(), b.into());
    batch(motions, |motions, workspace| ask_both(*motions, a, b, workspace))
}

/// The minimum distance is found to within this share of the distance at the start.
const SHARE: f64 = 1e-5;

fn ask_both(
    motions: [&dyn Motion; 2],
    a: GeometryRef<'_>,
    b: GeometryRef<'_>,
    workspace: &mut Workspace,
) -> MinimumDistance {
    let measure = |t: f64, workspace: &mut Workspace| {
        let [pose_a, pose_b] = motions.map(|motion| motion.pose(t));
        distance_with(&pose_a, a, &pose_b, b, workspace)
    };
    let mut best = (0.0, measure(0.0, workspace));
    let tolerance = SHARE * best.1.distance;
    let mut lower = 0.0;
    if let Some(found) = of_shapes(motions, a, b, tolerance, workspace) {
        best = (found.t, measure(found.t, workspace));
        lower = found.lower;
    } else {
        let end = measure(1.0, workspace);
        if end.distance < best.1.distance {
            best = (1.0, end);
        }
        for _ in 0..ROUNDS {
            let room = best.1.distance - lower;
            if room <= tolerance {
                break;
            }
            // Near the end the last step proves that nothing is nearer than what was found.
            let clearance =
                if room <= 4.0 * tolerance { lower + 0.75 * room } else { lower + 0.5 * room };
            // Motions that graze the clearance take many steps.
            let settings = ImpactSettings { clearance, tolerance: 1e-7, max_steps: 2000 };
            let found = impact_with(motions[0], a, motions[1], b, &settings, workspace);
            let Some(first) = found.first else {
                lower = clearance;
                continue;
            };
            let [from, to] = first.interval;
            if found.start == Start::Free && to - from <= 1e-6 {
                best = descend(to, best, |t| measure(t, workspace));
            }
            // A contact that is not proven, or wide, need not be nearer than what is known.
            if best.1.distance > clearance + 0.5 * tolerance {
                break;
            }
        }
    }
    let certain = best.1.distance - lower <= tolerance;
    let certainty = if certain { best.1.certainty } else { Certainty::Bound };
    MinimumDistance { t: best.0, lower: lower.min(best.1.distance), closest: best.1, certainty }
}

/// Follows the distance downhill from a time, by steps that double and then halve; the better of what was known and what is found.
fn descend(
    from: f64,
    best: (f64, Distance),
    mut measure: impl FnMut(f64) -> Distance,
) -> (f64, Distance) {
    let mut here = (from, measure(from));
    let (mut step, mut grow) = (1e-3, true);
    for _ in 0..24 {
        let next = (here.0 + step).clamp(0.0, 1.0);
        let found = if next == here.0 { here } else { (next, measure(next)) };
        if found.1.distance < here.1.distance {
            here = found;
            step *= if grow { 2.0 } else { 1.0 };
        } else {
            grow = false;
            step *= -0.4;
        }
    }
    if here.1.distance < best.1.distance { here } else { best }
}

/// Two single shapes, by the kernel.
fn of_shapes(
    motions: [&dyn Motion; 2],
    a: GeometryRef<'_>,
    b: GeometryRef<'_>,
    tolerance: f64,
    workspace: &mut Workspace,
) -> Option<minimum::Minimum> {
    let (a, b) = (a.only_part(&Pose::IDENTITY)?, b.only_part(&Pose::IDENTITY)?);
    let (shape_a, shape_b) = (a.part.shape()?, b.part.shape()?);
    let moving_a = MovingShape::placed(shape_a, &a.pose, motions[0]);
    let moving_b = MovingShape::placed(shape_b, &b.pose, motions[1]);
    let work = (tolerance, 10_000);
    Some(minimum::minimum_distance(&moving_a, &moving_b, [0.0, 1.0], work, &mut workspace.cache))
}
