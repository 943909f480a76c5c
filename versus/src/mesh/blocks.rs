//! Brute force over all pairs of triangles, made bearable by boxes around blocks of 64 of them.
//!
//! The oracle of the mesh workloads: no hierarchy, nothing of impinge's trees. Triangles lie in Morton order, so that blocks are
//! compact; every pair of blocks, then every triangle against every block, then every pair of triangles is tried by boxes.
//! What is left is decided by the kernel's exact verdicts on the coordinates as `Pose::transform_point` gives them.

use std::ops::{ControlFlow, Range};

use impinge_geom::Pose;
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::{TriangleVerdict, distance, verdict};

use super::model::Mesh;

const BLOCK: usize = 64;

type Triangle = [DVec3; 3];

#[derive(Clone, Copy, Debug)]
struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    fn around<'a>(points: impl IntoIterator<Item = &'a DVec3>) -> Bounds {
        let empty = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        points.into_iter().fold(empty, |bounds, point| Bounds {
            low: bounds.low.min(*point),
            high: bounds.high.max(*point),
        })
    }

    fn meets(&self, other: &Bounds) -> bool {
        !(self.low.cmpgt(other.high).any() | other.low.cmpgt(self.high).any())
    }

    fn squared_distance(&self, other: &Bounds) -> f64 {
        let gap = (self.low - other.high).max(other.low - self.high).max(DVec3::ZERO);
        gap.length_squared()
    }
}

/// The order of a mesh's triangles along a Morton curve.
pub fn order(mesh: &Mesh) -> Vec<u32> {
    let [low, high] = mesh.bounds();
    let code = |index: u32| {
        let corners = mesh.triangles[index as usize].map(|v| mesh.vertices[v as usize]);
        let cell: [u64; 3] = std::array::from_fn(|axis| {
            let middle = corners.iter().map(|corner| corner[axis]).sum::<f64>() / 3.0;
            let share = (middle - low[axis]) / (high[axis] - low[axis]).max(f64::MIN_POSITIVE);
            (share * 1023.0) as u64
        });
        (0..10).fold(0_u64, |code, bit| {
            (0..3).fold(code, |code, axis| code | (cell[axis] >> bit & 1) << (3 * bit + axis))
        })
    };
    let mut order: Vec<u32> = (0..mesh.triangles.len() as u32).collect();
    order.sort_by_cached_key(|&index| code(index));
    order
}

/// A mesh in A's frame.
pub struct Blocks<'a> {
    /// Indices of the triangles in the mesh.
    order: &'a [u32],
    triangles: Vec<Triangle>,
    bounds: Vec<Bounds>,
    blocks: Vec<Bounds>,
}

impl<'a> Blocks<'a> {
    /// The mesh as it is, or where `pose` puts it.
    pub fn new(mesh: &Mesh, order: &'a [u32], pose: Option<&Pose>) -> Blocks<'a> {
        let place = |&vertex: &[f64; 3]| {
            let point = DVec3::from_array(vertex);
            pose.map_or(point, |pose| pose.transform_point(point))
        };
        let vertices: Vec<DVec3> = mesh.vertices.iter().map(place).collect();
        let corners = |&index: &u32| mesh.triangles[index as usize].map(|v| vertices[v as usize]);
        let triangles: Vec<Triangle> = order.iter().map(corners).collect();
        let bounds = triangles.iter().map(Bounds::around).collect();
        let blocks = triangles.chunks(BLOCK).map(|part| Bounds::around(part.as_flattened()));
        Blocks { order, bounds, blocks: blocks.collect(), triangles }
    }

    fn range(&self, block: usize) -> Range<usize> {
        BLOCK * block..(BLOCK * (block + 1)).min(self.triangles.len())
    }

    /// Visits the pairs of triangles that meet, by the kernel, as indices in the two meshes.
    pub fn meetings(
        &self,
        other: &Blocks,
        mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.near_pairs(other, |a, b| {
            let verdict = verdict(&self.triangles[a], &other.triangles[b]);
            if verdict == TriangleVerdict::Separated {
                return ControlFlow::Continue(());
            }
            visit(self.order[a], other.order[b])
        })
    }

    /// Visits the pairs of triangles whose boxes meet, with their corners.
    pub fn candidates(
        &self,
        other: &Blocks,
        mut visit: impl FnMut(&Triangle, &Triangle) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.near_pairs(other, |a, b| visit(&self.triangles[a], &other.triangles[b]))
    }

    /// Visits the pairs of places whose boxes meet.
    fn near_pairs(
        &self,
        other: &Blocks,
        mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (i, block) in self.blocks.iter().enumerate() {
            for (j, other_block) in other.blocks.iter().enumerate() {
                if !block.meets(other_block) {
                    continue;
                }
                for a in self.range(i).filter(|&a| self.bounds[a].meets(other_block)) {
                    for b in other.range(j).filter(|&b| self.bounds[a].meets(&other.bounds[b])) {
                        visit(a, b)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether any two triangles meet.
    pub fn meets(&self, other: &Blocks) -> bool {
        self.meetings(other, |_, _| ControlFlow::Break(())).is_break()
    }

    /// The least distance of two triangles; pairs of blocks in the order of their boxes' distance, until none can be nearer.
    pub fn distance(&self, other: &Blocks) -> f64 {
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (i, block) in self.blocks.iter().enumerate() {
            let distances = other.blocks.iter().map(|other| block.squared_distance(other));
            pairs.extend(distances.enumerate().map(|(j, square)| (square, i, j)));
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut best = f64::INFINITY;
        for (square, i, j) in pairs {
            // Squares of the least distances are rounded; a little more is looked at than needed.
            let useful = |square: f64, best: f64| square <= best * best * (1.0 + 1e-12);
            if !useful(square, best) {
                break;
            }
            for a in self.range(i) {
                if !useful(self.bounds[a].squared_distance(&other.blocks[j]), best) {
                    continue;
                }
                for b in other.range(j) {
                    if useful(self.bounds[a].squared_distance(&other.bounds[b]), best) {
                        let found = distance(&self.triangles[a], &other.triangles[b]).distance;
                        best = best.min(found);
                    }
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::model;
    use crate::random::Random;

    #[test]
    fn boxes_lose_nothing() {
        let (a, b) = (model::icosphere(1.0, 2), model::icosphere(0.7, 2));
        let (order_a, order_b) = (order(&a), order(&b));
        let mut random = Random::new(3);
        for _ in 0..20 {
            let translation = random.direction::<3>().map(|value| value * 1.2);
            let pose = Pose::new(random.direction(), translation).unwrap();
            let fixed = Blocks::new(&a, &order_a, None);
            let moved = Blocks::new(&b, &order_b, Some(&pose));
            let mut found = Vec::new();
            let _ = fixed.meetings(&moved, |i, j| {
                found.push((i, j));
                ControlFlow::Continue(())
            });
            found.sort_unstable();
            let (mut expected, mut least) = (Vec::new(), f64::INFINITY);
            let corners = |mesh: &Mesh, index: usize| {
                mesh.triangles[index].map(|v| DVec3::from_array(mesh.vertices[v as usize]))
            };
            for i in 0..a.triangles.len() {
                for j in 0..b.triangles.len() {
                    let (p, q) =
                        (corners(&a, i), corners(&b, j).map(|point| pose.transform_point(point)));
                    if verdict(&p, &q) != TriangleVerdict::Separated {
                        expected.push((i as u32, j as u32));
                    }
                    least = least.min(distance(&p, &q).distance);
                }
            }
            assert_eq!(found, expected);
            assert_eq!(fixed.meets(&moved), !expected.is_empty());
            assert_eq!(fixed.distance(&moved), least);
        }
    }
}
