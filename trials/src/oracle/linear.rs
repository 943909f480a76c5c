//! Do two convex hulls meet, and do their relative interiors? By a linear program in exact rational numbers.
//!
//! Σ αᵢ aᵢ = Σ βⱼ bⱼ, Σ αᵢ = Σ βⱼ = 1, αᵢ ≥ t, βⱼ ≥ t, maximise t. The hulls meet iff the maximum is at least 0, and their
//! relative interiors, which are the strictly positive combinations, iff it is greater. Solved by the two-phase simplex
//! method on a tableau; the same code runs on f64 to guess, see [`super::polytope`].

use super::{Place, Point};
use dashu_ratio::RBig;

/// A number that the simplex method can run on.
pub trait Number: Clone {
    /// Whether arithmetic is exact, so that the simplex method always ends.
    const EXACT: bool;
    /// From a finite f64.
    fn from_f64(value: f64) -> Self;
    /// `self − factor · other`.
    fn minus_product(&self, factor: &Self, other: &Self) -> Self;
    /// The quotient.
    fn over(&self, divisor: &Self) -> Self;
    /// -1, 0 or 1; inexact numbers take what is negligible for 0.
    fn side(&self) -> i8;
    /// Whether it is less than the other.
    fn less(&self, other: &Self) -> bool;
}

impl Number for RBig {
    const EXACT: bool = true;
    fn from_f64(value: f64) -> Self {
        // Only NaN and infinities fail, and no coordinate is one.
        RBig::try_from(value).unwrap_or(RBig::ZERO)
    }
    fn minus_product(&self, factor: &Self, other: &Self) -> Self {
        if *other == RBig::ZERO { self.clone() } else { self - factor * other }
    }
    fn over(&self, divisor: &Self) -> Self {
        self / divisor
    }
    fn side(&self) -> i8 {
        i8::from(*self > RBig::ZERO) - i8::from(*self < RBig::ZERO)
    }
    fn less(&self, other: &Self) -> bool {
        self < other
    }
}

impl Number for f64 {
    const EXACT: bool = false;
    fn from_f64(value: f64) -> Self {
        value
    }
    fn minus_product(&self, factor: &Self, other: &Self) -> Self {
        self - factor * other
    }
    fn over(&self, divisor: &Self) -> Self {
        self / divisor
    }
    fn side(&self) -> i8 {
        i8::from(*self > 1e-11) - i8::from(*self < -1e-11)
    }
    fn less(&self, other: &Self) -> bool {
        self < other
    }
}

/// The number of equations.
const ROWS: usize = 5;
/// Pivots by the largest gain, after which the smallest index is taken, which cannot cycle (Bland 1977).
const GREEDY: usize = 60;
/// Pivots after which inexact numbers give up.
const LIMIT: usize = 400;

/// What the program gives.
#[derive(Clone, Debug)]
pub struct Solution<N> {
    /// The maximum of t; none if not even the affine hulls meet.
    pub t: Option<N>,
    /// Weights of A's and then B's points beyond t.
    pub weights: Vec<N>,
    /// A direction: no point of A is farther along it than any point of B, if the hulls do not cross.
    pub direction: [N; 3],
}

/// Solves the program. Inexact numbers may give up.
pub fn solve<N: Number>(a: &[Point], b: &[Point]) -> Option<Solution<N>> {
    let mut tableau = Tableau::<N>::new(a, b);
    let (count, total) = (a.len() + b.len(), a.len() + b.len() + 2);
    tableau.maximise(total)?;
    if tableau.value().side() < 0 {
        // Phase one ends with duals that separate the affine hulls. Its artificial variables cost 1 each.
        let direction = tableau
            .direction(total)
            .map(|x| x.minus_product(&N::from_f64(-1.0), &N::from_f64(1.0)));
        return Some(Solution { t: None, weights: Vec::new(), direction });
    }
    tableau.expel(total);
    tableau.aim(count, total);
    tableau.maximise(total)?;
    let zero = N::from_f64(0.0);
    let mut weights = vec![zero; total];
    for (row, basic) in tableau.rows.iter().zip(&tableau.basis) {
        if let (Some(slot), Some(value)) = (weights.get_mut(*basic), row.last()) {
            *slot = value.clone();
        }
    }
    let (up, down) = (weights[count].clone(), weights[count + 1].clone());
    weights.truncate(count);
    let t = up.minus_product(&N::from_f64(1.0), &down);
    Some(Solution { t: Some(t), weights, direction: tableau.direction(total) })
}

/// Where the origin lies in the difference of the two hulls, in exact arithmetic throughout.
pub fn rational(a: &[Point], b: &[Point]) -> Place {
    // Rational numbers never give up: the rule of the smallest index ends.
    let t = solve::<RBig>(a, b).and_then(|solution| solution.t);
    match t.map(|t| t.side()) {
        None | Some(i8::MIN..=-1) => Place::Outside,
        Some(0) => Place::Boundary,
        Some(_) if spans_space(a, b) => Place::Inside,
        Some(_) => Place::Boundary,
    }
}

/// Whether all points together lie in no common plane.
fn spans_space(a: &[Point], b: &[Point]) -> bool {
    let exact = |p: &Point| p.map(RBig::from_f64);
    let Some(origin) = a.first().map(exact) else { return false };
    let mut rows: Vec<[RBig; 3]> = a
        .iter()
        .chain(b)
        .map(|p| {
            let p = exact(p);
            std::array::from_fn(|c| &p[c] - &origin[c])
        })
        .collect();
    for column in 0..3 {
        let Some(found) =
            (column..rows.len()).find(|r| rows[*r][column..].iter().any(|x| x.side() != 0))
        else {
            return false;
        };
        rows.swap(column, found);
        let Some(at) = (column..3).find(|c| rows[column][*c].side() != 0) else { return false };
        rows.iter_mut().for_each(|row| row.swap(column, at));
        let pivot = rows[column].clone();
        for row in &mut rows[column + 1..] {
            let factor = &row[column] / &pivot[column];
            *row = std::array::from_fn(|c| row[c].minus_product(&factor, &pivot[c]));
        }
    }
    true
}

/// The tableau: columns are the points' weights, t's positive and negative part, the artificial variables, the right side.
struct Tableau<N> {
    rows: Vec<Vec<N>>,
    gains: Vec<N>,
    basis: Vec<usize>,
}

impl<N: Number> Tableau<N> {
    /// Phase one: the artificial variables are the basis, and what is maximised is minus their sum.
    fn new(a: &[Point], b: &[Point]) -> Self {
        let total = a.len() + b.len() + 2;
        let zero = N::from_f64(0.0);
        let (one, minus) = (N::from_f64(1.0), N::from_f64(-1.0));
        let mut rows = vec![vec![zero.clone(); total + ROWS + 1]; ROWS];
        for (c, row) in rows.iter_mut().enumerate().take(3) {
            let mut sum = zero.clone();
            for (k, point) in a.iter().enumerate() {
                row[k] = N::from_f64(point[c]);
                sum = sum.minus_product(&minus, &row[k]);
            }
            for (k, point) in b.iter().enumerate() {
                row[a.len() + k] = N::from_f64(-point[c]);
                sum = sum.minus_product(&minus, &row[a.len() + k]);
            }
            row[total - 1] = zero.minus_product(&one, &sum);
            row[total - 2] = sum;
        }
        for (r, range) in [(3, 0..a.len()), (4, a.len()..a.len() + b.len())] {
            rows[r][total - 2] = N::from_f64(range.len() as f64);
            rows[r][total - 1] = N::from_f64(-(range.len() as f64));
            rows[r][range].fill(one.clone());
            rows[r][total + ROWS] = one.clone();
        }
        for (r, row) in rows.iter_mut().enumerate() {
            row[total + r] = one.clone();
        }
        let mut gains = vec![zero.clone(); total + ROWS + 1];
        for row in &rows {
            for (k, gain) in gains.iter_mut().enumerate() {
                if k < total || k == total + ROWS {
                    *gain = gain.minus_product(&minus, &row[k]);
                }
            }
        }
        Self { rows, gains, basis: (total..total + ROWS).collect() }
    }

    /// What is maximised, at the current basis. The last gain holds minus that value.
    fn value(&self) -> N {
        let zero = N::from_f64(0.0);
        self.gains.last().map_or(zero.clone(), |last| zero.minus_product(&N::from_f64(1.0), last))
    }

    /// Minus the duals of the three coordinates: the gains of their artificial variables, plus what these cost.
    fn direction(&self, total: usize) -> [N; 3] {
        std::array::from_fn(|c| self.gains[total + c].clone())
    }

    /// Pivots until no column below `limit` gains. None if it gives up.
    fn maximise(&mut self, limit: usize) -> Option<()> {
        for round in 0.. {
            let rising = (0..limit).filter(|k| self.gains[*k].side() > 0);
            let entering = if round < GREEDY {
                rising.reduce(|x, y| if self.gains[x].less(&self.gains[y]) { y } else { x })
            } else {
                rising.min()
            };
            let Some(entering) = entering else { return Some(()) };
            let leaving = self.leaving(entering)?;
            self.pivot(leaving, entering);
            if !N::EXACT && round == LIMIT {
                return None;
            }
        }
        None
    }

    /// The row whose basic variable is the first to reach zero.
    fn leaving(&self, entering: usize) -> Option<usize> {
        let mut best: Option<(usize, N)> = None;
        for (r, row) in self.rows.iter().enumerate().filter(|(_, row)| row[entering].side() > 0) {
            let ratio = row.last()?.over(&row[entering]);
            let better = best.as_ref().is_none_or(|(other, least)| {
                ratio.less(least) || (!least.less(&ratio) && self.basis[r] < self.basis[*other])
            });
            if better {
                best = Some((r, ratio));
            }
        }
        best.map(|(row, _)| row)
    }

    /// Makes the column basic in the row.
    fn pivot(&mut self, row: usize, column: usize) {
        let divisor = self.rows[row][column].clone();
        let scaled: Vec<N> = self.rows[row].iter().map(|x| x.over(&divisor)).collect();
        let clear = |target: &mut Vec<N>| {
            let factor = target[column].clone();
            if factor.side() != 0 {
                for (x, y) in target.iter_mut().zip(&scaled) {
                    *x = x.minus_product(&factor, y);
                }
            }
        };
        self.rows.iter_mut().enumerate().filter(|(r, _)| *r != row).for_each(|(_, r)| clear(r));
        clear(&mut self.gains);
        self.rows[row] = scaled;
        self.basis[row] = column;
    }

    /// Takes artificial variables out of the basis where a column can replace them; where none can, the row says 0 = 0.
    fn expel(&mut self, total: usize) {
        for r in 0..ROWS {
            if self.basis[r] >= total {
                let found = (0..total).find(|k| self.rows[r][*k].side() != 0);
                if let Some(column) = found {
                    self.pivot(r, column);
                }
            }
        }
    }

    /// Phase two: maximise t, whose two parts are columns `count` and `count + 1`.
    fn aim(&mut self, count: usize, total: usize) {
        let cost = |k: usize| {
            if k == count {
                1.0
            } else if k == count + 1 {
                -1.0
            } else {
                0.0
            }
        };
        self.gains = (0..=total + ROWS).map(|k| N::from_f64(cost(k))).collect();
        for (row, basic) in self.rows.iter().zip(&self.basis) {
            let factor = N::from_f64(cost(*basic));
            if factor.side() != 0 {
                for (gain, x) in self.gains.iter_mut().zip(row) {
                    *gain = gain.minus_product(&factor, x);
                }
            }
        }
    }
}
