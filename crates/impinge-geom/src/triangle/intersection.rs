//! The common points of two triangles: nothing, a point, a segment, or a convex polygon of up to six corners.
//!
//! A corner of the intersection lies in the relative interior of exactly one feature of each triangle, and that pair of
//! features has no other common point. So the corners are found by asking, exactly, for each pair of features whose interiors
//! can meet in a single point: corner and any feature, edge and edge, edge and face. No point is found twice, and how many
//! there are tells the kind. Coordinates come last and decide nothing.

use super::coplanar::{DROPS, segment_ends, shadow_with_area};
use super::sides::Heights;
use super::verdict::{TriangleVerdict, apex, verdict};
use crate::answer::{Feature, FeatureKind};
use crate::predicate::{orient2d, orient3d, passing_parameter, passing_parameter_2d};
use glam::DVec3;

/// The common points of two closed triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intersection {
    /// None.
    Empty,
    /// One.
    Point(DVec3),
    /// A segment, by its ends.
    Segment([DVec3; 2]),
    /// A convex polygon, by its corners in order around it. Only coplanar triangles have one.
    Polygon {
        /// The corners, then zeros.
        points: [DVec3; 6],
        /// How many corners there are: three to six.
        count: usize,
    },
}

impl Intersection {
    /// The corners: none, one, two, or those of the polygon.
    ///
    /// ```
    /// use impinge_geom::triangle::Intersection;
    /// assert!(Intersection::Empty.points().is_empty());
    /// ```
    pub fn points(&self) -> &[DVec3] {
        match self {
            Self::Empty => &[],
            Self::Point(point) => std::slice::from_ref(point),
            Self::Segment(ends) => ends,
            Self::Polygon { points, count } => points.get(..*count).unwrap_or(points),
        }
    }
}

/// The common points of the two triangles. The kind is exact; coordinates are right to a few units in the last place.
///
/// ```
/// use impinge_geom::triangle::{Intersection, intersection};
/// use glam::DVec3;
/// let floor = [DVec3::new(-2.0, -2.0, 0.0), DVec3::new(2.0, -2.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];
/// let wall = [DVec3::new(0.0, 0.0, -1.0), DVec3::new(0.0, 0.0, 1.0), DVec3::new(1.0, 0.0, 0.0)];
/// assert_eq!(intersection(&floor, &wall), Intersection::Segment([DVec3::X, DVec3::ZERO]));
/// ```
pub fn intersection(a: &[DVec3; 3], b: &[DVec3; 3]) -> Intersection {
    if let Some(ends) = plain_crossing(a, b) {
        return Intersection::Segment(ends);
    }
    if verdict(a, b) == TriangleVerdict::Separated {
        return Intersection::Empty;
    }
    let meetings = Meetings::new(a, b);
    match *meetings.as_slice() {
        [] => Intersection::Empty,
        [one] => Intersection::Point(one.point),
        [one, two] => Intersection::Segment([one.point, two.point]),
        _ => Intersection::Polygon { points: meetings.around(), count: meetings.count },
    }
}

/// The segment in which two triangles cross; none if they do not, or a corner of one lies in the plane of the other, or an edge of one meets an edge of
/// the other. Then each triangle meets the line in which the planes meet in an interval, as in [`verdict`], and three more comparisons tell which of the four
/// ends are in both.
fn plain_crossing(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<[DVec3; 2]> {
    let sides_b = Heights::new(a, b).signs(a, b);
    if sides_b.contains(&0) || sides_b == [sides_b[0]; 3] {
        return None;
    }
    let sides_a = Heights::new(b, a).signs(b, a);
    if sides_a.contains(&0) || sides_a == [sides_a[0]; 3] {
        return None;
    }
    let ((first_a, below_a), (first_b, below_b)) = (apex(sides_a), apex(sides_b));
    // The other ends of the edges that leave each apex, in the order in which they are passed.
    let others = |first: usize, over: bool| {
        let (next, last) = ((first + 1) % 3, (first + 2) % 3);
        if over { [last, next] } else { [next, last] }
    };
    let (of_a, of_b) = (others(first_a, below_b), others(first_b, below_a));
    let order = |i: usize, j: usize| orient3d(a[first_a], a[of_a[i]], b[first_b], b[of_b[j]]);
    if order(0, 0) >= 0 || order(1, 1) <= 0 {
        return None;
    }
    let (start, end) = (order(0, 1), order(1, 0));
    if start == 0 || end == 0 {
        return None;
    }
    // An edge by its number, of A or else of B.
    let edge = |first: usize, other: usize| if other == (first + 1) % 3 { first } else { other };
    let edge_of_a = |i: usize| (0, edge(first_a, of_a[i]));
    let edge_of_b = |j: usize| (1, edge(first_b, of_b[j]));
    let mut edges = [
        if start < 0 { edge_of_b(1) } else { edge_of_a(0) },
        if end < 0 { edge_of_a(1) } else { edge_of_b(0) },
    ];
    edges.sort_unstable();
    Some(edges.map(|(body, k)| {
        let (own, other) = if body == 0 { (a, b) } else { (b, a) };
        let (p, q) = (own[k], own[(k + 1) % 3]);
        between(p, q, passing_parameter(other, p, q))
    }))
}

/// A corner of the intersection, with the feature of each triangle in whose relative interior it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) point: DVec3,
    pub(super) features: [Feature; 2],
}

/// The corners of the intersection.
pub(super) struct Meetings {
    list: [Meeting; 6],
    count: usize,
}

impl Meetings {
    /// Asks all pairs of features.
    pub(super) fn new(a: &[DVec3; 3], b: &[DVec3; 3]) -> Self {
        let nothing = Meeting { point: DVec3::ZERO, features: [Feature::face(0); 2] };
        let mut found = Self { list: [nothing; 6], count: 0 };
        let (first, second) = (Cell::new(a), Cell::new(b));
        for &i in first.corners() {
            if let Some(feature) = second.locate(a[i]) {
                found.push(a[i], [Feature::vertex(i as u32), feature]);
            }
        }
        for &j in second.corners() {
            match first.locate(b[j]) {
                // Equal corners were seen above.
                None | Some(Feature { kind: FeatureKind::Vertex, .. }) => {}
                Some(feature) => found.push(b[j], [feature, Feature::vertex(j as u32)]),
            }
        }
        for (i, p, q) in first.edges() {
            for (j, r, s) in second.edges() {
                if let Some(point) = edges_cross(p, q, r, s) {
                    found.push(point, [Feature::edge(i), Feature::edge(j)]);
                }
            }
        }
        first.pierce(&second, |edge, point| {
            found.push(point, [Feature::edge(edge), Feature::face(0)]);
        });
        second.pierce(&first, |edge, point| {
            found.push(point, [Feature::face(0), Feature::edge(edge)]);
        });
        found
    }

    pub(super) fn as_slice(&self) -> &[Meeting] {
        self.list.get(..self.count).unwrap_or(&self.list)
    }

    /// Two triangles have at most six such corners; there is no seventh to drop.
    fn push(&mut self, point: DVec3, features: [Feature; 2]) {
        if let Some(place) = self.list.get_mut(self.count) {
            *place = Meeting { point, features };
            self.count += 1;
        }
    }

    /// The points in order around the polygon. Neighbours are on a common edge of one of the triangles, and no edge has more
    /// than two of the points; so the order follows from the features.
    fn around(&self) -> [DVec3; 6] {
        let corners = self.as_slice();
        let mut points = [DVec3::ZERO; 6];
        let (mut used, mut current) = (1u32, 0);
        points[0] = corners[0].point;
        for place in points.iter_mut().take(self.count).skip(1) {
            let next = (0..self.count)
                .find(|&k| used >> k & 1 == 0 && on_common_edge(&corners[current], &corners[k]));
            let Some(next) = next else { break };
            *place = corners[next].point;
            (used, current) = (used | 1 << next, next);
        }
        points
    }
}

/// True if both points lie on one edge of the first triangle, or both on one of the second.
fn on_common_edge(p: &Meeting, q: &Meeting) -> bool {
    let on = |feature: Feature, edge: u32| match feature.kind {
        FeatureKind::Vertex => feature.index == edge || feature.index == (edge + 1) % 3,
        FeatureKind::Edge => feature.index == edge,
        _ => false,
    };
    (0..2).any(|side| (0..3).any(|k| on(p.features[side], k) && on(q.features[side], k)))
}

/// A triangle as the simplex that it is: three, two or one of its corners span it.
struct Cell<'t> {
    triangle: &'t [DVec3; 3],
    corners: [usize; 3],
    count: usize,
}

impl<'t> Cell<'t> {
    fn new(triangle: &'t [DVec3; 3]) -> Self {
        if shadow_with_area(triangle).is_some() {
            return Self { triangle, corners: [0, 1, 2], count: 3 };
        }
        let (start, end) = segment_ends(triangle);
        let count = if triangle[start] == triangle[end] { 1 } else { 2 };
        Self { triangle, corners: [start, end, end], count }
    }

    fn corners(&self) -> &[usize] {
        self.corners.get(..self.count).unwrap_or(&self.corners)
    }

    /// The edges, each with its index and its ends.
    fn edges(&self) -> impl Iterator<Item = (u32, DVec3, DVec3)> + '_ {
        let edges = [0, 1, 3][self.count - 1];
        (0..edges).map(|k| {
            let (i, j) = (self.corners[k], self.corners[(k + 1) % 3]);
            let index = if j == (i + 1) % 3 { i } else { j };
            (index as u32, self.triangle[i], self.triangle[j])
        })
    }

    /// The feature in whose relative interior the point lies, if it lies in the triangle.
    fn locate(&self, point: DVec3) -> Option<Feature> {
        if let Some(&corner) = self.corners().iter().find(|&&k| self.triangle[k] == point) {
            return Some(Feature::vertex(corner as u32));
        }
        match self.count {
            3 => self.locate_in_face(point),
            2 => self
                .edges()
                .next()
                .filter(|&(_, p, q)| on_open_segment(p, q, point))
                .map(|(index, ..)| Feature::edge(index)),
            _ => None,
        }
    }

    fn locate_in_face(&self, point: DVec3) -> Option<Feature> {
        let [a, b, c] = *self.triangle;
        if orient3d(a, b, c, point) != 0 {
            return None;
        }
        let drop = shadow_with_area(self.triangle)?;
        let [a, b, c, point] = [drop(a), drop(b), drop(c), drop(point)];
        let turns = [orient2d(a, b, point), orient2d(b, c, point), orient2d(c, a, point)];
        if turns.contains(&1) && turns.contains(&-1) {
            return None;
        }
        // Two zeros would be a corner, which has been asked before.
        match turns.iter().position(|turn| *turn == 0) {
            Some(edge) => Some(Feature::edge(edge as u32)),
            None => Some(Feature::face(0)),
        }
    }

    /// Calls back for each edge whose interior passes the interior of the other's face.
    fn pierce(&self, face: &Cell<'_>, mut found: impl FnMut(u32, DVec3)) {
        if face.count < 3 {
            return;
        }
        let sides = Heights::new(face.triangle, self.triangle).signs(face.triangle, self.triangle);
        let side =
            |corner: DVec3| (0..3).find(|&k| self.triangle[k] == corner).map_or(0, |k| sides[k]);
        for (index, p, q) in self.edges() {
            if side(p) * side(q) >= 0 {
                continue;
            }
            let [a, b, c] = *face.triangle;
            let turns = [orient3d(p, q, a, b), orient3d(p, q, b, c), orient3d(p, q, c, a)];
            if turns[0] != 0 && turns[0] == turns[1] && turns[1] == turns[2] {
                let t = passing_parameter(face.triangle, p, q);
                found(index, between(p, q, t));
            }
        }
    }
}

/// True if the point lies on the segment, but is none of its ends; they differ.
fn on_open_segment(p: DVec3, q: DVec3, point: DVec3) -> bool {
    let (low, high) = (p.to_array(), q.to_array());
    let between = if low < high {
        low < point.to_array() && point.to_array() < high
    } else {
        high < point.to_array() && point.to_array() < low
    };
    between && DROPS.iter().all(|drop| orient2d(drop(p), drop(q), drop(point)) == 0)
}

/// The one common point of the interiors of two segments that are not parallel, if there is one.
fn edges_cross(p: DVec3, q: DVec3, r: DVec3, s: DVec3) -> Option<DVec3> {
    if orient3d(p, q, r, s) != 0 {
        return None;
    }
    // In a coordinate plane where each segment has the ends of the other strictly on both sides, the common plane of the
    // segments keeps its area; so what crosses there crosses in space.
    DROPS.iter().find_map(|drop| {
        let [p2, q2, r2, s2] = [drop(p), drop(q), drop(r), drop(s)];
        let crosses = orient2d(p2, q2, r2) * orient2d(p2, q2, s2) < 0
            && orient2d(r2, s2, p2) * orient2d(r2, s2, q2) < 0;
        crosses.then(|| between(p, q, passing_parameter_2d(r2, s2, p2, q2)))
    })
}

/// The point at parameter `t`, measured from the nearer end.
fn between(p: DVec3, q: DVec3, t: f64) -> DVec3 {
    let along = q - p;
    if t < 0.5 { p + along * t } else { q - along * (1.0 - t) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_crossings_are_those_of_all_features() {
        let mut state = 7u64;
        let mut unit = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        let mut crossings = 0;
        for round in 0..40_000 {
            let mut triangle = || {
                [0; 3].map(|_| {
                    let point = DVec3::new(unit(), unit(), unit());
                    // On a grid much is not plain.
                    if round % 2 == 0 { point } else { (4.0 * point).round() }
                })
            };
            let (a, b) = (triangle(), triangle());
            let Some(ends) = plain_crossing(&a, &b) else { continue };
            let meetings = Meetings::new(&a, &b);
            let points: Vec<DVec3> = meetings.as_slice().iter().map(|one| one.point).collect();
            assert_eq!(points, ends, "{a:?} {b:?}");
            assert_eq!(verdict(&a, &b), TriangleVerdict::Crossing);
            crossings += 1;
        }
        assert!(crossings > 3000, "{crossings}");
    }
}
