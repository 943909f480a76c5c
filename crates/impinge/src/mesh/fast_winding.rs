//! The generalised winding number of a point in the time of a descent: far groups of faces count as one dipole each.
//!
//! G. Barill, N. Dickson, R. Schmidt, D. Levin and A. Jacobson, "Fast winding numbers for soups and clouds" (2018), section 3, with the first term of
//! their expansion. The groups are those of an implicit binary tree over the leaves of the mesh's own hierarchy, which are in depth-first order. It serves
//! for estimates alone: what is decided exactly goes through [`winding`](super::winding()).

use super::Mesh;
use super::winding::half_solid_angle;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::number::angle::atan2;
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
        let (mut sum, mut angles) = (0.0, AngleSum::default());
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
                faces.iter().for_each(|face| angles.add(self.corners(*face).map(|p| p - point)));
            } else if top + 2 <= stack.len() {
                stack[top] = 2 * node;
                stack[top + 1] = 2 * node + 1;
                top += 2;
            }
        }
        (sum + angles.sum()) / TAU
    }
}

/// A sum of half solid angles of triangles, of which the angle is found once: complex numbers are multiplied, and it is counted how often their product
/// passes the half-line on which angles jump.
struct AngleSum {
    product: [f64; 2],
    turns: f64,
    /// Angles of triangles that are too small or too large for that.
    rest: f64,
}

impl Default for AngleSum {
    fn default() -> Self {
        Self { product: [1.0, 0.0], turns: 0.0, rest: 0.0 }
    }
}

impl AngleSum {
    /// Adds a triangle as seen from the origin.
    fn add(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners;
        let [of_a, of_b, of_c] = corners.map(DVec3::length);
        let y = a.dot(b.cross(c));
        let x = of_a * of_b * of_c + a.dot(b) * of_c + b.dot(c) * of_a + c.dot(a) * of_b;
        let [u, v] = self.product;
        let (real, imaginary) = (u * x - v * y, u * y + v * x);
        let size = real.abs() + imaginary.abs();
        if !(size > f64::MIN_POSITIVE / f64::EPSILON && size.is_finite()) {
            self.rest += half_solid_angle(corners);
            return;
        }
        if y >= 0.0 && v >= 0.0 && imaginary < 0.0 {
            self.turns += 1.0;
        } else if y < 0.0 && v < 0.0 && imaginary >= 0.0 {
            self.turns -= 1.0;
        }
        self.product = [real / size, imaginary / size];
    }

    fn sum(&self) -> f64 {
        let [x, y] = self.product;
        self.rest + self.turns * TAU + atan2(y, x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_add_up_over_several_turns() {
        let mut state = 1u64;
        let mut number = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        for scale in [1.0, 1e-9, 1e70, 1e-150] {
            let (mut angles, mut one_by_one, mut most) = (AngleSum::default(), 0.0, 0.0f64);
            for round in 0..4000 {
                // Large ones, and mostly of one orientation for a while.
                let mut corners =
                    [(); 3].map(|()| DVec3::new(number(), number(), number()) * scale);
                let [a, b, c] = corners;
                if (a.dot(b.cross(c)) > 0.0) != (round % 1000 < 500) && round % 7 != 0 {
                    corners.swap(0, 1);
                }
                angles.add(corners);
                one_by_one += half_solid_angle(corners);
                most = most.max(f64::abs(one_by_one));
                assert!((angles.sum() - one_by_one).abs() < 1e-9, "{scale} {round}");
            }
            assert!(most > 12.0, "{most}");
        }
    }
}
