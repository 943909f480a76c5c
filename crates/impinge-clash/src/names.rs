//! Short names of parts: as much of a path's end as no other part shares.

use crate::model::Model;
use std::collections::HashMap;

/// A short name for each part.
pub(crate) fn short_names(model: &Model) -> Vec<&str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for part in &model.parts {
        ends(&part.path).for_each(|end| *counts.entry(end).or_default() += 1);
    }
    let short = |path| ends(path).find(|end| counts.get(end) == Some(&1)).unwrap_or(path);
    model.parts.iter().map(|part| short(part.path.as_str())).collect()
}

/// The ends of a path, the shortest first: `c`, `b/c`, `a/b/c`.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let cuts = path.rmatch_indices('/').map(|(at, _)| &path[at + 1..]);
    // Deep trees have long paths: eight levels tell parts apart, or the whole path does.
    cuts.take(8).filter(|end| !end.is_empty()).chain([path])
}
