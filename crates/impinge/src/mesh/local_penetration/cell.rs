//! Convex cells: polygons of a surface, and polytopes of space, with what cuts them in two.

use impinge_geom::glam::DVec3;

/// The points with `normal · x = offset`.
#[derive(Clone, Copy, Debug)]
pub(in crate::mesh) struct Plane {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

impl Plane {
    /// The plane through a point; none if the normal has no direction.
    pub(super) fn through(point: DVec3, normal: DVec3) -> Option<Self> {
        let normal = normal.try_normalize()?;
        Some(Self { normal, offset: normal.dot(point) })
    }

    /// The plane of a triangle; none if it has no area.
    pub(super) fn of_triangle([a, b, c]: &[DVec3; 3]) -> Option<Self> {
        Self::through(*a, (*b - *a).cross(*c - *a))
    }

    /// The same plane from its other side.
    pub(super) fn turned(self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }

    pub(super) fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// A convex polygon, or a convex polytope by its faces.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    faces: Vec<Vec<DVec3>>,
    /// The corners, each once.
    distinct: Vec<DVec3>,
}

impl Cell {
    pub(super) fn polygon(corners: &[DVec3]) -> Self {
        Self::of_faces(vec![corners.to_vec()])
    }

    fn of_faces(faces: Vec<Vec<DVec3>>) -> Self {
        let mut distinct: Vec<DVec3> = Vec::with_capacity(faces.len() + 2);
        for corner in faces.iter().flatten() {
            if !distinct.contains(corner) {
                distinct.push(*corner);
            }
        }
        Self { faces, distinct }
    }

    /// The box that reaches from `low` to `high` along three axes.
    pub(super) fn cuboid(axes: &[DVec3; 3], low: DVec3, high: DVec3) -> Self {
        let corner = |k: usize| {
            let along = |axis: usize| if k & (1 << axis) == 0 { low[axis] } else { high[axis] };
            axes[0] * along(0) + axes[1] * along(1) + axes[2] * along(2)
        };
        let sides =
            [[0, 2, 6, 4], [1, 3, 7, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 1, 3, 2], [4, 5, 7, 6]];
        let face = |side: &[usize; 4]| side.iter().map(|&k| corner(k)).collect();
        Self::of_faces(sides.iter().map(face).collect())
    }

    /// The corners, each once.
    pub(super) fn corners(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.distinct.iter().copied()
    }

    /// The only face of a polygon.
    pub(super) fn outline(&self) -> &[DVec3] {
        self.faces.first().map_or(&[], Vec::as_slice)
    }

    /// The middle, and how far the corners are from it.
    pub(super) fn ball(&self) -> (DVec3, f64) {
        // Corners of a polytope count once for each of its faces.
        let each = || self.faces.iter().flatten();
        let count = each().count().max(1) as f64;
        let middle = each().fold(DVec3::ZERO, |sum, p| sum + *p / count);
        (middle, self.corners().map(|p| p.distance(middle)).fold(0.0, f64::max))
    }

    /// The plane across the longest way between two corners, in its middle.
    pub(super) fn halving(&self) -> Option<Plane> {
        let corners: Vec<DVec3> = self.corners().collect();
        let (mut best, mut ends) = (0.0, None);
        for (k, p) in corners.iter().enumerate() {
            for q in &corners[..k] {
                let way = p.distance_squared(*q);
                if way > best {
                    (best, ends) = (way, Some([*p, *q]));
                }
            }
        }
        let [p, q] = ends?;
        Plane::through(0.5 * p + 0.5 * q, p - q)
    }

    /// How far the cell reaches along a direction.
    pub(super) fn reach(&self, along: DVec3) -> [f64; 2] {
        let empty = [f64::INFINITY, f64::NEG_INFINITY];
        let heights = self.corners().map(|p| p.dot(along));
        heights.fold(empty, |[low, high], h| [low.min(h), high.max(h)])
    }

    /// True if a plane cuts off more than a sliver on both sides.
    pub(super) fn is_cut_fairly(&self, plane: &Plane, margin: f64) -> bool {
        let [low, high] = self.reach(plane.normal);
        self.is_cut(plane, margin.max(0.05 * (high - low)))
    }

    /// True if some of the cell is more than `margin` away on both sides of a plane.
    pub(super) fn is_cut(&self, plane: &Plane, margin: f64) -> bool {
        let (mut below, mut above) = (false, false);
        for p in self.corners() {
            let height = plane.height(p);
            below |= height < -margin;
            above |= height > margin;
        }
        below && above
    }

    /// The parts on either side of a plane that cuts it. Corners within `margin` of the plane belong to both.
    pub(super) fn cut(&self, plane: &Plane, margin: f64) -> [Self; 2] {
        let solid = self.faces.len() > 1;
        [1.0, -1.0].map(|side| {
            let mut faces: Vec<Vec<DVec3>> = Vec::with_capacity(self.faces.len() + 1);
            let mut rim = Vec::new();
            for face in &self.faces {
                let part = clipped(face, plane, side, margin, &mut rim);
                if part.len() > 2 {
                    faces.push(part);
                }
            }
            if solid {
                let cap = in_order(rim, plane.normal, margin);
                if cap.len() > 2 {
                    faces.push(cap);
                }
            }
            Self::of_faces(faces)
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }
}

/// The part of a polygon on one side of a plane; its points in the plane go to the rim as well.
fn clipped(
    face: &[DVec3],
    plane: &Plane,
    side: f64,
    margin: f64,
    rim: &mut Vec<DVec3>,
) -> Vec<DVec3> {
    let mut part = Vec::with_capacity(face.len() + 1);
    for (k, &p) in face.iter().enumerate() {
        let q = face[(k + 1) % face.len()];
        let (here, next) = (side * plane.height(p), side * plane.height(q));
        if here >= -margin {
            part.push(p);
            if here <= margin {
                rim.push(p);
            }
        }
        let crosses = (here > margin && next < -margin) || (here < -margin && next > margin);
        if crosses {
            let at = p + (q - p) * (here / (here - next));
            part.push(at);
            rim.push(at);
        }
    }
    part
}

/// The points of a plane as the outline of a convex polygon.
fn in_order(mut points: Vec<DVec3>, normal: DVec3, margin: f64) -> Vec<DVec3> {
    let count = points.len().max(1) as f64;
    let middle = points.iter().fold(DVec3::ZERO, |sum, p| sum + *p / count);
    let across = normal.any_orthonormal_vector();
    let along = normal.cross(across);
    // The angle as a number that grows with it: no functions of angles are needed.
    let turn = |p: &DVec3| {
        let (x, y) = ((*p - middle).dot(across), (*p - middle).dot(along));
        let share = x / (x.abs() + y.abs()).max(f64::MIN_POSITIVE);
        if y >= 0.0 { 1.0 - share } else { 3.0 + share }
    };
    points.sort_by(|p, q| turn(p).total_cmp(&turn(q)));
    points.dedup_by(|p, q| p.distance_squared(*q) <= margin * margin);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_cut_into_polytopes_that_keep_its_corners() {
        let whole = Cell::cuboid(&DVec3::AXES, DVec3::ZERO, DVec3::splat(2.0));
        let plane = Plane::through(DVec3::ONE, DVec3::ONE).unwrap();
        assert!(whole.is_cut(&plane, 1e-12));
        for part in whole.cut(&plane, 1e-12) {
            // Three squares halved, three triangles cut off, and the hexagon between.
            assert_eq!(part.faces.len(), 7);
            let (middle, _) = part.ball();
            let again = part.cut(&Plane::through(middle, DVec3::X).unwrap(), 1e-12);
            assert!(again.iter().all(|part| part.corners().all(whole_holds)));
        }
    }

    fn whole_holds(p: DVec3) -> bool {
        p.cmpge(DVec3::splat(-1e-9)).all() && p.cmple(DVec3::splat(2.0 + 1e-9)).all()
    }
}
