//! Separating axes for the penetration depth of convex polyhedra, with and without spheres inside them that cull axes.
//!
//! The overlap of the spheres along an axis is at most that of the polyhedra: where it is more than the least overlap so far, the axis
//! need not be looked at. Faces alone are compared; `hull_hull::widest_axis` of the library, with edges, does the same.

use super::points;
use crate::chart::{Axis, Corner, Panel, Series};
use crate::error::LabError;
use crate::finding::{Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::setting::hierarchy::geometric;
use crate::table::Table;
use crate::timing::{ROUNDS, Rounds, Spread, repeated};
use impinge::geom::Pose;
use impinge::geom::glam::DVec3;
use impinge::geom::hull::Hull;
use impinge::geom::support::Support;
use std::hint::black_box;

/// Hulls of one size, at one depth.
pub(super) struct Culled {
    faces: usize,
    depth: f64,
    /// Axes that were projected on, without and with spheres.
    axes: [u64; 2],
    /// Times without, and with.
    times: Rounds,
}

/// Distances of the centres, over the sum of the inner radii: deep to slight.
const DEPTHS: [f64; 3] = [0.3, 0.8, 1.2];
const CORNERS: [usize; 4] = [8, 32, 128, 512];

/// The largest gap (the least overlap, negative) over the face normals of both, and on how many axes was projected.
fn least_overlap<const CULL: bool>(a: &Hull, b: &Hull, pose: &Pose) -> (f64, u64) {
    let (mut best, mut projected) = (f64::NEG_INFINITY, 0);
    for (own, other, pose) in [(a, b, *pose), (b, a, pose.inverse())] {
        let between = pose.transform_point(other.center()) - own.center();
        let inner = own.inner_radius() + other.inner_radius();
        for face in 0..own.face_count() as u32 {
            let normal = own.face_normal(face);
            // How far the spheres are apart along the normal is at least how far the hulls are.
            if CULL && normal.dot(between) - inner <= best {
                continue;
            }
            projected += 1;
            let deepest = other.support(pose.inverse_rotate(-normal)).point;
            best = best.max(normal.dot(pose.transform_point(deepest)) - own.face_offset(face));
        }
    }
    (best, projected)
}

pub(super) fn measure(session: &Session<'_>) -> Result<(Table, Vec<Culled>), LabError> {
    let placements = session.pick(100, 400, 2000);
    let mut random = Random::new(session.seed + 7);
    let mut found = Vec::new();
    for corners in CORNERS {
        let hull =
            |random: &mut Random| Hull::new(&points(corners, random)).map_err(LabError::failed);
        let (a, b) = (hull(&mut random)?, hull(&mut random)?);
        for depth in DEPTHS {
            session.step(
                "inner spheres",
                found.len() as u64,
                (CORNERS.len() * DEPTHS.len()) as u64,
            )?;
            let poses = placed(&a, &b, depth, placements, &mut random)?;
            let mut axes = [0; 2];
            for pose in &poses {
                let (all, some) =
                    (least_overlap::<false>(&a, &b, pose), least_overlap::<true>(&a, &b, pose));
                if all.0 != some.0 {
                    return Err(LabError::failed("culling changed the least overlap"));
                }
                axes[0] += all.1;
                axes[1] += some.1;
            }
            let mut without = || {
                for pose in &poses {
                    let _ = black_box(least_overlap::<false>(&a, &b, pose));
                }
            };
            let mut with = || {
                for pose in &poses {
                    let _ = black_box(least_overlap::<true>(&a, &b, pose));
                }
            };
            let times = repeated(ROUNDS, &mut [&mut without, &mut with]);
            let faces = a.face_count() + b.face_count();
            found.push(Culled { faces, depth, axes, times });
        }
    }
    let mut table = Table::new("culling", "Least overlap of two hulls over their face normals")
        .column("faces of both", "")
        .column("distance of centres / inner radii", "")
        .column("axes, all", "")
        .column("axes, culled by inner spheres", "")
        .varying("time without / time with spheres", "");
    for Culled { faces, depth, axes, times } in &found {
        table.row([
            (*faces).into(),
            (*depth).into(),
            axes[0].into(),
            axes[1].into(),
            times.ratio(0, 1).median.into(),
        ]);
    }
    Ok((table, found))
}

fn placed(
    a: &Hull,
    b: &Hull,
    depth: f64,
    count: usize,
    random: &mut Random,
) -> Result<Vec<Pose>, LabError> {
    let reach = (a.inner_radius() + b.inner_radius()) * depth;
    (0..count)
        .map(|_| {
            let turned = Pose::new(random.quaternion(), [0.0; 3]).map_err(LabError::failed)?;
            let to = a.center() + DVec3::from_array(random.direction()) * reach
                - turned.rotate(b.center());
            turned.with_translation(to.to_array()).map_err(LabError::failed)
        })
        .collect()
}

pub(super) fn panel(found: &[Culled]) -> Panel {
    let series = DEPTHS.into_iter().map(|depth| {
        let kept = found.iter().filter(|one| one.depth == depth);
        Series::line(
            format!("centres {depth} inner radii apart"),
            kept.map(|one| (one.faces as f64, one.times.ratio(0, 1).median)).collect(),
        )
    });
    Panel {
        title: "Depth by face normals, inner spheres cull axes".into(),
        across: Axis::logarithmic("faces of both hulls"),
        up: Axis::linear("time without / time with spheres"),
        series: series.collect(),
        legend: Corner::UpperLeft,
    }
}

pub(super) fn judge(finding: &mut Finding, found: &[Culled]) {
    let share = |one: &Culled| 1.0 - one.axes[1] as f64 / one.axes[0].max(1) as f64;
    let (least, most) = found
        .iter()
        .map(share)
        .fold((1.0, 0.0), |(low, high), x| (f64::min(low, x), f64::max(high, x)));
    let ratios: Vec<Vec<f64>> = found.iter().map(|one| one.times.ratios(0, 1)).collect();
    let mean = Spread::of_means(&ratios, |values| geometric(values));
    let medians = || found.iter().map(|one| one.times.ratio(0, 1).median);
    let (slowest, fastest) = (medians().fold(f64::MAX, f64::min), medians().fold(0.0, f64::max));
    // The mean decides: the best of many times may be a lucky one. A quarter is substantial.
    finding.claim(
        "a sphere inside each convex polyhedron culls axis tests, which can result in a substantial increase in performance",
        format!("{:.0} to {:.0} % of the face normals need no projection; {mean} times as fast (mean over {} rows; median and middle half of {} rounds), {slowest:.2} to {fastest:.2} times by size and depth.", 100.0 * least, 100.0 * most, found.len(), mean.repeats),
        match mean.low {
            1.25.. => Verdict::Reproduced,
            1.1.. => Verdict::Partly,
            _ => Verdict::Differs,
        },
        "",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::geom::pair::hull_hull;

    #[test]
    fn culling_changes_nothing_and_faces_bound_the_library_from_below() {
        let mut random = Random::new(9);
        let hull = |random: &mut Random| Hull::new(&points(30, random)).unwrap();
        let (a, b) = (hull(&mut random), hull(&mut random));
        let mut culled = 0;
        for pose in placed(&a, &b, 0.8, 50, &mut random).unwrap() {
            let (all, some) =
                (least_overlap::<false>(&a, &b, &pose), least_overlap::<true>(&a, &b, &pose));
            assert_eq!(all.0, some.0);
            assert_eq!(all.1, (a.face_count() + b.face_count()) as u64);
            culled += all.1 - some.1;
            let widest = hull_hull::widest_axis(&a, &b, &pose).unwrap();
            assert!(widest.gap >= all.0 - 1e-12);
        }
        assert!(culled > 0);
    }
}
