//! Random numbers, the same on every machine.

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
pub struct Random(u64);

impl Random {
    /// The same seed gives the same sequence on every machine.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Uniform in `0..count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// Uniform on the unit sphere of dimension `N`, by rejection from the cube. With `N` = 4, a uniform rotation.
    pub fn direction<const N: usize>(&mut self) -> [f64; N] {
        loop {
            let candidate: [f64; N] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let squared: f64 = candidate.iter().map(|value| value * value).sum();
            if (0.01..1.0).contains(&squared) {
                let length = squared.sqrt();
                return candidate.map(|value| value / length);
            }
        }
    }
}

/// Rounded to `f32` and back, so that systems in `f32` are given the same value as the others.
pub fn single(value: f64) -> f64 {
    f64::from(value as f32)
}
