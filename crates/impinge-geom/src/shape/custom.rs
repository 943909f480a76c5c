use crate::number::error::{GeometryError, check_number, check_point, check_size};
use crate::support::{Support, SupportPoint};
use glam::DVec3;
use std::fmt;
use std::sync::Arc;

/// A user-defined convex shape, given by its support function.
#[derive(Clone)]
pub struct Custom {
    support: Arc<dyn Support + Send + Sync>,
    center: DVec3,
    radius: f64,
}

impl Custom {
    /// Checks the centre, the radius and the support points along the axes.
    pub fn new(support: Arc<dyn Support + Send + Sync>) -> Result<Self, GeometryError> {
        let center = check_point(support.center().to_array(), "center()", None)?;
        let radius = check_size(support.radius(), "radius()")?;
        for (index, axis) in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]).enumerate() {
            for value in support.support(axis).point.to_array() {
                check_number(value, "support(axis)", Some(index))?;
            }
        }
        Ok(Self { support, center, radius })
    }
    /// The support function that this shape shares.
    pub(crate) fn shared(&self) -> Arc<dyn Support + Send + Sync> {
        self.support.clone()
    }
    /// The radius of a ball around the origin that contains the shape.
    pub fn bounding_radius(&self) -> f64 {
        crate::number::error::safe_length(self.center) + self.radius
    }
}

impl Support for Custom {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let answer = self.support.support(direction);
        // A support function that breaks its promise must not spread NaN through the algorithms.
        if answer.point.is_finite() {
            answer
        } else {
            SupportPoint { point: self.center, ..answer }
        }
    }
    fn center(&self) -> DVec3 {
        self.center
    }
    fn radius(&self) -> f64 {
        self.radius
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Custom")
            .field("center", &self.center)
            .field("radius", &self.radius)
            .finish()
    }
}
