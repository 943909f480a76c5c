//! The volume that represents a body in the broad phase: a tight box, a rotation-invariant cube, and a second test by spheres or planes.
//!
//! A tight box is computed anew when the body turns, and costs as much as the body's shape asks for. The cube around its bounding
//! sphere only moves along, but is larger; a pair of overlapping cubes can then be rejected by the spheres themselves, or by a plane
//! between the bodies that comes from a table, the [`ApexMap`]. Everything is rounded outwards: a pair that touches is never rejected.

mod apex_map;

pub use apex_map::ApexMap;

use impinge_geom::glam::DVec3;
use impinge_geom::{DAabb, GeometryError, Pose};

/// How much a body is taken to be larger than it is, in parts of its size and coordinates: more than all rounding, and than the
/// distance at which curved shapes count as touching.
const SLACK: f64 = 4e-12;

/// The kind of volume that represents a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjectVolume {
    /// The tight axis-aligned box around the body in its current orientation.
    #[default]
    ExactBox,
    /// The cube around the bounding sphere.
    FixedCube,
    /// The same cube; pairs whose bounding spheres are apart are rejected.
    Sphere,
    /// The same cube; pairs separated by a plane of their [`ApexMap`]s are rejected.
    ApexMap,
}

/// The outline of a body in its own frame, computed once.
///
/// ```
/// use impinge::broad::{ObjectVolume, Outline};
/// use impinge::Pose;
/// use impinge::geom::glam::DVec3;
/// // A rod: two of them side by side are rejected by planes, not by cubes or spheres.
/// let rod = [DVec3::new(-5.0, 0.0, 0.0), DVec3::new(5.0, 0.0, 0.0)];
/// let outline = Outline::of_points(&rod, 8)?;
/// let (here, there) = (Pose::IDENTITY, Pose::from_translation([0.0, 3.0, 0.0])?);
/// let apart = |volume: ObjectVolume| volume.are_apart((&outline, &here), (&outline, &there));
/// assert!(!apart(ObjectVolume::Sphere) && apart(ObjectVolume::ApexMap));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Outline {
    center: DVec3,
    radius: f64,
    map: Option<ApexMap>,
}

impl Outline {
    /// Creates the outline of points, with an apex map of the given resolution, or without one if it is zero. Rejects non-finite numbers.
    /// Without points it is that of the origin.
    pub fn of_points(points: &[DVec3], resolution: usize) -> Result<Self, GeometryError> {
        if let Some(index) = points.iter().position(|point| !point.is_finite()) {
            return Err(GeometryError::NotFinite { argument: "points", index: Some(index) });
        }
        let bounds = DAabb::of_points(points.iter().copied());
        let center =
            if points.is_empty() { DVec3::ZERO } else { bounds.low * 0.5 + bounds.high * 0.5 };
        let radius = points.iter().fold(0.0, |most: f64, &p| most.max(length(p - center)));
        Self::of_support(center, radius, resolution, |direction| farthest(points, direction))
    }

    /// Creates the outline of a body inside a ball with the given support function, with an apex map of the given resolution, or without one if
    /// it is zero.
    pub fn of_support(
        center: DVec3,
        radius: f64,
        resolution: usize,
        support: impl Fn(DVec3) -> DVec3,
    ) -> Result<Self, GeometryError> {
        if !center.is_finite() || !radius.is_finite() {
            return Err(GeometryError::NotFinite { argument: "center or radius", index: None });
        }
        let radius = radius.max(0.0);
        let height = |direction: DVec3| direction.dot(support(direction) - center);
        let map = (resolution > 0).then(|| ApexMap::new(resolution, radius, height));
        Ok(Self { center, radius, map })
    }

    /// The cube around the bounding sphere of the body at a pose.
    pub fn cube(&self, pose: &Pose) -> DAabb {
        let center = pose.transform_point(self.center);
        let half = DVec3::splat(self.radius + self.slack(center));
        DAabb::around(center, half)
    }

    /// True if the bounding spheres of two bodies are disjoint.
    pub fn spheres_are_apart(&self, pose: &Pose, other: &Self, other_pose: &Pose) -> bool {
        let centers = [pose.transform_point(self.center), other_pose.transform_point(other.center)];
        let slack = self.slack(centers[0]) + other.slack(centers[1]);
        length(centers[1] - centers[0]) > self.radius + other.radius + slack
    }

    /// True if the apex maps show a plane across the line of centres that separates the two bodies.
    pub fn planes_are_apart(&self, pose: &Pose, other: &Self, other_pose: &Pose) -> bool {
        let (Some(map), Some(other_map)) = (&self.map, &other.map) else { return false };
        let centers = [pose.transform_point(self.center), other_pose.transform_point(other.center)];
        let between = centers[1] - centers[0];
        let scale = between.abs().max_element();
        if scale == 0.0 || !scale.is_finite() {
            return false;
        }
        // Of length one to the square root of three, so that nothing underflows.
        let direction = between / scale;
        let reach = map.height(pose.inverse_rotate(direction));
        let other_reach = other_map.height(-other_pose.inverse_rotate(direction));
        let slack = 2.0 * (self.slack(centers[0]) + other.slack(centers[1]));
        between.dot(direction) > reach + other_reach + slack
    }

    /// What rounding may have done to the body, in its place at `center`.
    fn slack(&self, center: DVec3) -> f64 {
        SLACK * (self.radius + self.center.abs().max_element() + center.abs().max_element())
            + f64::MIN_POSITIVE
    }
}

impl ObjectVolume {
    /// The box of a body at a pose. `support` gives the body's farthest point along a direction in its own frame; it is called for the tight
    /// box only.
    ///
    /// ```
    /// use impinge::broad::{ObjectVolume, Outline};
    /// use impinge::Pose;
    /// use impinge::geom::glam::DVec3;
    /// let rod = |direction: DVec3| DVec3::X * direction.x.signum();
    /// let outline = Outline::of_support(DVec3::ZERO, 1.0, 0, rod)?;
    /// let exact = ObjectVolume::ExactBox.bounds(&outline, &Pose::IDENTITY, rod);
    /// let cube = ObjectVolume::FixedCube.bounds(&outline, &Pose::IDENTITY, rod);
    /// assert!(exact.high.y < 1e-9 && cube.high.y >= 1.0);
    /// # Ok::<(), impinge::geom::GeometryError>(())
    /// ```
    pub fn bounds(self, outline: &Outline, pose: &Pose, support: impl Fn(DVec3) -> DVec3) -> DAabb {
        if self != Self::ExactBox {
            return outline.cube(pose);
        }
        let slack = outline.slack(pose.transform_point(outline.center));
        let end = |axis: DVec3| pose.transform_point(support(pose.inverse_rotate(axis))).dot(axis);
        let ends =
            [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [-end(-axis) - slack, end(axis) + slack]);
        let [low, high] = [0, 1].map(|k| DVec3::from_array(ends.map(|pair| pair[k])));
        DAabb::new(low, high)
    }

    /// True if the second test shows that two bodies do not touch.
    pub fn are_apart(self, (a, pose_a): (&Outline, &Pose), (b, pose_b): (&Outline, &Pose)) -> bool {
        match self {
            Self::ExactBox | Self::FixedCube => false,
            Self::Sphere => a.spheres_are_apart(pose_a, b, pose_b),
            Self::ApexMap => a.planes_are_apart(pose_a, b, pose_b),
        }
    }
}

/// The first of the points that is farthest along a direction, or the origin.
fn farthest(points: &[DVec3], direction: DVec3) -> DVec3 {
    let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
    for &point in points {
        let height = point.dot(direction);
        if height > best.0 {
            best = (height, point);
        }
    }
    best.1
}

/// The length, also where squares would underflow.
fn length(v: DVec3) -> f64 {
    let scale = v.abs().max_element();
    if scale > 0.0 { (v / scale).length() * scale } else { 0.0 }
}
