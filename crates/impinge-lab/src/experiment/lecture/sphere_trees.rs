//! Ways to build trees of spheres: how much room their spheres take, and what queries cost.
//!
//! P. Hubbard, "Collision detection for interactive graphics applications" (1995), grows them from an octree and from the medial axis; the
//! lecture also names tiling the triangles and covering the vertices.

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Series};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::session::Session;
use crate::setting::hierarchy::{Row, Task, geometric, means, measure};
use crate::setting::{bodies, panel, placements};
use crate::table::{Cell, Table};
use impinge::geom::bound::{LANES, Obb, Sphere};
use impinge::mesh::Mesh;
use impinge::tree::{Builder, Covering};
use std::ops::Range;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "sphere-trees",
    title: "Ways to build sphere trees: the volume of their spheres and the work of queries",
    document: Document::Lecture,
    place: "Sphere-trees, methods for building sphere-trees",
    models: ModelUse::Added,
    revision: 3,
    work,
};

/// What is compared: the four of the lecture, then two that know nothing of spheres.
const BUILDERS: [Builder; 6] = [
    Builder::Spheres(Covering::Octree),
    Builder::Spheres(Covering::TriangleTiling),
    Builder::Spheres(Covering::VertexCovering),
    Builder::Spheres(Covering::MedialAxis),
    Builder::BinnedSah,
    Builder::Agglomerative,
];
/// How many of them are the lecture's.
const OF_SPHERES: usize = 4;

/// The volume of all spheres below the root over the volume of the root.
fn room(model: &Model, builder: Builder) -> Result<f64, LabError> {
    let mesh = Mesh::<Sphere>::with_builder(&model.vertices, &model.triangles, builder)
        .map_err(LabError::failed)?;
    let tree = mesh.tree();
    let cube = |sphere: Sphere| f64::from(sphere.radius()).powi(3);
    let places = LANES as u32..(LANES * tree.node_count()) as u32;
    let below: f64 = places.filter_map(|place| tree.volume(place)).map(cube).sum();
    Ok(below / tree.root().map_or(f64::NAN, cube))
}

/// The longest side of the box around a body over the shortest.
fn slenderness(mesh: &Mesh<Obb>) -> f64 {
    mesh.tree().root().map_or(f64::NAN, |root| {
        f64::from(root.half.max_element()) / f64::from(root.half.min_element())
    })
}

/// What was found for one body.
struct Body {
    name: String,
    slenderness: f64,
    /// In the order of [`BUILDERS`].
    rooms: Vec<f64>,
    /// In the order of [`BUILDERS`], then oriented boxes with the default builder.
    rows: Vec<Row>,
}

fn measured(
    session: &Session<'_>,
    triangles: usize,
    queries: usize,
) -> Result<Vec<Body>, LabError> {
    let models = bodies::of(session, triangles, 100_000)?;
    let of = (models.len() * (BUILDERS.len() + 1)) as u64;
    let mut all: Vec<Body> = Vec::new();
    for (k, model) in models.iter().enumerate() {
        let mesh: Mesh<Obb> = model.mesh()?;
        let places = placements::placements(&mesh, queries, session.seed);
        if places[0].is_empty() {
            continue;
        }
        let slenderness = slenderness(&mesh);
        let weights = vec![0.0; model.triangles.len()];
        let task = Task { model: model.clone(), places, weights };
        let (mut rooms, mut rows) = (Vec::new(), Vec::new());
        for builder in BUILDERS {
            session.step(&model.name, (k * (BUILDERS.len() + 1) + rows.len()) as u64, of)?;
            rooms.push(room(model, builder)?);
            rows.push(measure::<Sphere>(&task, builder)?);
        }
        rows.push(measure::<Obb>(&task, Builder::default())?);
        if let Some(row) = rows.iter().find(|row| row.wrong > 0) {
            let Row { builder, volume, wrong, .. } = row;
            let name = builder.name();
            return Err(LabError::Failed(format!(
                "{}: {volume} trees by {name} give {wrong} wrong answers",
                model.name
            )));
        }
        all.push(Body { name: model.name.clone(), slenderness, rooms, rows });
    }
    Ok(all)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let triangles = session.pick(2_000, 5_000, 20_000);
    let queries = session.pick(4, 10, 20);
    let bodies = measured(session, triangles, queries)?;
    let rows: Vec<Vec<Row>> = bodies.iter().map(|body| body.rows.clone()).collect();
    let means = means(&rows);
    let mut finding = Finding {
        setting: format!(
            "{} bodies of about {triangles} triangles against copies of themselves, in {queries} placements that meet, {queries} that pass \
             within 0.01 radii and {queries} that are 0.5 radii farther. Nodes of eight volumes, leaves of up to eight triangles.",
            bodies.len()
        ),
        tables: vec![queries_table(&bodies), rooms_table(&bodies), means_table(&bodies, &means)],
        charts: vec![chart(&bodies, &means)],
        ..Finding::default()
    };
    judge(&mut finding, &bodies, &means);
    Ok(finding)
}

/// Tests of volumes in a near miss.
fn near(row: &Row) -> f64 {
    row.work[1].volumes
}

/// The fewest tests in a near miss among all sphere trees of a body, over those of oriented boxes.
fn against_boxes(body: &Body) -> f64 {
    let (spheres, boxes) = body.rows.split_at(BUILDERS.len());
    spheres.iter().map(near).fold(f64::MAX, f64::min) / boxes.first().map_or(f64::NAN, near)
}

fn queries_table(bodies: &[Body]) -> Table {
    let mut table = Table::new("near", "Tests of two volumes in a near miss, on average")
        .column("body", "")
        .column("longest over shortest side", "");
    for builder in BUILDERS {
        table = table.column(builder.name(), "");
    }
    table = table.column("OBB tree", "").column("best sphere tree over OBB tree", "");
    for body in bodies {
        let mut row = vec![Cell::from(body.name.as_str()), body.slenderness.into()];
        row.extend(body.rows.iter().map(|row| Cell::from(near(row))));
        row.push(against_boxes(body).into());
        table.row(row);
    }
    table
}

fn rooms_table(bodies: &[Body]) -> Table {
    let mut table =
        Table::new("room", "Volume of all spheres below the root over that of the root's")
            .column("body", "");
    for builder in BUILDERS {
        table = table.column(builder.name(), "");
    }
    for body in bodies {
        let mut row = vec![Cell::from(body.name.as_str())];
        row.extend(body.rooms.iter().map(|room| Cell::from(*room)));
        table.row(row);
    }
    table
}

fn means_table(bodies: &[Body], means: &[Row]) -> Table {
    let mut table = Table::new("means", "Means over the bodies: geometric, of leaves arithmetic")
        .column("tree", "")
        .column("room", "")
        .varying("build", "ms")
        .column("hit: tests of volumes", "")
        .column("of leaves", "")
        .varying("time", "µs")
        .column("near miss: tests of volumes", "")
        .column("of leaves", "")
        .varying("time", "µs");
    for (k, row) in means.iter().enumerate() {
        let spheres = k < BUILDERS.len();
        let name = if spheres { row.builder.name().to_string() } else { "OBB tree".into() };
        let mut cells = vec![Cell::from(name), mean_room(bodies, k).into(), row.build.into()];
        for work in &row.work[..2] {
            cells.extend([work.volumes, work.leaves, work.microseconds].map(Cell::from));
        }
        table.row(cells);
    }
    table
}

fn mean_room(bodies: &[Body], builder: usize) -> Option<f64> {
    let rooms: Vec<f64> = bodies.iter().filter_map(|b| b.rooms.get(builder).copied()).collect();
    (!rooms.is_empty()).then(|| geometric(rooms.into_iter()))
}

fn judge(finding: &mut Finding, bodies: &[Body], means: &[Row]) {
    let best =
        |rows: Range<usize>| means.get(rows)?.iter().min_by(|a, b| near(a).total_cmp(&near(b)));
    let medial = means.iter().find(|row| row.builder == Builder::Spheres(Covering::MedialAxis));
    if let (Some(own), Some(general), Some(medial)) =
        (best(0..OF_SPHERES), best(OF_SPHERES..BUILDERS.len()), medial)
    {
        finding.claim(
            "there is a lack of good methods for building sphere-trees",
            format!(
                "of the lecture's four, {} needs the fewest tests in a near miss, {:.0}; {}, which knows nothing of spheres, {:.0}",
                own.builder.name(),
                near(own),
                general.builder.name(),
                near(general)
            ),
            // A tenth would be a reason to have a method of their own.
            Verdict::holds(near(own) > 0.9 * near(general)),
            "",
        );
        let more = near(medial) / near(own);
        finding.claim(
            "the medial axis can serve as a skeleton for covering with spheres",
            format!(
                "it needs {more:.1} times the tests of {}, the best of the four, and {:.1} times its time to build",
                own.builder.name(),
                medial.build / own.build
            ),
            // A skeleton that takes twice the tests of spheres placed without it serves nothing.
            match more {
                ..=1.1 => Verdict::Reproduced,
                ..=2.0 => Verdict::Partly,
                _ => Verdict::Differs,
            },
            "",
        );
    }
    let mut sorted: Vec<&Body> = bodies.iter().collect();
    sorted.sort_by(|a, b| a.slenderness.total_cmp(&b.slenderness));
    let half = sorted.len() / 2;
    // One body may be a hundred times another: a ball within its sphere needs a single test.
    let of = |part: &[&Body]| {
        let mut ratios: Vec<f64> = part.iter().map(|body| against_boxes(body)).collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let (compact, slender) = (of(&sorted[..half]), of(&sorted[half..]));
    finding.claim(
        "spheres are not always the best approximation, especially for long, skinny objects",
        format!(
            "the best sphere tree needs {compact:.2} times the tests of oriented boxes on the compact half of the bodies, {slender:.2} on \
             the slender half, medians"
        ),
        Verdict::holds(slender > 1.0 && slender > compact),
        "",
    );
}

fn chart(bodies: &[Body], means: &[Row]) -> Chart {
    let dots = means.iter().take(BUILDERS.len()).enumerate().filter_map(|(k, row)| {
        Some(Series::named(row.builder.name(), (mean_room(bodies, k)?, near(row))))
    });
    let by_body = bodies
        .iter()
        .map(|body| Series::named(body.name.as_str(), (body.slenderness, against_boxes(body))));
    Chart {
        name: "builders".into(),
        panels: vec![
            panel::of_dots(
                "Ways to build sphere trees (means over bodies)",
                Axis::linear("volume of all spheres over the root's"),
                Axis::linear("tests of two volumes in a near miss"),
                dots,
            ),
            panel::of_dots(
                "The best sphere tree against an OBB tree, by body",
                Axis::logarithmic("longest over shortest side of the body's box"),
                Axis::logarithmic("tests in a near miss, spheres over boxes"),
                by_body,
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn spheres_that_cover_a_ball_take_about_its_room() {
        let models = bodies::generated(500);
        for builder in BUILDERS {
            let room = room(&models[1], builder).unwrap();
            assert!((0.1..30.0).contains(&room), "{builder:?}: {room}");
        }
        assert!(slenderness(&models[3].mesh().unwrap()) > 10.0, "the rod");
        assert!(slenderness(&models[1].mesh().unwrap()) < 1.2, "the ball");
    }

    #[test]
    fn every_body_is_measured_with_every_builder() {
        let bodies = measured(&Session::new(Size::Quick, 1), 100, 1).unwrap();
        assert!(bodies.len() >= 9);
        let means = means(&bodies.iter().map(|body| body.rows.clone()).collect::<Vec<_>>());
        let mut finding = Finding::default();
        judge(&mut finding, &bodies, &means);
        assert_eq!(finding.claims.len(), 3);
        assert!(chart(&bodies, &means).svg().unwrap().contains("medial axis"));
        // The medial axis is judged by the best of the four, and named with its own time.
        for (tests, verdict) in
            [(1.05, Verdict::Reproduced), (1.5, Verdict::Partly), (2.5, Verdict::Differs)]
        {
            let mut means = means.clone();
            for (k, row) in means.iter_mut().enumerate() {
                (row.work[1].volumes, row.build) = (1.0 + k as f64, [30.0, 1.0][k % 2]);
            }
            (means[3].work[1].volumes, means[3].build) = (tests, 60.0);
            let mut finding = Finding::default();
            judge(&mut finding, &bodies, &means);
            let claim = &finding.claims[1];
            assert_eq!(claim.verdict, verdict);
            assert!(claim.measured.contains("octree") && claim.measured.contains("2.0 times its"));
        }
    }
}
