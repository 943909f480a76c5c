//! Triangles with moving corners, both ways; and the bound on the time to impact.

use super::{FAULT, Options, Report, schedule};
use impinge::geom::glam::DVec3;
use impinge::geom::moving::{advanced_triangles, moving_triangles, time_to_impact_bound};
use impinge::geom::pair::{self, Cache};
use impinge::geom::triangle::{self, TriangleVerdict};
use impinge::geom::{Pose, Shape};
use impinge_lab::Random;

const TOLERANCE: f64 = 1e-9;

fn triangle_at(random: &mut Random, center: DVec3) -> [DVec3; 3] {
    [(); 3].map(|()| DVec3::from_array(random.point()) * 0.5 + center)
}

/// One pair of triangles: the exact time, the advanced one, and what is seen in between.
pub(super) fn one(options: &Options, index: u64, report: &mut Report) {
    let mut random =
        Random::new(options.seed.wrapping_mul(0xaf25_1af3_b0f0_25b5).wrapping_add(index));
    let mut center = || DVec3::from_array(random.point()) * 1.5;
    let centers = [center(), center(), center(), center()];
    let [a0, a1, b0, b1] = centers.map(|center| triangle_at(&mut random, center));
    let (a, b) = ([a0, a1], [b0, b1]);
    let mut exact = moving_triangles(&a, &b);
    if options.inject_fault && index.is_multiple_of(FAULT) {
        exact = if exact.is_some() { None } else { Some(0.5) };
    }
    let advanced = advanced_triangles(&a, &b, TOLERANCE);
    report.hash.number(exact.unwrap_or(2.0));
    report.steps += advanced.map_or(0, |found| u64::from(found.steps));
    report.triangles[usize::from(exact.is_some())] += 1;
    let at = |t: &[[DVec3; 3]; 2], time: f64| [0, 1, 2].map(|i| t[0][i].lerp(t[1][i], time));
    let wrong = match (exact, advanced) {
        (Some(time), Some(found)) => {
            let gap = triangle::distance(&at(&a, time), &at(&b, time)).distance;
            (gap > 1e-6 || found.time > time + 1e-7)
                .then(|| format!("exact {time:?} with a gap of {gap:e}, advanced {found:?}"))
        }
        (Some(time), None) => Some(format!("exact {time:?}, advanced never")),
        // They come within the tolerance.
        (None, Some(found)) if found.gap > TOLERANCE => Some(format!("never, but {found:?}")),
        _ => None,
    };
    let end = exact.unwrap_or(1.0);
    let times = (0..32).map(|i| end * f64::from(i) / 32.0);
    let crossed = times
        .filter(|t| *t < end)
        .find(|&t| triangle::verdict(&at(&a, t), &at(&b, t)) == TriangleVerdict::Crossing);
    if let Some(what) = wrong.or(crossed.map(|t| format!("{exact:?}, crossing at {t:?}"))) {
        report.failures.add(|| format!("moving triangles {index}: {what}\n  {a:?}\n  {b:?}"));
    }
}

/// One pair of boxes that fly with a constant acceleration: they are free until the bound.
pub(super) fn bound(options: &Options, index: u64, report: &mut Report) {
    if index.is_multiple_of(schedule::EVERY) {
        schedule::scene(options, index, report);
    }
    let mut random =
        Random::new(options.seed.wrapping_mul(0x8cb9_2ba7_2f3d_8dd7).wrapping_add(index));
    let mut half = || [(); 3].map(|()| random.between(0.1, 1.0));
    let (Ok(a), Ok(b)) = (Shape::cuboid(half()), Shape::cuboid(half())) else { return };
    let start = DVec3::from_array(random.point()) * 6.0;
    let velocity = DVec3::from_array(random.point()) * 3.0;
    let acceleration = DVec3::from_array(random.point()) * random.between(0.0, 3.0);
    let rotation = random.quaternion();
    let gap = |t: f64| {
        let moved = start + velocity * t + acceleration * (0.5 * t * t);
        let pose = Pose::new(rotation, moved.to_array()).ok()?;
        pair::signed_distance(&a, &b, &pose, &mut Cache::default())
    };
    let Some(found) = gap(0.0) else { return };
    let speed = -found.normal.dot(velocity);
    let mut bound = time_to_impact_bound(found.distance, speed, acceleration.length());
    if options.inject_fault && index.is_multiple_of(FAULT) {
        bound = 100.0;
    }
    report.hash.number(bound);
    report.bounds += 1;
    // Queries that a caller who asks 100 times per unit of time may skip.
    report.saved += (bound.min(2.0) * 100.0) as u64;
    let end = bound.min(10.0);
    for i in 1..=16 {
        let t = end * f64::from(i) / 16.0;
        let now = gap(t).map_or(f64::NAN, |found| found.distance);
        if found.distance > 0.0 && (now.is_nan() || now < -TOLERANCE) {
            report
                .failures
                .add(|| format!("bound {index}: {bound:?}, but a gap of {now:e} at {t:?}"));
            return;
        }
    }
}
