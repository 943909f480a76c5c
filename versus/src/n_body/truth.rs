//! Which bodies meet: all pairs whose balls meet, decided by brute force over their triangles.

use impinge_geom::glam::DVec3;

use crate::broad::record::PairSet;
use crate::mesh::blocks::{self, Blocks};
use crate::mesh::model::Mesh;
use crate::mesh::poses::pose;
use crate::mesh::scene::Placement;

/// The pairs of bodies that meet in a frame.
pub fn meetings(mesh: &Mesh, placements: &[Placement]) -> PairSet {
    let order = blocks::order(mesh);
    let middle = DVec3::from_array(mesh.centre());
    let distances = mesh.vertices.iter().map(|&v| DVec3::from_array(v).distance(middle));
    // A little more than the farthest vertex, so that nothing is lost in rounding.
    let radius = 1.000_001 * distances.fold(0.0, f64::max);
    let poses: Vec<_> = placements.iter().map(pose).collect();
    let centres: Vec<DVec3> = poses.iter().map(|pose| pose.transform_point(middle)).collect();
    let fixed = Blocks::new(mesh, &order, None);
    let mut set = PairSet::default();
    for a in 0..poses.len() {
        for b in (a + 1..poses.len()).filter(|&b| centres[a].distance(centres[b]) <= 2.0 * radius) {
            let relative = poses[a].relative(&poses[b]);
            if fixed.meets(&Blocks::new(mesh, &order, Some(&relative))) {
                set.add(a as u32, b as u32);
            }
        }
    }
    set
}
