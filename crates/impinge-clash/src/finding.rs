//! Findings.

use crate::measure::{Penetration, Separation};
use crate::motion::Encounter;
use crate::plan::Kind;
use crate::status::{Change, Remark, Status};
use impinge::geom::Certainty;
use impinge::geom::glam::DVec3;

/// One fault to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Stays the same from run to run, for the same test and parts.
    pub id: String,
    /// The name of the test.
    pub test: String,
    /// The names of other tests that found it too.
    pub also: Vec<String>,
    /// What is wrong.
    pub kind: Kind,
    /// The parts, by index in the model and ascending: two, or all that coincide.
    pub parts: Vec<usize>,
    /// How far apart they are; of an overlap, minus the measure that decided: the local penetration, or the separation where nothing is enclosed. None where
    /// only the verdict was asked.
    pub distance: Option<Measured>,
    /// Of an overlap, how deep the common points lie; none where nothing is enclosed, and then no tolerance hides it.
    pub penetration: Option<Penetration>,
    /// Of an overlap, how far one part must go to be free.
    pub separation: Option<Separation>,
    /// The points of both parts between which that was measured, in the scene.
    pub points: Option<[DVec3; 2]>,
    /// The triangles on which these points are; none where a part is a box, cylinder or ball.
    pub triangles: Option<[u32; 2]>,
    /// Where the surfaces cross: segments, in the scene.
    pub curve: Vec<[DVec3; 2]>,
    /// True if the curve has more segments than were kept.
    pub curve_is_cut_short: bool,
    /// An estimate where one part is round, a cylinder or a ball: the curve is then that of its tessellation.
    pub curve_certainty: Certainty,
    /// An estimate of the overlap volume, where both are closed.
    pub volume: Option<f64>,
    /// False where an open mesh is reported inside a closed one: only one vertex is tested, and it may have other pieces. Also where the
    /// relation of a self-intersecting mesh and a box, cylinder or ball could not be decided.
    pub certain: bool,
    /// How the parts fare on their way, if they move.
    pub motion: Option<Encounter>,
    /// In plain words.
    pub explanation: String,
    /// Its group, if findings are grouped.
    pub group: Option<String>,
    /// What people decided about it.
    pub status: Status,
    /// Who is to look after it.
    pub assignee: Option<String>,
    /// The distance that was approved, if the finding was approved and got worse since: it is open again.
    pub reopened: Option<f64>,
    /// What people wrote about it.
    pub comment: String,
    /// What people wrote about it in other tools.
    pub remarks: Vec<Remark>,
    /// When it was found first, as `xs:dateTime` has it, if that is remembered.
    pub found: Option<String>,
    /// Whether the last run had it already.
    pub change: Change,
}

/// A length and how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// In the unit of the model; a gap is positive, a depth negative.
    pub value: f64,
    /// Exact up to rounding, a bound, or an estimate.
    pub certainty: Certainty,
}

impl Finding {
    /// The middle of its points, to look at; None if only the verdict was asked.
    pub fn place(&self) -> Option<DVec3> {
        self.points.map(|[a, b]| 0.5 * a + 0.5 * b)
    }

    /// What the tolerances of rules are compared with: no common point lies deeper. That is the end of the interval of the local penetration, or the way that
    /// frees the parts if that is shorter; infinite where neither is certified, so that an estimate hides nothing. None if no depth was asked.
    pub fn depth(&self) -> Option<f64> {
        match (&self.penetration, &self.separation) {
            (Some(penetration), Some(way)) => Some(penetration.upper.min(way.value)),
            (Some(penetration), None) => Some(penetration.upper),
            (None, Some(_)) => Some(f64::INFINITY),
            (None, None) => None,
        }
    }
}
