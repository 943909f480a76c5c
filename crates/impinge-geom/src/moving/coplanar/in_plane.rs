//! Points that are coplanar at all times: the signs of areas alone, in f64 with error bounds, followed in time from 0 on.
//!
//! Time is halved where a sign is not certain throughout, down to the promised early bit. Where the signs say "no" up to such an interval and "yes" from its
//! end on, contact begins in it, and its beginning is an answer. Degenerate features, and features that only graze each other, leave intervals about which
//! nothing can be said: those are for the exact stage.

use super::Feature;
use super::filter::{Meeting, Polynomials, meeting};

/// Intervals are halved this often at most: to 2^-31, half of [`EARLY`](crate::moving::EARLY).
const DEPTH: u32 = 31;

/// The number of intervals examined, and the largest number of parts left for the next stage.
const LOOKS: u32 = 160;
const PARTS: usize = 8;

/// What the signs say.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum InPlane {
    /// There is no contact.
    Never,
    /// The first contact is at this time or at most [`EARLY`](crate::moving::EARLY) later.
    At(f64),
    /// It can only be in these parts of [0, 1], in ascending order, or begin at one of their ends.
    Unknown(Vec<(f64, f64)>),
}

/// Parts of time that are joined where they meet.
struct Parts {
    list: [(f64, f64); PARTS],
    count: usize,
}

impl Parts {
    fn add(&mut self, l: f64, r: f64) {
        match self.list[..self.count].last_mut() {
            // Too many: what lies between is looked at, too.
            Some(last) if last.1 == l || self.count == PARTS => last.1 = r,
            _ => {
                self.list[self.count % PARTS] = (l, r);
                self.count += 1;
            }
        }
    }

    fn unknown(&self) -> InPlane {
        InPlane::Unknown(self.list[..self.count].to_vec())
    }
}

/// The first time of contact, or where to look for it.
pub(super) fn first_time(feature: Feature, polynomials: &Polynomials) -> InPlane {
    // The leftmost interval is on top; those beside the path down are at most one per level.
    let mut stack = [(0.0, 1.0, 0); DEPTH as usize + 2];
    let mut count = 1;
    let mut hidden = Parts { list: [(0.0, 0.0); PARTS], count: 0 };
    let mut looks = 0;
    while count > 0 {
        count -= 1;
        let (l, r, depth): (f64, f64, u32) = stack[count];
        looks += 1;
        if looks > LOOKS {
            hidden.add(l, 1.0);
            break;
        }
        match meeting(feature, polynomials, l, r) {
            Meeting::No => {}
            Meeting::Yes => {
                return match &hidden.list[..hidden.count] {
                    [] => InPlane::At(l),
                    [(from, to)] if *to == l && l - from <= crate::moving::EARLY => {
                        InPlane::At(*from)
                    }
                    _ => hidden.unknown(),
                };
            }
            Meeting::Unknown if depth == DEPTH => hidden.add(l, r),
            Meeting::Unknown => {
                let middle = 0.5 * (l + r);
                stack[count] = (middle, r, depth + 1);
                stack[count + 1] = (l, middle, depth + 1);
                count += 2;
            }
        }
    }
    if hidden.count == 0 { InPlane::Never } else { hidden.unknown() }
}
