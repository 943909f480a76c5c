//! The pieces of a triangle between the lines in which others cut it.
//!
//! The pieces are convex polygons of the triangle's shadow. A cut is a segment: the common points with a triangle in another
//! plane, or an edge of one in the same plane. A polygon that it passes through is halved along the whole line, which may cut
//! more than needed, never less. Corners are common points of two of the given lines, however often a polygon has been halved,
//! so that their numbers do not grow.

use super::plane::{Base, Plane, Triple, cross, line_through, shadow, side_of};
use super::point::{PiecePoint, ROUNDED};
use crate::number::exact::Exact;
use crate::predicate::orient2d;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

/// A line of the shadow, and where on it the cut is: all limits are positive on its inside.
struct Cut {
    line: Triple,
    limits: Vec<Triple>,
    /// A box of the shadow that holds the cut.
    low: DVec2,
    high: DVec2,
}

/// One point in each piece of a triangle that is cut by others; none if the triangle has no area.
///
/// Cutters come in groups, the surfaces of different bodies, each with its number. Faces of one group that lie in the
/// triangle's plane and are joined along an edge with the same orientation do not cut there: what they bound goes on.
///
/// ```
/// use impinge_geom::{glam::DVec3, piece::pieces};
/// let face = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
/// assert_eq!(pieces(&face, &[]).len(), 1);
/// let wall = [DVec3::new(1.0, -1.0, -1.0), DVec3::new(1.0, 5.0, -1.0), DVec3::new(1.0, 5.0, 9.0)];
/// assert_eq!(pieces(&face, &[(0, wall)]).len(), 2);
/// let tile = [DVec3::new(1.0, 1.0, 0.0), DVec3::new(2.0, 1.0, 0.0), DVec3::new(1.0, 2.0, 0.0)];
/// assert!(pieces(&face, &[(0, tile)]).len() >= 2);
/// ```
pub fn pieces(face: &[DVec3; 3], cutters: &[(u32, [DVec3; 3])]) -> Vec<PiecePoint> {
    let Some(base) = Base::new(face) else { return Vec::new() };
    let corners = face.map(|p| shadow(p, base.axis));
    let cuts = cuts(&base, &corners, cutters);
    let mut lines: Vec<Triple> = Vec::with_capacity(cuts.len() + 3);
    let mut whole = Polygon { corners: Vec::new(), edges: Vec::new() };
    for k in 0..3 {
        lines.push(line_through(corners[k], corners[(k + 1) % 3]));
        let at = [Exact::from(corners[k].x), Exact::from(corners[k].y), Exact::from(1.0)];
        whole.corners.push(Corner { at, near: corners[k] });
        whole.edges.push(k);
    }
    let mut polygons = vec![whole];
    for cut in cuts {
        lines.push(cut.line.clone());
        for index in 0..polygons.len() {
            if let Some(halves) = polygons[index].halved(&cut, &lines) {
                let [left, right] = halves;
                polygons[index] = left;
                polygons.push(right);
            }
        }
    }
    polygons.iter().map(|polygon| polygon.inner_point(&base, &lines)).collect()
}

/// In how many more triangles of a group an edge runs one way than the other, by the group and the ends.
type Excess = BTreeMap<(u32, [[u64; 3]; 2]), (i32, [DVec3; 2])>;

/// True if a triangle is beside the inside of another, because an edge of that other one parts them. Exact.
fn is_outside(face: &[DVec2; 3], facing: i32, corners: &[DVec2; 3]) -> bool {
    (0..3).any(|k| corners.iter().all(|p| orient2d(face[k], face[(k + 1) % 3], *p) * facing <= 0))
}

/// The cuts that triangles make through the inside of a face.
fn cuts(base: &Base, face: &[DVec2; 3], cutters: &[(u32, [DVec3; 3])]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    // The edges of triangles in the same plane.
    let mut edges = Excess::new();
    for (group, corners) in cutters {
        let shadows = corners.map(|p| shadow(p, base.axis));
        if is_outside(face, base.facing, &shadows) {
            continue;
        }
        let plane = Plane::new(corners);
        let Some(axis) = plane.axis(corners) else { continue };
        let line = base.trace(&plane);
        if line[0].sign() != 0 || line[1].sign() != 0 {
            let turn = plane.normal[axis].sign();
            let limits = [0, 1, 2].map(|k| {
                let (u, v) = (shadow(corners[k], axis), shadow(corners[(k + 1) % 3], axis));
                base.carried(&line_through(u, v), axis).map(|x| x.signed(turn))
            });
            let (low, high) = bounds(&shadows);
            cuts.push(Cut { line, limits: limits.into(), low, high });
        } else if line[2].sign() == 0 {
            for k in 0..3 {
                let (u, v) = (corners[k], corners[(k + 1) % 3]);
                let name = |p: DVec3| p.to_array().map(|x| if x == 0.0 { 0 } else { x.to_bits() });
                let (first, second, way) = if name(u) < name(v) { (u, v, 1) } else { (v, u, -1) };
                let key = (*group, [name(first), name(second)]);
                edges.entry(key).or_insert((0, [first, second])).0 += way;
            }
        }
    }
    let left = edges.into_values().filter(|(excess, _)| *excess != 0);
    cuts.extend(left.map(|(_, ends)| along_edge(ends.map(|p| shadow(p, base.axis)))));
    cuts
}

/// The cut along a segment of the shadow.
fn along_edge([u, v]: [DVec2; 2]) -> Cut {
    let [ux, uy, vx, vy] = [u.x, u.y, v.x, v.y].map(Exact::from);
    let (x, y) = (&vx - &ux, &vy - &uy);
    let reach = |px: &Exact, py: &Exact| -&(&(&x * px) + &(&y * py));
    let after_u = [x.clone(), y.clone(), reach(&ux, &uy)];
    let before_v = [&x, &y, &reach(&vx, &vy)].map(|number| -number);
    let (low, high) = bounds(&[u, v]);
    Cut { line: line_through(u, v), limits: vec![after_u, before_v], low, high }
}

fn bounds(points: &[DVec2]) -> (DVec2, DVec2) {
    let empty = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    points.iter().fold(empty, |(low, high), p| (low.min(*p), high.max(*p)))
}

/// A corner of a polygon, exactly and rounded.
#[derive(Clone)]
struct Corner {
    at: Triple,
    near: DVec2,
}

impl Corner {
    /// The common point of two lines that are not parallel.
    fn of_lines(a: &Triple, b: &Triple) -> Self {
        let point = cross(a, b);
        let sign = point[2].sign();
        let at = point.map(|x| x.signed(sign));
        let near = DVec2::new(at[0].quotient(&at[2]), at[1].quotient(&at[2]));
        Self { at, near }
    }
}

/// A convex polygon with some area; edge k runs along the line `edges[k]` from corner k to the next.
struct Polygon {
    corners: Vec<Corner>,
    edges: Vec<usize>,
}

impl Polygon {
    /// The parts on either side of a cut that passes through the inside. The cut's line is the last of the lines.
    fn halved(&self, cut: &Cut, lines: &[Triple]) -> Option<[Self; 2]> {
        if self.is_beside(cut) {
            return None;
        }
        let signs: Vec<i32> =
            self.corners.iter().map(|corner| side_of(&cut.line, &corner.at)).collect();
        if !signs.contains(&1) || !signs.contains(&-1) {
            return None;
        }
        let count = self.corners.len();
        // Where the line passes the outline: in a corner, or inside an edge.
        let passing: Vec<Option<Corner>> = (0..count)
            .map(|k| match (signs[k], signs[(k + 1) % count]) {
                (1, -1) | (-1, 1) => Some(Corner::of_lines(&lines[self.edges[k]], &cut.line)),
                (0, _) => Some(self.corners[k].clone()),
                _ => None,
            })
            .collect();
        let ends: Vec<&Corner> = passing.iter().flatten().collect();
        let misses = |limit: &Triple| ends.iter().all(|end| side_of(limit, &end.at) <= 0);
        if cut.limits.iter().any(misses) {
            return None;
        }
        Some([1, -1].map(|side| {
            let mut half = Self { corners: Vec::new(), edges: Vec::new() };
            for k in 0..count {
                let (own, next) = (side * signs[k], side * signs[(k + 1) % count]);
                let edge = self.edges[k];
                if own >= 0 {
                    let leaves = own == 0 && next < 0;
                    half.push(&self.corners[k], if leaves { lines.len() - 1 } else { edge });
                }
                if let (true, Some(corner)) = (own * next < 0, &passing[k]) {
                    half.push(corner, if next < 0 { lines.len() - 1 } else { edge });
                }
            }
            half
        }))
    }

    fn push(&mut self, corner: &Corner, edge: usize) {
        self.corners.push(corner.clone());
        self.edges.push(edge);
    }

    /// True if boxes show that the cut passes by. Corners are rounded by 2^-52 of their size at most.
    fn is_beside(&self, cut: &Cut) -> bool {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in &self.corners {
            let error = corner.near.abs() * ROUNDED + f64::MIN_POSITIVE;
            (low, high) = (low.min(corner.near - error), high.max(corner.near + error));
        }
        cut.high.cmplt(low).any() || cut.low.cmpgt(high).any()
    }

    /// A point strictly inside: with coordinates in f64 if the mean of the corners, rounded, will do.
    fn inner_point(&self, base: &Base, lines: &[Triple]) -> PiecePoint {
        let count = self.corners.len();
        let mean =
            self.corners.iter().fold(DVec2::ZERO, |sum, corner| sum + corner.near / count as f64);
        let at = [Exact::from(mean.x), Exact::from(mean.y), Exact::from(1.0)];
        let inside = (0..count).all(|k| {
            let line = &lines[self.edges[k]];
            // The corner after the edge is not on it.
            let within = side_of(line, &self.corners[(k + 2) % count].at);
            within != 0 && within == side_of(line, &at)
        });
        if inside {
            return PiecePoint::new(base, at, Some(mean));
        }
        let [a, b, c] = [0, 1, 2].map(|k| &self.corners[k % count].at);
        let weights = [&b[2] * &c[2], &a[2] * &c[2], &a[2] * &b[2]];
        let sum =
            |k: usize| &(&(&a[k] * &weights[0]) + &(&b[k] * &weights[1])) + &(&c[k] * &weights[2]);
        PiecePoint::new(base, [sum(0), sum(1), sum(2)], None)
    }
}
