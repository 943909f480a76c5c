//! Large pages for large lists, and lists that several threads fill.
//!
//! A ray visits memory at random; with pages of 4 KiB a hierarchy of a million triangles has more of them than the processor remembers,
//! and every visit begins with a walk through the page tables. Linux gives out pages of 2 MiB where it is asked to.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

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

/// Runs two closures, perhaps at the same time.
pub type Both = dyn Fn(&mut (dyn FnMut() + Send), &mut (dyn FnMut() + Send)) + Sync;

/// The values of `make` at `0..count`, in order. The range is halved down to portions of at most `portion` values, and the halves are run by `both`.
///
/// ```
/// let squares = impinge_geom::simd::memory::collect(5, 2, &|k| k * k, &|a, b| {
///     b();
///     a();
/// });
/// assert_eq!(squares, [0, 1, 4, 9, 16]);
/// ```
pub fn collect<T: Send>(
    count: usize,
    portion: usize,
    make: &(impl Fn(usize) -> T + Sync),
    both: &Both,
) -> Vec<T> {
    let mut list = with_capacity(count);
    let written = write(&mut list.spare_capacity_mut()[..count], 0, portion.max(1), make, both);
    // `both` may skip a closure or call it twice; what was made is then leaked, which is safe.
    assert_eq!(written, count, "both closures run once");
    // SAFETY: the first `count` values have been written: `write` counts each place once.
    unsafe { list.set_len(count) };
    list
}

/// Writes the values of `make` from `first` on; the number of values written.
fn write<T: Send>(
    places: &mut [MaybeUninit<T>],
    first: usize,
    portion: usize,
    make: &(impl Fn(usize) -> T + Sync),
    both: &Both,
) -> usize {
    if places.len() <= portion {
        for (k, place) in places.iter_mut().enumerate() {
            place.write(make(first + k));
        }
        return places.len();
    }
    let half = places.len() / 2;
    let (a, b) = places.split_at_mut(half);
    let (mut in_a, mut in_b) = (0, 0);
    both(&mut || in_a = write(a, first, portion, make, both), &mut || {
        in_b = write(b, first + half, portion, make, both)
    });
    in_a + in_b
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
