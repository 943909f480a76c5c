//! Two pieces of work, side by side where the feature `parallel` is on.

/// Below this many items the pieces are too small to share.
const ENOUGH: usize = 4096;

/// Runs both; in parallel if there is enough to do. The results do not depend on it.
#[cfg(feature = "parallel")]
pub(crate) fn join<A: Send, B: Send>(
    items: usize,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if items >= ENOUGH { rayon::join(a, b) } else { (a(), b()) }
}

/// Runs both, one after the other.
#[cfg(not(feature = "parallel"))]
pub(crate) fn join<A: Send, B: Send>(
    _: usize,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    let _ = ENOUGH;
    (a(), b())
}
