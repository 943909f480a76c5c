//! Figure 9: of bodies that are apart and whose volumes do not show it, how many planes on the first levels part.

mod judge;

use super::addition::Addition;
use super::classic::{Additions, Classic, Grouping, Query, Space, Work};
use super::placements::Placements;
use super::prototype;
use super::roots;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding};
use crate::model::Model;
use crate::session::Session;
use crate::table::Table;
use impinge::mesh::SupportVolume;

pub(super) const CULLING: Experiment = Experiment {
    name: "spm-culling",
    title: "How many near bodies planes on the first levels separate",
    document: Document::SupportPlanes,
    place: "figure 9",
    models: ModelUse::Instead,
    revision: 2,
    work,
};

/// With their names.
pub(super) const VOLUMES: [(&str, SupportVolume); 3] =
    [("sphere", SupportVolume::Sphere), ("AABB", SupportVolume::Aabb), ("OBB", SupportVolume::Obb)];

/// The paper's own come first, with the sampled one of each kind before the exact one.
const ADDITIONS: [Addition; 6] = [
    Addition::DFSPM,
    Addition::Faces,
    Addition::DVSPM,
    Addition::Vertices,
    Addition::CW3,
    Addition::Hulls,
];

/// Of [`ADDITIONS`], the paper's.
const PAPER: [usize; 4] = [0, 1, 2, 3];

/// What happened to the pairs of bodies that are apart, by volume, addition and levels from 1.
#[derive(Clone)]
pub(super) struct Culling {
    /// Pairs not decided by the volumes of the first levels.
    undecided: Vec<Vec<u64>>,
    /// Of those, decided with the addition.
    decided: Vec<Vec<Vec<u64>>>,
}

impl Culling {
    fn new(volumes: usize, additions: usize, levels: usize) -> Self {
        Self {
            undecided: vec![vec![0; levels]; volumes],
            decided: vec![vec![vec![0; levels]; additions]; volumes],
        }
    }

    /// On one model, with `levels` at most.
    pub(super) fn of(
        model: &Model,
        placements: &Placements,
        additions: &[Addition],
        levels: usize,
        session: &Session<'_>,
    ) -> Result<Self, LabError> {
        let grouping = Grouping::new(model);
        let mut added = Vec::new();
        for (k, addition) in additions.iter().enumerate() {
            session.step(&format!("{}, building", model.name), k as u64, additions.len() as u64)?;
            added.push(grouping.add(*addition, levels)?);
        }
        let mut culling = Self::new(VOLUMES.len(), additions.len(), levels);
        for (k, (name, volume)) in VOLUMES.iter().enumerate() {
            session.step(&format!("{}, {name}", model.name), k as u64, VOLUMES.len() as u64)?;
            let tree = grouping.volumes(*volume)?;
            culling.count(k, &tree, &added, placements, session)?;
        }
        Ok(culling)
    }

    fn count(
        &mut self,
        volume: usize,
        tree: &Classic<'_>,
        added: &[Additions],
        placements: &Placements,
        session: &Session<'_>,
    ) -> Result<(), LabError> {
        let (mut space, mut work) = (Space::default(), Work::default());
        let limit = self.undecided[volume].len();
        let apart: Vec<_> = placements.each().filter(|(_, meet)| !meet).collect();
        for (k, (place, _)) in apart.iter().enumerate() {
            if k % 64 == 0 {
                session.step("placements", k as u64, apart.len() as u64)?;
            }
            let plain = Query { a: tree, b: tree, added: None, levels: 0 };
            let without = plain.levels_needed(place, limit, &mut space, &mut work);
            for levels in &mut self.undecided[volume][..without] {
                *levels += 1;
            }
            if without == 0 {
                continue;
            }
            for (k, added) in added.iter().enumerate() {
                let query = Query { added: Some([added; 2]), levels: limit, ..plain };
                let with = query.levels_needed(place, limit, &mut space, &mut work);
                // With fewer than `with` levels it is not decided, with more than `without` it needs no planes.
                for levels in &mut self.decided[volume][k][with..without] {
                    *levels += 1;
                }
            }
        }
        Ok(())
    }

    fn join(&mut self, other: &Self) {
        let add = |sums: &mut Vec<u64>, more: &[u64]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        for (k, more) in other.undecided.iter().enumerate() {
            add(&mut self.undecided[k], more);
            for (j, more) in other.decided[k].iter().enumerate() {
                add(&mut self.decided[k][j], more);
            }
        }
    }

    /// In percent, for levels from 0.
    pub(super) fn improvement(&self, volume: usize, addition: usize) -> Vec<f64> {
        let pairs = self.decided[volume][addition].iter().zip(&self.undecided[volume]);
        let shares = pairs.map(|(decided, all)| 100.0 * *decided as f64 / (*all).max(1) as f64);
        std::iter::once(0.0).chain(shares).collect()
    }
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let models = session.models(session.pick(3_000, 17_000, 17_000), 20_000)?;
    let count = session.pick(250, 1_000, 20_000);
    let levels = session.pick(8, 10, 12);
    let mut root = roots::table();
    let mut all = Culling::new(VOLUMES.len(), ADDITIONS.len(), levels);
    let mut table = Table::new("levels", "Pairs of bodies that are apart, by levels")
        .column("model", "")
        .column("volume", "")
        .column("added", "")
        .column("levels", "")
        .column("not decided by volumes", "")
        .column("decided with what is added", "")
        .column("improvement", "%");
    let mut meeting = Vec::new();
    let mut cheap = Vec::new();
    for model in &models {
        let placements = Placements::new(&model.mesh()?, model, count, session.seed)?;
        meeting.push(format!(
            "{} ({} triangles, {:.1} % meet)",
            model.name,
            model.triangles.len(),
            100.0 * placements.meeting()
        ));
        cheap.push(roots::add(&mut root, model, &placements)?);
        let culling = Culling::of(model, &placements, &ADDITIONS, levels, session)?;
        rows(&mut table, &model.name, &culling);
        all.join(&culling);
    }
    rows(&mut table, "all", &all);
    let mut finding = Finding {
        setting: format!(
            "{count} random placements each of two copies of {}; the paper's figure is the average of all its simulations, of many bodies, too. Counted are the pairs of bodies that are apart and that {levels} levels of volumes of a binary \
             tree (both sides opened at once) do not decide, or fewer: the improvement is the share of them that is decided if each pair of \
             overlapping volumes on those levels is looked at once more. With AABBs, boxes of the second body are carried over as boxes \
             along the axes, and planes are asked for along the paper's directions. Hulls are the ceiling: no convex volume parts more.",
            meeting.join(", ")
        ),
        tables: vec![root, table],
        charts: vec![Chart { name: "culling".into(), panels: panels(&all, &models) }],
        ..Finding::default()
    };
    judge::claims(&mut finding, &all);
    roots::judge(&mut finding, &models, &cheap);
    Ok(finding)
}

fn rows(table: &mut Table, model: &str, culling: &Culling) {
    for (v, (volume, _)) in VOLUMES.iter().enumerate() {
        for (k, addition) in ADDITIONS.iter().enumerate() {
            let shares = culling.improvement(v, k);
            for (level, all) in culling.undecided[v].iter().enumerate() {
                table.row([
                    model.into(),
                    (*volume).into(),
                    addition.name().into(),
                    (level + 1).into(),
                    (*all).into(),
                    culling.decided[v][k][level].into(),
                    shares[level + 1].into(),
                ]);
            }
        }
    }
}

fn panels(all: &Culling, models: &[Model]) -> Vec<Panel> {
    let with_bunny = models.iter().any(|model| prototype::column(&model.name) == Some(0));
    let points = |values: Vec<f64>| -> Vec<(f64, f64)> {
        values.into_iter().enumerate().map(|(level, share)| (level as f64, share)).collect()
    };
    let groups: [(&str, &[usize]); 3] = [
        ("face-based (all models)", &[0, 1]),
        ("vertex-based (all models)", &[2, 3]),
        ("beyond the paper (all models)", &[4, 5]),
    ];
    let mut panels = Vec::new();
    for (title, kinds) in groups {
        let mut series = Vec::new();
        for (which, &kind) in kinds.iter().enumerate() {
            for (v, (volume, _)) in VOLUMES.iter().enumerate() {
                let name = format!("{volume} {}", ADDITIONS[kind].name());
                let color = v + 3 * which;
                series.push(Series::line(name, points(all.improvement(v, kind))).colored(color));
            }
        }
        if kinds[0] < 4 {
            let stated = vec![(5.0, 100.0), (6.0, 100.0)];
            series.push(
                Series::published("published: very close to 100 % at 5–6", stated).colored(7),
            );
        }
        for (k, (name, [one, six])) in prototype::CULLING.iter().enumerate().filter(|_| with_bunny)
        {
            let here = match kinds[0] {
                2 => k < 3,
                4 => k >= 3,
                _ => false,
            };
            if here {
                let name = format!("{}, bunny, {name}", prototype::NAME);
                series.push(Series::published(name, vec![(1.0, *one), (6.0, *six)]).colored(k % 3));
            }
        }
        panels.push(Panel {
            title: title.into(),
            across: Axis::linear("levels with additions in the hierarchy").within(0.0, 12.0),
            up: Axis::linear("culling improvement [%]").within(0.0, 100.0),
            series,
            legend: Corner::Beside,
        });
    }
    panels
}

/// The first level with the greatest value, and that value.
pub(super) fn peak(values: &[f64]) -> (usize, f64) {
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    (values.iter().position(|value| *value >= best).unwrap_or(0), best)
}

/// From which level on less than a percent is gained in all.
pub(super) fn level_off(values: &[f64]) -> usize {
    let (_, best) = peak(values);
    values.iter().position(|value| *value >= best - 1.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;
    use crate::session::Size;

    #[test]
    fn more_is_parted_with_more_levels_and_most_by_hulls() {
        let model = Model::generate(ModelShape::Bumpy, 400);
        let placements = Placements::new(&model.mesh().unwrap(), &model, 150, 2).unwrap();
        let additions = [Addition::DVSPM, Addition::CW3, Addition::Hulls];
        let session = Session::new(Size::Quick, 1);
        let culling = Culling::of(&model, &placements, &additions, 4, &session).unwrap();
        for v in 0..3 {
            let [planes, tables, hulls] = [0, 1, 2].map(|k| culling.decided[v][k].clone());
            assert!(planes[0] <= hulls[0] && tables[0] <= hulls[0]);
            for (k, decided) in [&planes, &tables, &hulls].into_iter().enumerate() {
                let known = decided.iter().zip(&culling.undecided[v]);
                assert!(known.into_iter().all(|(some, all)| some <= all), "{v} {k}");
            }
            assert!(culling.undecided[v].windows(2).all(|two| two[0] >= two[1]));
        }
        assert_eq!(culling.improvement(0, 0)[0], 0.0);
    }

    #[test]
    fn peaks_and_levels() {
        assert_eq!(peak(&[0.0, 3.0, 7.0, 7.0]), (2, 7.0));
        assert_eq!(level_off(&[0.0, 40.0, 59.5, 60.0, 60.0]), 2);
    }
}
