//! What section 5 concludes, each judged by a small measurement of its own; the figures have the large ones.

use super::addition::{Addition, DENSITY};
use super::classic::carried;
use super::culling::{Culling, VOLUMES, level_off, peak};
use super::efficiency::{self, Efficiency};
use super::falling_bodies::Fall;
use super::placements::Placements;
use super::race::{ADDED, FILTER, LEVELS, Label, OLD};
use super::recorded::Ground;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{MARGIN, Spread};
use impinge::geom::hull::Hull;
use impinge::geom::support_plane::{
    Enclosure, Grid, PlaneTable, Side, margin, rejects, rejects_common, table_margin,
};

pub(super) const CLAIMS: Experiment = Experiment {
    name: "spm-claims",
    title: "The paper's conclusions, each with a verdict",
    document: Document::SupportPlanes,
    place: "sections 2 to 5",
    models: ModelUse::Instead,
    revision: 3,
    work,
};

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let models = session.models(session.pick(2_000, 17_000, 17_000), 20_000)?;
    let mut finding = Finding {
        setting: format!(
            "Small measurements of what the paper concludes: on {}, and on the two simulations. The experiments of the figures have the same in large.",
            models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>().join(", ")
        ),
        ..Finding::default()
    };
    bounded(&mut finding, &models, session)?;
    let densities: Vec<u8> = (4..=44).step_by(2).collect();
    let efficient: Result<Vec<_>, _> =
        models.iter().map(|model| Efficiency::of(model, &densities, session)).collect();
    efficiency::judge(&mut finding, &efficient?);
    let model = models.get(1).unwrap_or(&models[0]);
    let placements =
        Placements::new(&model.mesh()?, model, session.pick(200, 600, 5_000), session.seed)?;
    directions(&mut finding, model, &placements)?;
    levels(&mut finding, model, &placements, session)?;
    let falls = [Ground::Torus, Ground::Plane]
        .map(|ground| Fall::measure(session, ground, session.pick(2, 1, 1), of_interest));
    let [torus, plane] = falls;
    simulations(&mut finding, &torus?, &plane?);
    Ok(finding)
}

/// Trees of 2010 with the paper's mappings, the library's default, and the filters before it.
fn of_interest(label: &Label) -> bool {
    match label.tree {
        OLD => label.added != Addition::CW3.name(),
        _ => label.levels == 0 || FILTER.contains(&label.added),
    }
}

/// Every third density up to that of the figures.
fn densities() -> impl Iterator<Item = u8> {
    (3..=44).step_by(3)
}

/// Section 2: mappings support the body, and bound it.
fn bounded(finding: &mut Finding, models: &[Model], session: &Session<'_>) -> Result<(), LabError> {
    let (mut tables, mut open, mut cut) = (0, Vec::new(), 0);
    for model in models {
        let hull = Hull::new(&model.vertices).map_err(LabError::failed)?;
        for density in densities() {
            session.step(
                "tables that bound",
                tables,
                (models.len() * 4 * densities().count()) as u64,
            )?;
            for grid in [Grid::Angular(density), Grid::Octahedral(density)] {
                for table in
                    [PlaneTable::vertex_based(&hull, grid), PlaneTable::face_based(&hull, grid)]
                {
                    tables += 1;
                    if !table.is_fully_bounding() {
                        open.push(density);
                    }
                    let slack = 1e-12 * hull.bounding_radius();
                    let cuts = |point| table.planes().any(|plane| plane.height(point) > slack);
                    cut += hull.vertices().iter().filter(|point| cuts(**point)).count();
                }
            }
        }
    }
    open.sort_unstable();
    open.dedup();
    let told = densities().map(|density| density.to_string()).collect::<Vec<_>>().join(", ");
    finding.claim(
        "Discretised mappings are fully bounding, and every plane supports its body (section 2)",
        format!("of {tables} tables of densities {told}, those that do not bound by themselves have densities {open:?}; {cut} vertices are cut off"),
        match (cut, open.iter().all(|density| *density < 6)) {
            (0, true) => Verdict::Reproduced,
            (0, false) => Verdict::Partly,
            _ => Verdict::Differs,
        },
        if open.is_empty() { "" } else { "Grids too coarse to bound get six planes across the axes here." },
    );
    Ok(())
}

/// Section 4.1.2: where to look for planes of boxes along the axes.
fn directions(
    finding: &mut Finding,
    model: &Model,
    placements: &Placements,
) -> Result<(), LabError> {
    let hull = Hull::new(&model.vertices).map_err(LabError::failed)?;
    let table = PlaneTable::vertex_based(&hull, Grid::Angular(DENSITY)).fully_bounding(&hull);
    let volume = Enclosure::aabb_of(hull.vertices());
    let (mut near, mut parted) = (0_u64, [0_u64; 3]);
    for (place, _) in placements.each().filter(|(_, meet)| !meet) {
        let other = carried(&volume, place);
        if volume.common(&other).is_none() {
            continue;
        }
        near += 1;
        let reach = volume.half().max_element() + other.half().max_element();
        let slack = table_margin(4.0 * reach) + margin(8.0 * (reach + other.center().length()));
        let line = other.center() - volume.center();
        for (k, [to_b, to_a]) in [volume.directions(&other), [line, -line]].into_iter().enumerate()
        {
            let plane_b =
                table.plane(place.pose.inverse_rotate(to_a)).moved(&place.pose, place.scale);
            let a = Side { volume, plane: table.plane(to_b) };
            let b = Side { volume: other, plane: plane_b };
            parted[k] += u64::from(rejects(&a, &b, slack));
            if k == 1 {
                parted[2] += u64::from(rejects_common(&a, &b, slack));
            }
        }
    }
    let [paper, line, lemma] = parted.map(|count| 100.0 * count as f64 / near.max(1) as f64);
    finding.claim(
        "For AABBs, planes are best looked for towards the middle of the common box (section 4.1.2)",
        format!(
            "{}: of {near} near pairs apart, {paper:.1} % are separated along these directions, {line:.1} % along the line of centres, {lemma:.1} % with Lemma 3.1 on the common box there",
            model.name
        ),
        Verdict::holds(paper >= line),
        if paper < line { "Where boxes overlap much, the middle of the common box is close to that of each box, and the direction to it is arbitrary." } else { "" },
    );
    Ok(())
}

/// Where the improvement of figure 9 ends, on one model.
fn levels(
    finding: &mut Finding,
    model: &Model,
    placements: &Placements,
    session: &Session<'_>,
) -> Result<(), LabError> {
    let limit = session.pick(7, 9, 12);
    let additions = [Addition::DVSPM, Addition::DFSPM];
    let culling = Culling::of(model, placements, &additions, limit, session)?;
    let mut told = Vec::new();
    let mut offs = Vec::new();
    for (v, (volume, _)) in VOLUMES.iter().enumerate() {
        for (k, addition) in additions.iter().enumerate() {
            let values = culling.improvement(v, k);
            offs.push(level_off(&values));
            told.push(format!(
                "{volume} {}: {:.0} % from {} levels on",
                addition.name(),
                peak(&values).1,
                level_off(&values)
            ));
        }
    }
    finding.claim(
        format!(
            "The culling improvement is greatest at 5 to 6 levels ({}, up to {limit} levels)",
            model.name
        ),
        format!(
            "on {} random placements of two bodies, not on the paper's simulations: {}",
            placements.count(),
            told.join("; ")
        ),
        Verdict::of(offs.iter().filter(|level| (5..=6).contains(*level)).count(), offs.len()),
        "",
    );
    Ok(())
}

/// Figure 11's conclusions, on both simulations.
fn simulations(finding: &mut Finding, torus: &Fall, plane: &Fall) {
    let ratio = torus.spheres_over_boxes();
    finding.claim(
        "On the torus, spheres with planes are even faster than oriented boxes",
        format!("the best spheres take {ratio} times as long as the best oriented boxes"),
        Verdict::holds(ratio.is_faster()),
        "",
    );
    let [(on_torus, by_torus), (on_plane, by_plane)] = [torus, plane].map(|fall| fall.best(0..2));
    finding.claim(
        "The gain is noticeably better on the torus than on the plane",
        format!("at most {on_torus} times as fast on the torus ({by_torus}), {on_plane} on the plane ({by_plane})"),
        // Not in turns: the quartiles of both bound what one gains over the other.
        Verdict::holds(on_torus.low > (1.0 + MARGIN) * on_plane.high),
        "",
    );
    relative_gain(finding, torus);
    let mut shares = Vec::new();
    for fall in [torus, plane] {
        let [plain, kept] = FILTER.map(|name| fall.race.own_share(name, 1));
        shares
            .push(format!("{}: {plain} ({kept} as in scenes, with axes kept)", fall.ground.name()));
    }
    let better = [torus, plane]
        .into_iter()
        .filter(|fall| FILTER.iter().any(|name| fall.race.own_share(name, 1).is_faster()));
    finding.claim(
        "The method has more to offer as a mid-phase, before the hierarchies are descended",
        format!(
            "impinge's tree behind a support table, of its time without: {}",
            shares.join("; ")
        ),
        Verdict::of(better.count(), 2),
        "",
    );
    finding.tables.push(table(torus, plane));
    finding.charts.push(chart(torus, plane));
}

/// "The performance gain for OBBs is higher relatively to the culling rate, when compared with AABBs or Spheres."
fn relative_gain(finding: &mut Finding, torus: &Fall) {
    let best = VOLUMES.map(|(volume, _)| {
        let mut best = (Spread::of(Vec::new()), f64::NAN);
        for addition in &ADDED[..2] {
            let shares = torus.race.shares(volume, addition.name());
            for (level, share) in shares.into_iter().enumerate().skip(1) {
                let Some(outcome) = torus.race.of(OLD, volume, addition.name(), level) else {
                    continue;
                };
                if best.0.repeats == 0 || share.median < best.0.median {
                    let rate = outcome.work.apart as f64 / outcome.work.supports.max(1) as f64;
                    best = (share, rate);
                }
            }
        }
        best
    });
    let told = VOLUMES.iter().zip(best).map(|((volume, _), (share, rate))| {
        format!("{volume} {:.0} % with {:.0} %", 100.0 * (1.0 - share.median), 100.0 * rate)
    });
    // What is saved relative to the rate, by the quartiles: the least of oriented boxes against the most of others.
    let gain = |(share, rate): (Spread, f64), quartile: fn(&Spread) -> f64| {
        (1.0 - quartile(&share)) / rate
    };
    let [sphere, aabb] = [best[0], best[1]].map(|one| gain(one, |share| share.low));
    let obb = gain(best[2], |share| share.high);
    finding.claim(
        "Relative to the culling rate, oriented boxes gain more than AABBs or spheres, since their own test costs more",
        format!(
            "time saved on the torus where most is saved, with the share of looks by planes that reject there: {}",
            told.collect::<Vec<_>>().join(", ")
        ),
        Verdict::of([sphere, aabb].iter().filter(|other| obb > (1.0 + MARGIN) * **other).count(), 2),
        "The paper's rate is that of figure 9, of pairs of bodies; the one here is of pairs of volumes, on all levels that have planes.",
    );
}

fn table(torus: &Fall, plane: &Fall) -> Table {
    let mut table = Table::new("simulations", "Time for all pairs of a step")
        .column("ground", "")
        .column("tree", "")
        .column("volume", "")
        .column("added", "")
        .column("levels", "")
        .column("looks by what is added", "")
        .column("of those, apart", "")
        .varying("time", "ms")
        .varying("of impinge's default tree", "");
    for fall in [torus, plane] {
        for outcome in &fall.race.outcomes {
            let Label { tree, volume, added, levels } = outcome.label;
            table.row([
                fall.ground.name().into(),
                tree.into(),
                volume.into(),
                if levels == 0 { "nothing" } else { added }.into(),
                levels.into(),
                outcome.work.supports.into(),
                outcome.work.apart.into(),
                (outcome.seconds * 1e3 / fall.frames.max(1) as f64).into(),
                (outcome.seconds / fall.race.default_seconds()).into(),
            ]);
        }
    }
    table
}

fn chart(torus: &Fall, plane: &Fall) -> Chart {
    let mut series = Vec::new();
    for (k, fall) in [torus, plane].into_iter().enumerate() {
        for (v, (volume, _)) in VOLUMES.into_iter().enumerate() {
            for (j, addition) in ADDED[..2].iter().enumerate() {
                let seconds = fall.race.seconds(volume, addition.name());
                let gains = seconds
                    .iter()
                    .enumerate()
                    .map(|(level, with)| (level as f64, seconds[0] / with));
                let name = format!("{}, {volume} {}", fall.ground.name(), addition.name());
                series.push(Series::line(name, gains.collect()).colored(6 * k + 2 * v + j));
            }
        }
    }
    let stated = vec![(0.0, 10.0), (LEVELS as f64, 10.0)];
    series.push(Series::published("published: almost an order of magnitude", stated).colored(13));
    let panel = Panel {
        title: "trees of 2010: how many times faster than without planes".into(),
        across: Axis::linear("levels with planes in the hierarchy"),
        up: Axis::logarithmic("time at level 0 / time").within(0.5, 12.0),
        series,
        legend: Corner::Beside,
    };
    Chart { name: "gains".into(), panels: vec![panel] }
}
