//! The backends for x86-64: AVX2, and the same with AVX-512 where masks and compression help. Vectors are 256 bits wide in both.
//!
//! Every method is sound because an [`X86`] token exists only inside [`run`] and [`run_wide`], which are entered only on machines with
//! the instructions that they are compiled for.
#![allow(unsafe_code)]

use super::{Kernel, Simd, sealed::Sealed};
use std::arch::x86_64::*;

/// The token of the backends; `WIDE` if AVX-512 is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct X86<const WIDE: bool>(());

impl<const WIDE: bool> Sealed for X86<WIDE> {}

/// Runs the kernel inside a function compiled for AVX2.
#[inline]
pub(super) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
    fn inner<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(X86::<false>(()))
    }
    // SAFETY: the caller, `dispatch`, has seen that the machine has AVX2 and FMA.
    unsafe { inner(kernel) }
}

/// Runs the kernel inside a function compiled for AVX-512.
#[inline]
pub(super) fn run_wide<K: Kernel>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt,avx512f,avx512vl,avx512dq,avx512bw")]
    fn inner<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(X86::<true>(()))
    }
    // SAFETY: the caller, `dispatch_wide`, has seen that the machine has all of these.
    unsafe { inner(kernel) }
}

/// `a <= b`, all bits of a lane; none where one is NaN.
#[inline(always)]
fn below(a: __m256, b: __m256) -> __m256 {
    // SAFETY: called only with a token at hand.
    unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(a, b) }
}

/// For every mask the lanes in it, a byte each, in the places where unpacking two vectors brings them to the front in order: places 0,
/// 1, 4, 5 come out of the low halves, 2, 3, 6, 7 of the high ones.
static GATHERED: [u64; 256] = {
    const PLACES: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask] |= (lane as u64) << (8 * PLACES[count]);
                count += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// For every mask the lanes in it, a byte each, in order; behind them lanes that are not in it, if there are any.
static FRONT: [u64; 256] = {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut first, mut last) = (0, 0, 7);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask] |= (lane as u64) << (8 * first);
                first += 1;
            } else {
                table[mask] |= (lane as u64) << (8 * last);
                last -= 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// Sorts eight numbers without a sign by a bitonic network (K. E. Batcher, Sorting networks and their applications, 1968).
#[inline(always)]
fn greatest_first(x: __m256i) -> __m256i {
    /// The greater ones stay in the lanes whose bit is not set.
    #[inline(always)]
    fn exchange<const LATER: i32>(x: __m256i, others: __m256i) -> __m256i {
        // SAFETY: called only with a token at hand, as is the function around.
        unsafe {
            let (greater, less) = (_mm256_max_epu32(x, others), _mm256_min_epu32(x, others));
            _mm256_blend_epi32::<LATER>(greater, less)
        }
    }
    // SAFETY: called only with a token at hand.
    unsafe {
        let x = exchange::<0b1010_1010>(x, _mm256_shuffle_epi32::<0b10_11_00_01>(x));
        let x = exchange::<0b1100_1100>(x, _mm256_shuffle_epi32::<0b00_01_10_11>(x));
        let x = exchange::<0b1010_1010>(x, _mm256_shuffle_epi32::<0b10_11_00_01>(x));
        let reversed = _mm256_permute4x64_epi64::<0b01_00_11_10>(x);
        let x = exchange::<0b1111_0000>(x, _mm256_shuffle_epi32::<0b00_01_10_11>(reversed));
        let x = exchange::<0b1100_1100>(x, _mm256_shuffle_epi32::<0b01_00_11_10>(x));
        exchange::<0b1010_1010>(x, _mm256_shuffle_epi32::<0b10_11_00_01>(x))
    }
}

/// The lane in the last bits of the least.
#[inline(always)]
fn least_lane(keys: __m256i) -> usize {
    // SAFETY: called only with a token at hand.
    unsafe {
        let halves = _mm256_extracti128_si256::<1>(keys);
        let least = _mm_min_epu32(_mm256_castsi256_si128(keys), halves);
        let least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b01_00_11_10>(least));
        let least = _mm_min_epu32(least, _mm_shuffle_epi32::<0b10_11_00_01>(least));
        (_mm_cvtsi128_si32(least) & 7) as usize
    }
}

/// The same for four.
#[inline(always)]
fn four_greatest_first(x: __m128i) -> __m128i {
    /// The greater ones stay in the lanes whose bit is not set.
    #[inline(always)]
    fn exchange<const LATER: i32>(x: __m128i, others: __m128i) -> __m128i {
        // SAFETY: called only with a token at hand, as is the function around.
        unsafe {
            let (greater, less) = (_mm_max_epu32(x, others), _mm_min_epu32(x, others));
            _mm_blend_epi32::<LATER>(greater, less)
        }
    }
    // SAFETY: called only with a token at hand.
    unsafe {
        let x = exchange::<0b1010>(x, _mm_shuffle_epi32::<0b10_11_00_01>(x));
        let x = exchange::<0b1100>(x, _mm_shuffle_epi32::<0b00_01_10_11>(x));
        exchange::<0b1010>(x, _mm_shuffle_epi32::<0b10_11_00_01>(x))
    }
}

/// [`Simd::far_first32`] with AVX-512: masks instead of blends, and compression instead of a table.
///
/// # Safety
///
/// The machine has AVX-512.
#[inline(always)]
unsafe fn far_first_wide(
    entries: __m256,
    children: &[u32; 8],
    keys: &mut [f32; 8],
    list: &mut [u32; 8],
) -> (usize, usize) {
    /// Takes the bits of the third from the second, all others from the first.
    const CHOOSE: i32 = 0b1101_1000;
    // SAFETY: what the function asks for; the list has room for two vectors.
    unsafe {
        let entries = _mm256_castps_si256(entries);
        let infinity = _mm256_set1_epi32(f32::INFINITY.to_bits() as i32);
        let met = _mm256_cmplt_epu32_mask(entries, infinity);
        let count = met.count_ones() as usize;
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let marked = _mm256_ternarylogic_epi32::<CHOOSE>(entries, lanes, _mm256_set1_epi32(7));
        let front = _mm256_maskz_compress_epi32(met, marked);
        write_sorted(front, count, children, keys, list);
        (least_lane(marked), count)
    }
}

/// Writes the children in the lanes that the keys name, and the keys, the greatest first. Up to four are in the first half.
#[inline(always)]
fn write_sorted(
    front: __m256i,
    count: usize,
    children: &[u32; 8],
    keys: &mut [f32; 8],
    list: &mut [u32; 8],
) {
    // SAFETY: called only with a token at hand; the lists have room for a vector each.
    unsafe {
        let children = _mm256_loadu_si256(children.as_ptr().cast());
        if count > 4 {
            let sorted = greatest_first(front);
            let children = _mm256_permutevar8x32_epi32(children, sorted);
            _mm256_storeu_si256(keys.as_mut_ptr().cast(), sorted);
            _mm256_storeu_si256(list.as_mut_ptr().cast(), children);
        } else {
            // As a rule they are few: these fit into half a vector.
            let sorted = four_greatest_first(_mm256_castsi256_si128(front));
            let children = _mm256_permutevar8x32_epi32(children, _mm256_castsi128_si256(sorted));
            _mm_storeu_si128(keys.as_mut_ptr().cast(), sorted);
            _mm_storeu_si128(list.as_mut_ptr().cast(), _mm256_castsi256_si128(children));
        }
    }
}

// SAFETY of every block below: the token proves AVX2 and FMA; loads and stores go through references to arrays of the full width.
impl<const WIDE: bool> Simd for X86<WIDE> {
    type F64x4 = __m256d;
    type F32x8 = __m256;

    #[inline(always)]
    fn splat64(self, value: f64) -> __m256d {
        unsafe { _mm256_set1_pd(value) }
    }
    #[inline(always)]
    fn load64(self, values: &[f64; 4]) -> __m256d {
        unsafe { _mm256_loadu_pd(values.as_ptr()) }
    }
    #[inline(always)]
    fn store64(self, lanes: __m256d) -> [f64; 4] {
        let mut values = [0.0; 4];
        unsafe { _mm256_storeu_pd(values.as_mut_ptr(), lanes) };
        values
    }
    #[inline(always)]
    fn add64(self, a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_add_pd(a, b) }
    }
    #[inline(always)]
    fn sub64(self, a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_sub_pd(a, b) }
    }
    #[inline(always)]
    fn mul64(self, a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_mul_pd(a, b) }
    }
    #[inline(always)]
    fn div64(self, a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_div_pd(a, b) }
    }
    #[inline(always)]
    fn sqrt64(self, a: __m256d) -> __m256d {
        unsafe { _mm256_sqrt_pd(a) }
    }
    #[inline(always)]
    fn min64(self, a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_min_pd(a, b) }
    }
    #[inline(always)]
    fn max64(self, a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_max_pd(a, b) }
    }
    #[inline(always)]
    fn abs64(self, a: __m256d) -> __m256d {
        unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), a) }
    }
    #[inline(always)]
    fn greater64(self, a: __m256d, b: __m256d) -> u32 {
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(a, b)) as u32 }
    }
    #[inline(always)]
    fn largest64(self, a: __m256d) -> u32 {
        unsafe {
            let crossed = _mm256_max_pd(a, _mm256_permute2f128_pd::<1>(a, a));
            let largest = _mm256_max_pd(crossed, _mm256_permute_pd::<0b0101>(crossed));
            _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(a, largest)) as u32
        }
    }
    #[inline(always)]
    fn keep_greater64(
        self,
        old: (__m256d, __m256d),
        new: (__m256d, __m256d),
    ) -> (__m256d, __m256d) {
        unsafe {
            let better = _mm256_cmp_pd::<_CMP_GT_OQ>(new.0, old.0);
            (_mm256_blendv_pd(old.0, new.0, better), _mm256_blendv_pd(old.1, new.1, better))
        }
    }

    #[inline(always)]
    fn splat32(self, value: f32) -> __m256 {
        unsafe { _mm256_set1_ps(value) }
    }
    #[inline(always)]
    fn load32(self, values: &[f32; 8]) -> __m256 {
        unsafe { _mm256_loadu_ps(values.as_ptr()) }
    }
    #[inline(always)]
    fn store32(self, lanes: __m256) -> [f32; 8] {
        let mut values = [0.0; 8];
        unsafe { _mm256_storeu_ps(values.as_mut_ptr(), lanes) };
        values
    }
    #[inline(always)]
    fn add32(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_add_ps(a, b) }
    }
    #[inline(always)]
    fn sub32(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_sub_ps(a, b) }
    }
    #[inline(always)]
    fn mul32(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_mul_ps(a, b) }
    }
    #[inline(always)]
    fn multiply_add32(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn subtract_product32(self, c: __m256, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_fnmadd_ps(a, b, c) }
    }
    #[inline(always)]
    fn div32(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_div_ps(a, b) }
    }
    #[inline(always)]
    fn sqrt32(self, a: __m256) -> __m256 {
        unsafe { _mm256_sqrt_ps(a) }
    }
    #[inline(always)]
    fn min32(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_min_ps(a, b) }
    }
    #[inline(always)]
    fn max32(self, a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_max_ps(a, b) }
    }
    #[inline(always)]
    fn abs32(self, a: __m256) -> __m256 {
        unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), a) }
    }
    #[inline(always)]
    fn first32(self, a: __m256) -> f32 {
        unsafe { _mm256_cvtss_f32(a) }
    }
    #[inline(always)]
    fn sum32(self, a: __m256) -> f32 {
        unsafe {
            let half = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let quarter = _mm_add_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_add_ss(quarter, _mm_movehdup_ps(quarter)))
        }
    }
    #[inline(always)]
    fn least32(self, a: __m256) -> f32 {
        unsafe {
            let half = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let quarter = _mm_min_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_min_ss(quarter, _mm_movehdup_ps(quarter)))
        }
    }
    #[inline(always)]
    fn greatest32(self, a: __m256) -> f32 {
        unsafe {
            let half = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let quarter = _mm_max_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_max_ss(quarter, _mm_movehdup_ps(quarter)))
        }
    }
    #[inline(always)]
    fn greater32(self, a: __m256, b: __m256) -> u32 {
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)) as u32 }
    }
    #[inline(always)]
    fn pick_greater32(self, a: __m256, b: __m256, x: __m256, y: __m256) -> __m256 {
        unsafe { _mm256_blendv_ps(y, x, _mm256_cmp_ps::<_CMP_GT_OQ>(a, b)) }
    }
    #[inline(always)]
    fn touching32(self, a: &[[__m256; 3]; 2], b: &[[__m256; 3]; 2]) -> u32 {
        unsafe {
            let x = _mm256_and_ps(below(a[0][0], b[1][0]), below(b[0][0], a[1][0]));
            let y = _mm256_and_ps(below(a[0][1], b[1][1]), below(b[0][1], a[1][1]));
            let z = _mm256_and_ps(below(a[0][2], b[1][2]), below(b[0][2], a[1][2]));
            _mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(x, y), z)) as u32
        }
    }
    #[inline(always)]
    fn write_pairs(self, mask: u32, one: u32, others: &[u32; 8], list: &mut [[u32; 2]; 8]) {
        let order = GATHERED[(mask & 255) as usize];
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order as i64));
            let others = _mm256_loadu_si256(others.as_ptr().cast());
            let others = _mm256_permutevar8x32_epi32(others, order);
            let one = _mm256_set1_epi32(one as i32);
            let (small, large) = (_mm256_min_epu32(one, others), _mm256_max_epu32(one, others));
            let list: *mut __m256i = list.as_mut_ptr().cast();
            _mm256_storeu_si256(list, _mm256_unpacklo_epi32(small, large));
            _mm256_storeu_si256(list.add(1), _mm256_unpackhi_epi32(small, large));
        }
    }

    #[inline(always)]
    fn or_infinity32(self, mask: u32, entries: __m256) -> __m256 {
        unsafe {
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let own = _mm256_and_si256(_mm256_set1_epi32(mask as i32), bits);
            let kept = _mm256_castsi256_ps(_mm256_cmpeq_epi32(own, bits));
            _mm256_blendv_ps(_mm256_set1_ps(f32::INFINITY), entries, kept)
        }
    }
    #[inline(always)]
    fn far_first32(
        self,
        entries: __m256,
        children: &[u32; 8],
        keys: &mut [f32; 8],
        list: &mut [u32; 8],
    ) -> (usize, usize) {
        if WIDE {
            return unsafe { far_first_wide(entries, children, keys, list) };
        }
        unsafe {
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let bits = _mm256_and_si256(_mm256_castps_si256(entries), _mm256_set1_epi32(!7));
            let marked = _mm256_or_si256(bits, lanes);
            let infinity = _mm256_set1_epi32(f32::INFINITY.to_bits() as i32);
            let met = _mm256_cmpgt_epi32(infinity, marked);
            // The nearest is what everything waits for: it is found apart from the order of the rest, which is needed later.
            let nearest = least_lane(marked);
            let mask = _mm256_movemask_ps(_mm256_castsi256_ps(met)) as usize;
            let count = mask.count_ones() as usize;
            let front = _mm_cvtsi64_si128(FRONT[mask % 256] as i64);
            let marked = _mm256_and_si256(marked, met);
            let front = _mm256_permutevar8x32_epi32(marked, _mm256_cvtepu8_epi32(front));
            write_sorted(front, count, children, keys, list);
            (nearest, count)
        }
    }

    #[inline(always)]
    fn apart<K: Kernel>(self, kernel: K) -> K::Output {
        #[inline(never)]
        #[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
        fn inner<K: Kernel>(kernel: K) -> K::Output {
            kernel.run(X86::<false>(()))
        }
        #[inline(never)]
        #[target_feature(
            enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt,avx512f,avx512vl,avx512dq,avx512bw"
        )]
        fn inner_wide<K: Kernel>(kernel: K) -> K::Output {
            kernel.run(X86::<true>(()))
        }
        unsafe { if WIDE { inner_wide(kernel) } else { inner(kernel) } }
    }
    #[inline(always)]
    fn fetch<T>(self, value: &T) {
        let first = std::ptr::from_ref(value).cast::<i8>();
        for line in 0..size_of::<T>().div_ceil(64) {
            // The addresses lie within the value; a fetch reads nothing that the program sees.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.add(64 * line)) };
        }
    }
}
