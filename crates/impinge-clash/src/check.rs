//! The check: sets → copies → broad phase → how pairs stand → findings of each test → rules.

use crate::duplicate::{Copies, duplicates};
use crate::explain;
use crate::finding::{Finding, Measured};
use crate::fingerprint::Fingerprint;
use crate::measure::Rank;
use crate::model::Model;
use crate::motion::{Encounter, Movement, Tally};
use crate::near::{self, CopiesOfTest};
use crate::pairs::{Looked, look};
use crate::plan::{ClashTest, Kind, Plan};
use crate::relation::PartRelation;
use crate::rules::{Hidden, hide};
use crate::run_scope::{RunScope, ScopedTest};
use crate::status::{Change, Status};
use crate::tolerance::SAME_PLACE;
use impinge::geom::{Certainty, DAabb, Verdict};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// How to check.
#[derive(Clone, Copy, Default)]
pub struct CheckOptions<'o> {
    /// Verdicts only: no depths, points, curves or volumes, and so no tolerance either. Much faster where much overlaps.
    pub verdicts_only: bool,
    /// No curves along which surfaces cross and no common volumes, for reports that show neither.
    pub brief: bool,
    /// By which measure overlaps are put in order.
    pub rank: Rank,
    /// Once this is set, from a signal or another thread, no further pair is begun.
    pub stop: Option<&'o AtomicBool>,
    /// Told how many pairs are done, and of how many, from any thread.
    pub progress: Option<&'o (dyn Fn(usize, usize) + Sync)>,
    /// Counts the bytes of what was found so far, about as many as a report of it has.
    pub weight: Option<&'o AtomicUsize>,
    /// What happens if a pair takes longer than anybody waits.
    pub give_up: Option<GiveUp<'o>>,
}

/// For callers that cannot wait for the pairs that were begun.
#[derive(Clone, Copy)]
pub struct GiveUp<'o> {
    /// Once this is set,
    pub when: &'o AtomicBool,
    /// this gets what was found until then, on a thread of its own, and may end the program. The threads of the check still work.
    pub then: &'o (dyn Fn(Outcome) + Sync),
}

impl fmt::Debug for CheckOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = formatter.debug_struct("CheckOptions");
        fields.field("verdicts_only", &self.verdicts_only).field("brief", &self.brief);
        fields.field("stop", &self.stop);
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
    pub asked: RunScope,
    /// Why not all pairs were looked at, if they were not.
    pub cut: Option<Cut>,
}

/// Why a check did not look at all pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It was told to stop.
    Stopped,
    /// Too many parts overlap: the list of pairs is longer than any model of this size needs.
    Pairs,
    /// There are more findings than a report can hold.
    Findings,
}

/// How the examined pairs relate.
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
        self.cut.is_some() || self.pairs_done < self.pairs_near
    }
}

/// A test with its sets and lengths worked out.
pub(crate) struct Prepared<'t> {
    pub(crate) test: &'t ClashTest,
    pub(crate) in_a: Vec<bool>,
    pub(crate) in_b: Vec<bool>,
    pub(crate) tolerance: f64,
    /// Negative if gaps do not matter.
    pub(crate) clearance: f64,
    /// Gaps up to this are contact: what rounding leaves between flush faces.
    pub(crate) flush: f64,
}

/// Checks a model. The same model and plan give the same outcome, with any number of threads.
pub fn check(model: &Model, plan: &Plan, options: &CheckOptions<'_>) -> Outcome {
    let tests: Vec<Prepared<'_>> =
        plan.tests.iter().map(|test| Prepared::new(model, test)).collect();
    let checking = Checking { model, plan, options, tests };
    look(&checking)
}

/// A check that is going on.
pub(crate) struct Checking<'c> {
    pub(crate) model: &'c Model,
    plan: &'c Plan,
    pub(crate) options: &'c CheckOptions<'c>,
    pub(crate) tests: Vec<Prepared<'c>>,
}

impl Checking<'_> {
    /// For each test the sets of parts that coincide.
    pub(crate) fn copies(&self) -> Vec<CopiesOfTest> {
        duplicate_sets(self.model, &self.tests).into_iter().map(CopiesOfTest::new).collect()
    }

    /// The findings about parts that coincide.
    pub(crate) fn duplicates(&self, copies: &[CopiesOfTest]) -> Vec<Finding> {
        let of_test = |(test, copies): (&Prepared<'_>, &CopiesOfTest)| {
            copies.sets.iter().map(|copies| duplicate(self.model, test, copies)).collect::<Vec<_>>()
        };
        self.tests.iter().zip(copies).flat_map(of_test).collect()
    }

    /// The findings of all tests about a pair.
    pub(crate) fn findings(
        &self,
        [a, b]: [usize; 2],
        relation: &PartRelation,
        encounter: Option<&Encounter>,
        copies: &[CopiesOfTest],
    ) -> Vec<Finding> {
        let moved = self.model.motion.as_deref().zip(encounter);
        let asking = self.tests.iter().zip(copies);
        let asking = asking.filter(|(test, copies)| test.asks(a, b) && !copies.coincide(a, b));
        asking.filter_map(|(test, _)| test.finding(self.model, [a, b], relation, moved)).collect()
    }

    /// What was found, in order and without what rules hide.
    pub(crate) fn outcome(&self, looked: Looked) -> Outcome {
        let Looked { findings, near, done, standings, tally, cut } = looked;
        let mut outcome = Outcome {
            findings,
            pairs_asked: near::count_asked(self.model, &self.tests),
            pairs_near: near,
            pairs_done: done,
            standings,
            tally,
            cut,
            asked: asked(&self.tests, self.options.verdicts_only),
            hidden: Vec::new(),
        };
        outcome.hidden = hide(self.model, self.plan, &mut outcome.findings);
        join_tests(&mut outcome.findings);
        let places: HashMap<&str, usize> =
            self.plan.tests.iter().map(|test| test.name.as_str()).zip(0..).collect();
        let order = |finding: &Finding| (places.get(finding.test.as_str()).copied(), finding.kind);
        let value = |finding: &Finding| sort_key(finding, self.options.rank);
        outcome.findings.sort_by(|x, y| {
            order(x).cmp(&order(y)).then(value(x).total_cmp(&value(y))).then(x.parts.cmp(&y.parts))
        });
        outcome
    }
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
        // One of them is in A and another in B.
        sets.retain(|Copies { parts, .. }| {
            let count = |list: &[bool]| parts.iter().filter(|&&part| list[part]).count();
            let both = parts.iter().filter(|&&part| prepared.in_a[part] && prepared.in_b[part]);
            let (in_a, in_b) = (count(&prepared.in_a), count(&prepared.in_b));
            in_a > 0 && in_b > 0 && in_a + in_b - both.count() > 1
        });
        sets
    };
    tests.iter().map(sets).collect()
}

impl Standing {
    pub(crate) fn count(&mut self, verdict: Verdict) {
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

    pub(crate) fn asks(&self, a: usize, b: usize) -> bool {
        (self.in_a[a] && self.in_b[b]) || (self.in_a[b] && self.in_b[a])
    }

    /// The finding of this test for a pair, if there is one.
    pub(crate) fn finding(
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
    pub(crate) fn farthest(&self) -> f64 {
        if self.looks_for(Kind::Touching) { self.clearance.max(self.flush) } else { self.clearance }
    }

    /// Depths above this are findings; any depth, if contact is one.
    pub(crate) fn reported_above(&self) -> f64 {
        if self.looks_for(Kind::Touching) { -1.0 } else { self.tolerance }
    }

    pub(crate) fn looks_for(&self, kind: Kind) -> bool {
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
fn asked(tests: &[Prepared<'_>], verdicts_only: bool) -> RunScope {
    let test = |prepared: &Prepared<'_>| ScopedTest {
        kinds: prepared.test.kinds.clone(),
        a: prepared.test.a.clone(),
        b: prepared.test.b.clone(),
        in_a: prepared.in_a.clone(),
        in_b: prepared.in_b.clone(),
        tolerance: if verdicts_only { -1.0 } else { prepared.tolerance },
        clearance: prepared.clearance,
        flush: prepared.flush,
    };
    RunScope { tests: tests.iter().map(test).collect() }
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
