//! Moving vertices: the first contact of a vertex and a triangle, or of two edges, whose points move on lines.
//!
//! Barycentric coordinates and the parameters of closest points, times the squared normal, are polynomials of degree four in
//! time; Sturm sequences find the roots of the cubic of coplanarity and Tarski queries the signs there. Where the cubic
//! vanishes identically all times are tried at which any of those signs changes.

use super::Point;
use super::lattice::big;
use super::sturm::{Polynomial, Root, roots};
use dashu_int::IBig;

type Vector = [Polynomial; 3];

/// Conditions of contact at a time at which the points are coplanar.
struct Conditions {
    cubic: Polynomial,
    /// Zero where the features are degenerate or parallel, else positive.
    regular: Polynomial,
    /// Where regular: all are at least zero.
    inside: Vec<Polynomial>,
    /// Where not: all are zero, …
    collinear: Vec<Polynomial>,
    /// … and along no axis all have one sign.
    apart: [Vec<Polynomial>; 3],
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    let part = |i: usize, j: usize| a[i].times(&b[j]).plus(&a[j].times(&b[i]), -1);
    [part(1, 2), part(2, 0), part(0, 1)]
}

fn dot(a: &Vector, b: &Vector) -> Polynomial {
    a[0].times(&b[0]).plus(&a[1].times(&b[1]), 1).plus(&a[2].times(&b[2]), 1)
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| a[k].plus(&b[k], -1))
}

fn moving(start: &[Point; 4], end: &[Point; 4]) -> [Vector; 4] {
    let (points, _) = big(&[*start, *end].concat());
    [0, 1, 2, 3].map(|i| [0, 1, 2].map(|k| Polynomial::linear(&points[i][k], &points[i + 4][k])))
}

impl Conditions {
    fn vertex_face(start: &[Point; 4], end: &[Point; 4]) -> Self {
        let [p, a, b, c] = moving(start, end);
        let normal = cross(&minus(&b, &a), &minus(&c, &a));
        let q = [minus(&a, &p), minus(&b, &p), minus(&c, &p)];
        let areas = [cross(&q[1], &q[2]), cross(&q[2], &q[0]), cross(&q[0], &q[1])];
        Self {
            cubic: dot(&normal, &q[0]),
            regular: dot(&normal, &normal),
            inside: areas.iter().map(|area| dot(area, &normal)).collect(),
            collinear: areas.into_iter().flatten().collect(),
            apart: [0, 1, 2].map(|k| q.iter().map(|v| v[k].clone()).collect()),
        }
    }

    fn edge_edge(start: &[Point; 4], end: &[Point; 4]) -> Self {
        let [a, b, c, d] = moving(start, end);
        let (u, v, w) = (minus(&b, &a), minus(&d, &c), minus(&c, &a));
        let normal = cross(&u, &v);
        let square = dot(&normal, &normal);
        let (along_u, along_v) = (dot(&cross(&w, &v), &normal), dot(&cross(&w, &u), &normal));
        let rest = |along: &Polynomial| square.plus(along, -1);
        Self {
            cubic: dot(&normal, &w),
            inside: vec![rest(&along_u), rest(&along_v), along_u, along_v],
            regular: square,
            collinear: [cross(&w, &u), cross(&w, &v)].into_iter().flatten().collect(),
            apart: [0, 1, 2].map(|k| {
                let difference = |p: &Vector, q: &Vector| p[k].plus(&q[k], -1);
                vec![difference(&a, &c), difference(&a, &d), difference(&b, &c), difference(&b, &d)]
            }),
        }
    }

    fn hold(&self, root: &Root) -> bool {
        if root.sign_of(&self.regular) != 0 {
            return self.inside.iter().all(|p| root.sign_of(p) >= 0);
        }
        self.collinear.iter().all(|p| root.sign_of(p) == 0)
            && self.apart.iter().all(|differences| {
                let first = root.sign_of(&differences[0]);
                first == 0 || differences.iter().any(|p| root.sign_of(p) != first)
            })
    }

    fn contacts(&self) -> Vec<Root> {
        if !self.cubic.is_zero() {
            let mut candidates = roots(&self.cubic);
            candidates.sort_by(Root::order);
            return candidates.into_iter().find(|root| self.hold(root)).into_iter().collect();
        }
        let one = Polynomial::linear(&IBig::ZERO, &IBig::from(1));
        let zero = Polynomial::linear(&IBig::from(1), &IBig::ZERO);
        let changing = self.inside.iter().chain(&self.collinear).chain(self.apart.iter().flatten());
        let mut candidates: Vec<Root> =
            changing.chain([&self.regular, &zero, &one]).flat_map(roots).collect();
        candidates.sort_by(Root::order);
        let mut hits: Vec<Root> = Vec::new();
        for candidate in candidates {
            if hits.first().is_some_and(|first| candidate.is_beyond(first)) {
                break;
            }
            if self.hold(&candidate) {
                hits.push(candidate);
            }
        }
        hits
    }
}

/// Times of contact, none if there are none. The first contact is among them; the others are too near to it to be told apart by the intervals of the roots.
pub fn vertex_face(start: &[Point; 4], end: &[Point; 4]) -> Vec<Root> {
    Conditions::vertex_face(start, end).contacts()
}

/// The same for two edges.
pub fn edge_edge(start: &[Point; 4], end: &[Point; 4]) -> Vec<Root> {
    Conditions::edge_edge(start, end).contacts()
}

/// Whether the four points are coplanar at all times.
pub fn always_coplanar(start: &[Point; 4], end: &[Point; 4]) -> bool {
    Conditions::vertex_face(start, end).cubic.is_zero()
}
