//! Tests at the root alone: how many near bodies apart each parts, and at what price.

use super::addition::{Addition, DENSITY};
use super::classic::{Grouping, Query, Space, Work};
use super::placements::Placements;
use crate::error::LabError;
use crate::finding::{Finding, Verdict};
use crate::model::Model;
use crate::table::Table;
use impinge::geom::support_plane::Grid;
use impinge::mesh::SupportVolume;

/// Tests at the root alone, in spheres.
const ROOT: [Addition; 9] = [
    Addition::DVSPM,
    Addition::SampledVertices(Grid::Octahedral(DENSITY)),
    Addition::Vertices,
    Addition::DFSPM,
    Addition::SampledFaces(Grid::Octahedral(DENSITY)),
    Addition::Faces,
    Addition::Tables(1),
    Addition::CW3,
    Addition::Hulls,
];

/// Without rows yet.
pub(super) fn table() -> Table {
    Table::new("root", "At the root alone, in spheres: the share of near bodies separated, and its cost in weighted operations")
        .column("model", "")
        .column("test", "")
        .column("spheres overlap", "")
        .column("of those, apart", "")
        .column("parted", "")
        .column("share", "%")
        .column("price, all", "")
        .column("price, apart", "")
}

/// Adds the rows of a model. Tells share and price of the support table with one axis, and with three.
pub(super) fn add(
    table: &mut Table,
    model: &Model,
    placements: &Placements,
) -> Result<[[f64; 2]; 2], LabError> {
    let grouping = Grouping::root(model);
    let tree = grouping.volumes(SupportVolume::Sphere)?;
    let mut told = [[0.0; 2]; 2];
    for addition in ROOT {
        let added = grouping.add(addition, 1)?;
        let query = Query { a: &tree, b: &tree, added: Some([&added; 2]), levels: 1 };
        let mut space = Space::default();
        let mut works = [Work::default(); 2];
        for (place, meet) in placements.each() {
            query.levels_needed(place, 1, &mut space, &mut works[usize::from(meet)]);
        }
        let price = |work: &Work| work.price - 33.0 * work.volumes as f64;
        let [apart, meet] = &works;
        let near = apart.supports + meet.supports;
        let all = (price(apart) + price(meet)) / near.max(1) as f64;
        let share = 100.0 * apart.apart as f64 / apart.supports.max(1) as f64;
        match addition {
            Addition::Tables(1) => told[0] = [share, all],
            Addition::CW3 => told[1] = [share, all],
            _ => {}
        }
        let priced = addition != Addition::Hulls
            && addition != Addition::Vertices
            && addition != Addition::Faces;
        table.row([
            model.name.as_str().into(),
            addition.name().into(),
            near.into(),
            apart.supports.into(),
            apart.apart.into(),
            share.into(),
            priced.then_some(all).into(),
            priced.then(|| price(apart) / apart.supports.max(1) as f64).into(),
        ]);
    }
    Ok(told)
}

/// What the support table must reach at the root.
pub(super) fn judge(finding: &mut Finding, models: &[Model], told: &[[[f64; 2]; 2]]) {
    let text = models.iter().zip(told).map(|(model, [one, three])| {
        format!(
            "{}: 1 axis {:.1} % at {:.0}, 3 axes {:.1} % at {:.0}",
            model.name, one[0], one[1], three[0], three[1]
        )
    });
    let holds = told
        .iter()
        .filter(|[one, three]| {
            one[0] >= 40.0 && one[1] <= 130.0 && three[0] >= 60.0 && three[1] <= 300.0
        })
        .count();
    finding.claim(
        "(earlier prototype, on the bunny) At the root a support table separates 40 % of near bodies with one axis at 130 weighted operations, and 60 % with three at 300",
        text.collect::<Vec<_>>().join("; "),
        Verdict::of(holds, told.len()),
        "The share depends on the model: hulls of bodies with limbs overlap where the bodies do not.",
    );
}
