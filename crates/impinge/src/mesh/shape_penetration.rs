//! How deep a convex shape is in a mesh that need not be convex: a translation that separates them, searched along directions that the two
//! bodies suggest, as for [two meshes](super::penetration()).
//!
//! For a ball there is a bound from below as well: its centre must come as far from the surface as its radius, and nothing comes nearer
//! or farther by more than it moves. Where both bounds agree the depth is exact.

use super::shape::{distance, triangles, verdict};
use super::{Mesh, MeshSeparation, Mode, Scratch, penetration_search, winding};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::BOUNDS_AGREE;
use impinge_geom::shape::Core;
use impinge_geom::support::Support as _;
use impinge_geom::{Certainty, Pose, Shape, Verdict};

/// A translation that separates a shape from a mesh it penetrates; `triangles[0]` is that of the last point to separate, `triangles[1]` is 0.
///
/// ```
/// use impinge::{Pose, Mesh, Shape, geom::Certainty, mesh::{Mode, Scratch, shape}};
/// let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let wedge: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let place = Pose::from_translation([1.0, 1.0, -0.5])?;
/// let ball = Shape::sphere(1.0)?;
/// let found = shape::penetration(&wedge, &ball, &place, Mode::Solid, &mut Scratch::default()).unwrap();
/// assert!((found.depth - 0.5).abs() < 1e-9 && found.certainty == Certainty::Exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    mode: Mode,
    scratch: &mut Scratch,
) -> Option<MeshSeparation> {
    if let Some(found) = out_of_flat(mesh, shape, shape_in_mesh) {
        return Some(found);
    }
    let mut search = Search { mesh, shape, pose: shape_in_mesh, mode, scratch };
    let directions = search.directions().into_iter();
    let shadows = directions.map(|along| (search.shadow(along), along)).collect();
    let (along, depth) = penetration_search::shortest(shadows, |by| search.is_apart(by))?;
    let translation = along * depth;
    let moved = search.moved(translation)?;
    let last = distance(mesh, shape, &moved, search.scratch);
    let exact = search.at_least().is_some_and(|least| depth <= least * (1.0 + BOUNDS_AGREE));
    let [on_mesh, on_shape] = last.points;
    Some(MeshSeparation {
        translation,
        depth,
        certainty: if exact { Certainty::Exact } else { Certainty::Bound },
        points: [on_mesh, on_shape - translation],
        triangles: [last.triangle, 0],
    })
}

/// How a plane or a half-space leaves a mesh: along its normal, past the mesh's extreme vertex. Exact; none for other shapes.
fn out_of_flat<B: Bound>(mesh: &Mesh<B>, shape: &Shape, pose: &Pose) -> Option<MeshSeparation> {
    let (core, radius) = shape.split();
    let (normal, offset, both) = match core {
        Core::Plane(plane) => (plane.normal(), plane.offset(), true),
        Core::HalfSpace(half_space) => (half_space.normal(), half_space.offset(), false),
        _ => return None,
    };
    let normal = pose.rotate(normal);
    let offset = offset + normal.dot(pose.translation());
    // The extreme corner along a direction, its height, and its triangle.
    let extreme = |along: DVec3| {
        let corners = (0..mesh.triangles().len() as u32)
            .flat_map(|face| mesh.corners(face).map(|corner| (corner.dot(along), face, corner)));
        corners.reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    let leave = |along: DVec3, offset: f64| {
        let (height, face, corner) = extreme(along)?;
        Some((offset + height, along, face, corner))
    };
    let below = leave(-normal, offset + radius)?;
    let above = if both { leave(normal, radius - offset) } else { None };
    let shorter = above.filter(|above| above.0 < below.0);
    let (depth, along, face, corner) = shorter.unwrap_or(below);
    let translation = along * depth;
    Some(MeshSeparation {
        translation,
        depth,
        certainty: Certainty::Exact,
        points: [corner, corner - translation],
        triangles: [face, 0],
    })
}

/// How a shape leaves a mesh, in the mesh's frame.
struct Search<'s, B: Bound> {
    mesh: &'s Mesh<B>,
    shape: &'s Shape,
    pose: &'s Pose,
    mode: Mode,
    scratch: &'s mut Scratch,
}

impl<B: Bound> Search<'_, B> {
    /// How far the shape must go so that nothing of it is beside the mesh as seen along the direction.
    fn shadow(&self, along: DVec3) -> f64 {
        let far = self.mesh.vertices().iter().map(|p| p.dot(along));
        let of_mesh = far.fold(f64::NEG_INFINITY, f64::max);
        let (core, radius) = self.shape.split();
        let farthest = core.support(self.pose.inverse_rotate(-along)).point;
        let of_shape = self.pose.transform_point(farthest).dot(-along) + radius;
        let size = of_mesh.abs().max(of_shape.abs());
        (of_mesh + of_shape).max(0.0) + size * penetration_search::SHADOW_ROUNDING
    }

    /// What touches counts as separated, too: for curved shapes touching is a band around the surface.
    fn is_apart(&mut self, translation: DVec3) -> bool {
        let Some(moved) = self.moved(translation) else { return false };
        let found = verdict(self.mesh, self.shape, &moved, self.mode, self.scratch).verdict;
        matches!(found, Verdict::Separated | Verdict::Touching)
    }

    fn moved(&self, by: DVec3) -> Option<Pose> {
        self.pose.with_translation((self.pose.translation() + by).to_array()).ok()
    }

    fn directions(&mut self) -> Vec<DVec3> {
        // The way to the nearest point comes first, so that nothing that is merely like it stands for it: it is what a ball needs.
        let center = self.pose.translation();
        let nearest = self.mesh.closest_point(center, self.scratch).point - center;
        let mut list = vec![nearest, -nearest];
        for axis in DVec3::AXES {
            let turned = self.pose.rotate(axis);
            list.extend([axis, -axis, turned, -turned]);
        }
        self.normals(&mut list);
        penetration_search::unlike(list)
    }

    /// The normals of the largest faces that the shape enters, both ways.
    fn normals(&mut self, list: &mut Vec<DVec3>) {
        let mut found = Vec::new();
        triangles(self.mesh, self.shape, self.pose, self.scratch, &mut found);
        let normal = |(face, _): &(u32, Verdict)| {
            let [p, q, r] = self.mesh.corners(*face);
            (q - p).cross(r - p)
        };
        list.extend(penetration_search::both_ways(found.iter().map(normal).collect()));
    }

    /// A bound from below, for balls.
    fn at_least(&mut self) -> Option<f64> {
        let Shape::Sphere(ball) = self.shape else { return None };
        let center = self.pose.translation();
        let distance = self.mesh.closest_point(center, self.scratch).distance;
        let inside =
            self.mode == Mode::Solid && winding(self.mesh, center, self.scratch).is_inside();
        Some(ball.radius() + if inside { distance } else { -distance })
    }
}
