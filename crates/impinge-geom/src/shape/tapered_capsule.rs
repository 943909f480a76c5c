use crate::number::error::{GeometryError, check_size};

/// The hull of two balls on the z axis. Where one ball contains the other it is simply the larger ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaperedCapsule {
    bottom: f64,
    top: f64,
    half_height: f64,
}

impl TaperedCapsule {
    /// Balls of the `bottom` radius at `-half_height` and of the `top` radius at `half_height`.
    pub fn new(bottom: f64, top: f64, half_height: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            bottom: check_size(bottom, "bottom radius")?,
            top: check_size(top, "top radius")?,
            half_height: check_size(half_height, "half_height")?,
        })
    }
    /// The radius at `-half_height`.
    pub fn bottom(&self) -> f64 {
        self.bottom
    }
    /// The radius at `half_height`.
    pub fn top(&self) -> f64 {
        self.top
    }
    /// Half the distance between the centres.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }
    /// The height and the radius of the ball that holds the other one, if it does.
    pub(crate) fn ball(&self) -> Option<(f64, f64)> {
        let length = 2.0 * self.half_height;
        if self.bottom - self.top >= length {
            Some((-self.half_height, self.bottom))
        } else if self.top - self.bottom >= length {
            Some((self.half_height, self.top))
        } else {
            None
        }
    }
}
