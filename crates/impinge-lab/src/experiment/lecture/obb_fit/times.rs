//! How long fits take, of one box and of a whole tree.

use crate::chart::{Axis, Corner, Panel, Series, slope};
use crate::error::LabError;
use crate::model::{Model, ModelShape};
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{ROUNDS, Spread, repeated};
use impinge::Mesh;
use impinge::geom::bound::{Moments, Obb, ObbFit};
use impinge::geom::glam::Vec3A;
use impinge::tree::Builder;
use std::hint::black_box;

/// What is stated, drawn through the middle of what was measured.
fn stated(name: &str, measured: &[(f64, f64)], shape: impl Fn(f64) -> f64) -> Series {
    let middle = measured.get(measured.len() / 2).copied().unwrap_or((1.0, 1.0));
    let scale = middle.1 / shape(middle.0);
    Series::published(name, measured.iter().map(|(x, _)| (*x, scale * shape(*x))).collect())
}

/// How a time grows with n.
pub(super) struct Growth {
    /// The power of n.
    pub(super) power: Spread,
    /// Between these.
    pub(super) window: [f64; 2],
}

impl Growth {
    /// Of times by round, for each n; the first third, where what is constant counts, is left out.
    fn of(measured: &[(f64, Vec<f64>)]) -> Self {
        let ends = measured.get(measured.len() / 3).zip(measured.last());
        let window = ends.map_or([f64::NAN; 2], |(first, last)| [first.0, last.0]);
        let rounds = measured.iter().map(|(_, times)| times.len()).min().unwrap_or_default();
        let in_round = |k: usize| {
            let points: Vec<(f64, f64)> = measured.iter().map(|(n, t)| (*n, t[k])).collect();
            slope(&points, window)
        };
        Self { power: Spread::of((0..rounds).map(in_round).collect()), window }
    }
}

fn in_ball(random: &mut Random) -> Vec3A {
    loop {
        let point = Vec3A::from_array(random.point().map(|x| x as f32));
        if point.length_squared() <= 1.0 {
            return point;
        }
    }
}

/// One box by the facets of the hull, for points in a ball.
pub(super) fn single(session: &Session<'_>) -> Result<(Table, Panel, Growth), LabError> {
    let last = session.pick(16, 18, 20);
    let mut table = Table::new("single", "Time of one fit to points in a ball")
        .column("points", "")
        .varying("facets of the hull", "ms")
        .varying("time / (n log n)", "ns");
    let mut random = Random::new(session.seed);
    let (mut measured, mut rounds) = (Vec::new(), Vec::new());
    for bits in 8..=last {
        let count = 1_usize << bits;
        let points: Vec<Vec3A> = (0..count).map(|_| in_ball(&mut random)).collect();
        session.step("timing fits", bits - 8, last - 7)?;
        let mut fit = || {
            let points = black_box(&points[..]);
            let _ = black_box(Obb::fit_by(points, &Moments::default(), ObbFit::HullFacets, 0.0));
        };
        let times = repeated(ROUNDS, &mut [&mut fit]);
        let time = times.least()[0];
        let n = count as f64;
        table.row([count.into(), (time / 1e6).into(), (time / (n * n.log2())).into()]);
        measured.push((n, time / 1e6));
        rounds.push((n, times.of(0).to_vec()));
    }
    let reference = stated("n log n, as stated", &measured, |n| n * n.log2());
    let panel = Panel {
        title: "One box by the facets of the hull".into(),
        across: Axis::logarithmic("points n"),
        up: Axis::logarithmic("time [ms]"),
        series: vec![Series::line("measured", measured), reference.colored(0)],
        legend: Corner::UpperLeft,
    };
    Ok((table, panel, Growth::of(&rounds)))
}

/// A whole tree by the facets of hulls.
pub(super) fn trees(session: &Session<'_>) -> Result<(Table, Panel, Growth), LabError> {
    let last = session.pick(14, 16, 18);
    let mut table = Table::new("trees", "Trees over a bumpy ball, by how their boxes are fitted")
        .column("triangles", "")
        .column("volumes met by a line, surface", "")
        .column("volumes met by a line, all points", "")
        .column("volumes met by a line, hull facets", "")
        .varying("time, hull facets", "ms")
        .varying("time / (n log² n)", "ns")
        .varying("time, hull facets / surface", "");
    let (mut measured, mut rounds) = (Vec::new(), Vec::new());
    for bits in (8..=last).step_by(2) {
        session.step("timing trees", bits - 8, last - 7)?;
        let Model { vertices, triangles, .. } = Model::generate(ModelShape::Bumpy, 1 << bits);
        let make = |fit| {
            Mesh::with_box_fit(&vertices, &triangles, Builder::PrincipalMean, fit)
                .map_err(LabError::failed)
        };
        let visits = |fit| make(fit).map(|mesh| mesh.tree().cost().volume_visits);
        let (surface, points, facets) =
            (visits(ObbFit::Surface)?, visits(ObbFit::Vertices)?, visits(ObbFit::HullFacets)?);
        let (mut facets_again, mut surface_again) = (
            || drop(black_box(make(ObbFit::HullFacets))),
            || drop(black_box(make(ObbFit::Surface))),
        );
        let times = repeated(ROUNDS, &mut [&mut facets_again, &mut surface_again]);
        let (least, over_surface) = (times.least(), times.ratio(0, 1).median);
        let by_facets = least[0];
        let n = triangles.len() as f64;
        let log = n.log2();
        table.row([
            triangles.len().into(),
            surface.into(),
            points.into(),
            facets.into(),
            (by_facets / 1e6).into(),
            (by_facets / (n * log * log)).into(),
            over_surface.into(),
        ]);
        measured.push((n, by_facets / 1e6));
        rounds.push((n, times.of(0).to_vec()));
    }
    let reference = stated("n log² n, as stated", &measured, |n| n * n.log2().powi(2));
    let panel = Panel {
        title: "A whole tree by the facets of hulls".into(),
        across: Axis::logarithmic("triangles n"),
        up: Axis::logarithmic("time [ms]"),
        series: vec![Series::line("measured", measured), reference.colored(0)],
        legend: Corner::UpperLeft,
    };
    Ok((table, panel, Growth::of(&rounds)))
}
