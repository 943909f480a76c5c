//! The step: scene, broad, mid, narrow, contact.

use super::{Scene, StepCounts, StepReport, StepTimes};
use crate::broad::PairList;
use crate::mid::PairFilter;
use std::time::{Duration, Instant};

impl Scene {
    /// Finds all pairs of parts that meet or are within their margin, their contacts, and what began and ended since the last step.
    pub fn step(&mut self) -> &StepReport {
        let mut clock = Clock::start();
        let anew = self.note_settings();
        let changed = self.proxies.changes().len();

        self.broad.update(&self.proxies, &mut self.pairs);
        self.pairs.sort();
        let broad = clock.lap();

        let is_changed = |index: u32| anew || self.proxies.is_changed(index);
        let asked = PairFilter { rules: &self.rules, margin: None, volume: self.volume };
        self.part_pairs.collect(&self.slots, asked, self.pairs.list(), &is_changed);
        self.proxies.clear_changes();
        let mid = clock.lap();

        self.narrow.decide(&self.slots, &self.part_pairs.list, &self.settings);
        self.narrow.make_tables(&self.slots, &self.part_pairs.list);
        let narrow = clock.lap();

        self.contact_cache.update(
            &self.slots,
            &self.part_pairs.list,
            &self.narrow.found,
            &mut self.report,
        );
        let contact = clock.lap();

        self.report.cut_short = self.pairs.is_cut_short();
        self.report.times = StepTimes { broad, mid, narrow, contact };
        self.report.counts = StepCounts {
            changed,
            broad: self.pairs.list().len(),
            mid: self.part_pairs.list.len(),
            narrow: self.narrow.decided,
            glances: self.narrow.glances,
            contacts: self.report.contacts.len(),
        };
        &self.report
    }

    /// Brings limit and boxes up to date with settings and rules; true if answers of the last step do not count any more.
    fn note_settings(&mut self) -> bool {
        let now = (self.rules.version(), self.settings);
        let (version, settings) = std::mem::replace(&mut self.seen, now);
        if settings.pair_limit != self.settings.pair_limit {
            self.pairs = PairList::with_limit(self.settings.pair_limit.unwrap_or(usize::MAX));
        }
        if version != self.rules.version() {
            self.renew_boxes();
        }
        now != (version, settings)
    }
}

/// Tells the times between its laps.
struct Clock {
    last: Instant,
}

impl Clock {
    fn start() -> Self {
        Self { last: Instant::now() }
    }

    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let time = now.duration_since(self.last);
        self.last = now;
        time
    }
}
