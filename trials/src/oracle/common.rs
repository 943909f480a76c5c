//! What two closed surfaces have in common as solids, from the volume that both enclose: nothing here asks where surfaces meet.
//!
//! A closed surface winds w(p) = Σ sᵢ · [p is below triangle i] times about a point p, where sᵢ is 1 for a triangle that faces up, -1 for one
//! that faces down and 0 for one on edge. Hence, for two surfaces that wind v and w times,
//!
//! ∫ v·w = Σᵢⱼ sᵢ·tⱼ · ∫ min(zᵢ, zⱼ) over the common shadow of i and j,
//!
//! a finite sum of integrals of linear functions over convex polygons: where i is the lower one, and where j is. (The constant below which nothing is
//! counted falls out, since the signed shadows of a closed surface cancel.) Three facts follow:
//!
//! 1. ∫ w² = ±∫ w iff w is 0 or ±1 almost everywhere, with one sign: the surface bounds a solid, perhaps inside out. Whole numbers are never larger than their
//!    squares.
//! 2. The interiors of two such solids meet iff ∫ v·w ≠ 0.
//! 3. A is a subset of B iff the common volume is all of A's.
//!
//! Polygons are cut in whole numbers. They keep the lines that bound them, so that a corner is never more than one intersection of lines away from the input.
//! The sums are formed modulo two primes near 2^61: different residues prove that two volumes differ; that all residues of different ones
//! are equal happens once in about 2^121.

use super::closed::Standing;
use super::{Point, lattice};
use dashu_int::{IBig, Sign};

/// What two solids have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Common {
    /// No volume.
    Nothing,
    /// Some of both.
    Some,
    /// All of A; perhaps all of B as well.
    AllOfA,
    /// All of B, and not all of A.
    AllOfB,
}

impl Common {
    /// How the solids relate; `meet` tells whether their surfaces have a point in common.
    pub fn standing(self, meet: bool) -> Standing {
        match self {
            Self::Some => Standing::Penetrating,
            Self::AllOfA => Standing::AInB,
            Self::AllOfB => Standing::BInA,
            Self::Nothing if meet => Standing::Touching,
            Self::Nothing => Standing::Separated,
        }
    }
}

/// A triangle by its corners.
type Face = [Point; 3];

/// 1 if a closed surface bounds a solid whose faces are seen counter-clockwise from outside, -1 if it is inside out, and none if some points are enclosed
/// twice or the other way round, or nothing is enclosed.
pub fn orientation(faces: &[Face]) -> Option<i8> {
    let axis = best_axis(faces, faces);
    let facets = Facet::all(&lattice_of(faces, &[]).0, axis);
    let (whole, squared) = (volume(&facets), product(&facets, &facets));
    if whole == Residue::ZERO {
        None
    } else if squared == whole {
        Some(1)
    } else {
        (squared == whole.negated()).then_some(-1)
    }
}

/// What two solids have in common. Each must bound one: `orientations` are those of [`orientation`].
pub fn common(a: &[Face], b: &[Face], orientations: [i8; 2]) -> Common {
    let axis = best_axis(a, b);
    let (of_a, of_b) = lattice_of(a, b);
    let (of_a, of_b) = (Facet::all(&of_a, axis), Facet::all(&of_b, axis));
    let both = product(&of_a, &of_b);
    let turned = |value: Residue, sign: i8| if sign < 0 { value.negated() } else { value };
    if both == Residue::ZERO {
        Common::Nothing
    } else if both == turned(volume(&of_a), orientations[1]) {
        Common::AllOfA
    } else if both == turned(volume(&of_b), orientations[0]) {
        Common::AllOfB
    } else {
        Common::Some
    }
}

type Whole = [IBig; 3];

/// The corners of both as whole numbers over one power of two.
fn lattice_of(a: &[Face], b: &[Face]) -> (Vec<[Whole; 3]>, Vec<[Whole; 3]>) {
    let points: Vec<Point> = a.iter().chain(b).flatten().copied().collect();
    let (whole, _) = lattice::big(&points);
    let mut faces: Vec<[Whole; 3]> =
        whole.chunks_exact(3).map(|p| [p[0].clone(), p[1].clone(), p[2].clone()]).collect();
    let of_b = faces.split_off(a.len());
    (faces, of_b)
}

/// The axis to look along: most faces of what is built stand on edge as seen along one of them.
fn best_axis(a: &[Face], b: &[Face]) -> usize {
    let seen = |faces: &[Face], axis: usize| {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let area = |[p, q, r]: &&Face| {
            (q[u] - p[u]) * (r[v] - p[v]) - (q[v] - p[v]) * (r[u] - p[u]) != 0.0
        };
        faces.iter().filter(area).count()
    };
    (0..3).min_by_key(|&axis| seen(a, axis) * seen(b, axis)).unwrap_or(2)
}

/// The points with a·x + b·y + c ≥ 0.
#[derive(Clone, Debug)]
struct Line([IBig; 3]);

/// The point (x/w, y/w), with w > 0.
#[derive(Clone, Debug)]
struct Corner([IBig; 3]);

impl Line {
    /// To the left of the way from one point to another.
    fn from_to([px, py]: [&IBig; 2], [qx, qy]: [&IBig; 2]) -> Self {
        let (a, b) = (py - qy, qx - px);
        let c = -(&a * px + &b * py);
        Self([a, b, c])
    }

    fn side(&self, corner: &Corner) -> i8 {
        lattice::sign(&lattice::dot(&self.0, &corner.0))
    }

    /// Where two lines that are not parallel meet.
    fn meet(&self, other: &Self) -> Corner {
        let point = lattice::cross(&self.0, &other.0);
        if lattice::sign(&point[2]) < 0 { Corner(point.map(|x| -x)) } else { Corner(point) }
    }

    fn negated(&self) -> Self {
        Self(self.0.clone().map(|x| -x))
    }

    fn is_everywhere(&self) -> bool {
        self.0.iter().all(|x| *x == IBig::ZERO)
    }
}

/// A convex polygon: its corners counter-clockwise, each with the line on which the side that leaves it lies.
type Polygon = Vec<(Corner, Line)>;

/// The part of a polygon on the kept side of a line; empty if it has no area.
fn clipped(polygon: &Polygon, line: &Line) -> Polygon {
    let sides: Vec<i8> = polygon.iter().map(|(corner, _)| line.side(corner)).collect();
    if sides.iter().all(|side| *side >= 0) {
        return polygon.clone();
    }
    if sides.iter().all(|side| *side <= 0) {
        return Polygon::new();
    }
    let mut kept = Polygon::with_capacity(polygon.len() + 1);
    for (k, (corner, edge)) in polygon.iter().enumerate() {
        let (here, next) = (sides[k], sides[(k + 1) % sides.len()]);
        if here >= 0 {
            let leaves = if here == 0 && next < 0 { line } else { edge };
            kept.push((corner.clone(), leaves.clone()));
        }
        if here > 0 && next < 0 {
            kept.push((edge.meet(line), line.clone()));
        } else if here < 0 && next > 0 {
            kept.push((edge.meet(line), edge.clone()));
        }
    }
    kept
}

/// A triangle that is not seen on edge.
struct Facet {
    /// 1 if it faces up, else -1.
    sign: i8,
    /// Its shadow.
    shadow: Polygon,
    /// Its height is (a·x + b·y + c) / d, with d > 0.
    height: [IBig; 4],
    /// The corners of the shadow, rounded: the first two coordinates of each.
    rounded: [[f64; 2]; 3],
}

impl Facet {
    fn all(faces: &[[Whole; 3]], axis: usize) -> Vec<Self> {
        faces.iter().filter_map(|face| Self::new(face, axis)).collect()
    }

    fn new(face: &[Whole; 3], axis: usize) -> Option<Self> {
        let turned = |p: &Whole| -> Whole {
            [p[(axis + 1) % 3].clone(), p[(axis + 2) % 3].clone(), p[axis].clone()]
        };
        let [p, mut q, mut r] = face.each_ref().map(turned);
        let normal = lattice::cross(&lattice::minus(&q, &p), &lattice::minus(&r, &p));
        let sign = lattice::sign(&normal[2]);
        if sign == 0 {
            return None;
        }
        let offset = lattice::dot(&normal, &p);
        let [x, y, z] = normal;
        let height = [-x, -y, offset, z];
        let height = if sign < 0 { height.map(|value| -value) } else { height };
        if sign < 0 {
            std::mem::swap(&mut q, &mut r);
        }
        let corners = [&p, &q, &r];
        let shadow = (0..3).map(|k| {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let corner = Corner([from[0].clone(), from[1].clone(), IBig::ONE]);
            (corner, Line::from_to([&from[0], &from[1]], [&to[0], &to[1]]))
        });
        let rounded = corners.map(|p| [p[0].to_f64().value(), p[1].to_f64().value()]);
        Some(Self { sign, shadow: shadow.collect(), height, rounded })
    }

    /// False if an axis or a side certainly parts both shadows, whatever rounding does to the corners: a unit roundoff of the largest coordinate, and
    /// some more on the way.
    fn may_share_shadow(&self, other: &Self) -> bool {
        let [one, two] = [&self.rounded, &other.rounded];
        let most = one.iter().chain(two).flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        let error = 8.0 * f64::EPSILON * most;
        let ends = |corners: &[[f64; 2]; 3], k: usize| {
            let [p, q, r] = corners.map(|corner| corner[k]);
            [p.min(q).min(r), p.max(q).max(r)]
        };
        let boxes = (0..2).all(|k| {
            let ([low, high], [from, to]) = (ends(one, k), ends(two, k));
            low <= to + error && from <= high + error
        });
        let is_parted = |sides: &[[f64; 2]; 3], corners: &[[f64; 2]; 3]| {
            (0..3).any(|k| {
                let ([px, py], [qx, qy]) = (sides[k], sides[(k + 1) % 3]);
                let (x, y) = (qx - px, qy - py);
                corners.iter().all(|[rx, ry]| {
                    let (u, v) = (rx - px, ry - py);
                    x * v - y * u < -4.0 * error * (x.abs() + y.abs() + u.abs() + v.abs() + error)
                })
            })
        };
        boxes && !is_parted(one, two) && !is_parted(two, one)
    }

    /// Where this facet is not above another.
    fn below(&self, other: &Self) -> Line {
        let [own, others] = [&self.height, &other.height];
        Line(std::array::from_fn(|k| &others[k] * &own[3] - &own[k] * &others[3]))
    }

    /// Six times the integral of the height over a polygon.
    fn integral(&self, polygon: &Polygon) -> Residue {
        let [a, b, c, d] = self.height.each_ref().map(Residue::of);
        let per = d.inverse();
        let placed: Vec<[Residue; 3]> = polygon
            .iter()
            .map(|(Corner(corner), _)| {
                let [x, y, w] = corner.each_ref().map(Residue::of);
                let scale = w.inverse();
                let (x, y) = (x.times(scale), y.times(scale));
                [x, y, a.times(x).plus(b.times(y)).plus(c).times(per)]
            })
            .collect();
        let Some((first, rest)) = placed.split_first() else { return Residue::ZERO };
        let fan = rest.windows(2).map(|two| {
            let way = |p: &[Residue; 3], k: usize| p[k].plus(first[k].negated());
            let (p, q) = (&two[0], &two[1]);
            let area = way(p, 0).times(way(q, 1)).plus(way(p, 1).times(way(q, 0)).negated());
            area.times(first[2].plus(p[2]).plus(q[2]))
        });
        fan.fold(Residue::ZERO, Residue::plus)
    }
}

/// Six times ∫ w.
fn volume(facets: &[Facet]) -> Residue {
    let signed = |facet: &Facet| facet.integral(&facet.shadow).signed(facet.sign);
    facets.iter().map(signed).fold(Residue::ZERO, Residue::plus)
}

/// Six times ∫ v·w.
fn product(of_a: &[Facet], of_b: &[Facet]) -> Residue {
    let mut sum = Residue::ZERO;
    for one in of_a {
        for two in of_b.iter().filter(|two| one.may_share_shadow(two)) {
            let lines = two.shadow.iter().map(|(_, line)| line);
            let common = lines.fold(one.shadow.clone(), |polygon, line| clipped(&polygon, line));
            if common.is_empty() {
                continue;
            }
            let below = one.below(two);
            let mut least = one.integral(&clipped(&common, &below));
            if !below.is_everywhere() {
                least = least.plus(two.integral(&clipped(&common, &below.negated())));
            }
            sum = sum.plus(least.signed(one.sign * two.sign));
        }
    }
    sum
}

/// Primes: the largest below 2^61, and the largest below 2^62.
const PRIMES: [u64; 2] = [(1 << 61) - 1, (1 << 62) - 57];

/// A rational number modulo both primes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Residue([u64; 2]);

impl Residue {
    const ZERO: Self = Self([0; 2]);

    fn of(value: &IBig) -> Self {
        let (sign, size) = value.clone().into_parts();
        let residue = Self(PRIMES.map(|prime| &size % prime));
        if sign == Sign::Negative { residue.negated() } else { residue }
    }

    fn each(f: impl Fn(usize, u64) -> u64) -> Self {
        Self(std::array::from_fn(|k| f(k, PRIMES[k])))
    }

    fn plus(self, other: Self) -> Self {
        Self::each(|k, prime| (self.0[k] + other.0[k]) % prime)
    }

    fn negated(self) -> Self {
        Self::each(|k, prime| (prime - self.0[k]) % prime)
    }

    fn signed(self, sign: i8) -> Self {
        if sign < 0 { self.negated() } else { self }
    }

    fn times(self, other: Self) -> Self {
        Self::each(|k, prime| {
            (u128::from(self.0[k]) * u128::from(other.0[k]) % u128::from(prime)) as u64
        })
    }

    /// By the extended Euclidean algorithm. A denominator is a multiple of a prime as rarely as two numbers share all residues.
    fn inverse(self) -> Self {
        Self::each(|k, prime| {
            // No factor grows beyond the prime.
            let (mut before, mut now) = ((prime as i64, 0_i64), (self.0[k] as i64, 1_i64));
            while now.0 != 0 {
                let quotient = before.0 / now.0;
                let next = (before.0 - quotient * now.0, before.1 - quotient * now.1);
                (before, now) = (now, next);
            }
            before.1.rem_euclid(prime as i64) as u64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::closed::{self, Block};
    use super::*;
    use impinge_lab::Random;

    /// The twelve triangles of a box.
    fn cuboid(low: Point, high: Point) -> Vec<Face> {
        let corner = |k: usize| -> Point {
            std::array::from_fn(|axis| if k >> axis & 1 == 0 { low[axis] } else { high[axis] })
        };
        let squares =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let halves = |[p, q, r, s]: [usize; 4]| [[p, q, r], [p, r, s]];
        squares.into_iter().flat_map(halves).map(|face| face.map(corner)).collect()
    }

    fn inside_out(faces: &[Face]) -> Vec<Face> {
        faces.iter().map(|[p, q, r]| [*p, *r, *q]).collect()
    }

    /// A turn about a skew axis, rounded: faces that were drawn flush are no longer in one plane.
    fn turned(faces: &[Face]) -> Vec<Face> {
        let rows = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]];
        let turn = |p: &Point| -> Point {
            std::array::from_fn(|k| (0..3).map(|c| rows[k][c] * p[c]).sum())
        };
        faces.iter().map(|face| face.each_ref().map(turn)).collect()
    }

    #[test]
    fn a_surface_that_is_entered_twice_bounds_no_solid() {
        let unit = cuboid([0.0; 3], [1.0; 3]);
        assert_eq!(orientation(&unit), Some(1));
        assert_eq!(orientation(&turned(&unit)), Some(1));
        assert_eq!(orientation(&inside_out(&unit)), Some(-1));
        let beside: Vec<Face> =
            unit.iter().copied().chain(cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])).collect();
        assert_eq!(orientation(&beside), Some(1));
        let twice: Vec<Face> = unit.iter().copied().chain(cuboid([0.5; 3], [2.0; 3])).collect();
        assert_eq!(orientation(&twice), None);
        let mixed: Vec<Face> =
            unit.iter().copied().chain(inside_out(&cuboid([3.0; 3], [4.0; 3]))).collect();
        assert_eq!(orientation(&mixed), None);
    }

    #[test]
    fn a_frame_holds_what_fits_its_hole_only_where_it_is_filled() {
        // A wall with a hole: an outer box and an inner one inside out, which reach through.
        let mut frame = cuboid([0.0; 3], [4.0, 4.0, 1.0]);
        frame.extend(inside_out(&cuboid([1.0, 1.0, 0.0], [3.0, 3.0, 1.0])));
        assert_eq!(orientation(&frame), Some(1));
        let ask = |low: Point, high: Point| common(&frame, &cuboid(low, high), [1, 1]);
        assert_eq!(ask([1.0, 1.0, 0.0], [3.0, 3.0, 1.0]), Common::Nothing);
        assert_eq!(ask([1.0, 1.0, 0.25], [3.0_f64.next_up(), 3.0, 0.75]), Common::Some);
        assert_eq!(ask([0.0; 3], [1.0, 4.0, 1.0]), Common::AllOfB);
        assert_eq!(ask([0.0; 3], [4.0, 4.0, 1.0]), Common::AllOfA);
        assert_eq!(common(&frame, &inside_out(&frame), [1, -1]), Common::AllOfA);
    }

    #[test]
    fn agrees_with_cells_between_planes() {
        let mut random = Random::new(5);
        let mut seen = [0; 5];
        for _ in 0..800 {
            let mut block = || {
                let low: Point = std::array::from_fn(|_| random.below(3) as f64);
                let high = std::array::from_fn(|k| low[k] + 1.0 + random.below(3) as f64);
                Block { low, high }
            };
            let [a, b] = [block(), block()];
            let faces = [a, b].map(|block| cuboid(block.low, block.high));
            let standing = closed::blocks(&[a], &[b]).unwrap();
            seen[Standing::ALL.iter().position(|one| *one == standing).unwrap()] += 1;
            let found = common(&faces[0], &faces[1], [1, 1]);
            assert_eq!(found.standing(standing != Standing::Separated), standing, "{a:?} {b:?}");
        }
        assert!(seen.iter().all(|count| *count > 2), "{seen:?}");
    }

    #[test]
    fn agrees_with_the_linear_program_on_tetrahedra() {
        let mut random = Random::new(6);
        let mut seen = [0; 5];
        for _ in 0..600 {
            let [a, b] = [0, 1].map(|_| -> Vec<Face> {
                let corners: [Point; 4] = std::array::from_fn(|_| random.grid(2));
                let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
                turned(&faces.map(|face| face.map(|k: usize| corners[k])))
            });
            let (Some(one), Some(two)) = (orientation(&a), orientation(&b)) else { continue };
            let convex = |faces: &[Face]| {
                let triangles: Vec<[u32; 3]> =
                    (0..4).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
                closed::Convex::new(faces.as_flattened(), &triangles).unwrap()
            };
            let standing = convex(&a).standing(&convex(&b));
            seen[Standing::ALL.iter().position(|known| *known == standing).unwrap()] += 1;
            let found = common(&a, &b, [one, two]);
            assert_eq!(found.standing(standing != Standing::Separated), standing, "{a:?} {b:?}");
        }
        assert!(seen[..3].iter().all(|count| *count > 20), "{seen:?}");
    }
}
