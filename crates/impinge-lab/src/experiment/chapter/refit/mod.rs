//! Section 25.7, deformable models: hierarchies that are fitted again against ones that are built again.

mod hybrid;
mod merging;

use super::approach::Approach;
use crate::chart::{Axis, Chart, Corner, Panel, Series};
use crate::error::LabError;
use crate::experiment::{Experiment, ModelUse};
use crate::finding::{Document, Finding, Verdict};
use crate::model::{Model, ModelShape};
use crate::random::Random;
use crate::session::Session;
use crate::table::Table;
use crate::timing::{Spread, repeated};
use impinge::geom::bound::{Aabb, Bound, Dop14, Frame, Obb, RelativeFrame, Sphere};
use impinge::geom::glam::{DVec3, Vec3A};
use impinge::geom::simd::Simd;
use impinge::mesh::{Mesh, Scratch};
use impinge::tree::build::build_triangles;
use impinge::tree::traverse::{self, PairTraversal, Policy, Stack, Visit};
use impinge::tree::{Builder, Counts, ItemGeometry, Surface, Topology, Tree};
use merging::Merged;
use std::hint::black_box;
use std::ops::ControlFlow;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "refit-vs-rebuild",
    title: "Deformed bodies: refitting volumes against rebuilding trees",
    document: Document::Chapter,
    place: "section 25.7 and figure 25.20",
    models: ModelUse::Unused,
    revision: 4,
    work,
};

/// The corners of triangles in a frame that all deformations share.
pub(super) struct Body {
    frame: Frame,
    corners: Vec<[Vec3A; 3]>,
}

impl Body {
    fn new(model: &Model) -> Self {
        let frame = Frame::new(DVec3::splat(-2.0), DVec3::splat(2.0));
        let local = |triangle: [DVec3; 3]| triangle.map(|p| frame.local(p));
        Self { frame, corners: model.corners().into_iter().map(local).collect() }
    }

    fn topology(&self, builder: Builder) -> Topology {
        build_triangles(self.corners.len(), |item| self.corners[item], &[], builder, 8)
    }

    /// The corners in the order of leaves.
    fn sorted(&self, order: &[u32]) -> Vec<Vec3A> {
        order.iter().flat_map(|item| self.corners[*item as usize]).collect()
    }

    fn build<B: Bound>(&self, builder: Builder) -> Tree<B> {
        let topology = self.topology(builder);
        let points = self.sorted(topology.order());
        Tree::fit(&topology, &self.geometry(&points), 8, 8)
    }

    fn refit<B: Bound>(&self, tree: &mut Tree<B>) -> Result<(), LabError> {
        let points = self.sorted(tree.order());
        tree.refit(&self.geometry(&points)).map_err(|fault| LabError::Failed(format!("{fault:?}")))
    }

    fn geometry<'g>(&'g self, points: &'g [Vec3A]) -> ItemGeometry<'g> {
        ItemGeometry { frame: &self.frame, points, points_per_item: 3, surface: Surface::Triangles }
    }
}

/// The model twisted about z: the tangent of half the angle is the amount times the height.
pub(super) fn twisted(model: &Model, amount: f64) -> Model {
    let mut model = model.clone();
    for vertex in &mut model.vertices {
        let [x, y, z] = *vertex;
        let t = amount * z;
        let (cos, sin) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
        *vertex = [cos * x - sin * y, sin * x + cos * y, z];
    }
    model
}

fn work(session: &mut Session<'_>) -> Result<Finding, LabError> {
    let (times, ratios, refits) = times(session)?;
    let (lost, merged) = quality(session)?;
    let (updates, hybrid) = hybrid::measure(session)?;
    let mut finding = Finding {
        setting: "A bumpy ball of several sizes and a knobbly body, twisted more and more about one axis; trees of eight children to a node and leaves of up to eight triangles, fitted again by `Tree::refit` or built again by three builders, as the library does it. The hybrid update is compared in a binary tree of boxes along the axes of its own, kept in an array with parents before children.".into(),
        tables: vec![times, quality_table(&lost), merging::table(&merged), updates],
        charts: vec![Chart {
            name: "updates".into(),
            panels: vec![time_panel(&ratios), quality_panel(&lost), hybrid::panel(&hybrid)],
        }],
        ..Finding::default()
    };
    judge(&mut finding, &ratios, refits);
    merging::judge(&mut finding, &merged, &regrouped(&lost));
    hybrid::judge(&mut finding, &hybrid);
    Ok(finding)
}

/// The tree whose refits are compared by volume.
const REBUILT: Builder = Builder::BinnedSah;
const BUILDERS: [Builder; 3] = [Builder::Midpoint, Builder::BinnedSah, Builder::Morton];

/// Time to build over time to refit.
struct Ratio {
    volume: &'static str,
    builder: Builder,
    triangles: usize,
    refit: f64,
    /// By round.
    ratios: Vec<f64>,
}

impl Ratio {
    fn median(&self) -> f64 {
        Spread::of(self.ratios.clone()).median
    }
}

/// Refits that are timed together.
const REFITS: u32 = 8;

fn times(session: &Session<'_>) -> Result<(Table, Vec<Ratio>, [Spread; 2]), LabError> {
    let sizes = session.pick(
        vec![1_000, 4_000, 16_000],
        vec![1_000, 4_000, 16_000, 64_000],
        vec![1_000, 4_000, 16_000, 64_000, 256_000],
    );
    let (mut ratios, mut refits) = (Vec::new(), [Spread::of(Vec::new()); 2]);
    for (k, size) in sizes.iter().enumerate() {
        session.step("refit and rebuild", k as u64, sizes.len() as u64)?;
        let body = Body::new(&Model::generate(ModelShape::Bumpy, *size));
        let rounds = if *size > 10_000 { 5 } else { 7 };
        ratio::<Aabb>(&body, rounds, &mut ratios);
        ratio::<Sphere>(&body, rounds, &mut ratios);
        ratio::<Dop14>(&body, rounds, &mut ratios);
        ratio::<Obb>(&body, rounds, &mut ratios);
        // The largest counts.
        refits = refitted(&body, rounds);
    }
    let mut table =
        Table::new("times", "A bumpy ball: time to rebuild the tree over time to refit it")
            .column("triangles", "")
            .column("volume", "")
            .column("builder", "")
            .varying("refit", "µs")
            .varying("rebuild / refit", "");
    for ratio in &ratios {
        table.row([
            ratio.triangles.into(),
            ratio.volume.into(),
            ratio.builder.name().into(),
            (ratio.refit / 1e3).into(),
            ratio.median().into(),
        ]);
    }
    Ok((table, ratios, refits))
}

/// The time of a refit of spheres, and of oriented boxes, over that of boxes along the axes: the three take turns.
fn refitted(body: &Body, rounds: usize) -> [Spread; 2] {
    let (mut aabb, mut sphere, mut obb): (Tree<Aabb>, Tree<Sphere>, Tree<Obb>) =
        (body.build(REBUILT), body.build(REBUILT), body.build(REBUILT));
    let mut boxes = || drop(black_box(body.refit(&mut aabb)));
    let mut spheres = || drop(black_box(body.refit(&mut sphere)));
    let mut oriented = || drop(black_box(body.refit(&mut obb)));
    let times = repeated(rounds, &mut [&mut boxes, &mut spheres, &mut oriented]);
    [times.ratio(1, 0), times.ratio(2, 0)]
}

fn ratio<B: Bound>(body: &Body, rounds: usize, ratios: &mut Vec<Ratio>) {
    for builder in BUILDERS {
        let mut tree: Tree<B> = body.build(builder);
        let mut build = || {
            let _ = black_box(body.build::<B>(builder));
        };
        // A single one is short beside what the clock and an interrupt add.
        let mut refit = || {
            for _ in 0..REFITS {
                let _ = black_box(body.refit(&mut tree));
            }
        };
        let times = repeated(rounds, &mut [&mut build, &mut refit]);
        let over_refit = |ratio: f64| ratio * f64::from(REFITS);
        ratios.push(Ratio {
            volume: B::NAME,
            builder,
            triangles: body.corners.len(),
            refit: times.least()[1] / f64::from(REFITS),
            ratios: times.ratios(0, 1).into_iter().map(over_refit).collect(),
        });
    }
}

/// Twists: tangents of half angles at height one.
const AMOUNTS: [f64; 6] = [0.0, 0.1, 0.25, 0.5, 1.0, 2.0];

/// What a query takes on a refitted tree over a rebuilt one.
struct Lost {
    volume: &'static str,
    amount: f64,
    tests: [u64; 2],
}

fn quality(session: &Session<'_>) -> Result<(Vec<Lost>, Vec<Merged>), LabError> {
    let model = Model::generate(ModelShape::Knobbly, session.pick(4_000, 16_000, 60_000));
    let (mut lost, mut merged) = (Vec::new(), Vec::new());
    for (k, amount) in AMOUNTS.into_iter().enumerate() {
        session.step("twisted bodies", k as u64, AMOUNTS.len() as u64)?;
        let after = twisted(&model, amount);
        let mesh: Mesh<Obb> = after.mesh()?;
        let (mut random, mut scratch) = (Random::new(session.seed), Scratch::default());
        let approaches = (0..session.pick(10, 30, 100))
            .map(|_| Approach::random(&mesh, &mesh, &mut random, &mut scratch))
            .collect::<Result<Vec<_>, _>>()?;
        let bodies = (Body::new(&model), Body::new(&after));
        lost.push(tested::<Aabb>(&bodies, &approaches, amount)?);
        lost.push(tested::<Sphere>(&bodies, &approaches, amount)?);
        lost.push(tested::<Obb>(&bodies, &approaches, amount)?);
        merged.extend(merging::compared(&bodies, &approaches, amount)?);
    }
    Ok((lost, merged))
}

fn quality_table(lost: &[Lost]) -> Table {
    let mut table = Table::new(
        "quality",
        "A knobbly body against its copy, 0.01 radii apart: tests of volumes",
    )
    .column("volume", "")
    .column("twist", "")
    .column("tests, refitted", "")
    .column("tests, rebuilt", "")
    .column("refitted / rebuilt", "");
    for Lost { volume, amount, tests } in lost {
        table.row([
            (*volume).into(),
            (*amount).into(),
            tests[0].into(),
            tests[1].into(),
            (tests[0] as f64 / tests[1].max(1) as f64).into(),
        ]);
    }
    table
}

/// Does nothing with leaves: the tests of volumes are counted.
struct Nothing;

impl Visit for Nothing {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, _: S, _: u32, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn tested<B: Bound>(
    (before, after): &(Body, Body),
    approaches: &[Approach],
    amount: f64,
) -> Result<Lost, LabError> {
    let mut refitted: Tree<B> = before.build(Builder::default());
    after.refit(&mut refitted)?;
    let rebuilt: Tree<B> = after.build(Builder::default());
    let tests = volumes_tested([&refitted, &rebuilt], after, approaches)?;
    Ok(Lost { volume: B::NAME, amount, tests })
}

/// The tests of volumes between a body and its copy near touching, by each of two trees over it.
fn volumes_tested<B: Bound>(
    trees: [&Tree<B>; 2],
    body: &Body,
    approaches: &[Approach],
) -> Result<[u64; 2], LabError> {
    let mut tests = [0; 2];
    for approach in approaches {
        let placement = RelativeFrame::new(&body.frame, &body.frame, &approach.at(0.01)?, 1.0);
        for (tree, tests) in trees.into_iter().zip(&mut tests) {
            let mut counts = Counts::default();
            let trees = PairTraversal {
                a: tree,
                b: tree,
                placement: &placement,
                policy: Policy::default(),
            };
            let _ = traverse::pairs(trees, &mut Stack::default(), &mut Nothing, &mut counts);
            *tests += counts.volumes;
        }
    }
    Ok(tests)
}

fn time_panel(ratios: &[Ratio]) -> Panel {
    let series = |volume: &'static str, builder: Builder| {
        let kept = ratios.iter().filter(|one| one.volume == volume && one.builder == builder);
        let points: Vec<(f64, f64)> =
            kept.map(|one| (one.triangles as f64, one.median())).collect();
        Series::line(format!("{volume}, {}", builder.name()), points)
    };
    let mut all: Vec<Series> =
        BUILDERS.into_iter().map(|builder| series(Aabb::NAME, builder)).collect();
    all.push(series(Sphere::NAME, Builder::BinnedSah));
    all.push(series(Obb::NAME, Builder::BinnedSah));
    let stated = all[0].points.iter().map(|(x, _)| (*x, 10.0)).collect();
    all.push(Series::published("stated: about ten (AABB)", stated).colored(13));
    Panel {
        title: "Rebuild over refit".into(),
        across: Axis::logarithmic("triangles"),
        up: Axis::linear("time to rebuild / time to refit"),
        series: all,
        legend: Corner::Beside,
    }
}

fn quality_panel(lost: &[Lost]) -> Panel {
    let series = [Aabb::NAME, Sphere::NAME, Obb::NAME].map(|volume| {
        let kept = lost.iter().filter(|one| one.volume == volume);
        let points = kept.map(|one| (one.amount, one.tests[0] as f64 / one.tests[1].max(1) as f64));
        Series::line(volume, points.collect())
    });
    Panel {
        title: "What refitted trees lose".into(),
        across: Axis::linear("twist: tangent of half the angle at height one"),
        up: Axis::linear("tests of volumes, refitted / rebuilt"),
        series: series.into(),
        legend: Corner::UpperLeft,
    }
}

/// The published ratio, and the factor within which a measured one is about that.
const TEN: f64 = 10.0;
const ABOUT: f64 = 2.0;

fn judge(finding: &mut Finding, ratios: &[Ratio], refits: [Spread; 2]) {
    let of = |volume: &'static str, builder: Builder| {
        let kept = ratios.iter().filter(move |one| one.volume == volume && one.builder == builder);
        kept.max_by_key(|one| one.triangles)
    };
    let ratios_of = BUILDERS.map(|builder| {
        Spread::of(of(Aabb::NAME, builder).map_or(Vec::new(), |one| one.ratios.clone()))
    });
    let [midpoint, binned, morton] = ratios_of;
    let about = ratios_of.iter().filter(|ratio| ratio.is_within_factor(ABOUT, TEN)).count();
    finding.claim(
        "the bottom-up refit of AABB trees is reported to be about ten times as fast as rebuilding the tree from scratch",
        format!("rebuilding takes {midpoint} times the time of a refit with midpoint splits, {binned} times with binned SAH and {morton} times in Morton order (largest model; median and middle half of {} rounds).", midpoint.repeats),
        Verdict::of(about, ratios_of.len()),
        if about < ratios_of.len() { "About ten means five to twenty; the way the tree is rebuilt, which the document does not state, decides." } else { "" },
    );
    let [sphere, obb] = refits;
    finding.claim(
        "boxes along the axes are fast to recompute, compared with oriented boxes",
        format!("a refit of oriented boxes takes {obb} times the time of boxes along the axes, one of spheres {sphere} times (largest model)."),
        Verdict::holds(obb.is_slower()),
        "",
    );
}

/// What refitted trees lose beside rebuilt ones: merging or not, they keep the groups of the body as it was.
fn regrouped(lost: &[Lost]) -> String {
    let worst = |volume: &str| {
        let kept = lost.iter().filter(|one| one.volume == volume);
        kept.map(|one| one.tests[0] as f64 / one.tests[1].max(1) as f64).fold(0.0, f64::max)
    };
    format!(
        "Twisted, refitted trees take up to {:.2} times the tests of rebuilt ones, which have groups of their own, with boxes along the axes, {:.2} times with spheres and {:.2} times with oriented boxes.",
        worst(Aabb::NAME),
        worst(Sphere::NAME),
        worst(Obb::NAME)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refitted_trees_hold_the_twisted_body() {
        let model = Model::generate(ModelShape::Knobbly, 400);
        let (before, after) = (Body::new(&model), Body::new(&twisted(&model, 0.5)));
        let mut tree: Tree<Aabb> = before.build(Builder::default());
        after.refit(&mut tree).unwrap();
        let points = after.sorted(tree.order());
        assert_eq!(tree.validate(&after.geometry(&points)), Ok(()));
        // Where nothing moves, the refitted boxes are those of the build.
        let built: Tree<Aabb> = before.build(Builder::default());
        let mut again = built.clone();
        before.refit(&mut again).unwrap();
        assert_eq!(built.cost(), again.cost());
        assert!(tree.cost().volume_visits > built.cost().volume_visits * 0.5);
    }
}
