//! The one routine for all pairs of swept cores beside GJK: answers, time and calls of support functions.
//!
//! The routine gives a lower bound in f32 for one core against eight, GJK the distance in f64 of one pair. Radii are those of points
//! that lie on the core, next to nothing, so that both measure the same bodies.

use crate::error::LabError;
use crate::random::Random;
use crate::session::Session;
use crate::timing::{ROUNDS, Rounds, repeated};
use impinge::geom::bound::swept::{Swept, SweptCore};
use impinge::geom::bound::{
    Bound, ConvexHull, Frame, FrameMotion, LANES, Lss, Moments, RelativeFrame, RoundedBox, Sphere,
    Tss,
};
use impinge::geom::glam::{DVec3, Vec3A};
use impinge::geom::simd::{Kernel, Simd, dispatch};
use impinge::geom::support::{Support, SupportPoint};
use impinge::geom::{GeometryError, Pose, Shape, pair};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The hull of some points by its support function, so that no closed form takes the place of GJK.
struct Points(Vec<DVec3>);

impl Support for Points {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let first = self.0.first().copied().unwrap_or_default();
        let mut best = SupportPoint { point: first, vertex: 0 };
        for (vertex, point) in (0..).zip(&self.0) {
            if point.dot(direction) > best.point.dot(direction) {
                best = SupportPoint { point: *point, vertex };
            }
        }
        best
    }

    fn center(&self) -> DVec3 {
        self.0.iter().sum::<DVec3>() / self.0.len() as f64
    }

    fn radius(&self) -> f64 {
        self.0.iter().map(|p| p.distance(self.center())).fold(0.0, f64::max)
    }
}

/// Points that count calls of their support function; counting takes time, so these are not timed.
struct Counted {
    points: Points,
    calls: Arc<AtomicU64>,
}

impl Support for Counted {
    fn support(&self, direction: DVec3) -> SupportPoint {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.points.support(direction)
    }

    fn center(&self) -> DVec3 {
        self.points.center()
    }

    fn radius(&self) -> f64 {
        self.points.radius()
    }
}

/// What came of the comparison of one kind of core.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) name: &'static str,
    /// The bound over the distance by GJK: mean and least, of pairs that are apart.
    pub(super) share: [f64; 2],
    /// Bounds above the distance by more than rounding.
    pub(super) above: usize,
    /// Of all pairs: by the routine, and by GJK.
    pub(super) times: Rounds,
    /// How many pairs.
    pub(super) pairs: f64,
    /// Calls of the support functions of both bodies, per pair.
    pub(super) calls: f64,
}

/// The distances of one from eight.
struct Distances<'d, B: Bound> {
    query: &'d B::Query,
    pack: &'d B::Pack,
}

impl<B: Bound> Kernel for Distances<'_, B> {
    type Output = [f32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f32; LANES] {
        simd.store32(B::distances(simd, self.query, self.pack))
    }
}

/// A volume about some points in a cube with sides of two, somewhere near the origin.
fn volume<C: SweptCore<N>, const N: usize>(corners: usize, random: &mut Random) -> Swept<C, N> {
    let center = DVec3::from_array(random.point()) * 3.0;
    let mut points: Vec<DVec3> =
        (0..corners).map(|_| center + DVec3::from_array(random.point())).collect();
    if C::NAME == RoundedBox::NAME {
        // A box: a core of its own is one, so that the radius is nothing.
        let [x, y, z] = Pose::new(random.quaternion(), [0.0; 3])
            .map_or([DVec3::X, DVec3::Y, DVec3::Z], |pose| {
                DVec3::AXES.map(|axis| pose.rotate(axis))
            });
        let [a, b, c] = [1.0, 0.7, 0.4].map(|side| side * random.between(0.8, 1.2));
        let sign = |k: usize, bit: usize| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
        points = (0..8)
            .map(|k| center + x * (a * sign(k, 0)) + y * (b * sign(k, 1)) + z * (c * sign(k, 2)))
            .collect();
    }
    let points: Vec<Vec3A> = points.iter().map(|p| p.as_vec3a()).collect();
    Swept::fit(&points, &Moments::of_points(&points), 0.0)
}

/// One core against eight, as the routine and as GJK ask for it.
struct Task<C: SweptCore<N>, const N: usize> {
    query: <Swept<C, N> as Bound>::Query,
    pack: <Swept<C, N> as Bound>::Pack,
    plain: (Shape, Vec<Shape>),
    counted: (Shape, Vec<Shape>),
}

impl<C: SweptCore<N>, const N: usize> Task<C, N> {
    fn new(
        corners: usize,
        still: &FrameMotion,
        calls: &Arc<AtomicU64>,
        random: &mut Random,
    ) -> Result<Self, LabError> {
        let one = volume::<C, N>(corners, random);
        let eight: [Swept<C, N>; LANES] = std::array::from_fn(|_| volume(corners, random));
        let mut pack = Swept::<C, N>::EMPTY;
        eight.iter().enumerate().for_each(|(lane, other)| other.set(&mut pack, lane));
        let points =
            |volume: &Swept<C, N>| Points(volume.corners().iter().map(|p| p.as_dvec3()).collect());
        let plain = |volume: &Swept<C, N>| Shape::custom(Arc::new(points(volume)));
        let counted = |volume: &Swept<C, N>| {
            let points = points(volume);
            Shape::custom(Arc::new(Counted { points, calls: Arc::clone(calls) }))
        };
        type Shapes = Result<(Shape, Vec<Shape>), GeometryError>;
        let both = |shape: &dyn Fn(&Swept<C, N>) -> Result<Shape, GeometryError>| -> Shapes {
            let eight = eight.iter().map(shape).collect::<Result<_, _>>()?;
            Ok((shape(&one)?, eight))
        };
        Ok(Self {
            query: one.moved(still),
            pack,
            plain: both(&plain).map_err(LabError::failed)?,
            counted: both(&counted).map_err(LabError::failed)?,
        })
    }

    fn bounds(&self) -> [f32; LANES] {
        dispatch(Distances::<Swept<C, N>> { query: &self.query, pack: black_box(&self.pack) })
    }
}

/// The distances by GJK, each from the centres.
fn distances((own, others): &(Shape, Vec<Shape>), cache: &mut pair::Cache) -> [f64; LANES] {
    let mut distances = [0.0; LANES];
    for (distance, other) in distances.iter_mut().zip(others) {
        cache.set_warm_start(pair::WarmStart::default());
        *distance = pair::distance(own, other, &Pose::default(), cache).distance;
    }
    distances
}

/// Tasks that are timed together, the routine and GJK in turns: enough for the clock, few enough to show progress.
const BATCH: usize = 500;

/// `count` times one core against eight.
fn compare<C: SweptCore<N>, const N: usize>(
    _: Option<Swept<C, N>>,
    corners: usize,
    count: usize,
    session: &Session<'_>,
) -> Result<Found, LabError> {
    let mut random = Random::new(session.seed);
    let calls = Arc::new(AtomicU64::new(0));
    let frame = Frame::new(DVec3::splat(-4.0), DVec3::splat(4.0));
    let still = RelativeFrame::new(&frame, &frame, &Pose::default(), 1.0).b_to_a;
    let mut found = Found {
        name: C::NAME,
        share: [0.0, f64::MAX],
        above: 0,
        times: Rounds::default(),
        pairs: (count * LANES) as f64,
        calls: 0.0,
    };
    let mut apart = 0.0;
    let mut cache = pair::Cache::default();
    for first in (0..count).step_by(BATCH) {
        session.step(C::NAME, first as u64, count as u64)?;
        let tasks = (first..count.min(first + BATCH))
            .map(|_| Task::<C, N>::new(corners, &still, &calls, &mut random))
            .collect::<Result<Vec<_>, _>>()?;
        calls.store(0, Ordering::Relaxed);
        for task in &tasks {
            for (bound, distance) in
                task.bounds().into_iter().zip(distances(&task.counted, &mut cache))
            {
                found.above += usize::from(f64::from(bound) > distance + f64::from(still.margin));
                if distance > 0.01 {
                    let share = f64::from(bound) / distance;
                    found.share = [found.share[0] + share, found.share[1].min(share)];
                    apart += 1.0;
                }
            }
        }
        found.calls += calls.load(Ordering::Relaxed) as f64;
        let mut routine = || {
            for task in &tasks {
                let _ = black_box(task.bounds());
            }
        };
        let mut gjk = || {
            for task in &tasks {
                let _ = black_box(distances(&task.plain, &mut cache));
            }
        };
        found.times.add(&repeated(ROUNDS, &mut [&mut routine, &mut gjk]));
    }
    found.share[0] /= apart;
    found.calls /= found.pairs;
    Ok(found)
}

/// Every kind of core, `count` times one against eight.
pub(super) fn all(count: usize, session: &Session<'_>) -> Result<Vec<Found>, LabError> {
    Ok(vec![
        compare(None::<Sphere>, 1, count, session)?,
        compare(None::<Lss>, 2, count, session)?,
        compare(None::<Tss>, 3, count, session)?,
        compare(None::<RoundedBox>, 8, count, session)?,
        compare(None::<ConvexHull>, 16, count, session)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn the_routine_is_near_the_distance_and_never_above_it() {
        let session = Session::new(Size::Quick, 17);
        for (found, least) in [
            (compare(None::<Sphere>, 1, 200, &session).unwrap(), 0.99),
            (compare(None::<Lss>, 2, 200, &session).unwrap(), 0.97),
            (compare(None::<RoundedBox>, 8, 200, &session).unwrap(), 0.9),
        ] {
            assert_eq!(found.above, 0, "{found:?}");
            assert!(
                found.share[0] > least && found.share[0] <= 1.0 && found.calls > 1.0,
                "{found:?}"
            );
        }
    }
}
