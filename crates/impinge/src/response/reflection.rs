//! Reflection with restitution.
//!
//! Akenine-Möller et al., Real-Time Rendering, 4th edition, section 25.9: the velocity is divided into its part along the normal and the rest,
//! and the former is turned around and damped, v' = v_p − k·v_n (equation 25.14). Two bodies share the change by their masses and inertias at the point of contact
//! (Newton's law of restitution). The point is the middle of all points of a manifold that touch, so that a box that lands flat does not begin to turn. There is no friction.
//!
//! Bodies under gravity would sink into what they lie on: after it acted, approaching velocities of contacts that touch are
//! taken away without a bounce, and what is deeper than `rest_depth` is moved apart.

use super::SimulationSettings;
use super::constraint::Constraint;
use super::motion::BodyState;
use impinge_geom::glam::DVec3;

/// The share of a depth that is taken away in a substep.
const PARTED: f64 = 0.2;

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
    for _ in 0..settings.iterations {
        for constraint in list.iter_mut() {
            constraint.note_approach(motions, settings);
        }
        for manifold in list.chunk_by_mut(Constraint::is_of_manifold) {
            reflect(manifold, motions, |constraint, _| constraint.bounce.is_some(), true);
        }
    }
    for motion in motions.iter_mut().filter(|motion| motion.is_active()) {
        motion.accelerate(settings.gravity(), settings.damping, time);
    }
    for _ in 0..settings.iterations {
        for manifold in list.chunk_by_mut(Constraint::is_of_manifold) {
            reflect_touching(manifold, motions, settings);
        }
    }
    for manifold in list.chunk_by(Constraint::is_of_manifold) {
        part(manifold, motions, settings);
    }
    for motion in motions.iter_mut().filter(|motion| motion.is_active()) {
        motion.advance(settings.gravity(), time);
    }
}

/// Takes away the approaching velocity of contacts that touch.
fn reflect_touching(
    manifold: &mut [Constraint],
    motions: &mut [BodyState],
    settings: &SimulationSettings,
) {
    let deep = |constraint: &Constraint| constraint.gap + settings.rest_depth <= 0.0;
    reflect(manifold, motions, |c, motions| deep(c) || c.stops_fast(motions, settings), false);
}

/// Stops fast bodies at contacts that would touch in this substep.
pub(super) fn stop_fast(
    manifold: &mut [Constraint],
    motions: &mut [BodyState],
    settings: &SimulationSettings,
) {
    reflect(manifold, motions, |c, motions| c.stops_fast(motions, settings), false);
}

/// Reflects the velocity at the middle of those points that take part.
fn reflect(
    manifold: &mut [Constraint],
    motions: &mut [BodyState],
    takes_part: impl Fn(&Constraint, &[BodyState]) -> bool,
    bounces: bool,
) {
    let (mut arms, mut count) = ([DVec3::ZERO; 2], 0.0);
    for constraint in manifold.iter().filter(|constraint| takes_part(constraint, motions)) {
        for (sum, arm) in arms.iter_mut().zip(constraint.arms) {
            *sum += arm;
        }
        count += 1.0;
    }
    let Some(first) = manifold.first().filter(|_| count > 0.0) else { return };
    let [arm_a, arm_b] = arms.map(|sum| sum / count);
    let (normal, [i, j]) = (first.normal, first.bodies);
    let (a, b) = (&motions[i], &motions[j]);
    let velocity = normal.dot(b.velocity_at(arm_b) - a.velocity_at(arm_a));
    let response = a.response(arm_a, normal) + b.response(arm_b, normal);
    if !(velocity < 0.0 && response > 0.0) {
        return;
    }
    let restitution = if bounces { first.restitution } else { 0.0 };
    let impulse = normal * (-(1.0 + restitution) * velocity / response);
    motions[i].push(-impulse, arm_a);
    motions[j].push(impulse, arm_b);
}

/// Moves apart what is too deep and does not part by itself, by masses, so that the common centre stays.
fn part(manifold: &[Constraint], motions: &mut [BodyState], settings: &SimulationSettings) {
    let Some(deepest) = manifold.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) else { return };
    let [i, j] = deepest.bodies;
    let gap = deepest.gap + settings.rest_depth;
    let velocity = deepest.normal.dot(deepest.relative_velocity(motions));
    let total = motions[i].inverse_mass + motions[j].inverse_mass;
    if gap + velocity.max(0.0) * settings.substep() < 0.0 && total > 0.0 {
        let way = deepest.normal * (-PARTED * gap / total);
        let (of_a, of_b) = (motions[i].inverse_mass, motions[j].inverse_mass);
        motions[i].position -= way * of_a;
        motions[j].position += way * of_b;
    }
}
