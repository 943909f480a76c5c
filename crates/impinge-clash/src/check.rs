//! The check: sets → broad phase → how pairs stand → findings of each test → rules.

use crate::asked::{Asked, AskedTest};
use crate::duplicate::{Copies, duplicates};
use crate::explain;
use crate::finding::{Finding, Measured};
use crate::fingerprint::Fingerprint;
use crate::measure::Rank;
use crate::model::Model;
use crate::motion::near::Swept;
use crate::motion::{Encounter, Encountered, Followed, Movement, Start, Tally, follow};
use crate::plan::{ClashTest, Kind, Plan};
use crate::relation::{PartRelation, Wanted, relate};
use crate::rules::{Hidden, hide};
use crate::status::{Change, Status};
use crate::tolerance::{MICROMETRE, SAME_PLACE};
use impinge::broad::{BroadPhase, DynamicTree, PairList, Proxies};
use impinge::geom::{Certainty, DAabb, Verdict};
use impinge::query::Workspace;
use impinge::tree::parallel;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// How to check.
#[derive(Clone, Copy, Default)]
pub struct Options<'o> {
    /// Verdicts only: no depths, points, curves or volumes, and so no tolerance either. Much faster where much overlaps.
    pub verdicts_only: bool,
    /// By which measure overlaps are put in order.
    pub rank: Rank,
    /// Once this is set, from a signal or another thread, no further pair is begun.
    pub stop: Option<&'o AtomicBool>,
    /// After this, no further pair is begun.
    pub deadline: Option<Instant>,
    /// Told how many pairs are done, and of how many, from any thread.
    pub progress: Option<&'o (dyn Fn(usize, usize) + Sync)>,
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("Options");
        fields.field("verdicts_only", &self.verdicts_only).field("stop", &self.stop);
        fields.field("deadline", &self.deadline);
        fields.finish_non_exhaustive()
    }
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The findings, by test, then kind, then the deepest or closest first.
    pub findings: Vec<Finding>,
    /// What rules hid, in the order of the rules.
    pub hidden: Vec<Hidden>,
    /// How many pairs of parts the tests ask about.
    pub pairs_asked: usize,
    /// How many of them were close enough to be looked at.
    pub pairs_near: usize,
    /// How many of those were looked at; less than `pairs_near` if the check was stopped.
    pub pairs_done: usize,
    /// Pairs that stand in each other, touch or are apart: see [`Standing`].
    pub standings: Standing,
    /// How many pairs that move fared how, if there is a motion.
    pub tally: Option<Tally>,
    /// What was asked, for the records of earlier runs.
    pub asked: Asked,
}

/// How the pairs that were looked at stand to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Interiors meet.
    pub penetrating: usize,
    /// One is inside the other.
    pub contained: usize,
    /// Surfaces meet, interiors do not.
    pub touching: usize,
    /// Nothing meets.
    pub separated: usize,
}

impl Outcome {
    /// True if the check was stopped before all pairs were looked at.
    pub fn is_partial(&self) -> bool {
        self.pairs_done < self.pairs_near
    }
}

/// A test with its sets and lengths worked out.
struct Prepared<'t> {
    test: &'t ClashTest,
    in_a: Vec<bool>,
    in_b: Vec<bool>,
    tolerance: f64,
    /// Negative if gaps do not matter.
    clearance: f64,
    /// Gaps up to this are contact: what rounding leaves between flush faces.
    flush: f64,
}

/// Checks a model. The same model and plan give the same outcome, with any number of threads.
pub fn check(model: &Model, plan: &Plan, options: &Options<'_>) -> Outcome {
    let tests: Vec<Prepared<'_>> =
        plan.tests.iter().map(|test| Prepared::new(model, test)).collect();
    let mut outcome = Outcome::default();
    let sets = duplicate_sets(model, &tests);
    for (prepared, sets) in tests.iter().zip(&sets) {
        outcome.findings.extend(sets.iter().map(|copies| duplicate(model, prepared, copies)));
    }
    // A part is in one set of copies at most.
    let set_of: Vec<HashMap<usize, usize>> = sets.iter().map(|sets| numbered(sets)).collect();
    let near = near_pairs(model, &tests, &mut outcome);
    outcome.pairs_near = near.len();
    let relations = relations(model, &tests, &near, options);
    for (&[a, b], seen) in near.iter().zip(&relations) {
        let Some(Seen { relation, encounter }) = seen else { continue };
        outcome.pairs_done += 1;
        outcome.standings.count(relation.verdict);
        if let (Some(tally), Some(encounter)) = (&mut outcome.tally, encounter) {
            let required = tests.iter().filter(|test| test.asks(a, b)).map(|test| test.clearance);
            tally.count(encounter, required.fold(0.0, f64::max));
        }
        for (prepared, set_of) in tests.iter().zip(&set_of) {
            let coincide = set_of.get(&a).is_some_and(|set| set_of.get(&b) == Some(set));
            if prepared.asks(a, b) && !coincide {
                let moved = model.motion.as_deref().zip(encounter.as_ref());
                outcome.findings.extend(prepared.finding(model, [a, b], relation, moved));
            }
        }
    }
    outcome.hidden = hide(model, plan, &mut outcome.findings);
    outcome.asked = asked(&tests, options.verdicts_only);
    join_tests(&mut outcome.findings);
    let order = |name: &str| plan.tests.iter().position(|test| test.name == name);
    outcome.findings.sort_by(|x, y| {
        let value = |finding: &Finding| sort_key(finding, options.rank);
        (order(&x.test), x.kind)
            .cmp(&(order(&y.test), y.kind))
            .then(value(x).total_cmp(&value(y)))
            .then(x.parts.cmp(&y.parts))
    });
    outcome
}

/// What findings of one kind are sorted by, ascending: gaps, and minus the measure of overlaps. What could not be measured comes first.
fn sort_key(finding: &Finding, rank: Rank) -> f64 {
    let gap = finding.distance.map_or(0.0, |distance| distance.value);
    if finding.penetration.is_none() && finding.separation.is_none() {
        return gap;
    }
    let measure = match rank {
        Rank::Penetration => finding.penetration.map(|penetration| penetration.value),
        Rank::Separation => finding.separation.map(|separation| separation.value),
        Rank::Volume => finding.volume,
    };
    measure.map_or(f64::NEG_INFINITY, |measure| -measure)
}

/// For each test the sets of parts that coincide, if it asks.
fn duplicate_sets(model: &Model, tests: &[Prepared<'_>]) -> Vec<Vec<Copies>> {
    let DAabb { low, high } = model.bounds();
    let size = low.abs().max(high.abs()).max_element();
    let sets = |prepared: &Prepared<'_>| {
        if !prepared.test.kinds.contains(&Kind::Duplicate) {
            return Vec::new();
        }
        let chosen: Vec<bool> =
            prepared.in_a.iter().zip(&prepared.in_b).map(|(a, b)| *a || *b).collect();
        let mut sets = duplicates(model, &chosen, size * SAME_PLACE);
        sets.retain(|Copies { parts, .. }| {
            parts.iter().any(|&a| parts.iter().any(|&b| a != b && prepared.asks(a, b)))
        });
        sets
    };
    tests.iter().map(sets).collect()
}

/// The number of the set that a part is in.
fn numbered(sets: &[Copies]) -> HashMap<usize, usize> {
    let entries = sets.iter().enumerate();
    entries.flat_map(|(set, copies)| copies.parts.iter().map(move |&part| (part, set))).collect()
}

/// The pairs that some test asks about and whose boxes come as close as it matters, ascending.
fn near_pairs(model: &Model, tests: &[Prepared<'_>], outcome: &mut Outcome) -> Vec<[usize; 2]> {
    let margin = tests.iter().map(Prepared::farthest).fold(0.0, f64::max);
    let DAabb { low, high } = model.bounds();
    let origin = 0.5 * low + 0.5 * high;
    let mut proxies = Proxies::default();
    let movement = model.motion.as_deref();
    let swept = movement.map(|movement| Swept::new(model, movement));
    for (index, part) in model.parts.iter().enumerate() {
        let bounds = swept.as_ref().map_or(part.bounds, |swept| swept.whole(index));
        proxies.insert(bounds.grown(margin).to_f32(origin), true);
    }
    let mut pairs = PairList::default();
    DynamicTree::default().update(&proxies, &mut pairs);
    pairs.sort();
    let asked = |&[a, b]: &[usize; 2]| {
        model.adjacent.binary_search(&[a, b]).is_err() && tests.iter().any(|test| test.asks(a, b))
    };
    outcome.pairs_asked = count_asked(model, tests);
    outcome.tally = movement.map(|movement| tally(model, tests, movement));
    let near = |&pair: &[usize; 2]| {
        swept.as_ref().is_none_or(|swept| swept.come_near(pair, 2.0 * margin.max(0.0)))
    };
    let near: Vec<[usize; 2]> = pairs
        .list()
        .iter()
        .map(|pair| pair.map(|k| k as usize))
        .filter(asked)
        .filter(near)
        .collect();
    if let (Some(tally), Some(movement)) = (&mut outcome.tally, movement) {
        // Those that never come near are free without a look.
        let moving = near.iter().filter(|&&pair| movement.pair(pair).is_some()).count();
        tally.free = tally.moving - moving;
    }
    near
}

/// How many pairs of parts some test asks about. Parts that all tests treat alike are counted together.
fn count_asked(model: &Model, tests: &[Prepared<'_>]) -> usize {
    let mut classes: std::collections::BTreeMap<Vec<[bool; 2]>, (usize, usize)> =
        Default::default();
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

/// How many pairs move relative to each other and are asked about.
fn tally(model: &Model, tests: &[Prepared<'_>], movement: &Movement) -> Tally {
    let moves = |&[a, b]: &[usize; 2]| {
        movement.pair([a, b]).is_some()
            && tests.iter().any(|test| test.asks(a, b))
            && model.adjacent.binary_search(&[a, b]).is_err()
    };
    let count = model.parts.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    Tally { moving: pairs.filter(moves).count(), ..Tally::default() }
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

/// What was seen of a pair.
struct Seen {
    relation: PartRelation,
    encounter: Option<Encounter>,
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::default();
}

/// How each pair stands; None for those that were not begun.
fn relations(
    model: &Model,
    tests: &[Prepared<'_>],
    near: &[[usize; 2]],
    options: &Options<'_>,
) -> Vec<Option<Seen>> {
    let done = AtomicUsize::new(0);
    parallel::tasks(near.len(), |k| {
        let late = options.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return None;
        }
        let [a, b] = near[k];
        let own = || tests.iter().filter(|test| test.asks(a, b));
        let wanted = Wanted {
            clearance: own().map(Prepared::farthest).fold(-1.0, f64::max),
            details: !options.verdicts_only,
            reported_above: own().map(Prepared::reported_above).fold(f64::INFINITY, f64::min),
            reports_contained: own().any(|test| test.looks_for(Kind::Contained)),
            depth: !options.verdicts_only && own().any(|test| test.tolerance > 0.0),
            micrometre: own()
                .map(|test| test.tolerance)
                .filter(|tolerance| *tolerance > 0.0)
                .fold(MICROMETRE / model.unit.metres(), |least, tolerance| {
                    least.min(0.25 * tolerance)
                }),
        };
        let (one, two) = (&model.parts[a], &model.parts[b]);
        let moved =
            model.motion.as_deref().and_then(|movement| Some((movement, movement.pair([a, b])?)));
        let seen = WORKSPACE.with_borrow_mut(|workspace| match moved {
            None => Seen { relation: relate(one, two, wanted, workspace), encounter: None },
            Some((movement, pair)) => {
                let flush = own().map(|test| test.flush).fold(0.0, f64::max);
                let stop = options.stop;
                let pair = Encountered { model, movement, pair, wanted, flush, stop };
                let Followed { relation, encounter } = follow(&pair, workspace);
                Seen { relation, encounter: Some(encounter) }
            }
        });
        if let Some(progress) = options.progress {
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, near.len());
        }
        Some(seen)
    })
}

impl Standing {
    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Penetrating => self.penetrating += 1,
            Verdict::Contained(_) => self.contained += 1,
            Verdict::Touching => self.touching += 1,
            Verdict::Separated => self.separated += 1,
        }
    }
}

impl<'t> Prepared<'t> {
    fn new(model: &Model, test: &'t ClashTest) -> Self {
        let in_a: Vec<bool> = model.parts.iter().map(|part| test.a.holds(part)).collect();
        let in_b = match &test.b {
            Some(set) => model.parts.iter().map(|part| set.holds(part)).collect(),
            None => in_a.clone(),
        };
        let gaps = test.kinds.contains(&Kind::Clearance);
        let clearance = test.clearance.filter(|_| gaps);
        Self {
            test,
            in_a,
            in_b,
            tolerance: model.tolerance(test),
            flush: model.flush(test),
            clearance: clearance.map_or(-1.0, |clearance| clearance.in_unit(model.unit)),
        }
    }

    fn asks(&self, a: usize, b: usize) -> bool {
        (self.in_a[a] && self.in_b[b]) || (self.in_a[b] && self.in_b[a])
    }

    /// The finding of this test for a pair, if there is one.
    fn finding(
        &self,
        model: &Model,
        [a, b]: [usize; 2],
        relation: &PartRelation,
        moved: Option<(&Movement, &Encounter)>,
    ) -> Option<Finding> {
        let depth = relation.depth_at_most;
        let gap = relation.distance.map_or(f64::INFINITY, |distance| distance.value);
        let undecided = moved.is_some_and(|(_, encounter)| !encounter.decided);
        let kind = match relation.verdict {
            // What may meet is told as if it did.
            _ if undecided => Kind::Hard,
            Verdict::Contained(_) if self.looks_for(Kind::Contained) => Kind::Contained,
            Verdict::Penetrating | Verdict::Contained(_) if depth > self.tolerance => Kind::Hard,
            Verdict::Penetrating | Verdict::Contained(_) | Verdict::Touching => Kind::Touching,
            // Flush faces are one kind, on whichever side of zero rounding puts them.
            Verdict::Separated if gap <= self.flush => Kind::Touching,
            Verdict::Separated => Kind::Clearance,
        };
        if !self.looks_for(kind) || (kind == Kind::Clearance && gap >= self.clearance - self.flush)
        {
            return None;
        }
        let mut finding = blank(self.test, kind, vec![a, b], model);
        finding.distance = relation.distance;
        finding.penetration = relation.penetration;
        finding.separation = relation.separation;
        finding.points = relation.points;
        finding.triangles = relation.triangles;
        finding.curve = relation
            .curve
            .iter()
            .map(|ends| ends.map(|p| model.parts[a].instance.to_world(p)))
            .collect();
        finding.curve_is_cut_short = relation.curve_is_cut_short;
        finding.curve_certainty = relation.curve_certainty;
        finding.volume = relation.volume;
        finding.certain = relation.certain && !undecided;
        let lengths = [self.tolerance, self.clearance];
        finding.explanation = explain::pair(model, &finding, relation.verdict, lengths);
        if let Some((movement, encounter)) = moved {
            let rest = std::mem::take(&mut finding.explanation);
            finding.motion = Some(*encounter);
            finding.explanation =
                movement.sentence(model, &finding, encounter, self.clearance, rest);
        }
        Some(finding)
    }

    /// Gaps up to this matter; below zero, none do.
    fn farthest(&self) -> f64 {
        if self.looks_for(Kind::Touching) { self.clearance.max(self.flush) } else { self.clearance }
    }

    /// Depths above this are findings; any depth, if contact is one.
    fn reported_above(&self) -> f64 {
        if self.looks_for(Kind::Touching) { -1.0 } else { self.tolerance }
    }

    fn looks_for(&self, kind: Kind) -> bool {
        self.test.kinds.contains(&kind)
    }
}

fn duplicate(model: &Model, prepared: &Prepared<'_>, copies: &Copies) -> Finding {
    let mut finding = blank(prepared.test, Kind::Duplicate, copies.parts.clone(), model);
    let DAabb { low, high } = model.parts[copies.parts[0]].bounds;
    finding.points = Some([0.5 * low + 0.5 * high; 2]);
    let certainty = if copies.apart == 0.0 { Certainty::Exact } else { Certainty::Bound };
    finding.distance = Some(Measured { value: 0.0, certainty });
    finding.explanation = explain::duplicate(model, copies);
    finding
}

/// What was asked, as records need it.
fn asked(tests: &[Prepared<'_>], verdicts_only: bool) -> Asked {
    let test = |prepared: &Prepared<'_>| AskedTest {
        kinds: prepared.test.kinds.clone(),
        a: prepared.test.a.clone(),
        b: prepared.test.b.clone(),
        in_a: prepared.in_a.clone(),
        in_b: prepared.in_b.clone(),
        tolerance: if verdicts_only { -1.0 } else { prepared.tolerance },
        clearance: prepared.clearance,
        flush: prepared.flush,
    };
    Asked { tests: tests.iter().map(test).collect() }
}

/// One finding for two parts and a kind: the first test reports it, and the others are named.
fn join_tests(findings: &mut Vec<Finding>) {
    let mut first: HashMap<String, usize> = HashMap::new();
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings.drain(..) {
        match first.get(&finding.id) {
            Some(&index) => kept[index].also.push(finding.test),
            None => {
                first.insert(finding.id.clone(), kept.len());
                kept.push(finding);
            }
        }
    }
    *findings = kept;
}

/// A finding that has its id and nothing else.
fn blank(test: &ClashTest, kind: Kind, parts: Vec<usize>, model: &Model) -> Finding {
    let mut paths: Vec<&str> = parts.iter().map(|&part| model.parts[part].path.as_str()).collect();
    paths.sort_unstable();
    let mut print = Fingerprint::default();
    if let Some(variant) = &model.variant {
        print.text(variant);
    }
    // Neither the test nor the place: asked in another way or moved a little, it is the same matter.
    print.text(kind.name());
    paths.iter().for_each(|path| print.text(path));
    Finding {
        id: format!("{:016x}", print.value()),
        test: test.name.clone(),
        also: Vec::new(),
        kind,
        parts,
        distance: None,
        penetration: None,
        separation: None,
        points: None,
        triangles: None,
        curve: Vec::new(),
        curve_is_cut_short: false,
        curve_certainty: Certainty::Exact,
        volume: None,
        certain: true,
        motion: None,
        explanation: String::new(),
        group: None,
        status: Status::New,
        assignee: None,
        reopened: None,
        comment: String::new(),
        remarks: Vec::new(),
        found: None,
        change: Change::Added,
    }
}
