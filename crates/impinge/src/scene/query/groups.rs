//! The distance between two groups of bodies.

use crate::narrow::between;
use crate::query::{PairDistance, Placed, Workspace};
use crate::scene::{Body, BodyId, Scene, SceneError, SceneSettings};

/// The two bodies of two groups that are closest to each other, or penetrate most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupDistance {
    /// The bodies, of the first group and of the second.
    pub bodies: [BodyId; 2],
    /// The ids of their children.
    pub children: [u32; 2],
    /// Their distance.
    pub distance: PairDistance,
}

/// Farther than anything in a scene.
const ANYWHERE: f64 = 1e62;

/// A body of each group, and a distance below which they are not apart.
type Couple<'s> = (f64, [(BodyId, &'s Body); 2]);

impl Scene {
    /// The smallest signed distance between a body of one group and a body of another, whatever the rules say; `None` if a group is
    /// empty, if they share their only body, or where no translation separates the bodies.
    ///
    /// ```
    /// use impinge::{Pose, geom::Shape, query::Workspace, scene::{Body, Scene}};
    /// let mut scene = Scene::default();
    /// let mut add = |x: f64| -> Result<_, Box<dyn std::error::Error>> {
    ///     Ok(scene.add(Body::fixed(Shape::sphere(1.0)?, Pose::from_translation([x, 0.0, 0.0])?))?)
    /// };
    /// let (left, right) = ([add(0.0)?, add(-9.0)?], [add(5.0)?, add(20.0)?]);
    /// let found = scene.distance_between(&left, &right, &mut Workspace::default())?.unwrap();
    /// assert_eq!((found.bodies, found.distance.distance), ([left[0], right[0]], 3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance_between(
        &self,
        first: &[BodyId],
        second: &[BodyId],
        workspace: &mut Workspace,
    ) -> Result<Option<GroupDistance>, SceneError> {
        let boxed = |ids: &[BodyId]| -> Result<Vec<_>, SceneError> {
            ids.iter().map(|id| self.body(*id).map(|b| (*id, b, b.bounds()))).collect()
        };
        let (first, second) = (boxed(first)?, boxed(second)?);
        let mut couples: Vec<Couple<'_>> = Vec::new();
        for (id_a, a, box_a) in &first {
            let others = second.iter().filter(|(id_b, ..)| id_a != id_b);
            couples.extend(
                others.map(|(id_b, b, box_b)| (box_a.gap(box_b), [(*id_a, *a), (*id_b, *b)])),
            );
        }
        let ids = |couple: &Couple<'_>| couple.1.map(|(id, _)| id);
        couples.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then_with(|| ids(x).cmp(&ids(y))));
        let mut best = None;
        for (gap, couple) in couples {
            if best.is_some_and(|best: GroupDistance| gap > best.distance.distance.max(0.0)) {
                break;
            }
            nearest_children(couple, workspace, &mut best);
        }
        Ok(best)
    }
}

/// Looks whether two bodies are nearer to each other than the best so far.
fn nearest_children(
    [(id_a, a), (id_b, b)]: [(BodyId, &Body); 2],
    workspace: &mut Workspace,
    best: &mut Option<GroupDistance>,
) {
    let settings = SceneSettings { distances: true, ..SceneSettings::default() };
    for child_a in a.geometry.children() {
        let one = Placed::new(child_a.part.as_ref(), &a.geometry.place(child_a, &a.pose));
        for child_b in b.geometry.children() {
            let other = Placed::new(child_b.part.as_ref(), &b.geometry.place(child_b, &b.pose));
            let limit = best.map_or(ANYWHERE, |best| best.distance.distance.max(0.0));
            let mut result = std::mem::take(&mut workspace.result);
            result.forget();
            between(&one, &other, limit, &settings, workspace, &mut result);
            let answer = result.answer;
            workspace.result = result;
            let Some(distance) = answer.and_then(|answer| answer.distance) else { continue };
            let (bodies, children) = ([id_a, id_b], [child_a.id, child_b.id]);
            let better = best.is_none_or(|best| {
                let tie = distance.distance == best.distance.distance;
                distance.distance < best.distance.distance
                    || (tie && (bodies, children) < (best.bodies, best.children))
            });
            if better {
                *best = Some(GroupDistance { bodies, children, distance });
            }
        }
    }
}
