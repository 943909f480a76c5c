//! What a broad phase is given and gives.

use impinge::broad::{
    Aabb, AdaptiveBroadPhase, BroadPhase, BruteForce, DynamicTree, HierarchicalGrid, LooseOctree,
    PairList, Proxies, SpatialHash, SweepAndPrune, UniformGrid,
};

#[test]
fn fixed_pairs_removed_proxies_and_the_limit() {
    let unit = Aabb::new([0.0; 3], [1.0; 3]);
    let mut proxies = Proxies::default();
    let moving = proxies.insert(unit, true);
    let fixed = [proxies.insert(unit, false), proxies.insert(unit, false)];
    let mut pairs = PairList::default();
    BruteForce.update(&proxies, &mut pairs);
    pairs.sort();
    assert_eq!(pairs.list(), [[moving, fixed[0]], [moving, fixed[1]]]);
    assert!(proxies.remove(fixed[0]) && !proxies.remove(fixed[0]) && !proxies.set(fixed[0], unit));
    BruteForce.update(&proxies, &mut pairs);
    assert_eq!(pairs.list(), [[moving, fixed[1]]]);
    let mut none = PairList::with_limit(0);
    BruteForce.update(&proxies, &mut none);
    assert!(none.is_cut_short() && none.list().is_empty());
}

/// Boxes that do not move have no pairs with each other: a crowd of them in one place is as little work as they are.
#[test]
fn a_crowd_that_does_not_move_has_pairs_with_those_that_do_only() {
    let phases: [Box<dyn BroadPhase>; 7] = [
        Box::new(DynamicTree::default()),
        Box::new(UniformGrid::default()),
        Box::new(AdaptiveBroadPhase::default()),
        Box::new(SpatialHash::default()),
        Box::new(HierarchicalGrid::default()),
        Box::new(LooseOctree::default()),
        Box::new(SweepAndPrune::default()),
    ];
    let unit = Aabb::new([0.0; 3], [1.0; 3]);
    for mut phase in phases {
        let mut proxies = Proxies::default();
        let crowd: Vec<u32> = (0..50_000).map(|_| proxies.insert(unit, false)).collect();
        let moving = [0.0, 0.5, 5.0]
            .map(|x| proxies.insert(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]), true));
        let mut pairs = PairList::default();
        phase.update(&proxies, &mut pairs);
        assert_eq!(pairs.list().len(), 100_001, "{}", phase.name());
        proxies.clear_changes();
        proxies.set(moving[2], unit);
        proxies.set(crowd[7], Aabb::new([0.25; 3], [0.75; 3]));
        phase.update(&proxies, &mut pairs);
        assert_eq!(pairs.list().len(), 150_003, "{}", phase.name());
    }
}
