//! The exact squared distance of two triangles: the least over all pairs of features, as fractions of integers.
//!
//! Vertex against face where the foot lies in the face, edge against edge where both feet lie within, vertex against edge always.
//! Degenerate triangles need no case of their own: what has no normal is covered by its edges and vertices.

use super::lattice::{big, cross, dot, minus, sign};
use super::triangle::place;
use super::{Place, Point};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

type Vector = [IBig; 3];

/// A fraction with a positive denominator.
#[derive(Clone, Debug)]
struct Fraction {
    over: IBig,
    under: IBig,
}

impl Fraction {
    fn whole(over: IBig) -> Self {
        Self { over, under: IBig::ONE }
    }

    fn min(self, other: Self) -> Self {
        if &other.over * &self.under < &self.over * &other.under { other } else { self }
    }
}

/// The exact squared distance, zero iff the triangles meet.
pub fn squared(a: &[Point; 3], b: &[Point; 3]) -> RBig {
    if place(a, b) != Place::Outside {
        return RBig::ZERO;
    }
    let (points, exponent) = big(&[a[0], a[1], a[2], b[0], b[1], b[2]]);
    let (a, b) = points.split_at(3);
    let mut best: Option<Fraction> = None;
    let mut take = |found: Fraction| {
        best = Some(match best.take() {
            Some(other) => other.min(found),
            None => found,
        });
    };
    for i in 0..3 {
        for j in 0..3 {
            let (p, q) = ([&a[i], &a[(i + 1) % 3]], [&b[j], &b[(j + 1) % 3]]);
            take(vertex_edge(&a[i], q));
            take(vertex_edge(&b[j], p));
            edge_edge(p, q).into_iter().for_each(&mut take);
        }
        vertex_face(&a[i], b).into_iter().for_each(&mut take);
        vertex_face(&b[i], a).into_iter().for_each(&mut take);
    }
    let least = best.unwrap_or_else(|| Fraction::whole(IBig::ZERO));
    scaled(least, 2 * exponent)
}

/// The fraction times a power of two.
fn scaled(fraction: Fraction, exponent: i32) -> RBig {
    let shift = exponent.unsigned_abs() as usize;
    let (over, under) = if exponent >= 0 {
        (fraction.over << shift, fraction.under)
    } else {
        (fraction.over, fraction.under << shift)
    };
    RBig::from_parts_signed(over, under)
}

/// The nearest point of the edge, wherever it is.
fn vertex_edge(p: &Vector, [from, to]: [&Vector; 2]) -> Fraction {
    let (edge, w) = (minus(to, from), minus(p, from));
    let (along, length) = (dot(&w, &edge), dot(&edge, &edge));
    if sign(&along) <= 0 {
        Fraction::whole(dot(&w, &w))
    } else if along >= length {
        let w = minus(p, to);
        Fraction::whole(dot(&w, &w))
    } else {
        Fraction { over: dot(&w, &w) * &length - &along * &along, under: length }
    }
}

/// The common perpendicular, if both its feet lie within the edges.
fn edge_edge([p, p_end]: [&Vector; 2], [q, q_end]: [&Vector; 2]) -> Option<Fraction> {
    let (u, v, w) = (minus(p_end, p), minus(q_end, q), minus(q, p));
    let normal = cross(&u, &v);
    let square = dot(&normal, &normal);
    let within = |x: &IBig| sign(x) >= 0 && *x <= square;
    // p + s u and q + t v are the feet, with s = (w × v)·n / n² and t = (w × u)·n / n².
    let feet = [dot(&cross(&w, &v), &normal), dot(&cross(&w, &u), &normal)];
    (sign(&square) > 0 && feet.iter().all(within)).then(|| {
        let height = dot(&normal, &w);
        Fraction { over: &height * &height, under: square.clone() }
    })
}

/// The height over the face, if the foot lies in it.
fn vertex_face(p: &Vector, face: &[Vector]) -> Option<Fraction> {
    let normal = cross(&minus(&face[1], &face[0]), &minus(&face[2], &face[0]));
    let square = dot(&normal, &normal);
    let inside = (0..3).all(|i| {
        let (from, to) = (&face[i], &face[(i + 1) % 3]);
        sign(&dot(&cross(&minus(to, from), &minus(p, from)), &normal)) >= 0
    });
    (sign(&square) > 0 && inside).then(|| {
        let height = dot(&normal, &minus(p, &face[0]));
        Fraction { over: &height * &height, under: square.clone() }
    })
}

/// Whether |d − d*| ≤ `tolerance`, where d*² is `square`: the square lies between those of d ± tolerance.
pub fn within(d: f64, square: &RBig, tolerance: f64) -> bool {
    let (Ok(d), Ok(tolerance)) = (RBig::try_from(d), RBig::try_from(tolerance)) else {
        return false;
    };
    let (low, high) = (&d - &tolerance, &d + &tolerance);
    high >= RBig::ZERO && *square <= &high * &high && (low <= RBig::ZERO || &low * &low <= *square)
}

/// The tolerance 1e-12 · max(d, extent) + 2^-1022, rounded down by far more than its own rounding, extent being the longest
/// side of the box around both triangles.
pub fn tolerance(d: f64, a: &[Point; 3], b: &[Point; 3]) -> f64 {
    let extent = (0..3).fold(0.0, |extent: f64, c| {
        let values = a.iter().chain(b).map(|p| p[c]);
        let (low, high) =
            values.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
        extent.max(high - low)
    });
    (1.0 - 1e-10) * 1e-12 * extent.max(d) + f64::MIN_POSITIVE
}

/// The exact square of a number.
pub fn square_of(value: f64) -> RBig {
    let value = RBig::try_from(value).unwrap_or(RBig::ZERO);
    &value * &value
}

/// The square root to 52 bits, for messages.
pub fn root(square: &RBig) -> f64 {
    use impinge_lab::random::power_of_two;
    // The least square is 2^-2148 over the square of an edge; that number of zeros leaves 53 bits of any root.
    let shift = 6000_usize;
    let whole: UBig = (square.numerator().clone().into_parts().1 << shift) / square.denominator();
    let root = dashu_int::ops::SquareRoot::sqrt(&whole);
    let drop = dashu_int::ops::BitTest::bit_len(&root).saturating_sub(53);
    let mantissa = u64::try_from(root >> drop).unwrap_or(0) as f64;
    let exponent = drop as i32 - (shift / 2) as i32;
    // In three factors, so that none leaves the range of f64.
    let third = exponent / 3;
    mantissa * power_of_two(third) * power_of_two(third) * power_of_two(exponent - 2 * third)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: [Point; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    fn distance(b: [Point; 3]) -> f64 {
        let square = squared(&FLAT, &b);
        assert_eq!(square, squared(&b, &FLAT));
        root(&square)
    }

    #[test]
    fn every_pair_of_features() {
        // Vertex over face, vertex beside edge, vertex beside vertex, edge across edge, crossing, a point, a segment.
        assert_eq!(distance([[1.0, 1.0, 2.0], [1.0, 1.0, 5.0], [2.0, 1.0, 5.0]]), 2.0);
        assert_eq!(distance([[1.0, -3.0, 0.0], [1.0, -5.0, 1.0], [2.0, -5.0, -1.0]]), 3.0);
        assert_eq!(distance([[-3.0, -4.0, 0.0], [-9.0, -9.0, 1.0], [-9.0, -9.0, -1.0]]), 5.0);
        assert_eq!(distance([[2.0, -1.0, 2.0], [2.0, 1.0, 2.0], [2.0, 0.0, 9.0]]), 2.0);
        assert_eq!(distance([[1.0, 1.0, -2.0], [1.0, 1.0, 5.0], [2.0, 1.0, 5.0]]), 0.0);
        assert_eq!(distance([[1.0, 1.0, 7.0]; 3]), 7.0);
        let segment = [[-2.0, -1.0, 3.0], [8.0, -1.0, 3.0], [3.0, -1.0, 3.0]];
        assert!((distance(segment) - 10.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn brackets() {
        let two = square_of(2.0_f64.sqrt());
        assert!(within(2.0_f64.sqrt(), &two, 0.0));
        assert!(within(1.0, &two, 0.5) && !within(1.0, &two, 0.4));
        assert!(within(-0.1, &RBig::ZERO, 0.2) && !within(-0.3, &RBig::ZERO, 0.2));
        assert!(!within(f64::NAN, &two, 1.0));
        assert!(tolerance(0.0, &FLAT, &FLAT) < 4e-12);
    }
}
