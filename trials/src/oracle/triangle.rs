//! The exact verdict on two triangles, from the signs of all triples of points of the Minkowski difference.
//!
//! With d₀…d₈ the nine differences aᵢ − bⱼ, the origin is *not* interior to their hull iff some n ≠ 0 has n·dₖ ≥ 0 for all k.
//! These n form a polyhedral cone. If the dₖ span space, the cone is pointed, and each of its extreme rays is ±dᵢ×dⱼ for
//! some i, j; so the 84 signs of det(dᵢ, dⱼ, dₖ) tell all rays. The origin is interior iff there is no ray. It is outside
//! iff some n has n·dₖ > 0 for all k: the sum of all rays is such an n iff there is one, hence iff each k has a ray with a
//! positive product. If the dₖ span a plane or a line through the origin, the same holds there with one vector less.
//!
//! Nothing here asks whether a triangle has an area. A sign comes from f64 where a forward error bound certifies it, else
//! from integers; [`rational`] decides the same by an exact linear program, without any shortcut, to check this file.

use super::lattice::{self, Lattice};
use super::{Place, Point, linear};
use dashu_int::IBig;

/// Where the origin lies in the difference of the triangles: inside is crossing, boundary touching, outside separated.
pub fn place(a: &[Point; 3], b: &[Point; 3]) -> Place {
    let mut signs = [[[0_i8; 9]; 9]; 9];
    let mut exact = Exact::new(a, b);
    let d: [Point; 9] = std::array::from_fn(|k| minus(&a[k / 3], &b[k % 3]));
    let safe = d.iter().flatten().all(|x| x.abs() < LARGE);
    let mut spans = false;
    for i in 0..9 {
        for j in i + 1..9 {
            let cross = Cross::new(&d[i], &d[j]);
            for (k, third) in d.iter().enumerate().skip(j + 1) {
                let filtered = if safe { cross.sign(third) } else { None };
                let sign = filtered.unwrap_or_else(|| exact.sign(i, j, k));
                spans |= sign != 0;
                for (x, y, z) in [(i, j, k), (j, k, i), (k, i, j)] {
                    signs[x][y][z] = sign;
                    signs[y][x][z] = -sign;
                }
            }
        }
    }
    if spans { in_space(&signs) } else { flat(&exact.vectors()) }
}

/// The same by an exact linear program in rational numbers: slow, with no shortcut.
pub fn rational(a: &[Point; 3], b: &[Point; 3]) -> Place {
    linear::rational(a, b)
}

/// Reads the rays off the signs.
fn in_space(signs: &[[[i8; 9]; 9]; 9]) -> Place {
    let mut any = false;
    let mut strict = [false; 9];
    for (i, rows) in signs.iter().enumerate() {
        for row in &rows[i + 1..] {
            let up = row.iter().any(|sign| *sign > 0);
            let down = row.iter().any(|sign| *sign < 0);
            if up != down {
                any = true;
                for (flag, sign) in strict.iter_mut().zip(row) {
                    *flag |= *sign != 0;
                }
            }
        }
    }
    match (any, strict.iter().all(|flag| *flag)) {
        (false, _) => Place::Inside,
        (true, false) => Place::Boundary,
        (true, true) => Place::Outside,
    }
}

/// All vectors lie in a plane or a line through the origin, so that it is at most on the boundary.
fn flat(d: &[[IBig; 3]]) -> Place {
    let zero = |v: &[IBig; 3]| v.iter().all(|x| *x == IBig::ZERO);
    let Some(first) = d.iter().find(|v| !zero(v)) else { return Place::Boundary };
    let normal = d.iter().map(|v| lattice::cross(first, v)).find(|n| !zero(n));
    let strict = match normal {
        None => d.iter().all(|v| lattice::sign(&lattice::dot(first, v)) > 0),
        Some(normal) => {
            let mut strict = vec![false; d.len()];
            for v in d {
                let ray = lattice::cross(&normal, v);
                let row: Vec<i8> =
                    d.iter().map(|w| lattice::sign(&lattice::dot(&ray, w))).collect();
                if row.contains(&1) != row.contains(&-1) {
                    strict.iter_mut().zip(row).for_each(|(flag, sign)| *flag |= sign != 0);
                }
            }
            strict.iter().all(|flag| *flag)
        }
    };
    if strict { Place::Outside } else { Place::Boundary }
}

/// Differences at least this large skip the f64 filter; below it, no product of three overflows.
const LARGE: f64 = 1e90;

/// A cross product in f64 with the sums of absolute values that bound its error.
struct Cross {
    value: Point,
    bound: Point,
}

impl Cross {
    fn new(u: &Point, v: &Point) -> Self {
        let p = [u[1] * v[2], u[2] * v[0], u[0] * v[1]];
        let q = [u[2] * v[1], u[0] * v[2], u[1] * v[0]];
        Self {
            value: std::array::from_fn(|i| p[i] - q[i]),
            bound: std::array::from_fn(|i| p[i].abs() + q[i].abs()),
        }
    }

    /// The sign of the product with `w`, if certain.
    ///
    /// Each of the six terms passes three roundings of differences, three of products and sums of the cross product and three more:
    /// at most 9 relative errors of 2^-53. 16 of them cover the rounding of the bound as well. The absolute term covers
    /// underflow: an error of 2^-1075 in a product of two, times a third below 2^300, summed up six times.
    fn sign(&self, w: &Point) -> Option<i8> {
        let value = self.value[0] * w[0] + self.value[1] * w[1] + self.value[2] * w[2];
        let size =
            self.bound[0] * w[0].abs() + self.bound[1] * w[1].abs() + self.bound[2] * w[2].abs();
        let error = 16.0 * (f64::EPSILON / 2.0) * size + 1e-220;
        (value.abs() > error).then(|| value.signum() as i8)
    }
}

/// The nine differences as integers, made when they are first needed.
struct Exact<'a> {
    a: &'a [Point; 3],
    b: &'a [Point; 3],
    made: Option<Made>,
}

enum Made {
    Small([[i64; 3]; 9]),
    Big(Vec<[IBig; 3]>),
}

impl<'a> Exact<'a> {
    fn new(a: &'a [Point; 3], b: &'a [Point; 3]) -> Self {
        Self { a, b, made: None }
    }

    fn made(&mut self) -> &Made {
        let (a, b) = (self.a, self.b);
        self.made.get_or_insert_with(|| {
            match lattice::lattice(&[a[0], a[1], a[2], b[0], b[1], b[2]]) {
                Lattice::Small(p) => Made::Small(std::array::from_fn(|k| {
                    std::array::from_fn(|c| p[k / 3][c] - p[3 + k % 3][c])
                })),
                Lattice::Big(p) => {
                    Made::Big((0..9).map(|k| lattice::minus(&p[k / 3], &p[3 + k % 3])).collect())
                }
            }
        })
    }

    fn sign(&mut self, i: usize, j: usize, k: usize) -> i8 {
        match self.made() {
            Made::Small(d) => lattice::determinant_sign(&d[i], &d[j], &d[k]),
            Made::Big(d) => lattice::sign(&lattice::determinant(&d[i], &d[j], &d[k])),
        }
    }

    fn vectors(&mut self) -> Vec<[IBig; 3]> {
        match self.made() {
            Made::Small(d) => d.iter().map(|v| v.map(IBig::from)).collect(),
            Made::Big(d) => d.clone(),
        }
    }
}

/// The rounded difference.
fn minus(u: &Point, v: &Point) -> Point {
    [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::triangles::{Kind, pair};
    use impinge_lab::Random;

    const FLAT: [Point; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn by_hand() {
        let cases = [
            (Place::Inside, [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]]),
            (Place::Boundary, [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]]),
            (Place::Outside, [[1.0, 1.0, 5e-324], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]]),
            (Place::Boundary, FLAT),
            (Place::Outside, [[4.0, 4.0, 0.0]; 3]),
            (Place::Boundary, [[1.0, 1.0, 0.0]; 3]),
            // A segment through the face crosses it; along the face, or through an edge, it touches.
            (Place::Inside, [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.5]]),
            (Place::Boundary, [[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 1.0, 0.0]]),
            (Place::Boundary, [[2.0, 0.0, -1.0], [2.0, 0.0, 1.0], [2.0, 0.0, 1.0]]),
        ];
        for (expected, other) in cases {
            assert_eq!(place(&FLAT, &other), expected, "{other:?}");
            assert_eq!(place(&other, &FLAT), expected, "{other:?}");
            assert_eq!(rational(&FLAT, &other), expected, "{other:?}");
        }
    }

    #[test]
    fn agrees_with_the_linear_program() {
        let mut random = Random::new(11);
        for kind in Kind::ALL {
            for _ in 0..60 {
                let [a, b] = pair(kind, &mut random);
                assert_eq!(place(&a, &b), rational(&a, &b), "{kind:?} {a:?} {b:?}");
            }
        }
    }
}
