//! Every tolerance that decides what a check finds, other than those that a plan gives; with unit and effect. Those of verdicts and distances are the kernel's.

/// Parts are duplicates if their vertices differ by at most this times the largest coordinate of the model, whatever the tolerance of the test. Dimensionless;
/// copies may have gone through f32, which keeps a coordinate to about half of it. Widening it takes parts that are a little apart for duplicates.
pub(crate) const SAME_PLACE: f64 = 1e-7;

/// Local penetrations are certified to one part in a hundred, or to this length if that is more. In metres; an overlap that is less than this above a tolerance
/// may count as above it or not.
pub(crate) const MICROMETRE: f64 = 1e-6;

/// An approved finding is open again once its overlap is deeper, or its gap narrower, by more than this share of what was approved, and by more than
/// [`Model::noise`](crate::Model::noise). Dimensionless; widening it lets approved findings grow further before they are reopened.
pub(crate) const APPROVAL_MARGIN: f64 = 0.1;

/// Depths along a motion that differ by no more than this share are the same, and the earliest moment counts: a block that slides into a wall and ends inside of it is
/// reported as it enters. Dimensionless; widening it may report a depth that is smaller by that much.
pub(crate) const SAME_DEPTH: f64 = 1e-9;
