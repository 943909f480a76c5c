//! The cells that a triangle touches.
//!
//! A block of cells is left alone if an axis parts it from the triangle (T. Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", 2001:
//! three normals of the box, that of the triangle, and nine products of edges), else halved along its longest side until single cells
//! are left. So the work follows the number of cells that are touched, however long and thin the triangle is.

use super::cells::Cells;
use impinge_geom::glam::DVec3;

/// Blocks further away than this, in cells, are not touched. Coordinates in cells are below 2^10 and wrong by less than 2^-38.
const NEAR: f64 = 1e-9;

/// Occupies the cells that the triangle touches. Its corners are in cells from the corner of the grid.
pub(super) fn fill(corners: &[DVec3; 3], cells: &mut Cells) {
    let [a, b, c] = *corners;
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let counts = cells.counts();
    let (mut first, mut end) = ([0; 3], [0; 3]);
    for axis in 0..3 {
        // What lies on a plane between cells touches those on both sides; what lies on the far side of the grid, the last ones.
        let last = f64::from(counts[axis] - 1);
        first[axis] = (low[axis] - NEAR).floor().clamp(0.0, last) as u32;
        end[axis] = (high[axis] + NEAR).floor().clamp(0.0, last) as u32 + 1;
    }
    halve(&Axes::new(corners), [first, end], cells);
}

/// Occupies what is touched of a block, from its first cell to the end.
fn halve(axes: &Axes, [first, end]: [[u32; 3]; 2], cells: &mut Cells) {
    let corner = |cell: [u32; 3]| DVec3::from_array(cell.map(f64::from));
    let (low, high) = (corner(first), corner(end));
    if axes.part((low + high) * 0.5, (high - low) * 0.5) {
        return;
    }
    let sides = [end[0] - first[0], end[1] - first[1], end[2] - first[2]];
    let longest = if sides[0] >= sides[1] && sides[0] >= sides[2] {
        0
    } else if sides[1] >= sides[2] {
        1
    } else {
        2
    };
    if sides[longest] <= 1 {
        cells.occupy(first);
        return;
    }
    let (mut middle_end, mut middle_first) = (end, first);
    middle_end[longest] = first[longest] + sides[longest] / 2;
    middle_first[longest] = middle_end[longest];
    halve(axes, [first, middle_end], cells);
    halve(axes, [middle_first, end], cells);
}

/// The axes along which a triangle and a box may be apart, but those of the box, and what the triangle covers along each.
struct Axes {
    bounds: [DVec3; 2],
    others: [(DVec3, f64, f64); 10],
}

impl Axes {
    fn new(corners: &[DVec3; 3]) -> Self {
        let [a, b, c] = *corners;
        let edges = [b - a, c - b, a - c];
        let cover = |axis: DVec3| {
            let [u, v, w] = [axis.dot(a), axis.dot(b), axis.dot(c)];
            (axis, u.min(v).min(w), u.max(v).max(w))
        };
        let mut others = [cover(edges[0].cross(edges[1])); 10];
        for (k, edge) in edges.into_iter().enumerate() {
            for (i, unit) in DVec3::AXES.into_iter().enumerate() {
                others[1 + 3 * k + i] = cover(edge.cross(unit));
            }
        }
        Self { bounds: [a.min(b).min(c), a.max(b).max(c)], others }
    }

    /// True if an axis parts the triangle from the box.
    fn part(&self, center: DVec3, half: DVec3) -> bool {
        let [low, high] = self.bounds;
        let reach = half + DVec3::splat(NEAR);
        if (low - center).cmpgt(reach).any() || (center - high).cmpgt(reach).any() {
            return true;
        }
        self.others.iter().any(|&(axis, low, high)| {
            let (middle, radius) = (axis.dot(center), axis.abs().dot(reach));
            low - middle > radius || middle - high > radius
        })
    }
}
