//! Saved trees come back; nothing else does, and nothing panics.

use crate::cloud::{Cloud, Random};
use impinge_geom::Pose;
use impinge_geom::bound::{Aabb, Bound, Obb, ObbRss, RelativeFrame, Rss};
use impinge_geom::simd::Simd;
use impinge_tree::traverse::{
    BreadthFirst, Front, Nearest, Order, PairTraversal, Policy, Progress, Queue, Stack, Visit,
    nearest, overlap_in_budget, pairs,
};
use impinge_tree::{Builder, Counts, LoadFault, Tree, TreeFault};
use std::ops::ControlFlow;

/// Counts the pairs of leaves, and checks that they are there.
struct Count<'t, B: Bound>(&'t Tree<B>, usize);

impl<B: Bound> Visit for Count<'_, B> {
    fn leaf_pair<S: Simd>(&mut self, _: S, a: u32, b: u32) -> ControlFlow<()> {
        assert!(!self.0.leaf(a).is_empty() && !self.0.leaf(b).is_empty());
        self.1 += 1;
        ControlFlow::Continue(())
    }
}

/// All traversals of a tree with itself end, and visit no pair of leaves twice.
fn traverses<B: Bound>(tree: &Tree<B>) {
    let frame = tree.frame();
    let placement = RelativeFrame::new(frame, frame, &Pose::IDENTITY, 1.0);
    let most = tree.leaf_count() * tree.leaf_count();
    for policy in Policy::ALL {
        let mut count = Count(tree, 0);
        let trees = PairTraversal { a: tree, b: tree, placement: &placement, policy };
        let _ = pairs(trees, &mut Stack::default(), &mut count, &mut Counts::default());
        assert!(count.1 <= most);
    }
    for order in [Order::DepthFirst, Order::BestFirst] {
        let mut count = Count(tree, 0);
        let trees = Nearest { a: tree, b: tree, placement: &placement, far: None, order };
        let _ = nearest(trees, &mut Queue::default(), &mut count, &mut ());
        assert!(count.1 <= most);
    }
    let mut count = Count(tree, 0);
    let trees = BreadthFirst { a: tree, b: tree, placement: &placement, budget: u64::MAX };
    let mut front = Front::default();
    front.begin();
    let progress = overlap_in_budget(trees, &mut front, &mut count, &mut ());
    assert_eq!(progress, Progress::Finished);
    assert!(count.1 <= most);
    let _ = tree.cost();
}

fn comes_back<B: Bound>() {
    let cloud = Cloud::new(8, 150);
    for builder in Builder::ALL {
        let tree: Tree<B> = cloud.tree(builder);
        let bytes = tree.save();
        assert_eq!(Tree::load(&bytes).as_ref(), Ok(&tree));
        traverses(&tree);
        for length in 0..bytes.len() {
            assert!(Tree::<B>::load(&bytes[..length]).is_err(), "{length}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let error = Tree::<B>::load(&longer).expect_err("too long");
        assert_eq!((error.offset, error.fault), (bytes.len(), LoadFault::TooLong));
    }
}

/// Some trees that are loaded from damaged bytes must be traversed safely.
fn survives_damage<B: Bound>() {
    let cloud = Cloud::new(9, 60);
    let tree: Tree<B> = cloud.tree(Builder::BinnedSah);
    let points = cloud.points(tree.order());
    let bytes = tree.save();
    let mut random = Random::new(10);
    let (mut refused, mut loaded) = (0, 0);
    for _ in 0..6000 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len());
            match random.below(4) {
                0 => damaged[at] = random.bits() as u8,
                1 => damaged[at] ^= 1 << random.below(8),
                2 => damaged[at] = [0, 1, 8, 9, 0x7f, 0x80, 0xff][random.below(7)],
                _ => {
                    // Another number from elsewhere.
                    let (from, to) = (random.below(bytes.len() - 4), at.min(bytes.len() - 4));
                    damaged.copy_within(from..from + 4, to);
                }
            }
        }
        match Tree::<B>::load(&damaged) {
            Ok(mut tree) => {
                loaded += 1;
                traverses(&tree);
                let _ = tree.validate(&cloud.geometry(&points));
                assert_eq!(tree.refit(&cloud.geometry(&points)), Ok(()));
            }
            Err(error) => {
                refused += 1;
                assert!(error.offset <= damaged.len(), "{error}");
            }
        }
    }
    assert!(refused > 500 && loaded > 500, "{refused} {loaded}");
}

#[test]
fn with_axis_aligned_boxes() {
    comes_back::<Aabb>();
    survives_damage::<Aabb>();
}

#[test]
fn with_oriented_boxes() {
    comes_back::<Obb>();
    survives_damage::<Obb>();
}

#[test]
fn with_swept_rectangles() {
    comes_back::<Rss>();
    survives_damage::<Rss>();
}

#[test]
fn with_boxes_and_rectangles() {
    comes_back::<ObbRss>();
    survives_damage::<ObbRss>();
}

/// Where the first node, the leaves and the order begin.
fn parts(tree: &Tree<Aabb>) -> (usize, usize, usize) {
    let header = 12 + 4 + 1 + 4 + 40;
    let order = tree.save().len() - 4 * tree.order().len();
    (header + 12, order - 4 * tree.leaf_count(), order)
}

#[test]
fn names_what_is_wrong() {
    let tree: Tree<Aabb> = Cloud::new(11, 100).tree(Builder::Morton);
    let (nodes, leaves, order) = parts(&tree);
    let fault = |at: usize, value: u32| {
        let mut bytes = tree.save();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let error = Tree::<Aabb>::load(&bytes).expect_err("damaged");
        (error.offset, error.fault)
    };
    assert_eq!(fault(0, 0), (0, LoadFault::NotATree));
    assert_eq!(fault(12, 7), (12, LoadFault::Version(7)));
    // More nodes than bytes could hold: refused before memory is asked for.
    assert_eq!(fault(nodes - 12, u32::MAX).1, LoadFault::Truncated);
    assert_eq!(fault(nodes, 9), (nodes, LoadFault::Children(9)));
    // The root that is its own child.
    let child = LoadFault::Structure(TreeFault::NodeChild { node: 0, lane: 0 });
    assert_eq!(fault(nodes + 4, 0), (nodes + 4, child));
    assert_eq!(fault(nodes + 8, f32::NAN.to_bits()), (nodes + 8, LoadFault::Volume));
    assert_eq!(fault(leaves, 0), (leaves, LoadFault::Structure(TreeFault::Leaf { leaf: 0 })));
    let twice = LoadFault::Structure(TreeFault::NotAPermutation { place: 1 });
    assert_eq!(fault(order + 4, tree.order()[0]), (order + 4, twice));
}
