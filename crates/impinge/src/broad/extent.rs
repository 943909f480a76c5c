//! A box in f32.

use impinge_geom::glam::DVec3;
use impinge_geom::number::outward::{round_down, round_up};
use std::fmt;

/// A box along the axes, from `low` to `high`. No coordinate is NaN, and `low` is nowhere above `high`; infinite boxes are fine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    low: [f32; 3],
    high: [f32; 3],
}

/// Why a box was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BroadError {
    /// A coordinate is NaN.
    NotANumber,
    /// The low corner is above the high one on this axis.
    TurnedRound {
        /// 0, 1 or 2.
        axis: usize,
    },
}

impl fmt::Display for BroadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => {
                write!(formatter, "a coordinate of the box is not a number; give finite corners")
            }
            Self::TurnedRound { axis } => {
                write!(
                    formatter,
                    "the low corner is above the high corner on axis {axis}; exchange them"
                )
            }
        }
    }
}

impl std::error::Error for BroadError {}

impl Extent {
    /// The box without an end.
    pub const EVERYTHING: Self = Self { low: [f32::NEG_INFINITY; 3], high: [f32::INFINITY; 3] };

    /// A box between two corners.
    ///
    /// ```
    /// use impinge::broad::Extent;
    /// assert!(Extent::new([0.0; 3], [1.0; 3]).is_ok());
    /// assert!(Extent::new([0.0; 3], [1.0, -1.0, 1.0]).is_err());
    /// ```
    pub fn new(low: [f32; 3], high: [f32; 3]) -> Result<Self, BroadError> {
        for axis in 0..3 {
            if low[axis].is_nan() || high[axis].is_nan() {
                return Err(BroadError::NotANumber);
            }
            if low[axis] > high[axis] {
                return Err(BroadError::TurnedRound { axis });
            }
        }
        Ok(Self { low, high })
    }

    /// The least box in f32 around one in f64, as seen from `origin`.
    ///
    /// ```
    /// use impinge::broad::Extent;
    /// let far = Extent::outward([1e7, 0.0, 0.0].into(), [1e7 + 0.1, 1.0, 1.0].into(), [1e7, 0.0, 0.0].into())?;
    /// assert!(far.high()[0] >= 0.1 && far.high()[0] < 0.11);
    /// # Ok::<(), impinge::broad::BroadError>(())
    /// ```
    pub fn outward(low: DVec3, high: DVec3, origin: DVec3) -> Result<Self, BroadError> {
        let below = (low - origin).to_array().map(|x| round_down(x.next_down()));
        let above = (high - origin).to_array().map(|x| round_up(x.next_up()));
        Self::new(below, above)
    }

    /// The smallest coordinates.
    pub fn low(&self) -> [f32; 3] {
        self.low
    }

    /// The largest coordinates.
    pub fn high(&self) -> [f32; 3] {
        self.high
    }

    /// True if the boxes have a point in common.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}
