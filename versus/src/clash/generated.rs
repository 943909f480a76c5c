//! Models that are made here: houses with flush walls, gears, and closed assemblies, as folders of one mesh per part.
//!
//! Walls stand on slabs and end at walls, pipes go through both, plates lie on plates: most parts touch, and whether a pair that is drawn flush has a common
//! inner point is decided by the last digits of its coordinates, since whole models are turned and their coordinates rounded.

use std::path::{Path, PathBuf};

use impinge_io::MeshData;

use super::models::Model;
use crate::random::{Random, single};

/// A part under construction: vertices and triangles, seen from outside counter-clockwise.
#[derive(Clone, Debug, Default)]
pub struct Part {
    name: String,
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// How the coordinates of a model are rounded.
#[derive(Clone, Copy, Debug)]
enum Rounding {
    /// As f64 gives them.
    None,
    /// To micrometres, as many files have them.
    Micrometres,
    /// To f32.
    Single,
}

/// Makes all models below a folder; they are the same for the same seed.
pub fn write(folder: &Path, seed: u64) -> Result<Vec<Model>, String> {
    let mut random = Random::new(seed ^ 0x60a5e);
    let turn = random.direction::<4>();
    let about_z = [0.956_304_755_963_035_5, 0.0, 0.0, 0.292_371_704_722_736_77];
    let plain = [1.0, 0.0, 0.0, 0.0];
    let models = [
        ("house", house(&mut random), plain, Rounding::None),
        ("house_turned", house(&mut random), about_z, Rounding::Micrometres),
        ("house_tilted", house(&mut random), turn, Rounding::None),
        ("house_tilted_f32", house(&mut random), turn, Rounding::Single),
        ("gears", gears(), plain, Rounding::Micrometres),
        ("gears_tilted", gears(), turn, Rounding::None),
        ("bolted_plates", bolted(&mut random), plain, Rounding::Micrometres),
        ("bolted_plates_tilted", bolted(&mut random), turn, Rounding::None),
    ];
    let mut made = Vec::new();
    for (name, parts, turn, rounding) in models {
        let path = folder.join(name);
        save(&path, parts, turn, rounding)?;
        made.push(Model { name: name.to_string(), path });
    }
    Ok(made)
}

fn save(folder: &Path, parts: Vec<Part>, turn: [f64; 4], rounding: Rounding) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    for part in parts {
        let place = |p: &[f64; 3]| {
            rotated(turn, *p).map(|x| match rounding {
                Rounding::None => x,
                Rounding::Micrometres => (x * 1e6).round() / 1e6,
                Rounding::Single => single(x),
            })
        };
        let data = MeshData::new(part.vertices.iter().map(place).collect(), part.triangles);
        let path: PathBuf = folder.join(format!("{}.ply", part.name));
        impinge_io::write(&path, &data).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A point turned by a quaternion w, x, y, z.
fn rotated([w, x, y, z]: [f64; 4], [a, b, c]: [f64; 3]) -> [f64; 3] {
    let (u, v) = ([x, y, z], [a, b, c]);
    let cross = |p: [f64; 3], q: [f64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let once = cross(u, v).map(|t| 2.0 * t);
    let twice = cross(u, once);
    [0, 1, 2].map(|k| v[k] + w * once[k] + twice[k])
}

impl Part {
    fn new(name: String) -> Self {
        Self { name, ..Self::default() }
    }

    /// A plane ring between two outlines with as many corners, drawn out along one axis; without a hole if the inner outline is empty and the outer one
    /// convex.
    fn drawn_out(
        mut self,
        outer: &[[f64; 2]],
        inner: &[[f64; 2]],
        [low, high]: [f64; 2],
        place: impl Fn([f64; 3]) -> [f64; 3],
    ) -> Self {
        let n = outer.len() as u32;
        for height in [low, high] {
            let both = outer.iter().chain(inner);
            self.vertices.extend(both.map(|[u, v]| place([*u, *v, height])));
        }
        let ring = outer.len() as u32 + inner.len() as u32;
        let mut square = |[a, b, c, d]: [u32; 4]| self.triangles.extend([[a, b, c], [a, c, d]]);
        for k in 0..n {
            let next = (k + 1) % n;
            square([k, next, ring + next, ring + k]);
            if !inner.is_empty() {
                square([n + next, n + k, ring + n + k, ring + n + next]);
                square([ring + k, ring + next, ring + n + next, ring + n + k]);
                square([next, k, n + k, n + next]);
            }
        }
        if inner.is_empty() {
            for k in 1..n - 1 {
                self.triangles.extend([[0, k + 1, k], [ring, ring + k, ring + k + 1]]);
            }
        }
        self
    }

    fn cuboid(self, low: [f64; 3], high: [f64; 3]) -> Self {
        let outline = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
        self.drawn_out(&outline, &[], [low[2], high[2]], |p| p)
    }

    fn cylinder(self, [x, y]: [f64; 2], radius: f64, ends: [f64; 2], axis: usize) -> Self {
        let outline: Vec<[f64; 2]> = circle([x, y], radius, 24);
        self.drawn_out(&outline, &[], ends, |p| along(axis, p))
    }
}

/// A point whose third coordinate runs along an axis.
fn along(axis: usize, [u, v, w]: [f64; 3]) -> [f64; 3] {
    match axis {
        0 => [w, u, v],
        1 => [v, w, u],
        _ => [u, v, w],
    }
}

fn circle([x, y]: [f64; 2], radius: f64, corners: u32) -> Vec<[f64; 2]> {
    let corner = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(corners);
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    (0..corners).map(corner).collect()
}

const ROOM: f64 = 4.0;
const WALL: f64 = 0.2;
const SLAB: f64 = 0.25;
const STOREY: f64 = 3.0;

/// Three storeys of four by five rooms: 147 walls, two thirds of them with an opening, a slab under each room, and pipes up and across.
fn house(random: &mut Random) -> Vec<Part> {
    let mut parts = Vec::new();
    for storey in 0..3 {
        let floor = f64::from(storey) * STOREY;
        for (i, j) in rooms(4, 5) {
            let (x, y) = (f64::from(i) * ROOM, f64::from(j) * ROOM);
            let part = Part::new(format!("slab {storey} {i} {j}"));
            parts.push(part.cuboid([x, y, floor - SLAB], [x + ROOM, y + ROOM, floor]));
        }
        for (i, j) in rooms(4, 6) {
            // Along x, from wall to wall.
            let from = f64::from(i) * ROOM + 0.5 * WALL;
            let name = format!("wall x {storey} {i} {j}");
            let to = from + ROOM - WALL;
            let across = f64::from(j) * ROOM;
            parts.push(wall(name, [from, to], across, floor, 1, random));
        }
        for (i, j) in rooms(5, 5) {
            let from = f64::from(j) * ROOM - 0.5 * WALL;
            let name = format!("wall y {storey} {i} {j}");
            let across = f64::from(i) * ROOM;
            parts.push(wall(name, [from, from + ROOM], across, floor, 0, random));
        }
    }
    for k in 0..20 {
        let at = [random.between(0.0, 4.0 * ROOM), random.between(0.0, 5.0 * ROOM)];
        let radius = random.between(0.03, 0.12);
        let part = Part::new(format!("riser {k}"));
        parts.push(part.cylinder(at, radius, [-1.0, 3.0 * STOREY], 2));
        let at = [random.between(0.0, 5.0 * ROOM), random.between(0.5, 3.0 * STOREY)];
        let part = Part::new(format!("main {k}"));
        parts.push(part.cylinder(at, radius, [-1.0, 4.0 * ROOM + 1.0], 0));
    }
    parts
}

fn rooms(columns: u32, rows: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..columns).flat_map(move |i| (0..rows).map(move |j| (i, j)))
}

/// A wall between two slabs, mostly with a window or a door to the floor, as a frame around it.
fn wall(
    name: String,
    [from, to]: [f64; 2],
    across: f64,
    floor: f64,
    axis: usize,
    random: &mut Random,
) -> Part {
    let (top, sides) = (floor + STOREY - SLAB, [across - 0.5 * WALL, across + 0.5 * WALL]);
    // Drawn in the plane of the wall: along it, and up.
    let outer = [[from, floor], [to, floor], [to, top], [from, top]];
    let (left, wide) = (random.between(0.3, 1.5), random.between(0.8, 1.8));
    let sill = floor + random.between(0.2, 1.0);
    let (left, right, lintel) = (from + left, from + left + wide, floor + 2.1);
    let hole = [[left, sill], [right, sill], [right, lintel], [left, lintel]];
    let inner: &[[f64; 2]] = if random.below(3) > 0 { &hole } else { &[] };
    let place = move |[u, v, w]: [f64; 3]| if axis == 1 { [u, -w, v] } else { [w, u, v] };
    let ends = if axis == 1 { [-sides[1], -sides[0]] } else { sides };
    Part::new(name).drawn_out(&outer, inner, ends, place)
}

/// Two rows of gears on one ground, which mesh with a little too much or too little room, and their shafts, flush in the bores.
fn gears() -> Vec<Part> {
    let mut parts = Vec::new();
    for (k, row) in (0..24).map(|k| (k % 12, k / 12)) {
        let radius = 1.0 + 0.001 * f64::from(k % 5);
        let (x, y) = (1.95 * f64::from(k), 3.0 * f64::from(row));
        let teeth = 40;
        let mut outline = Vec::new();
        for tooth in 0..teeth {
            for (step, reach) in [(0.0, 0.94), (0.3, 0.95), (0.4, 1.02), (0.6, 1.02), (0.7, 0.95)] {
                let turn = (f64::from(tooth) + step + 0.5 * f64::from(k)) / f64::from(teeth);
                let angle = std::f64::consts::TAU * turn;
                outline.push([x + radius * reach * angle.cos(), y + radius * reach * angle.sin()]);
            }
        }
        let start = 0.5 * f64::from(k) / f64::from(teeth);
        let bore: Vec<[f64; 2]> = (0..outline.len())
            .map(|corner| {
                let turn = start + corner as f64 / outline.len() as f64;
                let angle = std::f64::consts::TAU * turn;
                [x + 0.3 * angle.cos(), y + 0.3 * angle.sin()]
            })
            .collect();
        let ends = [0.25 * f64::from(row), 0.25 * f64::from(row) + 0.25];
        let part = Part::new(format!("gear {row} {k}"));
        parts.push(part.drawn_out(&outline, &bore, ends, |p| p));
        let part = Part::new(format!("shaft {row} {k}"));
        parts.push(part.drawn_out(&bore, &[], [-0.5, 1.0], |p| p));
        let part = Part::new(format!("washer {row} {k}"));
        let rim = circle([x, y], 0.5, 24);
        parts.push(part.drawn_out(&rim, &[], [ends[1], ends[1] + 0.05], |p| p));
    }
    parts
}

/// Stacks of bored plates, flush on each other, with bolts in their bores, some of them too large, and heads on the bolts.
fn bolted(random: &mut Random) -> Vec<Part> {
    let mut parts = Vec::new();
    for (i, j) in rooms(8, 8) {
        let (x, y) = (f64::from(i), f64::from(j));
        let corners = 32u32;
        let bore = circle([x + 0.5, y + 0.5], 0.2, corners);
        // The square's outline with as many corners as the bore, each on the ray of one.
        let outline: Vec<[f64; 2]> = bore
            .iter()
            .map(|[u, v]| {
                let way = [u - x - 0.5, v - y - 0.5];
                let reach = 0.5 / way[0].abs().max(way[1].abs());
                [x + 0.5 + reach * way[0], y + 0.5 + reach * way[1]]
            })
            .collect();
        for layer in 0..3 {
            let low = 0.1 * f64::from(layer);
            let part = Part::new(format!("plate {i} {j} {layer}"));
            parts.push(part.drawn_out(&outline, &bore, [low, low + 0.1], |p| p));
        }
        let radius = 0.2 + [0.0, 1e-5, -1e-4, 1e-3][random.below(4)];
        let bolt = circle([x + 0.5, y + 0.5], radius, corners);
        let part = Part::new(format!("bolt {i} {j}"));
        parts.push(part.drawn_out(&bolt, &[], [-0.1, 0.3], |p| p));
        let head = circle([x + 0.5, y + 0.5], 0.3, 6);
        let part = Part::new(format!("head {i} {j}"));
        parts.push(part.drawn_out(&head, &[], [0.3, 0.4], |p| p));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_are_closed() {
        let mut random = Random::new(1);
        let all = [house(&mut random), gears(), bolted(&mut random)];
        assert!(all[0].iter().filter(|part| part.name.starts_with("wall")).count() >= 100);
        for part in all.iter().flatten() {
            let mut sides: Vec<[u32; 2]> =
                part.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
            sides.sort_unstable();
            let twins = sides.iter().all(|&[a, b]| sides.binary_search(&[b, a]).is_ok());
            assert!(twins && sides.windows(2).all(|two| two[0] != two[1]), "{}", part.name);
            let volume: f64 = part
                .triangles
                .iter()
                .map(|face| {
                    let [a, b, c] = face.map(|k| part.vertices[k as usize]);
                    a[0] * (b[1] * c[2] - b[2] * c[1])
                        + a[1] * (b[2] * c[0] - b[0] * c[2])
                        + a[2] * (b[0] * c[1] - b[1] * c[0])
                })
                .sum();
            assert!(volume > 0.0, "{}", part.name);
        }
    }
}
