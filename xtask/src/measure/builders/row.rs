//! One builder with one volume on one model: a row of the table.

use super::models::Model;
use super::place::SITUATIONS;
use crate::measure::growth::{Mean, mean};
use impinge::geom::bound::Bound;
use impinge::mesh::{self, Hierarchy, Mesh, MeshError, Relative, Scratch};
use impinge::tree::Builder;
use impinge::tree::traverse::Policy;
use std::time::{Duration, Instant};

/// What is measured of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) builder: Builder,
    pub(super) volume: &'static str,
    /// Milliseconds, for mesh and hierarchy.
    pub(super) build: f64,
    /// Per triangle, beyond vertices and indices.
    pub(super) bytes: f64,
    /// Volumes and triangles that a random line through the root's volume is expected to be tested against.
    pub(super) cost: f64,
    /// In the order of [`SITUATIONS`].
    pub(super) work: [Work; 3],
    /// Answers that are not those of the placements.
    pub(super) wrong: usize,
}

/// The mean of a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// Tests of two volumes: Nv.
    pub(super) volumes: f64,
    /// Tests of two leaves of up to eight triangles each: Np.
    pub(super) leaves: f64,
    pub(super) microseconds: f64,
}

impl From<Mean> for Work {
    fn from(Mean { volumes, leaves, microseconds, .. }: Mean) -> Self {
        Self { volumes, leaves, microseconds }
    }
}

/// Where a model is asked, and how often its triangles were touched elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) model: Model,
    pub(super) places: [Vec<Relative>; 3],
    pub(super) weights: Vec<f32>,
}

/// A build is repeated for so long, at most thrice.
const PATIENCE: Duration = Duration::from_millis(200);

/// Measures a builder with a volume.
pub(super) fn measure<B: Bound>(task: &Task, builder: Builder) -> Result<Row, MeshError> {
    let Task { model, places, weights } = task;
    let hierarchy = Hierarchy { weights, ..builder.into() };
    let make = || Mesh::<B>::with_hierarchy(&model.vertices, &model.triangles, &hierarchy);
    let start = Instant::now();
    let mesh = make()?;
    let mut build = start.elapsed();
    for _ in 0..2 {
        if start.elapsed() < PATIENCE {
            let again = Instant::now();
            drop(make()?);
            build = build.min(again.elapsed());
        }
    }
    let mut scratch = Scratch::default();
    let mut wrong = 0;
    let mut situation = 0;
    let work = places.each_ref().map(|places| {
        let found = mean(places, |place, counts| {
            let policy = Policy::default();
            u64::from(mesh::overlap_with(&mesh, &mesh, place, policy, &mut scratch, counts))
        });
        let expected = if SITUATIONS[situation] == "hit" { 1.0 } else { 0.0 };
        wrong += ((found.found - expected).abs() * places.len() as f64).round() as usize;
        situation += 1;
        Work::from(found)
    });
    let cost = mesh.tree().cost();
    Ok(Row {
        builder,
        volume: B::NAME,
        build: build.as_secs_f64() * 1e3,
        bytes: mesh.bytes() as f64 / model.triangles.len() as f64,
        cost: cost.volume_visits + cost.item_visits,
        work,
        wrong,
    })
}

/// The line above the rows.
pub(super) fn heading() {
    let situations = SITUATIONS.map(|name| format!("{name:>26}")).concat();
    println!("{:<17} {:<9} {:>8} {:>8} {:>8} {situations}", "", "", "build", "bytes", "cost");
    let columns = format!("{:>9} {:>7} {:>8}", "Nv", "Np", "µs").repeat(3);
    println!(
        "{:<17} {:<9} {:>8} {:>8} {:>8} {columns}",
        "builder", "volume", "ms", "/ tri.", "of line"
    );
}

impl Row {
    /// A line of the table.
    pub(super) fn print(&self) {
        let work = self.work.map(|Work { volumes, leaves, microseconds }| {
            format!("{volumes:>9.1} {leaves:>7.1} {microseconds:>8.2}")
        });
        println!(
            "{:<17} {:<9} {:>8.2} {:>8.1} {:>8.1} {}",
            self.builder.name(),
            self.volume,
            self.build,
            self.bytes,
            self.cost,
            work.concat()
        );
        if self.wrong > 0 {
            println!("{} WRONG ANSWERS", self.wrong);
        }
    }
}
