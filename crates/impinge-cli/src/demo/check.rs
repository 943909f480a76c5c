//! Every pair of parts, judged against what the designer meant.

use super::assembly::{CLEARANCE, Design, Part, design};
use impinge::geom::{Method, Verdict, glam::DVec3, pair};

/// What is to be said about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Remark {
    /// Two parts are in each other's way.
    Clash,
    /// Two parts that should meet do not.
    Loose,
    /// Closer than the clearance.
    Close,
    /// They meet as they are meant to.
    AsDesigned,
    /// Far enough apart.
    Clear,
}

/// A pair and what was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) names: [&'static str; 2],
    pub(crate) verdict: Verdict,
    /// Signed, in millimetres; none where no translation parts the two.
    pub(crate) distance: Option<f64>,
    pub(crate) method: Option<Method>,
    /// Half-way between the two points, in the world.
    pub(crate) place: Option<DVec3>,
    /// The direction, in the world, in which the second part leaves the first soonest.
    pub(crate) way_out: Option<DVec3>,
    pub(crate) remark: Remark,
}

/// Checks every pair, each from a cold start.
pub(crate) fn check(parts: &[Part]) -> Vec<Found> {
    let mut found = Vec::with_capacity(parts.len() * parts.len().saturating_sub(1) / 2);
    for (index, b) in parts.iter().enumerate() {
        for a in &parts[..index] {
            found.push(check_pair(a, b));
        }
    }
    found
}

fn check_pair(a: &Part, b: &Part) -> Found {
    let b_in_a = a.pose.relative(&b.pose);
    let mut cache = pair::Cache::default();
    let verdict = pair::verdict(&a.shape, &b.shape, &b_in_a, &mut cache);
    let distance = pair::signed_distance(&a.shape, &b.shape, &b_in_a, &mut cache);
    let value = distance.map(|d| d.distance);
    Found {
        names: [a.name, b.name],
        verdict,
        distance: value,
        method: distance.map(|d| d.method),
        place: distance.map(|d| a.pose.map((d.points[0] + d.points[1]) / 2.0)),
        way_out: distance.map(|d| a.pose.turn(d.normal)),
        remark: remark(design(a.name, b.name), verdict, value),
    }
}

/// Compares what is with what is meant.
fn remark(design: Option<Design>, verdict: Verdict, distance: Option<f64>) -> Remark {
    match (design, verdict) {
        (Some(Design::Rests), Verdict::Touching)
        | (Some(Design::Joint), Verdict::Penetrating | Verdict::Contained(_))
        | (Some(Design::Holds), Verdict::Contained(_)) => Remark::AsDesigned,
        (Some(Design::Joint), Verdict::Touching) => Remark::AsDesigned,
        (Some(_), Verdict::Separated) => Remark::Loose,
        (None, Verdict::Separated) if distance.is_some_and(|d| d < CLEARANCE) => Remark::Close,
        (None, Verdict::Separated) => Remark::Clear,
        _ => Remark::Clash,
    }
}
