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
