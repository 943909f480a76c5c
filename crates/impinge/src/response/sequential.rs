//! Sequential impulses.
//!
//! Catto, Iterative Dynamics with Temporal Coherence (Game Developers Conference 2005) and Fast and Simple Physics using Sequential Impulses (2006):
//! contact after contact is given the impulse that it wants, where the *accumulated* impulse is kept from pulling and, along the
//! surface, within the cone of friction. The impulses of the step before are the start.
//!
//! Steps are divided rather than iterated (Macklin et al., Small Steps in Physics Simulation, Symposium on Computer Animation 2019), and
//! depths are taken away by contacts that are springs with strong damping, integrated implicitly, in a first round; a second round, after bodies have moved, takes out
//! the velocity that came of it (Catto, Solver2D, 2024). Every impulse acts at one point on two bodies, so that momentum and angular momentum stay as they are.
//!
//! Where this differs: a contact that bounces asks for its velocity of separation at once, before bodies move, from the velocity that they had
//! before gravity acted in this substep. They turn back up to a substep early, and no energy is made.

use super::SimulationSettings;
use super::constraint::Constraint;
use super::motion::BodyState;
use impinge_geom::glam::DVec3;

/// How a contact gives way.
#[derive(Clone, Copy)]
struct Softness {
    /// The velocity of parting for a unit of depth.
    rate: f64,
    /// The shares of the wanted and of the accumulated impulse.
    wanted: f64,
    kept: f64,
}

impl Softness {
    /// Of a damped spring that is integrated implicitly over a time.
    fn new(frequency: f64, damping: f64, time: f64) -> Self {
        let omega = std::f64::consts::TAU * frequency;
        let a = 2.0 * damping + time * omega;
        let b = time * omega * a;
        Self { rate: omega / a, wanted: b / (1.0 + b), kept: 1.0 / (1.0 + b) }
    }

    const RIGID: Self = Self { rate: 0.0, wanted: 1.0, kept: 0.0 };
}

/// The part of a swing that the spring of a contact makes in a substep.
const SWING: f64 = 0.2;

/// Ten times as much damping as it takes not to swing.
const DAMPING: f64 = 10.0;

/// A substep.
pub(super) fn substep(
    settings: &SimulationSettings,
    list: &mut [Constraint],
    motions: &mut [BodyState],
) {
    let time = settings.substep();
    for constraint in list.iter_mut() {
        constraint.follow(motions);
        constraint.note_approach(motions, settings);
    }
    for motion in motions.iter_mut().filter(|motion| motion.is_active()) {
        motion.accelerate(settings.gravity(), settings.damping, time);
    }
    for constraint in list.iter() {
        start(constraint, motions);
    }
    for _ in 0..settings.iterations {
        for constraint in list.iter_mut() {
            solve(constraint, motions, settings, true);
        }
    }
    for motion in motions.iter_mut().filter(|motion| motion.is_active()) {
        motion.advance(settings.gravity(), time);
    }
    for constraint in list.iter_mut() {
        constraint.follow(motions);
    }
    for _ in 0..settings.iterations {
        for constraint in list.iter_mut().filter(|constraint| is_held(constraint, settings)) {
            solve(constraint, motions, settings, false);
        }
    }
    for constraint in list.iter_mut().filter(|constraint| constraint.bounce.is_some()) {
        // A blow is over when the bodies part: the next substep must not begin with it.
        constraint.normal_impulse = 0.0;
        constraint.tangent_impulses = [0.0; 2];
    }
}

/// Whether a contact takes part in the second round. What bounced has the velocity that it should have, and what has not touched yet may come nearer in the next substep.
fn is_held(constraint: &Constraint, settings: &SimulationSettings) -> bool {
    let touches = constraint.normal_impulse > 0.0 || constraint.gap + settings.rest_depth <= 0.0;
    touches && constraint.bounce.is_none()
}

/// Begins with the impulses that were found before.
fn start(constraint: &Constraint, motions: &mut [BodyState]) {
    constraint.push(motions, constraint.total());
}

fn solve(
    constraint: &mut Constraint,
    motions: &mut [BodyState],
    settings: &SimulationSettings,
    parts: bool,
) {
    along_surface(constraint, motions);
    let gap = constraint.gap + settings.rest_depth;
    let (bias, softness) = match constraint.bounce {
        Some(velocity) => (-velocity, Softness::RIGID),
        // Bodies may approach until they touch.
        None if gap > 0.0 => (gap / settings.substep(), Softness::RIGID),
        None if parts => {
            let softness = softness(constraint, motions, settings.substep());
            ((softness.rate * gap).max(-settings.push_speed), softness)
        }
        None => (0.0, Softness::RIGID),
    };
    let velocity = constraint.normal.dot(constraint.relative_velocity(motions));
    let wanted = -constraint.normal_mass * softness.wanted * (velocity + bias)
        - softness.kept * constraint.normal_impulse;
    let total = (constraint.normal_impulse + wanted).max(0.0);
    let impulse = total - constraint.normal_impulse;
    constraint.normal_impulse = total;
    constraint.push(motions, constraint.normal * impulse);
}

/// What does not move gives way half as easily.
fn softness(constraint: &Constraint, motions: &[BodyState], time: f64) -> Softness {
    let both = constraint.bodies.iter().all(|index| motions[*index].moves());
    let frequency = SWING / time;
    Softness::new(if both { frequency } else { 2.0 * frequency }, DAMPING, time)
}

/// Friction: both tangents, then the cone.
fn along_surface(constraint: &mut Constraint, motions: &mut [BodyState]) {
    let velocity = constraint.relative_velocity(motions);
    let old = constraint.tangent_impulses;
    let mut new = old;
    for (k, total) in new.iter_mut().enumerate() {
        *total -= constraint.tangent_masses[k] * constraint.tangents[k].dot(velocity);
    }
    let most = constraint.friction * constraint.normal_impulse;
    let size = (new[0] * new[0] + new[1] * new[1]).sqrt();
    if size > most {
        new = new.map(|impulse| impulse * (most / size));
    }
    constraint.tangent_impulses = new;
    let change: DVec3 = (0..2).map(|k| constraint.tangents[k] * (new[k] - old[k])).sum();
    constraint.push(motions, change);
}
