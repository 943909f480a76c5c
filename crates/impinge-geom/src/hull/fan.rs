//! Which triangle of a large fan does a point see? By bisection, as the fan is the border of a convex cone.

use super::quickhull::Quickhull;

/// Fans with more triangles than this are searched by bisection.
pub(super) const LARGE_FAN: usize = 24;

impl Quickhull<'_> {
    /// Rotates the fan such that it begins at a true corner: its last and its first triangle are not in one plane.
    pub(super) fn begin_fan_at_corner(&mut self) {
        let count = self.fan.len();
        let corner = (0..count).find(|first| {
            let before = self.triangles[self.fan[(first + count - 1) % count] as usize].corners;
            let after = self.triangles[self.fan[*first] as usize].corners;
            let [a, b, apex] = before.map(|index| self.points[index as usize]);
            self.lattice.side(a, b, apex, self.points[after[1] as usize]) != 0
        });
        // A cone that contains the hull always has corners.
        self.fan.rotate_left(corner.unwrap_or(0));
    }

    /// A triangle of the fan that the point sees, and its height above it.
    ///
    /// The rim of the fan is h0, h1, … counter-clockwise around the apex, h0 a true corner. If the point sees neither the first nor
    /// the last triangle, it lies within the wedge at h0, and the planes through the apex, h0 and hi sort it into the sector of
    /// one triangle. Seen from the apex this is the search in a convex polygon. A point exactly on such a plane may belong to
    /// either sector; where the rim is straight near h0 only one of them tells, so both are asked.
    pub(super) fn search_fan(&self, point: u32, apex: u32) -> Option<(u32, f64)> {
        let ask = |place: usize| {
            let triangle = self.fan[place];
            self.sees(point, triangle).map(|height| (triangle, height))
        };
        let last = self.fan.len() - 1;
        if let Some(found) = ask(0).or_else(|| ask(last)) {
            return Some(found);
        }
        let position = |index: u32| self.points[index as usize];
        let rim = |place: usize| self.triangles[self.fan[place] as usize].corners[0];
        let (origin, top, target) = (position(rim(0)), position(apex), position(point));
        let sector = |strictly: bool| {
            // The point is left of the plane of `low`, or on it, and right of that of `high`, or on it.
            let (mut low, mut high, mut on_plane) = (usize::from(!strictly), last, false);
            while high - low > 1 {
                let middle = (low + high) / 2;
                let side = self.lattice.side(origin, position(rim(middle)), top, target);
                on_plane |= side == 0;
                if side > 0 || (side == 0 && !strictly) { low = middle } else { high = middle }
            }
            (low, on_plane)
        };
        let (place, on_plane) = sector(false);
        ask(place).or_else(|| if on_plane { ask(sector(true).0) } else { None })
    }
}
