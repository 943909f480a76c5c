//! Parallel loops, where the feature `parallel` is on. Results never depend on it, nor on the number of threads: every reduction
//! runs over portions whose bounds follow from the number of items alone.

use impinge_geom::simd::memory::collect;

/// Below this many items the pieces are too small to share.
const ENOUGH: usize = 4096;

/// How many items [`fold`] takes at a time.
const PORTION: usize = 1 << 15;

/// Number of threads; 1 if the feature `parallel` is off.
///
/// ```
/// assert!(impinge_tree::parallel::threads() >= 1);
/// ```
pub fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    return 1;
}

/// Runs both closures; in parallel if there are enough items.
///
/// ```
/// assert_eq!(impinge_tree::parallel::join(2, || 1 + 1, || "two"), (2, "two"));
/// ```
#[cfg(feature = "parallel")]
pub fn join<A: Send, B: Send>(
    items: usize,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if items < ENOUGH {
        return (a(), b());
    }
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut first, mut second) = (None, None);
    both(&mut || first = a.take().map(|a| a()), &mut || second = b.take().map(|b| b()));
    (first.expect("the first closure has run"), second.expect("the second closure has run"))
}

/// `rayon::join`, compiled once instead of once per pair of closures.
#[cfg(feature = "parallel")]
fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

/// Runs both, one after the other: the feature `parallel` is off.
#[cfg(not(feature = "parallel"))]
fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    a();
    b();
}

/// Runs both, one after the other: the feature `parallel` is off.
#[cfg(not(feature = "parallel"))]
pub fn join<A: Send, B: Send>(
    _: usize,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    (a(), b())
}

/// The values of `make` at `0..count`, in order.
///
/// ```
/// assert_eq!(impinge_tree::parallel::list(4, |k| k * k), [0, 1, 4, 9]);
/// ```
pub fn list<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    collect(count, ENOUGH, &make, &both)
}

/// The values of `make` at `0..count`, in order, for few tasks that each take long.
///
/// ```
/// assert_eq!(impinge_tree::parallel::tasks(3, |k| "ab".repeat(k)), ["", "ab", "abab"]);
/// ```
pub fn tasks<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    collect(count, 1, &make, &both)
}

/// Sorts; for keys that differ the order is the same for any number of threads.
///
/// ```
/// let mut list = [3, 1, 2];
/// impinge_tree::parallel::sort(&mut list);
/// assert_eq!(list, [1, 2, 3]);
/// ```
#[cfg(feature = "parallel")]
pub fn sort<T: Ord + Send>(list: &mut [T]) {
    use rayon::slice::ParallelSliceMut;
    if list.len() < ENOUGH { list.sort_unstable() } else { list.par_sort_unstable() }
}

/// Sorts: the feature `parallel` is off.
#[cfg(not(feature = "parallel"))]
pub fn sort<T: Ord + Send>(list: &mut [T]) {
    list.sort_unstable();
}

/// Folds portions of a list by `each`, and their results, two at a time, by `both`.
///
/// ```
/// let numbers: Vec<u64> = (0..100_000).collect();
/// let sum = impinge_tree::parallel::fold(&numbers, &|part| part.iter().sum::<u64>(), &|a, b| a + b);
/// assert_eq!(sum, 4_999_950_000);
/// ```
pub fn fold<T: Sync, R: Send>(
    list: &[T],
    each: &(impl Fn(&[T]) -> R + Sync),
    both: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if list.len() <= PORTION {
        return each(list);
    }
    let (a, b) = list.split_at(list.len() / 2);
    let (a, b) = join(list.len(), || fold(a, each, both), || fold(b, each, both));
    both(a, b)
}
