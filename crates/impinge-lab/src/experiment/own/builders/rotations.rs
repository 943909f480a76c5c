//! The k-DOP of a body that turns, three ways: by climbing on its hull, by the corners of its first k-DOP, and by sums of directions.
//!
//! J. Klosowski and others, "Efficient collision detection using bounding volume hierarchies of k-DOPs" (1998), section 3, has the
//! first two; hierarchies use the third. Each is compared with the k-DOP of the turned points themselves.

use crate::clock::Clock;
use crate::error::LabError;
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use impinge::geom::Pose;
use impinge::geom::bound::{Bound, Frame, Kdop, Moments, RelativeFrame};
use impinge::geom::glam::{DMat3, DVec3, Vec3A};
use impinge::geom::hull::Hull;
use std::hint::black_box;

const WAYS: [&str; 3] = ["hill climbing", "corners", "sums"];

/// What became of one way over all rotations.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// How much longer the slabs are than those of the turned points: mean and most.
    looseness: [f64; 2],
    nanoseconds: f64,
    /// Rotations after which a point was outside.
    outside: usize,
}

/// A hundred small turns about each of many axes.
fn rotations(count: usize) -> Vec<Pose> {
    let mut random = Random::new(41);
    let mut axis = [0.0; 3];
    (0..count)
        .filter_map(|round| {
            if round % 100 == 0 {
                axis = random.direction();
            }
            let [x, y, z] = axis.map(|x| x * (round % 100) as f64 / 50.0);
            let length = (1.0 + x * x + y * y + z * z).sqrt();
            Pose::new([1.0, x, y, z].map(|q| q / length), [0.0; 3]).ok()
        })
        .collect()
}

/// A body of points, and its hull.
fn body() -> Option<(Vec<DVec3>, Hull)> {
    let mut random = Random::new(5);
    let stretch = DVec3::new(1.0, 0.6, 0.3);
    let points: Vec<DVec3> =
        (0..500).map(|_| DVec3::from_array(random.direction()) * stretch).collect();
    let arrays: Vec<[f64; 3]> = points.iter().map(|p| p.to_array()).collect();
    Hull::new(&arrays).ok().map(|hull| (points, hull))
}

/// All ways for one number of directions.
fn compare<const HALF: usize>(points: &[DVec3], hull: &Hull, poses: &[Pose]) -> [Found; 3] {
    let local: Vec<Vec3A> = points.iter().map(|p| p.as_vec3a()).collect();
    let frame = Frame::new(DVec3::NEG_ONE, DVec3::ONE);
    let first = Kdop::<HALF>::fit(&local, &Moments::default(), frame.error());
    let corners = first.corners();
    let mut starts = Vec::new();
    let motion = |pose: &Pose| RelativeFrame::new(&frame, &frame, pose, 1.0).b_to_a;
    let motions: Vec<_> = poses.iter().map(motion).collect();
    let margin = motions.iter().fold(0.0, |most: f32, motion| most.max(motion.margin));
    let turns: Vec<DMat3> = poses.iter().map(Pose::rotation).collect();
    let climbed = timed(poses.len(), |k| Kdop::<HALF>::climbed(hull, turns[k], &mut starts, 0.0));
    let cornered = timed(poses.len(), |k| Kdop::<HALF>::turned_by_corners(&corners, turns[k]));
    let summed = timed(poses.len(), |k| first.turned(&motions[k]));
    let mut found = [Found::default(); 3];
    for (k, turn) in turns.iter().enumerate() {
        let turned: Vec<DVec3> = points.iter().map(|p| *turn * *p).collect();
        let here: Vec<Vec3A> = turned.iter().map(|p| p.as_vec3a()).collect();
        let anew = Kdop::<HALF>::fit(&here, &Moments::default(), 0.0);
        for (way, list) in [&climbed, &cornered, &summed].into_iter().enumerate() {
            let looseness = f64::from(list.0[k].looseness(&anew));
            let [mean, most] = &mut found[way].looseness;
            *mean += looseness / poses.len() as f64;
            *most = most.max(looseness);
            // Only sums leave rounding to the margin of the placement.
            let margin = if way == 2 { f64::from(margin) } else { 0.0 };
            found[way].outside += usize::from(!holds(&list.0[k], &turned, margin));
        }
    }
    for (found, nanoseconds) in found.iter_mut().zip([climbed.1, cornered.1, summed.1]) {
        found.nanoseconds = nanoseconds;
    }
    found
}

/// All results, and the nanoseconds of each on average.
fn timed<T>(count: usize, mut one: impl FnMut(usize) -> T) -> (Vec<T>, f64) {
    let start = Clock::start();
    let all = (0..count).map(|k| black_box(one(k))).collect();
    (all, start.seconds() * 1e9 / count.max(1) as f64)
}

/// True if no point is outside, in f64.
fn holds<const HALF: usize>(volume: &Kdop<HALF>, points: &[DVec3], margin: f64) -> bool {
    volume.slabs().all(|(n, [low, high])| {
        let [low, high] = [f64::from(low) - margin, f64::from(high) + margin];
        points.iter().all(|p| (low..=high).contains(&p.dot(n.as_dvec3())))
    })
}

/// All ways for some number of directions.
type Compare = fn(&[DVec3], &Hull, &[Pose]) -> [Found; 3];

/// The table, and how often a point was outside.
pub(super) fn table(count: usize, session: &Session<'_>) -> Result<(Table, usize), LabError> {
    let (points, hull) = body().ok_or_else(|| LabError::failed("the body has no hull"))?;
    let poses = rotations(count);
    let title = format!(
        "k-DOPs of a body of {} points under {} rotations: slabs over those of the turned points",
        points.len(),
        poses.len()
    );
    let mut table = Table::new("rotations", title)
        .column("k", "")
        .column("way", "")
        .column("mean", "")
        .column("most", "")
        .varying("time", "ns")
        .column("lost a point", "");
    let kinds: [(usize, Compare); 4] =
        [(14, compare::<7>), (18, compare::<9>), (26, compare::<13>), (36, compare::<18>)];
    let mut outside = 0;
    for (sides, compare) in kinds {
        session.step("k-DOPs that turn", sides as u64, 40)?;
        for (way, found) in WAYS.iter().zip(compare(&points, &hull, &poses)) {
            let [mean, most] = found.looseness;
            outside += found.outside;
            table.row([
                sides.into(),
                (*way).into(),
                mean.into(),
                most.into(),
                found.nanoseconds.into(),
                found.outside.into(),
            ]);
        }
    }
    Ok((table, outside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn climbing_is_tight_and_corners_are_tighter_than_sums() {
        let (points, hull) = body().unwrap();
        let [climbed, corners, sums] = compare::<13>(&points, &hull, &rotations(300));
        assert_eq!([climbed.outside, corners.outside, sums.outside], [0; 3]);
        assert!(climbed.looseness[1] < 1.001, "{climbed:?}");
        assert!(1.001 < corners.looseness[0], "{corners:?}");
        assert!(corners.looseness[0] < sums.looseness[0] + 1e-3, "{corners:?} {sums:?}");
        assert!(!holds(&Kdop::<7>::fit(&[], &Moments::default(), 0.0), &points, 0.0));
    }
}
