//! The same properties of every volume: it contains what it was made of, and no test rules out what is true.
//!
//! The oracle is the construction: two sets of points that a plane parts touch in the one point that they are moved to share, or are
//! apart by exactly as much as they are then moved along the plane's normal.

use crate::cloud::Random;
use impinge_geom::Pose;
use impinge_geom::bound::{Aabb, Bound, Frame, Moments, Motion, Obb, ObbRss, Placement, Rss};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::simd::{Kernel, Scalar, Simd, dispatch};

/// Points of one body, in its own coordinates, and the frame of the whole body, of which they are a part.
struct Part {
    points: Vec<DVec3>,
    frame: Frame,
}

impl Part {
    fn new(random: &mut Random) -> Self {
        let size = 1000.0 * 0.001f64.powf(random.signed().abs() * 2.0);
        let center = random.vector() * size * [0.0, 1.0, 100.0][random.below(3)];
        let flat = [1.0, 1.0, 1e-3, 0.0][random.below(4)];
        let count = 3 + random.below(6);
        let points: Vec<DVec3> = (0..count)
            .map(|_| center + random.vector() * DVec3::new(1.0, 1.0, flat) * size)
            .collect();
        // The rest of the body may reach much further than this part of it.
        let more = size * [0.0, 3.0, 300.0][random.below(3)];
        let (mut low, mut high) = (points[0], points[0]);
        for &p in &points {
            (low, high) = (low.min(p), high.max(p));
        }
        let (low, high) = (low - random.vector().abs() * more, high + random.vector().abs() * more);
        Self { points, frame: Frame::new(low, high) }
    }

    fn local(&self) -> Vec<Vec3A> {
        self.points.iter().map(|&p| self.frame.local(p)).collect()
    }

    /// The volume, of the points drawn towards their middle by `shrink`.
    fn volume<B: Bound>(&self, shrink: f64) -> B {
        let middle = self.points.iter().sum::<DVec3>() / self.points.len() as f64;
        let drawn: Vec<Vec3A> =
            self.points.iter().map(|&p| self.frame.local(p.lerp(middle, shrink))).collect();
        B::fit(&drawn, &Moments::of_points(&drawn), self.frame.error())
    }
}

/// One volume, carried over by a motion, against another in lane 5.
struct Test<'m, B: Bound> {
    query: B,
    motion: &'m Motion,
    other: B,
}

impl<B: Bound> Kernel for Test<'_, B> {
    type Output = (bool, f32);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (bool, f32) {
        let mut pack = B::EMPTY;
        self.other.set(&mut pack, 5);
        let query = self.query.moved(self.motion);
        let found = B::overlaps(simd, &query, &pack, self.motion.margin);
        (found.mask >> 5 & 1 == 1, simd.store32(B::distances(simd, &query, &pack))[5])
    }
}

/// Both directions; the same bits from every backend.
fn both_ways<B: Bound>(a: B, b: B, placement: &Placement) -> [(bool, f32); 2] {
    [(b, &placement.b_to_a, a), (a, &placement.a_to_b, b)].map(|(query, motion, other)| {
        let best = dispatch(Test { query, motion, other });
        let scalar = Test { query, motion, other }.run(Scalar::new());
        assert_eq!((best.0, best.1.to_bits()), (scalar.0, scalar.1.to_bits()));
        best
    })
}

/// A pose of B in A such that they touch in one point, the normal there, and the scale of B.
fn grazing(a: &Part, b: &Part, gap: f64, random: &mut Random) -> (Pose, f64) {
    let normal = random.vector().normalize_or(DVec3::X);
    let scale = [1.0, 0.7, 3.0][random.below(3)];
    let quaternion = loop {
        let q = [random.signed(), random.signed(), random.signed(), random.signed()];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.1 {
            break q.map(|x| x / length);
        }
    };
    let turn = Pose::new(quaternion, [0.0; 3]).expect("a rotation");
    let along = |p: &DVec3| p.dot(normal);
    let farthest = a.points.iter().copied().max_by(|p, q| along(p).total_cmp(&along(q)));
    let turned = b.points.iter().map(|&p| turn.map(p * scale));
    let nearest = turned.min_by(|p, q| along(p).total_cmp(&along(q)));
    let between = farthest.expect("points") - nearest.expect("points") + normal * gap;
    (Pose::new(quaternion, between.to_array()).expect("a pose"), scale)
}

fn never_rules_out_what_is_true<B: Bound>() {
    let mut random = Random::new(77);
    let (mut parted, mut caught) = (0, 0);
    for round in 0..20_000 {
        let (a, b) = (Part::new(&mut random), Part::new(&mut random));
        let gap = if round % 2 == 0 { 0.0 } else { random.signed().abs() * 10.0 };
        let (pose, scale) = grazing(&a, &b, gap, &mut random);
        let placement = Placement::new(&a.frame, &b.frame, &pose, scale);
        let [one, other] = both_ways::<B>(a.volume(0.0), b.volume(0.0), &placement);
        let unit = [a.frame.factor(), b.frame.factor() / scale];
        let margins = [placement.b_to_a.margin, placement.a_to_b.margin];
        for (k, (overlaps, distance)) in [one, other].into_iter().enumerate() {
            assert!(overlaps || gap > 0.0, "{} round {round} parted what touches", B::NAME);
            let most = gap * unit[k] + f64::from(margins[k]);
            assert!(f64::from(distance) <= most, "{} round {round}: {distance} {most}", B::NAME);
            parted += usize::from(!overlaps);
        }
        // The same with volumes that are too small must be seen.
        if gap == 0.0 {
            let shrunk = both_ways::<B>(a.volume(0.2), b.volume(0.2), &placement);
            caught += usize::from(shrunk.iter().any(|(overlaps, _)| !overlaps));
        }
    }
    assert!(parted > 1000 && caught > 1000, "{}: {parted} {caught}", B::NAME);
}

fn contains_what_it_is_made_of<B: Bound>() {
    let mut random = Random::new(78);
    for round in 0..5_000 {
        let part = Part::new(&mut random);
        let (points, margin) = (part.local(), part.frame.error());
        let volume: B = part.volume(0.0);
        let holds = |volume: &B| points.iter().all(|&p| volume.contains(p, margin));
        assert!(holds(&volume), "{} round {round}", B::NAME);
        let halves = points.split_at(points.len() / 2);
        let fit = |p: &[Vec3A]| B::fit(p, &Moments::of_points(p), margin);
        assert!(holds(&B::merge(&[fit(halves.0), fit(halves.1)])), "{} round {round}", B::NAME);
        let mut numbers = Vec::new();
        volume.numbers(&mut numbers);
        let mut rest = numbers.as_slice();
        assert_eq!((B::from_numbers(&mut rest), rest.len()), (Some(volume), 0));
        assert_eq!(B::from_numbers(&mut &numbers[1..]), None);
        numbers[0] = f32::NAN;
        assert_eq!(B::from_numbers(&mut numbers.as_slice()), None);
    }
}

/// A point against a volume in lane 3.
struct FromPoint<B>(Vec3A, B);

impl<B: Bound> Kernel for FromPoint<B> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f32 {
        let mut pack = B::EMPTY;
        self.1.set(&mut pack, 3);
        simd.store32(B::point_distances(simd, self.0, &pack))[3]
    }
}

fn is_no_further_from_points<B: Bound>() {
    let mut random = Random::new(79);
    for round in 0..5_000 {
        let part = Part::new(&mut random);
        let normal = random.vector().normalize_or(DVec3::X);
        let top = part.points.iter().copied();
        let top = top.max_by(|p, q| p.dot(normal).total_cmp(&q.dot(normal))).expect("points");
        let gap = random.signed().abs() / part.frame.factor();
        let point = part.frame.local(top + normal * gap);
        let found = dispatch(FromPoint(point, part.volume::<B>(0.0)));
        assert_eq!(
            found.to_bits(),
            FromPoint(point, part.volume::<B>(0.0)).run(Scalar::new()).to_bits()
        );
        let most = gap * part.frame.factor() + 96.0 * 4.0 * f64::from(f32::EPSILON) / 2.0;
        assert!(f64::from(found) <= most, "{} round {round}: {found} {most}", B::NAME);
    }
}

macro_rules! of_each_volume {
    ($($name:ident: $volume:ty),*) => {
        $(#[test]
        fn $name() {
            contains_what_it_is_made_of::<$volume>();
            never_rules_out_what_is_true::<$volume>();
            is_no_further_from_points::<$volume>();
        })*
    };
}

of_each_volume! {
    axis_aligned_boxes: Aabb,
    oriented_boxes: Obb,
    swept_rectangles: Rss,
    boxes_and_rectangles: ObbRss
}
