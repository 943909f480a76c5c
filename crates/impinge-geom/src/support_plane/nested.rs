//! Nested hulls: the farthest vertex along a direction in logarithmic time.
//!
//! D. Dobkin and D. Kirkpatrick, "A linear algorithm for determining the separation of convex polyhedra" (1985). From a hull a set
//! of vertices is taken away no two of which are neighbours; the hull of the rest is the next, coarser one, and so on. Going
//! back, if v is farthest on the coarser hull, then on the finer one either v is or a neighbour of v that had been taken away: of v's
//! neighbours only those can be farther, and the neighbours of such a one all belong to the coarser hull.

use crate::hull::Hull;
use glam::DVec3;

/// Hulls with no more vertices than this are looked through.
const COARSEST: usize = 12;

/// Vertices with more neighbours than this stay: a planar graph has enough others.
const MOST_NEIGHBOURS: usize = 11;

/// The vertices of a hull, ordered for search.
///
/// ```
/// use impinge_geom::{glam::DVec3, hull::Hull, support_plane::NestedHulls};
/// let points: Vec<[f64; 3]> = (0..200).map(|k| {
///     let z = f64::from(k) / 100.0 - 1.0;
///     [(1.0 - z * z).sqrt() * (f64::from(k % 7) - 3.0), (1.0 - z * z).sqrt() * f64::from(k % 5), z]
/// }).collect();
/// let hull = Hull::new(&points)?;
/// let nested = NestedHulls::new(&hull);
/// let found = nested.farthest(DVec3::new(0.3, -0.2, 0.9));
/// let value = |v: &DVec3| v.dot(DVec3::new(0.3, -0.2, 0.9));
/// assert_eq!(value(&hull.vertices()[found as usize]), hull.vertices().iter().map(value).fold(f64::MIN, f64::max));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NestedHulls {
    /// The vertices, those of coarser hulls first.
    points: Vec<DVec3>,
    /// What number each has in the hull.
    numbers: Vec<u32>,
    /// How many belong to the coarsest hull.
    coarsest: usize,
    /// From the coarsest step to the finest.
    steps: Vec<Step>,
}

/// From a hull to the next finer one: row v holds the neighbours of v that the finer hull has and the coarser has not.
#[derive(Clone, Debug, Default, PartialEq)]
struct Step {
    starts: Vec<u32>,
    added: Vec<u32>,
}

impl NestedHulls {
    /// Nests the hulls below a hull.
    pub fn new(hull: &Hull) -> Self {
        // Per step, by the hull's own numbers: which vertices were taken away, each with its neighbours.
        let mut removed: Vec<Vec<(u32, Vec<u32>)>> = Vec::new();
        let mut current = hull.clone();
        let mut numbers: Vec<u32> = (0..hull.vertices().len() as u32).collect();
        while current.vertices().len() > COARSEST && current.dimension() == 3 {
            let free = independent(&current);
            let kept: Vec<u32> = (0..numbers.len() as u32).filter(|&v| !free[v as usize]).collect();
            let points: Vec<[f64; 3]> =
                kept.iter().map(|&v| current.vertices()[v as usize].to_array()).collect();
            let Ok(next) = Hull::new(&points) else { break };
            // Rest of a hull, its vertices stay extreme, unless what is left is flat.
            if next.dimension() != 3 || next.vertices().len() != kept.len() {
                break;
            }
            let name = |v: &u32| numbers[*v as usize];
            let taken = (0..numbers.len() as u32).filter(|&v| free[v as usize]);
            removed.push(
                taken
                    .map(|v| (name(&v), current.neighbours(v).iter().map(name).collect()))
                    .collect(),
            );
            numbers = kept.iter().map(name).collect();
            current = next;
        }
        removed.reverse();
        Self::ordered(hull, numbers, &removed)
    }

    /// Renumbers the vertices so that those of each hull are the first of the next.
    fn ordered(hull: &Hull, mut numbers: Vec<u32>, removed: &[Vec<(u32, Vec<u32>)>]) -> Self {
        let coarsest = numbers.len();
        let mut rank = vec![0u32; hull.vertices().len()];
        for (place, number) in numbers.iter().enumerate() {
            rank[*number as usize] = place as u32;
        }
        let mut steps = Vec::with_capacity(removed.len());
        for taken in removed {
            let mut rows: Vec<(u32, u32)> = Vec::new();
            let known = numbers.len();
            for (vertex, neighbours) in taken {
                let place = numbers.len() as u32;
                rank[*vertex as usize] = place;
                numbers.push(*vertex);
                rows.extend(neighbours.iter().map(|v| (rank[*v as usize], place)));
            }
            rows.sort_unstable();
            let mut starts = vec![0u32; known + 1];
            for (v, _) in &rows {
                starts[*v as usize + 1] += 1;
            }
            for v in 0..known {
                starts[v + 1] += starts[v];
            }
            steps.push(Step { starts, added: rows.into_iter().map(|(_, w)| w).collect() });
        }
        let points = numbers.iter().map(|v| hull.vertices()[*v as usize]).collect();
        Self { points, numbers, coarsest, steps }
    }

    /// The vertex farthest along a direction, by its number in the hull.
    #[inline]
    pub fn farthest(&self, direction: DVec3) -> u32 {
        let value = |v: u32| self.points.get(v as usize).map_or(f64::MIN, |p| p.dot(direction));
        let mut best = (f64::NEG_INFINITY, 0);
        for v in 0..self.coarsest as u32 {
            let other = value(v);
            if other > best.0 {
                best = (other, v);
            }
        }
        for step in &self.steps {
            let from = best.1 as usize;
            let row = match (step.starts.get(from), step.starts.get(from + 1)) {
                (Some(first), Some(end)) => *first as usize..*end as usize,
                _ => 0..0,
            };
            for &w in step.added.get(row).unwrap_or(&[]) {
                let other = value(w);
                if other > best.0 {
                    best = (other, w);
                }
            }
        }
        self.numbers.get(best.1 as usize).copied().unwrap_or(0)
    }

    /// Number of hulls.
    pub fn depth(&self) -> usize {
        self.steps.len() + 1
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        let steps = self.steps.iter().map(|step| step.starts.len() + step.added.len());
        28 * self.points.len() + 4 * steps.sum::<usize>()
    }
}

/// Vertices with few neighbours, no two of them neighbours; at least the four first vertices are never among them.
fn independent(hull: &Hull) -> Vec<bool> {
    let count = hull.vertices().len();
    let mut free = vec![false; count];
    let mut blocked = vec![false; count];
    for v in 4..count as u32 {
        let around = hull.neighbours(v);
        if blocked[v as usize] || around.len() > MOST_NEIGHBOURS {
            continue;
        }
        free[v as usize] = true;
        for &w in around {
            blocked[w as usize] = true;
        }
    }
    free
}
