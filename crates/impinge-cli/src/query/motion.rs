//! Bodies in motion: how a line describes them, and when they meet.

use super::answer::{certainty_name, coordinates};
use super::fields::{self, Entries, Fields};
use super::request::{pose, refused};
use crate::body::Body;
use impinge::geom::Certainty;
use impinge::query::{self, ImpactSettings, Start, Workspace};
use impinge::{Motion, Pose, RigidMotion};
use serde::Serialize;
use serde_json::value::RawValue;

/// The kinds of motion.
const MOTIONS: &[&str] = &["linear", "to", "screw"];

/// When two bodies meet.
#[derive(Serialize)]
pub(crate) struct ImpactAnswer<'a> {
    pub(crate) id: Option<&'a RawValue>,
    hit: bool,
    t: Option<f64>,
    interval: Option<[f64; 2]>,
    start: &'static str,
    points: Option<[[f64; 3]; 2]>,
    normal: Option<[f64; 3]>,
    minimum: Minimum,
    /// There only where the interval is not proven at both ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
}

/// How close they come, and when.
#[derive(Serialize)]
struct Minimum {
    distance: f64,
    t: f64,
}

/// The motion at `path`, from a pose.
pub(crate) fn read(raw: &RawValue, path: &str, start: &Pose) -> Result<RigidMotion, String> {
    let entries = Entries::read(raw, path)?;
    let fields = Fields::sort(&entries, path, MOTIONS)?;
    let given: Vec<&str> =
        MOTIONS.iter().copied().filter(|name| fields.optional(name).is_some()).collect();
    let [kind] = given[..] else {
        let count = given.len();
        return Err(format!("{path} has {count} motions: give one of {}", fields::listed(MOTIONS)));
    };
    let (value, place) = (fields.required(kind)?, fields.place(kind));
    match kind {
        "linear" => {
            let way: [f64; 3] = fields::numbers(value, &place)?;
            refused(RigidMotion::linear(start, way), &place)
        }
        "to" => Ok(RigidMotion::between(start, &pose(value, &place)?)),
        _ => {
            let names = &["axis", "point", "angle", "advance"];
            let screw = Fields::read(value, &place, names)?;
            let (axis, point) = (screw.numbers::<3>("axis")?, screw.numbers::<3>("point")?);
            let (angle, advance) = (screw.number("angle")?, screw.number("advance")?);
            refused(RigidMotion::screw(start, axis, point, angle, advance), &place)
        }
    }
}

/// Asks when two bodies meet, and how close they come if they do not.
pub(crate) fn answer<'a>(
    id: Option<&'a RawValue>,
    a: &Body,
    b: &Body,
    workspace: &mut Workspace,
) -> ImpactAnswer<'a> {
    let motion = |body: &Body| body.motion.unwrap_or_else(|| RigidMotion::still(&body.pose));
    let (motion_a, motion_b) = (motion(a), motion(b));
    let motions: [&dyn Motion; 2] = [&motion_a, &motion_b];
    let settings = ImpactSettings::default();
    let found =
        query::impact_with(motions[0], &a.geometry, motions[1], &b.geometry, &settings, workspace);
    let start = match found.start {
        Start::Free => "free",
        Start::Leaving | Start::Approaching => "touching",
        Start::Overlapping => "overlapping",
    };
    let Some(first) = found.first else {
        let least = query::minimum_distance_with(
            motions[0],
            &a.geometry,
            motions[1],
            &b.geometry,
            workspace,
        );
        return ImpactAnswer {
            id,
            hit: false,
            t: None,
            interval: None,
            start,
            points: None,
            normal: None,
            minimum: Minimum { distance: least.closest.distance, t: least.t },
            method: (least.certainty != Certainty::Exact).then(|| certainty_name(least.certainty)),
        };
    };
    let proven = first.certainty == Certainty::Exact;
    let minimum = if proven {
        Minimum { distance: 0.0, t: first.interval[1] }
    } else {
        Minimum { distance: first.closest.distance, t: first.interval[0] }
    };
    ImpactAnswer {
        id,
        hit: true,
        t: Some(first.interval[0]),
        interval: Some(first.interval),
        start,
        points: Some(first.closest.points.map(coordinates)),
        normal: Some(coordinates(first.closest.normal)),
        minimum,
        method: (!proven).then(|| certainty_name(first.certainty)),
    }
}
