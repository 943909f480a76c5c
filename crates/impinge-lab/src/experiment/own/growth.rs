//! How the work of queries grows with the number of triangles.

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series, slope};
use crate::clock::Clock;
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::random::Random;
use crate::session::Session;
use crate::setting::bodies::bumpy;
use crate::setting::mean::{Mean, mean};
use crate::table::Table;
use crate::timing::ROUNDS;
use impinge::geom::Pose;
use impinge::geom::bound::{Aabb, Bound, Obb, ObbRss, Rss};
use impinge::geom::ray::Ray;
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};
use impinge::tree::traverse::{Order, Policy};
use std::ops::Range;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "growth",
    title: "Mesh queries by the number of triangles: time, tests and memory",
    document: Document::Impinge,
    place: "how queries grow",
    models: ModelUse::Unused,
    revision: 3,
    work,
};

/// What is asked.
const QUERIES: [&str; 4] = ["yes/no", "all pairs", "distance", "first hit of a ray"];

/// The meshes of one size.
struct Size {
    triangles: usize,
    /// Seconds.
    build: f64,
    /// For each of [`QUERIES`].
    means: [Mean; 4],
}

fn measured(session: &Session<'_>, largest: usize, queries: usize) -> Result<Vec<Size>, LabError> {
    let sides = sides(largest);
    let mut sizes = Vec::new();
    for (k, side) in sides.iter().enumerate() {
        session.step("growing", k as u64, sides.len() as u64)?;
        let (vertices, triangles) = bumpy(*side);
        let start = Clock::start();
        let mesh = Mesh::<Obb>::new(&vertices, &triangles).map_err(LabError::failed)?;
        let build = start.seconds();
        let means = ask(&mesh, queries, session.seed);
        sizes.push(Size { triangles: triangles.len(), build, means });
    }
    Ok(sizes)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let largest = session.pick(70_000, 280_000, 4_200_000);
    let queries = session.pick(20, 50, 100);
    let sizes = measured(session, largest, queries)?;
    let mut table =
        Table::new("queries", "Means of a query by the number of triangles of each mesh")
            .column("triangles", "")
            .column("query", "")
            .varying("time", "µs")
            .column("steps", "")
            .column("volumes", "")
            .column("leaves", "")
            .column("triangle pairs in f64", "")
            .column("found", "");
    for size in &sizes {
        for (name, mean) in QUERIES.iter().zip(&size.means) {
            table.row([
                size.triangles.into(),
                (*name).into(),
                mean.microseconds.into(),
                mean.steps.into(),
                mean.volumes.into(),
                mean.leaves.into(),
                mean.primitives.into(),
                mean.found.into(),
            ]);
        }
    }
    let mut built =
        Table::new("builds", "Time to build").column("triangles", "").varying("time", "ms");
    for size in &sizes {
        built.row([size.triangles.into(), (size.build * 1e3).into()]);
    }
    let mut finding = Finding {
        setting: format!(
            "A ball with bumps and its copy, OBB trees, one thread; {queries} random placements or {} rays for each query and size, the fastest \
             of {ROUNDS} rounds.",
            4 * queries
        ),
        tables: vec![table, built, memory(largest)?],
        charts: vec![chart(&sizes)],
        ..Finding::default()
    };
    judge(&mut finding, &sizes);
    Ok(finding)
}

/// The memory of each kind of hierarchy.
fn memory(largest: usize) -> Result<Table, LabError> {
    let (vertices, triangles) = bumpy(37.min((largest as f64 / 12.0).sqrt() as usize));
    fn bytes<B: Bound>(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<f64, LabError> {
        let mesh = Mesh::<B>::with_volume(vertices, triangles).map_err(LabError::failed)?;
        Ok(mesh.bytes() as f64 / triangles.len() as f64)
    }
    let title = format!("Memory beyond vertices and indices, of {} triangles", triangles.len());
    let mut table =
        Table::new("memory", title).column("volume", "").column("per triangle", "bytes");
    let (vertices, triangles) = (&vertices, &triangles);
    table.row([Aabb::NAME.into(), bytes::<Aabb>(vertices, triangles)?.into()]);
    table.row([Obb::NAME.into(), bytes::<Obb>(vertices, triangles)?.into()]);
    table.row([Rss::NAME.into(), bytes::<Rss>(vertices, triangles)?.into()]);
    table.row([ObbRss::NAME.into(), bytes::<ObbRss>(vertices, triangles)?.into()]);
    Ok(table)
}

/// Divisions of a cube's side, each about four times as many triangles as the last.
fn sides(largest: usize) -> Vec<usize> {
    let mut sides = Vec::new();
    let mut count = 1024.0_f64;
    while count <= largest as f64 {
        sides.push(((count / 12.0).sqrt().round()) as usize);
        count *= 4.0;
    }
    sides
}

/// How the tests of volumes of a query grow: the exponent of the number of triangles.
fn exponent(sizes: &[Size], query: usize) -> f64 {
    let points: Vec<(f64, f64)> =
        sizes.iter().map(|size| (size.triangles as f64, size.means[query].volumes)).collect();
    slope(&points, [0.0, f64::MAX])
}

/// Powers of the number of triangles that are about its root; less than these is much more slowly than the number.
const ABOUT_THE_ROOT: Range<f64> = 0.3..0.7;

fn judge(finding: &mut Finding, sizes: &[Size]) {
    let exponents = [0, 1, 2, 3].map(|query| exponent(sizes, query));
    finding.claim(
        "yes/no, distance and rays grow much more slowly than the number of triangles",
        format!(
            "tests of volumes grow with the power {:.2} for yes/no, {:.2} for distance and {:.2} for a ray",
            exponents[0], exponents[2], exponents[3]
        ),
        Verdict::holds([0, 2, 3].iter().all(|query| exponents[*query] < ABOUT_THE_ROOT.end)),
        "",
    );
    finding.claim(
        "all pairs grow as their number does, with the length of the curve along which two surfaces meet: the root of the triangles",
        format!("with the power {:.2}", exponents[1]),
        Verdict::holds(ABOUT_THE_ROOT.contains(&exponents[1])),
        "",
    );
}

fn chart(sizes: &[Size]) -> Chart {
    let panel = |title: &str, up: &str, value: fn(&Mean) -> f64| Panel {
        title: title.into(),
        across: Axis::logarithmic("triangles in each of two meshes"),
        up: Axis::logarithmic(up),
        series: QUERIES
            .iter()
            .enumerate()
            .map(|(query, name)| {
                let point = |size: &Size| (size.triangles as f64, value(&size.means[query]));
                Series::line(*name, sizes.iter().map(point).collect())
            })
            .collect(),
        legend: Corner::Beside,
    };
    Chart {
        name: "queries".into(),
        panels: vec![
            panel("Time of a query (OBB tree, one thread)", "time [µs]", |mean| mean.microseconds),
            panel("Volumes tested in a query", "tests of volumes", |mean| mean.volumes),
        ],
    }
}

/// The means over all placements, one for each of [`QUERIES`].
fn ask(mesh: &Mesh<Obb>, count: usize, seed: u64) -> [Mean; 4] {
    let mut random = Random::new(seed);
    let mut place = |low: f64, high: f64| -> ScaledPose {
        let length = random.between(low, high);
        let translation = random.direction().map(|x| x * length);
        Pose::new(random.quaternion(), translation).unwrap_or_default().into()
    };
    let mut places =
        |low, high| -> Vec<ScaledPose> { (0..count).map(|_| place(low, high)).collect() };
    let (some, deep, apart) = (places(1.9, 2.15), places(1.7, 1.9), places(2.3, 2.6));
    let mut random = Random::new(seed + 1);
    let rays: Vec<Ray> = (0..count * 4)
        .filter_map(|_| {
            let from = random.direction().map(|x| x * 3.0);
            let to = random.point();
            Ray::new(from, std::array::from_fn(|c| to[c] - from[c])).ok()
        })
        .collect();
    let mut scratch = Scratch::default();
    let mut list = Vec::new();
    [
        mean(&some, |place, counts| {
            let policy = Policy::default();
            u64::from(mesh::overlap_with(mesh, mesh, place, policy, &mut scratch, counts))
        }),
        mean(&deep, |place, counts| {
            let policy = Policy::default();
            mesh::pairs_with(mesh, mesh, place, policy, &mut scratch, &mut list, counts);
            list.len() as u64
        }),
        mean(&apart, |place, counts| {
            let order = Order::default();
            let found = mesh::distance_with(mesh, mesh, place, order, &mut scratch, counts);
            u64::from(found.distance > 0.0)
        }),
        mean(&rays, |ray, counts| {
            u64::from(mesh.cast_ray_with(ray, &mut scratch, counts).is_some())
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_run_from_a_thousand_to_four_million() {
        let counts: Vec<usize> = sides(4_200_000).iter().map(|side| 12 * side * side).collect();
        assert_eq!((counts[0], counts.len()), (972, 7));
        assert!((4_100_000..4_300_000).contains(&counts[6]), "{counts:?}");
    }

    #[test]
    fn four_times_the_triangles_are_not_four_times_the_work() {
        let session = Session::new(crate::session::Size::Quick, 1);
        let sizes = measured(&session, 5000, 5).unwrap();
        assert_eq!(sizes.len(), 2);
        assert!((0..4).all(|query| exponent(&sizes, query) < 0.9));
        assert!(sizes[1].means[1].found > 10.0, "all pairs");
        assert_eq!(memory(1000).unwrap().rows.len(), 4);
        assert!(chart(&sizes).svg().unwrap().contains("first hit of a ray"));
    }
}
