//! Bounds of the distances from a point to eight triangles hold, and are close to each other where triangles are not slivers.

use crate::random::Random;
use glam::{DVec3, Vec3A};
use impinge_geom::number::tolerance::{BOUND_MARGIN, UNIT_ROUNDOFF_F32};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use impinge_geom::triangle::{TriangleBlock, closest_point};

struct Bounds<'b>(&'b TriangleBlock, Vec3A, f32);

impl Kernel for Bounds<'_> {
    type Output = ([f32; 8], [f32; 8]);
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let found = self.0.point_bounds(simd, self.1, self.2);
        (simd.store32(found.low), simd.store32(found.high))
    }
}

/// Triangles of any kind: random, slivers, segments, points, tiny.
fn triangle(random: &mut Random) -> [Vec3A; 3] {
    let [a, b, c] = [0; 3].map(|_| random.point());
    let t = random.signed();
    let corners = match random.below(6) {
        0 => [a, b, a + (b - a) * t + c * 1e-7],
        1 => [a, b, a + (b - a) * t],
        2 => [a, a, a],
        3 => [a, a + b * 1e-6, a + c * 1e-6],
        4 => [a, b, b],
        _ => [a, b, c],
    };
    corners.map(|corner| corner.as_vec3a())
}

#[test]
fn bounds_hold_and_are_close() {
    let mut random = Random::new(35);
    let (mut close, mut all) = (0, 0);
    for round in 0..20_000 {
        let triangles: Vec<[Vec3A; 3]> = (0..8).map(|_| triangle(&mut random)).collect();
        let reach = [1e-7, 0.1, 1.0, 30.0, 1e6][round % 5];
        let first = triangles[round % 8][0].as_dvec3();
        let beside = if round % 3 == 0 { first } else { DVec3::ZERO };
        let point = beside + random.point() * reach;
        let largest = 1.0 + point.abs().max_element();
        let margin = (BOUND_MARGIN * f64::from(UNIT_ROUNDOFF_F32) * largest) as f32;
        let (low, high) =
            dispatch(Bounds(&TriangleBlock::new(&triangles), point.as_vec3a(), margin));
        for (lane, corners) in triangles.iter().enumerate() {
            let exact = closest_point(&corners.map(|c| c.as_dvec3()), point).0.distance(point);
            let (low, high) = (f64::from(low[lane]), f64::from(high[lane]));
            assert!(low <= exact && exact <= high, "{corners:?} {point}: {low} {exact} {high}");
            all += 1;
            close += usize::from(high - low < 0.1 * exact + 3.0 * f64::from(margin));
        }
    }
    assert!(close * 10 > all * 7, "{close} of {all}");
}

/// Where numbers overflow, nothing is ruled out.
#[test]
fn overflow_rules_nothing_out() {
    let triangles = [[Vec3A::X, Vec3A::Y, Vec3A::Z]; 8];
    for far in [1e20, 1e38, f32::INFINITY] {
        let point = Vec3A::new(far, far, 0.0);
        let (low, high) = dispatch(Bounds(&TriangleBlock::new(&triangles), point, far * 1e-5));
        let exact = f64::from(far) * 2f64.sqrt();
        assert!(low.iter().all(|low| low.is_nan() || f64::from(*low) <= exact), "{low:?}");
        assert!(high.iter().all(|high| high.is_nan() || f64::from(*high) >= exact), "{high:?}");
    }
}
