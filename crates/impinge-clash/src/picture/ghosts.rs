//! The rest of a model, of which only the nearest surface shows: parts are drawn from near to far, and one that is behind what is drawn already, all over
//! where it could be seen, is left out (N. Greene, M. Kass and G. Miller, "Hierarchical Z-Buffer Visibility", SIGGRAPH 1993, with one level of tiles).

use super::layers::{Layer, Prepared, Sample, extent, paint};
use super::raster::{NEAR, Screen};
use super::subject::Subject;
use crate::model::{Model, ModelPart};
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use std::ops::Range;

/// Samples along the side of a tile.
const TILE: usize = 16;
/// Parts that are drawn before tiles are looked at again.
const PARTS: usize = 12;

/// A part that may be seen.
struct Candidate {
    index: usize,
    /// Where.
    extent: [Range<usize>; 2],
    /// No corner of its box has a larger inverse depth.
    nearest: f32,
}

/// All samples of the rest.
pub(super) fn draw(model: &Model, subject: &Subject<'_>, screen: &Screen) -> Vec<Sample> {
    let mut list = vec![Sample::default(); screen.width * screen.height];
    let is_pair = |index: usize| {
        subject.first.binary_search(&index).is_ok() || subject.second.binary_search(&index).is_ok()
    };
    let mut parts: Vec<Candidate> = (model.parts.iter().enumerate())
        .filter(|(index, _)| !is_pair(*index))
        .filter_map(|(index, part)| {
            let extent = extent(part, screen)?;
            Some(Candidate { index, extent, nearest: nearest(part, screen) })
        })
        .collect();
    parts.sort_by(|x, y| y.nearest.total_cmp(&x.nearest).then(x.index.cmp(&y.index)));
    let mut tiles = Tiles::new(screen);
    let mut drawn = 0;
    for part in parts {
        if tiles.hide(&part) {
            continue;
        }
        let own = (part.index, Layer::Rest);
        let prepared = Prepared::new(model, own, part.extent, screen);
        paint::<false>(&prepared, screen, &(0..screen.height), &mut list, &mut |_, _, _, _| {});
        drawn += 1;
        if drawn % PARTS == 0 {
            tiles.update(&list, screen);
        }
    }
    list
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
}

impl Tiles {
    fn new(screen: &Screen) -> Self {
        let across = screen.width.div_ceil(TILE);
        Self { across, farthest: vec![0.0; across * screen.height.div_ceil(TILE)] }
    }

    fn hide(&self, part: &Candidate) -> bool {
        let [columns, rows] = &part.extent;
        let tiles = |range: &Range<usize>| range.start / TILE..range.end.div_ceil(TILE);
        tiles(rows).all(|row| {
            let line = self.farthest.get(row * self.across..(row + 1) * self.across);
            let line = line.and_then(|line| line.get(tiles(columns)));
            line.is_some_and(|line| line.iter().all(|&farthest| farthest >= part.nearest))
        })
    }

    fn update(&mut self, list: &[Sample], screen: &Screen) {
        self.farthest.fill(f32::INFINITY);
        for (y, row) in list.chunks(screen.width.max(1)).enumerate() {
            let line = y / TILE * self.across;
            for (tile, samples) in row.chunks(TILE).enumerate() {
                let least =
                    samples.iter().map(|sample| sample.inverse).fold(f32::INFINITY, f32::min);
                if let Some(farthest) = self.farthest.get_mut(line + tile) {
                    *farthest = farthest.min(least);
                }
            }
        }
    }
}
