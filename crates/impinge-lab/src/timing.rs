//! Times that can be compared: processor time, taken in turns. The fastest round is what tables show; verdicts go by ratios with their spread over rounds.
//!
//! A ratio of times decides a claim only beyond its spread and a margin, [`MARGIN`]: medians of one build on one machine move by several
//! percent from run to run, as `impinge-lab stability` shows.

use crate::clock::Clock;
use crate::error::LabError;
use crate::session::Session;
use std::convert::Infallible;
use std::fmt;

/// How much less time counts as faster: a tenth. Less is within what the same program differs by from run to run.
pub(crate) const MARGIN: f64 = 0.1;

/// The rounds of a measurement that a verdict rests on, at least.
pub(crate) const ROUNDS: usize = 5;

/// The shortest time of each work in nanoseconds over the rounds. All take turns, so that a slow moment of the machine hits all of them.
pub(crate) fn fastest(rounds: usize, works: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    repeated(rounds, works).least()
}

/// The times of each work in every round, which take turns as in [`fastest`].
pub(crate) fn repeated(rounds: usize, works: &mut [&mut dyn FnMut()]) -> Rounds {
    let Ok(times) = turns(rounds, works, |_| Ok::<(), Infallible>(()));
    times
}

/// Like [`repeated`], for works that take long: the session may end them before each.
pub(crate) fn repeated_watched(
    rounds: usize,
    works: &mut [&mut dyn FnMut()],
    session: &Session<'_>,
    what: &str,
) -> Result<Rounds, LabError> {
    let of = (rounds.max(1) * works.len()) as u64;
    turns(rounds, works, |done| session.step(what, done, of))
}

/// The arithmetic mean.
pub(crate) fn arithmetic(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

fn turns<E>(
    rounds: usize,
    works: &mut [&mut dyn FnMut()],
    mut before: impl FnMut(u64) -> Result<(), E>,
) -> Result<Rounds, E> {
    let mut times = vec![Vec::new(); works.len()];
    let mut done = 0;
    for _ in 0..rounds.max(1) {
        for (work, times) in works.iter_mut().zip(&mut times) {
            before(done)?;
            done += 1;
            let start = Clock::start();
            work();
            times.push((start.seconds() * 1e9).max(1.0));
        }
    }
    Ok(Rounds { times })
}

/// The times of several works in nanoseconds, round by round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    /// By work, then by round.
    times: Vec<Vec<f64>>,
}

impl Rounds {
    /// Of times that were taken elsewhere, by work and by round.
    pub(crate) fn of_times(times: Vec<Vec<f64>>) -> Self {
        Self { times }
    }

    /// The same times in every round, for tests of verdicts.
    #[cfg(test)]
    pub(crate) fn steady(times: &[f64], rounds: usize) -> Self {
        Self::of_times(times.iter().map(|time| vec![*time; rounds]).collect())
    }

    /// The shortest time of each work.
    pub(crate) fn least(&self) -> Vec<f64> {
        let least = |times: &Vec<f64>| times.iter().copied().fold(f64::MAX, f64::min);
        self.times.iter().map(least).collect()
    }

    /// Adds the times of the same works on other input, round by round.
    pub(crate) fn add(&mut self, other: &Self) {
        if self.times.is_empty() {
            self.times.clone_from(&other.times);
            return;
        }
        for (own, other) in self.times.iter_mut().zip(&other.times) {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
    }

    /// The times of one work.
    pub(crate) fn of(&self, work: usize) -> &[f64] {
        self.times.get(work).map_or(&[], Vec::as_slice)
    }

    /// The time of one work over that of another, with its spread over the rounds.
    pub(crate) fn ratio(&self, work: usize, over: usize) -> Spread {
        Spread::of(self.ratios(work, over))
    }

    /// The time of one work over that of another, in each round.
    pub(crate) fn ratios(&self, work: usize, over: usize) -> Vec<f64> {
        self.times[work].iter().zip(&self.times[over]).map(|(time, over)| time / over).collect()
    }
}

/// How a measured number varies over repeats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The middle one.
    pub(crate) median: f64,
    /// The first quartile, which half of the outliers do not move.
    pub(crate) low: f64,
    /// The third quartile.
    pub(crate) high: f64,
    /// How many repeats there were.
    pub(crate) repeats: usize,
}

impl Spread {
    /// Of repeated measurements; NaN without any.
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = share * values.len().saturating_sub(1) as f64;
            values.get(place.round() as usize).copied().unwrap_or(f64::NAN)
        };
        Self { median: at(0.5), low: at(0.25), high: at(0.75), repeats: values.len() }
    }

    /// Of a mean over cases, taken round by round: one slow moment makes one round slow, not one case.
    pub(crate) fn of_means(
        cases: &[Vec<f64>],
        mean: fn(&mut dyn Iterator<Item = f64>) -> f64,
    ) -> Self {
        let rounds = cases.iter().map(Vec::len).min().unwrap_or_default();
        Self::of((0..rounds).map(|k| mean(&mut cases.iter().map(|case| case[k]))).collect())
    }

    /// One over it.
    pub(crate) fn inverse(&self) -> Self {
        let Self { median, low, high, repeats } = *self;
        Self { median: 1.0 / median, low: 1.0 / high, high: 1.0 / low, repeats }
    }

    /// True if the number is below a limit by more than its spread.
    pub(crate) fn is_below(&self, limit: f64) -> bool {
        self.high < limit
    }

    /// True if the number is above a limit by more than its spread.
    pub(crate) fn is_above(&self, limit: f64) -> bool {
        self.low > limit
    }

    /// Of a time over another: true if it is less by more than the spread and the margin.
    pub(crate) fn is_faster(&self) -> bool {
        self.is_below(1.0 - MARGIN)
    }

    /// Of a time over another: true if it is more by more than the spread and the margin.
    pub(crate) fn is_slower(&self) -> bool {
        self.is_above(1.0 + MARGIN)
    }

    /// True if the number is within a factor of another one by more than its spread.
    pub(crate) fn is_within_factor(&self, factor: f64, of: f64) -> bool {
        of / factor <= self.low && self.high <= of * factor
    }
}

impl fmt::Display for Spread {
    /// The median and, in brackets, the middle half.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { median, low, high, .. } = self;
        let digits = if *median < 10.0 { 2 } else { 1 };
        write!(f, "{median:.digits$} [{low:.digits$}, {high:.digits$}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Size;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_gain_within_the_margin_or_the_spread_is_none() {
        let spread = |values: [f64; 5]| Spread::of(values.into());
        assert!(spread([0.8, 0.81, 0.82, 0.85, 0.9]).is_faster());
        assert!(!spread([0.91, 0.92, 0.93, 0.94, 0.95]).is_faster(), "within the margin");
        assert!(!spread([0.6, 0.7, 0.8, 0.95, 0.96]).is_faster(), "the third quartile is above it");
        assert!(spread([1.05, 1.12, 1.2, 1.3, 1.4]).is_slower());
        assert!(!spread([1.0, 1.09, 1.2, 1.3, 1.4]).is_slower());
        assert!(!Spread::of(Vec::new()).is_faster() && !Spread::of(Vec::new()).is_slower());
    }

    #[test]
    fn means_are_taken_round_by_round() {
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / 2.0;
        let cases = [vec![1.0, 2.0, 30.0], vec![3.0, 4.0, 50.0, 7.0]];
        let spread = Spread::of_means(&cases, mean);
        assert_eq!((spread.median, spread.repeats), (3.0, 3));
    }

    #[test]
    fn all_take_turns_and_the_fastest_counts() {
        let order = std::cell::RefCell::new(Vec::new());
        let mut slow = || {
            order.borrow_mut().push('a');
            let begin = std::time::Instant::now();
            while begin.elapsed().as_millis() < 2 {}
        };
        let mut quick = || order.borrow_mut().push('b');
        let times = fastest(3, &mut [&mut slow, &mut quick]);
        assert!(times[1] < times[0], "{times:?}");
        assert_eq!(order.borrow().iter().collect::<String>(), "ababab");
    }

    #[test]
    fn ratios_are_those_of_rounds_and_one_slow_round_moves_nothing() {
        let mut rounds = Rounds { times: vec![vec![10.0; 5], vec![20.0, 21.0, 20.0, 19.0, 500.0]] };
        let spread = Spread::of(rounds.ratios(1, 0));
        assert_eq!((spread.low, spread.median, spread.high, spread.repeats), (2.0, 2.0, 2.1, 5));
        assert_eq!(spread.to_string(), "2.00 [2.00, 2.10]");
        assert!(spread.is_below(2.2) && !spread.is_below(2.05));
        assert!(spread.is_within_factor(1.5, 1.5) && !spread.is_within_factor(1.3, 1.5));
        rounds.add(&rounds.clone());
        assert_eq!(rounds.least(), [20.0, 38.0]);
        let mut empty = Rounds::default();
        empty.add(&rounds);
        assert_eq!(empty.least(), rounds.least());
        assert!(Spread::of(Vec::new()).median.is_nan());
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
        assert_eq!(repeated_watched(2, &mut works, &session, "").unwrap().least().len(), 2);
        order.borrow_mut().clear();
        stop.store(false, Ordering::Relaxed);
        let ended = repeated_watched(3, &mut works, &session, "");
        assert_eq!(ended.unwrap_err(), LabError::Interrupted);
        assert_eq!(order.borrow().as_str(), "abab");
    }
}
