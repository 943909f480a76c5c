//! Where a picture is taken from.

use impinge::geom::glam::DVec3;
use impinge_io::angle::sine_cosine;

/// A perspective camera in the coordinates and the unit of the model.
///
/// ```
/// use impinge::geom::glam::DVec3;
/// use impinge_clash::picture::Camera;
/// let camera = Camera::looking(DVec3::new(0.0, -5.0, 0.0), DVec3::ZERO, DVec3::Z, 45.0);
/// let [x, y, depth] = camera.project(DVec3::ZERO, 200, 100).unwrap_or_default();
/// assert_eq!([x, y, depth], [100.0, 50.0, 5.0]);
/// assert!(camera.project(DVec3::new(0.0, -6.0, 0.0), 200, 100).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub position: DVec3,
    /// Where it looks: a unit vector.
    pub direction: DVec3,
    /// What is up in the picture: a unit vector at a right angle to `direction`.
    pub up: DVec3,
    /// The whole angle from the bottom to the top of the picture, in degrees, between 1 and 179.
    pub field_of_view: f64,
}

impl Camera {
    /// A camera that looks at a target; `up` may lean. Where that leaves no direction, axes stand in for it.
    pub fn looking(position: DVec3, target: DVec3, up: DVec3, field_of_view: f64) -> Self {
        let direction = (target - position).try_normalize().unwrap_or(DVec3::Y);
        let level = |up: DVec3| (up - direction * up.dot(direction)).try_normalize();
        // One of three axes is never along the direction.
        let up = [up, DVec3::Z, DVec3::Y, DVec3::X].into_iter().find_map(level);
        let up = up.unwrap_or(DVec3::Z);
        let field_of_view =
            if field_of_view.is_nan() { 45.0 } else { field_of_view.clamp(1.0, 179.0) };
        Self { position, direction, up, field_of_view }
    }

    /// To the right in the picture.
    pub fn right(&self) -> DVec3 {
        self.direction.cross(self.up)
    }

    /// The pixel of a point, from the upper left corner and not rounded, and its depth along `direction`; None behind the camera.
    pub fn project(&self, point: DVec3, width: u32, height: u32) -> Option<[f64; 3]> {
        let [x, y, depth] = self.seen(point);
        if depth.is_nan() || depth <= 0.0 {
            return None;
        }
        let focal = self.focal(height);
        let [x, y] = [x, -y].map(|value| value / depth * focal);
        Some([0.5 * f64::from(width) + x, 0.5 * f64::from(height) + y, depth])
    }

    /// A point as the camera has it: to the right, up, and away from it.
    pub(super) fn seen(&self, point: DVec3) -> [f64; 3] {
        let arm = point - self.position;
        [arm.dot(self.right()), arm.dot(self.up), arm.dot(self.direction)]
    }

    /// How many pixels a length has that is as far away as it is long.
    pub(super) fn focal(&self, height: u32) -> f64 {
        let [sine, cosine] = sine_cosine(0.5 * self.field_of_view.to_radians());
        0.5 * f64::from(height) * cosine / sine
    }
}
