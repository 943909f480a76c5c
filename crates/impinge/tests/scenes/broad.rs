//! What a broad phase is given and gives.

use impinge::broad::{BroadPhase, BruteForce, Extent, Pairs, Proxies};

#[test]
fn fixed_pairs_removed_proxies_and_the_limit() {
    let unit = Extent::new([0.0; 3], [1.0; 3]).unwrap();
    let mut proxies = Proxies::default();
    let moving = proxies.insert(unit, true);
    let fixed = [proxies.insert(unit, false), proxies.insert(unit, false)];
    let mut pairs = Pairs::default();
    BruteForce.update(&proxies, &mut pairs);
    pairs.sort();
    assert_eq!(pairs.list(), [[moving, fixed[0]], [moving, fixed[1]]]);
    assert!(proxies.remove(fixed[0]) && !proxies.remove(fixed[0]) && !proxies.set(fixed[0], unit));
    BruteForce.update(&proxies, &mut pairs);
    assert_eq!(pairs.list(), [[moving, fixed[1]]]);
    let mut none = Pairs::with_limit(0);
    BruteForce.update(&proxies, &mut none);
    assert!(none.is_cut_short() && none.list().is_empty());
}
