//! `impinge inspect --tune`: which hierarchy would serve the largest parts best.

use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge::mesh::ScaledPose;
use impinge::tune::{self, Calibration, Question, Triangles, TuneOptions};
use impinge_clash::{Model, ModelPart};
use impinge_io::printable;
use std::io::{self, Write};
use std::time::Duration;

/// How many parts are looked at: the largest, each shape once.
const PARTS: usize = 3;
/// Places of the other part: from where it is to where the two are apart.
const PLACES: usize = 16;
/// How long candidates are tried for a part.
const PATIENCE: Duration = Duration::from_secs(2);

/// A line for each of the largest parts: what `impinge::tune` would choose, and why.
pub(super) fn write(model: &Model, output: &mut impl Write) -> io::Result<()> {
    let meshes = largest(model);
    if meshes.is_empty() {
        return Ok(());
    }
    let calibration = Calibration::measure();
    let options = TuneOptions { budget: Some(PATIENCE), ..TuneOptions::default() };
    for part in meshes {
        let other = neighbour(model, part);
        let (own, its) = (corners(part), corners(other));
        let body = Triangles { vertices: &own, triangles: part.instance.mesh().triangles() };
        let same = std::ptr::eq(part.instance.mesh().as_ref(), other.instance.mesh().as_ref());
        let beside = Triangles { vertices: &its, triangles: other.instance.mesh().triangles() };
        let places = places(part, other);
        let beside = if same { body } else { beside };
        let question = Question::Overlap(&places);
        match tune::choose(body, beside, &question, &calibration, &options) {
            Ok(choice) => {
                let against =
                    if std::ptr::eq(part, other) { "a copy of it" } else { other.path.as_str() };
                let (path, reason) = (&part.path, choice.reason());
                let (path, against) = (printable(path), printable(against));
                writeln!(output, "  tune       {path} against {against}: {reason}")?;
            }
            Err(error) => writeln!(output, "  tune       {}: {error}", printable(&part.path))?,
        }
    }
    Ok(())
}

/// The parts with the most triangles, each shape once.
fn largest(model: &Model) -> Vec<&ModelPart> {
    let mut parts: Vec<&ModelPart> =
        model.parts.iter().filter(|part| part.primitive.is_none()).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.instance.mesh().triangles().len()));
    let mut kept: Vec<&ModelPart> = Vec::new();
    for part in parts {
        let mesh = part.instance.mesh();
        if !kept.iter().any(|one| std::sync::Arc::ptr_eq(one.instance.mesh(), mesh)) {
            kept.push(part);
        }
        if kept.len() == PARTS {
            break;
        }
    }
    kept
}

/// The largest part whose box meets that of this one: what it is mostly asked against. Itself, if there is none.
fn neighbour<'m>(model: &'m Model, part: &'m ModelPart) -> &'m ModelPart {
    let DAabb { low, high } = part.bounds;
    let meets = |other: &&ModelPart| {
        !std::ptr::eq(*other, part)
            && other.primitive.is_none()
            && other.bounds.low.cmple(high).all()
            && other.bounds.high.cmpge(low).all()
    };
    let largest = model.parts.iter().filter(meets);
    largest.max_by_key(|other| other.instance.mesh().triangles().len()).unwrap_or(part)
}

fn corners(part: &ModelPart) -> Vec<[f64; 3]> {
    part.instance.mesh().vertices().iter().map(DVec3::to_array).collect()
}

/// From where the other part is, along the axis on which the two are apart soonest.
fn places(part: &ModelPart, other: &ModelPart) -> Vec<ScaledPose> {
    let relative = part.instance.relative(&other.instance);
    let (up, down) = (part.bounds.high - other.bounds.low, other.bounds.high - part.bounds.low);
    let ways = DVec3::AXES.iter().zip(up.to_array()).map(|(&axis, way)| axis * way);
    let ways = ways.chain(DVec3::AXES.iter().zip(down.to_array()).map(|(&axis, way)| axis * -way));
    let shortest = ways.min_by(|x, y| x.length_squared().total_cmp(&y.length_squared()));
    let way = shortest.unwrap_or(DVec3::X) / part.instance.scale();
    let way = part.instance.pose().inverse_rotate(way);
    tune::sampled(PLACES, |t| {
        let translation = (relative.pose.translation() + way * t).to_array();
        let pose = relative.pose.with_translation(translation).unwrap_or(relative.pose);
        ScaledPose { pose, scale: relative.scale }
    })
}
