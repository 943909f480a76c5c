//! The cases of `motion`. A further one is a line in [`all`], with its input in `generate.rs` and its truth in `oracle/`.

use super::format::Input;
use super::generate;
use super::oracle::{self, Point, Truth, turning::Turning};
use crate::mesh::{files, workload::LARGE};
use crate::options::Options;

/// What moves against what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Convex bodies without a turn.
    HullLinear,
    /// Convex bodies, one of which turns.
    Turning,
    SphereTriangle,
    VertexFace,
    EdgeEdge,
    /// A mesh against itself, with or without a turn.
    Meshes,
}

/// One column of the table.
pub struct Case {
    pub kind: Kind,
    /// The input; its name is that on the command line, in the protocol and in the results.
    pub input: Input,
    /// How many answers are examined, and with `--quick`.
    pub samples: [usize; 2],
}

impl Case {
    /// The name in the protocol and in the results.
    pub fn name(&self) -> &str {
        &self.input.case
    }

    /// The truth of one query.
    pub fn truth(&self, i: usize) -> Truth {
        let (input, numbers) = (&self.input, &self.input.numbers[i]);
        match self.kind {
            Kind::HullLinear => oracle::hulls::truth(&input.hulls, input.pairs[i], numbers),
            Kind::Turning => Turning::new(&input.hulls, input.pairs[i], numbers).truth(),
            Kind::SphereTriangle => oracle::sphere::truth(numbers),
            Kind::VertexFace => vertices(numbers, oracle::motion::vertex_face),
            Kind::EdgeEdge => vertices(numbers, oracle::motion::edge_edge),
            Kind::Meshes => oracle::meshes::truth(&input.hulls[0], numbers),
        }
    }
}

/// All cases, in the order of the table.
pub fn all(options: &Options) -> Result<Vec<Case>, String> {
    let pick = |full: usize, quick: usize| if options.quick { quick } else { full };
    let case = |kind, samples, input| Case { kind, input, samples };
    let seed = options.seed;
    let mut cases = vec![
        case(Kind::HullLinear, [2_000, 500], generate::hull_linear(seed, pick(100_000, 20_000))),
        case(Kind::Turning, [500, 200], generate::hull_rotating(seed, pick(50_000, 10_000))),
        case(Kind::Turning, [2_000, 500], generate::box_rotating(seed, pick(50_000, 10_000))),
        case(
            Kind::SphereTriangle,
            [2_000, 500],
            generate::sphere_triangle(seed, pick(200_000, 20_000)),
        ),
        case(Kind::VertexFace, [2_000, 500], generate::vertices(false, seed, pick(10_000, 4_000))),
        case(Kind::EdgeEdge, [2_000, 500], generate::vertices(true, seed, pick(10_000, 4_000))),
        case(Kind::VertexFace, [2_000, 500], generate::coplanar(false, seed, pick(4_000, 1_000))),
        case(Kind::EdgeEdge, [2_000, 500], generate::coplanar(true, seed, pick(4_000, 1_000))),
    ];
    let models = if "mesh".starts_with(&options.case) || options.case.starts_with("mesh") {
        files::all(options.models.as_deref())?
    } else {
        Vec::new()
    };
    for model in models.iter().filter(|model| model.mesh.triangles.len() <= LARGE) {
        for turns in [false, true] {
            let input = generate::meshes(model, turns, seed, pick(200, 60));
            cases.push(case(Kind::Meshes, [200, 60], input));
        }
    }
    cases.retain(|case| case.name().starts_with(&options.case));
    if cases.is_empty() {
        return Err(format!("no case of `motion` begins with \"{}\"", options.case));
    }
    Ok(cases)
}

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
