//! Hits that are known to be hits: only their numbers are wanted.
//!
//! Four rays, each with a triangle of its own, take little longer than one. The operations are those of one ray in the same order, so that the
//! numbers are the same to the last bit.

use super::thin::{FAR, THIN};
use super::triangle::{SMALL, inside, parameter};
use super::{Ray, TriangleHit};
use crate::simd::Simd;
use glam::DVec3;

/// The hit of [`triangle()`](super::triangle()), with less work, where it is known already that the ray crosses the triangle inside all of its edges, ahead of
/// the origin, and so clearly that the signs are right in f64; of other triangles the numbers mean nothing. `None`
/// if they would be too small, or lost in rounding as at slivers: then ask [`triangle()`](super::triangle()).
///
/// ```
/// use impinge_geom::{glam::DVec3, ray::{self, Ray}};
/// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let ray = Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0])?;
/// assert_eq!(ray::triangle_crossed(&ray, &corners), ray::triangle(&ray, &corners));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[inline(always)]
pub fn triangle_crossed(ray: &Ray, corners: &[DVec3; 3]) -> Option<TriangleHit> {
    let (o, d) = (ray.origin, ray.exact);
    let [p, q, r] = [corners[0] - o, corners[1] - o, corners[2] - o];
    let [u, v, w] = [d.dot(q.cross(r)), d.dot(r.cross(p)), d.dot(p.cross(q))];
    let weights = [u.abs(), v.abs(), w.abs()];
    // Then the sum of the squares of the corners' distances is not small, either.
    if weights[0] + weights[1] + weights[2] <= 2.0 * SMALL * ray.exact_size() {
        return None;
    }
    let t = parameter(corners, &[p, q, r], d)?;
    Some(inside(corners, t * ray.factor.max(1.0), weights, u < 0.0))
}

/// The hits of four rays.
#[derive(Clone, Copy, Debug)]
pub struct CrossedFour {
    /// The lanes whose numbers are valid, as those of [`triangle_crossed`]; one bit each.
    pub valid: u32,
    t: [f64; 4],
    barycentric: [[f64; 4]; 3],
    point: [[f64; 4]; 3],
    front: u32,
}

impl CrossedFour {
    /// The hit of one ray; meaningless if it is not valid.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> TriangleHit {
        let lane = lane % 4;
        let [a, b, c] = &self.barycentric;
        let [x, y, z] = &self.point;
        TriangleHit {
            t: self.t[lane],
            barycentric: [a[lane], b[lane], c[lane]],
            point: DVec3::new(x[lane], y[lane], z[lane]),
            front: self.front >> lane & 1 != 0,
            feature: crate::answer::Feature::face(0),
        }
    }
}

/// [`triangle_crossed`] for four rays, the first with the first triangle and so on.
///
/// ```
/// use impinge_geom::{glam::DVec3, ray::{self, Ray}, simd::{Kernel, Simd, dispatch}};
/// struct Four([Ray; 4], [DVec3; 3]);
/// impl Kernel for Four {
///     type Output = ray::CrossedFour;
///     #[inline(always)]
///     fn run<S: Simd>(self, simd: S) -> ray::CrossedFour {
///         let corners = [&self.1[0], &self.1[1], &self.1[2]];
///         ray::triangles_crossed(simd, [&self.0[0], &self.0[1], &self.0[2], &self.0[3]], [corners; 4])
///     }
/// }
/// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let ray = Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0])?;
/// let four = dispatch(Four([ray; 4], corners));
/// assert_eq!((four.valid, Some(four.get(2))), (15, ray::triangle(&ray, &corners)));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[inline(always)]
pub fn triangles_crossed<S: Simd>(
    simd: S,
    rays: [&Ray; 4],
    corners: [[&DVec3; 3]; 4],
) -> CrossedFour {
    let [k, l, m, n] = rays;
    let o = gather(simd, [&k.origin, &l.origin, &m.origin, &n.origin]);
    let d = gather(simd, [&k.exact, &l.exact, &m.exact, &n.exact]);
    let factor = simd.load64(&[k.factor, l.factor, m.factor, n.factor]);
    let factor = simd.max64(factor, simd.splat64(1.0));
    let [k, l, m, n] = corners;
    let a = gather(simd, [k[0], l[0], m[0], n[0]]);
    let b = gather(simd, [k[1], l[1], m[1], n[1]]);
    let c = gather(simd, [k[2], l[2], m[2], n[2]]);
    let (p, q, r) = (sub(simd, a, o), sub(simd, b, o), sub(simd, c, o));
    let u = dot(simd, d, cross(simd, q, r));
    let weights = [
        simd.abs64(u),
        simd.abs64(dot(simd, d, cross(simd, r, p))),
        simd.abs64(dot(simd, d, cross(simd, p, q))),
    ];
    let sum = simd.add64(simd.add64(weights[0], weights[1]), weights[2]);
    let size = simd.max64(simd.max64(simd.abs64(d[0]), simd.abs64(d[1])), simd.abs64(d[2]));
    let large = simd.greater64(sum, simd.mul64(simd.splat64(2.0 * SMALL), size));
    // As `parameter`; where that has to look at the corners, one ray does.
    let (first, second) = (sub(simd, b, a), sub(simd, c, a));
    let normal = cross(simd, first, second);
    let facing = dot(simd, normal, d);
    // As `is_thin`.
    let (first, second) = (reach(simd, first), reach(simd, second));
    let (longer, shorter) = (simd.max64(first, second), simd.min64(first, second));
    let thin = simd.mul64(simd.splat64(THIN), shorter);
    let far = simd.mul64(simd.splat64(FAR), simd.add64(reach(simd, p), longer));
    let terms = simd.mul64(simd.mul64(longer, simd.max64(thin, far)), size);
    let large = large & !simd.greater64(terms, simd.abs64(facing));
    let plain = simd.div64(dot(simd, normal, p), facing);
    let along = [dot(simd, p, d), dot(simd, q, d), dot(simd, r, d)];
    let low = simd.min64(simd.min64(along[0], along[1]), along[2]);
    let high = simd.max64(simd.max64(along[0], along[1]), along[2]);
    let scaled = simd.mul64(plain, dot(simd, d, d));
    let is_number = !simd.greater64(low, scaled) & !simd.greater64(scaled, high);
    let is_number = is_number & simd.greater64(simd.splat64(f64::INFINITY), simd.abs64(scaled));
    let t = simd.mul64(simd.max64(plain, simd.splat64(0.0)), factor);
    let t = simd.min64(t, simd.splat64(f64::MAX));
    // As `inside`.
    let inverse = simd.div64(simd.splat64(1.0), sum);
    let mut barycentric = [[0.0; 4]; 3];
    let weights = [
        simd.mul64(weights[0], inverse),
        simd.mul64(weights[1], inverse),
        simd.mul64(weights[2], inverse),
    ];
    let mut point = [[0.0; 4]; 3];
    for axis in 0..3 {
        barycentric[axis] = simd.store64(weights[axis]);
        let first = simd.mul64(a[axis], weights[0]);
        let second = simd.mul64(b[axis], weights[1]);
        let third = simd.mul64(c[axis], weights[2]);
        point[axis] = simd.store64(simd.add64(simd.add64(first, second), third));
    }
    CrossedFour {
        valid: large & is_number & 15,
        t: simd.store64(t),
        barycentric,
        point,
        front: simd.greater64(simd.splat64(0.0), u),
    }
}

/// Four points side by side.
#[inline(always)]
fn gather<S: Simd>(simd: S, [k, l, m, n]: [&DVec3; 4]) -> [S::F64x4; 3] {
    [
        simd.load64(&[k.x, l.x, m.x, n.x]),
        simd.load64(&[k.y, l.y, m.y, n.y]),
        simd.load64(&[k.z, l.z, m.z, n.z]),
    ]
}

#[inline(always)]
fn sub<S: Simd>(simd: S, a: [S::F64x4; 3], b: [S::F64x4; 3]) -> [S::F64x4; 3] {
    [simd.sub64(a[0], b[0]), simd.sub64(a[1], b[1]), simd.sub64(a[2], b[2])]
}

/// The sum of the magnitudes.
#[inline(always)]
fn reach<S: Simd>(simd: S, v: [S::F64x4; 3]) -> S::F64x4 {
    simd.add64(simd.add64(simd.abs64(v[0]), simd.abs64(v[1])), simd.abs64(v[2]))
}

/// As [`DVec3::dot`], operation by operation.
#[inline(always)]
fn dot<S: Simd>(simd: S, a: [S::F64x4; 3], b: [S::F64x4; 3]) -> S::F64x4 {
    let xy = simd.add64(simd.mul64(a[0], b[0]), simd.mul64(a[1], b[1]));
    simd.add64(xy, simd.mul64(a[2], b[2]))
}

/// As [`DVec3::cross`].
#[inline(always)]
fn cross<S: Simd>(simd: S, a: [S::F64x4; 3], b: [S::F64x4; 3]) -> [S::F64x4; 3] {
    [
        simd.sub64(simd.mul64(a[1], b[2]), simd.mul64(b[1], a[2])),
        simd.sub64(simd.mul64(a[2], b[0]), simd.mul64(b[2], a[0])),
        simd.sub64(simd.mul64(a[0], b[1]), simd.mul64(b[0], a[1])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, Scalar, dispatch};

    #[derive(Clone, Copy)]
    struct Four<'f>(&'f [Ray; 4], &'f [[DVec3; 3]; 4]);

    impl Kernel for Four<'_> {
        type Output = CrossedFour;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> CrossedFour {
            let [k, l, m, n] = self.0;
            let [a, b, c, d] = self.1;
            let corners = [
                [&a[0], &a[1], &a[2]],
                [&b[0], &b[1], &b[2]],
                [&c[0], &c[1], &c[2]],
                [&d[0], &d[1], &d[2]],
            ];
            triangles_crossed(simd, [k, l, m, n], corners)
        }
    }

    /// Four rays that cross a triangle each, in any place and of any size; some across grazing planes, some so small that squares vanish.
    fn four(seed: u64) -> ([Ray; 4], [[DVec3; 3]; 4]) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut number = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let mut corners = [[DVec3::ZERO; 3]; 4];
        let rays = std::array::from_fn(|k| {
            let size = [1.0, 1e-5, 1e9, 1e-150][(seed as usize + k) % 4];
            let mut point = || DVec3::new(number(), number(), number()) * size;
            let (mut triangle, origin) = ([point(), point(), point()], point() * 4.0);
            if seed.is_multiple_of(5) {
                // Hardly any height over the plane of the ray.
                triangle[2] = triangle[0] + (triangle[1] - triangle[0]) * 0.5 + point() * 1e-9;
            }
            let inside = (triangle[0] * 3.0 + triangle[1] * 2.0 + triangle[2] * 4.0) / 9.0;
            corners[k] = triangle;
            let length = [1.0, 1e-30, 1e30][seed as usize % 3];
            Ray::new(origin.to_array(), ((inside - origin) * length).to_array()).expect("a ray")
        });
        (rays, corners)
    }

    #[test]
    fn four_rays_have_the_numbers_of_one_to_the_last_bit() {
        let mut valid = 0;
        for seed in 1..20_000 {
            let (rays, corners) = four(seed);
            let all = Four(&rays, &corners);
            for found in [dispatch(all), all.run(Scalar::new())] {
                for lane in 0..4 {
                    if found.valid >> lane & 1 != 0 {
                        let one = triangle_crossed(&rays[lane], &corners[lane]);
                        assert_eq!(one, Some(found.get(lane)), "seed {seed}, lane {lane}");
                        valid += 1;
                    }
                }
            }
        }
        // Rays of which numbers vanish, and the fifth that graze their triangle, are left to one.
        assert!(valid > 90_000, "{valid}");
    }
}
