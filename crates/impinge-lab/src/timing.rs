//! Times that can be compared: taken in turns, of which the fastest counts.

use std::time::Instant;

/// The least time of each work in nanoseconds, over so many rounds. All take turns, so that a slow moment of the machine hits all of them.
pub(crate) fn fastest(rounds: usize, works: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut least = vec![f64::MAX; works.len()];
    for _ in 0..rounds.max(1) {
        for (work, least) in works.iter_mut().zip(&mut least) {
            let start = Instant::now();
            work();
            *least = least.min((start.elapsed().as_nanos() as f64).max(1.0));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_take_turns_and_the_fastest_counts() {
        let order = std::cell::RefCell::new(Vec::new());
        let mut slow = || {
            order.borrow_mut().push('a');
            std::thread::sleep(std::time::Duration::from_millis(2));
        };
        let mut quick = || order.borrow_mut().push('b');
        let times = fastest(3, &mut [&mut slow, &mut quick]);
        assert!(times[0] >= 2e6 && times[1] < times[0], "{times:?}");
        assert_eq!(order.borrow().iter().collect::<String>(), "ababab");
    }
}
