//! Where do they touch?

use super::batch::batch;
use super::geometry::{GeometryRef, Placed};
use super::{Manifold, MeshPart, Workspace};
use crate::narrow::{self, PairResult};
use crate::scene::SceneSettings;
use impinge_geom::Pose;

/// Contact manifolds of two geometries that meet or are within `margin`: up to four points per normal; one manifold for two shapes, any number
/// where a mesh takes part. Depths of meshes are estimates along the normals of their surfaces.
///
/// ```
/// use impinge::{Pose, Shape, query};
/// let (floor, block) = (Shape::cuboid([2.0, 2.0, 0.5])?, Shape::cuboid([0.5; 3])?);
/// let on_it = Pose::from_translation([0.0, 0.0, 0.99])?;
/// let found = query::contacts(&Pose::IDENTITY, &floor, &on_it, &block, 0.0);
/// assert_eq!((found.len(), found[0].normal.z, found[0].points.len()), (1, 1.0, 4));
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
pub fn contacts<'a, 'b>(
    pose_a: &Pose,
    a: impl Into<GeometryRef<'a>>,
    pose_b: &Pose,
    b: impl Into<GeometryRef<'b>>,
    margin: f64,
) -> Vec<Manifold> {
    contacts_with(pose_a, a, pose_b, b, margin, &mut Workspace::default())
}

/// Like [`contacts`], with the caller's memory.
pub fn contacts_with<'a, 'b>(
    pose_a: &Pose,
    a: impl Into<GeometryRef<'a>>,
    pose_b: &Pose,
    b: impl Into<GeometryRef<'b>>,
    margin: f64,
    workspace: &mut Workspace,
) -> Vec<Manifold> {
    ask_both(pose_a, a.into(), pose_b, b.into(), margin, workspace)
}

/// Like [`contacts`], for many pairs of poses of A and B, on all threads.
pub fn contacts_batch<'a, 'b>(
    a: impl Into<GeometryRef<'a>>,
    b: impl Into<GeometryRef<'b>>,
    poses: &[[Pose; 2]],
    margin: f64,
) -> Vec<Vec<Manifold>> {
    let (a, b) = (a.into(), b.into());
    batch(poses, |[pose_a, pose_b], workspace| ask_both(pose_a, a, pose_b, b, margin, workspace))
}

fn ask_both(
    pose_a: &Pose,
    a: GeometryRef<'_>,
    pose_b: &Pose,
    b: GeometryRef<'_>,
    margin: f64,
    workspace: &mut Workspace,
) -> Vec<Manifold> {
    let settings = SceneSettings { contacts: true, ..SceneSettings::default() };
    let margin = if margin.is_finite() { margin.max(0.0) } else { 0.0 };
    let mut all = Vec::new();
    for one in a.parts(pose_a) {
        let bounds = one.bounds().grown(margin);
        for two in b.parts(pose_b) {
            if !bounds.overlaps(&two.bounds()) {
                continue;
            }
            let mut result = std::mem::take(&mut workspace.result);
            result.forget();
            with_baked(&one, |one| {
                with_baked(&two, |two| {
                    narrow::between(one, two, margin, &settings, workspace, &mut result);
                });
            });
            all.extend(manifolds(&result, [one.id, two.id]));
            workspace.result = result;
        }
    }
    all
}

/// Contacts are found on unscaled meshes: a scaled one is copied.
fn with_baked(placed: &Placed<'_>, then: impl FnOnce(&Placed<'_>)) {
    let scaled = placed.part.mesh().filter(|mesh| mesh.scale() != 1.0);
    let baked: Option<MeshPart> = scaled.and_then(|mesh| mesh.baked(1.0).ok());
    match &baked {
        Some(mesh) => then(&Placed { part: mesh.as_ref(), ..*placed }),
        None => then(placed),
    }
}

fn manifolds(result: &PairResult, children: [u32; 2]) -> impl Iterator<Item = Manifold> {
    result.manifolds.iter().map(move |found| Manifold {
        children,
        normal: found.normal,
        points: found.points().to_vec(),
    })
}
