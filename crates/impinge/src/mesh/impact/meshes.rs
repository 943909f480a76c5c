//! Two moving meshes, by [`traverse::advance`].
//!
//! Two bounds say until when two volumes are apart, and the later one counts: their distance by the greatest speed of their points; and, for the balls around
//! what they hold, the gap along the line of centres, to second order in time, which dismisses pairs that pass or part. Where neither turns, balls meet at the
//! root of a quadratic, and planes that separate a triangle from all that another one sweeps dismiss most pairs of triangles.

use super::{MeshImpact, MovingMesh, keep_earlier};
use crate::mesh::mesh_pair::MeshPair;
use crate::mesh::{ScaledPose, Scratch};
use impinge_geom::Pose;
use impinge_geom::bound::{Bound, RelativeFrame};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::motion::impact::{self, ImpactInterval, Settings, ShapeImpact};
use impinge_geom::motion::{Closing, Reach, VelocityBound, piece_end};
use impinge_geom::moving::time_to_impact_bound;
use impinge_geom::number::outward::round_up;
use impinge_geom::pair::Cache;
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, BLOCK};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, Advance, OpenedPair};

/// How far two leaves may move in one look, relative to their size: farther, and more of their triangles have to be followed.
const LEAF_STEP: f64 = 0.5;

/// The first time within a span at which two moving meshes, as surfaces, have a common point.
pub fn mesh_impact<B: Bound>(
    a: &MovingMesh<'_, B>,
    b: &MovingMesh<'_, B>,
    [from, to]: [f64; 2],
    settings: &Settings,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> MeshImpact {
    let size = |mesh: &MovingMesh<'_, B>| {
        let frame = mesh.mesh.tree.frame();
        frame.extent() / frame.factor() * mesh.scale
    };
    // The precision of f32 coordinates depends on the larger body, so it is the first.
    let (first, second, flipped) = if size(b) > size(a) { (b, a, true) } else { (a, b, false) };
    let mut t = from;
    let budget = u64::from(settings.max_steps).saturating_mul(1000);
    loop {
        let end = piece_end([a.motion, b.motion], t, to);
        let Scratch { cache, times, .. } = scratch;
        let mut search = Search::new(first, second, [t, end], settings, cache);
        let (tree_a, tree_b) = (&first.mesh.tree, &second.mesh.tree);
        let left = traverse::advance(tree_a, tree_b, t, budget, times, &mut search, probe);
        if let Some((contact, faces)) = search.found {
            if contact.interval == [from; 2] {
                return MeshImpact::Meeting;
            }
            let faces = if flipped { [faces[1], faces[0]] } else { faces };
            return match left {
                Some(free) => MeshImpact::Meets(search.unproven(free, contact), faces),
                None => MeshImpact::Meets(contact, faces),
            };
        }
        if let Some(free) = left {
            return MeshImpact::Meets(
                ImpactInterval { interval: [free, 1.0], proven: false },
                [0; 2],
            );
        }
        if end >= to {
            return MeshImpact::Free;
        }
        t = end;
    }
}

/// Both meshes at a time.
#[derive(Clone, Copy)]
struct Moment {
    time: f64,
    poses: [Pose; 2],
    /// Where the points are about which the bodies turn.
    pivots: [DVec3; 2],
    b_in_a: ScaledPose,
}

struct Search<'s, 'm, B: Bound> {
    a: &'s MovingMesh<'m, B>,
    b: &'s MovingMesh<'m, B>,
    /// With centres and axes in the frames of the meshes.
    closing: Closing,
    is_translation: bool,
    settings: &'s Settings,
    cache: &'s mut Cache,
    /// The end of the piece.
    end: f64,
    found: Option<(ImpactInterval, [u32; 2])>,
    moment: Moment,
    /// Lengths of the first's frame times this are lengths of the world.
    unit: f64,
}

impl<'s, 'm, B: Bound> Search<'s, 'm, B> {
    fn new(
        a: &'s MovingMesh<'m, B>,
        b: &'s MovingMesh<'m, B>,
        [from, end]: [f64; 2],
        settings: &'s Settings,
        cache: &'s mut Cache,
    ) -> Self {
        let bound = |mesh: &MovingMesh<'_, B>| {
            let velocity = mesh.motion.velocity(from, end);
            let center = mesh.local.inverse_transform_point(velocity.center) / mesh.scale;
            VelocityBound { center, ..velocity }
        };
        let (bound_a, bound_b) = (bound(a), bound(b));
        let (pose_a, pose_b) = (a.pose(from), b.pose(from));
        let closing = Closing::new((&bound_a, &pose_a), (&bound_b, &pose_b));
        let unit = a.scale / a.mesh.tree.frame().factor();
        let moment = moment(a, b, &closing, from);
        let is_translation = closing.is_translation();
        Self { a, b, closing, is_translation, settings, cache, end, found: None, moment, unit }
    }

    /// What is known when the work ran out: free up to a time, and a contact that may not be the first.
    fn unproven(&self, free: f64, contact: ImpactInterval) -> ImpactInterval {
        let proven = free >= contact.interval[0] && contact.proven;
        ImpactInterval { interval: [free.min(contact.interval[0]), contact.interval[1]], proven }
    }

    fn at(&mut self, time: f64) -> &Moment {
        if self.moment.time != time {
            self.moment = moment(self.a, self.b, &self.closing, time);
        }
        &self.moment
    }

    /// Balls of A and of B, as they are in the meshes.
    #[inline(always)]
    fn balls(&self, place_a: u32, place_b: u32) -> [Reach; 2] {
        [self.a.mesh.balls().at(place_a), self.b.mesh.balls().at(place_b)]
    }

    /// The arms of two balls, in the unit of the world.
    #[inline(always)]
    fn arms(&self, [a, b]: &[Reach; 2]) -> [f64; 2] {
        let [turn_a, turn_b] = &self.closing.turns;
        [turn_a.arm(a) * self.a.scale, turn_b.arm(b) * self.b.scale]
    }

    /// For how long two balls are apart at least, from their gap along the line of their centres.
    #[inline(always)]
    fn balls_apart(&self, moment: &Moment, balls: &[Reach; 2]) -> f64 {
        let scales = [self.a.scale, self.b.scale];
        let place =
            |side: usize| moment.poses[side].transform_point(balls[side].center * scales[side]);
        let places = [place(0), place(1)];
        let way = places[1] - places[0];
        let length = way.length();
        let gap = length - balls[0].radius * scales[0] - balls[1].radius * scales[1];
        let room =
            gap - self.settings.clearance() - 1e-12 * (length + places[0].abs().max_element());
        if room <= 0.0 || room.is_nan() {
            return 0.0;
        }
        if self.is_translation {
            return passing(way, length, room, self.closing.velocity());
        }
        let normal = way / length;
        let turned = |side: usize| {
            self.closing.turns[side].angular().cross(places[side] - moment.pivots[side])
        };
        let velocity = self.closing.velocity() + turned(1) - turned(0);
        let arms = self.arms(&balls.map(|ball| Reach { radius: 0.0, ..ball }));
        let speed = self.closing.speed_spread(arms) - normal.dot(velocity);
        let rounding = 1e-12 * velocity.length();
        time_to_impact_bound(room, speed + rounding, self.closing.curvature(normal, arms))
    }

    /// True only if two triangles stay apart for a time from the moment on, where nothing turns.
    fn sweeps_apart(&self, faces: [u32; 2], time: f64) -> bool {
        let corners = |side: usize, mesh: &MovingMesh<'_, B>| {
            let pose = &self.moment.poses[side];
            mesh.mesh.corners(faces[side]).map(|corner| pose.transform_point(corner * mesh.scale))
        };
        let motion = self.closing.velocity() * time;
        swept_apart([&corners(0, self.a), &corners(1, self.b)], motion, self.settings.clearance())
    }

    /// Follows two triangles; a contact is kept.
    fn follow(&mut self, faces: [u32; 2], [from, to]: [f64; 2]) {
        let (a, b) = (self.a, self.b);
        if self.is_translation && self.sweeps_apart(faces, to - from) {
            return;
        }
        let (Some(one), Some(two)) = (a.triangle(faces[0]), b.triangle(faces[1])) else { return };
        let (one, two) = (a.carry(&one), b.carry(&two));
        let contact = match impact::impact(&one, &two, [from, to], self.settings, self.cache) {
            ShapeImpact::Free => return,
            ShapeImpact::Meeting => ImpactInterval { interval: [from; 2], proven: true },
            ShapeImpact::Meets(contact) => contact,
        };
        keep_earlier(&mut self.found, contact, faces);
    }
}

/// When two balls meet that are `room` apart and pass each other on a line, at the earliest: the lesser root of a quadratic. Infinite if they do not.
#[inline(always)]
fn passing(way: DVec3, length: f64, room: f64, velocity: DVec3) -> f64 {
    let (approach, square) = (-way.dot(velocity), velocity.length_squared());
    if approach <= 0.0 {
        return f64::INFINITY;
    }
    let outside = room * (2.0 * length - room);
    // Room for the rounding of the products.
    let discriminant = approach * approach - square * outside + 1e-14 * square * length * length;
    if discriminant < 0.0 {
        return f64::INFINITY;
    }
    outside / (approach + discriminant.sqrt())
}

/// True only if a plane separates a triangle from all that another one sweeps on its way: across the normals of both, or along the motion and an edge.
fn swept_apart([a, b]: [&[DVec3; 3]; 2], motion: DVec3, clearance: f64) -> bool {
    let largest = a.iter().chain(b).fold(motion.abs(), |most, p| most.max(p.abs()));
    let room = clearance + 1e-12 * largest.max_element();
    let separates = |normal: DVec3| {
        let extent = |points: &[DVec3; 3]| {
            let [p, q, r] = points.map(|point| normal.dot(point));
            (p.min(q).min(r), p.max(q).max(r))
        };
        let ((low_a, high_a), (low_b, high_b), way) = (extent(a), extent(b), normal.dot(motion));
        let gap = (low_b + way.min(0.0) - high_a).max(low_a - high_b - way.max(0.0));
        gap > room * normal.abs().element_sum()
    };
    let edges = |t: &[DVec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (edges_a, edges_b) = (edges(a), edges(b));
    separates(edges_a[0].cross(edges_a[1]))
        || separates(edges_b[0].cross(edges_b[1]))
        || edges_a.iter().chain(&edges_b).any(|edge| separates(motion.cross(*edge)))
}

fn moment<B: Bound>(
    a: &MovingMesh<'_, B>,
    b: &MovingMesh<'_, B>,
    closing: &Closing,
    time: f64,
) -> Moment {
    let poses = [a.pose(time), b.pose(time)];
    let pivot =
        |side: usize, scale: f64| poses[side].transform_point(closing.turns[side].center() * scale);
    let pivots = [pivot(0, a.scale), pivot(1, b.scale)];
    let b_in_a = ScaledPose::between((&poses[0], a.scale), (&poses[1], b.scale));
    Moment { time, poses, pivots, b_in_a }
}

impl<B: Bound> Advance for Search<'_, '_, B> {
    fn placement(&mut self, time: f64) -> RelativeFrame {
        let (frame_a, frame_b) = (self.a.mesh.tree.frame(), self.b.mesh.tree.frame());
        let ScaledPose { pose, scale } = &self.at(time).b_in_a;
        RelativeFrame::new(frame_a, frame_b, pose, *scale)
    }

    fn times(&mut self, time: f64, pair: OpenedPair, bounds: &[f32; 8]) -> [f64; 8] {
        let moment = *self.at(time);
        let mut times = [time; 8];
        for lane in 0..pair.live.count_ones() {
            let child = pair.first + lane;
            let (a, b) = if pair.of_a { (child, pair.closed) } else { (pair.closed, child) };
            let balls = self.balls(a, b);
            let distance = f64::from(bounds[lane as usize % 8]) * self.unit;
            let distance = distance - self.settings.clearance();
            let speed = self.closing.speed(self.arms(&balls));
            let by_speed = if distance > 0.0 { distance / speed } else { 0.0 };
            let apart = by_speed.max(self.balls_apart(&moment, &balls));
            let until = time + apart * (1.0 - 1e-9);
            times[lane as usize % 8] = if until < self.end { until } else { f64::INFINITY };
        }
        times
    }

    #[inline(always)]
    fn leaf_pair<S: Simd>(
        &mut self,
        simd: S,
        time: f64,
        places: [u32; 2],
        leaves: [u32; 2],
    ) -> f64 {
        let balls = self.balls(places[0], places[1]);
        let speed = self.closing.speed(self.arms(&balls));
        let size = balls[0].radius * self.a.scale + balls[1].radius * self.b.scale;
        let limit = self.horizon().min(self.end);
        let step = LEAF_STEP * size / speed;
        // Leaves that were near once and have parted since are let go until they can be near again.
        let moment = *self.at(time);
        let apart = self.balls_apart(&moment, &balls) * (1.0 - 1e-9);
        if apart > step {
            return if time + apart < self.end { time + apart } else { f64::INFINITY };
        }
        let until = if time + step < limit { (time + step).max(time.next_up()) } else { limit };
        let b_in_a = moment.b_in_a;
        let mut pair = MeshPair::as_given(self.a.mesh, self.b.mesh, &b_in_a);
        let near = speed * (until - time) + self.settings.clearance();
        let reach = round_up(near / self.unit * (1.0 + 1e-9)) + 2.0 * pair.placement.b_to_a.margin;
        let (first, second) = pair.blocks(simd, leaves[0], leaves[1]);
        let mut left = triangle::within(simd, first, second, Vec3A::X, reach);
        let (items_a, items_b) =
            (self.a.mesh.tree.leaf(leaves[0]), self.b.mesh.tree.leaf(leaves[1]));
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let end = until.min(self.horizon());
            self.follow([items_a[bit % BLOCK], items_b[bit / BLOCK]], [time, end]);
        }
        if until >= self.end { f64::INFINITY } else { until }
    }

    fn horizon(&self) -> f64 {
        // A contact at the very end of a piece is one.
        self.found.as_ref().map_or(f64::INFINITY, |(contact, _)| contact.interval[0])
    }
}
