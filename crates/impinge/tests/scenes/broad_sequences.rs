//! Every broad phase against brute force: random changes, long motion and degenerate worlds. A phase is one line at the end.

use impinge::broad::{Aabb, BroadPhase, BroadRay, BruteForce, PairList, Proxies};
use impinge::geom::glam::DVec3;
use impinge::geom::ray::Ray;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }

    fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    fn point(&mut self, scale: f32) -> [f32; 3] {
        [(); 3].map(|()| (self.unit() - 0.5) * scale)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A box between corners that are in order.
fn between(low: [f32; 3], high: [f32; 3]) -> Aabb {
    Aabb::new(low, high)
}

/// A box with a low corner and sides.
fn sided(low: [f32; 3], sides: [f32; 3]) -> Aabb {
    between(low, [0, 1, 2].map(|k| low[k] + sides[k]))
}

/// The worlds that boxes are drawn from.
#[derive(Clone, Copy, Debug)]
enum World {
    NearEqual,
    Decades,
    Floor,
    Points,
    Lattice,
    FarAway,
    Wild,
}

const WORLDS: [World; 7] = [
    World::NearEqual,
    World::Decades,
    World::Floor,
    World::Points,
    World::Lattice,
    World::FarAway,
    World::Wild,
];

/// A box of a world that fits about `count` boxes with a few overlaps each.
fn draw(world: World, count: usize, random: &mut Random) -> Aabb {
    let width = 1.2 * (count as f32).cbrt();
    let side = |random: &mut Random| 0.6 + 0.6 * random.unit();
    match world {
        World::NearEqual => sided(random.point(width), [(); 3].map(|()| side(random))),
        World::Decades => {
            let size = 10f32.powf(-3.0 * random.unit()) * 2.0;
            sided(random.point(width), [(); 3].map(|()| size * (0.2 + random.unit())))
        }
        World::Floor => {
            let [x, _, z] = random.point(width * 1.5);
            sided([x, 0.01 * random.unit(), z], [side(random), 1.0, side(random)])
        }
        World::Points => sided([(); 3].map(|()| random.below(4) as f32), [0.0; 3]),
        World::Lattice => {
            let corner = [(); 3].map(|()| random.below(8) as f32);
            sided(corner, [(); 3].map(|()| random.below(3) as f32))
        }
        World::FarAway => {
            let far = [1e7, 3e4, -1e7][random.below(3)];
            let near = random.point(width);
            sided([far + near[0], near[1], far - near[2]], [(); 3].map(|()| side(random)))
        }
        World::Wild => wild(random),
    }
}

/// Boxes that break arithmetic: infinite, huge, far and tiny ones.
fn wild(random: &mut Random) -> Aabb {
    const ENDS: [f32; 12] = [
        f32::NEG_INFINITY,
        f32::MIN,
        -1e30,
        -1e9,
        -1.0,
        -0.0,
        0.0,
        1e-40,
        1.0,
        1e12,
        f32::MAX,
        f32::INFINITY,
    ];
    let sides = [(); 3].map(|()| {
        let first = ENDS[random.below(12)];
        let second = if random.chance(50) { first } else { ENDS[random.below(12)] };
        [first.min(second), first.max(second)]
    });
    between(sides.map(|side| side[0]), sides.map(|side| side[1]))
}

fn compare(phase: &mut dyn BroadPhase, proxies: &Proxies, told: &str) {
    let (mut expected, mut pairs) = (PairList::default(), PairList::default());
    BruteForce.update(proxies, &mut expected);
    phase.update(proxies, &mut pairs);
    expected.sort();
    pairs.sort();
    if expected.list() != pairs.list() {
        let missing = expected.list().iter().find(|pair| !pairs.list().contains(pair));
        let extra = pairs.list().iter().find(|pair| !expected.list().contains(pair));
        panic!(
            "{} {told}: {} pairs instead of {}, missing {missing:?}, too many {extra:?}",
            phase.name(),
            pairs.list().len(),
            expected.list().len()
        );
    }
    assert!(!pairs.is_cut_short());
}

/// A ray shows all boxes that it meets before its end, each once, and without an end no others.
fn compare_ray(phase: &dyn BroadPhase, proxies: &Proxies, random: &mut Random) {
    let target =
        proxies.living().next().map_or([0.0; 3], |index| proxies.extent(index).low.to_array());
    let target = target.map(|x| if x.abs() < 1e6 { x } else { 0.0 });
    let (origin, beside) = (random.point(60.0), random.point(0.2));
    let mut direction = [0, 1, 2].map(|k| f64::from(target[k] - origin[k] + beside[k]));
    if random.chance(30) {
        direction[random.below(3)] = 0.0;
    }
    let Ok(ray) = Ray::new(origin.map(f64::from), direction) else { return };
    let ray = BroadRay::new(&ray, DVec3::ZERO).expect("it begins near");
    for end in [f64::INFINITY, 1.0] {
        let mut shown = Vec::new();
        phase.cast_ray(proxies, &ray, &mut |index| {
            shown.push(index);
            end
        });
        shown.sort_unstable();
        assert!(shown.is_sorted_by(|a, b| a < b), "{} shows one twice", phase.name());
        // Boxes whose finite sides are beyond 2^60 are not promised.
        let far = |x: f32, outward: f32| x.abs() > (1u64 << 60) as f32 && x != outward;
        let near = |index: &u32| {
            let extent = proxies.extent(*index);
            !extent.low.to_array().iter().any(|&x| far(x, f32::NEG_INFINITY))
                && !extent.high.to_array().iter().any(|&x| far(x, f32::INFINITY))
        };
        shown.retain(near);
        // Where a box begins right at the end, rounding may decide.
        let expected: Vec<u32> = proxies
            .living()
            .filter(near)
            .filter(|index| ray.meets(proxies.extent(*index), 0.9999 * end))
            .collect();
        if end == f64::INFINITY {
            assert_eq!(shown, expected, "{} {ray:?}", phase.name());
        }
        let missed = expected.iter().find(|index| !shown.contains(index));
        assert_eq!(missed, None, "{} {ray:?} up to {end}", phase.name());
    }
}

fn compare_overlapping(phase: &dyn BroadPhase, proxies: &Proxies, extent: &Aabb) {
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    BruteForce.overlapping(proxies, extent, &mut |index| expected.push(index));
    phase.overlapping(proxies, extent, &mut |index| found.push(index));
    found.sort_unstable();
    assert_eq!(found, expected, "{} overlapping {extent:?}", phase.name());
}

/// Random insertions, moves and removals; compared after every `interval` of them at most.
fn change_at_random(
    phase: &mut dyn BroadPhase,
    world: World,
    [count, operations, interval]: [usize; 3],
    random: &mut Random,
) {
    phase.reset();
    let (mut proxies, mut living) = (Proxies::default(), Vec::new());
    let mut until = 0;
    for operation in 0..operations {
        let kind = random.below(100);
        let crowded = living.len() > random.below(2 * count);
        if living.is_empty() || (kind < 30 && !crowded) {
            living.push(proxies.insert(draw(world, count, random), random.chance(80)));
        } else if kind < 30 {
            let index = living.swap_remove(random.below(living.len()));
            assert!(proxies.remove(index));
        } else {
            // Of some proxies nothing is ever moved, so that there is something at rest.
            let index = living[random.below(living.len()) / 2];
            assert!(proxies.set(index, draw(world, count, random)));
        }
        if until == 0 {
            let told = format!("{world:?} after {operation} operations");
            if random.chance(20) {
                compare_overlapping(phase, &proxies, &draw(world, count, random));
            }
            if random.chance(1) {
                phase.reset();
            }
            if random.chance(20) {
                phase.refit(&proxies);
                compare_ray(phase, &proxies, random);
                compare_overlapping(phase, &proxies, &draw(world, count, random));
            }
            compare_ray(phase, &proxies, random);
            compare(phase, &proxies, &told);
            if random.chance(20) {
                compare_overlapping(phase, &proxies, &draw(world, count, random));
            }
            proxies.clear_changes();
            compare_overlapping(phase, &proxies, &draw(world, count, random));
            until = random.below(interval);
        } else {
            until -= 1;
        }
    }
}

fn random_changes(mut phase: impl BroadPhase) {
    let mut random = Random(1);
    for world in WORLDS {
        change_at_random(&mut phase, world, [200, 13_000, 200], &mut random);
        change_at_random(&mut phase, world, [15, 2_000, 1], &mut random);
    }
}

/// Boxes that fly about in a room, and rest for a while now and then.
fn long_motion(mut phase: impl BroadPhase) {
    let mut random = Random(2);
    let mut proxies = Proxies::default();
    let mut places: Vec<[[f32; 3]; 2]> =
        (0..60).map(|_| [random.point(5.0), random.point(0.1)]).collect();
    let sides: Vec<[f32; 3]> =
        (0..60).map(|k| [0.3 + 0.02 * k as f32, 0.5, 0.2 + random.unit()]).collect();
    for (k, [place, _]) in places.iter().enumerate() {
        proxies.insert(sided(*place, sides[k]), k % 7 != 0);
    }
    for frame in 0..10_000 {
        let resting = if frame % 400 < 200 { 55 } else { 0 };
        for (k, [place, velocity]) in places.iter_mut().enumerate().skip(resting) {
            for axis in 0..3 {
                place[axis] += velocity[axis];
                if place[axis].abs() > 2.5 {
                    velocity[axis] = -velocity[axis].abs() * place[axis].signum();
                }
            }
            assert!(proxies.set(k as u32, sided(*place, sides[k])));
        }
        compare(&mut phase, &proxies, &format!("frame {frame}"));
        proxies.clear_changes();
    }
}

/// Enough boxes that the work is shared among threads.
fn many(mut phase: impl BroadPhase) {
    let mut random = Random(3);
    let plans: [(World, &[usize]); 3] =
        [(World::NearEqual, &[4500, 300, 2]), (World::Decades, &[300]), (World::Floor, &[300])];
    for (world, changes) in plans {
        phase.reset();
        let mut proxies = Proxies::default();
        for _ in 0..4500 {
            proxies.insert(draw(world, 4500, &mut random), random.chance(90));
        }
        compare(&mut phase, &proxies, "many");
        for &changed in changes {
            proxies.clear_changes();
            for _ in 0..changed {
                let index = random.below(4500) as u32;
                assert!(proxies.set(index, draw(world, 4500, &mut random)));
            }
            compare(&mut phase, &proxies, &format!("many {world:?}, {changed} changed"));
        }
    }
}

fn degenerate(mut phase: impl BroadPhase) {
    let everything = between([f32::NEG_INFINITY; 3], [f32::INFINITY; 3]);
    compare(&mut phase, &Proxies::default(), "nothing");
    compare_overlapping(&phase, &Proxies::default(), &everything);
    type Make = fn(usize) -> Aabb;
    let worlds: [(&str, Make); 7] = [
        ("one point", |_| sided([3.0; 3], [0.0; 3])),
        ("one box", |_| sided([-1.0; 3], [2.0; 3])),
        ("all infinite", |_| between([f32::NEG_INFINITY; 3], [f32::INFINITY; 3])),
        ("at infinity", |_| between([f32::INFINITY; 3], [f32::INFINITY; 3])),
        ("one giant among small ones", |k| {
            let x = k as f32;
            if k == 40 { sided([-1e30; 3], [2e30; 3]) } else { sided([x, -x, 0.0], [1.0; 3]) }
        }),
        ("sizes over sixty decades", |k| {
            sided([10f32.powi(k as i32 / 2 - 30); 3], [10f32.powi(k as i32 / 2 - 30); 3])
        }),
        ("infinite plates", |k| {
            let [low, high] = [f32::NEG_INFINITY, f32::INFINITY];
            between([low, k as f32, low], [high, k as f32 + 1.5, high])
        }),
    ];
    for (name, make) in worlds {
        phase.reset();
        let mut proxies = Proxies::default();
        for k in 0..120 {
            proxies.insert(make(k), k % 5 != 0);
        }
        for frame in 0..4 {
            compare(&mut phase, &proxies, name);
            compare_overlapping(&phase, &proxies, &everything);
            compare_overlapping(&phase, &proxies, &make(7));
            proxies.clear_changes();
            for k in (frame..120).step_by(30) {
                assert!(proxies.remove(k as u32));
                proxies.insert(make(119 - k), true);
            }
        }
    }
}

/// The limit ends the search, and what follows is whole again.
fn limit(mut phase: impl BroadPhase) {
    let mut proxies = Proxies::default();
    for k in 0..5000 {
        proxies.insert(sided([0.0; 3], [1.0; 3]), k > 0);
    }
    for frame in 0..3 {
        for limit in [0, 1, 1000] {
            let mut few = PairList::with_limit(limit);
            phase.update(&proxies, &mut few);
            assert!(few.is_cut_short() && few.list().len() == limit, "{}", phase.name());
            few.sort();
            assert!(few.list().windows(2).all(|pair| pair[0] < pair[1]), "{}", phase.name());
            proxies.clear_changes();
            phase.reset();
        }
        assert!(proxies.set(frame, sided([0.5; 3], [1.0; 3])));
    }
    for index in 30..5000 {
        assert!(proxies.remove(index));
    }
    let mut exactly = PairList::with_limit(30 * 29 / 2);
    phase.update(&proxies, &mut exactly);
    assert!(!exactly.is_cut_short() && exactly.list().len() == 30 * 29 / 2, "{}", phase.name());
    proxies.clear_changes();
    let mut few = PairList::with_limit(3);
    phase.update(&proxies, &mut few);
    assert!(few.is_cut_short());
    proxies.clear_changes();
    assert!(proxies.set(4, sided([0.25; 3], [1.0; 3])));
    compare(&mut phase, &proxies, "after the limit");
}

/// The memory is in proportion to the boxes and pairs, wherever the boxes are.
fn memory(mut phase: impl BroadPhase) {
    let mut random = Random(4);
    let mut proxies = Proxies::default();
    for k in 0..3000 {
        let spread = 10f32.powi(k % 30);
        let size = if k % 50 == 0 { 1e25 } else { 1.0 };
        let place = random.point(spread);
        proxies.insert(sided(place, [size; 3]), true);
    }
    let mut pairs = PairList::default();
    phase.update(&proxies, &mut pairs);
    proxies.clear_changes();
    phase.update(&proxies, &mut pairs);
    let fair = 3000 * 1000 + pairs.list().len() * 64;
    assert!(phase.bytes() < fair, "{}: {} bytes", phase.name(), phase.bytes());
}

/// The same properties of every phase.
macro_rules! phases {
    ($($name:ident: $phase:expr;)*) => {$(
        mod $name {
            #[test]
            fn random_changes() {
                super::random_changes($phase);
            }

            #[test]
            fn long_motion() {
                super::long_motion($phase);
            }

            #[test]
            fn many() {
                super::many($phase);
            }

            #[test]
            fn degenerate() {
                super::degenerate($phase);
            }

            #[test]
            fn limit() {
                super::limit($phase);
            }

            #[test]
            fn memory() {
                super::memory($phase);
            }
        }
    )*};
}

phases! {
    spatial_hash: impinge::broad::SpatialHash::default();
    hierarchical_grid: impinge::broad::HierarchicalGrid::default();
    uniform_grid: impinge::broad::UniformGrid::default();
    loose_octree: impinge::broad::LooseOctree::default();
    sweep_and_prune: impinge::broad::SweepAndPrune::default();
    dynamic_tree: impinge::broad::DynamicTree::default();
    chooser: impinge::broad::AdaptiveBroadPhase::default();
}
