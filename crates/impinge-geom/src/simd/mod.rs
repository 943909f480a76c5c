//! SIMD with run-time dispatch. The only module with `unsafe`.
//!
//! A kernel is written once, generic over a token [`Simd`], with every function on its path `#[inline(always)]`; [`dispatch`]
//! runs the whole of it inside one function compiled for the instruction set that the machine has. The scalar backend is the
//! reference: both give the same bits, because lanes never mix and the operations are those of IEEE 754. The exception is
//! [`Simd::multiply_add32`] and its twin, which serve filters only: they decide what is examined, not what is found.
//!
//! `IMPINGE_SIMD=scalar` in the environment forces the scalar backend, `IMPINGE_SIMD=avx2` leaves AVX-512 alone.

pub mod memory;
pub(crate) mod points;
mod processor;
mod scalar;
pub mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::atomic::{AtomicU8, Ordering};

pub use processor::processor;
pub use scalar::Scalar;

/// A token that proves that an instruction set is there, and gives its operations on four f64 or eight f32 lanes.
///
/// Masks are one bit per lane, lane 0 in the lowest bit. The trait is sealed: only this module implements it.
pub trait Simd: Copy + sealed::Sealed {
    /// Four f64 lanes.
    type F64x4: Copy;
    /// Eight f32 lanes.
    type F32x8: Copy;

    /// All lanes equal.
    fn splat64(self, value: f64) -> Self::F64x4;
    /// Lanes from memory.
    fn load64(self, values: &[f64; 4]) -> Self::F64x4;
    /// Lanes to memory.
    fn store64(self, lanes: Self::F64x4) -> [f64; 4];
    /// Sum.
    fn add64(self, a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// Difference.
    fn sub64(self, a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// Product.
    fn mul64(self, a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// Quotient.
    fn div64(self, a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// Square root, correctly rounded.
    fn sqrt64(self, a: Self::F64x4) -> Self::F64x4;
    /// `a` where it is smaller, else `b`, per lane.
    fn min64(self, a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// `a` where it is larger, else `b`, per lane.
    fn max64(self, a: Self::F64x4, b: Self::F64x4) -> Self::F64x4;
    /// Magnitude of each lane.
    fn abs64(self, a: Self::F64x4) -> Self::F64x4;
    /// `a > b`, one bit per lane.
    fn greater64(self, a: Self::F64x4, b: Self::F64x4) -> u32;
    /// The lanes that equal the largest one, one bit each. Lanes must not be NaN.
    fn largest64(self, a: Self::F64x4) -> u32;
    /// Per lane `(new, new_tag)` where `new > old`, else `(old, old_tag)`: one step of an arg-max.
    fn keep_greater64(
        self,
        old: (Self::F64x4, Self::F64x4),
        new: (Self::F64x4, Self::F64x4),
    ) -> (Self::F64x4, Self::F64x4);

    /// All lanes equal.
    fn splat32(self, value: f32) -> Self::F32x8;
    /// Lanes from memory.
    fn load32(self, values: &[f32; 8]) -> Self::F32x8;
    /// Lanes to memory.
    fn store32(self, lanes: Self::F32x8) -> [f32; 8];
    /// Sum.
    fn add32(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// Difference.
    fn sub32(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// Product.
    fn mul32(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// `a·b + c`, rounded once or twice as the machine likes: for filters with room for either, never for reported numbers.
    fn multiply_add32(self, a: Self::F32x8, b: Self::F32x8, c: Self::F32x8) -> Self::F32x8;
    /// `c − a·b`, rounded once or twice; see [`Simd::multiply_add32`].
    fn subtract_product32(self, c: Self::F32x8, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// Quotient.
    fn div32(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// Square root.
    fn sqrt32(self, a: Self::F32x8) -> Self::F32x8;
    /// Smaller of each lane.
    fn min32(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// Larger of each lane.
    fn max32(self, a: Self::F32x8, b: Self::F32x8) -> Self::F32x8;
    /// Magnitude of each lane.
    fn abs32(self, a: Self::F32x8) -> Self::F32x8;
    /// The first lane.
    fn first32(self, a: Self::F32x8) -> f32;
    /// The sum of all lanes, added in pairs: halves, quarters, neighbours.
    fn sum32(self, a: Self::F32x8) -> f32;
    /// The least of all lanes.
    fn least32(self, a: Self::F32x8) -> f32;
    /// The greatest of all lanes.
    fn greatest32(self, a: Self::F32x8) -> f32;
    /// `a > b`, one bit per lane.
    fn greater32(self, a: Self::F32x8, b: Self::F32x8) -> u32;
    /// Per lane `x` where `a > b`, else `y`.
    fn pick_greater32(
        self,
        a: Self::F32x8,
        b: Self::F32x8,
        x: Self::F32x8,
        y: Self::F32x8,
    ) -> Self::F32x8;

    /// The lanes where two boxes, each given by its low and its high corner, have a point in common, one bit each. A lane with a NaN
    /// has none.
    fn touching32(self, a: &[[Self::F32x8; 3]; 2], b: &[[Self::F32x8; 3]; 2]) -> u32;
    /// Writes `[one, other]`, the smaller first, for the others in the lanes of a mask, side by side from the front of `list`. What
    /// comes after them there is of no meaning.
    fn write_pairs(self, mask: u32, one: u32, others: &[u32; 8], list: &mut [[u32; 2]; 8]);

    /// The entries in the lanes of the mask, infinity in the others.
    fn or_infinity32(self, mask: u32, entries: Self::F32x8) -> Self::F32x8;
    /// Sorts children by where a ray enters them, which is not below zero, or infinite for those that it misses.
    ///
    /// Writes those that are met to the front of the list, the nearer ones later, and beside them as keys where the ray enters them, with the lane in
    /// place of the last three bits. Says which lane is the nearest, and how many are met; if none is, the lane means nothing. What the lists hold behind
    /// them means nothing either.
    fn far_first32(
        self,
        entries: Self::F32x8,
        children: &[u32; 8],
        keys: &mut [f32; 8],
        list: &mut [u32; 8],
    ) -> (usize, usize);
    /// Runs a kernel in a function of its own, so that a loop around the call keeps its registers.
    fn apart<K: Kernel>(self, kernel: K) -> K::Output;

    /// Asks for a value that will be read soon.
    fn fetch<T>(self, value: &T);
}

mod sealed {
    pub trait Sealed {}
}

/// A kernel that runs on any backend. Implementations mark `run` and all it calls `#[inline(always)]`.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// The work, written once.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The instruction sets that [`dispatch`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Plain Rust; the reference.
    Scalar,
    /// AVX2 with fused multiply-add on x86-64.
    Avx2,
    /// AVX2, and AVX-512 for kernels that gain from it: see [`dispatch_wide`].
    Avx512,
}

/// 0: not looked at yet; 1: scalar; 2: AVX2; 3: AVX-512.
static LEVEL: AtomicU8 = AtomicU8::new(0);

/// The backend that [`dispatch`] uses in this process.
///
/// ```
/// println!("running on {:?}", impinge_geom::simd::level());
/// ```
#[inline]
pub fn level() -> Level {
    match LEVEL.load(Ordering::Relaxed) {
        1 => Level::Scalar,
        2 => Level::Avx2,
        3 => Level::Avx512,
        _ => detect(),
    }
}

#[cold]
fn detect() -> Level {
    let forced = std::env::var_os("IMPINGE_SIMD");
    let is_forced = |level: &str| forced.as_ref().is_some_and(|value| value == level);
    let (level, number) = match best() {
        _ if is_forced("scalar") => (Level::Scalar, 1),
        Level::Scalar => (Level::Scalar, 1),
        Level::Avx512 if !is_forced("avx2") => (Level::Avx512, 3),
        _ => (Level::Avx2, 2),
    };
    LEVEL.store(number, Ordering::Relaxed);
    level
}

/// What the machine has.
fn best() -> Level {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("fma")
        // Every processor with the two above has these, for counting and finding bits.
        && std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("lzcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
    {
        let wide = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512bw");
        return if wide { Level::Avx512 } else { Level::Avx2 };
    }
    Level::Scalar
}

/// Runs the kernel on the best backend of this machine.
///
/// ```
/// use impinge_geom::simd::{Kernel, Simd, dispatch};
/// struct Double([f64; 4]);
/// impl Kernel for Double {
///     type Output = [f64; 4];
///     #[inline(always)]
///     fn run<S: Simd>(self, simd: S) -> [f64; 4] {
///         let lanes = simd.load64(&self.0);
///         simd.store64(simd.add64(lanes, lanes))
///     }
/// }
/// assert_eq!(dispatch(Double([1.0, 2.0, 3.0, 4.0])), [2.0, 4.0, 6.0, 8.0]);
/// ```
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if level() != Level::Scalar {
        return x86::run(kernel);
    }
    plainly(kernel)
}

/// Like [`dispatch`], with AVX-512 where the machine has it. Every backend costs compile time, so this is for kernels that were measured to
/// gain.
#[inline]
pub fn dispatch_wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if level() == Level::Avx512 {
        return x86::run_wide(kernel);
    }
    dispatch(kernel)
}

/// The kernel in plain Rust, out of the way of callers that have something better.
#[cold]
#[inline(never)]
fn plainly<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Scalar::new())
}

#[cfg(test)]
mod tests {
    use super::{Kernel, Scalar, Simd, dispatch, dispatch_wide, vector};

    /// The mask of a box against eight others, and the pairs of every mask.
    #[derive(Clone, Copy)]
    struct Both([[f32; 3]; 2], [[[f32; 8]; 3]; 2]);

    impl Kernel for Both {
        type Output = (u32, Vec<[u32; 2]>);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let one = [vector::splat(simd, self.0[0]), vector::splat(simd, self.0[1])];
            let others = [vector::load(simd, &self.1[0]), vector::load(simd, &self.1[1])];
            let mut list = Vec::new();
            for mask in 0..256u32 {
                let mut written = [[0; 2]; 8];
                simd.write_pairs(mask, 13, &[11, 12, 14, u32::MAX, 0, 15, 16, 17], &mut written);
                list.extend_from_slice(&written[..mask.count_ones() as usize]);
            }
            (simd.touching32(&one, &others), list)
        }
    }

    /// What [`Simd::far_first32`] says and writes.
    #[derive(Clone, Copy)]
    struct Sorted(u32, [f32; 8]);

    impl Kernel for Sorted {
        type Output = (usize, Vec<f32>, Vec<u32>);

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Self::Output {
            let entries = simd.or_infinity32(self.0, simd.load32(&self.1));
            let (mut keys, mut list) = ([7.0; 8], [7; 8]);
            let children = [20, 21, 22, 23, 24, 25, u32::MAX, 27];
            let (lane, count) = simd.far_first32(entries, &children, &mut keys, &mut list);
            (if count == 0 { 0 } else { lane }, keys[..count].to_vec(), list[..count].to_vec())
        }
    }

    #[test]
    fn children_are_sorted_with_the_nearest_last() {
        let children = [20, 21, 22, 23, 24, 25, u32::MAX, 27];
        let many = [
            [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
            [5.5, 0.25, f32::MAX, 0.0, 0.25, 1e-40, 3.0, 0.25],
            [1.0; 8],
            [8.0, 7.0, f32::INFINITY, 5.0, 4.0, 3.0, f32::INFINITY, 1.0],
        ];
        for entries in many {
            for mask in 0..256u32 {
                let found = dispatch(Sorted(mask, entries));
                assert_eq!(found, Sorted(mask, entries).run(Scalar::new()));
                assert_eq!(found, dispatch_wide(Sorted(mask, entries)));
                let met = |&lane: &usize| mask >> lane & 1 != 0 && entries[lane] < f32::INFINITY;
                let mut lanes: Vec<usize> = (0..8).filter(met).collect();
                // Numbers that differ in the last three bits only do not occur here.
                lanes.sort_by(|&a, &b| entries[b].total_cmp(&entries[a]).then(b.cmp(&a)));
                assert_eq!(found.0, lanes.last().copied().unwrap_or(0));
                assert_eq!(found.2, lanes.iter().map(|&lane| children[lane]).collect::<Vec<_>>());
                for (key, &lane) in found.1.iter().zip(&lanes) {
                    assert_eq!(key.to_bits(), entries[lane].to_bits() & !7 | lane as u32);
                }
            }
        }
    }

    #[test]
    fn boxes_and_pairs_are_those_of_the_scalar_backend() {
        let (infinite, nan) = (f32::INFINITY, f32::NAN);
        let low = [1.0, 2.0, 2.5, nan, -infinite, infinite, -1.0, 0.0];
        let high = [1.0, 2.0, 3.0, nan, infinite, infinite, 1.0, 0.5];
        for axis in 0..3 {
            let mut others = [[[-9.0; 8]; 3], [[9.0; 8]; 3]];
            (others[0][axis], others[1][axis]) = (low, high);
            let both = Both([[1.0; 3], [2.0; 3]], others);
            let found = dispatch(both);
            assert_eq!(found.0, 0b0101_0011);
            assert_eq!(found, both.run(Scalar::new()));
            assert_eq!(found.1[..4], [[11, 13], [12, 13], [11, 13], [12, 13]]);
            assert!(found.1.iter().all(|pair| pair[0] < pair[1] && pair.contains(&13)));
        }
    }
}
