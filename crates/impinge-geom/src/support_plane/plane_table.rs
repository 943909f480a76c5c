//! Discretised mappings: support planes looked up in an array of directions.
//!
//! Section 4.2: a table of samples, and a table of planes of which each sample names one. An entry's plane has a normal of
//! its own, that of the sample or of the face; to take the direction that was asked for instead, with the vertex of the entry, would
//! give planes that cut the body.

use super::bounded::{AXES, is_bounded};
use super::{FaceMapping, Grid, SupportPlane};
use crate::hull::Hull;
use crate::number::outward::round_up;
use crate::support::Support;
use glam::{DVec3, Vec3};

/// A plane relative to the centre of the table, in f32.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    normal: Vec3,
    /// Not below the height of any point of the body along `normal` as it is stored.
    offset: f32,
    point: Vec3,
}

/// Support planes by direction.
///
/// ```
/// use impinge_geom::{glam::DVec3, hull::Hull, support_plane::{Grid, PlaneTable}};
/// let hull = Hull::new(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
/// let table = PlaneTable::face_based(&hull, Grid::Octahedral(32));
/// assert_eq!(table.planes().count(), 4);
/// assert_eq!(table.plane(DVec3::new(0.1, 0.2, -3.0)).normal, -DVec3::Z);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneTable {
    grid: Grid,
    center: DVec3,
    /// Which entry each sample names; empty if each has its own.
    samples: Vec<u16>,
    entries: Vec<Entry>,
}

impl PlaneTable {
    /// For each sample the support plane across its direction.
    pub fn vertex_based(hull: &Hull, grid: Grid) -> Self {
        let center = hull.center();
        let entries =
            (0..grid.len()).map(|sample| Entry::new(hull, center, grid.direction(sample)));
        Self { grid, center, samples: Vec::new(), entries: entries.collect() }
    }

    /// For each sample the plane on the face of the hull whose normal is closest to its direction.
    pub fn face_based(hull: &Hull, grid: Grid) -> Self {
        let (center, faces) = (hull.center(), FaceMapping::new(hull));
        let mut numbers = vec![None; faces.planes().len()];
        let (mut samples, mut entries) = (Vec::with_capacity(grid.len()), Vec::new());
        for sample in 0..grid.len() {
            let direction = grid.direction(sample);
            let fresh = entries.len() as u16;
            let number = match numbers.get_mut(faces.index(direction) as usize) {
                Some(number) => *number.get_or_insert(fresh),
                None => fresh,
            };
            if number == fresh {
                entries.push(Entry::new(hull, center, faces.plane(direction).normal));
            }
            samples.push(number);
        }
        Self { grid, center, samples, entries }
    }

    /// The table with its region bounded: if the planes do not bound one yet, the samples next to the axes get the six planes
    /// across the axes. `hull` is that of the table.
    pub fn fully_bounding(mut self, hull: &Hull) -> Self {
        if self.is_fully_bounding() {
            return self;
        }
        if self.samples.is_empty() {
            self.samples = (0..self.entries.len()).map(|entry| entry as u16).collect();
        }
        let mut given = Vec::with_capacity(AXES.len());
        for axis in AXES {
            let mut sample = self.grid.sample(axis);
            // In the coarsest grids several axes share a sample: the next one then serves. There are nine at least.
            while given.contains(&sample) {
                sample = (sample + 1) % self.grid.len();
            }
            given.push(sample);
            if let Some(number) = self.samples.get_mut(sample) {
                *number = self.entries.len() as u16;
                self.entries.push(Entry::new(hull, self.center, axis));
            }
        }
        self
    }

    /// The plane for a direction of any length.
    #[inline]
    pub fn plane(&self, direction: DVec3) -> SupportPlane {
        let sample = self.grid.sample(direction);
        let entry = self.samples.get(sample).map_or(sample, |&entry| usize::from(entry));
        match self.entries.get(entry) {
            Some(entry) => entry.plane(self.center),
            None => SupportPlane { normal: DVec3::X, offset: f64::INFINITY, point: self.center },
        }
    }

    /// All planes in use.
    pub fn planes(&self) -> impl Iterator<Item = SupportPlane> + '_ {
        let mut used = vec![self.samples.is_empty(); self.entries.len()];
        for &entry in &self.samples {
            if let Some(used) = used.get_mut(usize::from(entry)) {
                *used = true;
            }
        }
        let entries = self.entries.iter().zip(used).filter(|(_, used)| *used);
        entries.map(|(entry, _)| entry.plane(self.center))
    }

    /// True if the region below all planes is bounded, as it is for all but the coarsest grids.
    pub fn is_fully_bounding(&self) -> bool {
        is_bounded(self.planes().map(|plane| plane.normal))
    }

    /// The point to which the stored planes are relative.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<u16>() * self.samples.len() + size_of::<Entry>() * self.entries.len()
    }
}

impl Entry {
    /// The support plane across a direction, rounded outwards.
    fn new(hull: &Hull, center: DVec3, direction: DVec3) -> Self {
        let normal = direction.as_vec3();
        let along = normal.as_dvec3();
        let point = hull.support(along).point - center;
        // Four roundings each of the vertex's difference and product.
        let offset = along.dot(point) + 8.0 * f64::EPSILON * hull.radius();
        Self { normal, offset: round_up(offset), point: point.as_vec3() }
    }

    #[inline(always)]
    fn plane(&self, center: DVec3) -> SupportPlane {
        let normal = self.normal.as_dvec3();
        let offset = f64::from(self.offset) + normal.dot(center);
        SupportPlane { normal, offset, point: center + self.point.as_dvec3() }
    }
}
