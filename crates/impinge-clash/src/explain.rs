//! Findings in plain words.

use crate::finding::Finding;
use crate::model::Model;
use crate::plan::Kind;
use impinge::geom::glam::DVec3;
use impinge::geom::{Certainty, Inside, Verdict};

/// What is wrong with two parts. `lengths` are the test's tolerance and clearance.
pub(crate) fn pair(
    model: &Model,
    finding: &Finding,
    verdict: Verdict,
    [tolerance, clearance]: [f64; 2],
) -> String {
    let &[a, b] = finding.parts.as_slice() else { return String::new() };
    let (a, b) = (&model.parts[a].path, &model.parts[b].path);
    let unit = model.unit;
    let shown = |x: f64| format!("{} {unit}", length(x));
    let sentence = match (finding.kind, verdict) {
        (Kind::Contained, Verdict::Contained(Inside::A)) => {
            format!("\"{a}\" lies inside \"{b}\": from outside it cannot be seen.")
        }
        (Kind::Contained, _) => {
            format!("\"{b}\" lies inside \"{a}\": from outside it cannot be seen.")
        }
        (Kind::Clearance, _) => {
            let gap = finding.distance.map_or(0.0, |distance| distance.value);
            format!(
                "Between \"{a}\" and \"{b}\" {} are left, {} are asked.",
                shown(gap),
                shown(clearance)
            )
        }
        (Kind::Touching, Verdict::Touching) => format!("\"{a}\" and \"{b}\" touch."),
        (Kind::Touching, _) => format!(
            "\"{a}\" and \"{b}\" overlap by no more than the tolerance of {}.",
            shown(tolerance)
        ),
        _ => {
            let depth = finding.penetration.map(|depth| format!(" by {}", shown(depth.value)));
            let way = finding.separation.map(|way| {
                // Rounded first, and with zero added, so that there is no -0.00.
                let axis = (way.direction * 100.0).round() / 100.0 + DVec3::ZERO;
                format!(
                    " Moving \"{b}\" by {} along ({:.2}, {:.2}, {:.2}) separates them.",
                    shown(way.value),
                    axis.x,
                    axis.y,
                    axis.z
                )
            });
            let (depth, way) = (depth.unwrap_or_default(), way.unwrap_or_default());
            format!("\"{a}\" and \"{b}\" penetrate each other{depth}.{way}")
        }
    };
    let estimated = finding.curve_certainty == Certainty::Estimate;
    if estimated && (finding.volume.is_some() || !finding.curve.is_empty()) {
        return format!("{sentence} {STAND_INS}");
    }
    sentence
}

/// Why a curve is an estimate, and a volume more of one than others.
const STAND_INS: &str =
    "Its curve and volume are estimates, of the triangles that stand for what is round.";

/// What is wrong with parts that coincide.
pub(crate) fn duplicate(model: &Model, set: &[usize]) -> String {
    let names: Vec<String> = set.iter().map(|&k| format!("\"{}\"", model.parts[k].path)).collect();
    let (last, first) = match names.split_last() {
        Some((last, first)) => (last.clone(), first.join(", ")),
        None => return String::new(),
    };
    format!("{first} and {last} are the same body in the same place: one of them is enough.")
}

/// A length with four digits.
///
/// ```
/// assert_eq!(impinge_clash::report::length(12.345_678), "12.35");
/// ```
pub fn length(x: f64) -> String {
    if x == 0.0 {
        return "0".to_string();
    }
    let digits = (3 - x.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_have_four_digits() {
        let shown = [0.05, 123_456.0, 0.2, 1.0 / 3.0, 12.345_678, 0.0, 1e-7].map(length);
        assert_eq!(shown, ["0.05", "123456", "0.2", "0.3333", "12.35", "0", "0.0000001"]);
    }
}
