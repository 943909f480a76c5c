//! The plane of a triangle, and its shadow along a coordinate axis.

use crate::number::exact::Exact;
use glam::{DVec2, DVec3};

/// A point of the shadow, homogeneous with a positive last coordinate; or a line, by its coefficients.
pub(super) type Triple = [Exact; 3];

/// The sum of the products of coordinates: the height of a point over a line.
pub(super) fn dot(a: &Triple, b: &Triple) -> Exact {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// The sign of [`dot`].
pub(super) fn side_of(a: &Triple, b: &Triple) -> i32 {
    Exact::sign_of_dot(a, b)
}

/// The cross product: the common point of two lines, or the line through two points.
pub(super) fn cross(a: &Triple, b: &Triple) -> Triple {
    let minor = |i: usize, j: usize| &(&a[i] * &b[j]) - &(&a[j] * &b[i]);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// The shadow of a point along an axis. Triangles seen from the axis' end keep their sense of rotation.
pub(super) fn shadow(p: DVec3, axis: usize) -> DVec2 {
    DVec2::new(p[(axis + 1) % 3], p[(axis + 2) % 3])
}

/// The line from one point of the shadow to another: positive on its left.
pub(super) fn line_through(u: DVec2, v: DVec2) -> Triple {
    let [ux, uy, vx, vy] = [u.x, u.y, v.x, v.y].map(Exact::from);
    let (x, y) = (&uy - &vy, &vx - &ux);
    let offset = -&(&(&x * &ux) + &(&y * &uy));
    [x, y, offset]
}

/// The plane normal·x = offset of a triangle; the normal points to where its corners turn counter-clockwise.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    pub(super) normal: Triple,
    pub(super) offset: Exact,
}

impl Plane {
    pub(super) fn new(corners: &[DVec3; 3]) -> Self {
        let [a, b, c] = corners.map(|p| p.to_array().map(Exact::from));
        let minus = |p: &Triple, q: &Triple| [&p[0] - &q[0], &p[1] - &q[1], &p[2] - &q[2]];
        let normal = cross(&minus(&b, &a), &minus(&c, &a));
        let offset = dot(&normal, &a);
        Self { normal, offset }
    }

    /// The axis along which the shadow is largest; none if the triangle has no area.
    pub(super) fn axis(&self, corners: &[DVec3; 3]) -> Option<usize> {
        let [a, b, c] = *corners;
        let size = (b - a).cross(c - a).abs();
        let has_shadow = |axis: &usize| self.normal[*axis].sign() != 0;
        (0..3).filter(has_shadow).max_by(|i, j| size[*i].total_cmp(&size[*j]).then(j.cmp(i)))
    }
}

/// A triangle's plane, seen along an axis that is not parallel to it.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub(super) plane: Plane,
    pub(super) axis: usize,
    /// 1 if the triangle's front faces along the axis, −1 if against it.
    pub(super) facing: i32,
}

impl Base {
    /// None if the triangle has no area.
    pub(super) fn new(corners: &[DVec3; 3]) -> Option<Self> {
        let plane = Plane::new(corners);
        let axis = plane.axis(corners)?;
        let facing = plane.normal[axis].sign();
        Some(Self { plane, axis, facing })
    }

    /// The line of the shadow over which another plane meets this one, as its height at the points of this one: the height over
    /// the other plane, times this normal's coordinate along the axis.
    ///
    /// With n·x = d this plane, N·x = D the other, k the axis: n_k (N·x − D), where n_k x_k = d − n_i x_i − n_j x_j.
    pub(super) fn trace(&self, other: &Plane) -> Triple {
        let (k, i, j) = (self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3);
        let (n, m) = (&self.plane.normal, &other.normal);
        let across = |i: usize| &(&n[k] * &m[i]) - &(&m[k] * &n[i]);
        let constant = &(&m[k] * &self.plane.offset) - &(&n[k] * &other.offset);
        [across(i), across(j), constant]
    }

    /// The coordinate `axis` of the point of the plane over a point of the shadow, and (for `None`) the divisor of all of
    /// them, as functions of the point of the shadow. The divisor is positive.
    fn lifted(&self, axis: Option<usize>) -> Triple {
        let (k, i, j) = (self.axis, (self.axis + 1) % 3, (self.axis + 2) % 3);
        let n = &self.plane.normal;
        let zero = || Exact::from(0.0);
        let size = n[k].signed(self.facing);
        match axis {
            None => [zero(), zero(), size],
            Some(axis) if axis == i => [size, zero(), zero()],
            Some(axis) if axis == j => [zero(), size, zero()],
            Some(_) => [&n[i], &n[j], &-&self.plane.offset].map(|x| x.signed(-self.facing)),
        }
    }

    /// A line of another triangle's shadow along another axis, as a function of the points of this shadow.
    pub(super) fn carried(&self, line: &Triple, axis: usize) -> Triple {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (x, y, w) = (self.lifted(Some(i)), self.lifted(Some(j)), self.lifted(None));
        let at = |k: usize| &(&(&line[0] * &x[k]) + &(&line[1] * &y[k])) + &(&line[2] * &w[k]);
        [at(0), at(1), at(2)]
    }

    /// The point of the plane over a point of the shadow, rounded.
    pub(super) fn above(&self, point: &Triple) -> DVec3 {
        let divisor = dot(&self.lifted(None), point);
        let coordinate = |axis| dot(&self.lifted(Some(axis)), point).quotient(&divisor);
        DVec3::new(coordinate(0), coordinate(1), coordinate(2))
    }
}
