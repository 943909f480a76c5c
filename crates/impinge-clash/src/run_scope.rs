//! What a run asked about: only that can be gone.

use crate::model::Model;
use crate::plan::Kind;
use crate::record::Record;
use crate::selector::Set;
use std::collections::HashMap;

/// The questions of a run, kept with its outcome. A record that none of them is about says nothing about the model, and stays as it is.
#[derive(Clone, Debug, Default)]
pub struct RunScope {
    pub(crate) tests: Vec<ScopedTest>,
}

/// One test, as far as records need it.
#[derive(Clone, Debug)]
pub(crate) struct ScopedTest {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) a: Set,
    /// None if the parts of A were tested among themselves.
    pub(crate) b: Option<Set>,
    pub(crate) in_a: Vec<bool>,
    pub(crate) in_b: Vec<bool>,
    /// Overlaps up to this were not asked about; negative if all were.
    pub(crate) tolerance: f64,
    /// Gaps of this and more were not asked about.
    pub(crate) clearance: f64,
    /// Gaps up to this were taken for contact.
    pub(crate) flush: f64,
}

/// The parts of a model by path.
pub(crate) struct Paths<'m>(HashMap<&'m str, usize>);

impl<'m> Paths<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let entries = model.parts.iter().enumerate();
        Self(entries.map(|(index, part)| (part.path.as_str(), index)).collect())
    }
}

impl RunScope {
    /// True if the run would have reported this finding again, had it still been there as it was.
    pub(crate) fn would_report(&self, model: &Model, paths: &Paths<'_>, record: &Record) -> bool {
        if record.variant != model.variant {
            return false;
        }
        let parts: Vec<Option<usize>> =
            record.parts.iter().map(|path| paths.0.get(path.as_str()).copied()).collect();
        if let &[Some(a), Some(b)] = parts.as_slice()
            && model.adjacent.contains(a, b)
        {
            return false;
        }
        self.tests.iter().any(|test| {
            let all = || parts.iter().copied().zip(record.parts.iter().map(String::as_str));
            let in_a = all().map(|part| test.takes_a(part) == Some(true)).collect::<Vec<_>>();
            let in_b = all().map(|part| test.takes_b(part) == Some(true)).collect::<Vec<_>>();
            // One part is in A and another in B.
            let of = |list: &[bool]| list.iter().filter(|is_in| **is_in).count();
            let both = in_a.iter().zip(&in_b).filter(|(a, b)| **a && **b).count();
            let asked = of(&in_a) > 0 && of(&in_b) > 0 && of(&in_a) + of(&in_b) - both > 1;
            asked && test.reaches(model, record)
        })
    }
}

impl ScopedTest {
    /// Whether a part is in set A; one that is gone is known by its path alone, and None means that its path does not tell.
    fn takes_a(&self, (index, path): (Option<usize>, &str)) -> Option<bool> {
        match index {
            Some(index) => self.in_a.get(index).copied(),
            None => self.a.holds_path(path),
        }
    }

    fn takes_b(&self, (index, path): (Option<usize>, &str)) -> Option<bool> {
        match index {
            Some(index) => self.in_b.get(index).copied(),
            None => self.b.as_ref().unwrap_or(&self.a).holds_path(path),
        }
    }

    /// Whether kind and lengths of the test reach a finding as it was last seen.
    fn reaches(&self, model: &Model, record: &Record) -> bool {
        // Older files do not say what kind a finding is of.
        let Some(kind) = record.kind else { return true };
        let distance = record.distance.as_ref().and_then(|length| length.in_unit(model.unit));
        self.kinds.contains(&kind)
            && match kind {
                Kind::Hard => distance.is_none_or(|distance| -distance > self.tolerance),
                Kind::Clearance => distance
                    .map_or(self.clearance >= 0.0, |gap| gap < self.clearance && gap > self.flush),
                Kind::Contained | Kind::Duplicate | Kind::Touching => true,
            }
    }
}
