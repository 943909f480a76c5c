//! Bodies marked fast, swept through the step: where one would pass through another it stops at the first contact, and goes on in the next step.
//!
//! After the solver has moved the bodies, each fast one has a path of pieces (`trail`). Its first impact with every body near that path is
//! certified ([`query::impact`](crate::query::impact())), and the body is put where it is apart for the last time; its velocity stays, so that the contact that the
//! next step finds there reflects or holds it. This is the stop at the time of impact of Box2D (E. Catto, "Continuous collision", 2013), and not
//! speculative contacts: those act on velocities along one normal per pair, that of the closest points before the step. `cargo xtask soak motion` fires bullets
//! both ways: speculative contacts deflect nearly all that miss their target in the air, the sweep none; they take far less time. What is lost is the rest of the
//! step of a body that hits.
//!
//! Bodies that begin a step in contact may part, slide along each other or be pushed apart by the solver; `touching` has what they may not.

use super::motion::BodyState;
use super::touching::{self, Mover, SEARCH};
use crate::query::{self, Start, Workspace};
use crate::scene::{Body, BodyId, Scene};
use impinge_geom::motion::{Motion, MotionPath, RigidMotion, VelocityBound};
use impinge_geom::{DAabb, Pose};

/// How much work the sweep of a step was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepCounts {
    /// Fast bodies that moved.
    pub bodies: usize,
    /// Impacts that were asked for.
    pub impacts: usize,
    /// Bodies that were stopped at a contact.
    pub stopped: usize,
}

/// What the sweep remembers during a step.
#[derive(Default)]
pub(super) struct Sweep {
    /// The fast bodies that move, by their places in the list.
    fast: Vec<usize>,
    pub(super) counts: SweepCounts,
    workspace: Workspace,
}

/// Rounds in which bodies that were stopped may stop others; then all that are left stop together.
const ROUNDS: usize = 8;

/// A body that moves up to a time and rests from then on.
struct Stopped<'m> {
    way: &'m dyn Motion,
    until: f64,
}

impl Motion for Stopped<'_> {
    fn pose(&self, t: f64) -> Pose {
        self.way.pose(t.min(self.until))
    }

    fn velocity(&self, from: f64, to: f64) -> VelocityBound {
        if from >= self.until { VelocityBound::STILL } else { self.way.velocity(from, to) }
    }

    fn piece_end(&self, t: f64) -> f64 {
        if t >= self.until { 1.0 } else { self.way.piece_end(t).min(self.until) }
    }
}

/// A body in the sweep.
struct Swept<'s> {
    id: BodyId,
    body: &'s Body,
    way: Option<MotionPath>,
    bounds: DAabb,
    /// Its centre of mass, if it is fast.
    fast: Option<Pose>,
    until: f64,
}

impl Swept<'_> {
    fn way(&self) -> Stopped<'_> {
        match &self.way {
            Some(way) => Stopped { way, until: self.until },
            None => Stopped { way: &self.body.pose, until: 1.0 },
        }
    }
}

impl Sweep {
    /// Notes where fast bodies begin.
    pub(super) fn begin(&mut self, motions: &mut [BodyState]) {
        self.fast.clear();
        self.counts = SweepCounts::default();
        for (index, motion) in motions.iter_mut().enumerate() {
            if motion.is_fast && motion.is_active() {
                motion.trail.begin(motion.position);
                self.fast.push(index);
            }
        }
    }

    /// Puts fast bodies where they first meet something. Bodies in contact may go as deep as the margin.
    pub(super) fn stop_at_contacts(
        &mut self,
        scene: &Scene,
        motions: &mut [BodyState],
        margin: f64,
    ) {
        if self.fast.is_empty() {
            return;
        }
        let mut bodies = self.gather(scene, motions);
        let pairs = near_pairs(scene, &mut bodies);
        let mut moved = vec![true; bodies.len()];
        // Times only fall, and in later rounds to ones that there are already: it ends.
        for round in 0.. {
            let mut next = vec![false; bodies.len()];
            for &[i, j] in pairs.iter().filter(|[i, j]| moved[*i] || moved[*j]) {
                let time = if round < ROUNDS {
                    self.counts.impacts += 1;
                    first_contact(&bodies[i], &bodies[j], margin, &mut self.workspace)
                } else {
                    Some(bodies[i].until.min(bodies[j].until))
                };
                for side in [i, j] {
                    let body = &mut bodies[side];
                    if let Some(time) =
                        time.filter(|time| body.fast.is_some() && *time < body.until)
                    {
                        (body.until, next[side]) = (time, true);
                    }
                }
            }
            moved = next;
            if !moved.contains(&true) {
                break;
            }
        }
        self.counts.bodies = self.fast.len();
        let stops: Vec<(BodyId, Pose)> = bodies
            .iter()
            .filter(|body| body.until < 1.0)
            .map(|body| (body.id, body.way().pose(1.0)))
            .collect();
        self.counts.stopped = stops.len();
        for (id, pose) in stops {
            if let Some(motion) = motions.get_mut(id.index() as usize) {
                motion.put_back(&pose);
            }
        }
    }

    /// All bodies with their ways and what they pass through.
    fn gather<'s>(&self, scene: &'s Scene, motions: &[BodyState]) -> Vec<Swept<'s>> {
        let mut fast_ones = self.fast.iter().peekable();
        let mut bodies = Vec::new();
        for (id, body) in scene.bodies() {
            let index = id.index() as usize;
            let fast = fast_ones.next_if(|fast| **fast == index);
            let motion = motions.get(index).filter(|motion| motion.is_active() && motion.id == id);
            let whole = |way: RigidMotion| MotionPath::of_pieces(&[(1.0, way)]).ok();
            let way = match (fast, motion) {
                (Some(_), Some(motion)) => MotionPath::of_pieces(&motion.trail.pieces).ok(),
                (_, Some(motion)) => {
                    motion.pose().ok().and_then(|end| whole(RigidMotion::between(&body.pose, &end)))
                }
                _ => None,
            };
            let center = motion.map(|motion| motion.local_center());
            let bounds = match (&way, motion, center) {
                (Some(way), Some(motion), Some(center)) if motion.reach.is_finite() => {
                    // The centre of mass of a fast body goes on a line in each piece, and that of others nearly.
                    let starts = way.pieces().iter().map(|(_, piece)| *piece.start());
                    let places = starts.chain([way.pose(1.0)]);
                    let places = places.map(|pose| pose.transform_point(center));
                    DAabb::of_points(places).grown(motion.reach)
                }
                (Some(_), ..) => DAabb::EVERYTHING,
                _ => body.bounds(),
            };
            let fast = fast.and(center).filter(|_| way.is_some());
            let fast = fast.and_then(|center| Pose::from_translation(center.to_array()).ok());
            bodies.push(Swept { id, body, way, bounds, fast, until: 1.0 });
        }
        bodies
    }
}

/// The pairs of a fast body and any other whose boxes overlap and that may collide, by their places in the list, which is sorted along x.
fn near_pairs(scene: &Scene, bodies: &mut [Swept<'_>]) -> Vec<[usize; 2]> {
    bodies.sort_by(|a, b| a.bounds.low.x.total_cmp(&b.bounds.low.x).then(a.id.cmp(&b.id)));
    let mut pairs = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (i, body) in bodies.iter().enumerate() {
        open.retain(|j| bodies[*j].bounds.high.x >= body.bounds.low.x);
        for &j in &open {
            let other = &bodies[j];
            let is_asked = (body.fast.is_some() || other.fast.is_some())
                && body.bounds.overlaps(&other.bounds)
                && scene.may_collide((body.body, body.id), (other.body, other.id));
            if is_asked {
                pairs.push([j, i]);
            }
        }
        open.push(i);
    }
    pairs
}

/// Until when two bodies are apart, or go no deeper than they may.
fn first_contact(
    a: &Swept<'_>,
    b: &Swept<'_>,
    margin: f64,
    workspace: &mut Workspace,
) -> Option<f64> {
    let (way_a, way_b) = (a.way(), b.way());
    let (geometry_a, geometry_b) = (&a.body.geometry, &b.body.geometry);
    let found = query::impact_with(&way_a, geometry_a, &way_b, geometry_b, &SEARCH, workspace);
    if found.start == Start::Free {
        return found.first.map(|first| first.interval[0]);
    }
    let one = Mover { way: &way_a, geometry: geometry_a, center: a.fast.as_ref() };
    let two = Mover { way: &way_b, geometry: geometry_b, center: b.fast.as_ref() };
    touching::until([one, two], margin, workspace)
}
