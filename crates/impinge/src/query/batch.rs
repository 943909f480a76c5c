//! Many queries at once, on all threads.

use super::Workspace;
use impinge_tree::parallel::tasks;

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

fn in_portions<P: Sync, T: Send>(
    inputs: &[P],
    portion: &(dyn Fn(&[P]) -> Vec<T> + Sync),
) -> Vec<T> {
    if inputs.len() <= PORTION {
        return portion(inputs);
    }
    let chunks: Vec<&[P]> = inputs.chunks(PORTION).collect();
    let lists = tasks(chunks.len(), |k| portion(chunks[k]));
    lists.into_iter().flatten().collect()
}
