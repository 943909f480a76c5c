//! A broad phase that picks the cheapest of several.

use super::{
    Aabb, BroadPhase, BroadRay, BruteForce, DynamicTree, PairList, Proxies, UniformGrid, grid,
};
use std::time::{Duration, Instant};

/// How many updates a trial lasts. The first, from scratch, does not count.
const TRIAL: u32 = 4;
/// Updates before the first trial; the interval then doubles.
const FIRST_REST: u32 = 8;
/// The longest interval between trials.
const LONGEST_REST: u32 = 512;
/// Another phase must be faster than this part of the time to be preferred.
const BETTER: f64 = 0.85;
/// A trial ends at once if an update takes this many times as long.
const HOPELESS: f64 = 4.0;

/// Measures several broad phases on the scene at hand, uses the fastest, and re-measures the others now and then.
///
/// The choice affects only the time and the order of the pairs, never the set of pairs.
///
/// ```
/// use impinge::broad::{BroadPhase, AdaptiveBroadPhase, Aabb, PairList, Proxies};
/// let mut proxies = Proxies::default();
/// for k in 0..10 {
///     let x = k as f32;
///     proxies.insert(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]), true);
/// }
/// let (mut broad, mut pairs) = (AdaptiveBroadPhase::default(), PairList::default());
/// for _ in 0..100 {
///     broad.update(&proxies, &mut pairs);
///     proxies.clear_changes();
///     assert_eq!(pairs.list().len(), 9);
/// }
/// println!("{} is best here", broad.chosen());
/// ```
pub struct AdaptiveBroadPhase {
    candidates: Vec<Candidate>,
    /// The one that is used when there is no trial.
    chosen: usize,
    /// The one that did the last update.
    current: usize,
    /// The one that does the next update.
    next: usize,
    /// Updates until the trial begins or ends.
    left: u32,
    rest: u32,
}

/// A broad phase and what is known of it.
struct Candidate {
    phase: Box<dyn BroadPhase>,
    /// False if a trial would take forever.
    suits: fn(&Proxies) -> bool,
    /// Seconds per update and proxy, if it was measured.
    cost: Option<f64>,
}

impl std::fmt::Debug for AdaptiveBroadPhase {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_map().entries(self.costs()).finish()
    }
}

impl Default for AdaptiveBroadPhase {
    fn default() -> Self {
        let mut adaptive =
            Self::new(vec![Box::new(UniformGrid::default()), Box::new(DynamicTree::default())]);
        adaptive.candidates[0].suits = grid::suits;
        adaptive
    }
}

impl AdaptiveBroadPhase {
    /// Creates an adaptive phase over the given ones, starting with the first that fits. With none given, it tests all pairs.
    pub fn new(mut phases: Vec<Box<dyn BroadPhase>>) -> Self {
        if phases.is_empty() {
            phases.push(Box::new(BruteForce));
        }
        let candidate = |phase| Candidate { phase, suits: |_| true, cost: None };
        Self {
            candidates: phases.into_iter().map(candidate).collect(),
            chosen: 0,
            current: 0,
            next: 0,
            left: FIRST_REST,
            rest: FIRST_REST,
        }
    }

    /// The name of the phase currently considered fastest.
    pub fn chosen(&self) -> &'static str {
        self.candidates[self.chosen].phase.name()
    }

    /// For every phase its name and, if measured, its seconds per update and proxy.
    pub fn costs(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> + '_ {
        self.candidates.iter().map(|candidate| (candidate.phase.name(), candidate.cost))
    }

    /// Takes note of what an update of the current phase took, and decides who does the next.
    fn note(&mut self, time: Duration, proxies: &Proxies) {
        let cost = time.as_secs_f64() / proxies.len().max(1) as f64;
        let in_trial = self.current != self.chosen;
        self.left = self.left.saturating_sub(1);
        let best = self.candidates[self.chosen].cost.unwrap_or(f64::INFINITY);
        let candidate = &mut self.candidates[self.current];
        let is_hopeless = in_trial && cost > HOPELESS * best;
        let is_first = in_trial && self.left + 1 == TRIAL;
        if !is_first || is_hopeless {
            // Whatever else the machine does makes an update longer, never shorter.
            let old = candidate.cost.unwrap_or(cost);
            candidate.cost = Some(if cost < old { cost } else { old + 0.1 * (cost - old) });
        }
        if self.left == 0 || is_hopeless {
            let is_better = candidate.cost.is_some_and(|cost| cost < BETTER * best);
            if in_trial && is_better {
                self.chosen = self.current;
                (self.rest, self.left) = (FIRST_REST, FIRST_REST);
            } else {
                self.go_on(proxies);
            }
        }
    }

    /// On to the next candidate that suits, or back to the one that was chosen.
    fn go_on(&mut self, proxies: &Proxies) {
        let count = self.candidates.len();
        loop {
            self.next = (self.next + 1) % count;
            if self.next == self.chosen {
                self.rest = (2 * self.rest).min(LONGEST_REST);
                self.left = self.rest;
                return;
            }
            if (self.candidates[self.next].suits)(proxies) {
                self.candidates[self.next].cost = None;
                self.left = TRIAL;
                return;
            }
        }
    }
}

impl BroadPhase for AdaptiveBroadPhase {
    fn name(&self) -> &'static str {
        "chooser"
    }

    fn update(&mut self, proxies: &Proxies, pairs: &mut PairList) {
        if self.candidates.iter().all(|candidate| candidate.cost.is_none()) {
            let suits = |candidate: &Candidate| (candidate.suits)(proxies);
            self.next = self.candidates.iter().position(suits).unwrap_or(0);
            self.chosen = self.next;
        }
        if self.next != self.current {
            // The one that rests holds no memory, and begins from scratch when it comes back.
            self.candidates[self.current].phase.reset();
            self.current = self.next;
        }
        let begin = Instant::now();
        self.candidates[self.current].phase.update(proxies, pairs);
        self.note(begin.elapsed(), proxies);
    }

    fn reset(&mut self) {
        self.candidates[self.current].phase.reset();
    }

    fn bytes(&self) -> usize {
        self.candidates.iter().map(|candidate| candidate.phase.bytes()).sum()
    }

    fn overlapping(&self, proxies: &Proxies, extent: &Aabb, found: &mut dyn FnMut(u32)) {
        self.candidates[self.current].phase.overlapping(proxies, extent, found);
    }

    fn refit(&mut self, proxies: &Proxies) {
        self.candidates[self.current].phase.refit(proxies);
    }

    fn cast_ray(&self, proxies: &Proxies, ray: &BroadRay, visit: &mut dyn FnMut(u32) -> f64) {
        self.candidates[self.current].phase.cast_ray(proxies, ray, visit);
    }
}
