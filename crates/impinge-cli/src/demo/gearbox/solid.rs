//! Closed solids of triangles: outlines raised along z, and profiles turned about it.

use impinge_io::angle::sine_cosine;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Vertices and triangles, counter-clockwise from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct Solid {
    pub(super) vertices: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The direction at an angle, in radians: the same on every machine.
pub(super) fn direction(angle: f64) -> [f64; 2] {
    let [sine, cosine] = sine_cosine(angle);
    [cosine, sine]
}

/// A regular outline around a centre, counter-clockwise.
pub(super) fn circle(center: [f64; 2], radius: f64, count: u32) -> Vec<[f64; 2]> {
    let at = |k: u32| direction(TAU * f64::from(k) / f64::from(count));
    (0..count).map(at).map(|[x, y]| [center[0] + radius * x, center[1] + radius * y]).collect()
}

/// A place on a circle about the axis: the `k`-th of `count`.
pub(super) fn around(radius: f64, k: u32, count: u32) -> [f64; 2] {
    direction(TAU * f64::from(k) / f64::from(count)).map(|x| radius * x)
}

/// An outline, counter-clockwise, with holes, counter-clockwise too, raised from one height to another.
pub(super) fn raised(
    outline: &[[f64; 2]],
    holes: &[Vec<[f64; 2]>],
    [low, high]: [f64; 2],
) -> Solid {
    let mut plane: Vec<[f64; 2]> = outline.to_vec();
    let mut starts = Vec::new();
    for hole in holes {
        starts.push(plane.len() as u32);
        plane.extend(hole);
    }
    let mut lid: Vec<u32> = Vec::new();
    earcut::Earcut::new().earcut(plane.iter().copied(), &starts, &mut lid);
    let count = plane.len() as u32;
    let at = |z: f64| plane.iter().map(move |&[x, y]| [x, y, z]);
    let mut solid = Solid { vertices: at(low).chain(at(high)).collect(), triangles: Vec::new() };
    for corner in lid.chunks_exact(3) {
        let &[a, b, c] = corner else { continue };
        let up = turns_left(plane[a as usize], plane[b as usize], plane[c as usize]);
        let [b, c] = if up { [b, c] } else { [c, b] };
        solid.triangles.extend([[a, c, b], [count + a, count + b, count + c]]);
    }
    solid.wall(0, outline.len() as u32, count, false);
    for (hole, &start) in holes.iter().zip(&starts) {
        solid.wall(start, hole.len() as u32, count, true);
    }
    solid
}

/// A profile of (radius, height), walked upwards on its outside, turned about the axis in `count` steps. It begins and ends on the
/// axis if the solid is full; otherwise it is closed and runs back downwards on its inside.
pub(super) fn turned(profile: &[[f64; 2]], count: u32) -> Solid {
    let mut solid = Solid::default();
    // The first vertex of each ring, and whether it is a single point.
    let mut rings = Vec::new();
    for &[radius, z] in profile {
        rings.push((solid.vertices.len() as u32, radius == 0.0));
        let points = if radius == 0.0 { vec![[0.0; 2]] } else { circle([0.0; 2], radius, count) };
        solid.vertices.extend(points.into_iter().map(|[x, y]| [x, y, z]));
    }
    let hollow = profile.first().is_some_and(|first| first[0] > 0.0);
    let last = rings.len() - usize::from(!hollow);
    for k in 0..last {
        let ((low, low_is_point), (high, high_is_point)) = (rings[k], rings[(k + 1) % rings.len()]);
        for i in 0..count {
            let next = (i + 1) % count;
            match (low_is_point, high_is_point) {
                (true, _) => solid.triangles.push([low, high + next, high + i]),
                (_, true) => solid.triangles.push([low + i, low + next, high]),
                _ => solid.quad([low + i, low + next, high + next, high + i]),
            }
        }
    }
    solid
}

/// A ball.
pub(super) fn ball(radius: f64, count: u32) -> Solid {
    let half = count / 2;
    let mut profile: Vec<[f64; 2]> = (0..=half)
        .map(|k| {
            direction(TAU * f64::from(k) / f64::from(2 * half) - FRAC_PI_2).map(|x| radius * x)
        })
        .collect();
    // The poles are on the axis.
    if let (Some(first), rest) = (profile.first().copied(), half as usize) {
        profile[0] = [0.0, first[1]];
        profile[rest] = [0.0, -first[1]];
    }
    turned(&profile, count)
}

/// A box between two corners.
pub(super) fn block(low: [f64; 3], high: [f64; 3]) -> Solid {
    let outline = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
    raised(&outline, &[], [low[2], high[2]])
}

impl Solid {
    /// The solid elsewhere.
    pub(super) fn moved(mut self, by: [f64; 3]) -> Self {
        for vertex in &mut self.vertices {
            *vertex = [vertex[0] + by[0], vertex[1] + by[1], vertex[2] + by[2]];
        }
        self
    }

    /// The wall along a loop of points, of which each has its twin above, `count` further.
    fn wall(&mut self, start: u32, length: u32, count: u32, is_hole: bool) {
        for i in 0..length {
            let (a, b) = (start + i, start + (i + 1) % length);
            let (a, b) = if is_hole { (b, a) } else { (a, b) };
            self.quad([a, b, count + b, count + a]);
        }
    }

    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

fn turns_left(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])
}
