//! Every box against every other: the reference, and the fastest for a handful.

use super::{BroadPhase, PairList, Proxies};

/// Tests all pairs.
#[derive(Clone, Copy, Debug, Default)]
pub struct BruteForce;

impl BroadPhase for BruteForce {
    fn name(&self) -> &'static str {
        "brute force"
    }

    fn update(&mut self, proxies: &Proxies, pairs: &mut PairList) {
        pairs.clear();
        for a in proxies.living() {
            for b in 0..a {
                let one_moves = proxies.is_moving(a) || proxies.is_moving(b);
                if !one_moves
                    || !proxies.is_living(b)
                    || !proxies.extent(a).intersects(proxies.extent(b))
                {
                    continue;
                }
                if !pairs.push(b, a) {
                    return;
                }
            }
        }
    }

    fn reset(&mut self) {}

    fn bytes(&self) -> usize {
        0
    }
}
