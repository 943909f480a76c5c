//! What each sample of a picture sees: the nearest surface of the first parts, of the second and of the rest, and the room that first
//! and second share. The rest is most of a model and is shown as ghosts: it is seen by one sample for each pixel.
//!
//! Bands of rows are drawn side by side, each all parts in order, so that the result does not depend on the number of threads.

use super::raster::{Corner, Facing, NEAR, Screen, facing, fill};
use super::subject::Subject;
use super::{SAMPLES, ghosts};
use crate::model::{Model, ModelPart};
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge::tree::parallel;
use std::ops::Range;

/// Rows of samples in a band. A triangle is looked at in each band that its part is seen in, so that there should be few.
const ROWS: usize = 256;
/// Surfaces of the pair that are kept in a band to find the room they share; a band with more shows none.
const MOST_CROSSINGS: usize = 1 << 21;
/// Depths that differ by less of themselves are one.
pub(super) const SAME_DEPTH: f32 = 2e-6;

/// Which surface.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    First = 0,
    Second = 1,
    /// Where the room begins that first and second share.
    Common = 2,
    Rest = 3,
}

/// What a sample sees of a layer.
#[derive(Clone, Copy, Default)]
pub(super) struct Sample {
    /// The larger the nearer; 0 for nothing.
    pub(super) inverse: f32,
    pub(super) normal: [i8; 3],
    /// Differs for most parts.
    pub(super) tag: u8,
}

impl Sample {
    pub(super) fn is_seen(&self) -> bool {
        self.inverse > 0.0
    }
}

/// All samples.
pub(super) struct Layers {
    pub(super) width: usize,
    pub(super) height: usize,
    bands: Vec<Band>,
    /// How many samples of the rest a row has.
    ghost_width: usize,
    ghosts: Vec<Sample>,
}

/// First, second and common.
struct Band {
    layers: [Vec<Sample>; 3],
}

impl Layers {
    /// Draws a model.
    pub(super) fn draw(model: &Model, subject: &Subject<'_>, screen: &Screen) -> Self {
        let rows = |screen: &Screen, k: usize| k * ROWS..((k + 1) * ROWS).min(screen.height);
        let pair = prepared(model, subject, screen);
        let window = if subject.shares_room { window(&pair, screen) } else { None };
        let bands = parallel::tasks(screen.height.div_ceil(ROWS), |k| {
            Band::draw(&pair, screen, rows(screen, k), window.as_ref())
        });
        let coarse = screen.coarser(SAMPLES);
        let ghosts = ghosts::draw(model, subject, &coarse);
        let (width, height) = (screen.width, screen.height);
        Self { width, height, bands, ghost_width: coarse.width, ghosts }
    }

    /// What a sample sees; nothing outside the picture.
    pub(super) fn at(&self, layer: Layer, x: usize, y: usize) -> Sample {
        if x >= self.width {
            return Sample::default();
        }
        let x = if layer == Layer::Rest { x / SAMPLES } else { x };
        self.row(layer, y).get(x).copied().unwrap_or_default()
    }

    /// A row of samples, of which the rest has one for several; empty where nothing of the layer was drawn.
    pub(super) fn row(&self, layer: Layer, y: usize) -> &[Sample] {
        let (list, y, width) = match layer {
            Layer::Rest => (Some(&self.ghosts), y / SAMPLES, self.ghost_width),
            Layer::First | Layer::Second | Layer::Common => {
                let band = self.bands.get(y / ROWS);
                (band.map(|band| &band.layers[layer as usize]), y % ROWS, self.width)
            }
        };
        list.and_then(|list| list.get(y * width..(y + 1) * width)).unwrap_or(&[])
    }

    /// The nearer of first and second, and which it is.
    pub(super) fn front(&self, x: usize, y: usize) -> (Layer, Sample) {
        let (first, second) = (self.at(Layer::First, x, y), self.at(Layer::Second, x, y));
        if second.inverse > first.inverse { (Layer::Second, second) } else { (Layer::First, first) }
    }
}

/// A part whose corners are where they are seen.
pub(super) struct Prepared<'m> {
    triangles: &'m [[u32; 3]],
    corners: Vec<Corner>,
    layer: Layer,
    tag: u8,
    closed: bool,
    /// The samples that may see it: columns and rows.
    extent: [Range<usize>; 2],
}

impl<'m> Prepared<'m> {
    /// The part of an index, where it is seen.
    pub(super) fn new(
        model: &'m Model,
        (index, layer): (usize, Layer),
        extent: [Range<usize>; 2],
        screen: &Screen,
    ) -> Self {
        let part = &model.parts[index];
        Self {
            triangles: part.instance.mesh().triangles(),
            corners: corners(part, screen),
            layer,
            // Neighbours in the list differ.
            tag: (index.wrapping_mul(37) % 251) as u8,
            closed: part.closed,
            extent,
        }
    }
}

/// The parts of the pair that are seen.
fn prepared<'m>(model: &'m Model, subject: &Subject<'_>, screen: &Screen) -> Vec<Prepared<'m>> {
    let first = subject.first.iter().map(|&index| (index, Layer::First));
    let second = subject.second.iter().map(|&index| (index, Layer::Second));
    let mut pair: Vec<(usize, Layer)> = first.chain(second).collect();
    pair.sort_unstable_by_key(|(index, _)| *index);
    let seen: Vec<_> = (pair.into_iter())
        .filter_map(|own| Some((own, extent(&model.parts[own.0], screen)?)))
        .collect();
    parallel::tasks(seen.len(), |k| {
        let (own, extent) = seen[k].clone();
        Prepared::new(model, own, extent, screen)
    })
}

/// The samples that may see a part, by its box; None if none can, or if it is too small.
pub(super) fn extent(part: &ModelPart, screen: &Screen) -> Option<[Range<usize>; 2]> {
    let DAabb { low, high } = part.bounds;
    let views = [0, 1, 2, 3, 4, 5, 6, 7].map(|k: usize| {
        let side = |axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
        screen.view(DVec3::new(side(0), side(1), side(2)))
    });
    let sides = [screen.width, screen.height];
    if views.iter().any(|view| !(view[2] >= NEAR && view[2].is_finite())) {
        let behind = views.iter().all(|view| view[2] < NEAR);
        return (!behind).then(|| sides.map(|side| 0..side));
    }
    let span = |axis: usize| {
        let sign = if axis == 0 { 1.0 } else { -1.0 };
        let place =
            |view: &[f32; 3]| 0.5 * sides[axis] as f32 + sign * view[axis] / view[2] * screen.focal;
        let low = views.iter().map(place).fold(f32::INFINITY, f32::min);
        let high = views.iter().map(place).fold(f32::NEG_INFINITY, f32::max);
        // A cast keeps within what the type holds.
        (low - 1.0).max(0.0) as usize..((high + 2.0).max(0.0) as usize).min(sides[axis])
    };
    let extent = [span(0), span(1)];
    (!extent[0].is_empty() && !extent[1].is_empty()).then_some(extent)
}

/// The corners of a part, in its mesh's order: three dot products each.
fn corners(part: &ModelPart, screen: &Screen) -> Vec<Corner> {
    let (pose, scale) = (part.instance.pose(), part.instance.scale() / screen.unit);
    let camera = &screen.camera;
    let axes = [camera.right(), camera.up, camera.direction];
    let offset = axes.map(|axis| axis.dot(pose.translation() - camera.position) / screen.unit);
    let own = axes.map(|axis| pose.inverse_rotate(axis) * scale);
    let vertices = part.instance.mesh().vertices();
    parallel::list(vertices.len(), |k| {
        let view = [0, 1, 2].map(|axis| (own[axis].dot(vertices[k]) + offset[axis]) as f32);
        screen.corner(view)
    })
}

/// The samples that may see both first and second parts.
fn window(parts: &[Prepared<'_>], screen: &Screen) -> Option<[Range<usize>; 2]> {
    let mut both = [0..screen.width, 0..screen.height];
    for layer in [Layer::First, Layer::Second] {
        let own = || parts.iter().filter(|part| part.layer == layer);
        if own().any(|part| !part.closed) {
            return None;
        }
        for (axis, range) in both.iter_mut().enumerate() {
            let start = own().map(|part| part.extent[axis].start).min()?;
            let end = own().map(|part| part.extent[axis].end).max()?;
            *range = range.start.max(start)..range.end.min(end);
        }
    }
    (!both[0].is_empty() && !both[1].is_empty()).then_some(both)
}

/// A surface of the pair along the ray of a sample.
#[derive(Clone, Copy)]
struct Crossing {
    sample: u32,
    inverse: f32,
    second: bool,
    facing: Facing,
}

impl Band {
    fn draw(
        parts: &[Prepared<'_>],
        screen: &Screen,
        rows: Range<usize>,
        window: Option<&[Range<usize>; 2]>,
    ) -> Self {
        let count = rows.len() * screen.width;
        let mut layers = [(); 2].map(|()| vec![Sample::default(); count]);
        let mut crossings = Vec::new();
        for part in parts {
            let second = part.layer == Layer::Second;
            let list = &mut layers[usize::from(second)];
            let Some([columns, lines]) = window else {
                paint::<false>(part, screen, &rows, list, &mut |_, _, _, _| {});
                continue;
            };
            paint::<true>(part, screen, &rows, list, &mut |[x, y], sample, inverse, facing| {
                let noted = columns.contains(&x) && lines.contains(&y);
                if noted && crossings.len() < MOST_CROSSINGS {
                    crossings.push(Crossing { sample: sample as u32, inverse, second, facing });
                }
            });
        }
        let mut common = vec![Sample::default(); if crossings.is_empty() { 0 } else { count }];
        if crossings.len() < MOST_CROSSINGS {
            find_common(&mut crossings, &mut common);
        }
        let [first, second] = layers;
        Self { layers: [first, second, common] }
    }
}

/// Draws a part into some rows. With `ALL`, `seen` receives every surface along a sample: its place, index, inverse depth and side.
pub(super) fn paint<const ALL: bool>(
    part: &Prepared<'_>,
    screen: &Screen,
    rows: &Range<usize>,
    list: &mut [Sample],
    seen: &mut impl FnMut([usize; 2], usize, f32, Facing),
) {
    let own = part.extent[1].start.max(rows.start)..part.extent[1].end.min(rows.end);
    if own.is_empty() {
        return;
    }
    for triangle in part.triangles {
        let [Some(a), Some(b), Some(c)] = triangle.map(|k| part.corners.get(k as usize).copied())
        else {
            continue;
        };
        let corners = [a, b, c];
        let mut known: Option<Option<Facing>> = None;
        fill(screen, &corners, own.clone(), &mut |x, y, inverse| {
            let index = (y - rows.start) * screen.width + x;
            let Some(sample) = list.get_mut(index) else { return };
            let nearer = inverse > sample.inverse;
            if !(ALL || nearer) {
                return;
            }
            // Most triangles of a detailed part cover no sample: their normal is not asked for.
            let Some(facing) = *known.get_or_insert_with(|| facing(&corners)) else { return };
            if nearer {
                *sample = Sample { inverse, normal: facing.normal, tag: part.tag };
            }
            if ALL {
                seen([x, y], index, inverse, facing);
            }
        });
    }
}

/// Where first and second parts are both around the ray of a sample for the first time.
fn find_common(crossings: &mut [Crossing], common: &mut [Sample]) {
    crossings.sort_unstable_by(|x, y| {
        let key = |crossing: &Crossing| {
            let Facing { normal, front } = crossing.facing;
            (crossing.second, front, normal)
        };
        (x.sample.cmp(&y.sample))
            .then(y.inverse.total_cmp(&x.inverse))
            .then_with(|| key(x).cmp(&key(y)))
    });
    for ray in crossings.chunk_by(|x, y| x.sample == y.sample) {
        let step = |crossing: &Crossing| if crossing.facing.front { 1 } else { -1 };
        // A ray ends outside of everything, also one that begins inside.
        let mut around = [0i32; 2];
        ray.iter().for_each(|crossing| around[usize::from(crossing.second)] -= step(crossing));
        for (k, crossing) in ray.iter().enumerate() {
            around[usize::from(crossing.second)] += step(crossing);
            let next = ray.get(k + 1);
            let ends_here = next
                .is_none_or(|next| crossing.inverse - next.inverse > SAME_DEPTH * crossing.inverse);
            if ends_here && around[0] > 0 && around[1] > 0 {
                if let Some(sample) = common.get_mut(crossing.sample as usize) {
                    *sample = Sample {
                        inverse: crossing.inverse,
                        normal: crossing.facing.normal,
                        tag: 0,
                    };
                }
                break;
            }
        }
    }
}
