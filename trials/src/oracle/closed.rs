//! How two closed meshes relate as solids, where that can be decided without looking at their surfaces.
//!
//! Unions of aligned boxes are sets of cells between the planes of all faces: interiors meet iff a cell is common, one contains the
//! other iff its cells do, and the closed sets meet iff two boxes do. Convex bodies are the common part of half-spaces; whether
//! their interiors meet is an exact linear program over their corners.

use super::lattice::{self, Lattice};
use super::{Place, Point, polytope};

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The smallest coordinates.
    pub low: Point,
    /// The largest coordinates.
    pub high: Point,
}

/// How two solids relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// No common point.
    Separated,
    /// Common points, but no common interior.
    Touching,
    /// Common interior, and neither holds the other.
    Penetrating,
    /// A is a subset of B.
    AInB,
    /// B is a proper subset of A.
    BInA,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Separated, Self::Touching, Self::Penetrating, Self::AInB, Self::BInA];
}

/// Two unions of boxes; `None` if a box has no volume.
pub fn blocks(a: &[Block], b: &[Block]) -> Option<Standing> {
    let flat = |block: &Block| (0..3).any(|c| block.low[c] >= block.high[c]);
    if a.iter().chain(b).any(flat) {
        return None;
    }
    let planes: [Vec<f64>; 3] = std::array::from_fn(|c| {
        let mut planes: Vec<f64> =
            a.iter().chain(b).flat_map(|block| [block.low[c], block.high[c]]).collect();
        planes.sort_by(f64::total_cmp);
        planes.dedup();
        planes
    });
    let (mut common, mut only_a, mut only_b) = (false, false, false);
    for x in planes[0].windows(2) {
        for y in planes[1].windows(2) {
            for z in planes[2].windows(2) {
                let inside = |block: &Block| {
                    [x, y, z]
                        .iter()
                        .enumerate()
                        .all(|(c, range)| block.low[c] <= range[0] && range[1] <= block.high[c])
                };
                let (in_a, in_b) = (a.iter().any(inside), b.iter().any(inside));
                common |= in_a && in_b;
                only_a |= in_a && !in_b;
                only_b |= in_b && !in_a;
            }
        }
    }
    let meet =
        |p: &Block, q: &Block| (0..3).all(|c| p.low[c] <= q.high[c] && q.low[c] <= p.high[c]);
    let meet = a.iter().any(|p| b.iter().any(|q| meet(p, q)));
    Some(match (only_a, only_b) {
        (false, _) => Standing::AInB,
        (true, false) => Standing::BInA,
        _ if common => Standing::Penetrating,
        _ if meet => Standing::Touching,
        _ => Standing::Separated,
    })
}

/// On which side of the plane through the corners the point lies, exactly: 1 where they run counter-clockwise.
pub fn side([a, b, c]: &[Point; 3], point: &Point) -> i8 {
    match lattice::lattice(&[*a, *b, *c, *point]) {
        Lattice::Small(p) => {
            let from = |k: usize| std::array::from_fn(|axis| p[k][axis] - p[0][axis]);
            lattice::determinant_sign(&from(1), &from(2), &from(3))
        }
        Lattice::Big(p) => {
            let from = |k: usize| lattice::minus(&p[k], &p[0]);
            lattice::sign(&lattice::determinant(&from(1), &from(2), &from(3)))
        }
    }
}

/// A closed surface that bounds a convex body.
#[derive(Clone, Debug)]
pub struct Convex {
    points: Vec<Point>,
    facets: Vec<[Point; 3]>,
    /// The side of every facet on which the body lies.
    inner: i8,
}

impl Convex {
    /// Checks exactly that no point lies beyond a facet; `None` if one does, or a facet lies in a plane with all points.
    pub fn new(points: &[Point], triangles: &[[u32; 3]]) -> Option<Self> {
        let facets: Vec<[Point; 3]> =
            triangles.iter().map(|face| face.map(|vertex| points[vertex as usize])).collect();
        let mut inner = 0;
        for facet in &facets {
            let mut own = 0;
            for point in points {
                let side = side(facet, point);
                if side != 0 && own != 0 && side != own {
                    return None;
                }
                own = if side != 0 { side } else { own };
            }
            if own == 0 || (inner != 0 && own != inner) {
                return None;
            }
            inner = own;
        }
        let mut points = points.to_vec();
        points.sort_by(|p, q| p.partial_cmp(q).unwrap_or(std::cmp::Ordering::Equal));
        points.dedup();
        (inner != 0).then_some(Self { points, facets, inner })
    }

    fn holds(&self, points: &[Point]) -> bool {
        self.facets.iter().all(|facet| points.iter().all(|p| side(facet, p) != -self.inner))
    }

    /// How two convex bodies relate.
    pub fn standing(&self, other: &Self) -> Standing {
        if other.holds(&self.points) {
            return Standing::AInB;
        }
        if self.holds(&other.points) {
            return Standing::BInA;
        }
        match polytope::place(&self.points, &other.points).0 {
            Place::Outside => Standing::Separated,
            Place::Boundary => Standing::Touching,
            Place::Inside => Standing::Penetrating,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(low: f64, high: f64) -> Block {
        Block { low: [low; 3], high: [high; 3] }
    }

    fn shifted(block: Block, axis: usize, by: f64) -> Block {
        let mut moved = block;
        moved.low[axis] += by;
        moved.high[axis] += by;
        moved
    }

    #[test]
    fn unions_of_blocks() {
        let unit = block(0.0, 1.0);
        let pair = [unit, shifted(unit, 0, 1.0)];
        let cases = [
            (vec![unit], vec![unit], Standing::AInB),
            (vec![unit], vec![shifted(unit, 1, 1.0)], Standing::Touching),
            (vec![unit], vec![shifted(unit, 1, 1.0_f64.next_up())], Standing::Separated),
            (vec![unit], vec![shifted(unit, 1, 1.0_f64.next_down())], Standing::Penetrating),
            (vec![unit], pair.to_vec(), Standing::AInB),
            (pair.to_vec(), vec![shifted(unit, 0, 0.5)], Standing::BInA),
            (pair.to_vec(), vec![shifted(unit, 0, 1.5)], Standing::Penetrating),
            (vec![block(1.0, 2.0)], vec![unit], Standing::Touching),
        ];
        for (a, b, expected) in cases {
            assert_eq!(blocks(&a, &b), Some(expected), "{a:?} {b:?}");
        }
        assert_eq!(blocks(&[block(1.0, 1.0)], &[unit]), None);
    }

    #[test]
    fn tetrahedra() {
        let points = |size: f64, at: f64| -> Vec<Point> {
            [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]]
                .map(|p: Point| p.map(|x| x + at))
                .to_vec()
        };
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let convex = |size, at| Convex::new(&points(size, at), &faces).unwrap();
        let unit = convex(3.0, 0.0);
        assert_eq!(unit.standing(&convex(1.0, 0.5)), Standing::BInA);
        assert_eq!(convex(1.0, 0.0).standing(&unit), Standing::AInB);
        assert_eq!(unit.standing(&convex(3.0, 0.5)), Standing::Penetrating);
        assert_eq!(unit.standing(&convex(3.0, 1.0)), Standing::Touching);
        assert_eq!(unit.standing(&convex(3.0, 1.0_f64.next_up())), Standing::Separated);
        let mut dented = points(3.0, 0.0);
        dented.push([0.5, 0.5, 0.5]);
        assert!(Convex::new(&dented, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [4, 2, 3]]).is_none());
    }
}
