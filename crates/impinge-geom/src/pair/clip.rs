//! Clipping a convex polygon by the sides of another, as seen along a normal (Sutherland and Hodgman 1974).

use glam::DVec3;

/// Cuts `subject` down to what lies, seen along `normal`, inside `reference`, whose corners turn counter-clockwise about it.
/// A reference of two points keeps what lies between them; one of a single point keeps everything.
pub(super) fn clip(
    subject: &mut Vec<DVec3>,
    spare: &mut Vec<DVec3>,
    reference: &[DVec3],
    normal: DVec3,
) {
    match reference {
        [] | [_] => {}
        [p, q] => {
            keep(subject, spare, *p, *q - *p);
            keep(subject, spare, *q, *p - *q);
        }
        _ => {
            for (index, p) in reference.iter().enumerate() {
                let q = reference[(index + 1) % reference.len()];
                keep(subject, spare, *p, normal.cross(q - *p));
            }
        }
    }
}

/// Keeps the part of the polygon (or segment, or point) on the side of `origin` to which `inwards` points.
fn keep(subject: &mut Vec<DVec3>, spare: &mut Vec<DVec3>, origin: DVec3, inwards: DVec3) {
    let height = |p: DVec3| (p - origin).dot(inwards);
    // Corners that sit on the side up to rounding count as inside, so that flush faces survive.
    let slack = -1e-14 * inwards.length() * (inwards.length() + origin.length());
    spare.clear();
    let count = subject.len();
    for index in 0..count {
        let (p, q) = (subject[index], subject[(index + 1) % count]);
        let (at_p, at_q) = (height(p), height(q));
        if at_p >= slack {
            spare.push(p);
        }
        let crosses = (at_p < slack && at_q > 0.0) || (at_p > 0.0 && at_q < slack);
        // The closing edge of a segment is the segment again.
        if crosses && !(count == 2 && index == 1) {
            spare.push(p + (q - p) * (at_p / (at_p - at_q)));
        }
    }
    std::mem::swap(subject, spare);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64) -> Vec<DVec3> {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| DVec3::new(x * half, y * half, 0.0))
            .to_vec()
    }

    fn area(polygon: &[DVec3]) -> f64 {
        (0..polygon.len()).map(|i| polygon[i].cross(polygon[(i + 1) % polygon.len()]).z / 2.0).sum()
    }

    #[test]
    fn clips_squares_and_segments() {
        let (mut subject, mut spare) = (square(1.0), Vec::new());
        subject.iter_mut().for_each(|p| p.x += 0.5);
        clip(&mut subject, &mut spare, &square(1.0), DVec3::Z);
        assert_eq!(area(&subject), 3.0);
        let mut segment = vec![DVec3::new(-5.0, 0.0, 1.0), DVec3::new(5.0, 0.0, 1.0)];
        clip(&mut segment, &mut spare, &square(1.0), DVec3::Z);
        assert_eq!(segment, [DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, 1.0)]);
        let mut outside = vec![DVec3::new(5.0, 5.0, 0.0)];
        clip(&mut outside, &mut spare, &square(1.0), DVec3::Z);
        assert!(outside.is_empty());
        let mut flush = square(1.0);
        clip(&mut flush, &mut spare, &square(1.0), DVec3::Z);
        assert_eq!(area(&flush), 4.0);
    }
}
