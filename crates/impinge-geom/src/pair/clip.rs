//! Cutting a convex polygon in space by planes (Sutherland and Hodgman 1974).

use glam::DVec3;

/// Keeps the part of the polygon on the side of `origin` to which the unit vector `inwards` points. Corners that stick out by no
/// more than `slack` count as inside, so that flush faces survive.
pub(super) fn keep(
    subject: &mut Vec<DVec3>,
    spare: &mut Vec<DVec3>,
    origin: DVec3,
    inwards: DVec3,
    slack: f64,
) {
    let height = |p: DVec3| (p - origin).dot(inwards);
    let slack = -slack;
    spare.clear();
    let count = subject.len();
    for index in 0..count {
        let (p, q) = (subject[index], subject[(index + 1) % count]);
        let (at_p, at_q) = (height(p), height(q));
        if at_p >= slack {
            spare.push(p);
        }
        let crosses = (at_p < slack && at_q > 0.0) || (at_p > 0.0 && at_q < slack);
        if crosses {
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
    fn cuts_a_square() {
        let (mut subject, mut spare) = (square(1.0), Vec::new());
        keep(&mut subject, &mut spare, DVec3::new(0.5, 7.0, 0.0), DVec3::NEG_X, 1e-14);
        assert_eq!(area(&subject), 3.0);
        // Flush with a side nothing changes; beyond it nothing is left.
        keep(&mut subject, &mut spare, DVec3::new(-1.0, 0.0, 0.0), DVec3::X, 1e-14);
        assert_eq!(area(&subject), 3.0);
        keep(&mut subject, &mut spare, DVec3::new(0.0, 1.5, 0.0), DVec3::Y, 1e-14);
        assert!(subject.is_empty());
    }
}
