//! Which triangle of a large fan does a point see? By bisection, as the fan is the border of a convex cone.

use super::quickhull::Quickhull;

/// Fans with more triangles than this are searched by bisection. At least four, as the first
/// simplex is no fan; unit tests and fuzzing are content with that.
pub(super) const LARGE_FAN: usize = if cfg!(any(test, fuzzing)) { 4 } else { 24 };

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
    /// the last triangle, it lies in the wedge at the line through the apex and h0, and the half-planes from that line
    /// through each hi sort it into the sector of one triangle; there it is outside the cone iff it sees that triangle. A point
    /// exactly on a half-plane is in two sectors. Where the rim is straight next to h0 one of them may be empty, so both are
    /// asked. A point on the line itself is in all of them.
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
        let (upper, on_plane) = sector(false);
        let found = ask(upper);
        if found.is_some() || !on_plane {
            return found;
        }
        let (lower, _) = sector(true);
        if (lower, upper) == (0, last - 1) {
            // On the line: inside on the side of h0, and in sight of whatever is not in line on the other side.
            let behind = (0..3).any(|k| {
                (origin[k] < top[k] && top[k] < target[k])
                    || (origin[k] > top[k] && top[k] > target[k])
            });
            return if behind { (0..=last).find_map(ask) } else { None };
        }
        ask(lower)
    }
}
