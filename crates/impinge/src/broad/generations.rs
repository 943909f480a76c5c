//! Structures that are built from scratch, made to remember what rests.
//!
//! What changes and what rests are kept apart. The boxes that changed lately are *active*: their structure is built anew at every
//! update, which for a flat structure costs about as much as repairing one. The others have *settled*: their structure stays, and so
//! do the pairs among them. Proxies that do not move have a third structure, in which no pairs are looked for. A settled proxy that
//! changes becomes active; its entry remains in the old structure and is passed over. When too many entries are passed over, or too
//! many active proxies rest, all three are built again.

use super::{Aabb, PairList, Proxies, gather::Gather};
use std::fmt::Debug;
use std::ops::{ControlFlow, Range};

/// Says whether a search goes on.
pub(super) type Flow = ControlFlow<()>;

/// A structure over boxes that do not change.
pub(super) trait Snapshot: Default + Debug + Send + Sync {
    /// Replaces what it holds.
    fn build(&mut self, proxies: &Proxies, members: &[u32]);

    /// How many members it has.
    fn len(&self) -> usize;

    /// How many portions [`Snapshot::pairs_within`] is divided into.
    fn portions(&self) -> usize;

    /// Shows every pair of members with overlapping boxes once, over all portions.
    fn pairs_within(
        &self,
        portions: Range<usize>,
        found: &mut impl FnMut(u32, u32) -> Flow,
    ) -> Flow;

    /// Shows every member whose box overlaps this one, once.
    fn meeting(&self, extent: &Aabb, found: &mut impl FnMut(u32) -> Flow) -> Flow;

    /// The memory that it holds, in bytes.
    fn bytes(&self) -> usize;
}

/// Which structure holds a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    Nowhere,
    Fixed,
    Settled,
    Active,
}

/// The three structures.
#[derive(Debug, Default)]
pub(super) struct Generations<S> {
    /// By index; an entry of a structure counts only if this says so.
    homes: Vec<Home>,
    fixed: S,
    settled: S,
    active: S,
    /// What `active` holds.
    active_members: Vec<u32>,
    /// The pairs within `settled` and between it and `fixed`.
    settled_pairs: PairList,
    /// How many proxies `fixed` and `settled` were built over, and how many of them count no more.
    held: usize,
    left: usize,
    begun: bool,
    gather: Gather,
}

impl<S: Snapshot> Generations<S> {
    pub(super) fn update(&mut self, proxies: &Proxies, pairs: &mut PairList) {
        pairs.clear();
        let room = pairs.room();
        let complete = if self.begun && !self.take_changes(proxies) {
            self.active.build(proxies, &self.active_members);
            true
        } else {
            self.settle(proxies, room)
        };
        let fits = pairs.append(&self.settled_pairs);
        // Where pairs are missing, there is nothing to go on from: the next update begins from scratch.
        self.begun = complete && fits && self.find_active(proxies, pairs);
    }

    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    pub(super) fn bytes(&self) -> usize {
        self.homes.capacity()
            + self.active_members.capacity() * size_of::<u32>()
            + [&self.fixed, &self.settled, &self.active].iter().map(|s| s.bytes()).sum::<usize>()
            + self.settled_pairs.bytes()
            + self.gather.bytes()
    }

    pub(super) fn overlapping(&self, proxies: &Proxies, extent: &Aabb, found: &mut dyn FnMut(u32)) {
        let overlaps = |index: u32| proxies.extent(index).intersects(extent);
        if !self.begun {
            return proxies.living().filter(|&index| overlaps(index)).for_each(found);
        }
        let generations = [
            (&self.fixed, Home::Fixed),
            (&self.settled, Home::Settled),
            (&self.active, Home::Active),
        ];
        for (structure, home) in generations {
            let _ = structure.meeting(extent, &mut |index| {
                if self.home(index) == home
                    && !proxies.is_changed(index)
                    && proxies.is_living(index)
                {
                    found(index);
                }
                Flow::Continue(())
            });
        }
        for &index in proxies.changes() {
            if proxies.is_living(index) && overlaps(index) {
                found(index);
            }
        }
    }

    fn home(&self, index: u32) -> Home {
        self.homes.get(index as usize).copied().unwrap_or(Home::Nowhere)
    }

    /// Makes what changed active; true if it is time to build everything again.
    fn take_changes(&mut self, proxies: &Proxies) -> bool {
        self.homes.resize(proxies.len(), Home::Nowhere);
        let (mut changed, left_before) = (0, self.left);
        for &index in proxies.changes() {
            let Some(home) = self.homes.get_mut(index as usize) else { continue };
            self.left += usize::from(matches!(home, Home::Fixed | Home::Settled));
            let living = proxies.is_living(index);
            changed += usize::from(living);
            if living && *home != Home::Active {
                self.active_members.push(index);
            }
            *home = if living { Home::Active } else { Home::Nowhere };
        }
        let homes = &self.homes;
        self.active_members.retain(|&index| homes.get(index as usize) == Some(&Home::Active));
        let resting = self.active_members.len().saturating_sub(changed);
        let stale =
            resting > 16 + (self.held - self.left + changed) / 4 || self.left > self.held / 2;
        if !stale && self.left > left_before {
            let settled =
                |index: u32| matches!(homes.get(index as usize), Some(Home::Settled | Home::Fixed));
            self.settled_pairs.retain(|a, b| settled(a) && settled(b));
        }
        stale
    }

    /// Builds everything again; false if there is no room for the pairs of what rests.
    fn settle(&mut self, proxies: &Proxies, room: usize) -> bool {
        self.homes.clear();
        self.homes.resize(proxies.len(), Home::Nowhere);
        self.active_members.clear();
        let (mut fixed, mut settled) = (Vec::new(), Vec::new());
        for index in proxies.living() {
            let (home, list) = match (proxies.is_moving(index), proxies.is_changed(index)) {
                (false, _) => (Home::Fixed, &mut fixed),
                (true, false) => (Home::Settled, &mut settled),
                (true, true) => (Home::Active, &mut self.active_members),
            };
            self.homes[index as usize] = home;
            list.push(index);
        }
        self.held = fixed.len() + settled.len();
        self.left = 0;
        self.fixed.build(proxies, &fixed);
        self.settled.build(proxies, &settled);
        self.active.build(proxies, &self.active_members);
        self.settled_pairs.begin(room);
        let (own, others) = (&self.settled, &self.fixed);
        let within = |range: Range<usize>, list: &mut PairList| {
            own.pairs_within(range, &mut |a, b| flow(list.push(a, b))).is_continue()
        };
        let between = |range: Range<usize>, list: &mut PairList| {
            settled[range].iter().all(|&a| {
                let push = &mut |b| flow(list.push(a, b));
                others.meeting(proxies.extent(a), push).is_continue()
            })
        };
        self.gather.all([own.len(), own.portions()], &mut self.settled_pairs, &within)
            && (fixed.is_empty()
                || self.gather.all([settled.len(); 2], &mut self.settled_pairs, &between))
    }

    /// The pairs with an active proxy; false if there is no room for them.
    fn find_active(&mut self, proxies: &Proxies, pairs: &mut PairList) -> bool {
        let (homes, active, members) = (&self.homes, &self.active, &self.active_members);
        let is = |index: u32, home: Home| homes.get(index as usize) == Some(&home);
        let all_move = members.iter().all(|&index| proxies.is_moving(index));
        let within = |range: Range<usize>, list: &mut PairList| {
            if all_move {
                return active.pairs_within(range, &mut |a, b| flow(list.push(a, b))).is_continue();
            }
            let push = &mut |a, b| {
                let one_moves = proxies.is_moving(a) || proxies.is_moving(b);
                flow(!one_moves || list.push(a, b))
            };
            active.pairs_within(range, push).is_continue()
        };
        let (settled, fixed) = (&self.settled, &self.fixed);
        let between = |range: Range<usize>, list: &mut PairList| {
            members[range].iter().all(|&a| {
                let extent = proxies.extent(a);
                let with_settled = &mut |b| flow(!is(b, Home::Settled) || list.push(a, b));
                if settled.meeting(extent, with_settled).is_break() {
                    return false;
                }
                let with_fixed = &mut |b| flow(!is(b, Home::Fixed) || list.push(a, b));
                !proxies.is_moving(a) || fixed.meeting(extent, with_fixed).is_continue()
            })
        };
        self.gather.all([active.len(), active.portions()], pairs, &within)
            && (self.held == 0 || self.gather.all([members.len(); 2], pairs, &between))
    }
}

/// Go on while there is room.
fn flow(room: bool) -> Flow {
    if room { Flow::Continue(()) } else { Flow::Break(()) }
}

/// A public broad phase around generations of a structure.
macro_rules! by_generations {
    ($phase:ident, $name:literal) => {
        impl crate::broad::BroadPhase for $phase {
            fn name(&self) -> &'static str {
                $name
            }

            fn update(
                &mut self,
                proxies: &crate::broad::Proxies,
                pairs: &mut crate::broad::PairList,
            ) {
                self.generations.update(proxies, pairs);
            }

            fn reset(&mut self) {
                self.generations.reset();
            }

            fn bytes(&self) -> usize {
                self.generations.bytes()
            }

            fn overlapping(
                &self,
                proxies: &crate::broad::Proxies,
                extent: &crate::broad::Aabb,
                found: &mut dyn FnMut(u32),
            ) {
                self.generations.overlapping(proxies, extent, found);
            }
        }
    };
}
pub(super) use by_generations;
