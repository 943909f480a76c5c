//! Meshes for tests, made from a seed.

use impinge::geom::Pose;

/// A small generator of numbers; the same everywhere.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// 64 bits (splitmix64).
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between −1 and 1.
    pub(crate) fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// A rotation, and a translation of up to `reach` along each axis.
    pub(crate) fn pose(&mut self, reach: f64) -> Pose {
        loop {
            let q = [self.signed(), self.signed(), self.signed(), self.signed()];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&length) {
                let translation = [self.signed(), self.signed(), self.signed()];
                return Pose::new(q.map(|x| x / length), translation.map(|x| x * reach))
                    .expect("valid");
            }
        }
    }
}

/// Vertices and triangles.
pub(crate) type Raw = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// Triangles anywhere in a cube, some degenerate, some twice.
pub(crate) fn dirty(numbers: &mut Numbers, triangles: usize, size: f64) -> Raw {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for _ in 0..triangles {
        let first = vertices.len() as u32;
        let center = [numbers.signed(), numbers.signed(), numbers.signed()];
        for _ in 0..3 {
            let around = [numbers.signed(), numbers.signed(), numbers.signed()];
            vertices.push([0, 1, 2].map(|k| center[k] + size * around[k]));
        }
        faces.push(match numbers.below(10) {
            0 => [first, first, first + 2],
            1 => [first, first, first],
            2 => faces.last().copied().unwrap_or([first, first + 1, first + 2]),
            _ => [first, first + 1, first + 2],
        });
    }
    (vertices, faces)
}

/// Boxes between two corners each, twelve triangles to a box.
pub(crate) fn boxes(corners: &[[[f64; 3]; 2]]) -> Raw {
    const SIDES: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for ends in corners {
        let first = vertices.len() as u32;
        vertices.extend((0..8).map(|k| [0, 1, 2].map(|c| ends[k >> c & 1][c])));
        for [a, b, c, d] in SIDES {
            faces.push([first + a, first + b, first + c]);
            faces.push([first + a, first + c, first + d]);
        }
    }
    (vertices, faces)
}

/// A square of `side`² cells between −1 and 1, its heights up to `rough`.
pub(crate) fn sheet(numbers: &mut Numbers, side: u32, rough: f64) -> Raw {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    let at = |k: u32| 2.0 * f64::from(k) / f64::from(side) - 1.0;
    for i in 0..=side {
        for j in 0..=side {
            vertices.push([at(i), at(j), rough * numbers.signed()]);
        }
    }
    for i in 0..side {
        for j in 0..side {
            let corner = i * (side + 1) + j;
            faces.push([corner, corner + side + 1, corner + side + 2]);
            faces.push([corner, corner + side + 2, corner + 1]);
        }
    }
    (vertices, faces)
}
