//! Samples into pixels: light, ghosts, edges, the overlap, marks; then the mean of each pixel's samples.

use super::ghosts::Ghosts;
use super::layers::{Band, Layer, SAME_DEPTH, Sample};
use super::marks::Ink;
use super::{CLASH, FIRST, SAMPLES, SECOND};

/// From top to bottom.
const BACKGROUND: [[f32; 3]; 2] = [[249.0, 250.0, 252.0], [222.0, 227.0, 233.0]];
const GHOST: [f32; 3] = [128.0, 138.0, 150.0];
const INK: [f32; 3] = [30.0, 34.0, 40.0];
/// Towards the light: to the right, up, towards the camera; a unit vector.
const LIGHT: [f32; 3] = [-0.36, 0.64, 0.679];
/// Normals, each 127 long, whose product is below this have an edge between them: about 30 degrees.
const EDGE: i32 = 13_871;
/// The colour of ghosts with a quarter of ink, and how much it covers.
const EDGE_OF_GHOST: ([f32; 3], f32) = ([103.5, 112.0, 122.5], 0.42);
/// Where two surfaces coincide, stripes of this width in samples show both.
const STRIPE: usize = 7 * SAMPLES;

/// Rows of samples that the colours of a row of pixels depend on: its own, and one before and after it.
const AROUND: usize = SAMPLES + 2;

/// The pixels of some rows, three bytes each. `height` is that of the picture, in samples.
pub(super) fn pixels(band: &Band, ink: &Ink, ghosts: &Ghosts, height: usize) -> Vec<u8> {
    let width = band.width / SAMPLES;
    let mut bytes = Vec::with_capacity(band.rows.len() / SAMPLES * width * 3);
    for y in band.rows.clone().step_by(SAMPLES) {
        let row = Row::new(band, ink, ghosts, y, height);
        for (column, seen) in row.seen(width).into_iter().enumerate() {
            // A cast keeps within what the type holds.
            bytes.extend(row.pixel(column, seen).map(|value| (value + 0.5) as u8));
        }
    }
    bytes
}

/// What a row of pixels is made of.
struct Row<'r> {
    /// Its first row of samples.
    y: usize,
    /// First, second and common: the row of samples before, its own, and the one after. At the upper end the first stands for the one before.
    layers: [[&'r [Sample]; AROUND]; 3],
    ink: [&'r [([u8; 3], u8)]; SAMPLES],
    /// The row of ghosts before, its own, and the one after.
    ghosts: [&'r [Sample]; 3],
    background: [[f32; 3]; SAMPLES],
}

/// What a pixel shows.
#[derive(Clone, Copy, Default)]
struct Seen {
    pair: bool,
    ink: bool,
}

/// The ghost that a pixel sees.
struct Veil {
    inverse: f32,
    colour: [f32; 3],
    cover: f32,
    /// Whether it ends to the left, to the right, above and below, or has an edge there.
    edges: [bool; 4],
}

impl<'r> Row<'r> {
    fn new(band: &'r Band, ink: &'r Ink, ghosts: &'r Ghosts, y: usize, height: usize) -> Self {
        let rows = |layer| {
            let row = |k: usize| band.row(layer, (y + k).saturating_sub(1));
            std::array::from_fn(row)
        };
        let shade = |k: usize| mixed(BACKGROUND[0], BACKGROUND[1], (y + k) as f32 / height as f32);
        let own = y / SAMPLES;
        Self {
            y,
            layers: [Layer::First, Layer::Second, Layer::Common].map(rows),
            ink: std::array::from_fn(|k| ink.row(y + k)),
            ghosts: [own.saturating_sub(1), own, own + 1].map(|y| ghosts.row(y)),
            background: std::array::from_fn(shade),
        }
    }

    /// What a sample sees of a layer; nothing outside the picture.
    fn at(&self, layer: Layer, [x, y]: [usize; 2]) -> Sample {
        self.layers[layer as usize][y].get(x).copied().unwrap_or_default()
    }

    /// The nearer of first and second, and which it is.
    fn front(&self, at: [usize; 2]) -> (Layer, Sample) {
        let (first, second) = (self.at(Layer::First, at), self.at(Layer::Second, at));
        if second.inverse > first.inverse { (Layer::Second, second) } else { (Layer::First, first) }
    }

    /// What each pixel shows, for that most show little.
    fn seen(&self, width: usize) -> Vec<Seen> {
        let mut list = vec![Seen::default(); width];
        for rows in &self.layers[..2] {
            for row in &rows[1..=SAMPLES] {
                for (seen, samples) in list.iter_mut().zip(row.chunks_exact(SAMPLES)) {
                    seen.pair |= samples.iter().any(Sample::is_seen);
                }
            }
        }
        for row in &self.ink {
            for (seen, ink) in list.iter_mut().zip(row.chunks_exact(SAMPLES)) {
                seen.ink |= ink.iter().any(|(_, cover)| *cover > 0);
            }
        }
        list
    }

    /// The mean colour of the samples of a pixel.
    fn pixel(&self, column: usize, seen: Seen) -> [f32; 3] {
        let x = column * SAMPLES;
        let veil = self.veil(column);
        if !seen.pair && !seen.ink {
            return veil.map_or(self.background[0], |veil| veil.over(self.background[0]));
        }
        if seen.pair && !seen.ink && self.is_uniform(x, veil.as_ref()) {
            return self.sample([x, 1], veil.as_ref());
        }
        let mut sum = [0.0f32; 3];
        for k in 0..SAMPLES * SAMPLES {
            let colour = self.sample([x + k % SAMPLES, 1 + k / SAMPLES], veil.as_ref());
            (0..3).for_each(|channel| sum[channel] += colour[channel]);
        }
        sum.map(|value| value / (SAMPLES * SAMPLES) as f32)
    }

    /// True if all samples in and around a pixel that shows the pair look alike, so that one of them stands for it: that is most of the pair.
    fn is_uniform(&self, x: usize, veil: Option<&Veil>) -> bool {
        let columns = x.wrapping_sub(1)..x + SAMPLES + 1;
        let of_layer = |rows: &[&'r [Sample]; AROUND]| -> Option<[&'r [Sample]; AROUND]> {
            let mut list = [&[][..]; AROUND];
            for (part, row) in list.iter_mut().zip(rows) {
                *part = row.get(columns.clone())?;
            }
            let own = list[1].get(1)?;
            list.iter().all(|row| row.iter().all(|sample| sample.looks_like(own))).then_some(list)
        };
        let [first, second, common] = &self.layers;
        let (Some(first), Some(second)) = (of_layer(first), of_layer(second)) else { return false };
        // No room is shared in this band, or the samples agree about it.
        if !common[1].is_empty() && of_layer(common).is_none() {
            return false;
        }
        let (one, two) = (first[1][1], second[1][1]);
        if one.is_seen() && two.is_seen() {
            let order = two.inverse > one.inverse;
            let mut pairs = first.iter().zip(&second).flat_map(|(one, two)| one.iter().zip(*two));
            // Stripes show where both coincide.
            let alike = |(one, two): (&Sample, &Sample)| {
                (two.inverse > one.inverse) == order && !coincide(one.inverse, two.inverse, 200.0)
            };
            if !pairs.all(alike) {
                return false;
            }
        }
        // A veil without an edge is the same before all of them, or before none.
        veil.is_none_or(|veil| {
            let before =
                |k: usize| veil.inverse > self.front([x + k % SAMPLES, 1 + k / SAMPLES]).1.inverse;
            let count = (0..SAMPLES * SAMPLES).filter(|&k| before(k)).count();
            count == 0 || (count == SAMPLES * SAMPLES && veil.edges == [false; 4])
        })
    }

    /// The colour of a sample.
    fn sample(&self, at: [usize; 2], veil: Option<&Veil>) -> [f32; 3] {
        let [x, y] = at;
        let mut colour = self.background[y - 1];
        let (layer, front) = self.front(at);
        let ghost = || veil.map(|veil| (veil.of_sample(at), veil));
        if front.is_seen() {
            colour = self.solid(layer, front, at);
            let common = self.at(Layer::Common, at);
            if common.is_seen() {
                let mut inner = lit(CLASH.map(f32::from), common);
                if self.rim(common, at) {
                    inner = mixed(inner, INK, 0.5);
                }
                colour = mixed(colour, inner, 0.72);
            }
            if let Some(((ghost, cover), veil)) = ghost()
                && veil.inverse > front.inverse
            {
                colour = mixed(colour, ghost, 0.45 * cover);
            }
        } else if let Some(((ghost, cover), _)) = ghost() {
            colour = mixed(colour, ghost, cover);
        }
        match self.ink[y - 1].get(x) {
            Some((ink, cover)) if *cover > 0 => {
                mixed(colour, ink.map(f32::from), f32::from(*cover) / 255.0)
            }
            _ => colour,
        }
    }

    /// The colour of a part with its light and edges.
    fn solid(&self, layer: Layer, front: Sample, at: [usize; 2]) -> [f32; 3] {
        let other = if layer == Layer::First { Layer::Second } else { Layer::First };
        let behind = self.at(other, at);
        let coincide = behind.is_seen() && coincide(front.inverse, behind.inverse, 100.0);
        let along = at[0] + self.y + at[1] - 1;
        let first = (layer == Layer::First) != (coincide && along / STRIPE % 2 == 1);
        let base = if first { FIRST } else { SECOND };
        let mut colour = lit(base.map(f32::from), front);
        if behind.is_seen() && !coincide {
            // Through the nearer part the other is seen.
            let base = if first { SECOND } else { FIRST };
            let ends = |at| {
                let sample = self.at(other, at);
                !sample.is_seen() || creased(behind, sample)
            };
            colour = mixed(outlined(lit(base.map(f32::from), behind), at, ends), colour, 0.6);
        }
        outlined(colour, at, |at| {
            let (neighbour, sample) = self.front(at);
            !sample.is_seen() || (neighbour != layer && !coincide) || creased(front, sample)
        })
    }

    /// True where the overlap ends on the screen or has an edge.
    fn rim(&self, here: Sample, at: [usize; 2]) -> bool {
        around(at).into_iter().any(|at| {
            let sample = self.at(Layer::Common, at);
            !sample.is_seen() || creased(here, sample)
        })
    }

    /// The ghost that a pixel sees.
    fn veil(&self, column: usize) -> Option<Veil> {
        let at =
            |row: usize, column: usize| self.ghosts[row].get(column).copied().unwrap_or_default();
        let rest = at(1, column);
        if !rest.is_seen() {
            return None;
        }
        let edge =
            |sample: Sample| sample.tag != rest.tag || !sample.is_seen() || creased(rest, sample);
        let flat = f32::from(rest.normal[2]) / 127.0;
        let beside =
            [at(1, column.saturating_sub(1)), at(1, column + 1), at(0, column), at(2, column)];
        Some(Veil {
            inverse: rest.inverse,
            colour: lit(GHOST, rest),
            cover: 0.17 + 0.16 * (1.0 - flat),
            edges: beside.map(edge),
        })
    }
}

impl Veil {
    /// The colour before a sample, and how much it covers: more where it is seen from the side, and at edges.
    fn of_sample(&self, [x, y]: [usize; 2]) -> ([f32; 3], f32) {
        if self.is_edge([x % SAMPLES, y - 1]) { EDGE_OF_GHOST } else { (self.colour, self.cover) }
    }

    /// True for a sample of the pixel that has an edge beside it.
    fn is_edge(&self, [column, row]: [usize; 2]) -> bool {
        let [left, right, above, below] = self.edges;
        (left && column == 0)
            || (right && column == SAMPLES - 1)
            || (above && row == 0)
            || (below && row == SAMPLES - 1)
    }

    /// The mean over the samples of a pixel with nothing else before a colour.
    fn over(&self, below: [f32; 3]) -> [f32; 3] {
        let plain = mixed(below, self.colour, self.cover);
        if self.edges == [false; 4] {
            return plain;
        }
        let samples = SAMPLES * SAMPLES;
        let edges = (0..samples).filter(|k| self.is_edge([k % SAMPLES, k / SAMPLES])).count();
        let edge = mixed(below, EDGE_OF_GHOST.0, EDGE_OF_GHOST.1);
        mixed(plain, edge, edges as f32 / samples as f32)
    }
}

/// True if the depths of two surfaces are the same but for `times` what counts as one.
fn coincide(one: f32, other: f32, times: f32) -> bool {
    (one - other).abs() <= times * SAME_DEPTH * one.max(other)
}

/// A colour, dark where an edge is between the sample and one beside it.
fn outlined(colour: [f32; 3], at: [usize; 2], edge: impl Fn([usize; 2]) -> bool) -> [f32; 3] {
    let edge = around(at).into_iter().any(edge);
    if edge { mixed(colour, INK, 0.6) } else { colour }
}

/// The samples on four sides; beyond the first column the sample itself, beyond the first row likewise, since that stands twice.
fn around([x, y]: [usize; 2]) -> [[usize; 2]; 4] {
    [[x.saturating_sub(1), y], [x + 1, y], [x, y - 1], [x, y + 1]]
}

fn creased(one: Sample, other: Sample) -> bool {
    let product = |k: usize| i32::from(one.normal[k]) * i32::from(other.normal[k]);
    one.normal != other.normal && product(0) + product(1) + product(2) < EDGE
}

fn lit(colour: [f32; 3], sample: Sample) -> [f32; 3] {
    let [x, y, z] = sample.normal.map(f32::from);
    let dot = x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2];
    let light = 0.62 + (0.36 * dot.max(0.0) + 0.12 * z) / 127.0;
    let glare = 255.0 * (light - 1.0).max(0.0);
    colour.map(|x| x * light + glare)
}

fn mixed(below: [f32; 3], above: [f32; 3], cover: f32) -> [f32; 3] {
    [0, 1, 2].map(|k| below[k] + (above[k] - below[k]) * cover)
}
