//! Moments of surfaces, and their principal axes.
//!
//! S. Gottschalk, M. Lin and D. Manocha, "OBBTree" (1996), section 4: the covariance of the surface of triangles, not of
//! their corners, so that the density of the tessellation does not turn the box.

use glam::{DVec3, Vec3A};

/// Area, first and second moments of a surface in a body's frame. Moments of a union are sums.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// The area, or the number of points.
    pub weight: f64,
    /// The integral of the position.
    pub first: DVec3,
    /// The integrals of xx, yy, zz, xy, yz, zx.
    pub second: [f64; 6],
}

impl Moments {
    /// The moments of points of equal weight.
    pub fn of_points(points: &[Vec3A]) -> Self {
        let mut sum = Self::default();
        for point in points {
            let p = point.as_dvec3();
            sum.add(&Self { weight: 1.0, first: p, second: products(p, p) });
        }
        sum
    }

    /// The moments of a triangle; zero if it has no area.
    pub fn of_triangle(a: DVec3, b: DVec3, c: DVec3) -> Self {
        let area = 0.5 * (b - a).cross(c - a).length();
        let sum = a + b + c;
        // The integral of x·xᵀ over a triangle: area / 12 · (9·m·mᵀ + Σ p·pᵀ), m the mean of the corners.
        let mut second = products(sum, sum);
        for corner in [a, b, c] {
            for (value, product) in second.iter_mut().zip(products(corner, corner)) {
                *value += product;
            }
        }
        Self { weight: area, first: sum * (area / 3.0), second: second.map(|v| v * area / 12.0) }
    }

    /// Adds the moments of another part.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        self.weight += other.weight;
        self.first += other.first;
        for (value, more) in self.second.iter_mut().zip(other.second) {
            *value += more;
        }
    }

    /// The centre of the surface; zero if it has no area.
    pub fn mean(&self) -> DVec3 {
        if self.weight > 0.0 { self.first / self.weight } else { DVec3::ZERO }
    }

    /// The covariance xx, yy, zz, xy, yz, zx, or `None` if there is no area.
    pub fn covariance(&self) -> Option<[f64; 6]> {
        if self.weight <= 0.0 {
            return None;
        }
        let mean = products(self.mean(), self.mean());
        let mut covariance = self.second;
        for (value, mean) in covariance.iter_mut().zip(mean) {
            *value = *value / self.weight - mean;
        }
        Some(covariance)
    }
}

#[inline]
fn products(a: DVec3, b: DVec3) -> [f64; 6] {
    [a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.y * b.z, a.z * b.x]
}

/// A matrix whose other entries are at most this share of its largest is diagonal: Jacobi's rotations end.
const DIAGONAL: f64 = 1e-14;

/// The eigenvectors of a covariance, by descending eigenvalue: a right-handed orthonormal frame.
///
/// Cyclic Jacobi rotations (Golub and Van Loan, 8.5): eight sweeps are more than a 3×3 matrix needs in f64.
pub fn principal_axes(covariance: [f64; 6]) -> [DVec3; 3] {
    let [xx, yy, zz, xy, yz, zx] = covariance;
    let mut m = [[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]];
    let mut v = [DVec3::X, DVec3::Y, DVec3::Z];
    let scale = m.iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()));
    if scale <= 0.0 || !scale.is_finite() {
        return v;
    }
    for _ in 0..8 {
        let off = m[0][1].abs() + m[0][2].abs() + m[1][2].abs();
        if off <= DIAGONAL * scale {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut m, &mut v, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| m[j][j].total_cmp(&m[i][i]));
    let first = v[order[0]].normalize_or(DVec3::X);
    let second = v[order[1]];
    let second = (second - first * first.dot(second)).normalize_or(first.any_orthonormal_vector());
    [first, second, first.cross(second)]
}

/// One Jacobi rotation that clears `m[p][q]`.
fn rotate(m: &mut [[f64; 3]; 3], v: &mut [DVec3; 3], p: usize, q: usize) {
    if m[p][q] == 0.0 {
        return;
    }
    let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cos = 1.0 / (t * t + 1.0).sqrt();
    let sin = t * cos;
    for row in m.iter_mut() {
        (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
    }
    let (above, below) = (m[p], m[q]);
    m[p] = std::array::from_fn(|k| cos * above[k] - sin * below[k]);
    m[q] = std::array::from_fn(|k| sin * above[k] + cos * below[k]);
    let (vp, vq) = (v[p], v[q]);
    v[p] = vp * cos - vq * sin;
    v[q] = vp * sin + vq * cos;
}
