//! Large pages for large lists.
//!
//! A ray visits memory at random; with pages of 4 KiB a hierarchy of a million triangles has more of them than the processor remembers,
//! and every visit begins with a walk through the page tables. Linux gives out pages of 2 MiB where it is asked to.
#![allow(unsafe_code)]

/// Lists smaller than this, in bytes, are left alone.
const LARGE: usize = 4 << 20;

/// An empty list with the given capacity, on large pages where that pays and the system has them.
///
/// ```
/// let list: Vec<u64> = impinge_geom::simd::memory::with_capacity(1 << 20);
/// assert!(list.is_empty() && list.capacity() >= 1 << 20);
/// ```
pub fn with_capacity<T>(count: usize) -> Vec<T> {
    let list: Vec<T> = Vec::with_capacity(count);
    advise(list.as_ptr().cast::<u8>(), list.capacity().saturating_mul(size_of::<T>()));
    list
}

/// Asks for large pages for whole small pages inside a piece of memory.
#[cfg(target_os = "linux")]
fn advise(start: *const u8, bytes: usize) {
    const SMALL_PAGE: usize = 4096;
    const MADV_HUGEPAGE: i32 = 14;
    unsafe extern "C" {
        fn madvise(start: *mut u8, bytes: usize, advice: i32) -> i32;
    }
    if bytes < LARGE {
        return;
    }
    let skipped = start.align_offset(SMALL_PAGE);
    let bytes = bytes.saturating_sub(skipped) & !(SMALL_PAGE - 1);
    // SAFETY: the range lies within memory that the caller has allocated, and the advice changes no contents. A refusal does no harm.
    unsafe { madvise(start.cast_mut().wrapping_add(skipped), bytes, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise(_: *const u8, _: usize) {
    let _ = LARGE;
}
