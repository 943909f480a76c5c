//! Samples into pixels: light, ghosts, edges, the room that is shared, marks; then the mean of each pixel's samples.

use super::layers::{Layer, Layers, SAME_DEPTH, Sample};
use super::marks::Marks;
use super::{CLASH, FIRST, SAMPLES, SECOND};
use impinge::tree::parallel;

/// From top to bottom.
const BACKGROUND: [[f32; 3]; 2] = [[249.0, 250.0, 252.0], [222.0, 227.0, 233.0]];
const GHOST: [f32; 3] = [128.0, 138.0, 150.0];
const INK: [f32; 3] = [30.0, 34.0, 40.0];
/// Towards the light: to the right, up, towards the camera; a unit vector.
const LIGHT: [f32; 3] = [-0.36, 0.64, 0.679];
/// Normals whose product is below this have an edge between them: about 30 degrees.
const EDGE: f32 = 0.86;
/// Where two surfaces coincide stripes show both; so many samples wide.
const STRIPE: usize = 7 * SAMPLES;

/// The rows of the picture, three bytes for each pixel.
pub(super) fn pixels(layers: &Layers, marks: &Marks) -> Vec<u8> {
    let (width, height) = (layers.width / SAMPLES, layers.height / SAMPLES);
    let rows = parallel::tasks(height, |row| {
        let mut line = Vec::with_capacity(width * 3);
        for column in 0..width {
            let mut sum = [0.0f32; 3];
            for k in 0..SAMPLES * SAMPLES {
                let (x, y) = (column * SAMPLES + k % SAMPLES, row * SAMPLES + k / SAMPLES);
                let colour = sample(layers, marks, x, y);
                (0..3).for_each(|channel| sum[channel] += colour[channel]);
            }
            let count = (SAMPLES * SAMPLES) as f32;
            line.extend(sum.map(|value| (value / count).round().clamp(0.0, 255.0) as u8));
        }
        line
    });
    rows.concat()
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
