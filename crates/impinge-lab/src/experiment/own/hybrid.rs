//! Hybrid hierarchies against every single volume, by the time and the tests of queries.
//!
//! A test of a hybrid node costs what its kind costs, so that tests alone do not compare: times do, in turns within one run. Instructions,
//! which do not depend on what else a machine does, are counted by `cargo xtask instructions`.

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Series};
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::session::Session;
use crate::setting::hierarchy::geometric;
use crate::setting::placements::{self, SITUATIONS};
use crate::setting::{bodies, panel};
use crate::table::Table;
use crate::timing::{MARGIN, Rounds, Spread, repeated_watched};
use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, Dop14, Dop18, Dop26, Dop36, EllipsoidBound, Hybrid, Lss, Obb, ObbRss,
    RoundedBox, Rss, Sphere, SphericalShell, Tss,
};
use impinge::mesh::{self, Mesh, ScaledPose, Scratch};
use impinge::tree::Counts;
use impinge::tree::traverse::Policy;
use std::hint::black_box;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "hybrid",
    title: "Hybrid hierarchies against every single volume",
    document: Document::Lecture,
    place: "Hybrid hierarchies: a simpler volume where it prunes equally well",
    models: ModelUse::Added,
    revision: 2,
    work,
};

/// One body with one volume: how long all its placements take, and what they found.
struct Asker {
    name: &'static str,
    /// Tests of two volumes, on average.
    tests: f64,
    /// Answers that are not those of the placements.
    wrong: usize,
    ask: Box<dyn FnMut()>,
}

fn asker<B: Bound>(model: &Model, places: &[Vec<ScaledPose>; 3]) -> Result<Asker, LabError> {
    let mesh: Mesh<B> = model.mesh()?;
    let mut scratch = Scratch::default();
    let (mut counts, mut wrong) = (Counts::default(), 0);
    // Each by itself: a hit that is lost and a near miss that is reported are two wrong answers.
    for (situation, places) in SITUATIONS.into_iter().zip(places) {
        for place in places {
            let policy = Policy::default();
            let meet = mesh::overlap_with(&mesh, &mesh, place, policy, &mut scratch, &mut counts);
            wrong += usize::from(meet != (situation == "hit"));
        }
    }
    let all: Vec<ScaledPose> = places.iter().flatten().copied().collect();
    let tests = counts.volumes as f64 / all.len().max(1) as f64;
    let ask = move || {
        for place in &all {
            let _ = black_box(mesh::overlap(&mesh, &mesh, place, &mut scratch));
        }
    };
    Ok(Asker { name: B::NAME, tests, wrong, ask: Box::new(ask) })
}

/// A body with one volume, and where it is asked.
type MakeAsker = fn(&Model, &[Vec<ScaledPose>; 3]) -> Result<Asker, LabError>;

/// The hybrid first.
const ALL: [MakeAsker; 16] = [
    asker::<Hybrid>,
    asker::<Aabb>,
    asker::<Obb>,
    asker::<Sphere>,
    asker::<Rss>,
    asker::<ObbRss>,
    asker::<Dop14>,
    asker::<Dop18>,
    asker::<Dop26>,
    asker::<Dop36>,
    asker::<EllipsoidBound>,
    asker::<SphericalShell>,
    asker::<Lss>,
    asker::<Tss>,
    asker::<RoundedBox>,
    asker::<ConvexHull>,
];

/// What was found of one body.
#[derive(Clone, Debug)]
struct Row {
    body: String,
    triangles: usize,
    /// Nodes whose children are axis-aligned boxes, oriented boxes, spheres.
    kinds: [usize; 3],
    /// Of a query, in microseconds, and tests of two volumes: the hybrid, then every single volume.
    volumes: Vec<(&'static str, f64, f64)>,
    /// The times of all of them, round by round.
    times: Rounds,
    wrong: usize,
}

impl Row {
    /// Which single volume takes the least time.
    fn best_place(&self) -> usize {
        let single = (1..self.volumes.len()).min_by(|a, b| {
            let [a, b] = [a, b].map(|place| self.volumes[*place].1);
            a.total_cmp(&b)
        });
        single.unwrap_or(0)
    }

    /// The single volume that takes the least time.
    fn best(&self) -> (&'static str, f64, f64) {
        self.volumes.get(self.best_place()).copied().unwrap_or(("none", f64::NAN, f64::NAN))
    }

    /// The time of the hybrid over that of the best single volume.
    fn ratio(&self) -> f64 {
        self.volumes.first().map_or(f64::NAN, |hybrid| hybrid.1) / self.best().1
    }
}

fn row(
    session: &Session<'_>,
    model: &Model,
    places: &[Vec<ScaledPose>; 3],
    rounds: usize,
) -> Result<Row, LabError> {
    let mut askers = Vec::new();
    for make in ALL {
        askers.push(make(model, places)?);
    }
    let mut works: Vec<&mut dyn FnMut()> =
        askers.iter_mut().map(|asker| &mut *asker.ask as &mut dyn FnMut()).collect();
    let times = repeated_watched(rounds, &mut works, session, &model.name)?;
    let count = places.iter().flatten().count().max(1) as f64;
    let least = times.least().into_iter().map(|nanoseconds| nanoseconds / 1e3 / count);
    Ok(Row {
        body: model.name.clone(),
        triangles: model.triangles.len(),
        kinds: kinds(&model.mesh()?),
        wrong: askers.iter().map(|asker| asker.wrong).sum(),
        volumes: askers
            .iter()
            .zip(least)
            .map(|(asker, time)| (asker.name, time, asker.tests))
            .collect(),
        times,
    })
}

/// How many nodes have children of each kind.
fn kinds(mesh: &Mesh<Hybrid>) -> [usize; 3] {
    let mut kinds = [0; 3];
    for node in 0..mesh.tree().node_count() as u32 {
        match mesh.tree().volume(8 * node) {
            Some(Hybrid::Aabb(_)) => kinds[0] += 1,
            Some(Hybrid::Obb(_)) => kinds[1] += 1,
            Some(Hybrid::Sphere(_)) => kinds[2] += 1,
            None => {}
        }
    }
    kinds
}

fn measured(
    session: &Session<'_>,
    triangles: usize,
    (queries, rounds): (usize, usize),
) -> Result<Vec<Row>, LabError> {
    let mut models = bodies::of(session, triangles, 20_000)?;
    models.push(bodies::assembly(triangles));
    let mut rows = Vec::new();
    for (k, model) in models.iter().enumerate() {
        session.step(&model.name, k as u64, models.len() as u64)?;
        let places = placements::placements(&model.mesh()?, queries, session.seed);
        if !places[0].is_empty() {
            rows.push(row(session, model, &places, rounds)?);
        }
    }
    Ok(rows)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let triangles = session.pick(2_000, 5_000, 20_000);
    let (queries, rounds) = (session.pick(10, 20, 30), session.pick(7, 15, 30));
    let rows = measured(session, triangles, (queries, rounds))?;
    let mut table = Table::new("bodies", "Hybrid and the best single volume of each body: means of a hit, a near miss and a far miss")
        .column("body", "")
        .column("triangles", "")
        .column("nodes of aligned boxes", "")
        .column("of oriented boxes", "")
        .column("of spheres", "")
        .column("hybrid: tests", "")
        .varying("time", "µs")
        .varying("best single", "")
        .varying("its tests", "")
        .varying("time", "µs")
        .varying("ratio", "");
    for row in &rows {
        let (name, time, tests) = row.best();
        let hybrid = row.volumes.first().copied().unwrap_or(("", f64::NAN, f64::NAN));
        let [aabb, obb, sphere] = row.kinds.map(Into::into);
        table.row([
            row.body.as_str().into(),
            row.triangles.into(),
            aabb,
            obb,
            sphere,
            hybrid.2.into(),
            hybrid.1.into(),
            name.into(),
            tests.into(),
            time.into(),
            row.ratio().into(),
        ]);
    }
    let mut finding = Finding {
        setting: format!(
            "{} bodies of about {triangles} triangles against copies of themselves, {queries} placements each of a hit, a near miss and a far \
             miss; the fastest of {rounds} rounds in which all sixteen volumes take turns.",
            rows.len()
        ),
        tables: vec![table, everywhere(&rows)],
        charts: vec![chart(&rows)],
        ..Finding::default()
    };
    judge(&mut finding, &rows);
    Ok(finding)
}

/// The geometric mean over bodies of what a volume takes over what the hybrid takes.
fn over_hybrid(rows: &[Row], volume: usize, value: fn(&(&'static str, f64, f64)) -> f64) -> f64 {
    geometric(rows.iter().map(|row| value(&row.volumes[volume]) / value(&row.volumes[0])))
}

/// What one volume everywhere costs.
fn everywhere(rows: &[Row]) -> Table {
    let mut table =
        Table::new("volumes", "One volume everywhere over hybrid: geometric means over the bodies")
            .column("volume", "")
            .column("tests", "")
            .varying("time", "");
    for (k, (name, ..)) in rows.first().map_or(&[][..], |row| &row.volumes).iter().enumerate() {
        let [tests, time] = [over_hybrid(rows, k, |v| v.2), over_hybrid(rows, k, |v| v.1)];
        table.row([(*name).into(), tests.into(), time.into()]);
    }
    table
}

/// What is about as fast as the best single volume of each body: a twentieth more, half the margin by which something is called faster.
const ABOUT: f64 = 1.0 + MARGIN / 2.0;

/// What a query takes over what another takes, by the places of two volumes in each row: means over the bodies, with their spread.
fn spread(rows: &[Row], places: impl Fn(&Row) -> [usize; 2]) -> Spread {
    let ratios = |row: &Row| {
        let [volume, over] = places(row);
        row.times.ratios(volume, over)
    };
    Spread::of_means(&rows.iter().map(ratios).collect::<Vec<_>>(), |values| geometric(values))
}

fn judge(finding: &mut Finding, rows: &[Row]) {
    let wrong: usize = rows.iter().map(|row| row.wrong).sum();
    let mean = spread(rows, |row| [0, row.best_place()]);
    let most = rows.iter().map(Row::ratio).fold(0.0, f64::max);
    finding.claim(
        "a simpler volume where it prunes equally well benefits from cheaper tests: a hybrid is about as fast as the best volume of each body, \
         without knowing which it is",
        format!("{mean} of the time of the best single volume in the mean (median and middle half of {} rounds), {most:.2} at most", mean.repeats),
        Verdict::holds(mean.is_below(ABOUT)),
        "",
    );
    let single = (1..rows.first().map_or(1, |row| row.volumes.len()))
        .map(|k| (spread(rows, |_| [k, 0]), rows[0].volumes[k].0))
        .min_by(|a, b| a.0.median.total_cmp(&b.0.median));
    if let Some((time, name)) = single {
        finding.claim(
            "no single volume is faster on all bodies together",
            format!("{name} everywhere, the best of fifteen, takes {time} times the time"),
            Verdict::holds(!time.is_faster()),
            "",
        );
    }
    finding.claim(
        "the answers are those of any other volume",
        format!("{wrong} wrong answers"),
        Verdict::holds(wrong == 0),
        "",
    );
}

fn chart(rows: &[Row]) -> Chart {
    let dots = rows.first().map_or(&[][..], |row| &row.volumes).iter().enumerate().map(|(k, v)| {
        Series::named(v.0, (over_hybrid(rows, k, |v| v.2), over_hybrid(rows, k, |v| v.1)))
    });
    let bodies = rows.iter().map(|row| {
        let all = row.kinds.iter().sum::<usize>().max(1) as f64;
        Series::named(row.body.as_str(), (100.0 * row.kinds[1] as f64 / all, row.ratio()))
    });
    Chart {
        name: "volumes".into(),
        panels: vec![
            panel::of_dots(
                "One volume everywhere, over hybrid (means over bodies)",
                Axis::linear("tests of two volumes over those of hybrid"),
                Axis::linear("time over that of hybrid"),
                dots,
            ),
            panel::of_dots(
                "Hybrid over the best single volume of each body",
                Axis::linear("nodes of oriented boxes [%]").within(-5.0, 125.0),
                Axis::linear("time over that of the best single volume"),
                bodies,
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;

    #[test]
    fn every_node_has_a_kind_and_every_volume_answers_alike() {
        let rows = measured(&Session::new(Size::Quick, 1), 150, (1, 1)).unwrap();
        assert!(rows.len() >= 10);
        for row in &rows {
            assert_eq!(row.wrong, 0, "{}", row.body);
            assert_eq!(row.volumes.len(), ALL.len());
            assert!(row.kinds.iter().sum::<usize>() > 0, "{}", row.body);
        }
        assert_eq!(everywhere(&rows).rows.len(), ALL.len());
        assert!(chart(&rows).svg().unwrap().contains("assembly"));
    }

    #[test]
    fn a_lost_hit_and_a_false_near_miss_are_two_wrong_answers() {
        let model = bodies::generated(150).swap_remove(2);
        let mut places = placements::placements(&model.mesh().unwrap(), 1, 1);
        assert_eq!(asker::<Obb>(&model, &places).unwrap().wrong, 0);
        places.swap(0, 1);
        assert_eq!(asker::<Obb>(&model, &places).unwrap().wrong, 2);
    }

    #[test]
    fn the_best_is_the_one_of_the_least_time() {
        let volumes = vec![("hybrid", 3.0, 1.0), ("a", 7.0, 1.0), ("b", 6.0, 2.0)];
        let times = Rounds::steady(&[3.0, 7.0, 6.0], 1);
        let row = Row { body: "x".into(), triangles: 1, kinds: [0; 3], volumes, times, wrong: 0 };
        assert_eq!((row.best().0, row.ratio()), ("b", 0.5));
        assert_eq!(spread(&[row], |row| [0, row.best_place()]).median, 0.5);
    }
}
