//! When do they meet?

use super::batch::batch;
use super::geometry::{GeometryRef, Placed};
use super::part::{Flip, MeshRef, PairQuery, ask};
use super::{Distance, Relation, Workspace, distance_with, intersects_with, relation_with};
use crate::mesh::impact::{MeshImpact, MovingMesh, mesh_impact, shape_impact};
use impinge_geom::motion::impact::{ImpactInterval, Settings, ShapeImpact};
use impinge_geom::motion::{Motion, MovingShape};
use impinge_geom::{Certainty, Pose, Shape, Verdict};

/// How precise an impact is wanted, and how much work it may take.
pub use impinge_geom::motion::impact::Settings as ImpactSettings;

/// How two geometries relate at time 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Start {
    /// Apart.
    Free,
    /// They touch, and do not penetrate each other right after: they part, or slide along each other.
    Leaving,
    /// They touch, and penetrate each other right after.
    Approaching,
    /// Their interiors meet, or one contains the other.
    Overlapping,
}

impl Start {
    /// True if they touch, whatever follows.
    pub fn is_touching(self) -> bool {
        matches!(self, Self::Leaving | Self::Approaching)
    }
}

/// When two moving geometries meet.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Impact {
    /// How they begin.
    pub start: Start,
    /// The first contact, at time 0 if they begin in contact; none if they stay apart.
    pub first: Option<FirstContact>,
}

/// The first time at which two moving geometries have a common point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FirstContact {
    /// They are certainly apart before the lower end, and have a common point at the upper one if the answer is exact.
    pub interval: [f64; 2],
    /// `Exact`: proven at both ends, and no wider than the tolerance. `Bound`: free before the lower end for certain; beyond it the bodies are too close
    /// to resolve, or the step limit was reached, or the verdict at the start was an estimate.
    pub certainty: Certainty,
    /// Where, at the lower end: the closest points, the normal from A to B, the children and features.
    pub closest: Distance,
}

impl Impact {
    /// The time up to which the geometries are certainly apart: that of the first contact, or infinity.
    pub fn free_until(&self) -> f64 {
        self.first.map_or(f64::INFINITY, |first| first.interval[0])
    }
}

/// The first time from 0 to 1 at which two moving geometries have a common point; of solids the inside counts. Never late: up to the lower end of the
/// answer's interval they are certainly apart.
///
/// A motion is a [`RigidMotion`](crate::RigidMotion), a [`MotionPath`](crate::MotionPath), a pose (a body at rest), or one of your own.
///
/// ```
/// use impinge::{Pose, RigidMotion, Shape, query};
/// let (wall, rod) = (Shape::cuboid([0.001, 5.0, 5.0])?, Shape::capsule(0.1, 1.0)?);
/// let start = Pose::from_translation([-10.0, 0.0, 0.0])?;
/// // Twenty metres, and seven full turns about y.
/// let flight = RigidMotion::turning(&start, [0.0; 3], [20.0, 0.0, 0.0], [0.0, 44.0, 0.0])?;
/// let found = query::impact(&Pose::IDENTITY, &wall, &flight, &rod);
/// let first = found.first.ok_or("a miss")?;
/// assert!(first.interval[1] - first.interval[0] <= 1e-6);
/// assert!(query::intersects(&Pose::IDENTITY, &wall, &impinge::Motion::pose(&flight, first.interval[1]), &rod));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn impact<'a, 'b>(
    motion_a: &dyn Motion,
    a: impl Into<GeometryRef<'a>>,
    motion_b: &dyn Motion,
    b: impl Into<GeometryRef<'b>>,
) -> Impact {
    let settings = Settings::default();
    impact_with(motion_a, a, motion_b, b, &settings, &mut Workspace::default())
}

/// Like [`impact()`], with a tolerance and the caller's memory.
pub fn impact_with<'a, 'b>(
    motion_a: &dyn Motion,
    a: impl Into<GeometryRef<'a>>,
    motion_b: &dyn Motion,
    b: impl Into<GeometryRef<'b>>,
    settings: &Settings,
    workspace: &mut Workspace,
) -> Impact {
    ask_both([motion_a, motion_b], a.into(), b.into(), settings, workspace)
}

/// Like [`impact_with()`], for many pairs of motions of A and B, on all threads.
pub fn impact_batch<'a, 'b>(
    a: impl Into<GeometryRef<'a>>,
    b: impl Into<GeometryRef<'b>>,
    motions: &[[&dyn Motion; 2]],
    settings: &Settings,
) -> Vec<Impact> {
    let (a, b) = (a.into(), b.into());
    batch(motions, |motions, workspace| ask_both(*motions, a, b, settings, workspace))
}

fn ask_both(
    motions: [&dyn Motion; 2],
    a: GeometryRef<'_>,
    b: GeometryRef<'_>,
    settings: &Settings,
    workspace: &mut Workspace,
) -> Impact {
    let here = Pose::IDENTITY;
    // Solids that begin apart meet with their surfaces; shapes say themselves how they begin.
    let surfaces = a.parts(&here).chain(b.parts(&here)).any(|part| part.part.mesh().is_some());
    if surfaces {
        let [pose_a, pose_b] = motions.map(|motion| motion.pose(0.0));
        let within = match settings.clearance() {
            0.0 => intersects_with(&pose_a, a, &pose_b, b, workspace),
            clearance => distance_with(&pose_a, a, &pose_b, b, workspace).distance <= clearance,
        };
        if within {
            return begin_in_contact(motions, a, b, settings, workspace);
        }
    }
    let mut first: Option<ImpactInterval> = None;
    for one in a.parts(&here) {
        for two in b.parts(&here) {
            let to = first.map_or(1.0, |first| first.interval[0]);
            match between(motions, &one, &two, [0.0, to], settings, workspace) {
                ShapeImpact::Free => {}
                ShapeImpact::Meeting => {
                    return begin_in_contact(motions, a, b, settings, workspace);
                }
                ShapeImpact::Meets(contact) => {
                    let earlier = first.is_none_or(|first| contact.interval[0] < first.interval[0]);
                    first = if earlier { Some(contact) } else { first };
                }
            }
        }
    }
    let first = first.map(|contact| {
        let [pose_a, pose_b] = motions.map(|motion| motion.pose(contact.interval[0]));
        let certainty = if contact.proven { Certainty::Exact } else { Certainty::Bound };
        let closest = distance_with(&pose_a, a, &pose_b, b, workspace);
        FirstContact { interval: contact.interval, certainty, closest }
    });
    Impact { start: Start::Free, first }
}

/// The answer for geometries that have a common point at time 0.
fn begin_in_contact(
    motions: [&dyn Motion; 2],
    a: GeometryRef<'_>,
    b: GeometryRef<'_>,
    settings: &Settings,
    workspace: &mut Workspace,
) -> Impact {
    let mut relation = |t: f64| {
        let [pose_a, pose_b] = motions.map(|motion| motion.pose(t));
        relation_with(&pose_a, a, &pose_b, b, workspace)
    };
    let enters = |relation: &Relation| {
        matches!(relation.verdict, Verdict::Penetrating | Verdict::Contained(_))
    };
    let now = relation(0.0);
    let start = if enters(&now) {
        Start::Overlapping
    } else if now.verdict == Verdict::Separated {
        // Within the clearance.
        Start::Free
    } else if enters(&relation(settings.resolution())) {
        Start::Approaching
    } else {
        Start::Leaving
    };
    let [pose_a, pose_b] = motions.map(|motion| motion.pose(0.0));
    let closest = distance_with(&pose_a, a, &pose_b, b, workspace);
    let certainty = now.certainty.min(Certainty::Bound);
    Impact { start, first: Some(FirstContact { interval: [0.0; 2], certainty, closest }) }
}

/// The first contact of two parts, each at its place in the body that moves.
pub(super) fn between(
    motions: [&dyn Motion; 2],
    a: &Placed<'_>,
    b: &Placed<'_>,
    span: [f64; 2],
    settings: &Settings,
    workspace: &mut Workspace,
) -> ShapeImpact {
    // The dispatch puts a mesh before a shape; so are the motions.
    let swapped = a.part.mesh().is_none() && b.part.mesh().is_some();
    let motions = if swapped { [motions[1], motions[0]] } else { motions };
    let query = Meet { motions, span, settings, workspace };
    ask(query, (a.part, &a.pose), (b.part, &b.pose))
}

struct Meet<'w> {
    motions: [&'w dyn Motion; 2],
    span: [f64; 2],
    settings: &'w Settings,
    workspace: &'w mut Workspace,
}

impl Flip for ShapeImpact {
    fn flip(self) -> Self {
        self
    }
}

impl PairQuery for Meet<'_> {
    type Answer = ShapeImpact;

    fn shapes(self, (a, local_a): (&Shape, &Pose), (b, local_b): (&Shape, &Pose)) -> ShapeImpact {
        let a = MovingShape::placed(a, local_a, self.motions[0]);
        let b = MovingShape::placed(b, local_b, self.motions[1]);
        let cache = &mut self.workspace.cache;
        impinge_geom::motion::impact::impact(&a, &b, self.span, self.settings, cache)
    }

    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> ShapeImpact {
        let mesh = moving(mesh, self.motions[0]);
        let shape = MovingShape::placed(shape.0, shape.1, self.motions[1]);
        let scratch = &mut self.workspace.mesh;
        of_mesh(shape_impact(&mesh, &shape, self.span, self.settings, scratch))
    }

    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> ShapeImpact {
        let (a, b) = (moving(a, self.motions[0]), moving(b, self.motions[1]));
        let scratch = &mut self.workspace.mesh;
        of_mesh(mesh_impact(&a, &b, self.span, self.settings, scratch, &mut ()))
    }
}

/// A mesh of a geometry on its way.
pub(super) fn moving<'m>(
    (mesh, local): (MeshRef<'m>, &Pose),
    motion: &'m dyn Motion,
) -> MovingMesh<'m> {
    MovingMesh::new(mesh.mesh(), mesh.scale(), local, motion)
}

fn of_mesh(found: MeshImpact) -> ShapeImpact {
    match found {
        MeshImpact::Free => ShapeImpact::Free,
        MeshImpact::Meeting => ShapeImpact::Meeting,
        MeshImpact::Meets(contact, _) => ShapeImpact::Meets(contact),
    }
}
