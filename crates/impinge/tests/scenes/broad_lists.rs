//! The list of pairs goes from update to update, as in a scene: broad phases may keep what is in it, but not what was altered. Pairs
//! and queries are those of a naive search over a record of its own.

use impinge::broad::{
    Aabb, AdaptiveBroadPhase, BroadPhase, BruteForce, DynamicTree, PairList, Proxies, UniformGrid,
};

/// One line for each broad phase: a name for its tests, and how it is made.
macro_rules! broad_phases {
    ($($name:ident: $make:expr;)*) => {
        $(mod $name {
            use super::*;

            #[test]
            fn random_operations() {
                super::random_operations(&mut $make);
            }
            #[test]
            fn a_few_move_among_many() {
                super::a_few_move_among_many(&mut $make);
            }
        })*
    };
}

broad_phases! {
    brute_force: BruteForce;
    uniform_grid: UniformGrid::default();
    dynamic_tree: DynamicTree::default();
    chooser: AdaptiveBroadPhase::default();
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    fn point(&mut self, width: f32) -> [f32; 3] {
        std::array::from_fn(|_| self.unit() * width)
    }
}

fn cube(low: [f32; 3], size: f32) -> Aabb {
    Aabb::new(low, low.map(|x| x + size))
}

/// What the world is, kept apart from [`Proxies`].
#[derive(Default)]
struct World {
    proxies: Proxies,
    bodies: Vec<Option<(Aabb, bool)>>,
    pairs: PairList,
}

impl World {
    fn insert(&mut self, extent: Aabb, moving: bool) -> u32 {
        let index = self.proxies.insert(extent, moving);
        self.bodies.resize(self.proxies.len(), None);
        assert!(self.bodies[index as usize].replace((extent, moving)).is_none());
        index
    }

    fn set(&mut self, index: usize, extent: Aabb) {
        let body = self.bodies[index].as_mut();
        assert_eq!(self.proxies.set(index as u32, extent), body.is_some());
        if let Some(body) = body {
            body.0 = extent;
        }
    }

    fn remove(&mut self, index: usize) {
        assert_eq!(self.proxies.remove(index as u32), self.bodies[index].take().is_some());
    }

    fn naive(&self) -> Vec<[u32; 2]> {
        let mut list = Vec::new();
        for (a, one) in self.bodies.iter().enumerate() {
            for (b, other) in self.bodies.iter().enumerate().skip(a + 1) {
                let (Some((one, moving)), Some((other, other_moving))) = (one, other) else {
                    continue;
                };
                let apart = |k: usize| {
                    one.low.to_array()[k] > other.high.to_array()[k]
                        || other.low.to_array()[k] > one.high.to_array()[k]
                };
                if (*moving || *other_moving) && !(0..3).any(apart) {
                    list.push([a as u32, b as u32]);
                }
            }
        }
        list
    }

    fn update(&mut self, broad: &mut dyn BroadPhase) {
        broad.update(&self.proxies, &mut self.pairs);
        self.proxies.clear_changes();
    }

    /// Updates and compares.
    fn check(&mut self, broad: &mut dyn BroadPhase, what: &str) {
        self.update(broad);
        let mut list = self.pairs.list().to_vec();
        list.sort_unstable();
        assert!(list == self.naive(), "{}: {what}: wrong pairs", broad.name());
        assert!(!self.pairs.is_cut_short());
    }

    fn check_query(&self, broad: &dyn BroadPhase, extent: &Aabb) {
        let mut found = Vec::new();
        broad.overlapping(&self.proxies, extent, &mut |index| found.push(index));
        found.sort_unstable();
        let expected: Vec<u32> = (0..self.bodies.len())
            .filter(|&k| self.bodies[k].is_some_and(|(other, _)| other.intersects(extent)))
            .map(|k| k as u32)
            .collect();
        assert_eq!(found, expected, "{}: query", broad.name());
    }

    fn random_operation(&mut self, random: &mut Random, most: usize, extent: Aabb) {
        let chosen = random.below(self.bodies.len().max(1));
        match random.below(4) {
            0 if self.bodies.iter().flatten().count() < most => {
                self.insert(extent, random.below(4) > 0);
            }
            1 if !self.bodies.is_empty() => self.remove(chosen),
            _ if !self.bodies.is_empty() => match self.bodies[chosen] {
                // Half of the moves are short.
                Some((old, _)) if random.below(2) == 0 => {
                    let step = random.point(0.2);
                    let by = |corner: [f32; 3]| std::array::from_fn(|k| corner[k] + step[k]);
                    self.set(chosen, Aabb::new(by(old.low.to_array()), by(old.high.to_array())));
                }
                _ => self.set(chosen, extent),
            },
            _ => {}
        }
    }
}

/// A box of some size in some mix of sizes, in a world where about five overlap.
fn random_extent(random: &mut Random, mix: usize, width: f32) -> Aabb {
    let low = random.point(width);
    match mix % 4 {
        0 => cube(low, 0.8 + 0.4 * random.unit()),
        1 => cube(low, 10f32.powi(random.below(4) as i32 - 2) * (0.2 + random.unit())),
        2 => {
            let size = random.point(2.0);
            Aabb::new(low, std::array::from_fn(|k| low[k] + size[k]))
        }
        // Coordinates that meet exactly, and boxes without volume.
        _ => cube(low.map(f32::floor), random.below(3) as f32),
    }
}

fn random_operations(broad: &mut dyn BroadPhase) {
    for mix in 0..4 {
        let mut random = Random(mix as u64);
        let mut world = World::default();
        broad.reset();
        for step in 0..500 {
            let changes = if step % 7 == 0 { 3 } else { 60 };
            for _ in 0..changes {
                let extent = random_extent(&mut random, mix, 7.0);
                world.random_operation(&mut random, 250, extent);
            }
            if step % 5 == 0 {
                let asked = random_extent(&mut random, mix, 7.0);
                world.check_query(broad, &asked);
            }
            match step % 50 {
                10 => broad.reset(),
                20 => world.pairs = PairList::default(),
                30 => world.pairs.clear(),
                40 => world.pairs.sort(),
                _ => {}
            }
            world.check(broad, &format!("mix {mix}, step {step}"));
            if step % 5 == 1 {
                let asked = random_extent(&mut random, mix, 7.0);
                world.check_query(broad, &asked);
            }
        }
    }
}

fn a_few_move_among_many(broad: &mut dyn BroadPhase) {
    let mut random = Random(30);
    let mut world = World::default();
    for k in 0..1500 {
        let extent = random_extent(&mut random, 0, 12.0);
        world.insert(extent, k % 5 > 0);
    }
    for frame in 0..60 {
        for _ in 0..if frame % 20 == 19 { 600 } else { 20 } {
            let (index, extent) = (random.below(1500), random_extent(&mut random, 0, 12.0));
            world.set(index, extent);
        }
        world.check(broad, &format!("frame {frame}"));
    }
}

/// A clump whose boxes the cells of a world with outposts far away cannot tell apart.
#[test]
fn a_crowded_cell() {
    let mut random = Random(50);
    let mut world = World::default();
    for k in 0..1500 {
        let far = if k % 10 == 0 { 1e6 } else { 0.0 };
        let place = random.point(8.0 + far);
        world.insert(cube(place, 1.0), k % 3 > 0);
    }
    let mut broad = UniformGrid::default();
    for frame in 0..12 {
        world.check(&mut broad, &format!("crowded, frame {frame}"));
        let asked = cube(random.point(8.0), 1.0);
        world.check_query(&broad, &asked);
        let width = if frame % 6 < 3 { 8.0 } else { 60.0 };
        for k in 0..if frame % 2 == 0 { 40 } else { 1500 } {
            let place = random.point(width);
            world.set(k, cube(place, 1.0));
        }
    }
}

/// Brute force that takes a nap, if it is told to.
struct Sleepy(&'static str, std::sync::Arc<std::sync::atomic::AtomicBool>);

impl BroadPhase for Sleepy {
    fn name(&self) -> &'static str {
        self.0
    }
    fn update(&mut self, proxies: &Proxies, pairs: &mut PairList) {
        if self.1.load(std::sync::atomic::Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        BruteForce.update(proxies, pairs);
    }
    fn reset(&mut self) {}
    fn bytes(&self) -> usize {
        0
    }
}

#[test]
fn the_chooser_leaves_what_is_slow() {
    use std::sync::{Arc, atomic::AtomicBool, atomic::Ordering};
    let asleep = [true, false].map(|asleep| Arc::new(AtomicBool::new(asleep)));
    let mut chooser = AdaptiveBroadPhase::new(vec![
        Box::new(Sleepy("one", asleep[0].clone())),
        Box::new(Sleepy("other", asleep[1].clone())),
    ]);
    let mut world = World::default();
    world.insert(cube([0.0; 3], 1.0), true);
    world.insert(cube([0.5; 3], 1.0), true);
    assert_eq!(chooser.chosen(), "one");
    for _ in 0..40 {
        world.check(&mut chooser, "the first sleeps");
    }
    assert_eq!(chooser.chosen(), "other");
    asleep[0].store(false, Ordering::Relaxed);
    asleep[1].store(true, Ordering::Relaxed);
    for _ in 0..200 {
        world.check(&mut chooser, "the second sleeps");
    }
    assert_eq!(chooser.chosen(), "one");
    assert!(chooser.costs().all(|(_, cost)| cost.is_some_and(|cost| cost > 0.0)));
    assert_eq!(AdaptiveBroadPhase::new(vec![]).chosen(), "brute force");
}
