//! Linear programming in up to three variables by adding constraints one by one (R. Seidel, "Small-dimensional linear programming
//! and convex hulls made easy", 1991): while the best point so far meets the next constraint, nothing changes; else the new
//! best lies on its plane, which is a program with one variable less.
//!
//! For two boxes the question is whether a plane n·x = c parts them. With m the vector between their centres, any such n has
//! n·m > 0, so n = m/|m|² + u·e + v·f with e and f across m, and u, v, c are the variables.

/// w·x ≤ d in up to three variables: the three coefficients, then d.
type Constraint = [f64; 4];

/// No variable leaves ± this.
const REACH: f64 = 1e9;
/// What counts as met, for constraints of about unit size.
const SLACK: f64 = 1e-12;
/// The most constraints that a program of two boxes has, with two for the reach of each eliminated variable.
const MOST: usize = 16 + 4;

/// A point that maximises the objective over the first `dimension` variables, or none if no point meets all constraints. `work`
/// counts the programs in fewer variables.
fn maximise(
    dimension: usize,
    constraints: &[Constraint],
    objective: [f64; 3],
    work: &mut u64,
) -> Option<[f64; 3]> {
    if dimension == 1 {
        return on_a_line(constraints, objective[0]);
    }
    let mut best = objective.map(|x| if x >= 0.0 { REACH } else { -REACH });
    for (count, constraint) in constraints.iter().enumerate() {
        let value: f64 = (0..dimension).map(|k| constraint[k] * best[k]).sum();
        let size: f64 = (0..dimension).map(|k| (constraint[k] * best[k]).abs()).sum();
        if value > constraint[3] + SLACK * (1.0 + size) {
            *work += 1;
            best = on_the_plane(dimension, &constraints[..count], *constraint, objective, work)?;
        }
    }
    Some(best)
}

/// The same with one constraint met exactly: its largest variable is eliminated.
fn on_the_plane(
    dimension: usize,
    before: &[Constraint],
    plane: Constraint,
    objective: [f64; 3],
    work: &mut u64,
) -> Option<[f64; 3]> {
    let larger = |i: usize, j: usize| if plane[j].abs() > plane[i].abs() { j } else { i };
    let gone = (0..dimension).reduce(larger)?;
    if plane[gone].abs() < SLACK {
        return None;
    }
    let last = dimension - 1;
    // The eliminated variable changes places with the last one.
    let reduce = |row: Constraint| -> Constraint {
        let factor = row[gone] / plane[gone];
        let mut left: Constraint = std::array::from_fn(|k| row[k] - factor * plane[k]);
        left[gone] = left[last];
        left[last] = 0.0;
        left
    };
    let mut rows = [[0.0; 4]; MOST];
    let mut count = 0;
    for row in before.iter().copied().chain([1.0, -1.0].map(|side| {
        let mut bound = [0.0, 0.0, 0.0, REACH];
        bound[gone] = side;
        bound
    })) {
        *rows.get_mut(count)? = reduce(row);
        count += 1;
    }
    let [x, y, z] = objective;
    let reduced = reduce([x, y, z, 0.0]);
    let mut best = maximise(last, &rows[..count], [reduced[0], reduced[1], reduced[2]], work)?;
    best[last] = best[gone];
    best[gone] = 0.0;
    let rest: f64 = (0..dimension).map(|k| plane[k] * best[k]).sum();
    best[gone] = (plane[3] - rest) / plane[gone];
    Some(best)
}

/// One variable: an interval.
fn on_a_line(constraints: &[Constraint], objective: f64) -> Option<[f64; 3]> {
    let (mut low, mut high) = (-REACH, REACH);
    for [w, _, _, d] in constraints {
        if *w > SLACK {
            high = high.min(d / w);
        } else if *w < -SLACK {
            low = low.max(d / w);
        } else if *d < -SLACK {
            return None;
        }
    }
    (low <= high).then_some([if objective >= 0.0 { high } else { low }, 0.0, 0.0])
}

/// Whether no plane parts the corners of two boxes, whose centres are their means. `work` counts the programs in fewer variables.
pub(super) fn boxes_overlap(a: &[[f64; 3]; 8], b: &[[f64; 3]; 8], work: &mut u64) -> bool {
    let mean = |points: &[[f64; 3]; 8]| -> [f64; 3] {
        std::array::from_fn(|c| points.iter().map(|p| p[c]).sum::<f64>() / 8.0)
    };
    let (from, to) = (mean(a), mean(b));
    let m: [f64; 3] = std::array::from_fn(|c| to[c] - from[c]);
    let square = m.iter().map(|x| x * x).sum::<f64>();
    if square == 0.0 {
        return true;
    }
    // Two vectors across m, of about its length.
    let smallest = if m[0].abs() <= m[1].abs() && m[0].abs() <= m[2].abs() {
        0
    } else if m[1].abs() <= m[2].abs() {
        1
    } else {
        2
    };
    let (next, other) = ((smallest + 1) % 3, (smallest + 2) % 3);
    let mut e = [0.0; 3];
    (e[next], e[other]) = (-m[other], m[next]);
    let f = [m[1] * e[2] - m[2] * e[1], m[2] * e[0] - m[0] * e[2], m[0] * e[1] - m[1] * e[0]];
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let mut constraints = [[0.0; 4]; 16];
    for k in 0..8 {
        // Coordinates relative to A's centre keep c small: n·p ≤ c for A, n·p ≥ c for B.
        let p: [f64; 3] = std::array::from_fn(|c| a[k][c] - from[c]);
        constraints[2 * k] = [dot(e, p), dot(f, p), -1.0, -dot(m, p) / square];
        let q: [f64; 3] = std::array::from_fn(|c| b[k][c] - from[c]);
        constraints[2 * k + 1] = [-dot(e, q), -dot(f, q), 1.0, dot(m, q) / square];
    }
    maximise(3, &constraints, [0.0, 0.0, 1.0], work).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_programs() {
        // Maximise x + y over a triangle; then with a contradiction.
        let triangle = [[1.0, 2.0, 0.0, 4.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0]];
        let best = maximise(2, &triangle, [1.0, 1.0, 0.0], &mut 0).unwrap();
        assert!((best[0] - 4.0).abs() < 1e-6 && best[1].abs() < 1e-6, "{best:?}");
        let never = [[1.0, 0.0, 0.0, -1.0], [-1.0, 0.0, 0.0, -1.0]];
        assert!(maximise(2, &never, [1.0, 1.0, 0.0], &mut 0).is_none());
    }

    #[test]
    fn cubes() {
        let cube = |x: f64, y: f64| -> [[f64; 3]; 8] {
            std::array::from_fn(|i| {
                let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
                [x + side(0), y + side(1), side(2)]
            })
        };
        for (x, y, overlap) in [
            (1.9, 0.0, true),
            (2.1, 0.0, false),
            (1.9, 1.9, true),
            (1.0, 2.01, false),
            (0.0, 0.0, true),
        ] {
            assert_eq!(boxes_overlap(&cube(0.0, 0.0), &cube(x, y), &mut 0), overlap, "{x} {y}");
        }
    }
}
