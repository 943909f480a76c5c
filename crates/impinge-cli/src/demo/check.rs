//! Every pair of parts, judged against what the designer meant.

use super::assembly::{Assembly, CLEARANCE, Design, PLAY, Part};
use crate::body::{Form, Memory, Pair};
use impinge::geom::{Method, Verdict, glam::DVec3};

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
    /// In millimetres, between shapes signed; none where no translation parts the two.
    pub(crate) distance: Option<f64>,
    pub(crate) method: Option<Method>,
    /// Half-way between the two points, in the world.
    pub(crate) place: Option<DVec3>,
    /// The direction, in the world, in which the second part leaves the first soonest.
    pub(crate) way_out: Option<DVec3>,
    /// Of two meshes that clash: how many pairs of triangles meet.
    pub(crate) triangles: Option<usize>,
    pub(crate) remark: Remark,
}

/// Checks every pair, each from a cold start.
pub(crate) fn check(assembly: &Assembly) -> Result<Vec<Found>, String> {
    let (parts, mut memory) = (&assembly.parts, Memory::default());
    let mut found = Vec::with_capacity(parts.len() * parts.len().saturating_sub(1) / 2);
    for (index, b) in parts.iter().enumerate() {
        for a in &parts[..index] {
            found.push(check_pair(assembly, a, b, &mut memory)?);
        }
    }
    Ok(found)
}

fn check_pair(
    assembly: &Assembly,
    a: &Part,
    b: &Part,
    memory: &mut Memory,
) -> Result<Found, String> {
    let pair = Pair::new(&a.body, &b.body)?;
    let stand = pair.stand(memory);
    let distance = pair.distance(stand, memory);
    let verdict = stand.verdict;
    let value = distance.as_ref().map(|d| d.distance);
    let remark = remark(assembly.design(a.name, b.name), verdict, value);
    let meshes = matches!((&a.body.form, &b.body.form), (Form::Mesh(..), Form::Mesh(..)));
    Ok(Found {
        names: [a.name, b.name],
        verdict,
        distance: value,
        method: distance.as_ref().map(|d| d.method),
        place: distance.as_ref().and_then(|d| d.points).map(|[p, q]| (p + q) / 2.0),
        way_out: distance.and_then(|d| d.way_out),
        triangles: (meshes && remark == Remark::Clash).then(|| pair.triangles(memory).len()),
        remark,
    })
}

/// Compares what is with what is meant.
fn remark(design: Option<Design>, verdict: Verdict, distance: Option<f64>) -> Remark {
    match (design, verdict) {
        (Some(Design::Rests), Verdict::Touching)
        | (Some(Design::Joint), Verdict::Penetrating | Verdict::Contained(_))
        | (Some(Design::Holds), Verdict::Contained(_)) => Remark::AsDesigned,
        (Some(Design::Joint), Verdict::Touching) => Remark::AsDesigned,
        (Some(Design::Runs), Verdict::Separated) if distance.is_some_and(|d| d >= PLAY) => {
            Remark::AsDesigned
        }
        (Some(Design::Runs), Verdict::Separated) => Remark::Close,
        (Some(_), Verdict::Separated) => Remark::Loose,
        (None, Verdict::Separated) if distance.is_some_and(|d| d < CLEARANCE) => Remark::Close,
        (None, Verdict::Separated) => Remark::Clear,
        _ => Remark::Clash,
    }
}
