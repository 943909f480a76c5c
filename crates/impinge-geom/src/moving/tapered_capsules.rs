//! Two tapered capsules, one of which moves without turning; capsules are tapered capsules with equal radii.
//!
//! A tapered capsule is the union of balls whose centres and radii go linearly from one end to the other. The difference of two is the union of balls over a
//! parallelogram, with radii that are linear over it: a point moves against four balls at its corners, the cones between any two of these, and the two planes that
//! touch all four. `docs/maths/tapered-capsules.md` derives the three; each is a quadratic, or a line, in time, valid while the point is nearest to the inside of its
//! part. All parts lie inside of the difference, so that the first of the first times is that of the whole; the diagonals are there for axes that are parallel.

use super::{Times, sphere_sphere};
use glam::DVec3;

/// Axes whose directions differ by a smaller angle than the square root of this have no parallelogram between them: a strip so thin bulges by less than rounding.
const THIN: f64 = 1e-14;

/// A ball of the difference: its centre and its radius.
type Ball = (DVec3, f64);

/// When two tapered capsules are in contact, the second of which moves by `motion`. Each is the centres of the balls at its ends, and their radii.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::tapered_capsules};
/// // A cone-like club on end, and a ball-like one that comes along x.
/// let a = ([DVec3::NEG_Z, DVec3::Z], [1.0, 0.5]);
/// let b = ([DVec3::new(4.0, 0.0, -1.0), DVec3::new(4.0, 1.0, -1.0)], [0.5, 0.25]);
/// let times = tapered_capsules(a, b, DVec3::new(-5.0, 0.0, 0.0)).unwrap();
/// // The balls at their lower ends meet first, with their centres 1.5 apart.
/// assert!((times.first - 0.5).abs() < 1e-12 && times.last == 1.0);
/// ```
pub fn tapered_capsules(
    (a, radii_a): ([DVec3; 2], [f64; 2]),
    (b, radii_b): ([DVec3; 2], [f64; 2]),
    motion: DVec3,
) -> Option<Times> {
    let ball = |i: usize, j: usize| (a[i] - b[j], radii_a[i] + radii_b[j]);
    let balls = [ball(0, 0), ball(1, 0), ball(1, 1), ball(0, 1)];
    let forwards = first(&balls, DVec3::ZERO, motion)?;
    // What is in contact at some time is so backwards, too, up to rounding.
    let backwards = first(&balls, motion, -motion);
    Some(Times::both_ways(forwards, backwards.unwrap_or(1.0 - forwards)))
}

/// When a point that starts at `point` first is in the difference.
fn first(balls: &[Ball; 4], point: DVec3, motion: DVec3) -> Option<f64> {
    const PAIRS: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [1, 3]];
    let corners = balls.iter().map(|(center, radius)| {
        sphere_sphere(point - center, *radius, motion).map(|times| times.first)
    });
    let sides = PAIRS.iter().map(|[i, j]| cone(balls[*i], balls[*j], point, motion));
    let [around, along, _, across] = *balls;
    corners
        .chain(sides)
        .chain([planes(around, [along, across], point, motion)])
        .flatten()
        .reduce(f64::min)
}

/// The times of a window at which `at + by · t` is within [low, high].
fn within(window: Times, at: f64, by: f64, [low, high]: [f64; 2]) -> Option<Times> {
    if by == 0.0 {
        return (low..=high).contains(&at).then_some(window);
    }
    let (one, other) = ((low - at) / by, (high - at) / by);
    let (first, last) = (one.min(other).max(window.first), one.max(other).min(window.last));
    (first <= last).then_some(Times { first, last })
}

/// The cone between two balls: the point is inside where k · R² ≥ w², with R the radius that belongs to its place along the axis, w its way across, and
/// k = 1 / (1 − s²) for the slope s of the radius.
fn cone((from, radius): Ball, (to, other): Ball, point: DVec3, motion: DVec3) -> Option<f64> {
    let axis = to - from;
    let (length, growth) = (axis.length(), other - radius);
    // One ball is inside of the other.
    if growth.abs() >= length {
        return None;
    }
    let (unit, slope) = (axis / length, growth / length);
    let k = 1.0 / ((1.0 - slope) * (1.0 + slope));
    let place = point - from;
    let (along, speed) = (unit.dot(place), unit.dot(motion));
    let (across, sideways) = (place - unit * along, motion - unit * speed);
    let (size, rate) = (radius + slope * along, slope * speed);
    // The ball that the point is deepest in.
    let (ball, ball_speed) = (along + k * size * slope, speed + k * rate * slope);
    let window = within(Times::ALWAYS, ball, ball_speed, [0.0, length])?;
    let depth = [
        k * size * size - across.length_squared(),
        2.0 * (k * size * rate - across.dot(sideways)),
        k * rate * rate - sideways.length_squared(),
    ];
    first_positive(depth, window)
}

/// The planes that touch all four balls: the point is between them where √k · R ≥ |h|, with R the radius that belongs to its place over the parallelogram and h its height.
fn planes(
    (from, radius): Ball,
    [one, other]: [Ball; 2],
    point: DVec3,
    motion: DVec3,
) -> Option<f64> {
    let (e, g) = (one.0 - from, other.0 - from);
    let normal = e.cross(g);
    let square = normal.length_squared();
    if square <= THIN * e.length_squared() * g.length_squared() {
        return None;
    }
    // The dual basis: coordinates over the parallelogram.
    let (u, v) = (g.cross(normal) / square, normal.cross(e) / square);
    let slope = u * (one.1 - radius) + v * (other.1 - radius);
    let left = 1.0 - slope.length_squared();
    if left <= 0.0 {
        return None;
    }
    let unit = normal / square.sqrt();
    let place = point - from;
    let (height, climb) = (unit.dot(place), unit.dot(motion));
    let (size, rate) = (radius + slope.dot(place), slope.dot(motion));
    let (deepest, change) = (place + slope * (size / left), motion + slope * (rate / left));
    let window = within(Times::ALWAYS, u.dot(deepest), u.dot(change), [0.0, 1.0])?;
    let window = within(window, v.dot(deepest), v.dot(change), [0.0, 1.0])?;
    let steep = 1.0 / left.sqrt();
    let all = [0.0, f64::INFINITY];
    let window = within(window, steep * size - height, steep * rate - climb, all)?;
    let window = within(window, steep * size + height, steep * rate + climb, all)?;
    Some(window.first)
}

/// The first time of a window at which c + b·t + a·t² is not negative.
fn first_positive([c, b, a]: [f64; 3], window: Times) -> Option<f64> {
    // From the beginning of the window.
    let t = window.first;
    let (c, b) = (c + t * (b + t * a), b + 2.0 * t * a);
    if c >= 0.0 {
        return Some(t);
    }
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return None;
    }
    // The root farther from zero first; the other from the product of both.
    let far = -0.5 * (b + discriminant.sqrt().copysign(b));
    let roots = [c / far, far / a];
    let later = roots.into_iter().filter(|root| *root >= 0.0);
    let first = t + later.reduce(f64::min)?;
    (first <= window.last).then_some(first)
}
