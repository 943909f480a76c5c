//! Who takes part in a [`Race`](super::race::Race): trees in the manner of 2010, and the library's own, with planes and tables.

use super::classic::{Additions, Classic, Grouping, Query, Space, Work};
use super::culling::VOLUMES;
use super::race::{ADDED, Contender, FILTER, LEVELS, Label, OLD, OWN, Task};
use crate::error::LabError;
use crate::model::Model;
use crate::session::Session;
use impinge::geom::glam::DVec3;
use impinge::geom::support_plane::Grid;
use impinge::mesh::{
    self, Mesh, Scratch, SupportKind, SupportLevels, SupportMapping, SupportVolume, Supported,
};
use impinge::tree::Counts;
use impinge::tree::traverse::Policy;
use std::collections::HashMap;

/// Levels of the library's own trees, which have eight children to a node.
const OWN_LEVELS: usize = 2;

/// All that contenders look at, by model.
pub(super) struct Stock<'g> {
    trees: [Vec<Classic<'g>>; 3],
    added: [Vec<Additions>; 3],
    own: Vec<Own>,
}

/// The library's tree of one model, and what is added to it: by kind, for one level and for two.
struct Own {
    mesh: Mesh,
    supports: [Vec<SupportLevels>; 3],
}

/// The axis that parted two bodies in the step before, and in this one: asked again in the same step, the former serves again.
#[derive(Clone, Copy, Default)]
struct Kept {
    step: usize,
    before: Option<DVec3>,
    now: Option<DVec3>,
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
        let mut stock =
            Self { trees: [vec![], vec![], vec![]], added: [vec![], vec![], vec![]], own: vec![] };
        for (k, (model, grouping)) in models.iter().zip(groupings).enumerate() {
            session.step("building", k as u64, models.len() as u64)?;
            for (trees, (_, volume)) in stock.trees.iter_mut().zip(VOLUMES) {
                trees.push(grouping.volumes(volume)?);
            }
            for (added, addition) in stock.added.iter_mut().zip(ADDED) {
                added.push(grouping.add(addition, LEVELS)?);
            }
            let mesh: Mesh = model.mesh()?;
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
        all.push(self.filtered(false, label(FILTER[0], 1)));
        all.push(self.filtered(true, label(FILTER[1], 1)));
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
    fn filtered(&self, keep: bool, label: Label) -> Contender<'_> {
        let mut scratch = Scratch::default();
        let mut axes: HashMap<u64, Kept> = HashMap::new();
        let meets = move |task: &Task, work: Option<&mut Work>| {
            let [a, b] = task.models.map(|model| &self.own[model]);
            let [filter_a, filter_b] = [a, b].map(|own| &own.supports[2][0]);
            let parted = if keep {
                let kept = axes.entry(task.pair).or_default();
                if kept.step != task.step {
                    *kept = Kept { step: task.step, before: kept.now, now: None };
                }
                kept.now = kept.before;
                filter_a.parts_again(filter_b, &task.place, &mut kept.now)
            } else {
                filter_a.parts(filter_b, &task.place)
            };
            if let Some(work) = work {
                work.supports += 1;
                work.apart += u64::from(parted);
            }
            !parted && mesh::overlap(&a.mesh, &b.mesh, &task.place, &mut scratch)
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
