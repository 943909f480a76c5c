//! Where two meshes meet: the common points of every pair of triangles.

use super::pairs::each_pair;
use super::{Mesh, ScaledPose, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::triangle::{self, Intersection, TriangleVerdict};
use std::ops::ControlFlow;

/// Two triangles that meet, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleContact {
    /// The triangles, of A and of B.
    pub triangles: [u32; 2],
    /// Touching or crossing. Exact.
    pub verdict: TriangleVerdict,
    /// Their common points in A's frame: a point, a segment, or a polygon if they lie in one plane. The kind is exact, the
    /// coordinates are rounded.
    pub intersection: Intersection,
}

/// Fills `found` with all pairs of triangles that meet, in ascending order, and their common points.
///
/// ```
/// use impinge::geom::{glam::DVec3, triangle::Intersection};
/// use impinge::{Pose, mesh::{self, Mesh, Scratch}};
/// let floor: Mesh = Mesh::new(&[[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [0.0, 4.0, 0.0]], &[[0, 1, 2]])?;
/// let sail: Mesh = Mesh::new(&[[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 0.0, 1.0]], &[[0, 1, 2]])?;
/// let mut found = Vec::new();
/// mesh::contacts(&floor, &sail, &Pose::IDENTITY.into(), &mut Scratch::default(), &mut found);
/// let Intersection::Segment(ends) = found[0].intersection else { panic!("they cross") };
/// assert_eq!(ends[0].distance(ends[1]), 1.0);
/// # Ok::<(), mesh::MeshError>(())
/// ```
pub fn contacts<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
    found: &mut Vec<TriangleContact>,
) {
    found.clear();
    let _ = each_pair(a, b, b_in_a, scratch, |face_a, face_b, verdict| {
        let corners = b_in_a.map_corners(b.corners(face_b));
        let intersection = triangle::intersection(&a.corners(face_a), &corners);
        found.push(TriangleContact { triangles: [face_a, face_b], verdict, intersection });
        ControlFlow::Continue(())
    });
    found.sort_unstable_by_key(|contact| contact.triangles);
}
