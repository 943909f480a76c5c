//! Cells instead of surfaces: how often two grids share a cell where the bodies do not meet, or share none where they do, and what the
//! cells cost, by the resolution.

use super::builders::{models, place};
use super::chart::{self, Line, Panel};
use impinge::geom::Verdict;
use impinge::geom::bound::Obb;
use impinge::geom::glam::DVec3;
use impinge::mesh::{self, Mesh, Mode, Relative, Scratch, Winding};
use impinge::voxel::{Voxels, share_a_cell};
use std::path::PathBuf;
use std::time::Instant;

/// Options of the measurement.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Write voxels.svg into this folder.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The finest grid has so many cells along the longest side; coarser ones have half, a quarter, down to 8.
    #[arg(long, default_value_t = 128)]
    pub finest: u32,
    /// Triangles of a model, about.
    #[arg(long, default_value_t = 5_000)]
    pub triangles: usize,
    /// Placements that meet, that nearly meet, and that are far apart.
    #[arg(long, default_value_t = 20)]
    pub queries: usize,
    /// Every seed gives other placements.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What became of one kind of cells at one resolution, over all models.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Placements of each situation, and those where the cells say otherwise than the surfaces.
    asked: [usize; 3],
    wrong: [usize; 3],
    bytes: usize,
    /// Milliseconds to fill, and microseconds to ask, all together.
    fill: f64,
    ask: f64,
    grids: usize,
}

/// Runs the measurement. True if cells of surfaces never missed surfaces that meet.
pub fn run(options: &Options) -> bool {
    super::or_tell(measured(options))
}

fn measured(options: &Options) -> Result<bool, String> {
    let resolutions: Vec<u32> =
        (3..).map(|power| 1 << power).take_while(|cells| *cells <= options.finest).collect();
    let mut tallies = vec![[Tally::default(); 2]; resolutions.len()];
    let models = models::generated(options.triangles);
    for model in &models {
        let mesh: Mesh<Obb> = Mesh::new(&model.vertices, &model.triangles)
            .map_err(|error| format!("{}: {error}", model.name))?;
        let places = place::placements(&mesh, options.queries, options.seed);
        let truth = truth(&mesh, &places);
        // What is open has no inside.
        let far = mesh::winding(&mesh, DVec3::splat(1e3), &mut Scratch::default());
        let kinds = if matches!(far, Winding::Estimate(_)) { 1 } else { 2 };
        for (cells, tallies) in resolutions.iter().zip(&mut tallies) {
            for (kind, tally) in tallies.iter_mut().enumerate().take(kinds) {
                one(&mesh, &places, &truth, (*cells, kind), tally)
                    .map_err(|error| format!("{}: {error}", model.name))?;
            }
        }
    }
    println!(
        "{} models of about {} triangles against themselves; wrong: of placements that meet, that pass within 0.01 radii, and that are 0.5 radii farther",
        models.len(),
        options.triangles
    );
    println!("| cells | kind | kB | fill ms | ask µs | missed hits | false near | false far |");
    println!("|---:|---|---:|---:|---:|---:|---:|---:|");
    for (cells, tallies) in resolutions.iter().zip(&tallies) {
        for (tally, kind) in tallies.iter().zip(KINDS) {
            print(*cells, kind, tally);
        }
    }
    if let Some(folder) = &options.output {
        chart::write(folder, "voxels.svg", &panels(&resolutions, &tallies))?;
    }
    let lost: usize = tallies.iter().map(|[surface, _]| surface.wrong[0]).sum();
    println!("surfaces that meet and share no cell: {lost}");
    Ok(lost == 0)
}

const KINDS: [&str; 2] = ["surface", "inside"];

/// Whether surfaces meet, and whether solids do, in each placement.
fn truth(mesh: &Mesh<Obb>, places: &[Vec<Relative>; 3]) -> [Vec<[bool; 2]>; 3] {
    let mut scratch = Scratch::default();
    let mut meet = |place: &Relative| {
        let surface = mesh::overlap(mesh, mesh, place, &mut scratch);
        let solid = mesh::verdict(mesh, mesh, place, Mode::Solid, &mut scratch).verdict;
        let solid = surface || solid != Verdict::Separated;
        [surface, solid]
    };
    places.each_ref().map(|places| places.iter().map(&mut meet).collect())
}

fn one(
    mesh: &Mesh<Obb>,
    places: &[Vec<Relative>; 3],
    truth: &[Vec<[bool; 2]>; 3],
    (cells, kind): (u32, usize),
    tally: &mut Tally,
) -> Result<(), String> {
    let start = Instant::now();
    let voxels =
        if kind == 0 { Voxels::of_surface(mesh, cells) } else { Voxels::of_inside(mesh, cells) };
    let voxels = voxels.map_err(|error| error.to_string())?;
    tally.fill += start.elapsed().as_secs_f64() * 1e3;
    tally.bytes += voxels.bytes();
    tally.grids += 1;
    for situation in 0..3 {
        for (place, truth) in places[situation].iter().zip(&truth[situation]) {
            let start = Instant::now();
            let shared = share_a_cell(&voxels, &voxels, place);
            tally.ask += start.elapsed().as_secs_f64() * 1e6;
            tally.asked[situation] += 1;
            tally.wrong[situation] += usize::from(shared != truth[kind]);
        }
    }
    Ok(())
}

fn print(cells: u32, kind: &str, tally: &Tally) {
    let share = |k: usize| 100.0 * tally.wrong[k] as f64 / tally.asked[k].max(1) as f64;
    let (grids, asked) = (tally.grids.max(1) as f64, tally.asked.iter().sum::<usize>().max(1));
    println!(
        "| {cells} | {kind} | {:.1} | {:.1} | {:.1} | {:.1} % | {:.1} % | {:.1} % |",
        tally.bytes as f64 / grids / 1e3,
        tally.fill / grids,
        tally.ask / asked as f64,
        share(0),
        share(1),
        share(2)
    );
}

fn panels(resolutions: &[u32], tallies: &[[Tally; 2]]) -> [Panel; 2] {
    let line = |name: &str, value: &dyn Fn(&[Tally; 2]) -> f64| Line {
        name: name.into(),
        points: resolutions
            .iter()
            .zip(tallies)
            .map(|(cells, tallies)| (f64::from(*cells), value(tallies)))
            // Nothing wrong has no place on a logarithmic axis.
            .filter(|point| point.1 > 0.0)
            .collect(),
    };
    let wrong = |kind: usize, situation: usize| {
        move |tallies: &[Tally; 2]| {
            let tally = &tallies[kind];
            100.0 * tally.wrong[situation] as f64 / tally.asked[situation].max(1) as f64
        }
    };
    let panel = |title: &str, up: &str, lines: Vec<Line>| Panel {
        title: title.into(),
        across: "cells along the longest side".into(),
        up: up.into(),
        lines: lines.into_iter().filter(|line| line.points.len() > 1).collect(),
        falling: true,
        even: false,
    };
    [
        panel(
            "Wrong answers of cells",
            "percent",
            vec![
                line("surface, near", &wrong(0, 1)),
                line("surface, far", &wrong(0, 2)),
                line("inside, near", &wrong(1, 1)),
                line("inside, hits missed", &wrong(1, 0)),
            ],
        ),
        panel(
            "Memory of cells",
            "bytes",
            vec![line("one bit per cell", &|tallies| {
                tallies[0].bytes as f64 / tallies[0].grids.max(1) as f64
            })],
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::geom::Pose;

    #[test]
    fn finer_cells_are_wrong_less_often() {
        let options = Options { output: None, finest: 32, triangles: 300, queries: 3, seed: 1 };
        assert!(run(&options));
        // Along a diagonal the boxes around two balls overlap, the balls do not.
        let model = &models::generated(300)[0];
        let mesh: Mesh<Obb> = Mesh::new(&model.vertices, &model.triangles).unwrap();
        let apart = Pose::from_translation([1.5; 3]).unwrap().into();
        let places = [vec![Pose::IDENTITY.into()], Vec::new(), vec![apart]];
        let truth = truth(&mesh, &places);
        assert_eq!((truth[0][0][0], truth[2][0]), (true, [false; 2]));
        let tally = |cells: u32| {
            let mut tally = Tally::default();
            one(&mesh, &places, &truth, (cells, 0), &mut tally).unwrap();
            tally
        };
        let (coarse, fine) = (tally(1), tally(64));
        assert_eq!((coarse.wrong, fine.wrong), ([0, 0, 1], [0; 3]));
        assert!(coarse.bytes < fine.bytes);
    }
}
