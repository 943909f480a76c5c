//! Support plane mappings (Vogiannou et al. 2010): a file for each figure, and what they share.

mod addition;
mod claims;
mod classic;
mod contenders;
mod culling;
mod efficiency;
mod falling_bodies;
mod memory;
mod motion;
mod pairs;
mod placements;
mod prototype;
mod race;
mod recorded;
mod replay;
mod roots;

use super::Experiment;
use crate::finding::Verdict;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[
    efficiency::EFFICIENCY,
    memory::MEMORY,
    culling::CULLING,
    pairs::PAIRS,
    falling_bodies::TORUS,
    falling_bodies::PLANE,
    claims::CLAIMS,
    motion::MOTION,
];

/// A reason why a claim does not hold; nothing where it does.
fn unless(verdict: Verdict, why: &str) -> &str {
    if verdict == Verdict::Reproduced { "" } else { why }
}
