//! All pairs of bodies within a distance.

use crate::contact::child_ids;
use crate::mid::PairFilter;
use crate::query::{SceneScratch, Workspace};
use crate::scene::{PairReport, Scene, SceneError, SceneSettings};

impl Scene {
    /// Fills `found` with all pairs of parts of two bodies that meet or are at most `margin` apart, with their distances, by bodies and
    /// then by the order of children. Pairs of fixed bodies are included; exempt pairs are not, and the margins of the rules do not
    /// matter.
    ///
    /// ```
    /// use impinge::{Pose, geom::Shape, query::Workspace, scene::{Body, Scene}};
    /// let mut scene = Scene::default();
    /// for x in [0.0, 2.5, 9.0] {
    ///     scene.add(Body::fixed(Shape::sphere(1.0)?, Pose::from_translation([x, 0.0, 0.0])?))?;
    /// }
    /// let mut found = Vec::new();
    /// scene.pairs_within(1.0, &mut Workspace::default(), &mut found)?;
    /// assert_eq!((found.len(), found[0].distance.unwrap().distance), (1, 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs_within(
        &self,
        margin: f64,
        workspace: &mut Workspace,
        found: &mut Vec<PairReport>,
    ) -> Result<(), SceneError> {
        found.clear();
        if !(margin.is_finite() && margin >= 0.0) {
            return Err(SceneError::Margin(margin));
        }
        let SceneScratch { indices, pairs, part_pairs, narrow } = &mut workspace.scene;
        pairs.clear();
        for (id, body) in self.bodies() {
            self.candidates(&body.bounds().grown(margin), indices);
            let after = indices.iter().filter(|index| **index > id.index);
            pairs.extend(after.map(|index| [id.index, *index]));
        }
        // What an earlier question found does not matter.
        part_pairs.list.clear();
        let asked = PairFilter { rules: &self.rules, margin: Some(margin), volume: self.volume };
        part_pairs.collect(&self.slots, asked, pairs, &|_| true);
        let settings = SceneSettings { distances: true, ..SceneSettings::default() };
        narrow.decide(&self.slots, &part_pairs.list, &settings);
        for (pair, decided) in part_pairs.list.iter().zip(&narrow.found) {
            if let Some(answer) = &decided.answer {
                found.push(PairReport {
                    bodies: pair.bodies,
                    children: child_ids(&self.slots, pair),
                    verdict: answer.verdict,
                    certainty: answer.certainty,
                    distance: answer.distance,
                    manifolds: [0, 0],
                });
            }
        }
        Ok(())
    }
}
