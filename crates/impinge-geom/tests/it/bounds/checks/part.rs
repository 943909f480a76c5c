//! Pieces of bodies, and placements of two of them of which the truth is known.

use impinge_geom::Pose;
use impinge_geom::bound::{Bound, Frame, Moments};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::triangle;

/// Numbers from a source of random bits.
pub(crate) struct Numbers<'s>(pub(crate) &'s mut dyn FnMut() -> u64);

impl Numbers<'_> {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((self.0)() >> 16) as usize % end
    }

    /// From -1 to 1.
    pub(crate) fn signed(&mut self) -> f64 {
        ((self.0)() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        self.vector().normalize_or(DVec3::X)
    }

    fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q = [self.signed(), self.signed(), self.signed(), self.signed()];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.1 {
                break q.map(|x| x / length);
            }
        }
    }
}

/// One to three triangles of a body, in its own coordinates, and the frame of the whole body, of which they are a part.
pub(crate) struct Part {
    pub(crate) points: Vec<DVec3>,
    pub(crate) frame: Frame,
}

impl Part {
    fn new(numbers: &mut Numbers<'_>) -> Self {
        let size = 1000.0 * 0.001f64.powf(numbers.signed().abs() * 2.0);
        let center = numbers.vector() * size * [0.0, 1.0, 100.0][numbers.below(3)];
        let shape = numbers.below(8);
        let axis = numbers.direction();
        let one = |numbers: &mut Numbers<'_>| match shape {
            0 => DVec3::ZERO,
            1 => axis * numbers.signed(),
            // Corners of a grid: flat, boxes, repeated points.
            2 => (numbers.vector() * 1.5).round(),
            3 => numbers.vector() * DVec3::new(1.0, 1.0, 1e-3),
            4 => numbers.vector() * DVec3::new(1.0, 1.0, 0.0),
            // A patch of a ball.
            5 => (axis * 2.0 + numbers.vector()).normalize_or(axis),
            _ => numbers.vector(),
        };
        let count = 3 * (1 + numbers.below(3));
        let points: Vec<DVec3> = (0..count).map(|_| center + one(numbers) * size).collect();
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        // The rest of the body may reach much further than this part of it; a body of one point alone has no unit of its own.
        let least = if low == high { 0.1 } else { 0.0 };
        let more = size * [least, 3.0, 300.0][numbers.below(3)];
        let (low, high) =
            (low - numbers.vector().abs() * more, high + numbers.vector().abs() * more);
        Self { points, frame: Frame::new(low, high) }
    }

    pub(crate) fn local(&self) -> Vec<Vec3A> {
        self.points.iter().map(|&p| self.frame.local(p)).collect()
    }

    fn middle(&self) -> DVec3 {
        self.points.iter().sum::<DVec3>() / self.points.len() as f64
    }

    fn size(&self) -> f64 {
        let middle = self.middle();
        self.points.iter().map(|&p| (p - middle).length()).fold(0.0, f64::max)
    }

    /// The points in f32, drawn towards their middle by `shrink`: zero is honest.
    pub(crate) fn drawn(&self, shrink: f64) -> Vec<Vec3A> {
        let middle = self.middle();
        self.points.iter().map(|&p| self.frame.local(p.lerp(middle, shrink))).collect()
    }

    /// The volume of the points; if there are kinds, of one as good as drawn at random, so that every pair of kinds is asked.
    pub(crate) fn fit<B: Bound>(&self, points: &[Vec3A]) -> B {
        let bits = points.iter().map(|p| p.x.to_bits() ^ p.y.to_bits());
        let kind = bits.fold(0, u32::wrapping_add) as usize / 16 % B::KINDS;
        B::fit_as(kind, points, &Moments::of_points(points), self.frame.error())
    }

    /// The point that is farthest along a direction.
    pub(crate) fn top(&self, direction: DVec3) -> DVec3 {
        let along = |p: &DVec3| p.dot(direction);
        let top = self.points.iter().copied().max_by(|p, q| along(p).total_cmp(&along(q)));
        top.unwrap_or(DVec3::ZERO)
    }

    /// A point of one of the triangles: on its face, an edge or a corner.
    pub(crate) fn spot(&self, numbers: &mut Numbers<'_>) -> DVec3 {
        let first = 3 * numbers.below(self.points.len() / 3);
        let [a, b, c] = [0, 1, 2].map(|k| self.points[first + k]);
        let (s, t) = (numbers.signed().abs(), numbers.signed().abs());
        match numbers.below(3) {
            0 => a,
            1 => a + (b - a) * s,
            _ => a + ((b - a) * (1.0 - t) + (c - a) * t) * s,
        }
    }
}

/// Where B is in A's coordinates.
pub(crate) struct Placed {
    pub(crate) pose: Pose,
    /// B's lengths grow by this.
    pub(crate) scale: f64,
    /// The distance of the two, in A's unit.
    pub(crate) distance: f64,
}

/// Two parts, and three placements of one against the other.
pub(crate) struct Case {
    pub(crate) a: Part,
    pub(crate) b: Part,
    /// In one point, by construction.
    pub(crate) touching: Placed,
    /// By a gap along a normal, by construction.
    pub(crate) apart: Placed,
    /// Anyhow; the distance is the least one of their triangles.
    pub(crate) anywhere: Placed,
}

impl Case {
    pub(crate) fn new(numbers: &mut Numbers<'_>) -> Self {
        let (a, b) = (Part::new(numbers), Part::new(numbers));
        let touching = parted_by_a_plane(&a, &b, 0.0, numbers);
        let gap = numbers.signed().abs() * [0.01, 1.0, 10.0][numbers.below(3)] * a.size().max(1e-3);
        let apart = parted_by_a_plane(&a, &b, gap, numbers);
        let anywhere = anywhere(&a, &b, numbers);
        Self { a, b, touching, apart, anywhere }
    }
}

fn scale(a: &Part, b: &Part, numbers: &mut Numbers<'_>) -> f64 {
    let same_size = if b.size() > 0.0 && a.size() > 0.0 { a.size() / b.size() } else { 1.0 };
    [1.0, 0.7, 3.0, same_size][numbers.below(4)]
}

/// A plane between two sets of points that each have one on it, or one on either side of a gap: that is their distance.
fn parted_by_a_plane(a: &Part, b: &Part, gap: f64, numbers: &mut Numbers<'_>) -> Placed {
    let (normal, scale, quaternion) =
        (numbers.direction(), scale(a, b, numbers), numbers.quaternion());
    let turn = Pose::new(quaternion, [0.0; 3]).expect("a rotation");
    let nearest = turn.transform_point(b.top(turn.inverse_rotate(-normal)) * scale);
    let between = a.top(normal) - nearest + normal * gap;
    Placed {
        pose: Pose::new(quaternion, between.to_array()).expect("a pose"),
        scale,
        distance: gap,
    }
}

fn anywhere(a: &Part, b: &Part, numbers: &mut Numbers<'_>) -> Placed {
    let (scale, quaternion) = (scale(a, b, numbers), numbers.quaternion());
    let turn = Pose::new(quaternion, [0.0; 3]).expect("a rotation");
    let reach = (a.size() + b.size() * scale) * [0.3, 1.0, 1.0, 3.0][numbers.below(4)];
    let between = a.middle() - turn.transform_point(b.middle() * scale) + numbers.vector() * reach;
    let pose = Pose::new(quaternion, between.to_array()).expect("a pose");
    let mut distance = f64::INFINITY;
    for x in a.points.as_chunks().0 {
        for y in b.points.as_chunks::<3>().0 {
            let y = y.map(|p| pose.transform_point(p * scale));
            distance = distance.min(triangle::distance(x, &y).distance);
        }
    }
    Placed { pose, scale, distance }
}
