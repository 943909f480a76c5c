//! Cells instead of surfaces: how often two grids share a cell where the bodies do not meet, or share none where they do, and what the
//! cells cost, by the resolution.

use super::super::{Experiment, ModelUse};
use crate::chart::{Axis, Chart, Corner, Panel, Series, slope};
use crate::clock::Clock;
use crate::error::LabError;
use crate::finding::{Document, Finding, Verdict};
use crate::session::Session;
use crate::setting::{bodies, placements};
use crate::table::Table;
use impinge::geom::Verdict as Position;
use impinge::geom::bound::Obb;
use impinge::geom::glam::DVec3;
use impinge::mesh::{self, Mesh, Mode, ScaledPose, Scratch, Winding};
use impinge::voxel::{Voxels, share_a_cell};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "voxels",
    title: "Cells instead of surfaces: errors, memory and time by the resolution",
    document: Document::Lecture,
    place: "Uniform spatial subdivision",
    models: ModelUse::Added,
    revision: 3,
    work,
};

const KINDS: [&str; 2] = ["surface", "inside"];

/// Placements that meet, that nearly meet, and that are far apart.
type Places = [Vec<ScaledPose>; 3];
/// Whether surfaces meet, and whether solids do, in each of them.
type Truth = [Vec<[bool; 2]>; 3];

/// What became of one kind of cells at one resolution, over all models.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Placements of each situation, and those where the cells say otherwise than the surfaces.
    asked: [usize; 3],
    wrong: [usize; 3],
    bytes: usize,
    /// Cells that are occupied, of all grids.
    occupied: usize,
    /// Milliseconds to fill, and microseconds to ask, all together.
    fill: f64,
    ask: f64,
    grids: usize,
}

impl Tally {
    /// Wrong answers of one situation, in percent.
    fn share(&self, situation: usize) -> f64 {
        100.0 * self.wrong[situation] as f64 / self.asked[situation].max(1) as f64
    }

    /// Occupied cells of a grid.
    fn cells(&self) -> f64 {
        self.occupied as f64 / self.grids.max(1) as f64
    }

    /// Of a grid.
    fn kilobytes(&self) -> f64 {
        self.bytes as f64 / self.grids.max(1) as f64 / 1e3
    }
}

/// Surface and inside for each resolution, over all bodies.
fn measured(
    session: &Session<'_>,
    resolutions: &[u32],
    (triangles, queries): (usize, usize),
) -> Result<Vec<[Tally; 2]>, LabError> {
    let mut tallies = vec![[Tally::default(); 2]; resolutions.len()];
    let models = bodies::of(session, triangles, 20_000)?;
    for (k, model) in models.iter().enumerate() {
        session.step(&model.name, k as u64, models.len() as u64)?;
        let mesh: Mesh<Obb> = model.mesh()?;
        let places = placements::placements(&mesh, queries, session.seed);
        let truth = truth(&mesh, &places);
        // What is open has no inside.
        let far = mesh::winding(&mesh, DVec3::splat(1e3), &mut Scratch::default());
        let kinds = if matches!(far, Winding::Estimate(_)) { 1 } else { 2 };
        for (cells, tallies) in resolutions.iter().zip(&mut tallies) {
            for (kind, tally) in tallies.iter_mut().enumerate().take(kinds) {
                one(&mesh, &places, &truth, (*cells, kind), tally)?;
            }
        }
    }
    Ok(tallies)
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let finest = session.pick(32, 128, 256);
    let (triangles, queries) = (session.pick(1_000, 5_000, 5_000), session.pick(4, 20, 50));
    let resolutions: Vec<u32> =
        (3..).map(|power| 1 << power).take_while(|cells| *cells <= finest).collect();
    let tallies = measured(session, &resolutions, (triangles, queries))?;
    let mut table = Table::new("cells", "Cells by the resolution; wrong answers in percent")
        .column("cells along the longest side", "")
        .column("kind", "")
        .column("memory", "kB")
        .column("occupied cells", "")
        .varying("fill", "ms")
        .varying("ask", "µs")
        .column("hits missed", "%")
        .column("false at a near miss", "%")
        .column("false at a far miss", "%");
    for (cells, tallies) in resolutions.iter().zip(&tallies) {
        for (tally, kind) in tallies.iter().zip(KINDS) {
            let asked = tally.asked.iter().sum::<usize>().max(1) as f64;
            table.row([
                u64::from(*cells).into(),
                kind.into(),
                tally.kilobytes().into(),
                tally.cells().into(),
                (tally.fill / tally.grids.max(1) as f64).into(),
                (tally.ask / asked).into(),
                tally.share(0).into(),
                tally.share(1).into(),
                tally.share(2).into(),
            ]);
        }
    }
    let mut finding = Finding {
        setting: format!(
            "Eleven bodies of about {triangles} triangles, and those of the folder, against copies of themselves, {queries} placements that meet, \
             {queries} that pass within 0.01 radii and {queries} that are 0.5 radii farther. Cells of the surface, or of the inside as well."
        ),
        tables: vec![table],
        charts: vec![chart(&resolutions, &tallies)],
        ..Finding::default()
    };
    judge(&mut finding, &resolutions, &tallies);
    Ok(finding)
}

fn judge(finding: &mut Finding, resolutions: &[u32], tallies: &[[Tally; 2]]) {
    let power = |value: &dyn Fn(&[Tally; 2]) -> f64| {
        let sizes = resolutions.iter().zip(tallies);
        let points: Vec<(f64, f64)> =
            sizes.map(|(cells, own)| (f64::from(*cells), value(own))).collect();
        slope(&points, [0.0, f64::MAX])
    };
    let memory = power(&|own| own[0].kilobytes());
    let [surface, inside] = [power(&|own| own[0].cells()), power(&|own| own[1].cells())];
    // What is stored as one bit for each cell of a box grows with the cube by construction: the cells that are occupied decide.
    finding.claim(
        "a resolution of n voxels per dimension requires up to n³ cells",
        format!("the inside of a solid occupies cells with the power {inside:.2} of the resolution, a surface with {surface:.2}; memory, one bit for every cell of the box, grows with {memory:.2} by construction"),
        // Up to: between the growth of a surface and that of a body.
        Verdict::holds(inside > 2.0 && inside <= 3.2),
        "",
    );
    if let (Some(coarse), Some(fine)) = (tallies.first(), tallies.last()) {
        finding.claim(
            "solids can only be approximated",
            format!(
                "surfaces that pass within 0.01 radii share a cell in {:.0} % of placements with the coarsest cells and {:.0} % with the finest; \
                 cells of the inside miss {:.0} % and {:.0} % of the hits",
                coarse[0].share(1),
                fine[0].share(1),
                coarse[1].share(0),
                fine[1].share(0)
            ),
            Verdict::holds(fine[0].share(1) > 0.0 || fine[1].share(0) > 0.0),
            "",
        );
    }
    let lost: usize = tallies.iter().map(|[surface, _]| surface.wrong[0]).sum();
    finding.claim(
        "surfaces that meet always share a cell",
        format!("{lost} placements in which they do not"),
        Verdict::holds(lost == 0),
        "",
    );
}

/// Whether surfaces meet, and whether solids do, in each placement.
fn truth(mesh: &Mesh<Obb>, places: &Places) -> Truth {
    let mut scratch = Scratch::default();
    let mut meet = |place: &ScaledPose| {
        let surface = mesh::overlap(mesh, mesh, place, &mut scratch);
        let solid = mesh::verdict(mesh, mesh, place, Mode::Solid, &mut scratch).verdict;
        let solid = surface || solid != Position::Separated;
        [surface, solid]
    };
    places.each_ref().map(|places| places.iter().map(&mut meet).collect())
}

fn one(
    mesh: &Mesh<Obb>,
    places: &Places,
    truth: &Truth,
    (cells, kind): (u32, usize),
    tally: &mut Tally,
) -> Result<(), LabError> {
    let start = Clock::start();
    let voxels =
        if kind == 0 { Voxels::of_surface(mesh, cells) } else { Voxels::of_inside(mesh, cells) };
    let voxels = voxels.map_err(LabError::failed)?;
    tally.fill += start.seconds() * 1e3;
    tally.bytes += voxels.bytes();
    tally.occupied += voxels.occupied();
    tally.grids += 1;
    for situation in 0..3 {
        for (place, truth) in places[situation].iter().zip(&truth[situation]) {
            let start = Clock::start();
            let shared = share_a_cell(&voxels, &voxels, place);
            tally.ask += start.seconds() * 1e6;
            tally.asked[situation] += 1;
            tally.wrong[situation] += usize::from(shared != truth[kind]);
        }
    }
    Ok(())
}

fn chart(resolutions: &[u32], tallies: &[[Tally; 2]]) -> Chart {
    let line = |name: &str, value: &dyn Fn(&[Tally; 2]) -> f64| {
        let points = resolutions.iter().zip(tallies);
        Series::line(name, points.map(|(cells, own)| (f64::from(*cells), value(own))).collect())
    };
    let panel = |title: &str, up, series, legend| Panel {
        title: title.into(),
        across: Axis::logarithmic("cells along the longest side"),
        up,
        series,
        legend,
    };
    let first = tallies.first().map_or(1.0, |[surface, _]| surface.kilobytes());
    let cubes = resolutions.iter().map(|cells| {
        let times = f64::from(*cells) / f64::from(resolutions[0]);
        (f64::from(*cells), first * times * times * times)
    });
    Chart {
        name: "cells".into(),
        panels: vec![
            panel(
                "Wrong answers of cells",
                Axis::linear("placements [%]"),
                vec![
                    line("surface, near misses", &|own| own[0].share(1)),
                    line("surface, far misses", &|own| own[0].share(2)),
                    line("inside, near misses", &|own| own[1].share(1)),
                    line("inside, hits missed", &|own| own[1].share(0)),
                ],
                Corner::Beside,
            ),
            panel(
                "Memory of cells",
                Axis::logarithmic("memory [kB]"),
                vec![
                    line("one bit per cell", &|own| own[0].kilobytes()),
                    Series::published("lecture: n³", cubes.collect()),
                ],
                Corner::Beside,
            ),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::geom::Pose;

    #[test]
    fn finer_cells_are_wrong_less_often() {
        // Along a diagonal the boxes around two balls overlap, the balls do not.
        let model = &bodies::generated(300)[0];
        let mesh: Mesh<Obb> = model.mesh().unwrap();
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

    #[test]
    fn surfaces_that_meet_share_a_cell() {
        let session = Session::new(crate::session::Size::Quick, 1);
        let tallies = measured(&session, &[8, 16], (200, 1)).unwrap();
        let mut finding = Finding::default();
        judge(&mut finding, &[8, 16], &tallies);
        assert_eq!(finding.claims[2].verdict, Verdict::Reproduced);
        assert!(chart(&[8, 16], &tallies).svg().unwrap().contains("n³"));
    }
}
