//! Many queries at once, on all threads.

use super::Workspace;

/// Questions that a thread takes at a time, with a workspace of its own.
const PORTION: usize = 64;

/// Answers in the order of the inputs. Every answer is that of a query with a fresh workspace.
pub(crate) fn batch<P: Sync, T: Send>(
    inputs: &[P],
    ask: impl Fn(&P, &mut Workspace) -> T + Sync,
) -> Vec<T> {
    let portion = |inputs: &[P]| {
        let mut workspace = Workspace::default();
        inputs.iter().map(|input| ask(input, &mut workspace)).collect::<Vec<T>>()
    };
    in_portions(inputs, &portion)
}

#[cfg(feature = "parallel")]
fn in_portions<P: Sync, T: Send>(
    inputs: &[P],
    portion: &(dyn Fn(&[P]) -> Vec<T> + Sync),
) -> Vec<T> {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    use rayon::slice::ParallelSlice;
    if inputs.len() <= PORTION {
        return portion(inputs);
    }
    let lists: Vec<Vec<T>> = inputs.par_chunks(PORTION).into_par_iter().map(portion).collect();
    lists.into_iter().flatten().collect()
}

#[cfg(not(feature = "parallel"))]
fn in_portions<P: Sync, T: Send>(
    inputs: &[P],
    portion: &(dyn Fn(&[P]) -> Vec<T> + Sync),
) -> Vec<T> {
    portion(inputs)
}
