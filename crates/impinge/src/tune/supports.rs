//! Whether support tables on the first levels of the chosen hierarchy pay for the caller's placements.
//!
//! They do for near misses whose parts, though not their volumes, are convex enough, and cost where bodies meet: how much of each there is
//! only the samples tell. Looks into tables have no term in F, so they are timed.

use super::choose::{ROUNDS, Search};
use super::{Candidate, Question, Volume};
use crate::mesh::MeshError;
use impinge_tree::Builder;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Levels that are tried: with three, tables of a mesh take a quarter of the memory of its hierarchy, and gain no more.
const MOST_LEVELS: usize = 2;
/// Less than this share of the time without them is worth their memory.
const WORTH: f64 = 0.95;
/// Rounds go on until this time is over.
const PATIENCE: Duration = Duration::from_millis(150);
/// The maximum.
const MOST_ROUNDS: usize = 51;

impl Search<'_> {
    /// On how many levels support tables make the question faster, where it is [`Question::Overlap`] and times are taken at all.
    pub(super) fn support_levels(&mut self, best: &Candidate) -> Result<usize, MeshError> {
        let Question::Overlap(poses) = *self.question else { return Ok(0) };
        // Tables of bodies that deform would have to be made again each time.
        let deforms = self.options.updates > 0.0;
        if self.options.finalists < 2 || poses.is_empty() || deforms {
            return Ok(0);
        }
        let (a, own_b) = self.fitted(best.volume, best.builder, best.width)?;
        let b = own_b.as_ref().unwrap_or(&a);
        let tables = [0, 1, MOST_LEVELS].map(|levels| {
            let of_b = own_b.as_ref().map(|b| b.support_levels(levels));
            (levels, a.support_levels(levels), of_b)
        });
        let neutral = self.fitted(Volume::default(), Builder::default(), 2)?;
        let stride = self.timed_stride(best.timed.unwrap_or_else(|| best.predicted()));
        let mut least = [Duration::MAX; 3];
        let begin = Instant::now();
        for round in 0..MOST_ROUNDS {
            if round >= ROUNDS && begin.elapsed() >= PATIENCE {
                break;
            }
            for (least, (levels, of_a, of_b)) in least.iter_mut().zip(&tables) {
                let (first, second) = (&neutral.0, neutral.1.as_ref().unwrap_or(&neutral.0));
                self.question.ask(first, second, stride, &mut self.memory, &mut ());
                let (of_b, scratch) = (of_b.as_ref().unwrap_or(of_a), &mut self.memory.scratch);
                let start = Instant::now();
                for pose in poses.iter().step_by(stride) {
                    // Without tables the visitor that asks for them is not used either.
                    let _ = black_box(if *levels == 0 {
                        a.overlap(b, pose, scratch, &mut ())
                    } else {
                        a.overlap_supported(of_a, b, of_b, pose, scratch, &mut ())
                    });
                }
                *least = start.elapsed().min(*least);
            }
        }
        let seconds = least.map(|time| time.as_secs_f64());
        let most = seconds[0] * WORTH;
        let (mut chosen, mut fastest) = (0, most);
        for ((levels, ..), seconds) in tables.iter().zip(seconds).skip(1) {
            if seconds < fastest {
                (chosen, fastest) = (*levels, seconds);
            }
        }
        Ok(chosen)
    }
}
