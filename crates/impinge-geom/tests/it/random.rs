//! A small deterministic generator of numbers and adversarial coordinates.

use glam::DVec3;

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
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        (self.bits() >> 16) % count
    }
    /// A number in -1..1.
    pub(crate) fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    pub(crate) fn point(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }
    /// A point with integer coordinates in `0..side`.
    pub(crate) fn grid_point(&mut self, side: u64) -> DVec3 {
        DVec3::new(self.below(side) as f64, self.below(side) as f64, self.below(side) as f64)
    }
    /// A number with any exponent between the two.
    pub(crate) fn with_exponent(&mut self, low: i32, high: i32) -> f64 {
        let exponent = low + self.below((high - low + 1) as u64) as i32;
        scaled(self.signed(), exponent)
    }
    /// The neighbour of a number, or the number itself.
    pub(crate) fn nudged(&mut self, value: f64) -> f64 {
        match self.below(3) {
            0 => value.next_down(),
            1 => value.next_up(),
            _ => value,
        }
    }
    pub(crate) fn nudged_point(&mut self, p: DVec3) -> DVec3 {
        DVec3::new(self.nudged(p.x), self.nudged(p.y), self.nudged(p.z))
    }
}

/// `value · 2^exponent`, also where the power alone would underflow.
pub(crate) fn scaled(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
}
