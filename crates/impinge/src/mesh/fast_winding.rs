//! The generalised winding number of a point in the time of a descent: far groups of faces count as one dipole each.
//!
//! G. Barill, N. Dickson, R. Schmidt, D. Levin and A. Jacobson, "Fast winding numbers for soups and clouds" (2018), section 3, with the first term of
//! their expansion. The groups are those of an implicit binary tree over the leaves of the mesh's own hierarchy, which are in depth-first order. It serves
//! for estimates alone: what is decided exactly goes through [`winding`](super::winding()).

use super::Mesh;
use super::winding::half_solid_angle;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use std::f64::consts::TAU;
use std::sync::Arc;

/// A group of faces counts as a dipole for points that are farther from its centre than this times its radius: the error is a few hundredths.
const FAR: f64 = 2.0;

/// Faces as seen from far away.
#[derive(Clone, Copy, Debug, Default)]
struct Dipole {
    center: DVec3,
    /// The sum of the normals, each as long as its face is large.
    normal: DVec3,
    area: f64,
    radius: f64,
}

/// The dipoles of a mesh: node 1 is the root, nodes 2k and 2k + 1 are the children of node k.
#[derive(Clone, Debug, Default)]
pub(super) struct Dipoles {
    nodes: Vec<Dipole>,
    /// A power of two: leaf k of the hierarchy is node `leaves + k`.
    leaves: usize,
}

impl Dipoles {
    fn new<B: Bound>(mesh: &Mesh<B>) -> Self {
        let count = mesh.tree.leaf_count();
        let leaves = count.next_power_of_two();
        let mut nodes = vec![Dipole::default(); 2 * leaves];
        for leaf in 0..count {
            nodes[leaves + leaf] = of_faces(mesh, mesh.tree.leaf(leaf as u32));
        }
        for node in (1..leaves).rev() {
            nodes[node] = joined(&nodes[2 * node], &nodes[2 * node + 1]);
        }
        Self { nodes, leaves }
    }
}

fn of_faces<B: Bound>(mesh: &Mesh<B>, faces: &[u32]) -> Dipole {
    let mut sum = Dipole::default();
    let (mut weighted, mut mean, mut count) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for &face in faces {
        let [p, q, r] = mesh.corners(face);
        let normal = 0.5 * (q - p).cross(r - p);
        let (area, middle) = (normal.length(), p / 3.0 + q / 3.0 + r / 3.0);
        sum.normal += normal;
        sum.area += area;
        weighted += middle * area;
        (mean, count) = (mean + middle, count + 1.0);
    }
    sum.center = if sum.area > 0.0 { weighted / sum.area } else { mean / f64::max(count, 1.0) };
    let far = |face: &u32| mesh.corners(*face).map(|p| p.distance(sum.center));
    sum.radius = faces.iter().flat_map(far).fold(0.0, f64::max);
    sum
}

fn joined(a: &Dipole, b: &Dipole) -> Dipole {
    let area = a.area + b.area;
    if area <= 0.0 {
        return *a;
    }
    let center = a.center * (a.area / area) + b.center * (b.area / area);
    let reach = |part: &Dipole| {
        if part.area > 0.0 { part.center.distance(center) + part.radius } else { 0.0 }
    };
    Dipole { center, normal: a.normal + b.normal, area, radius: reach(a).max(reach(b)) }
}

impl<B: Bound> Mesh<B> {
    /// The generalised winding number of a point in the mesh's own frame, to a few hundredths.
    pub(super) fn estimated_winding(&self, point: DVec3) -> f64 {
        let dipoles = self.lazy.dipoles.get_or_init(|| Arc::new(Dipoles::new(self)));
        let mut sum = 0.0;
        // Two nodes for each level of at most 32.
        let (mut stack, mut top) = ([1usize; 68], 1);
        while top > 0 {
            top -= 1;
            let node = stack[top];
            let Some(dipole) = dipoles.nodes.get(node) else { continue };
            if dipole.area <= 0.0 {
                continue;
            }
            let way = dipole.center - point;
            let square = way.length_squared();
            if square > (FAR * dipole.radius).powi(2) {
                // Half the solid angle, as for single faces.
                sum += 0.5 * dipole.normal.dot(way) / (square * square.sqrt());
            } else if node >= dipoles.leaves {
                let faces = self.tree.leaf((node - dipoles.leaves) as u32);
                let angle = |face: &u32| half_solid_angle(self.corners(*face).map(|p| p - point));
                sum += faces.iter().map(angle).sum::<f64>();
            } else if top + 2 <= stack.len() {
                stack[top] = 2 * node;
                stack[top + 1] = 2 * node + 1;
                top += 2;
            }
        }
        sum / TAU
    }
}
