//! What is known of two parts.

use crate::query::PairDistance;
use impinge_geom::{Certainty, Verdict};

/// What is known of two parts that meet or are within their margin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) verdict: Verdict,
    pub(crate) certainty: Certainty,
    pub(crate) distance: Option<PairDistance>,
}
