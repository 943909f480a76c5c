//! Adversarial motions of four points, for a vertex and a triangle or for two edges.

use crate::oracle::Point;
use impinge_lab::Random;

/// Four points at time 0 and at time 1.
pub type Motion = [[Point; 4]; 2];

/// How a motion is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Random coordinates, the features near each other.
    Near,
    /// Coordinates from −3 to 3: every coincidence happens.
    Grid,
    /// All points in one plane that does not move.
    Plane,
    /// All points in one plane that does.
    MovingPlane,
    /// In exact contact at time 0.
    Start,
    /// In exact contact at time 1.
    End,
    /// A double root: they graze.
    Grazing,
    /// Nearly parallel edges, triangles of nearly no area.
    Sliver,
    /// Coincident points.
    Degenerate,
    /// One scale from subnormal numbers to 2^250.
    Scaled,
    /// A scale for every coordinate.
    Mixed,
    /// Far from the origin, in units of the last place there.
    Far,
    /// No motion.
    Still,
    /// Any of the above with some coordinates moved by a few representable steps.
    Ulps,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Near,
        Self::Grid,
        Self::Plane,
        Self::MovingPlane,
        Self::Start,
        Self::End,
        Self::Grazing,
        Self::Sliver,
        Self::Degenerate,
        Self::Scaled,
        Self::Mixed,
        Self::Far,
        Self::Still,
        Self::Ulps,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Grid => "small grid",
            Self::Plane => "fixed plane",
            Self::MovingPlane => "moving plane",
            Self::Start => "touch at 0",
            Self::End => "touch at 1",
            Self::Grazing => "grazing",
            Self::Sliver => "sliver",
            Self::Degenerate => "degenerate",
            Self::Scaled => "extreme scale",
            Self::Mixed => "mixed scales",
            Self::Far => "far away",
            Self::Still => "no motion",
            Self::Ulps => "a few ulps",
        }
    }
}

/// A motion of this kind; `edges` if it is for two edges.
pub fn motion(kind: Kind, edges: bool, random: &mut Random) -> Motion {
    match kind {
        Kind::Near => near(edges, random),
        Kind::Grid => [grid(random, 3), grid(random, 3)],
        Kind::Plane => in_plane(random, false),
        Kind::MovingPlane => in_plane(random, true),
        Kind::Start => touching(edges, random),
        Kind::End => {
            let [start, end] = touching(edges, random);
            [end, start]
        }
        Kind::Grazing => grazing(edges, random),
        Kind::Sliver => sliver(edges, random),
        Kind::Degenerate => {
            let mut points = any(edges, random);
            for _ in 0..=random.below(2) {
                let (from, to) = (random.below(4) as usize, random.below(4) as usize);
                for at in &mut points {
                    at[to] = at[from];
                }
            }
            points
        }
        Kind::Scaled => {
            // Coordinates are below 2^26.
            let scale = random.power(-1070, 224);
            any(edges, random).map(|at| at.map(|p| p.map(|x| x * scale)))
        }
        Kind::Mixed => any(edges, random).map(|at| {
            at.map(|p| p.map(|x| if random.one_in(3) { x * random.power(-80, 80) } else { x }))
        }),
        Kind::Far => {
            let offset = random.point().map(|x| (x * 1e3).round() * 2f64.powi(28));
            any(edges, random).map(|at| at.map(|p| [0, 1, 2].map(|k| p[k] + offset[k])))
        }
        Kind::Still => {
            let [start, _] = any(edges, random);
            [start, start]
        }
        Kind::Ulps => {
            let mut points = any(edges, random);
            for _ in 0..=random.below(3) {
                let (at, i, k) = (random.below(2), random.below(4), random.below(3));
                let x = &mut points[at as usize][i as usize][k as usize];
                *x = random.nudge(*x, 3);
            }
            points
        }
    }
}

fn any(edges: bool, random: &mut Random) -> Motion {
    const BASE: [Kind; 8] = [
        Kind::Near,
        Kind::Grid,
        Kind::Plane,
        Kind::MovingPlane,
        Kind::Start,
        Kind::End,
        Kind::Grazing,
        Kind::Sliver,
    ];
    motion(BASE[random.below(BASE.len() as u64) as usize], edges, random)
}

fn grid(random: &mut Random, limit: i64) -> [Point; 4] {
    [(); 4].map(|()| random.grid(limit))
}

/// Coordinates within 1, motion within a tenth, the features within a tenth of each other.
pub fn near(edges: bool, random: &mut Random) -> Motion {
    let mut start = [(); 4].map(|()| random.point());
    let weights = [(); 3].map(|()| random.unit());
    let sum: f64 = weights.iter().sum();
    let offset = random.point().map(|x| 0.1 * x);
    if edges {
        let mix = |a: Point, b: Point, t: f64| [0, 1, 2].map(|k| a[k] + t * (b[k] - a[k]));
        let p = mix(start[0], start[1], weights[0]);
        let q = mix(start[2], start[3], weights[1]);
        for point in &mut start[2..] {
            *point = [0, 1, 2].map(|k| point[k] + p[k] - q[k] + offset[k]);
        }
    } else {
        start[0] = [0, 1, 2]
            .map(|k| (0..3).map(|i| weights[i] * start[i + 1][k]).sum::<f64>() / sum + offset[k]);
    }
    let end = start.map(|p| {
        let step = random.point();
        [0, 1, 2].map(|k| p[k] + 0.1 * step[k])
    });
    [start, end]
}

/// Integer combinations of two integer vectors, so that the plane is exact.
fn in_plane(random: &mut Random, moving: bool) -> Motion {
    let axis_parallel = random.one_in(3);
    let (u, v) = if axis_parallel {
        let k = random.below(3) as usize;
        let unit = |k: usize| [0, 1, 2].map(|i| f64::from(u8::from(i == k % 3)));
        (unit(k), unit(k + 1))
    } else {
        (random.grid(9), random.grid(9))
    };
    let origin = random.grid(20);
    let step = if moving { random.grid(20) } else { [0.0; 3] };
    let fine = if random.one_in(2) { 4 } else { 1 << 20 };
    [0.0, 1.0].map(|t| {
        [(); 4].map(|()| {
            let (i, j) = (random.whole(-fine, fine) as f64, random.whole(-fine, fine) as f64);
            [0, 1, 2].map(|k| origin[k] + t * step[k] + i * u[k] + j * v[k])
        })
    })
}

/// In contact at time 0: corners on a grid, weights in quarters, so that all is exact.
fn touching(edges: bool, random: &mut Random) -> Motion {
    let mut start = grid(random, 64).map(|p| p.map(|x| 4.0 * x));
    let weight = |random: &mut Random, limit: i64| random.whole(0, limit) as f64 * 0.25;
    if edges {
        let (s, t) = (weight(random, 4), weight(random, 4));
        let p = [0, 1, 2].map(|k| start[0][k] + s * (start[1][k] - start[0][k]));
        let q = [0, 1, 2].map(|k| start[2][k] + t * (start[3][k] - start[2][k]));
        for point in &mut start[2..] {
            *point = [0, 1, 2].map(|k| point[k] + p[k] - q[k]);
        }
    } else {
        let s = weight(random, 4);
        let t = weight(random, 4 - (4.0 * s) as i64);
        let [_, a, b, c] = start;
        start[0] = [0, 1, 2].map(|k| a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]));
    }
    let end = if random.one_in(2) {
        grid(random, 300)
    } else {
        // All the corners of one side stay.
        let mut end = start;
        for point in &mut end[..if edges { 2 } else { 1 }] {
            let step = random.point();
            *point = [0, 1, 2].map(|k| point[k] + step[k]);
        }
        end
    };
    [start, end]
}

/// `q1` along x, `q2` and `q3` such that the cubic is y2 · z3 with equal roots; then a shear, and maybe other roles.
fn grazing(edges: bool, random: &mut Random) -> Motion {
    let root = random.whole(1, 15) as f64;
    let (a, b, y) =
        (random.whole(1, 4) as f64, random.whole(1, 4) as f64, random.whole(-4, 4) as f64);
    let (x1, x2, x3) =
        (random.whole(1, 5) as f64, random.whole(-5, 5) as f64, random.whole(-5, 5) as f64);
    let base = random.grid(8);
    let shear = random.grid(2);
    let turn = random.below(4) as usize;
    let shape = |t: f64| {
        let away = 16.0 * t - root;
        let q = [[0.0; 3], [x1, 0.0, 0.0], [x2, a * away, 0.0], [x3, y, b * away]];
        let mut points = q.map(|[x, y, z]| {
            let (y, z) = (y + shear[0] * x, z + shear[1] * x);
            let x = x + shear[2] * y;
            [base[0] + x, base[1] + y, base[2] + z]
        });
        if !edges {
            points.rotate_left(turn);
        }
        points
    };
    [shape(0.0), shape(1.0)]
}

/// A triangle as thin as the motion through it, or two edges as nearly parallel.
fn sliver(edges: bool, random: &mut Random) -> Motion {
    let thin = random.power(-50, -8);
    let (base, along) = (random.point(), random.point());
    let place = |t: f64, random: &mut Random| {
        let jitter = random.point();
        [0, 1, 2].map(|k| base[k] + t * along[k] + thin * jitter[k])
    };
    let places = if edges { [0.0, 1.0, 0.2, 0.9] } else { [0.4, 0.0, 1.0, 0.5] };
    let still = random.one_in(2).then(|| places.map(|t| place(t, random)));
    [0, 1].map(|_| {
        let mut points = places.map(|t| place(t, random));
        if let Some(still) = still {
            points[1..].copy_from_slice(&still[1..]);
        }
        points
    })
}
