//! The directions of the k-DOPs, and any direction as a sum of three of them.

use glam::Vec3A;

/// A direction as a sum of three of the fixed ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fan {
    /// Which of the fixed directions.
    pub(super) places: [u8; 3],
    /// The weights; negative where the opposite direction is meant.
    pub(super) weights: [f32; 3],
}

const AXES: [[i8; 3]; 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
/// A corner's place is 3 plus one bit each for a negative y and z.
const CORNERS: [[i8; 3]; 4] = [[1, 1, 1], [1, -1, 1], [1, 1, -1], [1, -1, -1]];
/// An edge's place is twice that of the axis it is at right angles to, plus one if the signs differ.
const EDGES: [[i8; 3]; 6] = [[0, 1, 1], [0, 1, -1], [1, 0, 1], [-1, 0, 1], [1, 1, 0], [1, -1, 0]];
/// Three to each axis: with both signs positive, the first of the next two axes' negative, the second.
const STEEP: [[i8; 3]; 9] = [
    [2, 1, 1],
    [2, -1, 1],
    [2, 1, -1],
    [1, 2, 1],
    [1, 2, -1],
    [-1, 2, 1],
    [1, 1, 2],
    [-1, 1, 2],
    [1, -1, 2],
];

/// The directions of a k-DOP, not of unit length. The first three are the axes.
pub(super) const fn directions<const HALF: usize>() -> [[i8; 3]; HALF] {
    assert!(HALF == 7 || HALF == 9 || HALF == 13 || HALF == 18, "no such k-DOP");
    let (mut all, mut k) = ([[0; 3]; HALF], 0);
    while k < HALF {
        all[k] = match (HALF, k) {
            (_, 0..3) => AXES[k],
            (7 | 13, 3..7) => CORNERS[k - 3],
            (13, _) => EDGES[k - 7],
            (_, 3..9) => EDGES[k - 3],
            _ => STEEP[k - 9],
        };
        k += 1;
    }
    all
}

/// How much longer than one a direction is, rounded up: lengths along it are divided by this.
pub(super) const fn length(n: [i8; 3]) -> f32 {
    match n[0] as i32 * n[0] as i32 + n[1] as i32 * n[1] as i32 + n[2] as i32 * n[2] as i32 {
        1 => 1.0,
        2 => 1.414_213_7,
        3 => 1.732_050_9,
        _ => 2.449_489_8,
    }
}

#[inline(always)]
pub(super) fn along(n: [i8; 3], v: Vec3A) -> f32 {
    v.x * f32::from(n[0]) + v.y * f32::from(n[1]) + v.z * f32::from(n[2])
}

/// The sum of the magnitudes: how much an error of each coordinate counts.
#[inline(always)]
pub(super) fn weight(n: [i8; 3]) -> f32 {
    f32::from(n[0].abs() + n[1].abs() + n[2].abs())
}

impl Fan {
    pub(super) const ZERO: Self = Self { places: [0; 3], weights: [0.0; 3] };

    /// A direction as a sum of three directions of a k-DOP.
    ///
    /// With a ≥ b ≥ c the magnitudes of the coordinates along the axes i, j, k, and e, f, t the fixed directions with the same signs:
    /// - sides and corners: (a − b)·eᵢ + ½(b + c)·(i + j + k) + ½(b − c)·(i + j − k);
    /// - sides and edges: (a − b − c)·eᵢ + b·fᵢⱼ + c·fᵢₖ, or where a < b + c the three edges with ½(a + b − c), ½(a − b + c), ½(b + c − a);
    /// - all three: (a − b)·eᵢ + (b − c)·fᵢⱼ + c·(i + j + k);
    /// - with t = 2i + j + k: (a − b − c)·eᵢ + (b − c)·fᵢⱼ + c·t, or where a < b + c (b − c)·fᵢⱼ + ½(a − b + c)·t + ½(b + c − a)·fⱼₖ.
    #[inline]
    pub(super) fn of<const HALF: usize>(d: Vec3A) -> Self {
        let m = d.abs().to_array();
        let i = if m[0] >= m[1] && m[0] >= m[2] {
            0
        } else if m[1] >= m[2] {
            1
        } else {
            2
        };
        let (j, k) = if m[(i + 1) % 3] >= m[(i + 2) % 3] {
            ((i + 1) % 3, (i + 2) % 3)
        } else {
            ((i + 2) % 3, (i + 1) % 3)
        };
        let (a, b, c) = (m[i], m[j], m[k]);
        let signs = d.to_array().map(|x| if x < 0.0 { -1.0 } else { 1.0 });
        let axis = |value: f32| (i as u8, value * signs[i]);
        let edge = |p: usize, q: usize, value: f32| edge::<HALF>(p, q, signs, value);
        let parts = match HALF {
            7 => {
                let mut other = signs;
                other[k] = -other[k];
                [axis(a - b), corner(signs, 0.5 * (b + c)), corner(other, 0.5 * (b - c))]
            }
            13 => [axis(a - b), edge(i, j, b - c), corner(signs, c)],
            _ => match (steep::<HALF>(i, signs), a >= b + c) {
                (Some((t, sign)), true) => [axis(a - b - c), edge(i, j, b - c), (t, sign * c)],
                (Some((t, sign)), false) => {
                    let half = 0.5 * (b + c - a);
                    [edge(i, j, b - c), (t, sign * 0.5 * (a - b + c)), edge(j, k, half)]
                }
                (None, true) => [axis(a - b - c), edge(i, j, b), edge(i, k, c)],
                (None, false) => [
                    edge(i, j, 0.5 * (a + b - c)),
                    edge(i, k, 0.5 * (a - b + c)),
                    edge(j, k, 0.5 * (b + c - a)),
                ],
            },
        };
        Self { places: parts.map(|part| part.0), weights: parts.map(|part| part.1) }
    }

    /// The opposite direction.
    #[inline]
    pub(super) fn opposite(&self) -> Self {
        Self { places: self.places, weights: self.weights.map(|weight| -weight) }
    }
}

/// The corner with these signs.
#[inline]
fn corner(signs: [f32; 3], value: f32) -> (u8, f32) {
    let [y, z] = [signs[1], signs[2]].map(|sign| u8::from(sign != signs[0]));
    (3 + y + 2 * z, value * signs[0])
}

/// The edge between two axes with these signs.
#[inline]
fn edge<const HALF: usize>(p: usize, q: usize, signs: [f32; 3], value: f32) -> (u8, f32) {
    let base = if HALF == 13 { 7 } else { 3 };
    let across = 3 - p - q;
    let place = base + 2 * across + usize::from(signs[p] != signs[q]);
    let fixed = EDGES[(place - base) % 6];
    // The stored direction or its opposite.
    (place as u8, if f32::from(fixed[p]) == signs[p] { value } else { -value })
}

/// The direction with twice the axis i and these signs, if it is one of the fixed ones.
#[inline]
fn steep<const HALF: usize>(i: usize, signs: [f32; 3]) -> Option<(u8, f32)> {
    if HALF != 18 {
        return None;
    }
    let [next, last] = [(i + 1) % 3, (i + 2) % 3].map(|axis| signs[axis] != signs[i]);
    let place = match (next, last) {
        (false, false) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (true, true) => return None,
    };
    Some(((9 + 3 * i + place) as u8, signs[i]))
}
