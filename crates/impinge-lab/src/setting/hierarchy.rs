//! One builder with one volume on one body: time to build, memory, and the work of queries.

use super::mean::{Mean, mean};
use super::placements::SITUATIONS;
use crate::clock::Clock;
use crate::error::LabError;
use crate::model::Model;
use crate::timing::ROUNDS;
use impinge::geom::bound::Bound;
use impinge::mesh::{self, BvhSettings, Mesh, ScaledPose, Scratch};
use impinge::tree::Builder;
use impinge::tree::traverse::Policy;
use std::time::{Duration, Instant};

/// What is measured of a hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) builder: Builder,
    pub(crate) volume: &'static str,
    /// Milliseconds, for mesh and hierarchy.
    pub(crate) build: f64,
    /// Per triangle, beyond vertices and indices.
    pub(crate) bytes: f64,
    /// Volumes and triangles that a random line through the root's volume is expected to be tested against.
    pub(crate) cost: f64,
    /// In the order of [`SITUATIONS`].
    pub(crate) work: [Work; 3],
    /// Answers that are not those of the placements.
    pub(crate) wrong: usize,
}

/// The mean of a query.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Work {
    /// Tests of two volumes: Nv.
    pub(crate) volumes: f64,
    /// Tests of two leaves of up to eight triangles each: Np.
    pub(crate) leaves: f64,
    pub(crate) microseconds: f64,
    /// The same in each round.
    pub(crate) rounds: [f64; ROUNDS],
}

impl From<Mean> for Work {
    fn from(Mean { volumes, leaves, microseconds, rounds, .. }: Mean) -> Self {
        Self { volumes, leaves, microseconds, rounds }
    }
}

/// Where a body is asked, and how often its triangles were touched elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) model: Model,
    pub(crate) places: [Vec<ScaledPose>; 3],
    pub(crate) weights: Vec<f32>,
}

/// A build is repeated for so long, at most thrice.
const PATIENCE: Duration = Duration::from_millis(200);

/// Measures a builder with a volume.
pub(crate) fn measure<B: Bound>(task: &Task, builder: Builder) -> Result<Row, LabError> {
    let Task { model, places, weights } = task;
    let refused = |error| LabError::Failed(format!("{}: {error}", model.name));
    let hierarchy = BvhSettings { weights, ..builder.into() };
    let make =
        || Mesh::<B>::with_bvh(&model.vertices, &model.triangles, &hierarchy).map_err(refused);
    let (begin, start) = (Instant::now(), Clock::start());
    let mesh = make()?;
    let mut build = start.seconds();
    for _ in 0..2 {
        if begin.elapsed() < PATIENCE {
            let again = Clock::start();
            drop(make()?);
            build = build.min(again.seconds());
        }
    }
    let mut scratch = Scratch::default();
    let mut wrong = 0;
    let mut work = [Work::default(); 3];
    for (situation, places) in places.iter().enumerate() {
        let found = mean(places, |place, counts| {
            let policy = Policy::default();
            u64::from(mesh::overlap_with(&mesh, &mesh, place, policy, &mut scratch, counts))
        });
        let expected = if SITUATIONS[situation] == "hit" { 1.0 } else { 0.0 };
        wrong += ((found.found - expected).abs() * places.len() as f64).round() as usize;
        work[situation] = found.into();
    }
    let cost = mesh.tree().cost();
    Ok(Row {
        builder,
        volume: B::NAME,
        build: build * 1e3,
        bytes: mesh.bytes() as f64 / model.triangles.len() as f64,
        cost: cost.volume_visits + cost.item_visits,
        work,
        wrong,
    })
}

/// The means of rows over bodies: geometric, and for the numbers of leaves, which may be zero, arithmetic.
pub(crate) fn means(bodies: &[Vec<Row>]) -> Vec<Row> {
    let Some(first) = bodies.first() else { return Vec::new() };
    let count = bodies.len() as f64;
    let mean_of = |index: usize, value: &dyn Fn(&Row) -> f64| {
        geometric(bodies.iter().filter_map(|rows| rows.get(index)).map(value))
    };
    (0..first.len())
        .map(|index| Row {
            build: mean_of(index, &|row| row.build),
            bytes: mean_of(index, &|row| row.bytes),
            cost: mean_of(index, &|row| row.cost),
            work: std::array::from_fn(|situation| Work {
                volumes: mean_of(index, &|row| row.work[situation].volumes),
                leaves: bodies.iter().map(|rows| rows[index].work[situation].leaves).sum::<f64>()
                    / count,
                microseconds: mean_of(index, &|row| row.work[situation].microseconds),
                rounds: std::array::from_fn(|round| {
                    mean_of(index, &|row| row.work[situation].rounds[round])
                }),
            }),
            wrong: bodies.iter().map(|rows| rows[index].wrong).sum(),
            ..first[index].clone()
        })
        .collect()
}

/// The geometric mean.
pub(crate) fn geometric(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value.ln();
        count += 1.0;
    }
    (sum / count).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::{bodies, placements};
    use impinge::geom::bound::Obb;

    #[test]
    fn a_hierarchy_answers_as_the_placements_are_called() {
        let model = bodies::generated(300).swap_remove(3);
        let places = placements::placements(&model.mesh().unwrap(), 2, 1);
        let weights = vec![0.0; model.triangles.len()];
        let mut task = Task { model, places, weights };
        let row = measure::<Obb>(&task, Builder::default()).unwrap();
        assert_eq!((row.volume, row.wrong), (Obb::NAME, 0));
        assert!(row.work[0].leaves > 0.0 && row.bytes > 10.0 && row.cost > 1.0);
        task.places.swap(0, 1);
        assert_eq!(measure::<Obb>(&task, Builder::default()).unwrap().wrong, 4);
        let both = means(&[vec![Row { cost: 1.0, ..row.clone() }], vec![Row { cost: 4.0, ..row }]]);
        assert!((both[0].cost - 2.0).abs() < 1e-12);
    }
}
