//! Rigid transformations.

use crate::number::error::{GeometryError, check_direction, check_number, check_point};
use crate::number::tolerance::{ORTHONORMAL_ROWS, UNIT_QUATERNION};
use glam::{DMat3, DQuat, DVec3};

/// A rigid placement: a rotation followed by a translation.
///
/// [`Pose::transform_point`] is the one function through which points enter another frame. It has a fixed order of operations, so that
/// every algorithm and every oracle decides about the same coordinates; for the identity and for a pure translation it adds
/// nothing but the rounding of the one addition.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "crate::serial::PoseData", try_from = "crate::serial::PoseData")
)]
pub struct Pose {
    rotation: DMat3,
    translation: DVec3,
}

impl Pose {
    /// The identity.
    pub const IDENTITY: Self = Self { rotation: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// Creates a pose from a quaternion (w, x, y, z), normalised if its length is within 1e-6 of one, and a translation.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3};
    /// let half_turn_about_z = Pose::new([0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0])?;
    /// assert_eq!(half_turn_about_z.transform_point(DVec3::X), DVec3::ZERO);
    /// assert!(Pose::new([1.0, 1.0, 0.0, 0.0], [0.0; 3]).is_err());
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn new(rotation: [f64; 4], translation: impl Into<DVec3>) -> Result<Self, GeometryError> {
        let translation = check_point(translation.into().to_array(), "translation", None)?;
        for (index, value) in rotation.into_iter().enumerate() {
            check_number(value, "rotation", Some(index))?;
        }
        let [w, x, y, z] = rotation;
        let length = (w * w + x * x + y * y + z * z).sqrt();
        if (length - 1.0).abs() > UNIT_QUATERNION {
            return Err(GeometryError::NotUnit { argument: "rotation", length });
        }
        // A quaternion that is already unit, such as (1, 0, 0, 0), passes unchanged.
        let unit = DQuat::from_xyzw(x / length, y / length, z / length, w / length);
        Ok(Self { rotation: DMat3::from_quat(unit), translation })
    }

    /// Creates a pose from a glam quaternion, whose order is x, y, z, w; as for [`Pose::new`] its length must be about one.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::{DQuat, DVec3}};
    /// let half_turn_about_z = Pose::from_quat(DQuat::from_xyzw(0.0, 0.0, 1.0, 0.0), DVec3::X)?;
    /// assert_eq!(half_turn_about_z, Pose::new([0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0])?);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn from_quat(
        rotation: DQuat,
        translation: impl Into<DVec3>,
    ) -> Result<Self, GeometryError> {
        Self::new([rotation.w, rotation.x, rotation.y, rotation.z], translation)
    }

    /// Creates a rotation about an axis of any length by an angle in radians, counter-clockwise seen from its tip, followed by a translation. The
    /// same bits on every machine.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3};
    /// let quarter = Pose::from_axis_angle([0.0, 0.0, 2.0], std::f64::consts::FRAC_PI_2, [0.0; 3])?;
    /// assert!((quarter.transform_point(DVec3::X) - DVec3::Y).length() < 1e-15);
    /// assert!(Pose::from_axis_angle([0.0; 3], 1.0, [0.0; 3]).is_err());
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn from_axis_angle(
        axis: impl Into<DVec3>,
        angle: f64,
        translation: impl Into<DVec3>,
    ) -> Result<Self, GeometryError> {
        let (axis, _) = check_direction(axis.into().to_array(), "axis")?;
        let (sine, cosine) = libm::sincos(0.5 * check_number(angle, "angle", None)?);
        Self::from_quat(
            DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine),
            translation,
        )
    }

    /// Creates a pose from the rows of a rotation matrix, used as given, and a translation: quarter turns stay free of rounding, which a
    /// quaternion cannot represent. Rows must be orthonormal and right-handed within 1e-12.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3};
    /// let quarter_turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    /// assert_eq!(Pose::from_rows(quarter_turn, [0.0; 3])?.transform_point(DVec3::X), DVec3::Y);
    /// let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// assert!(Pose::from_rows(mirror, [0.0; 3]).is_err());
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn from_rows(
        rows: [[f64; 3]; 3],
        translation: impl Into<DVec3>,
    ) -> Result<Self, GeometryError> {
        let translation = check_point(translation.into().to_array(), "translation", None)?;
        for (index, row) in rows.into_iter().enumerate() {
            check_point(row, "rotation", Some(index))?;
        }
        let rotation = DMat3::from_cols_array_2d(&rows).transpose();
        let off = rotation * rotation.transpose() - DMat3::IDENTITY;
        let worst = off.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if !(worst <= ORTHONORMAL_ROWS && rotation.determinant() > 0.0) {
            return Err(GeometryError::NotARotation { argument: "rotation", off: worst });
        }
        Ok(Self { rotation, translation })
    }

    /// Creates a pure translation.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3};
    /// assert_eq!(Pose::from_translation([1.0, 2.0, 3.0])?.transform_point(DVec3::ONE), DVec3::new(2.0, 3.0, 4.0));
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn from_translation(translation: impl Into<DVec3>) -> Result<Self, GeometryError> {
        let translation = check_point(translation.into().to_array(), "translation", None)?;
        Ok(Self { rotation: DMat3::IDENTITY, translation })
    }

    /// A rotation that is known to be one, with a translation.
    #[inline(always)]
    pub(crate) fn from_parts(rotation: DMat3, translation: DVec3) -> Self {
        Self { rotation, translation }
    }

    /// The same rotation with another translation.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3};
    /// let turned = Pose::new([0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0])?;
    /// assert_eq!(turned.with_translation([5.0, 0.0, 0.0])?.transform_point(DVec3::X), DVec3::X * 4.0);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn with_translation(&self, translation: impl Into<DVec3>) -> Result<Self, GeometryError> {
        let translation = check_point(translation.into().to_array(), "translation", None)?;
        Ok(Self { rotation: self.rotation, translation })
    }

    /// The rotation as a matrix with orthonormal columns.
    pub fn rotation(&self) -> DMat3 {
        self.rotation
    }

    /// The rotation as a quaternion (w, x, y, z).
    pub fn quaternion(&self) -> [f64; 4] {
        let q = DQuat::from_mat3(&self.rotation);
        [q.w, q.x, q.y, q.z]
    }

    /// The translation.
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// Transforms a point: each coordinate is ((r0·x + r1·y) + r2·z) + t, rounded after every operation.
    #[inline(always)]
    pub fn transform_point(&self, p: DVec3) -> DVec3 {
        self.rotate(p) + self.translation
    }

    /// Rotates a direction.
    #[inline(always)]
    pub fn rotate(&self, v: DVec3) -> DVec3 {
        let r = &self.rotation;
        DVec3::new(
            r.x_axis.x * v.x + r.y_axis.x * v.y + r.z_axis.x * v.z,
            r.x_axis.y * v.x + r.y_axis.y * v.y + r.z_axis.y * v.z,
            r.x_axis.z * v.x + r.y_axis.z * v.y + r.z_axis.z * v.z,
        )
    }

    /// Rotates a direction by the inverse: the transposed rotation.
    #[inline(always)]
    pub fn inverse_rotate(&self, v: DVec3) -> DVec3 {
        let r = &self.rotation;
        DVec3::new(
            r.x_axis.x * v.x + r.x_axis.y * v.y + r.x_axis.z * v.z,
            r.y_axis.x * v.x + r.y_axis.y * v.y + r.y_axis.z * v.z,
            r.z_axis.x * v.x + r.z_axis.y * v.y + r.z_axis.z * v.z,
        )
    }

    /// Transforms a point by the inverse.
    #[inline(always)]
    pub fn inverse_transform_point(&self, p: DVec3) -> DVec3 {
        self.inverse_rotate(p - self.translation)
    }

    /// The inverse pose.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3};
    /// let pose = Pose::from_translation([1.0, 2.0, 3.0])?;
    /// assert_eq!(pose.inverse().transform_point(pose.transform_point(DVec3::X)), DVec3::X);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn inverse(&self) -> Self {
        Self {
            rotation: self.rotation.transpose(),
            translation: -self.inverse_rotate(self.translation),
        }
    }

    /// The composition: first `inner`, then `self`.
    pub fn compose(&self, inner: &Self) -> Self {
        Self {
            rotation: self.rotation * inner.rotation,
            translation: self.transform_point(inner.translation),
        }
    }

    /// The pose of `other` in the frame of `self`: the argument of every two-body function of this crate.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3};
    /// let a = Pose::from_translation([1.0, 0.0, 0.0])?;
    /// let b = Pose::from_translation([5.0, 0.0, 0.0])?;
    /// assert_eq!(a.relative(&b).translation(), DVec3::new(4.0, 0.0, 0.0));
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn relative(&self, other: &Self) -> Self {
        Self {
            rotation: self.rotation.transpose() * other.rotation,
            translation: self.inverse_transform_point(other.translation),
        }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}
