//! What is told about two parts on their way.

use impinge::geom::Certainty;

pub use impinge::query::Start;

/// A point of the motion: a time in seconds, or the positions of one or two joints, in radians or metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// The time or the position of the first joint; and that of the second, or zero.
    pub values: [f64; 2],
}

/// How two parts fare on their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// How they begin.
    pub start: Start,
    /// The first contact after that; none if they stay apart.
    pub meeting: Option<Meeting>,
    /// The least gap on the way, of parts that stay apart and come nearer than is required.
    pub least: Option<Least>,
    /// The deepest overlap that was seen behind the first contact.
    pub deepest: Option<Deepest>,
    /// Over two joints: how much of the range is free for certain.
    pub shares: Option<Shares>,
    /// False if the work was used up before all of the way was certified.
    pub decided: bool,
    /// Where to look: the first contact, or the least gap.
    pub shown: Moment,
}

/// The first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The parts are apart before the first for certain; they have a common point at the second if the certainty is `Exact`. Over two joints
    /// these are on the straight way from where the range is nearest to where the model stands.
    pub interval: [Moment; 2],
    /// `Exact`: proven at both ends. `Bound`: free before the first; whether and when they meet behind it is not decided. `Estimate`: seen, by
    /// samples, among parts that touch from the beginning.
    pub certainty: Certainty,
}

/// The least gap on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least {
    /// The gap at the moment `at`.
    pub distance: f64,
    /// It is nowhere smaller than this.
    pub lower: f64,
    /// When.
    pub at: Moment,
}

/// The deepest overlap that samples behind the first contact saw: the true one is at least so deep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepest {
    /// How deep the common points lie.
    pub depth: f64,
    /// When.
    pub at: Moment,
}

/// How much of the ranges of two joints is what, by area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Free, or as far apart as is required, for certain.
    pub free: f64,
    /// In cells in the middle of which the parts meet, or are too near.
    pub meeting: f64,
    /// Neither: too near to be certified at this resolution.
    pub undecided: f64,
}

/// How many pairs of parts fared how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs that move relative to each other and are asked about.
    pub moving: usize,
    /// Of these, free on all of the way, and as far apart as is required, for certain.
    pub free: usize,
    /// In contact on the way, or nearer than is required.
    pub meeting: usize,
    /// In contact at the start already.
    pub at_start: usize,
    /// Not certified within the work that was allowed.
    pub undecided: usize,
}
