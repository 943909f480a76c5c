//! Samples into pixels: light, ghosts, edges, the room that is shared, marks; then the mean of each pixel's samples.

use super::layers::{Layer, Layers, SAME_DEPTH, Sample};
use super::marks::Marks;
use super::{CLASH, FIRST, SAMPLES, SECOND};
use impinge::tree::parallel;
use std::ops::Range;

/// From top to bottom.
const BACKGROUND: [[f32; 3]; 2] = [[249.0, 250.0, 252.0], [222.0, 227.0, 233.0]];
const GHOST: [f32; 3] = [128.0, 138.0, 150.0];
const INK: [f32; 3] = [30.0, 34.0, 40.0];
/// Towards the light: to the right, up, towards the camera; a unit vector.
const LIGHT: [f32; 3] = [-0.36, 0.64, 0.679];
/// Normals whose product is below this have an edge between them: about 30 degrees.
const EDGE: f32 = 0.86;
/// Where two surfaces coincide, stripes of this width in samples show both.
const STRIPE: usize = 7 * SAMPLES;

/// Rows of pixels that one task shades.
const CHUNK: usize = 16;

/// The rows of the picture, three bytes for each pixel.
pub(super) fn pixels(layers: &Layers, marks: &Marks) -> Vec<u8> {
    let height = layers.height / SAMPLES;
    let chunks = parallel::tasks(height.div_ceil(CHUNK), |chunk| {
        let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(height);
        shade_rows(layers, marks, rows)
    });
    chunks.concat()
}

/// Some rows. Where all samples in and around a pixel look alike, one of them stands for it: that is most of a picture.
fn shade_rows(layers: &Layers, marks: &Marks, rows: Range<usize>) -> Vec<u8> {
    let width = layers.width / SAMPLES;
    let first = (rows.start * SAMPLES).saturating_sub(1);
    let last = (rows.end * SAMPLES).min(layers.height.saturating_sub(1));
    let looks: Vec<Vec<u128>> = (first..=last).map(|y| looks(layers, marks, y)).collect();
    let look_at = |x: usize, y: usize| looks.get(y.wrapping_sub(first)).and_then(|row| row.get(x));
    let mut line = Vec::with_capacity(rows.len() * width * 3);
    for row in rows {
        for column in 0..width {
            let (x, y) = (column * SAMPLES, row * SAMPLES);
            let own = look_at(x, y).copied().unwrap_or(VARIED);
            let alike = |x: usize, y: usize| look_at(x, y) == Some(&own);
            let inside = (0..SAMPLES).all(|i| (0..SAMPLES).all(|j| alike(x + i, y + j)));
            // The sides of the pixel: the first and last rows and columns have nothing beyond them.
            let beside = |k: usize| {
                (x == 0 || alike(x - 1, y + k))
                    && (y == 0 || alike(x + k, y - 1))
                    && alike(x + SAMPLES, y + k)
                    && alike(x + k, y + SAMPLES)
            };
            let uniform = own != VARIED && inside && (0..SAMPLES).all(beside);
            let colour = if uniform {
                sample(layers, marks, x, y)
            } else {
                let mut sum = [0.0f32; 3];
                for k in 0..SAMPLES * SAMPLES {
                    let colour = sample(layers, marks, x + k % SAMPLES, y + k / SAMPLES);
                    (0..3).for_each(|channel| sum[channel] += colour[channel]);
                }
                sum.map(|value| value / (SAMPLES * SAMPLES) as f32)
            };
            // A cast keeps within what the type holds.
            line.extend(colour.map(|value| (value + 0.5) as u8));
        }
    }
    line
}

/// What never looks like its neighbour.
const VARIED: u128 = u128::MAX;

/// All that the colours of a row of samples depend on, but for their place: equal numbers mean equal colours where the samples around are equal too.
fn looks(layers: &Layers, marks: &Marks, y: usize) -> Vec<u128> {
    let [first, second, common, rest] =
        [Layer::First, Layer::Second, Layer::Common, Layer::Rest].map(|layer| layers.row(layer, y));
    let at = |row: &[Sample], x: usize| row.get(x).copied().unwrap_or_default();
    let look = |x: usize| {
        if marks.at(x, y).1 != 0 {
            return VARIED;
        }
        let samples = [at(first, x), at(second, x), at(common, x), at(rest, x / SAMPLES)];
        look(samples)
    };
    (0..layers.width).map(look).collect()
}

fn look([first, second, common, rest]: [Sample; 4]) -> u128 {
    let bits = |sample: Sample| {
        let [a, b, c] = sample.normal.map(|x| u128::from(x as u8));
        if sample.is_seen() { 1 << 24 | a << 16 | b << 8 | c } else { 0 }
    };
    let pair = first.is_seen() && second.is_seen();
    let front = first.inverse.max(second.inverse);
    // Stripes show where both coincide.
    if pair && (first.inverse - second.inverse).abs() <= 200.0 * SAME_DEPTH * front {
        return VARIED;
    }
    let before = rest.inverse > front;
    let order = u128::from(second.inverse > first.inverse) | u128::from(before) << 1;
    let own = bits(first) | bits(second) << 25 | bits(common) << 50 | order << 108;
    // What is behind the pair does not show.
    if front > 0.0 && !before { own } else { own | bits(rest) << 75 | u128::from(rest.tag) << 100 }
}

fn sample(layers: &Layers, marks: &Marks, x: usize, y: usize) -> [f32; 3] {
    let down = y as f32 / layers.height as f32;
    let mut colour = mixed(BACKGROUND[0], BACKGROUND[1], down);
    let rest = layers.at(Layer::Rest, x, y);
    let (layer, front) = layers.front(x, y);
    let veil = veil(layers, rest, x, y);
    let before = rest.inverse > front.inverse;
    if let Some((ghost, cover)) = veil
        && !front.is_seen()
    {
        colour = mixed(colour, ghost, cover);
    }
    if front.is_seen() {
        colour = solid(layers, layer, front, x, y);
        let common = layers.at(Layer::Common, x, y);
        if common.is_seen() {
            let mut inner = lit(CLASH.map(f32::from), common);
            if rim(layers, x, y) {
                inner = mixed(inner, INK, 0.5);
            }
            colour = mixed(colour, inner, 0.72);
        }
        if before && let Some((ghost, cover)) = veil {
            colour = mixed(colour, ghost, 0.45 * cover);
        }
    }
    let (ink, cover) = marks.at(x, y);
    mixed(colour, ink.map(f32::from), f32::from(cover) / 255.0)
}

/// The colour of a part with its light and edges.
fn solid(layers: &Layers, layer: Layer, front: Sample, x: usize, y: usize) -> [f32; 3] {
    let other = if layer == Layer::First { Layer::Second } else { Layer::First };
    let behind = layers.at(other, x, y);
    let coincide =
        behind.is_seen() && front.inverse - behind.inverse <= 100.0 * SAME_DEPTH * front.inverse;
    let first = (layer == Layer::First) != (coincide && (x + y) / STRIPE % 2 == 1);
    let base = if first { FIRST } else { SECOND };
    let mut colour = lit(base.map(f32::from), front);
    if behind.is_seen() && !coincide {
        // Through the nearer part the other is seen.
        let base = if first { SECOND } else { FIRST };
        let through = outlined(
            lit(base.map(f32::from), behind),
            |x, y| {
                let sample = layers.at(other, x, y);
                !sample.is_seen() || creased(behind, sample)
            },
            x,
            y,
        );
        colour = mixed(through, colour, 0.6);
    }
    outlined(
        colour,
        |x, y| {
            let (neighbour, sample) = layers.front(x, y);
            !sample.is_seen() || (neighbour != layer && !coincide) || creased(front, sample)
        },
        x,
        y,
    )
}

/// A colour, dark where an edge is between the sample and one beside it.
fn outlined(colour: [f32; 3], edge: impl Fn(usize, usize) -> bool, x: usize, y: usize) -> [f32; 3] {
    let edge = around(x, y).into_iter().any(|(x, y)| edge(x, y));
    if edge { mixed(colour, INK, 0.6) } else { colour }
}

/// The ghost that a sample sees, and how much it covers: more where it is seen from the side, and at edges.
fn veil(layers: &Layers, rest: Sample, x: usize, y: usize) -> Option<([f32; 3], f32)> {
    if !rest.is_seen() {
        return None;
    }
    let edge = around(x, y).into_iter().any(|(x, y)| {
        let sample = layers.at(Layer::Rest, x, y);
        sample.tag != rest.tag || !sample.is_seen() || creased(rest, sample)
    });
    if edge {
        return Some((mixed(GHOST, INK, 0.25), 0.42));
    }
    let flat = f32::from(rest.normal[2]) / 127.0;
    Some((lit(GHOST, rest), 0.17 + 0.16 * (1.0 - flat)))
}

/// True where the room that is shared ends on the screen or has an edge.
fn rim(layers: &Layers, x: usize, y: usize) -> bool {
    let here = layers.at(Layer::Common, x, y);
    around(x, y).into_iter().any(|(x, y)| {
        let sample = layers.at(Layer::Common, x, y);
        !sample.is_seen() || creased(here, sample)
    })
}

/// The samples on four sides; beyond the first row or column the sample itself.
fn around(x: usize, y: usize) -> [(usize, usize); 4] {
    [(x.saturating_sub(1), y), (x + 1, y), (x, y.saturating_sub(1)), (x, y + 1)]
}

fn creased(one: Sample, other: Sample) -> bool {
    if one.normal == other.normal {
        return false;
    }
    let dot: f32 =
        (0..3).map(|k| f32::from(one.normal[k]) * f32::from(other.normal[k])).sum::<f32>();
    dot < EDGE * 127.0 * 127.0
}

fn lit(colour: [f32; 3], sample: Sample) -> [f32; 3] {
    let normal = sample.normal.map(|x| f32::from(x) / 127.0);
    let dot = (0..3).map(|k| normal[k] * LIGHT[k]).sum::<f32>();
    let light = 0.62 + 0.36 * dot.max(0.0) + 0.12 * normal[2];
    colour.map(|x| x * light + 255.0 * (light - 1.0).max(0.0))
}

fn mixed(below: [f32; 3], above: [f32; 3], cover: f32) -> [f32; 3] {
    [0, 1, 2].map(|k| below[k] + (above[k] - below[k]) * cover)
}
