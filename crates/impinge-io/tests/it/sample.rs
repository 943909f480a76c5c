//! Meshes and numbers to write and to damage.

use impinge_io::{LARGEST, MeshData, PartRange};

/// xorshift64*, as in Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled" (2016).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    /// An integer in `0..count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        ((self.bits() >> 16) % count as u64) as usize
    }
    /// Any number that is accepted: all exponents from subnormal ones to 2^250, both signs, zeros.
    pub(crate) fn coordinate(&mut self) -> f64 {
        loop {
            let value = match self.below(8) {
                0 => [0.0, -0.0, 1.0, -1.0, LARGEST, f64::MIN_POSITIVE, f64::from_bits(1), 0.1]
                    [self.below(8)],
                1 => self.below(1000) as f64,
                _ => f64::from_bits(self.bits()),
            };
            if value.abs() <= LARGEST {
                return value;
            }
        }
    }
}

/// The cube of side 2 about the origin.
pub(crate) fn cube() -> MeshData {
    let vertices =
        (0..8).map(|i| [1, 2, 4].map(|bit| if i & bit == 0 { -1.0 } else { 1.0 })).collect();
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    MeshData::new(vertices, triangles)
}

/// A soup: any coordinates, any indices, some vertices that no triangle names.
pub(crate) fn soup(random: &mut Random) -> MeshData {
    let vertices: Vec<_> =
        (0..3 + random.below(20)).map(|_| [0; 3].map(|_| random.coordinate())).collect();
    let count = vertices.len();
    let triangles: Vec<[u32; 3]> =
        (0..random.below(30)).map(|_| [0; 3].map(|_| random.below(count) as u32)).collect();
    let mut parts = Vec::new();
    let mut start = 0;
    while start < triangles.len() && random.below(4) > 0 {
        let first = start + random.below(2);
        let end = (first + 1 + random.below(10)).min(triangles.len());
        if first < end {
            parts
                .push(PartRange {
                    name: format!("part {} ä", parts.len()), triangles: first..end
                });
        }
        start = end;
    }
    MeshData { vertices, triangles, parts }
}

/// The positions of all corners: what a format without indices keeps.
pub(crate) fn corners(mesh: &MeshData) -> Vec<[[f64; 3]; 3]> {
    mesh.triangles.iter().map(|t| t.map(|corner| mesh.vertices[corner as usize])).collect()
}

/// Bit for bit the same, so that the sign of zero counts.
pub(crate) fn bits(mesh: &MeshData) -> Vec<[u64; 3]> {
    mesh.vertices.iter().map(|vertex| vertex.map(f64::to_bits)).collect()
}
