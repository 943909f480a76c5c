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
            Self::Logarithmic(range) => range.key_points(hint),
        }
    }

    fn range(&self) -> std::ops::Range<f64> {
        match self {
            Self::Linear(range) => range.range(),
            Self::Logarithmic(range) => range.range(),
        }
    }
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
