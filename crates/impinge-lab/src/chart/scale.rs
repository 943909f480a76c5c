//! Axes that are linear or logarithmic, as far as the values go.

use super::{Axis, short};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// A linear or logarithmic range, chosen at run time.
pub(super) enum Scale {
    Linear(RangedCoordf64),
    Logarithmic(LogCoord<f64>),
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        match self {
            Self::Linear(range) => range.map(value, limit),
            Self::Logarithmic(range) => range.map(value, limit),
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match self {
            Self::Linear(range) => range.key_points(hint),
            Self::Logarithmic(range) => marks(&range.range()),
        }
    }

    fn range(&self) -> std::ops::Range<f64> {
        match self {
            Self::Linear(range) => range.range(),
            Self::Logarithmic(range) => range.range(),
        }
    }
}

/// Where a logarithmic axis has marks: at powers of ten if there are many of them, else at round numbers between, too.
fn marks(range: &std::ops::Range<f64>) -> Vec<f64> {
    let steps: &[f64] = match range.end / range.start {
        1e3.. => &[1.0],
        10.0.. => &[1.0, 2.0, 5.0],
        _ => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
    };
    let first = range.start.log10().floor() as i32;
    let last = range.end.log10().ceil() as i32;
    (first..=last)
        .flat_map(|power| steps.iter().map(move |step| step * 10.0_f64.powi(power)))
        .filter(|mark| (range.start..=range.end).contains(mark))
        .collect()
}

impl ValueFormatter<f64> for Scale {
    fn format(value: &f64) -> String {
        short(*value)
    }
}

/// The axis, as far as the values go.
pub(super) fn scale(axis: &Axis, values: impl Iterator<Item = f64>) -> Scale {
    let usable = values.filter(|x| x.is_finite() && (!axis.logarithmic || *x > 0.0));
    let found = usable.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)]);
    let [mut low, mut high] = axis.range.unwrap_or(found);
    if low > high {
        [low, high] = if axis.logarithmic { [1.0, 10.0] } else { [0.0, 1.0] };
    }
    if axis.logarithmic {
        if axis.range.is_none() {
            [low, high] = [low * 0.8, high * 1.25];
        }
        Scale::Logarithmic((low..high).log_scale().into())
    } else {
        let room = if high > low { 0.05 * (high - low) } else { 0.5 * high.abs().max(1.0) };
        if axis.range.is_none() {
            // Quantities begin at zero.
            low = if low >= 0.0 { 0.0 } else { low - room };
            high += room;
        }
        Scale::Linear((low..high).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_axes_have_some_marks_and_not_too_many() {
        assert_eq!(marks(&(0.9..1500.0)), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(marks(&(3.0..60.0)), [5.0, 10.0, 20.0, 50.0]);
        assert_eq!(marks(&(210.0..480.0)), [300.0, 400.0]);
    }
}
