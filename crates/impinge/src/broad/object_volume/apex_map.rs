//! A plane in front of a body, in any direction, in constant time.
//!
//! Laine and Karras, *Apex point map for constant-time bounding plane approximation*, Eurographics Symposium on Rendering 2015. The
//! directions are divided into the cells of a cube map. A cell holds one point, its apex: the plane through the apex, across any
//! direction of the cell, has the whole body behind it.
//!
//! The height h of a body along a direction is convex and grows in proportion to the direction's length, and a direction of a cell is
//! a sum, with weights that are not negative, of the directions to its four corners. So an apex serves the whole cell if it is high
//! enough in these four: p·c ≥ h(c). On a face of the cube p·d is linear in the two coordinates of the face; of the linear functions
//! above four values at the corners of a square, the lowest in the middle has there the larger one of the means over the diagonals.

use impinge_geom::glam::DVec3;

/// The largest number of cells along an edge of the cube.
const FINEST: usize = 64;

/// How much an apex is raised, in parts of the radius of the body: more than all rounding.
const RAISED: f64 = 1e-12;

/// A table of apex points, one per cell of directions.
#[derive(Clone, Debug)]
pub struct ApexMap {
    /// How many cells there are along an edge of the cube.
    resolution: usize,
    /// By face, then by the second and by the first coordinate of the face.
    apexes: Vec<DVec3>,
}

impl ApexMap {
    /// Of a body within a radius of the origin, whose height along a direction of any length is given: the largest scalar product of
    /// the direction and a point of the body. There are `resolution` cells, one at least and at most 64, along an edge of the cube.
    ///
    /// ```
    /// use impinge::broad::ApexMap;
    /// use impinge::geom::glam::DVec3;
    /// let ball = ApexMap::new(16, 2.0, |direction| 2.0 * direction.length());
    /// let height = ball.height(DVec3::new(0.6, 0.0, 0.8));
    /// assert!(height >= 2.0 && height < 2.02);
    /// ```
    pub fn new(resolution: usize, radius: f64, height: impl Fn(DVec3) -> f64) -> Self {
        let resolution = resolution.clamp(1, FINEST);
        let place = |k: usize| 2.0 * k as f64 / resolution as f64 - 1.0;
        let mut apexes = Vec::with_capacity(6 * resolution * resolution);
        for face in 0..6 {
            let row = |k: usize| -> Vec<f64> {
                (0..=resolution).map(|j| height(direction(face, [place(j), place(k)]))).collect()
            };
            let mut below = row(0);
            for k in 0..resolution {
                let above = row(k + 1);
                for j in 0..resolution {
                    let corners = [[below[j], below[j + 1]], [above[j], above[j + 1]]];
                    let middle = [place(j), place(k)].map(|low| low + 1.0 / resolution as f64);
                    apexes.push(apex(face, middle, 1.0 / resolution as f64, corners, radius));
                }
                below = above;
            }
        }
        Self { resolution, apexes }
    }

    /// A height along a direction of any length that no point of the body exceeds.
    pub fn height(&self, direction: DVec3) -> f64 {
        let d = direction.to_array();
        let axis =
            (1..3).fold(0, |best, axis| if d[axis].abs() > d[best].abs() { axis } else { best });
        let length = d[axis].abs();
        if length == 0.0 {
            return 0.0;
        }
        let cell = |x: f64| {
            let scaled = (x / length + 1.0) * 0.5 * self.resolution as f64;
            (scaled as usize).min(self.resolution - 1)
        };
        let face = 2 * axis + usize::from(d[axis] < 0.0);
        let [j, k] = [cell(d[(axis + 1) % 3]), cell(d[(axis + 2) % 3])];
        let apex = self.apexes.get((face * self.resolution + k) * self.resolution + j);
        apex.map_or(f64::INFINITY, |apex| apex.dot(direction))
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        self.apexes.capacity() * size_of::<DVec3>()
    }
}

/// The direction to a point of a face of the cube: face 2k is at +1 on axis k, face 2k + 1 at -1.
fn direction(face: usize, [u, v]: [f64; 2]) -> DVec3 {
    let (axis, sign) = (face / 2, if face.is_multiple_of(2) { 1.0 } else { -1.0 });
    let mut direction = [0.0; 3];
    direction[axis] = sign;
    direction[(axis + 1) % 3] = u;
    direction[(axis + 2) % 3] = v;
    DVec3::from_array(direction)
}

/// The apex of a cell with this middle and half its width, from the heights at its corners.
fn apex(
    face: usize,
    [u, v]: [f64; 2],
    half: f64,
    [[h00, h10], [h01, h11]]: [[f64; 2]; 2],
    radius: f64,
) -> DVec3 {
    let middle = (0.5 * (h00 + h11)).max(0.5 * (h10 + h01));
    // Per half width: the sum and the difference of the two slopes follow the diagonals.
    let (sum, difference) = (0.5 * (h11 - h00), 0.5 * (h10 - h01));
    let slope_u = 0.5 * (sum + difference) / half;
    let slope_v = 0.5 * (sum - difference) / half;
    let ahead = middle - slope_u * u - slope_v * v + RAISED * radius;
    let (axis, sign) = (face / 2, if face.is_multiple_of(2) { 1.0 } else { -1.0 });
    let mut apex = [0.0; 3];
    apex[axis] = sign * ahead;
    apex[(axis + 1) % 3] = slope_u;
    apex[(axis + 2) % 3] = slope_v;
    DVec3::from_array(apex)
}
