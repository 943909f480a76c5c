//! Who takes part in a [`Race`](super::race::Race): trees in the manner of 2010, and the library's own, with planes and tables.

use super::classic::{Additions, Classic, Grouping, Query, Space, Work};
use super::culling::VOLUMES;
use super::race::{ADDED, Contender, FILTER, LEVELS, Label, OLD, OWN, Task};
use crate::error::LabError;
use crate::model::Model;
use crate::session::Session;
use impinge::Pose;
use impinge::geom::support_plane::Grid;
use impinge::mesh::{
    self, Mesh, ScaledPose, Scratch, SeparatingAxisCache, SupportKind, SupportLevels,
    SupportMapping, SupportVolume, Supported,
};
use impinge::tree::Counts;
use impinge::tree::traverse::Policy;

/// Levels of the library's own trees, which have eight children to a node.
const OWN_LEVELS: usize = 2;

/// All that contenders look at, by model.
pub(super) struct Stock<'g> {
    trees: [Vec<Classic<'g>>; 3],
    added: [Vec<Additions>; 3],
    own: Vec<Own>,
    /// A place so far away that a look parts whatever bodies there are.
    far: ScaledPose,
}

/// The library's tree of one model, and what is added to it: by kind, for one level and for two.
struct Own {
    mesh: Mesh,
    supports: [Vec<SupportLevels>; 3],
}

/// What is remembered of two bodies after the step before, and after this one: asked again in the same step, the former serves again.
#[derive(Clone, Copy, Default)]
struct Kept {
    step: Option<usize>,
    before: SeparatingAxisCache,
    now: SeparatingAxisCache,
}

impl Kept {
    /// What is remembered when a step begins: nothing if the pair was not asked about in the one before, as in a scene.
    fn at(&mut self, step: usize) -> &mut SeparatingAxisCache {
        if self.step != Some(step) {
            let follows = self.step.is_some_and(|last| last + 1 == step);
            self.before = if follows { self.now } else { SeparatingAxisCache::default() };
            self.step = Some(step);
        }
        self.now = self.before;
        &mut self.now
    }
}

impl<'g> Stock<'g> {
    /// Of models and their groupings.
    pub(super) fn new(
        models: &[Model],
        groupings: &'g [Grouping],
        session: &Session<'_>,
    ) -> Result<Self, LabError> {
        let planes = |mapping| SupportKind::Planes { mapping, volume: SupportVolume::Obb };
        let grid = Grid::Angular(super::addition::DENSITY);
        let kinds = [
            planes(SupportMapping::SampledVertices(grid)),
            planes(SupportMapping::SampledFaces(grid)),
            SupportKind::default(),
        ];
        let far = Pose::from_translation([1e6, 2e6, 3e6]).map_err(LabError::failed)?.into();
        let (trees, added) = (Default::default(), Default::default());
        let mut stock = Self { trees, added, own: vec![], far };
        for (k, (model, grouping)) in models.iter().zip(groupings).enumerate() {
            let step = || session.step("building", k as u64, models.len() as u64);
            for (trees, (_, volume)) in stock.trees.iter_mut().zip(VOLUMES) {
                step()?;
                trees.push(grouping.volumes(volume)?);
            }
            for (added, addition) in stock.added.iter_mut().zip(ADDED) {
                step()?;
                added.push(grouping.add(addition, LEVELS)?);
            }
            step()?;
            let mesh: Mesh = model.mesh()?;
            // Scenes build the table once it pays; here it exists from the start. Nobody's building time counts.
            mesh.support_table();
            let supports = kinds.map(|kind| {
                (1..=OWN_LEVELS).map(|levels| SupportLevels::new(&mesh, levels, kind)).collect()
            });
            stock.own.push(Own { mesh, supports });
        }
        Ok(stock)
    }

    /// The library's default tree first, then all others.
    pub(super) fn contenders(&self) -> Vec<Contender<'_>> {
        let mut all = self.own_trees();
        for (v, (volume, _)) in VOLUMES.iter().enumerate() {
            all.push(self.old(v, None, Label { tree: OLD, volume, added: "", levels: 0 }));
            for (k, addition) in ADDED.iter().enumerate() {
                for levels in 1..=LEVELS {
                    let label = Label { tree: OLD, volume, added: addition.name(), levels };
                    all.push(self.old(v, Some(k), label));
                }
            }
        }
        all
    }

    fn old(&self, volume: usize, kind: Option<usize>, label: Label) -> Contender<'_> {
        let mut space = Space::default();
        let meets = move |task: &Task, work: Option<&mut Work>| {
            let [a, b] = task.models.map(|model| &self.trees[volume][model]);
            let added = kind.map(|kind| task.models.map(|model| &self.added[kind][model]));
            let query = Query { a, b, added, levels: label.levels };
            query.meets(&task.place, &mut space, work.unwrap_or(&mut Work::default()))
        };
        Contender { label, meets: Box::new(meets) }
    }

    fn own_trees(&self) -> Vec<Contender<'_>> {
        let label = |added, levels| Label { tree: OWN, volume: "OBB", added, levels };
        let mut scratch = Scratch::default();
        let plain = move |task: &Task, work: Option<&mut Work>| {
            let [a, b] = task.models.map(|model| &self.own[model].mesh);
            match work {
                None => mesh::overlap(a, b, &task.place, &mut scratch),
                Some(work) => {
                    let mut counts = Counts::default();
                    let policy = Policy::default();
                    let meet =
                        mesh::overlap_with(a, b, &task.place, policy, &mut scratch, &mut counts);
                    work.count(&counts);
                    meet
                }
            }
        };
        let mut all = vec![Contender { label: label("", 0), meets: Box::new(plain) }];
        for (kind, addition) in ADDED.iter().enumerate() {
            for levels in 1..=OWN_LEVELS {
                all.push(self.own_supported(kind, label(addition.name(), levels)));
            }
        }
        all.push(self.filtered(label(FILTER[0], 1)));
        all.push(self.remembered(label(FILTER[1], 1)));
        all
    }

    fn own_supported(&self, kind: usize, label: Label) -> Contender<'_> {
        let mut scratch = Scratch::default();
        let meets = move |task: &Task, work: Option<&mut Work>| {
            let [a, b] = task.models.map(|model| {
                let own = &self.own[model];
                Supported { mesh: &own.mesh, support: &own.supports[kind][label.levels - 1] }
            });
            let (policy, place) = (Policy::default(), &task.place);
            match work {
                None => mesh::overlap_supported(a, b, place, policy, &mut scratch, &mut ()),
                Some(work) => {
                    let mut counts = Counts::default();
                    let meet =
                        mesh::overlap_supported(a, b, place, policy, &mut scratch, &mut counts);
                    work.count(&counts);
                    meet
                }
            }
        };
        Contender { label, meets: Box::new(meets) }
    }

    /// The mid-phase: support tables of the whole bodies, then the tree.
    fn filtered(&self, label: Label) -> Contender<'_> {
        let mut scratch = Scratch::default();
        let meets = move |task: &Task, work: Option<&mut Work>| {
            let [a, b] = task.models.map(|model| &self.own[model]);
            let [filter_a, filter_b] = [a, b].map(|own| &own.supports[2][0]);
            let parted = filter_a.parts(filter_b, &task.place);
            if let Some(work) = work {
                work.supports += 1;
                work.apart += u64::from(parted);
            }
            !parted && mesh::overlap(&a.mesh, &b.mesh, &task.place, &mut scratch)
        };
        Contender { label, meets: Box::new(meets) }
    }

    /// The same with what scenes remember of a pair from step to step.
    fn remembered(&self, label: Label) -> Contender<'_> {
        let mut scratch = Scratch::default();
        let mut pairs: Vec<Kept> = Vec::new();
        let meets = move |task: &Task, work: Option<&mut Work>| {
            let [a, b] = task.models.map(|model| &self.own[model].mesh);
            if pairs.len() <= task.pair {
                pairs.resize(task.pair + 1, Kept::default());
            }
            let memory = pairs[task.pair].at(task.step);
            // Whether it will look, tells a copy that would be sure to find something.
            let mut copy = *memory;
            let looks = work.is_some() && copy.is_apart(a, b, &self.far, 0.0);
            let parted = memory.is_apart(a, b, &task.place, 0.0);
            if let Some(work) = work {
                work.supports += u64::from(looks);
                work.apart += u64::from(parted);
            }
            if parted {
                return false;
            }
            let meet = mesh::overlap(a, b, &task.place, &mut scratch);
            memory.note(meet);
            meet
        };
        Contender { label, meets: Box::new(meets) }
    }
}

impl Work {
    fn count(&mut self, counts: &Counts) {
        self.volumes += counts.volumes;
        self.supports += counts.supports;
        self.apart += counts.apart;
        self.triangles += counts.primitives;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;
    use crate::session::Size;

    /// Two balls that are apart, though nothing but a look or the tree shows it: in the first of successive steps nobody looks, in the others one look does.
    #[test]
    fn what_is_kept_serves_in_the_next_step_alone() {
        let models = [Model::generate(ModelShape::Ball, 80)];
        let groupings = models.each_ref().map(Grouping::new);
        let stock = Stock::new(&models, &groupings, &Session::new(Size::Quick, 1)).unwrap();
        let mut contender =
            stock.remembered(Label { tree: OWN, volume: "OBB", added: "", levels: 1 });
        let mut ask = |pair: usize, step: usize, x: f64| {
            let place = Pose::from_translation([x; 3]).unwrap().into();
            let task = Task { models: [0, 0], pair, step, place };
            let mut work = Work::default();
            let meet = (contender.meets)(&task, Some(&mut work));
            // Asked once more in the same step, the same is done.
            let mut again = Work::default();
            assert_eq!((contender.meets)(&task, Some(&mut again)), meet);
            assert_eq!(work, again);
            (meet, work.supports, work.apart)
        };
        let near = 2.2 / 3.0_f64.sqrt();
        assert_eq!(ask(1, 5, near), (false, 0, 0));
        assert_eq!(ask(1, 6, near), (false, 1, 1));
        assert_eq!(ask(0, 6, near), (false, 0, 0));
        assert_eq!(ask(1, 7, near), (false, 1, 1));
        // A step was left out.
        assert_eq!(ask(1, 9, near), (false, 0, 0));
        assert_eq!(ask(1, 10, 0.5), (true, 1, 0));
        // They met in the step before.
        assert_eq!(ask(1, 11, near), (false, 0, 0));
        // From the beginning.
        assert_eq!(ask(1, 5, near), (false, 0, 0));
    }
}
