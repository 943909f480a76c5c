//! Findings in plain words.

use crate::duplicate::Copies;
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
    let shown = |x: f64| model.length(x);
    let sentence = match (finding.kind, verdict) {
        (Kind::Contained, Verdict::Contained(Inside::A)) => {
            format!("\"{a}\" is fully enclosed by \"{b}\".")
        }
        (Kind::Contained, _) => {
            format!("\"{b}\" is fully enclosed by \"{a}\".")
        }
        (Kind::Clearance, _) => {
            let gap = finding.distance.map_or(0.0, |distance| distance.value);
            let factor = model.unit.in_unit(model.display_unit);
            let [gap, clearance] = told_apart([gap * factor, clearance * factor]);
            let unit = model.display_unit;
            format!(
                "Clearance between \"{a}\" and \"{b}\" is {gap} {unit}; {clearance} {unit} required."
            )
        }
        (Kind::Touching, Verdict::Touching) => format!("\"{a}\" and \"{b}\" touch."),
        (Kind::Touching, Verdict::Separated) => {
            let gap = finding.distance.map_or(0.0, |distance| distance.value);
            format!("\"{a}\" and \"{b}\" touch: the gap of {} is rounding error.", shown(gap))
        }
        (Kind::Touching, _) => {
            format!("\"{a}\" and \"{b}\" overlap within the tolerance of {}.", shown(tolerance))
        }
        _ => {
            let depth = finding.penetration.map(|depth| format!(" by {}", shown(depth.value)));
            // A way that is shorter than the depth separates open surfaces, but not the space that they enclose.
            let deep = finding.penetration.map_or(0.0, |depth| depth.value);
            let way =
                finding.separation.filter(|way| way.value >= deep * (1.0 - 1e-9)).map(|way| {
                    let (length, way) = (shown(way.value), direction(way.direction));
                    format!(" Moving \"{b}\" {length} along {way} separates them.")
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

/// A direction with two digits; an axis by its name, such as -z.
fn direction(way: DVec3) -> String {
    // Zero is added, so that there is no -0.00.
    let way = (way * 100.0).round() / 100.0 + DVec3::ZERO;
    let axes = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];
    match axes.into_iter().find(|(_, axis)| way.abs() == *axis) {
        Some((name, axis)) => format!("{}{name}", if way == axis { "+" } else { "-" }),
        None => format!("({:.2}, {:.2}, {:.2})", way.x, way.y, way.z),
    }
}

/// Why a curve is an estimate, and a volume more of one than others.
const STAND_INS: &str = "Curve and volume are estimated from the tessellation.";

/// Copies that are named in a sentence; the finding lists all of them.
const MOST_NAMED: usize = 12;

/// What is wrong with parts that coincide.
pub(crate) fn duplicate(model: &Model, copies: &Copies) -> String {
    let (named, rest) = copies.parts.split_at(copies.parts.len().min(MOST_NAMED));
    let mut names: Vec<String> =
        named.iter().map(|&k| format!("\"{}\"", model.parts[k].path)).collect();
    if !rest.is_empty() {
        names.push(format!("{} more", rest.len()));
    }
    let (last, first) = match names.split_last() {
        Some((last, first)) => (last.clone(), first.join(", ")),
        None => return String::new(),
    };
    let how = if copies.apart == 0.0 {
        "are identical and in the same place".to_string()
    } else {
        let [apart, within] = [copies.apart, copies.within].map(|x| model.length(x));
        format!("coincide: no vertex is more than {apart} away (duplicates are within {within})")
    };
    format!("{first} and {last} {how}. Remove all but one.")
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

/// Two lengths that differ, with as many digits as it takes to see that.
fn told_apart(lengths: [f64; 2]) -> [String; 2] {
    let shown = lengths.map(length);
    if shown[0] != shown[1] || lengths[0] == lengths[1] {
        return shown;
    }
    let digits = |places: usize| lengths.map(|x| format!("{x:.places$}"));
    (4..=15).map(digits).find(|[a, b]| a != b).unwrap_or(shown)
}

impl Model {
    /// A length for people, in the unit that they asked for.
    ///
    /// ```
    /// use impinge_clash::Model;
    /// use impinge_io::{SceneData, Unit};
    /// let mut model = Model::new(&SceneData::default());
    /// model.display_unit = Unit::Millimetre;
    /// assert_eq!(model.length(0.000_042_57), "0.04257 mm");
    /// ```
    pub fn length(&self, x: f64) -> String {
        format!("{} {}", length(x * self.unit.in_unit(self.display_unit)), self.display_unit)
    }
}

#[cfg(test)]
mod tests {
    use super::{direction, length, told_apart};
    use impinge::geom::glam::DVec3;

    #[test]
    fn directions_along_an_axis_have_its_name() {
        let shown = [DVec3::Z, -DVec3::X, DVec3::new(1e-9, 1.0, -1e-9), DVec3::new(0.6, -0.8, 0.0)];
        assert_eq!(shown.map(direction), ["+z", "-x", "+y", "(0.60, -0.80, 0.00)"]);
    }

    #[test]
    fn a_gap_is_never_shown_as_what_is_required() {
        assert_eq!(told_apart([0.049_999_9, 0.05]), ["0.0499999", "0.0500000"]);
        assert_eq!(told_apart([0.2, 0.5]), ["0.2", "0.5"]);
        assert_eq!(told_apart([1.0, 1.0]), ["1", "1"]);
    }

    #[test]
    fn lengths_have_four_digits() {
        let shown = [0.05, 123_456.0, 0.2, 1.0 / 3.0, 12.345_678, 0.0, 1e-7].map(length);
        assert_eq!(shown, ["0.05", "123456", "0.2", "0.3333", "12.35", "0", "0.0000001"]);
    }
}
