//! The bodies that overlap a geometry that is not in the scene.

use super::Filter;
use crate::narrow::between;
use crate::query::{GeometryRef, Workspace};
use crate::scene::{BodyId, Scene, SceneSettings};
use impinge_geom::{Certainty, Pose, Verdict};

/// A body that overlaps the given geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap {
    /// The body.
    pub body: BodyId,
    /// The id of its child; 0 if it is not a compound.
    pub child: u32,
    /// The id of the child of the given geometry.
    pub own_child: u32,
    /// How they relate: A is the given geometry, B the body.
    pub verdict: Verdict,
    /// How far the verdict can be trusted.
    pub certainty: Certainty,
}

impl Scene {
    /// The bodies that overlap a geometry at a pose, by ids.
    ///
    /// ```
    /// use impinge::geom::{Inside, Verdict};
    /// use impinge::{Pose, Shape, scene::{Body, Scene}};
    /// let mut scene = Scene::default();
    /// let ball = scene.add(Body::fixed(Shape::sphere(1.0)?, Pose::IDENTITY))?;
    /// let found = scene.overlapping(&Shape::cuboid([2.0; 3])?, &Pose::IDENTITY);
    /// assert_eq!((found[0].body, found[0].verdict), (ball, Verdict::Contained(Inside::B)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlapping<'g>(
        &self,
        geometry: impl Into<GeometryRef<'g>>,
        pose: &Pose,
    ) -> Vec<Overlap> {
        let mut found = Vec::new();
        let workspace = &mut Workspace::default();
        self.overlapping_with(geometry, pose, Filter::default(), workspace, &mut found);
        found
    }

    /// Like [`Scene::overlapping`], for the bodies that a filter admits, into a caller-owned list, with the caller's memory.
    pub fn overlapping_with<'g>(
        &self,
        geometry: impl Into<GeometryRef<'g>>,
        pose: &Pose,
        filter: Filter,
        workspace: &mut Workspace,
        found: &mut Vec<Overlap>,
    ) {
        found.clear();
        let ours = geometry.into();
        let mut indices = std::mem::take(&mut workspace.scene.indices);
        self.candidates(&ours.bounds(pose), &mut indices);
        for (id, body) in indices.iter().filter_map(|index| self.at_index(*index)) {
            if !filter.admits(body) {
                continue;
            }
            let theirs = GeometryRef::from(&body.geometry);
            for their in theirs.parts(&body.pose) {
                for own in ours.parts(pose) {
                    let mut result = std::mem::take(&mut workspace.result);
                    result.forget();
                    between(&own, &their, 0.0, &SceneSettings::default(), workspace, &mut result);
                    if let Some(answer) = result.answer {
                        found.push(Overlap {
                            body: id,
                            child: their.id,
                            own_child: own.id,
                            verdict: answer.verdict,
                            certainty: answer.certainty,
                        });
                    }
                    workspace.result = result;
                }
            }
        }
        workspace.scene.indices = indices;
    }
}
