//! Cells of a lattice that share corners, edges and faces, whose points are a little off: what is flush is bent. The coordinates are whole numbers, so that
//! the test knows by integers whether two cells overlap.

use crate::solids::mesh;
use impinge::geom::{Inside, Pose, Verdict};
use impinge::mesh::{self, Mesh, Mode, ScaledPose, Scratch};

/// A linear congruence, of which the high half is used.
struct Bits(u64);

impl Bits {
    fn below(&mut self, limit: u64) -> i64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) % limit) as i64
    }
}

type Point = [i64; 3];

/// A lattice of three by three by three cells: its points are moved by up to a unit of 4096, turned and sheared.
fn lattice(bits: &mut Bits, turn: bool) -> Vec<Point> {
    let mut points = Vec::new();
    for n in 0..64 {
        let at = [n % 4, n / 4 % 4, n / 16].map(|k| 4096 * k + bits.below(3) - 1);
        let [x, y, z] = at;
        points.push(if turn { [3 * x - y + 2 * z, x + 4 * y - z, -2 * x + y + 5 * z] } else { at });
    }
    points
}

/// The faces of a cell as squares of its corners (bit 0 along x, 1 along y, 2 along z), seen from outside, in pairs across x, y and z.
const SQUARES: [[usize; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// A cell, and for each square whether it is cut from the first corner or from the second.
struct Cell {
    corners: [Point; 8],
    from_second: [bool; 6],
}

impl Cell {
    fn new(points: &[Point], at: [usize; 3], bits: &mut Bits) -> Self {
        let corner = |k: usize| {
            let [x, y, z] = [at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2)];
            points[x + 4 * y + 16 * z]
        };
        let corners = std::array::from_fn(corner);
        Self { corners, from_second: std::array::from_fn(|_| bits.below(2) == 1) }
    }

    fn mesh(&self) -> Mesh {
        let points = self.corners.map(|p| p.map(|x| x as f64)).to_vec();
        let mut faces = Vec::new();
        for (square, from_second) in SQUARES.iter().zip(self.from_second) {
            let [a, b, c, d] = square.map(|k| k as u32);
            faces.extend(if from_second { [[b, c, d], [b, d, a]] } else { [[a, b, c], [a, c, d]] });
        }
        mesh(&(points, faces))
    }
}

/// Six times the volume of a tetrahedron.
fn volume([a, b, c, d]: [Point; 4]) -> i128 {
    let [p, q, r] = [b, c, d].map(|p| [0, 1, 2].map(|k| i128::from(p[k] - a[k])));
    p[0] * (q[1] * r[2] - q[2] * r[1])
        + p[1] * (q[2] * r[0] - q[0] * r[2])
        + p[2] * (q[0] * r[1] - q[1] * r[0])
}

/// Whether two cells that share a square overlap: if they cut it differently, they share the tetrahedron of its corners or leave it empty.
fn overlap(one: &Cell, two: &Cell, side: usize) -> bool {
    let square = SQUARES[side].map(|k| one.corners[k]);
    let diagonal = |cell: &Cell, side: usize| {
        let [a, b, c, d] = SQUARES[side].map(|k| cell.corners[k]);
        if cell.from_second[side] { [b, d] } else { [a, c] }
    };
    let (own, other) = (diagonal(one, side), diagonal(two, side ^ 1));
    let same = own.iter().all(|p| other.contains(p));
    // The last corner lies above the plane of the first three, seen from the first cell, where this is positive.
    let above = volume(square);
    !same && if one.from_second[side] { above > 0 } else { above < 0 }
}

fn ask(a: &Mesh, b: &Mesh, scratch: &mut Scratch) -> Verdict {
    let here: ScaledPose = Pose::IDENTITY.into();
    mesh::verdict(a, b, &here, Mode::Solid, scratch).verdict
}

#[test]
fn cells_that_share_a_face_overlap_where_integers_say_so() {
    let (mut bits, mut scratch, mut counts) = (Bits(5), Scratch::default(), [0; 2]);
    for round in 0..300 {
        let points = lattice(&mut bits, round % 2 == 1);
        let axis = round % 3;
        let mut next = [1; 3];
        next[axis] = 2;
        let (one, two) =
            (Cell::new(&points, [1; 3], &mut bits), Cell::new(&points, next, &mut bits));
        let expected = overlap(&one, &two, 2 * axis + 1);
        counts[usize::from(expected)] += 1;
        let expected = if expected { Verdict::Penetrating } else { Verdict::Touching };
        let (a, b) = (one.mesh(), two.mesh());
        assert_eq!(ask(&a, &b, &mut scratch), expected, "round {round}");
        assert_eq!(ask(&b, &a, &mut scratch), expected, "round {round}, turned round");
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

#[test]
fn cells_that_share_an_edge_or_a_corner_touch() {
    let (mut bits, mut scratch) = (Bits(11), Scratch::default());
    for round in 0..200 {
        let points = lattice(&mut bits, round % 2 == 1);
        let next = [[2, 2, 1], [1, 0, 2], [2, 1, 0], [2, 2, 2], [0, 2, 0]][round % 5];
        let a = Cell::new(&points, [1; 3], &mut bits).mesh();
        let b = Cell::new(&points, next, &mut bits).mesh();
        assert_eq!(ask(&a, &b, &mut scratch), Verdict::Touching, "round {round}");
    }
}

#[test]
fn a_copy_is_contained_and_one_cut_otherwise_overlaps() {
    let (mut bits, mut scratch) = (Bits(3), Scratch::default());
    let points = lattice(&mut bits, true);
    let cell = Cell::new(&points, [1; 3], &mut bits);
    assert_eq!(ask(&cell.mesh(), &cell.mesh(), &mut scratch), Verdict::Contained(Inside::A));
    // The same corners: for each square one of the two holds the tetrahedron of its corners.
    let [mut more, mut less] = [false; 2];
    for side in 0..6 {
        let square = SQUARES[side].map(|k| cell.corners[k]);
        let from_second = cell.from_second;
        let mut turned = Cell { corners: cell.corners, from_second };
        turned.from_second[side] = !from_second[side];
        let above = volume(square);
        let is_larger = if from_second[side] { above < 0 } else { above > 0 };
        let expected = match above {
            0 => Verdict::Contained(Inside::A),
            _ if is_larger => Verdict::Contained(Inside::B),
            _ => Verdict::Contained(Inside::A),
        };
        (more, less) = (more | (is_larger && above != 0), less | (!is_larger && above != 0));
        assert_eq!(ask(&turned.mesh(), &cell.mesh(), &mut scratch), expected, "{side}");
    }
    assert!(more && less);
}
