//! A polygon into triangles: the fan about its first corner where that is right, else ears are cut off.
//!
//! The fan is right if no triangle of it runs the other way round than the whole, seen along the Newell normal (M. Newell; see I. Sutherland,
//! R. Sproull and R. Schumacker, "A characterization of ten hidden-surface algorithms", 1974): for convex polygons always, and for
//! others that the first corner sees whole. Ears are cut off (G. Meisters, "Polygons have ears", 1975) by the crate `earcut` in the plane of
//! the two axes that the normal is farthest from. It leaves out corners on straight edges; here they come back, because the face next
//! door may name them and a closed mesh must stay closed. So a polygon of n corners always makes n - 2 triangles.

use earcut::Earcut;
use std::collections::HashSet;

/// Above this many corners a polygon stays a fan, where a fan is wrong: to cut ears takes up to the square of it.
const MOST_CORNERS: usize = 1 << 14;
/// Above this many pairs of edges that are looked at it stays one too. Outlines have few edges beside each other; only those of zigzags come near.
const MOST_EDGE_PAIRS: usize = 1 << 24;
/// What counts as nothing, as a part of the areas that take part.
const NOTHING: f64 = 1e-12;
/// By how much the triangles may cover more than the polygon, as a part of it: they are all in it, so that this is rounding.
const SURPLUS: f64 = 1e-9;

/// What the triangles of a polygon should be.
#[derive(Debug, PartialEq)]
pub(crate) enum Split {
    /// The fan about the first corner.
    Fan,
    /// These, by places among the corners.
    Ears,
    /// There is no right answer: it crosses itself, or is seen as a line from everywhere.
    None,
}

/// Splits polygons, with memory that is used again.
#[derive(Default)]
pub(crate) struct Splitter {
    plane: Vec<[f64; 2]>,
    earcut: Option<Earcut<f64>>,
    flat: Vec<u32>,
    edges: HashSet<[u32; 2]>,
    /// After [`Split::Ears`]: corners of each triangle as places among those of the polygon, in its sense.
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Splitter {
    /// Splits a polygon of four or more corners, which come as often as they are asked for: there may be many.
    pub(crate) fn split<C: Iterator<Item = [f64; 3]> + Clone>(&mut self, corners: C) -> Split {
        let corners = scaled(corners);
        let Some((axis, sign)) = axis(&corners) else { return Split::None };
        match (axis, sign) {
            (None, _) => return Split::Fan,
            (Some(_), Fan::IsRight) => return Split::Fan,
            (Some(axis), Fan::IsWrong { turned }) => self.project(corners, axis, turned),
        }
        if self.plane.len() > MOST_CORNERS || crosses_itself(&self.plane) {
            return Split::None;
        }
        self.cut_ears();
        if self.restore_corners() && self.covers_once() { Split::Ears } else { Split::None }
    }

    /// The corners in the plane, counter-clockwise; one more than are accepted is enough.
    fn project(&mut self, corners: impl Iterator<Item = [f64; 3]>, axis: usize, turned: bool) {
        let [mut u, mut v] = [(axis + 1) % 3, (axis + 2) % 3];
        if turned {
            std::mem::swap(&mut u, &mut v);
        }
        self.plane.clear();
        self.plane.extend(corners.take(MOST_CORNERS + 1).map(|p| [p[u], p[v]]));
    }

    fn cut_ears(&mut self) {
        let earcut = self.earcut.get_or_insert_with(Earcut::new);
        self.flat.clear();
        earcut.earcut(self.plane.iter().copied(), &[], &mut self.flat);
        self.triangles.clear();
        self.triangles.extend(self.flat.chunks_exact(3).map(|corners| {
            // Counter-clockwise as the polygon is, which is ascending.
            let mut triangle = [corners[0], corners[1], corners[2]];
            triangle.sort_unstable();
            triangle
        }));
    }

    /// Puts corners that were left out on the edges that pass them. False if that does not give the outline of the polygon.
    fn restore_corners(&mut self) -> bool {
        let count = self.plane.len() as u32;
        let after = |corner: u32| if corner + 1 == count { 0 } else { corner + 1 };
        let edges_of = |[a, b, c]: [u32; 3]| [[a, b, c], [b, c, a], [c, a, b]];
        self.edges.clear();
        for &triangle in &self.triangles {
            for [a, b, _] in edges_of(triangle) {
                if a == b || !self.edges.insert([a, b]) {
                    return false;
                }
            }
        }
        let mut at = 0;
        while at < self.triangles.len() {
            let passes = |&[a, b, _]: &[u32; 3]| b != after(a) && !self.edges.contains(&[b, a]);
            let Some([a, b, c]) = edges_of(self.triangles[at]).into_iter().find(passes) else {
                at += 1;
                continue;
            };
            self.edges.remove(&[a, b]);
            self.triangles.swap_remove(at);
            let mut from = a;
            while from != b {
                let to = after(from);
                if to == c || self.triangles.len() as u32 + 2 >= count {
                    return false;
                }
                self.triangles.push([from, to, c]);
                let mut new = self.edges.insert([from, to]);
                if from != a {
                    new &= self.edges.insert([c, from]);
                }
                if to != b {
                    new &= self.edges.insert([to, c]);
                }
                if !new {
                    return false;
                }
                from = to;
            }
        }
        self.triangles.len() as u32 + 2 == count
            && (0..count).all(|corner| self.edges.contains(&[corner, after(corner)]))
    }

    /// True if the triangles cover as much as the polygon does.
    fn covers_once(&self) -> bool {
        let origin = self.plane[0];
        let whole: f64 = self.plane.windows(2).map(|ends| area([origin, ends[0], ends[1]])).sum();
        let corners = |t: &[u32; 3]| t.map(|corner| self.plane[corner as usize]);
        let covered: f64 = self.triangles.iter().map(|t| area(corners(t)).abs()).sum();
        covered <= whole * (1.0 + SURPLUS)
    }
}

/// Is the fan right, and if not, does the polygon run clockwise along the axis?
enum Fan {
    IsRight,
    IsWrong { turned: bool },
}

/// The axis that the Newell normal is closest to, and what it tells about the fan. The axis is none if nothing has any area, all is
/// none if triangles have areas that cancel out.
fn axis(corners: &(impl Iterator<Item = [f64; 3]> + Clone)) -> Option<(Option<usize>, Fan)> {
    let mut normal = [0.0f64; 3];
    let mut size = 0.0;
    for_each_cross(corners, |cross| {
        for axis in 0..3 {
            normal[axis] += cross[axis];
            size += cross[axis].abs();
        }
    });
    if size <= NOTHING {
        return Some((None, Fan::IsRight));
    }
    let larger = |a: usize, b: usize| if normal[b].abs() > normal[a].abs() { b } else { a };
    let axis = larger(larger(0, 1), 2);
    if normal[axis].abs() <= NOTHING * size {
        return None;
    }
    let sign = normal[axis].signum();
    let mut is_right = true;
    for_each_cross(corners, |cross| is_right &= cross[axis] * sign >= -NOTHING * size);
    let fan = if is_right { Fan::IsRight } else { Fan::IsWrong { turned: sign < 0.0 } };
    Some((Some(axis), fan))
}

/// The normals of the fan's triangles, as long as twice their areas; their sum is the Newell normal.
fn for_each_cross(corners: &(impl Iterator<Item = [f64; 3]> + Clone), mut f: impl FnMut([f64; 3])) {
    let mut before = [0.0; 3];
    for p in corners.clone() {
        let q = before;
        f([q[1] * p[2] - q[2] * p[1], q[2] * p[0] - q[0] * p[2], q[0] * p[1] - q[1] * p[0]]);
        before = p;
    }
}

/// The corners seen from the first, the farthest coordinate being 1, so that no product leaves the range.
fn scaled<C>(corners: C) -> impl Iterator<Item = [f64; 3]> + Clone
where
    C: Iterator<Item = [f64; 3]> + Clone,
{
    let origin = corners.clone().next().unwrap_or_default();
    let from_origin = move |p: [f64; 3]| [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
    let size = corners.clone().flat_map(from_origin).fold(0.0f64, |size, x: f64| size.max(x.abs()));
    let divisor = if size > f64::MIN_POSITIVE { size } else { 1.0 };
    corners.map(move |p| from_origin(p).map(|x| x / divisor))
}

/// Twice the signed area of a triangle.
fn area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// True if two edges cross at points that are inside both, or if that takes too long to tell. Edges may touch: an outline that runs to a hole and back is as
/// good as any.
fn crosses_itself(plane: &[[f64; 2]]) -> bool {
    let ends = |edge: usize| [plane[edge], plane[(edge + 1) % plane.len()]];
    let low = |edge: usize| ends(edge).map(|p| p[0]).into_iter().fold(f64::INFINITY, f64::min);
    let high = |edge: usize| ends(edge).map(|p| p[0]).into_iter().fold(-f64::INFINITY, f64::max);
    let mut order: Vec<usize> = (0..plane.len()).collect();
    order.sort_by(|&a, &b| low(a).total_cmp(&low(b)));
    // Edges that end before the sweep are dropped when they are met.
    let mut open: Vec<usize> = Vec::new();
    let mut looked_at = 0;
    for edge in order {
        looked_at += open.len();
        if looked_at > MOST_EDGE_PAIRS {
            return true;
        }
        let [a, b] = ends(edge);
        let start = low(edge);
        open.retain(|&other| high(other) >= start);
        let crosses = |&other: &usize| {
            let [c, d] = ends(other);
            let apart =
                |p: f64, q: f64| (p > NOTHING && q < -NOTHING) || (p < -NOTHING && q > NOTHING);
            apart(area([a, b, c]), area([a, b, d])) && apart(area([c, d, a]), area([c, d, b]))
        };
        if open.iter().any(crosses) {
            return true;
        }
        open.push(edge);
    }
    false
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn split(splitter: &mut Splitter, corners: &[[f64; 3]]) -> Split {
        splitter.split(corners.iter().copied())
    }

    fn flat(points: &[[f64; 2]]) -> Vec<[f64; 3]> {
        // Tilted, so that no axis is the normal.
        points.iter().map(|&[x, y]| [x + 100.0, y - 0.25 * x, 0.5 * x + 0.25 * y]).collect()
    }

    #[test]
    fn the_fan_stays_where_it_is_right() {
        let mut splitter = Splitter::default();
        let square = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(split(&mut splitter, &square), Split::Fan);
        // The first corner is the one that is bent inwards: it sees all others.
        let arrow = flat(&[[0.0, 0.0], [2.0, -1.0], [0.0, 3.0], [-2.0, -1.0]]);
        assert_eq!(split(&mut splitter, &arrow), Split::Fan);
        // Nothing at all, and nothing but a line.
        assert_eq!(split(&mut splitter, &[[1.0; 3]; 5]), Split::Fan);
        assert_eq!(
            split(&mut splitter, &flat(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [2.0, 2.0]])),
            Split::Fan
        );
    }

    /// The diagonal of a quadrilateral with a dent goes through the dent, whatever the sense and the first corner.
    #[test]
    fn the_diagonal_of_a_dent() {
        let mut splitter = Splitter::default();
        let mut dart = flat(&[[0.0, 0.0], [2.0, -1.0], [0.0, 3.0], [-2.0, -1.0]]);
        let dent = dart[0];
        for turn in 0..8 {
            dart.rotate_left(1);
            if turn == 4 {
                dart.reverse();
            }
            let place = dart.iter().position(|&p| p == dent).unwrap();
            let split = split(&mut splitter, &dart);
            assert_eq!(split, if place % 2 == 0 { Split::Fan } else { Split::Ears });
            if split == Split::Ears {
                let through = |t: &[u32; 3]| t.contains(&(place as u32));
                assert!(splitter.triangles.iter().all(through), "{:?}", splitter.triangles);
            }
        }
    }

    /// Corners on straight edges, and twice in one place, stay: 12 corners are 10 triangles, and each edge of the outline is there.
    #[test]
    fn no_corner_is_lost() {
        let mut splitter = Splitter::default();
        let mut step = vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.5, 1.0]];
        step.extend([[1.0, 1.0], [1.0, 1.5], [1.0, 2.0], [0.5, 2.0], [0.0, 2.0], [0.0, 1.0]]);
        for first in 0..step.len() {
            step.rotate_left(first);
            let split = split(&mut splitter, &flat(&step));
            if split != Split::Fan {
                assert_eq!(split, Split::Ears, "{first}");
                assert_eq!(splitter.triangles.len(), 10);
            }
        }
    }

    #[test]
    fn what_crosses_itself_has_no_triangles() {
        let mut splitter = Splitter::default();
        let bow = flat(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.5]]);
        assert_eq!(split(&mut splitter, &bow), Split::None);
        let even_bow = flat(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(split(&mut splitter, &even_bow), Split::None);
    }

    /// A square with a square hole, reached by an edge that is walked twice.
    #[test]
    fn a_hole_by_a_bridge() {
        let mut ring = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0]];
        ring.extend([[1.0, 1.0], [1.0, 3.0], [3.0, 3.0], [3.0, 1.0], [1.0, 1.0]]);
        let mut splitter = Splitter::default();
        assert_eq!(split(&mut splitter, &flat(&ring)), Split::Ears);
        assert_eq!(splitter.triangles.len(), 8);
        let corners = |t: &[u32; 3]| t.map(|corner| ring[corner as usize]);
        let sum: f64 = splitter.triangles.iter().map(|t| area(corners(t)).abs()).sum();
        assert_eq!(sum, 24.0);
    }

    #[test]
    fn any_size() {
        let mut splitter = Splitter::default();
        for scale in [1e-200, 1e-20, 1.0, 1e75] {
            let dart = [[2.0, -1.0], [0.0, 3.0], [-2.0, -1.0], [0.0, 0.0]];
            let dart = dart.map(|[x, y]| [x * scale, 0.0, y * scale]);
            assert_eq!(split(&mut splitter, &dart), Split::Ears, "{scale}");
        }
    }
}
