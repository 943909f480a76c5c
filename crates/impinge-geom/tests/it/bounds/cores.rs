//! One routine for all pairs of cores: against the distance of triangles, which points, segments and rectangles are made of.

use crate::random::Random;
use impinge_geom::bound::swept::{Swept, SweptCore};
use impinge_geom::bound::{Bound, ConvexHull, Lss, Moments, RoundedBox, Sphere, Tss};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::triangle;

/// A core made so that it has no radius, and its triangles.
struct Made<C, const N: usize> {
    volume: Swept<C, N>,
    triangles: Vec<[DVec3; 3]>,
}

fn made<C: SweptCore<N>, const N: usize>(corners: usize, random: &mut Random) -> Made<C, N> {
    let center = random.point() * 2.0;
    let mut points: Vec<DVec3> = (0..corners).map(|_| center + random.point()).collect();
    if corners == 4 {
        // A rectangle.
        let (u, v) = (points[1] - points[0], points[2] - points[0]);
        let v = v - u * (u.dot(v) / u.length_squared());
        points = vec![points[0], points[0] + u, points[0] + u + v, points[0] + v];
    }
    let points: Vec<Vec3A> = points.into_iter().map(|p| p.as_vec3a()).collect();
    let volume = Swept::<C, N>::fit(&points, &Moments::of_points(&points), 0.0);
    let p = |k: usize| points[k.min(points.len() - 1)].as_dvec3();
    let mut triangles = vec![[p(0), p(1), p(2)]];
    if corners == 4 {
        triangles.push([p(0), p(2), p(3)]);
    }
    assert!(volume.radius() < 1e-4, "{volume:?}");
    Made { volume, triangles }
}

/// How much of the distance is found, on average and at the least.
fn found<A: SweptCore<N>, B: SweptCore<M>, const N: usize, const M: usize>(
    sizes: [usize; 2],
) -> [f64; 2] {
    let mut random = Random::new(5);
    let (mut sum, mut count, mut least) = (0.0, 0.0, 1.0f64);
    while count < 2000.0 {
        let a = made::<A, N>(sizes[0], &mut random);
        let b = made::<B, M>(sizes[1], &mut random);
        let pairs = a.triangles.iter().flat_map(|x| b.triangles.iter().map(move |y| (x, y)));
        let truth = pairs.map(|(x, y)| triangle::distance(x, y).distance).fold(f64::MAX, f64::min);
        let distance = f64::from(a.volume.distance_to(&b.volume));
        assert!(distance <= truth + 1e-6, "{sizes:?}: {distance} {truth}");
        if truth > 0.01 {
            sum += distance / truth;
            count += 1.0;
            least = least.min(distance / truth);
        }
    }
    [sum / count, least]
}

macro_rules! pairs {
    ($(($a:ty, $b:ty): $sizes:expr, $mean:expr;)*) => {
        [$({
            fn of<A: SweptCore<N>, B: SweptCore<M>, const N: usize, const M: usize>(
                _: Option<(Swept<A, N>, Swept<B, M>)>,
            ) -> [f64; 2] {
                found::<A, B, N, M>($sizes)
            }
            (stringify!($a, $b), of(None::<($a, $b)>), $mean)
        }),*]
    };
}

#[test]
fn every_pair_of_cores_is_measured_by_one_routine() {
    let all = pairs! {
        (Sphere, Sphere): [1, 1], 0.999;
        (Sphere, Lss): [1, 2], 0.999;
        (Sphere, Tss): [1, 3], 0.999;
        (Sphere, RoundedBox): [1, 4], 0.999;
        (Lss, Lss): [2, 2], 0.98;
        (Lss, Tss): [2, 3], 0.97;
        (Tss, Tss): [3, 3], 0.97;
        (Lss, RoundedBox): [2, 4], 0.97;
        (Tss, RoundedBox): [3, 4], 0.97;
        (RoundedBox, RoundedBox): [4, 4], 0.97;
        (Sphere, ConvexHull): [1, 3], 0.9;
        (ConvexHull, ConvexHull): [3, 3], 0.8;
        (Tss, ConvexHull): [3, 3], 0.8;
    };
    for (pair, [mean, least], expected) in all {
        assert!(mean > expected, "{pair}: {mean} {least}");
    }
}
