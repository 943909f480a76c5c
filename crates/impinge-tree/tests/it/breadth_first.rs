//! What a budget leaves undecided is in the front: going on from there gives the same as one unlimited search.

use crate::cloud::{Cloud, Random};
use impinge_geom::Pose;
use impinge_geom::bound::{Aabb, Bound, Obb, ObbRss, RelativeFrame, Rss};
use impinge_geom::simd::Simd;
use impinge_tree::traverse::{
    BreadthFirst, Front, PairTraversal, Policy, Progress, Stack, Visit, distance_in_budget,
    overlap_in_budget, pairs,
};
use impinge_tree::{Builder, Counts, Tree};
use std::ops::ControlFlow;

#[derive(Default)]
struct Collect(Vec<(u32, u32)>);

impl Visit for Collect {
    fn leaf_pair<S: Simd>(&mut self, _: S, a: u32, b: u32) -> ControlFlow<()> {
        self.0.push((a, b));
        ControlFlow::Continue(())
    }
}

/// Keeps the least distance of two corners, which is not below that of the volumes.
struct Closest<'c> {
    leaves: [&'c dyn Fn(u32) -> Vec<impinge_geom::glam::DVec3>; 2],
    best: f64,
}

impl Visit for Closest<'_> {
    fn leaf_pair<S: Simd>(&mut self, _: S, a: u32, b: u32) -> ControlFlow<()> {
        for p in (self.leaves[0])(a) {
            for q in (self.leaves[1])(b) {
                self.best = self.best.min(p.distance(q));
            }
        }
        ControlFlow::Continue(())
    }

    fn max_distance(&self) -> f32 {
        impinge_geom::number::outward::round_up(self.best)
    }
}

fn goes_on_where_it_stopped<B: Bound>() {
    let mut random = Random::new(21);
    let cloud = Cloud::new(20, 700);
    let tree: Tree<B> = cloud.tree(Builder::BinnedSah);
    let frame = tree.frame();
    for round in 0..12 {
        let far = f64::from(round) * 0.8;
        let pose = Pose::from_translation([far, random.signed(), random.signed()]).expect("valid");
        let placement = RelativeFrame::new(frame, frame, &pose, 1.0);
        let mut expected = Collect::default();
        let trees = PairTraversal {
            a: &tree,
            b: &tree,
            placement: &placement,
            policy: Policy::LargerFirst,
        };
        let mut all = Counts::default();
        let _ = pairs(trees, &mut Stack::default(), &mut expected, &mut all);
        let (mut found, mut front, mut counts) =
            (Collect::default(), Front::default(), Counts::default());
        front.begin();
        let budget = 1 + random.below(50) as u64;
        let trees = BreadthFirst { a: &tree, b: &tree, placement: &placement, budget };
        loop {
            let before = counts.steps + counts.leaves;
            let progress = overlap_in_budget(trees, &mut front, &mut found, &mut counts);
            let spent = counts.steps + counts.leaves - before;
            assert!(spent <= budget);
            if progress == Progress::Finished {
                assert_eq!(front.remaining().count(), 0);
                break;
            }
            assert_eq!((progress, spent), (Progress::OutOfBudget, budget));
            // Each pair that is left has volumes that overlap.
            for pair in front.remaining().take(3) {
                assert!(tree.volume(pair.a).is_some() && tree.volume(pair.b).is_some());
            }
        }
        expected.0.sort_unstable();
        found.0.sort_unstable();
        // The roots are not tested, nor does that change the pairs of leaves.
        assert_eq!(found.0, expected.0, "round {round}");
    }
}

fn brackets_the_distance<B: Bound>() {
    let cloud = Cloud::new(22, 300);
    let tree: Tree<B> = cloud.tree(Builder::PrincipalMean);
    let frame = tree.frame();
    let points = cloud.points(tree.order());
    for step in 0..6 {
        let shift = 2.0 + f64::from(step);
        let pose = Pose::from_translation([shift, 0.3, -0.2]).expect("valid");
        let placement = RelativeFrame::new(frame, frame, &pose, 1.0);
        let own = |leaf: u32| -> Vec<_> {
            let places = tree.leaf_places(leaf);
            points[3 * places.start..3 * places.end].iter().map(|p| p.as_dvec3()).collect()
        };
        let offset = pose.translation() * frame.factor();
        let moved = |leaf: u32| own(leaf).into_iter().map(|p| p + offset).collect();
        let all: Vec<_> = (0..tree.leaf_count() as u32).flat_map(own).collect();
        let mut least = f64::INFINITY;
        for p in &all {
            all.iter().for_each(|q| least = least.min(p.distance(*q + offset)));
        }
        let (mut below, mut above) = (0.0f32, f64::INFINITY);
        for budget in [0, 1, 5, 20, 100, 1000, 100_000] {
            let mut closest = Closest { leaves: [&own, &moved], best: f64::INFINITY };
            let mut front = Front::default();
            front.begin();
            let trees = BreadthFirst { a: &tree, b: &tree, placement: &placement, budget };
            let progress = distance_in_budget(trees, &mut front, &mut closest, &mut ());
            let lower = front.lower_bound().min(closest.max_distance());
            assert!(f64::from(lower) <= least + 1e-6 && closest.best >= least, "{budget}");
            assert!(lower >= below && closest.best <= above, "more work, no worse an answer");
            (below, above) = (lower, closest.best);
            if progress == Progress::Finished {
                assert_eq!(closest.best, least);
            }
        }
        assert_eq!(above, least);
    }
}

macro_rules! of_each_volume {
    ($($name:ident: $volume:ty),*) => {
        $(#[test]
        fn $name() {
            goes_on_where_it_stopped::<$volume>();
            brackets_the_distance::<$volume>();
        })*
    };
}

of_each_volume! {
    with_axis_aligned_boxes: Aabb,
    with_oriented_boxes: Obb,
    with_swept_rectangles: Rss,
    with_boxes_and_rectangles: ObbRss
}
