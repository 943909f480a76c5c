//! Penalties: what penetrates is pushed apart by springs.
//!
//! The spring of a contact is stiffer while bodies approach than while they part, by the square of the restitution: its work is then that of a
//! collision with that restitution (Walton and Braun, Viscosity, granular-temperature and stress calculations, Journal of Rheology 30, 1986), without
//! the logarithms of viscous dampers. Between the two it changes over a small band of velocities, which brings bodies to rest. Friction is Coulomb's, and viscous where
//! that would turn velocities around.
//!
//! All forces are found before any acts, so that no contact comes first.

use super::constraint::Constraint;
use super::motion::BodyState;
use super::{SimulationSettings, reflection};

/// The angle by which the spring of a single contact goes on in a substep, in radians: well below 2, where it would not be stable.
const ANGLE: f64 = 0.25;

/// The share of the `bounce_speed` within which loading goes over into unloading.
const BAND: f64 = 0.05;

/// A substep.
pub(super) fn substep(
    settings: &SimulationSettings,
    list: &mut [Constraint],
    motions: &mut [BodyState],
) {
    let time = settings.substep();
    for constraint in list.iter_mut() {
        constraint.follow(motions);
    }
    for manifold in list.chunk_by_mut(|a, b| a.bodies == b.bodies) {
        let share = 1.0 / manifold.len() as f64;
        for constraint in manifold {
            press(constraint, motions, settings, share);
        }
    }
    for motion in motions.iter_mut().filter(|motion| motion.is_active()) {
        motion.accelerate(settings.gravity(), settings.damping, time);
    }
    for constraint in list.iter() {
        constraint.push(motions, constraint.total());
    }
    // The sweep leaves fast bodies no depth for a spring.
    for manifold in list.chunk_by_mut(Constraint::is_of_manifold) {
        reflection::stop_fast(manifold, motions, settings);
    }
    for motion in motions.iter_mut().filter(|motion| motion.is_active()) {
        motion.advance(settings.gravity(), time);
    }
}

/// The impulse of a spring in this substep.
fn press(
    constraint: &mut Constraint,
    motions: &[BodyState],
    settings: &SimulationSettings,
    share: f64,
) {
    constraint.normal_impulse = 0.0;
    constraint.tangent_impulses = [0.0; 2];
    if constraint.gap >= 0.0 {
        return;
    }
    let time = settings.substep();
    let velocity = constraint.relative_velocity(motions);
    let leaving = constraint.normal.dot(velocity);
    let squared = constraint.restitution * constraint.restitution;
    let band = BAND * settings.bounce_speed;
    let blend = if band > 0.0 { (0.5 + 0.5 * leaving / band).clamp(0.0, 1.0) } else { 0.5 };
    let stiffness = constraint.normal_mass * share * (ANGLE * ANGLE) / time;
    let normal = -constraint.gap * stiffness * (1.0 + (squared - 1.0) * blend);
    let mut along = [0.0; 2];
    for (k, impulse) in along.iter_mut().enumerate() {
        // Half of what would stop the bodies: those of several contacts must not turn them around.
        *impulse =
            -0.5 * share * constraint.tangent_masses[k] * constraint.tangents[k].dot(velocity);
    }
    let most = constraint.friction * normal;
    let size = (along[0] * along[0] + along[1] * along[1]).sqrt();
    if size > most {
        along = along.map(|impulse| impulse * (most / size));
    }
    (constraint.normal_impulse, constraint.tangent_impulses) = (normal, along);
}
