//! A mesh against a convex shape of the kernel.
//!
//! The box around the shape finds the leaves of the tree that matter; each of their triangles meets the shape in the kernel's
//! own pair test, so that what is exact there is exact here. All functions take the shape's pose in the mesh's frame and answer in that.

pub use super::shape_penetration::penetration;

use super::boundary::Filled;
use super::column::Placed;
use super::winding::winding_of;
use super::{Mesh, Mode, Relation, Scratch, Winding};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::number::outward::round_up;
use impinge_geom::number::tolerance::TOUCHING;
use impinge_geom::shape::{Core, Shape};
use impinge_geom::support::Support as _;
use impinge_geom::{Certainty, Feature, Inside, Pose, Verdict, pair};
use impinge_tree::traverse;
use std::ops::ControlFlow;

/// The distance between a mesh and a shape, and where it is attained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeDistance {
    /// Between the mesh as a surface and the shape; zero if they meet.
    pub distance: f64,
    /// The true value is within this of `distance`, up to rounding.
    pub uncertainty: f64,
    /// The closest points, of the mesh and of the shape, in the mesh's frame.
    pub points: [DVec3; 2],
    /// The triangle of the mesh.
    pub triangle: u32,
    /// The feature of that triangle, and of the shape.
    pub features: [Feature; 2],
    /// How far `distance` can be trusted.
    pub certainty: Certainty,
}

/// True if a triangle of the mesh meets the shape, even if they only touch.
///
/// ```
/// use impinge::{Pose, geom::Shape, mesh::{Mesh, Scratch, shape}};
/// let floor: Mesh = Mesh::new(&[[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [0.0, 4.0, 0.0]], &[[0, 1, 2]])?;
/// let ball = Shape::sphere(1.0)?;
/// let mut scratch = Scratch::default();
/// assert!(shape::overlap(&floor, &ball, &Pose::from_translation([0.0, 0.0, 0.5])?, &mut scratch));
/// assert!(!shape::overlap(&floor, &ball, &Pose::from_translation([0.0, 0.0, 1.5])?, &mut scratch));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    scratch: &mut Scratch,
) -> bool {
    near(mesh, shape, shape_in_mesh, scratch, |triangle, _, cache| {
        let meets = pair::overlap(triangle, shape, shape_in_mesh, cache);
        if meets { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .is_break()
}

/// Fills `found` with the triangles that meet the shape, in ascending order, and how each does: touching, or penetrating if it
/// meets the shape's interior.
///
/// ```
/// use impinge::{Pose, geom::{Shape, Verdict}, mesh::{Mesh, Scratch, shape}};
/// let corners = [[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [4.0, 4.0, 0.0], [-4.0, 4.0, 0.0]];
/// let floor: Mesh = Mesh::new(&corners, &[[0, 1, 2], [0, 2, 3]])?;
/// let block = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let mut found = Vec::new();
/// let on_top = Pose::from_translation([2.5, 0.5, 1.0])?;
/// shape::triangles(&floor, &block, &on_top, &mut Scratch::default(), &mut found);
/// assert_eq!(found, [(0, Verdict::Touching), (1, Verdict::Touching)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn triangles<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    scratch: &mut Scratch,
    found: &mut Vec<(u32, Verdict)>,
) {
    found.clear();
    let _ = near(mesh, shape, shape_in_mesh, scratch, |triangle, face, cache| {
        match pair::verdict(triangle, shape, shape_in_mesh, cache) {
            Verdict::Separated => {}
            Verdict::Touching => found.push((face, Verdict::Touching)),
            Verdict::Penetrating | Verdict::Contained(_) => {
                found.push((face, Verdict::Penetrating));
            }
        }
        ControlFlow::Continue(())
    });
    found.sort_unstable_by_key(|(face, _)| *face);
}

/// How a mesh, as a surface or as a solid, relates to a shape.
///
/// Exact where the kernel is: for closed meshes and polytopes; with curved shapes touching has the kernel's tolerance. An estimate
/// for solids that are open, where the shape enters faces that meet other faces of the mesh, and where a segment or triangle only
/// touches the surface of a solid.
///
/// ```
/// use impinge::geom::{Inside, Shape, Verdict};
/// use impinge::{Pose, mesh::{Mesh, Mode, Scratch, shape}};
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let mut scratch = Scratch::default();
/// let mut ask = |radius: f64| -> Result<Verdict, Box<dyn std::error::Error>> {
///     let (ball, place) = (Shape::sphere(radius)?, Pose::from_translation([0.75, 0.75, 0.75])?);
///     Ok(shape::verdict(&mesh, &ball, &place, Mode::Solid, &mut scratch).verdict)
/// };
/// assert_eq!(ask(0.5)?, Verdict::Contained(Inside::B));
/// assert_eq!(ask(1.5)?, Verdict::Penetrating);
/// assert_eq!(ask(5.0)?, Verdict::Contained(Inside::A));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verdict<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    mode: Mode,
    scratch: &mut Scratch,
) -> Relation {
    let mut found = Vec::new();
    triangles(mesh, shape, shape_in_mesh, scratch, &mut found);
    let entered = found.iter().any(|(_, verdict)| *verdict == Verdict::Penetrating);
    let plain = match (entered, found.is_empty()) {
        (true, _) => Verdict::Penetrating,
        (false, false) => Verdict::Touching,
        (false, true) => Verdict::Separated,
    };
    if mode == Mode::Surface {
        return Relation { verdict: plain, certainty: Certainty::Exact };
    }
    let closed = mesh.is_closed();
    let (verdict, sure) = if entered {
        if found.len() == mesh.triangles.len() && is_within(mesh, shape, shape_in_mesh, scratch) {
            (Verdict::Contained(Inside::A), true)
        } else if closed {
            entering(mesh, shape, &found)
        } else {
            (plain, false)
        }
    } else {
        let sure = found.is_empty() || !is_surface(shape);
        (undivided(mesh, shape, shape_in_mesh, plain, scratch), sure)
    };
    let certainty = if closed && sure { Certainty::Exact } else { Certainty::Estimate };
    Relation { verdict, certainty }
}

/// True for shapes without an interior, by their kind.
fn is_surface(shape: &Shape) -> bool {
    matches!(shape.split(), (Core::Plane(_) | Core::Triangle(_) | Core::Segment(_), 0.0))
}

/// Are all corners of the mesh in the shape, and so all of it, since the shape is convex?
fn is_within<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    scratch: &mut Scratch,
) -> bool {
    !is_surface(shape)
        && mesh.triangles.iter().flatten().all(|index| {
            let corner = mesh.vertex(*index).to_array();
            scratch.cache.set_warm_start(Default::default());
            Shape::segment([corner; 2])
                .is_ok_and(|point| pair::overlap(&point, shape, shape_in_mesh, &mut scratch.cache))
        })
}

/// Some faces enter the interior of the shape: what is on their sides is in the shape too. And whether that is certain.
fn entering<B: Bound>(mesh: &Mesh<B>, shape: &Shape, found: &[(u32, Verdict)]) -> (Verdict, bool) {
    let boundary = mesh.boundary();
    let (mut filled_there, mut empty_there, mut sure) = (false, false, true);
    for (face, _) in found.iter().filter(|(_, verdict)| *verdict == Verdict::Penetrating) {
        let mut note = |filled: Filled| {
            filled_there |= filled.front || filled.back;
            empty_there |= !filled.front || !filled.back;
        };
        match boundary.filled(*face) {
            Some(filled) => note(filled),
            None => {
                let loose = boundary.loose.binary_search_by_key(face, |loose| loose.face);
                let sets = loose.ok().and_then(|index| boundary.loose.get(index));
                sets.into_iter().flat_map(|loose| loose.filled.iter()).for_each(note);
                sure = false;
            }
        }
    }
    let verdict = match (filled_there, empty_there) {
        (true, false) if !is_surface(shape) => Verdict::Contained(Inside::B),
        (true, _) => Verdict::Penetrating,
        (false, _) => Verdict::Touching,
    };
    (verdict, sure)
}

/// No face enters the interior of the shape, so all of it is inside the solid, or all outside: as its centre is.
fn undivided<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    plain: Verdict,
    scratch: &mut Scratch,
) -> Verdict {
    let (core, _) = shape.split();
    if matches!(core, Core::Plane(_) | Core::HalfSpace(_)) {
        return plain;
    }
    let center = shape_in_mesh.transform_point(core.center());
    match winding_of(&Placed::here(mesh), center, scratch) {
        Winding::Surface(_) => plain,
        winding if !winding.is_inside() => plain,
        _ if is_surface(shape) => Verdict::Penetrating,
        _ => Verdict::Contained(Inside::B),
    }
}

/// The distance between the mesh as a surface and a shape.
///
/// ```
/// use impinge::{Pose, geom::Shape, mesh::{Mesh, Scratch, shape}};
/// let floor: Mesh = Mesh::new(&[[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [0.0, 4.0, 0.0]], &[[0, 1, 2]])?;
/// let above = Pose::from_translation([0.0, 0.0, 3.0])?;
/// let found = shape::distance(&floor, &Shape::sphere(1.0)?, &above, &mut Scratch::default());
/// assert_eq!((found.distance, found.points[1].z, found.triangle), (2.0, 2.0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    scratch: &mut Scratch,
) -> ShapeDistance {
    let Scratch { places, cache, .. } = scratch;
    let mut best = ShapeDistance {
        distance: f64::INFINITY,
        uncertainty: 0.0,
        points: [DVec3::ZERO; 2],
        triangle: 0,
        features: [Feature::vertex(0); 2],
        certainty: Certainty::Exact,
    };
    let mut offer = |face: u32| {
        let Ok(triangle) = Shape::triangle(mesh.corners(face).map(|p| p.to_array())) else {
            return best.distance;
        };
        cache.set_warm_start(Default::default());
        let found = pair::distance(&triangle, shape, shape_in_mesh, cache);
        let tie = found.distance == best.distance && face < best.triangle;
        if found.distance < best.distance || tie {
            best = ShapeDistance {
                distance: found.distance,
                uncertainty: found.uncertainty,
                points: found.points,
                triangle: face,
                features: found.features,
                certainty: found.certainty,
            };
        }
        best.distance
    };
    match bounds(mesh, shape, shape_in_mesh) {
        Some(bounds) => {
            let (query, margin) = Placed::here(mesh).query(bounds);
            traverse::volume_nearest(&mesh.tree, &query, margin, places, &mut (), |leaf| {
                let least = mesh.tree.leaf(leaf).iter().fold(f64::INFINITY, |_, face| offer(*face));
                round_up(least * mesh.tree.frame().factor())
            });
        }
        None => (0..mesh.triangles.len() as u32).for_each(|face| {
            offer(face);
        }),
    }
    best
}

/// Fills `found` with the triangles whose boxes are within a margin of the shape's box, in ascending order.
pub(crate) fn faces_near<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    margin: f64,
    scratch: &mut Scratch,
    found: &mut Vec<u32>,
) {
    found.clear();
    let Some((low, high)) = bounds(mesh, shape, shape_in_mesh) else {
        found.extend(0..mesh.triangles.len() as u32);
        return;
    };
    let (low, high) = (low - margin, high + margin);
    let is_near = |face: &u32| {
        let [a, b, c] = mesh.corners(*face);
        a.min(b).min(c).cmple(high).all() && a.max(b).max(c).cmpge(low).all()
    };
    Placed::here(mesh).within((low, high), &mut scratch.places, |mesh, leaf| {
        found.extend(mesh.tree.leaf(leaf).iter().filter(|face| is_near(face)));
        ControlFlow::Continue(())
    });
    found.sort_unstable();
}

/// Calls back for the triangles near the shape, each as a shape of its own; for all of them if the shape has no bounds.
fn near<B: Bound>(
    mesh: &Mesh<B>,
    shape: &Shape,
    shape_in_mesh: &Pose,
    scratch: &mut Scratch,
    mut visit: impl FnMut(&Shape, u32, &mut pair::Cache) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Scratch { places, cache, .. } = scratch;
    let mut one = |face: u32| {
        let Ok(triangle) = Shape::triangle(mesh.corners(face).map(|p| p.to_array())) else {
            return ControlFlow::Continue(());
        };
        cache.set_warm_start(Default::default());
        visit(&triangle, face, cache)
    };
    match bounds(mesh, shape, shape_in_mesh) {
        Some(bounds) => {
            let (query, margin) = Placed::here(mesh).query(bounds);
            traverse::volume(&mesh.tree, &query, margin, places, &mut (), |leaf| {
                mesh.tree.leaf(leaf).iter().try_for_each(|face| one(*face))
            })
        }
        None => (0..mesh.triangles.len() as u32).try_for_each(one),
    }
}

/// A box along the axes of the mesh's frame that holds the shape and all that counts as touching it; none for planes and
/// half-spaces.
fn bounds<B: Bound>(mesh: &Mesh<B>, shape: &Shape, pose: &Pose) -> Option<(DVec3, DVec3)> {
    let radius = shape.bounding_radius();
    if !radius.is_finite() {
        return None;
    }
    let (core, swept) = shape.split();
    let far =
        |direction: DVec3| pose.transform_point(core.support(pose.inverse_rotate(direction)).point);
    let frame = mesh.tree.frame();
    let reach = frame.center().abs().max_element() + frame.extent() / frame.factor();
    let scale = 2.0 * (reach + radius + pose.translation().abs().max_element());
    let grown = swept + 4.0 * TOUCHING * scale;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let high = DVec3::from(axes.map(|axis| far(axis).dot(axis) + grown));
    let low = DVec3::from(axes.map(|axis| far(-axis).dot(axis) - grown));
    Some((low, high))
}
