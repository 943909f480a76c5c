//! Outlines of involute gears, 20° pressure angle, in millimetres.
//!
//! The flank at radius ρ stands at the angle π/2z + inv(20°) − inv(α) from the middle of its tooth, where cos α = base / ρ and
//! inv(α) = tan α − α; see J. E. Shigley, *Mechanical Engineering Design*, on involute profiles.

use super::solid::direction;
use impinge::geom::number::angle::atan2;
use std::f64::consts::{PI, TAU};

/// Millimetres of pitch diameter per tooth.
pub(super) const MODULE: f64 = 2.0;
/// The cosine of 20°.
const PRESSURE_COSINE: f64 = 0.939_692_620_785_908_4;
/// How far teeth reach beyond the pitch circle, and gaps below it, in modules.
const ADDENDUM: f64 = 0.9;
const DEDENDUM: f64 = 1.25;
/// Every flank stands back by so much along the pitch circle, in millimetres: the play of the gears.
const PLAY: f64 = 0.08;
/// Points of a flank.
const FLANK: u32 = 4;

/// The pitch radius of a gear by its number of teeth.
pub(super) fn pitch_radius(teeth: u32) -> f64 {
    0.5 * MODULE * f64::from(teeth)
}

/// The outline of a gear with its teeth outside. The middle of a tooth is at the angle `phase`, in pitches.
pub(super) fn outside(teeth: u32, phase: f64) -> Vec<[f64; 2]> {
    let pitch = pitch_radius(teeth);
    outline(teeth, phase, [pitch - DEDENDUM * MODULE, pitch + ADDENDUM * MODULE], -PLAY)
}

/// The inner outline of a ring gear. The middle of a gap between its teeth is at the angle `phase`, in pitches: gaps have the shape of
/// an outer gear's teeth, with play.
pub(super) fn inside(teeth: u32, phase: f64) -> Vec<[f64; 2]> {
    let pitch = pitch_radius(teeth);
    outline(teeth, phase, [pitch - ADDENDUM * MODULE, pitch + DEDENDUM * MODULE], PLAY)
}

/// Teeth between two radii, each flank moved outwards of its tooth by `wider` at the pitch circle.
fn outline(teeth: u32, phase: f64, [low, high]: [f64; 2], wider: f64) -> Vec<[f64; 2]> {
    let pitch = pitch_radius(teeth);
    let base = pitch * PRESSURE_COSINE;
    let half_tooth = PI / f64::from(2 * teeth) + involute(pitch, base) + wider / pitch;
    // Below the base circle, where there is no involute, flanks go straight to the root.
    let from = low.max(base);
    let mut flank: Vec<(f64, f64)> = Vec::new();
    if low < from {
        flank.push((low, half_tooth));
    }
    for k in 0..FLANK {
        let radius = from + (high - from) * f64::from(k) / f64::from(FLANK - 1);
        flank.push((radius, half_tooth - involute(radius, base)));
    }
    let mut points = Vec::new();
    for tooth in 0..teeth {
        let middle = TAU * (f64::from(tooth) + phase) / f64::from(teeth);
        let mut put = |radius: f64, angle: f64| points.push(direction(angle).map(|x| radius * x));
        flank.iter().for_each(|&(radius, angle)| put(radius, middle - angle));
        flank.iter().rev().for_each(|&(radius, angle)| put(radius, middle + angle));
    }
    points
}

/// inv(α) at a radius that is not below the base circle.
fn involute(radius: f64, base: f64) -> f64 {
    let opposite = (radius * radius - base * base).max(0.0).sqrt();
    opposite / base - atan2(opposite, base)
}
