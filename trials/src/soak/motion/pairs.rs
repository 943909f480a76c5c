//! Translations: first and last time against the distance at rest, which other soaks prove.
//!
//! The distance of two convex bodies is a convex function of time while one of them moves on a line, so that its least value
//! can be searched for; of a polygon that is not convex it is sampled densely.

use super::{FAULT, Options, Report};
use impinge::geom::glam::DVec3;
use impinge::geom::moving::{self, Times};
use impinge::geom::pair::{self, Cache};
use impinge::geom::shape::Cuboid;
use impinge::geom::{Pose, Shape, triangle};
use impinge_lab::Random;

/// What moves against what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    SpherePlane,
    SphereHalfSpace,
    SphereSphere,
    SphereTriangle,
    SpherePolygon,
    CapsuleCapsule,
    BoxBox,
    TriangleBox,
    TriangleTriangle,
    HullHull,
    TaperedCapsules,
    TaperedCast,
    AnyAny,
}

impl Kind {
    /// All of them.
    pub(super) const ALL: [Self; 13] = [
        Self::SpherePlane,
        Self::SphereHalfSpace,
        Self::SphereSphere,
        Self::SphereTriangle,
        Self::SpherePolygon,
        Self::CapsuleCapsule,
        Self::BoxBox,
        Self::TriangleBox,
        Self::TriangleTriangle,
        Self::HullHull,
        Self::TaperedCapsules,
        Self::TaperedCast,
        Self::AnyAny,
    ];
}

/// How far a gap may be from zero, relative to the coordinates, which are of the order of one.
const TOLERANCE: f64 = 1e-9;

/// A motion with its answer: the gap at a time, the times of contact, and whether the last time is known.
struct Trial {
    gap: Box<dyn Fn(f64) -> f64>,
    times: Option<Times>,
    has_last: bool,
    convex: bool,
}

fn vector(random: &mut Random, size: f64) -> DVec3 {
    // Often along an axis or a diagonal of the grid.
    let p = if random.one_in(3) { random.grid(2).map(|x| 0.5 * x) } else { random.point() };
    DVec3::from_array(p) * size
}

/// A motion, every other time one that passes near the origin.
fn motion(random: &mut Random, from: DVec3) -> DVec3 {
    if random.one_in(2) { vector(random, 5.0) } else { vector(random, 1.0) - from * 1.7 }
}

fn positive(random: &mut Random) -> f64 {
    if random.one_in(4) { 0.5 } else { random.between(0.05, 1.0) }
}

fn points<const N: usize>(random: &mut Random) -> [DVec3; N] {
    [(); N].map(|()| vector(random, 1.0))
}

fn turned(random: &mut Random, at: DVec3) -> Option<Pose> {
    let rotation = if random.one_in(4) { [1.0, 0.0, 0.0, 0.0] } else { random.quaternion() };
    Pose::new(rotation, at.to_array()).ok()
}

/// The distance of two shapes at rest, the second moved.
fn shapes(a: Shape, b: Shape, pose: Pose, motion: DVec3) -> Box<dyn Fn(f64) -> f64> {
    Box::new(move |t| {
        let moved = Pose::from_translation((motion * t).to_array()).map(|step| step.compose(&pose));
        moved
            .ok()
            .and_then(|pose| pair::signed_distance(&a, &b, &pose, &mut Cache::default()))
            .map_or(f64::NAN, |found| found.distance)
    })
}

fn at(point: DVec3) -> Option<Pose> {
    Pose::from_translation(point.to_array()).ok()
}

fn with_sphere(kind: Kind, random: &mut Random) -> Option<Trial> {
    let (center, radius) = (vector(random, 3.0), positive(random));
    let motion = motion(random, center);
    let sphere = Shape::sphere(radius).ok()?;
    let unit = DVec3::from_array(random.direction());
    let offset = random.between(-1.0, 1.0);
    let (other, times) = match kind {
        Kind::SpherePlane => (
            Shape::plane(unit.to_array(), offset).ok()?,
            moving::sphere_plane(center, radius, unit, offset, motion),
        ),
        Kind::SphereHalfSpace => (
            Shape::half_space(unit.to_array(), offset).ok()?,
            moving::sphere_half_space(center, radius, unit, offset, motion),
        ),
        Kind::SphereSphere => {
            let other = positive(random);
            (Shape::sphere(other).ok()?, moving::sphere_sphere(center, radius + other, motion))
        }
        _ => {
            let corners: [DVec3; 3] = points(random);
            let times = moving::sphere_triangle(center, radius, &corners, motion);
            (Shape::triangle(corners.map(|p| p.to_array())).ok()?, times)
        }
    };
    Some(Trial {
        gap: shapes(other, sphere, at(center)?, motion),
        times,
        has_last: true,
        convex: true,
    })
}

/// A polygon that is seen whole from its middle: the triangles there cover it.
fn polygon(random: &mut Random) -> Trial {
    let (center, radius) = (vector(random, 3.0), positive(random));
    let motion = motion(random, center);
    let (u, v, middle) = (vector(random, 1.0), vector(random, 1.0), vector(random, 1.0));
    let count = random.whole(3, 9);
    let corners: Vec<DVec3> = (0..count)
        .map(|i| {
            let angle = std::f64::consts::TAU * i as f64 / count as f64;
            let reach = random.between(0.2, 1.5);
            middle + (u * angle.cos() + v * angle.sin()) * reach
        })
        .collect();
    let times = moving::sphere_polygon(center, radius, &corners, motion);
    let gap = move |t: f64| {
        let point = center + motion * t;
        let parts = corners.iter().zip(corners.iter().cycle().skip(1));
        let distance =
            parts.map(|(a, b)| triangle::distance(&[middle, *a, *b], &[point; 3]).distance);
        distance.fold(f64::INFINITY, f64::min) - radius
    };
    Trial { gap: Box::new(gap), times, has_last: true, convex: false }
}

fn closed_form(kind: Kind, random: &mut Random) -> Option<Trial> {
    let shift = vector(random, 3.0);
    let motion = motion(random, shift);
    let (gap, times) = match kind {
        Kind::CapsuleCapsule => {
            let (a, b): ([DVec3; 2], [DVec3; 2]) = (points(random), points(random));
            let b = if random.one_in(3) { [b[0], b[0] + (a[1] - a[0]) * 0.5] } else { b };
            let (ra, rb) = (positive(random), positive(random));
            let shape = |ends: [DVec3; 2], r: f64| {
                Shape::segment(ends.map(|p| p.to_array())).ok()?.rounded(r).ok()
            };
            let gap = shapes(shape(a, ra)?, shape(b, rb)?, at(shift)?, motion);
            (gap, moving::capsule_capsule((a, ra), (b.map(|p| p + shift), rb), motion))
        }
        Kind::TaperedCapsules => {
            let club = |random: &mut Random, pose: &Pose| {
                let (radii, half) = ([positive(random), positive(random)], positive(random));
                let shape = Shape::tapered_capsule(radii[0], radii[1], half).ok()?;
                Some((shape, ([-half, half].map(|z| pose.transform_point(DVec3::Z * z)), radii)))
            };
            let (first, a) = club(random, &Pose::IDENTITY)?;
            let pose = turned(random, shift)?;
            let (second, b) = club(random, &pose)?;
            let gap = shapes(first, second, pose, motion);
            (gap, moving::tapered_capsules(a, b, motion))
        }
        Kind::BoxBox => {
            let half = |random: &mut Random| [(); 3].map(|()| positive(random));
            let (a, b, pose) = (half(random), half(random), turned(random, shift)?);
            let gap = shapes(Shape::cuboid(a).ok()?, Shape::cuboid(b).ok()?, pose, motion);
            (gap, moving::box_box(&Cuboid::new(a).ok()?, &Cuboid::new(b).ok()?, &pose, motion))
        }
        Kind::TriangleBox => {
            let half = [(); 3].map(|()| positive(random));
            let corners: [DVec3; 3] = points(random);
            let triangle = Shape::triangle(corners.map(|p| p.to_array())).ok()?;
            let gap = shapes(Shape::cuboid(half).ok()?, triangle, at(shift)?, motion);
            let moved = corners.map(|p| p + shift);
            (gap, moving::triangle_box(&moved, &Cuboid::new(half).ok()?, motion))
        }
        _ => {
            let (a, b): ([DVec3; 3], [DVec3; 3]) = (points(random), points(random));
            let shape = |t: [DVec3; 3]| Shape::triangle(t.map(|p| p.to_array())).ok();
            let gap = shapes(shape(a)?, shape(b)?, at(shift)?, motion);
            (gap, moving::triangle_triangle(&a, &b.map(|p| p + shift), motion))
        }
    };
    Some(Trial { gap, times, has_last: true, convex: true })
}

fn any_shape(random: &mut Random) -> Option<Shape> {
    let [r, h] = [positive(random), positive(random)];
    match random.below(7) {
        0 => Shape::cuboid([(); 3].map(|()| positive(random))),
        1 => Shape::capsule(r, h),
        2 => Shape::cylinder(r, h),
        3 => Shape::cone(r, h),
        4 => Shape::ellipsoid([(); 3].map(|()| positive(random))),
        5 => Shape::triangle([(); 3].map(|()| random.point())),
        _ => return Shape::cuboid([(); 3].map(|()| positive(random))).ok()?.rounded(0.2).ok(),
    }
    .ok()
}

fn cast(kind: Kind, random: &mut Random) -> Option<Trial> {
    let shape = |random: &mut Random| match kind {
        Kind::HullHull => {
            let count = random.whole(4, 40);
            Shape::hull(&(0..count).map(|_| random.point()).collect::<Vec<_>>()).ok()
        }
        Kind::TaperedCast => {
            let radii = [positive(random), positive(random)];
            Shape::tapered_capsule(radii[0], radii[1], positive(random)).ok()
        }
        _ => any_shape(random),
    };
    let (a, b, start) = (shape(random)?, shape(random)?, vector(random, 3.0));
    let (pose, motion) = (turned(random, start)?, motion(random, start));
    let found = moving::convex(&a, &b, &pose, motion);
    let times = found.map(|found| Times { first: found.time, last: 1.0 });
    let gap = shapes(a, b, pose, motion);
    Some(Trial { gap, times, has_last: false, convex: true })
}

pub(super) fn one(options: &Options, index: u64, report: &mut Report) {
    let number = (index % Kind::ALL.len() as u64) as usize;
    let kind = Kind::ALL[number];
    let mut random =
        Random::new(options.seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(index));
    let made = match kind {
        Kind::SpherePlane | Kind::SphereHalfSpace | Kind::SphereSphere | Kind::SphereTriangle => {
            with_sphere(kind, &mut random)
        }
        Kind::SpherePolygon => Some(polygon(&mut random)),
        Kind::HullHull | Kind::TaperedCast | Kind::AnyAny => cast(kind, &mut random),
        _ => closed_form(kind, &mut random),
    };
    report.pairs.resize(Kind::ALL.len(), [0; 2]);
    // Points of a hull or a normal that happen to be refused.
    let Some(mut trial) = made else { return };
    if options.inject_fault && index.is_multiple_of(FAULT) {
        trial.times = match trial.times {
            Some(times) if times.first < 0.9 => Some(Times { first: times.first + 0.05, ..times }),
            Some(_) => None,
            None => Some(Times { first: 0.5, last: 0.6 }),
        };
    }
    let times = trial.times.map_or([2.0; 2], |times| [times.first, times.last]);
    times.into_iter().for_each(|time| report.hash.number(time));
    report.pairs[number][usize::from(trial.times.is_some())] += 1;
    if let Err(what) = judge(&trial) {
        report.failures.add(|| format!("{kind:?} {index}: {what}"));
    }
}

/// The least gap between two times: sampled, then searched for between the neighbours of the least sample.
fn least(trial: &Trial, from: f64, to: f64) -> (f64, f64) {
    let samples = if trial.convex { 6 } else { 64 };
    let step = (to - from) / f64::from(samples);
    let mut best = (f64::INFINITY, from);
    for i in 0..=samples {
        let t = from + step * f64::from(i);
        let gap = (trial.gap)(t);
        if gap.is_nan() || gap < best.0 {
            best = (gap, t);
        }
    }
    let (mut low, mut high) = ((best.1 - step).max(from), (best.1 + step).min(to));
    for _ in 0..if trial.convex { 16 } else { 0 } {
        let (one, other) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        let (gap_one, gap_other) = ((trial.gap)(one), (trial.gap)(other));
        if gap_one < best.0 {
            best = (gap_one, one);
        }
        if gap_one < gap_other { high = other } else { low = one }
    }
    best
}

fn judge(trial: &Trial) -> Result<(), String> {
    let apart = |from: f64, to: f64, what: &str| {
        let (gap, t) = least(trial, from, to);
        if gap >= -TOLERANCE { Ok(()) } else { Err(format!("{what}: gap {gap:e} at {t:?}")) }
    };
    let Some(times) = trial.times else { return apart(0.0, 1.0, "missed") };
    if !(0.0 <= times.first && times.first <= times.last && times.last <= 1.0) {
        return Err(format!("{times:?}"));
    }
    let touching = |t: f64, free: bool, what: &str| {
        let gap = (trial.gap)(t);
        let right = gap <= TOLERANCE && (!free || gap >= -TOLERANCE);
        if right { Ok(()) } else { Err(format!("{what} {t:?}: gap {gap:e}")) }
    };
    touching(times.first, times.first > 0.0, "first time")?;
    if times.first > 0.0 {
        apart(0.0, times.first, "late")?;
    }
    if !trial.has_last {
        return Ok(());
    }
    touching(times.last, times.last < 1.0, "last time")?;
    if times.last < 1.0 {
        apart(times.last, 1.0, "left early")?;
    }
    if trial.convex {
        for weight in [0.25, 0.5, 0.75] {
            touching(times.first + weight * (times.last - times.first), false, "between")?;
        }
    }
    Ok(())
}

pub(super) fn print(report: &Report) {
    if report.pairs.is_empty() {
        return;
    }
    println!("{:<18} {:>11} {:>11}", "translation", "apart", "contact");
    for (kind, [misses, hits]) in Kind::ALL.iter().zip(&report.pairs) {
        println!("{:<18} {misses:>11} {hits:>11}", format!("{kind:?}"));
    }
}
