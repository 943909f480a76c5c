//! Rules hide findings, and say what they hid.

use crate::finding::Finding;
use crate::model::Model;
use crate::plan::{Plan, Rule};

/// What a rule hid.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    /// The rule's name.
    pub rule: String,
    /// Its reason.
    pub reason: String,
    /// The findings that it hid.
    pub findings: Vec<Finding>,
    /// How many findings it would have hidden, had they not been deeper than it allows: they are shown.
    pub too_deep: usize,
}

/// Takes out of the list what rules hide: the first rule that fits a finding has it.
pub(crate) fn hide(model: &Model, plan: &Plan, findings: &mut Vec<Finding>) -> Vec<Hidden> {
    let mut hidden: Vec<Hidden> = plan
        .rules
        .iter()
        .map(|Rule { name, reason, .. }| Hidden {
            rule: name.clone(),
            reason: reason.clone(),
            findings: Vec::new(),
            too_deep: 0,
        })
        .collect();
    let mut shown = Vec::new();
    'findings: for finding in findings.drain(..) {
        for (rule, hidden) in plan.rules.iter().zip(&mut hidden) {
            if !is_in_scope(model, rule, &finding) {
                continue;
            }
            let most = rule.max_depth.map(|depth| depth.in_unit(model.unit));
            if most.zip(finding.depth()).is_some_and(|(most, depth)| depth > most) {
                hidden.too_deep += 1;
                continue;
            }
            hidden.findings.push(finding);
            continue 'findings;
        }
        shown.push(finding);
    }
    *findings = shown;
    hidden
}

fn is_in_scope(model: &Model, rule: &Rule, finding: &Finding) -> bool {
    if rule.test.as_ref().is_some_and(|test| *test != finding.test) {
        return false;
    }
    if !rule.kinds.is_empty() && !rule.kinds.contains(&finding.kind) {
        return false;
    }
    // How many parts are in neither set, in A only, in B only, in both: a pair fits if one is in A and the other in B.
    let mut counts = [0usize; 4];
    for &part in &finding.parts {
        let part = &model.parts[part];
        counts[usize::from(rule.a.holds(part)) + 2 * usize::from(rule.b.holds(part))] += 1;
    }
    let fits = |x: usize, y: usize| (x & 1 == 1 && y & 2 == 2) || (y & 1 == 1 && x & 2 == 2);
    let are_there = |x: usize, y: usize| match x == y {
        true => counts[x] > 1,
        false => counts[x] > 0 && counts[y] > 0,
    };
    (0..4).all(|x| (0..=x).all(|y| !are_there(x, y) || fits(x, y)))
}
