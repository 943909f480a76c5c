//! Clipping in the plane: the shadows of two supporting faces, seen along the contact normal.
//!
//! Sutherland and Hodgman 1974, with one addition: every side of the polygon remembers from which side of which face it comes, so
//! that each corner of the result knows its features (a corner of one face over the other, or two edges that cross).

/// A corner of a polygon in the plane, with the name of the side that leaves it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) side: Side,
}

/// Where a side of the clipped polygon comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The polygon that is clipped.
    Subject(u32),
    /// The polygon that clips.
    Reference(u32),
}

/// Cuts the subject down to what lies inside the reference; both turn counter-clockwise.
///
/// Corners outside by no more than `slack` count as inside, so that flush faces survive.
#[inline]
pub(super) fn clip_polygon(
    subject: &mut Vec<Mark>,
    spare: &mut Vec<Mark>,
    reference: &[[f64; 2]],
    slack: f64,
) {
    let Some(mut p) = reference.last().copied() else { return };
    let last = reference.len() as u32 - 1;
    for (index, q) in reference.iter().enumerate() {
        // The side that leaves corner `index - 1`.
        let number = if index == 0 { last } else { index as u32 - 1 };
        keep(subject, spare, (p, *q), number, slack);
        p = *q;
    }
}

/// Keeps what lies on the left of the line from `p` to `q`.
#[inline]
fn keep(
    subject: &mut Vec<Mark>,
    spare: &mut Vec<Mark>,
    (p, q): ([f64; 2], [f64; 2]),
    number: u32,
    slack: f64,
) {
    let along = [q[0] - p[0], q[1] - p[1]];
    let length = along[0].abs() + along[1].abs();
    let Some(last) = subject.last().copied() else { return };
    if length == 0.0 {
        return;
    }
    let lowest = -slack * length;
    let height = |mark: &Mark| along[0] * (mark.y - p[1]) - along[1] * (mark.x - p[0]);
    spare.clear();
    let (mut from, mut at_from) = (last, height(&last));
    // Walks the sides from → to; the first is the one that closes the polygon.
    for to in subject.iter() {
        let at_to = height(to);
        if at_from >= lowest {
            let cut = at_to < lowest;
            // At a corner within the slack the cut starts at the corner itself.
            if cut && at_from > 0.0 {
                spare.push(from);
                spare.push(crossing(&from, to, at_from, at_to, Side::Reference(number)));
            } else {
                spare.push(if cut { Mark { side: Side::Reference(number), ..from } } else { from });
            }
        } else if at_to > 0.0 {
            spare.push(crossing(&from, to, at_from, at_to, from.side));
        }
        (from, at_from) = (*to, at_to);
    }
    std::mem::swap(subject, spare);
}

/// The point between two corners on the line from which they have the given heights, of opposite signs.
#[inline(always)]
fn crossing(from: &Mark, to: &Mark, at_from: f64, at_to: f64, side: Side) -> Mark {
    let t = at_from / (at_from - at_to);
    Mark { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t, side }
}

/// The part of a segment inside the reference: its two parameters, with the sides that cut there.
///
/// Cyrus and Beck 1978. Ends outside by no more than `slack` count as inside.
pub(super) fn clip_segment(
    [start, end]: [[f64; 2]; 2],
    reference: &[[f64; 2]],
    slack: f64,
) -> Option<[(f64, Option<u32>); 2]> {
    let (mut low, mut high) = ((0.0, None), (1.0, None));
    for (index, p) in reference.iter().enumerate() {
        let q = reference[if index + 1 < reference.len() { index + 1 } else { 0 }];
        let along = [q[0] - p[0], q[1] - p[1]];
        let length = along[0].abs() + along[1].abs();
        let height = |r: [f64; 2]| along[0] * (r[1] - p[1]) - along[1] * (r[0] - p[0]);
        let (at_start, at_end) = (height(start), height(end));
        let lowest = -slack * length;
        if at_start < lowest && at_end < lowest {
            return None;
        }
        if at_start < lowest && at_end > 0.0 {
            let t = at_start / (at_start - at_end);
            if t > low.0 {
                low = (t, Some(index as u32));
            }
        } else if at_end < lowest && at_start > 0.0 {
            let t = at_start / (at_start - at_end);
            if t < high.0 {
                high = (t, Some(index as u32));
            }
        } else if at_start < lowest {
            // Only the end is inside, within the slack.
            low = (1.0, None);
        } else if at_end < lowest {
            high = (0.0, None);
        }
    }
    (low.0 <= high.0).then_some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64) -> [[f64; 2]; 4] {
        [[-half, -half], [half, -half], [half, half], [-half, half]]
    }

    fn marks(points: &[[f64; 2]]) -> Vec<Mark> {
        let mark =
            |(k, p): (usize, &[f64; 2])| Mark { x: p[0], y: p[1], side: Side::Subject(k as u32) };
        points.iter().enumerate().map(mark).collect()
    }

    fn area(polygon: &[Mark]) -> f64 {
        let next = |i: usize| &polygon[(i + 1) % polygon.len()];
        (0..polygon.len())
            .map(|i| (polygon[i].x * next(i).y - polygon[i].y * next(i).x) / 2.0)
            .sum()
    }

    #[test]
    fn clips_squares() {
        let (mut subject, mut spare) = (marks(&square(1.0)), Vec::new());
        subject.iter_mut().for_each(|mark| mark.x += 0.5);
        clip_polygon(&mut subject, &mut spare, &square(1.0), 1e-14);
        assert_eq!((subject.len(), area(&subject)), (4, 3.0));
        let mut flush = marks(&square(1.0));
        clip_polygon(&mut flush, &mut spare, &square(1.0), 1e-14);
        assert_eq!((flush.len(), area(&flush)), (4, 4.0));
        let mut apart = marks(&square(1.0));
        apart.iter_mut().for_each(|mark| mark.y += 2.5);
        clip_polygon(&mut apart, &mut spare, &square(1.0), 1e-14);
        assert!(apart.is_empty());
    }

    #[test]
    fn sides_keep_their_names() {
        // A diamond that cuts all four corners off the square.
        let diamond = [[0.0, -1.5], [1.5, 0.0], [0.0, 1.5], [-1.5, 0.0]];
        let (mut subject, mut spare) = (marks(&square(1.0)), Vec::new());
        clip_polygon(&mut subject, &mut spare, &diamond, 1e-14);
        assert_eq!(subject.len(), 8);
        assert!((area(&subject) - 3.5).abs() < 1e-15);
        for (k, mark) in subject.iter().enumerate() {
            let next = &subject[(k + 1) % 8];
            // Corner k of the square is cut off by the side of the diamond that ends at its corner k.
            let middle = [(mark.x + next.x) / 2.0, (mark.y + next.y) / 2.0];
            match mark.side {
                Side::Subject(_) => assert_eq!(middle[0].abs().max(middle[1].abs()), 1.0),
                Side::Reference(_) => {
                    assert!((middle[0].abs() + middle[1].abs() - 1.5).abs() < 1e-15)
                }
            }
        }
    }

    #[test]
    fn clips_segments() {
        let found = clip_segment([[-4.0, 0.0], [4.0, 0.0]], &square(1.0), 1e-14);
        assert_eq!(found, Some([(0.375, Some(3)), (0.625, Some(1))]));
        let inside = clip_segment([[-0.5, 0.5], [0.5, 0.0]], &square(1.0), 1e-14);
        assert_eq!(inside, Some([(0.0, None), (1.0, None)]));
        let flush = clip_segment([[1.0 + 1e-16, -3.0], [1.0, 0.0]], &square(1.0), 1e-14);
        assert_eq!(flush.map(|ends| ends[0].1), Some(Some(0)));
        assert_eq!(clip_segment([[2.0, 0.0], [3.0, 1.0]], &square(1.0), 1e-14), None);
        assert_eq!(clip_segment([[0.0, 4.0], [4.0, 0.0]], &square(1.0), 1e-14), None);
    }
}
