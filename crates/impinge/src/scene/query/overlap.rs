//! The bodies that meet something which is not in the scene.

use super::{Filter, QueryScratch};
use crate::narrow::{Placed, between};
use crate::scene::{BodyId, Collider, Scene, Settings, WorldBox};
use impinge_geom::{Method, Pose, Verdict};

/// A body that meets what was asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The body.
    pub body: BodyId,
    /// The id of its child; 0 if it is no compound.
    pub child: u32,
    /// The id of the child of what was asked about.
    pub own_child: u32,
    /// How they stand to each other: A is what was asked about, B the body.
    pub verdict: Verdict,
    /// How far the verdict can be trusted.
    pub method: Method,
}

impl Scene {
    /// Fills `found` with the bodies that meet a collider at a pose, by ids.
    ///
    /// ```
    /// use impinge::geom::{Inside, Shape, Verdict};
    /// use impinge::{Pose, scene::{Body, Filter, QueryScratch, Scene}};
    /// let mut scene = Scene::default();
    /// let ball = scene.add(Body::fixed(Shape::sphere(1.0)?, Pose::IDENTITY))?;
    /// let (region, mut found) = (Shape::cuboid([2.0; 3])?.into(), Vec::new());
    /// scene.overlapping(&region, &Pose::IDENTITY, Filter::default(), &mut QueryScratch::default(), &mut found);
    /// assert_eq!((found[0].body, found[0].verdict), (ball, Verdict::Contained(Inside::B)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlapping(
        &self,
        collider: &Collider,
        pose: &Pose,
        filter: Filter,
        scratch: &mut QueryScratch,
        found: &mut Vec<Overlap>,
    ) {
        found.clear();
        let mut indices = std::mem::take(&mut scratch.indices);
        self.candidates(&WorldBox::of_collider(collider, pose), &mut indices);
        for (id, body) in indices.iter().filter_map(|index| self.at_index(*index)) {
            if !filter.admits(body) {
                continue;
            }
            for child in body.collider.children() {
                let theirs = body.collider.place(child, &body.pose);
                let theirs = Placed { part: &child.part, pose: theirs };
                for own in collider.children() {
                    let ours = Placed { part: &own.part, pose: collider.place(own, pose) };
                    let QueryScratch { tools, found: answer, .. } = &mut *scratch;
                    *answer = Default::default();
                    between(&ours, &theirs, 0.0, &Settings::default(), tools, answer);
                    if let Some(answer) = answer.answer {
                        found.push(Overlap {
                            body: id,
                            child: child.id,
                            own_child: own.id,
                            verdict: answer.verdict,
                            method: answer.method,
                        });
                    }
                }
            }
        }
        scratch.indices = indices;
    }
}
