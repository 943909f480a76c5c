//! The search for a translation that separates two bodies of any kind: which directions to try, and how far along each.

use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::{ONE_DIRECTION, SHORTER};

/// Directions of faces, at most.
const NORMALS: usize = 8;
/// Halvings of a translation: twelve digits.
const HALVINGS: usize = 40;
/// Halving ends at this share of the first translation.
const NARROW: f64 = 1e-13;
/// Exceeds the rounding error of support values, as a share of them: a translation by this much more separates the projections.
pub const SHADOW_ROUNDING: f64 = 1e-15;

/// Normalises the directions and drops those close to an earlier one.
///
/// ```
/// use impinge::{geom::glam::DVec3, mesh::penetration_search};
/// let list = vec![DVec3::X, 3.0 * DVec3::X, DVec3::ZERO, -DVec3::X];
/// assert_eq!(penetration_search::unlike(list), [DVec3::X, -DVec3::X]);
/// ```
pub fn unlike(directions: Vec<DVec3>) -> Vec<DVec3> {
    let mut kept: Vec<DVec3> = Vec::new();
    for unit in directions.into_iter().filter_map(DVec3::try_normalize) {
        if !kept.iter().any(|other| other.dot(unit) > ONE_DIRECTION) {
            kept.push(unit);
        }
    }
    kept
}

/// The longest few of the normals that are not parallel, normalised, in both directions. A normal is as long as its face is large.
///
/// ```
/// use impinge::{geom::glam::DVec3, mesh::penetration_search};
/// assert_eq!(penetration_search::both_ways(vec![DVec3::Y, 3.0 * DVec3::X, -DVec3::X])[..2], [DVec3::X, -DVec3::X]);
/// ```
pub fn both_ways(mut normals: Vec<DVec3>) -> Vec<DVec3> {
    normals.sort_by(|x, y| y.length_squared().total_cmp(&x.length_squared()));
    let mut kept: Vec<DVec3> = Vec::new();
    for unit in normals.into_iter().filter_map(DVec3::try_normalize) {
        if kept.len() < NORMALS && !kept.iter().any(|other| other.dot(unit).abs() > ONE_DIRECTION) {
            kept.push(unit);
        }
    }
    kept.iter().flat_map(|&unit| [unit, -unit]).collect()
}

/// The shortest translation along the given directions that separates the bodies: its direction and its length.
///
/// Each direction comes with a length that certainly separates the bodies, since it separates their projections.
///
/// ```
/// use impinge::{geom::glam::DVec3, mesh::penetration_search};
/// // Something that must go a quarter up, or a half to the side.
/// let is_apart = |by: DVec3| by.z >= 0.25 || by.x >= 0.5;
/// let found = penetration_search::shortest(vec![(2.0, DVec3::X), (1.0, DVec3::Z)], is_apart);
/// assert!(found.is_some_and(|(along, depth)| along == DVec3::Z && (depth - 0.25).abs() < 1e-11));
/// ```
pub fn shortest(
    mut shadows: Vec<(f64, DVec3)>,
    mut is_apart: impl FnMut(DVec3) -> bool,
) -> Option<(DVec3, f64)> {
    // Where shadows part early a short translation is found early, and the rest is tried against it.
    shadows.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut best: Option<(DVec3, f64)> = None;
    for (shadow, along) in shadows {
        let most = best.map_or(shadow, |(_, depth)| shadow.min(depth * (1.0 - SHORTER)));
        if let Some(depth) = halved(along, most, &mut is_apart) {
            best = Some((along, depth));
        }
    }
    best
}

/// A translation of at most `most` that parts the two, if it does; halved as far as it goes.
fn halved(along: DVec3, most: f64, is_apart: &mut impl FnMut(DVec3) -> bool) -> Option<f64> {
    if !is_apart(along * most) {
        return None;
    }
    let (mut low, mut high) = (0.0, most);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high || high - low <= most * NARROW {
            break;
        }
        if is_apart(along * middle) { high = middle } else { low = middle }
    }
    Some(high)
}
