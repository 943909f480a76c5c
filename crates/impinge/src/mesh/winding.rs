//! How often a closed mesh winds around a point; for open ones the generalised winding number.
//!
//! The exact number counts the faces along a half-line from the point, those passed from the back as one, those passed from the
//! front as minus one. Corners and edges on the line do not matter: see [`crossing`](super::column::crossing). The generalised number is
//! the sum of the solid angles of all faces over 4π (A. Jacobson, L. Kavan and O. Sorkine-Hornung, "Robust inside-outside
//! segmentation using generalized winding numbers", 2013), each by A. van Oosterom and J. Strackee, "The solid angle of a plane
//! triangle" (1983).

use super::column::{Crossing, Placed, crossing};
use super::{Mesh, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::number::angle::atan2;
use std::f64::consts::TAU;

/// The winding number of a mesh around a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Winding {
    /// The point lies on this face (of several, the first): it has no number. Exact.
    Surface(u32),
    /// The number of a point off a closed mesh: zero outside. Exact.
    Number(i64),
    /// The generalised number of a point off an open mesh: about zero outside, about one inside.
    Estimate(f64),
}

impl Winding {
    /// True if the point belongs to the solid: on the surface, a number other than zero, or an estimate nearer to another
    /// integer than to zero.
    pub fn is_inside(&self) -> bool {
        match self {
            Self::Surface(_) => true,
            Self::Number(number) => *number != 0,
            Self::Estimate(number) => number.abs() > 0.5,
        }
    }
}

/// The winding number of a mesh around a point. Exact for a closed mesh, in the time of one ray.
///
/// ```
/// use impinge::{geom::glam::DVec3, mesh::{self, Mesh, Scratch, Winding}};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mesh: Mesh = Mesh::new(&corners, &faces)?;
/// let mut scratch = Scratch::default();
/// assert_eq!(mesh::winding(&mesh, DVec3::splat(0.25), &mut scratch), Winding::Number(1));
/// assert_eq!(mesh::winding(&mesh, DVec3::splat(-0.25), &mut scratch), Winding::Number(0));
/// assert_eq!(mesh::winding(&mesh, DVec3::new(0.5, 0.25, 0.25), &mut scratch), Winding::Surface(3));
/// let open: Mesh = Mesh::new(&corners, &faces[1..])?;
/// assert!(matches!(mesh::winding(&open, DVec3::splat(0.25), &mut scratch), Winding::Estimate(_)));
/// # Ok::<(), mesh::MeshError>(())
/// ```
pub fn winding<B: Bound>(mesh: &Mesh<B>, point: DVec3, scratch: &mut Scratch) -> Winding {
    winding_of(&Placed::here(mesh), point, scratch)
}

/// The same for a mesh in its place. Points that are not finite are outside.
pub(super) fn winding_of<B: Bound>(
    placed: &Placed<'_, B>,
    point: DVec3,
    scratch: &mut Scratch,
) -> Winding {
    if !point.is_finite() {
        return Winding::Number(0);
    }
    let axis = placed.axis_from(point);
    let (mut sum, mut surface) = (0, u32::MAX);
    let Scratch { places, column, .. } = scratch;
    placed.column((point, point), axis, places, column);
    for &face in column.iter() {
        match crossing(&placed.corners(face), point, axis) {
            Crossing::Miss => {}
            Crossing::Ahead(sign) => sum += i64::from(sign),
            Crossing::Here => surface = surface.min(face),
        }
    }
    if surface != u32::MAX {
        Winding::Surface(surface)
    } else if placed.mesh.is_closed() {
        Winding::Number(sum)
    } else {
        Winding::Estimate(generalised(placed, point))
    }
}

/// The generalised winding number of a point: the share of all directions that the faces cover, by their orientation.
///
/// For points off a closed mesh it is the integer of [`winding`], up to rounding. It visits every face.
///
/// ```
/// use impinge::{geom::glam::DVec3, mesh::{self, Mesh}};
/// let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let octant: Mesh = Mesh::new(&corners, &[[0, 1, 2]])?;
/// assert!((mesh::generalised_winding(&octant, DVec3::ZERO) - 0.125).abs() < 1e-15);
/// # Ok::<(), mesh::MeshError>(())
/// ```
pub fn generalised_winding<B: Bound>(mesh: &Mesh<B>, point: DVec3) -> f64 {
    if point.is_finite() { generalised(&Placed::here(mesh), point) } else { 0.0 }
}

fn generalised<B: Bound>(placed: &Placed<'_, B>, point: DVec3) -> f64 {
    let half: f64 = (0..placed.mesh.triangles.len() as u32)
        .map(|face| half_solid_angle(placed.corners(face).map(|v| v - point)))
        .sum();
    half / TAU
}

/// Half the solid angle of a triangle seen from the origin, negative from its front.
pub(super) fn half_solid_angle(corners: [DVec3; 3]) -> f64 {
    // Directions instead of corners: the quotient is the same, and nothing overflows.
    let [a, b, c] = corners.map(DVec3::normalize_or_zero);
    if a == DVec3::ZERO || b == DVec3::ZERO || c == DVec3::ZERO {
        return 0.0;
    }
    atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a))
}
