//! Occupancy grids of meshes: a coarse test, and a picture of the inside.
//!
//! Two ways to fill the cells. [`Voxels::of_surface`] takes every cell that the surface touches, and possibly a few that it misses by less
//! than a billionth of a cell: where no cells are shared, the surfaces are certainly apart. [`Voxels::of_inside`] takes the cells
//! whose centres are inside: the best approximation of the solid, but thin parts fall between the centres.

mod cells;
mod meet;
mod surface;

pub use meet::share_a_cell;

use crate::mesh::{self, Mesh, Scratch, Winding};
use cells::Cells;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use std::fmt;

/// The largest number of cells along the longest side of a mesh.
pub const FINEST: u32 = 1024;

/// The cells of a cubic grid that a mesh occupies.
#[derive(Clone, Debug, PartialEq)]
pub struct Voxels {
    low: DVec3,
    size: f64,
    cells: Cells,
}

/// Why a grid could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoxelError {
    /// Zero cells, or more than [`FINEST`] along a side.
    Resolution(u32),
}

impl fmt::Display for VoxelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resolution(asked) => {
                write!(f, "{asked} cells along the longest side: ask for 1 to {FINEST}")
            }
        }
    }
}

impl std::error::Error for VoxelError {}

impl Voxels {
    /// The cells that the surface touches, `resolution` of them along its longest side.
    ///
    /// ```
    /// use impinge::{Mesh, voxel::Voxels};
    /// let mesh: Mesh = Mesh::new(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], &[[0, 1, 2]])?;
    /// let voxels = Voxels::of_surface(&mesh, 4)?;
    /// assert_eq!((voxels.size(), voxels.counts()), (1.0, [4, 4, 1]));
    /// assert!(voxels.is_occupied([1, 1, 0]) && !voxels.is_occupied([3, 3, 0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_surface<B: Bound>(mesh: &Mesh<B>, resolution: u32) -> Result<Self, VoxelError> {
        let mut voxels = Self::empty(mesh, resolution)?;
        for triangle in 0..mesh.triangles().len() as u32 {
            let corners = mesh.corners(triangle).map(|corner| (corner - voxels.low) / voxels.size);
            surface::fill(&corners, &mut voxels.cells);
        }
        Ok(voxels)
    }

    /// The cells whose centres belong to the solid, by [`mesh::winding`]: exact for closed meshes, an estimate for open ones.
    ///
    /// ```
    /// use impinge::{Mesh, voxel::Voxels};
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let voxels = Voxels::of_inside(&mesh, 4)?;
    /// // Centres with coordinates of half a cell and a sum of at most four.
    /// assert_eq!(voxels.occupied(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_inside<B: Bound>(mesh: &Mesh<B>, resolution: u32) -> Result<Self, VoxelError> {
        // Between the centres of two cells that the surface does not touch there is nothing to cross: what holds for one holds for
        // the next. An estimate, of an open mesh, changes anywhere.
        let surface = Self::of_surface(mesh, resolution)?;
        let mut voxels = Self { cells: Cells::new(surface.counts()), ..surface };
        let mut scratch = Scratch::default();
        let [columns, rows, layers] = voxels.counts();
        for z in 0..layers {
            for y in 0..rows {
                let mut last = None;
                for x in 0..columns {
                    let touched = surface.is_occupied([x, y, z]);
                    let inside = match last {
                        Some(inside) if !touched => inside,
                        _ => {
                            let center = voxels.center([x, y, z]);
                            let winding = mesh::winding(mesh, center, &mut scratch);
                            let carries = !touched && matches!(winding, Winding::Number(_));
                            last = carries.then_some(winding.is_inside());
                            winding.is_inside()
                        }
                    };
                    if touched {
                        last = None;
                    }
                    if inside {
                        voxels.cells.occupy([x, y, z]);
                    }
                }
            }
        }
        Ok(voxels)
    }

    /// A grid over the vertices that triangles use, without an occupied cell.
    fn empty<B: Bound>(mesh: &Mesh<B>, resolution: u32) -> Result<Self, VoxelError> {
        if resolution == 0 || resolution > FINEST {
            return Err(VoxelError::Resolution(resolution));
        }
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for triangle in 0..mesh.triangles().len() as u32 {
            for corner in mesh.corners(triangle) {
                (low, high) = (low.min(corner), high.max(corner));
            }
        }
        let sides = high - low;
        let size = sides.max_element() / f64::from(resolution);
        // A single point, or nearly: one cell.
        let size = if size >= f64::MIN_POSITIVE { size } else { 1.0 };
        let counts =
            (sides / size).to_array().map(|side| (side.ceil() as u32).clamp(1, resolution));
        Ok(Self { low, size, cells: Cells::new(counts) })
    }

    /// The corner with the smallest coordinates.
    pub fn low(&self) -> DVec3 {
        self.low
    }

    /// The side length of a cell.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Number of cells along each axis.
    pub fn counts(&self) -> [u32; 3] {
        self.cells.counts()
    }

    /// The centre of a cell.
    pub fn center(&self, cell: [u32; 3]) -> DVec3 {
        self.low + DVec3::from_array(cell.map(|place| f64::from(place) + 0.5)) * self.size
    }

    /// True if the cell exists and is occupied.
    pub fn is_occupied(&self, cell: [u32; 3]) -> bool {
        self.cells.is_occupied(cell)
    }

    /// Number of occupied cells.
    pub fn occupied(&self) -> usize {
        self.cells.occupied().count()
    }

    /// The occupied cells, x fastest.
    ///
    /// ```
    /// use impinge::{Mesh, voxel::Voxels};
    /// let mesh: Mesh = Mesh::new(&[[0.0; 3], [3.0, 0.0, 0.0], [3.0, 0.0, 0.0]], &[[0, 1, 2]])?;
    /// let cells: Vec<_> = Voxels::of_surface(&mesh, 3)?.cells().collect();
    /// assert_eq!(cells, [[0, 0, 0], [1, 0, 0], [2, 0, 0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cells(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.cells.occupied()
    }

    /// Memory used by the cells, in bytes: one bit each.
    pub fn bytes(&self) -> usize {
        self.cells.bytes()
    }
}
