//! The rest of a model, of which only the nearest surface shows: parts are drawn from near to far, and a part or triangle that is behind what is drawn
//! already, all over where it could be seen, is left out (N. Greene, M. Kass and G. Miller, "Hierarchical Z-Buffer Visibility", SIGGRAPH 1993, with one level of tiles).

use super::layers::{Prepared, Sample, extent};
use super::raster::{Corner, Facing, NEAR, Screen, Target, facing, fill};
use super::subject::Subject;
use crate::model::{Model, ModelPart};
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use std::ops::Range;

/// Samples along the side of a tile.
const TILE: usize = 16;

/// A part that may be seen.
struct Candidate {
    index: usize,
    /// Where.
    extent: [Range<usize>; 2],
    /// No corner of its box has a larger inverse depth.
    nearest: f32,
}

/// What is seen of the rest, by one sample for each pixel.
pub(super) struct Ghosts {
    width: usize,
    list: Vec<Sample>,
}

impl Ghosts {
    /// Draws the rest of a model.
    pub(super) fn draw(model: &Model, subject: &Subject<'_>, screen: &Screen) -> Self {
        let is_pair = |index: usize| {
            subject.first.binary_search(&index).is_ok()
                || subject.second.binary_search(&index).is_ok()
        };
        let mut parts: Vec<Candidate> = (model.parts.iter().enumerate())
            .filter(|(index, _)| !is_pair(*index))
            .filter_map(|(index, part)| {
                let extent = extent(part, screen)?;
                Some(Candidate { index, extent, nearest: nearest(part, screen) })
            })
            .collect();
        parts.sort_by(|x, y| y.nearest.total_cmp(&x.nearest).then(x.index.cmp(&y.index)));
        let mut brush = Brush {
            width: screen.width,
            list: vec![Sample::default(); screen.width * screen.height],
            tiles: Tiles::new(screen),
            tag: 0,
            corners: Default::default(),
            facing: None,
        };
        for Candidate { index, extent, nearest } in parts {
            if brush.tiles.hide(&extent, nearest) {
                continue;
            }
            let part = Prepared::new(model, index, false, extent, screen);
            brush.tag = part.tag;
            for triangle in 0..part.count() {
                let Some(corners) = part.triangle(triangle) else { continue };
                (brush.corners, brush.facing) = (corners, None);
                fill(screen, &corners, part.extent()[1].clone(), &mut brush);
            }
            brush.tiles.update(&brush.list, screen.width);
        }
        Self { width: screen.width, list: brush.list }
    }

    /// A row of samples; empty outside the picture.
    pub(super) fn row(&self, y: usize) -> &[Sample] {
        self.list.get(y * self.width..(y + 1) * self.width).unwrap_or(&[])
    }
}

/// Draws triangles of one part after the other.
struct Brush {
    width: usize,
    list: Vec<Sample>,
    tiles: Tiles,
    tag: u8,
    corners: [Corner; 3],
    facing: Option<Option<Facing>>,
}

impl Target for Brush {
    fn hides(&mut self, columns: [usize; 2], rows: [usize; 2], nearest: f32) -> bool {
        let extent = [columns, rows].map(|[first, last]| first..last + 1);
        let hidden = self.tiles.hide(&extent, nearest);
        if !hidden {
            self.tiles.mark(&extent);
        }
        hidden
    }

    fn hit(&mut self, x: usize, y: usize, inverse: f32) {
        let Some(sample) = self.list.get_mut(y * self.width + x) else { return };
        if inverse <= sample.inverse {
            return;
        }
        let facing = *self.facing.get_or_insert_with(|| facing(&self.corners));
        let Some(Facing { normal, .. }) = facing else { return };
        *sample = Sample { inverse, normal, tag: self.tag };
    }
}

/// The largest inverse depth that a part can have; without bound if it reaches the camera.
fn nearest(part: &ModelPart, screen: &Screen) -> f32 {
    let DAabb { low, high } = part.bounds;
    let depth = |k: usize| {
        let side = |axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
        screen.view(DVec3::new(side(0), side(1), side(2)))[2]
    };
    let least = (0..8).map(depth).fold(f32::INFINITY, f32::min);
    // A little more for the rounding of both.
    if least > NEAR { 1.0001 / least } else { f32::INFINITY }
}

/// The farthest that is seen in each tile.
struct Tiles {
    across: usize,
    farthest: Vec<f32>,
    /// Tiles that were drawn into since they were looked at.
    changed: Vec<bool>,
}

impl Tiles {
    fn new(screen: &Screen) -> Self {
        let across = screen.width.div_ceil(TILE);
        let count = across * screen.height.div_ceil(TILE);
        Self { across, farthest: vec![0.0; count], changed: vec![false; count] }
    }

    /// True if all that is seen in some columns and rows is at least as near.
    fn hide(&self, extent: &[Range<usize>; 2], nearest: f32) -> bool {
        let [columns, rows] = extent.clone().map(tiles);
        for row in rows {
            let line = row * self.across;
            let line = self.farthest.get(line + columns.start..line + columns.end);
            if !line.is_some_and(|line| line.iter().all(|&farthest| farthest >= nearest)) {
                return false;
            }
        }
        true
    }

    fn mark(&mut self, extent: &[Range<usize>; 2]) {
        let [columns, rows] = extent.clone().map(tiles);
        for row in rows {
            let line = row * self.across;
            if let Some(line) = self.changed.get_mut(line + columns.start..line + columns.end) {
                line.fill(true);
            }
        }
    }

    /// Looks again at what was drawn into.
    fn update(&mut self, list: &[Sample], width: usize) {
        let across = self.across.max(1);
        for (tile, changed) in self.changed.iter_mut().enumerate().filter(|(_, it)| **it) {
            *changed = false;
            let (left, top) = (tile % across * TILE, tile / across * TILE);
            let right = (left + TILE).min(width);
            let rows = list.chunks(width.max(1)).skip(top).take(TILE);
            let samples = rows.flat_map(|row| row.get(left..right).unwrap_or(&[]));
            self.farthest[tile] =
                samples.map(|sample| sample.inverse).fold(f32::INFINITY, f32::min);
        }
    }
}

/// The tiles that samples are in.
fn tiles(range: Range<usize>) -> Range<usize> {
    range.start / TILE..range.end.div_ceil(TILE)
}
