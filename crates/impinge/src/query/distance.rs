//! How far apart?

use super::batch::batch;
use super::geometry::{GeometryRef, Placed};
use super::part::{MeshRef, PairQuery, PartRef, ask};
use super::verb::pair_verb;
use super::workspace::nearest_first;
use super::{Distance, PairDistance, PartFeature, Workspace, relation};
use crate::mesh::shape::ShapeDistance;
use crate::mesh::{self, MeshDistance, Mode};
use impinge_geom::glam::DVec3;
use impinge_geom::{Certainty, Feature, Inside, Pose, Shape, SignedDistance, Verdict, pair};

pair_verb! {
    /// The distance between two geometries, with witness points; zero if they meet. Of solids the inside counts.
    ///
    /// ```
    /// use impinge::{Mesh, Pose, Shape, query};
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let wedge = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let ball = Shape::sphere(0.5)?;
    /// let found = query::distance(&Pose::from_translation([2.0, 0.0, 0.0])?, &ball, &Pose::IDENTITY, &wedge);
    /// assert_eq!((found.distance, found.points[0].x, found.points[1].x), (0.5, 1.5, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    distance, distance_with, distance_batch -> Distance
}

fn ask_both(
    pose_a: &Pose,
    a: GeometryRef<'_>,
    pose_b: &Pose,
    b: GeometryRef<'_>,
    workspace: &mut Workspace,
) -> Distance {
    least(pose_a, a, pose_b, b, workspace, |a, b, workspace| {
        ask(Gap { workspace }, (a.part, &a.pose), (b.part, &b.pose))
    })
}

/// The least answer over all pairs of parts; of several, that of the first children.
pub(super) fn least<'g>(
    pose_a: &Pose,
    a: GeometryRef<'g>,
    pose_b: &Pose,
    b: GeometryRef<'g>,
    workspace: &mut Workspace,
    mut measure: impl FnMut(&Placed<'g>, &Placed<'g>, &mut Workspace) -> PairDistance,
) -> Distance {
    if let (Some(a), Some(b)) = (a.only_part(pose_a), b.only_part(pose_b)) {
        return Distance { children: [a.id, b.id], pair: measure(&a, &b, workspace) };
    }
    let (a, b): (Vec<_>, Vec<_>) = (a.parts(pose_a).collect(), b.parts(pose_b).collect());
    let mut couples = std::mem::take(&mut workspace.couples);
    nearest_first(&a, &b, &mut couples);
    let mut best: Option<(Distance, [u32; 2])> = None;
    for &(gap, at) in &couples {
        if best.is_some_and(|(best, _)| gap > best.pair.distance.max(0.0)) {
            break;
        }
        let (one, two) = (&a[at[0] as usize], &b[at[1] as usize]);
        let found = Distance { children: [one.id, two.id], pair: measure(one, two, workspace) };
        let better = best.is_none_or(|(best, place)| {
            let tie = found.pair.distance == best.pair.distance && at < place;
            found.pair.distance < best.pair.distance || tie
        });
        if better {
            best = Some((found, at));
        }
    }
    workspace.couples = couples;
    // A geometry has at least one part.
    best.map_or(Distance { children: [0; 2], pair: PairDistance::FAR }, |(best, _)| best)
}

impl PairDistance {
    /// Nothing is there to be near.
    pub(super) const FAR: Self = Self {
        distance: f64::INFINITY,
        uncertainty: 0.0,
        points: [DVec3::ZERO; 2],
        normal: DVec3::Z,
        features: [PartFeature { triangle: None, feature: Feature::SURFACE }; 2],
        certainty: Certainty::Exact,
    };

    /// A distance between shapes, from A's frame into the world.
    pub(crate) fn of_shapes(found: &SignedDistance, pose_a: &Pose) -> Self {
        Self {
            distance: found.distance,
            uncertainty: found.uncertainty,
            points: found.points.map(|point| pose_a.transform_point(point)),
            normal: pose_a.rotate(found.normal),
            features: found.features.map(PartFeature::of_shape),
            certainty: found.certainty,
        }
    }

    /// A distance between a mesh and a shape, from the mesh's frame into the world.
    pub(crate) fn of_mesh_shape(found: &ShapeDistance, mesh: MeshRef<'_>, pose: &Pose) -> Self {
        let [on_mesh, on_shape] = found.features;
        let features =
            [PartFeature::of_triangle(found.triangle, on_mesh), PartFeature::of_shape(on_shape)];
        Self::of_mesh((found.distance, found.uncertainty), found.points, features, mesh, pose)
            .with(found.certainty)
    }

    /// A distance between meshes, from A's frame into the world.
    pub(crate) fn of_meshes(found: &MeshDistance, mesh: MeshRef<'_>, pose: &Pose) -> Self {
        let feature =
            |side: usize| PartFeature::of_triangle(found.triangles[side], found.features[side]);
        let features = [feature(0), feature(1)];
        Self::of_mesh((found.distance, 0.0), found.points, features, mesh, pose)
    }

    fn of_mesh(
        (distance, uncertainty): (f64, f64),
        points: [DVec3; 2],
        features: [PartFeature; 2],
        mesh: MeshRef<'_>,
        pose: &Pose,
    ) -> Self {
        let normal = (points[1] - points[0]).normalize_or(DVec3::Z);
        Self {
            distance: distance * mesh.scale(),
            uncertainty: uncertainty * mesh.scale(),
            points: points.map(|point| mesh.to_world(pose, point)),
            normal: pose.rotate(normal),
            features,
            certainty: Certainty::Exact,
        }
    }

    pub(super) fn with(self, certainty: Certainty) -> Self {
        Self { certainty, ..self }
    }

    /// No more certain than what it rests on.
    pub(super) fn at_best(self, certainty: Certainty) -> Self {
        self.with(self.certainty.max(certainty))
    }

    /// The distance of the surfaces where one solid is inside another: the depth is at least that.
    pub(crate) fn inside(self) -> Self {
        let (distance, normal) = (-self.distance, -self.normal);
        Self { distance, normal, certainty: Certainty::Estimate, ..self }
    }

    /// Zero, at a point of both: what the distance of things is of which one holds the other.
    fn zero_at(self, side: usize, certainty: Certainty) -> Self {
        let points = [self.points[side]; 2];
        Self { distance: 0.0, uncertainty: 0.0, points, certainty, ..self }
    }
}

/// The distance of two parts, zero where they meet.
struct Gap<'w> {
    workspace: &'w mut Workspace,
}

impl PairQuery for Gap<'_> {
    type Answer = PairDistance;

    fn shapes(self, (a, pose_a): (&Shape, &Pose), (b, pose_b): (&Shape, &Pose)) -> PairDistance {
        let cache = self.workspace.fresh_cache();
        let found = pair::distance(a, b, &pose_a.relative(pose_b), cache);
        let distance = found.distance.max(0.0);
        PairDistance::of_shapes(&SignedDistance { distance, ..found }, pose_a)
    }

    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> PairDistance {
        let Some(found) = mesh_shape_surface(mesh, shape, self.workspace) else {
            return PairDistance::FAR.with(Certainty::Estimate);
        };
        if found.distance == 0.0 || mesh.0.mode() == Mode::Surface {
            return found;
        }
        // The shape does not meet the surface: all of it lies in the solid, or outside; or the solid lies in the shape.
        let part = PartRef::of_shape(shape.0);
        let (a, b) = (Placed::new(mesh.0.part(), mesh.1), Placed::new(part, shape.1));
        let relation = relation::between(&a, &b, self.workspace);
        match relation.verdict {
            Verdict::Separated => found.at_best(relation.certainty),
            Verdict::Contained(Inside::A) => found.zero_at(0, relation.certainty),
            _ => found.zero_at(1, relation.certainty),
        }
    }

    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> PairDistance {
        let found = mesh_surfaces(a, b, self.workspace);
        if found.distance == 0.0 || (a.0.mode() == Mode::Surface && b.0.mode() == Mode::Surface) {
            return found;
        }
        let relation = relation::relate_meshes(a, b, &mut self.workspace.mesh);
        match relation.verdict {
            Verdict::Separated => found.at_best(relation.certainty),
            Verdict::Contained(Inside::A) => found.zero_at(0, relation.certainty),
            Verdict::Contained(Inside::B) => found.zero_at(1, relation.certainty),
            // Some pieces of one lie in the other.
            _ => found.zero_at(usize::from(a.0.mode() == Mode::Solid), relation.certainty),
        }
    }
}

/// The distance of the surface of a mesh and a shape; none if the shape is beyond what the kernel takes at the mesh's scale.
pub(super) fn mesh_shape_surface(
    mesh: (MeshRef<'_>, &Pose),
    shape: (&Shape, &Pose),
    workspace: &mut Workspace,
) -> Option<PairDistance> {
    let (scaled, pose) = mesh.0.shape_in_mesh(mesh.1, shape)?;
    let found = mesh::shape::distance(mesh.0.mesh(), &scaled, &pose, &mut workspace.mesh);
    Some(PairDistance::of_mesh_shape(&found, mesh.0, mesh.1))
}

/// The distance of the surfaces of two meshes.
pub(super) fn mesh_surfaces(
    a: (MeshRef<'_>, &Pose),
    b: (MeshRef<'_>, &Pose),
    workspace: &mut Workspace,
) -> PairDistance {
    let b_in_a = a.0.relative(a.1, b.1, b.0.scale());
    let found = mesh::distance(a.0.mesh(), b.0.mesh(), &b_in_a, &mut workspace.mesh);
    PairDistance::of_meshes(&found, a.0, a.1)
}
