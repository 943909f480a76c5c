//! Mass, centre of mass and inertia.

mod polyhedron;
mod revolution;
mod sampled;

use super::ResponseError;
use super::error::{finite, positive};
use crate::mesh::Mesh;
use crate::query::Geometry;
use impinge_geom::bound::Bound;
use impinge_geom::glam::{DMat3, DVec3};
use impinge_geom::number::tolerance::{INERTIA, LEAST_INERTIA, LEAST_VOLUME};
use impinge_geom::shape::Core;
use impinge_geom::{Certainty, Pose, Shape};

/// Mass, centre of mass, and inertia about it, in the body's frame.
///
/// ```
/// use impinge::{geom::{Certainty, Shape, glam::DVec3}, response::MassProperties};
/// let ball = MassProperties::of_shape(&Shape::sphere(2.0)?, 3.0)?;
/// let mass = 3.0 * 4.0 / 3.0 * std::f64::consts::PI * 8.0;
/// assert!((ball.mass() - mass).abs() < 1e-12 * mass);
/// assert!((ball.inertia().x_axis.x - 0.4 * mass * 4.0).abs() < 1e-12 * mass);
/// assert_eq!((ball.center(), ball.certainty()), (DVec3::ZERO, Certainty::Exact));
/// // A triangle has no volume.
/// let flat = Shape::triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
/// assert!(MassProperties::of_shape(&flat, 3.0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    mass: f64,
    center: DVec3,
    inertia: DMat3,
    certainty: Certainty,
}

/// The integrals of 1 and x over a volume, the latter as the centre c, and of (x − c)·(x − c)ᵀ. About the origin the last would be lost to rounding
/// where the volume is far from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MassMoments {
    volume: f64,
    center: DVec3,
    /// About the centre.
    second: DMat3,
}

impl MassMoments {
    const NONE: Self = Self { volume: 0.0, center: DVec3::ZERO, second: DMat3::ZERO };

    /// From the integrals of 1, x and x·xᵀ, as seen from a point near the volume.
    fn of_integrals(volume: f64, first: DVec3, second: DMat3) -> Self {
        if volume == 0.0 {
            return Self::NONE;
        }
        let center = first / volume;
        Self { volume, center, second: second - outer(center, center) * volume }
    }

    /// Around the origin and with the axes of symmetry: the integrals of x², y² and z².
    fn centred(volume: f64, squares: DVec3) -> Self {
        Self { volume, center: DVec3::ZERO, second: DMat3::from_diagonal(squares) }
    }

    /// Adds another volume, by the parallel axis theorem about the common centre.
    fn add(&mut self, other: &Self) {
        let volume = self.volume + other.volume;
        let share = if volume == 0.0 { 0.0 } else { other.volume / volume };
        let apart = other.center - self.center;
        self.second += other.second + outer(apart, apart) * (self.volume * share);
        self.center += apart * share;
        self.volume = volume;
    }

    /// Of the same volume somewhere else.
    fn moved(&self, way: DVec3) -> Self {
        Self { center: self.center + way, ..*self }
    }

    /// Of the same volume after a motion.
    fn posed(&self, pose: &Pose) -> Self {
        let rotation = pose.rotation();
        Self {
            volume: self.volume,
            center: pose.transform_point(self.center),
            second: rotation * self.second * rotation.transpose(),
        }
    }
}

/// The matrix a·bᵀ.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

impl MassProperties {
    /// Creates mass properties: the inertia is about the centre of mass, along the axes of the body's frame.
    pub fn new(mass: f64, center: [f64; 3], inertia: [[f64; 3]; 3]) -> Result<Self, ResponseError> {
        positive("mass", mass)?;
        for coordinate in center {
            finite("center of mass", coordinate)?;
        }
        for entry in inertia.as_flattened() {
            finite("inertia", *entry)?;
        }
        let inertia = DMat3::from_cols_array_2d(&inertia);
        if !is_inertia(&inertia) {
            return Err(ResponseError::Inertia);
        }
        Ok(Self { mass, center: center.into(), inertia, certainty: Certainty::Exact })
    }

    /// The mass properties of a shape. Exact up to rounding, except for rounded and custom shapes: an inscribed polytope replaces them, and the
    /// answer is an estimate.
    pub fn of_shape(shape: &Shape, density: f64) -> Result<Self, ResponseError> {
        let (moments, certainty) = of_shape(shape)?;
        Self::of_moments(&moments, density, certainty)
    }

    /// The mass properties of the solid that a closed mesh encloses, by integrals over its triangles (Mirtich, Journal of Graphics Tools 1996): exact up to rounding. An open mesh, or one that
    /// encloses nothing, is replaced by the box of its vertices, and the answer is an estimate.
    pub fn of_mesh<B: Bound>(mesh: &Mesh<B>, density: f64) -> Result<Self, ResponseError> {
        let (moments, certainty) = of_mesh(mesh);
        Self::of_moments(&moments, density, certainty)
    }

    /// The mass properties of all parts together; where they overlap, both count.
    pub fn of_geometry(geometry: &Geometry, density: f64) -> Result<Self, ResponseError> {
        let (mut sum, mut certainty) = (MassMoments::NONE, Certainty::Exact);
        for child in geometry.children() {
            let (moments, how) =
                child.part.as_ref().fold(of_shape, |part| Ok(of_mesh(part.mesh())))?;
            sum.add(&moments.posed(&child.pose));
            certainty = if how == Certainty::Exact { certainty } else { how };
        }
        Self::of_moments(&sum, density, certainty)
    }

    fn of_moments(
        moments: &MassMoments,
        density: f64,
        certainty: Certainty,
    ) -> Result<Self, ResponseError> {
        positive("density", density)?;
        let MassMoments { volume, center, second } = *moments;
        if volume.is_nan() || volume <= 0.0 {
            return Err(ResponseError::NoMass);
        }
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - second) * density;
        // Rounding must not leave the matrix lopsided.
        let inertia = (inertia + inertia.transpose()) * 0.5;
        let mass = positive("mass", volume * density)?;
        if !(center.is_finite() && is_inertia(&inertia)) {
            return Err(ResponseError::NoMass);
        }
        Ok(Self { mass, center, inertia, certainty })
    }

    /// The mass.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The centre of mass.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The inertia about the centre of mass.
    pub fn inertia(&self) -> DMat3 {
        self.inertia
    }

    /// The inverse of the inertia.
    pub(super) fn inverse_inertia(&self) -> DMat3 {
        inverse(&self.inertia)
    }

    /// How far it can be trusted: for open meshes and rounded shapes it is an estimate.
    pub fn certainty(&self) -> Certainty {
        self.certainty
    }
}

/// The inverse of a positive definite matrix, scaled so that the determinant never overflows, and vanishes only where the inverse is not finite.
fn inverse(matrix: &DMat3) -> DMat3 {
    let size = matrix.x_axis.x.max(matrix.y_axis.y).max(matrix.z_axis.z);
    let inverse = (*matrix * (1.0 / size)).inverse() * (1.0 / size);
    (inverse + inverse.transpose()) * 0.5
}

/// Symmetric, positive definite by its principal minors, with an inverse that is finite, and with the inequalities of a mass distribution, up to rounding.
fn is_inertia(inertia: &DMat3) -> bool {
    let transposed = inertia.transpose();
    let columns = [inertia.x_axis, inertia.y_axis, inertia.z_axis];
    let size = columns.iter().map(|column| column.abs().max_element()).fold(0.0, f64::max);
    if !(size.is_finite() && size > LEAST_INERTIA) {
        return false;
    }
    // Scaled, so that products do not vanish.
    let is_positive = |matrix: &DMat3| {
        let m = *matrix * (1.0 / size);
        let minor = m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x;
        m.x_axis.x > 0.0 && minor > 0.0 && m.determinant() > 0.0
    };
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    // tr/2·1 − I is the matrix of second moments: none of its eigenvalues is negative; a flat body has zeros there.
    let second = DMat3::from_diagonal(DVec3::splat((0.5 + INERTIA) * trace)) - *inertia;
    inertia.abs_diff_eq(transposed, INERTIA * size)
        && is_positive(inertia)
        && is_positive(&second)
        && inverse(inertia).is_finite()
}

fn of_mesh<B: Bound>(mesh: &Mesh<B>) -> (MassMoments, Certainty) {
    let used = mesh.triangles().iter().flatten();
    let points = used.filter_map(|index| mesh.vertices().get(*index as usize));
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        (low, high) = (low.min(*point), high.max(*point));
    }
    if low.x > high.x {
        return (MassMoments::NONE, Certainty::Estimate);
    }
    let around = cuboid(0.5 * (high - low)).moved(0.5 * (low + high));
    if mesh.is_closed() {
        let moments = polyhedron::moments(mesh.vertices(), mesh.triangles());
        if moments.volume > LEAST_VOLUME * around.volume {
            return (moments, Certainty::Exact);
        }
    }
    (around, Certainty::Estimate)
}

/// Of a box around the origin: ∫x² is the volume times a third of the square of the half length.
fn cuboid(half: DVec3) -> MassMoments {
    let volume = 8.0 * half.x * half.y * half.z;
    MassMoments::centred(volume, half * half * (volume / 3.0))
}

fn of_shape(shape: &Shape) -> Result<(MassMoments, Certainty), ResponseError> {
    let exact = |moments| Ok((moments, Certainty::Exact));
    match shape {
        Shape::Cuboid(shape) => exact(cuboid(shape.half())),
        Shape::Ellipsoid(shape) => {
            let radii = shape.radii();
            let volume = 4.0 / 3.0 * std::f64::consts::PI * radii.x * radii.y * radii.z;
            exact(MassMoments::centred(volume, radii * radii * (volume / 5.0)))
        }
        Shape::Hull(hull) => exact(polyhedron::moments(hull.vertices(), hull.triangles())),
        Shape::Sphere(_)
        | Shape::Capsule(_)
        | Shape::TaperedCapsule(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_) => exact(revolution::moments(shape)),
        Shape::Segment(_) | Shape::Triangle(_) | Shape::Plane(_) | Shape::HalfSpace(_) => {
            Err(ResponseError::NoMass)
        }
        Shape::Custom(_) | Shape::Rounded(_) => match shape.split().0 {
            Core::Plane(_) | Core::HalfSpace(_) => Err(ResponseError::NoMass),
            _ => Ok((sampled::moments(shape), Certainty::Estimate)),
        },
    }
}
