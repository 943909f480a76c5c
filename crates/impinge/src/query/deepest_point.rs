//! The deepest common point of two bodies of which only the signed distances of points are known.
//!
//! A signed distance changes by no more than the way between two points. So in a cube of which the middle lies at a depth d below the surface of X no
//! point lies deeper than d plus half the diagonal, and a cube whose middle is farther than that from Y holds no point of Y. Cubes are opened from the
//! deepest on, until those that are left cannot hold a point that is much deeper than the deepest found; from that one small steps go on upwards.

use super::Workspace;
use super::geometry::Placed;
use crate::mesh::{Accuracy, Mode, SurfaceDepth};
use impinge_geom::DAabb;
use impinge_geom::glam::DVec3;
use std::collections::BinaryHeap;

/// Cubes that are opened at most; after that the interval stays as wide as it is.
const MOST_CUBES: usize = 8_000;

/// What rounding may take from a distance, as a share of the largest coordinate.
const ROUNDED: f64 = 1e-12;
/// Steps upwards from the deepest point found, at most, and the shortest of them as a share of the common room.
const MOST_STEPS: usize = 200;
const SHORTEST: f64 = 1e-14;

/// A box with its bound; the largest bound comes first, and of these the oldest.
#[derive(PartialEq)]
struct Candidate {
    upper: f64,
    order: usize,
    low: DVec3,
    high: DVec3,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.upper.total_cmp(&other.upper).then(other.order.cmp(&self.order))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The deepest point of X and Y below the surface of X, looked for at the seeds first. None if the room that they may share has no bounds.
pub(super) fn deepest_point(
    x: &Placed<'_>,
    y: &Placed<'_>,
    accuracy: &Accuracy,
    seeds: &[DVec3],
    workspace: &mut Workspace,
) -> Option<SurfaceDepth> {
    if x.part.mesh().is_some_and(|mesh| mesh.mode() == Mode::Surface) {
        // A surface has no inside.
        let point = seeds.first().copied().unwrap_or(DVec3::ZERO);
        return Some(SurfaceDepth { value: 0.0, upper: 0.0, point });
    }
    let (of_x, of_y) = (x.bounds(), y.bounds());
    let (low, high) = (of_x.low.max(of_y.low), of_x.high.min(of_y.high));
    let finite = low.is_finite() && high.is_finite() && low.cmple(high).all();
    if !finite {
        return None;
    }
    let mut best = SurfaceDepth { value: 0.0, upper: 0.0, point: 0.5 * low + 0.5 * high };
    let rounding = ROUNDED * low.abs().max(high.abs()).max_element();
    for &point in seeds {
        let depth = -x.closest_point(point, workspace).distance;
        if depth > best.value && y.closest_point(point, workspace).distance <= rounding {
            best = SurfaceDepth { value: depth, point, ..best };
        }
    }
    let mut heap = BinaryHeap::from([Candidate { upper: f64::INFINITY, order: 0, low, high }]);
    let mut order = 0;
    while let Some(top) = heap.pop() {
        let wide = (accuracy.relative * best.value).max(accuracy.absolute).max(rounding);
        let limit = top.upper.min(accuracy.separation);
        let decided = accuracy.decide_at.is_some_and(|at| best.value > at || limit <= at);
        if limit <= best.value + wide || decided || order > MOST_CUBES {
            if limit <= best.value + rounding {
                best.upper = best.value;
                return Some(best);
            }
            best = climbed(x, y, best, 0.5 * (high - low).max_element(), workspace);
            best.upper = best.value.max(limit);
            return Some(best);
        }
        for part in halves(&top) {
            let middle = 0.5 * part.low + 0.5 * part.high;
            let radius = middle.distance(part.high);
            let depth = -x.closest_point(middle, workspace).distance;
            let inside = -y.closest_point(middle, workspace).distance;
            if depth < -radius || inside < -radius {
                continue;
            }
            if inside >= 0.0 && depth > best.value {
                best = SurfaceDepth { value: depth, point: middle, ..best };
            }
            order += 1;
            heap.push(Candidate { upper: top.upper.min(depth + radius), order, ..part });
        }
    }
    best.upper = best.value;
    Some(best)
}

/// Steps along the axes, halved where none leads to a deeper common point.
fn climbed(
    x: &Placed<'_>,
    y: &Placed<'_>,
    from: SurfaceDepth,
    size: f64,
    workspace: &mut Workspace,
) -> SurfaceDepth {
    let (mut best, mut step) = (from, size);
    for _ in 0..MOST_STEPS {
        if step <= SHORTEST * size || best.value <= 0.0 {
            break;
        }
        let mut next = best;
        for way in DVec3::AXES.iter().flat_map(|axis| [*axis * step, -*axis * step]) {
            let point = best.point + way;
            let depth = -x.closest_point(point, workspace).distance;
            if depth > next.value && y.closest_point(point, workspace).distance <= 0.0 {
                next = SurfaceDepth { value: depth, point, ..best };
            }
        }
        if next.value > best.value { best = next } else { step *= 0.5 }
    }
    best
}

/// A box cut across its longest side; a flat one stays as it is, twice.
fn halves(whole: &Candidate) -> [Candidate; 2] {
    let DAabb { low, high } = DAabb { low: whole.low, high: whole.high };
    let size = high - low;
    let axis = (0..3).max_by(|i, j| size[*i].total_cmp(&size[*j])).unwrap_or(0);
    let middle = 0.5 * (low[axis] + high[axis]);
    let (mut below, mut above) = (high, low);
    (below[axis], above[axis]) = (middle, middle);
    let part = |low: DVec3, high: DVec3| Candidate { upper: whole.upper, order: 0, low, high };
    [part(low, below), part(above, high)]
}
