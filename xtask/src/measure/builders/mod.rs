//! Every builder and every volume on the same bodies.
//!
//! Whatever the hierarchy, the answers are the same; what differs is the work F = Nv·Cv + Np·Cp (S. Gottschalk, M. Lin and D. Manocha,
//! "OBBTree", 1996, section 2), the time to build and the memory.

mod boxes;
mod cores;
pub(super) mod models;
pub(super) mod place;
mod rotations;
mod row;
mod spheres;

use super::chart::{self, Line, Panel};
use impinge::geom::bound::{
    Aabb, ConvexHull, Dop14, Dop18, Dop26, Dop36, Ellipsoid, Lss, Obb, ObbRss, RoundedBox, Rss,
    Sphere, SphericalShell, Tss,
};
use impinge::mesh::{self, Mesh, MeshError, Scratch};
use impinge::tree::Builder;
use models::Model;
use row::{Row, Task, Work};
use std::path::PathBuf;

/// Options of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Write builders.svg into this folder.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Also measure the mesh files of this folder.
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// Leave out files of more triangles than this.
    #[arg(long, default_value_t = 100_000)]
    pub largest: usize,
    /// Triangles of a generated model, about.
    #[arg(long, default_value_t = 20_000)]
    pub triangles: usize,
    /// Placements per model and situation.
    #[arg(long, default_value_t = 20)]
    pub queries: usize,
    /// Rotations of the k-DOPs.
    #[arg(long, default_value_t = 10_000)]
    pub rotations: usize,
    /// How often a swept core is measured against eight.
    #[arg(long, default_value_t = 20_000)]
    pub cores: usize,
    /// Every seed gives other placements.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Runs the measurement. True if every hierarchy gives the same answers, and every bound holds.
pub fn run(options: &Options) -> bool {
    super::or_tell(measured(options))
}

fn measured(options: &Options) -> Result<bool, String> {
    let mut models = models::generated(options.triangles);
    if let Some(folder) = &options.models {
        models.extend(models::read(folder, options.largest)?);
    }
    let rows = compare(&models, options)?;
    println!("\nmeans over {} models, geometric but for Np:", rows.len());
    row::heading();
    let means = means(&rows);
    means.iter().for_each(Row::print);
    if let Some(folder) = &options.output {
        chart::write(folder, "builders.svg", &panels(&means))?;
    }
    let alike = rows.iter().flatten().all(|row| row.wrong == 0);
    spheres::run(&models)?;
    let boxes = boxes::run();
    let rotations = rotations::run(options.rotations);
    let cores = cores::run(options.cores)?;
    for (fine, name) in
        [(alike, "answers"), (boxes, "boxes"), (rotations, "rotations"), (cores, "cores")]
    {
        println!("{name}: {}", if fine { "as they should be" } else { "NOT as they should be" });
    }
    Ok(alike && boxes && rotations && cores)
}

/// The table: for each model, the same rows.
fn compare(models: &[Model], options: &Options) -> Result<Vec<Vec<Row>>, String> {
    let mut all = Vec::new();
    for (index, model) in models.iter().enumerate() {
        let fail = |error: MeshError| format!("{}: {error}", model.name);
        let task = task(model, options).map_err(fail)?;
        println!(
            "\nmodel {} of {}: {}, {} triangles, {} placements of each kind",
            index + 1,
            models.len(),
            model.name,
            model.triangles.len(),
            task.places[0].len()
        );
        if task.places[0].is_empty() {
            println!("left out: it does not meet its copy");
            continue;
        }
        row::heading();
        let rows = rows(&task).map_err(fail)?;
        all.push(rows);
    }
    Ok(all)
}

/// Placements for a model, and how often its triangles meet others in placements that are not asked later.
fn task(model: &Model, options: &Options) -> Result<Task, MeshError> {
    let mesh: Mesh<Obb> = Mesh::new(&model.vertices, &model.triangles)?;
    let places = place::placements(&mesh, options.queries, options.seed);
    let mut weights = vec![0.0; model.triangles.len()];
    let (mut scratch, mut met) = (Scratch::default(), Vec::new());
    let [others, ..] = place::placements(&mesh, options.queries, !options.seed);
    for place in &others {
        mesh::pairs(&mesh, &mesh, place, &mut scratch, &mut met);
        for &(a, b, _) in &met {
            weights[a as usize] += 1.0;
            weights[b as usize] += 1.0;
        }
    }
    Ok(Task { model: model.clone(), places, weights })
}

/// Every builder with three volumes, then every other volume with the default builder.
fn rows(task: &Task) -> Result<Vec<Row>, MeshError> {
    let mut rows = Vec::new();
    let mut add = |row: Result<Row, MeshError>| -> Result<(), MeshError> {
        let row = row?;
        row.print();
        rows.push(row);
        Ok(())
    };
    for measure in [row::measure::<Obb>, row::measure::<Aabb>, row::measure::<Sphere>] {
        for builder in Builder::ALL {
            add(measure(task, builder))?;
        }
    }
    let others = [
        row::measure::<Rss>,
        row::measure::<ObbRss>,
        row::measure::<Dop14>,
        row::measure::<Dop18>,
        row::measure::<Dop26>,
        row::measure::<Dop36>,
        row::measure::<Ellipsoid>,
        row::measure::<SphericalShell>,
        row::measure::<Lss>,
        row::measure::<Tss>,
        row::measure::<RoundedBox>,
        row::measure::<ConvexHull>,
    ];
    for measure in others {
        add(measure(task, Builder::default()))?;
    }
    Ok(rows)
}

/// The means of each row over all models: geometric, and for the numbers of leaves, which may be zero, arithmetic.
fn means(models: &[Vec<Row>]) -> Vec<Row> {
    let Some(first) = models.first() else { return Vec::new() };
    let count = models.len() as f64;
    let mean_of = |index: usize, value: &dyn Fn(&Row) -> f64| {
        (models.iter().map(|rows| value(&rows[index]).ln()).sum::<f64>() / count).exp()
    };
    (0..first.len())
        .map(|index| Row {
            build: mean_of(index, &|row| row.build),
            bytes: mean_of(index, &|row| row.bytes),
            cost: mean_of(index, &|row| row.cost),
            work: std::array::from_fn(|situation| Work {
                volumes: mean_of(index, &|row| row.work[situation].volumes),
                leaves: models.iter().map(|rows| rows[index].work[situation].leaves).sum::<f64>()
                    / count,
                microseconds: mean_of(index, &|row| row.work[situation].microseconds),
            }),
            wrong: models.iter().map(|rows| rows[index].wrong).sum(),
            ..first[index].clone()
        })
        .collect()
}

/// What builders cost and bring for oriented boxes, and what volumes do with the default builder.
fn panels(means: &[Row]) -> [Panel; 2] {
    let near = |row: &Row| row.work[1];
    let point = |name: &str, at: (f64, f64)| Line { name: name.into(), points: vec![at] };
    let builders = means.iter().filter(|row| row.volume == means[0].volume);
    let volumes = means.iter().filter(|row| row.builder == Builder::default());
    [
        Panel {
            title: "Builders of OBB trees: a near miss by the time to build".into(),
            across: "milliseconds to build".into(),
            up: "tests of two volumes in a near miss".into(),
            lines: builders
                .map(|row| point(row.builder.name(), (row.build, near(row).volumes)))
                .collect(),
            falling: false,
            even: false,
        },
        Panel {
            title: "Volumes, binned by area: time of a near miss by tests".into(),
            across: "tests of two volumes in a near miss".into(),
            up: "microseconds".into(),
            lines: volumes
                .map(|row| point(row.volume, (near(row).volumes, near(row).microseconds)))
                .collect(),
            falling: false,
            even: false,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builder_and_volume_answers_alike_on_small_models() {
        let folder = std::env::temp_dir().join(format!("impinge-builders-{}", std::process::id()));
        let options = Options {
            output: Some(folder.clone()),
            models: None,
            largest: 1000,
            triangles: 300,
            queries: 2,
            rotations: 100,
            cores: 50,
            seed: 1,
        };
        assert!(run(&options), "a hierarchy answers otherwise than the rest");
        let text = std::fs::read_to_string(folder.join("builders.svg")).unwrap();
        for builder in Builder::ALL {
            assert!(text.contains(builder.name()), "{builder:?}");
        }
        assert!(text.contains("ellipsoid") && !text.contains("NaN"));
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn a_folder_that_is_not_there_fails() {
        let options = Options {
            output: None,
            models: Some("no such folder".into()),
            largest: 1,
            triangles: 100,
            queries: 1,
            rotations: 1,
            cores: 1,
            seed: 1,
        };
        assert!(!run(&options));
    }
}
