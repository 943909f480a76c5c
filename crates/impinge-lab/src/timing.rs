//! Times that can be compared: taken in turns, of which the fastest counts.

use crate::error::LabError;
use crate::session::Session;
use std::convert::Infallible;
use std::time::Instant;

/// The least time of each work in nanoseconds, over so many rounds. All take turns, so that a slow moment of the machine hits all of them.
pub(crate) fn fastest(rounds: usize, works: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let Ok(least) = turns(rounds, works, |_| Ok::<(), Infallible>(()));
    least
}

/// The same for works that take long: the session is told before each of them, and may end it.
pub(crate) fn fastest_watched(
    rounds: usize,
    works: &mut [&mut dyn FnMut()],
    session: &Session<'_>,
    what: &str,
) -> Result<Vec<f64>, LabError> {
    let of = (rounds.max(1) * works.len()) as u64;
    turns(rounds, works, |done| session.step(what, done, of))
}

fn turns<E>(
    rounds: usize,
    works: &mut [&mut dyn FnMut()],
    mut before: impl FnMut(u64) -> Result<(), E>,
) -> Result<Vec<f64>, E> {
    let mut least = vec![f64::MAX; works.len()];
    let mut done = 0;
    for _ in 0..rounds.max(1) {
        for (work, least) in works.iter_mut().zip(&mut least) {
            before(done)?;
            done += 1;
            let start = Instant::now();
            work();
            *least = least.min((start.elapsed().as_nanos() as f64).max(1.0));
        }
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;
    use std::sync::atomic::{AtomicBool, Ordering};

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

    #[test]
    fn works_that_take_long_are_ended_between_two_of_them() {
        let stop = AtomicBool::new(false);
        let session = Session::new(Size::Quick, 1).stopped_by(&stop);
        let order = std::cell::RefCell::new(String::new());
        let mut first = || order.borrow_mut().push('a');
        let mut second = || {
            order.borrow_mut().push('b');
            stop.store(order.borrow().len() == 4, Ordering::Relaxed);
        };
        let mut works: [&mut dyn FnMut(); 2] = [&mut first, &mut second];
        assert_eq!(fastest_watched(2, &mut works, &session, "").unwrap().len(), 2);
        order.borrow_mut().clear();
        stop.store(false, Ordering::Relaxed);
        let ended = fastest_watched(3, &mut works, &session, "");
        assert_eq!(ended, Err(LabError::Interrupted));
        assert_eq!(order.borrow().as_str(), "abab");
    }
}
