//! Which pairs of parts are looked at: those that some test asks about and whose boxes come as close as it matters.
//!
//! Copies of one part in one place are grouped first, and enter the broad phase as one box: n of them have n² / 2 pairs, all of which say the
//! same, which is one finding. What is left is bounded, so that a small file cannot fill the memory.

use crate::check::Prepared;
use crate::duplicate::Copies;
use crate::model::Model;
use crate::motion::near::Swept;
use crate::motion::{Movement, Tally};
use impinge::broad::{Aabb, BroadPhase, DynamicTree, PairList, Proxies};
use impinge::geom::DAabb;
use std::collections::{BTreeMap, HashMap};

/// Pairs that any model may have,
const ANY: usize = 1 << 20;
/// and how many more for each part. Real assemblies have some ten for each.
const FOR_EACH_PART: usize = 256;

/// The pairs to look at.
#[derive(Debug, Default)]
pub(crate) struct Near {
    /// Ascending, and the smaller index first in each.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// True if there are more than a model of so many parts may have.
    pub(crate) cut_short: bool,
    /// How many pairs move, if there is a motion; those that never come near are free without a look.
    pub(crate) tally: Option<Tally>,
}

/// For each test, the sets of parts that coincide, and the set of each part.
#[derive(Debug)]
pub(crate) struct CopiesOfTest {
    pub(crate) sets: Vec<Copies>,
    /// Empty if there are no sets.
    set_of: HashMap<usize, u32>,
}

impl CopiesOfTest {
    pub(crate) fn new(sets: Vec<Copies>) -> Self {
        let entries = sets.iter().zip(0u32..).flat_map(|(copies, set)| {
            copies.parts.iter().map(move |&part| (part, set)).collect::<Vec<_>>()
        });
        let set_of = entries.collect();
        Self { sets, set_of }
    }

    fn of(&self, part: usize) -> Option<u32> {
        self.set_of.get(&part).copied()
    }

    /// True if both parts are copies of each other.
    pub(crate) fn coincide(&self, a: usize, b: usize) -> bool {
        !self.set_of.is_empty() && self.of(a).is_some() && self.of(a) == self.of(b)
    }
}

/// The pairs to look at, at most as many as a model of its size may have.
pub(crate) fn near_pairs(model: &Model, tests: &[Prepared<'_>], copies: &[CopiesOfTest]) -> Near {
    let most = ANY + FOR_EACH_PART * model.parts.len();
    let movement = model.motion.as_deref();
    let swept = movement.map(|movement| Swept::new(model, movement));
    // Copies that move may go apart.
    let groups = match movement {
        Some(_) => (0..model.parts.len() as u32).map(|part| vec![part]).collect(),
        None => groups(model, tests, copies),
    };
    let margin = tests.iter().map(Prepared::farthest).fold(0.0, f64::max);
    let proxies = proxies(model, swept.as_ref(), margin, &groups);
    let comes_near = |pair: [usize; 2]| {
        swept.as_ref().is_none_or(|swept| swept.come_near(pair, 2.0 * margin.max(0.0)))
    };
    let asked = |a: usize, b: usize| {
        !model.adjacent.contains(a, b) && tests.iter().any(|test| test.asks(a, b))
    };
    let mut found = Near::default();
    let mut pairs = PairList::with_limit(most);
    let mut tree = DynamicTree::default();
    tree.update(&proxies, &mut pairs);
    if pairs.is_cut_short() {
        // Which pairs are in a list that was cut short depends on the threads; those of the first boxes do not.
        first_pairs(&tree, &proxies, most, &mut pairs);
        found.cut_short = true;
    }
    for &[one, two] in pairs.list() {
        for &a in &groups[one as usize] {
            for &b in &groups[two as usize] {
                let (a, b) = (a.min(b), a.max(b));
                let (one, two) = (a as usize, b as usize);
                if !asked(one, two) || !comes_near([one, two]) {
                    continue;
                }
                if found.pairs.len() >= most {
                    found.cut_short = true;
                    break;
                }
                found.pairs.push([a, b]);
            }
        }
    }
    found.pairs.sort_unstable();
    found.tally = movement.map(|movement| {
        let mut tally = tally(model, tests, movement);
        let moves = |pair: &&[u32; 2]| movement.pair(pair.map(|part| part as usize)).is_some();
        tally.free = tally.moving.saturating_sub(found.pairs.iter().filter(moves).count());
        tally
    });
    found
}

/// How many pairs move relative to each other and are asked about.
fn tally(model: &Model, tests: &[Prepared<'_>], movement: &Movement) -> Tally {
    let moves = |&[a, b]: &[usize; 2]| {
        movement.pair([a, b]).is_some()
            && tests.iter().any(|test| test.asks(a, b))
            && !model.adjacent.contains(a, b)
    };
    let count = model.parts.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    Tally { moving: pairs.filter(moves).count(), ..Tally::default() }
}

/// The parts, those together that coincide and of whose pairs no test asks for anything but that.
fn groups(model: &Model, tests: &[Prepared<'_>], copies: &[CopiesOfTest]) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = Vec::with_capacity(model.parts.len());
    let mut known: HashMap<Vec<(bool, bool, Option<u32>)>, usize> = HashMap::new();
    for part in 0..model.parts.len() {
        let own = vec![part as u32];
        if copies.iter().all(|copies| copies.of(part).is_none()) {
            groups.push(own);
            continue;
        }
        let of_test = |(test, copies): (&Prepared<'_>, &CopiesOfTest)| {
            (test.in_a[part], test.in_b[part], copies.of(part))
        };
        let key: Vec<_> = tests.iter().zip(copies).map(of_test).collect();
        // Within a group everybody is in the same sets, so that a test asks for all of its pairs or for none.
        let asks_more =
            |&(in_a, in_b, set): &(bool, bool, Option<u32>)| in_a && in_b && set.is_none();
        if key.iter().any(asks_more) {
            groups.push(own);
            continue;
        }
        match known.get(&key) {
            Some(&group) => groups[group].push(part as u32),
            None => {
                known.insert(key, groups.len());
                groups.push(own);
            }
        }
    }
    groups
}

/// A box for each group, as large as it matters.
fn proxies(model: &Model, swept: Option<&Swept>, margin: f64, groups: &[Vec<u32>]) -> Proxies {
    let DAabb { low, high } = model.bounds();
    let origin = 0.5 * low + 0.5 * high;
    let mut proxies = Proxies::default();
    for group in groups {
        let own = |&part: &u32| {
            let part = part as usize;
            swept.map_or(model.parts[part].bounds, |swept| swept.whole(part))
        };
        let boxes = group.iter().map(own);
        if let Some(bounds) = boxes.reduce(|a, b| a.joined(&b)) {
            proxies.insert(bounds.grown(margin).to_f32(origin), true);
        }
    }
    proxies
}

/// The pairs of the first boxes, in order.
fn first_pairs(tree: &DynamicTree, proxies: &Proxies, most: usize, pairs: &mut PairList) {
    *pairs = PairList::with_limit(most);
    let mut others = Vec::new();
    for (index, extent) in (0u32..).zip(proxies.extents()) {
        let extent: &Aabb = extent;
        others.clear();
        tree.overlapping(proxies, extent, &mut |other| {
            if other > index {
                others.push(other);
            }
        });
        others.sort_unstable();
        if !others.iter().all(|&other| pairs.push(index, other)) {
            return;
        }
    }
}

/// How many pairs of parts some test asks about. Parts that all tests treat alike are counted together.
pub(crate) fn count_asked(model: &Model, tests: &[Prepared<'_>]) -> usize {
    let mut classes: BTreeMap<Vec<[bool; 2]>, (usize, usize)> = BTreeMap::new();
    for index in 0..model.parts.len() {
        let class = tests.iter().map(|test| [test.in_a[index], test.in_b[index]]).collect();
        classes.entry(class).or_insert((0, index)).0 += 1;
    }
    let list: Vec<(usize, usize)> = classes.into_values().collect();
    let asks = |a: usize, b: usize| tests.iter().any(|test| test.asks(a, b));
    let mut sum = 0;
    for (k, &(count, first)) in list.iter().enumerate() {
        sum += if asks(first, first) { count * (count - 1) / 2 } else { 0 };
        for &(others, other) in &list[..k] {
            sum += if asks(first, other) { count * others } else { 0 };
        }
    }
    sum
}
