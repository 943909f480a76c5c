//! Triangles into samples: corners snapped to 1/256 of a sample and edge functions in whole numbers (J. Pineda, "A Parallel Algorithm
//! for Polygon Rasterization", SIGGRAPH 1988), so that triangles with a common edge leave no gap and cover no sample twice.

use super::camera::Camera;
use impinge::geom::glam::DVec3;
use std::ops::Range;

/// Steps in a sample.
const STEPS: i64 = 256;
/// Corners beyond this are moved to it: products of differences stay within 64 bits.
const FARTHEST: f32 = (1 << 29) as f32;
/// What is nearer than this part of the distance to the subject is cut off.
pub(super) const NEAR: f32 = 1e-3;

/// A camera and the samples behind it.
pub(super) struct Screen {
    pub(super) camera: Camera,
    /// The distance that depths are measured in.
    pub(super) unit: f64,
    pub(super) width: usize,
    pub(super) height: usize,
    /// In samples.
    pub(super) focal: f32,
}

/// A corner as it is seen.
#[derive(Clone, Copy, Default)]
pub(super) struct Corner {
    /// To the right, up and away, in the screen's unit.
    pub(super) view: [f32; 3],
    /// Steps from the upper left; meaningless unless `inverse` is positive.
    at: [i32; 2],
    /// One over the depth, the larger the nearer; 0 if it is too near or behind.
    pub(super) inverse: f32,
}

impl Corner {
    /// Column, row and inverse depth, not rounded; None if it is too near or behind.
    pub(super) fn place(&self) -> Option<[f32; 3]> {
        let [x, y] = self.at.map(|step| step as f32 / STEPS as f32);
        (self.inverse > 0.0).then_some([x, y, self.inverse])
    }
}

/// The rows of samples that a triangle may cover.
pub(super) fn rows(corners: &[Corner; 3], height: usize) -> Range<usize> {
    if corners.iter().any(|corner| corner.inverse <= 0.0) {
        return 0..height;
    }
    let [a, b, c] = corners.map(|corner| corner.at[1]);
    let row = |step: i32| (i64::from(step) / STEPS).clamp(0, height as i64) as usize;
    row(a.min(b).min(c))..(row(a.max(b).max(c)) + 1).min(height)
}

impl Screen {
    /// The corner of a point as it is seen, in the screen's unit.
    pub(super) fn corner(&self, view: [f32; 3]) -> Corner {
        let [x, y, depth] = view;
        // Also false for what is not a number.
        if !(depth >= NEAR && depth.is_finite()) {
            return Corner { view, ..Corner::default() };
        }
        let middle = [self.width, self.height].map(|side| 0.5 * side as f32);
        let step = |value: f32, middle: f32| {
            let place = (middle + value / depth * self.focal) * STEPS as f32;
            // Rounded by a cast, which gives zero for what is not a number: `round` is a call on processors without an instruction for it.
            let place = place.clamp(-FARTHEST, FARTHEST);
            (place + 0.5f32.copysign(place)) as i32
        };
        Corner { view, at: [step(x, middle[0]), step(-y, middle[1])], inverse: 1.0 / depth }
    }

    /// The same picture with fewer samples, of which each stands for several.
    pub(super) fn coarser(&self, factor: usize) -> Self {
        Self {
            camera: self.camera,
            unit: self.unit,
            width: self.width.div_ceil(factor),
            height: self.height.div_ceil(factor),
            focal: self.focal / factor as f32,
        }
    }

    /// A point of the world in the screen's unit.
    pub(super) fn view(&self, point: DVec3) -> [f32; 3] {
        self.camera.seen(point).map(|x| (x / self.unit) as f32)
    }
}

/// How a triangle faces the camera.
#[derive(Clone, Copy)]
pub(super) struct Facing {
    /// Towards the camera, 127 long: to the right, up, and towards it.
    pub(super) normal: [i8; 3],
    /// True if its corners turn counter-clockwise as seen.
    pub(super) front: bool,
}

/// The side of a triangle that is seen; None for one without area.
pub(super) fn facing(corners: &[Corner; 3]) -> Option<Facing> {
    // A right-handed frame looks against the depth.
    let point = |k: usize| {
        let [x, y, z] = corners[k].view;
        [x, y, -z]
    };
    let (a, b, c) = (point(0), point(1), point(2));
    let (u, v) = ([0, 1, 2].map(|k| b[k] - a[k]), [0, 1, 2].map(|k| c[k] - a[k]));
    let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let dot = |p: [f32; 3], q: [f32; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let length = dot(cross, cross).sqrt();
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let front = dot(cross, a) < 0.0;
    let factor = if front { 127.0 / length } else { -127.0 / length };
    Some(Facing { normal: cross.map(|x| (x * factor).round() as i8), front })
}

/// What samples are drawn into.
pub(super) trait Target {
    /// True if nothing of a triangle would be seen that covers samples in these columns and rows only, ends included, none with a larger inverse depth.
    fn hides(&mut self, _columns: [usize; 2], _rows: [usize; 2], _nearest: f32) -> bool {
        false
    }

    /// Column, row and inverse depth of a sample that is covered.
    fn hit(&mut self, x: usize, y: usize, inverse: f32);
}

/// Tells a target each sample in some rows that a triangle covers.
pub(super) fn fill(
    screen: &Screen,
    corners: &[Corner; 3],
    rows: Range<usize>,
    target: &mut impl Target,
) {
    let before = corners.iter().filter(|corner| corner.inverse > 0.0).count();
    match before {
        0 => {}
        3 => fill_seen(screen, corners, rows, target),
        _ => {
            let (polygon, count) = cut(screen, corners);
            for k in 2..count {
                let piece = [polygon[0], polygon[k - 1], polygon[k]];
                fill_seen(screen, &piece, rows.clone(), target);
            }
        }
    }
}

/// What is left of a triangle beyond the near plane: three or four corners, or none.
fn cut(screen: &Screen, corners: &[Corner; 3]) -> ([Corner; 4], usize) {
    let mut kept = [Corner::default(); 4];
    let mut count = 0;
    let mut keep = |view: [f32; 3]| {
        if count < 4 {
            kept[count] = screen.corner(view);
            count += 1;
        }
    };
    for k in 0..3 {
        let (from, to) = (corners[k].view, corners[(k + 1) % 3].view);
        let (inside, next) = (from[2] >= NEAR, to[2] >= NEAR);
        if inside {
            keep(from);
        }
        if inside != next {
            let t = (NEAR - from[2]) / (to[2] - from[2]);
            let [x, y, _] = [0, 1, 2].map(|k| from[k] + t * (to[k] - from[k]));
            keep([x, y, NEAR]);
        }
    }
    let whole = kept[..count].iter().all(|corner| corner.inverse > 0.0);
    (kept, if whole { count } else { 0 })
}

fn fill_seen(screen: &Screen, corners: &[Corner; 3], rows: Range<usize>, target: &mut impl Target) {
    let side = |k: usize, axis: usize| i64::from(corners[k].at[axis]);
    let span = |axis: usize, first: i64, end: i64| {
        let values = [side(0, axis), side(1, axis), side(2, axis)];
        let low = values[0].min(values[1]).min(values[2]);
        let high = values[0].max(values[1]).max(values[2]);
        // Samples are in the middle of their squares.
        let low = (low + STEPS / 2 - 1).div_euclid(STEPS);
        let high = (high - STEPS / 2).div_euclid(STEPS);
        [low.max(first), high.min(end - 1)]
    };
    let [top, bottom] = span(1, rows.start as i64, rows.end as i64);
    if top > bottom {
        return;
    }
    let [left, right] = span(0, 0, screen.width as i64);
    if left > right {
        return;
    }
    let [a, b, c] = corners.map(|corner| corner.inverse);
    let [columns, lines] = [[left, right], [top, bottom]].map(|ends| ends.map(|k| k as usize));
    if target.hides(columns, lines, a.max(b).max(c)) {
        return;
    }
    let area = (side(1, 0) - side(0, 0)) * (side(2, 1) - side(0, 1))
        - (side(1, 1) - side(0, 1)) * (side(2, 0) - side(0, 0));
    if area == 0 {
        return;
    }
    let order = if area > 0 { [0, 1, 2] } else { [0, 2, 1] };
    let start = [left, top].map(|place| place * STEPS + STEPS / 2);
    let edges = [0, 1, 2].map(|k| {
        let (p, q) = (order[k], order[(k + 1) % 3]);
        Edge::new([side(p, 0), side(p, 1)], [side(q, 0), side(q, 1)], start)
    });
    // Most triangles of a detailed part cover no sample.
    let mut plane: Option<Plane> = None;
    let mut values = edges.map(|edge| edge.value);
    for row in top..=bottom {
        let mut line: Option<f64> = None;
        fill_row(&edges, values, [left, right], |column| {
            let plane = plane.get_or_insert_with(|| Plane::new(corners, area));
            let line = *line.get_or_insert_with(|| plane.row(row));
            target.hit(column as usize, row as usize, plane.at(column, line));
        });
        for k in 0..3 {
            values[k] += edges[k].down;
        }
    }
}

/// Up to this many columns it is faster to try each than to divide for the first that is inside.
const NARROW: i64 = 12;

fn fill_row(
    edges: &[Edge; 3],
    mut values: [i64; 3],
    [mut left, right]: [i64; 2],
    mut hit: impl FnMut(i64),
) {
    if right - left > NARROW {
        let mut skip = 0;
        for (edge, &value) in edges.iter().zip(&values) {
            if value < 0 {
                if edge.across <= 0 {
                    return;
                }
                skip = skip.max((-value + edge.across - 1) / edge.across);
            }
        }
        for k in 0..3 {
            values[k] += skip * edges[k].across;
        }
        left += skip;
    }
    let mut inside = false;
    for column in left..=right {
        if values[0] | values[1] | values[2] >= 0 {
            inside = true;
            hit(column);
        } else if inside {
            return;
        }
        for k in 0..3 {
            values[k] += edges[k].across;
        }
    }
}

/// An edge function: not negative on the inner side. Of two triangles that share an edge one owns the samples on it.
#[derive(Clone, Copy)]
struct Edge {
    value: i64,
    across: i64,
    down: i64,
}

impl Edge {
    fn new(p: [i64; 2], q: [i64; 2], start: [i64; 2]) -> Self {
        let (x, y) = (q[0] - p[0], q[1] - p[1]);
        let owned = y > 0 || (y == 0 && x > 0);
        let value = x * (start[1] - p[1]) - y * (start[0] - p[0]);
        Self { value: if owned { value } else { value - 1 }, across: -y * STEPS, down: x * STEPS }
    }
}

/// Inverse depths are linear on the screen.
struct Plane {
    origin: [f64; 2],
    value: f64,
    slope: [f64; 2],
    range: [f32; 2],
}

impl Plane {
    fn new(corners: &[Corner; 3], area: i64) -> Self {
        let [a, b, c] = corners.map(|corner| f64::from(corner.inverse));
        let at = |k: usize, axis: usize| f64::from(corners[k].at[axis]);
        let arm = |k: usize, axis: usize| at(k, axis) - at(0, axis);
        let area = area as f64;
        let inverse = corners.map(|corner| corner.inverse);
        Self {
            origin: [at(0, 0), at(0, 1)],
            value: a,
            slope: [
                ((b - a) * arm(2, 1) - (c - a) * arm(1, 1)) / area,
                ((c - a) * arm(1, 0) - (b - a) * arm(2, 0)) / area,
            ],
            range: [
                inverse[0].min(inverse[1]).min(inverse[2]),
                inverse[0].max(inverse[1]).max(inverse[2]),
            ],
        }
    }

    /// The value of a row in the column of the first corner.
    fn row(&self, row: i64) -> f64 {
        let y = (row * STEPS + STEPS / 2) as f64;
        self.value + (y - self.origin[1]) * self.slope[1]
    }

    fn at(&self, column: i64, row: f64) -> f32 {
        let x = (column * STEPS + STEPS / 2) as f64;
        let value = row + (x - self.origin[0]) * self.slope[0];
        // The range is that of three finite numbers; written out, since `max` and `min` look for NaN first.
        let value = value as f32;
        let value = if value > self.range[0] { value } else { self.range[0] };
        if value < self.range[1] { value } else { self.range[1] }
    }
}
