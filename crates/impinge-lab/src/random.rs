//! A small random number generator: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).

/// The state.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for every seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed ^ 0x6a09_e667_f3bc_c909);
        random.next();
        random
    }

    /// 64 random bits.
    #[allow(clippy::should_implement_trait, reason = "never ends, so not an iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    /// A whole number from `low` to `high`, both included.
    pub fn whole(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// True once in `count` times.
    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// A number in [0, 1) with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A number between the two.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A point in the cube from -1 to 1.
    pub fn point(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.between(-1.0, 1.0))
    }

    /// A point with whole coordinates from -limit to limit.
    pub fn grid(&mut self, limit: i64) -> [f64; 3] {
        std::array::from_fn(|_| self.whole(-limit, limit) as f64)
    }

    /// A direction of unit length, uniformly distributed.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let p = self.point();
            let square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
            if square > 1e-4 && square <= 1.0 {
                return p.map(|x| x / square.sqrt());
            }
        }
    }

    /// A unit quaternion (w, x, y, z), uniformly distributed.
    pub fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let square = q.iter().map(|x| x * x).sum::<f64>();
            if square > 1e-4 && square <= 1.0 {
                return q.map(|x| x / square.sqrt());
            }
        }
    }

    /// Two to a power from `low` to `high`, exactly, also among the subnormal numbers.
    pub fn power(&mut self, low: i32, high: i32) -> f64 {
        power_of_two(self.whole(i64::from(low), i64::from(high)) as i32)
    }

    /// The number some representable steps up or down, at most `limit`.
    pub fn nudge(&mut self, value: f64, limit: i64) -> f64 {
        let steps = self.whole(-limit, limit);
        (0..steps.abs()).fold(value, |x, _| if steps > 0 { x.next_up() } else { x.next_down() })
    }
}

/// Two to a power from -1074 to 1023, exactly.
pub fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        -1022.. => f64::from_bits(((1023 + exponent.min(1023)) as u64) << 52),
        _ => f64::from_bits(1_u64 << (exponent + 1074).max(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_exact() {
        assert_eq!(power_of_two(0), 1.0);
        assert_eq!(power_of_two(-3), 0.125);
        assert_eq!(power_of_two(-1022), f64::MIN_POSITIVE);
        assert_eq!(power_of_two(-1023), f64::MIN_POSITIVE / 2.0);
        assert_eq!(power_of_two(-1074), 5e-324);
    }

    #[test]
    fn ranges_hold() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            assert!((-2..=3).contains(&random.whole(-2, 3)));
            assert!((0.0..1.0).contains(&random.unit()));
        }
        assert_ne!(Random::new(1).next(), Random::new(2).next());
    }
}
