//! What the bound on the time to impact saves in a scene: turning boxes under accelerations of their own, whose pairs are queried at every step, or not before their bounds.
//!
//! Every pair that the bounds let pass is asked all the same by the judge: none may be in contact.

use super::{FAULT, Options, Report};
use impinge::geom::glam::{DQuat, DVec3};
use impinge::geom::moving::{approach_speed, time_to_impact_bound};
use impinge::geom::pair::{self, Cache};
use impinge::geom::{Pose, Shape};
use impinge_lab::Random;

/// One scene in this many bounds.
pub(super) const EVERY: u64 = 1_000;

const BODIES: usize = 40;
const STEPS: u32 = 200;
const STEP: f64 = 0.01;

/// Pairs that were asked, and those that a caller without the bound would have asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Scenes.
    pub scenes: u64,
    /// With the bound, and without it.
    pub asked: [u64; 2],
}

impl Counts {
    pub(super) fn append(&mut self, other: Self) {
        self.scenes += other.scenes;
        (0..2).for_each(|side| self.asked[side] += other.asked[side]);
    }

    pub(super) fn print(&self) {
        let Self { scenes, asked: [with, without] } = self;
        if *scenes > 0 {
            let share = 100.0 * (1.0 - *with as f64 / *without as f64);
            println!(
                "{scenes} scenes of {BODIES} bodies, {STEPS} steps: {with} of {without} queries asked, {share:.1} % saved"
            );
        }
    }
}

/// A box that flies with a constant acceleration and turns at a constant rate.
struct Body {
    shape: Shape,
    reach: f64,
    start: DVec3,
    velocity: DVec3,
    acceleration: DVec3,
    rotation: DQuat,
    spin: DVec3,
}

impl Body {
    fn new(random: &mut Random) -> Option<Self> {
        let half = [(); 3].map(|()| random.between(0.1, 0.5));
        let vector = |random: &mut Random, size: f64| DVec3::from_array(random.point()) * size;
        let [w, x, y, z] = random.quaternion();
        Some(Self {
            shape: Shape::cuboid(half).ok()?,
            reach: DVec3::from_array(half).length(),
            start: vector(random, 6.0),
            velocity: vector(random, 3.0),
            acceleration: vector(random, 2.0),
            rotation: DQuat::from_xyzw(x, y, z, w),
            spin: vector(random, 4.0),
        })
    }

    fn velocity(&self, t: f64) -> DVec3 {
        self.velocity + self.acceleration * t
    }

    fn pose(&self, t: f64) -> Option<Pose> {
        let place = self.start + self.velocity * t + self.acceleration * (0.5 * t * t);
        let turn = DQuat::from_scaled_axis(self.spin * t) * self.rotation;
        Pose::from_quat(turn.normalize(), place).ok()
    }
}

/// One scene.
pub(super) fn scene(options: &Options, index: u64, report: &mut Report) {
    let mut random =
        Random::new(options.seed.wrapping_mul(0xa076_1d64_78bd_642f).wrapping_add(index));
    let Some(bodies) = (0..BODIES).map(|_| Body::new(&mut random)).collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let faulty = options.inject_fault && (index / EVERY).is_multiple_of(FAULT);
    report.schedule.scenes += 1;
    let mut free_until = vec![0.0; BODIES * BODIES];
    for step in 0..STEPS {
        let t = f64::from(step) * STEP;
        let poses: Vec<Option<Pose>> = bodies.iter().map(|body| body.pose(t)).collect();
        for i in 0..BODIES {
            for j in 0..i {
                let (Some(one), Some(two)) = (&poses[i], &poses[j]) else { continue };
                let (a, b) = (&bodies[i], &bodies[j]);
                let between = one.relative(two);
                report.schedule.asked[1] += 1;
                let until: &mut f64 = &mut free_until[i * BODIES + j];
                if t < *until {
                    if pair::overlap(&a.shape, &b.shape, &between, &mut Cache::default()) {
                        let bound = *until;
                        report.failures.add(|| {
                            format!("scene {index}: bodies {i} and {j} meet at {t}, before {bound}")
                        });
                    }
                    continue;
                }
                report.schedule.asked[0] += 1;
                let found = pair::distance(&a.shape, &b.shape, &between, &mut Cache::default());
                let normal = one.rotate(found.normal);
                let along = -normal.dot(b.velocity(t) - a.velocity(t));
                let turns = approach_speed(0.0, a.spin.length(), a.reach)
                    + approach_speed(0.0, b.spin.length(), b.reach);
                let rest = found.distance - found.uncertainty;
                let acceleration = (b.acceleration - a.acceleration).length();
                let bound = time_to_impact_bound(rest, along + turns, acceleration);
                *until = t + if faulty { 2.0 * bound } else { bound };
            }
        }
    }
    report.hash.number(report.schedule.asked[0] as f64);
}
