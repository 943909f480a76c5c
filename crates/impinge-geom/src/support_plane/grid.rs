//! Sampled directions, and the sample nearest to a direction.

use crate::number::angle::atan2;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// An array of N × N directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grid {
    /// Equal steps of both angular coordinates, as in section 4.2: dense at the poles, and a lookup takes two arc tangents.
    Angular(u8),
    /// The faces of an octahedron, unfolded into a square of equal cells: nearly even, and a lookup takes one division.
    Octahedral(u8),
}

impl Grid {
    /// Number of samples along each side; at least three, so that planes can bound a region.
    pub fn side(self) -> usize {
        let (Self::Angular(side) | Self::Octahedral(side)) = self;
        usize::from(side).max(3)
    }

    /// Number of samples.
    ///
    /// ```
    /// use impinge_geom::support_plane::Grid;
    /// assert_eq!(Grid::Octahedral(32).len(), 1024);
    /// ```
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        self.side() * self.side()
    }

    /// The direction of a sample, of unit length.
    pub fn direction(self, sample: usize) -> DVec3 {
        let side = self.side();
        let (column, row) = ((sample % side) as f64, (sample / side % side) as f64);
        match self {
            Self::Angular(_) => {
                let [azimuth_sine, azimuth_cosine] = turn(TAU * column / side as f64);
                let [sine, cosine] = turn(PI * (row + 0.5) / side as f64);
                DVec3::new(sine * azimuth_cosine, sine * azimuth_sine, cosine)
            }
            Self::Octahedral(_) => {
                let place = |k: f64| (2.0 * k + 1.0) / side as f64 - 1.0;
                unfolded(place(column), place(row)).normalize_or(DVec3::Z)
            }
        }
    }

    /// The sample nearest to a direction of any length.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, support_plane::Grid};
    /// let (grid, direction) = (Grid::Angular(32), DVec3::new(3.0, -2.0, 1.0));
    /// assert!(grid.direction(grid.sample(direction)).angle_between(direction) < 0.12);
    /// ```
    #[inline]
    pub fn sample(self, direction: DVec3) -> usize {
        let side = self.side();
        // Casts from floating point saturate, so that nothing is out of range whatever the direction.
        let (column, row) = match self {
            Self::Angular(_) => {
                let azimuth = atan2(direction.y, direction.x) / TAU;
                let azimuth = if azimuth < 0.0 { azimuth + 1.0 } else { azimuth };
                let across = (direction.x * direction.x + direction.y * direction.y).sqrt();
                let polar = atan2(across, direction.z) / PI;
                ((azimuth * side as f64 + 0.5) as usize % side, (polar * side as f64) as usize)
            }
            Self::Octahedral(_) => {
                let [u, v] = folded(direction);
                let half = 0.5 * side as f64;
                (((u + 1.0) * half) as usize, ((v + 1.0) * half) as usize)
            }
        };
        row.min(side - 1) * side + column.min(side - 1)
    }
}

/// The point of the octahedron |x| + |y| + |z| = 1 that is at (u, v) of the square from −1 to 1.
fn unfolded(u: f64, v: f64) -> DVec3 {
    let z = 1.0 - u.abs() - v.abs();
    if z >= 0.0 {
        DVec3::new(u, v, z)
    } else {
        DVec3::new((1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v), z)
    }
}

/// Where in the square a direction is.
#[inline(always)]
fn folded(direction: DVec3) -> [f64; 2] {
    let size = direction.abs();
    let factor = 1.0 / (size.x + size.y + size.z);
    let (u, v) = (size.x * factor, size.y * factor);
    let (u, v) = if direction.z >= 0.0 { (u, v) } else { (1.0 - v, 1.0 - u) };
    [u.copysign(direction.x), v.copysign(direction.y)]
}

/// Sine and cosine of an angle up to a full turn, to about 1e-13: nothing but the spacing of samples rests on them.
fn turn(angle: f64) -> [f64; 2] {
    let angle = if angle > PI { angle - TAU } else { angle };
    // The exponential series of an imaginary number, from its smallest term up.
    let (mut cosine, mut sine) = (1.0, 0.0);
    for k in (1..=36).rev() {
        let part = angle / f64::from(k);
        (cosine, sine) = (1.0 - part * sine, part * cosine);
    }
    [sine, cosine]
}

#[cfg(test)]
mod tests {
    use super::{Grid, turn};

    #[test]
    fn samples_belong_to_themselves() {
        for side in [2u8, 3, 6, 7, 32, 44, 255] {
            for grid in [Grid::Angular(side), Grid::Octahedral(side)] {
                for sample in 0..grid.len() {
                    let direction = grid.direction(sample);
                    assert!((direction.length() - 1.0).abs() < 1e-12, "{grid:?} {sample}");
                    assert_eq!(grid.sample(direction * 3.7), sample, "{grid:?} {direction}");
                }
            }
        }
    }

    #[test]
    fn turns_are_those_of_the_library() {
        for i in 0..=1000 {
            let angle = std::f64::consts::TAU * f64::from(i) / 1000.0;
            let [sine, cosine] = turn(angle);
            assert!((sine - angle.sin()).abs() < 1e-13 && (cosine - angle.cos()).abs() < 1e-13);
        }
    }
}
