//! The cases of `motion`. A further one is a line here, with its input in `generate.rs` and its truth in `oracle/`.

use super::format::Input;
use super::generate;
use super::oracle::{self, Point, Truth};

/// One column of the table.
pub struct Case {
    /// Name on the command line, in the protocol and in the results.
    pub name: &'static str,
    /// The input for a seed and a number of queries.
    pub input: fn(u64, usize) -> Input,
    /// The truth of one query.
    pub truth: fn(&Input, usize) -> Truth,
    /// How many queries, and with `--quick`.
    pub queries: [usize; 2],
}

/// All cases, in the order of the table.
pub const CASES: [Case; 4] = [
    Case {
        name: "hull linear",
        input: generate::hull_linear,
        truth: |input, i| oracle::hulls::truth(&input.hulls, input.pairs[i], &input.numbers[i]),
        queries: [100_000, 20_000],
    },
    Case {
        name: "sphere triangle",
        input: generate::sphere_triangle,
        truth: |input, i| oracle::sphere::truth(&input.numbers[i]),
        queries: [200_000, 20_000],
    },
    Case {
        name: "vertex-face",
        input: |seed, count| generate::vertices(false, seed, count),
        truth: |input, i| vertices(&input.numbers[i], oracle::motion::vertex_face),
        queries: [10_000, 4_000],
    },
    Case {
        name: "edge-edge",
        input: |seed, count| generate::vertices(true, seed, count),
        truth: |input, i| vertices(&input.numbers[i], oracle::motion::edge_edge),
        queries: [10_000, 4_000],
    },
];

/// Exact, and the time to 2^-40 by halving.
fn vertices(
    numbers: &[f64],
    ask: fn(&[Point; 4], &[Point; 4]) -> Vec<oracle::sturm::Root>,
) -> Truth {
    let points = |at: usize| -> [Point; 4] {
        [0, 1, 2, 3].map(|i| [0, 1, 2].map(|k| numbers[at + 3 * i + k]))
    };
    let contacts = ask(&points(0), &points(12));
    let time = contacts.first().map(|root| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let at = oracle::sturm::Dyadic::from_f64(middle);
            if root.compare(&at).is_gt() { low = middle } else { high = middle }
        }
        high
    });
    Truth { time, margin: f64::INFINITY }
}
