//! Two convex bodies, one of which moves and turns: steps of a certified length.
//!
//! At any moment the greatest gap along the normals of faces and the products of edges is positive if and only if the bodies are apart, and then no more than
//! their distance. No point of B is faster than the speed of its origin and the turn times its reach, so for the gap over that speed they stay apart.

use super::{Point, Truth};
use crate::motion::format::Hull;

fn minus(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(a: Point) -> Option<Point> {
    let length = dot(a, a).sqrt();
    (length > 1e-9).then(|| a.map(|x| x / length))
}

type Rotation = [Point; 3];

fn rotate(rows: &Rotation, p: Point) -> Point {
    rows.map(|row| dot(row, p))
}

/// The rotation of a unit quaternion w x y z.
fn of_quaternion(q: &[f64]) -> Rotation {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The directions that a body gives: normals of faces, and edges, each once.
fn features((points, triangles): &Hull) -> [Vec<Point>; 2] {
    let corner = |index: u32| points[index as usize];
    let normal = |[a, b, c]: &[u32; 3]| {
        unit(cross(minus(corner(*b), corner(*a)), minus(corner(*c), corner(*a))))
    };
    let sides = triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
    let edges = sides.filter(|[a, b]| a < b).map(|[a, b]| minus(corner(b), corner(a)));
    [triangles.iter().filter_map(normal).collect(), edges.collect()]
}

/// Along which features the bodies were apart last.
#[derive(Clone, Copy)]
enum Axis {
    OfA(usize),
    OfB(usize),
    Edges(usize, usize),
}

/// One query.
pub struct Turning<'i> {
    a: &'i Hull,
    b: &'i Hull,
    features_a: [Vec<Point>; 2],
    features_b: [Vec<Point>; 2],
    rotation: Rotation,
    from: Point,
    motion: Point,
    turn: Point,
    speed: f64,
}

/// Steps at most; what is not decided then has no margin.
const STEPS: usize = 4_000;

/// The bodies meet where they are nearer than this.
const MET: f64 = 1e-10;

impl<'i> Turning<'i> {
    /// From the numbers of a query.
    pub fn new(hulls: &'i [Hull], [a, b]: [u32; 2], numbers: &[f64]) -> Self {
        let (a, b) = (&hulls[a as usize], &hulls[b as usize]);
        let point = |at: usize| [numbers[at], numbers[at + 1], numbers[at + 2]];
        let (from, motion, turn) = (point(4), point(7), point(10));
        let reach = b.0.iter().map(|p| dot(*p, *p).sqrt()).fold(0.0, f64::max);
        let speed = dot(motion, motion).sqrt() + dot(turn, turn).sqrt() * reach;
        let (features_a, features_b) = (features(a), features(b));
        let rotation = of_quaternion(numbers);
        Self { a, b, features_a, features_b, rotation, from, motion, turn, speed }
    }

    /// The rotation of B at a time.
    fn rotation(&self, t: f64) -> Rotation {
        let Some(axis) = unit(self.turn) else { return self.rotation };
        let (sine, cosine) = (dot(self.turn, self.turn).sqrt() * t).sin_cos();
        let column = |p: Point| {
            let along = dot(axis, p) * (1.0 - cosine);
            let across = cross(axis, p);
            [0, 1, 2].map(|k| p[k] * cosine + across[k] * sine + axis[k] * along)
        };
        let columns = [0, 1, 2].map(|j| column([0, 1, 2].map(|i| self.rotation[i][j])));
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i]))
    }

    /// B's corners, and the rotation, at a time.
    fn placed(&self, t: f64) -> (Vec<Point>, Rotation) {
        let rotation = self.rotation(t);
        let place = |p: &Point| {
            let turned = rotate(&rotation, *p);
            [0, 1, 2].map(|k| turned[k] + self.from[k] + t * self.motion[k])
        };
        (self.b.0.iter().map(place).collect(), rotation)
    }

    fn direction(&self, axis: Axis, rotation: &Rotation) -> Option<Point> {
        match axis {
            Axis::OfA(i) => Some(self.features_a[0][i]),
            Axis::OfB(i) => Some(rotate(rotation, self.features_b[0][i])),
            Axis::Edges(i, j) => {
                unit(cross(self.features_a[1][i], rotate(rotation, self.features_b[1][j])))
            }
        }
    }

    /// The gap along a direction, on either side.
    fn gap(&self, placed: &[Point], direction: Point) -> f64 {
        let extent = |points: &[Point]| {
            points
                .iter()
                .map(|p| dot(*p, direction))
                .fold((f64::INFINITY, f64::NEG_INFINITY), |m, x| (m.0.min(x), m.1.max(x)))
        };
        let ((low_a, high_a), (low_b, high_b)) = (extent(&self.a.0), extent(placed));
        (low_b - high_a).max(low_a - high_b)
    }

    /// The greatest gap, and where.
    fn greatest(&self, t: f64) -> (f64, Axis) {
        let (placed, rotation) = self.placed(t);
        let edges = |i: usize| (0..self.features_b[1].len()).map(move |j| Axis::Edges(i, j));
        let axes = (0..self.features_a[0].len())
            .map(Axis::OfA)
            .chain((0..self.features_b[0].len()).map(Axis::OfB))
            .chain((0..self.features_a[1].len()).flat_map(edges));
        let mut best = (f64::NEG_INFINITY, Axis::OfA(0));
        for axis in axes {
            let Some(direction) = self.direction(axis, &rotation) else { continue };
            let gap = self.gap(&placed, direction);
            if gap > best.0 {
                best = (gap, axis);
            }
        }
        best
    }

    /// When they meet.
    pub fn truth(&self) -> Truth {
        let (mut t, mut margin) = (0.0, f64::INFINITY);
        let mut known: Option<Axis> = None;
        for _ in 0..STEPS {
            // The features of the last step still do, where they leave enough.
            let quick = known.and_then(|axis| {
                let (placed, rotation) = self.placed(t);
                Some(self.gap(&placed, self.direction(axis, &rotation)?))
            });
            let gap = match quick.filter(|gap| *gap > 0.02) {
                Some(gap) => gap,
                None => {
                    let (gap, axis) = self.greatest(t);
                    known = Some(axis);
                    margin = margin.min(gap.max(0.0));
                    gap
                }
            };
            if gap <= MET {
                let depth = (1..=32).map(|k| -self.greatest(t + (1.0 - t) * f64::from(k) / 32.0).0);
                return Truth { time: Some(t), margin: depth.fold(0.0, f64::max) };
            }
            t += gap / self.speed;
            if t > 1.0 {
                return Truth { time: None, margin };
            }
        }
        Truth { time: None, margin: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::generate::box_rotating;

    #[test]
    fn a_box_without_a_turn_meets_when_its_face_does() {
        let mut input = box_rotating(1, 1);
        let half = input.hulls[0].0[7];
        input.pairs[0] = [0, 0];
        input.numbers[0] = vec![1.0, 0.0, 0.0, 0.0, -4.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let found = Turning::new(&input.hulls, input.pairs[0], &input.numbers[0]).truth();
        let time = (4.0 - 2.0 * half[0]) / 8.0;
        assert!((found.time.unwrap() - time).abs() < 1e-9);
        input.numbers[0][5] = 3.0;
        assert!(
            Turning::new(&input.hulls, input.pairs[0], &input.numbers[0]).truth().time.is_none()
        );
    }
}
