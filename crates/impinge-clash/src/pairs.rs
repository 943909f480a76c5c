//! How near pairs stand, looked at side by side, and what tests find about them.
//!
//! Pairs are taken in portions: what is kept between two of them is what was found, not what was looked at. All that is found is bounded too.

use crate::check::{Checking, Cut, GiveUp, Outcome, Prepared, Standing};
use crate::finding::Finding;
use crate::measure::Rank;
use crate::motion::{Encounter, Encountered, Followed, Start, Tally, follow};
use crate::near::{CopiesOfTest, near_pairs};
use crate::plan::Kind;
use crate::relation::{PartRelation, Wanted, relate};
use crate::tolerance::MICROMETRE;
use impinge::geom::Verdict;
use impinge::query::Workspace;
use impinge::tree::parallel;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Pairs whose answers are in memory at a time, whether anything is found or not.
const PORTION: usize = 1024;
/// What the findings of any model may take, in bytes, and how much more for each part.
const MOST_BYTES: [usize; 2] = [128 << 20, 1 << 10];
/// Segments of curves that a run keeps; findings after that have none.
const MOST_SEGMENTS: usize = 1 << 21;
/// What a finding is in bytes, in memory and in a report, without its words and its curve; and a segment of that.
const WEIGHTS: [usize; 2] = [1024, 160];
/// How often the work checks whether to stop.
const PAUSE: Duration = Duration::from_millis(5);

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// What was found so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Looked {
    pub(crate) findings: Vec<Finding>,
    /// How many pairs are to be looked at, and how many were.
    pub(crate) near: usize,
    pub(crate) done: usize,
    pub(crate) standings: Standing,
    pub(crate) tally: Option<Tally>,
    pub(crate) cut: Option<Cut>,
}

/// What is known of a pair.
struct Judged {
    index: usize,
    verdict: Verdict,
    /// How it fares on the way, and the clearance that is required of it.
    encounter: Option<(Encounter, f64)>,
    findings: Vec<Finding>,
}

/// What is shared with whoever gives up.
#[derive(Default)]
struct Shared {
    looked: Looked,
    segments: usize,
    /// Of findings.
    bytes: usize,
    /// The pairs of this portion that are done, in any order.
    fresh: Vec<Judged>,
}

/// Looks at all near pairs.
pub(crate) fn look(checking: &Checking<'_>) -> Outcome {
    let shared = Mutex::default();
    match checking.options.give_up {
        None => look_at_all(checking, &shared),
        Some(give_up) => {
            let is_done = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| wait_or_give_up(checking, &shared, give_up, &is_done));
                look_at_all(checking, &shared);
                is_done.store(true, Ordering::Relaxed);
            });
        }
    }
    let mut shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    shared.settle(checking);
    checking.outcome(shared.looked)
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands over what there is once nobody waits any longer.
fn wait_or_give_up(
    checking: &Checking<'_>,
    shared: &Mutex<Shared>,
    give_up: GiveUp<'_>,
    is_done: &AtomicBool,
) {
    while !is_done.load(Ordering::Relaxed) {
        if give_up.when.load(Ordering::Relaxed) {
            let looked = {
                let mut shared = lock(shared);
                shared.settle(checking);
                shared.looked.cut = Some(Cut::Stopped);
                std::mem::take(&mut shared.looked)
            };
            return (give_up.then)(checking.outcome(looked));
        }
        std::thread::sleep(PAUSE);
    }
}

fn look_at_all(checking: &Checking<'_>, shared: &Mutex<Shared>) {
    let copies = checking.copies();
    lock(shared).looked.findings = checking.duplicates(&copies);
    let near = near_pairs(checking.model, &checking.tests, &copies);
    {
        let looked = &mut lock(shared).looked;
        looked.near = near.pairs.len();
        looked.cut = near.cut_short.then_some(Cut::Pairs);
        looked.tally = near.tally;
    }
    let [any, each] = MOST_BYTES;
    let most = any + each * checking.model.parts.len();
    for start in (0..near.pairs.len()).step_by(PORTION) {
        let end = near.pairs.len().min(start + PORTION);
        let portion = &near.pairs[start..end];
        parallel::tasks(portion.len(), |k| {
            judge(checking, &copies, portion[k].map(|part| part as usize), start + k, shared);
        });
        let mut shared = lock(shared);
        shared.settle(checking);
        let cut = match (checking.is_stopped(), shared.bytes > most) {
            (_, true) if end < near.pairs.len() => Cut::Findings,
            (true, _) if shared.looked.done < shared.looked.near => Cut::Stopped,
            _ => continue,
        };
        shared.looked.cut = Some(cut);
        return;
    }
}

/// Looks at one pair, unless it is time to stop.
fn judge(
    checking: &Checking<'_>,
    copies: &[CopiesOfTest],
    pair: [usize; 2],
    index: usize,
    shared: &Mutex<Shared>,
) {
    if checking.is_stopped() {
        return;
    }
    let (relation, encounter) = seen(checking, pair);
    let findings = checking.findings(pair, &relation, encounter.as_ref(), copies);
    let required = || {
        let own = checking.tests.iter().filter(|test| test.asks(pair[0], pair[1]));
        own.map(|test| test.clearance).fold(0.0, f64::max)
    };
    let encounter = encounter.map(|encounter| (encounter, required()));
    let (done, near) = {
        let mut shared = lock(shared);
        shared.fresh.push(Judged { index, verdict: relation.verdict, encounter, findings });
        (shared.looked.done + shared.fresh.len(), shared.looked.near)
    };
    if let Some(progress) = checking.options.progress {
        progress(done, near);
    }
}

/// How a pair stands, as well as its tests want to know it, and how it fares on the way.
fn seen(checking: &Checking<'_>, [a, b]: [usize; 2]) -> (PartRelation, Option<Encounter>) {
    let Checking { model, options, tests, .. } = checking;
    let own = || tests.iter().filter(|test| test.asks(a, b));
    let wanted = Wanted {
        clearance: own().map(Prepared::farthest).fold(-1.0, f64::max),
        details: !options.verdicts_only,
        brief: options.brief && options.rank != Rank::Volume,
        reported_above: own().map(Prepared::reported_above).fold(f64::INFINITY, f64::min),
        flush: own().map(|test| test.flush).fold(f64::INFINITY, f64::min),
        reports_contained: own().any(|test| test.looks_for(Kind::Contained)),
        depth: !options.verdicts_only && own().any(|test| test.tolerance > 0.0),
        micrometre: own()
            .map(|test| test.tolerance)
            .filter(|tolerance| *tolerance > 0.0)
            .fold(MICROMETRE / model.unit.metres(), |least, tolerance| least.min(0.25 * tolerance)),
    };
    let (one, two) = (&model.parts[a], &model.parts[b]);
    let moved =
        model.motion.as_deref().and_then(|movement| Some((movement, movement.pair([a, b])?)));
    WORKSPACE.with_borrow_mut(|workspace| match moved {
        None => (relate(one, two, wanted, workspace), None),
        Some((movement, pair)) => {
            let flush = own().map(|test| test.flush).fold(0.0, f64::max);
            let stop = options.stop;
            let pair = Encountered { model, movement, pair, wanted, flush, stop };
            let Followed { relation, encounter } = follow(&pair, workspace);
            (relation, Some(encounter))
        }
    })
}

impl Tally {
    fn count(&mut self, encounter: &Encounter, required: f64) {
        let near = encounter.least.is_some_and(|least| least.distance < required);
        if encounter.start != Start::Free {
            self.at_start += 1;
        } else if !encounter.decided {
            self.undecided += 1;
        } else if encounter.meeting.is_some() || near {
            self.meeting += 1;
        } else {
            self.free += 1;
        }
    }
}

impl Checking<'_> {
    fn is_stopped(&self) -> bool {
        self.options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Shared {
    /// Takes in the pairs that are done, in their order.
    fn settle(&mut self, checking: &Checking<'_>) {
        self.fresh.sort_unstable_by_key(|judged| judged.index);
        let mut weight = 0;
        for Judged { verdict, encounter, findings, .. } in self.fresh.drain(..) {
            self.looked.done += 1;
            self.looked.standings.count(verdict);
            if let (Some(tally), Some((encounter, required))) = (&mut self.looked.tally, encounter)
            {
                tally.count(&encounter, required);
            }
            for mut finding in findings {
                if self.segments + finding.curve.len() > MOST_SEGMENTS {
                    finding.curve = Vec::new();
                    finding.curve_is_cut_short = true;
                }
                self.segments += finding.curve.len();
                weight += WEIGHTS[0] + finding.explanation.len() + WEIGHTS[1] * finding.curve.len();
                self.looked.findings.push(finding);
            }
        }
        self.bytes += weight;
        if let Some(all) = checking.options.weight {
            all.fetch_add(weight, Ordering::Relaxed);
        }
    }
}
