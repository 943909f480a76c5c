//! Ray stacks: the nodes that rays still have to visit.

use super::rays::SLOTS;
use crate::tree::NodeChild;
use impinge_geom::bound::LANES;
use impinge_geom::simd::Simd;

/// How many children the pile of a ray holds before some are put aside. What lies on a pile at a time is less in the trees of meshes.
const ROOM: usize = 64;
/// The places of a pile, from its bottom on.
const STRIDE: usize = ROOM + LANES;
/// The places of all piles. A place is below this, and eight follow it.
const PLACES: usize = (SLOTS * STRIDE).next_power_of_two();

/// A pile of children for each ray under way, by where the ray enters them, those of one node with the nearest on top.
///
/// Which of them to look at next is found without a branch: eight are compared with the end of the ray at a time. The lowest eight
/// places of a pile hold what no ray has behind its end, so that there is always one to be found.
#[derive(Clone, Debug, Default)]
pub(super) struct RayStackStorage {
    /// Where the ray enters the children, with the lane in place of the last three bits.
    keys: Vec<f32>,
    children: Vec<u32>,
    /// What there was no room for, with the slot of the ray.
    aside: Vec<(usize, f32, u32)>,
}

/// [`RayStackStorage`] in use.
pub(super) struct RayStackView<'p> {
    keys: &'p mut [f32; PLACES + LANES],
    children: &'p mut [u32; PLACES + LANES],
    aside: &'p mut Vec<(usize, f32, u32)>,
}

/// At the bottom of a pile: a leaf that no tree has.
pub(super) const NOWHERE: NodeChild = NodeChild(u32::MAX);

/// The top of a pile that holds nothing.
#[inline(always)]
pub(super) const fn bottom(slot: usize) -> usize {
    slot * STRIDE + LANES
}

/// Above this there is no room for eight more.
const FULL: [usize; SLOTS + 1] = {
    let mut full = [0; SLOTS + 1];
    let mut slot = 0;
    while slot < SLOTS {
        full[slot] = bottom(slot) + ROOM - LANES;
        slot += 1;
    }
    full
};

impl RayStackStorage {
    /// Empty piles.
    #[inline(always)]
    pub(super) fn ready(&mut self) -> RayStackView<'_> {
        if self.keys.is_empty() {
            self.make();
        }
        let Self { keys, children, aside } = self;
        aside.clear();
        let keys = keys.first_chunk_mut().expect("made as long as that");
        RayStackView {
            keys,
            children: children.first_chunk_mut().expect("made as long as that"),
            aside,
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self) {
        self.keys = vec![f32::NEG_INFINITY; PLACES + LANES];
        self.children = vec![NOWHERE.0; PLACES + LANES];
    }
}

impl RayStackView<'_> {
    /// The place of the highest child below `top` that the ray enters before its end, as [`limit`] gives it.
    #[inline(always)]
    pub(super) fn next<S: Simd>(&self, simd: S, top: usize, end: f32) -> usize {
        let keys = simd.load32(eight(self.keys, top.wrapping_sub(LANES)));
        let before = !simd.greater32(keys, simd.splat32(end)) << (32 - LANES);
        if before == 0 {
            return self.next_one(top.wrapping_sub(LANES), end);
        }
        top.wrapping_sub(1 + before.leading_zeros() as usize)
    }

    /// Searches one by one: better where there is no other work to overlap with.
    #[inline(always)]
    pub(super) fn next_one(&self, top: usize, end: f32) -> usize {
        // Bits are ordered like the numbers here, and compared sooner.
        let bits = |value: f32| value.to_bits() as i32;
        let mut place = top % PLACES;
        while place > 0 {
            place -= 1;
            if bits(self.keys[place]) <= bits(end) {
                break;
            }
        }
        place
    }

    /// Puts some aside if there is no room for the children of another node. Says where the top is then.
    #[inline(always)]
    pub(super) fn make_room(&mut self, slot: usize, top: usize) -> usize {
        if top > FULL[slot.min(SLOTS)] { self.put_aside(slot, top) } else { top }
    }

    /// Puts the children that are met on top, the nearest last. Says in which lane that is, and how many there are.
    #[inline(always)]
    pub(super) fn push<S: Simd>(
        &mut self,
        simd: S,
        top: usize,
        entries: S::F32x8,
        children: &[NodeChild; LANES],
    ) -> (usize, usize) {
        let children = children.map(|child| child.0);
        let (keys, list) = (eight_mut(self.keys, top), eight_mut(self.children, top));
        simd.far_first32(entries, &children, keys, list)
    }

    /// The child at a place.
    #[inline(always)]
    pub(super) fn child(&self, place: usize) -> NodeChild {
        NodeChild(self.children[place % PLACES])
    }

    #[cold]
    #[inline(never)]
    fn put_aside(&mut self, slot: usize, top: usize) -> usize {
        let (bottom, half) = (bottom(slot), bottom(slot) + ROOM / 2);
        let lower = bottom..half;
        self.aside.extend(lower.map(|place| (slot, self.keys[place], self.children[place])));
        self.keys.copy_within(half..top, bottom);
        self.children.copy_within(half..top, bottom);
        top - ROOM / 2
    }

    /// Takes back what was put aside, when the ray has looked at all else. Says where the top is then; none if there is nothing.
    #[inline(always)]
    pub(super) fn take_back(&mut self, slot: usize) -> Option<usize> {
        if self.aside.is_empty() { None } else { self.take_some_back(slot) }
    }

    #[cold]
    #[inline(never)]
    fn take_some_back(&mut self, slot: usize) -> Option<usize> {
        let own = self.aside.iter().filter(|(of, ..)| *of == slot).count();
        let (later, mut count, mut top) = (own.saturating_sub(ROOM / 2), 0, bottom(slot));
        // The last ones of this ray, in the order in which they were put aside.
        self.aside.retain(|&(of, key, child)| {
            count += usize::from(of == slot);
            let taken = of == slot && count > later;
            if taken {
                (self.keys[top], self.children[top]) = (key, child);
                top += 1;
            }
            !taken
        });
        (own > 0).then_some(top)
    }
}

/// The end of a ray as keys are compared with it: behind it are those that are behind it without the lane in their last bits.
#[inline(always)]
pub(super) fn limit(end: f32) -> f32 {
    f32::from_bits(end.to_bits() | (LANES as u32 - 1))
}

#[inline(always)]
fn eight<T>(list: &[T; PLACES + LANES], place: usize) -> &[T; LANES] {
    let place = place % PLACES;
    list[place..place + LANES].try_into().expect("eight of them")
}

#[inline(always)]
fn eight_mut<T>(list: &mut [T; PLACES + LANES], place: usize) -> &mut [T; LANES] {
    let place = place % PLACES;
    (&mut list[place..place + LANES]).try_into().expect("eight of them")
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geom::simd::{Kernel, Scalar, dispatch, dispatch_wide};

    /// Numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, most: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % most
        }
    }

    /// Rays in all slots push children and look at the next, as often one as the other, until all is looked at. What they look at,
    /// by the piles and by a plain list for each ray; what is behind the end is passed over.
    struct Both(u64);

    impl Kernel for Both {
        type Output = (Vec<(usize, u32)>, Vec<(usize, u32)>);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let mut numbers = Numbers(self.0);
            let mut stacks = RayStackStorage::default();
            let mut stacks = stacks.ready();
            let mut tops: [usize; SLOTS] = std::array::from_fn(bottom);
            let mut lists: [Vec<(f32, u32)>; SLOTS] = std::array::from_fn(|_| Vec::new());
            let mut ends = [limit(1e6); SLOTS];
            let (mut seen, mut expected) = (Vec::new(), Vec::new());
            for step in 0..20_000 {
                let slot = numbers.below(if step % 2 == 0 { 3 } else { SLOTS as u64 }) as usize;
                if step < 10_000 && numbers.below(3) > 0 {
                    let children =
                        [0; LANES].map(|_: u32| NodeChild(numbers.below(1 << 20) as u32));
                    // None of the entries are equal: the order of equal ones is that of lanes.
                    let mut entries = [f32::INFINITY; LANES];
                    for (lane, entry) in entries.iter_mut().enumerate() {
                        if numbers.below(3) > 0 {
                            *entry = (numbers.below(100) * 8 + lane as u64) as f32;
                        }
                    }
                    tops[slot] = stacks.make_room(slot, tops[slot]);
                    let lanes = simd.load32(&entries);
                    let (nearest, count) = stacks.push(simd, tops[slot], lanes, &children);
                    tops[slot] += count;
                    let mut met: Vec<usize> =
                        (0..LANES).filter(|&lane| entries[lane] < f32::INFINITY).collect();
                    met.sort_by(|&a, &b| entries[b].total_cmp(&entries[a]));
                    assert!(met.len() == count && met.last().is_none_or(|&lane| lane == nearest));
                    lists[slot].extend(met.iter().map(|&lane| (entries[lane], children[lane].0)));
                    continue;
                }
                if numbers.below(50) == 0 {
                    ends[slot] = limit((numbers.below(700) as f32).min(ends[slot]));
                }
                let at = if numbers.below(2) == 0 {
                    stacks.next(simd, tops[slot], ends[slot])
                } else {
                    stacks.next_one(tops[slot], ends[slot])
                };
                tops[slot] = at;
                if stacks.child(at) == NOWHERE {
                    tops[slot] = stacks.take_back(slot).unwrap_or(bottom(slot));
                } else {
                    seen.push((slot, stacks.child(at).0));
                    // Keys have lanes in their last bits, which is less than what entries differ by.
                    while let Some((entry, child)) = lists[slot].pop() {
                        if entry <= ends[slot] + 0.5 {
                            expected.push((slot, child));
                            break;
                        }
                    }
                }
            }
            (seen, expected)
        }
    }

    #[test]
    fn rays_look_at_what_they_put_on_their_piles_in_its_order() {
        for seed in 0..4 {
            let (seen, expected) = dispatch(Both(seed));
            assert!(seen.len() > 2_000 && seen == expected);
            assert!(dispatch_wide(Both(seed)).0 == seen && Both(seed).run(Scalar::new()).0 == seen);
        }
    }

    #[test]
    fn more_than_a_pile_holds_is_put_aside_and_taken_back() {
        let mut stacks = RayStackStorage::default();
        let mut stacks = stacks.ready();
        let simd = Scalar::new();
        let (mut tops, levels) = ([bottom(0), bottom(1)], 100);
        for level in 0..levels {
            for slot in [0, 1] {
                let children: [NodeChild; LANES] = std::array::from_fn(|lane| {
                    NodeChild((slot * 10_000 + level * LANES + lane) as u32)
                });
                let entries = std::array::from_fn(|lane| (LANES - lane) as f32);
                tops[slot] = stacks.make_room(slot, tops[slot]);
                tops[slot] += stacks.push(simd, tops[slot], entries, &children).1;
            }
        }
        assert!(!stacks.aside.is_empty());
        for slot in [1, 0] {
            let mut seen = Vec::new();
            loop {
                tops[slot] = stacks.next(simd, tops[slot], 100.0);
                if stacks.child(tops[slot]) == NOWHERE {
                    let Some(top) = stacks.take_back(slot) else { break };
                    tops[slot] = top;
                } else {
                    seen.push(stacks.child(tops[slot]).0 as usize - slot * 10_000);
                }
            }
            assert!(seen.into_iter().eq((0..levels * LANES).rev()));
        }
        assert!(stacks.aside.is_empty());
    }
}
