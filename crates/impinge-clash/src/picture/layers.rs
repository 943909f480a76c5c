//! What each sample of some rows sees of the pair: the nearest surface of the first parts and of the second, and their overlap.

use super::raster::{self, Corner, Facing, NEAR, Screen, Target, facing, fill};
use super::subject::Subject;
use crate::model::{Model, ModelPart};
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge::tree::parallel;
use std::ops::Range;

/// Surfaces of the pair that are kept in a band to find their overlap; a band with more shows none.
const MOST_CROSSINGS: usize = 1 << 21;
/// Depths that differ by less of themselves are one.
pub(super) const SAME_DEPTH: f32 = 2e-6;

/// Which surface.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    First = 0,
    Second = 1,
    /// Where the overlap of first and second begins.
    Common = 2,
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

    /// True if it has the colour of another one, but for what is around them: of the same part and turned alike, or nothing, whose normal is zero.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        (self.normal, self.tag) == (other.normal, other.tag)
    }
}

/// Some rows of samples, and the row before and after them, since edges are drawn where neighbours differ.
pub(super) struct Band {
    pub(super) width: usize,
    /// The rows that are meant.
    pub(super) rows: Range<usize>,
    /// Those that were drawn.
    drawn: Range<usize>,
    /// First, second and common; common is empty where no room is shared.
    layers: [Vec<Sample>; 3],
}

impl Band {
    /// A row of samples; empty where nothing of the layer was drawn.
    pub(super) fn row(&self, layer: Layer, y: usize) -> &[Sample] {
        let Some(y) = y.checked_sub(self.drawn.start) else { return &[] };
        self.layers[layer as usize].get(y * self.width..(y + 1) * self.width).unwrap_or(&[])
    }

    /// The inverse depth of the pair; 0 where it is not seen.
    pub(super) fn front(&self, x: usize, y: usize) -> f32 {
        let inverse = |layer| self.row(layer, y).get(x).map_or(0.0, |sample| sample.inverse);
        inverse(Layer::First).max(inverse(Layer::Second))
    }
}

/// A part whose corners are where they are seen.
pub(super) struct Prepared<'m> {
    triangles: &'m [[u32; 3]],
    corners: Vec<Corner>,
    /// True for a second part.
    second: bool,
    pub(super) tag: u8,
    closed: bool,
    /// The samples that may see it: columns and rows.
    extent: [Range<usize>; 2],
}

impl<'m> Prepared<'m> {
    /// The part of an index, where it is seen.
    pub(super) fn new(
        model: &'m Model,
        index: usize,
        second: bool,
        extent: [Range<usize>; 2],
        screen: &Screen,
    ) -> Self {
        let part = &model.parts[index];
        Self {
            triangles: part.instance.mesh().triangles(),
            corners: corners(part, screen),
            second,
            // Neighbours in the list differ.
            tag: (index.wrapping_mul(37) % 251) as u8,
            closed: part.closed,
            extent,
        }
    }

    /// The corners of a triangle; None if it has none.
    pub(super) fn triangle(&self, index: usize) -> Option<[Corner; 3]> {
        let [a, b, c] = *self.triangles.get(index)?;
        let corner = |k: u32| self.corners.get(k as usize).copied();
        Some([corner(a)?, corner(b)?, corner(c)?])
    }

    /// How many triangles it has.
    pub(super) fn count(&self) -> usize {
        self.triangles.len()
    }

    /// The samples that may see it: columns and rows.
    pub(super) fn extent(&self) -> &[Range<usize>; 2] {
        &self.extent
    }
}

/// The triangles of the pair, by the bands of rows that they are seen in.
pub(super) struct Pair<'m> {
    parts: Vec<Prepared<'m>>,
    /// For each band part and triangle, in their order.
    bands: Vec<Vec<[u32; 2]>>,
    rows: usize,
    height: usize,
    /// Where room may be shared.
    window: Option<[Range<usize>; 2]>,
}

impl<'m> Pair<'m> {
    /// The pair in bands of some rows.
    pub(super) fn new(
        model: &'m Model,
        subject: &Subject<'_>,
        screen: &Screen,
        rows: usize,
    ) -> Self {
        let parts = prepared(model, subject, screen);
        let window = if subject.shares_room { window(&parts, screen) } else { None };
        let height = screen.height;
        let mut bands = vec![Vec::new(); height.div_ceil(rows)];
        for (number, part) in parts.iter().enumerate() {
            for triangle in 0..part.count() {
                let Some(corners) = part.triangle(triangle) else { continue };
                let seen = raster::rows(&corners, height);
                // A band draws the rows beside it as well.
                let (first, last) = (seen.start.saturating_sub(1) / rows, seen.end / rows);
                for band in bands.iter_mut().take(last + 1).skip(first) {
                    band.push([number as u32, triangle as u32]);
                }
            }
        }
        Self { parts, bands, rows, height, window }
    }

    /// How many bands there are.
    pub(super) fn bands(&self) -> usize {
        self.bands.len()
    }
}

/// The parts of the pair that are seen.
fn prepared<'m>(model: &'m Model, subject: &Subject<'_>, screen: &Screen) -> Vec<Prepared<'m>> {
    let first = subject.first.iter().map(|&index| (index, false));
    let second = subject.second.iter().map(|&index| (index, true));
    let mut pair: Vec<(usize, bool)> = first.chain(second).collect();
    pair.sort_unstable_by_key(|(index, _)| *index);
    let seen: Vec<_> = (pair.into_iter())
        .filter_map(|own| Some((own, extent(&model.parts[own.0], screen)?)))
        .collect();
    parallel::tasks(seen.len(), |k| {
        let ((index, second), extent) = seen[k].clone();
        Prepared::new(model, index, second, extent, screen)
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
    for second in [false, true] {
        let own = || parts.iter().filter(|part| part.second == second);
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
    /// Draws a band of the pair.
    pub(super) fn draw(pair: &Pair<'_>, screen: &Screen, band: usize) -> Self {
        let rows = band * pair.rows..((band + 1) * pair.rows).min(pair.height);
        let drawn = rows.start.saturating_sub(1)..(rows.end + 1).min(screen.height);
        let count = drawn.len() * screen.width;
        let mut layers = [(); 2].map(|()| vec![Sample::default(); count]);
        let mut crossings = Vec::new();
        let triangles = pair.bands.get(band).map_or(&[][..], Vec::as_slice);
        for list in triangles.chunk_by(|x, y| x[0] == y[0]) {
            let Some(part) = list.first().and_then(|[part, _]| pair.parts.get(*part as usize))
            else {
                continue;
            };
            let mut pen = Pen {
                width: screen.width,
                first_row: drawn.start,
                list: &mut layers[usize::from(part.second)],
                tag: part.tag,
                second: part.second,
                crossings: pair.window.as_ref().map(|window| (window, &mut crossings)),
                corners: Default::default(),
                facing: None,
            };
            for &[_, triangle] in list {
                let Some(corners) = part.triangle(triangle as usize) else { continue };
                (pen.corners, pen.facing) = (corners, None);
                fill(screen, &corners, drawn.clone(), &mut pen);
            }
        }
        let mut common = vec![Sample::default(); if crossings.is_empty() { 0 } else { count }];
        if crossings.len() < MOST_CROSSINGS {
            find_common(&mut crossings, &mut common);
        }
        let [first, second] = layers;
        Self { width: screen.width, rows, drawn, layers: [first, second, common] }
    }
}

/// Draws a part of the pair; where room may be shared, every surface on the way of a sample is noted.
struct Pen<'p> {
    width: usize,
    first_row: usize,
    list: &'p mut [Sample],
    tag: u8,
    second: bool,
    crossings: Option<(&'p [Range<usize>; 2], &'p mut Vec<Crossing>)>,
    corners: [Corner; 3],
    /// Most triangles of a detailed part cover no sample: their normal is not asked for.
    facing: Option<Option<Facing>>,
}

impl Target for Pen<'_> {
    fn hit(&mut self, x: usize, y: usize, inverse: f32) {
        let index = (y - self.first_row) * self.width + x;
        let Some(sample) = self.list.get_mut(index) else { return };
        let nearer = inverse > sample.inverse;
        if !nearer && self.crossings.is_none() {
            return;
        }
        let facing = *self.facing.get_or_insert_with(|| facing(&self.corners));
        let Some(facing) = facing else { return };
        if nearer {
            *sample = Sample { inverse, normal: facing.normal, tag: self.tag };
        }
        if let Some(([columns, lines], crossings)) = &mut self.crossings {
            let noted = columns.contains(&x) && lines.contains(&y);
            if noted && crossings.len() < MOST_CROSSINGS {
                let second = self.second;
                crossings.push(Crossing { sample: index as u32, inverse, second, facing });
            }
        }
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
