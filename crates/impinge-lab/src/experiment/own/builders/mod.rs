//! Every builder and every volume on the same bodies.
//!
//! Whatever the hierarchy, the answers are the same; what differs is the work F = Nv·Cv + Np·Cp (S. Gottschalk, M. Lin and D. Manocha,
//! "OBBTree", 1996, section 2), the time to build and the memory.

mod rotations;

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::session::Session;
use crate::setting::hierarchy::{Row, Task, means, measure};
use crate::setting::{bodies, placements};
use crate::table::{Cell, Table};
use crate::timing::Spread;
use impinge::geom::bound::{
    Aabb, ConvexHull, Dop14, Dop18, Dop26, Dop36, EllipsoidBound, Lss, Obb, ObbRss, RoundedBox,
    Rss, Sphere, SphericalShell, Tss,
};
use impinge::mesh::{self, Mesh, Scratch};
use impinge::tree::Builder;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "builders",
    title: "Every builder and every bounding volume on the same bodies: time to build, memory, work of queries",
    document: Document::Impinge,
    place: "what to choose; the lecture's cost function and its trade-off in choosing volumes",
    models: ModelUse::Added,
    revision: 2,
    work,
};

/// A volume with any builder.
type Measure = fn(&Task, Builder) -> Result<Row, LabError>;

/// These are tried with every builder.
const WITH_ALL: [Measure; 3] = [measure::<Obb>, measure::<Aabb>, measure::<Sphere>];
/// These with the default one.
const WITH_DEFAULT: [Measure; 12] = [
    measure::<Rss>,
    measure::<ObbRss>,
    measure::<Dop14>,
    measure::<Dop18>,
    measure::<Dop26>,
    measure::<Dop36>,
    measure::<EllipsoidBound>,
    measure::<SphericalShell>,
    measure::<Lss>,
    measure::<Tss>,
    measure::<RoundedBox>,
    measure::<ConvexHull>,
];

/// The rows of one body.
struct Body {
    name: String,
    rows: Vec<Row>,
}

/// Placements for a body, and how often its triangles meet others in placements that are not asked later.
fn task(model: &Model, queries: usize, seed: u64) -> Result<Task, LabError> {
    let mesh: Mesh<Obb> = model.mesh()?;
    let places = placements::placements(&mesh, queries, seed);
    let mut weights = vec![0.0; model.triangles.len()];
    let (mut scratch, mut met) = (Scratch::default(), Vec::new());
    let [others, ..] = placements::placements(&mesh, queries, !seed);
    for place in &others {
        mesh::pairs(&mesh, &mesh, place, &mut scratch, &mut met);
        for &(a, b, _) in &met {
            weights[a as usize] += 1.0;
            weights[b as usize] += 1.0;
        }
    }
    Ok(Task { model: model.clone(), places, weights })
}

fn measured(
    session: &Session<'_>,
    triangles: usize,
    queries: usize,
) -> Result<Vec<Body>, LabError> {
    let models = bodies::of(session, triangles, 100_000)?;
    let each = WITH_ALL.len() * Builder::ALL.len() + WITH_DEFAULT.len();
    let mut all = Vec::new();
    for (k, model) in models.iter().enumerate() {
        let task = task(model, queries, session.seed)?;
        if task.places[0].is_empty() {
            continue;
        }
        let mut rows = Vec::new();
        let every = WITH_ALL.iter().flat_map(|m| Builder::ALL.iter().map(move |b| (m, *b)));
        let others = WITH_DEFAULT.iter().map(|measure| (measure, Builder::default()));
        for (measure, builder) in every.chain(others) {
            session.step(
                &model.name,
                (k * each + rows.len()) as u64,
                (models.len() * each) as u64,
            )?;
            rows.push(measure(&task, builder)?);
        }
        all.push(Body { name: model.name.clone(), rows });
    }
    Ok(all)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let triangles = session.pick(1_000, 5_000, 20_000);
    let queries = session.pick(3, 10, 20);
    let bodies = measured(session, triangles, queries)?;
    let means = means(&bodies.iter().map(|body| body.rows.clone()).collect::<Vec<_>>());
    let (turns, outside) = rotations::table(session.pick(1_000, 10_000, 10_000), session)?;
    let by_builder = by_body(
        &bodies,
        "near-builders",
        "OBB trees: tests of two volumes in a near miss",
        |row| (row.volume == means[0].volume).then(|| row.builder.name()),
    );
    let by_volume = by_body(
        &bodies,
        "near-volumes",
        "Default builder: tests of two volumes in a near miss",
        |row| (row.builder == Builder::default()).then_some(row.volume),
    );
    let mut finding = Finding {
        setting: format!(
            "{} bodies of about {triangles} triangles against copies of themselves: {queries} placements that meet, {queries} that pass within \
             0.01 radii (near misses) and {queries} that are 0.5 radii farther; nodes of eight volumes, leaves of up to eight triangles. Means \
             over bodies are geometric, of tests of leaves arithmetic.",
            bodies.len()
        ),
        tables: vec![means_table(&means), by_builder, by_volume, turns],
        charts: vec![chart(&means)],
        ..Finding::default()
    };
    judge(&mut finding, &means, outside);
    Ok(finding)
}

fn means_table(means: &[Row]) -> Table {
    let mut table = Table::new("means", "Means over the bodies")
        .column("builder", "")
        .column("volume", "")
        .varying("build", "ms")
        .column("memory per triangle", "bytes")
        .column("cost of a line", "");
    for situation in placements::SITUATIONS {
        table = table
            .column(format!("{situation}: tests of volumes"), "")
            .column("of leaves", "")
            .varying("time", "µs");
    }
    for row in means {
        let mut cells: Vec<Cell> = vec![
            row.builder.name().into(),
            row.volume.into(),
            row.build.into(),
            row.bytes.into(),
            row.cost.into(),
        ];
        for work in &row.work {
            cells.extend([work.volumes, work.leaves, work.microseconds].map(Cell::from));
        }
        table.row(cells);
    }
    table
}

/// A row for each body, a column for each of the hierarchies that have a name.
fn by_body(
    bodies: &[Body],
    name: &str,
    title: &str,
    named: impl Fn(&Row) -> Option<&'static str>,
) -> Table {
    let mut table = Table::new(name, title).column("body", "");
    for name in bodies.iter().take(1).flat_map(|body| body.rows.iter().filter_map(&named)) {
        table = table.column(name, "");
    }
    for body in bodies {
        let own = body.rows.iter().filter(|row| named(row).is_some());
        let mut cells = vec![Cell::from(body.name.as_str())];
        cells.extend(own.map(|row| Cell::from(row.work[1].volumes)));
        table.row(cells);
    }
    table
}

fn judge(finding: &mut Finding, means: &[Row], outside: usize) {
    let wrong: usize = means.iter().map(|row| row.wrong).sum();
    finding.claim(
        "whatever the builder and the volume, the answers are the same",
        format!("{wrong} wrong answers of {} hierarchies per body", means.len()),
        Verdict::holds(wrong == 0),
        "",
    );
    let near = |row: &&Row| row.work[1].volumes;
    let boxes: Vec<&Row> = means.iter().filter(|row| row.volume == means[0].volume).collect();
    let default = boxes.iter().find(|row| row.builder == Builder::default());
    let best = boxes.iter().min_by(|a, b| near(a).total_cmp(&near(b)));
    if let (Some(default), Some(best)) = (default, best) {
        finding.claim(
            "the default builder is hard to beat",
            format!(
                "{} needs {:.2} times the tests of {}, the best on OBB trees, and {:.2} times its time to build",
                default.builder.name(),
                near(default) / near(best),
                best.builder.name(),
                default.build / best.build
            ),
            Verdict::holds(near(default) <= 1.25 * near(best)),
            "",
        );
    }
    let with_default = || means.iter().filter(|row| row.builder == Builder::default());
    let fewest = with_default().min_by(|a, b| near(a).total_cmp(&near(b)));
    let fastest =
        with_default().min_by(|a, b| a.work[1].microseconds.total_cmp(&b.work[1].microseconds));
    if let (Some(fewest), Some(fastest)) = (fewest, fastest) {
        let [tight, quick] = [fewest, fastest].map(|row| row.work[1].rounds);
        let longer = Spread::of(tight.iter().zip(&quick).map(|(t, q)| t / q).collect());
        finding.claim(
            "lecture: tighter volumes need fewer tests, simpler ones cheaper tests; the cost function decides",
            format!(
                "in a near miss {} needs the fewest tests ({:.0}), {} the least time with {:.0} tests; the former takes {longer} times as long (median and middle half of {} rounds)",
                fewest.volume,
                near(&fewest),
                fastest.volume,
                near(&fastest),
                longer.repeats
            ),
            Verdict::holds(fewest.volume != fastest.volume && longer.is_slower()),
            "",
        );
    }
    finding.claim(
        "a k-DOP that turns by hill climbing, by its corners or by sums of directions still covers the body",
        format!("{outside} rotations lost a point"),
        Verdict::holds(outside == 0),
        "",
    );
}

/// What builders cost and bring for oriented boxes, and what volumes do with the default builder.
fn chart(means: &[Row]) -> Chart {
    let near = |row: &Row| row.work[1];
    let builders = means.iter().filter(|row| row.volume == means[0].volume);
    let volumes = means.iter().filter(|row| row.builder == Builder::default());
    let panel = |title: &str, across: &str, up: &str, series: Vec<Series>| Panel {
        title: title.into(),
        across: Axis::logarithmic(across),
        // Less than a decade has no marks on a logarithmic axis.
        up: Axis::linear(up),
        series,
        legend: Corner::default(),
    };
    let builders =
        builders.map(|row| Series::named(row.builder.name(), (row.build, near(row).volumes)));
    let volumes =
        volumes.map(|row| Series::named(row.volume, (near(row).volumes, near(row).microseconds)));
    Chart {
        name: "means".into(),
        panels: vec![
            panel(
                "Builders of OBB trees: a near miss by the time to build",
                "time to build [ms]",
                "tests of two volumes in a near miss",
                builders.collect(),
            ),
            panel(
                "Volumes with the default builder: time by tests",
                "tests of two volumes in a near miss",
                "time of a near miss [µs]",
                volumes.collect(),
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn every_builder_and_volume_answers_alike_on_small_bodies() {
        let bodies = measured(&Session::new(Size::Quick, 1), 100, 1).unwrap();
        assert!(bodies.len() >= 9);
        let means = means(&bodies.iter().map(|body| body.rows.clone()).collect::<Vec<_>>());
        let mut finding = Finding::default();
        judge(&mut finding, &means, 0);
        assert_eq!(finding.claims[0].verdict, Verdict::Reproduced);
        judge(&mut finding, &means[..1], 1);
        assert_eq!(finding.claims.last().unwrap().verdict, Verdict::Differs);
        let text = chart(&means).svg().unwrap();
        for builder in Builder::ALL {
            assert!(text.contains(builder.name()), "{builder:?}");
        }
        assert!(text.contains("ellipsoid") && !text.contains("NaN"));
    }
}
