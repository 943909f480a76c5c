//! When contact begins and when it ends.

/// First and last time of contact within [0, 1], both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// When contact begins; 0 if it is there from the start.
    pub first: f64,
    /// When contact ends; 1 if it is there at the end.
    pub last: f64,
}

impl Times {
    /// All of [0, 1].
    pub(super) const ALWAYS: Self = Self { first: 0.0, last: 1.0 };

    /// The part of the interval within [0, 1]; none if there is none.
    pub(super) fn clipped(from: f64, to: f64) -> Option<Self> {
        let (first, last) = (from.max(0.0), to.min(1.0));
        (first <= last).then_some(Self { first, last })
    }

    /// The times of a first contact forwards and of one backwards in time.
    pub(super) fn both_ways(forwards: f64, backwards: f64) -> Self {
        Self { first: forwards, last: (1.0 - backwards).max(forwards) }
    }
}
