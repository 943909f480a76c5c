//! Numbered rounds on several threads: blocks of them, whose reports come back in their order, so that the result is the same for any number of threads.

use super::progress::Progress;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// How the rounds are shared out.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    /// How many in all.
    pub count: u64,
    /// How many a thread does before it asks for more.
    pub block: u64,
    /// How many threads; at least one.
    pub threads: usize,
}

/// Does all rounds, or those before an interrupt; `take` gets the report of each block in the order of the blocks. How many rounds were done.
pub fn run<R: Send>(
    rounds: Rounds,
    progress: &mut Progress,
    work: impl Fn(Range<u64>) -> R + Sync,
    mut take: impl FnMut(R),
) -> u64 {
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let block = rounds.block.max(1);
    let (send, receive) = mpsc::channel();
    let mut done = 0;
    std::thread::scope(|scope| {
        for _ in 0..rounds.threads.max(1) {
            let (send, next, stop, work) = (send.clone(), &next, &stop, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let from = next.fetch_add(block, Ordering::Relaxed);
                    if from >= rounds.count {
                        return;
                    }
                    let to = rounds.count.min(from + block);
                    if send.send((from, to, work(from..to))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        for (from, to, report) in receive {
            waiting.insert(from, (to, report));
            while let Some((to, report)) = waiting.remove(&done) {
                take(report);
                done = to;
            }
            if !progress.go_on(done) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rounds_come_once_and_in_order() {
        for (count, threads) in [(0, 2), (1, 3), (1000, 1), (1000, 4)] {
            let mut seen = Vec::new();
            let rounds = Rounds { count, block: 7, threads };
            let mut progress = Progress::new("rounds", count);
            let done = run(
                rounds,
                &mut progress,
                |range| range.collect::<Vec<_>>(),
                |part| seen.extend(part),
            );
            assert_eq!(done, count);
            assert_eq!(seen, (0..count).collect::<Vec<u64>>());
        }
    }
}
