//! How deep do the common points lie?

use super::batch::batch;
use super::deepest_point::deepest_point;
use super::geometry::{GeometryRef, Placed};
use super::part::{Flip, MeshPart, MeshRef, PairQuery, PartRef, ask};
use super::signed_distance::{Signed, signed_distance_with};
use super::verb::pair_verb;
use super::{Distance, Workspace, relation};
use crate::mesh::{self, Accuracy, Mode, SurfaceDepth, local_penetration_among};
use impinge_geom::glam::DVec3;
use impinge_geom::{Certainty, Pose, Shape, Verdict};

/// How deep the points that two bodies share lie below the surface of each. It does not grow when a body is longer where nothing is shared: a pin that is
/// 10 µm too large for its bore penetrates by 10 µm, however long it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Penetration {
    /// The ids of the children; 0 for geometries that are not compounds.
    pub children: [u32; 2],
    /// The depth of `point`: the larger of the two below.
    pub value: f64,
    /// No common point lies deeper below either surface. Infinite where nothing is certified.
    pub upper: f64,
    /// The greatest depth found below the surface of A.
    pub in_a: f64,
    /// The greatest depth found below the surface of B.
    pub in_b: f64,
    /// A common point of that depth.
    pub point: DVec3,
    /// Exact if `upper` is `value` up to rounding, a bound if it is not, an estimate where a mesh is open.
    pub certainty: Certainty,
}

impl Flip for Penetration {
    fn flip(self) -> Self {
        Self { in_a: self.in_b, in_b: self.in_a, ..self }
    }
}

/// The shortest translation found that frees two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Separation {
    /// The ids of the children; 0 for geometries that are not compounds.
    pub children: [u32; 2],
    /// Its length.
    pub value: f64,
    /// The unit vector along which B moves.
    pub direction: DVec3,
    /// Exact if there is no shorter one, else a bound.
    pub certainty: Certainty,
}

pair_verb! {
    /// The local penetration of two geometries: over the points that they share, the greatest distance to either surface.
    ///
    /// None where they share no inner point, or enclose nothing. Closed meshes answer with a certified interval from `value` to `upper`, to one part
    /// in a hundred; where an open mesh takes part it is an estimate. Of compounds the deepest pair of parts counts.
    ///
    /// ```
    /// use impinge::{Pose, Shape, query};
    /// // Two crossing bars: each is in the other by half its width, and leaves it by all of it.
    /// let (along, across) = (Shape::cuboid([9.0, 1.0, 1.0])?, Shape::cuboid([1.0, 9.0, 1.0])?);
    /// let here = Pose::IDENTITY;
    /// let found = query::penetration(&here, &along, &here, &across).unwrap();
    /// assert!((found.value - 1.0).abs() < 0.01 && found.upper < 1.02);
    /// assert_eq!(query::separation(&here, &along, &here, &across).unwrap().value, 2.0);
    /// # Ok::<(), impinge::geom::GeometryError>(())
    /// ```
    penetration, penetration_with, penetration_batch -> Option<Penetration>
}

fn ask_both(
    pose_a: &Pose,
    a: GeometryRef<'_>,
    pose_b: &Pose,
    b: GeometryRef<'_>,
    workspace: &mut Workspace,
) -> Option<Penetration> {
    penetration_to(pose_a, a, pose_b, b, &Accuracy::default(), workspace)
}

/// Like [`penetration_with`], to a given accuracy, or only until something is decided. Lengths of the accuracy are in the world.
pub fn penetration_to<'a, 'b>(
    pose_a: &Pose,
    a: impl Into<GeometryRef<'a>>,
    pose_b: &Pose,
    b: impl Into<GeometryRef<'b>>,
    accuracy: &Accuracy,
    workspace: &mut Workspace,
) -> Option<Penetration> {
    let (a, b) = (a.into(), b.into());
    let mut best: Option<Penetration> = None;
    for one in a.parts(pose_a) {
        let bounds = one.bounds();
        for two in b.parts(pose_b) {
            if !bounds.overlaps(&two.bounds()) {
                continue;
            }
            let query = Deepest { accuracy: *accuracy, workspace, met: None };
            let found = ask(query, (one.part, &one.pose), (two.part, &two.pose));
            let Some(found) = found else { continue };
            let found = Penetration { children: [one.id, two.id], ..found };
            best = Some(match best {
                Some(best) if best.value >= found.value => best.beside(&found),
                Some(best) => found.beside(&best),
                None => found,
            });
        }
    }
    best
}

/// Like [`penetration_to`] for two meshes, by a caller who has all their triangles that meet, in ascending order: as
/// [`triangle_pairs`](super::triangle_pairs()) gives them.
pub fn penetration_among(
    pose_a: &Pose,
    a: &MeshPart,
    pose_b: &Pose,
    b: &MeshPart,
    accuracy: &Accuracy,
    met: &[[u32; 2]],
    workspace: &mut Workspace,
) -> Option<Penetration> {
    let query = Deepest { accuracy: *accuracy, workspace, met: Some(met) };
    query.meshes((a.into(), pose_a), (b.into(), pose_b))
}

impl Penetration {
    /// The deepest pair of parts beside another one.
    fn beside(self, other: &Self) -> Self {
        Self {
            upper: self.upper.max(other.upper),
            in_a: self.in_a.max(other.in_a),
            in_b: self.in_b.max(other.in_b),
            certainty: self.certainty.max(other.certainty),
            ..self
        }
    }

    fn of([in_a, in_b]: [SurfaceDepth; 2], certainty: Certainty) -> Self {
        let deepest = if in_b.value > in_a.value { in_b } else { in_a };
        Self {
            children: [0; 2],
            value: deepest.value,
            upper: in_a.upper.max(in_b.upper),
            in_a: in_a.value,
            in_b: in_b.value,
            point: deepest.point,
            certainty,
        }
    }
}

/// The separation of two geometries: a translation of B that frees them, the shortest that was found. None if they are apart or only touch, and
/// where no translation frees them.
///
/// ```
/// use impinge::{Pose, Shape, geom::glam::DVec3, query};
/// let (ball, block) = (Shape::sphere(2.0)?, Shape::cuboid([1.0; 3])?);
/// let lower = Pose::from_translation([0.0, 0.0, 2.5])?;
/// let found = query::separation(&Pose::IDENTITY, &block, &lower, &ball).unwrap();
/// assert_eq!((found.value, found.direction), (0.5, DVec3::Z));
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
pub fn separation<'a, 'b>(
    pose_a: &Pose,
    a: impl Into<GeometryRef<'a>>,
    pose_b: &Pose,
    b: impl Into<GeometryRef<'b>>,
) -> Option<Separation> {
    separation_with(pose_a, a, pose_b, b, &mut Workspace::default())
}

/// Like [`separation()`], with the caller's memory.
pub fn separation_with<'a, 'b>(
    pose_a: &Pose,
    a: impl Into<GeometryRef<'a>>,
    pose_b: &Pose,
    b: impl Into<GeometryRef<'b>>,
    workspace: &mut Workspace,
) -> Option<Separation> {
    Separation::of(&signed_distance_with(pose_a, a, pose_b, b, workspace))
}

/// Like [`separation_with`] for two meshes that are known to penetrate, by a caller who has all their triangles that meet, in ascending order: as
/// [`triangle_pairs`](super::triangle_pairs()) gives them.
pub fn separation_among(
    pose_a: &Pose,
    a: &MeshPart,
    pose_b: &Pose,
    b: &MeshPart,
    met: &[[u32; 2]],
    workspace: &mut Workspace,
) -> Option<Separation> {
    let (a, b) = (MeshRef::from(a), MeshRef::from(b));
    let both = a.mode() == Mode::Solid && b.mode() == Mode::Solid;
    let mode = if both { Mode::Solid } else { Mode::Surface };
    let place = a.relative(pose_a, pose_b, b.scale());
    let scratch = &mut workspace.mesh;
    let (along, depth) = mesh::separation_among(a.mesh(), b.mesh(), &place, mode, met, scratch)?;
    let (value, direction) = (depth * a.scale(), pose_a.rotate(along));
    Some(Separation { children: [0; 2], value, direction, certainty: Certainty::Bound })
}

impl Separation {
    /// The separation given by a signed distance; none if it is a gap, or no translation frees the bodies.
    pub fn of(found: &Distance) -> Option<Self> {
        let depth = -found.distance;
        (depth > 0.0 && depth.is_finite()).then_some(Self {
            children: found.children,
            value: depth,
            direction: found.normal,
            certainty: found.certainty,
        })
    }
}

/// The local penetration of two parts.
struct Deepest<'w> {
    accuracy: Accuracy,
    workspace: &'w mut Workspace,
    /// The triangles of two meshes that meet, if they are known.
    met: Option<&'w [[u32; 2]]>,
}

impl PairQuery for Deepest<'_> {
    type Answer = Option<Penetration>;

    fn shapes(
        self,
        (a, pose_a): (&Shape, &Pose),
        (b, pose_b): (&Shape, &Pose),
    ) -> Option<Penetration> {
        let a = Placed::new(PartRef::of_shape(a), pose_a);
        let b = Placed::new(PartRef::of_shape(b), pose_b);
        self.by_points(&a, &b)
    }

    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> Option<Penetration> {
        let a = Placed::new(mesh.0.part(), mesh.1);
        let b = Placed::new(PartRef::of_shape(shape.0), shape.1);
        self.by_points(&a, &b)
    }

    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> Option<Penetration> {
        if a.0.mode() == Mode::Surface || b.0.mode() == Mode::Surface {
            return self.by_points(&Placed::new(a.0.part(), a.1), &Placed::new(b.0.part(), b.1));
        }
        let unit = a.0.scale();
        let accuracy = self.accuracy.scaled(1.0 / unit);
        let b_in_a = a.0.relative(a.1, b.1, b.0.scale());
        let scratch = &mut self.workspace.mesh;
        let (first, second) = (a.0.mesh(), b.0.mesh());
        let found = match self.met {
            Some(met) => local_penetration_among(first, second, &b_in_a, &accuracy, met, scratch)?,
            None => mesh::local_penetration(first, second, &b_in_a, &accuracy, scratch)?,
        };
        let depths = found.depths.map(|depth| SurfaceDepth {
            value: depth.value * unit,
            upper: depth.upper * unit,
            point: a.0.to_world(a.1, depth.point),
        });
        // By generalised winding numbers a point on the surface may be inside.
        let enclosed = found.value() > 0.0 || found.certainty != Certainty::Estimate;
        enclosed.then(|| Penetration::of(depths, found.certainty))
    }
}

impl Deepest<'_> {
    /// By the signed distances of points alone: for curved shapes, and surfaces in solids.
    fn by_points(self, a: &Placed<'_>, b: &Placed<'_>) -> Option<Penetration> {
        let relation = relation::between(a, b, self.workspace);
        if !matches!(relation.verdict, Verdict::Penetrating | Verdict::Contained(_)) {
            return None;
        }
        // Of convex bodies the points that part last are mostly the deepest, and no point is deeper than the way out.
        let workspace = &mut *self.workspace;
        let way = ask(Signed { workspace }, (a.part, &a.pose), (b.part, &b.pose));
        let separation = self.accuracy.separation.min((-way.distance).max(0.0));
        let accuracy = Accuracy { separation, ..self.accuracy };
        let of_a = deepest_point(a, b, &accuracy, &way.points, self.workspace);
        let of_b = deepest_point(b, a, &accuracy, &way.points, self.workspace);
        let (of_a, of_b) = (of_a?, of_b?);
        let exact = [of_a, of_b].iter().all(|depth| depth.upper <= depth.value * (1.0 + 1e-12));
        let certainty = if exact { Certainty::Exact } else { Certainty::Bound };
        let found = Penetration::of([of_a, of_b], certainty.max(relation.certainty));
        (found.value > 0.0).then_some(found)
    }
}
