//! From many contact points to four.

use crate::number::tolerance::{ADDED_AREA, PREFERENCE};

/// What is needed of a contact point to choose: its place in the plane across the normal, and its distance.
pub(super) trait Choosable {
    fn place(&self) -> [f64; 2];
    fn distance(&self) -> f64;
}

/// Chooses up to four of the points: the deepest, the one farthest from it, the one that spans the largest triangle with the two,
/// and the one that adds the largest area to the triangle. Ties go to the smallest index; distances within `tie` are equal.
/// The deepest point comes first, the others by index.
pub(super) fn choose<T: Choosable>(points: &[T], tie: f64) -> ([usize; 4], usize) {
    let least = points.iter().map(T::distance).fold(f64::INFINITY, f64::min);
    let deepest = points.iter().position(|p| p.distance() <= least + tie).unwrap_or(0);
    let mut chosen = [deepest, 0, 0, 0];
    if points.len() <= 4 {
        let others = (0..points.len()).filter(|k| *k != deepest);
        chosen.iter_mut().skip(1).zip(others).for_each(|(place, k)| *place = k);
        return (chosen, points.len());
    }
    let p = points[deepest].place();
    let from_first = |q: [f64; 2]| (q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]);
    let Some(second) = largest(points, from_first) else { return (chosen, 1) };
    let q = points[second].place();
    let Some(third) = largest(points, |r| doubled_area(p, q, r).abs()) else {
        chosen[1] = second;
        return (chosen, 2);
    };
    let r = points[third].place();
    // Outside the triangle one of the areas with its sides has the other sign.
    let turn = doubled_area(p, q, r).signum();
    let added = |s: [f64; 2]| {
        let areas = [doubled_area(p, q, s), doubled_area(q, r, s), doubled_area(r, p, s)];
        areas.into_iter().fold(0.0, |most, area| f64::max(most, -area * turn))
    };
    // What rounding adds to the area does not count.
    let noise = ADDED_AREA * doubled_area(p, q, r).abs();
    let fourth = largest(points, |s| if added(s) > noise { added(s) } else { 0.0 });
    let mut rest = [Some(second), Some(third), fourth].map(|k| k.unwrap_or(usize::MAX));
    rest.sort_unstable();
    chosen[1..].copy_from_slice(&rest);
    (chosen, if fourth.is_some() { 4 } else { 3 })
}

/// The first point with the largest value, if that is above zero.
fn largest<T: Choosable>(points: &[T], value: impl Fn([f64; 2]) -> f64) -> Option<usize> {
    let mut best = (0.0, None);
    for (index, point) in points.iter().enumerate() {
        let value = value(point.place());
        if value > best.0 * PREFERENCE {
            best = (value, Some(index));
        }
    }
    best.1
}

/// Twice the area of a triangle, positive if it turns counter-clockwise.
fn doubled_area(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Point(f64, f64, f64);

    impl Choosable for Point {
        fn place(&self) -> [f64; 2] {
            [self.0, self.1]
        }
        fn distance(&self) -> f64 {
            self.2
        }
    }

    #[test]
    fn keeps_the_deepest_and_the_corners() {
        let mut points: Vec<Point> = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
            .map(|(x, y)| Point(x, y, -1.0))
            .into_iter()
            .collect();
        assert_eq!(choose(&points, 0.0), ([0, 1, 2, 3], 4));
        points.insert(1, Point(1.0, 0.0, -1.0));
        points.push(Point(0.0, 1.0, -1.0));
        assert_eq!(choose(&points, 0.0), ([0, 2, 3, 4], 4));
        points[5].2 = -2.0;
        let (chosen, count) = choose(&points, 0.0);
        assert_eq!((chosen[0], count), (5, 4));
    }

    #[test]
    fn collinear_and_equal_points_give_fewer() {
        let line: Vec<Point> = (0..7).map(|k| Point(f64::from(k), 0.0, f64::from(k))).collect();
        assert_eq!(choose(&line, 0.0), ([0, 6, 0, 0], 2));
        let same: Vec<Point> = (0..7).map(|_| Point(1.0, 1.0, 1.0)).collect();
        assert_eq!(choose(&same, 0.0).1, 1);
        assert_eq!(choose::<Point>(&[], 0.0).1, 0);
    }
}
