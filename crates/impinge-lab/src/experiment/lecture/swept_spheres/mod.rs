//! Swept spheres: distances beside the methods before them, and the one routine for all cores beside GJK.
//!
//! E. Larsen, S. Gottschalk, M. C. Lin and D. Manocha, "Fast proximity queries with swept sphere volumes" (1999): points, lines and
//! rectangles swept by spheres, in the library PQP.

mod cores;
mod prior;

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::session::Session;
use crate::setting::hierarchy::geometric;
use crate::setting::{bodies, placements};
use crate::table::{Cell, Table};
use crate::timing::{ROUNDS, Rounds, Spread, repeated_watched};
use cores::Found;
use impinge::geom::bound::{Aabb, Bound, LANES, Obb, Rss, Sphere};
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};
use impinge::tree::Counts;
use impinge::tree::traverse::Order;
use prior::{Ball, Cuboid, Tree, Volume};
use std::hint::black_box;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "swept-spheres",
    title: "Distances with swept spheres against earlier methods; one routine for all cores against GJK",
    document: Document::Lecture,
    place: "Swept sphere volumes, PQP",
    models: ModelUse::Added,
    revision: 3,
    work,
};

/// What distances are found with. The first is ours; the next three differ from it in the volume alone; the last two are as it was done before.
const METHODS: [&str; 6] = [
    "RSS, eight at a time",
    "OBB, eight at a time",
    "AABB, eight at a time",
    "sphere, eight at a time",
    "sphere, one at a time",
    "OBB with GJK, one at a time",
];

/// What one body takes near or far.
struct Asked {
    /// Tests of two volumes per query, for each of [`METHODS`].
    tests: Vec<f64>,
    /// The times of all queries, in turns.
    times: Rounds,
    queries: usize,
}

impl Asked {
    /// Microseconds of a query in the fastest round.
    fn microseconds(&self, method: usize) -> f64 {
        let least = self.times.of(method).iter().copied().fold(f64::MAX, f64::min);
        least / self.queries.max(1) as f64 / 1e3
    }
}

/// A body near its copy, and far from it.
struct Body {
    name: String,
    asked: [Asked; 2],
}

/// A body with one of [`METHODS`]: what it found at all places when it was counted, and how to ask it again.
struct Asker<'p> {
    distances: Vec<f64>,
    /// Tests of two volumes, of all places.
    tests: u64,
    ask: Box<dyn FnMut() + 'p>,
}

type Way = for<'p> fn(&Model, &'p [ScaledPose]) -> Result<Asker<'p>, LabError>;

const WAYS: [Way; METHODS.len()] = [
    with_mesh::<Rss>,
    with_mesh::<Obb>,
    with_mesh::<Aabb>,
    with_mesh::<Sphere>,
    with_old::<Ball>,
    with_old::<Cuboid>,
];

fn with_mesh<'p, B: Bound>(model: &Model, places: &'p [ScaledPose]) -> Result<Asker<'p>, LabError> {
    let mesh: Mesh<B> = model.mesh()?;
    let (mut scratch, mut counts) = (Scratch::default(), Counts::default());
    let mut counted = |place| {
        let order = Order::default();
        mesh::distance_with(&mesh, &mesh, place, order, &mut scratch, &mut counts).distance
    };
    let distances = places.iter().map(&mut counted).collect();
    let ask = move || {
        for place in places {
            let _ = black_box(mesh::distance(&mesh, &mesh, place, &mut scratch));
        }
    };
    Ok(Asker { distances, tests: counts.volumes, ask: Box::new(ask) })
}

fn with_old<'p, V: Volume + 'static>(
    model: &Model,
    places: &'p [ScaledPose],
) -> Result<Asker<'p>, LabError> {
    let tree: Tree<V> = Tree::new(model)?;
    // Moving the volumes is not timed: it could be done as they are met.
    let others: Vec<Tree<V>> = places.iter().map(|place| tree.moved(&place.pose)).collect();
    let (distances, tests): (Vec<f64>, Vec<u64>) =
        others.iter().map(|other| tree.distance(other)).unzip();
    let ask = move || {
        for other in &others {
            let _ = black_box(tree.distance(other));
        }
    };
    Ok(Asker { distances, tests: tests.iter().sum(), ask: Box::new(ask) })
}

/// What all methods take at these places, in turns. They have to agree.
fn asked(
    session: &Session<'_>,
    model: &Model,
    places: &[ScaledPose],
    rounds: usize,
) -> Result<Asked, LabError> {
    let mut askers: Vec<Asker<'_>> = Vec::new();
    for way in WAYS {
        session.step(&model.name, askers.len() as u64, WAYS.len() as u64)?;
        let asker = way(model, places)?;
        let known = askers.first().map_or(&asker.distances, |first| &first.distances);
        for (x, y) in known.iter().zip(&asker.distances) {
            if (x - y).abs() > 1e-6 * x.abs().max(1e-3) {
                return Err(LabError::Failed(format!("{}: {x} and {y} apart", model.name)));
            }
        }
        askers.push(asker);
    }
    let over = 1.0 / places.len().max(1) as f64;
    let tests: Vec<f64> = askers.iter().map(|asker| asker.tests as f64 * over).collect();
    let mut works: Vec<&mut dyn FnMut()> =
        askers.iter_mut().map(|asker| &mut *asker.ask as &mut dyn FnMut()).collect();
    let times = repeated_watched(rounds, &mut works, session, &model.name)?;
    Ok(Asked { tests, times, queries: places.len() })
}

fn measured(
    session: &Session<'_>,
    triangles: usize,
    (queries, rounds): (usize, usize),
) -> Result<Vec<Body>, LabError> {
    let models = bodies::of(session, triangles, 20_000)?;
    let mut all = Vec::new();
    for (k, model) in models.iter().enumerate() {
        session.step("bodies", k as u64, models.len() as u64)?;
        let [_, near, far] = placements::placements(&model.mesh()?, queries, session.seed);
        if near.is_empty() {
            continue;
        }
        let near = asked(session, model, &near, rounds)?;
        let far = asked(session, model, &far, rounds)?;
        all.push(Body { name: model.name.clone(), asked: [near, far] });
    }
    Ok(all)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let triangles = session.pick(1_000, 5_000, 20_000);
    let queries = session.pick(3, 10, 20);
    let count = session.pick(1_500, 20_000, 100_000);
    let bodies = measured(session, triangles, (queries, ROUNDS))?;
    let cores = cores::all(count, session)?;
    let mut finding = Finding {
        setting: format!(
            "Distances of {} bodies of about {triangles} triangles from copies of themselves, in {queries} placements within 0.01 radii and \
             {queries} that are 0.5 radii farther; the fastest of {ROUNDS} rounds in which all methods take turns. One at a time: binary trees, \
             one triangle to a leaf, depth first. Then {} pairs of each kind of core, the one routine for one core against eight beside GJK \
             in f64, the fastest of {} rounds in turns.",
            bodies.len(),
            count * LANES,
            ROUNDS
        ),
        tables: vec![distances_table(&bodies), bodies_table(&bodies), cores_table(&cores)],
        charts: vec![chart(&bodies, &cores)],
        ..Finding::default()
    };
    judge_distances(&mut finding, &bodies);
    judge_cores(&mut finding, &cores);
    Ok(finding)
}

/// The geometric mean over bodies of the tests that a method takes over those of swept rectangles.
fn tests_ratio(bodies: &[Body], method: usize, situation: usize) -> f64 {
    let tests = bodies.iter().map(|body| &body.asked[situation].tests);
    geometric(tests.map(|tests| tests[method] / tests[0]))
}

/// The same of times, with the spread over the rounds.
fn time_ratio(bodies: &[Body], method: usize, situation: usize) -> Spread {
    let ratios = |body: &Body| body.asked[situation].times.ratios(method, 0);
    Spread::of_means(&bodies.iter().map(ratios).collect::<Vec<_>>(), |values| geometric(values))
}

fn distances_table(bodies: &[Body]) -> Table {
    let mut table = Table::new(
        "distances",
        "Distances: geometric means over the bodies, and over those of RSS",
    )
    .column("method", "")
    .column("near: tests of volumes", "")
    .column("over RSS", "")
    .varying("time", "µs")
    .varying("over RSS", "")
    .column("far: tests of volumes", "")
    .column("over RSS", "")
    .varying("time", "µs")
    .varying("over RSS", "");
    for (method, name) in METHODS.iter().enumerate() {
        let mut row = vec![Cell::from(*name)];
        for situation in 0..2 {
            let tests = bodies.iter().map(|body| body.asked[situation].tests[method]);
            row.push(geometric(tests).into());
            row.push(tests_ratio(bodies, method, situation).into());
            let times = bodies.iter().map(|body| body.asked[situation].microseconds(method));
            row.push(geometric(times).into());
            row.push(time_ratio(bodies, method, situation).median.into());
        }
        table.row(row);
    }
    table
}

fn bodies_table(bodies: &[Body]) -> Table {
    let mut table =
        Table::new("bodies", "Near: tests of two volumes by body, means").column("body", "");
    for name in METHODS {
        table = table.column(name, "");
    }
    for body in bodies {
        let mut row = vec![Cell::from(body.name.as_str())];
        row.extend(body.asked[0].tests.iter().map(|tests| Cell::from(*tests)));
        table.row(row);
    }
    table
}

fn cores_table(cores: &[Found]) -> Table {
    let mut table = Table::new("cores", "The routine for all cores beside GJK")
        .column("core", "")
        .column("bound over distance, mean", "")
        .column("least", "")
        .column("bounds above the distance", "")
        .varying("routine", "ns")
        .varying("GJK", "ns")
        .varying("GJK over routine", "")
        .column("support calls of GJK", "");
    for Found { name, share: [mean, least], above, times, pairs, calls } in cores {
        let [own, gjk] = [0, 1].map(|way| times.least()[way] / pairs);
        table.row([
            (*name).into(),
            (*mean).into(),
            (*least).into(),
            (*above).into(),
            own.into(),
            gjk.into(),
            times.ratio(1, 0).median.into(),
            (*calls).into(),
        ]);
    }
    table
}

/// Half of the lower end of the published 5 to 20: a factor of two, as for all published ratios of times.
const LEAST: f64 = 2.5;

fn judge_distances(finding: &mut Finding, bodies: &[Body]) {
    let time = |method: usize| [0, 1].map(|situation| time_ratio(bodies, method, situation));
    let tests = |method: usize| [0, 1].map(|situation| tests_ratio(bodies, method, situation));
    // Near and far, against one volume or the slower of several.
    let verdict = |situations: [&[Spread]; 2]| {
        let fast = |times: &[Spread]| times.iter().any(|time| time.is_above(LEAST));
        Verdict::of(situations.into_iter().filter(|times| fast(times)).count(), 2)
    };
    let (spheres, boxes) = (time(3), time(1));
    let alone = verdict([&[spheres[0], boxes[0]], &[spheres[1], boxes[1]]]);
    for (method, before) in [(4, "trees of spheres"), (5, "oriented boxes with GJK")] {
        let (times, tests) = (time(method), tests(method));
        let verdict = match verdict([&times[..1], &times[1..]]) {
            // Ours tests eight at once, PQP did not: only if the volume alone does it too is it the volume.
            Verdict::Reproduced if alone != Verdict::Reproduced => Verdict::Partly,
            other => other,
        };
        finding.claim(
            format!("PQP: a 5–20× speed-up in distance computation over prior methods, here {before}, one at a time"),
            format!(
                "{} times the time near and {} times far (median and middle half of {} rounds); {:.1} and {:.1} times the tests of volumes",
                times[0], times[1], times[0].repeats, tests[0], tests[1]
            ),
            verdict,
            if verdict == Verdict::Partly { "Eight volumes at a time are ours, not PQP's, and count as eight tests: the row below has the effect of the volume alone." } else { "" },
        );
    }
    finding.claim(
        "the same by the volume alone: everything else, also eight at a time, as with swept rectangles",
        format!(
            "spheres take {} times the time near and {} times far, oriented boxes {} and {}",
            spheres[0], spheres[1], boxes[0], boxes[1]
        ),
        alone,
        "",
    );
}

fn judge_cores(finding: &mut Finding, cores: &[Found]) {
    let above: usize = cores.iter().map(|core| core.above).sum();
    let ratios = || cores.iter().map(|core| core.times.ratio(1, 0));
    let slower = ratios().all(|ratio| ratio.is_slower());
    let (least, most) =
        ratios().fold((f64::MAX, 0.0), |(l, m), x| (f64::min(l, x.median), f64::max(m, x.median)));
    finding.claim(
        "one routine for all combinations of cores is faster than GJK",
        format!("a bound by the routine takes 1/{least:.0} to 1/{most:.0} of the time of a distance by GJK; {above} bounds are above the distance"),
        // Unlike is compared: a lower bound in f32, eight at a time, and a distance in f64.
        if slower && above == 0 { Verdict::Partly } else { Verdict::Differs },
        "The routine gives a lower bound in f32 for eight pairs at once, GJK the distance of one in f64: not the same answer.",
    );
}

fn chart(bodies: &[Body], cores: &[Found]) -> Chart {
    let over = |situation: usize| -> Vec<(f64, f64)> {
        let time = |k: usize| time_ratio(bodies, k, situation).median;
        (0..METHODS.len()).map(|k| ((k + 1) as f64, time(k))).collect()
    };
    let names = ["RSS", "OBB", "AABB", "sphere", "sphere, 1", "OBB+GJK, 1"];
    let ends = |value: f64| vec![(4.6, value), (6.4, value)];
    let distances = Panel {
        title: "Time of a distance over that of RSS (1: one at a time)".into(),
        across: Axis::named("volumes", names),
        up: Axis::logarithmic("time over that of RSS"),
        series: vec![
            Series::line("measured, near", over(0)),
            Series::line("measured, far", over(1)),
            Series::published("PQP over prior methods: 5", ends(5.0)).colored(3),
            Series::published("PQP over prior methods: 20", ends(20.0)).colored(3),
        ],
        legend: Corner::Beside,
    };
    let of = |way: usize| -> Vec<(f64, f64)> {
        cores
            .iter()
            .enumerate()
            .map(|(k, core)| ((k + 1) as f64, core.times.least()[way] / core.pairs))
            .collect()
    };
    let routine = Panel {
        title: "The routine for all cores beside GJK".into(),
        across: Axis::named("core", cores.iter().map(|core| core.name)),
        up: Axis::logarithmic("time per pair [ns]"),
        series: vec![
            Series::line("routine, eight at a time", of(0)),
            Series::line("GJK (lecture: slower)", of(1)),
        ],
        legend: Corner::Beside,
    };
    Chart { name: "distances".into(), panels: vec![distances, routine] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn all_methods_find_the_same_distances() {
        let bodies = measured(&Session::new(Size::Quick, 1), 100, (1, 1)).unwrap();
        assert!(bodies.len() >= 9);
        assert_eq!(tests_ratio(&bodies, 0, 0), 1.0);
        // Spheres never need fewer tests than rectangles by much.
        assert!(tests_ratio(&bodies, 3, 0) > 0.9);
        let mut finding = Finding::default();
        judge_distances(&mut finding, &bodies);
        assert_eq!(finding.claims.len(), 3);
        assert!(chart(&bodies, &[]).svg().is_ok());
    }
}
