//! Section 25.2.2, "Collision Testing between BVHs": which of two volumes that overlap is opened.

use super::approach::Approach;
use super::changed::{Changed, SizeIsArea};
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::model::Model;
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{ROUNDS, Rounds, Spread, arithmetic, repeated};
use impinge::geom::Pose;
use impinge::geom::bound::{Aabb, Bound, Obb, RelativeFrame, Sphere};
use impinge::geom::simd::Simd;
use impinge::mesh::{self, Mesh, MeshBuilder, ScaledPose, Scratch};
use impinge::tree::traverse::{self, PairTraversal, Policy, Stack, Visit};
use impinge::tree::{Builder, Counts};
use std::hint::black_box;
use std::ops::ControlFlow;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "descent",
    title: "Which of two overlapping volumes to open: the larger, in turns, or both",
    document: Document::Chapter,
    place: "section 25.2.2, pseudocode MidPhaseCD",
    models: ModelUse::Instead,
    revision: 2,
    work,
};

/// The ways to descend, and what tables call them.
const POLICIES: [&str; 4] = ["larger surface", "larger side", "alternate", "both"];
const GAPS: [f64; 6] = [-0.05, 0.001, 0.003, 0.01, 0.03, 0.1];

/// One volume and width at one gap, by all policies.
struct Row {
    pair: String,
    volume: &'static str,
    width: usize,
    gap: f64,
    counts: [Counts; 4],
    times: Rounds,
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let models = session
        .models(session.pick(4_000, 16_000, 60_000), session.pick(20_000, 100_000, 1_000_000))?;
    let mut rows = Vec::new();
    let mut same = [[0_usize; 2]; 4];
    let pairs = models.len();
    for k in 0..pairs {
        // Each against the next one: bodies of different shapes, so that neither tree is the other.
        let (one, two) = (&models[k], &models[(k + 1) % models.len()]);
        measure(session, one, two, &mut rows, [k, pairs])?;
        orders(session, one, two, &mut same)?;
    }
    let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
    let mut finding = Finding {
        setting: format!(
            "Trees over {} against each other, turned at random, from random sides; two and eight children to a node, leaves of up to eight triangles. At a gap the question is whether they meet, at a depth of 0.05 radii all pairs of triangles are asked for. “Larger surface” is the chapter's pseudocode, “larger side” what impinge does by default, “both” opens all children of the one against all of the other, as in the lecture.",
            names.join(", ")
        ),
        tables: vec![table(&rows), order_table(&same)],
        charts: vec![chart(&rows)],
        ..Finding::default()
    };
    judge(&mut finding, &rows, &same);
    Ok(finding)
}

fn grouped(model: &Model) -> Result<MeshBuilder, LabError> {
    MeshBuilder::new(&model.vertices, &model.triangles, Builder::PrincipalMean)
        .map_err(LabError::failed)
}

fn measure(
    session: &Session<'_>,
    one: &Model,
    two: &Model,
    rows: &mut Vec<Row>,
    [at, of]: [usize; 2],
) -> Result<(), LabError> {
    let (a, b) = (grouped(one)?, grouped(two)?);
    let (mut random, mut scratch) = (Random::new(session.seed), Scratch::default());
    let (plain_a, plain_b): (Mesh<Obb>, Mesh<Obb>) = (a.mesh(8), b.mesh(8));
    let approaches = (0..session.pick(10, 30, 100))
        .map(|_| Approach::random(&plain_a, &plain_b, &mut random, &mut scratch))
        .collect::<Result<Vec<_>, _>>()?;
    let pair = format!("{} / {}", one.name, two.name);
    for (k, width) in [2, 8].into_iter().enumerate() {
        let mut sweep = Sweep { session, approaches: &approaches, pair: &pair, width, rows };
        let both = (&a, &b);
        let step =
            |volume: usize| session.step(&pair, (at * 6 + k * 3 + volume) as u64, (of * 6) as u64);
        step(0)?;
        sweep.by_policy::<Obb>(both)?;
        step(1)?;
        sweep.by_policy::<Aabb>(both)?;
        step(2)?;
        sweep.by_policy::<Sphere>(both)?;
    }
    Ok(())
}

/// One pair of bodies, one width: all gaps and policies, volume by volume.
struct Sweep<'s, 'a> {
    session: &'s Session<'a>,
    approaches: &'s [Approach],
    pair: &'s str,
    width: usize,
    rows: &'s mut Vec<Row>,
}

impl Sweep<'_, '_> {
    /// Work and time for each of [`POLICIES`].
    fn by_policy<B: Bound>(
        &mut self,
        (a, b): (&MeshBuilder, &MeshBuilder),
    ) -> Result<(), LabError> {
        let Self { session, approaches, pair, width, rows } = self;
        type ByArea<B> = Mesh<Changed<B, SizeIsArea>>;
        let (area_a, area_b): (ByArea<B>, ByArea<B>) = (a.mesh(*width), b.mesh(*width));
        let (a, b): (Mesh<B>, Mesh<B>) = (a.mesh(*width), b.mesh(*width));
        for gap in GAPS {
            let at = |approach: &Approach| approach.at(gap).map(ScaledPose::from);
            let places = approaches.iter().map(at).collect::<Result<Vec<_>, _>>()?;
            let (places, all, larger) = (&places[..], gap < 0.0, Policy::LargerFirst);
            let mut counts = [Counts::default(); 4];
            asked(&area_a, &area_b, places, larger, all, &mut counts[0]);
            for (policy, counts) in Policy::ALL.into_iter().zip(&mut counts[1..]) {
                asked(&a, &b, places, policy, all, counts);
            }
            let mut zero = || asked(&area_a, &area_b, places, larger, all, &mut ());
            let mut one = || asked(&a, &b, places, larger, all, &mut ());
            let mut two = || asked(&a, &b, places, Policy::Alternate, all, &mut ());
            let mut three = || asked(&a, &b, places, Policy::Both, all, &mut ());
            let rounds = session.pick(ROUNDS, ROUNDS, 7);
            let times = repeated(rounds, &mut [&mut zero, &mut one, &mut two, &mut three]);
            rows.push(Row {
                pair: pair.to_string(),
                volume: B::NAME,
                width: *width,
                gap,
                counts,
                times,
            });
        }
        Ok(())
    }
}

fn asked<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    places: &[ScaledPose],
    policy: Policy,
    all_pairs: bool,
    probe: &mut impl impinge::tree::Probe,
) {
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    for place in places {
        if all_pairs {
            mesh::pairs_with(a, b, place, policy, &mut scratch, &mut found, probe);
        } else {
            let _ = black_box(mesh::overlap_with(a, b, place, policy, &mut scratch, probe));
        }
    }
}

/// Keeps the pairs of leaves.
struct Reached(Vec<(u32, u32)>);

impl Visit for Reached {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, _: S, a: u32, b: u32) -> ControlFlow<()> {
        self.0.push((a, b));
        ControlFlow::Continue(())
    }
}

/// The pairs of leaves that a descent reaches, in the order of A, and how many volumes were tested.
fn reached<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    placement: &RelativeFrame,
    policy: Policy,
) -> (Vec<(u32, u32)>, u64) {
    let (mut visitor, mut counts) = (Reached(Vec::new()), Counts::default());
    let trees = PairTraversal { a: a.tree(), b: b.tree(), placement, policy };
    let _ = traverse::pairs(trees, &mut Stack::default(), &mut visitor, &mut counts);
    (visitor.0, counts.volumes)
}

/// For each policy, in how many placements (A, B) and (B, A) test the same number of volumes and reach the same leaves, of how many.
fn orders(
    session: &Session<'_>,
    one: &Model,
    two: &Model,
    same: &mut [[usize; 2]; 4],
) -> Result<(), LabError> {
    let (a, b) = (grouped(one)?, grouped(two)?);
    let (plain_a, plain_b): (Mesh<Obb>, Mesh<Obb>) = (a.mesh(2), b.mesh(2));
    let (area_a, area_b): (Mesh<Changed<Obb, SizeIsArea>>, _) = (a.mesh(2), b.mesh(2));
    let (mut random, mut scratch) = (Random::new(session.seed + 1), Scratch::default());
    for k in 0..session.pick(20, 50, 200) {
        let approach = Approach::random(&plain_a, &plain_b, &mut random, &mut scratch)?;
        let pose = approach.at(if k % 2 == 0 { -0.05 } else { 0.01 })?;
        same[0][0] += usize::from(either_way(&area_a, &area_b, &pose, Policy::LargerFirst));
        same[0][1] += 1;
        for (policy, same) in Policy::ALL.into_iter().zip(&mut same[1..]) {
            same[0] += usize::from(either_way(&plain_a, &plain_b, &pose, policy));
            same[1] += 1;
        }
    }
    Ok(())
}

/// Whether (A, B) and (B, A) test as many volumes and reach the same leaves.
fn either_way<B: Bound>(a: &Mesh<B>, b: &Mesh<B>, pose: &Pose, policy: Policy) -> bool {
    let placement = RelativeFrame::new(a.tree().frame(), b.tree().frame(), pose, 1.0);
    let (mut forth, tested) = reached(a, b, &placement, policy);
    let (mut back, tested_back) = reached(b, a, &placement.reversed(), policy);
    back.iter_mut().for_each(|pair| *pair = (pair.1, pair.0));
    forth.sort_unstable();
    back.sort_unstable();
    tested == tested_back && forth == back
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new("policies", "Tests of volumes, pairs of leaves and time, by policy")
        .column("bodies", "")
        .column("volume", "")
        .column("children", "")
        .column("gap", "radii");
    for policy in POLICIES {
        table = table.column(format!("Nv, {policy}"), "");
    }
    for policy in POLICIES {
        table = table.column(format!("Np, {policy}"), "");
    }
    for policy in POLICIES {
        table = table.varying(format!("time of {policy} / larger side"), "");
    }
    for Row { pair, volume, width, gap, counts, times } in rows {
        let mut row = vec![pair.as_str().into(), (*volume).into(), (*width).into(), (*gap).into()];
        row.extend(counts.iter().map(|counts| counts.volumes.into()));
        row.extend(counts.iter().map(|counts| counts.leaves.into()));
        row.extend((0..POLICIES.len()).map(|policy| times.ratio(policy, 1).median.into()));
        table.row(row);
    }
    table
}

fn order_table(same: &[[usize; 2]; 4]) -> Table {
    let mut table =
        Table::new("orders", "(A, B) against (B, A): OBB trees of two children to a node")
            .column("policy", "")
            .column("placements", "")
            .column("the same tests and leaves", "");
    for (policy, [same, of]) in POLICIES.into_iter().zip(same) {
        table.row([policy.into(), (*of).into(), (*same).into()]);
    }
    table
}

/// Tests, or time, of each policy over those of the larger side, at a gap; the mean over bodies.
fn ratio(rows: &[Row], volume: &str, width: usize, gap: f64, policy: usize, timed: bool) -> f64 {
    let mut sum = [0.0, 0.0];
    for row in
        rows.iter().filter(|row| row.volume == volume && row.width == width && row.gap == gap)
    {
        sum[0] += if timed {
            row.times.ratio(policy, 1).median
        } else {
            row.counts[policy].volumes as f64 / row.counts[1].volumes.max(1) as f64
        };
        sum[1] += 1.0;
    }
    sum[0] / sum[1]
}

fn chart(rows: &[Row]) -> Chart {
    let panel = |volume: &str, width: usize, timed: bool| {
        let what = if timed { "time" } else { "tests of volumes" };
        let series = POLICIES.iter().enumerate().map(|(k, name)| {
            let points = GAPS.iter().filter(|gap| **gap > 0.0);
            Series::line(
                *name,
                points.map(|gap| (*gap, ratio(rows, volume, width, *gap, k, timed))).collect(),
            )
        });
        let series: Vec<Series> = series.collect();
        let points = series.iter().flat_map(|series| &series.points);
        let highest = points.map(|point| point.1).fold(1.5, f64::max);
        Panel {
            title: format!("{volume} trees, {width} children: {what}"),
            across: Axis::logarithmic("gap [radii]"),
            up: Axis::linear(format!("{what} / of the larger side")).within(0.0, 1.05 * highest),
            series,
            legend: Corner::LowerLeft,
        }
    };
    let panels = [false, true].into_iter().flat_map(|timed| {
        [(Obb::NAME, 2), (Aabb::NAME, 2), (Obb::NAME, 8)]
            .map(|(volume, width)| panel(volume, width, timed))
    });
    Chart { name: "policies".into(), panels: panels.collect() }
}

/// Which rows count.
type Pick = fn(&Row) -> bool;

fn judge(finding: &mut Finding, rows: &[Row], same: &[[usize; 2]; 4]) {
    let share = |policy: usize| same[policy][0] as f64 / same[policy][1].max(1) as f64;
    finding.claim(
        "opening the larger volume gets the same tree traversal for the calls (A, B) and (B, A)",
        format!(
            "the same tests and leaves in {} of {} placements by surface, {} by side; in turns {}, both at once {}.",
            same[0][0], same[0][1], same[1][0], same[2][0], same[3][0]
        ),
        match share(0).min(share(1)) {
            1.0 => Verdict::Reproduced,
            some if some > 0.5 => Verdict::Partly,
            _ => Verdict::Differs,
        },
        if share(0) < 1.0 { "Where it is not the same, two volumes are equally large, or one test is within rounding in one frame and not in the other." } else { "" },
    );
    let tests = |policy: usize, over: usize, pick: Pick| {
        let of = |row: &Row, policy: usize| row.counts[policy].volumes.max(1) as f64;
        arithmetic(rows.iter().filter(|row| pick(row)).map(|row| of(row, policy) / of(row, over)))
    };
    let time = |policy: usize, over: usize, pick: Pick| {
        let kept = rows.iter().filter(|row| pick(row));
        let ratios: Vec<Vec<f64>> = kept.map(|row| row.times.ratios(policy, over)).collect();
        Spread::of_means(&ratios, |values| arithmetic(values))
    };
    let (binary, wide, any): (Pick, Pick, Pick) =
        (|row| row.width == 2, |row| row.width == 8, |_| true);
    let (fewer, faster) = (tests(2, 0, binary), time(2, 0, binary));
    finding.claim(
        "opening the larger volume tends to give better performance than descending in turns",
        format!("in turns takes {fewer:.2} times as many tests of volumes as the larger surface, and {faster} times the time (binary trees, mean over {} rows; median and middle half of {} rounds).", rows.iter().filter(|row| binary(row)).count(), faster.repeats),
        Verdict::of(usize::from(fewer > 1.02) + usize::from(faster.is_slower()), 2),
        "",
    );
    let alternating = [time(2, 1, binary), time(2, 1, wide)];
    let [two, eight] = alternating;
    finding.claim(
        "alternating avoids the surface area computation, and so could be faster",
        format!("in turns takes {two} times the time of the larger side in binary trees, {eight} times with eight children to a node."),
        Verdict::holds(alternating.iter().any(Spread::is_faster)),
        if alternating.iter().any(Spread::is_faster) { "" } else { "Less than a tenth counts as no gain." },
    );
    let (area, area_time) = (tests(0, 1, any), time(0, 1, any));
    let as_few = (0.9..1.1).contains(&area);
    finding.claim(
        "preserving the order of surfaces suffices; the surface itself need not be computed",
        format!("by surface {area:.3} times the tests of the larger side, and {area_time} times the time (mean over {} rows).", rows.len()),
        Verdict::holds(as_few),
        if as_few { "The longest side, which is compared here, keeps that order only roughly; what keeps it exactly descends as the surface does." } else { "" },
    );
    let (both, both_time) = (tests(3, 1, any), time(3, 1, any));
    finding.claim(
        "a question of our own: checking all children of one node against all children of the other, as the lecture does, is faster than opening the larger volume",
        format!("that takes {both:.2} times the tests of the larger side, and {both_time} times the time."),
        Verdict::holds(both_time.is_faster()),
        "For the lecture it is a procedure, not a claim of speed.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;

    #[test]
    fn all_policies_reach_the_same_leaves_that_overlap() {
        let one = grouped(&Model::generate(ModelShape::Knobbly, 500)).unwrap();
        let two = grouped(&Model::generate(ModelShape::Torus, 600)).unwrap();
        let (a, b): (Mesh<Obb>, Mesh<Obb>) = (one.mesh(2), two.mesh(2));
        let (mut random, mut scratch) = (Random::new(2), Scratch::default());
        let (mut same, mut sums) = (0, [0.0; 3]);
        for _ in 0..10 {
            let pose =
                Approach::random(&a, &b, &mut random, &mut scratch).unwrap().at(-0.1).unwrap();
            let placement = RelativeFrame::new(a.tree().frame(), b.tree().frame(), &pose, 1.0);
            let all: Vec<_> =
                Policy::ALL.into_iter().map(|policy| reached(&a, &b, &placement, policy)).collect();
            for (sum, (leaves, _)) in sums.iter_mut().zip(&all) {
                *sum += leaves.len() as f64;
            }
            same += usize::from(either_way(&a, &b, &pose, Policy::LargerFirst));
        }
        // Oriented boxes of parents need not hold those of their children, so that few pairs more or less are reached.
        assert!(sums[0] > 0.0);
        assert!(sums.iter().all(|sum| (0.7..1.4).contains(&(sum / sums[0]))), "{sums:?}");
        assert!(same > 5, "{same}");
    }
}
