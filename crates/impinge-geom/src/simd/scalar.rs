//! The scalar backend: lanes are arrays, operations are loops.

use super::{Kernel, Simd, sealed::Sealed};
use std::array::from_fn;

/// The token of the scalar backend, which every machine has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scalar(());

impl Scalar {
    /// The token.
    pub const fn new() -> Self {
        Self(())
    }
}

impl Sealed for Scalar {}

/// Operations in functions of their own on x86-64, where this backend is the reference and serves processors without AVX2; inlined elsewhere. Inlined
/// everywhere, eight lanes at a time, it took a sixth of the time that the library takes to compile.
macro_rules! operations {
    ($($operation:item)*) => {$(
        #[cfg_attr(target_arch = "x86_64", inline(never))]
        #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
        $operation
    )*};
}

/// One bit per lane for which the condition holds.
#[inline(always)]
fn mask<const N: usize>(condition: impl Fn(usize) -> bool) -> u32 {
    (0..N).fold(0, |bits, lane| bits | (u32::from(condition(lane)) << lane))
}

impl Simd for Scalar {
    type F64x4 = [f64; 4];
    type F32x8 = [f32; 8];

    operations! {
    fn splat64(self, value: f64) -> [f64; 4] {
        [value; 4]
    }
    fn load64(self, values: &[f64; 4]) -> [f64; 4] {
        *values
    }
    fn store64(self, lanes: [f64; 4]) -> [f64; 4] {
        lanes
    }
    fn add64(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        from_fn(|i| a[i] + b[i])
    }
    fn sub64(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        from_fn(|i| a[i] - b[i])
    }
    fn mul64(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        from_fn(|i| a[i] * b[i])
    }
    fn div64(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        from_fn(|i| a[i] / b[i])
    }
    fn sqrt64(self, a: [f64; 4]) -> [f64; 4] {
        from_fn(|i| a[i].sqrt())
    }
    fn min64(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    fn max64(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    fn abs64(self, a: [f64; 4]) -> [f64; 4] {
        from_fn(|i| a[i].abs())
    }
    fn greater64(self, a: [f64; 4], b: [f64; 4]) -> u32 {
        mask::<4>(|i| a[i] > b[i])
    }
    fn largest64(self, a: [f64; 4]) -> u32 {
        let greater = |x: f64, y: f64| if x > y { x } else { y };
        let largest = greater(greater(a[0], a[1]), greater(a[2], a[3]));
        mask::<4>(|i| a[i] == largest)
    }
    fn keep_greater64(
        self,
        old: ([f64; 4], [f64; 4]),
        new: ([f64; 4], [f64; 4]),
    ) -> ([f64; 4], [f64; 4]) {
        let better: [bool; 4] = from_fn(|i| new.0[i] > old.0[i]);
        (
            from_fn(|i| if better[i] { new.0[i] } else { old.0[i] }),
            from_fn(|i| if better[i] { new.1[i] } else { old.1[i] }),
        )
    }

    fn splat32(self, value: f32) -> [f32; 8] {
        [value; 8]
    }
    fn load32(self, values: &[f32; 8]) -> [f32; 8] {
        *values
    }
    fn store32(self, lanes: [f32; 8]) -> [f32; 8] {
        lanes
    }
    fn add32(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i] + b[i])
    }
    fn sub32(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i] - b[i])
    }
    fn mul32(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i] * b[i])
    }
    fn multiply_add32(self, a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i] * b[i] + c[i])
    }
    fn subtract_product32(self, c: [f32; 8], a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|i| c[i] - a[i] * b[i])
    }
    fn div32(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i] / b[i])
    }
    fn sqrt32(self, a: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i].sqrt())
    }
    fn min32(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        // As the x86 instruction: the second operand where the comparison fails.
        from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
    }
    fn max32(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    fn abs32(self, a: [f32; 8]) -> [f32; 8] {
        from_fn(|i| a[i].abs())
    }
    fn first32(self, a: [f32; 8]) -> f32 {
        a[0]
    }
    fn sum32(self, a: [f32; 8]) -> f32 {
        let quarter = |i: usize| (a[i] + a[i + 4]) + (a[i + 2] + a[i + 6]);
        quarter(0) + quarter(1)
    }
    fn least32(self, a: [f32; 8]) -> f32 {
        a.into_iter().fold(f32::INFINITY, f32::min)
    }
    fn greatest32(self, a: [f32; 8]) -> f32 {
        a.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }
    fn greater32(self, a: [f32; 8], b: [f32; 8]) -> u32 {
        mask::<8>(|i| a[i] > b[i])
    }
    fn pick_greater32(self, a: [f32; 8], b: [f32; 8], x: [f32; 8], y: [f32; 8]) -> [f32; 8] {
        from_fn(|i| if a[i] > b[i] { x[i] } else { y[i] })
    }
    fn touching32(self, a: &[[[f32; 8]; 3]; 2], b: &[[[f32; 8]; 3]; 2]) -> u32 {
        let meet = |axis: usize, i: usize| {
            a[0][axis][i] <= b[1][axis][i] && b[0][axis][i] <= a[1][axis][i]
        };
        mask::<8>(|i| meet(0, i) && meet(1, i) && meet(2, i))
    }
    fn write_pairs(self, mask: u32, one: u32, others: &[u32; 8], list: &mut [[u32; 2]; 8]) {
        let chosen = others.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0);
        for (place, (_, &other)) in list.iter_mut().zip(chosen) {
            *place = [one.min(other), one.max(other)];
        }
    }

    fn or_infinity32(self, mask: u32, entries: [f32; 8]) -> [f32; 8] {
        from_fn(|i| if mask >> i & 1 != 0 { entries[i] } else { f32::INFINITY })
    }
    fn far_first32(
        self,
        entries: [f32; 8],
        children: &[u32; 8],
        keys: &mut [f32; 8],
        list: &mut [u32; 8],
    ) -> (usize, usize) {
        let mut count = 0;
        for (lane, (&entry, &child)) in entries.iter().zip(children).enumerate() {
            if entry < f32::INFINITY {
                let key = f32::from_bits(entry.to_bits() & !7 | lane as u32);
                let mut place = count;
                while place > 0 && keys[place - 1] < key {
                    (keys[place], list[place]) = (keys[place - 1], list[place - 1]);
                    place -= 1;
                }
                (keys[place], list[place]) = (key, child);
                count += 1;
            }
        }
        (keys[count.saturating_sub(1)].to_bits() as usize % 8, count)
    }
    }

    #[inline(never)]
    fn apart<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
    #[inline(always)]
    fn fetch<T>(self, _: &T) {}
}
