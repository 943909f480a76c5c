//! A mesh in a given place, and the faces along a line parallel to an axis: what points and pieces of faces are asked about.

use super::{Mesh, ScaledPose};
use impinge_geom::Pose;
use impinge_geom::bound::{Bound, Frame, Moments, RelativeFrame};
use impinge_geom::glam::{DVec2, DVec3};
use impinge_geom::number::tolerance::{POSE_MARGIN, UNIT_ROUNDOFF};
use impinge_geom::predicate::{orient2d, orient3d, shifted_side};
use impinge_geom::triangle::{self, TriangleVerdict};
use impinge_tree::traverse::{self, Places};
use std::ops::ControlFlow;

/// A mesh, and where it is in the frame in which questions are asked.
pub(super) struct Placed<'m, B: Bound> {
    pub(super) mesh: &'m Mesh<B>,
    pub(super) place: ScaledPose,
    /// The corners are taken as they are.
    own_frame: bool,
}

impl<B: Bound> Copy for Placed<'_, B> {}
impl<B: Bound> Clone for Placed<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'m, B: Bound> Placed<'m, B> {
    /// In its own frame.
    pub(super) fn here(mesh: &'m Mesh<B>) -> Self {
        Self { mesh, place: Pose::IDENTITY.into(), own_frame: true }
    }

    /// In the frame in which its placement is given.
    pub(super) fn there(mesh: &'m Mesh<B>, place: &ScaledPose) -> Self {
        Self { mesh, place: *place, own_frame: false }
    }

    /// True if in the frame of the question the corners are those of the mesh.
    pub(super) fn is_as_stored(&self) -> bool {
        self.own_frame || (self.place.pose == Pose::IDENTITY && self.place.scale == 1.0)
    }

    /// The corners of a face in the frame of the question: the coordinates about which everything is decided.
    #[inline]
    pub(super) fn corners(&self, face: u32) -> [DVec3; 3] {
        let corners = self.mesh.corners(face);
        if self.own_frame { corners } else { self.place.map_corners(corners) }
    }

    /// The corners of all faces in the frame of the question, each vertex once.
    pub(super) fn vertices(&self) -> impl Iterator<Item = DVec3> + 'm {
        let (own_frame, place) = (self.own_frame, self.place);
        let placed = move |p| if own_frame { p } else { place.transform_point(p) };
        self.mesh.used_vertices().map(placed)
    }

    /// True if something holds for the corners of all faces in the frame of the question, each vertex once.
    pub(super) fn all_vertices(&self, mut holds: impl FnMut(DVec3) -> bool) -> bool {
        let (as_stored, place) = (self.is_as_stored(), &self.place);
        let mut holds = |p: DVec3| holds(if as_stored { p } else { place.transform_point(p) });
        if self.mesh.unused_vertices().is_empty() {
            return self.mesh.vertices.iter().all(|p| holds(*p));
        }
        self.mesh.used_vertices().all(holds)
    }

    /// The centre of a ball around the mesh, and its radius.
    fn ball(&self) -> (DVec3, f64) {
        let (frame, place) = (self.mesh.tree.frame(), &self.place);
        let center = place.transform_point(frame.center());
        // Half the diagonal of a cube, and what mapping loses.
        let half = frame.extent() / frame.factor() * place.scale;
        let reach = center.abs().max_element()
            + frame.center().abs().max_element() * place.scale
            + place.pose.translation().abs().max_element();
        (center, 1.75 * half + POSE_MARGIN * UNIT_ROUNDOFF * reach + f64::MIN_POSITIVE)
    }

    /// The axis along which the way from a point out of the mesh is shortest.
    pub(super) fn axis_from(&self, point: DVec3) -> usize {
        let (center, _) = self.ball();
        let way = center - point;
        (0..3).min_by(|i, j| way[*i].total_cmp(&way[*j])).unwrap_or(0)
    }

    /// Fills `faces` with all that a line along an axis may meet, from a point in the box between `low` and `high` onwards.
    pub(super) fn column(
        &self,
        (low, high): (DVec3, DVec3),
        axis: usize,
        places: &mut Places,
        faces: &mut Vec<u32>,
    ) {
        faces.clear();
        let (center, radius) = self.ball();
        let mut end = high;
        end[axis] = (center[axis] + radius).max(high[axis]);
        if end.cmplt(center - radius).any() || low.cmpgt(center + radius).any() {
            return;
        }
        self.within((low, end), places, |mesh, leaf| {
            faces.extend(mesh.tree.leaf(leaf));
            ControlFlow::Continue(())
        });
    }

    /// Calls back for all leaves that a box along the axes may meet.
    pub(super) fn within(
        &self,
        (low, high): (DVec3, DVec3),
        places: &mut Places,
        mut visit: impl FnMut(&'m Mesh<B>, u32) -> ControlFlow<()>,
    ) {
        let (query, margin) = self.query((low, high));
        let mesh = self.mesh;
        let _ =
            traverse::volume(&mesh.tree, &query, margin, places, &mut (), |leaf| visit(mesh, leaf));
    }

    /// A box along the axes as a volume in the tree's frame, and the margin of tests with it.
    pub(super) fn query(&self, (low, high): (DVec3, DVec3)) -> (B::Query, f32) {
        let frame = Frame::new(low, high);
        let tree = self.mesh.tree.frame();
        let motion = RelativeFrame::new(&frame, tree, &self.place.pose, self.place.scale).a_to_b;
        let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|k: u32| {
            let side = |bit: u32, low: f64, high: f64| if k & bit == 0 { low } else { high };
            let (x, y) = (side(1, low.x, high.x), side(2, low.y, high.y));
            frame.local(DVec3::new(x, y, side(4, low.z, high.z)))
        });
        let volume = B::fit(&corners, &Moments::of_points(&corners), frame.error());
        (volume.moved(&motion), motion.margin)
    }
}

/// How a triangle stands to the half-line from a point along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crossing {
    /// The half-line passes it by.
    Miss,
    /// The half-line goes through it: 1 if from its back, −1 if from its front.
    Ahead(i32),
    /// The point lies on it.
    Here,
}

/// The shadow of a point along an axis. Triangles seen from the axis' end keep their sense of rotation.
#[inline]
fn shadow(p: DVec3, axis: usize) -> DVec2 {
    match axis {
        0 => DVec2::new(p.y, p.z),
        1 => DVec2::new(p.z, p.x),
        _ => DVec2::new(p.x, p.y),
    }
}

/// The common sign of three sides, if they have one.
#[inline]
fn common(sides: [i32; 3]) -> Option<i32> {
    (sides[0] != 0 && sides[0] == sides[1] && sides[1] == sides[2]).then_some(sides[0])
}

/// Does the half-line from `p` along an axis pass through the triangle? Exact.
///
/// On the shadow of an edge the half-line is shifted by (ε, ε²) across the axis. Off the surface of a closed mesh this
/// changes no winding number, and all faces shift alike, so that no crossing is lost or counted twice.
pub(super) fn crossing(corners: &[DVec3; 3], p: DVec3, axis: usize) -> Crossing {
    if corners.iter().all(|v| v[axis] < p[axis]) {
        return Crossing::Miss;
    }
    let ([a, b, c], q) = (corners.map(|v| shadow(v, axis)), shadow(p, axis));
    let sides = [orient2d(a, b, q), orient2d(b, c, q), orient2d(c, a, q)];
    let (left, right) = (sides.contains(&1), sides.contains(&-1));
    if left && right {
        return Crossing::Miss;
    }
    if !left && !right {
        // Edge on: it is passed by, unless the point lies on it.
        let on = triangle::verdict(corners, &[p; 3]) != TriangleVerdict::Separated;
        return if on { Crossing::Here } else { Crossing::Miss };
    }
    // orient3d is positive behind the triangle; whether the axis points out of it tells which way is ahead.
    let turn = if left { 1 } else { -1 };
    match orient3d(corners[0], corners[1], corners[2], p) * turn {
        0 => return Crossing::Here,
        -1 => return Crossing::Miss,
        _ => {}
    }
    let shifted = |side: i32, u, v| if side == 0 { shifted_side(u, v) } else { side };
    let sides = [shifted(sides[0], a, b), shifted(sides[1], b, c), shifted(sides[2], c, a)];
    common(sides).map_or(Crossing::Miss, Crossing::Ahead)
}
