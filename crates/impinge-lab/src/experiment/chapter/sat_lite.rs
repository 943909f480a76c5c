//! Section 25.2.4, "SAT lite": two boxes tested by their six face normals, without the nine products of edges.

use super::approach::Approach;
use super::changed::{Changed, FifteenAxes, SixAxes};
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::random::Random;
use crate::session::Session;
use crate::setting::boxes::Boxes;
use crate::table::Table;
use crate::timing::{MARGIN, Spread, arithmetic, fastest, repeated};
use impinge::geom::bound::{Bound, Obb};
use impinge::geom::pair::box_box;
use impinge::geom::shape::Cuboid;
use impinge::geom::{GeometryError, Pose};
use impinge::mesh::{self, Mesh, MeshBuilder, ScaledPose, Scratch};
use impinge::tree::traverse::Policy;
use impinge::tree::{Builder, Counts};
use std::hint::black_box;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "sat-lite",
    title: "Oriented boxes by six axes against fifteen, alone and in trees",
    document: Document::Chapter,
    place: "section 25.2.4 and figure 25.8",
    models: ModelUse::Instead,
    revision: 2,
    work,
};

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let mut finding = Finding::default();
    let (single, lite) = single(session)?;
    let rows = trees(session)?;
    let models: Vec<&str> = rows.iter().fold(Vec::new(), |mut names, row| {
        if !names.contains(&row.model.as_str()) {
            names.push(&row.model);
        }
        names
    });
    finding.setting = format!(
        "Pairs of boxes of random sizes and orientations, one at a time in f64, by how far they are from touching; and OBB trees over {} against copies of themselves, two and eight children to a node (eight boxes are tested at a time by SIMD; by default the nine products are skipped where the six axes separate all eight). Near misses ask whether the bodies meet, hits for all pairs of triangles.",
        models.join(", ")
    );
    finding.charts = vec![chart(&lite, &rows)];
    finding.tables = vec![single, table(&rows)];
    judge(&mut finding, &lite, &rows);
    Ok(finding)
}

/// Boxes one at a time, at one distance.
struct Lite {
    /// The distance of the centres over that at which the boxes touch along the line of centres.
    factor: f64,
    /// Of the disjoint pairs, those that six axes call overlapping.
    wrong: f64,
    /// Time of six axes over time of fifteen.
    time: f64,
}

fn boxes(
    random: &mut Random,
    factor: f64,
    count: usize,
) -> Result<Vec<([Cuboid; 2], Pose)>, GeometryError> {
    (0..count)
        .map(|_| {
            let boxes = Boxes::random(random)?;
            let [a, b] = boxes.half.map(Cuboid::new);
            Ok(([a?, b?], boxes.at(factor)?))
        })
        .collect()
}

fn single(session: &Session<'_>) -> Result<(Table, Vec<Lite>), LabError> {
    let count = session.pick(20_000, 100_000, 1_000_000);
    let mut table = Table::new("pairs", "Boxes one at a time, by the distance of their centres")
        .column("distance / touching", "")
        .column("pairs", "")
        .column("overlap", "")
        .column("overlap by six axes", "")
        .column("wrong, of the disjoint", "%")
        .varying("fifteen axes", "ns")
        .varying("six axes", "ns")
        .varying("time of six / time of fifteen", "");
    let mut found = Vec::new();
    let mut random = Random::new(session.seed);
    for step in 0..=10 {
        session.step("pairs of boxes", step, 11)?;
        let factor = 0.4 + 0.08 * step as f64;
        let pairs = boxes(&mut random, factor, count).map_err(LabError::failed)?;
        let mut answers = [0_usize; 2];
        let mut disjoint_but_reported = 0;
        for ([a, b], pose) in &pairs {
            let (all, six) = (box_box::overlap_axes(a, b, pose), box_box::overlap_lite(a, b, pose));
            if all && !six {
                return Err(LabError::failed("six axes part what fifteen do not"));
            }
            answers[0] += usize::from(all);
            answers[1] += usize::from(six);
            disjoint_but_reported += usize::from(six && !all);
        }
        let timed = |test: fn(&Cuboid, &Cuboid, &Pose) -> bool| {
            let pairs = &pairs;
            move || {
                let sum: usize =
                    pairs.iter().map(|([a, b], pose)| usize::from(test(a, b, pose))).sum();
                let _ = black_box(sum);
            }
        };
        let (mut all, mut six) = (timed(box_box::overlap_axes), timed(box_box::overlap_lite));
        let times = fastest(5, &mut [&mut all, &mut six]);
        let wrong = disjoint_but_reported as f64 / (count - answers[0]).max(1) as f64;
        table.row([
            factor.into(),
            count.into(),
            answers[0].into(),
            answers[1].into(),
            (100.0 * wrong).into(),
            (times[0] / count as f64).into(),
            (times[1] / count as f64).into(),
            (times[1] / times[0]).into(),
        ]);
        found.push(Lite { factor, wrong, time: times[1] / times[0] });
    }
    Ok((table, found))
}

/// One tree in one situation.
struct Row {
    model: String,
    width: usize,
    situation: &'static str,
    gap: f64,
    /// As the library does it, always fifteen, always six.
    counts: [Counts; 3],
    times: [f64; 3],
    /// Time of six axes over time of always fifteen, round by round.
    six_over_fifteen: Vec<f64>,
}

/// Placements: gaps in radii; a negative one is a depth.
const GAPS: [f64; 5] = [-0.05, 0.001, 0.01, 0.05, 0.2];

fn trees(session: &Session<'_>) -> Result<Vec<Row>, LabError> {
    let models = session
        .models(session.pick(4_000, 16_000, 60_000), session.pick(20_000, 100_000, 1_000_000))?;
    let placements = session.pick(12, 30, 100);
    let mut rows = Vec::new();
    let (mut done, of) = (0, (models.len() * 2 * GAPS.len()) as u64);
    for model in &models {
        let Model { name, vertices, triangles } = model;
        let grouped = MeshBuilder::new(vertices, triangles, Builder::PrincipalMean)
            .map_err(LabError::failed)?;
        let mut random = Random::new(session.seed);
        let mut scratch = Scratch::default();
        let plain: Mesh<Obb> = grouped.mesh(8);
        let approaches = (0..placements)
            .map(|_| Approach::random(&plain, &plain, &mut random, &mut scratch))
            .collect::<Result<Vec<_>, _>>()?;
        for width in [2, 8] {
            let one: Mesh<Obb> = grouped.mesh(width);
            let two: Mesh<Changed<Obb, FifteenAxes>> = grouped.mesh(width);
            let three: Mesh<Changed<Obb, SixAxes>> = grouped.mesh(width);
            for gap in GAPS {
                session.step("trees", done, of)?;
                done += 1;
                let places = approaches
                    .iter()
                    .map(|approach| approach.at(gap).map(ScaledPose::from))
                    .collect::<Result<Vec<_>, _>>()?;
                let all_pairs = gap < 0.0;
                let counts = [
                    counted(&one, &places, all_pairs),
                    counted(&two, &places, all_pairs),
                    counted(&three, &places, all_pairs),
                ];
                let (mut a, mut b, mut c) = (
                    timed(&one, &places, all_pairs),
                    timed(&two, &places, all_pairs),
                    timed(&three, &places, all_pairs),
                );
                let rounds = repeated(session.pick(5, 7, 9), &mut [&mut a, &mut b, &mut c]);
                let times = rounds.least();
                let situation = if all_pairs { "hit" } else { "near miss" };
                rows.push(Row {
                    model: name.clone(),
                    width,
                    situation,
                    gap,
                    counts,
                    times: [times[0], times[1], times[2]],
                    six_over_fifteen: rounds.ratios(2, 1),
                });
            }
        }
    }
    Ok(rows)
}

fn counted<B: Bound>(mesh: &Mesh<B>, places: &[ScaledPose], all_pairs: bool) -> Counts {
    let (mut counts, mut scratch, mut found) = (Counts::default(), Scratch::default(), Vec::new());
    let policy = Policy::default();
    for place in places {
        if all_pairs {
            mesh::pairs_with(mesh, mesh, place, policy, &mut scratch, &mut found, &mut counts);
        } else {
            mesh::overlap_with(mesh, mesh, place, policy, &mut scratch, &mut counts);
        }
    }
    counts
}

fn timed<'m, B: Bound>(
    mesh: &'m Mesh<B>,
    places: &'m [ScaledPose],
    all_pairs: bool,
) -> impl FnMut() + 'm {
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    move || {
        for place in places {
            if all_pairs {
                mesh::pairs(mesh, mesh, place, &mut scratch, &mut found);
            } else {
                let _ = black_box(mesh::overlap(mesh, mesh, place, &mut scratch));
            }
        }
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table =
        Table::new("trees", "OBB trees: tests of boxes, pairs of leaves and time, by axes")
            .column("model", "")
            .column("children", "")
            .column("situation", "")
            .column("gap", "radii")
            .column("Nv, fifteen axes", "")
            .column("Nv, six axes", "")
            .column("Np, fifteen axes", "")
            .column("Np, six axes", "")
            .varying("time of six / time of always fifteen", "")
            .varying("time of six / time by default", "");
    for Row { model, width, situation, gap, counts: [_, all, six], times, .. } in rows {
        table.row([
            model.as_str().into(),
            (*width).into(),
            (*situation).into(),
            (*gap).into(),
            all.volumes.into(),
            six.volumes.into(),
            all.leaves.into(),
            six.leaves.into(),
            (times[2] / times[1]).into(),
            (times[2] / times[0]).into(),
        ]);
    }
    table
}

/// The mean of a ratio over some rows.
fn mean<'r>(rows: impl Iterator<Item = &'r Row>, ratio: impl Fn(&Row) -> f64) -> f64 {
    let (sum, count) = rows.fold((0.0, 0), |(sum, count), row| (sum + ratio(row), count + 1));
    sum / f64::from(count.max(1))
}

fn chart(lite: &[Lite], rows: &[Row]) -> Chart {
    let pairs = Panel {
        title: "One pair at a time".into(),
        across: Axis::linear("distance of the centres / distance of touching").within(0.35, 1.25),
        up: Axis::linear("share").within(0.0, 1.3),
        series: vec![
            Series::line(
                "time of six axes / fifteen",
                lite.iter().map(|one| (one.factor, one.time)).collect(),
            ),
            Series::line(
                "disjoint pairs reported as overlapping",
                lite.iter().map(|one| (one.factor, one.wrong)).collect(),
            ),
        ],
        legend: Corner::UpperLeft,
    };
    let near = |width: usize, ratio: fn(&Row) -> f64| -> Vec<(f64, f64)> {
        GAPS.into_iter()
            .filter(|gap| *gap > 0.0)
            .map(|gap| {
                (gap, mean(rows.iter().filter(|row| row.width == width && row.gap == gap), ratio))
            })
            .collect()
    };
    let volumes = |row: &Row| row.counts[2].volumes as f64 / row.counts[1].volumes.max(1) as f64;
    let panel = |width: usize| Panel {
        title: format!("Trees of {width} children to a node, near misses"),
        across: Axis::logarithmic("gap [radii]"),
        up: Axis::linear("six axes / fifteen axes").within(0.0, 1.5),
        series: vec![
            Series::line("tests of boxes", near(width, volumes)),
            Series::line(
                "time, against always fifteen",
                near(width, |row| row.times[2] / row.times[1]),
            ),
            Series::line(
                "time, against the default",
                near(width, |row| row.times[2] / row.times[0]),
            ),
        ],
        legend: Corner::LowerLeft,
    };
    Chart { name: "axes".into(), panels: vec![pairs, panel(2), panel(8)] }
}

fn judge(finding: &mut Finding, lite: &[Lite], rows: &[Row]) {
    let worst = lite.iter().map(|one| one.wrong).fold(0.0, f64::max);
    let volumes = |row: &Row| row.counts[2].volumes as f64 / row.counts[1].volumes.max(1) as f64;
    let more = mean(rows.iter(), volumes);
    finding.claim(
        "the shortened test will sometimes report two disjoint boxes as overlapping, and the recursion then goes deeper than necessary",
        format!(
            "of disjoint boxes up to {:.1} % are reported as overlapping, depending on how near they are; trees take {more:.3} times as many tests of boxes (mean over {} rows).",
            100.0 * worst,
            rows.len()
        ),
        Verdict::holds(worst > 0.0 && more > 1.0),
        "",
    );
    let of = |width: usize| rows.iter().filter(move |row| row.width == width);
    let gains = [2, 8].map(|width| gain(of(width)));
    let by_default = mean(of(8), |row| row.times[2] / row.times[0]);
    let single = lite.iter().map(|one| one.time).fold(f64::MAX, f64::min);
    let [binary, eight] = gains;
    finding.claim(
        "in testing, the net result was that the average performance was improved by skipping the nine tests",
        format!(
            "with six axes the time is {binary} times that with always fifteen in trees of two children and {eight} times in trees of eight (median and middle half of {} rounds), and {by_default:.2} times that of the default, which tries the nine only where six do not separate all of the eight boxes. One pair at a time takes down to {single:.2} times as long.",
            binary.repeats
        ),
        Verdict::of(gains.iter().filter(|gain| gain.is_faster()).count(), 2),
        if by_default > 1.0 - MARGIN { "Less than a tenth counts as no gain. The default has it already: it stops after six axes where these separate all eight boxes." } else { "" },
    );
}

/// The mean ratio over all rows in each round, as a spread over the rounds.
fn gain<'r>(rows: impl Iterator<Item = &'r Row>) -> Spread {
    let ratios: Vec<Vec<f64>> = rows.map(|row| row.six_over_fifteen.clone()).collect();
    Spread::of_means(&ratios, |values| arithmetic(values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;

    #[test]
    fn six_axes_never_part_what_fifteen_do_not_and_leave_the_same_triangles() {
        let model = Model::generate(ModelShape::Knobbly, 600);
        let grouped =
            MeshBuilder::new(&model.vertices, &model.triangles, Builder::PrincipalMean).unwrap();
        let one: Mesh<Obb> = grouped.mesh(8);
        let two: Mesh<Changed<Obb, FifteenAxes>> = grouped.mesh(8);
        let three: Mesh<Changed<Obb, SixAxes>> = grouped.mesh(8);
        let (mut random, mut scratch) = (Random::new(1), Scratch::default());
        let (mut found, mut other) = (Vec::new(), Vec::new());
        let mut more = 0;
        for k in 0..30 {
            let approach = Approach::random(&one, &one, &mut random, &mut scratch).unwrap();
            let place: ScaledPose =
                approach.at(if k % 2 == 0 { -0.1 } else { 0.01 }).unwrap().into();
            mesh::pairs(&one, &one, &place, &mut scratch, &mut found);
            mesh::pairs(&three, &three, &place, &mut scratch, &mut other);
            assert_eq!(found, other);
            let places = [place];
            let counts = [
                counted(&one, &places, true),
                counted(&two, &places, true),
                counted(&three, &places, true),
            ];
            assert_eq!(counts[0], counts[1], "the same fifteen axes");
            assert!(counts[2].volumes >= counts[0].volumes && counts[2].leaves >= counts[0].leaves);
            more += counts[2].volumes - counts[0].volumes;
        }
        assert!(more > 0, "six axes part less");
    }

    #[test]
    fn disjoint_boxes_are_reported_only_by_six_axes() {
        let pairs = boxes(&mut Random::new(5), 0.8, 4000).unwrap();
        let wrong = pairs.iter().filter(|([a, b], pose)| {
            box_box::overlap_lite(a, b, pose) && !box_box::overlap_axes(a, b, pose)
        });
        assert!((20..2000).contains(&wrong.count()));
    }
}
